#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The receiving NIC merges TCP segments, and nothing else changes.
#
# p0 sends a stream of TCP, which the NIC cuts into segments. p1 merges them with rx-gro-hw, and
# does not without; without rx-checksum it cannot. In both cases the stream arrives as it was
# sent, both ends count the same segments and bytes, and the recordings of both ends of the cable
# show the same segments, as many as are counted. So it is with IPv6, with tags that the NIC
# inserts and strips, and while the priority is paused at random: then segments are parked.
#
#	p0 ==== TCP ====>  p1
#	p0 <=== PFC =====  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

BYTES=$((2000000 / SLOWER))
ADDRESS6=2001:db8::

# Segments that p1 has merged.
merged()
{
	counter p1 rx_queues_hw_gro_wire_packets
}

# segments PORT DIRECTION: of TCP, as the recording has them, into a file.
segments()
{
	wait_for 10 "end of the recording of $1" recorded "$1" || return
	tshark -n -r "${recording[$1]}" -Y "tcp && frame.packet_flags_direction == $2" -T fields \
		-e ip.id -e tcp.seq_raw -e tcp.len -e tcp.flags -e tcp.checksum \
		>"$tmp/segments.$1" 2>"$tmp/tshark"
}

# same_segments PRIORITY: they arrive as they were sent.
same_segments()
{
	local number

	check segments p0 2 && check segments p1 1 || return
	check diff "$tmp/segments.p0" "$tmp/segments.p1"
	number=$(wc -l <"$tmp/segments.p0")
	# The others look for a neighbour.
	expect "segments" "${counted[p0_tx_prio$1_packets]} - $number <= 4"
	expect "segments" "$number > BYTES / 1500"
}

# stream PRIORITY ADDRESS: the number of merged segments is in $more.
stream()
{
	local prio=$1 before

	before=$(merged)
	check test -n "$before" && check record_restart && check counters_begin || return
	same "bytes of the stream" "$(far parq_stream.py tcp /proc/1/ns/net "$2" $BYTES)" $BYTES
	wait_for 5 "p1 has them" counts \
		"counted[p1_rx_prio${prio}_packets] == counted[p0_tx_prio${prio}_packets]"
	expect "bytes" "${counted[p1_rx_prio${prio}_bytes]} == ${counted[p0_tx_prio${prio}_bytes]}"
	more=$(($(merged) - before))
}

on()
{
	stream 0 192.0.2.2 && same_segments 0 || return
	expect "merged" "$more > ${counted[p1_rx_prio0_packets]} / 2"
}

# off FEATURE
off()
{
	defer far ethtool -K p1 rx on rx-gro-hw on
	check far ethtool -K p1 "$1" off || return
	stream 0 192.0.2.2 && same_segments 0 || return
	expect "merged" "$more == 0"
}

ipv6()
{
	local port

	for port in p0 p1; do
		# At its leisure a port would look for routers, and for others with its address.
		check at $port sysctl -qw net.ipv6.conf.$port.dad_transmits=0 \
			net.ipv6.conf.$port.router_solicitations=0 || return
		defer at $port sysctl -qw net.ipv6.conf.$port.disable_ipv6=1
		check at $port sysctl -qw net.ipv6.conf.$port.disable_ipv6=0 || return
		defer at $port ip addr del "$ADDRESS6$((1 + ${port#p}))/64" dev $port
		check at $port ip addr add "$ADDRESS6$((1 + ${port#p}))/64" dev $port nodad || return
	done
	stream 0 ${ADDRESS6}2 && same_segments 0 || return
	expect "merged" "$more > ${counted[p1_rx_prio0_packets]} / 2"
}

vlan()
{
	vlans_up 0:3 1:3 2:3 3:3 4:3 5:3 6:3 7:3 || return
	stream 3 198.51.100.2 && same_segments 3 || return
	expect "merged" "$more > ${counted[p1_rx_prio3_packets]} / 2"
}

nothing_parked()
{
	(($(counter p0 prio0_parked) == 0))
}

pauses()
{
	pfc_prepare "$1" || return
	storm_begin p0 --repause 0 || return
	stream 0 192.0.2.2 || return
	check storm_end p0
	wait_for 10 "p0 parks nothing any more" nothing_parked
	check counters_end
	same_segments 0
	expect "merged" "$more > 0"
	expect "parked" "${counted[p0_prio0_parked_total]} > 0"
	expect "reinjected" "${counted[p0_prio0_reinjected]} > 0"
}

run_tests \
	"segments are merged" on \
	"with rx-gro-hw off they are not" "off rx-gro-hw" \
	"without checksums they are not" "off rx" \
	"segments of IPv6 are merged" ipv6 \
	"segments with tags are merged" vlan \
	"a pause in a frame costs and reorders nothing, offload" "pauses offload" \
	"a pause in a frame costs and reorders nothing, managed" "pauses managed"
