#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rings are full; rings and channels change under traffic and while frames are parked.
#
# A ring that is full stops its queue, and room in it starts the queue again.
# A TX ring is replaced without a loss: its last frames leave before the first of the
# new one, also when its priority is paused. A channel that goes away takes no
# more frames and ends when it is empty. Flows that go over to another channel's
# queue may overtake their own last frames in the old one: order is judged for
# rings, loss and duplicates for both.
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
	expect "times that a queue was stopped" "${counted[p0_tx_queue_stops]} > 0"
	same "times that one was started" "${counted[p0_tx_queue_wakes]}" \
		"${counted[p0_tx_queue_stops]}"
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

run_tests \
	"a full ring stops and wakes its queue" full \
	"rings change under traffic" "rings offload" \
	"changes follow each other under load" in_a_row \
	"rings change while frames are parked, offload" "rings_parked offload" \
	"rings change while frames are parked, managed" "rings_parked managed" \
	"channels change while frames are parked, offload" "channels_parked offload" \
	"channels change while frames are parked, managed" "channels_parked managed"
