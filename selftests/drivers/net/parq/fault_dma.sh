#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The host refuses DMA now and then, as an IOMMU does without a mapping, under
# traffic both ways and pauses: descriptors, frames, park queue entries,
# completions, head write-back, status page, events. This happens so often that the NIC cannot
# report some queues that have stopped: the driver has to find them.
#
# Only frames that cannot be sent are lost, and they are counted. A paused class stays silent.
# Stopped queues are reset. Traffic goes on afterwards. The reset of an RX queue loses the
# refused frame, and no other frame of a priority with PFC.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

refused()
{
	expected_complaint='parq.*(reset|no completion)|NETDEV WATCHDOG'
	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	# Before p1 sends, too: on a busy host only one of them fills its link, and then parks.
	check pause_begin p0 0xff || return
	check traffic_start p1 0x0f || return
	check fault_begin "$FAULT_REFUSED" || return
	check pause_end p0
	check pfc p0 storm --speed "$MBIT" --pauses 500 --on 4000 --off 8000 --seed "$SRANDOM"
	ping -q -c 5 -i 0.2 -W 1 192.0.2.2 >"$tmp/ping"
	check fault_end
	wait_for 30 "all priorities of p0 send again" flowing p0 || return
	wait_for 30 "priorities of p1 send again" flowing p1 0x0f || return
	check pfc p0 storm --speed "$MBIT" --pauses 300 --seed "$SRANDOM" || return
	check traffic_stop p1
	check traffic_stop p0
	check ping -q -c 3 -i 0.2 192.0.2.2

	judge p0
	check counters_end || return
	ktap_print_msg "frames that did not leave, by counters: $(dropped p0)"
	expect "DMA refused" "$(dropped p0) > 0"
	expect "lost" "${wire[p0_all_lost]} <= $(dropped p0)"
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "late" "${wire[p0_all_late]} == 0"
	expect "leaks" "${wire[p0_all_leaks]} == 0"
	# p1 is refused as much, and sends none while its own queue is stopped. Most come afterwards.
	expect "pauses" "${wire[p0_all_pauses]} >= 150"
}

resets()
{
	dmesg | grep -c 'p1.*: RX queue [0-9]*: reset'
}

reset_since()
{
	(($(resets) > $1))
}

all_there()
{
	counts "counted[p0_tx_prio3_packets] ==
		counted[p1_rx_prio3_packets] + counted[p1_rx_drop_dma]"
}

# 5000 short frames a second.
received()
{
	local port sender

	expected_complaint='parq.*(reset|no completion)|NETDEV WATCHDOG'
	for port in p0 p1; do
		defer pfc_set $port all:off
		check pfc_set $port all:off 3:on || return
	done
	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 && check counters_begin || return
	exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --prios 0x08 \
		--size 64 --rate $((2560 / SLOWER)) --drain 60000 >"$tmp/sent" &
	sender=$!
	defer kill_quietly $sender
	check fault_begin "$FAULT_REFUSED" || return
	wait_for 60 "an RX queue of p1 is reset" reset_since "$(resets)" || return
	check fault_end
	wait_for 30 "p0 sends again" flowing p0 0x08 || return
	kill_quietly $sender
	# The last reset may be up to 8 s away.
	wait_for 20 "p1 has what it was not refused" all_there
	ktap_print_msg "frames: ${counted[p0_tx_prio3_packets]}," \
		"refused: ${counted[p1_rx_drop_dma]}, resets: $(resets)"
	expect "refused" "${counted[p1_rx_drop_dma]} > 0"
	expect "for a disabled queue" "${counted[p1_rx_drop_disabled]} == 0"
	expect "received and dropped" "${counted[p1_rx_prio3_discards]} == 0"
}

# The driver cannot know of a frame whose completion is refused that it was sent.
sums_known=0
faulty=1
run_tests \
	"the port recovers from refused DMA, offload" "refused offload" \
	"the port recovers from refused DMA, managed" "refused managed" \
	"a receiver recovers from refused DMA" received
