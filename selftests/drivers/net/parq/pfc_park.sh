#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A paused priority parks its frames and reinjects them in order.
#
# p0 sends as much as the link takes in all eight priorities, two flows each, so
# that sixteen TX queues are loaded. Its peer pauses priorities: first one of
# them until frames of it are parked, then all of them at random. The recording of p0's wire shows that no
# frame of a paused priority started, that none was lost or sent twice, that
# every flow stayed in order; and how often and how long each priority was
# paused. The counters of the NIC must say exactly the same.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

# The counters and the wire agree on a priority. Each of its pauses may have been
# cut off to whole microseconds.
agree()
{
	local prio=$1 pauses paused us

	pauses=${wire[p0_${prio}_pauses]}
	paused=${wire[p0_${prio}_paused_us]}
	us=${counted[p0_rx_prio${prio}_pause_duration]}
	expect "frames of $prio" "${counted[p0_tx_prio${prio}_packets]} == ${wire[p0_${prio}_frames]}"
	expect "bytes of $prio" "${counted[p0_tx_prio${prio}_bytes]} == ${wire[p0_${prio}_bytes]}"
	expect "PFC frames for $prio" "${counted[p0_rx_prio${prio}_pause]} == ${wire[p0_${prio}_pfc]}"
	expect "pauses of $prio" "${counted[p0_rx_prio${prio}_pause_transition]} == 2 * $pauses"
	expect "time that $prio was paused" "$us <= $paused + 1 && $us >= $paused - $pauses - 1"
}

one_pause()
{
	local prio

	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	wait_for 60 "priority 3 parks" try_to_park p0 0x08 || return
	check pfc p0 once --prios 0x08 --quanta 0 || return
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check counters_end
	check judge p0
	for prio in {0..7}; do
		agree "$prio"
	done
	expect "parked" "${counted[p0_prio3_parked_total]} > 0"
	expect "reinjected" "${counted[p0_prio3_reinjected]} == ${counted[p0_prio3_parked_total]}"
	expect "parked at the end" "$(counter p0 prio3_parked) == 0"
	for prio in 0 1 2 4 5 6 7; do
		expect "$prio parked" "${counted[p0_prio${prio}_parked_total]} == 0"
	done
}

random_pauses()
{
	local prio

	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	check pfc p0 storm --speed "$MBIT" --pauses 400 --on 4000 --off 6000 --repause 0 \
		--seed "$SRANDOM" || return
	check traffic_stop p0
	check counters_end
	check judge p0
	expect "pauses" "${wire[p0_all_pauses]} >= 300"
	for prio in {0..7}; do
		agree "$prio"
		expect "$prio parked" "${counted[p0_prio${prio}_parked_total]} > 0"
		expect "$prio still parked" "$(counter p0 "prio${prio}_parked") == 0"
	done
}

# PFC's opcode with its bytes swapped, a link pause frame (which is
# known, and not obeyed: that was not asked for), an address that is nobody's, another type:
# none of them pauses anyone.
lookalikes()
{
	local kind prio

	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	for kind in opcode pause address type; do
		check pfc p0 bad $kind --count 5 || return
	done
	check flowing p0
	check traffic_stop p0
	check counters_end
	check judge p0
	expect "unknown opcodes" "${counted[p0_rx_ctrl_unknown]} == 5"
	expect "wrong addresses" "${counted[p0_rx_ctrl_addr]} == 5"
	expect "link pauses" "${counted[p0_rx_pause_frames]} == 5"
	expect "PFC frames" "${counted[p0_rx_pfc_frames]} == 0"
	for prio in {0..7}; do
		expect "pauses of $prio" "${counted[p0_rx_prio${prio}_pause_transition]} == 0"
		expect "$prio parked" "${counted[p0_prio${prio}_parked_total]} == 0"
	done
}

run_tests \
	"a paused priority parks and reinjects in order, offload" "one_pause offload" \
	"a paused priority parks and reinjects in order, managed" "one_pause managed" \
	"randomly paused priorities send nothing and lose nothing, offload" "random_pauses offload" \
	"randomly paused priorities send nothing and lose nothing, managed" "random_pauses managed" \
	"frames that only look like PFC pause nothing" "lookalikes offload"
