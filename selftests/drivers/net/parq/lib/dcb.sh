# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# PFC, ETS, rate limits, link pause, and who runs the pause FSM.
# shellcheck disable=SC2154 # variables of the other files

# See maxrate_set().
maxrate_unit=

# PFC and ETS of p0.
dcb_settings()
{
	dcb -j pfc show dev p0 prio-pfc && dcb -j ets show dev p0
}

# No limit for pauses.
storm_default()
{
	local port

	for port in p0 p1; do
		at $port ethtool --set-tunable $port pfc-prevention-tout 0 &&
			at $port ethtool --set-priv-flags $port pfc-storm-forward off || return
	done
}

# For all priorities: pfc_set p0 all:on
pfc_set()
{
	at "$1" dcb pfc set dev "$1" prio-pfc "${@:2}"
}

ets_default()
{
	at "$1" dcb ets set dev "$1" tc-tsa all:strict tc-bw all:0 prio-tc all:0
}

# A traffic class for each priority, all strict.
ets_strict()
{
	at "$1" dcb ets set dev "$1" tc-tsa all:strict tc-bw all:0 \
		prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
}

# A traffic class for each priority, equal shares.
ets_equal()
{
	at "$1" dcb ets set dev "$1" tc-tsa all:ets \
		tc-bw 0:13 1:13 2:13 3:13 4:12 5:12 6:12 7:12 \
		prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
}

# The kernel's unit is kbit/s, that of older versions of dcb bytes/s. What dcb shows for a limit
# of 1000 tells which. With $maxrate_unit behind it, dcb sends the number that was typed.
maxrate_unit_find()
{
	local limits shown

	printf -v limits 'e803000000000000%.0s' {0..7}
	at p1 parq_dcbnl p1 IEEE_SET '13{' "7=x:$limits" '}' >/dev/null || return
	shown=$(at p1 dcb -j maxrate show dev p1 | jq '.tc_maxrate[0]')
	at p1 dcb maxrate set dev p1 tc-maxrate all:0 || return
	case $shown in
	1000) maxrate_unit=bps ;;
	125000) maxrate_unit=kbit ;;
	*) ktap_print_msg "dcb shows '$shown' for 1000 kbit/s" && return 1 ;;
	esac
}

# Limits of traffic classes, kbit/s: maxrate_set p0 all:0 3:20000
maxrate_set()
{
	local port=$1
	shift

	[[ $maxrate_unit || $* == all:0 ]] || maxrate_unit_find || return
	at "$port" dcb maxrate set dev "$port" tc-maxrate "${@/%/${maxrate_unit:-bit}}"
}

# The settings of the NIC's scheduler: sched p0 [TC]
sched()
{
	sed -n "/^${2:+tc $2: }/s///p" "/sys/kernel/debug/parq/$pci/port${1#p}/sched"
}

executor_set()
{
	devlink dev param set "$nic_bus/$pci" name pfc_executor value "$1" cmode runtime
}

# pause_set PORT AUTONEG RX TX: link pause, each of them on or off
pause_set()
{
	at "$1" ethtool -A "$1" autoneg "$2" rx "$3" tx "$4"
}

# pause_state PORT NAME, as debugfs has it
pause_state()
{
	sed -n "s/^$2: //p" "/sys/kernel/debug/parq/$pci/port${1#p}/pause"
}

# pfc_prepare EXECUTOR [PORT]. For one test: PFC for all priorities of p0, or of the port, a
# traffic class each, equal shares, the FSM run by the executor; recordings and counts start here.
pfc_prepare()
{
	local port=${2:-p0}

	check executor_set "$1" || return
	defer executor_set offload
	check pfc_set "$port" all:on || return
	defer pfc_set "$port" all:off
	check ets_equal "$port" || return
	defer ets_default "$port"
	check record_restart && check counters_begin
}
