// SPDX-License-Identifier: GPL-2.0
/* ethtool: how long pauses may last. */
#include "parq_ethtool.h"
#include "parq_storm.h"

int parq_get_tunable(struct net_device *dev, const struct ethtool_tunable *tuna,
		     void *data)
{
	bool forward;

	if (tuna->id != ETHTOOL_PFC_PREVENTION_TOUT)
		return -EOPNOTSUPP;
	parq_storm_get(netdev_priv(dev), data, &forward);
	return 0;
}

/* ethtool has checked that @data is an u16. */
int parq_set_tunable(struct net_device *dev, const struct ethtool_tunable *tuna,
		     const void *data)
{
	u16 limit_ms, ms = *(const u16 *)data;
	struct parq_port *port = netdev_priv(dev);
	bool forward;

	if (tuna->id != ETHTOOL_PFC_PREVENTION_TOUT)
		return -EOPNOTSUPP;
	if (ms == PFC_STORM_PREVENTION_AUTO)
		ms = PARQ_STORM_AUTO_MS;
	parq_storm_get(port, &limit_ms, &forward);
	return parq_storm_set(port, ms, forward);
}
