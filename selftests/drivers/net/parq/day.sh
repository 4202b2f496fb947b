#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# 24 hours with few frames and many pauses: p0 sends in all priorities, one frame in eleven
# seconds of each; its peer pauses and releases them at random, for seconds, so that some pauses
# run out, some are ended and some last too long and are a storm, in which frames are sent all
# the same. At the end nothing is lost, counters of both ends agree, no watchdog has barked, and
# the link has never gone. A timer or counter that does not last for a day is seen here.
#
#	p0 ==== data ====>  p1
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

HOURS=${DAY_HOURS:-24}
TOUT=2000

# A frame can pause for 3.4 seconds at this speed.
SPEED=10

day()
{
	local MBIT=$MBIT timeouts carrier prio start frames=0 pauses=0 storms=0

	defer set_speed "$MBIT"
	MBIT=$SPEED
	check set_speed "$MBIT" || return
	check pfc_set p0 all:on || return
	defer pfc_set p0 all:off
	defer storm_default
	check ethtool --set-tunable p0 pfc-prevention-tout $TOUT &&
		check ethtool --set-priv-flags p0 pfc-storm-forward on || return
	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 || return
	check record_restart && check receive_start p1 && check counters_begin || return
	timeouts=$(tx_timeouts) carrier=$(<"${sysfs[p0]}/carrier_changes") start=$EPOCHSECONDS
	storm_begin p0 --on 3000000 --off 5000000 --seed 1
	(exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --size 1400 --rate 1 \
		--time $((HOURS * 3600000)) --drain 60000 >"$tmp/sent.p0")
	check test $? == 0
	storm_end p0
	expect "seconds" "$EPOCHSECONDS - $start >= $HOURS * 3600"
	wait_for 10 "both ends count the same frames" all_received
	wait_for 10 "nothing is parked" none_parked p0 0xff
	check receive_stop p1
	check judge p0 --storm $TOUT
	check counters_end
	for prio in {0..7}; do
		expect "PFC frames of $prio" "${counted[p0_rx_prio${prio}_pause]} ==
			${wire[p0_${prio}_pfc]}"
		expect "times that $prio was paused" \
			"${counted[p0_rx_prio${prio}_pause_transition]} == 2 * ${wire[p0_${prio}_pauses]}"
		expect "storms of $prio" "${counted[p0_rx_prio${prio}_pause_storm_events]} > 0"
		((frames += ${counted[p1_rx_prio${prio}_packets]}))
		((pauses += ${wire[p0_${prio}_pauses]}))
		((storms += ${counted[p0_rx_prio${prio}_pause_storm_events]}))
	done
	figure "day; $HOURS; $frames; $pauses; $storms; ${wire[p0_all_lost]};" \
		"$(($(tx_timeouts) - timeouts)); $(($(<"${sysfs[p0]}/carrier_changes") - carrier))"
	expect "frames" "$frames >= 8 * $HOURS * 3600 * 1000 / 11200 * 99 / 100"
	expect "dropped" "$(dropped p0) == 0"
	expect "lost or out of order on the way" "$(awk '/ received / { lost[$4] = $8 + $10 }
		END { for (i in lost) sum += lost[i]; print sum + 0 }' "$tmp/received.p1") == 0"
	same "timeouts" "$(tx_timeouts)" "$timeouts"
	same "carrier changes" "$(<"${sysfs[p0]}/carrier_changes")" "$carrier"
}

run_tests "$HOURS hours" day
