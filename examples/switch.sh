#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two hosts and a switch: a pause spreads from the receiver through the switch to the sender,
# and no frame is lost.
#
#	host-a            switch               host-b
#	  a0 ------- sw0  br0  sw1 ------------- b0
#	     ====>  iperf3, priority 3   ====>
#	     <---  XOFF  ---    <---  XOFF  ---
#	     <===>  ping, priority 0   <===>
#
# b0 asks for pauses of priority 3. The switch parks, and what comes from host-a waits in the
# queue of sw1. Linux' bridge does not pause a sender because a queue fills up. A loop of this
# script does, as the buffer manager of a switch would: sw0 sends XOFF while the queue has more
# than 100 frames, and XON once it has fewer than 20.
set -euo pipefail

# shellcheck source=examples/lib.sh
. "$(dirname "$0")/lib.sh"

XOFF=100 XON=20

build()
{
	nic host-a 1
	nic switch 2
	nic host-b 1
	cable host-a 0 switch 0
	cable host-b 0 switch 1
	live host-a switch host-b
	namespace host-a
	namespace switch
	namespace host-b
	port host-a 0 host-a a0 10.0.0.1
	port switch 0 switch sw0
	port switch 1 switch sw1
	port host-b 0 host-b b0 10.0.0.2
	ip -n switch link add br0 type bridge
	ip -n switch link set sw0 master br0
	ip -n switch link set sw1 master br0
	ip -n switch link set br0 up
	links_up host-a:a0 switch:sw0 switch:sw1 host-b:b0
	lossless_vlan host-a a0 10.0.3.1
	lossless_vlan host-b b0 10.0.3.2
}

# Frames that wait in the queues of sw1.
backlog()
{
	tc -n switch -s qdisc show dev sw1 root | sed -nE 's/.*backlog [^ ]+ ([0-9]+)p.*/\1/p'
}

qdisc_drops()
{
	tc -n switch -s qdisc show dev sw1 root | sed -nE 's/.*dropped ([0-9]+),.*/\1/p'
}

buffer_manager()
{
	local frames paused='' requests

	requests=$(debugfs switch)/external_pause
	while :; do
		frames=$(backlog)
		if ((frames > XOFF)) || { [[ $paused ]] && ((frames >= XON)); }; then
			# Again and again: a pause ends by itself.
			echo xoff 0 3 >"$requests"
			paused=1
		elif [[ $paused ]]; then
			echo xon 0 3 >"$requests"
			paused=''
		fi
		# About 40 frames later.
		sleep "$((500 / MBIT))e-3"
	done
}

row()
{
	local now=${EPOCHREALTIME/./}

	printf '%6s ms   %-9s %9s %12s %13s %12s\n' $(((now - start) / 1000)) "$1" \
		"$(counter host-b b0 tx_prio3_pause)" "$(backlog)" \
		"$(counter switch sw0 tx_prio3_pause)" "$(counter host-a a0 tx_prio3_packets)"
}

rows()
{
	local i

	for ((i = 0; i < $2; i++)); do
		row "$1"
		sleep 0.2
	done
}

sends()
{
	(($(counter host-a a0 tx_prio3_packets) > 100))
}

empty()
{
	(($(backlog) == 0))
}

# What a0 has sent b0 has received.
arrived()
{
	[[ $(counter host-a a0 tx_prio3_packets) == "$(counter host-b b0 rx_prio3_packets)" ]]
}

sender_paused()
{
	(($(counter host-a a0 rx_prio3_pause) > 0))
}

modules
need iperf3 iperf3
need ping iputils-ping
need ss iproute2
build
stage "starting iperf3"
buffer_manager &
child $!
exec_in_ns host-b iperf3 -s -B 10.0.3.2 >/dev/null 2>&1 &
child $!
until_true 10 "iperf3 listens" listens host-b 5201
exec_in_ns host-a iperf3 -c 10.0.3.2 -u -b $((MBIT * 9 / 10))M -l 1400 -t 600 >/dev/null 2>&1 &
sender=$!
child $sender
until_true 30 "iperf3 sends" sends

start=${EPOCHREALTIME/./}
echo "                 host-b is   b0 sent    frames wait     sw0 sent   a0 has sent"
echo "                              XOFF      in the switch     XOFF       frames"
rows ready 3
pauses_begin host-b
until_true 30 "the pause reaches the sender" sender_paused
rows busy 5
pinged=$(in_ns host-a ping -q -c 5 -i 0.2 -W 10 10.0.0.2 | grep -o '[0-9.]*% packet loss') || true
echo "  ping in priority 0 meanwhile: $pinged"
pauses_end
rows ready 5
kill $sender
wait $sender 2>/dev/null || true
until_true 30 "the switch is empty" empty
until_true 30 "all frames arrive" arrived

echo
echo "A pause went from host-b through the switch to host-a:"
holds "b0 asked the switch to pause" "$(counter host-b b0 tx_prio3_pause) > 0"
holds "sw1 was paused" "$(counter switch sw1 rx_prio3_pause) > 0"
holds "sw0 asked host-a to pause" "$(counter switch sw0 tx_prio3_pause) > 0"
holds "a0 was paused" "$(counter host-a a0 rx_prio3_pause) > 0"
holds "no frame was dropped in a queue of the switch" "$(qdisc_drops) == 0"
holds "every frame of priority 3 that a0 sent reached b0: $(counter host-a a0 tx_prio3_packets)" \
	"$(counter host-a a0 tx_prio3_packets) == $(counter host-b b0 rx_prio3_packets)"
holds "priority 0 was not paused: ping lost nothing" \
	"${pinged%%%*} == 0"
exit "$verdict"
