// SPDX-License-Identifier: GPL-2.0
/* Network devices: up, down, and the operations of the stack. */
#include <linux/etherdevice.h>

#include "parq_chan.h"
#include "parq_io.h"
#include "parq_log.h"
#include "parq_port.h"
#include "parq_rule.h"
#include "parq_stats.h"
#include "parq_switch.h"
#include "parq_xdp.h"
#include "parq_xsk.h"

/* ---- Up and down -------------------------------------------------------- */

static u32 parq_netdev_rx_bits(const struct parq_port *port,
			       netdev_features_t features)
{
	u32 ctrl = 0;

	/* The stack merges no segment that has padding behind it. */
	if (port->pd->caps.flags & PARQ_CAP_UNPAD)
		ctrl |= PARQ_PORT_CTRL_RX_UNPAD;
	if (port->rx_stamps)
		ctrl |= PARQ_PORT_CTRL_RX_STAMP;
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
	if (features & NETIF_F_GRO_HW)
		ctrl |= PARQ_PORT_CTRL_RX_GRO;
	return ctrl;
}

#define PARQ_RX_CTRL							\
	(PARQ_PORT_CTRL_VLAN_STRIP | PARQ_PORT_CTRL_RX_CSUM |		\
	 PARQ_PORT_CTRL_RX_FCS_ERR | PARQ_PORT_CTRL_RX_MACCTRL |	\
	 PARQ_PORT_CTRL_RX_HASH | PARQ_PORT_CTRL_RX_GRO |		\
	 PARQ_PORT_CTRL_RX_STAMP | PARQ_PORT_CTRL_RX_UNPAD)

void parq_netdev_rx_ctrl(struct parq_port *port, netdev_features_t features)
{
	parq_io_port_ctrl(port, PARQ_RX_CTRL,
			  parq_netdev_rx_bits(port, features));
}

/* Stores the addresses that need a filter in @want. Return: their number. */
static unsigned int parq_netdev_rx_wanted(unsigned int flags,
					  const struct netdev_hw_addr_list *uc,
					  const struct netdev_hw_addr_list *mc,
					  const u8 *want[PARQ_NUM_FILTERS],
					  u32 *ctrl)
{
	const struct netdev_hw_addr *ha;
	unsigned int n = 0;

	*ctrl = 0;
	if (flags & IFF_PROMISC || uc->count > PARQ_NUM_FILTERS)
		*ctrl |= PARQ_PORT_CTRL_PROMISC;
	if (flags & IFF_ALLMULTI || uc->count + mc->count > PARQ_NUM_FILTERS)
		*ctrl |= PARQ_PORT_CTRL_ALLMULTI;
	if (!(*ctrl & PARQ_PORT_CTRL_PROMISC))
		netdev_hw_addr_list_for_each(ha, uc)
			want[n++] = ha->addr;
	if (!(*ctrl & PARQ_PORT_CTRL_ALLMULTI))
		netdev_hw_addr_list_for_each(ha, mc)
			want[n++] = ha->addr;
	return n;
}

/*
 * A frame that is accepted before and after the change must be accepted all the time. So
 * wider reception is switched on first and off last, and an address keeps its filter.
 */
static void parq_netdev_rx_mode(struct parq_port *port,
				const struct netdev_hw_addr_list *uc,
				const struct netdev_hw_addr_list *mc)
{
	const u32 modes = PARQ_PORT_CTRL_PROMISC | PARQ_PORT_CTRL_ALLMULTI;
	const u8 *want[PARQ_NUM_FILTERS];
	unsigned int n;
	u32 ctrl;

	n = parq_netdev_rx_wanted(port->netdev->flags, uc, mc, want, &ctrl);
	parq_io_port_ctrl(port, 0, ctrl);
	parq_io_filters_set(port, want, n);
	parq_io_port_ctrl(port, modes & ~ctrl, 0);
}

#ifdef PARQ_HAVE_RX_MODE_ASYNC
int parq_netdev_set_rx_mode_async(struct net_device *dev, struct netdev_hw_addr_list *uc,
				  struct netdev_hw_addr_list *mc)
{
	parq_netdev_rx_mode(netdev_priv(dev), uc, mc);
	return 0;
}
#else
void parq_netdev_set_rx_mode(struct net_device *dev)
{
	parq_netdev_rx_mode(netdev_priv(dev), &dev->uc, &dev->mc);
}
#endif

/* Sets all registers that a reset clears, even if there was no reset. */
static void parq_netdev_configure(struct parq_port *port)
{
	struct net_device *dev = port->netdev;

	parq_io_status_set(port);
	parq_io_mac_set(port, dev->dev_addr);
	port->mru = dev->mtu;
	parq_io_max_frame(port, dev->mtu);
	parq_io_steer_set(port);
	parq_flower_up(port);
	parq_rules_restore(port);
	netif_addr_lock_bh(dev);
	parq_netdev_rx_mode(port, &dev->uc, &dev->mc);
	netif_addr_unlock_bh(dev);
}

/**
 * parq_netdev_up() - bring a port into operation
 * @port: port that is down
 *
 * Allocates rings, enables queues, fills receive rings, and then lets the stack send.
 *
 * Context: ops lock.
 * Return: 0, or an error and the port is down as before.
 */
int parq_netdev_up(struct parq_port *port)
{
	struct net_device *dev = port->netdev;
	int err;

	netdev_assert_locked_ops_compat(dev);
	parq_netdev_configure(port);
	err = parq_prio_open(port);
	if (err)
		return err;
	err = parq_chans_open(port);
	if (err)
		return err;
	err = parq_pfc_open(port);
	if (err)
		goto close_chans;
	/* Queues that were stuck have been freed. */
	bitmap_zero(port->stuck_tx, PARQ_MAX_TXQ);
	bitmap_zero(port->stuck_rx, PARQ_MAX_RXQ);
	bitmap_zero(port->waits_tx, PARQ_MAX_TXQ);
	err = parq_chans_up(port);
	if (err)
		goto close_pfc;

	parq_io_port_ctrl(port, PARQ_RX_CTRL,
			  parq_netdev_rx_bits(port, dev->features) |
			  PARQ_PORT_CTRL_EN);
	port->service_at = jiffies;
	set_bit(PARQ_PORT_UP, &port->flags);
	parq_switch_port_up(port);
	parq_link_phy(port, true);
	parq_chans_wake(port);
	parq_link_check(port);
	queue_delayed_work(port->pd->wq, &port->service, HZ);
	return 0;

close_pfc:
	parq_pfc_close(port);
close_chans:
	parq_chans_close(port);
	return err;
}

/**
 * parq_netdev_down() - take a port out of operation
 * @port: port; nothing happens if it is down already
 *
 * Takes the link down, disables the queues, and then frees the rings. Frames that have not
 * been sent, parked ones included, are dropped and counted. Nothing waits for the device.
 *
 * Context: ops lock.
 */
void parq_netdev_down(struct parq_port *port)
{
	struct net_device *dev = port->netdev;

	netdev_assert_locked_ops_compat(dev);
	if (!test_and_clear_bit(PARQ_PORT_UP, &port->flags))
		return;
	cancel_delayed_work_sync(&port->service);
	parq_link_phy(port, false);
	parq_link_check(port);

	parq_io_port_ctrl(port, PARQ_PORT_CTRL_EN, 0);
	parq_flower_down(port);
	parq_switch_port_down(port);
	parq_chans_down(port);
	/* Only now: before, a completion could wake a queue again. */
	netif_tx_disable(dev);
	parq_pfc_close(port);
	parq_chans_close(port);
}

/**
 * parq_netdev_attach() - undo netif_device_detach()
 * @port: port that is up, or not running
 *
 * netif_device_attach() wakes all queues, even those that do not exist. All queues are
 * frozen until these are stopped again.
 *
 * Context: ops lock.
 */
void parq_netdev_attach(struct parq_port *port)
{
	struct net_device *dev = port->netdev;
	unsigned int i;

	netdev_assert_locked_ops_compat(dev);
	netif_tx_lock_bh(dev);
	netif_device_attach(dev);
	for (i = 0; i < dev->num_tx_queues; i++)
		if (!port->txq[i])
			netif_tx_stop_queue(netdev_get_tx_queue(dev, i));
	netif_tx_unlock_bh(dev);
	/* Senders for which a queue was stopped are told by nobody else. */
	for (i = 0; i < PARQ_MAX_CHANS; i++)
		parq_xsk_kick(port, i);
	/* Addresses that came while the netdev was detached. */
	netif_addr_lock_bh(dev);
	parq_netdev_rx_mode(port, &dev->uc, &dev->mc);
	netif_addr_unlock_bh(dev);
}

/* ---- Operations --------------------------------------------------------- */

int parq_netdev_open(struct net_device *dev)
{
	return parq_netdev_up(netdev_priv(dev));
}

int parq_netdev_stop(struct net_device *dev)
{
	struct parq_port *port = netdev_priv(dev);

	parq_netdev_down(port);
	/* Removed channels have gone. */
	netif_set_real_num_queues(dev, port->num_chans * PARQ_NUM_PRIO, port->num_chans);
	return 0;
}

/* The device changes the address between two frames. */
int parq_netdev_set_mac_address(struct net_device *dev, void *addr)
{
	int err = eth_prepare_mac_addr_change(dev, addr);

	if (err)
		return err;
	eth_commit_mac_addr_change(dev, addr);
	parq_io_mac_set(netdev_priv(dev), dev->dev_addr);
	return 0;
}

/* While the port is down no frame is under way, so any MTU can be set at once. */
int parq_netdev_change_mtu(struct net_device *dev, int mtu)
{
	struct parq_port *port = netdev_priv(dev);
	char reason[PARQ_REASON_LEN] = "";
	char what[sizeof("MTU 65535")];
	int err;

	snprintf(what, sizeof(what), "MTU %u", (u16)mtu);
	if (!parq_xdp_mtu_fits(port, mtu))
		return parq_refuse(dev, NULL, what,
				   "the XDP program has no xdp.frags", -EINVAL);
	if (!parq_xsk_mtu_fits(port, mtu, reason))
		return parq_refuse(dev, NULL, what, reason, -EINVAL);
	if (mtu > port->mru || !parq_port_is_up(port)) {
		err = parq_buf_mtu(port, mtu, reason);
		if (err)
			return parq_refuse(dev, NULL, what, reason, err);
		port->mru = mtu;
		parq_io_max_frame(port, mtu);
	}
	WRITE_ONCE(dev->mtu, mtu);
	parq_kick_service(port, 0);
	return 0;
}

void parq_netdev_get_stats64(struct net_device *dev,
			     struct rtnl_link_stats64 *s)
{
	parq_stats_link(netdev_priv(dev), s);
	parq_switch_link_stats(netdev_priv(dev), s);
}

void parq_netdev_tx_timeout(struct net_device *dev, unsigned int index)
{
	struct parq_port *port = netdev_priv(dev);

	if (parq_service_waits(port, index))
		txq_trans_cond_update(netdev_get_tx_queue(dev, index));
	else
		parq_service_tx_stuck(port, index);
}

int parq_netdev_bpf(struct net_device *dev, struct netdev_bpf *bpf)
{
	switch (bpf->command) {
	case XDP_SETUP_PROG:
		return parq_xdp_setup(dev, bpf->prog, bpf->extack);
	case XDP_SETUP_XSK_POOL:
		return parq_xsk_setup(dev, bpf->xsk.pool, bpf->xsk.queue_id);
	default:
		return -EINVAL;
	}
}
