#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A switch of 16 ports, more than a NIC can have: 15 hosts send to one at once, in a priority with
# PFC. Nothing is lost, each host sends as much as the others, and the link to the receiver is
# always busy. Then each host sends to the next one, and all links are busy at once.
#
#	h0 ----- sw0 +--------+ sw15 ----- h15
#	    ...      | switch |
#	h14 --- sw14 +--------+
#
# Hosts are namespaces with a port of one of four NICs each. Frames are tagged.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/switch.sh
. "$(dirname "$0")/lib/switch.sh"

PORTS=16
MSECS=1000

# ---- the hosts and the switch --------------------------------------------------------

# wire PORT: of the switch, and its host behind it.
wire()
{
	local at=sw/p$1 far=n$(($1 / 4)) far_port=$(($1 % 4))

	[[ -e $configfs/$at ]] || check mkdir "$configfs/$at" || return
	set_to "$at/name" "sw$1" && set_to "$at/wire" "peer:$far:p$far_port,length=10" &&
		set_to "$far/p$far_port/name" "h$1"
}

# host_make N: h<N> is 10.0.1.<N + 1> in VLAN 10.
host_make()
{
	local host=h$1 n=$(($1 + 1))

	check ip netns add "$host" && defer ip netns del "$host" || return
	check ip link set "$host" netns "$host" &&
		check ip -n "$host" link add link "$host" name v type vlan id 10 \
			egress-qos-map 3:3 || return
	check in_host "$host" sysctl -qw "net.ipv6.conf.$host.disable_ipv6=1" \
		net.ipv6.conf.v.disable_ipv6=1 &&
		check in_host "$host" ethtool -s "$host" autoneg off speed "$MBIT" duplex full &&
		check ip -n "$host" addr add "10.0.1.$n/24" dev v &&
		check ip -n "$host" link set "$host" up && check ip -n "$host" link set v up &&
		check dcb -n "$host" pfc set dev "$host" prio-pfc 3:on
}

port_make()
{
	check sysctl -qw "net.ipv6.conf.$1.disable_ipv6=1" &&
		check ethtool -s "$1" autoneg off speed "$MBIT" duplex full &&
		check ip link set "$1" up && check ip link set "$1" master br0 &&
		check dcb buffer set dev "$1" prio-buffer all:0 3:1 buffer-size all:0 0:64K 1:64K &&
		check dcb pfc set dev "$1" prio-pfc 3:on
}

switch_make()
{
	local n

	defer sysctl -qw net.core.default_qdisc="$(sysctl -n net.core.default_qdisc)"
	check sysctl -qw net.core.default_qdisc=pfifo || return
	for n in 0 1 2 3; do
		card n$n && set_to n$n/ports 4 || return
	done
	check mkdir "$configfs/sw" && defer nic_remove sw && set_to sw/forward 1 &&
		set_to sw/ports $PORTS || return
	for ((n = 0; n < PORTS; n++)); do
		wire $n || return
	done
	for n in sw n0 n1 n2 n3; do
		set_to $n/live 1 && wait_for 10 "a port of $n" netdev $n 3 || return
	done
	check ip link add br0 type bridge && defer ip link del br0 || return
	check sysctl -qw net.ipv6.conf.br0.disable_ipv6=1 && check ip link set br0 up || return
	for ((n = 0; n < PORTS; n++)); do
		port_make sw$n && host_make $n || return
	done
	for ((n = 0; n < PORTS; n++)); do
		until_forwarding sw$n || return
	done
}

# ---- what is counted -----------------------------------------------------------------

# total COUNTER: of all ports of the switch.
total()
{
	local n

	for ((n = 0; n < PORTS; n++)); do
		ethtool -S sw$n
	done | awk -v name="$1:" '$1 == name { sum += $2 } END { print sum + 0 }'
}

# Packets that the stack of the switch's machine got and sent.
stack_packets()
{
	local n

	for ((n = 0; n < PORTS; n++)); do
		ip -s -j link show dev sw$n
	done | jq -s 'map(.[0].stats64 | .rx.packets + .tx.packets) | add'
}

# send FROM TO
send()
{
	exec_in_host "h$1" parq_traffic send --dev v --to "10.0.1.$(($2 + 1))" --prios 0x08 \
		--drain 20000 --time $MSECS >"$tmp/sent.h$1" &
	defer kill_quietly $!
	senders+=($!)
}

# ---- tests ---------------------------------------------------------------------------

# The switch knows all hosts, and they know each other.
meet()
{
	local n

	for ((n = 0; n < PORTS; n++)); do
		check in_host h$n ping -q -c 2 -i 0.05 -W 1 "10.0.1.$(((n + 1) % PORTS + 1))" \
			>/dev/null || return
		((n == 15)) || check in_host h$n ping -q -c 1 -W 1 10.0.1.$PORTS >/dev/null ||
			return
	done
}

all_ports()
{
	local n ids

	ids=$(for ((n = 0; n < PORTS; n++)); do cat /sys/class/net/sw$n/phys_switch_id; done)
	same "switches" "$(sort -u <<<"$ids" | wc -l)" 1
	same "ports" "$(wc -l <<<"$ids")" $PORTS
	same "number of sw15" "$(</sys/class/net/sw15/dev_port)" 15
	same "names of ports" "$(cat /sys/class/net/sw*/phys_port_name | sort -u | wc -l)" $PORTS
	meet
}

incast()
{
	local n stack no_room sum=0 least=999999999 most=0 count senders=()

	recv_start h15 || return
	stack=$(stack_packets)
	no_room=$(($(total fwd_rx_no_room) + $(total fwd_tx_drop_full)))
	for ((n = 0; n < PORTS - 1; n++)); do
		send $n 15
	done
	check wait "${senders[@]}"
	for ((n = 0; n < PORTS - 1; n++)); do
		count=$(sent h$n)
		((sum += count, least = count < least ? count : least, most = count > most ? count : most))
	done
	wait_for 10 "h15 reads all" has_read h15 "$sum"
	recv_stop h15
	ktap_print_msg "sent $sum, $least to $most of each, received $(received h15 3 received)"
	expect "lost" "$sum - $(received h15 3 received) == 0"
	expect "dropped" "$(total fwd_rx_no_room) + $(total fwd_tx_drop_full) == $no_room"
	expect "frames that the stack got" "$(stack_packets) - $stack <= 100"
	expect "frames" "$sum * 1442 * 8 >= 95 * MBIT * 10 * MSECS"
	expect "least and most of one host" "$least * 10 >= $most * 9"
}

# All links are busy both ways.
round()
{
	local n next senders=()

	for ((n = 0; n < PORTS; n++)); do
		recv_start h$n || return
	done
	for ((n = 0; n < PORTS; n++)); do
		send $n $(((n + 1) % PORTS))
	done
	check wait "${senders[@]}"
	for ((n = 0; n < PORTS; n++)); do
		next=$(((n + 1) % PORTS))
		wait_for 10 "h$next reads all" has_read h$next "$(sent h$n)"
		recv_stop h$next
		expect "lost of h$n" "$(sent h$n) - $(received h$next 3 received) == 0"
		expect "frames of h$n" \
			"$(sent h$n) * 1442 * 8 >= 95 * MBIT * 10 * MSECS"
	done
}

nics_begin
topology_up || ktap_exit_fail_msg "the topology does not come up"
switch_make || ktap_exit_fail_msg "the switch does not come up"
run_tests \
	"sixteen ports of one switch" all_ports \
	"15 hosts send to one: nothing is lost, each has its share" incast \
	"each host sends to the next one: all links are busy" round
