#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Channels are removed while something still uses them.
#
# pktgen chooses a TX queue once and keeps to it. It checks whether the queue is stopped, not
# whether it still exists; AF_XDP and PACKET_QDISC_BYPASS do the same for shorter times.
# Frames may still wait in an RX queue that is removed.
#
#	p0 ==== data ====>  (nobody) and p1
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/pktgen.sh
. "$parq_dir/lib/pktgen.sh"

socket_pid=''

# pktgen_start QUEUE [SETTING]...: one frame again and again, through this TX queue of p0.
pktgen_start()
{
	local queue=$1
	shift

	defer pktgen_stop
	pktgen_add "count 0" "clone_skb 100000000" "dst $SINK" "dst_mac 02:00:00:00:00:99" \
		"flag QUEUE_MAP_RND" "queue_map_min $queue" "queue_map_max $queue" "$@" || return
	echo start >$pktgen/pgctrl &
	pktgen_pid=$!
	wait_for 10 "pktgen sends in queue $queue" flowing p0 $((1 << queue % 8))
}

pktgen_stop()
{
	echo stop >$pktgen/pgctrl
	wait "$pktgen_pid"
	pktgen_thread rem_device_all
}

tx_queues_are()
{
	local queues=("${sysfs[p0]}"/queues/tx-*)

	((${#queues[@]} == $1))
}

# The queue comes and goes a few times; its sender stays.
sender_stays()
{
	local before

	before=$(channel_count p0)
	defer channels_set p0 "$before"
	channels_set p0 2 || return
	pktgen_start 11 "pkt_size 300" "delay 300000" || return
	for _ in 1 2 3; do
		channels_set p0 1 || return
		wait_for 10 "channel 1 has gone" tx_queues_are 8 || return
		wait_for 5 "no frame of priority 3" none_sending p0 0x08
		check ping -q -c 3 -i 0.2 192.0.2.2 >"$tmp/ping"
		channels_set p0 2 || return
		wait_for 10 "pktgen sends again" flowing p0 0x08 || return
	done
}

# A removed queue that its sender keeps full goes all the same, and the remaining queue of
# its priority sends again. The ring takes seven seconds to drain; the watchdog of the stack
# has a limit of five.
full_queue_goes()
{
	local before MBIT=$MBIT timeouts

	before=$(channel_count p0)
	defer channels_set p0 "$before"
	defer rings_set p0 512
	rings_set p0 1024 || return
	defer set_speed "$MBIT"
	MBIT=10
	check set_speed "$MBIT" || return
	defer ip link set p0 mtu 1500
	check ip link set p0 mtu 9000 || return
	channels_set p0 2 || return
	timeouts=$(tx_timeouts)
	pktgen_start 11 "pkt_size 9000" "delay 0" || return
	wait_for 10 "queue 11 is full" queue_full 11 || return
	channels_set p0 1 || return
	check traffic_start p0 0x08 || return
	wait_for 30 "channel 1 has gone" tx_queues_are 8
	wait_for 10 "priority 3 sends" flowing p0 0x08
	check traffic_stop p0
	same "timeouts" "$(tx_timeouts)" "$timeouts"
}

queue_full()
{
	grep -q "^queue $1: .* stopped" "/sys/kernel/debug/parq/$pci/port0/tx"
}

# Receive packet steering looks up the RX queue of each frame, and warns once about a queue
# that does not exist.
received_while_removed()
{
	local before queue sum=0

	before=$(channel_count p1)
	defer channels_set p1 "$before"
	for queue in {2..7}; do
		sum+=" + counted[p1_rx_queue_${queue}_packets]"
	done
	check receive_start p1 || return
	check traffic_start p0 0xff --flows 4 --to 192.0.2.2 || return
	for _ in 1 2 3 4; do
		channels_set p1 8 || return
		for queue in "${sysfs[p1]}"/queues/rx-*; do
			echo 3 >"$queue/rps_cpus"
		done
		check counters_begin
		wait_for 10 "p1 receives in queues from 2 on" counts "$sum > 0" || return
		channels_set p1 2 || return
	done
	check traffic_stop p0
	check receive_stop p1
}

# Channel c has RX queue c and TX queues 8 * c to 8 * c + 7: an AF_XDP socket at any of them
# keeps the channel, and no other.
sockets_keep_channels()
{
	local before

	before=$(channel_count p0)
	defer channels_set p0 "$before"
	channels_set p0 4 || return
	socket_at 3 || return
	check_refused ethtool -L p0 combined 3
	socket_at 20 || return
	check_refused ethtool -L p0 combined 2
	channels_set p0 3
	socket_at 5 || return
	channels_set p0 1
	kill_quietly "$socket_pid"
}

# Only there.
socket_at()
{
	kill_quietly "$socket_pid"
	parq_xsk p0 "$1" >"$tmp/xsk.$1" &
	socket_pid=$!
	defer kill_quietly $!
	wait_for 10 "a socket at queue $1" grep -q ready "$tmp/xsk.$1"
}

run_tests \
	"a sender that stays on a removed queue continues" sender_stays \
	"a full queue is removed" full_queue_goes \
	"a queue is removed while it receives" received_while_removed \
	"the queue of an AF_XDP socket is not removed" sockets_keep_channels
