# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The driver, the two ports, their namespace, their link, and VLANs on them.
# shellcheck disable=SC2154 # variables of the other files

# What tools/vm calls the kernel: its version, or the name of a test kernel.
kernel_name()
{
	uname -r | sed -E 's/.*-parq-//; s/^([0-9]+\.[0-9]+).*/\1/'
}

# At least this one: kernel_from 6.3
kernel_from()
{
	[[ $(printf '%s\n' "$1" "$(uname -r)" | sort -V | head -n 1) == "$1" ]]
}

build=${selftests%/linux/tools/testing/selftests}
# The driver, if it is not installed.
: "${PARQ_KO:=$build/$(kernel_name)/drivers/net/ethernet/parq/parq.ko}"

# An address that no port listens to.
SINK=192.0.2.99
: "${MBIT:=100}"

# Sysfs shows the interfaces of the namespace in which it was mounted.
far_sysfs=/run/parq-far
declare -A sysfs=([p0]=/sys/class/net/p0 [p1]=$far_sysfs/class/net/p1)

# affinity_set INTERRUPT MASK: until the end of the test.
affinity_set()
{
	defer eval "echo $(<"/proc/irq/$1/smp_affinity") >/proc/irq/$1/smp_affinity"
	echo "$2" >"/proc/irq/$1/smp_affinity"
}

# The command in the network namespace of p1. "ip netns exec" takes several times as long. sysfs
# is not that of the namespace: use ${sysfs[PORT]}.
far()
{
	case $1 in
	ip | tc | dcb) "$1" -n far "${@:2}" ;;
	*) nsenter --net=/run/netns/far "$@" ;;
	esac
}

# The command in the namespace of a port.
at()
{
	if [[ $1 == p1 ]]; then
		far "${@:2}"
	else
		"${@:2}"
	fi
}

# As at(); a shell in the background becomes it and passes its signals on.
exec_at()
{
	if [[ $1 == p1 ]]; then
		exec ip netns exec far "${@:2}"
	else
		exec "${@:2}"
	fi
}

find_pci()
{
	local dir

	for dir in /sys/bus/pci/devices/*; do
		[[ $(<"$dir/vendor") == 0x5051 && $(<"$dir/device") == 0x0bb1 ]] || continue
		echo "${dir##*/}"
		return
	done
	return 1
}

# Sets $nic_bus and $pci, the NIC's name there: on PCI, or inside the kernel.
find_nic()
{
	local dir

	nic_bus=pci
	pci=$(find_pci) && return
	nic_bus=platform
	for dir in /sys/bus/platform/devices/parqsim.*; do
		pci=${dir##*/}
		[[ ! -e $dir ]] || return 0
	done
	return 1
}

module_load()
{
	[[ -e /sys/module/parq ]] && return
	if [[ -e $PARQ_KO ]]; then
		insmod "$PARQ_KO"
	else
		modprobe parq
	fi
}

module_unload()
{
	rmmod parq
}

carrier()
{
	[[ $(<"${sysfs[$1]}/carrier") == "$2" ]] 2>/dev/null
}

link_up()
{
	wait_for 10 "carrier of p0" carrier p0 1 && wait_for 10 "carrier of p1" carrier p1 1
}

# The link is lost, and comes up again.
link_flap()
{
	far ip link set p1 down && wait_for 10 "no link" carrier p0 0 &&
		far ip link set p1 up && link_up && set_neighbours
}

# Both ends at a speed without negotiation.
set_speed()
{
	local port

	for port in p0 p1; do
		at $port ethtool -s $port autoneg off speed "$1" duplex full || return
	done
	wait_for 10 "$1 Mb/s" speed_is "$1" && link_up
}

speed_is()
{
	[[ $(<"${sysfs[p0]}/speed") == "$1" && $(<"${sysfs[p1]}/speed") == "$1" ]]
}

# A device that has just been plugged in is still being probed. Port 1 may be far
# away since an earlier test.
ports_present()
{
	local ports

	ports=("/sys/bus/$nic_bus/devices/$pci/net"/*/dev_port)
	[[ -e ${ports[0]} ]] || return
	((${#ports[@]} >= 2)) || [[ -e ${sysfs[p1]} ]]
}

name_ports()
{
	local dir port

	wait_for 20 "two ports of $pci" ports_present || return
	for dir in "/sys/bus/$nic_bus/devices/$pci/net"/*; do
		port=p$(<"$dir/dev_port")
		[[ ${dir##*/} == "$port" ]] || ip link set "${dir##*/}" name "$port" || return
	done
	if [[ ! -e /run/netns/far ]]; then
		ip netns add far && mkdir -p "$far_sysfs" &&
			far mount -t sysfs sysfs "$far_sysfs" || return
	fi
	[[ ! -e /sys/class/net/p1 ]] || ip link set p1 netns far
}

# A neighbour entry that is permanent still goes when its interface goes down.
set_neighbours()
{
	local mac0 mac1

	mac0=$(<"${sysfs[p0]}/address")
	mac1=$(<"${sysfs[p1]}/address")
	ip neigh replace 192.0.2.2 lladdr "$mac1" dev p0 nud permanent &&
		ip neigh replace $SINK lladdr 02:00:00:00:00:99 dev p0 nud permanent &&
		far ip neigh replace 192.0.2.1 lladdr "$mac0" dev p1 nud permanent &&
		far ip neigh replace $SINK lladdr 02:00:00:00:00:99 dev p1 nud permanent
}

# Without IPv6 an interface sends no frame by itself. Debian's default qdisc drops frames that
# have waited long, as those of a paused class do.
ports_up()
{
	local port qdisc

	qdisc=$(sysctl -n net.core.default_qdisc)
	sysctl -qw net.core.default_qdisc=pfifo
	for port in p0 p1; do
		at $port sysctl -qw "net.ipv6.conf.$port.disable_ipv6=1"
		at $port tc qdisc replace dev $port root mq &&
			at $port ip link set $port mtu 1500 || return
	done
	sysctl -qw "net.core.default_qdisc=$qdisc"
	ip addr replace 192.0.2.1/24 dev p0 && far ip addr replace 192.0.2.2/24 dev p1 &&
		ip link set p0 up && far ip link set p1 up && set_neighbours
}

# Of both ports, until topology_up.
mtu_set()
{
	local port

	for port in p0 p1; do
		check at $port ip link set $port mtu "$1" || return
	done
	set_neighbours && link_up
}

# Again after the module was loaded, or a port was down.
topology_up()
{
	find_nic || ktap_exit_fail_msg "no PARQ NIC in this machine"
	module_load && name_ports && ports_up && set_speed "$MBIT" && settings_default
}

settings_default()
{
	pause_set p0 on off off && pause_set p1 on off off &&
		pfc_set p0 all:off && pfc_set p1 all:off && ets_default p0 && ets_default p1 &&
		maxrate_set p0 all:0 && maxrate_set p1 all:0 &&
		dcb buffer set dev p0 buffer-size all:0 &&
		far dcb buffer set dev p1 buffer-size all:0 && cable_set 10 &&
		storm_default && executor_set offload
}

# Metres, of all cables of the NIC.
cable_set()
{
	devlink dev param set "$nic_bus/$pci" name cable_length value "$1" cmode runtime
}

# The ends of a cable are p0 and p1, or left and right, which configfs.sh makes.
peer_of()
{
	case $1 in
	p0) echo p1 ;;
	p1) echo p0 ;;
	left) echo right ;;
	right) echo left ;;
	esac
}

# vlan_up PORT MAP...: vp0 on p0, vp1 on p1; from priorities of sockets to those of tags.
vlan_up()
{
	local port=$1

	check at "$port" ip link add link "$port" name "v$port" type vlan id 10 \
		egress-qos-map "${@:2}" || return
	defer at "$port" ip link del "v$port"
	check at "$port" sysctl -qw "net.ipv6.conf.v$port.disable_ipv6=1" || return
	check at "$port" ip addr add "198.51.100.$((1 + ${port#p}))/24" dev "v$port" &&
		check at "$port" ip link set "v$port" up
}

# vlans_up MAP...: on both ports, which need not ask for each other.
vlans_up()
{
	local port peer

	for port in p0 p1; do
		vlan_up $port "$@" || return
	done
	for port in p0 p1; do
		peer=$(peer_of $port)
		check at $port ip neigh replace "198.51.100.$((1 + ${peer#p}))" dev v$port \
			lladdr "$(<"${sysfs[$peer]}/address")" \
			nud permanent || return
	done
}
