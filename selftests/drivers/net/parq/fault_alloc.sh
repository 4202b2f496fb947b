#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory runs out: each allocation that the driver makes on behalf of the user
# fails once, one after the other.
#
# The request fails, and nothing has changed and nothing is left behind; or it
# succeeds, as the driver can do without. Traffic goes on, and pauses too. The
# kernel has to have fault injection with a filter by stack: only what the driver
# asks for fails.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

MOST=4000

# A file of /proc/irq that could not be made warns when it is removed: that is the
# kernel's own business.
inject_prepare()
{
	local dir low high not_low not_high

	read -r low high < <(awk '$4 == "[parq]" && $2 ~ /[tT]/ { print $1 }' /proc/kallsyms |
		sort | sed -n '1p;$p' | xargs)
	read -r not_low not_high < <(awk '$2 ~ /[tT]/ { print $1, $3 }' /proc/kallsyms | sort |
		grep -A 1 ' register_irq_proc$' | cut -d ' ' -f 1 | xargs)
	for dir in /sys/kernel/debug/{failslab,fail_page_alloc}; do
		check test -e "$dir/ignore-gfp-wait" || return
		echo N >"$dir/ignore-gfp-wait"
		echo -1 >"$dir/times"
		echo 0 >"$dir/verbose"
		echo 32 >"$dir/stacktrace-depth"
		echo "0x$low" >"$dir/require-start"
		echo "0x$high" >"$dir/require-end"
		echo "0x$not_low" >"$dir/reject-start"
		echo "0x$not_high" >"$dir/reject-end"
	done
	echo 0 >/sys/kernel/debug/fail_page_alloc/min-order
}

# The command, with the Nth allocation failing: failing N COMMAND... Returns 2 if it
# succeeded with fewer of them.
failing()
(
	echo "$1" >/proc/self/fail-nth
	shift
	"$@" 2>/dev/null || return 1
	read -r left </proc/self/fail-nth
	((left == 0)) || return 2
)

# Likewise another program: it is that process still. Programs have their own ideas of
# what to return.
failing_exec()
{
	(
		echo "$1" >/proc/self/fail-nth
		shift
		exec "$@" 2>/dev/null
	) || return 1
}

# each_step HOW UNCHANGED UNDO COMMAND...: until no allocation is left that could fail.
# UNCHANGED has to hold when the command failed, UNDO takes back what it did.
#
# A receive ring takes hundreds of pages and does without some: the steps get longer
# as long as nothing fails. What another program has left of its number, and so
# whether it had that many, is not to be seen from here.
each_step()
{
	local how=$1 unchanged=$2 undo=$3 n failed=0 borne=0 last=0 status
	shift 3

	for ((n = 1; n <= MOST; n += 1 + borne)); do
		status=0
		"$how" $n "$@" || status=$?
		if ((status == 1)); then
			((failed += 1))
			borne=0 last=$n
			# shellcheck disable=SC2086 # a command with its arguments
			check $unchanged || { ktap_print_msg "after allocation $n of: $*"; return; }
			continue
		fi
		# shellcheck disable=SC2086 # likewise
		check $undo || return
		((status != 2)) || break
		((borne += 1))
	done
	ktap_print_msg "$*: $failed allocations fail it, the last one is number $last"
	expect "allocations that fail" "$failed > 1"
	[[ $how == failing_exec ]] || expect "the last allocation" "$n < $MOST"
}

bind()
{
	echo "$pci" >/sys/bus/pci/drivers/parq/bind
}

unbind()
{
	echo "$pci" >/sys/bus/pci/drivers/parq/unbind
}

unbound()
{
	[[ ! -e /sys/bus/pci/devices/$pci/driver && ! -e /sys/bus/pci/devices/$pci/net ]]
}

probe()
{
	check unbind || return
	each_step failing unbound unbind bind
	check bind && check topology_up && check ping -q -c 3 -i 0.2 192.0.2.2
}

is_down()
{
	[[ $(cat /sys/class/net/p0/flags) =~ [02468ace]$ ]]
}

open()
{
	check ip link set p0 down || return
	each_step failing_exec is_down "ip link set p0 down" ip link set p0 up
	check topology_up && check ping -q -c 3 -i 0.2 192.0.2.2
}

pfc_is_off()
{
	[[ $(dcb -j pfc show dev p0 prio-pfc | jq -c '.prio_pfc | unique') == "[false]" ]]
}

# Under traffic and pauses.
busy()
{
	pfc_prepare offload || return
	check traffic_start p0 0xff || return
	storm_begin p0
	"$@"
	storm_end p0
	wait_for 20 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	# Flows may move when the number of channels changes.
	judge p0
	expect "lost" "${wire[p0_all_lost]} == 0"
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "leaks" "${wire[p0_all_leaks]} == 0"
}

change_rings()
{
	each_step failing_exec "rings_are p0 512" "rings_set p0 512" \
		ethtool -G p0 rx 256 tx 256
}

change_channels()
{
	check channels_set p0 1 || return
	each_step failing_exec "channels_are p0 1" "channels_set p0 1" \
		ethtool -L p0 combined 2
	check channels_set p0 2
}

# A park queue for each priority.
pfc_on()
{
	pfc_set p0 all:off
	each_step failing_exec pfc_is_off "pfc_set p0 all:off" \
		dcb pfc set dev p0 prio-pfc all:on
	check pfc_set p0 all:off
}

faulty=1
run_tests \
	"set up" inject_prepare \
	"probe" probe \
	"up" open \
	"rings, under pauses" "busy change_rings" \
	"channels, under pauses" "busy change_channels" \
	"PFC on" pfc_on
