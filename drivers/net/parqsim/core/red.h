/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random early detection (RED), with ECN (RFC 3168): which copies of transit frames are marked or
 * dropped when they come to their traffic class.
 */
#ifndef _PARQSIM_RED_H
#define _PARQSIM_RED_H

#include <linux/parq_hw_switch.h>

/* What becomes of a copy. */
enum red_fate {
	RED_PASS,
	RED_MARK,
	RED_DROP,
};

/**
 * struct red_class - a traffic class of a port
 * @ctrl: PARQ_SW_RED_CTRL
 * @min: PARQ_SW_RED_MIN
 * @max: PARQ_SW_RED_MAX
 * @prob: PARQ_SW_RED_PROB
 * @marked: PARQ_SW_RED_MARKED
 * @dropped: PARQ_SW_RED_DROPPED
 */
struct red_class {
	u32 ctrl;
	u32 min;
	u32 max;
	u32 prob;
	u64 marked;
	u64 dropped;
};

struct red_port {
	struct red_class tc[PARQ_NUM_TC];
};

/**
 * struct red - all classes
 * @port: by port
 * @random: state of the generator
 */
struct red {
	struct red_port *port;
	u64 random;
};

void red_reset(struct red *r, u32 ports, u64 seed);
enum red_fate red_judge(struct red *r, struct red_class *c, u64 waiting, const u8 *data, u32 len,
			bool keep);

#endif /* _PARQSIM_RED_H */
