#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Sockets of AF_XDP receive and send without copies, and obey pauses.
#
# Both ports have one channel, where a socket is bound. p0 sends tagged frames in all priorities,
# which the socket at p1 receives; then a socket at p0 sends such. Frames may have several chunks. A
# socket that reads nothing has the peer paused, and gets all frames afterwards. A pause of p1 stops
# what the socket at p0 sends in that priority, its ring fills, and all frames follow in order. A
# socket that is closed then takes its frames along, and none of the kernel's. One that is bound and
# closed OFTEN times at 100 Gb/s loses nothing, and so do changes of the rings. What cannot work is
# refused.
#
#	p0, with a socket ==== data ====>  p1, with a socket
#	                  <==== PFC =====
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

FRAMES=500
PRIOS=$((8 * FRAMES))
# Of a datagram of 1000 bytes with a tag.
LENGTH=1046

# Tags, so that p1 sees priorities; one channel, so that the socket gets all of them.
prepared()
{
	local port

	if [[ ${1:-} ]]; then
		defer mtu_set 1500
		mtu_set "$1" || return
	fi
	for port in p0 p1; do
		defer channels_set $port "$(channel_count $port)"
		channels_set $port 1 || return
	done
	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
}

# xsk_start PORT OPTION...: what it says is in $tmp/xsk.
xsk_start()
{
	exec_at "$1" parq_xsk "$1" 0 "${@:2}" >"$tmp/xsk" 2>"$tmp/xsk.errors" &
	xsk_pid=$!
	defer kill_quietly $xsk_pid
	wait_for 10 "a socket at $1" grep -q ready "$tmp/xsk"
}

xsk_stop()
{
	kill -TERM "$xsk_pid"
	check wait "$xsk_pid"
}

# The socket at p0 sends until it has all chunks back.
xsk_send()
{
	xsk_start p0 --send --from "$(<"${sysfs[p0]}/address")" \
		--to "$(<"${sysfs[p1]}/address")" "$@"
}

xsk_ended()
{
	! kill -0 "$xsk_pid" 2>/dev/null
}

# said WORD: the number behind it.
said()
{
	awk -v word="$1" '{ for (i = 1; i < NF; i++) if ($i == word) { print $(i + 1); exit } }' \
		"$tmp/xsk"
}

# received: by parq_traffic at p1; of them, late.
received()
{
	grep '^t ' "$tmp/received.p1" | tail -n 8 |
		awk '{ n += $6; late += $10 } END { print n + 0, late + 0 }'
}

# receives SIZE OPTION...: of SIZE bytes each.
receives()
{
	local size=$1
	shift

	xsk_start p1 --recv "$@" || return
	check counters_begin || return
	check parq_traffic send --dev vp0 --to 198.51.100.2 --frames $FRAMES --size "$size" \
		>"$tmp/sent"
	wait_for 10 "the socket has all frames" counts "counted[p1_rx_xdp_redirect] >= $PRIOS"
	xsk_stop
	same "received, missing, late" "$(said received) $(said missing) $(said late)" \
		"$PRIOS 0 0"
	same "bytes" "$(said bytes)" $((PRIOS * (size + 42)))
	expect "verdicts" "counted[p1_rx_xdp_redirect] == $PRIOS &&
		counted[p1_rx_xdp_aborted] == 0"
}

receive()
{
	prepared && receives 1000 "$@"
}

receive_jumbo()
{
	prepared 9000 && receives 8000 --zerocopy --sg
}

# verdict PROGRAM COUNTER: of a program that sends nothing to the socket.
verdict()
{
	prepared && xsk_start p1 --zerocopy || return
	defer far parq_xdp p1 off
	check far parq_xdp p1 "$1" && check counters_begin && check receive_start p1 || return
	check parq_traffic send --dev vp0 --to 198.51.100.2 --frames $FRAMES --size 1000 \
		>"$tmp/sent"
	wait_for 10 "p1 has all frames" counts "$(prios p1 rx packets) >= $PRIOS"
	check receive_stop p1
	counters_end
	expect "verdicts" "$2"
	xsk_stop
}

pass_jumbo()
{
	prepared 9000 && lossless && xsk_start p1 --zerocopy --sg || return
	check counters_begin && check receive_start p1 || return
	check parq_traffic send --dev vp0 --to 198.51.100.2 --frames $FRAMES --size 8000 \
		>"$tmp/sent"
	wait_for 10 "p1 has all frames" counts "$(prios p1 rx packets) >= $PRIOS"
	check receive_stop p1
	same "received, late" "$(received)" "$PRIOS 0"
	xsk_stop
}

# sends BYTES OPTION...: of so many bytes on the wire.
sends()
{
	local bytes=$1
	shift

	check record_restart && check counters_begin && check receive_start p1 || return
	xsk_send --frames $FRAMES "$@" || return
	wait_for 10 "all chunks are back" xsk_ended
	check wait "$xsk_pid"
	wait_for 10 "p1 has all frames" counts "$(prios p1 rx packets) >= $PRIOS"
	check receive_stop p1
	same "sent" "$(said sent)" $PRIOS
	same "received, late" "$(received)" "$PRIOS 0"
	expect "bytes" "$(prios p0 tx bytes) == $PRIOS * $bytes"
	judge p0
	expect "lost, late" "${wire[p0_all_lost]} + ${wire[p0_all_late]} == 0"
}

send()
{
	prepared && sends $LENGTH --zerocopy "$@" || return
	expect "accepted" "counted[p0_tx_xsk] == $PRIOS && counted[p0_tx_xsk_invalid] == 0"
}

send_copied()
{
	prepared && sends $LENGTH || return
	expect "accepted" "counted[p0_tx_xsk] == 0"
}

send_jumbo()
{
	prepared 9000 && sends 8046 --zerocopy --sg --size 8000 || return
	expect "accepted" "counted[p0_tx_xsk] == $PRIOS"
}

# Both ends agree that no priority loses frames.
lossless()
{
	local port

	for port in p0 p1; do
		check pfc_set $port all:on || return
		defer pfc_set $port all:off
	done
}

# The socket has 32 chunks to receive, and reads nothing for a second.
stalled()
{
	prepared && lossless && receives 1000 --zerocopy --chunks 64 --stall 1000 || return
	expect "p1 has paused p0" "$(prios p0 rx pause) > 0"
}

# No more frames of the socket are accepted.
blocked()
{
	local before

	counters_end
	before=${counted[p0_tx_xsk]}
	sleep 0.01
	counters_end
	((before && before == counted[p0_tx_xsk]))
}

# The kernel and a socket send in one priority, and the kernel in the others.
paused()
{
	local frames=10000

	prepared && pfc_prepare "$1" && check traffic_start p0 0xff || return
	xsk_send --zerocopy --prios 0x08 --frames $frames --size 200 || return
	pause_begin p0 0x08 && wait_for 10 "the ring is full" blocked || return
	check flowing p0 0xf7
	pause_end p0
	storm_begin p0
	wait_for 60 "all chunks are back" xsk_ended
	storm_end p0
	check traffic_stop p0
	echo "flow 251 sent $(said sent)" >>"$tmp/sent.p0"
	check wait "$xsk_pid"
	same "sent" "$(said sent)" $frames
	judge p0
	wait_for 5 "counters" counts "counted[p0_tx_xsk] == $frames"
	expect "lost, late, twice" "${wire[p0_all_lost]} + ${wire[p0_all_late]} +
		${wire[p0_all_twice]} == 0"
	expect "leaks" "${wire[p0_all_leaks]} == 0"
	expect "parked" "counted[p0_prio3_parked_total] > 0"
}

# Random pauses of all priorities, in which the socket takes turns.
storms()
{
	prepared && pfc_prepare "$1" || return
	xsk_send --zerocopy --frames 4000 --size 200 || return
	storm_begin p0
	wait_for 60 "all chunks are back" xsk_ended
	storm_end p0
	check wait "$xsk_pid"
	same "sent" "$(said sent)" 32000
	for prio in {0..7}; do
		echo "flow $((248 + prio)) sent 4000"
	done >"$tmp/sent.p0"
	judge p0
	rm "$tmp/sent.p0"
	expect "lost, late, twice, leaks" "${wire[p0_all_lost]} + ${wire[p0_all_late]} +
		${wire[p0_all_twice]} + ${wire[p0_all_leaks]} == 0"
	expect "pauses" "${wire[p0_all_pauses]} > 10"
}

# A socket is closed while its frames are parked, between those of the kernel.
closed()
{
	prepared && pfc_prepare "$1" && check traffic_start p0 0xff || return
	xsk_send --zerocopy --prios 0x08 --frames 100000 --size 200 || return
	pause_begin p0 0x08 && wait_for 10 "the ring is full" blocked || return
	xsk_stop
	wait_for 10 "its frames are dropped" counts "counted[p0_tx_flushed] > 0" || return
	check flowing p0 0xf7
	pause_end p0
	check flowing p0
	check traffic_stop p0
	# The last numbers of the socket are missing: of them the judge knows nothing.
	judge p0
	expect "lost, late, twice, leaks" "${wire[p0_all_lost]} + ${wire[p0_all_late]} +
		${wire[p0_all_twice]} + ${wire[p0_all_leaks]} == 0"
	counters_end
	expect "dropped" "counted[p0_tx_flushed] <= counted[p0_tx_xsk] + 64"
}

# What a socket without a program receives goes to the stack.
lossless_begin()
{
	lossless && check record_restart && check counters_begin && check receive_start p1 ||
		return
	exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --flows 2 --size 1000 \
		--rate 80000 >"$tmp/sent" &
	traffic_pid[0]=$!
	defer kill_quietly $!
	wait_for 10 "p0 sends in all priorities" flowing p0
}

lossless_end()
{
	local sent

	check traffic_stop p0
	wait_for 10 "both ends count the same frames" all_received || return
	check receive_stop p1
	sent=$(awk '/^flow/ { n += $4 } END { print n }' "$tmp/sent")
	expect "frames" "$sent > 1000"
	same "received, late" "$(received)" "$sent 0"
}

changes()
{
	local slow=$MBIT MBIT=100000

	defer set_speed "$slow"
	check set_speed $MBIT && prepared && lossless_begin || return
	check far parq_xsk p1 0 --zerocopy --times "$OFTEN" >"$tmp/xsk"
	same "bound" "$(said bound)" "$OFTEN"
	lossless_end
}

# With a socket: rings, interface down and up.
reconfigured()
{
	local entries size

	prepared || return
	read -r entries _ < <(ring_entries p1)
	xsk_start p1 --zerocopy && lossless_begin || return
	defer rings_set p1 "$entries"
	for size in 256 1024 64 "$entries"; do
		rings_set p1 "$size"
	done
	check far parq_xdp p1 pass && check far parq_xdp p1 off
	lossless_end
	defer set_neighbours
	check far ip link set p1 down && check far ip link set p1 up && link_up || return
	xsk_stop
	check far ip link set p1 down
	xsk_start p1 --zerocopy
	check far ip link set p1 up && link_up && xsk_stop
}

bad()
{
	prepared 3000 || return
	check_refused far parq_xsk p1 0 --zerocopy --chunk 2048
	check mtu_set 1500 || return
	logs "AF_XDP refused: there are channels 0 to 0, not 3" \
		check_refused far parq_xsk p1 3 --zerocopy
	xsk_start p1 --zerocopy --chunk 2048 || return
	check_refused far parq_xsk p1 0 --zerocopy
	logs "chunks of 2048 bytes at channel 0 allow an MTU of 1770" \
		check_refused far ip link set p1 mtu 3000
	check far ip link set p1 mtu 1770 && check far ip link set p1 mtu 1500
	xsk_stop
	channels_set p1 2
	exec_at p1 parq_xsk p1 1 --zerocopy >"$tmp/xsk" &
	xsk_pid=$!
	defer kill_quietly $xsk_pid
	wait_for 10 "a socket at channel 1" grep -q ready "$tmp/xsk" || return
	check_refused far ethtool -L p1 combined 1
	xsk_stop
	wait_for 5 "it has gone" channels_set p1 1
}

run_tests \
	"a socket receives" "receive --zerocopy" \
	"a socket that polls receives" "receive --zerocopy --poll" \
	"a socket receives copies" receive \
	"a socket receives frames of several chunks" receive_jumbo \
	"a program drops what is in chunks" "verdict drop counted[p1_rx_xdp_drop]==$PRIOS" \
	"a program sends back what is in chunks" "verdict tx counted[p1_tx_xdp]==$PRIOS" \
	"frames of several chunks are passed to the stack" pass_jumbo \
	"a socket sends" send \
	"a socket of small chunks sends" "send --chunk 2048" \
	"a socket sends copies" send_copied \
	"a socket sends frames of several chunks" send_jumbo \
	"a socket that does not read has the peer paused" stalled \
	"a pause holds what a socket sends, offload" "paused offload" \
	"a pause holds what a socket sends, managed" "paused managed" \
	"random pauses lose and reorder nothing of a socket" "storms offload" \
	"a socket is closed while its frames are parked" "closed offload" \
	"sockets come and go, and nothing is lost" changes \
	"rings change under a socket, and nothing is lost" reconfigured \
	"what does not fit is refused" bad
