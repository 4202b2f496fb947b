#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Pause frames on request: one for each, of the kind that the port's flow control
# uses.
#
# A request is for all ports, one port, or one priority, XOFF or XON. A paused port sends pause
# frames, too. dcb shows them as requests at one end and as indications at the other. A bad
# request is refused, and nothing is sent.
#
#	p0 <=== 802.3x or PFC ===>  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

external()
{
	echo "$*" >"/sys/kernel/debug/parq/$pci/external_pause"
}

# On a link that has seen no PFC.
both_pause()
{
	local port

	link_flap || return
	for port in p0 p1; do
		defer pause_set $port on off off
		check pause_set $port off on on || return
	done
}

both_pfc()
{
	local port

	for port in p0 p1; do
		defer pfc_set $port all:off
		check pfc_set $port all:off 3:on 4:on || return
	done
}

# The NIC, and not a clock, says when a frame has come: both_count NAME N0 N1.
both_count()
{
	counts "counted[p0_$1] == $2 && counted[p1_$1] == $3"
}

paused()
{
	[[ $(pause_state p0 paused) == "$1" && $(pause_state p1 paused) == "$2" ]]
}

link_pauses()
{
	both_pause && check counters_begin || return
	check external xoff && wait_for 5 "one frame each" both_count rx_pause_frames 1 1 || return
	check external xon && wait_for 5 "another one each" both_count rx_pause_frames 2 2 || return
	wait_for 5 "none is paused" paused 0 0
	check external xoff 0 && wait_for 5 "one at p1" both_count rx_pause_frames 2 3 || return
	check external xoff 1 && wait_for 5 "one at p0" both_count rx_pause_frames 3 3 || return
	check external xon 1 && check external xon 0 &&
		wait_for 5 "one each" both_count rx_pause_frames 4 4 || return
	wait_for 5 "none is paused any more" paused 0 0
	check both_count tx_pause_frames 4 4
}

# p0 is paused, sends nothing that its host has, and yet its own frame.
while_paused()
{
	both_pause && check traffic_start p0 0xff && check counters_begin || return
	pause_repeat p0 link --every 100000
	wait_for 10 "p0 is paused" paused 1 0 || return
	check external xoff 0 && wait_for 5 "a frame at p1" counts "counted[p1_rx_pause_frames] == 1"
	kill_quietly "$pause_pid"
	check external xon 0
	check pfc p0 link --quanta 0
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
}

pfc_pauses()
{
	both_pfc && check counters_begin || return
	check external xoff 0 && wait_for 5 "one at p1" both_count rx_pfc_frames 0 1 || return
	check both_count rx_prio3_pause 0 1 && check both_count rx_prio4_pause 0 1
	check external xon 0 && wait_for 5 "another one" both_count rx_pfc_frames 0 2 || return
	check external xoff 0 3 && wait_for 5 "a third one" both_count rx_pfc_frames 0 3 || return
	check external xon 0 3 && wait_for 5 "a fourth one" both_count rx_pfc_frames 0 4 || return
	check both_count rx_prio3_pause 0 2 && check both_count rx_prio4_pause 0 1
	check both_count tx_prio3_pause 2 0 && check both_count tx_prio4_pause 1 0
	check both_count rx_prio5_pause 0 0
	check both_count rx_prio3_pause_transition 0 4 && check both_count rx_prio4_pause_transition 0 2
	# Of all ports those that have flow control.
	check pfc_set p0 all:off
	# Frames that end no pause, and those of a priority without PFC, pause nobody.
	check pfc p1 once --prios 0x08 --quanta 0 && check pfc p0 once --prios 0x08 --quanta 1000 &&
		wait_for 5 "one each" both_count rx_pfc_frames 1 5 || return
	check both_count rx_prio3_pause 0 2
	check external xoff && check external xon &&
		wait_for 5 "two of p1" both_count rx_pfc_frames 3 5 || return
	check both_count tx_pause_frames 0 0
}

dcb_counts()
{
	at "$1" dcb -j -s pfc show dev "$1"
}

# dcb_counted PORT NAME: since dcb_counts >"$tmp/dcb.$1", by priority.
dcb_counted()
{
	dcb_counts "$1" | jq -c --slurpfile old "$tmp/dcb.$1" \
		"[.$2, \$old[0].$2] | transpose | map(.[0] - .[1])"
}

# p1 pauses p0. Requests are what a port has sent, indications what has come.
dcb_shows()
{
	local none="[0,0,0,0,0,0,0,0]" port some="[0,0,0,3,1,0,0,0]"

	both_pfc && check counters_begin || return
	for port in p0 p1; do
		check dcb_counts $port >"$tmp/dcb.$port" || return
	done
	check external xoff 1 3 && check external xon 1 3 && check external xon 1 3 &&
		check external xon 1 4 || return
	wait_for 5 "four at p0" both_count rx_pfc_frames 4 0 || return
	same "indications of p0" "$(dcb_counted p0 indications)" "$some"
	same "requests of p0" "$(dcb_counted p0 requests)" "$none"
	same "requests of p1" "$(dcb_counted p1 requests)" "$some"
	same "indications of p1" "$(dcb_counted p1 indications)" "$none"
}

refused()
{
	local request

	check_refused external xoff
	check_refused external xoff 0
	both_pfc && check counters_begin || return
	for request in xof XOFF "" "0 xoff" "xoff 2" "xoff -1" "xoff p0" "xoff 0 8" "xoff 0 x" \
		"xoff 0 5" "xon 1 0" "xoff 0 3 4" \
		"xoff 0 3                                        "; do
		check_refused external "$request"
	done
	logs 'external pause refused: "xof" is neither xoff nor xon' check_refused external xof
	logs 'external pause refused: priority "8" is not in 0..7' check_refused external xoff 0 8
	check far ip link set p1 down && wait_for 10 "no link" carrier p0 0 || return
	check_refused external xoff
	check_refused external xoff 0
	check far ip link set p1 up && link_up && set_neighbours || return
	counters_end
	check both_count tx_pfc_frames 0 0
	check both_count tx_pause_frames 0 0
	check external xon 0 3 && wait_for 5 "one at p1" both_count rx_pfc_frames 0 1
}

run_tests \
	"link pause is sent on request" link_pauses \
	"a paused port sends pause frames" while_paused \
	"PFC is sent on request" pfc_pauses \
	"dcb shows the PFC frames sent" dcb_shows \
	"a bad request is refused" refused
