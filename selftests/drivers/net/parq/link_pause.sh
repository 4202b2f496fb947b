#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Link pause, IEEE 802.3x: what is set, what is negotiated, and what it does.
#
# ethtool -A sets RX, TX or both, and both ends negotiate as annex 28B of the standard says. PFC
# and link pause exclude each other. The recording shows that a peer that pauses p0 stops all
# of it at the next frame. The watchdog of the stack does not fire. Pause Low stops low
# priorities only; the last frame of either kind counts. After a PFC frame neither is obeyed
# until the link is lost and up again.
#
#	p0 ==== data =======>  (nobody)
#	p0 <=== 802.3x, PFC ==  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

LOW=514
SLOW=10

# Of ethtool -a: "off on off", and what has been negotiated.
pause_of()
{
	at "$1" ethtool -a "$1" | awk '/^(Autonegotiate|RX|TX):/ { print $2 }' | xargs
}

negotiated()
{
	at "$1" ethtool -a "$1" |
		awk '/^RX negotiated:/ { rx = $3 } /^TX negotiated:/ { tx = $3 }
			END { print "rx", rx, "tx", tx }'
}

# Lines of "ethtool PORT" behind a title.
link_setting()
{
	at "$1" ethtool "$1" | sed -n "s/^\s*$2: *//p" | sed 's/ *$//'
}

forced()
{
	local rx tx

	defer pause_set p0 on off off
	for rx in on off; do
		for tx in on off; do
			check pause_set p0 off $rx $tx || return
			same "settings" "$(pause_of p0)" "off $rx $tx"
			same "in force" "$(pause_state p0 "in force")" "rx $rx tx $tx"
		done
	done
}

# Both ends negotiate everything, until the test is over.
negotiate()
{
	local port

	defer set_neighbours
	defer set_speed "$MBIT"
	for port in p0 p1; do
		defer pause_set $port on off off
		check at $port ethtool -s $port autoneg on || return
	done
	link_up
}

comes_to()
{
	[[ $(pause_state "$1" "in force") == "$2" ]]
}

# What both want, "rx tx", and what is in force then.
agree()
{
	local want0=$1 want1=$2 force0=$3 force1=$4

	# shellcheck disable=SC2086 # two words each
	check pause_set p0 on $want0 && check pause_set p1 on $want1 || return
	wait_for 10 "p0 ($want0) with p1 ($want1)" comes_to p0 "$force0" &&
		wait_for 10 "p1 ($want1) with p0 ($want0)" comes_to p1 "$force1" || return
	same "what ethtool says of p0" "$(negotiated p0)" "$force0"
	same "what ethtool says of p1" "$(negotiated p1)" "$force1"
}

# All of the table is tested by KUnit.
partners()
{
	local none="rx off tx off" both="rx on tx on"

	negotiate || return
	agree "on on" "on on" "$both" "$both" || return
	same "advertised" "$(link_setting p0 "Advertised pause frame use")" "Symmetric"
	same "supported" "$(link_setting p0 "Supported pause frame use")" \
		"Symmetric Receive-only"
	agree "off on" "on on" "$none" "$none" || return
	same "partner's" "$(link_setting p1 "Link partner advertised pause frame use")" \
		"Transmit-only"
	agree "off on" "on off" "rx off tx on" "rx on tx off" || return
	same "partner's" "$(link_setting p0 "Link partner advertised pause frame use")" \
		"Symmetric Receive-only"
	agree "on off" "off on" "rx on tx off" "rx off tx on" || return
	agree "on off" "off off" "$none" "$none" || return
	# A partner that does not negotiate agrees to nothing.
	check pause_set p1 off on on || return
	check far ethtool -s p1 autoneg off speed "$MBIT" duplex full || return
	link_up && wait_for 10 "no agreement" comes_to p0 "$none"
	same "in force without negotiation" "$(pause_state p1 "in force")" "$both"
}

# The command fails for this reason.
busy()
{
	if "$@" 2>"$tmp/reason"; then
		ktap_print_msg "not refused: $*"
		RET=1
	else
		check grep -qi "busy" "$tmp/reason"
	fi
}

advertised()
{
	negotiate || return
	check ethtool -s p0 advertise Pause on Asym_Pause on || return
	same "settings" "$(pause_of p0)" "on on off"
	check ethtool -s p0 advertise Pause off Asym_Pause on || return
	same "settings" "$(pause_of p0)" "on off on"
	check ethtool -s p0 advertise Asym_Pause off || return
	same "settings" "$(pause_of p0)" "on off off"
	defer pfc_set p0 all:off
	check pfc_set p0 3:on || return
	busy ethtool -s p0 advertise Pause on
	same "settings beside PFC" "$(pause_of p0)" "on off off"
	link_up
}

refused()
{
	defer pfc_set p0 all:off
	defer pause_set p0 on off off
	check pfc_set p0 3:on || return
	logs "p0: link pause refused: rx on, tx off exclude PFC, which is on for priorities 0x8" \
		busy pause_set p0 off on off
	logs "p0: link pause refused: rx off, tx on exclude PFC, which is on for priorities 0x8" \
		busy pause_set p0 on off on
	same "settings" "$(pause_of p0)" "on off off"
	check pause_set p0 off off off && check pause_set p0 on off off

	check pfc_set p0 3:off || return
	check pause_set p0 on off on || return
	logs "p0: PFC refused: priorities 0x8: link pause is set (rx off, tx on), which excludes PFC" \
		busy pfc_set p0 3:on
	same "PFC" "$(dcb -j pfc show dev p0 prio-pfc | jq -c '.prio_pfc | any')" false
	check pause_set p0 on on off || return
	check_refused pfc_set p0 all:on
	check pfc_set p0 all:off
	check pause_set p0 on off off && check pfc_set p0 3:on
}

# For one test: p0 obeys, all its priorities send in equal shares. The longest pause
# is that of the slowest link: even a machine that is busy sends the next in time.
obey_prepare()
{
	defer set_speed "$MBIT"
	check set_speed $SLOW || return
	defer pause_set p0 on off off
	check pause_set p0 off on off || return
	check ets_equal p0 || return
	defer ets_default p0
	check record_restart && check counters_begin && check traffic_start p0 0xff --flows 2
}

pause_stats()
{
	at "$1" ethtool -I -a "$1" | awk -v name="$2:" '$1 == name { print $2 }'
}

# Longer than the watchdog waits.
stops()
{
	local before paused

	obey_prepare || return
	before=$(tx_timeouts)
	paused=$(pause_stats p0 rx_pause_frames)
	check pfc p0 link --count 60 --every 200000 || return
	same "paused" "$(pause_state p0 paused)" 1
	check pfc p0 link --quanta 0 || return
	wait_for 10 "all priorities send again" flowing p0 || return
	same "timeouts" "$(tx_timeouts)" "$before"
	check traffic_stop p0
	check counters_end
	check judge p0 --speed $SLOW --pause --pfc 0
	expect "time that all was paused" "${wire[p0_0_paused_us]} > 11000000"
	expect "pauses" "${wire[p0_all_pauses]} >= 8"
	expect "frames" "${counted[p0_rx_pause_frames]} == 61"
	expect "frames of the peer" "${counted[p1_tx_pause_frames]} == 61"
	expect "statistics" "$(pause_stats p0 rx_pause_frames) - $paused == 61"
	expect "dropped" "$(dropped p0) == 0"
}

# Who only sends pauses does not obey them.
not_asked_for()
{
	obey_prepare || return
	check pause_set p0 off off on || return
	check pfc p0 link --count 5 || return
	check flowing p0
	check traffic_stop p0
	check counters_end
	check judge p0 --speed $SLOW --pfc 0
	expect "frames" "${counted[p0_rx_pause_frames]} == 5"
}

# Again and again, from now on, in place of what was sent before.
keep_sending()
{
	kill_quietly "$pause_pid"
	pause_repeat p0 link --every 100000 "$@"
}

param_set()
{
	devlink dev param set "$nic_bus/$pci" name "$1" value "$2" cmode runtime
}

param()
{
	devlink -j dev param show "$nic_bus/$pci" name "$1" | jq '[.. | .value? | numbers][0]'
}

# prios STOPPED: these do not send, the others do.
sends_all_but()
{
	wait_for 20 "priorities $1 stop" none_sending p0 "$1" &&
		wait_for 20 "others go on" flowing p0 $((0xff & ~$1))
}

low()
{
	local prios

	refused_with "opcode 1 (0x0001) is reserved for 802.3x pause" param_set pause_low_opcode 1
	refused_with "opcode 257 (0x0101) is reserved for PFC" param_set pause_low_opcode 257
	same "opcode" "$(param pause_low_opcode)" 0
	prios=$(param pause_low_prios)
	defer param_set pause_low_prios "$prios"
	defer param_set pause_low_opcode 0
	check param_set pause_low_opcode $LOW && check param_set pause_low_prios 12 || return
	obey_prepare || return
	keep_sending --opcode $LOW
	sends_all_but 0x0c || return
	same "paused low" "$(pause_state p0 "paused low")" 1
	# The set of low priorities may change during a pause.
	check param_set pause_low_prios 128 && sends_all_but 0x80 || return
	# The last frame counts, of whichever kind.
	keep_sending
	sends_all_but 0xff || return
	same "paused" "$(pause_state p0 paused)" 1
	keep_sending --opcode $LOW
	sends_all_but 0x80 || return
	kill_quietly "$pause_pid"
	check pfc p0 link --opcode $LOW --quanta 0
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check judge p0 --speed $SLOW --pfc 0
}

pfc_comes_first()
{
	obey_prepare || return
	check pfc p0 once --prios 0x01 --quanta 0
	wait_for 5 "PFC is seen" seen_is 1 || return
	check pfc p0 link --count 5 --every 10000
	check flowing p0
	same "paused" "$(pause_state p0 paused)" 0
	check link_flap || return
	same "PFC seen" "$(pause_state p0 "pfc seen")" 0
	wait_for 10 "all priorities send again" flowing p0 || return
	keep_sending
	sends_all_but 0xff || return
	kill_quietly "$pause_pid"
	check pfc p0 link --quanta 0
	check traffic_stop p0
	# What the stack has dropped without a carrier was lost.
	judge p0 --speed $SLOW --pfc 0
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "late" "${wire[p0_all_late]} == 0"
}

seen_is()
{
	[[ $(pause_state p0 "pfc seen") == "$1" ]]
}

# MAC control frames that p0's host has got of five.
control_frames()
{
	check counters_begin || return
	check pfc p0 link --quanta 0 --count 5 || return
	wait_for 5 "five frames" counts "counted[p0_rx_pause_frames] == 5"
	echo "${counted[p0_rx_prio0_packets]}"
}

to_the_host()
{
	same "frames for the host" "$(control_frames)" 0
	defer ip link set p0 promisc off
	check ip link set p0 promisc on
	same "frames for the host that wants all addresses" "$(control_frames)" 0
	check ip link set p0 promisc off
	defer ethtool --set-priv-flags p0 rx-mac-control off
	check ethtool --set-priv-flags p0 rx-mac-control on || return
	same "frames for the host that asks" "$(control_frames)" 5
	check ip link set p0 down && check ip link set p0 up && link_up && set_neighbours
	same "frames for the host, up again" "$(control_frames)" 5
}

# Control frames that the host asks for are in two counters.
sums_known=0
run_tests \
	"RX, TX and symmetric link pause can be forced" forced \
	"RX, TX and symmetric link pause are negotiated" partners \
	"ethtool -s advertises link pause" advertised \
	"link pause and PFC refuse each other" refused \
	"link pause of the peer stops all priorities of p0" stops \
	"p0 ignores pauses that it must not obey" not_asked_for \
	"Pause Low pauses the low priorities" low \
	"after a PFC frame, link pause is ignored until the link is lost" pfc_comes_first \
	"MAC control frames reach a host that asks for them" to_the_host
