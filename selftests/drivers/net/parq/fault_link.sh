#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The link flaps while frames are parked.
#
# The loss of the link ends each pause. Parked frames stay parked, and leave in order when the
# link is back: neither NIC nor driver drops any. Frames that the stack drops while there is no
# carrier never reach the driver.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1 up, down, up, ...
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

FLAPS=4

flap()
{
	check pause_begin p0 0xff || return
	check far ip link set p1 down || return
	kill_quietly "$pause_pid"
	wait_for 10 "p0 loses its carrier" carrier p0 0 || return
	check far ip link set p1 up && link_up || return
	wait_for 10 "all priorities send again" flowing p0
}

flaps()
{
	local i

	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	for ((i = 0; i < FLAPS; i++)); do
		flap || return
	done
	check set_neighbours
	check traffic_stop p0
	check counters_end || return
	# That a pause ended with the link is not to be seen in the recording.
	judge p0 --pfc 0
	expect "dropped" "$(dropped p0) == 0"
	expect "frames sent" "${wire[p0_all_frames]} > 1000"
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "late" "${wire[p0_all_late]} == 0"

	pauses_afterwards 100
}

run_tests \
	"a link that flaps loses no parked frame, offload" "flaps offload" \
	"a link that flaps loses no parked frame, managed" "flaps managed"
