// SPDX-License-Identifier: GPL-2.0
/* ethtool: speed, duplex, autonegotiation, link pause. */
#include <linux/string_helpers.h>

#include "parq.h"
#include "parq_ethtool.h"
#include "parq_log.h"
#include "parq_port.h"
#include "parq_stats.h"

/**
 * struct parq_link_mode - ethtool's names for a speed of the device
 * @speed: Mb/s
 * @mode: link mode, full duplex
 * @half: the speed can be forced to half duplex
 */
struct parq_link_mode {
	u32 speed;
	u16 mode;
	bool half;
};

static const struct parq_link_mode parq_link_modes[PARQ_NUM_SPEEDS] = {
	[PARQ_SPEED_10M] = { SPEED_10, ETHTOOL_LINK_MODE_10baseT_Full_BIT, true },
	[PARQ_SPEED_100M] = { SPEED_100, ETHTOOL_LINK_MODE_100baseT_Full_BIT, true },
	[PARQ_SPEED_1G] = { SPEED_1000, ETHTOOL_LINK_MODE_1000baseT_Full_BIT },
	[PARQ_SPEED_2500M] = { SPEED_2500, ETHTOOL_LINK_MODE_2500baseT_Full_BIT },
	[PARQ_SPEED_5G] = { SPEED_5000, ETHTOOL_LINK_MODE_5000baseT_Full_BIT },
	[PARQ_SPEED_10G] = { SPEED_10000, ETHTOOL_LINK_MODE_10000baseT_Full_BIT },
	[PARQ_SPEED_25G] = { SPEED_25000, ETHTOOL_LINK_MODE_25000baseCR_Full_BIT },
	[PARQ_SPEED_40G] = { SPEED_40000, ETHTOOL_LINK_MODE_40000baseCR4_Full_BIT },
	[PARQ_SPEED_50G] = { SPEED_50000, ETHTOOL_LINK_MODE_50000baseCR_Full_BIT },
	[PARQ_SPEED_100G] = { SPEED_100000, ETHTOOL_LINK_MODE_100000baseCR4_Full_BIT },
	[PARQ_SPEED_200G] = { SPEED_200000, ETHTOOL_LINK_MODE_200000baseCR4_Full_BIT },
	[PARQ_SPEED_400G] = { SPEED_400000, ETHTOOL_LINK_MODE_400000baseCR8_Full_BIT },
};

static void parq_speeds_to_modes(u32 speeds, unsigned long *modes)
{
	unsigned int i;

	for (i = 0; i < PARQ_NUM_SPEEDS; i++)
		if (speeds & BIT(i))
			__set_bit(parq_link_modes[i].mode, modes);
}

static u32 parq_modes_to_speeds(const unsigned long *modes)
{
	u32 speeds = 0;
	unsigned int i;

	for (i = 0; i < PARQ_NUM_SPEEDS; i++)
		if (test_bit(parq_link_modes[i].mode, modes))
			speeds |= BIT(i);
	return speeds;
}

static void parq_pause_to_modes(u32 adv, unsigned long *modes)
{
	if (adv & PARQ_LINK_ADV_PAUSE)
		__set_bit(ETHTOOL_LINK_MODE_Pause_BIT, modes);
	if (adv & PARQ_LINK_ADV_ASYM)
		__set_bit(ETHTOOL_LINK_MODE_Asym_Pause_BIT, modes);
}

/* Inverse of parq_pause_adv(). */
static void parq_modes_to_pause(const unsigned long *modes,
				struct parq_pause_want *want)
{
	bool asym = test_bit(ETHTOOL_LINK_MODE_Asym_Pause_BIT, modes);

	want->rx = test_bit(ETHTOOL_LINK_MODE_Pause_BIT, modes);
	want->tx = want->rx != asym;
}

/*
 * Half duplex is not negotiated. ethtool takes each supported mode for one that can be
 * advertised, so half duplex modes are not among them. They can be forced all the same.
 */
static void parq_link_supported(const struct parq_port *port,
				struct ethtool_link_ksettings *ks)
{
	ethtool_link_ksettings_zero_link_mode(ks, supported);
	__set_bit(ETHTOOL_LINK_MODE_Autoneg_BIT, ks->link_modes.supported);
	parq_pause_to_modes(PARQ_LINK_ADV_PAUSE | PARQ_LINK_ADV_ASYM,
			    ks->link_modes.supported);
	parq_speeds_to_modes(port->speeds, ks->link_modes.supported);
}

int parq_ethtool_link_get(struct net_device *dev,
			  struct ethtool_link_ksettings *ks)
{
	struct parq_port *port = netdev_priv(dev);
	const struct parq_link *link = &port->link;
	struct parq_link state;

	mutex_lock(&port->link_lock);
	state = port->state;
	mutex_unlock(&port->link_lock);

	parq_link_supported(port, ks);
	ethtool_link_ksettings_zero_link_mode(ks, advertising);
	ethtool_link_ksettings_zero_link_mode(ks, lp_advertising);
	ks->base.port = PORT_OTHER;
	ks->base.autoneg = link->autoneg;
	/* Even without negotiation: enabling it later must not change pause. */
	parq_pause_to_modes(link->adv_pause, ks->link_modes.advertising);
	if (link->autoneg) {
		__set_bit(ETHTOOL_LINK_MODE_Autoneg_BIT,
			  ks->link_modes.advertising);
		parq_speeds_to_modes(link->adv, ks->link_modes.advertising);
		parq_speeds_to_modes(state.partner,
				     ks->link_modes.lp_advertising);
		parq_pause_to_modes(state.partner,
				    ks->link_modes.lp_advertising);
		if (state.partner)
			__set_bit(ETHTOOL_LINK_MODE_Autoneg_BIT,
				  ks->link_modes.lp_advertising);
	}
	if (!link->autoneg)
		state = *link;
	if ((link->autoneg && !netif_carrier_ok(dev)) ||
	    state.speed >= PARQ_NUM_SPEEDS) {
		ks->base.speed = SPEED_UNKNOWN;
		ks->base.duplex = DUPLEX_UNKNOWN;
	} else {
		ks->base.speed = parq_link_modes[state.speed].speed;
		ks->base.duplex = state.full ? DUPLEX_FULL : DUPLEX_HALF;
	}
	return 0;
}

/*
 * Why there is no link. A partner whose PHY is off looks like one that is forced to a speed that
 * this port does not have.
 */
int parq_ethtool_link_ext_state(struct net_device *dev,
				struct ethtool_link_ext_state_info *info)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_link state;

	mutex_lock(&port->link_lock);
	state = port->state;
	mutex_unlock(&port->link_lock);
	if (state.up)
		return -ENODATA;
	if (!state.present) {
		info->link_ext_state = ETHTOOL_LINK_EXT_STATE_NO_CABLE;
		return 0;
	}
	info->link_ext_state = ETHTOOL_LINK_EXT_STATE_AUTONEG;
	if (!port->link.autoneg)
		info->autoneg = ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_PARTNER_DETECTED_FORCE_MODE;
	else if (state.partner)
		info->autoneg = ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_HCD;
	else
		info->autoneg = ETHTOOL_LINK_EXT_SUBSTATE_AN_NO_PARTNER_DETECTED;
	return 0;
}

/* The interface has no extack: the reason goes to the log. */
static int parq_link_refuse(struct net_device *dev, const char *reason)
{
	return parq_refuse(dev, NULL, "link settings", reason, -EINVAL);
}

static int parq_link_refuse_speed(struct net_device *dev, u32 mbit)
{
	char reason[PARQ_REASON_LEN];

	if (mbit == (u32)SPEED_UNKNOWN)
		return parq_link_refuse(dev, "without negotiation a speed is needed");
	snprintf(reason, sizeof(reason), "the port does not have a speed of %u Mb/s", mbit);
	return parq_link_refuse(dev, reason);
}

static int parq_link_forced(struct net_device *dev,
			    const struct ethtool_link_ksettings *ks,
			    struct parq_link *link)
{
	const struct parq_port *port = netdev_priv(dev);
	unsigned int i;

	for (i = 0; i < PARQ_NUM_SPEEDS; i++)
		if (parq_link_modes[i].speed == ks->base.speed)
			break;
	if (i == PARQ_NUM_SPEEDS || !(port->speeds & BIT(i)))
		return parq_link_refuse_speed(dev, ks->base.speed);
	/* Unknown is shown while the link is down, and ethtool sends it back. */
	link->full = ks->base.duplex == DUPLEX_FULL ||
		     ks->base.duplex == DUPLEX_UNKNOWN;
	if (!link->full && ks->base.duplex != DUPLEX_HALF)
		return parq_link_refuse(dev, "duplex is neither half nor full");
	if (!link->full && !parq_link_modes[i].half)
		return parq_link_refuse(dev, "half duplex is possible at 10 and 100 Mb/s only");
	link->autoneg = false;
	link->speed = i;
	return 0;
}

static int parq_link_negotiated(struct net_device *dev,
				const struct ethtool_link_ksettings *ks,
				struct parq_link *link)
{
	const struct parq_port *port = netdev_priv(dev);
	u32 adv = parq_modes_to_speeds(ks->link_modes.advertising);

	adv &= port->speeds;
	if (!adv)
		return parq_link_refuse(dev, "no mode that the port can negotiate is advertised");
	link->autoneg = true;
	link->adv = adv;
	link->full = true;
	link->speed = __fls(port->speeds);
	return 0;
}

/* Makes receive buffers suffice for the old link settings and for the new ones. */
static int parq_link_buffers(struct parq_port *port,
			     const struct parq_link *link,
			     const struct parq_pause_want *pause, char *reason)
{
	struct parq_pause_want was = parq_pause_get(port);
	char again[PARQ_REASON_LEN];
	int err;

	err = parq_pause_set(port, pause, reason);
	if (err)
		return err;
	err = parq_buf_fastest(port, max(parq_buf_fastest_of(link),
					 parq_buf_fastest_of(&port->link)),
			       reason);
	if (err)
		parq_pause_set(port, &was, again);
	return err;
}

static void parq_link_pause_changed(struct net_device *dev, const struct parq_pause_want *was,
				    const struct parq_pause_want *is)
{
	if (memcmp(was, is, sizeof(*is)))
		parq_changed(dev, "ethtool",
			     "link pause: autoneg %s rx %s tx %s, were %s %s %s",
			     str_on_off(is->autoneg), str_on_off(is->rx), str_on_off(is->tx),
			     str_on_off(was->autoneg), str_on_off(was->rx), str_on_off(was->tx));
}

int parq_ethtool_link_set(struct net_device *dev,
			  const struct ethtool_link_ksettings *ks)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_pause_want was = parq_pause_get(port);
	struct parq_pause_want pause = was;
	struct parq_link link = port->link;
	char reason[PARQ_REASON_LEN] = "";
	bool renegotiate;
	int err;

	if (ks->base.autoneg == AUTONEG_ENABLE) {
		parq_modes_to_pause(ks->link_modes.advertising, &pause);
		err = parq_link_negotiated(dev, ks, &link);
	} else {
		err = parq_link_forced(dev, ks, &link);
	}
	if (err)
		return err;
	link.adv_pause = parq_pause_adv(&pause);
	if (!memcmp(&link, &port->link, sizeof(link)))
		return 0;
	err = parq_link_buffers(port, &link, &pause, reason);
	if (err)
		return parq_refuse(dev, NULL, "link settings", reason, err);
	parq_link_pause_changed(dev, &was, &pause);
	renegotiate = link.adv_pause != port->link.adv_pause;
	parq_link_store(port, &link);
	parq_link_apply(port, renegotiate);
	/* If this fails, the buffers stay larger than needed. */
	parq_buf_fastest(port, parq_buf_fastest_of(&link), reason);
	parq_buf_link(port);
	return 0;
}

/* Renegotiates by switching the PHY off and on. */
int parq_ethtool_link_nway_reset(struct net_device *dev)
{
	struct parq_port *port = netdev_priv(dev);

	if (!parq_port_is_up(port))
		return -ENETDOWN;
	if (!port->link.autoneg)
		return -EINVAL;
	parq_link_apply(port, true);
	return 0;
}

/* ---- Link pause ------------------------------------------------------------ */

void parq_ethtool_link_get_pause(struct net_device *dev,
				 struct ethtool_pauseparam *pp)
{
	struct parq_pause_want want = parq_pause_get(netdev_priv(dev));

	pp->autoneg = want.autoneg;
	pp->rx_pause = want.rx;
	pp->tx_pause = want.tx;
}

/*
 * Advertises rx and tx whether they are negotiated or not, as ethtool requires. The
 * interface has no extack, so the reason goes to the log.
 */
int parq_ethtool_link_set_pause(struct net_device *dev,
				struct ethtool_pauseparam *pp)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_pause_want was = parq_pause_get(port);
	struct parq_pause_want want = {
		.autoneg = pp->autoneg,
		.rx = pp->rx_pause,
		.tx = pp->tx_pause,
	};
	struct parq_link link = port->link;
	u32 adv = parq_pause_adv(&want);
	char reason[PARQ_REASON_LEN] = "";
	bool renegotiate;
	int err;

	err = parq_pause_set(port, &want, reason);
	if (err)
		return parq_refuse(dev, NULL, "link pause", reason, err);
	parq_link_pause_changed(dev, &was, &want);
	renegotiate = adv != port->link.adv_pause;
	link.adv_pause = adv;
	parq_link_store(port, &link);
	if (renegotiate)
		parq_link_apply(port, true);
	return 0;
}

void parq_ethtool_link_get_pause_stats(struct net_device *dev,
				       struct ethtool_pause_stats *stats)
{
	struct parq_port *port = netdev_priv(dev);
	const struct parq_stats *hw = parq_stats_last(port);

	stats->tx_pause_frames = le64_to_cpu(hw->tx.pause);
	stats->rx_pause_frames = le64_to_cpu(hw->rx.pause);
	parq_compat_pause_storms(stats, le64_to_cpu(hw->tx_pause_storm));
	parq_stats_put(port);
}
