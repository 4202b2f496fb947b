// SPDX-License-Identifier: GPL-2.0
/* The link of a port: settings, state, and their effects. */
#include <linux/netdevice.h>
#include <linux/string_helpers.h>

#include "parq.h"
#include "parq_buf_calc.h"
#include "parq_io.h"
#include "parq_port.h"

/* The carrier has changed. */
static void parq_link_log(const struct parq_port *port)
{
	u32 fc = READ_ONCE(port->pfc.pause.fc);

	lockdep_assert_held(&port->link_lock);
	if (!port->state.up)
		netdev_info(port->netdev, "link down\n");
	else
		netdev_info(port->netdev, "link up: %u Mb/s, %s duplex, link pause rx %s tx %s\n",
			    parq_headroom_mbps(port->state.speed),
			    port->state.full ? "full" : "half",
			    str_on_off(fc & PARQ_FC_CTRL_PAUSE_RX),
			    str_on_off(fc & PARQ_FC_CTRL_PAUSE_TX));
}

/**
 * parq_link_check() - read the link and tell the stack
 * @port: port
 *
 * Context: may sleep; ops lock or not.
 */
void parq_link_check(struct parq_port *port)
{
	struct net_device *dev = port->netdev;
	bool was;

	mutex_lock(&port->link_lock);
	parq_io_link_get(port, &port->state);
	if (!parq_port_is_up(port))
		port->state.up = false;
	mutex_unlock(&port->link_lock);
	parq_pause_link(port);

	mutex_lock(&port->link_lock);
	was = netif_carrier_ok(dev);
	if (port->state.up)
		netif_carrier_on(dev);
	else
		netif_carrier_off(dev);
	/* A link partner may go up and down as fast as it can. */
	if (port->state.up != was && net_ratelimit())
		parq_link_log(port);
	mutex_unlock(&port->link_lock);
	parq_buf_link(port);
}

/* Context: ops lock. */
void parq_link_store(struct parq_port *port, const struct parq_link *link)
{
	netdev_assert_locked_ops_compat(port->netdev);
	mutex_lock(&port->link_lock);
	port->link = *link;
	mutex_unlock(&port->link_lock);
}

/* Switches the PHY. Context: ops lock. */
void parq_link_phy(struct parq_port *port, bool on)
{
	struct parq_link link = port->link;

	link.up = on;
	parq_link_store(port, &link);
	parq_io_link_set(port, &link);
}

/**
 * parq_link_apply() - apply the link settings to a port that is up
 * @port: port
 * @renegotiate: the advertisement has changed; the link must be renegotiated for the link
 *	partner to see it
 *
 * Context: ops lock.
 */
void parq_link_apply(struct parq_port *port, bool renegotiate)
{
	struct parq_link off = port->link;

	netdev_assert_locked_ops_compat(port->netdev);
	if (!parq_port_is_up(port))
		return;
	off.up = false;
	if (renegotiate && port->link.autoneg) {
		parq_io_link_set(port, &off);
		/* The link may be back before its event arrives. */
		parq_link_check(port);
	}
	parq_io_link_set(port, &port->link);
	parq_link_check(port);
}
