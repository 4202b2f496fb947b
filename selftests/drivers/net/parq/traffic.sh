#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Traffic both ways, on every queue, with every offload.
#
# Each TX queue serves one priority: datagrams of a priority are counted for its
# queues and for no others. All that one port sends the other one's stack
# receives, in order, in both directions at once, at a rate that any machine can
# keep up with; tagged, jumbo and TCP too. A host that looks for frames five times a
# second only cannot keep up: the rest is dropped, and each drop is counted. For TCP the
# receiver verifies the checksums in software, so that those which the NIC has put in
# are seen by someone else.
#
#	p0 ==== data ====>  p1
#	p0 <=== data =====  p1
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/pktgen.sh
. "$parq_dir/lib/pktgen.sh"

FRAMES=$((150 / SLOWER)) FLOOD=$((64 * 2000 / SLOWER))

# The receiver has had so many datagrams of each priority and missed none.
received_all()
{
	local prio t received missing late rest

	while read -r _ t _ prio _ received _ missing _ late rest; do
		[[ $t ]] || continue
		expect "received at $1 of $prio" "$received == $2"
		expect "missing at $1 of $prio" "$missing == 0"
		expect "late at $1 of $prio" "$late == 0"
	done < <(grep '^t ' "$tmp/received.$1" | tail -n 8)
}

address_of()
{
	[[ $1 == p0 ]] && echo 192.0.2.1 || echo 192.0.2.2
}

# send_to PORT DEVICE ADDRESS [OPTION]...
send_to()
{
	exec_at "$1" parq_traffic send --dev "$2" --to "$3" --frames "$FRAMES" "${@:4}"
}

queues()
{
	local prio queue sum

	for prio in {0..7}; do
		check counters_begin
		(send_to p0 p0 $SINK --prios $((1 << prio)) --flows 8 >"$tmp/sent")
		check test $? == 0
		check counters_end
		sum=0
		for queue in $(queues_of p0 tx); do
			if ((queue % 8 == prio)); then
				((sum += ${counted[p0_tx_queue_${queue}_packets]}))
			else
				expect "queue $queue, priority $prio" \
					"${counted[p0_tx_queue_${queue}_packets]} == 0"
			fi
		done
		expect "queues of $prio" "$sum == 8 * $FRAMES"
		expect "counter of $prio" "${counted[p0_tx_prio${prio}_packets]} == 8 * $FRAMES"
	done
}

queues_of()
{
	frames_of "$@" | cut -d ' ' -f 1
}

# frames_of PORT tx|rx: "QUEUE NUMBER" of frames of each queue.
frames_of()
{
	port_counters "$1" |
		sed -nE "s/^$1_$2_queue_([0-9]+)_packets: (.*)/\1 \2/p" | sort -n
}

# Of all queues of p0, those that are gone included.
sum_of_queues()
{
	port_counters p0 | grep '_queues_'
}

# In the sum there is what queues have counted that are gone.
own_statistics()
{
	local sum

	(send_to p0 p0 $SINK --prios 0xff --flows 8 >"$tmp/sent")
	check test $? == 0
	sum=$(sum_of_queues)
	expect "frames in all" "$(awk '$1 == "p0_tx_queues_packets:" { print $2 }' <<<"$sum") >=
		$(frames_of p0 tx | awk '{ sum += $2 } END { print sum }')"
	defer channels_set p0 "$(channel_count p0)"
	check channels_set p0 1 || return
	same "with fewer queues" "$(sum_of_queues)" "$sum"
	check far ping -q -c 1 192.0.2.1
}

# grew PORT_NAME NUMBER
grew()
{
	expect "$1" "${counted[$1]} == $2"
}

# One frame of ten segments, whose checksum is wrong, ten datagrams whose checksum the NIC inserts,
# three frames without one, and five for somebody else.
own_offloads()
{
	local mac

	mac=$(<"${sysfs[p1]}/address")
	check counters_begin || return
	same "segments" "$(parq_gso.py p0 "$mac" 10 100)" sent
	check parq_traffic send --dev p0 --to 192.0.2.2 --prios 0x01 --frames 10 >"$tmp/sent"
	check parq_traffic send --dev p0 --to $SINK --prios 0x01 --frames 5 >"$tmp/sent"
	check pfc p1 once --count 3
	wait_for 5 "p1 has them" counts "counted[p1_rx_prio0_packets] == 20 &&
		counted[p1_rx_filtered] == 5 && counted[p1_rx_pfc_frames] == 3" || return
	wait_for 5 "all are completed" counts "counted[p0_tx_queues_packets] == 28"
	grew p0_tx_queues_needs_csum 25
	grew p0_tx_queues_csum_none 3
	grew p0_tx_queues_hw_gso_packets 1
	grew p0_tx_queues_hw_gso_bytes $((54 + 1000))
	grew p0_tx_queues_hw_gso_wire_packets 10
	grew p0_tx_queues_hw_gso_wire_bytes $((10 * 154))
	grew p0_tx_queues_hw_drops 0
	grew p0_tx_queues_hw_drop_errors 0
	wait_for 5 "p1 has read them" counts "counted[p1_rx_queues_packets] == 20"
	grew p1_rx_queues_csum_unnecessary 10
	grew p1_rx_queues_csum_bad 10
	grew p1_rx_queues_csum_none 0
	grew p1_rx_queues_hw_drops 5
	grew p1_rx_queues_hw_drop_overruns 0
}

# idle_queues PORT tx|rx: those that have not moved a frame since counters_begin().
idle_queues()
{
	local queue

	for queue in $(queues_of "$1" "$2"); do
		((${counted[${1}_$2_queue_${queue}_packets]})) || echo "$1 $2 $queue"
	done
}

# Which queue a flow gets is chance: new ones until each has had some.
all_queues()
{
	local port round idle

	for port in p0 p1; do
		defer channels_set $port "$(channel_count $port)"
		check channels_set $port 8 || return
	done
	check counters_begin
	for round in {1..8}; do
		FRAMES=10 both_ways --flows 32 --rate 1600 --size 64
		check counters_end || return
		idle=$(for port in p0 p1; do idle_queues $port tx; idle_queues $port rx; done)
		[[ $idle ]] || break
	done
	ktap_print_msg "rounds $round"
	same "queues that are idle" "$idle" ""
}

# steered QUEUE [ARGUMENT OF ethtool -X]...: only this RX queue of p1 gets frames.
steered()
{
	local queue

	check far ethtool -X p1 "${@:2}" && check counters_begin || return
	(send_to p0 p0 192.0.2.2 --flows 8 --rate 1600 >"$tmp/sent")
	check test $? == 0
	check counters_end
	for queue in 0 1 2 3; do
		if ((queue == $1)); then
			# A slow host has no buffers for some.
			expect "frames of RX queue $queue" \
				"${counted[p1_rx_queue_${queue}_packets]} + ${counted[p1_rx_drop_nobuf]} ==
					64 * $FRAMES"
		else
			expect "frames of RX queue $queue" \
				"${counted[p1_rx_queue_${queue}_packets]} == 0"
		fi
	done
}

rss()
{
	local before

	defer channels_set p1 "$(channel_count p1)"
	defer far ethtool -X p1 default
	check channels_set p1 4 || return
	check steered 0 equal 1
	check steered 2 weight 0 0 1 0
	before=$(far ethtool -x p1)
	check_refused far ethtool -X p1 equal 77
	same "RSS after the refusal" "$(far ethtool -x p1)" "$before"
}

# both_ways --flows N [OPTION]...
both_ways()
{
	local status=0 flows=$2

	check receive_start p0 && check receive_start p1 || return
	send_to p0 p0 192.0.2.2 "$@" >"$tmp/sent.p0" &
	(send_to p1 p1 192.0.2.1 "$@" >"$tmp/sent.p1")
	check test $? == 0
	wait $! || status=$?
	expect "status of the sender at p0" "$status == 0"
	check receive_stop p0 && check receive_stop p1
	received_all p0 $((flows * FRAMES))
	received_all p1 $((flows * FRAMES))
}

# Nothing is lost in silence: sent = received + dropped by the NIC for want of
# room + dropped by the socket.
flood()
{
	local received full

	received=$(udp_count InDatagrams) full=$(udp_count RcvbufErrors)
	defer poll_interval_set p1 0
	check poll_interval_set p1 200000 && check counters_begin && check receive_start p1 || return
	# All flows together no faster than the link, or the qdisc would drop some.
	(exec_at p0 parq_traffic send --dev p0 --to 192.0.2.2 --flows 8 --size 64 \
		--frames $((FLOOD / 64)) --rate $((MBIT * 1000 / 128)) >"$tmp/sent")
	check test $? == 0
	check poll_interval_set p1 0
	wait_for 10 "each frame is accounted for" arrived "$received" "$full" || return
	check receive_stop p1
	received=$(tail -n 8 "$tmp/received.p1" | awk '{ sum += $6 } END { print sum }')
	ktap_print_msg "sent $FLOOD, received $received, dropped by the NIC" \
		"${counted[p1_rx_prio0_discards]}, socket full $(($(udp_count RcvbufErrors) - full))"
	expect "dropped by the NIC" "${counted[p1_rx_prio0_discards]} > 0"
	! kernel_from 6.10 || grew p1_rx_queues_hw_drop_overruns "${counted[p1_rx_prio0_discards]}"
	expect "sent" "$FLOOD == $received + ${counted[p1_rx_prio0_discards]} +
		$(udp_count RcvbufErrors) - $full"
}

# arrived RECEIVED FULL: what p1's sockets had counted before.
arrived()
{
	counters_end
	((FLOOD == $(udp_count InDatagrams) - $1 + $(udp_count RcvbufErrors) - $2 +
		counted[p1_rx_prio0_discards]))
}

jumbo()
{
	local port

	for port in p0 p1; do
		check at $port ip link set $port mtu 10240 || return
		defer at $port ip link set $port mtu 1500
	done
	both_ways --flows 2 --size 10212 --rate 3600
}

# Of a sender that the stack does not trust. The device cuts no frame into so many: the stack
# does, or refuses to where there is no qdisc to hold them.
many_segments()
{
	local mac segs

	mac=$(<"${sysfs[p1]}/address")
	for segs in 256 257 400; do
		check counters_begin
		same "$segs segments" "$(parq_gso.py p0 "$mac" $segs 100)" sent
		wait_for 5 "$segs segments" counts "counted[p1_rx_prio0_packets] >= $segs"
	done
	check counters_begin
	parq_gso.py p0 "$mac" 257 100 bypass >"$tmp/sent"
	check counters_end
	expect "refused by the device" "${counted[p0_tx_drop_desc]} == 0"
}

# pktgen makes empty fragments of frames that are too short for so many.
empty_fragments()
{
	local frags

	defer pktgen_thread rem_device_all
	for frags in 0 1 2 3 16; do
		pktgen_add "count 100" "pkt_size 60" "frags $frags" "dst 192.0.2.2" \
			"dst_mac $(<"${sysfs[p1]}/address")" || return
		check counters_begin
		echo start >$pktgen/pgctrl
		check counters_end
		same "sent in $frags fragments" "${counted[p0_tx_prio0_packets]}" 100
		same "dropped of them" "${counted[p0_tx_drop_desc]}" 0
		wait_for 5 "frames of $frags fragments arrive" \
			counts "counted[p1_rx_prio0_packets] >= 100"
	done
}

# What p1 refuses is in the statistics of the interface.
too_long()
{
	local before

	before=$(<"${sysfs[p1]}/statistics/rx_length_errors")
	check ip link set p0 mtu 10240 || return
	defer ip link set p0 mtu 1500
	check counters_begin
	(send_to p0 p0 192.0.2.2 --flows 1 --size 5000 --rate 1600 >"$tmp/sent")
	check test $? == 0
	wait_for 5 "length errors" length_errors $((before + 8 * FRAMES))
	check counters_end
}

length_errors()
{
	(($(<"${sysfs[p1]}/statistics/rx_length_errors") == $1 &&
		$(<"${sysfs[p1]}/statistics/rx_errors") >= $1))
}

# The tag carries the priority: what the wire shows as 3 was sent as 3.
vlan()
{
	local port

	for port in p0 p1; do
		vlan_up $port 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 || return
	done
	check ping -q -c 1 -W 5 198.51.100.2 >"$tmp/ping" || return
	check record_restart && check receive_start p1 || return
	(send_to p0 vp0 198.51.100.2 --flows 2 --rate 1600 >"$tmp/sent.p0")
	check test $? == 0
	check receive_stop p1
	received_all p1 $((2 * FRAMES))
	check judge p0
	expect "frames" "${wire[p0_all_frames]} == 16 * $FRAMES"
}

# Tags that the NIC inserts and strips are bytes of the wire, and so is the padding of short
# frames: both ends count the same.
bytes()
{
	local prio bytes=$((2 * FRAMES * (14 + 4 + 28 + 1400 + 60)))

	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 && check counters_begin || return
	(send_to p0 vp0 198.51.100.2 --flows 2 --rate 1600 >"$tmp/sent") &&
		(send_to p0 vp0 198.51.100.2 --flows 2 --size 12 --rate 14 >"$tmp/sent")
	check test $? == 0
	for prio in {0..7}; do
		wait_for 5 "p1 has the frames of $prio" counts \
			"counted[p1_rx_prio${prio}_packets] == 4 * $FRAMES"
		expect "bytes sent of $prio" "${counted[p0_tx_prio${prio}_bytes]} == $bytes"
		expect "bytes received of $prio" "${counted[p1_rx_prio${prio}_bytes]} == $bytes"
	done
}

# Whatever the socket says: the tag's priority is the frame's, also of the few that
# the stack itself sends.
pcp()
{
	local prio

	vlan_up p0 0:5 1:5 2:5 3:5 4:5 5:5 6:5 7:5 || return
	check ip neigh replace 198.51.100.99 lladdr 02:00:00:00:00:99 dev vp0 nud permanent ||
		return
	check counters_begin
	(send_to p0 vp0 198.51.100.99 >"$tmp/sent")
	check test $? == 0
	check counters_end
	for prio in {0..7}; do
		if ((prio == 5)); then
			expect "frames of 5" "${counted[p0_tx_prio5_packets]} >= 8 * $FRAMES"
		else
			expect "frames of $prio" "${counted[p0_tx_prio${prio}_packets]} == 0"
		fi
	done
}

tcp()
{
	local before

	far ethtool -K p1 rx off
	defer far ethtool -K p1 rx on
	before=$(far nstat -asz TcpInCsumErrors | awk '$1 == "TcpInCsumErrors" { print $2 }')
	check counters_begin
	far iperf3 -s -1 >"$tmp/iperf.server" &
	wait_for 10 "iperf3's server" listening || return
	check iperf3 -c 192.0.2.2 -t 2 >"$tmp/iperf" || return
	check wait $!
	check counters_end
	expect "frames cut by the NIC" "${counted[p0_tx_tso]} > 100 / SLOWER"
	same "wrong checksums" "$(far nstat -asz TcpInCsumErrors |
		awk '$1 == "TcpInCsumErrors" { print $2 }')" "$before"
}

listening()
{
	far ss -ltn | grep -q :5201
}

tests=(
	"each TX queue serves its priority" queues
	"each queue of eight channels carries frames, both ways" all_queues
	"RSS selects the queue of a flow" rss
	"both ways, all priorities" "both_ways --flows 2 --rate 1600"
	"both ways, short datagrams" "both_ways --flows 2 --size 12 --rate 14"
	"each frame of a flood is received or counted as dropped" flood
	"jumbo frames pass both ways" jumbo
	"frames of more segments than the device makes pass" many_segments
	"frames with empty fragments pass" empty_fragments
	"frames that are too long are errors" too_long
	"VLAN tags carry the priority" vlan
	"both ends count the same bytes" bytes
	"a tag decides the priority" pcp
	"TCP, segments and checksums by the NIC" tcp
)
! kernel_from 6.10 || tests+=(
	"the kernel's own statistics of queues" own_statistics
	"statistics of queues have checksums, segments and drops" own_offloads
)
run_tests "${tests[@]}"
