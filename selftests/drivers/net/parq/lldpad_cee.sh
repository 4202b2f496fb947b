#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two lldpad, one for each port, that speak CEE, the DCBX from before IEEE 802.1Qaz, set
# and asked with dcbtool.
#
# A willing port adopts PFC and priority groups of its peer. Unlike in IEEE mode, two unwilling
# ports with different PFC have none. An lldpad that is restarted, or killed and started, finds
# its settings.
#
#	lldpad --- p0 <=== LLDP ===> p1 --- lldpad
#
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/lldpad.sh
. "$(dirname "$0")/lib/lldpad.sh"

# Three groups; group and class of each priority are the same.
GROUPS_SET="pgid:00111222 up2tc:00111222 pgpct:25,25,50,0,0,0,0,0"
GROUPS_SHOWN='[[0,0,1,1,1,2,2,2],[25,25,50,0,0,0,0,0],["ets","ets","ets","strict","strict","strict","strict","strict"]]'

# set PORT FEATURE SETTINGS
cee_set()
{
	quietly at "$1" dcbtool sc "$@"
}

# "3,4" as dcbtool has it: pfcup:00011000.
cee_pfc()
{
	local prio up=

	for prio in {0..7}; do
		[[ ,$2, == *,$prio,* ]] && up+="1" || up+="0"
	done
	cee_set "$1" pfc "pfcup:$up"
}

# What was agreed: "Oper Mode", "Syncd", "Errors".
oper()
{
	at "$1" dcbtool go "$1" "$2" | sed -n "s/^$3:[[:space:]]*//p"
}

oper_is()
{
	[[ $(oper "$1" "$2" "Oper Mode") == "$3" && $(oper "$1" "$2" Syncd) == true ]]
}

# Both without a past. lldpad takes CEE from its file, when it starts.
agents_start()
{
	local port

	for port in p0 p1; do
		defer pfc_set $port all:off
		defer ets_default $port
		defer at $port dcb dcbx set dev $port host ieee
		rm -f "$tmp/$port.conf"
		check agent_start $port || return
		check quietly at $port dcbtool sc dcbx v:force-cee || return
		check lldp $port set-lldp -i $port adminStatus=rxtx >/dev/null || return
		check agent_end TERM $port
		check agent_start $port || return
		wait_for 20 "DCB of $port is on" quietly cee_set $port dcb on || return
		same "mode of $port" "$(at $port dcb dcbx show dev $port | xargs)" "host cee"
	done
}

# p0 says what it wants, p1 that it wants what p0 does.
one_willing()
{
	agents_start || return
	check cee_set p0 pfc e:1 a:1 w:0
	check cee_pfc p0 3,4
	check cee_set p1 pfc e:1 a:1 w:1
	check learns p0 "[3,4]"
	check learns p1 "[3,4]"
}

willing_adopts()
{
	local port

	one_willing || return
	# shellcheck disable=SC2086
	check cee_set p0 pg e:1 a:1 w:0 $GROUPS_SET
	check cee_set p1 pg e:1 a:1 w:1
	for port in p0 p1; do
		wait_for 30 "ETS of $port" ets_is $port "$GROUPS_SHOWN" ||
			ktap_print_msg "but $(ets_of $port)"
		wait_for 30 "PFC of $port is in force" oper_is $port pfc true
		wait_for 30 "groups of $port are in force" oper_is $port pg true
	done
	check cee_pfc p0 5
	check learns p1 "[5]"
	check ping -q -c 3 -i 0.2 192.0.2.2
}

disagree()
{
	one_willing || return
	check cee_set p1 pfc w:0
	check cee_pfc p1 5
	check learns p0 "[]"
	check learns p1 "[]"
	same "PFC is in force" "$(oper p0 pfc "Oper Mode")" false
	check grep -q "mismatch with peer" <<<"$(oper p0 pfc Errors)"
	# They are of one mind again.
	check cee_pfc p1 3,4
	check learns p0 "[3,4]"
	check learns p1 "[3,4]"
	wait_for 30 "PFC is in force" oper_is p0 pfc true
}

# By TERM or KILL; until it is back, the other one is told something else.
restarted()
{
	local changes

	one_willing || return
	changes=$(carrier_changes p1)
	check agent_end "$1" p1
	same "PFC without an lldpad" "$(pfc_of p1)" "[3,4]"
	check cee_pfc p0 3,4,5
	same "PFC, not told" "$(pfc_of p1)" "[3,4]"
	check agent_start p1 || return
	check learns p1 "[3,4,5]"
	wait_for 30 "PFC is in force" oper_is p1 pfc true
	same "carrier changes" "$(carrier_changes p1)" "$changes"
}

under_pauses()
{
	one_willing || return
	changed_under_pauses p0_pfc
}

p0_pfc()
{
	cee_pfc p0 "$1"
}

# PFC goes with DCB.
off()
{
	one_willing || return
	check cee_set p0 dcb off
	check learns p0 "[]"
	check cee_set p0 dcb on
	check learns p0 "[3,4]"
	check learns p1 "[3,4]"
}

run_tests \
	"a willing port adopts PFC and groups" willing_adopts \
	"two unwilling ports that disagree have no PFC" disagree \
	"settings survive a restart of lldpad" "restarted TERM" \
	"settings survive a killed lldpad" "restarted KILL" \
	"changes under pauses lose no frame" under_pauses \
	"DCB is turned off and on" off
