#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Ports that only a switch has, in configfs: their directories are made and removed, and a device of
# 64 ports has an interface for each.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/nics.sh
. "$(dirname "$0")/lib/nics.sh"

more_ports()
{
	local port

	nic_make left && check mkdir "$configfs"/left/p{4..63} || return
	for port in p64 p04 p100 p q1 p4x; do
		refused "left: '$port': a port is p0 to p63" mkdir "$configfs/left/$port" ||
			return
	done
	check_refused mkdir "$configfs/left/p4"
	check_refused rmdir "$configfs/left/p3"
	check_refused rmdir "$configfs/left"
	set_to left/ports 64
	refused_value "ports 64: without forward at most 4" left/live 1
	set_to left/forward 1 && set_to left/txq 31 || return
	refused_value "ports 64 with txq 31 and rxq 2: more than 2046 queues" left/live 1
	set_to left/txq 8 && set_to left/p12/wire peer:p63 && set_to left/p63/name last || return
	reads left/p12/wire peer:p63,length=1
	set_to left/live 1 && wait_for 30 "64 ports" netdev left 63 || return
	same "name of port 63" "$(netdev left 63)" last
	same "ports" "$(find "$(device left)/net" -mindepth 1 -maxdepth 1 | wc -l)" 64
	loop_of_two "$(netdev left 12)" last
	# A port that the NIC uses is reset when it is not live any more.
	check rmdir "$configfs/left/p12"
	set_to left/live 0
	check mkdir "$configfs/left/p12" && reads left/p12/wire ""
	check rmdir "$configfs/left/p63" && check mkdir "$configfs/left/p63" && reads left/p63/name ""
}

# loop_of_two INTERFACE INTERFACE: the cable between them works.
loop_of_two()
{
	local dev

	for dev; do
		check sysctl -qw "net.ipv6.conf.$dev.disable_ipv6=1" &&
			check ip link set "$dev" up || return
	done
	link_is 1 "$@"
}

nics_begin
topology_up || ktap_exit_fail_msg "the topology does not come up"
run_tests "a switch with 64 ports" more_ports
