#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Launch times: SO_TXTIME through a qdisc etf that is offloaded.
#
# Frames start within 10 ns of their launch times, as their time stamps tell, in simulated time. A
# pause of their priority delays them and never reorders them, and traffic of other priorities goes
# on all the time. The same holds for sockets of AF_XDP, which need no qdisc.
#
#	left (launches in priority 3) ==== cable ====  right (in the namespace far)
#
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/nics.sh
. "$(dirname "$0")/lib/nics.sh"

TO=198.18.7.2

declare -A launched

# etf_add [NS]: offloaded, to queue 3, that of priority 3; the driver gets frames so early.
etf_add()
{
	tc qdisc replace dev left parent 1:4 etf clockid CLOCK_TAI delta "${1:-500000}" offload
}

# unlimited [NS]: once a frame has completed, the driver takes any number of bytes. The qdisc drops
# what it cannot pass on in time.
unlimited()
{
	echo 10000000 >/sys/class/net/left/queues/tx-3/byte_queue_limits/limit_min
	check etf_add "$@" && launch 1 0
}

timed_up()
{
	pair_up && check ip addr add 198.18.7.1/24 dev left &&
		check ip neigh add $TO lladdr 02:00:00:00:99:01 dev left &&
		check hwstamp_ctl -i left -t 1 -r 0 >/dev/null &&
		check tc qdisc replace dev left root handle 1: mq
}

# Fills launched[] from what parq_launch.py prints.
launched_read()
{
	local name value

	while read -r name value; do
		launched[$name]=$value
	done
}

# launch COUNT GAP [AHEAD]
launch()
{
	launched=()
	launched_read < <(parq_launch.py $TO 3 "$@")
}

missed()
{
	counter left tx_launch_missed
}

# All frames left, in order, none of them early.
none_lost()
{
	expect "stamped" "${launched[stamped]} == $1"
	expect "early" "${launched[early]} == 0"
	expect "reordered" "${launched[reordered]} == 0"
}

# ---- settings ------------------------------------------------------------------------

offloaded()
{
	tc -j qdisc show dev left | jq -r '.[] | select(.kind == "etf") | .options.offload'
}

settings()
{
	timed_up && check etf_add || return
	same "offload" "$(offloaded)" on
	check_refused tc qdisc replace dev left parent 1:5 etf clockid CLOCK_REALTIME offload
	check tc qdisc replace dev left parent 1:4 pfifo
	check tc qdisc replace dev left parent 1:4 etf clockid CLOCK_TAI delta 500000
	same "software" "$(offloaded)" off
	check tc qdisc del dev left root
}

# ---- times ---------------------------------------------------------------------------

# Close together, and far apart.
exact()
{
	timed_up && check etf_add || return
	launch 100 200000
	none_lost 100
	expect "late" "${launched[late]} == 0"
	launch 20 50000000
	none_lost 20
	expect "late" "${launched[late]} == 0"
	expect "missed" "$(missed) == 0"
}

# Closer than the wire allows: one behind the other.
crowded()
{
	timed_up && unlimited 10000000 || return
	launch 100 10000
	none_lost 100
	expect "late" "${launched[late]} == 99"
	expect "missed" "$(missed) > 0"
}

# Interface down and up, and other rings: the offload stays.
kept()
{
	timed_up && check etf_add || return
	check ip link set left down && check ip link set left up && link_is 1 left &&
		check ip neigh replace $TO lladdr 02:00:00:00:99:01 dev left &&
		check ethtool -G left tx 256 || return
	launch 100 200000
	none_lost 100
	expect "late" "${launched[late]} == 0"
}

# The NIC has another time: it does not wait, and tells so.
other_clock()
{
	check phc_ctl -q "$(clock_of left)" -- adj "$1" >/dev/null || return
	launch 20 200000
	expect "stamped" "${launched[stamped]} == 20"
	expect "reordered" "${launched[reordered]} == 0"
}

clocks_differ()
{
	timed_up && check etf_add || return
	other_clock -37 && expect "missed, too far ahead" "$(missed) == 20" || return
	other_clock 74 && expect "missed, past" "$(missed) == 40"
}

# ---- pauses and other priorities -----------------------------------------------------

packets()
{
	counter left "tx_prio$1_packets"
}

# Of the priority that launches.
left_more_than()
{
	(($(packets 3) > $1))
}

# Ten frames or so have their time in a pause of 10 ms.
paused()
{
	local quanta=$((10000 * MBIT / 512))

	timed_up && unlimited && check dcb pfc set dev left prio-pfc 3:on || return
	{
		wait_for 5 "a fifth has left" left_more_than 20
		far parq_pfc --dev right once --prios 8 --quanta $quanta
	} &
	launch 100 1000000
	none_lost 100
	expect "late" "${launched[late]} >= 8 && ${launched[late]} <= 12"
	expect "latest" "${launched[latest]} > 8000000 && ${launched[latest]} < 11000000"
	expect "the last one" "${launched[last]} <= 10"
}

# Pauses without end: the order holds.
paused_often()
{
	timed_up && unlimited && check dcb pfc set dev left prio-pfc 3:on || return
	nsenter --net=/run/netns/far parq_pfc --dev right storm --speed "$MBIT" --pauses 0 \
		--on 4000 --off 6000 --prios 8 >/dev/null &
	defer kill_quietly $!
	launch 1000 400000
	none_lost 1000
	expect "late" "${launched[late]} > 100"
}

# reaches COUNTER VALUE
reaches()
{
	(($(counter left "$1") == $2))
}

flows()
{
	(($(packets 5) > 10))
}

# LLDP has no launch times. etf has the priority that it would take.
link_protocols()
{
	timed_up && check tc qdisc replace dev left parent 1:8 etf clockid CLOCK_TAI offload || return
	check python3 -c 'import socket
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("left", 0x88cc))
s.send(bytes.fromhex("0180c200000e 02000000aa01 88cc") + bytes(46))' || return
	wait_for 5 "LLDP leaves in priority 6" reaches tx_prio6_packets 1
	expect "frames of priority 7" "$(packets 7) == 0"
}

# Priority 5 fills the link while frames wait. These are late by the frames before them.
others_go_on()
{
	local before

	timed_up && check etf_add || return
	parq_traffic send --dev left --to $TO --prios 0x20 >/dev/null &
	defer kill_quietly $!
	wait_for 10 "traffic of priority 5" flows || return
	before=$(packets 5)
	launch 20 50000000
	none_lost 20
	expect "latest" "${launched[latest]} < 3 * 1538 * 8000 / $MBIT"
	# One second, less a tenth, of the longest frames.
	expect "packets of priority 5" "$(packets 5) - $before > 9 * $MBIT * 10000 / 1538 / 80"
}

# ---- sockets of AF_XDP ---------------------------------------------------------------

# Fills socket[]: a command that sends with launch times, in priority 3.
sockets_prepared()
{
	timed_up && socket=(parq_xsk left 0 --send --zerocopy --prios 8 --to 02:00:00:00:99:01
		--from "$(<"/sys/class/net/left/address")")
}

# No qdisc sees their frames. The stamp comes back with the chunk.
socket_sends()
{
	check "${socket[@]}" --frames 200 --launch 200000 >"$tmp/xsk" || return
	same "socket" "$(tr '\n' ' ' <"$tmp/xsk")" "ready sent 200 back 200 early 0 late 0 "
	expect "missed" "$(missed) == 0"
}

xsk()
{
	sockets_prepared && socket_sends || return
	expect "stamps" "$(ethtool -I -T left | awk '$1 == "tx_pkts:" { print $2 }') == 200"
}

# A socket is closed while three frames wait, the first of them for 900 ms. They do not keep it.
xsk_closed()
{
	local pid begin

	sockets_prepared || return
	"${socket[@]}" --frames 4 --launch 900000000 >"$tmp/xsk" &
	pid=$!
	defer kill_quietly $pid
	wait_for 5 "a frame has left" reaches tx_prio3_packets 1 || return
	begin=${EPOCHREALTIME/./}
	kill_quietly $pid
	wait_for 5 "the others are dropped" reaches tx_flushed 3 || return
	expect "until then, us" "$((${EPOCHREALTIME/./} - begin)) < 500000"
	socket_sends
}

# ---- changes -------------------------------------------------------------------------

# etf comes and goes at queue 7.
attach_all()
{
	local round

	for ((round = 0; round < OFTEN / 2; round++)); do
		check tc qdisc replace dev p0 parent 1:8 etf clockid CLOCK_TAI delta 500000 offload &&
			check tc qdisc del dev p0 parent 1:8 || return
	done
}

attached()
{
	# A queue whose qdisc is deleted has none, and drops all.
	defer tc qdisc del dev p0 root
	check tc qdisc replace dev p0 root handle 1: mq && undisturbed 0x7f attach_all
}

# Rings are replaced while frames wait in them.
resized()
{
	local round left

	timed_up && check etf_add || return
	parq_launch.py $TO 3 400 500000 >"$tmp/launched" &
	wait_for 5 "the first has left" left_more_than 0 || return
	for ((round = 0; round < 40; round++)); do
		check ethtool -G left tx $((round & 1 ? 512 : 256)) || return
	done
	left=$(packets 3)
	wait $!
	expect "frames that had left by then" "$left > 10 && $left < 400"
	launched_read <"$tmp/launched"
	none_lost 400
}

nics_begin
topology_up || ktap_exit_fail_msg "the topology does not come up"
run_tests "offload is on, off, and refused with another clock" settings \
	"frames start at their launch times" exact \
	"launch times closer than the wire allows" crowded \
	"down and up, and other rings" kept \
	"a NIC with another time does not wait" clocks_differ \
	"a pause delays what has its time in it" paused \
	"pauses never reorder" paused_often \
	"other priorities do not wait" others_go_on \
	"LLDP does not need a launch time" link_protocols \
	"sockets of AF_XDP have launch times and time stamps" xsk \
	"a socket is closed while its frames wait" xsk_closed \
	"changes of a queue lose no frame of the others" attached \
	"rings are replaced while frames wait" resized
