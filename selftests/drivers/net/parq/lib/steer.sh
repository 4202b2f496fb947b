# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What selects the RX queues of p1 changes under lossless traffic, and datagrams show which queue it
# is.
# shellcheck disable=SC2154 # variables of the other files

SPEED=100000
FLOWS=16

# Four channels at p1, PFC for priority 3, and the addresses of VLANs.
steer_prepare()
{
	local port

	defer set_speed "$MBIT"
	check set_speed $SPEED || return
	for port in p0 p1; do
		defer pfc_set $port all:off
		check pfc_set $port all:off 3:on || return
	done
	defer channels_set p1 "$(channel_count p1)"
	check channels_set p1 4 || return
	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
}

# under_traffic COMMAND...: it changes settings of p1.
under_traffic()
{
	local MBIT=$SPEED sender missing late full

	check receive_start p1 && check counters_begin || return
	full=$(no_memory)
	exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --prios 0x08 --flows $FLOWS \
		--size 1400 --drain 60000 >"$tmp/sent" &
	sender=$!
	defer kill_quietly $sender
	wait_for 10 "p0 sends" flowing p0 0x08 || return
	"$@" || return
	check kill $sender && check wait $sender
	wait_for 10 "p1 has what p0 has sent" prio3_arrived
	check receive_stop p1
	read -r missing late < <(awk '$4 == 3 { print $8, $10 }' "$tmp/received.p1" | tail -n 1)
	prio3_kept
	expect "missing" "$missing <= $(no_memory) - $full"
	expect "late" "$late == 0"
}

# Prints how many datagrams found no memory: their socket's, or that of all sockets.
no_memory()
{
	udp_count RcvbufErrors MemErrors
}

# Prints how many queues of p1 have received frames since counters_begin.
queues_used()
{
	local queue used=0

	for queue in 0 1 2 3; do
		[[ ${counted[p1_rx_queue_${queue}_packets]} == 0 ]] || ((++used))
	done
	echo $used
}

# arrives WHAT QUEUE|dropped: datagrams of eight flows, one a priority. A few other frames may come.
arrives()
{
	local queue expected

	check counters_begin || return
	check parq_traffic send --dev p0 --to 192.0.2.2 --flows 1 --frames 100 >"$tmp/sent"
	wait_for 10 "$1: frames are counted" counts "counted[p1_rx_filtered] +
		counted[p1_rx_queue_0_packets] + counted[p1_rx_queue_1_packets] +
		counted[p1_rx_queue_2_packets] + counted[p1_rx_queue_3_packets] >= 800"
	for queue in 0 1 2 3; do
		expected=0
		[[ $2 != "$queue" ]] || expected=1
		expect "$1: frames of queue $queue" \
			"${counted[p1_rx_queue_${queue}_packets]} / 800 == $expected"
	done
	[[ $2 != dropped ]] || expect "$1: dropped" "${counted[p1_rx_filtered]} >= 800"
}

# All rules of ethtool at p1.
delete_rules()
{
	local location

	while read -r location; do
		far ethtool -N p1 delete "$location" || return
	done < <(far ethtool -n p1 2>/dev/null | awk '$1 == "Filter:" { print $2 }')
}
