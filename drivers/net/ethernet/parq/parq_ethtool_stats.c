// SPDX-License-Identifier: GPL-2.0
/*
 * ethtool: counters of the driver and of the device. A new counter needs a member of a
 * structure, an entry in the table of that structure below, and a line in
 * Documentation/user/statistics.rst. The device's structures are struct parq_stats and struct
 * parq_prio_stats in parq_hw.h. What has a place in standard or queue statistics is not here.
 */
#include "parq.h"
#include "parq_ethtool.h"
#include "parq_stats.h"
#include "parq_switch.h"

/**
 * struct parq_counter - a counter and its name
 * @name: name in ethtool -S
 * @offset: offset in the structure of the counters
 * @div: divisor, 0 for none
 */
struct parq_counter {
	const char *name;
	unsigned int offset;
	unsigned int div;
};

/* Kept by the driver: sums over all queues. */
#define PARQ_TX(_name, _field)	{ _name, offsetof(struct parq_tx_counters, _field), 0 }
#define PARQ_RX(_name, _field)	{ _name, offsetof(struct parq_rx_counters, _field), 0 }

static const struct parq_counter parq_tx_names[] = {
	PARQ_TX("tx_tso", tso),
	PARQ_TX("tx_map_errors", errors),
	PARQ_TX("tx_flushed", dropped),
	PARQ_TX("tx_hw_drops", hw_drops),
	PARQ_TX("tx_timeouts", timeouts),
	PARQ_TX("tx_xdp", xdp),
	PARQ_TX("tx_xdp_full", xdp_full),
	PARQ_TX("tx_xdp_down", xdp_down),
	PARQ_TX("tx_xsk", xsk),
	PARQ_TX("tx_xsk_invalid", xsk_invalid),
};

static const struct parq_counter parq_rx_names[] = {
	PARQ_RX("rx_bad_completions", errors),
	PARQ_RX("rx_no_skb", dropped),
	PARQ_RX("rx_flushed", flushed),
	PARQ_RX("rx_no_page", alloc_fail),
	PARQ_RX("rx_xdp_drop", xdp_drop),
	PARQ_RX("rx_xdp_tx", xdp_tx),
	PARQ_RX("rx_xdp_redirect", xdp_redirect),
	PARQ_RX("rx_xdp_aborted", xdp_aborted),
};

/* Kept by the device, per port. */
#define PARQ_HW(_field)		{ #_field, offsetof(struct parq_stats, _field), 0 }

static const struct parq_counter parq_port_names[] = {
	PARQ_HW(rx_ctrl_unknown),
	PARQ_HW(rx_ctrl_addr),
	PARQ_HW(rx_filtered),
	PARQ_HW(rx_drop_nobuf),
	PARQ_HW(rx_drop_buffer),
	PARQ_HW(rx_drop_dma),
	PARQ_HW(rx_drop_disabled),
	PARQ_HW(tx_drop_desc),
	PARQ_HW(tx_drop_dma),
	PARQ_HW(tx_drop_purge),
	PARQ_HW(tx_drop_park),
	PARQ_HW(tx_drop_storm),
	PARQ_HW(event_lost),
	{ "tx_pause_storm_events", offsetof(struct parq_stats, tx_pause_storm), 0 },
	{ "tx_pfc_frames", offsetof(struct parq_stats, tx.pfc), 0 },
	{ "rx_pfc_frames", offsetof(struct parq_stats, rx.pfc), 0 },
};

/* Kept by the driver, per port. */
static const struct parq_counter parq_own_names[] = {
	{ "lost_interrupts", offsetof(struct parq_port, lost_irqs), 0 },
	{ "tx_launch_missed", offsetof(struct parq_port, stats.missed), 0 },
};

/* Kept by the device, per priority; %u is its number. Durations are in microseconds. */
#define PARQ_PRIO(_name, _field, _div)	\
	{ _name, offsetof(struct parq_prio_stats, _field), _div }

static const struct parq_counter parq_prio_names[] = {
	PARQ_PRIO("tx_prio%u_packets", tx_frames, 0),
	PARQ_PRIO("tx_prio%u_bytes", tx_bytes, 0),
	PARQ_PRIO("tx_prio%u_dropped", tx_drop, 0),
	PARQ_PRIO("rx_prio%u_packets", rx_frames, 0),
	PARQ_PRIO("rx_prio%u_bytes", rx_bytes, 0),
	PARQ_PRIO("rx_prio%u_discards", rx_drop, 0),
	PARQ_PRIO("rx_prio%u_pause", rx_xoff, 0),
	PARQ_PRIO("rx_prio%u_pause_duration", rx_pause_ns, NSEC_PER_USEC),
	PARQ_PRIO("rx_prio%u_pause_transition", rx_pause_transition, 0),
	PARQ_PRIO("rx_prio%u_pause_storm_events", rx_pause_storm, 0),
	PARQ_PRIO("tx_prio%u_pause", tx_xoff, 0),
	PARQ_PRIO("tx_prio%u_pause_duration", tx_pause_ns, NSEC_PER_USEC),
	PARQ_PRIO("tx_prio%u_pause_transition", tx_pause_transition, 0),
	PARQ_PRIO("tx_prio%u_pause_storm_events", tx_pause_storm, 0),
	PARQ_PRIO("prio%u_parked", park_depth, 0),
	PARQ_PRIO("prio%u_parked_high", park_high, 0),
	PARQ_PRIO("prio%u_parked_total", parked, 0),
	PARQ_PRIO("prio%u_reinjected", reinjected, 0),
	PARQ_PRIO("prio%u_passes", passes, 0),
	PARQ_PRIO("prio%u_repauses", repauses, 0),
};

/* Kept by the driver's PFC engine, per priority; %u is its number. */
#define PARQ_CLASS(_name, _field)	\
	{ _name, offsetof(struct parq_pfc_class, _field), 0 }

static const struct parq_counter parq_class_names[] = {
	PARQ_CLASS("prio%u_commands", commands),
	PARQ_CLASS("prio%u_commands_refused", refused),
	PARQ_CLASS("prio%u_stalls", stalls),
};

/* Kept by a device whose ports forward, per port. */
#define PARQ_FWD(_name, _stat)	\
	{ _name, offsetof(struct parq_switch_stats, val[_stat]), 0 }

static const struct parq_counter parq_switch_names[] = {
	PARQ_FWD("fwd_rx_frames", PARQ_SW_RX_FRAMES),
	PARQ_FWD("fwd_rx_blocked", PARQ_SW_RX_BLOCKED),
	PARQ_FWD("fwd_rx_nowhere", PARQ_SW_RX_NOWHERE),
	PARQ_FWD("fwd_rx_no_room", PARQ_SW_RX_NO_ROOM),
	PARQ_FWD("fwd_tx_frames", PARQ_SW_TX_FRAMES),
	PARQ_FWD("fwd_tx_drop_long", PARQ_SW_TX_DROP_LONG),
	PARQ_FWD("fwd_tx_drop_link", PARQ_SW_TX_DROP_LINK),
	PARQ_FWD("fwd_tx_drop_purge", PARQ_SW_TX_DROP_PURGE),
	PARQ_FWD("fwd_tx_drop_storm", PARQ_SW_TX_DROP_STORM),
	PARQ_FWD("fwd_tx_drop_full", PARQ_SW_TX_DROP_FULL),
	PARQ_FWD("fwd_tx_drop_red", PARQ_SW_TX_DROP_RED),
	PARQ_FWD("fwd_rx_no_pvid", PARQ_SW_RX_NO_PVID),
	PARQ_FWD("fwd_rx_no_member", PARQ_SW_RX_NO_MEMBER),
	PARQ_FWD("fwd_rx_no_entry", PARQ_SW_RX_NO_ENTRY),
	/* Of all ports together. */
	{ "fwd_fdb_refused", offsetof(struct parq_switch_stats, fdb_refused), 0 },
	{ "fwd_mdb_refused", offsetof(struct parq_switch_stats, mdb_refused), 0 },
};

static unsigned int parq_switch_num_names(const struct parq_port *port)
{
	return port->pd->sw ? ARRAY_SIZE(parq_switch_names) : 0;
}

int parq_ethtool_stats_count(struct net_device *dev)
{
	const struct parq_port *port = netdev_priv(dev);

	return ARRAY_SIZE(parq_tx_names) + ARRAY_SIZE(parq_rx_names) +
	       ARRAY_SIZE(parq_own_names) +
	       ARRAY_SIZE(parq_class_names) * PARQ_NUM_PRIO +
	       ARRAY_SIZE(parq_port_names) +
	       parq_switch_num_names(port) +
	       ARRAY_SIZE(parq_prio_names) * PARQ_NUM_PRIO;
}

/* Writes the names of @num counters of object @index. */
static void parq_names(u8 **data, const struct parq_counter *counters,
		       unsigned int num, unsigned int index)
{
	unsigned int i;

	for (i = 0; i < num; i++) {
		snprintf(*data, ETH_GSTRING_LEN, counters[i].name, index);
		*data += ETH_GSTRING_LEN;
	}
}

void parq_ethtool_stats_strings(struct net_device *dev, u8 *data)
{
	const struct parq_port *port = netdev_priv(dev);
	unsigned int i;

	parq_names(&data, parq_tx_names, ARRAY_SIZE(parq_tx_names), 0);
	parq_names(&data, parq_rx_names, ARRAY_SIZE(parq_rx_names), 0);
	parq_names(&data, parq_own_names, ARRAY_SIZE(parq_own_names), 0);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		parq_names(&data, parq_class_names,
			   ARRAY_SIZE(parq_class_names), i);
	parq_names(&data, parq_port_names, ARRAY_SIZE(parq_port_names), 0);
	parq_names(&data, parq_switch_names, parq_switch_num_names(port), 0);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		parq_names(&data, parq_prio_names, ARRAY_SIZE(parq_prio_names),
			   i);
}

/*
 * Counters that the driver keeps: u64 in host byte order. Their locks need not be taken to
 * read them.
 */
static u64 *parq_values(u64 *data, const struct parq_counter *counters,
			unsigned int num, const void *base)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		*data++ = READ_ONCE(*(const u64 *)(base + counters[i].offset));
	return data;
}

/* Counters that the device keeps. */
static u64 *parq_hw_values(u64 *data, const struct parq_counter *counters,
			   unsigned int num, const void *base)
{
	unsigned int i;

	for (i = 0; i < num; i++) {
		*data = le64_to_cpup(base + counters[i].offset);
		if (counters[i].div)
			*data = div_u64(*data, counters[i].div);
		data++;
	}
	return data;
}

void parq_ethtool_stats_get(struct net_device *dev,
			    struct ethtool_stats *stats, u64 *data)
{
	struct parq_port *port = netdev_priv(dev);
	struct parq_tx_counters tx = {};
	struct parq_rx_counters rx = {};
	struct parq_switch_stats fwd = {};
	const struct parq_stats *hw;
	unsigned int i;

	if (port->pd->sw)
		fwd = parq_switch_stats(port);
	parq_stats_queues(port, &tx, &rx);
	data = parq_values(data, parq_tx_names, ARRAY_SIZE(parq_tx_names), &tx);
	data = parq_values(data, parq_rx_names, ARRAY_SIZE(parq_rx_names), &rx);
	hw = parq_stats_last(port);
	data = parq_values(data, parq_own_names, ARRAY_SIZE(parq_own_names),
			   port);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		data = parq_values(data, parq_class_names,
				   ARRAY_SIZE(parq_class_names),
				   &port->pfc.prio[i]);
	data = parq_hw_values(data, parq_port_names,
			      ARRAY_SIZE(parq_port_names), hw);
	data = parq_values(data, parq_switch_names, parq_switch_num_names(port), &fwd);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		data = parq_hw_values(data, parq_prio_names,
				      ARRAY_SIZE(parq_prio_names),
				      &hw->prio[i]);
	parq_stats_put(port);
}

/*
 * IEEE 802.3 clause 30.3.1.1 counts octets of data and pad. This driver counts whole
 * frames with FCS, as other drivers do and the kernel's documentation says.
 */
void parq_ethtool_stats_eth_mac(struct net_device *dev,
				struct ethtool_eth_mac_stats *mac)
{
	struct parq_port *port = netdev_priv(dev);
	const struct parq_stats *hw = parq_stats_last(port);

	mac->FramesTransmittedOK = le64_to_cpu(hw->tx.frames);
	mac->FramesReceivedOK = le64_to_cpu(hw->rx.frames);
	mac->FrameCheckSequenceErrors = le64_to_cpu(hw->rx_fcs_err);
	mac->OctetsTransmittedOK = le64_to_cpu(hw->tx.bytes);
	mac->FramesLostDueToIntMACXmitError = le64_to_cpu(hw->tx_drop_desc) +
					      le64_to_cpu(hw->tx_drop_dma) +
					      le64_to_cpu(hw->tx_drop_park);
	mac->OctetsReceivedOK = le64_to_cpu(hw->rx.bytes);
	mac->MulticastFramesXmittedOK = le64_to_cpu(hw->tx.multicast);
	mac->BroadcastFramesXmittedOK = le64_to_cpu(hw->tx.broadcast);
	mac->MulticastFramesReceivedOK = le64_to_cpu(hw->rx.multicast);
	mac->BroadcastFramesReceivedOK = le64_to_cpu(hw->rx.broadcast);
	mac->FramesLostDueToIntMACRcvError = le64_to_cpu(hw->rx_drop_nobuf) +
					     le64_to_cpu(hw->rx_drop_buffer) +
					     le64_to_cpu(hw->rx_drop_dma);
	mac->FrameTooLongErrors = le64_to_cpu(hw->rx_oversize) +
				  le64_to_cpu(hw->rx_jabber);
	parq_stats_put(port);
}

void parq_ethtool_stats_eth_ctrl(struct net_device *dev,
				 struct ethtool_eth_ctrl_stats *ctrl)
{
	struct parq_port *port = netdev_priv(dev);
	const struct parq_stats *hw = parq_stats_last(port);

	ctrl->MACControlFramesTransmitted = le64_to_cpu(hw->tx.ctrl);
	ctrl->MACControlFramesReceived = le64_to_cpu(hw->rx.ctrl);
	ctrl->UnsupportedOpcodesReceived = le64_to_cpu(hw->rx_ctrl_unknown);
	parq_stats_put(port);
}

/* PARQ_RMON_BOUNDS in ethtool's form. */
static const struct ethtool_rmon_hist_range parq_rmon_ranges[] = {
	{ 0, 64 },
	{ 65, 127 },
	{ 128, 255 },
	{ 256, 511 },
	{ 512, 1023 },
	{ 1024, 1518 },
	{ 1519, 65535 },
	{}
};

void parq_ethtool_stats_rmon(struct net_device *dev,
			     struct ethtool_rmon_stats *rmon,
			     const struct ethtool_rmon_hist_range **ranges)
{
	struct parq_port *port = netdev_priv(dev);
	const struct parq_stats *hw = parq_stats_last(port);
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(parq_rmon_ranges) != PARQ_NUM_RMON + 1);

	rmon->undersize_pkts = le64_to_cpu(hw->rx_undersize);
	rmon->oversize_pkts = le64_to_cpu(hw->rx_oversize);
	rmon->fragments = le64_to_cpu(hw->rx_fragment);
	rmon->jabbers = le64_to_cpu(hw->rx_jabber);
	for (i = 0; i < PARQ_NUM_RMON; i++) {
		rmon->hist[i] = le64_to_cpu(hw->rx.rmon[i]);
		rmon->hist_tx[i] = le64_to_cpu(hw->tx.rmon[i]);
	}
	parq_stats_put(port);
	*ranges = parq_rmon_ranges;
}
