// SPDX-License-Identifier: GPL-2.0
/*
 * DCB netlink: APP entries, trust and rewriting. Everything runs under rtnl.
 *
 * dcbnl has one list of APP entries and one of rewrite entries. Both tell by the interface
 * index whose an entry is. But interfaces of different network namespaces may have the same
 * index. So each port has a table of its entries, which decides, and dcbnl's lists are copies.
 * Of the ports with the same index, only one has its entries there at a time: the one that
 * dcbnl is about to show, or that has changed last. Entries of other drivers' interfaces are not
 * touched.
 */
#include <linux/if_ether.h>
#include <linux/list.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/dcbnl.h>

#include "parq.h"
#include "parq_dcbnl.h"
#include "parq_log.h"

/**
 * struct parq_app_entry - APP or rewrite entry of a port
 * @node: entry in parq_port.app_entries
 * @app: selector, protocol, priority
 * @rewr: a rewrite entry
 * @listed: it is in dcbnl's list
 */
struct parq_app_entry {
	struct list_head node;
	struct dcb_app app;
	bool rewr;
	bool listed;
};

/* All ports; under rtnl. */
static LIST_HEAD(parq_app_ports);

/* ---- The tables and dcbnl's lists ----------------------------------------- */

/* Fails if memory is short, or an interface of another driver has this index and this entry. */
static void parq_app_list(struct parq_port *port, struct parq_app_entry *e)
{
	if (!e->listed)
		e->listed = !(e->rewr ? dcb_setrewr(port->netdev, &e->app) :
					dcb_ieee_setapp(port->netdev, &e->app));
}

static void parq_app_unlist(struct parq_port *port, struct parq_app_entry *e)
{
	if (!e->listed)
		return;
	e->listed = false;
	if (e->rewr)
		dcb_delrewr(port->netdev, &e->app);
	else
		dcb_ieee_delapp(port->netdev, &e->app);
}

/**
 * parq_dcbnl_app_show() - make dcbnl's lists agree with the table of a port
 * @port: port whose entries dcbnl is about to read
 *
 * An entry that dcbnl does not accept is tried again at the next call.
 *
 * Context: rtnl.
 */
void parq_dcbnl_app_show(struct parq_port *port)
{
	struct parq_app_entry *e;
	struct parq_port *other;

	ASSERT_RTNL();

	list_for_each_entry(other, &parq_app_ports, app_node) {
		if (other == port || other->netdev->ifindex != port->netdev->ifindex)
			continue;
		list_for_each_entry(e, &other->app_entries, node)
			parq_app_unlist(other, e);
	}
	list_for_each_entry(e, &port->app_entries, node)
		parq_app_list(port, e);
}

/* @prio: -1 for any; then the newest entry is found, as dcbnl does. */
static struct parq_app_entry *parq_app_find(const struct parq_port *port, bool rewr,
					    const struct dcb_app *app, int prio)
{
	struct parq_app_entry *e;

	list_for_each_entry_reverse(e, &port->app_entries, node)
		if (e->rewr == rewr && e->app.selector == app->selector &&
		    e->app.protocol == app->protocol &&
		    (prio < 0 || e->app.priority == prio))
			return e;
	return NULL;
}

static void parq_app_remove(struct parq_port *port, struct parq_app_entry *e)
{
	parq_app_unlist(port, e);
	list_del(&e->node);
	kfree(e);
}

static int parq_app_add(struct parq_port *port, bool rewr, const struct dcb_app *app)
{
	struct parq_app_entry *e;

	if (parq_app_find(port, rewr, app, app->priority))
		return -EEXIST;
	e = kzalloc_obj(*e);
	if (!e)
		return -ENOMEM;
	e->app = *app;
	e->rewr = rewr;
	list_add_tail(&e->node, &port->app_entries);
	parq_dcbnl_app_show(port);
	return 0;
}

static int parq_app_apply(struct parq_port *port, const struct parq_trust *want)
{
	int err;

	netdev_lock_ops(port->netdev);
	err = parq_prio_set(port, want);
	netdev_unlock_ops(port->netdev);
	return err;
}

/* ---- APP ---------------------------------------------------------------- */

int parq_dcbnl_app_set(struct net_device *netdev, struct dcb_app *app)
{
	struct parq_port *port = netdev_priv(netdev);
	struct parq_trust want = port->prio.want;
	char reason[PARQ_REASON_LEN] = "";
	int err;

	err = parq_trust_app_check(app, reason);
	if (err)
		return parq_refuse(netdev, NULL, "APP", reason, err);
	err = parq_app_add(port, false, app);
	if (err)
		return err;
	parq_trust_app(&want, app, true);
	err = parq_app_apply(port, &want);
	if (!err)
		return 0;
	parq_app_remove(port, parq_app_find(port, false, app, app->priority));
	return parq_refuse(netdev, NULL, "APP", reason, err);
}

/* Does not refuse an entry that parq_dcbnl_app_set() would: CEE's are in the same table. */
int parq_dcbnl_app_del(struct net_device *netdev, struct dcb_app *app)
{
	struct parq_port *port = netdev_priv(netdev);
	struct parq_trust want = port->prio.want;
	char reason[PARQ_REASON_LEN] = "";
	struct parq_app_entry *e;
	int err = 0;

	e = parq_app_find(port, false, app, app->priority);
	if (!e)
		return -ENOENT;
	if (!parq_trust_app_check(app, reason)) {
		parq_trust_app(&want, app, false);
		err = parq_app_apply(port, &want);
	}
	if (err)
		return parq_refuse(netdev, NULL, "APP", "", err);
	parq_app_remove(port, e);
	return 0;
}

/*
 * CEE's entries are for applications that query them. Port 0 is refused: it would be the
 * same entry as IEEE's default priority.
 */
int parq_dcbnl_app_set_cee(struct net_device *netdev, u8 idtype, u16 id, u8 prios)
{
	struct dcb_app app = {
		.selector = idtype, .protocol = id, .priority = prios,
	};
	struct parq_port *port = netdev_priv(netdev);
	char reason[PARQ_REASON_LEN];
	struct parq_app_entry *e;

	if (idtype == DCB_APP_IDTYPE_PORTNUM ? !id : id < ETH_P_802_3_MIN) {
		snprintf(reason, sizeof(reason), "%s %#x is not in %#x..0xffff",
			 idtype == DCB_APP_IDTYPE_PORTNUM ? "port" : "EtherType", id,
			 idtype == DCB_APP_IDTYPE_PORTNUM ? 1 : ETH_P_802_3_MIN);
		return parq_refuse(netdev, NULL, "APP", reason, -EINVAL);
	}
	e = parq_app_find(port, false, &app, -1);
	if (!e)
		return prios ? parq_app_add(port, false, &app) : 0;
	if (prios) {
		parq_app_unlist(port, e);
		e->app.priority = prios;
		parq_dcbnl_app_show(port);
	} else {
		parq_app_remove(port, e);
	}
	return 0;
}

/* Return: bitmap of priorities, 0 without an entry. */
int parq_dcbnl_app_get_cee(struct net_device *netdev, u8 idtype, u16 id)
{
	const struct dcb_app app = { .selector = idtype, .protocol = id };
	const struct parq_app_entry *e;

	e = parq_app_find(netdev_priv(netdev), false, &app, -1);
	return e ? e->app.priority : 0;
}

/* ---- Trust -------------------------------------------------------------- */

int parq_dcbnl_app_get_trust(struct net_device *netdev, u8 *order, int *num)
{
	struct parq_port *port = netdev_priv(netdev);

	*num = parq_trust_order_get(&port->prio.want, order);
	return 0;
}

int parq_dcbnl_app_set_trust(struct net_device *netdev, u8 *order, int num)
{
	struct parq_port *port = netdev_priv(netdev);
	struct parq_trust want = port->prio.want;
	char reason[PARQ_REASON_LEN] = "";
	int err;

	err = parq_trust_order_check(order, num, reason);
	if (!err) {
		parq_trust_order(&want, order, num);
		err = parq_app_apply(port, &want);
	}
	return err ? parq_refuse(netdev, NULL, "trust", reason, err) : 0;
}

/* ---- Rewriting ---------------------------------------------------------- */

int parq_dcbnl_app_set_rewr(struct net_device *netdev, struct dcb_app *app)
{
	struct parq_port *port = netdev_priv(netdev);
	struct parq_trust want = port->prio.want;
	char reason[PARQ_REASON_LEN] = "";
	int err;

	err = parq_trust_rewr_check(app, reason);
	if (err)
		return parq_refuse(netdev, NULL, "rewriting", reason, err);
	err = parq_app_add(port, true, app);
	if (err)
		return err;
	parq_trust_rewr(&want, app, true);
	err = parq_app_apply(port, &want);
	if (!err)
		return 0;
	parq_app_remove(port, parq_app_find(port, true, app, app->priority));
	return parq_refuse(netdev, NULL, "rewriting", reason, err);
}

int parq_dcbnl_app_del_rewr(struct net_device *netdev, struct dcb_app *app)
{
	struct parq_port *port = netdev_priv(netdev);
	struct parq_trust want = port->prio.want;
	struct parq_app_entry *e;
	int err;

	e = parq_app_find(port, true, app, app->priority);
	if (!e)
		return -ENOENT;
	parq_trust_rewr(&want, app, false);
	err = parq_app_apply(port, &want);
	if (err)
		return parq_refuse(netdev, NULL, "rewriting", "", err);
	parq_app_remove(port, e);
	return 0;
}

/* ---- Life --------------------------------------------------------------- */

/*
 * The interface is about to lose its index. dcbnl has dropped all APP entries with this index,
 * but no rewrite entries. The order of trust is reset, too.
 */
static void parq_app_flush(struct parq_port *port)
{
	struct parq_app_entry *e, *next;

	list_for_each_entry_safe(e, next, &port->app_entries, node) {
		if (!e->rewr)
			e->listed = false;
		parq_app_remove(port, e);
	}
	parq_prio_reset(port);
}

/* dcbnl has dropped the APP entries of another interface, which has the same index. */
static void parq_app_lost(struct parq_port *port)
{
	struct parq_app_entry *e;

	if (list_empty(&port->app_entries))
		return;
	list_for_each_entry(e, &port->app_entries, node)
		if (!e->rewr)
			e->listed = false;
	parq_dcbnl_app_show(port);
}

/*
 * An interface that changes its namespace may get another index. The notifier is called
 * for all namespaces, because the port's namespace may go before the notifier does. dcbnl's
 * own notifier, which is older, is called before this one.
 */
static int parq_app_event(struct notifier_block *nb, unsigned long event, void *info)
{
	struct parq_port *port = container_of(nb, struct parq_port, dcb_nb);
	const struct net_device *dev = netdev_notifier_info_to_dev(info);

	if (event != NETDEV_UNREGISTER)
		return NOTIFY_DONE;
	if (dev == port->netdev)
		parq_app_flush(port);
	else if (dev->dcbnl_ops && dev->ifindex == port->netdev->ifindex)
		parq_app_lost(port);
	return NOTIFY_DONE;
}

/**
 * parq_dcbnl_app_register() - watch for interfaces that lose their index
 * @port: port whose netdev is about to be registered
 *
 * Return: 0 or an error.
 */
int parq_dcbnl_app_register(struct parq_port *port)
{
	int err;

	INIT_LIST_HEAD(&port->app_entries);
	port->dcb_nb.notifier_call = parq_app_event;
	err = register_netdevice_notifier(&port->dcb_nb);
	if (err)
		return err;
	rtnl_lock();
	list_add(&port->app_node, &parq_app_ports);
	rtnl_unlock();
	return 0;
}

/**
 * parq_dcbnl_app_unregister() - undo parq_dcbnl_app_register()
 * @port: port whose netdev is not registered any more
 */
void parq_dcbnl_app_unregister(struct parq_port *port)
{
	rtnl_lock();
	list_del(&port->app_node);
	rtnl_unlock();
	unregister_netdevice_notifier(&port->dcb_nb);
}
