#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# No class waits for the pause of another class.
#
# All eight priorities send as much as the link takes and share it equally.
# Priorities 0 to 3 are paused at random, 4 to 7 never. The rate of each of 4 to 7 while any of
# the others is paused must be 95% or more of its rate, in the same run, while none is. A NIC
# whose paused frames block others comes nowhere near.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

compare()
{
	local prio free other

	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	check pfc p0 storm --prios 0x0f --speed "$MBIT" --pauses 400 --on 15000 --off 30000 \
		--repause 10 --seed "$SRANDOM" || return
	check traffic_stop p0
	check judge p0
	for prio in {4..7}; do
		free=${wire[p0_${prio}_free_kbit]}
		other=${wire[p0_${prio}_other_kbit]}
		expect "pauses of $prio" "${wire[p0_${prio}_pauses]} == 0"
		expect "rate of $prio while nobody is paused" "$free > 1000 * MBIT / 20"
		expect "rate of $prio while others are paused" "$other * 100 >= $free * 95"
	done
	for prio in {0..3}; do
		expect "pauses of $prio" "${wire[p0_${prio}_pauses]} > 0"
	done
}

run_tests \
	"pauses do not slow the other classes, offload" "compare offload" \
	"pauses do not slow the other classes, managed" "compare managed"
