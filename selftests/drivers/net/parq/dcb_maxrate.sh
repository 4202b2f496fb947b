#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rate limits of traffic classes, with DCB.
#
# What dcb sets it shows again; what cannot be had is refused, and then everything
# stands as it did. On the wire a traffic class that is limited to a fifth of the link
# has that, and what is left goes to another one, although the limited one is strict
# and above it. Changes under traffic lose nothing and reorder nothing, and so do
# random pauses of limited classes.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

maxrate()
{
	dcb -j maxrate show dev p0 | jq -c .tc_maxrate
}

kept()
{
	defer maxrate_set p0 all:0
	check dcb maxrate set dev p0 tc-maxrate all:0 3:10Gbit
	same "what is shown" "$(dcb maxrate show dev p0 | grep -o '3:[^ ]*')" 3:10Gbit
	same "all of it, bytes/s" "$(maxrate)" "[0,0,0,1250000000,0,0,0,0]"
	same "what the NIC has" "$(sched p0 3)" "priorities 0x0 strict weight 0 kbit/s 10000000"
	check dcb maxrate set dev p0 tc-maxrate 5:1001bps
	same "less than a kbit/s more" "$(maxrate)" "[0,0,0,1250000000,0,1001,0,0]"
	same "what the NIC has of it" "$(sched p0 5)" "priorities 0x0 strict weight 0 kbit/s 8"
	check maxrate_set p0 all:0
	same "none" "$(maxrate)" "[0,0,0,0,0,0,0,0]"
}

refused()
{
	local before

	defer maxrate_set p0 all:0
	check maxrate_set p0 all:0 2:50Mbit || return
	before=$(maxrate)$(sched p0)
	check_refused maxrate_set p0 1:1Mbit 3:124bps
	check_refused maxrate_set p0 1:1Mbit 3:5000Gbit
	check_refused maxrate_set p0 8:1Mbit
	same "limits after the refusals" "$(maxrate)$(sched p0)" "$before"
	check eval "dmesg | grep -q 'p0: maxrate refused: maxrate of TC 3: 124 B/s, not 0'"
}

# Set while the port is down.
on_the_wire()
{
	local limit=$((MEASURE_MBIT * 1000 / 5)) low high

	defer ets_default p0
	defer maxrate_set p0 all:0
	check ip link set p0 down && check ets_strict p0 && check maxrate_set p0 6:${limit}kbit &&
		check topology_ports || return
	measure p0 0x42 || return
	high=$(measured p0 6) low=$(measured p0 1)
	expect "limited" "$high * 100 <= $limit * 105"
	expect "limited, and served" "$high * 100 >= $limit * 90"
	expect "the rest" "$low >= (MEASURE_MBIT * 1000 - $limit) * 85 / 100"
}

topology_ports()
{
	ports_up && link_up
}

hitless()
{
	local round

	pfc_prepare offload || return
	defer maxrate_set p0 all:0
	check traffic_start p0 0xff --flows 2 || return
	for ((round = 0; round < 20; round++)); do
		check maxrate_set p0 $((round % 8)):$((MBIT * (1 + round % 5)))0kbit || return
		check maxrate_set p0 $(((round + 3) % 8)):0 || return
	done
	check maxrate_set p0 all:0
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check judge p0
}

# A fifth of the link for all, and each of them paused at random.
pauses()
{
	local share=$((MBIT * 1000 / 40)) prio

	pfc_prepare "$1" || return
	defer maxrate_set p0 all:0
	check maxrate_set p0 all:${share}kbit || return
	check traffic_start p0 0xff --flows 2 || return
	check pfc p0 storm --speed "$MBIT" --pauses 200 --on 15000 --off 30000 \
		--seed "$SRANDOM" || return
	check maxrate_set p0 all:0
	check traffic_stop p0
	check judge p0
	expect "pauses" "${wire[p0_all_pauses]} >= 150"
	for prio in {0..7}; do
		expect "pauses of $prio" "${wire[p0_${prio}_pauses]} > 0"
		# Between its own pauses it catches up; an equal share would be five times that.
		expect "rate of $prio while others are paused" \
			"${wire[p0_${prio}_other_kbit]} <= $share * 3"
	done
}

run_tests \
	"limits are kept" kept \
	"limits that cannot be had are refused" refused \
	"a limited class leaves the rest" on_the_wire \
	"twenty changes under traffic" hitless \
	"pauses of limited classes, offload" "pauses offload" \
	"pauses of limited classes, managed" "pauses managed"
