// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <linux/compiler.h>
#include <linux/string.h>

#include "frame.h"
#include "offload.h"
#include "ptp.h"
#include "rxbuf.h"
#include "steer.h"

#define PRIO_NONE	PARQ_DSCP_PRIO_NONE

/* Entry @i of a map with 4 bits per entry. */
static u32 map_at(const u32 *map, u32 i)
{
	return map[i / 8] >> (4 * (i % 8)) & 0xf;
}

static u32 prio_of(const struct steer_port *p, const struct offload_rx *rx,
		   enum parq_trust_sel sel)
{
	if (sel == PARQ_TRUST_PCP && rx->tagged)
		return map_at(&p->pcp[!!(rx->tci & TCI_DEI)],
			      FIELD_GET(TCI_PCP, rx->tci));
	if (sel == PARQ_TRUST_DSCP && rx->ip)
		return map_at(p->dscp, rx->dscp);
	return PRIO_NONE;
}

static __always_inline u32 pick_prio(const struct steer_port *p, const struct offload_rx *rx)
{
	u32 prio = prio_of(p, rx, FIELD_GET(PARQ_TRUST_FIRST, p->trust));

	if (prio == PRIO_NONE)
		prio = prio_of(p, rx, FIELD_GET(PARQ_TRUST_SECOND, p->trust));
	if (prio == PRIO_NONE)
		prio = FIELD_GET(PARQ_TRUST_DEFAULT, p->trust);
	return prio;
}

static void add_stamp(const struct ptp *ptp, struct parq_rx_comp *comp)
{
	comp->flags |= cpu_to_le32(PARQ_RX_STAMP |
				   FIELD_PREP(PARQ_RX_STEPS, ptp->steps % 4) |
				   FIELD_PREP(PARQ_RX_STAMP_HI, ptp->arrival >> 32 & 0xffff));
	comp->time = cpu_to_le32(ptp->arrival);
}

static u16 slot_of(const struct offload_rx *rx)
{
	return rx->hash_type ? rx->hash % PARQ_RSS_INDIR_LEN : RXQ_QUEUE(0);
}

/*
 * The slot of a frame if there are rules. @rx: its headers and the port's hash, which the hash of a
 * context replaces. @stripped: the C-tag is not in @data any more. @frames: 1 if it has not been
 * counted, else 0
 */
static noinline u16 slot_by_rule(struct steer_port *p, const u8 *data, u32 len, bool stripped,
				 u32 frames, struct offload_rx *rx)
{
	u32 key[PARQ_RULE_WORDS], ctx;
	const struct rule *rule;

	rule_key(data, len, key);
	if (stripped)
		rule_key_tag(key, rx->tci);
	rule = rule_find(&p->rules, key);
	rule_count(&p->rules, rule, frames, frames * len);
	if (!rule || rule->slot == RXQ_CTX(0))
		return slot_of(rx);
	if (rule->slot & RXQ_DIRECT)
		return rule->slot;
	ctx = rule->slot / PARQ_RSS_INDIR_LEN;
	offload_hash(data, len, &p->rss[ctx], rx);
	return rule->slot + rx->hash % PARQ_RSS_INDIR_LEN;
}

/*
 * Sets all of @f but the frame itself. Inline: each frame goes through it. @frames: as
 * slot_by_rule()
 */
static __always_inline void classify(const struct steer *s, u32 port, u32 ctrl, const u8 *data,
				     u32 len, struct offload_rx *rx, u32 flags, u32 frames,
				     struct rx_frame *f)
{
	struct steer_port *p = &s->port[port];

	f->prio = pick_prio(p, rx);
	f->slot = slot_of(rx);
	if (p->rules.used && !(flags & PARQ_RX_FCS_ERR))
		f->slot = slot_by_rule(p, data, len, false, frames, rx);
	flags |= FIELD_PREP(PARQ_RX_PRIO, f->prio);
	if (ctrl & PARQ_PORT_CTRL_RX_CSUM)
		flags |= rx->csum;
	if (ctrl & PARQ_PORT_CTRL_RX_HASH)
		flags |= rx->hash_type;
	if (rx->tagged && (ctrl & PARQ_PORT_CTRL_VLAN_STRIP))
		flags |= PARQ_RX_VLAN;
	f->comp = (struct parq_rx_comp){
		.hash = cpu_to_le32(ctrl & PARQ_PORT_CTRL_RX_HASH ? rx->hash : 0),
		.tci = cpu_to_le16(rx->tci),
		.flags = cpu_to_le32(flags),
		.time = cpu_to_le32(s->clock->now / PARQSIM_PS_PER_NS),
	};
	if (ctrl & PARQ_PORT_CTRL_RX_STAMP)
		add_stamp(s->ptp, &f->comp);
}

/* @flags: PARQ_RX_* of the completion that the headers do not decide. Inline, as classify(). */
static __always_inline void to_host(struct steer *s, u32 port, u32 ctrl, const u8 *data, u32 len,
				    u32 flags)
{
	struct rx_frame f = {
		.data = data,
		.len = len,
		.wire = len + FCS_LEN,
		.segs = 1,
		.bytes = len,
		.lossy = flags & PARQ_RX_FORWARDED,
	};
	struct offload_rx rx = { .tagged = false };

	if (!(ctrl & PARQ_PORT_CTRL_EN)) {
		stat_add(&s->stats[port].rx_drop_disabled, 1);
		return;
	}
	if (!(flags & PARQ_RX_FCS_ERR))
		offload_parse(data, len, s->port[port].rss, &rx);
	if (rx.tagged && (ctrl & PARQ_PORT_CTRL_VLAN_STRIP)) {
		memcpy(s->frame, data, len);
		f.len = offload_vlan_strip(s->frame, len);
		f.data = s->frame;
	}
	if (ctrl & PARQ_PORT_CTRL_RX_UNPAD)
		f.len -= rx.padding;
	classify(s, port, ctrl, data, len, &rx, flags, 1, &f);
	if (f.slot == RXQ_DROP)
		stat_add(&s->stats[port].rx_filtered, 1);
	else
		rxbuf_in(s->rxbuf, port, &f);
}

/**
 * steer_receive() - classify a frame for the host
 * @s: the stage
 * @port: receiving port
 * @ctrl: PARQ_PORT_CTRL
 * @data: the frame
 * @len: bytes without FCS, at most PARQSIM_FRAME_MAX
 * @fcs_ok: the FCS was right; otherwise no header is evaluated
 */
void steer_receive(struct steer *s, u32 port, u32 ctrl, const u8 *data, u32 len,
		   bool fcs_ok)
{
	to_host(s, port, ctrl, data, len, PARQ_RX_EOP | (fcs_ok ? 0 : PARQ_RX_FCS_ERR));
}

/*
 * The same for a copy of a frame that other ports of the domain have. Such a copy never waits for
 * RX buffers: a host that takes nothing pauses nobody who sends to others.
 */
void steer_forwarded(struct steer *s, u32 port, u32 ctrl, const u8 *data, u32 len)
{
	to_host(s, port, ctrl, data, len, PARQ_RX_EOP | PARQ_RX_FORWARDED);
}

/* The priority that steer_receive() gives to a frame. */
u32 steer_prio(const struct steer *s, u32 port, const u8 *data, u32 len)
{
	struct offload_rx rx;

	offload_parse_prio(data, len, &rx);
	return pick_prio(&s->port[port], &rx);
}

/**
 * steer_segment() - classify a segment whose checksums are right, without counting it
 * @s: the stage
 * @port: receiving port
 * @ctrl: PARQ_PORT_CTRL
 * @hdr: its headers
 * @len: bytes without FCS
 * @f: out: all but the frame itself
 */
void steer_segment(const struct steer *s, u32 port, u32 ctrl, const u8 *hdr, u32 len,
		   struct rx_frame *f)
{
	struct offload_rx rx;

	offload_classify(hdr, len, s->port[port].rss, &rx);
	classify(s, port, ctrl, hdr, len, &rx, PARQ_RX_EOP, 0, f);
	f->wire = len + FCS_LEN;
	f->lossy = false;
}

/**
 * steer_merged() - count the segments of a frame, which steer_segment() has not
 * @s: the stage
 * @port: receiving port
 * @hdr: headers of the frame
 * @len: its bytes without FCS
 * @frames: segments
 * @bytes: of all of them
 */
void steer_merged(const struct steer *s, u32 port, const u8 *hdr, u32 len, u32 frames, u32 bytes)
{
	struct rules *rules = &s->port[port].rules;
	u32 key[PARQ_RULE_WORDS];

	rule_key(hdr, len, key);
	rule_count(rules, rule_find(rules, key), frames, bytes);
}

/**
 * steer_slot() - classify a frame that has waited, with the settings of now
 * @s: the stage
 * @port: receiving port
 * @data: the frame, without a stripped tag
 * @len: its bytes
 * @comp: its completion, which does not change
 *
 * Return: entry of a table, RXQ_QUEUE() or RXQ_DROP.
 */
u16 steer_slot(const struct steer *s, u32 port, const u8 *data, u32 len,
	       const struct parq_rx_comp *comp)
{
	struct steer_port *p = &s->port[port];
	u32 flags = le32_to_cpu(comp->flags);
	struct offload_rx rx;

	if (flags & PARQ_RX_FCS_ERR)
		return RXQ_QUEUE(0);
	offload_classify(data, len, p->rss, &rx);
	rx.tci = le16_to_cpu(comp->tci);
	return p->rules.used ? slot_by_rule(p, data, len, flags & PARQ_RX_VLAN, 0, &rx) :
			       slot_of(&rx);
}

void steer_reset(struct steer *s)
{
	u32 port, i;

	for (port = 0; port < s->ports; port++) {
		struct steer_port *p = &s->port[port];

		*p = (struct steer_port){ .trust = 0 };
		p->trust = FIELD_PREP(PARQ_TRUST_FIRST, PARQ_TRUST_PCP);
		for (i = 0; i < 2; i++)
			p->pcp[i] = 0x76543210;
		for (i = 0; i < PARQ_NUM_DSCP / 8; i++)
			p->dscp[i] = 0x88888888;
	}
}
