#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A paused queue is not a stuck one.
#
# The stack takes a TX queue that is stopped for five seconds as dead and has
# the driver reset it. A pause may be longer than that, and then must not be mistaken
# for it: here all priorities are paused for twelve seconds. Byte queue limits count what
# waits for the end of a pause, and nothing after it.
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
		wait_for 5 "priority 3 waits" still p0 0x08 || return
		bytes=$(inflight tx-{3,11})
		expect "bytes in flight" "$bytes > 0"
	done
	check pause_end p0
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	wait_for 5 "no bytes in flight" none_inflight
	check judge p0
}

run_tests \
	"a pause of 12 s, offload" "long_pause offload" \
	"a pause of 12 s, managed" "long_pause managed" \
	"bytes in flight of a paused queue, offload" "bytes_inflight offload" \
	"bytes in flight of a paused queue, managed" "bytes_inflight managed"
