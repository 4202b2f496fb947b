#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# All eight priorities paused at once, and released at once.
#
# While everything is paused nothing may start on the wire, and the machine must
# not mind: frames wait in the park queues, senders wait in their sockets. The
# release must bring every priority back, in order. The pause is kept up for longer
# than one pause frame can, and several times.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

silent()
{
	local before

	before=$(sent_bytes)
	sleep 0.1
	[[ $(sent_bytes) == "$before" ]]
}

sent_bytes()
{
	ethtool -S p0 | awk '/^ *tx_prio[0-7]_bytes:/ { sum += $2 } END { print sum }'
}

pause_all()
{
	local prio

	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	for _ in 1 2 3; do
		# 20 pauses of 335 ms, 50 ms apart: one second and more
		check pfc p0 once --count 20 --every 50000 || return
		check silent || return
		wait_for 5 "all priorities park" all_parked p0 || return
		check pfc p0 once --quanta 0 || return
		wait_for 10 "all priorities send again" flowing p0 || return
	done
	check traffic_stop p0
	check counters_end
	check judge p0
	for prio in {0..7}; do
		expect "pauses of $prio" "$(wire p0 "$prio" pauses) == 3"
		expect "time that $prio was paused" "$(wire p0 "$prio" paused_us) > 3000000"
		expect "$prio still parked" "$(counter p0 "prio${prio}_parked") == 0"
	done
}

run_tests \
	"all paused, offload" "pause_all offload" \
	"all paused, managed" "pause_all managed"
