// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit suite of the construction of ports: memory, defaults, features, address, name, and
 * registration, each with what fails. The fakes note their calls, for the order counts.
 */
#include <kunit/test.h>
#include <linux/ethtool.h>

#include "../parq_dcbnl.h"
#include "../parq_dev.h"
#include "../parq_ethtool.h"
#include "../parq_io.h"
#include "../parq_stats.h"
#include "parq_call_log.h"
#include "parq_port_calls.h"

/* Of the suite itself they are the kernel's. */
#undef alloc_etherdev_mqs
#undef free_netdev
#undef kfree

#define KEEL_CHANS	6
#define KEEL_DMA	0x1000		/* of the first area */
#define KEEL_AREAS	6		/* of a port: its memory besides the netdev */
#define KEEL_MADE	" rules io speeds rss queue stats address pfc prio ets dcbnl"
#define KEEL_GONE	" cancel pfc-fini rules-fini"
#define KEEL_UP		" devlink xdp queues app register-eth%d debugfs"
#define KEEL_DOWN	" debugfs-fini unregister app-fini devlink-fini"

/**
 * struct keel - a device, what the fakes do, and what they have seen
 * @pd: the device
 * @parent: its device for DMA
 * @log: calls of the fakes
 * @memory: areas that can be allocated before one cannot
 * @areas: areas that are
 * @netdevs: netdevs that are
 * @no_netdev: there is no memory for one
 * @tx: TX queues of the netdev
 * @rx: its RX queues
 * @cpus: that the stack spreads frames over
 * @speeds: of the port
 * @addr: its address
 * @names: of firmware
 * @num_names: their number, or an error
 * @warning: that was logged last
 * @taken: another interface has this name
 * @filters: filters of tc are in the device
 * @features: whose reception filters were set
 * @reason: why a request was refused
 */
struct keel {
	struct parq_dev *pd;
	struct device *parent;
	struct parq_call_log log;
	unsigned int memory;
	int areas;
	int netdevs;
	bool no_netdev;
	unsigned int tx;
	unsigned int rx;
	int cpus;
	u32 speeds;
	u8 addr[ETH_ALEN];
	const char *names[PARQ_MAX_PORTS];
	int num_names;
	char warning[120];
	const char *taken;
	bool filters;
	netdev_features_t features;
	const char *reason;
};

static struct keel *keel;
const struct ethtool_ops parq_ethtool_ops;

/* ---- fakes -------------------------------------------------------------- */

static int keel_call(const char *name)
{
	return parq_call_log_add(&keel->log, " ", name);
}

struct net_device *keel_netdev(int size, unsigned int tx, unsigned int rx)
{
	if (keel->no_netdev)
		return NULL;
	keel->netdevs++;
	keel->tx = tx;
	keel->rx = rx;
	return alloc_etherdev_mqs(size, tx, rx);
}

void keel_netdev_free(struct net_device *dev)
{
	keel->netdevs--;
	free_netdev(dev);
}

void *keel_alloc(size_t size)
{
	if (!keel->memory--)
		return NULL;
	keel->areas++;
	return kzalloc(size, GFP_KERNEL);
}

/* An address of its own for each size. */
void *keel_dma_alloc(size_t size, dma_addr_t *dma)
{
	*dma = KEEL_DMA + size;
	return keel_alloc(size);
}

void keel_free(const void *mem)
{
	keel->areas -= !!mem;
	kfree(mem);
}

void keel_dma_free(size_t size, const void *mem, dma_addr_t dma)
{
	if (mem && dma == KEEL_DMA + size)
		keel_free(mem);
}

int keel_names(const char *property, const char **names, size_t num)
{
	if (strcmp(property, "port-names"))
		return -EINVAL;
	memcpy(names, keel->names, num * sizeof(*names));
	return keel->num_names;
}

void keel_warn(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(keel->warning, sizeof(keel->warning), fmt, args);
	va_end(args);
}

void keel_cancel(struct delayed_work *work)
{
	keel_call("cancel");
}

int keel_queues(unsigned int tx, unsigned int rx)
{
	return tx == PARQ_NUM_PRIO * rx ? keel_call("queues") : -EINVAL;
}

int keel_register(const struct net_device *dev)
{
	char call[9 + IFNAMSIZ];
	int err;

	snprintf(call, sizeof(call), "register-%s", dev->name);
	err = keel_call(call);
	return keel->taken && !strcmp(dev->name, keel->taken) ? -EEXIST : err;
}

void keel_unregister(void)
{
	keel_call("unregister");
}

int keel_cpus(void)
{
	return keel->cpus;
}

void parq_rules_init(struct parq_port *port)
{
	keel_call("rules");
}

void parq_rules_fini(struct parq_port *port)
{
	keel_call("rules-fini");
}

bool parq_flower_offloaded(const struct parq_port *port)
{
	return keel->filters;
}

void parq_io_port_init(struct parq_port *port)
{
	keel_call("io");
}

u32 parq_io_port_speeds(struct parq_port *port)
{
	keel_call("speeds");
	return keel->speeds;
}

void parq_io_port_addr(struct parq_port *port, u8 addr[ETH_ALEN])
{
	keel_call("address");
	ether_addr_copy(addr, keel->addr);
}

void parq_ethtool_rss_default(struct parq_rss *rss)
{
	keel_call("rss");
}

void parq_queue_netdev(struct net_device *dev)
{
	keel_call("queue");
}

void parq_stats_netdev(struct net_device *dev)
{
	keel_call("stats");
}

void parq_pfc_init(struct parq_port *port)
{
	keel_call("pfc");
}

void parq_pfc_fini(struct parq_port *port)
{
	keel_call("pfc-fini");
}

void parq_prio_init(struct parq_port *port)
{
	keel_call("prio");
}

void parq_ets_init(struct parq_port *port)
{
	keel_call("ets");
}

void parq_dcbnl_init(struct parq_port *port)
{
	keel_call("dcbnl");
}

int parq_dcbnl_app_register(struct parq_port *port)
{
	return keel_call("app");
}

void parq_dcbnl_app_unregister(struct parq_port *port)
{
	keel_call("app-fini");
}

int parq_devlink_port_register(struct parq_port *port)
{
	return keel_call("devlink");
}

void parq_devlink_port_unregister(struct parq_port *port)
{
	keel_call("devlink-fini");
}

void parq_debugfs_port_init(struct parq_port *port)
{
	keel_call("debugfs");
}

void parq_debugfs_port_fini(struct parq_port *port)
{
	keel_call("debugfs-fini");
}

void parq_xdp_netdev(struct net_device *dev)
{
	keel_call("xdp");
}

netdev_features_t parq_xdp_fix_features(struct net_device *dev, netdev_features_t features)
{
	return features & ~NETIF_F_GRO_HW;
}

void parq_netdev_rx_ctrl(struct parq_port *port, netdev_features_t features)
{
	keel->features = features;
}

void parq_tc_clear(struct parq_port *port)
{
	keel_call("tc-clear");
}

void parq_service_work(struct work_struct *work)
{
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	keel_call(what);
	keel->reason = reason;
	return err;
}

/* ---- cases -------------------------------------------------------------- */

static int keel_init(struct kunit *test)
{
	static const u8 addr[ETH_ALEN] = { 2, 0, 0, 0, 0, 7 };

	keel = kunit_kzalloc(test, sizeof(*keel), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, keel);
	keel->pd = kunit_kzalloc(test, sizeof(*keel->pd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, keel->pd);
	keel->parent = kunit_kzalloc(test, sizeof(*keel->parent), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, keel->parent);
	keel->pd->dev = keel->parent;
	keel->pd->caps.chans = KEEL_CHANS;
	keel->pd->caps.ports = PARQ_NIC_PORTS;
	keel->pd->caps.ring_order = ilog2(PARQ_RING_MAX);
	keel->memory = U32_MAX;
	keel->cpus = 16;
	keel->speeds = BIT(PARQ_SPEED_10G) | BIT(PARQ_SPEED_100G);
	keel->num_names = -EINVAL;
	ether_addr_copy(keel->addr, addr);
	return 0;
}

static void keel_exit(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, keel->areas, 0);
	KUNIT_EXPECT_EQ(test, keel->netdevs, 0);
}

static void keel_expect(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &keel->log, calls);
}

static struct parq_port *keel_new(struct kunit *test, unsigned int index)
{
	struct parq_port *port = parq_port_alloc(keel->pd, index);

	KUNIT_ASSERT_NOT_NULL(test, port);
	keel_expect(test, KEEL_MADE);
	return port;
}

static void keel_end(struct kunit *test, struct parq_port *port)
{
	keel->log.text[0] = 0;
	parq_port_free(port);
	keel_expect(test, KEEL_GONE);
}

static void port_is_made(struct kunit *test)
{
	struct parq_port *port = keel_new(test, 3);
	struct net_device *dev = port->netdev;
	unsigned int i;

	KUNIT_EXPECT_PTR_EQ(test, netdev_priv(dev), (void *)port);
	KUNIT_EXPECT_PTR_EQ(test, port->pd, keel->pd);
	KUNIT_EXPECT_EQ(test, port->index, 3U);
	KUNIT_EXPECT_EQ(test, dev->dev_port, 3);
	KUNIT_EXPECT_PTR_EQ(test, dev->dev.parent, keel->parent);
	KUNIT_EXPECT_NOT_NULL(test, dev->netdev_ops);
	KUNIT_EXPECT_PTR_EQ(test, dev->ethtool_ops, &parq_ethtool_ops);
	KUNIT_EXPECT_EQ(test, dev->watchdog_timeo, 5 * HZ);
	KUNIT_EXPECT_EQ(test, dev->min_mtu, (unsigned int)ETH_MIN_MTU);
	KUNIT_EXPECT_EQ(test, dev->max_mtu, (unsigned int)PARQ_MTU_MAX);
	KUNIT_EXPECT_EQ(test, dev->priv_flags & (IFF_UNICAST_FLT | IFF_LIVE_ADDR_CHANGE),
			(unsigned int)(IFF_UNICAST_FLT | IFF_LIVE_ADDR_CHANGE));
	KUNIT_EXPECT_EQ(test, dev->tso_max_segs, (u16)PARQ_TX_MAX_SEGS);
	KUNIT_EXPECT_EQ(test, dev->name_assign_type, NET_NAME_ENUM);
	KUNIT_EXPECT_STREQ(test, dev->name, "eth%d");
	KUNIT_EXPECT_TRUE(test, ether_addr_equal(dev->dev_addr, keel->addr));
	KUNIT_EXPECT_STREQ(test, keel->warning, "");
	/* The stack sends nothing yet. */
	KUNIT_EXPECT_FALSE(test, netif_carrier_ok(dev));
	KUNIT_EXPECT_EQ(test, keel->tx, KEEL_CHANS * 8U);
	KUNIT_EXPECT_EQ(test, keel->rx,
			parq_compat_rx_queues(KEEL_CHANS, KEEL_CHANS * PARQ_CHAN_VECS));
	for (i = 0; i < keel->tx; i++)
		KUNIT_EXPECT_TRUE(test, __netif_subqueue_stopped(dev, i));
	KUNIT_EXPECT_EQ(test, keel->areas, KEEL_AREAS);
	KUNIT_EXPECT_EQ(test, port->status_dma, (dma_addr_t)KEEL_DMA + PARQ_STATUS_PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, port->stats.dma, (dma_addr_t)KEEL_DMA + sizeof(struct parq_stats));
	KUNIT_EXPECT_TRUE(test, port->service.work.func == parq_service_work);
	/* Contexts that a user has added go with the port. */
	port->ctx[0] = keel_alloc(sizeof(*port->ctx[0]));
	port->ctx[PARQ_NUM_RSS_CTX - 1] = keel_alloc(sizeof(*port->ctx[0]));
	keel_end(test, port);
}

static void memory_is_short(struct kunit *test)
{
	unsigned int i;

	keel->no_netdev = true;
	KUNIT_EXPECT_NULL(test, parq_port_alloc(keel->pd, 0));
	keel_expect(test, "");
	keel->no_netdev = false;
	for (i = 0; i < KEEL_AREAS; i++) {
		keel->memory = i;
		KUNIT_EXPECT_NULL(test, parq_port_alloc(keel->pd, 0));
		keel_expect(test, " rules");
		KUNIT_EXPECT_EQ(test, keel->areas, 0);
		KUNIT_EXPECT_EQ(test, keel->netdevs, 0);
	}
	/* There are no others. */
	keel->memory = KEEL_AREAS;
	keel_end(test, keel_new(test, 0));
}

/**
 * struct keel_defaults - what the defaults of a port depend on
 * @name: for people
 * @ports: of the device
 * @chans: channels of a port
 * @cpus: processors
 * @order: log2 of the largest ring
 * @speeds: BIT(enum parq_speed)
 * @num_chans: expected
 * @size: expected entries of rings
 * @speed: expected enum parq_speed
 */
struct keel_defaults {
	const char *name;
	unsigned int ports;
	unsigned int chans;
	int cpus;
	unsigned int order;
	u32 speeds;
	unsigned int num_chans;
	u32 size;
	unsigned int speed;
};

static const struct keel_defaults keel_defaults[] = {
	{ "a NIC", PARQ_NIC_PORTS, 8, 64, 13, BIT(1) | BIT(3), 4, PARQ_RING_DEFAULT, 3 },
	{ "few processors", 1, 8, 3, 13, BIT(2), 3, PARQ_RING_DEFAULT, 2 },
	{ "few channels", 1, 2, 64, 13, BIT(2), 2, PARQ_RING_DEFAULT, 2 },
	{ "small rings", 1, 8, 64, 6, BIT(0), 4, 64, 0 },
	{ "a switch", PARQ_NIC_PORTS + 1, 8, 64, 13, BIT(0) | BIT(1), 4, PARQ_RING_SWITCH, 1 },
	{ "a switch with small rings", PARQ_MAX_PORTS, 8, 64, 6, BIT(4), 4, 64, 4 },
	{ "a device that lies", 1, 8, 64, 13, 0, 4, PARQ_RING_DEFAULT, 0 },
};

static void keel_defaults_name(const struct keel_defaults *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(keel_defaults, keel_defaults, keel_defaults_name);

static void port_has_defaults(struct kunit *test)
{
	const struct keel_defaults *c = test->param_value;
	struct parq_port *port;
	unsigned int i;

	keel->pd->caps.ports = c->ports;
	keel->pd->caps.chans = c->chans;
	keel->pd->caps.ring_order = c->order;
	keel->cpus = c->cpus;
	keel->speeds = c->speeds;
	port = keel_new(test, 0);
	KUNIT_EXPECT_EQ(test, port->tx_size, c->size);
	KUNIT_EXPECT_EQ(test, port->rx_size, c->size);
	KUNIT_EXPECT_EQ(test, port->num_chans, c->num_chans);
	KUNIT_EXPECT_EQ(test, port->itr.rx_usecs, 20U);
	KUNIT_EXPECT_EQ(test, port->itr.tx_usecs, 20U);
	KUNIT_EXPECT_TRUE(test, port->link.autoneg);
	KUNIT_EXPECT_TRUE(test, port->link.full);
	KUNIT_EXPECT_EQ(test, port->speeds, c->speeds);
	KUNIT_EXPECT_EQ(test, port->link.adv, c->speeds);
	KUNIT_EXPECT_EQ(test, port->link.speed, c->speed);
	for (i = 0; i < PARQ_RSS_INDIR_LEN; i++)
		KUNIT_EXPECT_EQ(test, port->rss.indir[i], i % c->num_chans);
	KUNIT_EXPECT_NOT_NULL(test, memchr_inv(port->rss.key, 0, sizeof(port->rss.key)));
	keel_end(test, port);
}

/**
 * struct keel_features - features by capabilities
 * @name: for people
 * @caps: PARQ_CAP_*
 * @hw: that a user can change, besides those of each port
 * @vlan: that frames with a tag have, too
 * @fixed: always on
 */
struct keel_features {
	const char *name;
	u32 caps;
	netdev_features_t hw;
	netdev_features_t vlan;
	netdev_features_t fixed;
};

#define KEEL_CSUM	(NETIF_F_HW_CSUM | NETIF_F_RXCSUM)
#define KEEL_TSO	(NETIF_F_TSO | NETIF_F_TSO_ECN | NETIF_F_TSO6)
#define KEEL_VLAN	(NETIF_F_HW_VLAN_CTAG_TX | NETIF_F_HW_VLAN_CTAG_RX)

static const struct keel_features keel_features[] = {
	{ "none", 0 },
	{ "checksums", PARQ_CAP_CSUM, KEEL_CSUM, KEEL_CSUM },
	{ "segments without checksums", PARQ_CAP_TSO | PARQ_CAP_GRO },
	{ "segments", PARQ_CAP_CSUM | PARQ_CAP_TSO, KEEL_CSUM | KEEL_TSO, KEEL_CSUM | KEEL_TSO },
	{ "merged segments", PARQ_CAP_CSUM | PARQ_CAP_GRO, KEEL_CSUM | NETIF_F_GRO_HW, KEEL_CSUM },
	{ "hashes", PARQ_CAP_RSS, NETIF_F_RXHASH, NETIF_F_RXHASH },
	{ "tags", PARQ_CAP_VLAN, KEEL_VLAN },
	{ "rules", PARQ_CAP_RULES, .fixed = NETIF_F_NTUPLE },
};

static void keel_features_name(const struct keel_features *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(keel_features, keel_features, keel_features_name);

static void port_has_features(struct kunit *test)
{
	const struct keel_features *c = test->param_value;
	netdev_features_t hw = c->hw | NETIF_F_SG | NETIF_F_HW_TC;
	struct net_device *dev;
	struct parq_port *port;

	keel->pd->caps.flags = c->caps;
	port = keel_new(test, 0);
	dev = port->netdev;
	KUNIT_EXPECT_EQ(test, dev->hw_features, hw | NETIF_F_RXALL);
	KUNIT_EXPECT_EQ(test, dev->features, hw | c->fixed | NETIF_F_HIGHDMA);
	KUNIT_EXPECT_EQ(test, dev->vlan_features, c->vlan | NETIF_F_SG | NETIF_F_HIGHDMA);
	keel_end(test, port);
}

static void port_without_an_address(struct kunit *test)
{
	struct parq_port *port;

	keel->addr[0] = 1;
	port = keel_new(test, 2);
	KUNIT_EXPECT_FALSE(test, ether_addr_equal(port->netdev->dev_addr, keel->addr));
	KUNIT_EXPECT_TRUE(test, is_valid_ether_addr(port->netdev->dev_addr));
	KUNIT_EXPECT_NOT_NULL(test, strstr(keel->warning,
					   "port 2: 01:00:00:00:00:07 is not a valid MAC address"));
	keel_end(test, port);
}

static void firmware_names_the_port(struct kunit *test)
{
	static const struct {
		int num;
		const char *name;
		const char *is;
		const char *warning;
	} names[] = {
		{ 2, "swp2", "swp2", "" },
		{ 1, "swp2", "eth%d", "" },
		{ -ENODATA, "swp2", "eth%d", "" },
		{ 2, "", "eth%d", "" },
		{ 2, "swp%d", "eth%d", "port 1: 'swp%d' is no name for an interface\n" },
		{ 2, "a/b", "eth%d", "port 1: 'a/b' is no name for an interface\n" },
		{ 2, "a_name_of_16_char", "eth%d",
		  "port 1: 'a_name_of_16_char' is no name for an interface\n" },
	};
	struct parq_port *port;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		keel->names[0] = "swp1";
		keel->names[1] = names[i].name;
		keel->num_names = names[i].num;
		keel->warning[0] = 0;
		port = keel_new(test, 1);
		KUNIT_EXPECT_STREQ(test, port->netdev->name, names[i].is);
		KUNIT_EXPECT_EQ(test, port->netdev->name_assign_type,
				i ? NET_NAME_ENUM : NET_NAME_PREDICTABLE);
		KUNIT_EXPECT_STREQ(test, keel->warning, names[i].warning);
		keel_end(test, port);
	}
}

static void port_is_registered(struct kunit *test)
{
	struct parq_port *port = keel_new(test, 1);

	KUNIT_EXPECT_EQ(test, parq_port_register(port), 0);
	keel_expect(test, KEEL_UP);
#ifdef PARQ_HAVE_NETDEV_DEVLINK_PORT
	KUNIT_EXPECT_PTR_EQ(test, port->netdev->devlink_port, &port->devlink_port);
#endif
	parq_port_unregister(port);
	keel_expect(test, KEEL_DOWN);
	keel_end(test, port);
}

static void port_is_not_registered(struct kunit *test)
{
	static const struct {
		const char *fails;
		const char *calls;
	} steps[] = {
		{ "devlink", " devlink" },
		{ "queues", " devlink xdp queues devlink-fini" },
		{ "app", " devlink xdp queues app devlink-fini" },
		{ "register-eth%d",
		  " devlink xdp queues app register-eth%d app-fini devlink-fini" },
	};
	struct parq_port *port = keel_new(test, 1);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		keel->log.fails = steps[i].fails;
		KUNIT_EXPECT_EQ(test, parq_port_register(port), -EIO);
		keel_expect(test, steps[i].calls);
	}
	KUNIT_EXPECT_STREQ(test, keel->warning, "");
	keel_end(test, port);
}

/* The kernel then chooses the name. */
static void another_interface_has_the_name(struct kunit *test)
{
	struct parq_port *port;

	keel->names[0] = "swp1";
	keel->num_names = 1;
	keel->taken = "swp1";
	port = keel_new(test, 0);
	KUNIT_EXPECT_EQ(test, parq_port_register(port), 0);
	keel_expect(test, " devlink xdp queues app register-swp1 register-eth%d debugfs");
	KUNIT_EXPECT_STREQ(test, port->netdev->name, "eth%d");
	KUNIT_EXPECT_EQ(test, port->netdev->name_assign_type, NET_NAME_ENUM);
	KUNIT_EXPECT_STREQ(test, keel->warning, "port 0: there is an interface 'swp1' already\n");
	/* It has none. */
	keel->taken = "eth%d";
	KUNIT_EXPECT_EQ(test, parq_port_register(port), -EEXIST);
	keel_end(test, port);
}

static void features_change(struct kunit *test)
{
	const netdev_features_t some = NETIF_F_SG | NETIF_F_GRO_HW;
	struct parq_port *port = keel_new(test, 0);
	const struct net_device_ops *ops = port->netdev->netdev_ops;
	struct net_device *dev = port->netdev;

	KUNIT_EXPECT_EQ(test, ops->ndo_fix_features(dev, some), NETIF_F_SG);
	keel_expect(test, "");
	/* Filters that are in the device stay there. */
	keel->filters = true;
	KUNIT_EXPECT_EQ(test, ops->ndo_fix_features(dev, some | NETIF_F_HW_TC),
			NETIF_F_SG | NETIF_F_HW_TC);
	keel_expect(test, "");
	KUNIT_EXPECT_EQ(test, ops->ndo_fix_features(dev, some), NETIF_F_SG | NETIF_F_HW_TC);
	keel_expect(test, " hw-tc-offload off");
	KUNIT_EXPECT_STREQ(test, keel->reason, "filters of tc are in the device");
	KUNIT_EXPECT_EQ(test, ops->ndo_set_features(dev, some | NETIF_F_HW_TC), 0);
	keel_expect(test, "");
	KUNIT_EXPECT_EQ(test, keel->features, some | NETIF_F_HW_TC);
	KUNIT_EXPECT_EQ(test, ops->ndo_set_features(dev, some), 0);
	keel_expect(test, " tc-clear");
	KUNIT_EXPECT_EQ(test, keel->features, some);
	keel_end(test, port);
}

static struct kunit_case keel_cases[] = {
	KUNIT_CASE(port_is_made),
	KUNIT_CASE(memory_is_short),
	KUNIT_CASE_PARAM(port_has_defaults, keel_defaults_gen_params),
	KUNIT_CASE_PARAM(port_has_features, keel_features_gen_params),
	KUNIT_CASE(port_without_an_address),
	KUNIT_CASE(firmware_names_the_port),
	KUNIT_CASE(port_is_registered),
	KUNIT_CASE(port_is_not_registered),
	KUNIT_CASE(another_interface_has_the_name),
	KUNIT_CASE(features_change),
	{}
};

static struct kunit_suite keel_suite = {
	.name = "parq_port",
	.init = keel_init,
	.exit = keel_exit,
	.test_cases = keel_cases,
};

kunit_test_suite(keel_suite);

MODULE_DESCRIPTION("KUnit suite of the construction of ports");
MODULE_LICENSE("GPL");
