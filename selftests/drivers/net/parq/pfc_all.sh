#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# All eight priorities paused at once, and released at once.
#
# While all priorities are paused no frame starts on the wire: frames wait in the park queues,
# senders wait in their sockets. After the release every priority sends again, in order. The
# link is so slow that a PFC frame pauses for 3.35 s: even a busy machine sends the next one in
# time.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
: "${MBIT:=10}"
. "$(dirname "$0")/lib.sh"

# stopped SINCE: nothing is sent, all is parked, and it has been 400 ms.
stopped()
{
	(($(timestamp_ms) - $1 >= 400)) && none_sending p0 0xff && parked p0 0xff
}

pause_all()
{
	local prio start

	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	for _ in 1 2 3; do
		check pause_begin p0 0xff || return
		start=$(timestamp_ms)
		wait_for 10 "nothing is sent, and all priorities are parked" stopped "$start" ||
			return
		check pause_end p0 || return
		wait_for 10 "all priorities send again" flowing p0 || return
	done
	check traffic_stop p0
	check counters_end
	check judge p0
	for prio in {0..7}; do
		expect "pauses of $prio" "${wire[p0_${prio}_pauses]} >= 3"
		expect "time that $prio was paused" "${wire[p0_${prio}_paused_us]} > 3 * 400000"
		expect "$prio still parked" "$(counter p0 "prio${prio}_parked") == 0"
	done
}

run_tests \
	"nothing is sent while all priorities are paused, offload" "pause_all offload" \
	"nothing is sent while all priorities are paused, managed" "pause_all managed"
