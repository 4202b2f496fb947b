#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# An interface goes down, or is reset, while frames are parked, or have not been received.
#
# Nothing waits for the end of the pause: parked frames are dropped, counted and freed once, and
# the interface comes up as before. The sockets of the sender have no memory charged to them
# afterwards, so every frame was freed.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

down_and_up()
{
	local start ms

	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	start=$(timestamp_ms)
	check ip link set p0 down || return
	ms=$(($(timestamp_ms) - start))
	check traffic_stop p0
	check counters_end
	expect "time to go down, ms" "$ms < 5000 * SLOWER"
	expect "frames dropped" "${counted[p0_tx_drop_purge]} > 0"

	kill_quietly "$pause_pid"
	check ip link set p0 up && check set_neighbours && link_up || return
	pauses_afterwards 50
}

# By its user, who may reset what is the port's own: it goes on by itself.
reset()
{
	pfc_prepare offload || return
	check_refused ethtool --reset p0 phy
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	check ethtool --reset p0 dma filter offload mac >"$tmp/reset" || return
	check link_up && check pause_end p0 || return
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check counters_end
	expect "frames dropped" "${counted[p0_tx_drop_purge]} > 0"
	pauses_afterwards 50
}

# Its host has not looked for frames yet.
receiver_down()
{
	local before

	defer poll_interval_set p1 0
	check poll_interval_set p1 2000000 && check counters_begin || return
	before=$(stack_has)
	check parq_traffic send --dev p0 --to 192.0.2.2 --prios 0x01 --flows 1 --frames 100 \
		>"$tmp/sent" || return
	wait_for 10 "the NIC has the frames" counts "counted[p1_rx_prio0_packets] == 100" || return
	check far ip link set p1 down || return
	check poll_interval_set p1 0
	check far ip link set p1 up && check set_neighbours && link_up || return
	same "frames received or dropped" "$(($(stack_has) - before))" 100
}

# Frames that p1 has passed on or dropped.
stack_has()
{
	far ip -s -j link show dev p1 | jq '.[0].stats64.rx | .packets + .dropped'
}

run_tests \
	"frames that are not received when the receiver goes down are counted" receiver_down \
	"down and up with parked frames recovers, offload" "down_and_up offload" \
	"down and up with parked frames recovers, managed" "down_and_up managed" \
	"ethtool --reset with parked frames recovers" reset
