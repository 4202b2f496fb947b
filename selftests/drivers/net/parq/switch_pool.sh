#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# devlink sb of a switch: memory that the receive buffers of all ports share, and what waits to leave
# by a port.
#
# With the settings of the driver two hosts that send to a third one lose nothing of a priority
# with PFC. Thresholds and sizes say how much a buffer gets of the pool. Values that are not
# possible are refused, and nothing has changed. Changes while frames flow lose nothing. A limit of
# what waits in a traffic class holds to the byte, and costs a priority with PFC nothing.
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

# ---- what devlink shows --------------------------------------------------------------

handle()
{
	echo "$nic_bus/$(<"$configfs/sw/dev_name")"
}

# pool size|thtype|type: of pool 0.
pool()
{
	devlink -j sb pool show "$(handle)" pool 0 | jq -r "[.. | .$1? | values][0]"
}

# set_pool SIZE static|dynamic
set_pool()
{
	devlink sb pool set "$(handle)" pool 0 size "$1" thtype "$2"
}

# threshold PORT BUFFER|CLASS [ingress|egress]
threshold()
{
	devlink -j sb tc bind show "$1" tc "$2" type "${3:-ingress}" |
		jq '[.. | .threshold? | values][0]'
}

# bind PORT BUFFER THRESHOLD
bind()
{
	devlink sb tc bind set "$1" tc "$2" type ingress pool 0 th "$3"
}

# bound PORT CLASS BYTES: of what waits to leave.
bound()
{
	devlink sb tc bind set "$1" tc "$2" type egress pool 1 th "$3"
}

shown()
{
	devlink sb pool show "$(handle)" && devlink sb tc bind show && devlink sb port pool show
}

# The most that a port had of the pool since clearmax.
most()
{
	devlink sb occupancy snapshot "$(handle)" &&
		devlink -j sb occupancy show "$1" | jq -r '.occupancy[].pool."0".max'
}

# waited PORT CLASS: the most that waited to leave since clearmax, and what waits.
waited()
{
	devlink sb occupancy snapshot "$(handle)" && devlink -j sb occupancy show "$1" |
		jq -r ".occupancy[].etc.\"$2\" | \"\(.max) \(.current)\""
}

clear_most()
{
	check devlink sb occupancy clearmax "$(handle)"
}

# ---- traffic -------------------------------------------------------------------------

paused()
{
	pauses_since h1 && pauses_since h2
}

# two_senders [COMMAND]...: h1 and h2 send to h3 while the command runs, or until both are paused.
two_senders()
{
	local frames got dropped=0 port

	recv_start h3 && clear_most || return
	counts_from
	send_start h1 0x08 h3
	send_start h2 0x08 h3
	wait_for 20 "h1 and h2 are paused" paused
	"$@"
	send_stop h1 h2
	frames=$(($(sent h1) + $(sent h2)))
	wait_for 20 "h3 reads all" has_read h3 $frames
	recv_stop h3
	for port in sw0 sw1 sw2; do
		((dropped += $(since $port fwd_rx_no_room) + $(since $port fwd_tx_drop_full)))
	done
	got=$(received h3 3 received)
	ktap_print_msg "sent $frames, received $got, at most $(most sw0) and $(most sw1) of the pool"
	expect "frames" "$frames >= 500"
	expect "lost" "$frames - $got == 0"
	expect "dropped" "$dropped == 0"
	wait_for 5 "nobody is paused" nobody_paused
}

# ---- tests ---------------------------------------------------------------------------

defaults()
{
	local buffers size

	check [ "$(pool type)" = ingress ] && check [ "$(pool thtype)" = dynamic ] || return
	expect "threshold of priority 3" "$(threshold sw0 3) == 10"
	pfc_everywhere 3:on || return
	# Datagrams that wait for an address are not lossless.
	check ping_from h1 10.0.1.3
	check ping_from h2 10.0.1.3
	buffers=$(dcb -j buffer show dev sw0 | jq '[.buffer_size[]] | add')
	size=$(pool size)
	expect "what buffers leave" "$size > 4 * $buffers"
	two_senders
	# Each can have a third of it, and neither has more; nor does a port that sends nothing.
	expect "share of sw0" "$(most sw0) > 0 && $(most sw0) <= $size / 2"
	expect "share of sw1" "$(most sw1) > 0 && $(most sw1) <= $size / 2"
	expect "share of sw2" "$(most sw2) == 0"
}

# A smaller pool, and thresholds: buffer 3 of sw0 gets 8 times what is free, that of sw1 1/8.
thresholds()
{
	local size=$((256 * 1024))

	check set_pool $size dynamic && check bind sw0 3 13 && check bind sw1 3 7 || return
	expect "size" "$(pool size) == $size"
	expect "thresholds" "$(threshold sw0 3) == 13 && $(threshold sw1 3) == 7"
	two_senders
	expect "share of sw0" "$(most sw0) >= $size / 2 && $(most sw0) < $size"
	expect "share of sw1" "$(most sw1) > 0 && $(most sw1) <= $size / 8"
	switch_reset || return
	expect "size after a reset" "$(pool size) == $size"
	expect "thresholds after a reset" "$(threshold sw0 3) == 13 && $(threshold sw1 3) == 7"
	two_senders
	expect "share of sw1 after a reset" "$(most sw1) <= $size / 8"
	# Limits in bytes. Those of before meant something else.
	check set_pool $size static || return
	expect "limit" "$(threshold sw0 3) >= $size"
	check bind sw0 3 20000 && check bind sw1 3 0 || return
	two_senders
	expect "share of sw0, limited" "$(most sw0) > 10000 && $(most sw0) <= 20000"
	expect "share of sw1, which has none" "$(most sw1) == 0"
	check set_pool $size dynamic
	expect "threshold again" "$(threshold sw0 3) == 10"
}

# two_lossy: h1 and h2 send to h3 in priority 5 until 200 frames were dropped.
two_lossy()
{
	local frames got

	recv_start h3 && clear_most || return
	counts_from
	send_start h1 0x20 h3
	send_start h2 0x20 h3
	wait_for 20 "drops" drops_since 200
	send_stop h1 h2
	frames=$(($(sent h1) + $(sent h2)))
	wait_for 20 "the last frame" quiet h3 5
	recv_stop h3
	got=$(received h3 5 received)
	dropped=$(since sw2 fwd_tx_drop_full)
	most=$(waited sw2 5)
	ktap_print_msg "sent $frames, received $got, dropped $dropped, waited at most ${most% *}"
	expect_dropped $((dropped + $(since sw0 fwd_rx_no_room) + $(since sw1 fwd_rx_no_room))) \
		$((frames - got))
	same "what waits in the end" "${most#* }" 0
}

drops_since()
{
	(($(since sw2 fwd_tx_drop_full) >= $1))
}

# A frame has 1446 bytes with its tag, without FCS.
what_waits()
{
	local most dropped size

	size=$(devlink -j sb pool show "$(handle)" pool 1 | jq '[.. | .size? | values][0]')
	expect "no limit of class 5" "$(threshold sw2 5 egress) == $size"
	check dcb ets set dev sw2 tc-tsa all:strict prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 &&
		defer dcb ets set dev sw2 prio-tc all:0 || return
	defer bound sw2 3 "$size" && defer bound sw2 5 "$size"
	check ping_from h1 10.0.1.3
	check ping_from h2 10.0.1.3
	two_lossy
	expect "without a limit" "${most% *} > 20000"
	check bound sw2 5 $((10 * 1446)) && two_lossy || return
	expect "with a limit" "${most% *} == 14460"
	check bound sw2 5 $((10 * 1446 - 1)) && two_lossy || return
	expect "with a limit of a byte less" "${most% *} == $((9 * 1446))"
	switch_reset || return
	expect "limit after a reset" "$(threshold sw2 5 egress) == 14459"
	two_lossy
	expect "what waited after a reset" "${most% *} == $((9 * 1446))"
	# A priority with PFC counts, and loses nothing.
	check bound sw2 3 1446 && pfc_everywhere 3:on && two_senders || return
	most=$(waited sw2 3)
	expect "lossless frames that waited" "${most% *} > 14460"
}

bad_input()
{
	local before

	before=$(shown)
	refused_with "threshold 2 of a dynamic pool is not in 3..16" bind sw0 3 2
	refused_with "threshold 17 of a dynamic pool is not in 3..16" bind sw0 3 17
	refused_with "size 1521 is less than a frame of" set_pool 1521 dynamic
	refused_with "size 0 is less than a frame of" set_pool 0 static
	refused_with "size 1000000000 is more than the" set_pool 1000000000 static
	refused_with "pool 0 is not one of the egress" \
		devlink sb tc bind set sw0 tc 3 type egress pool 0 th 10
	refused_with "pool 1 is not one of the ingress" \
		devlink sb tc bind set sw0 tc 3 type ingress pool 1 th 10
	check_refused devlink sb tc bind set sw0 tc 8 type ingress pool 0 th 10
	refused_with "the egress pool is all receive memory" \
		devlink sb pool set "$(handle)" pool 1 size 100000 thtype static
	check_refused devlink sb pool set "$(handle)" pool 2 size 100000 thtype dynamic
	refused_with "threshold 4294967295 is more than the" bound sw0 3 4294967295
	check [ "$before" = "$(shown)" ]
	check set_pool $((256 * 1024)) static || return
	refused_with "threshold 1000000000 is more than the" bind sw0 3 1000000000
	check set_pool $((256 * 1024)) dynamic
}

# The pool, limits, and what buffers have for themselves.
change_all()
{
	local n

	for n in 1 2 3 4 5; do
		check set_pool $((n * 100000)) dynamic && check bind sw0 3 $((n + 5)) &&
			check bind sw1 3 $((14 - n)) &&
			check dcb buffer set dev sw0 buffer-size all:0 0:$((n * 10))K 3:$((50 + n * 10))K &&
			check ip link set sw1 mtu $((1500 + n * 100)) &&
			check set_pool 50000 static && check bind sw1 3 $((n * 5000)) || return
		wait_for 5 "traffic" moves h3 3
	done
	check dcb buffer set dev sw0 buffer-size all:0
}

changes()
{
	two_senders change_all
}

switch_begin
run_tests \
	"the driver's settings lose nothing" defaults \
	"thresholds say how much a buffer gets" thresholds \
	"a limit of what waits to leave holds to the byte" what_waits \
	"what is not possible is refused and changes nothing" bad_input \
	"changes while frames flow lose nothing" changes
