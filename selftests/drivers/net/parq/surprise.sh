#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The NIC vanishes under traffic, while frames are parked.
#
# The process of the NIC is killed: registers read as all ones, and nothing is sent any more.
# The driver notices and takes the carrier down. Settings are refused. The device can be
# removed, and every frame of the sender is freed. A new NIC in another slot works.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

back()
{
	find_pci >/dev/null
}

# The kernel's own pciehp takes reset_lock and pci_rescan_remove_lock in both orders
# when a card comes, which lockdep, where there is one, would complain of.
replace()
{
	local lockdep=/proc/sys/kernel/prove_locking

	if [[ -e $lockdep ]]; then
		defer eval "echo 1 >$lockdep"
		echo 0 >$lockdep
	fi
	host nic 0 replace && wait_for 20 "a device is back" back
}

vanish()
{
	# QEMU waits five seconds for the answer to an access that was under way, and all
	# processors with it: as long as the stack lets a queue stand.
	expected_complaint='NETDEV WATCHDOG'
	check executor_set "$1" && check pfc_set p0 all:on && check ets_equal p0 || return
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	check host nic 0 kill || return
	wait_for 10 "p0 loses its carrier" carrier p0 0
	check dcb pfc show dev p0 >"$tmp/pfc"
	check devlink dev info "$nic_bus/$pci" >"$tmp/info"
	check_refused dcb pfc set dev p0 prio-pfc all:off
	check eval "echo 1 >/sys/bus/pci/devices/$pci/remove"
	check_refused test -e /sys/class/net/p0
	check traffic_stop p0
	kill_quietly "$pause_pid"
	check replace || return
	check topology_up || return
	check ping -q -c 3 -i 0.2 192.0.2.2
}

# The machine has one spare slot. The executor that has more to lose is the driver.
run_tests "killed while all is parked, managed" "vanish managed"
