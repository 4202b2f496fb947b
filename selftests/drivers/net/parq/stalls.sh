#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# All eight priorities are lossless at 400 Gb/s, over cables up to 2000 m, with the buffers that
# the driver computes: p1's host looks at its frames so rarely that rings and buffers fill, and
# nothing is lost. That no byte of headroom is missing is shown by test_lossless.c.
#
#	p0 ==== data ====>  p1
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

SPEED=400000
# Between two looks of the host, us, while the link carries 25 MB.
STALL=500

# stalls METRES
stalls()
{
	local sender port prio frames=0 xoff=0 lost=0 most

	defer cable_set 10
	defer set_speed "$MBIT"
	check cable_set "$1" && check set_speed $SPEED && check record_restart || return
	for port in p0 p1; do
		defer pfc_set $port all:off
		check pfc_set $port all:on || return
	done
	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 || return
	check devlink sb occupancy clearmax "$nic_bus/$pci" && check counters_begin || return
	defer poll_interval_set p1 0
	check poll_interval_set p1 $STALL || return
	parq_traffic send --dev vp0 --to 198.51.100.2 --size 1400 --drain 20000 >"$tmp/sent" &
	sender=$!
	sleep 0.005
	kill $sender && check wait $sender || return
	check poll_interval_set p1 0
	wait_for 10 "p1 has all that p0 has sent" all_received || return
	for prio in {0..7}; do
		expect "paused $prio" "${counted[p1_tx_prio${prio}_pause_transition]} > 0"
		expect "received and dropped of $prio" "${counted[p1_rx_prio${prio}_discards]} == 0"
		expect "dropped by the sender of $prio" "${counted[p0_tx_prio${prio}_dropped]} == 0"
		expect "PFC frames of $prio" \
			"${counted[p1_tx_prio${prio}_pause]} == ${counted[p0_rx_prio${prio}_pause]}"
		((frames += ${counted[p1_rx_prio${prio}_packets]}))
		((xoff += ${counted[p1_tx_prio${prio}_pause_transition]}))
		((lost += ${counted[p1_rx_prio${prio}_discards]} + ${counted[p0_tx_prio${prio}_dropped]}))
	done
	for port in p0 p1; do
		expect "dropped by $port" "${counted[${port}_rx_drop_nobuf]} +
			${counted[${port}_rx_drop_buffer]} == 0"
	done
	devlink sb occupancy snapshot "$nic_bus/$pci" || return
	most=$(devlink -j sb occupancy show "$nic_bus/$pci/1" |
		jq '[.occupancy[].pool[].max] | max')
	figure "stalls; $((SPEED / 1000)); $1; $frames; $xoff; $most; $lost"
}

run_tests \
	"1 m" "stalls 1" \
	"100 m" "stalls 100" \
	"500 m" "stalls 500" \
	"2000 m" "stalls 2000"
