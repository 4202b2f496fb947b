#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A starved queue is not a stuck one.
#
# A stricter traffic class may keep the link busy without end. The lower queues wait longer than
# the timeout of the stack's TX watchdog, which looks at full queues, and than the driver waits,
# which looks at others. They are not reset, and lose nothing.
#
#	p0 ==== data ====>  (nobody)
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# Twice as long as the watchdog waits.
STARVED_SECONDS=12

# starved MBIT BYTES: BYTES is the byte limit of the queues of priority 0, see bql_limit.
starved()
{
	local before

	defer ets_default p0
	defer set_speed "$MBIT"
	defer bql_limit 0 tx-{0,8}
	bql_limit "$2" tx-{0,8}
	check ets_strict p0 && check set_speed "$1" && check counters_begin || return
	before=$(tx_timeouts)
	check traffic_start p0 0x80 || return
	parq_traffic send --dev p0 --to $SINK --prios 0x01 --frames 200 --drain 60000 \
		>"$tmp/starved" &
	defer kill_quietly $!
	since=$SECONDS
	wait_for 60 "priority 0 waits for $STARVED_SECONDS s" \
		starves p0 0x01 "$STARVED_SECONDS" || return
	same "timeouts" "$(tx_timeouts)" "$before"
	expect "bytes that wait" "$(<"${sysfs[p0]}/queues/tx-0/byte_queue_limits/inflight") > 0"
	check traffic_stop p0
	check wait $!
	same "timeouts" "$(tx_timeouts)" "$before"
	counters_end
	expect "dropped" "$(dropped p0) == 0"
	expect "frames of 0" "${counted[p0_tx_prio0_packets]} == 200"
}

run_tests \
	"a full queue starves for ${STARVED_SECONDS} s" "starved 10 0" \
	"a queue with room starves for ${STARVED_SECONDS} s" "starved 10 1000000" \
	"the same on a faster link" "starved 1000 1000000"
