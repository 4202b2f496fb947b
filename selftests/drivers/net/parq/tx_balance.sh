#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each frame is counted as sent or dropped.
#
# pktgen gives a known number of frames to the driver of p0, past all qdiscs. The statistics of
# the interface count each of them as sent or dropped. The sent ones are those that the NIC has
# sent. p1 delivers what it receives, or counts it in one of its drop counters. The sums are
# checked after paused classes, storms, link loss, resets, refused DMA and interfaces that go
# down.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

pktgen=/proc/net/pktgen

pktgen_word()
{
	echo "$2" >"$pktgen/$1"
}

# pktgen_device NAME FIRST-QUEUE LAST-QUEUE
pktgen_device()
{
	local word

	for word in "count 0" "clone_skb 0" "pkt_size $pkt_size" "delay 1000000" "dst 192.0.2.99" \
		"dst_mac 02:00:00:00:00:99" "queue_map_min $2" "queue_map_max $3"; do
		pktgen_word "$1" "$word" || return
	done
}

pktgen_prepare()
{
	[[ -e /proc/net/pktgen ]] || check modprobe pktgen || return
	defer pktgen_end
	check pktgen_word kpktgend_0 rem_device_all &&
		check pktgen_word kpktgend_0 "add_device p0" && check pktgen_device p0 0 7
}

pktgen_begin()
{
	pktgen_prepare && pktgen_run
}

# Until it is told to stop, or the interface is down.
pktgen_run()
{
	echo start >$pktgen/pgctrl &
	pktgen_pid=$!
	wait_for 10 "pktgen sends" flowing p0
}

# As many as have been asked for.
pktgen_run_all()
{
	echo start >$pktgen/pgctrl
	pktgen_count
}

pktgen_stop()
{
	echo stop >$pktgen/pgctrl
	wait "$pktgen_pid"
	pktgen_count
}

pktgen_count()
{
	((given += $(sed -n 's/.*pkts-sofar: \([0-9]*\).*/\1/p' "$pktgen/p0")))
}

pktgen_end()
{
	echo stop >$pktgen/pgctrl
	pktgen_word kpktgend_0 rem_device_all
}

# link_stat PORT DIRECTION NAME, as rtnetlink has it.
link_stat()
{
	at "$1" ip -s -j link show dev "$1" | jq ".[0].stats64.$2.$3"
}

mac_frames()
{
	at "$1" ethtool -S "$1" --groups eth-mac | awk -v name="eth-mac-$2:" '$1 == name { print $2 }'
}

balance_begin()
{
	given=0
	check counters_begin || return
	packets=$(link_stat p0 tx packets) drops=$(link_stat p0 tx dropped)
	frames=$(mac_frames p1 FramesReceivedOK)
}

# All that was given is sent or dropped; the NIC says the same.
sender_is_balanced()
{
	local prio

	counters_end
	sent=$(($(link_stat p0 tx packets) - packets))
	lost=$(($(link_stat p0 tx dropped) - drops))
	nic=0
	for prio in {0..7}; do
		((nic += ${counted[p0_tx_prio${prio}_packets]}))
	done
	((given == sent + lost && sent == nic))
}

# All that the MAC received is somewhere.
receiver_is_balanced()
{
	local prio name

	counters_end
	received=$(($(mac_frames p1 FramesReceivedOK) - frames)) found=0
	for prio in {0..7}; do
		((found += ${counted[p1_rx_prio${prio}_packets]}))
	done
	for name in rx_filtered rx_drop_{nobuf,buffer,dma,disabled} rx_pfc_frames rx_pause_frames; do
		((found += ${counted[p1_$name]}))
	done
	((received == found))
}

balance_end()
{
	wait_for 10 "the sender's sums agree" sender_is_balanced
	ktap_print_msg "given $given, sent $sent, dropped $lost; by the NIC: sent $nic"
	wait_for 10 "the receiver's sums agree" receiver_is_balanced
	ktap_print_msg "received $received, found $found"
}

# Frames wait in the rings of p0: bytes that the stack has given and has not got back.
waiting()
{
	(($(cat "${sysfs[p0]}"/queues/tx-*/byte_queue_limits/inflight | awk '{ sum += $1 } END { print sum }') >= 3000))
}

# The peer pauses priority 0, whose frames pile up; pktgen is too slow to fill the link.
frames_wait()
{
	pause_repeat p0 once --prios 0x01 --every 100000
	wait_for 20 "frames wait" waiting
}

begin()
{
	pfc_prepare offload || return
	check balance_begin && pktgen_begin
}

end()
{
	check pktgen_stop
	balance_end
}

undisturbed()
{
	begin && end
	expect "frames dropped" "$lost == 0"
}

paused()
{
	begin || return
	check pfc p0 storm --speed "$MBIT" --pauses 50 --seed "$SRANDOM"
	end
	expect "frames dropped" "$lost == 0"
}

storms()
{
	defer storm_default
	check ethtool --set-tunable p0 pfc-prevention-tout 100 || return
	begin || return
	pause_repeat p0 once --prios 0xf0 --every 20000
	wait_for 20 "frames are dropped" counts "counted[p0_tx_drop_storm] > 50" || return
	check pause_end p0
	end
	expect "frames dropped" "$lost == counted[p0_tx_drop_storm]"
}

link_loss()
{
	begin || return
	check far ip link set p1 down || return
	wait_for 10 "no link" carrier p0 0
	check pktgen_stop
	check far ip link set p1 up && check link_up && check set_neighbours || return
	pktgen_run || return
	end
}

down_and_up()
{
	begin || return
	for _ in 1 2 3; do
		check frames_wait || return
		check ip link set p0 down || return
		check pktgen_stop
		kill_quietly "$pause_pid"
		check ip link set p0 up && check set_neighbours && check link_up || return
		pktgen_run || return
	done
	end
	expect "frames flushed" "${counted[p0_tx_flushed]} > 0"
}

reset()
{
	begin || return
	check frames_wait || return
	check ethtool --reset p0 dma filter offload mac >"$tmp/reset" || return
	check link_up && check pause_end p0 || return
	check pktgen_stop
	check set_neighbours
	pktgen_run || return
	end
	expect "frames flushed" "${counted[p0_tx_flushed]} > 0"
}

changes()
{
	begin || return
	defer rings_set p0 512
	check rings_set p0 256
	check rings_set p0 512
	end
	expect "frames dropped" "$lost == 0"
}

# Longer than a descriptor can say: not one of them may be sent as what is left of its length.
# Their UDP length is not more than 65535, of which pktgen would complain.
giants()
{
	local pkt_size=65540

	check balance_begin && pktgen_prepare && check pktgen_word p0 "count 50" || return
	pktgen_run_all
	balance_end
	expect "frames dropped" "$lost == 50 && $given == 50"
}

pkt_size=300
run_tests \
	"counters agree on traffic alone" undisturbed \
	"counters agree after random pauses" paused \
	"counters agree after storms" storms \
	"counters agree after the link was lost" link_loss \
	"counters agree after down and up in a pause" down_and_up \
	"counters agree after a reset in a pause" reset \
	"counters agree after changes of rings" changes \
	"counters agree on frames too long for a descriptor" giants
