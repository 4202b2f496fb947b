// SPDX-License-Identifier: GPL-2.0
/* ethtool: private flags, for what it has no other words for. */
#include "parq_ethtool.h"
#include "parq_netdev.h"
#include "parq_storm.h"

enum parq_priv_flag {
	PARQ_PRIV_RX_MACCTRL,	/* the host gets MAC control frames */
	PARQ_PRIV_STORM_FORWARD, /* frames of a storm are sent, not dropped */
	PARQ_NUM_PRIV_FLAGS
};

static const char parq_priv_names[PARQ_NUM_PRIV_FLAGS][ETH_GSTRING_LEN] = {
	[PARQ_PRIV_RX_MACCTRL] = "rx-mac-control",
	[PARQ_PRIV_STORM_FORWARD] = "pfc-storm-forward",
};

int parq_priv_flags_count(void)
{
	return PARQ_NUM_PRIV_FLAGS;
}

void parq_priv_flags_strings(u8 *data)
{
	memcpy(data, parq_priv_names, sizeof(parq_priv_names));
}

u32 parq_get_priv_flags(struct net_device *dev)
{
	struct parq_port *port = netdev_priv(dev);
	bool forward;
	u16 limit_ms;

	parq_storm_get(port, &limit_ms, &forward);
	return (port->rx_macctrl ? BIT(PARQ_PRIV_RX_MACCTRL) : 0) |
	       (forward ? BIT(PARQ_PRIV_STORM_FORWARD) : 0);
}

/* All flags come at once: first those that the device may refuse. */
int parq_set_priv_flags(struct net_device *dev, u32 flags)
{
	bool macctrl = flags & BIT(PARQ_PRIV_RX_MACCTRL);
	struct parq_port *port = netdev_priv(dev);
	bool forward;
	u16 limit_ms;
	int err;

	/* Not all ways into the kernel look at them. */
	if (flags >> PARQ_NUM_PRIV_FLAGS)
		return -EINVAL;
	parq_storm_get(port, &limit_ms, &forward);
	err = parq_storm_set(port, limit_ms,
			     flags & BIT(PARQ_PRIV_STORM_FORWARD));
	if (err || macctrl == port->rx_macctrl)
		return err;
	port->rx_macctrl = macctrl;
	parq_netdev_rx_ctrl(port, dev->features);
	return 0;
}
