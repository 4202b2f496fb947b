#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tracepoints and debugfs tell what happens to a priority that is paused.
#
# The trace has every edge of its FSM, each edge starts in the state in which the last one ended,
# and names the right executor. Parked and reinjected frames in the trace agree with the
# counters. During the pause debugfs shows the state and the parked frames.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

tracing=/sys/kernel/tracing
PRIO=3

trace_begin()
{
	echo >$tracing/trace
	echo 1 >$tracing/events/parq/enable
	defer trace_end
}

trace_end()
{
	echo 0 >$tracing/events/parq/enable
}

# Events of the priority: what comes after "p0 prio 3".
traced()
{
	sed -n "s/^.* $1: p0 prio $PRIO //p" "$tmp/trace"
}

# Prints what is wrong with the edges of the FSM.
bad_edges()
{
	traced parq_fsm | awk -v executor="$1" '
		BEGIN { state = "idle" }
		$1 != state { print "from " state " to " $1 " without an edge" }
		$4 != executor { print "executed by " $4 }
		{ state = $3; seen[state]++ }
		END {
			if (state != "idle")
				print "ends " state
			for (n = split("halting parked flushing releasing", names, " "); n; n--)
				if (!(names[n] in seen))
					print "never " names[n]
		}'
}

class_is()
{
	grep -q "^priority $PRIO: pfc on, $1$" "/sys/kernel/debug/parq/$pci/port0/pfc"
}

fds_parked()
{
	grep -c "port 0 prio $PRIO queue" "/sys/kernel/debug/parq/$pci/port0/park"
}

one_pause()
{
	local mask=$((1 << PRIO)) deepest

	pfc_prepare "$1" || return
	check trace_begin || return
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 $mask || return
	wait_for 5 "debugfs shows the class parked" class_is parked
	same "FDs parked in debugfs" "$(fds_parked)" "$(counter p0 prio${PRIO}_parked)"
	check pause_end p0
	wait_for 10 "debugfs shows the class idle" class_is idle
	check traffic_stop p0
	check trace_end
	cat $tracing/trace >"$tmp/trace"
	check counters_end || return

	ktap_print_msg "edges $(traced parq_fsm | wc -l), parked $(traced parq_park | wc -l)"
	same "edges" "$(bad_edges "$1")" ""
	expect "events lost" "${counted[p0_event_lost]} == 0"
	expect "parked" "$(traced parq_park | wc -l) == ${counted[p0_prio${PRIO}_parked_total]}"
	expect "reinjected" \
		"$(traced parq_reinject | wc -l) == ${counted[p0_prio${PRIO}_reinjected]}"
	expect "begin and end of pauses" \
		"$(traced parq_pause | wc -l) == ${counted[p0_rx_prio${PRIO}_pause_transition]}"
	expect "passes" "$(traced parq_pass | grep -c begun) == ${counted[p0_prio${PRIO}_passes]}"
	deepest=$(traced parq_park | awk '$6 > n { n = $6 } END { print n + 0 }')
	expect "high-water mark" "$deepest > 0 && $(counter p0 prio${PRIO}_parked_high) >= $deepest"
	if [[ $1 == managed ]]; then
		expect "commands" "${counted[p0_prio${PRIO}_commands]} >= 3"
	else
		expect "commands" "${counted[p0_prio${PRIO}_commands]} == 0"
	fi
}

run_tests \
	"tracepoints show each edge of a pause, offload" "one_pause offload" \
	"tracepoints show each edge of a pause, managed" "one_pause managed"
