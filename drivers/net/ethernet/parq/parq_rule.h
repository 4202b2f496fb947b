/* SPDX-License-Identifier: GPL-2.0 */
/* Rules that select the RX queues of frames. */
#ifndef _PARQ_RULE_H
#define _PARQ_RULE_H

#include <linux/ethtool.h>
#include <linux/parq_hw.h>

#include "parq_log.h"

/**
 * struct parq_match - what a rule compares, as the device has it
 * @key: values, 0 where @mask is
 * @mask: bits that are compared
 */
struct parq_match {
	u32 key[PARQ_RULE_WORDS];
	u32 mask[PARQ_RULE_WORDS];
};

/**
 * struct parq_rule - a rule; under the ops lock
 * @fs: as the user set it
 * @ctx: RSS context, if @fs has FLOW_RSS
 * @match: which frames
 * @action: PARQ_RULE_ACTION
 */
struct parq_rule {
	struct ethtool_rx_flow_spec fs;
	u32 ctx;
	struct parq_match match;
	u32 action;
};

int parq_rule_match(const struct ethtool_rx_flow_spec *fs, struct parq_match *m,
		    char reason[PARQ_REASON_LEN]);

#endif /* _PARQ_RULE_H */
