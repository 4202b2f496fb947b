#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two NICs whose ports forward, in one bridge.
#
# Each forwards between its own ports, and the stack between the two: each frame once. Each knows
# the addresses that the other one has learned, and floods none of their frames. A port that is
# refused leaves nothing behind.
#
#	h1 ----- sw0 +----+ sw2 ----- h3      t0 +---+ t1 ----- h5
#	             | sw |               h4 ----+ t |
#	h2 ----- sw1 +----+ sw3                  +---+ t2, t3 (joined by a cable)
#
# Hosts are namespaces with a NIC each: 10.0.0.N without tag.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/switch.sh
. "$(dirname "$0")/lib/switch.sh"

# ---- the second device -------------------------------------------------------------

second_up()
{
	local n

	for n in 4 5; do
		card h$n && set_to h$n/ports 1 && set_to h$n/p0/name h$n &&
			set_to h$n/p0/wire "peer:t:p$((n - 4)),length=10" || return
	done
	card t && set_to t/ports 4 && set_to t/forward 1 && set_to t/p2/wire "peer:p3,length=10" ||
		return
	for n in 0 1 2 3; do
		set_to t/p$n/name t$n || return
	done
	for n in t h4 h5; do
		set_to $n/live 1 && wait_for 10 "a port of $n" netdev $n 0 || return
	done
	for n in t0 t1 t2 t3; do
		check sysctl -qw net.ipv6.conf.$n.disable_ipv6=1 &&
			check ethtool -s $n autoneg off speed "$MBIT" duplex full &&
			check ip link set $n up || return
	done
	bridged t0 t1 && host_up h4 && host_up h5 || return
	until_forwarding t0 t1
}

# ---- tests -------------------------------------------------------------------------

# pings HOST...: among these. No answer comes twice.
pings()
{
	local a b

	for a in "$@"; do
		for b in "$@"; do
			[[ $a != "$b" ]] || continue
			check ping_from "$a" "10.0.0.${b#h}" || return
			check_refused grep -q -e DUP -e duplicates "$tmp/ping"
		done
	done
}

id()
{
	cat "/sys/class/net/$1/phys_switch_id"
}

# forwarded PORT: frames that its device has forwarded from it and to it.
forwarded()
{
	echo $(($(count "$1" fwd_rx_frames) + $(count "$1" fwd_tx_frames)))
}

forwards()
{
	local before

	same "ids of the first device" "$(id sw0)" "$(id sw3)"
	same "ids of the second one" "$(id t0)" "$(id t3)"
	check test "$(id sw0)" != "$(id t0)"
	pings h1 h2 h3 h4 h5
	# Each device by itself.
	stack_from
	before=$(forwarded t1)
	check in_host h1 ping -q -f -c 300 10.0.0.3 >/dev/null
	check in_host h4 ping -q -f -c 300 10.0.0.5 >/dev/null
	stack_since
	expect "frames that the stack got and sent" "$stack_rx <= 10 && $stack_tx <= 10"
	expect "frames of h5 that its device forwarded" "$(forwarded t1) - $before >= 600"
	# The stack between the two.
	stack_from
	check in_host h1 ping -q -f -c 300 10.0.0.4 >"$tmp/ping"
	stack_since
	expect "frames that the stack got and sent" "$stack_rx >= 300 && $stack_tx >= 300"
	check_refused grep -q duplicates "$tmp/ping"
}

# Packets that a host has received.
received_by()
{
	ip -n "$1" -s -j link show dev "$1" | jq '.[0].stats64.rx.packets'
}

# Broadcast comes to each host once: from the device, or from the stack.
floods()
{
	local host

	declare -A was
	for host in h2 h3 h4 h5; do
		was[$host]=$(received_by $host)
	done
	in_host h1 ping -q -b -c 50 -i 0.01 -W 0.1 10.0.0.255 >/dev/null 2>&1
	for host in h2 h3 h4 h5; do
		expect "frames at $host" "$(received_by $host) - ${was[$host]} >= 50 &&
			$(received_by $host) - ${was[$host]} < 70"
	done
}

# entry PORT ADDRESS: flags of the bridge's entry.
entry()
{
	bridge -j fdb show br br0 brport "$1" |
		jq -r --arg mac "$2" '.[] | select(.mac == $mac and (.vlan | not)) | .flags | join(" ")'
}

is_learned()
{
	[[ $(entry "$1" "$2") == *extern_learn* ]]
}

# h5 has sent to h4 alone: the stack has seen nothing of it.
addresses()
{
	local mac was

	mac=$(address h5)
	check ip link set t1 nomaster && bridged t1 &&
		until_forwarding t1 || return
	check ip -n h4 neigh replace 10.0.0.5 lladdr "$mac" dev h4 nud permanent &&
		check ip -n h5 neigh replace 10.0.0.4 lladdr "$(address h4)" dev h5 nud permanent &&
		check ip -n h1 neigh replace 10.0.0.5 lladdr "$mac" dev h1 nud permanent || return
	defer ip -n h1 neigh del 10.0.0.5 dev h1
	check ping_from h5 10.0.0.4
	wait_for 5 "address of h5" is_learned t1 "$mac"
	check ip -n h5 neigh replace 10.0.0.1 lladdr "$(address h1)" dev h5 nud permanent
	was=$(count sw1 fwd_tx_frames)
	check in_host h1 ping -q -c 20 -i 0.01 10.0.0.5 >/dev/null
	expect "frames to h2" "$(count sw1 fwd_tx_frames) - $was < 5"
	# It is removed from both with its port.
	check ip link set t1 nomaster && defer bridged t1 || return
	was=$(count sw1 fwd_tx_frames)
	in_host h1 ping -q -c 20 -i 0.01 -W 0.1 10.0.0.5 >/dev/null
	expect "frames to h2 without t1" "$(count sw1 fwd_tx_frames) - $was >= 15"
}

# All that the bridge and its other ports have.
settings()
{
	bridge -j vlan show
	bridge -j fdb show br br0 | jq -c 'map(select(.state == "permanent"))'
	bridge -j link show
}

# Its device has no place for the bridge's VLANs.
refused_port()
{
	local before

	defer eval 'bridge vlan del dev br0 vid 2-4 self; ip link set br0 type bridge vlan_filtering 0'
	check ip link set br0 type bridge vlan_filtering 1 &&
		check bridge vlan add dev br0 vid 2-4 self || return
	check ip link set t0 nomaster && check ip link set t1 nomaster && defer bridged t0 t1 || return
	check ip link add br1 type bridge vlan_default_pvid 0 && defer ip link del br1 || return
	check ip link set t3 master br1 && check bridge vlan add dev t3 vid 1-4093 || return
	before=$(settings)
	refused_with "the device has no place for one more VLAN" ip link set t0 master br0
	same "settings" "$(settings)" "$before"
	# It is a NIC, as before.
	check ip addr add 10.0.3.9/24 dev t0 && defer ip addr del 10.0.3.9/24 dev t0 || return
	check ip -n h4 addr add 10.0.3.4/24 dev h4 && defer ip -n h4 addr del 10.0.3.4/24 dev h4 || return
	check ping_from h4 10.0.3.9
	pings h1 h2 h3
	# The refused port has left no VLAN in the table: four fit.
	check bridge vlan del dev t3 vid 4091-4093 && check ip link set t0 master br0 || return
	until_forwarding t0 || return
	check ping_from h1 10.0.0.4
	check ping_from h4 10.0.0.3
}

# No spanning tree: what is flooded goes round for ever, to the host and all stations, until the
# loop is cut.
loop()
{
	local before

	bridged t2 t3 && until_forwarding t2 t3 || return
	# It asks for the address.
	check_refused in_host h4 ping -q -c 1 -W 1 10.0.0.99
	before=$(forwarded t2)
	wait_for 10 "frames go round" eval "((\$(forwarded t2) > before + 1000))"
	check ip link set t3 nomaster || return
	before=-1
	wait_for 10 "frames go round no more" eval \
		"((before == \$(forwarded t2))) || { before=\$(forwarded t2); false; }"
	# Addresses that came by the loop go with its other end.
	check ip link set t2 nomaster && pings h1 h4 h5
}

switch_begin
second_up || ktap_exit_fail_msg "the second switch does not come up"
run_tests \
	"each device forwards, and the stack between them" forwards \
	"what is flooded comes to each host once" floods \
	"addresses that the other device has learned" addresses \
	"a port that is refused leaves nothing behind" refused_port \
	"a loop without a spanning tree" loop
