#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How long a priority goes on after the PFC frame that pauses it, from 10 to 400 Gb/s: the frame
# being sent ends, and no other begins. IEEE 802.1Qbb and IEEE 802.3 annex 31B allow a number of
# quanta in which others may still begin.
#
# p0 fills the link with all eight priorities, and its peer pauses all of them again and again.
# The recording tells when each PFC frame ended and when the frame of that moment did, to the
# nanosecond.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

SPEEDS="10000 25000 100000 200000 400000"
# What is allowed, quanta. The standards have no figure for 200 Gb/s: that of the next faster.
declare -A ALLOWED=([10000]=60 [25000]=80 [100000]=394 [200000]=905 [400000]=905)
PAUSES=100 EVERY=40

# response MTU
response()
{
	local MBIT=$MBIT sender frame ns nanobytes port

	for port in p0 p1; do
		defer at $port ip link set $port mtu 1500
		check at $port ip link set $port mtu "$1" || return
	done
	defer set_speed "$MBIT"
	check pfc_set p0 all:on || return
	defer pfc_set p0 all:off
	check set_neighbours && link_up || return
	for MBIT in $SPEEDS; do
		check set_speed "$MBIT" && check record_restart || return
		parq_traffic send --dev p0 --to $SINK --size $(($1 - 28)) >"$tmp/sent.p0" &
		sender=$!
		sleep 0.0005
		# 10 microseconds in quanta
		check pfc p0 once --quanta $((MBIT / 51)) --count $PAUSES --every $EVERY
		kill $sender && check wait $sender || return
		check judge p0
		frame=$((8 + $1 + 14 + 4))
		ns=$(awk '$1 == "response_ns" { print $2 }' "$tmp/wire.p0")
		nanobytes=$((ns * MBIT / 8))
		figure "response; $((MBIT / 1000)); $1; ${wire[p0_all_pauses]}; $ns;" \
			"$((nanobytes / 1000)); $frame; ${wire[p0_all_leaks]}; ${ALLOWED[$MBIT]}"
		expect "pauses" "${wire[p0_all_pauses]} == 8 * $PAUSES"
		# The times are cut off to whole nanoseconds.
		expect "last bit after the pause, thousandths of a byte" \
			"$nanobytes > 0 && $nanobytes <= $frame * 1000 + $MBIT / 8"
		expect "frames that began after a pause" "${wire[p0_all_leaks]} == 0"
	done
}

run_tests \
	"the NIC obeys PFC within a frame, MTU 1500" "response 1500" \
	"the NIC obeys PFC within a frame, MTU 9000" "response 9000"
