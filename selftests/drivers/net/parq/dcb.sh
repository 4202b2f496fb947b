#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# DCB settings: kept, refused, and changed under traffic without a loss.
#
# What dcb sets it shows again. What cannot be had is refused, and then
# everything stands as it did. Fifty changes of ETS and PFC while all priorities send
# lose nothing, reorder nothing and let the link alone. PFC turned off for a
# priority that is paused releases it, in order.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

settings()
{
	dcb -j pfc show dev p0 && dcb -j ets show dev p0
}

pfc_of()
{
	dcb -j pfc show dev p0 prio-pfc | jq -c .prio_pfc
}

pfc_kept()
{
	defer pfc_set p0 all:off
	check pfc_set p0 all:off 3:on 4:on
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
	check dcb ets set dev p0 tc-tsa all:strict 0:ets 3:ets 4:ets tc-bw all:0 0:20 3:40 4:40 \
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

	before=$(settings) || return
	check_refused dcb ets set dev p0 tc-tsa 0:ets 1:ets tc-bw 0:50 1:49
	check_refused dcb ets set dev p0 tc-tsa 0:ets 1:ets tc-bw 0:100 1:1
	check_refused dcb ets set dev p0 tc-tsa 0:cbs
	check_refused dcb ets set dev p0 prio-tc 0:8
	check_refused dcb ets set dev p0 tc-bw 0:101
	check_refused dcb pfc set dev p0 prio-pfc 8:on
	same "settings after the refusals" "$(settings)" "$before"
}

hitless()
{
	local changes round

	pfc_prepare offload || return
	check traffic_start p0 0xff --flows 2 || return
	changes=$(cat /sys/class/net/p0/carrier_changes)
	for ((round = 0; round < 25; round++)); do
		check ets_default p0 || return
		check pfc_set p0 all:off $((round % 8)):on || return
		check ets_equal p0 || return
		check pfc_set p0 all:on || return
	done
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check judge p0
	same "changes of the carrier" "$(cat /sys/class/net/p0/carrier_changes)" "$changes"
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
	"PFC settings are kept" pfc_kept \
	"ETS settings are kept" ets_kept \
	"what cannot be had is refused" refused \
	"a hundred changes under traffic" hitless \
	"PFC off releases, offload" "off_releases offload" \
	"PFC off releases, managed" "off_releases managed"
