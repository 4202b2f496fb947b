#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A switch that marks frames (ECN), or drops them early, or slows them down: red and tbf qdiscs of
# its ports.
#
# What waits for sw2 is marked, and h3 gets as many marks as tc says; what cannot be marked is
# dropped, as often as tc says. Of a priority with PFC nothing is dropped, whatever the qdisc, and
# while it changes. A red under a band of ets or prio marks the frames of that band alone, and a tbf
# limits their rate; the lower one of its limit and DCB's holds. What the device cannot do stays with
# the qdisc, and the user is told why.
#
#	h1 ----- sw0 +--------+ sw2 ----- h3
#	             | switch |
#	h2 ----- sw1 +--------+ sw3 (no cable)
#
# Hosts are namespaces with a NIC each: 10.0.0.N without tag, 10.0.1.N in VLAN 10.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/switch.sh
. "$(dirname "$0")/lib/switch.sh"

RED=(red limit 400000 min 15000 max 45000 avpkt 1500 burst 20 probability 0.1 bandwidth 100mbit)
TBF=(tbf burst 20k latency 100ms)
BANDS=(bands 8 strict 8 priomap 7 6 5 4 3 2 1 0)

# ---- qdiscs --------------------------------------------------------------------------

# root QDISC...: of sw2, until the end of the test.
root()
{
	check tc qdisc replace dev sw2 root "$@" &&
		defer eval "tc qdisc del dev sw2 root 2>/dev/null; true"
}

# child BAND QDISC...: of the ets 1: at sw2.
child()
{
	check tc qdisc replace dev sw2 parent "1:$1" "${@:2}"
}

# red FIELD: sum of all red qdiscs at sw2.
red()
{
	tc -s -j qdisc show dev sw2 | jq "[.[] | select(.kind == \"red\") | .$1 | numbers] | add"
}

root_drops()
{
	tc -s -j qdisc show dev sw2 root | jq '.[0].drops'
}

# offloaded [PORT [KIND]]: number of its red qdiscs, or others, that the device does.
offloaded()
{
	tc -j qdisc show dev "${1:-sw2}" |
		jq --arg kind "${2:-red}" '[.[] | select(.kind == $kind and .offloaded)] | length'
}

# limits EXPECTED: of the traffic classes of sw2 that have one, "CLASS:KBIT ..."
limits()
{
	local sched

	sched=/sys/kernel/debug/parq/$(basename "$(device sw)")/port2/sched
	same "limits" "$(awk '/^tc/ && $NF > 0 { printf "%s%s", $2, $NF }' "$sched")" "$1"
}

# The limit of sw2, kbit/s.
port_limit()
{
	local sched

	sched=/sys/kernel/debug/parq/$(basename "$(device sw)")/port2/sched
	same "limit of the port" "$(awk '/^port/ { print $NF }' "$sched")" "$1"
}

# ---- traffic -------------------------------------------------------------------------

# Packets with CE that h3 has got.
marks()
{
	in_host h3 nstat -asz IpExtInCEPkts | awk '/^IpExt/ { print int($2) }'
}

begin()
{
	# What waits for an address may be dropped by the sender.
	check ping_from h1 10.0.1.3 && check ping_from h2 10.0.1.3 && recv_start h3 || return
	counts_from
	marks_before=$(marks)
}

# two PRIORITY [OPTION]...: both send for 400 ms. What became of the frames is in variables of
# the caller.
two()
{
	local host

	begin || return
	for host in h1 h2; do
		send_start $host $((1 << $1)) h3 --time 400 "${@:2}"
	done
	for host in h1 h2; do
		check wait "${sender[$host]}"
	done
	wait_for 20 "the last frame" quiet h3 "$1"
	recv_stop h3
	frames=$(($(sent h1) + $(sent h2)))
	got=$(received h3 "$1" received)
	marked=$(($(marks) - marks_before))
	dropped=$(since sw2 fwd_tx_drop_red)
	full=$(($(since sw0 fwd_rx_no_room) + $(since sw1 fwd_rx_no_room) +
		$(since sw2 fwd_tx_drop_full)))
	ktap_print_msg "sent $frames, received $got, marked $marked, dropped early $dropped," \
		"full $full"
	expect "frames" "$frames * 1442 * 8 >= 95 * MBIT * 4000"
	expect_dropped $((dropped + full)) $((frames - got))
}

# Bytes of priorities that h3 has received, "4 5".
got_bytes()
{
	local prio sum=0

	for prio in $1; do
		((sum += $(count h3 "rx_prio${prio}_bytes")))
	done
	echo $sum
}

# got_more PRIORITIES BYTES: so many of them.
got_more()
{
	(($(got_bytes "$1") >= $2))
}

# rate PRIORITIES PERCENT: h3 receives them at so much of the link in all.
rate()
{
	local begin bytes kbit

	# What a shaper has saved up, and what waits elsewhere, is over.
	bytes=$(got_bytes "$1")
	wait_for 20 "traffic" got_more "$1" $((bytes + 100000)) || return
	begin=$(date +%s%N) bytes=$(got_bytes "$1")
	wait_for 20 "traffic" got_more "$1" $((bytes + 500000)) || return
	kbit=$((($(got_bytes "$1") - bytes) * 8000000 / ($(date +%s%N) - begin)))
	ktap_print_msg "priority $1: $kbit kbit/s"
	expect "rate of $1" "$kbit >= $((MBIT * 10 * $2 * 88 / 100)) &&
		$kbit <= $((MBIT * 10 * $2 * 105 / 100))"
}

# ---- tests ---------------------------------------------------------------------------

marks_and_counts()
{
	local frames got marked dropped full marks_before

	root "${RED[@]}" ecn || return
	expect "qdiscs of the device" "$(offloaded) == 1"
	two 5 --ect || return
	expect "marks" "$marked > 400"
	expect "marks by tc" "$(red marked) == $marked"
	expect "overlimits by tc" "$(red overlimits) == $marked"
	expect "dropped early" "$dropped == 0"
	expect "drops by tc" "$(red drops) == 0 && $(red early) == 0"
	# The host's own frames pass the qdisc.
	check ip addr add 10.0.0.9/24 dev br0 && defer ip addr del 10.0.0.9/24 dev br0 || return
	check ping_from h3 10.0.0.9
	expect "frames that the qdisc sent" "$(red packets) >= 3"
}

drops_and_counts()
{
	local frames got marked dropped full marks_before

	root "${RED[@]}" ecn || return
	two 5 || return
	expect "marks" "$marked == 0 && $(red marked) == 0"
	expect "dropped early" "$dropped > 400"
	expect "drops by tc" "$(red drops) == $dropped && $(red early) == $dropped"
	# Neither marked nor dropped.
	root "${RED[@]}" ecn nodrop || return
	expect "qdiscs of the device" "$(offloaded) == 1"
	two 5 || return
	expect "marks without drops" "$marked == 0 && $dropped == 0"
	# Without ECN what can be marked is dropped, too.
	root "${RED[@]}" || return
	two 5 --ect || return
	expect "without ECN" "$marked == 0 && $dropped > 400"
	check tc qdisc del dev sw2 root
	two 5 --ect || return
	expect "without red" "$marked == 0 && $dropped == 0"
}

# h1 can be marked, h2 cannot. All kinds of qdiscs come and go.
change_qdiscs()
{
	local n kind

	for n in 1 2 3; do
		for kind in ecn "ecn nodrop" ""; do
			# shellcheck disable=SC2086 # words
			check tc qdisc replace dev sw2 root red limit 400000 min $((n * 3000)) \
				max $((n * 9000)) avpkt 1500 burst 20 probability 0.5 \
				bandwidth 100mbit $kind || return
			wait_for 5 "traffic" moves h3 3
		done
		check tc qdisc del dev sw2 root || return
		check tc qdisc replace dev sw2 root handle 1: ets "${BANDS[@]}" || return
		child 5 "${RED[@]}" ecn || return
		wait_for 5 "traffic" moves h3 3
		check tc qdisc change dev sw2 root handle 1: ets \
			bands $((8 - n)) strict $((8 - n)) || return
		wait_for 5 "traffic" moves h3 3
		child 5 handle 15: "${TBF[@]}" rate $((n * MBIT / 5))mbit || return
		expect "limits of the device" "$(offloaded sw2 tbf) == 1"
		wait_for 5 "traffic" moves h3 3
		check tc qdisc replace dev sw2 parent 15:1 "${RED[@]}" ecn || return
		check tc qdisc change dev sw2 root handle 1: ets bands 8 strict 8 || return
		wait_for 5 "traffic" moves h3 3
		check tc qdisc del dev sw2 root || return
	done
}

lossless()
{
	local frames got marked marks_before

	pfc_everywhere 3:on && small_buffers || return
	begin || return
	send_start h1 0x08 h3 --ect
	send_start h2 0x08 h3
	wait_for 20 "h1 is paused" pauses_since h1
	change_qdiscs
	send_stop h1 h2
	wait_for 20 "the last frame" quiet h3 3
	recv_stop h3
	frames=$(($(sent h1) + $(sent h2)))
	got=$(received h3 3 received)
	marked=$(($(marks) - marks_before))
	ktap_print_msg "sent $frames, received $got, marked $marked of $(sent h1)"
	expect "lost" "$frames - $got == 0"
	expect "dropped early" "$(since sw2 fwd_tx_drop_red) == 0"
	expect "marks" "$marked > 100 && $marked <= $(sent h1)"
	wait_for 5 "nobody is paused" nobody_paused
}

# A red of band 2, which has priority 5, marks what is in its band.
one_band_marks()
{
	child 3 handle 13: "${RED[@]}" ecn || return
	expect "qdiscs of the device" "$(offloaded) == 1"
	two 5 --ect || return
	expect "marks" "$marked > 400 && $marked == $(red marked)"
	two 4 --ect || return
	expect "marks of another band" "$marked == 0"
}

# What a child drops is dropped by its parent, too.
root_drops_too()
{
	local before

	child 3 handle 13: "${RED[@]}" || return
	before=$(root_drops)
	two 5 || return
	expect "drops by the root" "$dropped > 400 && $(root_drops) - $before == $dropped"
}

bands()
{
	local frames got marked dropped full marks_before

	root handle 1: ets "${BANDS[@]}" && one_band_marks || return
	# With fewer bands it is still priority 5.
	check tc qdisc change dev sw2 root handle 1: ets bands 4 strict 4 \
		priomap 3 3 3 3 1 2 0 0 || return
	expect "qdiscs of the device" "$(offloaded) == 1"
	two 5 --ect || return
	expect "marks with four bands" "$marked > 400"
	two 4 --ect || return
	expect "marks of another one of four bands" "$marked == 0"
	switch_reset || return
	two 5 --ect || return
	expect "marks after a reset" "$marked > 400"
	root_drops_too && child 3 pfifo || return
	two 5 --ect || return
	expect "marks without red" "$marked == 0"
	# A new qdisc begins to count.
	child 3 handle 13: "${RED[@]}" || return
	two 5 || return
	check tc qdisc replace dev sw2 root handle 2: ets "${BANDS[@]}" || return
	expect "drops of a new ets" "$dropped > 400 && $(root_drops) == 0"
}

prio_bands()
{
	local frames got marked dropped full marks_before

	root handle 1: prio bands 8 priomap 7 6 5 4 3 2 1 0 && one_band_marks && root_drops_too ||
		return
	check tc qdisc change dev sw2 root handle 1: prio bands 9 priomap 7 6 5 4 3 2 1 0 || return
	expect "qdiscs of the device under nine bands" "$(offloaded) == 0"
	two 5 || return
	expect "drops under nine bands" "$dropped == 0"
}

# h1 sends priority 5, in band 2, and h2 priority 4, in band 3.
tbf_limits()
{
	root handle 1: prio bands 8 priomap 7 6 5 4 3 2 1 0 || return
	child 3 handle 13: "${TBF[@]}" rate $((MBIT / 5))mbit || return
	expect "limits of the device" "$(offloaded sw2 tbf) == 1"
	limits "5:$((MBIT * 200))"
	begin || return
	send_start h1 0x20 h3
	send_start h2 0x10 h3
	rate 5 20
	rate 4 80
	# tc makes a tbf, and then refuses to put it there.
	check_refused tc qdisc replace dev sw2 parent 1:3 handle 20: stab overhead 24 \
		linklayer ethernet "${TBF[@]}" rate $((MBIT / 10))mbit
	limits "5:$((MBIT * 200))"
	# Changed in place; and the lower one of two limits.
	child 3 handle 13: "${TBF[@]}" rate $((MBIT * 2 / 5))mbit || return
	rate 5 40
	defer maxrate_set sw2 all:0
	check maxrate_set sw2 5:$((MBIT * 100)) || return
	limits "5:$((MBIT * 100))"
	rate 5 10
	check maxrate_set sw2 all:0
	# With fewer bands it is still priority 5.
	check tc qdisc change dev sw2 root handle 1: prio bands 4 \
		priomap 3 3 3 3 3 2 0 0 3 3 3 3 3 3 3 3 || return
	limits "1:$((MBIT * 400))"
	rate 5 40
	rate 4 60
	send_stop h1 h2
	switch_reset || return
	limits "1:$((MBIT * 400))"
	# The host's own frames pass the qdisc.
	check ip addr add 10.0.0.9/24 dev br0 && defer ip addr del 10.0.0.9/24 dev br0 || return
	check ping_from h3 10.0.0.9
	send_start h1 0x20 h3
	rate 5 40
	child 3 pfifo || return
	limits ""
	rate 5 95
	send_stop h1
	wait_for 20 "the last frame" quiet h3 5
	recv_stop h3
}

# Both have the frames of the band: a red below a tbf.
tbf_and_red()
{
	local frames got marked dropped full marks_before

	root handle 1: prio bands 8 priomap 7 6 5 4 3 2 1 0 || return
	child 3 handle 13: "${TBF[@]}" rate $((MBIT / 5))mbit || return
	check tc qdisc replace dev sw2 parent 13:1 handle 23: "${RED[@]}" ecn || return
	expect "qdiscs of the device" "$(offloaded) == 1 && $(offloaded sw2 tbf) == 1"
	two 5 --ect || return
	expect "marks" "$marked > 100 && $marked == $(red marked)"
	check tc qdisc replace dev sw2 parent 13:1 handle 24: pfifo || return
	two 5 --ect || return
	expect "marks without red" "$marked == 0"
	check tc qdisc replace dev sw2 parent 13:1 handle 23: "${RED[@]}" ecn || return
	expect "qdiscs of the device" "$(offloaded) == 1 && $(offloaded sw2 tbf) == 1"
	child 3 pfifo || return
	limits ""
	two 5 --ect || return
	expect "marks without both" "$marked == 0"
	# One takes the place of the other.
	child 3 handle 14: "${RED[@]}" ecn && child 3 handle 13: "${TBF[@]}" rate 1mbit || return
	expect "a tbf" "$(offloaded) == 0 && $(offloaded sw2 tbf) == 1"
	limits "5:1000"
	child 3 handle 14: "${RED[@]}" ecn || return
	expect "a red" "$(offloaded) == 1 && $(offloaded sw2 tbf) == 0"
	limits ""
}

# All priorities share the limit of a tbf at the root, and bands below it have theirs.
tbf_at_root()
{
	root handle 7: "${TBF[@]}" rate $((MBIT * 2 / 5))mbit || return
	expect "limits of the device" "$(offloaded sw2 tbf) == 1"
	port_limit $((MBIT * 400))
	begin || return
	send_start h1 0x20 h3
	send_start h2 0x10 h3
	rate "4 5" 40
	check tc qdisc replace dev sw2 parent 7:1 handle 1: prio bands 8 priomap 7 6 5 4 3 2 1 0 ||
		return
	expect "bands below it" "$(offloaded sw2 prio) == 1"
	rate 5 40
	child 3 handle 13: "${TBF[@]}" rate $((MBIT / 10))mbit || return
	limits "5:$((MBIT * 100))"
	rate 5 10
	rate 4 30
	switch_reset || return
	port_limit $((MBIT * 400))
	check tc qdisc change dev sw2 root handle 7: "${TBF[@]}" rate $((MBIT * 3 / 5))mbit
	rate 4 50
	# With it all that is below ends.
	check tc qdisc replace dev sw2 root handle 8: pfifo || return
	port_limit 0
	limits ""
	rate "4 5" 95
	send_stop h1 h2
	wait_for 20 "the last frame" quiet h3 5
	recv_stop h3
}

# A red has all frames of the port, whether it is below the tbf at the root or without one.
red_below_root()
{
	local frames got marked dropped full marks_before

	root handle 7: "${TBF[@]}" rate $((MBIT / 5))mbit || return
	check tc qdisc replace dev sw2 parent 7:1 handle 23: "${RED[@]}" ecn || return
	expect "qdiscs of the device" "$(offloaded) == 1 && $(offloaded sw2 tbf) == 1"
	two 5 --ect || return
	expect "marks" "$marked > 100 && $marked == $(red marked)"
	check tc qdisc replace dev sw2 parent 7:1 handle 24: pfifo || return
	two 5 --ect || return
	expect "marks without red" "$marked == 0"
	check ethtool -K sw2 hw-tc-offload off && defer ethtool -K sw2 hw-tc-offload on || return
	port_limit 0
	expect "limits of the device" "$(offloaded sw2 tbf) == 0"
	check ethtool -K sw2 hw-tc-offload on
	check tc qdisc change dev sw2 root handle 7: "${TBF[@]}" rate $((MBIT / 5))mbit
	port_limit $((MBIT * 200))
}

# below PARENT ARGUMENT...: a qdisc below a red or tbf.
below()
{
	check tc qdisc replace dev sw2 parent "$1:1" "${@:2}"
}

# A band has one red and one tbf, in any order; the root has two of these, of which the lower one
# holds. A fifo is what a class is.
chains()
{
	local frames got marked dropped full marks_before

	root handle 1: prio bands 8 priomap 7 6 5 4 3 2 1 0 || return
	child 3 handle 13: "${RED[@]}" ecn && below 13 handle 23: "${TBF[@]}" rate $((MBIT / 5))mbit &&
		below 23 handle 33: bfifo limit 100k && child 4 handle 14: pfifo || return
	expect "qdiscs of the device" "$(offloaded) == 1 && $(offloaded sw2 tbf) == 1"
	expect "fifos of the device" "$(offloaded sw2 bfifo) == 1 && $(offloaded sw2 pfifo) == 1"
	limits "5:$((MBIT * 200))"
	two 5 --ect || return
	expect "marks" "$marked > 100 && $marked == $(red marked)"
	logs "refused: parent 23:1 is neither the root nor a class of an offloaded qdisc" \
		below 23 handle 43: "${RED[@]}" ecn
	warns "parent 23:1 is not a class of an offloaded ets or prio" \
		below 23 handle 53: "${TBF[@]}" rate 1mbit
	expect "qdiscs of the device" "$(offloaded) == 1 && $(offloaded sw2 tbf) == 1"
	below 13 handle 63: bfifo limit 100k || return
	limits ""
	expect "fifos of the device" "$(offloaded sw2 bfifo) == 1"
	# The root is nobody's child, whatever handle a qdisc has.
	child 3 handle ffff: "${TBF[@]}" rate 1mbit || return
	root handle 8: "${RED[@]}" ecn && below 8 handle 9: "${TBF[@]}" rate $((MBIT / 5))mbit || return
	expect "qdiscs of the device" "$(offloaded) == 1 && $(offloaded sw2 tbf) == 1"
	port_limit $((MBIT * 200))
	below 9 handle 10: "${TBF[@]}" rate $((MBIT / 10))mbit || return
	expect "limits of the device" "$(offloaded sw2 tbf) == 2"
	port_limit $((MBIT * 100))
	below 10 handle 11: prio bands 8 priomap 7 6 5 4 3 2 1 0 2>"$tmp/warning"
	expect "bands below a red" "$(offloaded sw2 prio) == 0"
	warns "parent 10:1 is not a class of an offloaded ets or prio" \
		below 10 handle 12: "${TBF[@]}" rate 1mbit
	below 9 handle 14: pfifo || return
	port_limit $((MBIT * 200))
	check tc qdisc del dev sw2 root
	port_limit 0
	two 5 --ect || return
	expect "marks without any" "$marked == 0"
}

# warns SENTENCE COMMAND...: it succeeds, and tc says so, or the log where the kernel cannot.
warns()
{
	check "${@:2}" 2>"$tmp/warning" || return
	dmesg | tail -n 4 | grep -F "refused: " >>"$tmp/warning"
	check grep -qF ": $1" "$tmp/warning"
}

tbf_refused()
{
	warns "rate 625000000000 B/s is not in 125..536870911875" \
		root handle 7: "${TBF[@]}" rate 5000gbit || return
	expect "limits of the device" "$(offloaded sw2 tbf) == 0"
	logs "refused: parent 7:1 is not the root, nor an offloaded tbf there" \
		check tc qdisc replace dev sw2 parent 7:1 handle 6: ets "${BANDS[@]}" || return
	root handle 1: ets "${BANDS[@]}" || return
	child 3 handle 13: "${TBF[@]}" rate 1mbit || return
	limits "5:1000"
	warns "rate 625000000000 B/s is not in 125..536870911875" \
		child 4 handle 14: "${TBF[@]}" rate 5000gbit
	limits "5:1000"
	warns "rate 625000000000 B/s is not in 125..536870911875" \
		child 3 handle 13: "${TBF[@]}" rate 5000gbit
	limits ""
	expect "limits of the device" "$(offloaded sw2 tbf) == 0"
	child 3 handle 13: "${TBF[@]}" rate 2mbit || return
	limits "5:2000"
	# With an ets in software there is no limit.
	check tc qdisc change dev sw2 root handle 1: ets bands 9 strict 9 || return
	limits ""
	expect "limits of the device" "$(offloaded sw2 tbf) == 0"
	check tc qdisc change dev sw2 root handle 1: ets "${BANDS[@]}" || return
	limits "5:2000"
	check ethtool -K sw2 hw-tc-offload off && defer ethtool -K sw2 hw-tc-offload on || return
	limits ""
	check ethtool -K sw2 hw-tc-offload on || return
	check tc qdisc change dev sw2 root handle 1: ets "${BANDS[@]}" || return
	child 3 handle 13: "${TBF[@]}" rate 3mbit || return
	limits "5:3000"
	check tc qdisc del dev sw2 root
	limits ""
	# A NIC has the qdisc alone.
	check tc qdisc replace dev p0 root handle 1: ets "${BANDS[@]}" &&
		defer tc qdisc replace dev p0 root mq || return
	check tc qdisc replace dev p0 parent 1:3 "${TBF[@]}" rate 1mbit || return
	expect "limits of a NIC" "$(offloaded p0 tbf) == 0"
	same "classes of a NIC without a limit" "$(sched p0 | grep -c '^tc.*kbit/s 0$')" 8
}

# not_offloaded SENTENCE ARGUMENT...: of tc qdisc replace. The qdisc works in software.
not_offloaded()
{
	logs "refused: $1" check tc qdisc replace dev sw2 "${@:2}"
	expect "qdiscs of the device" "$(offloaded) == 0"
}

refused()
{
	local frames got marked dropped full marks_before

	root handle 7: "${RED[@]}" ecn || return
	expect "qdiscs of the device" "$(offloaded) == 1"
	not_offloaded "harddrop: above max the device marks what can be marked" root handle 7: \
		"${RED[@]}" ecn harddrop
	root handle 7: "${RED[@]}" ecn || return
	expect "qdiscs of the device" "$(offloaded) == 1"
	check tc qdisc del dev sw2 root
	check tc qdisc add dev sw2 root handle 9: mq || return
	not_offloaded "parent 9:1 is neither the root nor a class of an offloaded qdisc" \
		parent 9:1 "${RED[@]}" ecn
	check tc qdisc del dev sw2 root
	# Offload that is switched off, and on again with the next change.
	root "${RED[@]}" ecn || return
	check ethtool -K sw2 hw-tc-offload off && defer ethtool -K sw2 hw-tc-offload on || return
	expect "qdiscs of the device" "$(offloaded) == 0"
	two 5 --ect || return
	expect "marks" "$marked == 0"
	check ethtool -K sw2 hw-tc-offload on && root "${RED[@]}" ecn || return
	expect "qdiscs of the device" "$(offloaded) == 1"
	# A NIC has the qdisc alone.
	check tc qdisc replace dev p0 root "${RED[@]}" ecn &&
		defer tc qdisc replace dev p0 root mq || return
	expect "qdiscs of a NIC" "$(offloaded p0) == 0"
}

# streams: h1 and h2 send to h3 by TCP. Prints how often the switch has paused them.
streams()
{
	local bytes=3000000

	counts_from
	in_host h3 parq_stream.py tcp h1 10.0.0.3 $bytes >"$tmp/stream.h1" &
	in_host h3 parq_stream.py tcp h2 10.0.1.3 $bytes >"$tmp/stream.h2"
	wait $!
	same "bytes of h1 and h2" "$(cat "$tmp"/stream.h[12] | xargs)" "$bytes $bytes"
	pauses=$(($(since h1 rx_prio0_pause_transition) + $(since h2 rx_prio0_pause_transition)))
	wait_for 5 "nobody is paused" nobody_paused
}

# Senders that obey marks are not paused.
tcp_obeys()
{
	local host port marked pauses

	for host in "${HOSTS[@]}"; do
		check in_host "$host" sysctl -qw net.ipv4.tcp_ecn=1 || return
	done
	for port in sw0 sw1 sw2; do
		check dcb pfc set dev $port prio-pfc all:off &&
			check dcb buffer set dev $port prio-buffer all:1 0:0 \
				buffer-size all:0 0:64K 1:64K || return
	done
	pfc_everywhere 0:on &&
		check devlink sb pool set "$nic_bus/$(<"$configfs/sw/dev_name")" pool 0 \
			size 30000 thtype static || return
	streams
	ktap_print_msg "without red: paused $pauses times"
	expect "pauses without red" "$pauses > 10"
	root "${RED[@]}" ecn || return
	marked=$(marks)
	streams
	marked=$(($(marks) - marked))
	ktap_print_msg "with red: paused $pauses times, marked $marked"
	expect "pauses" "$pauses == 0"
	expect "marks" "$marked > 5 && $marked == $(red marked)"
	# A threshold, as for DCTCP.
	root red limit 400000 min 15000 max 15001 avpkt 1500 burst 11 probability 1 \
		bandwidth 100mbit ecn || return
	expect "qdiscs of the device" "$(offloaded) == 1"
	streams
	ktap_print_msg "with a threshold: paused $pauses times, marked $(red marked)"
	expect "pauses with a threshold" "$pauses == 0"
}

switch_begin
run_tests \
	"what waits is marked, and counted" marks_and_counts \
	"what cannot be marked is dropped, and counted" drops_and_counts \
	"a priority with PFC loses nothing while qdiscs change" lossless \
	"a red of a band marks its frames alone" bands \
	"so does a red of a band of prio" prio_bands \
	"a tbf of a band limits its rate" tbf_limits \
	"a tbf and a red have the same band" tbf_and_red \
	"a tbf at the root limits the port" tbf_at_root \
	"a red below it marks the frames of the port" red_below_root \
	"a tbf and a red may be below each other" chains \
	"a tbf that the device cannot do stays in software" tbf_refused \
	"what the device cannot do stays with the qdisc" refused \
	"TCP that obeys marks is not paused" tcp_obeys
