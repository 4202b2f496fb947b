#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A hundred NICs in one kernel: in pairs, in one chain, and behind a bridge. Then one NIC with 64
# ports. They are made and have their links soon, carry frames on all cables at once, do nothing
# while nothing moves, and go away soon. Only the NICs are timed, not the interfaces of others and
# not pktgen.
#
# Times are instructions if the machine counts them as time (tools/vm/boot --icount).
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/nics.sh
. "$(dirname "$0")/lib/nics.sh"

NICS=${NICS:-100}
FRAMES=100
# What an emulated PC does in 10 s is about three thousand million instructions.
LIMIT_MS=${LIMIT_MS:-3000}
# Of the memory of a NIC and its driver before the interfaces are up: rings, and the queueing
# disciplines of the stack, come with that. A wire to an interface keeps frames both ways.
LIMIT_KB=2048 LIMIT_NETDEV_KB=5120

# Interfaces that send, and those that receive from them.
senders=() receivers=()

now_ms()
{
	local up

	read -r up _ </proc/uptime
	echo $((10 * ${up/./}))
}

available_kb()
{
	awk '/^MemAvailable/ { print $2 }' /proc/meminfo
}

# memory_of_a_nic AVAILABLE-BEFORE-KB
memory_of_a_nic()
{
	memory=$((($1 - $(available_kb)) / NICS))
	ktap_print_msg "memory of a NIC: $memory KiB"
}

# in_time WHAT BEGIN
in_time()
{
	local ms=$(($(now_ms) - $2))

	ktap_print_msg "$1: $ms ms"
	expect "$1, ms" "$ms <= LIMIT_MS"
}

all_carriers()
{
	local dev state

	for dev in "${senders[@]}" "${receivers[@]}"; do
		read -r state <"/sys/class/net/$dev/carrier" && ((state)) || return
	done 2>/dev/null
}

# nics_up PORTS LIMIT-KB: with the wires of each in the array wires, as "PORT:WIRE ...".
nics_up()
{
	local num=$1 limit=$2 begin kb i port wire dirs=()

	for ((i = 0; i < NICS; i++)); do
		dirs+=("$configfs/n$i")
	done
	begin=$(now_ms) kb=$(available_kb)
	check mkdir "${dirs[@]}" && defer nics_down "$NICS" || return
	for ((i = 0; i < NICS; i++)); do
		((num <= 4)) || { more_ports "n$i" && set_to "n$i/forward" 1; } || return
		set_to "n$i/ports" "$num" && set_to "n$i/txq" 8 && set_to "n$i/rxq" 2 || return
		for ((port = 0; port < num; port++)); do
			echo "n${i}p$port" >"${dirs[i]}/p$port/name"
		done
		for wire in ${wires[i]}; do
			set_to "n$i/p${wire%%:*}/wire" "${wire#*:}" || return
		done
		set_to "n$i/live" 1 || return
	done
	in_time "all NICs are made" "$begin"
	memory_of_a_nic "$kb"
	expect "memory of a NIC, KiB" "$memory <= $limit"
	begin=$(now_ms)
	printf 'link set %s up\n' "${senders[@]}" "${receivers[@]}" >"$tmp/up"
	check ip -batch "$tmp/up" && wait_for 60 "all links are up" all_carriers || return
	in_time "all links are up" "$begin"
	memory_of_a_nic "$kb"
}

# more_ports NIC: the directories that only a switch has.
more_ports()
{
	check mkdir "$configfs/$1"/p{4..63}
}

nics_down()
{
	local NICS=$1 begin dir i dirs=()

	for ((i = 0; i < NICS; i++)); do
		for dir in "$configfs/n$i"/p{4..63} "$configfs/n$i"; do
			[[ ! -e $dir ]] || dirs+=("$dir")
		done
	done
	begin=$(now_ms)
	check rmdir "${dirs[@]}"
	in_time "all NICs are removed" "$begin"
}

# Turns and interrupts of all NICs so far.
activity()
{
	cat /sys/kernel/debug/parqsim/n*/stats |
		awk '$1 == "runs" { sum += $2 + $4 } END { print sum }'
}

# quiet PORTS [MOST]: the driver looks after each port of a NIC once a second, with up to MOST turns
# and interrupts in 2 s. The command reads the statistics of each NIC, which costs it a turn.
quiet()
{
	local most=${2:-20} before

	before=$(activity)
	sleep 2
	ktap_print_msg "turns and interrupts of a quiet NIC in 2 s:" \
		"$((($(activity) - before) / NICS))"
	expect "turns and interrupts of $NICS quiet NICs in 2 s" \
		"$(activity) - before <= most * $1 * NICS"
}

received()
{
	local dev frames

	for dev in "${receivers[@]}"; do
		read -r frames <"/sys/class/net/$dev/statistics/rx_packets"
		((frames >= FRAMES)) || return
	done
}

# All senders at once.
traffic()
{
	local i thread=/proc/net/pktgen/kpktgend_0 mac

	[[ -e $thread ]] || check modprobe pktgen || return
	echo rem_device_all >$thread
	for ((i = 0; i < ${#senders[@]}; i++)); do
		read -r mac <"/sys/class/net/${receivers[i]}/address"
		echo "add_device ${senders[i]}" >$thread
		printf '%s\n' "count $FRAMES" "pkt_size 60" "delay 0" "dst_mac $mac" |
			while read -r setting; do
				echo "$setting" >"/proc/net/pktgen/${senders[i]}"
			done
	done
	check eval "echo start >/proc/net/pktgen/pgctrl"
	wait_for 60 "all frames have arrived" received
	echo rem_device_all >$thread
}

pairs()
{
	local i wires=()

	for ((i = 0; i < NICS; i += 2)); do
		wires[i]="0:peer:n$((i + 1)):p0"
		senders+=("n${i}p0") receivers+=("n$((i + 1))p0")
	done
	nics_up 1 $LIMIT_KB && quiet 1 && traffic && quiet 1
}

chain()
{
	local i wires=()

	for ((i = 1; i < NICS; i++)); do
		wires[i]="0:peer:n$((i - 1)):p1"
		senders+=("n$((i - 1))p1") receivers+=("n${i}p0")
	done
	nics_up 2 $LIMIT_KB && quiet 2 && traffic && quiet 2
}

# The bridge knows all addresses, or it would send each frame to all NICs.
bridged()
{
	local i mac wires=()

	check ip link add many0 type bridge && defer ip link del many0 &&
		check ip link set many0 up || return
	for ((i = 0; i < NICS; i++)); do
		echo "link add v$i type veth peer name b$i"
		echo "link set b$i master many0 up"
		echo "link set v$i up"
		wires[i]="0:netdev:v$i"
		((i % 2)) && receivers+=("n${i}p0") || senders+=("n${i}p0")
	done >"$tmp/veths"
	defer veths_remove
	check ip -batch "$tmp/veths" && nics_up 1 $LIMIT_NETDEV_KB || return
	for ((i = 0; i < NICS; i++)); do
		read -r mac <"/sys/class/net/n${i}p0/address"
		echo "fdb add $mac dev b$i master static"
	done >"$tmp/fdb"
	check bridge -batch "$tmp/fdb" && quiet 1 && traffic && quiet 1
}

veths_remove()
{
	local i

	for ((i = 0; i < NICS; i++)); do
		echo "link del v$i"
	done | ip -batch -
}

# Its interfaces are in no bridge: each sends to the one at the other end of its cable. The driver
# reads twelve counters of a switch's port, two words each.
many_ports()
{
	local NICS=1 PORTS=64 port most=$((20 + 2 * 2 * 12)) wires=("")

	for ((port = 0; port < PORTS; port += 2)); do
		wires[0]+=" $port:peer:p$((port + 1))"
		senders+=("n0p$port") receivers+=("n0p$((port + 1))")
	done
	nics_up $PORTS $((PORTS * LIMIT_KB)) && quiet $PORTS $most && traffic &&
		quiet $PORTS $most
}

# lab NAME: with interfaces that nobody sends to.
lab()
{
	senders=() receivers=()
	defer sysctl -qw net.ipv6.conf.default.disable_ipv6="$(sysctl -n net.ipv6.conf.default.disable_ipv6)"
	check sysctl -qw net.ipv6.conf.default.disable_ipv6=1 && "$1"
}

nics_begin
run_tests \
	"pairs of NICs" "lab pairs" \
	"a chain of NICs" "lab chain" \
	"NICs behind a bridge" "lab bridged" \
	"a NIC of 64 ports" "lab many_ports"
