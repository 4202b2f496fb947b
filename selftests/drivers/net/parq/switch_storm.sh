#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The watchdog of a switch.
#
# A host that pauses a priority without end stops those who send to it, and then all who share a
# buffer with them. After pfc-prevention-tout its port of the switch takes no more frames of that
# priority, until the host has not paused it for pfc_storm_restore. Nobody else loses a frame, and
# each frame that does not arrive is counted.
#
#	h1 ----- sw0 +--------+ sw2 ----- h3 (pauses)
#	             | switch |
#	h2 ----- sw1 +--------+ sw3 (no cable)
#
# Hosts are namespaces with a NIC each: 10.0.0.N without tag, 10.0.1.N in VLAN 10.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/switch.sh
. "$(dirname "$0")/lib/switch.sh"

tracing=/sys/kernel/tracing
TOUT=1000
RESTORE=300

# ---- settings ------------------------------------------------------------------------

handle()
{
	echo "$nic_bus/$(<"$configfs/sw/dev_name")"
}

restore()
{
	devlink -j dev param show "$(handle)" name pfc_storm_restore |
		jq '[.. | .value? | values][0]'
}

restore_set()
{
	devlink dev param set "$(handle)" name pfc_storm_restore value "$1" cmode runtime
}

# Of sw2.
health()
{
	devlink -j health diagnose "$(handle)/2" reporter pfc |
		jq -r "[.. | (.$1)? | values][0]"
}

settings()
{
	same "restore at the start" "$(restore)" 0
	defer restore_set 0
	check restore_set 32767 && same "restore" "$(restore)" 32767
	check_refused restore_set 32768
	check_refused restore_set 65535
	same "restore after refusals" "$(restore)" 32767
	check restore_set 250 && check ip link set sw2 down && check ip link set sw2 up || return
	same "restore after down and up" "$(health restore_ms)" 250
	check switch_reset || return
	same "restore after a reset" "$(health restore_ms)" 250
}

# ---- a host that pauses --------------------------------------------------------------

# watch_sw2 drop|forward
watch_sw2()
{
	defer restore_set 0
	defer ethtool --set-tunable sw2 pfc-prevention-tout 0
	defer ethtool --set-priv-flags sw2 pfc-storm-forward off
	check restore_set $RESTORE && check ethtool --set-tunable sw2 pfc-prevention-tout $TOUT &&
		check ethtool --set-priv-flags sw2 pfc-storm-forward \
			"$([[ $1 == forward ]] && echo on || echo off)"
}

hold_begin()
{
	exec_in_host h3 parq_pfc --dev h3 hold --prios 0x08 --speed "$MBIT" &
	holder=$!
	defer kill_quietly "$holder"
}

# h3 says XON.
hold_end()
{
	check kill -TERM "$holder" && check wait "$holder"
}

# Times of the storm of sw2 by the clock of the switch, ns: "begins" and "ends".
storm_time()
{
	awk -v what="$1" '/parq_storm: sw2 prio 3/ && index($0, what) { print $NF }' $tracing/trace |
		tail -n 1
}

# is_paused HOST: by the switch.
is_paused()
{
	(($(count "$1" rx_prio3_pause_transition) % 2))
}

stormy()
{
	[[ $(health 'priorities[3].state') == storm ]]
}

not_stormy()
{
	! stormy
}

trace_storms()
{
	echo >$tracing/trace
	echo 1 >$tracing/events/parq/parq_storm/enable
	defer eval "echo 0 >$tracing/events/parq/parq_storm/enable"
}

# begin_storm drop|forward HOST...: h1 sends to h3, which pauses it, until the storm. These receive.
# Storms of before are in $storms and $restored.
begin_storm()
{
	local host

	pings_all && pfc_everywhere 3:on && small_buffers && watch_sw2 "$1" || return
	for host in "${@:2}"; do
		recv_start "$host" || return
	done
	trace_storms
	counts_from
	storms=$(health 'priorities[3].storms')
	restored=$(health 'priorities[3].restored')
	send_start h1 0x08 h3
	wait_for 5 "traffic" moves h3 3 || return
	hold_begin
	wait_for 5 "a storm" stormy
}

# The storm began after its limit, and ended after the time to restore, to a microsecond.
storm_lasted()
{
	local paused lasted

	wait_for 5 "its end" not_stormy || return
	paused=$(since sw2 rx_prio3_pause_duration)
	lasted=$((($(storm_time ends) - $(storm_time begins)) / 1000))
	ktap_print_msg "paused for $paused us, storm of $lasted us"
	expect "us until it was over" "$lasted - paused + TOUT * 1000 - RESTORE * 1000 >= -1" &&
		expect "us until it was over" "$lasted - paused + TOUT * 1000 - RESTORE * 1000 <= 1"
	expect "storms" "$(health 'priorities[3].storms') == storms + 1"
	expect "restored" "$(health 'priorities[3].restored') == restored + 1"
}

# received_or_counted HOST: each frame of h1 arrived there, or the watchdog names it.
received_or_counted()
{
	expect "sent" "$(sent h1) == $(received "$1" 3 received) + $(since sw2 fwd_tx_drop_storm)"
	expect "late" "$(received "$1" 3 late) == 0"
	expect "dropped for another reason" "$(since sw2 fwd_tx_drop_full) +
		$(since sw0 fwd_rx_no_room) == 0"
	expect "reason" "$(since sw2 tx_drop_storm) == $(since sw2 fwd_tx_drop_storm)"
	expect "priority" "$(since sw2 tx_prio3_dropped) == $(since sw2 fwd_tx_drop_storm)"
}

# The host is paused no more, others get its frames, and it theirs.
pauses_for_ever()
{
	# shellcheck disable=SC2034 # used by the functions it calls
	local holder pauses storms restored

	begin_storm drop h2 h3 || return
	send_start h3 0x08 h2
	wait_for 5 "what the port itself receives goes on" moves h2 3
	wait_for 5 "h1 is told to go on" nobody_but_h3
	pauses=$(since h1 rx_prio3_pause_transition)
	expect "pauses of h1 until then" "pauses >= 2"
	for _ in {1..4}; do
		wait_for 5 "h2 still receives" moves h2 3 || return
	done
	expect "pauses of h1 since" "$(since h1 rx_prio3_pause_transition) == pauses"
	check stormy
	hold_end && storm_lasted
	wait_for 5 "h3 gets frames again" moves h3 3
	send_stop h1 h3
	wait_for 5 "the last frame" quiet h3 3
	wait_for 5 "the last frame of h3" quiet h2 3
	recv_stop h2
	recv_stop h3
	received_or_counted h3
	expect "lost of h3" "$(sent h3) - $(received h2 3 received) == 0"
	wait_for 5 "nobody is paused" nobody_paused
}

nobody_but_h3()
{
	(($(count sw0 tx_prio3_pause_transition) % 2 == 0 &&
		$(count sw1 tx_prio3_pause_transition) % 2 == 0))
}

forwarded()
{
	# shellcheck disable=SC2034 # used by the functions it calls
	local holder storms restored

	begin_storm forward h3 || return
	wait_for 5 "h3 gets frames" moves h3 3
	hold_end && storm_lasted
	send_stop h1
	wait_for 5 "the last frame" quiet h3 3
	recv_stop h3
	received_or_counted h3
	expect "dropped" "$(since sw2 fwd_tx_drop_storm) == 0"
	wait_for 5 "nobody is paused" nobody_paused
}

# h2 is unknown, so frames to it go to h3, too, which pauses: h2 waits for the storm, not longer.
dead_member()
{
	local holder dropped

	pfc_everywhere 3:on && small_buffers && watch_sw2 drop && recv_start h2 || return
	defer eval "in_host h1 ip neigh del 10.0.1.2 dev vh1 2>/dev/null || true"
	check in_host h1 ip neigh replace 10.0.1.2 lladdr 02:00:00:00:00:88 dev vh1 &&
		check in_host h2 ip link set h2 promisc on || return
	defer in_host h2 ip link set h2 promisc off
	counts_from
	send_start h1 0x08 h2
	wait_for 5 "traffic" moves h2 3
	hold_begin
	wait_for 5 "a storm" stormy || return
	wait_for 5 "h1 goes on" eval '! is_paused h1'
	expect "pauses of h1 until then" "$(since h1 rx_prio3_pause_transition) >= 2"
	dropped=$(since sw2 fwd_tx_drop_storm)
	wait_for 5 "h2 gets frames" moves h2 3
	hold_end
	wait_for 5 "its end" not_stormy
	send_stop h1
	wait_for 5 "the last frame" quiet h2 3
	expect "dropped for h3" "$dropped > 0"
	expect "for h2" "$(since h2 rx_prio3_packets) == $(since h1 tx_prio3_packets)"
	expect "for h3" "$(since sw2 tx_prio3_packets) + $(since sw2 fwd_tx_drop_storm) ==
		$(since h1 tx_prio3_packets)"
	recv_stop h2
	wait_for 5 "nobody is paused" nobody_paused
}

# Function level resets while transit frames wait for a host that pauses.
reset_while_full()
{
	local holder round

	pfc_everywhere 3:on && small_buffers || return
	for round in 1 2 3; do
		ktap_print_msg "round $round"
		send_start h1 0x08 h3
		wait_for 5 "traffic" moves h3 3 || return
		hold_begin
		wait_for 5 "h1 is paused" is_paused h1 || return
		switch_reset || return
		hold_end
		wait_for 5 "h3 gets frames" moves h3 3
		send_stop h1
		wait_for 5 "nobody is paused" nobody_paused
	done
	pings_all
}

pings_all()
{
	check ping_from h1 10.0.1.3 && check ping_from h2 10.0.1.3 && check ping_from h3 10.0.1.2
}

# The driver goes while frames wait, and the hosts' with it.
module_goes()
{
	local holder buffers

	pfc_everywhere 3:on && small_buffers || return
	send_start h1 0x08 h3
	wait_for 5 "traffic" moves h3 3 || return
	hold_begin
	wait_for 5 "h1 is paused" is_paused h1 || return
	check module_unload
	kill_quietly "${sender[h1]}"
	kill_quietly "$holder"
	check topology_up && wait_for 10 "the ports come back" netdev sw 3
	buffers=(/sys/kernel/debug/parq/"$(<"$configfs/sw/dev_name")"/port*/buffers)
	check grep -q ' used 0' "${buffers[@]}" && check_refused grep ' used [1-9]' "${buffers[@]}"
}

switch_begin
run_tests \
	"the time to restore is kept, and bad ones are refused" settings \
	"a host that pauses for ever loses its own frames, and nobody else any" pauses_for_ever \
	"or gets them all the same" forwarded \
	"a member of a flood that pauses for ever" dead_member \
	"resets while frames wait leave nobody paused" reset_while_full \
	"the module goes while frames wait" module_goes
