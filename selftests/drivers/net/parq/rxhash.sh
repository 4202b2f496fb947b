#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# ethtool -K rxhash: frames come to the stack with the NIC's hash, or without one.
#
# The kernel's tracepoint of received frames shows it. Frames are spread over queues either way.
#
#	p0 ==== data ====>  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

event=/sys/kernel/tracing/events/net/napi_gro_receive_entry
trace=/sys/kernel/tracing/trace
FLOWS=8

# Frames that p1's NAPI got since then: "HASH L4_HASH" of each.
hashes()
{
	sed -n 's/.*dev=p1 .* hash=\(0x[0-9a-f]*\) l4_hash=\([01]\) .*/\1 \2/p' $trace
}

# frames_seen NUMBER
frames_seen()
{
	(($(hashes | wc -l) >= $1))
}

send_flows()
{
	echo >$trace
	check receive_start p1 || return
	check parq_traffic send --dev p0 --to 192.0.2.2 --flows $FLOWS --frames 5 >"$tmp/sent"
	wait_for 10 "frames are traced" frames_seen $((FLOWS * 5))
	check receive_stop p1
}

rxhash()
{
	check eval "echo 1 >$event/enable" || return
	defer eval "echo 0 >$event/enable"
	send_flows || return
	same "frames without a hash" "$(hashes | grep -vc ' 1$')" 0
	expect "different hashes" "$(hashes | sort -u | wc -l) >= FLOWS / 2"
	check far ethtool -K p1 rxhash off || return
	defer far ethtool -K p1 rxhash on
	send_flows || return
	same "hashes while they are off" "$(hashes | sort -u)" "0x00000000 0"
	check far ip link set p1 down && check far ip link set p1 up && check link_up &&
		check set_neighbours || return
	send_flows || return
	same "hashes after down and up" "$(hashes | sort -u)" "0x00000000 0"
	check far ethtool -K p1 rxhash on
	send_flows || return
	same "frames without a hash, on again" "$(hashes | grep -vc ' 1$')" 0
}

run_tests \
	"frames carry the hash only while rxhash is on" rxhash
