// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of ethtool: rings, channels, interrupt moderation, flags, reset; and of counters,
 * each with its name.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>

#include "../parq_chan.h"
#include "../parq_ethtool.h"
#include "../parq_io.h"
#include "../parq_log.h"
#include "../parq_pause.h"
#include "../parq_port.h"
#include "../parq_rule.h"
#include "../parq_stats.h"
#include "../parq_switch.h"
#include "parq_call_log.h"
#include "parq_ethtool_calls.h"

#define DESK_ORDER	10	/* log2 of the largest ring */
#define DESK_ITR_MAX	(PARQ_VEC_ITR_MAX_NS / 1000U)

/**
 * struct desk - a port, and what the fakes do and have seen
 * @port: port
 * @pd: device
 * @hw: counters of the device, each of another value
 * @log: calls of the fakes
 * @shared: RX and TX queues share vectors
 * @used: TX queue that a socket uses, or -1
 * @tx: size of TX rings
 * @rx: size of RX rings
 * @limit_ms: limit of storms
 * @forward: frames of a storm are sent
 */
struct desk {
	struct parq_port *port;
	struct parq_dev pd;
	struct parq_stats hw;
	struct parq_call_log log;
	bool shared;
	int used;
	u32 tx;
	u32 rx;
	u16 limit_ms;
	bool forward;
};

static struct desk *desk;

/* ---- fakes -------------------------------------------------------------- */

static int desk_call(const char *name)
{
	return parq_call_log_add(&desk->log, ",", name);
}

struct xsk_buff_pool *desk_pool(unsigned int queue)
{
	return queue == desk->used ? (struct xsk_buff_pool *)desk : NULL;
}

int parq_reconf_rings(struct parq_port *port, u32 tx, u32 rx, struct netlink_ext_ack *extack)
{
	desk->tx = tx;
	desk->rx = rx;
	return desk_call("rings");
}

int parq_reconf_chans(struct parq_port *port, unsigned int num)
{
	return desk_call("chans");
}

int parq_ets_queues_check(const struct parq_port *port, unsigned int queues,
			  char reason[PARQ_REASON_LEN])
{
	return desk_call("ets");
}

int parq_ethtool_rule_channels(struct parq_port *port, unsigned int num)
{
	return desk_call("rule");
}

int parq_flower_channels(struct parq_port *port, unsigned int num)
{
	return desk_call("flower");
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	desk_call("refuse");
	return err;
}

bool parq_chans_share(const struct parq_port *port)
{
	return desk->shared;
}

void parq_chans_itr(struct parq_port *port)
{
	desk_call("itr");
}

int parq_storm_set(struct parq_port *port, u16 limit_ms, bool forward)
{
	int err = desk_call("storm");

	if (err)
		return err;
	desk->limit_ms = limit_ms;
	desk->forward = forward;
	return 0;
}

void parq_storm_get(struct parq_port *port, u16 *limit_ms, bool *forward)
{
	*limit_ms = desk->limit_ms;
	*forward = desk->forward;
}

void parq_netdev_rx_ctrl(struct parq_port *port, netdev_features_t features)
{
	desk_call("rx-ctrl");
}

int parq_netdev_up(struct parq_port *port)
{
	return desk_call("up");
}

void parq_netdev_down(struct parq_port *port)
{
	desk_call("down");
}

unsigned int parq_io_dump_len(const struct parq_port *port)
{
	return 8;
}

void parq_io_dump(struct parq_port *port, u32 *out)
{
	out[1] = 7;
}

void parq_stats_queues(const struct parq_port *port, struct parq_tx_counters *tx,
		       struct parq_rx_counters *rx)
{
	tx->tso = 11;
	tx->xsk_invalid = 12;
	rx->errors = 13;
	rx->xdp_aborted = 14;
}

const struct parq_stats *parq_stats_last(struct parq_port *port)
{
	desk_call("last");
	return &desk->hw;
}

void parq_stats_put(struct parq_port *port)
{
	desk_call("put");
}

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)
struct parq_switch_stats parq_switch_stats(struct parq_port *port)
{
	struct parq_switch_stats stats = {};

	stats.val[PARQ_SW_RX_FRAMES] = 15;
	stats.mdb_refused = 16;
	return stats;
}
#endif

/* ---- cases -------------------------------------------------------------- */

static int desk_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct parq_port));

	desk = kunit_kzalloc(test, sizeof(*desk), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, desk);
	desk->port = netdev_priv(dev);
	desk->port->netdev = dev;
	desk->port->pd = &desk->pd;
	desk->port->tx_size = 128;
	desk->port->rx_size = 256;
	desk->port->num_chans = 3;
	desk->pd.caps.ring_order = DESK_ORDER;
	desk->pd.caps.chans = 5;
	desk->used = -1;
	return 0;
}

static void desk_exit(struct kunit *test)
{
	free_netdev(desk->port->netdev);
}

static void desk_expect(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &desk->log, calls);
}

static int desk_rings(u32 tx, u32 rx)
{
	struct ethtool_ringparam ring = { .tx_pending = tx, .rx_pending = rx };
	struct netlink_ext_ack extack = {};

	return parq_ethtool_ops.set_ringparam(desk->port->netdev, &ring, NULL, &extack);
}

static void rings_are_set(struct kunit *test)
{
	struct ethtool_ringparam ring = {};

	parq_ethtool_ops.get_ringparam(desk->port->netdev, &ring, NULL, NULL);
	KUNIT_EXPECT_EQ(test, ring.tx_pending, 128U);
	KUNIT_EXPECT_EQ(test, ring.rx_pending, 256U);
	KUNIT_EXPECT_EQ(test, ring.tx_max_pending, 1024U);
	KUNIT_EXPECT_EQ(test, ring.rx_max_pending, 1024U);
	KUNIT_EXPECT_EQ(test, desk_rings(128, 256), 0);
	KUNIT_EXPECT_EQ(test, desk_rings(127, 255), 0);
	desk_expect(test, "");
	KUNIT_EXPECT_EQ(test, desk_rings(64, 256), 0);
	KUNIT_EXPECT_EQ(test, desk_rings(128, 1024), 0);
	desk_expect(test, ",rings,rings");
	KUNIT_EXPECT_EQ(test, desk_rings(513, 65), 0);
	KUNIT_EXPECT_EQ(test, desk->tx, 1024U);
	KUNIT_EXPECT_EQ(test, desk->rx, 128U);
	desk->log.text[0] = 0;
	KUNIT_EXPECT_EQ(test, desk_rings(63, 256), -EINVAL);
	KUNIT_EXPECT_EQ(test, desk_rings(1025, 256), -EINVAL);
	KUNIT_EXPECT_EQ(test, desk_rings(128, 63), -EINVAL);
	KUNIT_EXPECT_EQ(test, desk_rings(128, 1025), -EINVAL);
	desk_expect(test, "");
	desk->log.fails = "rings";
	KUNIT_EXPECT_EQ(test, desk_rings(64, 64), -EIO);
}

static int desk_chans(unsigned int num)
{
	struct ethtool_channels ch = { .combined_count = num };

	desk->log.text[0] = 0;
	return parq_ethtool_ops.set_channels(desk->port->netdev, &ch);
}

/* Whatever refuses comes before the change. */
static void channels_are_set(struct kunit *test)
{
	struct ethtool_channels ch = {};

	parq_ethtool_ops.get_channels(desk->port->netdev, &ch);
	KUNIT_EXPECT_EQ(test, ch.max_combined, 5U);
	KUNIT_EXPECT_EQ(test, ch.combined_count, 3U);
	KUNIT_EXPECT_EQ(test, desk_chans(2), 0);
	desk_expect(test, ",ets,rule,flower,chans");
	desk->log.fails = "flower";
	KUNIT_EXPECT_EQ(test, desk_chans(2), -EIO);
	desk_expect(test, ",ets,rule,flower");
	desk->log.fails = "rule";
	KUNIT_EXPECT_EQ(test, desk_chans(2), -EIO);
	desk_expect(test, ",ets,rule");
	desk->log.fails = "ets";
	KUNIT_EXPECT_EQ(test, desk_chans(2), -EIO);
	desk_expect(test, ",ets,refuse");
	desk->log.fails = NULL;
	/* The first and the last queue of the channel, and those beside them. */
	for (desk->used = 15; desk->used <= 24; desk->used++)
		KUNIT_EXPECT_EQ(test, desk_chans(2),
				desk->used < 16 || desk->used > 23 ? 0 : -EBUSY);
}

static int desk_itr(u32 rx, u32 tx)
{
	struct ethtool_coalesce coal = { .rx_coalesce_usecs = rx, .tx_coalesce_usecs = tx };
	struct netlink_ext_ack extack = {};

	return parq_ethtool_ops.set_coalesce(desk->port->netdev, &coal, NULL, &extack);
}

static void moderation_is_set(struct kunit *test)
{
	struct ethtool_coalesce coal = {};

	KUNIT_EXPECT_EQ(test, desk_itr(0, DESK_ITR_MAX), 0);
	KUNIT_EXPECT_EQ(test, desk_itr(DESK_ITR_MAX, 5), 0);
	desk_expect(test, ",itr,itr");
	KUNIT_EXPECT_EQ(test, desk_itr(DESK_ITR_MAX + 1, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, desk_itr(0, DESK_ITR_MAX + 1), -EINVAL);
	desk->shared = true;
	KUNIT_EXPECT_EQ(test, desk_itr(1, 2), -EINVAL);
	desk_expect(test, "");
	parq_ethtool_ops.get_coalesce(desk->port->netdev, &coal, NULL, NULL);
	KUNIT_EXPECT_EQ(test, coal.rx_coalesce_usecs, DESK_ITR_MAX);
	KUNIT_EXPECT_EQ(test, coal.tx_coalesce_usecs, 5U);
	KUNIT_EXPECT_EQ(test, desk_itr(2, 2), 0);
}

static void flags_are_set(struct kunit *test)
{
	struct net_device *dev = desk->port->netdev;

	desk->limit_ms = 77;
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.get_priv_flags(dev), 0U);
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.set_priv_flags(dev, 1), 0);
	desk_expect(test, ",storm,rx-ctrl");
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.get_priv_flags(dev), 1U);
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.set_priv_flags(dev, 3), 0);
	desk_expect(test, ",storm");
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.get_priv_flags(dev), 3U);
	KUNIT_EXPECT_EQ(test, desk->limit_ms, 77);
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.set_priv_flags(dev, 4), -EINVAL);
	desk->log.fails = "storm";
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.set_priv_flags(dev, 2), -EIO);
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.get_priv_flags(dev), 3U);
	desk->log.fails = NULL;
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.set_priv_flags(dev, 2), 0);
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.get_priv_flags(dev), 2U);
}

static void limit_of_storms_is_set(struct kunit *test)
{
	struct ethtool_tunable tuna = { .id = ETHTOOL_PFC_PREVENTION_TOUT };
	struct net_device *dev = desk->port->netdev;
	u16 ms = 50;

	desk->forward = true;
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.set_tunable(dev, &tuna, &ms), 0);
	KUNIT_EXPECT_EQ(test, desk->limit_ms, 50);
	KUNIT_EXPECT_TRUE(test, desk->forward);
	ms = PFC_STORM_PREVENTION_AUTO;
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.set_tunable(dev, &tuna, &ms), 0);
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.get_tunable(dev, &tuna, &ms), 0);
	KUNIT_EXPECT_EQ(test, ms, PARQ_STORM_AUTO_MS);
	tuna.id = ETHTOOL_RX_COPYBREAK;
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.set_tunable(dev, &tuna, &ms), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.get_tunable(dev, &tuna, &ms), -EOPNOTSUPP);
}

static void port_is_reset(struct kunit *test)
{
	u32 mine = ETH_RESET_DMA | ETH_RESET_FILTER | ETH_RESET_OFFLOAD | ETH_RESET_MAC;
	struct net_device *dev = desk->port->netdev;
	u32 flags = mine | ETH_RESET_PHY;

	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.reset(dev, &flags), 0);
	KUNIT_EXPECT_EQ(test, flags, (u32)ETH_RESET_PHY);
	desk_expect(test, "");
	set_bit(__LINK_STATE_START, &dev->state);
	flags = mine;
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.reset(dev, &flags), 0);
	desk_expect(test, ",down,up");
	flags = ETH_RESET_DMA;
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.reset(dev, &flags), -EOPNOTSUPP);
	flags = mine;
	desk->log.fails = "up";
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.reset(dev, &flags), -EIO);
	KUNIT_EXPECT_EQ(test, flags, mine);
	clear_bit(__LINK_STATE_START, &dev->state);
}

static const char *desk_bus(struct parq_dev *pd)
{
	return "bus";
}

static void driver_is_shown(struct kunit *test)
{
	static const struct parq_bus_ops bus = { .name = desk_bus };
	struct net_device *dev = desk->port->netdev;
	struct ethtool_drvinfo info = {};
	struct ethtool_regs regs = {};
	u32 dump[2] = {};

	desk->pd.bus = &bus;
	desk->pd.caps.version = FIELD_PREP(PARQ_VERSION_MAJOR, 2) |
				FIELD_PREP(PARQ_VERSION_MINOR, 3);
	parq_ethtool_ops.get_drvinfo(dev, &info);
	KUNIT_EXPECT_STREQ(test, (const char *)info.driver, "parq");
	KUNIT_EXPECT_STREQ(test, (const char *)info.bus_info, "bus");
	KUNIT_EXPECT_STREQ(test, (const char *)info.fw_version, "contract 2.3");
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.get_regs_len(dev), 8);
	parq_ethtool_ops.get_regs(dev, &regs, dump);
	KUNIT_EXPECT_EQ(test, regs.version, 1U);
	KUNIT_EXPECT_EQ(test, dump[1], 7U);
}

/* Fills the counters of the device with their offsets. */
static void desk_count(void)
{
	__le64 *word = (__le64 *)&desk->hw;
	unsigned int i;

	for (i = 0; i < sizeof(desk->hw) / sizeof(*word); i++)
		word[i] = cpu_to_le64(1000000 + 8 * i);
}

#define DESK_HW(field)	(1000000 + offsetof(struct parq_stats, field))

static void counters_have_names(struct kunit *test)
{
	static const struct {
		const char *name;
		u64 val;
		bool fwd;
	} cases[] = {
		{ "tx_tso", 11 }, { "tx_xsk_invalid", 12 }, { "rx_bad_completions", 13 },
		{ "rx_xdp_aborted", 14 }, { "lost_interrupts", 21 }, { "tx_launch_missed", 22 },
		{ "prio0_commands", 23 }, { "prio7_stalls", 24 },
		{ "rx_ctrl_unknown", DESK_HW(rx_ctrl_unknown) },
		{ "rx_pfc_frames", DESK_HW(rx.pfc) },
		{ "fwd_rx_frames", 15, true }, { "fwd_mdb_refused", 16, true },
		{ "tx_prio0_packets", DESK_HW(prio[0].tx_frames) },
		{ "rx_prio3_pause_duration", DESK_HW(prio[3].rx_pause_ns) / 1000 },
		{ "prio7_repauses", DESK_HW(prio[7].repauses) },
	};
	struct net_device *dev = desk->port->netdev;
	unsigned int fwd, num, i, n, found;
	u8 *names;
	u64 *data;

	desk_count();
	desk->port->lost_irqs = 21;
	desk->port->stats.missed = 22;
	desk->port->pfc.prio[0].commands = 23;
	desk->port->pfc.prio[7].stalls = 24;
	for (fwd = 0; fwd <= IS_ENABLED(CONFIG_NET_SWITCHDEV); fwd++) {
		desk->pd.sw = fwd ? (struct parq_switch *)desk : NULL;
		num = parq_ethtool_ops.get_sset_count(dev, ETH_SS_STATS);
		names = kunit_kzalloc(test, (num + 1) * ETH_GSTRING_LEN, GFP_KERNEL);
		data = kunit_kzalloc(test, (num + 1) * sizeof(*data), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, names);
		KUNIT_ASSERT_NOT_NULL(test, data);
		parq_ethtool_ops.get_strings(dev, ETH_SS_STATS, names);
		desk->log.text[0] = 0;
		parq_ethtool_ops.get_ethtool_stats(dev, NULL, data);
		desk_expect(test, ",last,put");
		for (i = 0; i < ARRAY_SIZE(cases); i++) {
			found = 0;
			for (n = 0; n < num; n++) {
				if (strcmp(names + n * ETH_GSTRING_LEN, cases[i].name))
					continue;
				found++;
				KUNIT_EXPECT_EQ_MSG(test, data[n], (u64)cases[i].val, "%s",
						    cases[i].name);
			}
			KUNIT_EXPECT_EQ_MSG(test, found, !cases[i].fwd || fwd, "%s",
					    cases[i].name);
		}
		KUNIT_EXPECT_NE(test, names[(num - 1) * ETH_GSTRING_LEN], 0);
		KUNIT_EXPECT_EQ(test, names[num * ETH_GSTRING_LEN], 0);
		KUNIT_EXPECT_NE(test, data[num - 1], 0ULL);
		KUNIT_EXPECT_EQ(test, data[num], 0ULL);
	}
	desk->pd.sw = NULL;
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.get_sset_count(dev, ETH_SS_PRIV_FLAGS), 2);
	parq_ethtool_ops.get_strings(dev, ETH_SS_PRIV_FLAGS, names);
	KUNIT_EXPECT_STREQ(test, (const char *)names, "rx-mac-control");
	KUNIT_EXPECT_STREQ(test, (const char *)names + ETH_GSTRING_LEN, "pfc-storm-forward");
	KUNIT_EXPECT_EQ(test, parq_ethtool_ops.get_sset_count(dev, ETH_SS_TEST), -EOPNOTSUPP);
}

static void standard_counters(struct kunit *test)
{
	const struct ethtool_rmon_hist_range *ranges;
	struct net_device *dev = desk->port->netdev;
	struct ethtool_eth_ctrl_stats ctrl = {};
	struct ethtool_eth_mac_stats mac = {};
	struct ethtool_rmon_stats rmon = {};
	unsigned int i;

	desk_count();
	parq_ethtool_ops.get_eth_mac_stats(dev, &mac);
	KUNIT_EXPECT_EQ(test, mac.FramesTransmittedOK, (u64)DESK_HW(tx.frames));
	KUNIT_EXPECT_EQ(test, mac.FramesReceivedOK, (u64)DESK_HW(rx.frames));
	KUNIT_EXPECT_EQ(test, mac.FrameCheckSequenceErrors, (u64)DESK_HW(rx_fcs_err));
	KUNIT_EXPECT_EQ(test, mac.OctetsTransmittedOK, (u64)DESK_HW(tx.bytes));
	KUNIT_EXPECT_EQ(test, mac.OctetsReceivedOK, (u64)DESK_HW(rx.bytes));
	KUNIT_EXPECT_EQ(test, mac.FramesLostDueToIntMACXmitError, (u64)DESK_HW(tx_drop_desc) +
			DESK_HW(tx_drop_dma) + DESK_HW(tx_drop_park));
	KUNIT_EXPECT_EQ(test, mac.FramesLostDueToIntMACRcvError, (u64)DESK_HW(rx_drop_nobuf) +
			DESK_HW(rx_drop_buffer) + DESK_HW(rx_drop_dma));
	KUNIT_EXPECT_EQ(test, mac.FrameTooLongErrors,
			(u64)DESK_HW(rx_oversize) + DESK_HW(rx_jabber));
	KUNIT_EXPECT_EQ(test, mac.MulticastFramesXmittedOK, (u64)DESK_HW(tx.multicast));
	KUNIT_EXPECT_EQ(test, mac.BroadcastFramesXmittedOK, (u64)DESK_HW(tx.broadcast));
	KUNIT_EXPECT_EQ(test, mac.MulticastFramesReceivedOK, (u64)DESK_HW(rx.multicast));
	KUNIT_EXPECT_EQ(test, mac.BroadcastFramesReceivedOK, (u64)DESK_HW(rx.broadcast));
	parq_ethtool_ops.get_eth_ctrl_stats(dev, &ctrl);
	KUNIT_EXPECT_EQ(test, ctrl.MACControlFramesTransmitted, (u64)DESK_HW(tx.ctrl));
	KUNIT_EXPECT_EQ(test, ctrl.MACControlFramesReceived, (u64)DESK_HW(rx.ctrl));
	KUNIT_EXPECT_EQ(test, ctrl.UnsupportedOpcodesReceived, (u64)DESK_HW(rx_ctrl_unknown));
	parq_ethtool_ops.get_rmon_stats(dev, &rmon, &ranges);
	KUNIT_EXPECT_EQ(test, rmon.undersize_pkts, (u64)DESK_HW(rx_undersize));
	KUNIT_EXPECT_EQ(test, rmon.oversize_pkts, (u64)DESK_HW(rx_oversize));
	KUNIT_EXPECT_EQ(test, rmon.fragments, (u64)DESK_HW(rx_fragment));
	KUNIT_EXPECT_EQ(test, rmon.jabbers, (u64)DESK_HW(rx_jabber));
	for (i = 0; i < PARQ_NUM_RMON; i++) {
		KUNIT_EXPECT_EQ(test, rmon.hist[i], (u64)DESK_HW(rx.rmon) + 8 * i);
		KUNIT_EXPECT_EQ(test, rmon.hist_tx[i], (u64)DESK_HW(tx.rmon) + 8 * i);
		KUNIT_EXPECT_NE(test, ranges[i].high, 0);
	}
	KUNIT_EXPECT_EQ(test, ranges[i].high, 0);
	KUNIT_EXPECT_EQ(test, rmon.hist[i], 0ULL);
	KUNIT_EXPECT_EQ(test, rmon.hist_tx[i], 0ULL);
	desk_expect(test, ",last,put,last,put,last,put");
}

static struct kunit_case desk_cases[] = {
	KUNIT_CASE(rings_are_set),
	KUNIT_CASE(channels_are_set),
	KUNIT_CASE(moderation_is_set),
	KUNIT_CASE(flags_are_set),
	KUNIT_CASE(limit_of_storms_is_set),
	KUNIT_CASE(port_is_reset),
	KUNIT_CASE(driver_is_shown),
	KUNIT_CASE(counters_have_names),
	KUNIT_CASE(standard_counters),
	{}
};

static struct kunit_suite desk_suite = {
	.name = "parq_ethtool",
	.init = desk_init,
	.exit = desk_exit,
	.test_cases = desk_cases,
};

kunit_test_suite(desk_suite);

MODULE_DESCRIPTION("KUnit suite of ethtool");
MODULE_LICENSE("GPL");
