/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_ETS_CALC_H
#define _PARQ_ETS_CALC_H

#include <linux/dcbnl.h>
#include <linux/parq_hw.h>

/* Smallest park queue, log2 of entries: PARQ_PARK_CTRL_SIZE. */
#define PARQ_PARK_MIN_ORDER	6

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

void parq_ets_default(struct ieee_ets *ets);
void parq_ets_text(const struct ieee_ets *ets, char text[PARQ_ETS_TEXT_LEN]);
int parq_ets_check(const struct ieee_ets *ets, char reason[PARQ_REASON_LEN]);
struct parq_ets_hw parq_ets_fit(const struct ieee_ets *ets);
int parq_ets_maxrate_check(unsigned int tc, u64 kbit, char reason[PARQ_REASON_LEN]);
int parq_ets_rate_check(const char *name, unsigned int tc, u64 rate,
			char reason[PARQ_REASON_LEN]);
u32 parq_ets_rate_fit(u64 rate);
u8 parq_ets_percent(u64 part, u64 sum);
int parq_dcb_pfc_check(const struct ieee_pfc *pfc, char reason[PARQ_REASON_LEN]);
unsigned int parq_dcb_park_order(unsigned int tx_entries,
				 unsigned int pipe_depth,
				 unsigned int max_order);

#endif /* _PARQ_ETS_CALC_H */
