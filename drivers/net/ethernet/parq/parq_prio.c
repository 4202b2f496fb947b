// SPDX-License-Identifier: GPL-2.0
/*
 * Priority of a frame. The device decides for received frames, this file for frames to be
 * sent, both by the same settings.
 */
#include <linux/bitfield.h>
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>

#include "parq.h"
#include "parq_io.h"

#define PRIO_NONE	PARQ_DSCP_PRIO_NONE

/* ---- Settings ------------------------------------------------------------ */

/*
 * @hw is parq_trust_fit() of @want. The sender may read it at any time. It sees the old or the
 * new value of each word.
 */
static void parq_prio_publish(struct parq_port *port, const struct parq_trust *want,
			      const struct parq_trust_hw *hw)
{
	struct parq_trust_hw *pub = &port->prio.hw;
	unsigned int i;

	port->prio.want = *want;
	for (i = 0; i < ARRAY_SIZE(hw->pcp); i++)
		WRITE_ONCE(pub->pcp[i], hw->pcp[i]);
	for (i = 0; i < ARRAY_SIZE(hw->dscp); i++)
		WRITE_ONCE(pub->dscp[i], hw->dscp[i]);
	memcpy(pub->rewr, hw->rewr, sizeof(pub->rewr));
	WRITE_ONCE(pub->trust, hw->trust);
	WRITE_ONCE(port->trusting, !parq_trust_plain(hw));
}

/**
 * parq_prio_set() - change the mapping of frames to priorities
 * @port: port, up or down
 * @want: settings, checked by the caller
 *
 * The device is accessed only if one of its values changes. Frames of a flow that gets
 * another priority may overtake earlier ones. Other flows are not affected.
 *
 * Context: rtnl and ops lock.
 * Return: 0, or an error and nothing has changed: -EIO (the device refused),
 * -ENODEV (it is gone).
 */
int parq_prio_set(struct parq_port *port, const struct parq_trust *want)
{
	struct parq_trust_hw hw = parq_trust_fit(want);
	struct parq_prio *prio = &port->prio;
	int err = 0;

	ASSERT_RTNL();
	netdev_assert_locked_ops_compat(port->netdev);

	if (parq_dev_gone(port->pd))
		return -ENODEV;
	if (parq_port_is_up(port) && memcmp(&hw, &prio->hw, sizeof(hw)))
		err = parq_io_trust_set(port, &prio->hw, &hw);
	if (err)
		return err;
	parq_prio_publish(port, want, &hw);
	return 0;
}

/**
 * parq_prio_reset() - back to the default settings
 * @port: port that is down, whose device may be gone
 *
 * Context: rtnl, which keeps the port down.
 */
void parq_prio_reset(struct parq_port *port)
{
	const struct parq_trust none = {};
	struct parq_trust_hw hw = parq_trust_fit(&none);

	ASSERT_RTNL();

	parq_prio_publish(port, &none, &hw);
}

/**
 * parq_prio_init() - default settings: PCP is trusted, the default priority is 0
 * @port: port
 */
void parq_prio_init(struct parq_port *port)
{
	port->prio.hw = parq_trust_fit(&port->prio.want);
}

/**
 * parq_prio_open() - program the settings after a reset
 * @port: port that is about to come up
 *
 * Context: ops lock.
 * Return: 0, -EIO (the device refused), -ENODEV (it is gone).
 */
int parq_prio_open(struct parq_port *port)
{
	return parq_io_trust_set(port, NULL, &port->prio.hw);
}

/* ---- The sender ---------------------------------------------------------- */

/* Entry @i of a map with four bits per entry. */
static u32 parq_prio_map(const u32 *map, unsigned int i)
{
	return READ_ONCE(map[i / 8]) >> (4 * (i % 8)) & 0xf;
}

/**
 * struct parq_prio_frame - a frame whose priority is to be found
 * @skb: the frame, NULL for one of XDP
 * @data: its first bytes
 * @len: number of them; @skb has the others
 * @type: EtherType
 */
struct parq_prio_frame {
	const struct sk_buff *skb;
	const void *data;
	int len;
	__be16 type;
};

static const void *parq_prio_header(const struct parq_prio_frame *f, int off,
				    int len, void *buf)
{
	return __skb_header_pointer(f->skb, off, len, f->data, f->len, buf);
}

static bool parq_prio_tci(const struct parq_prio_frame *f, u16 *tci)
{
	const struct sk_buff *skb = f->skb;
	const struct vlan_hdr *tag;
	struct vlan_hdr buf;

	if (skb && skb_vlan_tag_present(skb)) {
		*tci = skb_vlan_tag_get(skb);
		return skb->vlan_proto == htons(ETH_P_8021Q);
	}
	if (f->type != htons(ETH_P_8021Q))
		return false;
	tag = parq_prio_header(f, ETH_HLEN, sizeof(buf), &buf);
	if (!tag)
		return false;
	*tci = ntohs(tag->h_vlan_TCI);
	return true;
}

/* Finds the DSCP behind at most one S-tag and one C-tag, as the device does. */
static int parq_prio_dscp(const struct parq_prio_frame *f)
{
	static const __be16 tags[] = { htons(ETH_P_8021AD), htons(ETH_P_8021Q) };
	__be16 type = f->type, buf;
	const __be16 *word;
	int off = ETH_HLEN;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		if (type != tags[i])
			continue;
		word = parq_prio_header(f, off + VLAN_HLEN - sizeof(buf),
					sizeof(buf), &buf);
		if (!word)
			return -1;
		type = *word;
		off += VLAN_HLEN;
	}
	if (type != htons(ETH_P_IP) && type != htons(ETH_P_IPV6))
		return -1;
	word = parq_prio_header(f, off, sizeof(buf), &buf);
	if (!word)
		return -1;
	return type == htons(ETH_P_IP) ? ntohs(*word) >> 2 & 0x3f :
					 ntohs(*word) >> 6 & 0x3f;
}

static u32 parq_prio_by(const struct parq_trust_hw *hw,
			const struct parq_prio_frame *f, u32 sel)
{
	int dscp;
	u16 tci;

	switch (sel) {
	case PARQ_TRUST_PCP:
		if (!parq_prio_tci(f, &tci))
			return PRIO_NONE;
		return parq_prio_map(hw->pcp, (tci & VLAN_CFI_MASK ? 8 : 0) |
					      tci >> VLAN_PRIO_SHIFT);
	case PARQ_TRUST_DSCP:
		dscp = parq_prio_dscp(f);
		return dscp < 0 ? PRIO_NONE : parq_prio_map(hw->dscp, dscp);
	default:
		return PRIO_NONE;
	}
}

/* Return: @dflt or, if that is 0, the port's default, for a frame that no selector matches. */
static unsigned int parq_prio_find(const struct parq_port *port,
				   const struct parq_prio_frame *f, u32 dflt)
{
	const struct parq_trust_hw *hw = &port->prio.hw;
	u32 trust = READ_ONCE(hw->trust), prio;

	prio = parq_prio_by(hw, f, FIELD_GET(PARQ_TRUST_FIRST, trust));
	if (prio == PRIO_NONE)
		prio = parq_prio_by(hw, f,
				    FIELD_GET(PARQ_TRUST_SECOND, trust));
	if (prio != PRIO_NONE)
		return prio;
	if (dflt && dflt < PARQ_NUM_PRIO)
		return dflt;
	return FIELD_GET(PARQ_TRUST_DEFAULT, trust);
}

/**
 * parq_prio_tx() - priority of a frame to be sent
 * @port: port for which @trusting is set
 * @skb: frame, from its Ethernet header on
 *
 * The result is the priority with which the device would receive the frame. If no selector
 * matches, it is that of the socket, or if that is 0, the default.
 *
 * Context: ndo_start_xmit or ndo_select_queue.
 * Return: 0 to 7.
 */
unsigned int parq_prio_tx(const struct parq_port *port,
			  const struct sk_buff *skb)
{
	const struct parq_prio_frame f = {
		.skb = skb,
		.data = skb->data,
		.len = skb_headlen(skb),
		.type = skb->protocol,
	};

	return parq_prio_find(port, &f, skb->priority);
}

/**
 * parq_prio_data() - priority of a frame that is no skb, by trusted selectors
 * @port: port that trusts other selectors than the tag
 * @data: linear part of the frame
 * @len: bytes of it, at least ETH_HLEN
 * @dflt: priority of a frame that says nothing about it
 *
 * As for a frame of the stack whose socket has the priority @dflt.
 *
 * Return: 0 to 7.
 */
unsigned int parq_prio_data(const struct parq_port *port, const void *data,
			    unsigned int len, unsigned int dflt)
{
	const struct ethhdr *eth = data;
	const struct parq_prio_frame f = {
		.data = data,
		.len = len,
		.type = eth->h_proto,
	};

	return parq_prio_find(port, &f, dflt);
}
