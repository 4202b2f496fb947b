# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# An lldpad for each port. For lldpad.sh and lldpad_cee.sh, to be sourced after lib.sh,
# which makes tmp.
# shellcheck disable=SC2154

declare -a agent_pid

lldp()
{
	at "$1" lldptool "${@:2}"
}

# What such a program prints is of interest only when it fails.
quietly()
{
	"$@" >"$tmp/quietly" && return
	sed 's/^/# /' "$tmp/quietly"
	return 1
}

# All instances that see the same /dev/shm keep their state in one place there.
agent_start()
{
	local port=$1

	exec_at "$port" unshare --mount sh -c \
		"mount -t tmpfs tmpfs /dev/shm && exec lldpad -t -p -f $tmp/$port.conf" \
		>"$tmp/lldpad.$port" 2>&1 &
	agent_pid[${port#p}]=$!
	defer kill_quietly $!
	wait_for 20 "lldpad of $port" agent_answers "$port"
}

agent_answers()
{
	lldp "$1" ping >/dev/null 2>&1
}

# With the signal TERM or KILL.
agent_end()
{
	local pid=${agent_pid[${2#p}]}

	kill "-$1" "$pid" && wait "$pid" 2>/dev/null
	true
}

# Priorities with PFC, as "[3,4]".
pfc_of()
{
	at "$1" dcb -j pfc show dev "$1" prio-pfc |
		jq -c '[.prio_pfc | to_entries[] | select(.value).key]'
}

ets_of()
{
	at "$1" dcb -j ets show dev "$1" | jq -c '[.prio_tc, .tc_bw, .tc_tsa]'
}

pfc_is()
{
	[[ $(pfc_of "$1") == "$2" ]]
}

ets_is()
{
	[[ $(ets_of "$1") == "$2" ]]
}

# learns PORT PRIORITIES: PFC of the port, in time. An lldpad tells the wire first, and its
# own driver a little later.
learns()
{
	wait_for 30 "PFC of $1 is $2" pfc_is "$@" || ktap_print_msg "but $(pfc_of "$1")"
}

carrier_changes()
{
	cat "${sysfs[$1]}/carrier_changes"
}

# learned COMMAND PRIORITIES: both ports have PFC for those that p0 is told by "COMMAND 3,4",
# or by "COMMAND none".
learned()
{
	check "$1" "$2"
	check learns p0 "[${2/none/}]"
	check learns p1 "[${2/none/}]"
}

# What p0 sends in 3 and 4, from here to sent_all.
send_begin()
{
	check record_restart && check counters_begin && check traffic_start p0 0x18 --flows 2
}

# sent_all [OPTION OF JUDGE]...
sent_all()
{
	local prio

	wait_for 10 "priorities 3 and 4 send" flowing p0 0x18 || return
	check traffic_stop p0
	counters_end
	check judge p0 "$@"
	for prio in 3 4; do
		expect "frames of $prio" "${counted[p0_tx_prio${prio}_packets]} ==
			${wire[p0_${prio}_frames]}"
	done
	expect "parked" "${counted[p0_prio3_parked_total]} > 0"
	expect "dropped" "$(dropped p0) == 0"
}

# Priority 3 is paused, with frames parked, and loses PFC: it sends, whatever its peer
# says, until it has PFC again.
lost_under_pauses()
{
	send_begin && check pause_begin p0 0x08 || return
	learned "$1" none
	wait_for 10 "priority 3 sends without PFC" flowing p0 0x18
	check none_parked p0 0x08
	learned "$1" 3,4
	wait_for 10 "priority 3 is paused again" none_sending p0 0x08
	wait_for 10 "priority 4 sends" flowing p0 0x10
	check pause_end p0
	# Which of the pauses counted the recording does not say.
	sent_all --pfc 0
}

# Priority 3 has PFC, and is paused at random; 4, which sends and is never paused, gets it
# and loses it. Then none has it, and both again. LLDP itself gets through.
# changed_under_pauses COMMAND; 3 and 4 have been enabled.
changed_under_pauses()
{
	local enabled changes

	check learns p0 "[3,4]"
	check learns p1 "[3,4]"
	changes=$(carrier_changes p0)
	send_begin && check storm_begin p0 --prios 0x08 || return
	for enabled in 3 3,4 3,4,7 3,4; do
		learned "$1" $enabled
	done
	check storm_end p0
	sent_all || return
	expect "pauses" "${wire[p0_3_pauses]} > 0"
	lost_under_pauses "$1"
	same "carrier changes" "$(carrier_changes p0)" "$changes"
}
