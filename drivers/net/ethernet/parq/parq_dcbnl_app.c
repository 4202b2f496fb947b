// SPDX-License-Identifier: GPL-2.0
/*
 * APP entries, trust and rewriting over DCB netlink. dcbnl keeps the entries, by
 * interface index; the engine is told what of them matters to frames. Everything
 * here runs under rtnl.
 */
#include <linux/err.h>
#include <linux/if_ether.h>

#include "parq.h"
#include "parq_dcbnl.h"
#include "parq_refuse.h"

/* ---- APP ---------------------------------------------------------------- */

int parq_dcbnl_setapp(struct net_device *netdev, struct dcb_app *app)
{
	struct parq_port *port = netdev_priv(netdev);
	struct parq_trust want = port->prio.want;
	char why[PARQ_DCB_WHY_LEN];
	int err;

	err = parq_trust_app_check(app, why);
	if (err)
		return parq_refuse(netdev, NULL, "APP", why, err);
	err = dcb_ieee_setapp(netdev, app);
	if (err)
		return err;
	parq_trust_app(&want, app, true);
	err = parq_prio_set(port, &want);
	if (err)
		dcb_ieee_delapp(netdev, app);
	return err;
}

/* What is not permitted may be there all the same: CEE's entries are in one list. */
int parq_dcbnl_delapp(struct net_device *netdev, struct dcb_app *app)
{
	struct parq_port *port = netdev_priv(netdev);
	struct parq_trust want = port->prio.want;
	char why[PARQ_DCB_WHY_LEN];
	int err;

	err = dcb_ieee_delapp(netdev, app);
	if (err || parq_trust_app_check(app, why))
		return err;
	parq_trust_app(&want, app, false);
	err = parq_prio_set(port, &want);
	if (err)
		dcb_ieee_setapp(netdev, app);
	return err;
}

/*
 * CEE's entries are for applications that ask. Port 0 would be IEEE's default
 * priority, which has the same numbers.
 */
int parq_dcbnl_cee_setapp(struct net_device *netdev, u8 idtype, u16 id, u8 prios)
{
	struct dcb_app app = {
		.selector = idtype, .protocol = id, .priority = prios,
	};
	char why[PARQ_DCB_WHY_LEN];

	if (idtype == DCB_APP_IDTYPE_PORTNUM ? id : id >= ETH_P_802_3_MIN)
		return dcb_setapp(netdev, &app);
	snprintf(why, sizeof(why), "%s %#x is not in %#x..0xffff",
		 idtype == DCB_APP_IDTYPE_PORTNUM ? "port" : "EtherType", id,
		 idtype == DCB_APP_IDTYPE_PORTNUM ? 1 : ETH_P_802_3_MIN);
	return parq_refuse(netdev, NULL, "APP", why, -EINVAL);
}

/* ---- Trust -------------------------------------------------------------- */

int parq_dcbnl_getapptrust(struct net_device *netdev, u8 *order, int *num)
{
	struct parq_port *port = netdev_priv(netdev);

	*num = parq_trust_order_get(&port->prio.want, order);
	return 0;
}

int parq_dcbnl_setapptrust(struct net_device *netdev, u8 *order, int num)
{
	struct parq_port *port = netdev_priv(netdev);
	struct parq_trust want = port->prio.want;
	char why[PARQ_DCB_WHY_LEN];
	int err;

	err = parq_trust_order_check(order, num, why);
	if (err)
		return parq_refuse(netdev, NULL, "trust", why, err);
	parq_trust_order(&want, order, num);
	return parq_prio_set(port, &want);
}

/* ---- Rewriting ---------------------------------------------------------- */

int parq_dcbnl_setrewr(struct net_device *netdev, struct dcb_app *app)
{
	struct parq_port *port = netdev_priv(netdev);
	struct parq_trust want = port->prio.want;
	char why[PARQ_DCB_WHY_LEN];
	int err;

	err = parq_trust_rewr_check(app, why);
	if (err)
		return parq_refuse(netdev, NULL, "rewriting", why, err);
	err = dcb_setrewr(netdev, app);
	if (err)
		return err;
	parq_trust_rewr(&want, app, true);
	err = parq_prio_set(port, &want);
	if (err)
		dcb_delrewr(netdev, app);
	return err;
}

int parq_dcbnl_delrewr(struct net_device *netdev, struct dcb_app *app)
{
	struct parq_port *port = netdev_priv(netdev);
	struct parq_trust want = port->prio.want;
	int err;

	err = dcb_delrewr(netdev, app);
	if (err)
		return err;
	parq_trust_rewr(&want, app, false);
	err = parq_prio_set(port, &want);
	if (err)
		dcb_setrewr(netdev, app);
	return err;
}

/* ---- Life --------------------------------------------------------------- */

static void parq_dcbnl_rewr_flush(struct net_device *netdev, u8 prio,
				  u8 selector, u64 codes)
{
	struct dcb_app app = { .selector = selector, .priority = prio };

	for (; codes; codes &= codes - 1) {
		app.protocol = __ffs64(codes);
		dcb_delrewr(netdev, &app);
	}
}

/**
 * parq_dcbnl_app_flush() - the interface is about to lose its index
 * @port: port that is down
 *
 * dcbnl itself drops APP entries then, but not those of rewriting, which the next
 * interface with this index would inherit. The order of trust goes with them.
 *
 * Context: rtnl.
 */
void parq_dcbnl_app_flush(struct parq_port *port)
{
	const struct parq_trust *t = &port->prio.want;
	const struct parq_trust none = {};
	unsigned int prio;

	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		parq_dcbnl_rewr_flush(port->netdev, prio,
				      IEEE_8021QAZ_APP_SEL_DSCP,
				      t->rewr_dscp[prio]);
		parq_dcbnl_rewr_flush(port->netdev, prio, DCB_APP_SEL_PCP,
				      t->rewr_pcp[prio]);
	}
	parq_prio_set(port, &none);
}
