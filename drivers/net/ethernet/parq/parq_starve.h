/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_STARVE_H
#define _PARQ_STARVE_H

#include <linux/types.h>
#include <linux/parq_hw.h>

struct parq_ets_hw;

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

/**
 * struct parq_tx_watch - what the service work knows of a TX queue; under rtnl
 * @pos: completed position at the last look
 * @waits: it has had frames and completed none, since @since
 * @starved_at: when it was last seen starved, jiffies; when it began to wait, if never
 * @since: when it was first seen waiting
 */
struct parq_tx_watch {
	u32 pos;
	bool waits;
	unsigned long starved_at;
	struct parq_wire_use since;
};

bool parq_starved(const struct parq_ets_hw *ets, unsigned int chans,
		  unsigned int prio, u32 kbit, const struct parq_wire_use *from,
		  const struct parq_wire_use *to);

#endif /* _PARQ_STARVE_H */
