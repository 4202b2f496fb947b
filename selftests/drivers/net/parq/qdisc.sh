#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Queueing disciplines whose work the NIC does: mqprio, ets and prio.
#
# While such a qdisc exists it replaces the settings of DCB, which are in force again when it is
# deleted. An mqprio that does not fit is refused with the reason. An ets or prio cannot be refused,
# and runs in software. Limits of mqprio, shares of ets and the order of prio are measured on the
# wire. Replacing a qdisc while all priorities send and are paused drops the frames in the qdisc,
# and none that the driver has. The counters of an ets or prio go on when its offload begins or ends.
#
#	p0 ==== data ====>  (nobody)
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

ONE_TO_ONE="map 0 1 2 3 4 5 6 7 0 0 0 0 0 0 0 0"
QUEUES="queues 1@0 1@1 1@2 1@3 1@4 1@5 1@6 1@7"

root_set()
{
	# shellcheck disable=SC2086,SC2048
	tc qdisc replace dev p0 root handle "${handle:-1}:" $*
}

# Whatever there is, with new children.
root_default()
{
	tc qdisc del dev p0 root 2>/dev/null
	tc qdisc replace dev p0 root mq
}

root()
{
	tc -j qdisc show dev p0 root | jq -c "$1"
}

# Children of mq and of mqprio drop nothing that has to wait.
root_prepare()
{
	defer sysctl -qw "net.core.default_qdisc=$(sysctl -n net.core.default_qdisc)"
	sysctl -qw net.core.default_qdisc=pfifo
	defer root_default
}

# By DCB: priorities 0 to 3 share one class, 4 to 7 have another, and a limit.
dcb_prepare()
{
	defer ets_default p0
	check dcb ets set dev p0 tc-tsa all:strict 0:ets 1:ets tc-bw all:0 0:30 1:70 \
		prio-tc 0:0 1:0 2:0 3:0 4:1 5:1 6:1 7:1 || return
	defer maxrate_set p0 all:0
	check maxrate_set p0 1:40000 || return
	before=$(sched p0)
	root_prepare
}

# root_refused SENTENCE ARGUMENT...: of tc qdisc. What is not refused does not stay.
root_refused()
{
	# Linux before that has no answer for the reason.
	if ! kernel_from 6.3; then
		check_refused root_set "${@:2}"
		return
	fi
	refused_with "$1" root_set "${@:2}" || root_default
}

mqprio_kept()
{
	local tc

	dcb_prepare || return
	check tc qdisc replace dev p0 root handle 1: mqprio num_tc 8 \
		map 0 1 2 3 4 5 6 7 0 0 0 0 0 0 0 0 \
		queues 1@0 1@1 1@2 1@3 1@4 1@5 1@6 1@7 hw 1 || return
	same "kind" "$(root '.[0].kind')" '"mqprio"'
	same "classes" "$(root '.[0].options.tc')" 8
	same "map" "$(root '.[0].options.map')" "[0,1,2,3,4,5,6,7,0,0,0,0,0,0,0,0]"
	same "who decides" "$(sched p0 | head -n 1)" "map mqprio, shares dcb, limits dcb, slow 0x0"
	for tc in {2..7}; do
		same "class $tc" "$(sched p0 "$tc")" \
			"priorities $(printf %#x $((1 << tc))) strict weight 0 kbit/s 0"
	done
	same "class 1" "$(sched p0 1)" "priorities 0x2 ets weight 70 kbit/s 40000"

	# What it decides DCB cannot change, what it leaves DCB can.
	check_refused dcb ets set dev p0 prio-tc 0:5
	check dcb ets set dev p0 prio-tc 0:0
	check dcb ets set dev p0 tc-bw 0:20 1:80
	same "class 1 then" "$(sched p0 1)" "priorities 0x2 ets weight 80 kbit/s 40000"
	check dcb ets set dev p0 tc-bw 0:30 1:70
	check tc qdisc del dev p0 root
	same "settings afterwards" "$(sched p0)" "$before"
}

# The one that goes does not take along what the new one has set.
mqprio_replaced()
{
	local map="map 0 0 0 0 1 1 1 1 0 0 0 0 0 0 0 0" round now

	dcb_prepare || return
	check root_set mqprio num_tc 8 "$ONE_TO_ONE" "$QUEUES" hw 1 || return
	for round in 2 3; do
		handle=$round check root_set mqprio num_tc 2 "$map" queues 4@0 4@4 hw 1 \
			mode channel shaper bw_rlimit max_rate 0 2Mbit
		same "class 1 in round $round" "$(sched p0 1)" \
			"priorities 0xf0 ets weight 70 kbit/s 2000"
		same "classes in round $round" "$(root '.[0].options.tc')" 2
	done
	now=$(sched p0)
	handle=4 root_refused "priority 7 in TC 1: none of queues 3@4 serves it" \
		mqprio num_tc 2 "$map" queues 4@0 3@4 hw 1
	same "settings after a refusal" "$(sched p0)" "$now"
	check tc qdisc del dev p0 root
	same "settings afterwards" "$(sched p0)" "$before"
}

mqprio_refused()
{
	local map="map 0 0 0 0 1 1 1 1 0 0 0 0 0 0 0 0"
	local channels

	dcb_prepare || return
	channels=$(channel_count p0)
	defer channels_set p0 "$channels"
	check channels_set p0 2 || return
	root_refused "num_tc 9 is not in 1..8" mqprio num_tc 9 "$ONE_TO_ONE" "$QUEUES" 1@8 hw 1
	root_refused "priority 9 in TC 1: it is sent as priority 0, in TC 0" \
		mqprio num_tc 8 map 0 1 2 3 4 5 6 7 0 1 "$QUEUES" hw 1
	root_refused "queue 4 of TC 0 serves priority 4, which is in TC 1" \
		mqprio num_tc 2 "$map" queues 5@0 3@5 hw 1
	root_refused "priority 7 in TC 1: none of queues 3@4 serves it" \
		mqprio num_tc 2 "$map" queues 4@0 3@4 hw 1
	root_refused "min_rate of TC 1: minimum rates are not supported" \
		mqprio num_tc 2 "$map" queues 4@0 4@4 hw 1 mode channel shaper bw_rlimit \
		min_rate 0 1Mbit max_rate 0 2Mbit
	root_refused "max_rate of TC 1: 100 B/s, not 0 or 125..536870911875" \
		mqprio num_tc 2 "$map" queues 4@0 4@4 hw 1 mode channel shaper bw_rlimit \
		max_rate 0 100bps
	check_refused root_set mqprio num_tc 2 "$map" queues 4@0 4@13 hw 1
	same "settings after the refusals" "$(sched p0)" "$before"
	same "root after the refusals" "$(root '.[0].kind')" '"mq"'
}

# All queues are in one class: none can go.
mqprio_channels()
{
	local channels

	channels=$(channel_count p0)
	defer channels_set p0 "$channels"
	check channels_set p0 2 || return
	defer root_default
	check root_set mqprio num_tc 1 map 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 queues 16@0 hw 1 || return
	check_refused ethtool -L p0 combined 1
	check channels_are p0 2
	check channels_set p0 4
	check tc qdisc del dev p0 root
	check channels_set p0 1
}

mqprio_limits()
{
	local limit=$((MEASURE_MBIT * 1000 / 5)) high low

	dcb_prepare || return
	check root_set mqprio num_tc 2 map 0 0 0 0 1 1 1 1 0 0 0 0 0 0 0 0 queues 4@0 4@4 hw 1 \
		mode channel shaper bw_rlimit max_rate 0 ${limit}kbit || return
	same "who decides" "$(sched p0 | head -n 1 | cut -d , -f 1-3)" \
		"map mqprio, shares dcb, limits mqprio"
	check_refused maxrate_set p0 1:1000
	measure p0 0x42 || return
	high=$(measured p0 6) low=$(measured p0 1)
	expect "limited" "$high * 100 <= $limit * 105"
	expect "limited, and served" "$high * 100 >= $limit * 90"
	expect "the rest" "$low >= (MEASURE_MBIT * 1000 - $limit) * 85 / 100"
	check tc qdisc del dev p0 root
	same "settings afterwards" "$(sched p0)" "$before"
}

# share PRIORITY PERCENT: of what priorities 0 to 3 have had, within five points
share()
{
	local sum=0 prio

	for prio in {0..3}; do
		((sum += ${wire[p0_${prio}_free_kbit]}))
	done
	expect "share of $1" "(${wire[p0_${1}_free_kbit]} * 100 / $sum - $2) ** 2 <= 25"
}

ets_shares()
{
	local sent

	dcb_prepare || return
	check tc qdisc replace dev p0 root handle 1: ets bands 8 strict 4 \
		quanta 5000 3000 1000 1000 priomap 7 6 5 4 3 2 1 0 || return
	same "offloaded" "$(root '.[0].offloaded')" true
	same "who decides" "$(sched p0 | head -n 1 | cut -d , -f 1-3)" \
		"map ets, shares ets, limits dcb"
	same "lowest class" "$(sched p0 0)" "priorities 0x1 ets weight 10 kbit/s 0"
	same "highest of the weighted" "$(sched p0 3)" "priorities 0x8 ets weight 50 kbit/s 0"
	same "strict" "$(sched p0 7)" "priorities 0x80 strict weight 0 kbit/s 0"
	check_refused dcb ets set dev p0 tc-bw 0:20 1:80

	measure p0 0x0f || return
	share 0 10
	share 1 10
	share 2 30
	share 3 50
	# Nothing but these frames has been sent since the qdisc came.
	sent=$(tc -s -j qdisc show dev p0 root | jq '.[0].packets')
	same "packets that tc shows" "$sent" "${wire[p0_all_frames]}"

	# Changed in place, and once more.
	check tc qdisc change dev p0 root handle 1: ets bands 8 strict 4 \
		quanta 1000 1000 1000 1000 priomap 7 6 5 4 3 2 1 0
	same "weights then" "$(sched p0 3)" "priorities 0x8 ets weight 25 kbit/s 0"
	check tc class change dev p0 classid 1:5 ets quantum 5000
	same "weights of a changed class" "$(sched p0 3)" "priorities 0x8 ets weight 63 kbit/s 0"
	check tc qdisc del dev p0 root
	same "settings afterwards" "$(sched p0)" "$before"
}

prio_order()
{
	dcb_prepare || return
	check tc qdisc replace dev p0 root handle 1: prio bands 8 priomap 7 6 5 4 3 2 1 0 || return
	same "kind" "$(root '.[0].kind')" '"prio"'
	same "offloaded" "$(root '.[0].offloaded')" true
	same "who decides" "$(sched p0 | head -n 1 | cut -d , -f 1-3)" \
		"map prio, shares prio, limits dcb"
	same "lowest class" "$(sched p0 0)" "priorities 0x1 strict weight 0 kbit/s 0"
	same "limited class" "$(sched p0 1)" "priorities 0x2 strict weight 0 kbit/s 40000"
	same "highest class" "$(sched p0 7)" "priorities 0x80 strict weight 0 kbit/s 0"
	logs "p0: ETS refused: prio-tc cannot change: qdisc prio at the root decides it" \
		check_refused dcb ets set dev p0 prio-tc 0:5

	measure p0 0x44 || return
	expect "upper band" "$(measured p0 6) * 100 >= $MEASURE_MBIT * 1000 * 95"
	expect "lower band" "$(measured p0 2) * 100 <= $MEASURE_MBIT * 1000 * 5"
	same "packets that tc shows" "$(root_count packets)" "${wire[p0_all_frames]}"

	# Changed in place, to what prio is without options.
	check tc qdisc change dev p0 root handle 1: prio bands 3 \
		priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1 || return
	same "offloaded: three bands" "$(root '.[0].offloaded')" true
	same "highest class of three" "$(sched p0 2)" "priorities 0xc0 strict weight 0 kbit/s 0"
	same "lowest class of three" "$(sched p0 0)" "priorities 0x2e strict weight 0 kbit/s 0"
	check tc qdisc del dev p0 root
	same "settings afterwards" "$(sched p0)" "$before"
}

not_offloaded()
{
	same "offloaded: $1" "$(root '.[0].offloaded')" null
	same "settings until then" "$(sched p0)" "$before"
}

# bands NUMBER: a $kind with so many strict bands
bands()
{
	local strict=

	[[ $kind != ets ]] || strict="strict $1"
	echo "$kind bands $1 $strict"
}

# in_software KIND
in_software()
{
	local kind=$1

	dcb_prepare || return
	logs "p0: offload of qdisc $kind 1 refused: bands 9 is not in 1..8" \
		check root_set "$(bands 9)" || return
	not_offloaded "nine bands"
	check root_set "$(bands 3)"
	same "offloaded: three bands" "$(root '.[0].offloaded')" true
	defer ethtool -K p0 hw-tc-offload on
	check ethtool -K p0 hw-tc-offload off
	not_offloaded "switched off"
	check ethtool -K p0 hw-tc-offload on
	check root_default
	check tc qdisc replace dev p0 root handle 1: mq
	# shellcheck disable=SC2046 # words
	logs "p0: offload of qdisc $kind 2 refused: parent 1:1 is not the root" \
		check tc qdisc replace dev p0 parent 1:1 handle 2: $(bands 3)
	same "settings with one below mq" "$(sched p0)" "$before"
}

# root_becomes OFFLOADED BANDS: the same qdisc, in other hands. Only then are its counters read.
root_becomes()
{
	check root_set "$(bands "$2")" || return
	same "offloaded: $2 bands" "$(root '.[0].offloaded')" "$1"
	root_has "$2 bands"
}

# root_has WHEN: it has counted each frame once, and each drop of the NIC while it was offloaded.
root_has()
{
	same "packets: $1" "$(root_count packets)" "$packets"
	expect "bytes: $1" "$(root_count bytes) >= $bytes"
	expect "drops: $1" "$(root_count drops) == $drops"
	bytes=$(root_count bytes)
}

root_count()
{
	tc -s -j qdisc show dev p0 root | jq ".[0].$1"
}

root_sends()
{
	check parq_traffic send --dev p0 --to $SINK --prios 0x01 --frames $BURST >"$tmp/sent"
	((packets += BURST))
}

# root_drops: frames that the NIC drops, because their priority is in a storm.
root_drops()
{
	local before

	before=$(counter p0 tx_prio0_dropped)
	root_sends
	((drops += BURST))
	wait_for 10 "they are dropped" eval \
		"(( \$(counter p0 tx_prio0_dropped) == $before + $BURST ))"
}

# counters KIND
counters()
{
	local kind=$1 packets=0 bytes=0 drops=0

	pfc_prepare offload && root_prepare || return
	defer storm_default
	defer ethtool -K p0 hw-tc-offload on
	check root_set "$(bands 10)" || return
	root_sends
	root_becomes true 8
	root_sends
	root_has "sent by the NIC"
	root_becomes null 10
	root_sends
	root_becomes true 8

	check ethtool --set-tunable p0 pfc-prevention-tout 100 || return
	pause_repeat p0 once --prios 0x01 --every 20000
	wait_for 10 "a storm" counts "counted[p0_rx_prio0_pause_storm_events] > 0" || return
	root_drops
	root_has "dropped by the NIC"
	root_drops
	root_becomes null 10
	root_becomes true 8
	root_drops
	check ethtool -K p0 hw-tc-offload off
	root_has "switched off"
	check ethtool -K p0 hw-tc-offload on
	root_has "switched on"
	root_becomes true 8
	check pause_end p0
}

# Each takes the other's place.
exchange()
{
	dcb_prepare || return
	check root_set mqprio num_tc 8 "$ONE_TO_ONE" "$QUEUES" hw 1 || return
	check tc qdisc replace dev p0 root handle 2: ets bands 2 strict 2 priomap 0 0 0 0 1 1 1 1
	same "after ets" "$(sched p0 1)" "priorities 0xf strict weight 0 kbit/s 40000"
	check tc qdisc replace dev p0 root handle 3: ets bands 2 strict 2 priomap 0 1 1 1 1 1 1 1
	same "after another ets" "$(sched p0 1)" "priorities 0x1 strict weight 0 kbit/s 40000"
	same "offloaded" "$(root '.[0].offloaded')" true
	check tc qdisc replace dev p0 root handle 4: prio bands 2 priomap 0 0 0 0 0 0 0 1 \
		0 0 0 0 0 0 0 0
	same "after prio" "$(sched p0 1)" "priorities 0x7f strict weight 0 kbit/s 40000"
	same "offloaded" "$(root '.[0].offloaded')" true
	check tc qdisc replace dev p0 root handle 5: prio bands 2 priomap 1 1 1 1 1 1 1 0 \
		1 1 1 1 1 1 1 1
	same "after another prio" "$(sched p0 1)" "priorities 0x80 strict weight 0 kbit/s 40000"
	check tc qdisc replace dev p0 root handle 6: ets bands 2 quanta 1000 1000 \
		priomap 0 0 1 1 1 1 1 1
	same "after ets again" "$(sched p0 1)" "priorities 0x3 ets weight 50 kbit/s 40000"
	same "who decides" "$(sched p0 | head -n 1 | cut -d , -f 1-2)" "map ets, shares ets"
	check root_set mqprio num_tc 8 "$ONE_TO_ONE" "$QUEUES" hw 1
	same "after mqprio" "$(sched p0 1)" "priorities 0x2 ets weight 70 kbit/s 40000"
	check root_default
	same "settings afterwards" "$(sched p0)" "$before"
}

# Counts what the kernel hands to p0's driver, where it can count so.
handed_begin()
{
	HANDED='hist:keys=rc if name == "p0"'
	[[ -e $xmit/hist ]] || return 0
	echo "$HANDED" >$xmit/trigger && defer handed_end
}

handed_end()
{
	echo "!$HANDED" >$xmit/trigger
}

# Frames that the driver has taken.
handed()
{
	awk '/^{ rc: *0 }/ { n = $NF } END { print n + 0 }' $xmit/hist
}

# Numbers that were in a qdisc when it went are missing on the wire; nothing else is
# wrong there.
replaced_under_pauses()
{
	local round frames prio channels

	pfc_prepare offload || return
	# The queues of mqprio decide the channel of a flow, too, which must not change.
	channels=$(channel_count p0)
	defer channels_set p0 "$channels"
	check channels_set p0 1 || return
	root_prepare
	check handed_begin && check traffic_start p0 0xff --flows 2 || return
	check storm_begin p0
	for ((round = 2; round < 2 + 4 * ROUNDS; round += 4)); do
		handle=$round check root_set mqprio num_tc 8 "$ONE_TO_ONE" "$QUEUES" hw 1
		handle=$((round + 1)) check root_set ets bands 8 \
			quanta 1000 1000 1000 1000 1000 1000 1000 1000 priomap 7 6 5 4 3 2 1 0
		same "offloaded" "$(root '.[0].offloaded')" true
		handle=$((round + 2)) check root_set prio bands 8 priomap 7 6 5 4 3 2 1 0
		same "offloaded" "$(root '.[0].offloaded')" true
		handle=$((round + 3)) check root_set mqprio num_tc 2 \
			map 0 0 0 0 1 1 1 1 0 0 0 0 0 0 0 0 queues 4@0 4@4 hw 1
		((round % 8 > 4)) || check root_default
		wait_for 10 "pauses during the change" \
			counts "counted[p0_rx_pfc_frames] > $round * 8" || return
	done
	check root_default
	check storm_end p0
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	counters_end
	judge p0
	frames=${wire[p0_all_frames]}
	same "violations" "$(sed -n 's/^verdict .* violations //p' "$tmp/wire.p0")" \
		"${wire[p0_all_lost]}"
	expect "twice" "${wire[p0_all_twice]} == 0"
	expect "late" "${wire[p0_all_late]} == 0"
	expect "leaks" "${wire[p0_all_leaks]} == 0"
	expect "pauses" "${wire[p0_all_pauses]} > 100"
	expect "dropped" "$(dropped p0) == 0"
	for prio in {0..7}; do
		expect "frames of $prio" "${counted[p0_tx_prio${prio}_packets]} ==
			${wire[p0_${prio}_frames]}"
	done
	[[ ! -e $xmit/hist ]] || expect "sent of those handed over" "$frames == $(handed)"
}

xmit=/sys/kernel/tracing/events/net/net_dev_xmit
ROUNDS=$((12 / SLOWER)) BURST=20

run_tests \
	"mqprio is kept until it is deleted, and then DCB is back" mqprio_kept \
	"one mqprio replaces another" mqprio_replaced \
	"mqprio that does not fit is refused" mqprio_refused \
	"mqprio keeps its queues" mqprio_channels \
	"limits of mqprio hold" mqprio_limits \
	"shares of ets hold" ets_shares \
	"bands of prio go in order" prio_order \
	"ets that does not fit stays in software" "in_software ets" \
	"prio that does not fit stays in software" "in_software prio" \
	"ets counts on when its offload begins and ends" "counters ets" \
	"prio counts on when its offload begins and ends" "counters prio" \
	"one qdisc replaces the other" exchange \
	"qdiscs replaced under pauses lose no frame" replaced_under_pauses
