// SPDX-License-Identifier: GPL-2.0
/*
 * Construction of ports: memory, features, the stack's operations, registration. This is
 * the top of a port's code.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/property.h>
#include <linux/slab.h>

#include "parq.h"
#include "parq_dcbnl.h"
#include "parq_dev.h"
#include "parq_ethtool.h"
#include "parq_ets.h"
#include "parq_io.h"
#include "parq_log.h"
#include "parq_port.h"
#include "parq_ptp.h"
#include "parq_rule.h"
#include "parq_stats.h"
#include "parq_tx.h"
#include "parq_xdp.h"
#include "parq_xsk.h"

#define PARQ_DEFAULT_CHANS	4
#define PARQ_DEFAULT_RX_USECS	20
#define PARQ_DEFAULT_TX_USECS	20

/* ---- Operations --------------------------------------------------------- */

/* Other features may change all the same. */
static netdev_features_t parq_port_fix_features(struct net_device *dev,
						netdev_features_t features)
{
	if (!(features & NETIF_F_HW_TC) && parq_flower_offloaded(netdev_priv(dev))) {
		parq_refuse(dev, NULL, "hw-tc-offload off", "filters of tc are in the device",
			    -EBUSY);
		features |= NETIF_F_HW_TC;
	}
	return parq_xdp_fix_features(dev, features);
}

static int parq_port_set_features(struct net_device *dev, netdev_features_t features)
{
	struct parq_port *port = netdev_priv(dev);

	parq_netdev_rx_ctrl(port, features);
	/* From now on the stack does not report the removal of the qdisc. */
	if (!(features & NETIF_F_HW_TC))
		parq_tc_clear(port);
	return 0;
}

#ifndef PARQ_HAVE_NETDEV_DEVLINK_PORT
static struct devlink_port *parq_port_get_devlink(struct net_device *dev)
{
	struct parq_port *port = netdev_priv(dev);

	return &port->devlink_port;
}
#endif

static const struct net_device_ops parq_netdev_ops = {
	.ndo_open = parq_netdev_open,
	.ndo_stop = parq_netdev_stop,
	.ndo_start_xmit = parq_tx_xmit,
	.ndo_select_queue = parq_tx_select_queue,
	.ndo_features_check = parq_tx_features_check,
#ifdef PARQ_HAVE_RX_MODE_ASYNC
	.ndo_set_rx_mode_async = parq_netdev_set_rx_mode_async,
#else
	.ndo_set_rx_mode = parq_netdev_set_rx_mode,
#endif
	.ndo_set_mac_address = parq_netdev_set_mac_address,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_change_mtu = parq_netdev_change_mtu,
	.ndo_set_features = parq_port_set_features,
	.ndo_fix_features = parq_port_fix_features,
	.ndo_get_stats64 = parq_netdev_get_stats64,
	.ndo_tx_timeout = parq_netdev_tx_timeout,
	.ndo_setup_tc = parq_tc_setup,
	.ndo_bpf = parq_netdev_bpf,
#ifdef PARQ_HAVE_NDO_HWTSTAMP
	.ndo_hwtstamp_get = parq_ptp_hwtstamp_get,
	.ndo_hwtstamp_set = parq_ptp_hwtstamp_set,
#else
	.ndo_eth_ioctl = parq_ptp_ioctl,
#endif
	.ndo_xdp_xmit = parq_xdp_xmit,
	.ndo_xsk_wakeup = parq_xsk_wakeup,
#ifndef PARQ_HAVE_NETDEV_DEVLINK_PORT
	.ndo_get_devlink_port = parq_port_get_devlink,
#endif
};

/* ---- Memory and defaults ------------------------------------------------ */

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
	if (caps & PARQ_CAP_CSUM && caps & PARQ_CAP_GRO)
		dev->hw_features |= NETIF_F_GRO_HW;
	if (caps & PARQ_CAP_VLAN)
		dev->hw_features |= NETIF_F_HW_VLAN_CTAG_TX |
				    NETIF_F_HW_VLAN_CTAG_RX;
	dev->hw_features |= NETIF_F_HW_TC;
	dev->vlan_features |= NETIF_F_HIGHDMA;
	dev->features = (dev->hw_features & ~NETIF_F_RXALL) | NETIF_F_HIGHDMA;
	if (caps & PARQ_CAP_RULES)
		dev->features |= NETIF_F_NTUPLE;
	netif_set_tso_max_segs(dev, PARQ_TX_MAX_SEGS);
}

static void parq_port_defaults(struct parq_port *port)
{
	struct parq_dev *pd = port->pd;
	u32 size = min_t(u32, pd->caps.ports > PARQ_NIC_PORTS ?
			 PARQ_RING_SWITCH : PARQ_RING_DEFAULT,
			 BIT(pd->caps.ring_order));

	port->tx_size = size;
	port->rx_size = size;
	port->itr.rx_usecs = PARQ_DEFAULT_RX_USECS;
	port->itr.tx_usecs = PARQ_DEFAULT_TX_USECS;
	port->num_chans = min3(netif_get_num_default_rss_queues(), (int)pd->caps.chans,
			       PARQ_DEFAULT_CHANS);
	port->link.autoneg = true;
	port->link.full = true;
	port->link.adv = port->speeds;
	port->link.speed = __fls(port->speeds | 1);
	netdev_rss_key_fill(port->rss.key, sizeof(port->rss.key));
	parq_rss_spread(&port->rss, port->num_chans);
	parq_ethtool_rss_default(&port->rss);
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
	dev_warn(port->pd->dev, "port %u: %pM is not a valid MAC address, using random %pM\n",
		 port->index, addr, port->netdev->dev_addr);
}

static void parq_port_mem_free(struct parq_port *port)
{
	struct device *dev = port->pd->dev;
	unsigned int i;

	for (i = 0; i < PARQ_NUM_RSS_CTX; i++)
		kfree(port->ctx[i]);
	kfree(port->stats.sum);
	kfree(port->stats.base);
	kfree(port->rx_stats);
	kfree(port->tx_stats);
	if (port->stats.block)
		dma_free_coherent(dev, sizeof(*port->stats.block), port->stats.block,
				  port->stats.dma);
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
	port->stats.block = dma_alloc_coherent(dev, sizeof(*port->stats.block),
					       &port->stats.dma, GFP_KERNEL);
	port->tx_stats = kcalloc(PARQ_MAX_TXQ, sizeof(*port->tx_stats),
				 GFP_KERNEL);
	port->rx_stats = kcalloc(PARQ_MAX_RXQ, sizeof(*port->rx_stats),
				 GFP_KERNEL);
	port->stats.base = kzalloc_obj(*port->stats.base);
	port->stats.sum = kzalloc_obj(*port->stats.sum);
	if (!port->status || !port->stats.block || !port->tx_stats ||
	    !port->rx_stats || !port->stats.base || !port->stats.sum) {
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

/* A name that firmware has chosen, as for the ports of a switch. */
static void parq_port_name(struct parq_port *port)
{
	const char *names[PARQ_MAX_PORTS];
	int num;

	num = device_property_read_string_array(port->pd->dev, "port-names", names,
						ARRAY_SIZE(names));
	if (num <= (int)port->index || !*names[port->index])
		return;
	/* The kernel would put a number in place of "%d". */
	if (!dev_valid_name(names[port->index]) || strchr(names[port->index], '%')) {
		dev_warn(port->pd->dev, "port %u: '%s' is no name for an interface\n",
			 port->index, names[port->index]);
		return;
	}
	strscpy(port->netdev->name, names[port->index], IFNAMSIZ);
	port->netdev->name_assign_type = NET_NAME_PREDICTABLE;
}

/* Another interface may have the name. Return: as register_netdev(). */
static int parq_port_register_named(struct net_device *dev)
{
	int err = register_netdev(dev);

	if (err != -EEXIST)
		return err;
	dev_warn(dev->dev.parent, "port %u: there is an interface '%s' already\n",
		 dev->dev_port, dev->name);
	strscpy(dev->name, "eth%d", IFNAMSIZ);
	dev->name_assign_type = NET_NAME_ENUM;
	return register_netdev(dev);
}

static void parq_port_netdev(struct parq_port *port)
{
	struct net_device *dev = port->netdev;

	SET_NETDEV_DEV(dev, port->pd->dev);
	dev->dev_port = port->index;
	parq_port_name(port);
	dev->netdev_ops = &parq_netdev_ops;
	dev->ethtool_ops = &parq_ethtool_ops;
	parq_queue_netdev(dev);
	parq_stats_netdev(dev);
	dev->watchdog_timeo = 5 * HZ;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = PARQ_MTU_MAX;
	dev->priv_flags |= IFF_UNICAST_FLT | IFF_LIVE_ADDR_CHANGE;
	parq_port_features(dev, port->pd->caps.flags);
	parq_port_address(port);
	netif_carrier_off(dev);
	/* Queues stay stopped until parq_chans_wake(). */
	netif_tx_stop_all_queues(dev);
}

/* ---- Life --------------------------------------------------------------- */

/**
 * parq_port_alloc() - allocate a port and its netdev, without registering it
 * @pd: device that has just been reset
 * @index: index of the port
 *
 * Return: the port, or NULL if there is no memory.
 */
struct parq_port *parq_port_alloc(struct parq_dev *pd, unsigned int index)
{
	struct net_device *dev;
	struct parq_port *port;

	dev = alloc_etherdev_mqs(sizeof(*port), pd->caps.chans * PARQ_NUM_PRIO,
				 parq_compat_rx_queues(pd->caps.chans,
						       pd->caps.chans * PARQ_CHAN_VECS));
	if (!dev)
		return NULL;
	port = netdev_priv(dev);
	port->netdev = dev;
	port->pd = pd;
	port->index = index;
	spin_lock_init(&port->ctrl_lock);
	mutex_init(&port->link_lock);
	mutex_init(&port->stats.lock);
	parq_rules_init(port);
	INIT_DELAYED_WORK(&port->service, parq_service_work);
	if (parq_port_mem_alloc(port))
		goto free_netdev;

	parq_io_port_init(port);
	port->speeds = parq_io_port_speeds(port);
	parq_port_defaults(port);
	parq_port_netdev(port);
	parq_pfc_init(port);
	parq_prio_init(port);
	parq_ets_init(port);
	parq_dcbnl_init(port);
	return port;

free_netdev:
	free_netdev(dev);
	return NULL;
}

void parq_port_free(struct parq_port *port)
{
	/* Nothing can queue it any more. */
	cancel_delayed_work_sync(&port->service);
	parq_pfc_fini(port);
	parq_rules_fini(port);
	mutex_destroy(&port->stats.lock);
	mutex_destroy(&port->link_lock);
	parq_port_mem_free(port);
	free_netdev(port->netdev);
}

/**
 * parq_port_register() - register the netdev of a port
 * @port: port of a device whose events are enabled
 *
 * Return: 0, or an error and the port is not registered.
 */
int parq_port_register(struct parq_port *port)
{
	struct net_device *dev = port->netdev;
	int err;

	err = parq_devlink_port_register(port);
	if (err)
		return err;
	parq_compat_devlink_port_set(dev, &port->devlink_port);
	/* What sockets can do depends on the PTP clock. */
	parq_xdp_netdev(dev);
	err = netif_set_real_num_queues(dev, port->num_chans * PARQ_NUM_PRIO,
					port->num_chans);
	if (err)
		goto unregister_port;
	err = parq_dcbnl_app_register(port);
	if (err)
		goto unregister_port;
	err = parq_port_register_named(dev);
	if (err)
		goto unregister_dcbnl;
	parq_compat_devlink_port_up(dev, &port->devlink_port);
	parq_debugfs_port_init(port);
	return 0;

unregister_dcbnl:
	parq_dcbnl_app_unregister(port);
unregister_port:
	parq_devlink_port_unregister(port);
	return err;
}

void parq_port_unregister(struct parq_port *port)
{
	parq_debugfs_port_fini(port);
	parq_compat_devlink_port_down(&port->devlink_port);
	unregister_netdev(port->netdev);
	parq_dcbnl_app_unregister(port);
	parq_devlink_port_unregister(port);
}
