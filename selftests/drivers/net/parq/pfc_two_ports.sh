#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Both ports pause each other at once.
#
# The ports share one pipeline. Each sends in priorities 0 to 6 as much as its
# link takes, and is paused in them at random by the other. Priority 7 carries
# the PFC frames alone and is never paused, or a port could not release its peer.
# Each wire end is judged by its own recording.
#
#	p0 ==== data ====>  (nobody)     (nobody)  <==== data ==== p1
#	p0 <=== PFC ==============================================> p1
. "$(dirname "$0")/lib.sh"

prepare()
{
	pfc_prepare "$1" || return
	check pfc_set p0 all:on 7:off || return
	check pfc_set p1 all:on 7:off || return
	defer pfc_set p1 all:off
	check ets_equal p1 || return
	defer ets_default p1
}

both()
{
	local port status=0

	prepare "$1" || return
	check traffic_start p0 0x7f || return
	check traffic_start p1 0x7f || return
	pfc p1 storm --prios 0x7f --speed "$MBIT" --pauses 400 --on 3000 --off 5000 \
		--seed "$SRANDOM" &
	check pfc p0 storm --prios 0x7f --speed "$MBIT" --pauses 400 --on 3000 --off 5000 \
		--seed "$SRANDOM"
	wait $! || status=$?
	expect "status of the storm on p1" "$status == 0"
	for port in p0 p1; do
		check traffic_stop $port
	done
	for port in p0 p1; do
		check judge $port --pfc 0x7f
		# Those that overlap count once, and they are random.
		expect "pauses of $port" "${wire[${port}_all_pauses]} >= 200"
	done
}

run_tests \
	"both ports park and reinject at once, offload" "both offload" \
	"both ports park and reinject at once, managed" "both managed"
