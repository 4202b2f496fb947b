#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Programs of XDP see every frame, and what they send obeys pauses.
#
# p0 sends tagged frames in all priorities to p1, which has a program. Each verdict is carried out
# and counted. Frames of several buffers, of metadata, of a moved head or tail arrive as the program
# has left them. A program is attached, replaced and detached OFTEN times each while p1 receives at
# 100 Gb/s and p0 is paused at random: all frames arrive, in order. What a program sends back is
# sent in the priority in which it came or, if the program writes a tag, in that of the tag. The
# recording of p1 shows that no frame of a paused priority has started, and that each flow has
# stayed in order; what its queue had no room for is counted. What cannot work is refused.
#
#	p0 ==== data ====>  p1, with a program
#	p0 <=== data =====
#	p0 ==== PFC =====>
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

FRAMES=100
PRIOS=$((8 * FRAMES))
# Of a datagram of 1000 bytes without a tag.
LENGTH=1042

# Until the end of the test: xdp PORT PROGRAM...
xdp()
{
	defer at "$1" parq_xdp "$1" off
	check at "$1" parq_xdp "$@"
}

# FRAMES datagrams in each priority, to p1, which receives them.
send()
{
	check record_restart && check counters_begin && check receive_start p1 || return
	check parq_traffic send --dev vp0 --to 198.51.100.2 --frames $FRAMES "$@" >"$tmp/sent.p0"
	wait_for 10 "p1 has all frames" counts "$(prios p1 rx packets) == $PRIOS &&
		counted[p1_rx_xdp_drop] + counted[p1_rx_xdp_tx] + counted[p1_rx_xdp_redirect] +
		counted[p1_rx_xdp_aborted] + $(udp_received) >= $PRIOS"
	check receive_stop p1
	# Not of the wire of p1.
	rm "$tmp/sent.p0"
}

udp_received()
{
	echo "($(far nstat -asz UdpInDatagrams | awk '/^Udp/ { print $2 }') - $udp_before)"
}

# received: by parq_traffic at p1; of them, late.
received()
{
	grep '^t ' "$tmp/received.p1" | tail -n 8 |
		awk '{ n += $6; late += $10 } END { print n + 0, late + 0 }'
}

# prepared [MTU]: tags, so that p1 sees priorities.
prepared()
{
	udp_before=$(far nstat -asz UdpInDatagrams | awk '/^Udp/ { print $2 }')
	if [[ ${1:-} ]]; then
		defer mtu_set 1500
		mtu_set "$1" || return
	fi
	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
}

# verdict PROGRAM COUNTER RECEIVED [OPTION]...
verdict()
{
	prepared && xdp p1 "$1" "${@:4}" || return
	send --size 1000 || return
	same "received, late" "$(received)" "$3 0"
	[[ $2 == pass ]] || expect "$2" "counted[p1_$2] == $PRIOS"
	expect "all verdicts" "counted[p1_rx_xdp_drop] + counted[p1_rx_xdp_tx] +
		counted[p1_rx_xdp_redirect] + counted[p1_rx_xdp_aborted] == $PRIOS - $3"
}

# sent_back PROGRAM BYTES PRIORITY SIZE [OPTION]...: as many bytes a frame; all in this priority,
# unless it is "same".
sent_back()
{
	local prio

	xdp p1 "$1" "${@:5}" && send --size "$4" || return
	same "received, late" "$(received)" "0 0"
	expect "accepted" "counted[p1_tx_xdp] == $PRIOS"
	expect "refused" "counted[p1_tx_xdp_full] + counted[p1_tx_xdp_down] == 0"
	wait_for 5 "p0 has them" counts "$(prios p0 rx packets) == $PRIOS"
	expect "bytes" "$(prios p1 tx bytes) == $PRIOS * $2"
	[[ $1 == trim ]] || expect "wrong checksums" "counted[p0_rx_queues_csum_bad] == 0"
	for prio in {0..7}; do
		[[ $3 == same ]] || expect "sent in $prio" \
			"counted[p1_tx_prio${prio}_packets] == ($prio == $3) * $PRIOS"
		[[ $3 != same ]] || expect "sent in $prio" \
			"counted[p1_tx_prio${prio}_packets] == $FRAMES"
	done
	# The judge knows no tag by which a flow changes its priority.
	[[ $3 != same ]] || check judge p1
}

tx()
{
	prepared && sent_back tx $LENGTH same 1000
}

# redirect SIZE [MTU OPTION]: out by p1's own redirection, and in again.
redirect()
{
	prepared "${2:-}" || return
	# A redirected frame has left its port: without a tag it has priority 0.
	defer far ethtool -K p1 rxvlan on
	check far ethtool -K p1 rxvlan off && sent_back redirect $(($1 + 46)) same "$1" "${@:3}" ||
		return
	expect "redirected" "counted[p1_rx_xdp_redirect] == $PRIOS"
}

# Of p1 to a port whose link is down.
no_link()
{
	prepared || return
	check far ip link add xv0 type veth peer name xv1 || return
	defer far ip link del xv0
	check far ip link set xv0 up && check far ip link set xv1 up || return
	check far parq_xdp xv1 redirect --to p1 || return
	defer set_neighbours
	defer link_up
	defer ip link set p0 up
	defer ip addr replace 192.0.2.1/24 dev p0
	check ip link set p0 down && wait_for 10 "no link" carrier p1 0 || return
	check counters_begin || return
	# Questions of ARP, which nobody answers.
	far ping -c 5 -i 0.01 -W 0.1 -I xv0 198.51.100.77 >"$tmp/ping" 2>&1
	counters_end
	expect "refused" "counted[p1_tx_xdp_down] > 0 && counted[p1_tx_xdp] == 0"
}

metadata()
{
	local pid

	prepared || return
	defer far parq_xdp p1 off
	exec_at p1 parq_xdp p1 meta >"$tmp/meta" &
	pid=$!
	defer kill_quietly $pid
	wait_for 5 "program" grep -q ready "$tmp/meta" || return
	send --size 1000 || return
	same "received, late" "$(received)" "$PRIOS 0"
	check far parq_xdp p1 pass && check counters_begin && check receive_start p1 || return
	check parq_traffic send --dev vp0 --to 198.51.100.2 --frames 1 >"$tmp/sent"
	wait_for 5 "p1 has them" counts "$(prios p1 rx packets) == 8" || return
	check receive_stop p1
	same "received without metadata, late" "$(received)" "0 0"
}

jumbo()
{
	prepared 9000 || return
	refused_with "without xdp.frags" far parq_xdp p1 tx
	sent_back tx 8042 same 8000 --frags || return
	sent_back push 8046 5 8000 --frags || return
	sent_back trim $((8042 - 4000)) same 8000 --frags || return
	xdp p1 pass --frags && send --size 8000 || return
	same "received, late" "$(received)" "$PRIOS 0"
	xdp p1 drop --frags && send --size 8000 || return
	expect "dropped" "counted[p1_rx_xdp_drop] == $PRIOS"
}

bad()
{
	local before

	prepared && xdp p1 pass || return
	before=$(far ip -j link show dev p1 | jq -c '[.[0].mtu, .[0].xdp.prog.id]')
	logs "MTU 9000 refused: the XDP program has no xdp.frags" \
		check_refused far ip link set p1 mtu 9000
	same "MTU and program" "$(far ip -j link show dev p1 | jq -c '[.[0].mtu, .[0].xdp.prog.id]')" \
		"$before"
	check far ip link set p1 mtu 3000 && check far ip link set p1 mtu 1500 || return
	check far parq_xdp p1 pass --frags && check far ip link set p1 mtu 9000 || return
	refused_with "without xdp.frags" far parq_xdp p1 pass
	check far ip link set p1 mtu 1500
	link_up
}

# A program comes, is replaced and goes while frames of lossless priorities arrive.
changes()
{
	local slow=$MBIT MBIT=100000 sent

	defer set_speed "$slow"
	check set_speed $MBIT && pfc_prepare offload && prepared || return
	defer far parq_xdp p1 off
	check pfc_set p1 all:on || return
	defer pfc_set p1 all:off
	check receive_start p1 || return
	exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --flows 2 --size 1000 \
		--rate 80000 >"$tmp/sent" &
	traffic_pid[0]=$!
	defer kill_quietly $!
	storm_begin p0
	check far parq_xdp p1 pass --times "$OFTEN"
	storm_end p0
	check traffic_stop p0
	wait_for 10 "both ends count the same frames" all_received || return
	check receive_stop p1
	counters_end
	sent=$(awk '/^flow/ { n += $4 } END { print n }' "$tmp/sent")
	expect "frames" "$sent > 1000"
	same "received, late" "$(received)" "$sent 0"
	expect "parked" "counted[p0_prio3_parked_total] > 0"
}

# paused EXECUTOR tx|redirect: p0 pauses a priority of p1 for longer than its ring lasts.
paused()
{
	local sent

	prepared || return
	# See redirect().
	defer far ethtool -K p1 rxvlan on
	[[ $2 == tx ]] || check far ethtool -K p1 rxvlan off || return
	xdp p1 "$2" && pfc_prepare "$1" p1 || return
	exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --flows 2 --size 200 \
		>"$tmp/sent" &
	traffic_pid[0]=$!
	defer kill_quietly $!
	wait_for 10 "p1 sends in all priorities" flowing p1 || return
	pause_begin p1 0x08 || return
	wait_for 20 "the ring is full" counts "counted[p1_tx_xdp_full] > 100" || return
	check flowing p1 0xf7
	pause_end p1
	wait_for 10 "p1 sends in all priorities" flowing p1 || return
	storm_begin p1
	wait_for 10 "pauses" counts "$(prios p1 rx pause) >= 300"
	storm_end p1
	wait_for 10 "p1 sends in all priorities" flowing p1 || return
	check traffic_stop p0
	sent=$(awk '/^flow/ { n += $4 } END { print n }' "$tmp/sent")
	wait_for 10 "p1 has sent what it has accepted" counts "
		$(prios p1 tx packets) == counted[p1_tx_xdp] && counted[p1_rx_xdp_$2] == $sent"
	# Frames dropped at the full ring are missing. Nothing else may be wrong.
	judge p1
	expect "missing" "${wire[p1_all_lost]} == counted[p1_tx_xdp_full]"
	expect "verdicts" "counted[p1_rx_xdp_$2] == counted[p1_tx_xdp] + counted[p1_tx_xdp_full]"
	expect "all frames" "counted[p1_rx_xdp_$2] == $sent"
	expect "parked" "counted[p1_prio3_parked_total] > 0"
	expect "pauses" "${wire[p1_all_pauses]} > 10"
	expect "leaks, late, twice" "${wire[p1_all_leaks]} + ${wire[p1_all_late]} +
		${wire[p1_all_twice]} == 0"
}

run_tests \
	"frames are passed to the stack" "verdict pass pass $PRIOS" \
	"frames are dropped" "verdict drop rx_xdp_drop 0" \
	"a program fails" "verdict aborted rx_xdp_aborted 0" \
	"a program has an unknown verdict" "verdict invalid rx_xdp_aborted 0" \
	"frames are sent back in their priority" tx \
	"frames are redirected" "redirect 1000" \
	"without a link frames are refused" no_link \
	"metadata reaches the stack" metadata \
	"frames of several buffers" jumbo \
	"frames of several buffers are redirected" "redirect 8000 9000 --frags" \
	"what does not fit is refused" bad \
	"changes of the program lose and reorder nothing" changes \
	"a pause holds what a program sends, offload" "paused offload tx" \
	"a pause holds what a program sends, managed" "paused managed tx" \
	"a pause holds what a program redirects, offload" "paused offload redirect"
