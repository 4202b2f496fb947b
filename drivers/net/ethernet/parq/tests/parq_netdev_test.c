// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of what brings a port up and down, and of its link, over fakes of all that they
 * call. The fakes note their calls, for the order counts.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <net/sch_generic.h>

#include "../parq_buf.h"
#include "../parq_chan.h"
#include "../parq_io.h"
#include "../parq_port.h"
#include "../parq_rule.h"
#include "../parq_stats.h"
#include "../parq_switch.h"
#include "../parq_xdp.h"
#include "../parq_xsk.h"
#include "parq_call_log.h"

#define LADDER_CHANS	2
#define LADDER_TXQ	(LADDER_CHANS * PARQ_NUM_PRIO)
#define LADDER_RX_CTRL							\
	(PARQ_PORT_CTRL_VLAN_STRIP | PARQ_PORT_CTRL_RX_CSUM |		\
	 PARQ_PORT_CTRL_RX_FCS_ERR | PARQ_PORT_CTRL_RX_MACCTRL |	\
	 PARQ_PORT_CTRL_RX_HASH | PARQ_PORT_CTRL_RX_GRO |		\
	 PARQ_PORT_CTRL_RX_STAMP | PARQ_PORT_CTRL_RX_UNPAD)
#define LADDER_MODES	(PARQ_PORT_CTRL_PROMISC | PARQ_PORT_CTRL_ALLMULTI)

/**
 * struct ladder - a port, and what the fakes do and have seen
 * @log: calls of the fakes
 * @ctrl: PARQ_PORT_CTRL
 * @frame: MTU in the device
 * @mtu: MTU of the receive buffers
 * @filters: number of filters
 * @kicked: channels whose sockets were told that they can send, BIT(channel)
 * @xdp_mtu: the largest MTU of the XDP program
 * @xsk_mtu: the largest MTU of sockets
 * @waits: a queue has a reason to wait
 * @stuck: queue that was reported, or -1
 * @set: link settings that were written
 * @state: link as the device has it
 */
static struct ladder {
	struct parq_call_log log;
	u32 ctrl;
	unsigned int frame;
	unsigned int mtu;
	unsigned int filters;
	unsigned int kicked;
	unsigned int xdp_mtu;
	unsigned int xsk_mtu;
	bool waits;
	int stuck;
	struct parq_link set;
	struct parq_link state;
} ladder;

/* ---- fakes -------------------------------------------------------------- */

static int ladder_call(const char *name)
{
	return parq_call_log_add(&ladder.log, " ", name);
}

void parq_io_port_ctrl(struct parq_port *port, u32 clear, u32 set)
{
	u32 ctrl = (ladder.ctrl & ~clear) | set;

	if ((ctrl ^ ladder.ctrl) & PARQ_PORT_CTRL_EN)
		ladder_call(ctrl & PARQ_PORT_CTRL_EN ? "enable" : "disable");
	if (ctrl & LADDER_MODES & ~ladder.ctrl)
		ladder_call("wider");
	if (~ctrl & LADDER_MODES & ladder.ctrl)
		ladder_call("narrower");
	ladder.ctrl = ctrl;
}

void parq_io_filters_set(struct parq_port *port, const u8 *const *want, unsigned int n)
{
	ladder_call("filters");
	ladder.filters = n;
}

void parq_io_status_set(struct parq_port *port)
{
	ladder_call("status");
}

void parq_io_mac_set(struct parq_port *port, const u8 addr[ETH_ALEN])
{
	ladder_call("mac");
}

void parq_io_max_frame(struct parq_port *port, unsigned int mtu)
{
	ladder_call("frame");
	ladder.frame = mtu;
}

void parq_io_steer_set(struct parq_port *port)
{
	ladder_call("steer");
}

void parq_flower_up(struct parq_port *port)
{
	ladder_call("flower");
}

void parq_flower_down(struct parq_port *port)
{
	ladder_call("flower-down");
}

void parq_rules_restore(struct parq_port *port)
{
	ladder_call("rules");
}

int parq_prio_open(struct parq_port *port)
{
	return ladder_call("prio");
}

int parq_chans_open(struct parq_port *port)
{
	return ladder_call("chans");
}

int parq_chans_up(struct parq_port *port)
{
	return ladder_call("chans-up");
}

void parq_chans_wake(struct parq_port *port)
{
	ladder_call("wake");
}

void parq_chans_down(struct parq_port *port)
{
	ladder_call("chans-down");
	netif_tx_wake_queue(netdev_get_tx_queue(port->netdev, 0));
}

void parq_chans_close(struct parq_port *port)
{
	ladder_call("chans-close");
}

int parq_pfc_open(struct parq_port *port)
{
	return ladder_call("pfc");
}

void parq_pfc_close(struct parq_port *port)
{
	ladder_call("pfc-close");
}

void parq_pause_link(struct parq_port *port)
{
	ladder_call("pause");
}

void parq_buf_link(struct parq_port *port)
{
	ladder_call("buf");
}

int parq_buf_mtu(struct parq_port *port, unsigned int mtu, char reason[PARQ_REASON_LEN])
{
	int err = ladder_call("buf-mtu");

	if (!err)
		ladder.mtu = mtu;
	return err;
}

void parq_io_link_set(struct parq_port *port, const struct parq_link *link)
{
	ladder_call(link->up ? "phy-on" : "phy-off");
	ladder.set = *link;
	if (!link->up)
		ladder.state.up = false;
}

void parq_io_link_get(struct parq_port *port, struct parq_link *state)
{
	*state = ladder.state;
}

u32 parq_headroom_mbps(unsigned int speed)
{
	return 0;
}

void parq_xsk_kick(struct parq_port *port, unsigned int chan)
{
	ladder.kicked |= BIT(chan);
}

bool parq_xdp_mtu_fits(const struct parq_port *port, unsigned int mtu)
{
	return mtu <= ladder.xdp_mtu;
}

bool parq_xsk_mtu_fits(const struct parq_port *port, unsigned int mtu, char *reason)
{
	return mtu <= ladder.xsk_mtu;
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	ladder_call(what);
	return err;
}

void parq_stats_link(const struct parq_port *port, struct rtnl_link_stats64 *s)
{
	s->rx_missed_errors = 1;
}

void parq_service_work(struct work_struct *work)
{
}

bool parq_service_waits(struct parq_port *port, unsigned int index)
{
	return ladder.waits;
}

void parq_service_tx_stuck(struct parq_port *port, unsigned int index)
{
	ladder.stuck = index;
}

int parq_xdp_setup(struct net_device *dev, struct bpf_prog *prog, struct netlink_ext_ack *extack)
{
	return ladder_call("xdp");
}

int parq_xsk_setup(struct net_device *dev, struct xsk_buff_pool *pool, unsigned int chan)
{
	return ladder_call("xsk");
}

#if IS_ENABLED(CONFIG_NET_SWITCHDEV)
void parq_switch_port_up(struct parq_port *port)
{
	ladder_call("switch");
}

void parq_switch_port_down(struct parq_port *port)
{
	ladder_call("switch-down");
}

void parq_switch_link_stats(const struct parq_port *port, struct rtnl_link_stats64 *s)
{
	s->rx_missed_errors += 2;
}

#define LADDER_SWITCH_UP	" switch"
#define LADDER_SWITCH_DOWN	" switch-down"
#else
#define LADDER_SWITCH_UP	""
#define LADDER_SWITCH_DOWN	""
#endif

/* ---- cases -------------------------------------------------------------- */

static const struct net_device_ops ladder_ops = {};

static struct parq_port *ladder_new(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev_mqs(sizeof(struct parq_port), LADDER_TXQ,
						    LADDER_CHANS);
	struct parq_dev *pd = kunit_kzalloc(test, sizeof(*pd), GFP_KERNEL);
	struct parq_port *port;

	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, pd);
	memset(&ladder, 0, sizeof(ladder));
	ladder.xdp_mtu = U16_MAX;
	ladder.xsk_mtu = U16_MAX;
	ladder.stuck = -1;
	ladder.state.up = true;
	dev->netdev_ops = &ladder_ops;
	dev->mtu = 1500;
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE;
	eth_hw_addr_random(dev);
	netif_carrier_off(dev);
	pd->wq = alloc_ordered_workqueue("parq-ladder", 0);
	KUNIT_ASSERT_NOT_NULL(test, pd->wq);
	port = netdev_priv(dev);
	port->netdev = dev;
	port->pd = pd;
	port->num_chans = LADDER_CHANS;
	mutex_init(&port->link_lock);
	INIT_DELAYED_WORK(&port->service, parq_service_work);
	rtnl_lock();
	return port;
}

static void ladder_end(struct parq_port *port)
{
	rtnl_unlock();
	cancel_delayed_work_sync(&port->service);
	destroy_workqueue(port->pd->wq);
	free_netdev(port->netdev);
}

static void ladder_expect(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &ladder.log, calls);
}

#define LADDER_CONFIGURE	" status mac frame steer flower rules filters"

static void port_comes_up(struct kunit *test)
{
	struct parq_port *port = ladder_new(test);

	set_bit(1, port->stuck_tx);
	set_bit(1, port->stuck_rx);
	set_bit(1, port->waits_tx);
	KUNIT_EXPECT_EQ(test, parq_netdev_open(port->netdev), 0);
	ladder_expect(test, LADDER_CONFIGURE " prio chans pfc chans-up enable"
		      LADDER_SWITCH_UP " phy-on wake pause buf");
	KUNIT_EXPECT_TRUE(test, parq_port_is_up(port));
	KUNIT_EXPECT_TRUE(test, netif_carrier_ok(port->netdev));
	KUNIT_EXPECT_TRUE(test, delayed_work_pending(&port->service));
	KUNIT_EXPECT_EQ(test, port->service_at, jiffies);
	KUNIT_EXPECT_TRUE(test, port->link.up);
	KUNIT_EXPECT_EQ(test, port->mru, 1500U);
	KUNIT_EXPECT_EQ(test, ladder.frame, 1500U);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(port->stuck_tx, PARQ_MAX_TXQ));
	KUNIT_EXPECT_TRUE(test, bitmap_empty(port->stuck_rx, PARQ_MAX_RXQ));
	KUNIT_EXPECT_TRUE(test, bitmap_empty(port->waits_tx, PARQ_MAX_TXQ));
	ladder_end(port);
}

static void port_fails_to_come_up(struct kunit *test)
{
	static const struct {
		const char *fails;
		const char *calls;
	} rungs[] = {
		{ "prio", LADDER_CONFIGURE " prio" },
		{ "chans", LADDER_CONFIGURE " prio chans" },
		{ "pfc", LADDER_CONFIGURE " prio chans pfc chans-close" },
		{ "chans-up",
		  LADDER_CONFIGURE " prio chans pfc chans-up pfc-close chans-close" },
	};
	struct parq_port *port = ladder_new(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rungs); i++) {
		ladder.log.fails = rungs[i].fails;
		KUNIT_EXPECT_EQ(test, parq_netdev_up(port), -EIO);
		ladder_expect(test, rungs[i].calls);
		KUNIT_EXPECT_FALSE(test, parq_port_is_up(port));
		KUNIT_EXPECT_FALSE(test, delayed_work_pending(&port->service));
		parq_netdev_down(port);
		ladder_expect(test, "");
	}
	ladder_end(port);
}

/* No queue is awake in the end, although a completion has woken one meanwhile. */
static void port_goes_down(struct kunit *test)
{
	struct parq_port *port = ladder_new(test);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, parq_netdev_up(port), 0);
	ladder.log.text[0] = 0;
	port->num_chans = 1;
	KUNIT_EXPECT_EQ(test, parq_netdev_stop(port->netdev), 0);
	ladder_expect(test, " phy-off pause buf disable flower-down"
		      LADDER_SWITCH_DOWN " chans-down pfc-close chans-close");
	KUNIT_EXPECT_FALSE(test, parq_port_is_up(port));
	KUNIT_EXPECT_FALSE(test, netif_carrier_ok(port->netdev));
	KUNIT_EXPECT_FALSE(test, delayed_work_pending(&port->service));
	for (i = 0; i < LADDER_TXQ; i++)
		KUNIT_EXPECT_TRUE(test, __netif_subqueue_stopped(port->netdev, i));
	KUNIT_EXPECT_EQ(test, port->netdev->real_num_tx_queues, PARQ_NUM_PRIO);
	KUNIT_EXPECT_EQ(test, port->netdev->real_num_rx_queues, 1U);
	parq_netdev_down(port);
	ladder_expect(test, "");
	ladder_end(port);
}

/* Queues that do not exist stay stopped. */
static void port_is_attached(struct kunit *test)
{
	struct parq_port *port = ladder_new(test);
	struct net_device *dev = port->netdev;
	struct parq_txq q = {};
	unsigned int i;

	netif_device_detach(dev);
	for (i = 0; i < LADDER_TXQ; i++)
		RCU_INIT_POINTER(netdev_get_tx_queue(dev, i)->qdisc, &noop_qdisc);
	port->txq[0] = &q;
	port->txq[3] = &q;
	dev->num_tx_queues = LADDER_TXQ - 1;
	dev->flags |= IFF_PROMISC;
	parq_netdev_attach(port);
	dev->num_tx_queues = LADDER_TXQ;
	KUNIT_EXPECT_TRUE(test, netif_device_present(dev));
	for (i = 0; i < LADDER_TXQ; i++)
		KUNIT_EXPECT_EQ(test, __netif_subqueue_stopped(dev, i),
				i != 0 && i != 3 && i != LADDER_TXQ - 1);
	KUNIT_EXPECT_EQ(test, ladder.kicked, 0xffU);
	ladder_expect(test, " wider filters");
	ladder_end(port);
}

static void features_select_reception(struct kunit *test)
{
	static const struct {
		netdev_features_t feature;
		u32 ctrl;
	} bits[] = {
		{ NETIF_F_HW_VLAN_CTAG_RX, PARQ_PORT_CTRL_VLAN_STRIP },
		{ NETIF_F_RXCSUM, PARQ_PORT_CTRL_RX_CSUM },
		{ NETIF_F_RXALL, PARQ_PORT_CTRL_RX_FCS_ERR },
		{ NETIF_F_RXHASH, PARQ_PORT_CTRL_RX_HASH },
		{ NETIF_F_GRO_HW, PARQ_PORT_CTRL_RX_GRO },
	};
	struct parq_port *port = ladder_new(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bits); i++) {
		ladder.ctrl = LADDER_RX_CTRL | PARQ_PORT_CTRL_EN;
		parq_netdev_rx_ctrl(port, bits[i].feature);
		KUNIT_EXPECT_EQ(test, ladder.ctrl, (u32)(bits[i].ctrl | PARQ_PORT_CTRL_EN));
	}
	ladder.ctrl = LADDER_RX_CTRL;
	parq_netdev_rx_ctrl(port, 0);
	KUNIT_EXPECT_EQ(test, ladder.ctrl, 0U);
	port->pd->caps.flags = PARQ_CAP_UNPAD;
	parq_netdev_rx_ctrl(port, 0);
	KUNIT_EXPECT_EQ(test, ladder.ctrl, (u32)PARQ_PORT_CTRL_RX_UNPAD);
	port->pd->caps.flags = 0;
	port->rx_stamps = true;
	parq_netdev_rx_ctrl(port, 0);
	KUNIT_EXPECT_EQ(test, ladder.ctrl, (u32)PARQ_PORT_CTRL_RX_STAMP);
	port->rx_stamps = false;
	port->rx_macctrl = true;
	port->netdev->features = NETIF_F_RXHASH;
	KUNIT_EXPECT_EQ(test, parq_netdev_up(port), 0);
	KUNIT_EXPECT_EQ(test, ladder.ctrl, (u32)(PARQ_PORT_CTRL_RX_MACCTRL |
			PARQ_PORT_CTRL_RX_HASH | PARQ_PORT_CTRL_EN));
	parq_netdev_down(port);
	ladder_end(port);
}

/* Sets the reception mode for a number of addresses of each kind. */
static void ladder_mode(struct parq_port *port, unsigned int uc, unsigned int mc)
{
	struct net_device *dev = port->netdev;
	u8 addr[ETH_ALEN] = {};

	dev_uc_flush(dev);
	dev_mc_flush(dev);
	for (addr[5] = 0; addr[5] < uc; addr[5]++)
		dev_uc_add(dev, addr);
	addr[0] = 1;
	for (addr[5] = 0; addr[5] < mc; addr[5]++)
		dev_mc_add(dev, addr);
#ifdef PARQ_HAVE_RX_MODE_ASYNC
	parq_netdev_set_rx_mode_async(dev, &dev->uc, &dev->mc);
#else
	parq_netdev_set_rx_mode(dev);
#endif
}

/* What is received more is switched on before filters change, and off after it. */
static void addresses_get_filters(struct kunit *test)
{
	static const struct {
		unsigned int flags;
		unsigned int uc;
		unsigned int mc;
		u32 ctrl;
		unsigned int filters;
		const char *calls;
	} modes[] = {
		{ 0, 0, 0, 0, 0, " filters" },
		{ 0, 30, 2, 0, 32, " filters" },
		{ 0, 30, 3, PARQ_PORT_CTRL_ALLMULTI, 30, " wider filters" },
		{ 0, 32, 0, 0, 32, " filters narrower" },
		{ 0, 33, 0, LADDER_MODES, 0, " wider filters" },
		{ 0, 1, 2, 0, 3, " filters narrower" },
		{ IFF_PROMISC, 1, 2, PARQ_PORT_CTRL_PROMISC, 2, " wider filters" },
		{ IFF_ALLMULTI, 1, 2, PARQ_PORT_CTRL_ALLMULTI, 1, " wider filters narrower" },
		{ IFF_PROMISC | IFF_ALLMULTI, 1, 2, LADDER_MODES, 0, " wider filters" },
	};
	struct parq_port *port = ladder_new(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		port->netdev->flags = modes[i].flags;
		ladder_mode(port, modes[i].uc, modes[i].mc);
		KUNIT_EXPECT_EQ_MSG(test, ladder.ctrl, modes[i].ctrl, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, ladder.filters, modes[i].filters, "%u", i);
		ladder_expect(test, modes[i].calls);
	}
	ladder_end(port);
}

static void mtu_changes(struct kunit *test)
{
	struct parq_port *port = ladder_new(test);
	struct net_device *dev = port->netdev;

	port->mru = 1500;
	KUNIT_EXPECT_EQ(test, parq_netdev_change_mtu(dev, 1000), 0);
	KUNIT_EXPECT_EQ(test, port->mru, 1000U);
	ladder_expect(test, " buf-mtu frame");
	set_bit(PARQ_PORT_UP, &port->flags);
	KUNIT_EXPECT_EQ(test, parq_netdev_change_mtu(dev, 9000), 0);
	KUNIT_EXPECT_EQ(test, ladder.frame, 9000U);
	ladder_expect(test, " buf-mtu frame");
	/* The service work does the rest, once no longer frame is under way. */
	cancel_delayed_work_sync(&port->service);
	KUNIT_EXPECT_EQ(test, parq_netdev_change_mtu(dev, 1200), 0);
	ladder_expect(test, "");
	KUNIT_EXPECT_EQ(test, dev->mtu, 1200U);
	KUNIT_EXPECT_EQ(test, port->mru, 9000U);
	flush_delayed_work(&port->service);
	KUNIT_EXPECT_EQ(test, parq_netdev_change_mtu(dev, 9000), 0);
	ladder_expect(test, "");
	/* Refused. */
	ladder.log.fails = "buf-mtu";
	KUNIT_EXPECT_EQ(test, parq_netdev_change_mtu(dev, 9001), -EIO);
	ladder_expect(test, " buf-mtu MTU 9001");
	ladder.xdp_mtu = 9000;
	KUNIT_EXPECT_EQ(test, parq_netdev_change_mtu(dev, 9001), -EINVAL);
	ladder_expect(test, " MTU 9001");
	ladder.xdp_mtu = U16_MAX;
	ladder.xsk_mtu = 9000;
	KUNIT_EXPECT_EQ(test, parq_netdev_change_mtu(dev, 9001), -EINVAL);
	ladder_expect(test, " MTU 9001");
	KUNIT_EXPECT_EQ(test, dev->mtu, 9000U);
	KUNIT_EXPECT_EQ(test, port->mru, 9000U);
	ladder_end(port);
}

static void operations_are_passed_on(struct kunit *test)
{
	struct sockaddr_storage addr = { .__data = { 2, 1 } };
	struct parq_port *port = ladder_new(test);
	struct net_device *dev = port->netdev;
	struct rtnl_link_stats64 stats = {};
	struct netdev_bpf bpf = { .command = XDP_SETUP_PROG };

	KUNIT_EXPECT_EQ(test, parq_netdev_set_mac_address(dev, &addr), 0);
	KUNIT_EXPECT_EQ(test, dev->dev_addr[1], 1);
	ladder_expect(test, " mac");
	addr.__data[0] = 1;
	KUNIT_EXPECT_EQ(test, parq_netdev_set_mac_address(dev, &addr), -EADDRNOTAVAIL);
	ladder_expect(test, "");
	parq_netdev_get_stats64(dev, &stats);
	KUNIT_EXPECT_EQ(test, stats.rx_missed_errors,
			IS_ENABLED(CONFIG_NET_SWITCHDEV) ? 3ULL : 1ULL);
	parq_netdev_tx_timeout(dev, 5);
	KUNIT_EXPECT_EQ(test, ladder.stuck, 5);
	ladder.waits = true;
	netdev_get_tx_queue(dev, 6)->trans_start = jiffies - HZ;
	parq_netdev_tx_timeout(dev, 6);
	KUNIT_EXPECT_EQ(test, ladder.stuck, 5);
	KUNIT_EXPECT_EQ(test, netdev_get_tx_queue(dev, 6)->trans_start, jiffies);
	KUNIT_EXPECT_EQ(test, parq_netdev_bpf(dev, &bpf), 0);
	bpf.command = XDP_SETUP_XSK_POOL;
	KUNIT_EXPECT_EQ(test, parq_netdev_bpf(dev, &bpf), 0);
	ladder_expect(test, " xdp xsk");
	ladder_end(port);
}

/* The advertisement reaches the link partner only if the link goes down. */
static void link_follows_settings(struct kunit *test)
{
	struct parq_port *port = ladder_new(test);
	struct parq_link link = { .up = true, .autoneg = true, .adv = 5 };

	parq_link_apply(port, true);
	ladder_expect(test, "");
	KUNIT_EXPECT_EQ(test, parq_netdev_up(port), 0);
	ladder.log.text[0] = 0;
	parq_link_store(port, &link);
	KUNIT_EXPECT_EQ(test, port->link.adv, 5U);
	parq_link_apply(port, false);
	ladder_expect(test, " phy-on pause buf");
	KUNIT_EXPECT_TRUE(test, netif_carrier_ok(port->netdev));
	parq_link_apply(port, true);
	ladder_expect(test, " phy-off pause buf phy-on pause buf");
	KUNIT_EXPECT_FALSE(test, netif_carrier_ok(port->netdev));
	KUNIT_EXPECT_EQ(test, ladder.set.adv, 5U);
	link.autoneg = false;
	parq_link_store(port, &link);
	parq_link_apply(port, true);
	ladder_expect(test, " phy-on pause buf");
	parq_netdev_down(port);
	ladder_end(port);
}

/* A port that is down has no link, whatever the device says. */
static void link_of_a_port_that_is_down(struct kunit *test)
{
	struct parq_port *port = ladder_new(test);

	parq_link_check(port);
	KUNIT_EXPECT_FALSE(test, port->state.up);
	KUNIT_EXPECT_FALSE(test, netif_carrier_ok(port->netdev));
	set_bit(PARQ_PORT_UP, &port->flags);
	parq_link_check(port);
	KUNIT_EXPECT_TRUE(test, port->state.up);
	KUNIT_EXPECT_TRUE(test, netif_carrier_ok(port->netdev));
	ladder_end(port);
}

static struct kunit_case ladder_cases[] = {
	KUNIT_CASE(port_comes_up),
	KUNIT_CASE(port_fails_to_come_up),
	KUNIT_CASE(port_goes_down),
	KUNIT_CASE(port_is_attached),
	KUNIT_CASE(features_select_reception),
	KUNIT_CASE(addresses_get_filters),
	KUNIT_CASE(mtu_changes),
	KUNIT_CASE(operations_are_passed_on),
	KUNIT_CASE(link_follows_settings),
	KUNIT_CASE(link_of_a_port_that_is_down),
	{}
};

static struct kunit_suite ladder_suite = {
	.name = "parq_netdev",
	.test_cases = ladder_cases,
};

kunit_test_suite(ladder_suite);

MODULE_DESCRIPTION("KUnit suite of ports that come up and go down");
MODULE_LICENSE("GPL");
