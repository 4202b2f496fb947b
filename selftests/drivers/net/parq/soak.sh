#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One schedule of many: traffic, pauses, settings and faults as SOAK_SEED says.
#
# Each round draws priorities with PFC, an executor, transmission selection, rings,
# channels and flows. p1 pauses p0 at random, and sends itself, while settings change.
# No frame of p0 is lost, sent twice or out of order, and none of a paused priority
# leaves. Interrupts may be lost, late or doubled. In the last round requests of all
# kinds run at once, the NIC may lie and stop, and the link may flap: then frames may be lost,
# but the kernel must not complain, and everything works afterwards.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== data =====  p1
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/requests.sh
. "$(dirname "$0")/lib/requests.sh"

: "${SOAK_SEED:=$SRANDOM}"
: "${SOAK_ROUNDS:=3}"
# Of a flow, a second at most.
FLOW_FRAMES=5000

# Random, below a limit. In this shell: a subshell has a seed of its own.
draw()
{
	drawn=$((RANDOM % $1))
}

# choose WORD...: one of them.
choose()
{
	draw $#
	shift "$drawn"
	chosen=$1
}

# A pause until the next step. Computing takes no simulated time.
pace()
{
	draw 20
	sleep "$(printf '0.%03d' $((drawn + 1)))"
}

# pfc_masked PORT MASK: PFC for these priorities only.
pfc_masked()
{
	local prio words=()

	for prio in {0..7}; do
		if (($2 >> prio & 1)); then
			words+=("$prio:on")
		else
			words+=("$prio:off")
		fi
	done
	pfc_set "$1" "${words[@]}"
}

# What may change while the pauses of the priorities in $lossless are judged.
change()
{
	choose ets pfc buffer delay rings offloads coalescing table look cable
	case $chosen in
	ets) request_ets ;;
	pfc)
		draw 256
		pfc_masked p0 $((lossless | drawn & ~lossless))
		pfc_masked p0 "$lossless"
		;;
	buffer)
		draw 8
		dcb buffer set dev p0 prio-buffer "$drawn:1" buffer-size all:0 0:64K 1:64K
		dcb buffer set dev p0 buffer-size all:0
		;;
	delay) draw 65536 && dcb pfc set dev p0 delay "$drawn" ;;
	rings) choose 64 128 256 512 1024 && ethtool -G p0 tx "$chosen" ;;
	offloads)
		choose tx-checksumming tso sg rxvlan gro && ethtool -K p0 "$chosen" off
		ethtool -K p0 "$chosen" on
		;;
	coalescing) draw 200 && ethtool -C p0 rx-usecs "$drawn" tx-usecs "$drawn" ;;
	table) ethtool -X p0 equal 1 && ethtool -X p0 default ;;
	look) ethtool -S p0 && ethtool -d p0 && dcb pfc show dev p0 ;;
	cable) draw 2000 && cable_set "$drawn" ;;
	esac
}

changes()
{
	local n=$1

	while ((n--)); do
		change
		pace
	done >/dev/null 2>&1
}

# shape: draws what p0 is like, and begins traffic both ways.
shape()
{
	local executor size rate most

	choose offload managed && executor=$chosen
	pfc_prepare "$executor" || return
	draw 255 && lossless=$((drawn + 1))
	check pfc_masked p0 "$lossless" || return
	choose 1 1 2 3 4
	defer channels_set p0 "$(channel_count p0)"
	channels_set p0 "$chosen" || return
	choose 64 256 512 1024
	defer rings_set p0 512
	rings_set p0 "$chosen" || return
	choose 12 64 200 1400 1400 && size=$chosen
	# Of each flow: a little, what fills the link together, or more than that.
	choose 500 $((MBIT * 125)) $((MBIT * 250)) && rate=$chosen
	# Frames that vanish, as those without a neighbour do, hold no sender back.
	((most = size * 8 * FLOW_FRAMES / 1000, rate = rate < most ? rate : most))
	choose 1 1 2 3
	ktap_print_msg "lossless $(printf '%#x' "$lossless"), $executor, $size bytes," \
		"$rate kbit/s, $chosen flows, $(channel_count p0) channels, rings $(ring_entries p0)"
	check record_restart && check counters_begin &&
		check traffic_start p0 0xff --flows "$chosen" --size "$size" --rate "$rate" || return
	choose 0x01 0x0f 0xff
	check traffic_start p1 "$chosen" --rate $((MBIT * 50))
}

paused()
{
	local kinds=0

	shape || return
	draw 3
	if ((drawn == 0)); then
		draw 7
		kinds=$(((drawn + 1) * FAULT_LOST))
		ktap_print_msg "faults $kinds"
		check fault_begin $kinds || return
	fi
	choose 300 4000 20000
	storm_begin p0 --prios "$lossless" --on "$chosen" --off $((chosen * 2))
	draw 40
	changes $((drawn + 10))
	storm_end p0
	((!kinds)) || check fault_end
	wait_for 20 "all priorities send again" flowing p0 || return
	check traffic_stop p1
	check traffic_stop p0
	check counters_end
	check judge p0 --pfc "$lossless"
	expect "dropped" "$(dropped p0) == 0"
	expect "lost, twice, late" "${wire[p0_all_lost]} + ${wire[p0_all_twice]} + ${wire[p0_all_late]} == 0"
}

# Of all kinds, in turn.
requests()
{
	local n=$1

	while ((n--)); do
		choose dcb ethtool devlink tc
		# shellcheck disable=SC2046
		"request_$chosen"
		draw 20
		case $drawn in
		0) far ip link set p1 down && pace && far ip link set p1 up ;;
		1) ip link set p0 down && pace && ip link set p0 up ;;
		2) ethtool --reset p0 dma filter offload mac ;;
		3) pause_set p1 on on on && pace && pause_set p1 on off off ;;
		esac
		pace
	done >/dev/null 2>&1
}

reaches()
{
	ping -q -c 1 -W 1 192.0.2.2 >"$tmp/ping"
}

clock_shown()
{
	local up

	read -r up _ </proc/uptime
	ktap_print_msg "simulated seconds: $up"
}

disturbed()
{
	local pid port

	defer clock_shown

	expected_complaint='parq.*(reset|no completion|no event)|NETDEV WATCHDOG'
	shape || return
	for port in p0 p1; do
		defer at $port ethtool -G $port rx 512 tx 512
	done
	defer ethtool -X p0 default
	defer channels_set p1 "$(channel_count p1)"
	defer far ethtool -X p1 default
	storm_begin p0
	draw 512
	ktap_print_msg "faults $((drawn / 2))"
	# In half of the schedules the NIC does what it should.
	((drawn % 2)) || check fault_begin $((drawn / 2)) || return
	requests 60
	check fault_end
	for pid in "$storm_pid" "${traffic_pid[@]}"; do
		kill_quietly "$pid"
	done
	# What was refused meanwhile is the user's to repeat. A NIC may yet be reset.
	wait_for 60 "the settings can be made again" topology_up || return
	pfc p0 once --quanta 0
	wait_for 60 "the other side answers again" reaches || return
	for port in p0 p1; do
		check traffic_start "$port" 0xff || return
		wait_for 20 "all priorities of $port send" flowing "$port" || return
		check traffic_stop "$port"
	done
}

# The NIC may lie about its counters.
sums_known=0
ktap_print_msg "SOAK_SEED=$SOAK_SEED"
RANDOM=$SOAK_SEED
# shellcheck disable=SC2034 # lib.sh asks
faulty=1
tests=()
for ((round = 1; round <= SOAK_ROUNDS; round++)); do
	tests+=("pauses and settings, round $round" paused)
done
run_tests "${tests[@]}" "requests of all kinds, and faults" disturbed
