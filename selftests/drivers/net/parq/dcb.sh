#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# DCB settings: kept, refused, and changed under traffic without a loss.
#
# dcb shows what it has set. Bad settings are refused and change nothing. The same holds for
# receive buffers, and for the MTU and the cable, which need a buffer size. Watermarks follow
# these, the delay and the speed. A hundred changes of ETS and PFC while all priorities send
# lose and reorder no frame and leave the link up. Turning PFC off for a paused priority
# releases its frames in order.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

pfc_of()
{
	dcb -j pfc show dev p0 prio-pfc | jq -c .prio_pfc
}

pfc_kept()
{
	defer pfc_set p0 all:off
	logs "p0: PFC: priorities [3-4], were [] (IEEE, dcb)" check pfc_set p0 all:off 3:on 4:on
	same "priorities with PFC" "$(pfc_of)" "[false,false,false,true,true,false,false,false]"
	check dcb pfc set dev p0 delay 12345
	same "delay" "$(dcb -j pfc show dev p0 delay | jq .delay)" 12345
	check dcb pfc set dev p0 delay 0
	same "priorities then" "$(pfc_of)" "[false,false,false,true,true,false,false,false]"
	check dcb -s pfc show dev p0 >"$tmp/pfc"
	check pfc_set p0 all:on
	same "all priorities" "$(pfc_of)" "[true,true,true,true,true,true,true,true]"
}

ets_kept()
{
	defer ets_default p0
	logs "p0: ETS: prio-tc 01234567 tsa essees" check dcb ets set dev p0 tc-tsa all:strict 0:ets 3:ets 4:ets tc-bw all:0 0:20 3:40 4:40 \
		prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
	dcb -j ets show dev p0 >"$tmp/ets"
	same "map" "$(jq -c .prio_tc "$tmp/ets")" "[0,1,2,3,4,5,6,7]"
	same "bandwidth" "$(jq -c .tc_bw "$tmp/ets")" "[20,0,0,40,40,0,0,0]"
	same "algorithms" "$(jq -c .tc_tsa "$tmp/ets")" \
		'["ets","strict","strict","ets","ets","strict","strict","strict"]'
}

refused()
{
	local before

	before=$(dcb_settings) || return
	check_refused dcb ets set dev p0 tc-tsa 0:ets 1:ets tc-bw 0:50 1:49
	check_refused dcb ets set dev p0 tc-tsa 0:ets 1:ets tc-bw 0:100 1:1
	logs "p0: ETS refused: tc-tsa of traffic class 0: 1 is neither strict (0) nor ets (2)" \
		check_refused dcb ets set dev p0 tc-tsa 0:cbs
	check_refused dcb ets set dev p0 prio-tc 0:8
	check_refused dcb ets set dev p0 tc-bw 0:101
	check_refused dcb pfc set dev p0 prio-pfc 8:on
	same "settings after the refusals" "$(dcb_settings)" "$before"
}

buffers()
{
	dcb -j buffer show dev p0 | jq -c "$1"
}

# With the names of tools, and without settings.
buffers_kept()
{
	defer pfc_set p0 all:off
	defer dcb buffer set dev p0 buffer-size all:0
	check pfc_set p0 all:off 3:on 4:on || return
	same "own map" "$(buffers .prio_buffer)" "[0,0,0,3,4,0,0,0]"
	same "own sizes and the total" "$(buffers '(.buffer_size | add) == .total_size')" true
	check dcb buffer set dev p0 prio-buffer all:0 3:1 4:2 buffer-size 0:128K 1:256K 2:256K
	same "map" "$(buffers .prio_buffer)" "[0,0,0,1,2,0,0,0]"
	same "sizes" "$(buffers '.buffer_size[0:3]')" "[131072,262144,262144]"
	check dcb buffer set dev p0 buffer-size all:0
	same "own map again" "$(buffers .prio_buffer)" "[0,0,0,3,4,0,0,0]"
}

# Of buffer 1: size and XOFF.
buffer_1()
{
	sed -En 's/^buffer 1:.* size ([0-9]+) xoff ([0-9]+) .*/\1 \2/p' \
		"/sys/kernel/debug/parq/$pci/port0/buffers"
}

# In the order of scripts for other NICs. Sizes and watermarks come with PFC.
map_before_pfc()
{
	local size xoff lossy

	defer pfc_set p0 all:off
	defer dcb buffer set dev p0 buffer-size all:0
	check dcb buffer set dev p0 prio-buffer all:0 3:1 4:2 || return
	same "map" "$(buffers .prio_buffer)" "[0,0,0,1,2,0,0,0]"
	same "sizes and the total" "$(buffers '(.buffer_size | add) == .total_size')" true
	read -r lossy xoff < <(buffer_1)
	expect "XOFF without PFC" "$xoff == $lossy && $lossy > 0"
	check pfc_set p0 3:on || return
	same "map with PFC" "$(buffers .prio_buffer)" "[0,0,0,1,2,0,0,0]"
	same "sizes with PFC" "$(buffers '(.buffer_size | add) == .total_size')" true
	read -r size xoff < <(buffer_1)
	expect "XOFF with PFC" "0 < $xoff && $xoff < $size && $size > $lossy"
	check_refused pfc_set p0 5:on
	check pfc_set p0 4:on
	check pfc_set p0 all:off || return
	read -r size xoff < <(buffer_1)
	expect "XOFF without PFC again" "$xoff == $size && $size == $lossy"
	check dcb buffer set dev p0 buffer-size all:0
	same "own map again" "$(buffers .prio_buffer)" "[0,0,0,0,0,0,0,0]"
}

cable()
{
	devlink -j dev param show "$nic_bus/$pci" name cable_length |
		jq '[.. | .value? | numbers][0]'
}

buffers_refused()
{
	local before

	defer pfc_set p0 all:off
	defer dcb buffer set dev p0 buffer-size all:0
	check pfc_set p0 all:off 3:on || return
	check dcb buffer set dev p0 prio-buffer all:0 3:1 buffer-size all:0 0:64K 1:16K || return
	# Headroom grows with the speed; no cable is too long for a slow link.
	check set_speed 1000 || return
	defer set_speed "$MBIT"
	before=$(buffers .) || return
	logs "p0: buffers refused: buffer 0 would hold lossless priority 3 and lossy priority 0" \
		check_refused dcb buffer set dev p0 prio-buffer all:0
	check_refused dcb buffer set dev p0 prio-buffer 4:1
	check_refused dcb buffer set dev p0 prio-buffer 4:2
	check_refused dcb buffer set dev p0 buffer-size 0:0
	check_refused dcb buffer set dev p0 buffer-size 0:1000
	logs "p0: buffers refused: buffer 1 of lossless priority 3: 5000 bytes, 6950 needed" \
		check_refused dcb buffer set dev p0 buffer-size 1:5000
	check_refused dcb buffer set dev p0 buffer-size 7:4000000000
	logs "p0: PFC refused: buffer 0 would hold lossless priority 4 and lossy priority 0" \
		check_refused dcb pfc set dev p0 prio-pfc 4:on
	logs "p0: MTU 9000 refused: buffer 1 of lossless priority 3: 16384 bytes, " \
		check_refused ip link set p0 mtu 9000
	refused_with "a cable of 0 m is not within 1 to 100000" cable_set 0
	check_refused cable_set 100000
	refused_with "a cable of 100001 m is not within 1 to 100000" cable_set 100001
	same "buffers after the refusals" "$(buffers .)" "$before"
	same "cable after the refusals" "$(cable)" 10
	same "MTU after the refusals" "$(<"${sysfs[p0]}/mtu")" 1500
	check dcb buffer set dev p0 buffer-size all:0
	defer cable_set 10
	check cable_set 2000
	same "cable" "$(cable)" 2000
}

# Bytes, of p0: the headroom at the speed of its link, and XOFF of buffer 1.
headroom()
{
	sed -En 's/^headroom ([0-9]+):.*/\1/p; s/^buffer 1:.* xoff ([0-9]+) .*/\1/p' \
		"/sys/kernel/debug/parq/$pci/port0/buffers" | xargs
}

# headroom_is BYTES: and the watermark is the size without it.
headroom_is()
{
	[[ $(headroom) == "$1 $((256 * 1024 - $1))" ]]
}

# follows WHAT BYTES: at once
follows()
{
	same "headroom and XOFF, $1" "$(headroom)" "$2 $((256 * 1024 - $2))"
}

# All numbers are of the table in Documentation/user/buffers.rst. The device has another
# speed, and a smaller MTU, a little later.
buffers_follow()
{
	defer pfc_set p0 all:off
	defer dcb buffer set dev p0 buffer-size all:0
	check pfc_set p0 all:off 3:on &&
		check dcb buffer set dev p0 prio-buffer all:0 3:1 buffer-size 0:64K 1:256K || return
	defer set_speed "$MBIT"
	check set_speed 1000 || return
	wait_for 10 "headroom of 1 Gb/s" headroom_is 5424 || return

	defer cable_set 10
	check cable_set 2000 && follows "2000 m" 8258
	check cable_set 100 && follows "100 m" 5552
	check cable_set 10 && follows "10 m" 5424

	# A bit's way through 2000 m of copper and back: 2 * 2000 m * 5.7 ns/m, at 1 ns a bit.
	defer dcb pfc set dev p0 delay 0
	check dcb pfc set dev p0 delay 22800 && follows "the delay of 2000 m" 8258
	check cable_set 100 && follows "the delay, not the cable" 8258
	check dcb pfc set dev p0 delay 0 && follows "the cable again" 5552
	check cable_set 10

	defer ip link set p0 mtu 1500
	check ip link set p0 mtu 9000 && follows "MTU 9000" 27924
	check ip link set p0 mtu 1500
	wait_for 20 "headroom of MTU 1500" headroom_is 5424

	check set_speed 10000 && wait_for 10 "headroom of 10 Gb/s" headroom_is 9264
	check cable_set 2000 && follows "10 Gb/s, 2000 m" 37620
	check cable_set 10 && follows "10 Gb/s, 10 m" 9264
	check set_speed 1000 && wait_for 10 "headroom of 1 Gb/s" headroom_is 5424

	# p0 could be faster. Which speed it is turns out when the link comes up.
	check ethtool -s p0 autoneg on && check far ethtool -s p1 autoneg on advertise 0x20 || return
	wait_for 10 "1 Gb/s by negotiation" speed_is 1000 || return
	wait_for 10 "headroom of what is negotiated" headroom_is 5424
}

hitless()
{
	local changes round

	pfc_prepare offload || return
	check traffic_start p0 0xff --flows 2 || return
	changes=$(<"${sysfs[p0]}/carrier_changes")
	for ((round = 0; round < 25; round++)); do
		check ets_default p0 || return
		check pfc_set p0 all:off $((round % 8)):on || return
		check ets_equal p0 || return
		check pfc_set p0 all:on || return
	done
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check judge p0
	same "carrier changes" "$(<"${sysfs[p0]}/carrier_changes")" "$changes"
}

# Only the order is judged: the wire does not show when PFC was turned off.
off_releases()
{
	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0x20 || return
	check pfc_set p0 5:off || return
	wait_for 10 "all priorities send again" flowing p0 || return
	check flowing p0
	check pause_end p0
	check traffic_stop p0
	check judge p0 --pfc 0xdf
}

run_tests \
	"PFC settings read back as set" pfc_kept \
	"ETS settings read back as set" ets_kept \
	"bad settings are refused and change nothing" refused \
	"receive buffers read back as set" buffers_kept \
	"receive buffers may be named before PFC is on" map_before_pfc \
	"bad receive buffers are refused" buffers_refused \
	"headroom follows what it is computed from" buffers_follow \
	"a hundred changes under traffic lose no frame" hitless \
	"turning PFC off releases a paused priority, offload" "off_releases offload" \
	"turning PFC off releases a paused priority, managed" "off_releases managed"
