#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A host that is slow to take frames loses none of a priority with PFC.
#
# p1 has few receive buffers and looks at them a hundred times a second, which is
# less than p0 sends. Frames of its lossless priority wait in the NIC, whose receive
# buffer pauses p0 at its watermark; p0 parks what it has. Nothing is dropped
# anywhere, while another priority goes on. Without PFC the same traffic is dropped.
#
#	p0 ==== data ====>  p1
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

FRAMES=20000

# Its ring runs dry between two interrupts.
slow_receiver()
{
	defer rings_set p1 512
	check rings_set p1 64 || return
	defer far ethtool -C p1 rx-usecs "$(far ethtool -c p1 | awk '/^rx-usecs:/ { print $2 }')"
	check far ethtool -C p1 rx-usecs 10000
}

# Tagged, so that p1 sees the priority. 3 may have PFC, 5 never has.
overrun()
{
	local port

	for port in p0 p1; do
		vlan_up $port 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 || return
	done
	check ip neigh replace 198.51.100.2 lladdr "$(far cat /sys/class/net/p1/address)" dev vp0 ||
		return
	check slow_receiver && check record_anew && check counters_begin || return
	exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --prios 0x20 --flows 1 \
		--frames $((FRAMES / 20)) --size 64 --rate 100 >"$tmp/sent.other" &
	defer kill_quietly $!
	(exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --prios 0x08 --flows 4 \
		--frames $((FRAMES / 4)) --size 64 --drain 60000 >"$tmp/sent")
	check test $? == 0
	wait_for 20 "all frames are somewhere" arrived || return
	check judge p0
}

arrived()
{
	counters_end
	(($(counted p0 tx_prio3_packets) >= FRAMES &&
		$(counted p0 tx_prio3_packets) ==
		$(counted p1 rx_prio3_packets) + $(counted p1 rx_prio3_discards)))
}

lossless()
{
	local port

	check executor_set "$1" || return
	defer executor_set offload
	for port in p0 p1; do
		defer pfc_set $port all:off
		check pfc_set $port all:off 3:on || return
	done
	# Less than p0 sends.
	defer far dcb buffer set dev p1 buffer-size all:0
	check far dcb buffer set dev p1 prio-buffer all:0 3:1 buffer-size all:0 0:64K 1:64K ||
		return
	overrun || return
	ktap_print_msg "XOFF and XON sent: $(counted p1 tx_prio3_pause)," \
		"parked by the peer: $(counted p0 prio3_parked_total)"
	expect "received and dropped" "$(counted p1 rx_prio3_discards) == 0"
	expect "dropped by the sender" "$(counted p0 tx_prio3_dropped) == 0"
	expect "pauses" "$(counted p1 tx_prio3_pause_transition) >= 2"
	expect "PFC frames" "$(counted p1 tx_prio3_pause) == $(counted p0 rx_prio3_pause)"
	expect "PFC frames on the wire" "$(counted p1 tx_prio3_pause) == $(wire p0 3 pfc)"
	expect "times paused" "$(counted p1 tx_prio3_pause_transition) ==
		$(counted p0 rx_prio3_pause_transition)"
	expect "parked" "$(counted p0 prio3_parked_total) > 0"
	expect "pauses of the other priority" "$(counted p0 rx_prio5_pause_transition) == 0"
}

lossy()
{
	overrun || return
	ktap_print_msg "dropped: $(counted p1 rx_prio3_discards)"
	expect "received and dropped" "$(counted p1 rx_prio3_discards) > 0"
	expect "PFC frames" "$(counted p1 tx_pfc_frames) == 0"
}

run_tests \
	"a slow receiver loses nothing, offload" "lossless offload" \
	"a slow receiver loses nothing, managed" "lossless managed" \
	"without PFC it does" lossy
