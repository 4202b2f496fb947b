#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rate limits of traffic classes, with DCB.
#
# dcb shows what it has set. Bad limits are refused and change nothing. On the wire a traffic
# class that is limited to a fifth of the link gets a fifth. A lower class gets the rest,
# although the limited one is strict. Changes under traffic and random pauses of limited
# classes lose and reorder no frame.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# As the kernel has them, whatever dcb makes of it: bytes.
maxrate()
{
	parq_dcbnl p0 IEEE_GET '?13.7'
}

kept()
{
	defer maxrate_set p0 all:0
	check maxrate_set p0 all:0 3:10000000 || return
	same "what the NIC has" "$(sched p0 3)" "priorities 0x0 strict weight 0 kbit/s 10000000"
	check maxrate_set p0 5:1
	same "what the NIC has of 1 kbit/s" "$(sched p0 5)" "priorities 0x0 strict weight 0 kbit/s 1"
	same "another class" "$(sched p0 3)" "priorities 0x0 strict weight 0 kbit/s 10000000"
	check dcb maxrate set dev p0 tc-maxrate all:0 3:1Gbit
	same "what dcb shows" "$(dcb maxrate show dev p0 | grep -o '3:[^ ]*')" 3:1Gbit
	check maxrate_set p0 all:0
	same "none" "$(sched p0 3)" "priorities 0x0 strict weight 0 kbit/s 0"
}

# dcb may have another opinion: struct ieee_maxrate is in kbit/s.
unit()
{
	local limits

	defer maxrate_set p0 all:0
	# 10000, the lowest byte first, for TC 0.
	printf -v limits '%016d' 0 0 0 0 0 0 0
	check parq_dcbnl p0 IEEE_SET '13{' "7=x:1027000000000000$limits" '}' '?13=0' || return
	same "what the NIC has" "$(sched p0 0)" "priorities 0xff strict weight 0 kbit/s 10000"
	check parq_dcbnl p0 IEEE_GET "?13.7=16,39$(printf ',0%.0s' {1..62})"
}

refused()
{
	local before

	defer maxrate_set p0 all:0
	check maxrate_set p0 all:0 2:50000 || return
	before=$(maxrate)$(sched p0)
	logs "p0: maxrate refused: maxrate of TC 3: 4294967296 kbit/s, not 0..4294967295" \
		check_refused maxrate_set p0 1:1000 3:4294967296
	check_refused maxrate_set p0 8:1000
	same "limits after the refusals" "$(maxrate)$(sched p0)" "$before"
}

# Set while the port is down.
on_the_wire()
{
	local limit=$((MEASURE_MBIT * 1000 / 5)) low high

	defer ets_default p0
	defer maxrate_set p0 all:0
	check ip link set p0 down && check ets_strict p0 && check maxrate_set p0 6:$limit &&
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
		check maxrate_set p0 $((round % 8)):$((MBIT * (1 + round % 5) * 10)) || return
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
	check maxrate_set p0 all:$share || return
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
	"limits are in kbit/s" unit \
	"bad limits are refused" refused \
	"a limited class leaves the rest of the link to others" on_the_wire \
	"twenty changes under traffic lose no frame" hitless \
	"a limited class parks and reinjects, offload" "pauses offload" \
	"a limited class parks and reinjects, managed" "pauses managed"
