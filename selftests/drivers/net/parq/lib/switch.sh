# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A switch of four ports under br0, with a host at three of them: h1 at sw0, h2 at sw1, h3 at sw2.
# Hosts are namespaces with a NIC each.
# shellcheck disable=SC2154 # variables of the other files

# shellcheck source=selftests/drivers/net/parq/lib/nics.sh
. "$parq_dir/lib/nics.sh"
# shellcheck source=selftests/drivers/net/parq/lib/switch_traffic.sh
. "$parq_dir/lib/switch_traffic.sh"

HOSTS=(h1 h2 h3)
recording[sw2]=$tmp/sw2.pcapng

# For all tests of a program.
switch_begin()
{
	nics_begin
	topology_up || ktap_exit_fail_msg "the topology does not come up"
	switch_up || ktap_exit_fail_msg "the switch does not come up"
}

# in_host HOST COMMAND...
in_host()
{
	nsenter "--net=/run/netns/$1" "${@:2}"
}

# As in_host(); a shell in the background becomes it.
exec_in_host()
{
	exec nsenter "--net=/run/netns/$1" "${@:2}"
}

# A link that is fetched for just in time: what a pause finds on its way is little.
card()
{
	nic_make "$1" && set_to "$1/fetch" 0
}

# host_up HOST: its NIC moves to a namespace, where h1 is 10.0.0.1, and 10.0.1.1 in VLAN 10.
host_up()
{
	local host=$1 n=${1#h}

	check ip netns add "$host" && defer ip netns del "$host" || return
	check ip link set "$host" netns "$host" &&
		check ip -n "$host" link add link "$host" name "v$host" type vlan id 10 \
			egress-qos-map 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 || return
	check in_host "$host" sysctl -qw "net.ipv6.conf.$host.disable_ipv6=1" \
		"net.ipv6.conf.v$host.disable_ipv6=1" &&
		check in_host "$host" ethtool -s "$host" autoneg off speed "$MBIT" duplex full &&
		check ip -n "$host" addr add "10.0.0.$n/24" dev "$host" &&
		check ip -n "$host" addr add "10.0.1.$n/24" dev "v$host" &&
		check ip -n "$host" link set "$host" up && check ip -n "$host" link set "v$host" up
}

# pfc_everywhere PRIORITY:on|off...: at both ends of each cable.
pfc_everywhere()
{
	local host

	for host in "${HOSTS[@]}"; do
		check dcb -n "$host" pfc set dev "$host" prio-pfc all:off "$@" &&
			check dcb pfc set dev "sw$((${host#h} - 1))" prio-pfc all:off "$@" || return
	done
}

# The buffers of the switch are small: they fill soon.
small_buffers()
{
	local port

	for port in sw0 sw1 sw2; do
		check dcb buffer set dev $port prio-buffer all:0 3:1 buffer-size all:0 0:64K 1:64K ||
			return
	done
}

bridged()
{
	local port

	for port in "$@"; do
		check ip link set "$port" master br0 || return
	done
}

has_state()
{
	[[ $(bridge -j link show dev "$1" | jq -r '.[0].state') == "$2" ]]
}

# until_forwarding PORT...
until_forwarding()
{
	local port

	for port in "$@"; do
		wait_for 10 "$port forwards" has_state "$port" forwarding || return
	done
}

# Ports with hosts.
all_forward()
{
	local port

	for port in sw0 sw1 sw2; do
		has_state $port forwarding || return
	done
}

# The bus resets the switch, and its ports forward again.
switch_reset()
{
	check eval "echo 1 >$(device sw)/reset" && wait_for 10 "ports forward" all_forward
}

bridge_up()
{
	check ip link add br0 type bridge && check sysctl -qw net.ipv6.conf.br0.disable_ipv6=1 &&
		bridged sw0 sw1 sw2 sw3 && check ip link set br0 up
}

switch_up()
{
	local n

	defer sysctl -qw net.core.default_qdisc="$(sysctl -n net.core.default_qdisc)"
	check sysctl -qw net.core.default_qdisc=pfifo || return
	for n in 1 2 3; do
		card h$n && set_to h$n/ports 1 && set_to h$n/p0/name h$n &&
			set_to h$n/p0/wire "peer:sw:p$((n - 1)),length=10" || return
	done
	card sw && set_to sw/ports 4 && set_to sw/forward 1 && set_to sw/snaplen 128 &&
		set_to sw/p2/record "${recording[sw2]}" || return
	for n in 0 1 2 3; do
		set_to sw/p$n/name sw$n || return
	done
	for n in sw h1 h2 h3; do
		set_to $n/live 1 && wait_for 10 "a port of $n" netdev $n 0 || return
	done
	for n in sw0 sw1 sw2 sw3; do
		check sysctl -qw net.ipv6.conf.$n.disable_ipv6=1 &&
			check ethtool -s $n autoneg off speed "$MBIT" duplex full &&
			check ip link set $n up || return
	done
	bridge_up && defer ip link del br0 || return
	for n in 1 2 3; do
		host_up h$n || return
	done
	wait_for 10 "ports forward" all_forward
}

# ---- datagrams -----------------------------------------------------------------------

declare -A receiver read_before

# recv_start HOST: counts what it gets, until recv_stop.
recv_start()
{
	exec_in_host "$1" parq_traffic recv >"$tmp/received.$1" &
	receiver[$1]=$!
	read_before[$1]=$(datagrams_read "$1")
	defer kill_quietly $!
	wait_for 10 "receiver at $1" grep -q ready "$tmp/received.$1"
}

# datagrams_read HOST: by all its programs.
datagrams_read()
{
	in_host "$1" nstat -asz UdpInDatagrams | awk '/^Udp/ { print $2 }'
}

# has_read HOST NUMBER: so many since recv_start.
has_read()
{
	(($(datagrams_read "$1") - read_before[$1] >= $2))
}

recv_stop()
{
	check kill -TERM "${receiver[$1]}" && check wait "${receiver[$1]}"
}

# sent HOST: datagrams of all its flows.
sent()
{
	awk '$1 == "flow" { sum += $4 } END { print sum + 0 }' "$tmp/sent.$1"
}

# received HOST PRIORITY WORD: "received", "missing" or "late".
received()
{
	awk -v prio="$2" -v word="$3" '$3 == "prio" && $4 == prio {
			for (i = 5; i < NF; i += 2)
				if ($i == word)
					n = $(i + 1)
		}
		END { print n + 0 }' "$tmp/received.$1"
}
