/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What waits to leave by the ports of a switch: an account of copies of transit frames, and its
 * limits. Bytes are those that leave, without FCS.
 */
#ifndef _PARQSIM_EGRESS_H
#define _PARQSIM_EGRESS_H

#include <linux/parq_hw_switch.h>

struct qman;

/**
 * struct egress - one port
 * @queued: bytes of copies that have not left, by priority
 * @waits: their sum
 * @most: highest value of @waits since the last write of PARQ_SW_EGR_PORT_HIGH
 * @limited: BIT(traffic class) with a limit
 * @limit: PARQ_SW_EGR_LIMIT, by traffic class
 * @high: highest number of bytes that waited in each since the last write of PARQ_SW_EGR_HIGH
 */
struct egress {
	u32 queued[PARQ_NUM_PRIO];
	u32 waits;
	u32 most;
	u8 limited;
	u32 limit[PARQ_NUM_TC];
	u32 high[PARQ_NUM_TC];
};

void egress_reset(struct egress *e);
void egress_limit(struct egress *e, u32 tc, u32 bytes);
u32 egress_waiting(const struct egress *e, const struct qman *qm, u32 port, u32 tc);
u32 egress_high(struct egress *e, const struct qman *qm, u32 port, u32 tc);
void egress_regroup(struct egress *e, const struct qman *qm, u32 port);
bool egress_takes(const struct egress *e, const struct qman *qm, u32 port, u32 prio, u32 len);
void egress_add(struct egress *e, const struct qman *qm, u32 port, u32 prio, u32 len);
void egress_leave(struct egress *e, u32 prio, u32 len);

#endif /* _PARQSIM_EGRESS_H */
