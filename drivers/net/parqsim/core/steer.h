/* SPDX-License-Identifier: GPL-2.0 */
/*
 * First step of reception: derives priority, RSS hash, VLAN tag and checksum verdict from
 * the headers.
 */
#ifndef _PARQSIM_STEER_H
#define _PARQSIM_STEER_H

#include "bus.h"
#include "clock.h"
#include "offload_rx.h"
#include "rule.h"

struct rx_frame;
struct rxbuf;

/**
 * struct steer_port - one port
 * @trust: PARQ_TRUST
 * @pcp: PARQ_PCP_PRIO
 * @dscp: PARQ_DSCP_PRIO
 * @rss: PARQ_RSS_CTRL, PARQ_RSS_KEY and PARQ_RSS_FIELDS of all contexts, the port's own first
 * @rules: PARQ_RULE_SET
 */
struct steer_port {
	u32 trust;
	u32 pcp[2];
	u32 dscp[PARQ_NUM_DSCP / 8];
	struct offload_rss rss[1 + PARQ_NUM_RSS_CTX];
	struct rules rules;
};

struct steer {
	const struct clock *clock;
	const struct ptp *ptp;
	struct parq_stats *stats;
	struct rxbuf *rxbuf;
	u8 ports;
	struct steer_port *port;
	u8 frame[PARQSIM_FRAME_MAX];	/* a frame without its tag */
};

void steer_reset(struct steer *s);
void steer_receive(struct steer *s, u32 port, u32 ctrl, const u8 *data, u32 len,
		   bool fcs_ok);
void steer_forwarded(struct steer *s, u32 port, u32 ctrl, const u8 *data, u32 len);
u32 steer_prio(const struct steer *s, u32 port, const u8 *data, u32 len);
void steer_segment(const struct steer *s, u32 port, u32 ctrl, const u8 *hdr, u32 len,
		   struct rx_frame *f);
void steer_merged(const struct steer *s, u32 port, const u8 *hdr, u32 len, u32 frames, u32 bytes);
u16 steer_slot(const struct steer *s, u32 port, const u8 *data, u32 len,
	       const struct parq_rx_comp *comp);

static inline bool steer_has_rules(const struct steer *s, u32 port)
{
	return s->port[port].rules.used;
}

#endif /* _PARQSIM_STEER_H */
