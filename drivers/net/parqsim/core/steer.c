// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <string.h>

#include "frame.h"
#include "offload.h"
#include "rxbuf.h"
#include "steer.h"

static u32 pick_queue(const struct steer_port *p, const struct offload_rx *rx)
{
	if (!(p->rss_ctrl & PARQ_RSS_CTRL_EN) || !rx->hash_type)
		return 0;
	return p->indir[rx->hash % PARQ_RSS_INDIR_LEN];
}

/**
 * steer_receive() - a frame for the host
 * @s: the stage
 * @port: where it came in
 * @ctrl: PARQ_PORT_CTRL
 * @data: the frame
 * @len: its bytes without FCS, at most PARQSIM_FRAME_MAX
 * @fcs_ok: its FCS was right; else nothing in it is trusted
 */
void steer_receive(struct steer *s, u32 port, u32 ctrl, const u8 *data, u32 len,
		   bool fcs_ok)
{
	struct rx_frame f = { .data = data, .len = len, .wire = len + FCS_LEN };
	const struct steer_port *p = &s->port[port];
	struct offload_rx rx = { .tagged = false };
	u32 flags = PARQ_RX_EOP;

	if (!(ctrl & PARQ_PORT_CTRL_EN)) {
		stat_add(&s->stats[port].rx_drop_disabled, 1);
		return;
	}
	if (fcs_ok)
		offload_parse(data, len, p->rss_ctrl, p->rss_key, &rx);
	else
		flags |= PARQ_RX_FCS_ERR;
	if (ctrl & PARQ_PORT_CTRL_RX_CSUM)
		flags |= rx.csum;
	if (rx.tagged && (ctrl & PARQ_PORT_CTRL_VLAN_STRIP)) {
		memcpy(s->frame, data, len);
		f.len = offload_vlan_strip(s->frame, len);
		f.data = s->frame;
		flags |= PARQ_RX_VLAN;
	}
	flags |= rx.hash_type | FIELD_PREP(PARQ_RX_PRIO, rx.prio);
	f.prio = rx.prio;
	f.queue = pick_queue(p, &rx);
	f.comp = (struct parq_rx_comp){
		.hash = cpu_to_le32(rx.hash),
		.tci = cpu_to_le16(rx.tci),
		.flags = cpu_to_le32(flags),
		.time = cpu_to_le32(s->clock->now / PARQSIM_PS_PER_NS),
	};
	rxbuf_in(s->rxbuf, port, &f);
}

void steer_reset(struct steer *s)
{
	memset(s->port, 0, sizeof(s->port));
}
