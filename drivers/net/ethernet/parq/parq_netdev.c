// SPDX-License-Identifier: GPL-2.0
/* Network devices: their life, their operations. */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "parq_chan.h"
#include "parq_ethtool.h"
#include "parq_faces.h"
#include "parq_headroom.h"
#include "parq_io.h"
#include "parq_kick.h"
#include "parq_link.h"
#include "parq_netdev.h"
#include "parq_stats.h"

#define PARQ_DEFAULT_CHANS	4
#define PARQ_DEFAULT_RX_USECS	20
#define PARQ_DEFAULT_TX_USECS	20

/* ---- Service ------------------------------------------------------------ */

/* Bits on the wire of @frames with @bytes, @more of which each has besides. */
static u64 parq_port_wire_bits(__le64 frames, __le64 bytes, unsigned int more)
{
	return 8 * (le64_to_cpu(bytes) + more * le64_to_cpu(frames));
}

static bool parq_port_wire_use(struct parq_port *port, struct parq_wire_use *use)
{
	const struct parq_stats *hw = parq_stats_get(port);
	unsigned int i;

	if (IS_ERR(hw))
		return false;
	use->ns = ktime_get_ns();
	/* 24 bytes are preamble, FCS and gap; the MAC counts the FCS itself. */
	use->bits = parq_port_wire_bits(hw->tx.frames, hw->tx.bytes, 20);
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		const struct parq_prio_stats *p = &hw->prio[i];

		use->prio[i] = parq_port_wire_bits(p->tx_frames, p->tx_bytes, 24);
		use->paused_ns[i] = le64_to_cpu(p->rx_pause_ns);
	}
	parq_stats_put(port);
	return true;
}

/* Return: BIT(priority) of those that have frames, and have completed none. */
static u8 parq_port_no_progress(struct parq_port *port)
{
	struct parq_starve *s = &port->starve;
	u32 pos[PARQ_NUM_PRIO] = {};
	u8 waiting = 0;
	unsigned int i;

	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		const struct parq_txq *q = port->txq[i];
		const struct parq_tx_ring *ring;

		if (!q)
			continue;
		ring = READ_ONCE(q->clean);
		/* The head of a ring that took another one's place began at 0. */
		pos[i % PARQ_NUM_PRIO] += READ_ONCE(ring->head) + (ring->seq << 16);
		if (!parq_tx_empty(q))
			waiting |= BIT(i % PARQ_NUM_PRIO);
	}
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (pos[i] != s->pos[i])
			waiting &= ~BIT(i);
	memcpy(s->pos, pos, sizeof(pos));
	return waiting;
}

/* To be called about once a second. The device is asked only if a priority waits. */
static void parq_port_find_starved(struct parq_port *port)
{
	u8 waiting = parq_port_no_progress(port), starved = 0;
	struct parq_starve *s = &port->starve;
	struct parq_wire_use now;
	struct parq_link link;
	unsigned int i;
	u32 kbit;

	/* parq_io_link_get() writes it in steps. */
	mutex_lock(&port->link_lock);
	link = port->state;
	mutex_unlock(&port->link_lock);
	kbit = 1000 * parq_headroom_mbps(link.speed);
	/* At another speed, or after a pause of the link, it begins to wait again. */
	if (kbit != s->kbit || !link.up || parq_pause_stopped(port))
		s->waits = 0;
	s->kbit = kbit;
	s->waits &= waiting;
	if (waiting && parq_port_wire_use(port, &now)) {
		for (i = 0; i < PARQ_NUM_PRIO; i++) {
			if (waiting & ~s->waits & BIT(i))
				s->since[i] = now;
			if ((s->waits & BIT(i)) &&
			    parq_starved(&port->sched.hw, port->pd->caps.chans, i,
					 kbit, &s->since[i], &now))
				starved |= BIT(i);
		}
		s->waits = waiting;
	}
	WRITE_ONCE(s->prios, starved);
}

/*
 * Return: priorities whose TX queues may wait for long: paused, slow by request, or
 * starved by stricter ones.
 */
static u8 parq_port_waiting(struct parq_port *port)
{
	u8 waiting = parq_pause_stopped(port) | READ_ONCE(port->starve.prios);
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		if (parq_pfc_paused(port, prio) || parq_sched_slow(port, prio))
			waiting |= BIT(prio);
	return waiting;
}

/*
 * The stack's watchdog takes a queue that is stopped for long as dead. One that
 * waits is not: it started when it was last seen waiting. Nor is one that is
 * stopped because it does not exist.
 */
static void parq_port_feed_watchdog(struct parq_port *port)
{
	struct net_device *dev = port->netdev;
	u8 waiting = parq_port_waiting(port);
	unsigned int i;

	for (i = 0; i < dev->num_tx_queues; i++)
		if (waiting & BIT(i % PARQ_NUM_PRIO) ||
		    !READ_ONCE(port->txq[i]))
			txq_trans_cond_update(netdev_get_tx_queue(dev, i));
}

/*
 * A smaller MTU reaches the device once no longer frame is under way, and then
 * receive buffers need less. If they cannot change now, the next look does it.
 */
static void parq_port_shrink_mru(struct parq_port *port)
{
	unsigned int mtu = port->netdev->mtu;
	char why[PARQ_DCB_WHY_LEN];

	if (port->mru != mtu && parq_chans_idle(port)) {
		port->mru = mtu;
		parq_io_max_frame(port, mtu);
	}
	parq_buffer_mtu(port, port->mru, why);
}

static void parq_port_service(struct work_struct *work)
{
	struct parq_port *port = container_of(to_delayed_work(work),
					      struct parq_port, service);
	unsigned long next = HZ;

	/* Asked for by who saw the port up, and late. */
	if (!parq_port_is_up(port))
		return;
	parq_port_feed_watchdog(port);
	parq_pfc_event(port);
	/* In case the event, or the read that it led to, was lost. */
	parq_link_check(port);
	/* Whoever stops this work holds rtnl and waits for it. */
	if (rtnl_trylock()) {
		parq_chans_service(port);
		parq_port_find_starved(port);
		parq_port_shrink_mru(port);
		rtnl_unlock();
	} else {
		next = msecs_to_jiffies(10);
	}
	queue_delayed_work(port->pd->wq, &port->service, next);
}

/* ---- Up and down -------------------------------------------------------- */

static u32 parq_rx_ctrl(const struct parq_port *port,
			netdev_features_t features)
{
	u32 ctrl = 0;

	if (port->rx_macctrl)
		ctrl |= PARQ_PORT_CTRL_RX_MACCTRL;
	if (features & NETIF_F_HW_VLAN_CTAG_RX)
		ctrl |= PARQ_PORT_CTRL_VLAN_STRIP;
	if (features & NETIF_F_RXCSUM)
		ctrl |= PARQ_PORT_CTRL_RX_CSUM;
	if (features & NETIF_F_RXALL)
		ctrl |= PARQ_PORT_CTRL_RX_FCS_ERR;
	if (features & NETIF_F_RXHASH)
		ctrl |= PARQ_PORT_CTRL_RX_HASH;
	return ctrl;
}

#define PARQ_RX_CTRL							\
	(PARQ_PORT_CTRL_VLAN_STRIP | PARQ_PORT_CTRL_RX_CSUM |		\
	 PARQ_PORT_CTRL_RX_FCS_ERR | PARQ_PORT_CTRL_RX_MACCTRL |	\
	 PARQ_PORT_CTRL_RX_HASH)

void parq_port_rx_ctrl(struct parq_port *port, netdev_features_t features)
{
	parq_io_port_ctrl(port, PARQ_RX_CTRL, parq_rx_ctrl(port, features));
}

/* Return: number of addresses that need a filter, which are put into @want. */
static unsigned int parq_rx_wanted(const struct net_device *dev,
				   const u8 *want[PARQ_NUM_FILTERS], u32 *ctrl)
{
	unsigned int uc = netdev_uc_count(dev), mc = netdev_mc_count(dev), n = 0;
	struct netdev_hw_addr *ha;

	*ctrl = 0;
	if (dev->flags & IFF_PROMISC || uc > PARQ_NUM_FILTERS)
		*ctrl |= PARQ_PORT_CTRL_PROMISC;
	if (dev->flags & IFF_ALLMULTI || uc + mc > PARQ_NUM_FILTERS)
		*ctrl |= PARQ_PORT_CTRL_ALLMULTI;
	if (!(*ctrl & PARQ_PORT_CTRL_PROMISC))
		netdev_for_each_uc_addr(ha, dev)
			want[n++] = ha->addr;
	if (!(*ctrl & PARQ_PORT_CTRL_ALLMULTI))
		netdev_for_each_mc_addr(ha, dev)
			want[n++] = ha->addr;
	return n;
}

/*
 * No frame that was wanted before and still is may be missed meanwhile: whatever
 * accepts more is switched on first and off last, and an address keeps its filter.
 */
static void parq_set_rx_mode(struct net_device *dev)
{
	const u32 modes = PARQ_PORT_CTRL_PROMISC | PARQ_PORT_CTRL_ALLMULTI;
	struct parq_port *port = netdev_priv(dev);
	const u8 *want[PARQ_NUM_FILTERS];
	unsigned int n;
	u32 ctrl;

	n = parq_rx_wanted(dev, want, &ctrl);
	parq_io_port_ctrl(port, 0, ctrl);
	parq_io_filters_set(port, want, n);
	parq_io_port_ctrl(port, modes & ~ctrl, 0);
}

/* All that a reset of the device forgets, whether there was one or not. */
static void parq_port_configure(struct parq_port *port)
{
	struct net_device *dev = port->netdev;

	parq_io_status_set(port);
	parq_io_mac_set(port, dev->dev_addr);
	port->mru = dev->mtu;
	parq_io_max_frame(port, dev->mtu);
	parq_io_rss_set(port);
	netif_addr_lock_bh(dev);
	parq_set_rx_mode(dev);
	netif_addr_unlock_bh(dev);
}

/**
 * parq_port_up() - bring a port into operation
 * @port: port that is down
 *
 * Rungs: alloc, enable, fill, up.
 *
 * Context: under rtnl.
 * Return: 0, or an error and the port is down as before.
 */
int parq_port_up(struct parq_port *port)
{
	struct net_device *dev = port->netdev;
	int err;

	parq_port_configure(port);
	err = parq_prio_open(port);
	if (err)
		return err;
	err = parq_chans_open(port);
	if (err)
		return err;
	err = parq_pfc_open(port);
	if (err)
		goto close_chans;
	/* Whatever was found stuck before no longer exists. */
	bitmap_zero(port->stuck_tx, PARQ_MAX_TXQ);
	bitmap_zero(port->stuck_rx, PARQ_MAX_RXQ);
	memset(&port->starve, 0, sizeof(port->starve));
	err = parq_chans_up(port);
	if (err)
		goto close_pfc;

	parq_io_port_ctrl(port, PARQ_RX_CTRL,
			  parq_rx_ctrl(port, dev->features) |
			  PARQ_PORT_CTRL_EN);
	set_bit(PARQ_PORT_UP, &port->flags);
	parq_link_phy(port, true);
	parq_chans_wake(port);
	parq_link_check(port);
	queue_delayed_work(port->pd->wq, &port->service, HZ);
	return 0;

close_pfc:
	parq_io_port_ctrl(port, PARQ_PORT_CTRL_EN, 0);
	parq_pfc_close(port);
close_chans:
	parq_chans_close(port);
	return err;
}

/**
 * parq_port_down() - take a port out of operation
 * @port: port; nothing happens if it is down already
 *
 * Rungs: down, disable, flush, free. Frames that have not been sent are
 * dropped and counted, parked ones too. Nothing waits for the device.
 *
 * Context: under rtnl.
 */
void parq_port_down(struct parq_port *port)
{
	struct net_device *dev = port->netdev;

	if (!test_and_clear_bit(PARQ_PORT_UP, &port->flags))
		return;
	cancel_delayed_work_sync(&port->service);
	parq_link_phy(port, false);
	parq_link_check(port);

	parq_io_port_ctrl(port, PARQ_PORT_CTRL_EN, 0);
	parq_chans_down(port);
	/* Not before: a completion could wake a queue again. */
	netif_tx_disable(dev);
	parq_pfc_close(port);
	parq_chans_close(port);
}

/**
 * parq_port_attach() - undo netif_device_detach()
 * @port: port that is up, or not running
 *
 * netif_device_attach() wakes all queues, even those that do not exist. They are
 * frozen until those are stopped again.
 *
 * Context: under rtnl.
 */
void parq_port_attach(struct parq_port *port)
{
	struct net_device *dev = port->netdev;
	unsigned int i;

	netif_tx_lock_bh(dev);
	netif_device_attach(dev);
	for (i = 0; i < dev->num_tx_queues; i++)
		if (!port->txq[i])
			netif_tx_stop_queue(netdev_get_tx_queue(dev, i));
	netif_tx_unlock_bh(dev);
}

/* ---- Operations --------------------------------------------------------- */

static int parq_open(struct net_device *dev)
{
	return parq_port_up(netdev_priv(dev));
}

static int parq_stop(struct net_device *dev)
{
	parq_port_down(netdev_priv(dev));
	return 0;
}

/* The device goes over to the address between two frames. */
static int parq_set_mac_address(struct net_device *dev, void *addr)
{
	int err = eth_prepare_mac_addr_change(dev, addr);

	if (err)
		return err;
	eth_commit_mac_addr_change(dev, addr);
	parq_io_mac_set(netdev_priv(dev), dev->dev_addr);
	return 0;
}

/* While the port is down no frame is under way, and any MTU may be had at once. */
static int parq_change_mtu(struct net_device *dev, int mtu)
{
	struct parq_port *port = netdev_priv(dev);
	char why[PARQ_DCB_WHY_LEN];
	int err;

	if (mtu > port->mru || !parq_port_is_up(port)) {
		err = parq_buffer_mtu(port, mtu, why);
		if (err) {
			netdev_err(dev, "MTU %d refused: %s\n", mtu, why);
			return err;
		}
		port->mru = mtu;
		parq_io_max_frame(port, mtu);
	}
	WRITE_ONCE(dev->mtu, mtu);
	parq_kick_service(port, 0);
	return 0;
}

static int parq_set_features(struct net_device *dev, netdev_features_t features)
{
	struct parq_port *port = netdev_priv(dev);

	parq_port_rx_ctrl(port, features);
	/* From now on the stack does not say when the qdisc goes. */
	if (!(features & NETIF_F_HW_TC))
		parq_qdisc_ets_clear(port);
	return 0;
}

static void parq_get_stats64(struct net_device *dev,
			     struct rtnl_link_stats64 *s)
{
	parq_stats_link(netdev_priv(dev), s);
}

static void parq_tx_timeout(struct net_device *dev, unsigned int index)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_tx_stats *stats = &port->tx_stats[index];

	if (!READ_ONCE(port->txq[index]) ||
	    parq_port_waiting(port) & BIT(index % PARQ_NUM_PRIO)) {
		txq_trans_cond_update(netdev_get_tx_queue(dev, index));
		return;
	}
	netdev_err(dev, "TX queue %u, priority %u: no completion for %u ms\n",
		   index, index % PARQ_NUM_PRIO,
		   jiffies_to_msecs(dev->watchdog_timeo));
	u64_stats_update_begin(&stats->xmit_sync);
	u64_stats_inc(&stats->timeouts);
	u64_stats_update_end(&stats->xmit_sync);
	parq_kick_stuck(port, false, index);
}

static __maybe_unused struct devlink_port *
parq_get_devlink_port(struct net_device *dev)
{
	struct parq_port *port = netdev_priv(dev);

	return &port->devlink_port;
}

static const struct net_device_ops parq_netdev_ops = {
	.ndo_open = parq_open,
	.ndo_stop = parq_stop,
	.ndo_start_xmit = parq_tx_xmit,
	.ndo_select_queue = parq_tx_select_queue,
	.ndo_features_check = parq_tx_features_check,
	.ndo_set_rx_mode = parq_set_rx_mode,
	.ndo_set_mac_address = parq_set_mac_address,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_change_mtu = parq_change_mtu,
	.ndo_set_features = parq_set_features,
	.ndo_get_stats64 = parq_get_stats64,
	.ndo_tx_timeout = parq_tx_timeout,
	.ndo_setup_tc = parq_setup_tc,
	PARQ_COMPAT_NDO_DEVLINK_PORT(parq_get_devlink_port)
};

/* ---- Life --------------------------------------------------------------- */

static void parq_port_features(struct net_device *dev, u32 caps)
{
	dev->hw_features = NETIF_F_SG | NETIF_F_RXALL;
	if (caps & PARQ_CAP_CSUM)
		dev->hw_features |= NETIF_F_HW_CSUM | NETIF_F_RXCSUM;
	if (caps & PARQ_CAP_CSUM && caps & PARQ_CAP_TSO)
		dev->hw_features |= NETIF_F_TSO | NETIF_F_TSO_ECN |
				    NETIF_F_TSO6;
	if (caps & PARQ_CAP_RSS)
		dev->hw_features |= NETIF_F_RXHASH;
	dev->vlan_features = dev->hw_features & ~NETIF_F_RXALL;
	if (caps & PARQ_CAP_VLAN)
		dev->hw_features |= NETIF_F_HW_VLAN_CTAG_TX |
				    NETIF_F_HW_VLAN_CTAG_RX;
	dev->hw_features |= NETIF_F_HW_TC;
	dev->vlan_features |= NETIF_F_HIGHDMA;
	dev->features = (dev->hw_features & ~NETIF_F_RXALL) | NETIF_F_HIGHDMA;
	netif_set_tso_max_segs(dev, PARQ_TX_MAX_SEGS);
}

static void parq_port_defaults(struct parq_port *port)
{
	struct parq_dev *pd = port->pd;
	u32 size = BIT(pd->caps.ring_order);
	unsigned int i;

	port->tx_size = min_t(u32, PARQ_RING_DEFAULT, size);
	port->rx_size = min_t(u32, PARQ_RING_DEFAULT, size);
	port->rx_usecs = PARQ_DEFAULT_RX_USECS;
	port->tx_usecs = PARQ_DEFAULT_TX_USECS;
	port->num_chans = min3(num_online_cpus(), pd->caps.chans,
			       (unsigned int)PARQ_DEFAULT_CHANS);
	port->link.autoneg = true;
	port->link.full = true;
	port->link.adv = port->speeds;
	port->link.speed = __fls(port->speeds | 1);
	netdev_rss_key_fill(port->rss_key, sizeof(port->rss_key));
	for (i = 0; i < PARQ_RSS_INDIR_LEN; i++)
		port->rss_indir[i] = i % port->num_chans;
}

static void parq_port_address(struct parq_port *port)
{
	u8 addr[ETH_ALEN];

	parq_io_port_addr(port, addr);
	if (is_valid_ether_addr(addr)) {
		eth_hw_addr_set(port->netdev, addr);
		return;
	}
	eth_hw_addr_random(port->netdev);
	dev_warn(port->pd->dev, "port %u: %pM is no station address, now %pM\n",
		 port->index, addr, port->netdev->dev_addr);
}

static void parq_port_mem_free(struct parq_port *port)
{
	struct device *dev = port->pd->dev;

	kfree(port->hw_sum);
	kfree(port->hw_base);
	kfree(port->rx_stats);
	kfree(port->tx_stats);
	if (port->hw_stats)
		dma_free_coherent(dev, sizeof(*port->hw_stats), port->hw_stats,
				  port->hw_stats_dma);
	if (port->status)
		dma_free_coherent(dev, PARQ_STATUS_PAGE_SIZE, port->status,
				  port->status_dma);
}

static int parq_port_mem_alloc(struct parq_port *port)
{
	struct device *dev = port->pd->dev;
	unsigned int i;

	port->status = dma_alloc_coherent(dev, PARQ_STATUS_PAGE_SIZE,
					  &port->status_dma, GFP_KERNEL);
	port->hw_stats = dma_alloc_coherent(dev, sizeof(*port->hw_stats),
					    &port->hw_stats_dma, GFP_KERNEL);
	port->tx_stats = kcalloc(PARQ_MAX_TXQ, sizeof(*port->tx_stats),
				 GFP_KERNEL);
	port->rx_stats = kcalloc(PARQ_MAX_RXQ, sizeof(*port->rx_stats),
				 GFP_KERNEL);
	port->hw_base = kzalloc_obj(*port->hw_base);
	port->hw_sum = kzalloc_obj(*port->hw_sum);
	if (!port->status || !port->hw_stats || !port->tx_stats ||
	    !port->rx_stats || !port->hw_base || !port->hw_sum) {
		parq_port_mem_free(port);
		return -ENOMEM;
	}
	for (i = 0; i < PARQ_MAX_TXQ; i++) {
		u64_stats_init(&port->tx_stats[i].sync);
		u64_stats_init(&port->tx_stats[i].xmit_sync);
	}
	for (i = 0; i < PARQ_MAX_RXQ; i++)
		u64_stats_init(&port->rx_stats[i].sync);
	return 0;
}

static void parq_port_netdev(struct parq_port *port)
{
	struct net_device *dev = port->netdev;

	SET_NETDEV_DEV(dev, port->pd->dev);
	dev->dev_port = port->index;
	dev->netdev_ops = &parq_netdev_ops;
	dev->ethtool_ops = &parq_ethtool_ops;
	parq_stats_netdev(dev);
	dev->watchdog_timeo = 5 * HZ;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = PARQ_MTU_MAX;
	dev->priv_flags |= IFF_UNICAST_FLT | IFF_LIVE_ADDR_CHANGE;
	parq_port_features(dev, port->pd->caps.flags);
	parq_port_address(port);
	netif_carrier_off(dev);
	/* Until parq_chans_wake(). */
	netif_tx_stop_all_queues(dev);
}

/**
 * parq_port_alloc() - make a port and its netdev, which stays unregistered
 * @pd: device that has just been reset
 * @index: of the port
 *
 * Return: the port, or NULL without memory.
 */
struct parq_port *parq_port_alloc(struct parq_dev *pd, unsigned int index)
{
	struct net_device *dev;
	struct parq_port *port;

	dev = alloc_etherdev_mqs(sizeof(*port), pd->caps.chans * PARQ_NUM_PRIO,
				 pd->caps.chans);
	if (!dev)
		return NULL;
	port = netdev_priv(dev);
	port->netdev = dev;
	port->pd = pd;
	port->index = index;
	spin_lock_init(&port->ctrl_lock);
	mutex_init(&port->link_lock);
	mutex_init(&port->stats_lock);
	INIT_DELAYED_WORK(&port->service, parq_port_service);
	if (parq_port_mem_alloc(port))
		goto free_netdev;

	parq_io_port_init(port);
	port->speeds = parq_io_port_speeds(port);
	parq_port_defaults(port);
	parq_port_netdev(port);
	parq_pfc_init(port);
	parq_prio_init(port);
	parq_sched_init(port);
	parq_dcbnl_init(port);
	return port;

free_netdev:
	free_netdev(dev);
	return NULL;
}

void parq_port_free(struct parq_port *port)
{
	/* Whoever could ask for it has gone. */
	cancel_delayed_work_sync(&port->service);
	parq_pfc_fini(port);
	mutex_destroy(&port->stats_lock);
	mutex_destroy(&port->link_lock);
	parq_port_mem_free(port);
	free_netdev(port->netdev);
}

/**
 * parq_port_register() - give a port to the user
 * @port: port of a device whose events run
 *
 * Return: 0 or an error, the port is unregistered then.
 */
int parq_port_register(struct parq_port *port)
{
	struct net_device *dev = port->netdev;
	int err;

	err = parq_devlink_port_register(port);
	if (err)
		return err;
	parq_compat_devlink_port_set(dev, &port->devlink_port);
	err = netif_set_real_num_queues(dev, port->num_chans * PARQ_NUM_PRIO,
					port->num_chans);
	if (err)
		goto unregister_port;
	err = parq_dcbnl_register(port);
	if (err)
		goto unregister_port;
	err = register_netdev(dev);
	if (err)
		goto unregister_dcbnl;
	parq_compat_devlink_port_up(dev, &port->devlink_port);
	parq_debugfs_port_init(port);
	return 0;

unregister_dcbnl:
	parq_dcbnl_unregister(port);
unregister_port:
	parq_devlink_port_unregister(port);
	return err;
}

void parq_port_unregister(struct parq_port *port)
{
	parq_debugfs_port_fini(port);
	parq_compat_devlink_port_down(&port->devlink_port);
	unregister_netdev(port->netdev);
	parq_dcbnl_unregister(port);
	parq_devlink_port_unregister(port);
}
