#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A thousand DCB changes under traffic, and pauses, lose and reorder nothing, at any speed:
# changes and pauses are as much closer as the link is faster.
#
# p0 sends in all priorities while its peer pauses those above 3 at random. PFC of
# the others, traffic classes, bandwidths, receive buffers, APP entries, trust and
# rewriting change at the same time, by messages of IEEE and of CEE, each as soon as the last one is
# answered. The recording shows every frame once and in order, and no frame of a paused
# priority. The link stays up.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1

# Braces are words of parq_dcbnl.
# shellcheck disable=SC1083
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# Of a round's messages three change nothing by themselves. Linux before 6.3 has no
# trust, no rewriting and no entries of PCP.
ROUNDS=$((60 / SLOWER)) CHANGES=18
kernel_from 6.3 || ROUNDS=$((84 / SLOWER)) CHANGES=12

IEEE=13 ETS=1 PFC=2 APPS=3 BUFFER=10 TRUST=11 REWR=12

set_ieee()
{
	echo "IEEE_SET $IEEE{ $* } ?$IEEE=0"
}

del_ieee()
{
	echo "IEEE_DEL $IEEE{ $* } ?$IEEE=0"
}

zeroes()
{
	local z

	z=$(printf '%*s' $((2 * $1)) '')
	echo "${z// /0}"
}

# ets ALGORITHMS BANDWIDTHS MAP, eight bytes each
ets()
{
	set_ieee "$ETS=x:000800$2$(zeroes 8)$1$3$(zeroes 24)"
}

pfc_on()
{
	set_ieee "$PFC=x:08$1$(zeroes 134)"
}

STRICT=0000000000000000 EACH=0001020304050607 SHARED=0000000000000000
ALIKE=0d0d0d0d0c0c0c0c OTHER=5000000000000014
# Buffer 0 has 0 to 3, 128 KiB; buffer 4 the rest, 256 KiB.
SPLIT=0000000004040404

newer_begin()
{
	set_ieee "$REWR{ 1=x:05052e00 }"
	set_ieee "$TRUST{ 1=5 2=255 }"
	set_ieee "$APPS{ 2=x:ff020d00 }"
}

newer_end()
{
	set_ieee "$TRUST{ 2=255 }"
	del_ieee "$REWR{ 1=x:05052e00 }"
	del_ieee "$APPS{ 2=x:ff020d00 }"
}

# What is not meant for the traffic is there to be changed: it has no code point.
messages()
{
	local newer=true round

	kernel_from 6.3 || newer=false
	for ((round = 0; round < ROUNDS; round++)); do
		ets 0202020202020202 $ALIKE $EACH
		pfc_on f0
		! $newer || newer_begin
		set_ieee "$APPS{ 1=x:05031a00 }"
		pfc_on f$((1 + round % 7))
		ets 0200000000000002 $OTHER $EACH
		del_ieee "$APPS{ 1=x:05031a00 }"
		pfc_on f0
		set_ieee "$BUFFER=x:$SPLIT$(printf %08x 0x200)$(zeroes 12)$(printf %08x 0x400)$(zeroes 16)"
		ets $STRICT $STRICT $SHARED
		! $newer || newer_end
		set_ieee "$BUFFER=x:$(zeroes 44)"
		pfc_on f$((7 - round % 7))
		echo "SDCBX 14=5 ?14=0"
		echo "PGTX_SCFG 6{ 1{ 1=0 2=0x0f 3=0 4=100 } 2{ 1=1 2=0xf0 3=0 4=100 }" \
			"11=$((round + 1)) 12=$((99 - round)) } ?6=0"
		echo "SET_ALL 7=1 ?7=2"
		echo "SDCBX 14=9 ?14=0"
	done
}

changes()
{
	local carrier pause sent

	pfc_prepare offload || return
	defer settings_default
	check pfc_set p0 all:off 4:on 5:on 6:on 7:on || return
	messages >"$tmp/messages"
	same "messages" "$(wc -l <"$tmp/messages")" $((ROUNDS * (CHANGES + 3))) &&
		expect "changes" "$ROUNDS * $CHANGES >= 1000 / SLOWER" || return
	check record_restart && check counters_begin && check traffic_start p0 0xff --flows 2 || return
	carrier=$(<"${sysfs[p0]}/carrier_changes")
	# parq_pfc puts into one frame what is due within 20 us.
	((pause = 400000 * SLOWER / MBIT, pause = pause > 50 ? pause : 50))
	storm_begin p0 --prios 0xf0 --on $pause --off $((2 * pause))
	# One every 5 ms at 100 Mb/s: where computing takes no time, all of them would come between
	# two pauses. A sleep is some 50 us longer than asked.
	check parq_dcbnl p0 - < <(paced "$((MBIT < 50000 ? 500000 / MBIT : 10))e-6" <"$tmp/messages")
	storm_end p0
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check counters_end
	check judge p0 --pfc 0xf0
	same "carrier changes" "$(<"${sysfs[p0]}/carrier_changes")" "$carrier"
	expect "dropped" "$(dropped p0) == 0"
	sent=$(awk '/^flow/ { n += $4 } END { print n }' "$tmp/sent.p0")
	expect "frames sent during the changes" "${sent:-0} > 1000"
	expect "pauses during the changes" "${wire[p0_all_pauses]} > 20"
	figure "hitless; $MBIT; $((ROUNDS * CHANGES)); $sent; ${wire[p0_all_pauses]};" \
		"${wire[p0_all_leaks]}; ${wire[p0_all_lost]}; $((wire[p0_all_twice] + wire[p0_all_late]))"
}

run_tests "$((ROUNDS * CHANGES)) changes under traffic and pauses" changes
