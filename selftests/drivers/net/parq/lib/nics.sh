# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# NICs that are made in configfs, cables to them and to interfaces.
# shellcheck disable=SC2154 # variables of the other files

configfs=/sys/kernel/config/parqsim

# Ends the program if the machine's NIC is not in this kernel.
nics_begin()
{
	if [[ ! -e /sys/kernel/debug/parqsim ]]; then
		ktap_skip_all "the NIC is not parqsim.ko in this kernel"
		exit "$KSFT_SKIP"
	fi
	[[ -e $configfs ]] || mount -t configfs configfs /sys/kernel/config
}

# A small NIC is made soon; it fetches early, so that pauses find frames to park. Removed after
# the test, whatever it is then.
nic_make()
{
	check mkdir "$configfs/$1" && defer nic_remove "$1" || return
	set_to "$1/txq" 8 && set_to "$1/rxq" 2 && set_to "$1/fetch" 100000000
}

nic_remove()
{
	local dir

	[[ -e $configfs/$1 ]] || return 0
	for dir in "$configfs/$1"/p{4..63}; do
		[[ ! -e $dir ]] || rmdir "$dir"
	done
	rmdir "$configfs/$1"
}

# set_to FILE VALUE
set_to()
{
	check eval "echo '$2' >$configfs/$1"
}

# reads FILE VALUE
reads()
{
	same "$1" "$(<"$configfs/$1")" "$2"
}

# refused WHY COMMAND...: the kernel's log has the reason.
refused()
{
	local reason=$1 mark="parq-refused-$SRANDOM"
	shift

	echo "$mark" >/dev/kmsg
	check_refused "$@" || return
	dmesg | sed "1,/$mark/d" | grep -qF "parqsim: $reason" ||
		check false "'$*' is refused for another reason"
}

# refused_value WHY FILE VALUE: and the file reads as before.
refused_value()
{
	local before

	before=$(<"$configfs/$2")
	refused "${2%%/*}: $1" eval "echo '$3' >$configfs/$2" && reads "$2" "$before"
}

# The directory of the device of a NIC.
device()
{
	echo "/sys/bus/$nic_bus/devices/$(<"$configfs/$1/dev_name")"
}

# netdev NIC PORT
netdev()
{
	local dir

	for dir in "$(device "$1")/net"/*; do
		[[ $(<"$dir/dev_port") != "$2" ]] || { echo "${dir##*/}" && return; }
	done
	return 1
}

# port_up NIC: its port 0 is an interface of the NIC's name, without negotiation.
port_up()
{
	wait_for 10 "port 0 of $1" netdev "$1" 0 || return
	check ip link set "$(netdev "$1" 0)" name "$1" &&
		check sysctl -qw "net.ipv6.conf.$1.disable_ipv6=1" &&
		check ethtool -s "$1" autoneg off speed "$MBIT" duplex full &&
		check ip link set "$1" up
}

has_carrier()
{
	[[ $(<"/sys/class/net/$1/carrier") == "$2" ]] 2>/dev/null
}

# link_is 0|1 INTERFACE...
link_is()
{
	local dev

	for dev in "${@:2}"; do
		wait_for 10 "carrier $1 of $dev" has_carrier "$dev" "$1" || return
	done
}

# veth_make: v0 and v1, in this namespace.
veth_make()
{
	local dev

	check ip link add v0 type veth peer name v1 && defer veth_remove || return
	for dev in v0 v1; do
		check sysctl -qw "net.ipv6.conf.$dev.disable_ipv6=1" &&
			check ip link set $dev up || return
	done
}

veth_remove()
{
	ip link del v0 2>/dev/null || ip link del v1 2>/dev/null || far ip link del v1 2>/dev/null || true
}

# v1 is another machine: it has a namespace of its own, and its stack. Addresses 198.18.0.1 of
# left, 198.18.0.2 of v1.
veth_stack_up()
{
	veth_make && check ip link set v1 netns far || return
	check far sysctl -qw net.ipv6.conf.v1.disable_ipv6=1 &&
		check far ip link set v1 up && check far ip addr add 198.18.0.2/24 dev v1 || return
	netdev_up left v0 && link_is 1 left && check ip addr add 198.18.0.1/24 dev left
}

# wire_stats NIC: of port 0's wire, frames sent, of them lost, received, lost on the way.
wire_stats()
{
	sed -n 's/^p0: link.*: sent \([0-9]*\), of them lost \([0-9]*\); received \([0-9]*\), lost on the way \([0-9]*\)$/\1 \2 \3 \4/p' \
		"/sys/kernel/debug/parqsim/$1/stats"
}

# netdev_up NIC INTERFACE
netdev_up()
{
	nic_make "$1" && set_to "$1/p0/wire" "netdev:$2" && reads "$1/p0/wire" "netdev:$2" &&
		set_to "$1/live" 1 && port_up "$1"
}

# Two NICs on a cable, which fetch no frame early: port "left" here, "right" in the namespace far.
pair_up()
{
	nic_make left && nic_make right && set_to left/fetch 0 && set_to right/fetch 0 &&
		set_to left/p0/wire "peer:right:p0,length=10" &&
		set_to left/live 1 && set_to right/live 1 && port_up left && port_up right &&
		link_is 1 left right && check ip link set right netns far &&
		check far sysctl -qw net.ipv6.conf.right.disable_ipv6=1 &&
		check far ip link set right up && link_is 1 left
}

# clock_of PORT [COMMAND]...: its PTP clock; COMMAND runs ethtool where the port is.
clock_of()
{
	"${@:2}" ethtool -T "$1" | awk '/[Hh]ardware timestamp provider index|PTP Hardware Clock/ { print "/dev/ptp" $NF }'
}
