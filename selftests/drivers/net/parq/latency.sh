#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A frame of a stricter traffic class does not wait for the queue of another one.
#
# Priority 0 fills the link with one flow of frames of 1442 bytes. A request of priority 7 waits
# at most for the frame on the wire and for the one that the NIC has fetched behind it. The
# round trip on an idle link is what it is compared with.
#
#	p0 ==== data ====>  (nobody)
#	p0 <--- echo ---->  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# What the NIC fetches ahead to hide its own latency, in microseconds.
FETCH_AHEAD=5

# The longest round trip of 100, in microseconds. The type of service makes it priority 6 of
# the socket, and the VLAN's map priority 7.
round_trip()
{
	ping -q -c 100 -i 0.017 -Q 0x10 198.51.100.2 >"$tmp/ping" || return
	awk -F '[ /]+' '/^rtt/ { printf "%.0f\n", $9 * 1000 }' "$tmp/ping"
}

# latency MBIT
latency()
{
	local idle loaded frame

	defer ets_default p0
	defer set_speed "$MBIT"
	check ets_strict p0 && check set_speed "$1" && vlans_up 6:7 || return
	idle=$(round_trip)
	check traffic_start p0 0x01 --size "$MEASURE_SIZE" || return
	loaded=$(round_trip)
	check traffic_stop p0
	((idle && loaded)) || check cat "$tmp/ping" || return
	# Preamble, FCS and gap included.
	frame=$(((MEASURE_SIZE + 66) * 8 / $1))
	ktap_print_msg "$1 Mb/s: $idle us, with the other class $loaded us, a frame takes $frame us"
	expect "round trip, us" "$loaded <= $idle + 2 * $frame + $FETCH_AHEAD"
}

run_tests \
	"a high priority waits for two frames at most, 10 Mb/s" "latency 10" \
	"a high priority waits for two frames at most, 100 Mb/s" "latency 100" \
	"a high priority waits for two frames at most, 1 Gb/s" "latency 1000"
