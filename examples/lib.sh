# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the examples share: NICs made in configfs, their ports in network namespaces, and an end
# that leaves nothing behind. Sourced, never run.

# Mb/s. Slow enough that one sender fills the link; a machine that emulates its processor needs 10.
: "${MBIT:=100}"
configfs=/sys/kernel/config/parqsim
nics=() namespaces=() children=()

die()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

# stage WHAT: what begins now. An emulated processor takes minutes for a lab.
stage()
{
	printf '%5d s  %s\n' $SECONDS "$*"
}

# need COMMAND PACKAGE
need()
{
	command -v "$1" >/dev/null || die "$1 is missing: sudo apt-get install $2"
}

# modules: parqsim without a NIC, and the driver, unless they are there.
modules()
{
	((EUID == 0)) || die "needs root: sudo $0"
	need ip iproute2
	need dcb iproute2
	need ethtool ethtool
	[[ -e /sys/module/parqsim ]] || modprobe parqsim nics=0 ||
		die "parqsim.ko does not load: make, sudo make install, and look at dmesg"
	[[ -e /sys/module/parq ]] || modprobe parq || die "parq.ko does not load: look at dmesg"
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
	[[ -d $configfs ]] || die "no $configfs: this parqsim.ko was built without configfs"
}

# nic NAME PORTS: eight TX queues, one a priority. It fetches early, so that a pause finds frames
# to park.
nic()
{
	mkdir "$configfs/$1" || die "there is a NIC $1 already: rmdir $configfs/$1"
	nics+=("$1")
	echo "$2" >"$configfs/$1/ports"
	echo 8 >"$configfs/$1/txq"
	echo 2 >"$configfs/$1/rxq"
	echo 100000000 >"$configfs/$1/fetch"
}

# cable NIC PORT NIC PORT: 10 m, before either NIC is live.
cable()
{
	echo "peer:$3:p$4,length=10" >"$configfs/$1/p$2/wire"
}

live()
{
	local name

	stage "making NICs: $*"
	for name; do
		echo 1 >"$configfs/$name/live" || die "NIC $name: $(dmesg | grep parqsim | tail -n 1)"
	done
}

# Where the driver shows a NIC in debugfs.
debugfs()
{
	echo "/sys/kernel/debug/parq/$(<"$configfs/$1/dev_name")"
}

namespace()
{
	ip netns add "$1" || die "there is a namespace $1 already: ip netns del $1"
	namespaces+=("$1")
	in_ns "$1" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
}

in_ns()
{
	ip netns exec "$@"
}

# The same for a shell in the background: its process becomes the command.
exec_in_ns()
{
	exec ip netns exec "$@"
}

# within SECONDS CONDITION...: false if it does not hold by then.
within()
{
	local end=$((SECONDS + $1))
	shift

	until "$@" >/dev/null 2>&1; do
		((SECONDS < end)) || return
		sleep 0.1
	done
}

# until_true SECONDS WHAT CONDITION...
until_true()
{
	within "$1" "${@:3}" || die "$2: not within the time"
}

interface_of()
{
	local dir

	for dir in /sys/bus/*/devices/"$(<"$configfs/$1/dev_name")"/net/*; do
		[[ $(<"$dir/dev_port") != "$2" ]] || { echo "${dir##*/}" && return; }
	done
	return 1
}

# port NIC N NAMESPACE NAME [ADDRESS]: the port as an interface there, up, at MBIT, with PFC for
# priority 3, and queues that never drop what waits for a pause.
port()
{
	local nic=$1 n=$2 ns=$3 name=$4 queue

	until_true 10 "port $n of $nic" interface_of "$nic" "$n"
	! command -v udevadm >/dev/null || udevadm settle
	ip link set "$(interface_of "$nic" "$n")" netns "$ns" name "$name"
	in_ns "$ns" ethtool -s "$name" autoneg off speed "$MBIT" duplex full
	dcb -n "$ns" pfc set dev "$name" prio-pfc all:off 3:on
	tc -n "$ns" qdisc replace dev "$name" root handle 1: mq
	for queue in {1..8}; do
		tc -n "$ns" qdisc replace dev "$name" parent "1:$queue" pfifo limit 10000
	done
	[[ ! ${5:-} ]] || ip -n "$ns" addr add "$5/24" dev "$name"
	ip -n "$ns" link set "$name" up
}

has_carrier()
{
	ip -n "$1" link show "$2" up | grep -q LOWER_UP
}

# links_up NAMESPACE:INTERFACE...
links_up()
{
	local port

	stage "waiting for links: $*"
	for port; do
		until_true 20 "link of $port" has_carrier "${port%:*}" "${port#*:}"
	done
}

# two_hosts ADDRESS ADDRESS: a0 of host-a and b0 of host-b, on a cable. "" means none.
two_hosts()
{
	nic host-a 1
	nic host-b 1
	cable host-a 0 host-b 0
	live host-a host-b
	namespace host-a
	namespace host-b
	port host-a 0 host-a a0 "$1"
	port host-b 0 host-b b0 "$2"
	links_up host-a:a0 host-b:b0
}

# lossless_vlan NAMESPACE INTERFACE ADDRESS: an interface v3 whose frames have priority 3.
lossless_vlan()
{
	ip -n "$1" link add link "$2" name v3 type vlan id 10 egress-qos-map 0:3
	ip -n "$1" addr add "$3/24" dev v3
	ip -n "$1" link set v3 up
}

# counter NAMESPACE INTERFACE NAME
counter()
{
	in_ns "$1" ethtool -S "$2" | awk -v name="$3:" '$1 == name { print $2 }'
}

# listens NAMESPACE PORT, of TCP
listens()
{
	in_ns "$1" ss -Hltn "sport = :$2" | grep -q .
}

# A child that ends with the script.
child()
{
	children+=("$1")
}

# pauses_begin NIC: its port 0 asks its peer to pause priority 3, again and again, until
# pauses_end. Three times as often as one pause, 65535 quanta of 512 bits, lasts.
pauses_begin()
{
	pausing=$(debugfs "$1")/external_pause
	while :; do
		echo xoff 0 3 >"$pausing"
		sleep "$((11000 / MBIT))e-3"
	done &
	pauser=$!
	child $pauser
}

pauses_end()
{
	kill "$pauser"
	wait "$pauser" 2>/dev/null || true
	echo xon 0 3 >"$pausing"
}

cleanup()
{
	local name

	set +e
	((${#children[@]} == 0)) || kill "${children[@]}" 2>/dev/null
	wait
	for name in "${nics[@]}"; do
		rmdir "$configfs/$name"
	done
	for name in "${namespaces[@]}"; do
		ip netns del "$name"
	done
}

# holds WHAT ARITHMETIC: a line of the verdict, which is an exit status.
# shellcheck disable=SC2034 # the examples exit with it
verdict=0

# shellcheck disable=SC2034
holds()
{
	if (($2)); then
		printf '  yes  %s\n' "$1"
	else
		printf '  NO   %s  (%s)\n' "$1" "$2"
		verdict=1
	fi
}

trap cleanup EXIT
trap 'exit 1' INT TERM
