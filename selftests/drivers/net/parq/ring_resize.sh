#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rings are full; rings and channels change under traffic and while frames are parked.
#
# A ring that is full stops its queue, and room in it starts the queue again.
# A TX ring is replaced without a loss: its last frames leave before the first of the
# new one, also when its priority is paused. A channel that goes away takes no
# more flows and ends when it is empty. Flows that it had stay in order. Flows
# that move to an added channel may overtake their own last frames once.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

full()
{
	pfc_prepare offload || return
	defer rings_set p0 512
	rings_set p0 64 || return
	defer bql_limit 0 tx-{0..15}
	bql_limit 1000000 tx-{0..15}
	check traffic_start p0 0xff --flows 4 || return
	check pause_begin p0 0xff && check pause_end p0 || return
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check counters_end
	check judge p0
	expect "times that a queue was stopped" "${counted[p0_tx_queues_stop]} > 0"
	same "times that one was started" "${counted[p0_tx_queues_wake]}" \
		"${counted[p0_tx_queues_stop]}"
}

rings()
{
	local size

	pfc_prepare "$1" || return
	defer rings_set p0 512
	check traffic_start p0 0xff --flows 2 || return
	for size in 64 256 4096 128 1024; do
		rings_set p0 $size || return
		wait_for 10 "all priorities send with rings of $size" flowing p0 || return
	done
	check traffic_stop p0
	check judge p0
}

# A queue on hold is polled until it is empty, and no longer.
polls_end()
{
	local tracing=/sys/kernel/tracing polls

	defer rings_set p0 512
	defer eval "echo 0 >$tracing/events/napi/napi_poll/enable; echo >$tracing/trace"
	echo >$tracing/trace
	echo 1 >$tracing/events/napi/napi_poll/enable
	check ethtool -G p0 rx 256 || return
	polls=$(grep -c "napi_poll:.* p0 " $tracing/trace)
	expect "polls" "$polls > 0 && $polls < 200"
}

# A change waits for the frames of the one before, which are not paused. So none is refused.
in_a_row()
{
	local before n

	before=$(channel_count p0)
	pfc_prepare offload || return
	defer channels_set p0 "$before"
	defer rings_set p0 512
	check traffic_start p0 0x01 --flows 1 || return
	for n in 1 2 3 4; do
		check ethtool -G p0 rx 64 tx 64 || return
		check ethtool -G p0 rx 1024 tx 1024 || return
		check ethtool -L p0 combined 4 || return
		check ethtool -L p0 combined 1 || return
		check ethtool -L p0 combined 3 || return
		check ethtool -G p0 rx 256 tx 256 || return
		wait_for 10 "frames are sent after round $n" flowing p0 0x01 || return
	done
	check traffic_stop p0
	judge p0
	expect "lost" "${wire[p0_all_lost]} == 0"
	expect "sent twice" "${wire[p0_all_twice]} == 0"
}

# No queue of p0 still has the ring that it had before, which would have to be empty before
# another one comes.
rings_replaced()
{
	awk '/^queue/ { n++ } /^  ring/ { n-- } END { exit n != 0 }' \
		"/sys/kernel/debug/parq/$pci/port0/tx"
}

# Until then no other change is possible, and the log says why.
channels_busy()
{
	check_refused ethtool -L p0 combined $(($(channel_count p0) % 4 + 1))
	dmesg | grep -q "p0: channels refused: TX queue [0-9]* still sends frames of an" ||
		check false "no reason in the log"
}

rings_parked()
{
	local size

	pfc_prepare "$1" || return
	defer rings_set p0 512
	check traffic_start p0 0xff --flows 2 || return
	for size in 128 2048; do
		check pause_begin p0 0xff || return
		rings_set p0 $size || return
		channels_busy
		check pause_end p0 || return
		wait_for 10 "all priorities send with rings of $size" flowing p0 || return
		wait_for 10 "rings of before are empty" rings_replaced || return
	done
	check traffic_stop p0
	check judge p0
}

# Those of a channel that goes stay until they have sent what they have.
queues_are()
{
	(($(find "${sysfs[p0]}/queues" -name 'tx-*' | wc -l) == $1))
}

channels_parked()
{
	local n before

	before=$(channel_count p0)
	pfc_prepare "$1" || return
	defer channels_set p0 "$before"
	check traffic_start p0 0xff --flows 4 || return
	for n in 1 4 2 3; do
		check pause_begin p0 0xff || return
		channels_set p0 $n || return
		check pause_end p0 || return
		wait_for 10 "all priorities send with $n channels" flowing p0 || return
		wait_for 30 "channels that went are empty" queues_are $((8 * n)) || return
	done
	check traffic_stop p0
	judge p0
	expect "lost" "${wire[p0_all_lost]} == 0"
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "leaks" "${wire[p0_all_leaks]} == 0"
}

# Flows move to the remaining queues, which send nothing before the removed ones are empty.
removed_in_order()
{
	local before

	before=$(channel_count p0)
	defer channels_set p0 "$before"
	channels_set p0 2 || return
	pfc_prepare offload || return
	check traffic_start p0 0xff --flows 4 && check pause_begin p0 0xff || return
	check ethtool -L p0 combined 1
	check pause_end p0
	wait_for 30 "channel 1 is empty" queues_are 8
	wait_for 10 "all priorities send" flowing p0
	check traffic_stop p0
	check judge p0
}

queue_stopped()
{
	grep -q "^queue $1: .* stopped" "/sys/kernel/debug/parq/$pci/port0/tx"
}

# within MILLISECONDS WHAT CONDITION...
within()
{
	local ms=$1 what=$2 i
	shift 2

	for ((i = 0; i < ms; i += 10)); do
		"$@" && return
		sleep 0.01
	done
	check false "not within $ms ms: $what"
}

queue_runs()
{
	! queue_stopped "$1"
}

# The queue has sent since counters_begin.
queue_sends()
{
	counts "counted[p0_tx_queue_$1_packets] > 0"
}

# A filter gives frames of priority 1 to queue 11, whatever the number of channels is. It comes
# before the traffic: while the stack adds clsact, it drops what is sent.
steer_filter()
{
	check tc qdisc add dev p0 clsact || return
	defer tc qdisc del dev p0 clsact
	check tc filter add dev p0 egress protocol ip flower dst_ip 192.0.2.98 \
		action skbedit queue_mapping 11 || return
	check ip neigh replace 192.0.2.98 lladdr 02:00:00:00:00:99 dev p0 nud permanent
}

# The queue sends them with priority 3.
steer()
{
	exec_at p0 parq_traffic send --dev p0 --to 192.0.2.98 --prios 0x02 --flows 8 \
		--drain 20000 >"$tmp/steered" &
	steer_pid=$!
	defer kill_quietly $!
	wait_for 10 "queue 11 sends" queue_sends 11
}

# Both senders end. What they have sent was dropped and counted, or is on the wire; what is
# there of priority 3 is in order.
steer_end()
{
	check traffic_stop p0
	check ethtool -L p0 combined 2
	kill -TERM "$steer_pid"
	check wait "$steer_pid"
	cat "$tmp/steered" >>"$tmp/sent.p0"
	counters_end
	judge p0
	expect "late" "${wire[p0_3_late]} == 0"
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "lost and counted" "${wire[p0_all_lost]} == ${counted[p0_tx_flushed]}"
	expect "dropped" "${wire[p0_1_lost]} > 0"
}

# A filter selects a removed queue. It does not keep the other queue of the priority waiting,
# nor the channel.
steered()
{
	local before

	before=$(channel_count p0)
	defer channels_set p0 "$before"
	channels_set p0 2 || return
	steer_filter && check record_restart && check counters_begin || return
	check traffic_start p0 0x08 --flows 4 && steer || return
	check ethtool -L p0 combined 1
	within 100 "queue 3 is no longer held" queue_runs 3
	wait_for 10 "priority 3 sends" flowing p0 0x08
	steer_end
}

# Time in which the priority is paused does not count. Meanwhile no other change is possible,
# and the queue that is the reason has a name.
steered_paused()
{
	local before

	before=$(channel_count p0)
	defer channels_set p0 "$before"
	channels_set p0 2 || return
	steer_filter && pfc_prepare offload || return
	check traffic_start p0 0x08 --flows 4 && steer || return
	check pause_begin p0 0x08 || return
	check ethtool -L p0 combined 1
	logs "p0: channels refused: TX queue 11 still sends frames of an earlier change" \
		check_refused ethtool -L p0 combined 2 || RET=1
	check queue_stopped 3
	check pause_end p0
	within 100 "queue 3 is no longer held" queue_runs 3
	wait_for 10 "priority 3 sends" flowing p0 0x08
	steer_end
}

# A socket that keeps no route keeps no queue either: its flow is back as soon as the channel is.
unconnected()
{
	local before

	before=$(channel_count p0)
	defer channels_set p0 "$before"
	channels_set p0 2 || return
	check traffic_start p0 0x08 --flows 8 --unconnected || return
	check ethtool -L p0 combined 1
	wait_for 10 "channel 1 is empty" queues_are 8
	check ethtool -L p0 combined 2 && check counters_begin || return
	within 200 "queue 11 sends" queue_sends 11
	check traffic_stop p0
}

run_tests \
	"a full ring stops and wakes its queue" full \
	"rings change under traffic" "rings offload" \
	"changes follow each other under load" in_a_row \
	"a few polls empty what is replaced" polls_end \
	"rings change while frames are parked, offload" "rings_parked offload" \
	"rings change while frames are parked, managed" "rings_parked managed" \
	"channels change while frames are parked, offload" "channels_parked offload" \
	"channels change while frames are parked, managed" "channels_parked managed" \
	"flows of removed channels stay in order" removed_in_order \
	"a filter selects a removed queue" steered \
	"a filter selects a removed queue whose priority is paused" steered_paused \
	"flows of sockets without a route come back with their channel" unconnected
