/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_ETS_CALC_H
#define _PARQ_ETS_CALC_H

#include <linux/dcbnl.h>
#include <linux/parq_hw.h>

/*
 * Size of the sentence that tells why a setting is refused: "parq: " and the reason fit into
 * NETLINK_MAX_FMTMSG_LEN. The function that refuses a value writes it. An error of the
 * device or of memory leaves it empty, and parq_refuse() supplies the reason.
 */
#define PARQ_REASON_LEN	74

/* Size of a line about ETS: three titles, two digits for each class, eight percentages. */
#define PARQ_ETS_TEXT_LEN	80

/**
 * struct parq_ets_hw - 802.1Qaz settings as the device takes them
 * @prio_tc: PARQ_ETS_PRIO_TC
 * @tsa: PARQ_ETS_TSA
 * @bw_lo: PARQ_ETS_BW_LO
 * @bw_hi: PARQ_ETS_BW_HI
 * @maxrate: PARQ_ETS_MAXRATE
 */
struct parq_ets_hw {
	u32 prio_tc;
	u32 tsa;
	u32 bw_lo;
	u32 bw_hi;
	u32 maxrate[PARQ_NUM_TC];
};

/**
 * struct parq_wire_use - use of a port's wire since reset
 * @before_ns: the device's clock just before the counters were read
 * @after_ns: the same just after that
 * @bits: all bits sent: preamble, FCS, padding and gap included
 * @prio: bits of @bits by priority
 * @paused_ns: time for which each priority was paused
 */
struct parq_wire_use {
	u64 before_ns;
	u64 after_ns;
	u64 bits;
	u64 prio[PARQ_NUM_PRIO];
	u64 paused_ns[PARQ_NUM_PRIO];
};

void parq_ets_default(struct ieee_ets *ets);
void parq_ets_text(const struct ieee_ets *ets, char text[PARQ_ETS_TEXT_LEN]);
int parq_ets_check(const struct ieee_ets *ets, char reason[PARQ_REASON_LEN]);
struct parq_ets_hw parq_ets_fit(const struct ieee_ets *ets);
int parq_ets_maxrate_check(unsigned int tc, u64 kbit, char reason[PARQ_REASON_LEN]);
int parq_ets_rate_check(const char *name, unsigned int tc, u64 rate,
			char reason[PARQ_REASON_LEN]);
u32 parq_ets_rate_fit(u64 rate);
u8 parq_ets_percent(u64 part, u64 sum);
bool parq_starved(const struct parq_ets_hw *ets, unsigned int chans,
		  unsigned int prio, u32 kbit, const struct parq_wire_use *from,
		  const struct parq_wire_use *to);

#endif /* _PARQ_ETS_CALC_H */
