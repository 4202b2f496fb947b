#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A slow host loses no frame of a priority with PFC, and no frame at all with link pause.
#
# p1 has few receive buffers, and its host polls them only after ten times as many frames have
# arrived. Frames of its lossless priority wait in the NIC, whose receive buffer pauses p0 at
# its watermark; p0 parks its frames. No frame is dropped anywhere, while another priority goes
# on. devlink shows how full the buffer has been. Changes of the buffers of p1 under traffic lose
# nothing, and changes of the link neither. Frames also wait while RX rings of p1 are replaced,
# channels come and go, and flows move between queues: all of them arrive, in order. Without PFC
# the same traffic is dropped. Link pause works the same way for all priorities together. The
# priority of a frame is that of its tag, or of its code point if p1 trusts it first.
#
#	p0 ==== data ====>  p1
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

FRAMES=$((8000 / SLOWER))
# Of each of four flows; 0: until they are stopped.
flow_frames=$((FRAMES / 4))
judge_by=()
# How often the link goes. The stack drops frames that it would send without a carrier, and the
# frame that is on the wire is lost, as on any cable.
carrier_lost=0
missing=0

# Tagged, so that p1 sees the priority. 3 may have PFC, 5 never has. The receiver is busy before
# the first frame and until the command says so: overrun UNTIL-WHAT COMMAND...
overrun()
{
	local sender

	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 || return
	defer rings_set p1 512
	check rings_set p1 64 && check record_restart && check counters_begin || return
	defer poll_interval_set p1 0
	check poll_interval_set p1 $((5000000 / MBIT)) || return
	exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --prios 0x20 --flows 1 \
		--frames $((FRAMES / 20)) --size 64 --rate 100 >"$tmp/sent.other" &
	defer kill_quietly $!
	exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --prios 0x08 --flows 4 \
		--frames "$flow_frames" --size 1000 --drain 60000 >"$tmp/sent" &
	sender=$!
	defer kill_quietly $sender
	wait_for 30 "$@" || return
	check poll_interval_set p1 0
	((flow_frames)) || check kill $sender || return
	check wait $sender
	wait_for 60 "all frames are somewhere" arrived
	((!missing)) || ktap_print_msg "frames of ${counted[p0_tx_prio3_packets]} missing: $missing"
	wait_for 60 "p1's buffers are empty" emptied || return
	counters_end
	judge p0 "${judge_by[@]}" && return
	# Frames that the stack drops without a carrier are missing. Nothing else may be wrong.
	((carrier_lost)) || RET=1
	expect "frames in pauses, twice or late" \
		"${wire[p0_all_leaks]} + ${wire[p0_all_twice]} + ${wire[p0_all_late]} == 0"
}

# $missing: how many have left p0 and are nowhere.
arrived()
{
	counters_end
	missing=$((counted[p0_tx_prio3_packets] -
		counted[p1_rx_prio3_packets] - counted[p1_rx_prio3_discards]))
	((counted[p0_tx_prio3_packets] >= 4 * flow_frames && missing >= 0 &&
		missing <= carrier_lost))
}

# Until then p1 may have a pause yet to send, that one of two counters knows already.
emptied()
{
	[[ $(occupancy 'map(.current) | add') == 0 ]]
}

# Of p1's buffers, in bytes: occupancy FILTER, for jq. That of priority 3 is ."1", which has
# "current" and "max".
occupancy()
{
	devlink sb occupancy snapshot "$nic_bus/$pci" &&
		devlink -j sb occupancy show "$nic_bus/$pci/1" | jq ".occupancy[].pool | $1"
}

xoff()
{
	devlink -j sb tc bind show "$nic_bus/$pci/1" tc 3 type ingress |
		jq '[.. | .threshold? | numbers][0]'
}

# The highest level is above XOFF, or nobody would have been paused. Nothing is left.
occupied()
{
	expect "most in the buffer" "$(xoff) > 0 && $(occupancy '."1".max') >= $(xoff) &&
		$(occupancy '."1".max') <= 64 * 1024"
	check devlink sb occupancy clearmax "$nic_bus/$pci"
	same "most since then" "$(occupancy '."1".max')" 0
	same "in the buffer now" "$(occupancy '."1".current')" 0
}

lossless()
{
	local port

	check executor_set "$1" || return
	defer executor_set offload
	for port in p0 p1; do
		defer pfc_set $port all:off
		check pfc_set $port all:off 3:on || return
	done
	# Less than p0 sends.
	defer far dcb buffer set dev p1 buffer-size all:0
	check far dcb buffer set dev p1 prio-buffer all:0 3:1 buffer-size all:0 0:64K 1:64K ||
		return
	check devlink sb occupancy clearmax "$nic_bus/$pci" || return
	overrun "p0 parks" counts "counted[p0_prio3_parked_total] > 0" || return
	ktap_print_msg "XOFF sent: ${counted[p1_tx_prio3_pause]}," \
		"parked by the peer: ${counted[p0_prio3_parked_total]}"
	expect "received and dropped" "${counted[p1_rx_prio3_discards]} == 0"
	expect "dropped by the sender" "${counted[p0_tx_prio3_dropped]} == 0"
	expect "pauses" "${counted[p1_tx_prio3_pause_transition]} >= 2"
	expect "PFC frames" "${counted[p1_tx_prio3_pause]} == ${counted[p0_rx_prio3_pause]}"
	expect "PFC frames on the wire" "${counted[p1_tx_prio3_pause]} == ${wire[p0_3_pfc]}"
	expect "times paused" "${counted[p1_tx_prio3_pause_transition]} ==
		${counted[p0_rx_prio3_pause_transition]}"
	expect "parked" "${counted[p0_prio3_parked_total]} > 0"
	expect "pauses of the other priority" "${counted[p0_rx_prio5_pause_transition]} == 0"
	occupied
}

# p1's buffers change again and again: that of priority 3 gets more, and less, and the
# driver's own. PFC of 4, which nobody sends, comes and goes. What needs a buffer that
# empties may be refused.
alter()
{
	local sizes

	while [[ -e $tmp/altering ]]; do
		for sizes in "0:64K 1:128K 2:64K" "0:64K 1:64K 2:64K" ""; do
			# shellcheck disable=SC2086
			far dcb buffer set dev p1 prio-buffer all:0 3:1 4:2 buffer-size all:0 \
				$sizes && echo "${sizes:-own}"
			pfc_set p1 4:on && pfc_set p1 4:off && echo "PFC of 4"
			# A change takes no simulated time, in which frames move.
			sleep 0.005
		done
	done >"$tmp/altered" 2>"$tmp/not_altered"
}

alter_end()
{
	rm "$tmp/altering"
	wait "$1"
}

# All four kinds of it, several times, under several pauses.
altered()
{
	counters_end
	((counted[p0_prio3_parked_total] > 0 && counted[p1_tx_prio3_pause_transition] >= 4 &&
		$(sort "$tmp/altered" | uniq -c | awk '$1 >= 3' | wc -l) == 4))
}

lossless_meanwhile()
{
	local flow_frames=0 port

	for port in p0 p1; do
		defer pfc_set $port all:off
		check pfc_set $port all:off 3:on || return
	done
	defer far dcb buffer set dev p1 buffer-size all:0
	check far dcb buffer set dev p1 prio-buffer all:0 3:1 4:2 \
		buffer-size all:0 0:64K 1:64K 2:64K || return
	touch "$tmp/altering"
	alter &
	defer alter_end $!
	overrun "p1's buffers change" altered || return
	ktap_print_msg "changes: $(wc -l <"$tmp/altered"), refused: $(wc -l <"$tmp/not_altered")"
	expect "received and dropped" "${counted[p1_rx_prio3_discards]} == 0"
	expect "dropped by the sender" "${counted[p0_tx_prio3_dropped]} == 0"
	expect "pauses" "${counted[p1_tx_prio3_pause_transition]} >= 2"
	expect "parked" "${counted[p0_prio3_parked_total]} > 0"
	expect "pauses of the other priority" "${counted[p0_rx_prio5_pause_transition]} == 0"
}

full()
{
	(($(occupancy '."1".current') >= $(xoff)))
}

# The link goes while p1's buffer is above XOFF, and comes, three times. Both ports stay up.
link_changes()
{
	local other=10

	((MBIT != other)) || other=100
	for _ in {1..3}; do
		wait_for 10 "p1's buffer is full" full || return
		check ethtool -s p0 autoneg off speed $other duplex full &&
			wait_for 10 "no link" carrier p1 0 || return
		check ethtool -s p0 autoneg off speed "$MBIT" duplex full && link_up || return
	done
}

# Frames that wait in p1's buffer stay there, XOFF is sent again, and p0's parked frames wait.
lossless_without_link()
{
	# That a pause ended with the link is not to be seen in the recording.
	local flow_frames=0 judge_by=(--pfc 0) carrier_lost=6 port

	for port in p0 p1; do
		defer pfc_set $port all:off
		check pfc_set $port all:off 3:on || return
	done
	defer far dcb buffer set dev p1 buffer-size all:0
	check far dcb buffer set dev p1 prio-buffer all:0 3:1 buffer-size all:0 0:64K 1:64K ||
		return
	overrun "the link has gone and come" link_changes || return
	expect "received and dropped" "${counted[p1_rx_prio3_discards]} == 0"
	expect "dropped by the sender" "${counted[p0_tx_prio3_dropped]} == 0"
	expect "times paused" "${counted[p1_tx_prio3_pause_transition]} >= 4"
	expect "parked" "${counted[p0_prio3_parked_total]} > 0"
	expect "sent twice" "${wire[p0_3_twice]} == 0"
	expect "late" "${wire[p0_3_late]} == 0"
}

# steady FLOWS COMMAND...: p1 receives 5000 short frames a second, default settings except for
# PFC, while the command changes something. None is lost or late.
steady()
{
	local flows=$1 port sender full
	shift

	for port in p0 p1; do
		defer pfc_set $port all:off
		check pfc_set $port all:off 3:on || return
	done
	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 || return
	check receive_start p1 && check counters_begin || return
	full=$(udp_count RcvbufErrors)
	exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --prios 0x08 \
		--flows "$flows" --size 64 --rate $((2560 / flows / SLOWER)) \
		--drain 60000 >"$tmp/sent" &
	sender=$!
	defer kill_quietly $sender
	wait_for 10 "p0 sends" flowing p0 0x08 || return
	"$@" || return
	wait_for 10 "p1 receives" counts "counted[p1_rx_prio3_packets] >= 5000 / $SLOWER" ||
		return
	check kill $sender && check wait $sender
	wait_for 10 "p1 has what p0 has sent" prio3_arrived
	check receive_stop p1
	prio3_kept
	expect "dropped by the sender" "${counted[p0_tx_prio3_dropped]} == 0"
	nothing_missing $(($(udp_count RcvbufErrors) - full))
}

# By the numbers in the frames: nothing_missing FRAMES-THAT-THE-SOCKET-HAS-DROPPED
nothing_missing()
{
	local received missing late

	read -r received missing late < <(awk '$4 == 3 { print $6, $8, $10 }' \
		"$tmp/received.p1" | tail -n 1)
	ktap_print_msg "dropped by the socket: $1"
	expect "received" "$received + $1 == ${counted[p0_tx_prio3_packets]}"
	expect "missing" "$missing <= $1"
	expect "late" "$late == 0"
}

rings_change()
{
	defer far ethtool -G p1 rx 512
	for _ in {1..10}; do
		check far ethtool -G p1 rx 1024 && check far ethtool -G p1 rx 512 || return
	done
}

# rx_position QUEUE: of p1; a new ring begins at 0
rx_position()
{
	awk -v queue="$1:" '$1 == "queue" && $2 == queue { print $6 }' \
		"/sys/kernel/debug/parq/$pci/port1/rx"
}

rx_received()
{
	(($(rx_position "$1") > $2))
}

rx_restart()
{
	echo "$1" >"/sys/kernel/debug/parq/$pci/port1/restart_rx"
}

# The stack replaces the memory of one queue after the other.
queues_restart()
{
	local queue before

	defer channels_set p1 "$(channel_count p1)"
	channels_set p1 2 || return
	for queue in 0 1 0 1 0 1 0 1; do
		wait_for 20 "queue $queue receives" rx_received "$queue" 1000 || return
		before=$(rx_position "$queue")
		check rx_restart "$queue" || return
		expect "position of the new ring" "$(rx_position "$queue") < before"
	done
	check_refused rx_restart 2
}

channels_change()
{
	defer channels_set p1 "$(channel_count p1)"
	for _ in {1..5}; do
		channels_set p1 1 && channels_set p1 4 && channels_set p1 3 &&
			channels_set p1 2 || return
	done
}

tables_change()
{
	defer channels_set p1 "$(channel_count p1)"
	channels_set p1 4 || return
	defer far ethtool -X p1 default
	for _ in {1..10}; do
		check far ethtool -X p1 start 1 equal 2 && check far ethtool -X p1 default ||
			return
	done
}

by_link_pause()
{
	local judge_by=(--pause --pfc 0)

	# On a link that has seen PFC it has no say.
	check link_flap || return
	defer pause_set p0 on off off
	check pause_set p0 off on off || return
	defer pause_set p1 on off off
	check pause_set p1 off off on || return
	defer far dcb buffer set dev p1 buffer-size all:0
	check far dcb buffer set dev p1 prio-buffer all:0 buffer-size all:0 0:64K || return
	overrun "p0 is paused" counts "counted[p0_rx_pause_frames] > 0" || return
	ktap_print_msg "pauses: ${counted[p1_tx_pause_frames]}"
	expect "received and dropped" "${counted[p1_rx_prio3_discards]} == 0"
	expect "of the other priority" "${counted[p1_rx_prio5_discards]} == 0"
	expect "dropped by the sender" "$(dropped p0) == 0"
	expect "pauses" "${counted[p1_tx_pause_frames]} >= 2"
	expect "frames that came" "${counted[p1_tx_pause_frames]} == ${counted[p0_rx_pause_frames]}"
	expect "PFC frames" "${counted[p1_tx_pfc_frames]} == 0"
}

lossy()
{
	overrun "p1 drops" counts "counted[p1_rx_prio3_discards] > 0" || return
	ktap_print_msg "dropped: ${counted[p1_rx_prio3_discards]}"
	expect "received and dropped" "${counted[p1_rx_prio3_discards]} > 0"
	expect "PFC frames" "${counted[p1_tx_pfc_frames]} == 0"
}

# By its tag a frame would be in a buffer that drops.
lossless_by_code_point()
{
	defer dcb rewr flush dev p0
	check dcb rewr add dev p0 prio-dscp 3:26 || return
	defer far dcb app flush dev p1
	check far dcb app add dev p1 dscp-prio 26:3 pcp-prio 3nd:0 || return
	defer far dcb apptrust set dev p1 order pcp
	check far dcb apptrust set dev p1 order dscp pcp || return
	lossless offload
}

tests=(
	"a slow receiver loses nothing, offload" "lossless offload"
	"a slow receiver loses nothing, managed" "lossless managed"
	"a slow receiver loses nothing, link pause" by_link_pause
	"a slow receiver loses nothing while its buffers change" lossless_meanwhile
	"a slow receiver loses nothing while the link goes and comes" lossless_without_link
	"nothing is lost while RX rings change" "steady 1 rings_change"
	"nothing is lost while channels change" "steady 1 channels_change"
	"nothing is lost while channels change, several flows" "steady 8 channels_change"
	"nothing is lost while flows move" "steady 8 tables_change"
	"a slow receiver loses frames without PFC" lossy
)
# Linux before that does not manage queues.
! kernel_from 7.3 || tests+=(
	"nothing is lost while RX queues restart" "steady 8 queues_restart"
)
# Linux before that cannot mark frames in the NIC.
! kernel_from 6.3 || tests+=(
	"a slow receiver loses nothing, by code point" lossless_by_code_point
)
run_tests "${tests[@]}"
