#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A NIC obeys no pause longer than its limit, and sends none.
#
# p1 pauses priorities of p0 and renews the pause without end. After pfc-prevention-tout
# milliseconds p0 drops their frames, or sends them, until the pause is over: by an XON, or
# because it is not renewed. The recording shows that p0 obeyed until then, lost nothing else
# and reordered nothing. p0 counts the drops, and devlink health reports the storm.
#
# In the other direction, the host of p1 stops taking frames. Its NIC pauses p0 no longer than
# the limit.
#
#	p0 ==== data ====>  (nobody), or p1
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

tracing=/sys/kernel/tracing
TOUT=200
PRIO=3

# ---- settings -------------------------------------------------------------------

tout()
{
	at "$1" ethtool --get-tunable "$1" pfc-prevention-tout | awk '{ print $NF }'
}

tout_set()
{
	at "$1" ethtool --set-tunable "$1" pfc-prevention-tout "$2"
}

action_set()
{
	at "$1" ethtool --set-priv-flags "$1" pfc-storm-forward "$([[ $2 == forward ]] && echo on || echo off)"
}

tout_is()
{
	same "pfc-prevention-tout after $2" "$(tout "$1")" "$3"
}

settings()
{
	defer storm_default
	tout_is p0 "the start" 0
	check tout_set p0 $TOUT && tout_is p0 $TOUT $TOUT
	tout_is p1 "a change of p0" 0
	check tout_set p0 1 && tout_is p0 1 1
	check tout_set p0 65534 && tout_is p0 65534 65534
	check_refused tout_set p0 65536
	tout_is p0 "65536" 65534
	check tout_set p0 65535 && tout_is p0 auto 100
	check action_set p0 forward
	check ip link set p0 down
	check tout_set p0 300
	check ip link set p0 up && check set_neighbours && check link_up || return
	tout_is p0 "down and up" 300
	check grep -q 'pfc-storm-forward *: on' <(ethtool --show-priv-flags p0)
	check storm_default
	tout_is p0 off 0
	check grep -q 'pfc-storm-forward *: off' <(ethtool --show-priv-flags p0)
}

# ---- the peer pauses without end ----------------------------------------------------

# At this speed a frame pauses for 335 ms at most.
peer_begin()
{
	pause_repeat p0 once --prios "$1" --every 20000
}

# The levels of each of the priorities, a mask.
stormy()
{
	local prio

	for prio in {0..7}; do
		(($1 >> prio & 1)) || continue
		health diagnose | jq -e --argjson prio "$prio" \
			'.. | .priorities? // empty | .[] | select(.priority == $prio).state == "storm"' \
			>/dev/null || return
	done
}

drops()
{
	(($(counter p0 "tx_prio$1_dropped") > $2))
}

storms()
{
	echo "${counted[p0_rx_prio${1}_pause_storm_events]}"
}

trace_begin()
{
	echo >$tracing/trace
	echo 1 >"$tracing/events/parq/$1/enable"
	defer trace_end "$1"
}

trace_end()
{
	echo 0 >"$tracing/events/parq/$1/enable"
}

prepare()
{
	pfc_prepare "$1" || return
	storm_mark=parq-storm-$SRANDOM
	echo "$storm_mark" >/dev/kmsg
	defer storm_default
	check action_set p0 "$2" && check tout_set p0 $TOUT
}

# By the kernel, since this test began, once for each storm.
logged()
{
	local times

	times=$(dmesg | awk -v mark="$storm_mark" -v text="$1" '
		index($0, mark) { n = 0 }
		index($0, text) { n++ }
		END { print n + 0 }')
	((times >= 1 && times <= ${counted[p0_rx_prio${PRIO}_pause_storm_events]}))
}

# What was dropped is missing on the wire, and nothing else is.
balance()
{
	local prio

	for prio in {0..7}; do
		expect "lost of $prio" "${wire[p0_${prio}_lost]} == ${counted[p0_tx_prio${prio}_dropped]}"
		expect "leaks, order of $prio" "${wire[p0_${prio}_leaks]} == 0 &&
			${wire[p0_${prio}_twice]} == 0 && ${wire[p0_${prio}_late]} == 0"
		(($1 >> prio & 1)) && continue
		expect "lost of $prio" "${wire[p0_${prio}_lost]} == 0"
		expect "storms of $prio" "$(storms "$prio") == 0"
	done
	expect "reason" "${counted[p0_tx_drop_storm]} == ${wire[p0_all_lost]}"
}

one_class()
{
	local before

	prepare "$1" drop || return
	check trace_begin parq_storm || return
	check traffic_start p0 0xff || return
	peer_begin $((1 << PRIO))
	wait_for 20 "a storm" stormy $((1 << PRIO)) || return
	before=$(counter p0 "tx_prio${PRIO}_dropped")
	wait_for 10 "frames are dropped" drops $PRIO "$before"
	wait_for 10 "nothing is parked" none_parked p0 $((1 << PRIO))
	wait_for 10 "the others send" flowing p0 $((0xff & ~(1 << PRIO)))
	check pause_end p0
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check counters_end
	judge p0 --storm $TOUT
	balance $((1 << PRIO))
	expect "storms" "$(storms $PRIO) >= 1"
	expect "dropped" "${wire[p0_${PRIO}_lost]} > 0"
	expect "sent in a storm" "${wire[p0_${PRIO}_stormed]} == 0"
	check logged "p0: priorities 0x08 are paused for more than $TOUT ms: their frames are dropped"
	check logged "p0: priorities 0x08 are not paused any more"
	check grep -q "parq_storm: p0 prio $PRIO begins" $tracing/trace
	check grep -q "parq_storm: p0 prio $PRIO ends" $tracing/trace
}

forwarded()
{
	prepare "$1" forward || return
	check traffic_start p0 0xff || return
	peer_begin $((1 << PRIO))
	wait_for 20 "a storm" stormy $((1 << PRIO)) || return
	wait_for 10 "all priorities send" flowing p0 || return
	check pause_end p0
	check traffic_stop p0
	check counters_end
	check judge p0 --storm $TOUT
	expect "sent in a storm" "${wire[p0_${PRIO}_stormed]} > 0"
	expect "dropped" "$(dropped p0) == 0"
}

# All of them, and then the peer falls silent.
all_classes()
{
	local prio

	prepare "$1" drop || return
	check traffic_start p0 0xff --rate $((MBIT * 1000)) || return
	peer_begin 0xff
	wait_for 30 "storms of all" stormy 0xff || return
	# Silence. Pauses that run still have to run out.
	kill_quietly "$pause_pid"
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check counters_end
	judge p0 --storm $TOUT
	balance 0xff
	for prio in {0..7}; do
		expect "storms of $prio" "$(storms "$prio") >= 1"
		expect "$prio parked" "$(counter p0 "prio${prio}_parked") == 0"
	done
}

# ---- XON at full rate ---------------------------------------------------------------

# Of events, all processors together.
interrupts()
{
	awk -v name="$pci" '$NF == name { for (i = 2; i <= NF; i++) if ($i ~ /^[0-9]+$/) sum += $i }
		END { print sum + 0 }' /proc/interrupts
}

xon_flood()
{
	local before frames=20000

	pfc_prepare "$1" || return
	check traffic_start p0 0xff || return
	before=$(interrupts)
	expect "interrupts of events so far" "$before > 0"
	check pfc p0 once --quanta 0 --count $frames || return
	wait_for 10 "all of them arrive" counts "counted[p0_rx_pfc_frames] >= $frames"
	expect "interrupts" "$(interrupts) - $before <= 2"
	check traffic_stop p0
	check counters_end
	check judge p0
	expect "XON frames" "${counted[p0_rx_pfc_frames]} == $frames"
	expect "XOFF frames" "${counted[p0_rx_prio0_pause]} == 0"
	expect "pauses" "${counted[p0_rx_prio0_pause_transition]} == 0"
}

# ---- devlink health -----------------------------------------------------------------

# Of p0, or of the port that is named.
health()
{
	devlink -j health "$1" "${@:3}" "$nic_bus/$pci/${2:-0}" reporter pfc
}

health_is()
{
	[[ $(health show "$1" | jq -r '.. | .state? // empty') == "$2" ]]
}

reports()
{
	health show "$1" | jq '.. | .error? // empty'
}

dump_clear()
{
	devlink health dump clear "$nic_bus/$pci/0" reporter pfc
}

recover()
{
	devlink health recover "$nic_bus/$pci/0" reporter pfc
}

auto_recover()
{
	devlink health set "$nic_bus/$pci/0" reporter pfc auto_recover "$1"
}

diagnosed()
{
	health diagnose | jq -e ".. | select(.timeout_ms? == $TOUT and .action == \"drop\") |
		.priorities[$PRIO] | .state == \"storm\" and .paused_ms >= $TOUT and .storms >= 1" \
		>/dev/null
}

health_of_a_storm()
{
	local before

	prepare offload drop || return
	dump_clear
	wait_for 10 "healthy" health_is 0 healthy
	before=$(reports 0)
	peer_begin $((1 << PRIO))
	wait_for 20 "an error" health_is 0 error || return
	expect "reports" "$(reports 0) > $before"
	wait_for 20 "its diagnosis" diagnosed
	check devlink health dump show "$nic_bus/$pci/0" reporter pfc >"$tmp/dump"
	check grep -q park_head "$tmp/dump"
	check grep -q registers "$tmp/dump"
	check pause_end p0
	wait_for 10 "healthy" health_is 0 healthy
	dump_clear
}

# Without it an error stays until somebody has seen it.
health_by_hand()
{
	prepare offload drop || return
	defer auto_recover true
	check auto_recover false || return
	peer_begin $((1 << PRIO))
	wait_for 20 "an error" health_is 0 error || return
	wait_for 20 "a storm" stormy $((1 << PRIO)) || return
	# obeyed again, for as long as before, and then it is a storm again
	check counters_end
	check recover
	wait_for 20 "another storm" another_storm "$(storms $PRIO)" || return
	wait_for 20 "another error" health_is 0 error
	check pause_end p0
	wait_for 10 "no storm" not_stormy
	check health_is 0 error
	check recover
	wait_for 10 "healthy" health_is 0 healthy
}

# devlink asks the driver to recover when a storm is reported, and only then.
health_policy_changes()
{
	prepare offload drop || return
	defer auto_recover true
	peer_begin $((1 << PRIO))
	wait_for 20 "an error" health_is 0 error || return
	check auto_recover false || return
	check pause_end p0
	wait_for 10 "healthy" health_is 0 healthy || return
	peer_begin $((1 << PRIO))
	wait_for 20 "another error" health_is 0 error || return
	check auto_recover true || return
	check pause_end p0
	wait_for 10 "no storm" not_stormy
	check health_is 0 error
	check recover
	wait_for 10 "healthy" health_is 0 healthy
}

# Differences since errors_begin().
errors_begin()
{
	dump_clear
	errors=$(reports 0) && recoveries=$(recovered)
}

# More storms than the test begins: a peer on a busy host can be late with a pause, and what was
# one storm is two.
errors_are()
{
	check counters_end
	expect "storms" "$(all_storms) >= $1"
	expect "errors" "$(reports 0) - $errors == $(all_storms)"
	expect "recoveries" "$(recovered) - $recoveries == $(all_storms)"
}

# Of all priorities, for arithmetic, since prepare().
all_storms()
{
	prios p0 rx pause_storm_events
}

recovered()
{
	health show 0 | jq '.. | .recover? // empty | numbers'
}

grace()
{
	devlink health set "$nic_bus/$pci/0" reporter pfc grace_period "$1"
}

# stormed MASK: these priorities storm, and the reporter is in error, which is told later.
stormed()
{
	wait_for 20 "storms of $1" stormy "$1" && wait_for 10 "an error" health_is 0 error
}

storm_passes()
{
	peer_begin "$1"
	stormed "$1" && check pause_end p0 && wait_for 10 "healthy" health_is 0 healthy
}

# One priority storms, then another as well; the first ends, then the other. Then the link goes
# in a storm.
storms_overlap()
{
	local first

	peer_begin $((1 << PRIO))
	first=$pause_pid
	stormed $((1 << PRIO)) || return
	peer_begin 0x20
	stormed $((1 << PRIO | 0x20)) || return
	kill_quietly "$first"
	wait_for 10 "the first one is over" not_stormy
	wait_for 10 "an error still" health_is 0 error
	check pause_end p0
	wait_for 10 "healthy" health_is 0 healthy || return
	peer_begin $((1 << PRIO))
	stormed $((1 << PRIO)) || return
	kill_quietly "$pause_pid"
	check link_flap
	wait_for 10 "healthy" health_is 0 healthy
}

# The reporter follows the storms, and with auto_recover each error has its recovery. All storms
# but the first, if that, are within the grace period.
health_with_grace()
{
	local errors recoveries

	prepare offload drop || return
	defer grace 0
	check grace "$1" && check errors_begin || return
	storm_passes $((1 << PRIO)) && errors_are 1 || return
	storm_passes $((1 << PRIO)) && errors_are 2 || return
	storm_passes $((1 << PRIO | 0x21)) && errors_are 5 || return
	storms_overlap && errors_are 8
}

# An error that nobody has recovered by hand lasts, even if later ones pass.
health_mixed()
{
	local errors recoveries first

	prepare offload drop || return
	defer auto_recover true
	check errors_begin && check auto_recover false || return
	peer_begin $((1 << PRIO))
	stormed $((1 << PRIO)) && check auto_recover true && check pause_end p0 || return
	wait_for 10 "no storm" not_stormy && check counters_end || return
	first=$(($(all_storms)))
	peer_begin 0x20
	stormed 0x20 && check pause_end p0 || return
	wait_for 10 "recoveries of the later ones" later_recovered || return
	check health_is 0 error && check recover && check health_is 0 healthy
	# That was one recovery, of all of the first.
	((recoveries -= first - 1))
	errors_are 2
}

later_recovered()
{
	counters_end
	(($(all_storms) > first && $(recovered) - recoveries == $(all_storms) - first))
}

another_storm()
{
	counters_end
	(($(storms $PRIO) > $1))
}

not_stormy()
{
	! stormy $((1 << PRIO))
}

# ---- a host that takes no frames ----------------------------------------------------

takes_all()
{
	local before

	before=$(counter p1 "rx_prio${PRIO}_discards")
	flowing p0 $((1 << PRIO)) && (($(counter p1 "rx_prio${PRIO}_discards") == before))
}

dead_host()
{
	local port

	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 || return
	for port in p0 p1; do
		defer pfc_set $port all:off
		check pfc_set $port all:off $PRIO:on || return
	done
	defer rings_set p1 512
	check rings_set p1 64 || return
	defer far dcb buffer set dev p1 buffer-size all:0
	check far dcb buffer set dev p1 prio-buffer all:0 $PRIO:1 buffer-size all:0 0:64K 1:64K ||
		return
	defer storm_default
	check tout_set p1 $TOUT && check trace_begin parq_xoff && check counters_begin || return
	exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --prios $((1 << PRIO)) --flows 2 \
		--drain 20000 >"$tmp/sent.dead" &
	traffic_pid[0]=$!
	defer kill_quietly $!
	wait_for 20 "traffic" flowing p0 $((1 << PRIO)) || return
	defer poll_interval_set p1 0
	check poll_interval_set p1 10000000 || return
	wait_for 30 "p0 is let go" counts "counted[p1_tx_pause_storm_events] > 0" || return
	# Nobody takes its frames, and it sends all the same.
	wait_for 10 "p0 sends" flowing p0 $((1 << PRIO))
	wait_for 10 "an error of p1" health_is 1 error
	check_refused devlink health recover "$nic_bus/$pci/1" reporter pfc
	check health_is 1 error
	check grep -q "parq_xoff: p1 prio $PRIO bounded" $tracing/trace
	check poll_interval_set p1 0
	wait_for 30 "no frame is lost any more" takes_all
	wait_for 10 "p1 is healthy" health_is 1 healthy
	check traffic_stop p0
	check counters_end
	expect "storms of $PRIO" "${counted[p1_tx_prio${PRIO}_pause_storm_events]} ==
		${counted[p1_tx_pause_storm_events]}"
}

run_tests \
	"the limit and the action are kept" settings \
	"a storm drops one class until XON, offload" "one_class offload" \
	"a storm drops one class until XON, managed" "one_class managed" \
	"a storm forwards one class, offload" "forwarded offload" \
	"a storm forwards one class, managed" "forwarded managed" \
	"storms of all classes end by silence, offload" "all_classes offload" \
	"storms of all classes end by silence, managed" "all_classes managed" \
	"XON frames at full rate cost few interrupts, offload" "xon_flood offload" \
	"XON frames at full rate cost few interrupts, managed" "xon_flood managed" \
	"devlink health reports a storm" health_of_a_storm \
	"devlink health recover ends a storm until the next one" health_by_hand \
	"auto_recover counts from the next storm on" health_policy_changes \
	"the reporter follows every order of storms" "health_with_grace 0" \
	"the reporter follows them within its grace period" "health_with_grace 3600000" \
	"an error that needs recovery by hand outlasts others" health_mixed \
	"a host that takes no frames pauses its peer no longer than the limit" dead_host
