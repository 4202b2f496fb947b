#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Frames that the NIC drops are dropped in the statistics of the interface, too.
#
# The NIC completes a frame that it drops like one that it sends. What "ip -s link" and the
# netdev family's statistics of queues show as sent has to be what the wire has seen. "ip -s link"
# has to have the rest as dropped, frame by frame and byte by byte, and the statistics of queues
# the part of it that the NIC had fetched.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

TOUT=200 PRIO=3

# link_stat NAME: of what p0 has sent, as rtnetlink has it.
link_stat()
{
	ip -s -j link show dev p0 | jq ".[0].stats64.tx.$1"
}

# mac_stat NAME: of the group eth-mac.
mac_stat()
{
	ethtool -S p0 --groups eth-mac | awk -v name="eth-mac-$1:" '$1 == name { print $2 }'
}

# Frames that the NIC has fetched and dropped.
hw_dropped()
{
	local name sum=0

	for name in desc dma purge park storm; do
		((sum += ${counted[p0_tx_drop_$name]}))
	done
	echo $sum
}

balance_begin()
{
	check counters_begin || return
	packets=$(link_stat packets) bytes=$(link_stat bytes) drops=$(link_stat dropped)
	! kernel_from 6.11 || queue_packets=$(counter p0 tx_queues_packets) \
		queue_drops=$(counter p0 tx_queues_hw_drops)
}

# balance_end REASON...: counters that together have all drops.
balance_end()
{
	local prio name sent=0 sent_bytes=0 dropped=0

	check counters_end
	for prio in {0..7}; do
		((sent += ${counted[p0_tx_prio${prio}_packets]}))
		((sent_bytes += ${counted[p0_tx_prio${prio}_bytes]}))
	done
	for name; do
		((dropped += ${counted[p0_$name]}))
	done
	ktap_print_msg "sent $sent, dropped $dropped"
	expect "frames dropped" "$dropped > 0"
	expect "packets" "$(link_stat packets) - $packets == $sent"
	expect "bytes" "$(link_stat bytes) - $bytes == $sent_bytes"
	expect "dropped" "$(link_stat dropped) - $drops == $dropped"
	kernel_from 6.11 || return 0
	expect "packets of queues" "$(counter p0 tx_queues_packets) - $queue_packets == $sent"
	expect "drops of queues" "$(counter p0 tx_queues_hw_drops) - $queue_drops == $dropped"
}

more_dropped()
{
	(($(counter p0 "tx_prio${PRIO}_dropped") > $1))
}

storm()
{
	pfc_prepare offload || return
	defer storm_default
	check ethtool --set-tunable p0 pfc-prevention-tout $TOUT || return
	check balance_begin || return
	check traffic_start p0 0xff --flows 2 || return
	pause_repeat p0 once --prios $((1 << PRIO)) --every 20000
	wait_for 20 "frames are dropped" more_dropped "$(($(counter p0 tx_prio${PRIO}_dropped) + 50))" ||
		return
	check pause_end p0
	check traffic_stop p0
	balance_end tx_drop_storm
}

# Frames, descriptors, completions. The driver cannot know of a frame whose completion was refused
# that it has left: to be sure of none, it drops all that the queue had when it resets it.
refused()
{
	local given sent=0 prio

	expected_complaint='parq.*(reset|no completion)|NETDEV WATCHDOG'
	faulty=1
	pfc_prepare offload || return
	check balance_begin || return
	check traffic_start p0 0xff --flows 2 || return
	check fault_begin "$FAULT_REFUSED" || return
	wait_for 20 "frames are dropped" counts "counted[p0_tx_drop_dma] > 50 &&
		counted[p0_tx_drop_desc] + counted[p0_tx_flushed] > 0" || return
	check fault_end
	wait_for 30 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check counters_end || return
	given=$(awk '$1 == "flow" { sum += $4 } END { print sum }' "$tmp/sent.p0")
	expect "internal errors of the MAC" "$(mac_stat FramesLostDueToIntMACXmitError) ==
		$(counter p0 tx_drop_desc) + $(counter p0 tx_drop_dma) + $(counter p0 tx_drop_park)"
	((packets = $(link_stat packets) - packets, drops = $(link_stat dropped) - drops))
	for prio in {0..7}; do
		((sent += ${counted[p0_tx_prio${prio}_packets]}))
	done
	ktap_print_msg "given $given, sent $packets, dropped $drops; by the NIC: sent $sent"
	expect "what was given" "$packets + $drops == $given"
	expect "what the NIC has sent" "$packets <= $sent && $sent - $packets <= ${counted[p0_tx_flushed]}"
	expect "dropped" "$drops > 0 && $drops <= $(dropped p0)"
	kernel_from 6.11 || return 0
	expect "packets of queues" "$(counter p0 tx_queues_packets) - $queue_packets == $packets"
	expect "drops of queues" "$(counter p0 tx_queues_hw_drops) - $queue_drops == $(hw_dropped)"
}

# The driver cannot know of a frame whose completion is refused that it was sent.
sums_known=0
run_tests \
	"drops of a storm are in the statistics of the interface" storm \
	"drops of refused DMA are in the statistics of the interface" refused
