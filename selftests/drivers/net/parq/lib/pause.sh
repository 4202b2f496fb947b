# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# PFC frames of the peer, and park queues.
# shellcheck disable=SC2154 # variables of the other files

pause_pid='' storm_pid=

# What the peer of a port sends: pfc p0 once --quanta 100
pfc()
{
	local peer

	peer=$(peer_of "$1")
	at "$peer" parq_pfc --dev "$peer" "${@:2}"
}

# Sets $parking to the priorities with frames in their park queues, a mask. Fails if the port gives
# no answer.
look_parked()
{
	local counters prio

	counters=$(at "$1" ethtool -S "$1") || return
	parking=0
	for prio in {0..7}; do
		[[ ! $counters =~ " prio${prio}_parked: "[1-9] ]] || ((parking |= 1 << prio))
	done
}

# Each of the priorities, a mask, has frames in its park queue.
parked()
{
	local parking

	look_parked "$1" && (((parking & $2) == $2))
}

# One of them has.
some_parked()
{
	local parking

	look_parked "$1" && ((parking & $2))
}

# None of the priorities, a mask, has.
none_parked()
{
	local parking

	look_parked "$1" && (((parking & $2) == 0))
}

# parked_soon PORT PRIORITIES [CONDITION]: within 0.1 s, far less than a pause lasts.
parked_soon()
{
	local i

	for ((i = 0; i < 10; i++)); do
		"${3:-parked}" "$1" "$2" && return
		sleep 0.01
	done
	return 1
}

# try_to_park PORT PRIORITIES [CONDITION]: pauses them until CONDITION, by default all, is true.
# A pause parks the frames of its priorities that are in the pipeline at that moment. If there
# is none, a later pause may find one. Its moment is random: traffic classes take turns, and in
# simulated time a fixed delay would meet the same turn each time. There is no event to wait
# for.
try_to_park()
{
	pfc "$1" once --prios "$2"
	parked_soon "$@" && return
	pfc "$1" once --prios "$2" --quanta 0
	flowing "$1" "$2"
	sleep "0.00$RANDOM"
	return 1
}

# pause_repeat PORT WORD...: its peer sends this again and again, until pause_end, or
# pause_pid is killed.
pause_repeat()
{
	local peer

	peer=$(peer_of "$1")
	exec_at "$peer" parq_pfc --dev "$peer" "${@:2}" --count 100000 2>"$tmp/pause" &
	pause_pid=$!
	defer kill_quietly $!
}

# pause_begin PORT PRIORITIES: pauses them, with frames parked, until pause_end. One after the
# other: that a pause finds frames of all of them under way is chance. One PFC frame pauses
# for 65535 quanta at most: 335 ms at 100 Mb/s. On a busy host it can take many attempts.
pause_begin()
{
	local prio paused=0

	for prio in {0..7}; do
		(($2 >> prio & 1)) || continue
		wait_for 60 "priority $prio of $1 parks" try_to_park "$1" $((1 << prio)) || return
		((!paused)) || kill_quietly "$pause_pid"
		((paused |= 1 << prio))
		pause_repeat "$1" once --prios $paused --every 100000
	done
}

pause_end()
{
	kill_quietly "$pause_pid"
	pfc "$1" once --quanta 0
}

# storm_begin PORT [OPTION]...: random pauses of all its priorities, until storm_end.
storm_begin()
{
	local peer

	peer=$(peer_of "$1")
	exec_at "$peer" parq_pfc --dev "$peer" storm --speed "$MBIT" --pauses 0 \
		--on $((4000 * SLOWER)) --off $((8000 * SLOWER)) --seed "$SRANDOM" "${@:2}" \
		>"$tmp/storm" 2>&1 &
	storm_pid=$!
	defer kill_quietly $!
}

storm_end()
{
	kill_quietly "$storm_pid"
	pfc "$1" once --quanta 0
}

# pauses_afterwards NUMBER [OPTION OF SENDER]...: p0 parks and sends as before, by a new
# recording.
pauses_afterwards()
{
	check record_restart && check traffic_start p0 0xff "${@:2}" || return
	check pfc p0 storm --speed "$MBIT" --pauses "$1" --seed "$SRANDOM" || return
	check traffic_stop p0
	check judge p0
	expect "pauses afterwards" "${wire[p0_all_pauses]} >= $1 * 8 / 10"
}

# undisturbed PRIORITIES COMMAND...: it changes settings while p0 sends in them. Each frame arrives.
undisturbed()
{
	pfc_prepare offload || return
	check traffic_start p0 "$1" --flows 2 || return
	"${@:2}" || return
	check traffic_stop p0
	check counters_end
	check judge p0
	expect "sent" "${wire[p0_all_frames]} > 1000"
	expect "dropped" "${counted[p0_tx_drop_desc]} + ${counted[p0_tx_drop_purge]} == 0"
}

# parked_across EXECUTOR COMMAND...: the command succeeds while frames of all priorities are
# parked. Frames may be lost in it. Traffic goes on by itself, the settings stay, no frame is
# sent twice or out of order, and pauses work afterwards.
parked_across()
{
	local before

	pfc_prepare "$1" || return
	before=$(dcb_settings) || return
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	check "${@:2}" || return
	kill_quietly "$pause_pid"
	link_up || return
	wait_for 10 "all priorities send again" flowing p0 || return
	same "DCB settings" "$(dcb_settings)" "$before"
	check traffic_stop p0
	judge p0
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "late" "${wire[p0_all_late]} == 0"

	pauses_afterwards 100 --flows 2
}

# remove_parked MILLISECONDS EXECUTOR REMOVE RESTORE: all priorities of p0 are parked while the
# command REMOVE takes it away, in this time at most. After RESTORE it works.
remove_parked()
{
	local start ms

	check executor_set "$2" && check pfc_set p0 all:on && check ets_equal p0 || return
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	start=$(timestamp_ms)
	check "$3" || return
	ms=$(($(timestamp_ms) - start))
	expect "time that it takes, ms" "$ms < $1 * SLOWER"
	check_refused test -e /sys/class/net/p0
	check traffic_stop p0
	kill_quietly "$pause_pid"
	check "$4" && check topology_up || return
	check ping -q -c 3 -i 0.2 192.0.2.2
}
