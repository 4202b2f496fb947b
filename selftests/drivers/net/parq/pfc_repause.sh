#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A new pause in the middle of a flush pass reorders nothing.
#
# The dangerous moment of reinjection is a pause that rises, and may fall again,
# while parked frames are on their way back: the pass must go on to its end and
# turn back all the rest. So the peer pauses all priorities at random more than
# a thousand times, and repauses most of them at once or within 200 us after their
# release, while sixteen TX queues are loaded. The NIC must have met pauses inside
# passes, and the wire must show no leak, no loss, no duplicate, no reordering.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

storm()
{
	local prio passes=0 repauses=0

	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 --size "$2" || return
	check pfc p0 storm --speed "$MBIT" --pauses 1300 --on 1500 --off 4000 --repause 70 \
		--seed "$SRANDOM" || return
	check traffic_stop p0
	check counters_end
	check judge p0
	for prio in {0..7}; do
		((passes += ${counted[p0_prio${prio}_passes]}))
		((repauses += ${counted[p0_prio${prio}_repauses]}))
		expect "$prio still parked" "$(counter p0 "prio${prio}_parked") == 0"
		expect "$prio dropped" "${counted[p0_tx_prio${prio}_dropped]} == 0"
	done
	ktap_print_msg "passes $passes, turned back $repauses"
	expect "pauses" "${wire[p0_all_pauses]} >= 1000"
	expect "repauses on the wire" "${wire[p0_all_repauses]} >= 200"
	expect "passes turned back" "$repauses >= 50"
}

run_tests \
	"repauses keep the order of long frames, offload" "storm offload 1400" \
	"repauses keep the order of long frames, managed" "storm managed 1400" \
	"repauses keep the order of short frames, offload" "storm offload 300" \
	"repauses keep the order of short frames, managed" "storm managed 300"
