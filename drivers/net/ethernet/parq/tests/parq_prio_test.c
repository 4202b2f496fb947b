// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of the mapping of frames to priorities: what reaches the device and what the sender
 * reads, and the priority of frames with each kind of header, in one piece or in several.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>

#include "../parq.h"
#include "../parq_io.h"

#define PCP		DCB_APP_SEL_PCP
#define DSCP		IEEE_8021QAZ_APP_SEL_DSCP
#define DFLT		5	/* the port's default */
#define FRAME_MAX	32

/**
 * struct mill - a port, and what the fake has seen
 * @port: port
 * @pd: device
 * @hw: values in the device
 * @was: values that it had, as it was told
 * @all: it was told that it has none
 * @told: number of times that it was told
 * @err: what it returns
 */
struct mill {
	struct parq_port *port;
	struct parq_dev pd;
	struct parq_trust_hw hw;
	struct parq_trust_hw was;
	bool all;
	unsigned int told;
	int err;
};

static struct mill *mill;

int parq_io_trust_set(struct parq_port *port, const struct parq_trust_hw *was,
		      const struct parq_trust_hw *hw)
{
	mill->told++;
	mill->all = !was;
	if (was)
		mill->was = *was;
	if (!mill->err)
		mill->hw = *hw;
	return mill->err;
}

/* Each code point and each PCP, from the highest priority down. */
static struct parq_trust mill_trust(void)
{
	struct parq_trust t = { .dflt = BIT(DFLT) };
	unsigned int i;

	for (i = 0; i < PARQ_NUM_DSCP; i++)
		t.dscp[i] = BIT(7 - i % 8);
	for (i = 0; i < PARQ_NUM_PCP; i++)
		t.pcp[i] = BIT(7 - i % 8) | BIT(i / 8);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		t.rewr_dscp[i] = BIT_ULL(i);
	return t;
}

static int mill_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct parq_port));
	static const struct net_device_ops no_ops;

	mill = kunit_kzalloc(test, sizeof(*mill), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, mill);
	mill->port = netdev_priv(dev);
	mill->port->netdev = dev;
	dev->netdev_ops = &no_ops;
	mill->port->pd = &mill->pd;
	rtnl_lock();
	parq_prio_init(mill->port);
	KUNIT_EXPECT_EQ(test, parq_prio_open(mill->port), 0);
	KUNIT_EXPECT_TRUE(test, mill->all);
	set_bit(PARQ_PORT_UP, &mill->port->flags);
	mill->told = 0;
	return 0;
}

static void mill_exit(struct kunit *test)
{
	rtnl_unlock();
	free_netdev(mill->port->netdev);
}

/* ---- settings ------------------------------------------------------------- */

static void settings_reach_the_device(struct kunit *test)
{
	const struct parq_trust none = {};
	struct parq_trust_hw plain = parq_trust_fit(&none), hw;
	struct parq_prio *prio = &mill->port->prio;
	struct parq_trust want = mill_trust();

	KUNIT_EXPECT_MEMEQ(test, &mill->hw, &plain, sizeof(plain));
	KUNIT_EXPECT_FALSE(test, mill->port->trusting);
	hw = parq_trust_fit(&want);
	KUNIT_EXPECT_EQ(test, parq_prio_set(mill->port, &want), 0);
	KUNIT_EXPECT_EQ(test, mill->told, 1U);
	KUNIT_EXPECT_FALSE(test, mill->all);
	KUNIT_EXPECT_MEMEQ(test, &mill->was, &plain, sizeof(plain));
	KUNIT_EXPECT_MEMEQ(test, &mill->hw, &hw, sizeof(hw));
	KUNIT_EXPECT_MEMEQ(test, &prio->hw, &hw, sizeof(hw));
	KUNIT_EXPECT_MEMEQ(test, &prio->want, &want, sizeof(want));
	KUNIT_EXPECT_TRUE(test, mill->port->trusting);
	/* Only the highest bit counts: the device need not be told. */
	want.dscp[0] |= BIT(0);
	KUNIT_EXPECT_EQ(test, parq_prio_set(mill->port, &want), 0);
	KUNIT_EXPECT_EQ(test, mill->told, 1U);
	KUNIT_EXPECT_MEMEQ(test, &prio->want, &want, sizeof(want));
	/* A port that comes up programs all. */
	mill->err = -EIO;
	KUNIT_EXPECT_EQ(test, parq_prio_open(mill->port), -EIO);
	mill->err = 0;
	memset(&mill->hw, 0, sizeof(mill->hw));
	KUNIT_EXPECT_EQ(test, parq_prio_open(mill->port), 0);
	KUNIT_EXPECT_MEMEQ(test, &mill->hw, &hw, sizeof(hw));
	KUNIT_EXPECT_TRUE(test, mill->all);
}

static void settings_are_refused(struct kunit *test)
{
	struct parq_prio was = mill->port->prio;
	struct parq_trust want = mill_trust();

	mill->err = -EIO;
	KUNIT_EXPECT_EQ(test, parq_prio_set(mill->port, &want), -EIO);
	KUNIT_EXPECT_EQ(test, mill->told, 1U);
	set_bit(PARQ_DEV_GONE, &mill->pd.flags);
	KUNIT_EXPECT_EQ(test, parq_prio_set(mill->port, &want), -ENODEV);
	KUNIT_EXPECT_EQ(test, mill->told, 1U);
	KUNIT_EXPECT_MEMEQ(test, &mill->port->prio, &was, sizeof(was));
	KUNIT_EXPECT_FALSE(test, mill->port->trusting);
}

static void port_is_down(struct kunit *test)
{
	const struct parq_trust none = {};
	struct parq_trust_hw plain = parq_trust_fit(&none), hw;
	struct parq_trust want = mill_trust();

	clear_bit(PARQ_PORT_UP, &mill->port->flags);
	hw = parq_trust_fit(&want);
	KUNIT_EXPECT_EQ(test, parq_prio_set(mill->port, &want), 0);
	KUNIT_EXPECT_MEMEQ(test, &mill->port->prio.hw, &hw, sizeof(hw));
	/* Its device may be gone. */
	set_bit(PARQ_DEV_GONE, &mill->pd.flags);
	parq_prio_reset(mill->port);
	KUNIT_EXPECT_MEMEQ(test, &mill->port->prio.hw, &plain, sizeof(plain));
	KUNIT_EXPECT_MEMEQ(test, &mill->port->prio.want, &none, sizeof(none));
	KUNIT_EXPECT_FALSE(test, mill->port->trusting);
	KUNIT_EXPECT_EQ(test, mill->told, 0U);
}

/* ---- frames --------------------------------------------------------------- */

#define NONE		-1

/* From the EtherType on. Bits beside PCP, DEI and DSCP are not 0. */
#define ARP		"\x08\x06\x45\x00"
#define V4		"\x08\x00\x45\xbb"	/* DSCP 0x2e */
#define V6		"\x86\xdd\x6b\xbf"
#define C_TAG		"\x81\x00\x60\x01"	/* PCP 3 */
#define C_TAG_DEI	"\x81\x00\x50\x01"	/* PCP 2 */
#define C_TAG_7		"\x81\x00\xe0\x01"
#define S_TAG		"\x88\xa8\xf0\x01"

/* Priorities are those of mill_trust(): 7 minus the lowest three bits. */
static const struct frame {
	const char *name;
	const char *bytes;
	unsigned int len;
	int pcp;	/* priority by PCP; NONE: there is none */
	int dscp;	/* by DSCP */
} frames[] = {
	{ "IPv4", V4, 16, NONE, 1 },
	{ "IPv4, lowest", "\x08\x00\x45\x03", 16, NONE, 7 },
	{ "IPv4, highest", "\x08\x00\x45\xff", 16, NONE, 0 },
	{ "IPv4, short", V4, 15, NONE, NONE },
	{ "IPv4, no header", V4, 14, NONE, NONE },
	{ "IPv6", V6, 16, NONE, 1 },
	{ "IPv6, highest", "\x86\xdd\x6f\xff", 16, NONE, 0 },
	{ "IPv6, short", V6, 15, NONE, NONE },
	{ "ARP", ARP, 16, NONE, NONE },
	{ "C-tag", C_TAG V4, 20, 4, 1 },
	{ "C-tag, DEI", C_TAG_DEI V6, 20, 5, 1 },
	{ "C-tag, ARP", "\x81\x00\x00\x01" ARP, 20, 7, NONE },
	{ "C-tag, short", C_TAG V4, 19, 4, NONE },
	{ "C-tag, no type", C_TAG V4, 17, NONE, NONE },
	{ "S-tag", S_TAG V4, 20, NONE, 1 },
	{ "S-tag, C-tag", S_TAG C_TAG_7 V4, 24, NONE, 1 },
	{ "S-tag, C-tag, short", S_TAG C_TAG_7 V4, 23, NONE, NONE },
	{ "S-tag, C-tag, no type", S_TAG C_TAG_7 V4, 21, NONE, NONE },
	{ "two S-tags", S_TAG S_TAG V4, 24, NONE, NONE },
	{ "two C-tags", C_TAG_7 C_TAG V4, 24, 0, NONE },
	{ "C-tag, S-tag", C_TAG_7 S_TAG V4, 24, 0, NONE },
};

static void frame_name(const struct frame *f, char *desc)
{
	strscpy(desc, f->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(frame, frames, frame_name);

/* Addresses are 0. */
static void frame_data(const char *bytes, unsigned int len, u8 data[FRAME_MAX])
{
	memset(data, 0, FRAME_MAX);
	memcpy(data + 2 * ETH_ALEN, bytes, len - 2 * ETH_ALEN);
}

/* A frame with its first @linear bytes in front of a page. */
static struct sk_buff *frame_skb(struct kunit *test, const u8 *data, unsigned int len,
				 unsigned int linear)
{
	struct sk_buff *skb = alloc_skb(FRAME_MAX, GFP_KERNEL);
	struct page *page = alloc_page(GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_ASSERT_NOT_NULL(test, page);
	skb_put_data(skb, data, linear);
	memcpy(page_address(page), data + linear, len - linear);
	skb_add_rx_frag(skb, 0, page, 0, len - linear, PAGE_SIZE);
	skb->protocol = ((const struct ethhdr *)data)->h_proto;
	return skb;
}

static void trust(struct kunit *test, const u8 *order, unsigned int num)
{
	struct parq_trust want = mill_trust();

	parq_trust_order(&want, order, num);
	KUNIT_EXPECT_EQ(test, parq_prio_set(mill->port, &want), 0);
}

/* Compares the priority that each way to read the frame finds. */
static void expect_prio(struct kunit *test, const struct frame *f, int prio)
{
	struct sk_buff *skb;
	u8 data[FRAME_MAX];
	unsigned int i;

	if (prio == NONE)
		prio = DFLT;
	frame_data(f->bytes, f->len, data);
	for (i = ETH_HLEN; i <= f->len; i++) {
		skb = frame_skb(test, data, f->len, i);
		KUNIT_EXPECT_EQ(test, parq_prio_tx(mill->port, skb), prio);
		kfree_skb(skb);
	}
	KUNIT_EXPECT_EQ(test, parq_prio_data(mill->port, data, f->len, 0), prio);
}

static void frames_have_priorities(struct kunit *test)
{
	static const u8 pcp_first[] = { PCP, DSCP }, dscp_first[] = { DSCP, PCP };
	const struct frame *f = test->param_value;

	trust(test, pcp_first, 1);
	expect_prio(test, f, f->pcp);
	trust(test, dscp_first, 1);
	expect_prio(test, f, f->dscp);
	trust(test, pcp_first, 2);
	expect_prio(test, f, f->pcp == NONE ? f->dscp : f->pcp);
	trust(test, dscp_first, 2);
	expect_prio(test, f, f->dscp == NONE ? f->pcp : f->dscp);
	trust(test, pcp_first, 0);
	expect_prio(test, f, NONE);
}

/* Each entry of the maps. */
static void maps(struct kunit *test)
{
	static const u8 order[] = { PCP, DSCP };
	u8 v4[FRAME_MAX], tag[FRAME_MAX];
	struct parq_trust want = {};
	unsigned int i;

	frame_data(V4, 16, v4);
	frame_data(C_TAG V4, 20, tag);
	parq_trust_order(&want, order, 2);
	for (i = 0; i < PARQ_NUM_DSCP; i++)
		want.dscp[i] = BIT((i / 8 + i) % 8);
	want.dscp[9] = 0;
	for (i = 0; i < PARQ_NUM_PCP; i++)
		want.pcp[i] = BIT((i / 8 + i) % 8);
	want.dflt = BIT(DFLT);
	KUNIT_EXPECT_EQ(test, parq_prio_set(mill->port, &want), 0);
	for (i = 0; i < PARQ_NUM_DSCP; i++) {
		v4[15] = i << 2;
		KUNIT_EXPECT_EQ_MSG(test, parq_prio_data(mill->port, v4, 16, 0),
				    i == 9 ? DFLT : (i / 8 + i) % 8, "DSCP %u", i);
	}
	for (i = 0; i < PARQ_NUM_PCP; i++) {
		tag[14] = (i % 8) << 5 | (i / 8) << 4;
		KUNIT_EXPECT_EQ_MSG(test, parq_prio_data(mill->port, tag, 20, 0),
				    (i / 8 + i) % 8, "PCP %u", i);
	}
}

/* A tag beside the frame comes before the one in it, if it is a C-tag. */
static void tag_beside_the_frame(struct kunit *test)
{
	static const u8 order[] = { PCP };
	struct sk_buff *skb;
	u8 data[FRAME_MAX];

	frame_data(C_TAG_7 V4, 20, data);
	skb = frame_skb(test, data, 20, 20);
	trust(test, order, 1);
	KUNIT_EXPECT_EQ(test, parq_prio_tx(mill->port, skb), 0U);
	__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021Q), 2 << VLAN_PRIO_SHIFT | 1);
	KUNIT_EXPECT_EQ(test, parq_prio_tx(mill->port, skb), 5U);
	__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021AD), 2 << VLAN_PRIO_SHIFT | 1);
	KUNIT_EXPECT_EQ(test, parq_prio_tx(mill->port, skb), (unsigned int)DFLT);
	kfree_skb(skb);
}

/* A frame that no selector matches has its socket's priority, if that is one of a frame. */
static void priority_of_the_socket(struct kunit *test)
{
	static const struct { u32 socket; unsigned int prio; } sockets[] = {
		{ 0, DFLT }, { 1, 1 }, { 7, 7 }, { 8, DFLT }, { U32_MAX, DFLT },
	};
	static const u8 order[] = { DSCP };
	u8 arp[FRAME_MAX], v4[FRAME_MAX];
	struct sk_buff *skb;
	unsigned int i;

	frame_data(ARP, 16, arp);
	frame_data(V4, 16, v4);
	trust(test, order, 1);
	for (i = 0; i < ARRAY_SIZE(sockets); i++) {
		skb = frame_skb(test, arp, 16, 16);
		skb->priority = sockets[i].socket;
		KUNIT_EXPECT_EQ(test, parq_prio_tx(mill->port, skb), sockets[i].prio);
		KUNIT_EXPECT_EQ(test, parq_prio_data(mill->port, arp, 16,
						     sockets[i].socket), sockets[i].prio);
		KUNIT_EXPECT_EQ(test, parq_prio_data(mill->port, v4, 16,
						     sockets[i].socket), 1U);
		kfree_skb(skb);
	}
}

static struct kunit_case mill_cases[] = {
	KUNIT_CASE(settings_reach_the_device),
	KUNIT_CASE(settings_are_refused),
	KUNIT_CASE(port_is_down),
	KUNIT_CASE_PARAM(frames_have_priorities, frame_gen_params),
	KUNIT_CASE(maps),
	KUNIT_CASE(tag_beside_the_frame),
	KUNIT_CASE(priority_of_the_socket),
	{}
};

static struct kunit_suite mill_suite = {
	.name = "parq_prio",
	.init = mill_init,
	.exit = mill_exit,
	.test_cases = mill_cases,
};

kunit_test_suite(mill_suite);
