#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A paused queue is not a stuck one, and a stuck one is reset.
#
# The watchdog of the stack asks the driver to reset a TX queue that is stopped for five seconds.
# It must not fire in a longer pause: here all priorities are paused for twelve seconds. Byte
# queue limits count the frames that wait for the end of a pause, and none after it.
#
# The driver resets a stuck queue that the stack has not stopped, because it is not full; and one
# that is stopped, but gets frames of a sender that bypasses the qdisc.
#
# A queue that the NIC no longer serves is reset, and no other one: neither queues that send nor
# queues that a busy stricter class starves.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

long_pause()
{
	local before

	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	before=$(tx_timeouts)
	# at 100 Mb/s a pause lasts 335 ms at most
	check pfc p0 once --count 60 --every 200000 || return
	check pfc p0 once --quanta 0 || return
	wait_for 10 "all priorities send again" flowing p0 || return
	same "timeouts" "$(tx_timeouts)" "$before"
	check traffic_stop p0
	check judge p0
	expect "time that 0 was paused" "${wire[p0_0_paused_us]} > 11000000"
}

# inflight QUEUE...: bytes that p0 has been given and has not done with.
inflight()
{
	local queue sum=0

	for queue; do
		[[ -e ${sysfs[p0]}/queues/$queue ]] || continue
		((sum += $(<"${sysfs[p0]}/queues/$queue/byte_queue_limits/inflight")))
	done
	echo $sum
}

none_inflight()
{
	(($(inflight tx-{0..15}) == 0))
}

# Frames of a paused class are under way as long as the pause lasts, and done when they
# have been sent.
bytes_inflight()
{
	local bytes round

	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0x08 || return
	for ((round = 0; round < 10; round++)); do
		wait_for 5 "priority 3 waits" none_sending p0 0x08 || return
		bytes=$(inflight tx-{3,11})
		expect "bytes in flight" "$bytes > 0"
	done
	check pause_end p0
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	wait_for 5 "no bytes in flight" none_inflight
	check judge p0
}

# sender PRIORITIES [OPTION]...: beside others.
sender()
{
	parq_traffic send --dev p0 --to $SINK --prios "$1" --drain 60000 "${@:2}" \
		>"$tmp/sender.$1" &
	pids+=($!)
	defer kill_quietly $!
}

# All that they were given has been sent or dropped, and freed.
senders_end()
{
	local pid

	for pid in "${pids[@]}"; do
		kill -TERM "$pid"
	done
	for pid in "${pids[@]}"; do
		check wait "$pid"
	done
}

timeouts_of()
{
	cat "${sysfs[p0]}/queues/tx-$1/tx_timeout"
}

# stick [OPTION]...: one of p0's queues is stuck, the only one that sends: that of priority 7.
# ${stuck} is its number. The options are the sender's.
stick()
{
	local queue

	pids=() stuck=
	# What it complains of is looked at by each test.
	expected_complaint='parq.*(reset|no completion)|NETDEV WATCHDOG'
	check counters_begin || return
	before=$(tx_timeouts)
	sender 0x80 "$@"
	wait_for 10 "priority 7 sends" flowing p0 0x80 || return
	check fault_begin "$FAULT_STUCK" || return
	wait_for 10 "a queue is stuck" none_sending p0 0x80 || return
	check fault_end
	for queue in "${sysfs[p0]}"/queues/tx-*; do
		queue=${queue##*-}
		((queue % 8 != 7)) || (($(inflight "tx-$queue") == 0)) || stuck=$queue
	done
	check test -n "$stuck" || return
	stuck_before=$(timeouts_of "$stuck")
	dmesg -C
}

# was_reset BY_STACK [TIMES]: that queue was reset, once or so often, and this has been counted and
# logged. BY_STACK is 1 if the stack has asked for it.
was_reset()
{
	local queues

	queues=$(yes "$stuck" | head -n "${2:-1}")
	counters_end
	same "timeouts" "$(tx_timeouts)" $((before + $1))
	same "timeouts of queue $stuck" "$(timeouts_of "$stuck")" $((stuck_before + $1))
	same "timeouts counted" "${counted[p0_tx_timeouts]}" "${2:-1}"
	same "queues reported" \
		"$(dmesg | sed -n 's/.*p0: TX queue \([0-9]*\), .*: no completion for.*/\1/p')" "$queues"
	same "queues reset" "$(dmesg | sed -n 's/.*p0: TX queue \([0-9]*\): reset$/\1/p')" "$queues"
	expect "dropped" "counted[p0_tx_flushed] > 0 && $(dropped p0) == counted[p0_tx_flushed]"
}

timed_out()
{
	(($(tx_timeouts) > before))
}

# reset_logged [TIMES]
reset_logged()
{
	(($(dmesg | grep -c "p0: TX queue $stuck: reset") == ${1:-1}))
}

# COUNT PRIORITY SECONDS: frames of 1500 bytes from p0, at this interval, past its qdisc, and so past
# byte queue limits.
BYPASS='
import socket, sys, time
SO_PRIORITY, SO_SNDBUFFORCE, SOL_PACKET, PACKET_QDISC_BYPASS = 12, 32, 263, 20
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as sock:
    sock.bind(("p0", 0))
    sock.setsockopt(socket.SOL_SOCKET, SO_PRIORITY, int(sys.argv[2]))
    sock.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, 1 << 26)
    sock.setsockopt(SOL_PACKET, PACKET_QDISC_BYPASS, 1)
    for _ in range(int(sys.argv[1])):
        sock.send(bytes.fromhex("020000000099020000000001ffff") + bytes(1486))
        time.sleep(float(sys.argv[3]))
'

# Byte queue limits stop the queue, so that nothing is sent for as long as the link needs for a
# ring of frames, ten seconds.
slow_link()
{
	local before

	defer set_speed "$MBIT"
	defer rings_set p0 512
	check set_speed 10 && rings_set p0 8192 && check counters_begin || return
	before=$(tx_timeouts)
	check python3 -c "$BYPASS" 8000 0 0 || return
	wait_for 60 "all frames are sent" counts "counted[p0_tx_prio0_packets] == 8000" || return
	same "timeouts" "$(tx_timeouts)" "$before"
	same "timeouts counted" "${counted[p0_tx_timeouts]}" 0
	same "dropped" "$(dropped p0)" 0
}

# A queue with few frames is not stopped. The watchdog of the stack ignores it.
stuck_not_full()
{
	defer bql_limit 0 tx-{7,15}
	bql_limit 100000 tx-{7,15}
	stick --size 64 --rate 20 || return
	wait_for 20 "the driver resets the queue" reset_logged || return
	wait_for 10 "priority 7 sends" flowing p0 0x80 || return
	check senders_end
	was_reset 0
}

# The first frame after its reset makes it stuck again.
stuck_again()
{
	defer bql_limit 0 tx-{7,15}
	bql_limit 100000 tx-{7,15}
	stick --size 64 --rate 20 || return
	check fault_begin "$FAULT_STUCK" || return
	wait_for 30 "the driver resets the queue twice" reset_logged 2 || return
	check fault_end
	wait_for 10 "priority 7 sends" flowing p0 0x80 || return
	check senders_end
	was_reset 0 2
}

# Byte queue limits stop the queue, but not a sender that bypasses the qdisc. With each of its
# frames the watchdog of the stack starts again.
stuck_bypassed()
{
	defer channels_set p0 "$(channel_count p0)"
	defer bql_limit 0 tx-7
	channels_set p0 1 && check bql_limit 20000 tx-7 || return
	stick || return
	python3 -c "$BYPASS" 400 7 .1 &
	defer kill_quietly $!
	wait_for 20 "the driver resets the queue" reset_logged || return
	wait_for 10 "priority 7 sends" flowing p0 0x80 || return
	check senders_end
	was_reset 0
}

# The queue is stopped, for the watchdog of the stack. The other priorities go on.
stuck_alone()
{
	defer bql_limit 0 tx-{7,15}
	bql_limit 20000 tx-{7,15}
	check ets_equal p0 || return
	defer ets_default p0
	stick || return
	sender 0x7f --flows 2
	wait_for 10 "the others send" flowing p0 0x7f || return
	wait_for 20 "the watchdog" timed_out || return
	wait_for 10 "all priorities send" flowing p0 || return
	check senders_end
	was_reset 1
}

# Priorities 7 and 6 leave nothing to 0, for longer than the watchdog waits. That they
# do so by default is for starved.sh: a NIC that fetches early wants more in the queues.
stuck_and_starved()
{
	defer ets_default p0
	defer set_speed "$MBIT"
	defer bql_limit 0 tx-{6,7,14,15}
	bql_limit 100000 tx-{6,7,14,15}
	check ets_strict p0 && check set_speed 10 && stick || return
	sender 0x40
	sender 0x01
	wait_for 10 "priority 6 sends" flowing p0 0x40 || return
	since=$SECONDS
	wait_for 20 "the watchdog" timed_out || return
	wait_for 10 "priority 7 sends" flowing p0 0x80 || return
	wait_for 40 "priority 0 waits" starves p0 0x01 12 || return
	expect "bytes of 0 that wait" "$(inflight tx-0) + $(inflight tx-8) > 0"
	check senders_end
	was_reset 1
}

run_tests \
	"the watchdog fires for a stuck queue" stuck_alone \
	"a stuck queue that is not full is reset" stuck_not_full \
	"a queue that is stuck again after its reset is reset again" stuck_again \
	"a stuck queue is reset although a sender bypasses its qdisc" stuck_bypassed \
	"the watchdog tells a stuck queue from starved ones" stuck_and_starved \
	"the watchdog ignores a full queue on a slow link" slow_link \
	"the watchdog ignores a pause of 12 s, offload" "long_pause offload" \
	"the watchdog ignores a pause of 12 s, managed" "long_pause managed" \
	"a paused queue keeps its bytes in flight, offload" "bytes_inflight offload" \
	"a paused queue keeps its bytes in flight, managed" "bytes_inflight managed"
