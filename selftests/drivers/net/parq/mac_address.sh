#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The MAC address of a port changes while the port is up.
#
# A bond needs that: it gives its own address to its ports. Under traffic no frame is lost
# but those to the address that is no more.
#
#	p0, bond9 on it ==== data ====>  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

OTHER=02:00:00:00:77:01

# What p1 sends has to find p0 by its address.
reaches()
{
	check far ip neigh replace 192.0.2.1 lladdr "$1" dev p1 nud permanent || return
	check ping -q -c 3 -i 0.2 -W 5 192.0.2.2 >"$tmp/ping"
}

while_up()
{
	local before filtered

	before=$(<"${sysfs[p0]}/address")
	defer ip link set p0 address "$before"
	defer far ip neigh replace 192.0.2.1 lladdr "$before" dev p1 nud permanent
	check ip link set p0 address $OTHER || return
	same "address" "$(<"${sysfs[p0]}/address")" $OTHER
	reaches $OTHER || return
	# Nobody has the old one any more.
	filtered=$(counter p0 rx_filtered)
	check far ip neigh replace 192.0.2.1 lladdr "$before" dev p1 nud permanent
	check_refused far ping -q -c 3 -i 0.2 -W 1 192.0.2.1
	expect "frames to the old address" "$(counter p0 rx_filtered) - $filtered == 3"
	check ip link set p0 down && check ip link set p0 up && check link_up &&
		check set_neighbours || return
	same "address after down and up" "$(<"${sysfs[p0]}/address")" $OTHER
	reaches $OTHER
	check_refused ip link set p0 address 01:00:00:00:77:01
	same "address after a refusal" "$(<"${sysfs[p0]}/address")" $OTHER
}

# p0 must not be up when it joins, and has its own address back when it leaves.
bond()
{
	local before

	before=$(<"${sysfs[p0]}/address")
	[[ -e /sys/module/bonding ]] || check modprobe bonding max_bonds=0 || return
	check ip link add bond9 type bond mode active-backup miimon 100 || return
	defer topology_up
	defer ip link del bond9
	check sysctl -qw net.ipv6.conf.bond9.disable_ipv6=1
	check ip link set p0 down && check ip link set p0 master bond9 &&
		check ip addr flush dev p0 && check ip addr add 192.0.2.1/24 dev bond9 &&
		check ip link set bond9 up || return
	wait_for 10 "carrier of p0" carrier p0 1 || return
	wait_for 10 "an active port" grep -qx p0 /sys/class/net/bond9/bonding/active_slave || return
	check ip neigh replace 192.0.2.2 lladdr "$(<"${sysfs[p1]}/address")" dev bond9 nud permanent
	reaches "$before" || return
	check ip link set bond9 address $OTHER || return
	same "address of p0" "$(<"${sysfs[p0]}/address")" $OTHER
	reaches $OTHER
	check ip link set p0 nomaster
	same "address of p0 without a bond" "$(<"${sysfs[p0]}/address")" "$before"
}

run_tests \
	"the address changes while the port is up" while_up \
	"a bond sets the address of its port" bond
