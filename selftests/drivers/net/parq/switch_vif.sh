#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# VLAN interfaces of ports that forward under a bridge.
#
# The host has the frames of a VLAN interface, and the device forwards all others as before, whether
# the bridge filters VLANs or not. If VLAN interfaces are members of another bridge, the device
# forwards between them, too. They can come and go under load. Two owners of one VID at one port are
# refused.
#
#	h1 ----- sw0 +--------+ sw2 ----- h3
#	             | switch |
#	h2 ----- sw1 +--------+ sw3 (no cable)
#
# Hosts are namespaces with a NIC each: 10.0.0.N without tag, 10.0.1.N in VLAN 10.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/switch.sh
. "$(dirname "$0")/lib/switch.sh"

# vif PORT VID [ADDRESS]: a VLAN interface of a port of the switch.
vif()
{
	check ip link add link "$1" name "$1.$2" type vlan id "$2" &&
		defer eval "ip link del $1.$2 2>/dev/null; true" || return
	check sysctl -qw "net.ipv6.conf.$1/$2.disable_ipv6=1" && check ip link set "$1.$2" up || return
	[[ ! ${3:-} ]] || check ip addr add "$3" dev "$1.$2"
}

filter()
{
	check ip link set br0 type bridge vlan_filtering "$1"
}

# ---- tests -------------------------------------------------------------------------

untagged()
{
	local a b

	for a in 1 2 3; do
		for b in 1 2 3; do
			((a == b)) || check ping_from h$a 10.0.0.$b
		done
	done
}

# The device does it, not the stack.
on_the_device()
{
	stack_from
	check in_host "$1" ping -q -f -c 300 "$2" >/dev/null
	stack_since
	expect "frames that the stack got" "$stack_rx <= 10 && $stack_tx <= 10"
}

# address_is_known MAC: to the bridge.
address_is_known()
{
	bridge -j fdb show br br0 |
		jq -e --arg mac "$1" 'any(.[]; .mac == $mac and .state != "permanent")' >/dev/null
}

# VLAN 10 at sw0 is the host's, and at other ports the bridge's.
to_host()
{
	local mac=02:00:00:00:00:88

	check ping_from h1 10.0.1.3
	defer ip -n h1 link set vh1 address "$(address h1)"
	check ip -n h1 link set vh1 address $mac && vif sw0 10 10.0.1.8/24 || return
	check ip -n h1 neigh flush dev vh1
	check ping_from h1 10.0.1.8
	check ping -q -c 3 -i 0.05 -I sw0.10 10.0.1.1 >/dev/null
	counts_from
	check_refused ping_from h1 10.0.1.3
	check in_host h1 ping -q -c 20 -i 0.01 10.0.1.8 >/dev/null
	expect "frames of h1 that were forwarded" "$(since sw0 fwd_rx_frames) < 5"
	check_refused address_is_known $mac
	untagged
	on_the_device h1 10.0.0.3
	check ping_from h2 10.0.1.3
	on_the_device h2 10.0.1.3
	check_refused ping_from h2 10.0.1.8
	# Another VLAN of the same port.
	check ip -n h1 link add link h1 name w1 type vlan id 11 && defer ip -n h1 link del w1 || return
	check ip -n h3 link add link h3 name w3 type vlan id 11 && defer ip -n h3 link del w3 || return
	check ip -n h1 addr add 10.0.2.1/24 dev w1 && check ip -n h1 link set w1 up || return
	check ip -n h3 addr add 10.0.2.3/24 dev w3 && check ip -n h3 link set w3 up || return
	check ping_from h1 10.0.2.3
	on_the_device h1 10.0.2.3
	# Gone, the VLAN is the bridge's again.
	check ip link del sw0.10
	check ping_from h1 10.0.1.3
	on_the_device h1 10.0.1.3
}

filtering()
{
	local port

	for port in sw0 sw1 sw2; do
		check bridge vlan add dev $port vid 20 || return
	done
	defer filter 0
	vif sw0 10 10.0.1.8/24 && filter 1 || return
	untagged
	check ping_from h1 10.0.1.8
	counts_from
	check_refused ping_from h1 10.0.1.3
	expect "frames of h1 that a VLAN dropped" "$(since sw0 fwd_rx_no_member) == 0"
	# A port that is not in VLAN 10.
	check_refused ping_from h2 10.0.1.3
	expect "frames of h2 that a VLAN dropped" "$(since sw1 fwd_rx_no_member) >= 3"
	for port in sw1 sw2; do
		check bridge vlan add dev $port vid 10 && defer bridge vlan del dev $port vid 10 || return
	done
	check ping_from h2 10.0.1.3
	on_the_device h2 10.0.1.3
	check ping_from h1 10.0.1.8
	filter 0 || return
	check ping_from h1 10.0.1.8
	untagged
}

# What is in the device stays, whatever its port does.
later()
{
	vif sw0 10 10.0.1.8/24 || return
	check ip link set sw0 nomaster && check ping_from h1 10.0.1.8
	bridged sw0 && wait_for 10 "ports forward" all_forward || return
	check ping_from h1 10.0.1.8
	check_refused ping_from h1 10.0.1.3
	switch_reset || return
	check ping_from h1 10.0.1.8
	check_refused ping_from h1 10.0.1.3
	check ip link set sw0 down && check ip link set sw0 up && check ip link set sw0.10 up || return
	wait_for 10 "ports forward" all_forward || return
	check ping_from h1 10.0.1.8
	untagged
	# The bridge blocks the port. Its VLAN interface is none of the bridge's business.
	defer ip link set br0 type bridge stp_state 0
	check ip link set br0 type bridge stp_state 1 forward_delay 400 || return
	check ip link set sw0 nomaster && bridged sw0 || return
	check ping_from h1 10.0.1.8
	check_refused ping_from h1 10.0.0.3
	wait_for 20 "ports forward" all_forward || return
	untagged
}

# ---- members of bridges ------------------------------------------------------------

# br1 with VLAN interfaces, PORT.VID...
second()
{
	local dev

	check ip link add br1 type bridge && defer ip link del br1 || return
	check sysctl -qw net.ipv6.conf.br1.disable_ipv6=1 && check ip link set br1 up || return
	for dev in "$@"; do
		vif "${dev%.*}" "${dev#*.}" && check ip link set "$dev" master br1 || return
	done
	for dev in "$@"; do
		until_forwarding "$dev" || return
	done
}

# h2 has VLAN 20 as 10.0.1.22.
vlan20()
{
	check ip -n h2 link add link h2 name w2 type vlan id 20 && defer ip -n h2 link del w2 || return
	check ip -n h2 addr add 10.0.1.22/32 dev w2 && check ip -n h2 link set w2 up &&
		check ip -n h2 route add 10.0.1.1 dev w2 src 10.0.1.22 &&
		check ip -n h2 route add 10.0.1.3 dev w2 src 10.0.1.22
}

# Frames of br1 stay on the device, with the VID of each port, and never meet those of br0.
members()
{
	vlan20 && second sw0.10 sw1.20 sw2.10 || return
	check ping_from h1 10.0.1.3
	check ping_from h1 10.0.1.22
	check ping_from h3 10.0.1.22
	on_the_device h1 10.0.1.3
	on_the_device h1 10.0.1.22
	untagged
	# VLAN 10 of h2 is one of br0.
	check_refused in_host h2 ping -q -c 1 -W 0.2 -I vh2 10.0.1.1 >/dev/null
	# A port leaves br0. Its interface stays in br1.
	check ip link set sw0 nomaster || return
	check ping_from h1 10.0.1.3
	on_the_device h1 10.0.1.3
	check_refused ping_from h1 10.0.0.3
	bridged sw0 && wait_for 10 "ports forward" all_forward || return
	untagged
	check ip link set sw1.20 nomaster || return
	check_refused ping_from h1 10.0.1.22
	check ping_from h1 10.0.1.3
	check ip link set sw1.20 master br1 &&
		until_forwarding sw1.20 || return
	check ping_from h1 10.0.1.22
	on_the_device h1 10.0.1.22
}

# entry PORT MAC: flags of an entry of br1.
entry()
{
	bridge -j fdb show br br1 brport "$1" |
		jq -r --arg mac "$2" '.[] | select(.mac == $mac and .vlan == null) |
			.flags + [.state // ""] | join(" ")'
}

is_learned()
{
	[[ $(entry "$@") == *extern_learn* && $(entry "$@") == *offload* ]]
}

is_gone()
{
	[[ ! $(entry "$@") ]]
}

addresses()
{
	local user=02:00:00:00:00:77 mac

	mac=$(address h1)
	vlan20 && second sw0.10 sw1.20 sw2.10 || return
	check ping_from h1 10.0.1.3
	wait_for 5 "address of h1" is_learned sw0.10 "$mac"
	check bridge fdb add $user dev sw1.20 master static || return
	wait_for 5 "the user's entry" eval "[[ \"\$(entry sw1.20 $user)\" == *offload*static* ]]"
	check ip -n h1 neigh replace 10.0.1.77 lladdr $user dev vh1 nud permanent || return
	counts_from
	in_host h1 ping -q -c 5 -i 0.02 -W 0.1 10.0.1.77 >/dev/null
	expect "frames to h2 alone" "$(since sw1 fwd_tx_frames) >= 5 && $(since sw2 fwd_tx_frames) < 5"
	check ip link set br1 type bridge ageing_time 200 || return
	wait_for 10 "the address of h1 is removed" is_gone sw0.10 "$mac"
	check ip link set br1 type bridge ageing_time 30000
	check ping_from h1 10.0.1.3
	wait_for 5 "address of h1" is_learned sw0.10 "$mac"
	# The bridge blocks it.
	check ip link set br1 type bridge stp_state 1 forward_delay 400 || return
	check ip link set sw0.10 nomaster && check ip link set sw0.10 master br1 || return
	check is_gone sw0.10 "$mac"
	check_refused ping_from h1 10.0.1.3
	untagged
	wait_for 20 "sw0.10 forwards" has_state sw0.10 forwarding && check ping_from h1 10.0.1.3
	# Unknown addresses are not sent to h3 any more.
	check bridge link set dev sw2.10 flood off || return
	counts_from
	check ip -n h1 neigh replace 10.0.1.78 lladdr 02:00:00:00:00:78 dev vh1 nud permanent
	in_host h1 ping -q -c 5 -i 0.02 -W 0.1 10.0.1.78 >/dev/null
	expect "frames to h2 alone" "$(since sw1 fwd_tx_frames) >= 5 && $(since sw2 fwd_tx_frames) < 5"
}

# The host takes part in br1, and the device loses all in a reset.
host_and_reset()
{
	second sw0.10 sw2.10 && check ip addr add 10.0.1.9/24 dev br1 || return
	check ping_from h1 10.0.1.9
	check ping_from h3 10.0.1.9
	check ping -q -c 3 -i 0.05 -I br1 10.0.1.1 >/dev/null
	switch_reset || return
	check ping_from h1 10.0.1.9
	check ping_from h1 10.0.1.3
	on_the_device h1 10.0.1.3
	check ip link set sw0 down && check ip link set sw0 up && check ip link set sw0.10 up || return
	wait_for 10 "ports forward" all_forward &&
		until_forwarding sw0.10 || return
	check ping_from h1 10.0.1.3
	untagged
	# It goes while it is a member.
	check ip link del sw2.10 || return
	check_refused ping_from h1 10.0.1.3
	check ping_from h1 10.0.1.9
	check ping_from h2 10.0.1.3
}

# 40 rounds of interfaces of which none concerns frames of VLAN 10. These flow in each round.
changes()
{
	local n port

	for ((n = 0; n < 40; n++)); do
		for port in sw0 sw1 sw2; do
			check ip link add link $port name $port.x type vlan id $((100 + n)) || return
		done
		filter $((n % 2)) && wait_for 5 "frames meanwhile" moves h3 3 || return
		for port in sw0 sw1 sw2; do
			check ip link del $port.x || return
		done
	done
	filter 0
}

# Two hosts send more than the third can take, while COMMAND runs.
lossless()
{
	local sum

	pfc_everywhere 3:on && small_buffers && recv_start h3 || return
	check ping_from h3 10.0.1.1 && check ping_from h3 10.0.1.2 || return
	counts_from
	send_start h1 0x08 h3
	send_start h2 0x08 h3
	wait_for 5 "traffic" moves h3 3 || return
	"$@"
	send_stop h1 h2
	wait_for 10 "the last frame" quiet h3 3
	recv_stop h3
	sum=$(($(sent h1) + $(sent h2)))
	ktap_print_msg "sent $sum, received $(received h3 3 received)"
	expect "frames" "$sum >= 1000"
	expect "lost" "$sum - $(received h3 3 received) == 0"
	expect "pauses of h1 and h2" \
		"$(since h1 rx_prio3_pause_transition) >= 4 && $(since h2 rx_prio3_pause_transition) >= 4"
	wait_for 5 "nobody is paused" nobody_paused
}

lossless_ports()
{
	local port

	for port in sw0 sw1 sw2; do
		check bridge vlan add dev $port vid 10 && defer bridge vlan del dev $port vid 10 || return
	done
	defer filter 0
	lossless changes
}

# 20 rounds of changes of which none concerns the three members. Frames flow in each round.
member_changes()
{
	local n

	for ((n = 0; n < 20; n++)); do
		check ip link set sw0.100 master br2 && check ip link set sw3.10 master br1 || return
		filter $((n % 2)) && check bridge link set dev sw3.10 flood off &&
			wait_for 5 "frames meanwhile" moves h3 3 || return
		check ip link set sw0.100 nomaster && check ip link set sw3.10 nomaster || return
		check ip link set sw1 nomaster && bridged sw1 &&
			wait_for 5 "frames meanwhile" moves h3 3 || return
		# By this one the frames leave.
		check ip link set sw2 nomaster && bridged sw2 &&
			wait_for 5 "frames meanwhile" moves h3 3 || return
		check bridge link set dev sw2 state 4 && check bridge link set dev sw2 state 3 || return
	done
	filter 0
}

lossless_members()
{
	second sw0.10 sw1.10 sw2.10 && vif sw0 100 && vif sw3 10 || return
	check ip link add br2 type bridge && defer ip link del br2 || return
	defer filter 0
	lossless member_changes
	on_the_device h1 10.0.1.3
}

settings()
{
	bridge -j vlan show
	ip -d -j link show br0 | jq -c '.[0].linkinfo.info_data.vlan_filtering'
	ip -j link show | jq -c '[.[].ifname]'
}

refusals()
{
	local before

	check bridge vlan add dev sw1 vid 20 && vif sw1 20 && vif sw0 10 || return
	before=$(settings)
	refused_with "sw1 has VLAN 20 and a VLAN interface with this VID" \
		ip link set br0 type bridge vlan_filtering 1
	same "settings" "$(settings)" "$before"
	check bridge vlan del dev sw1 vid 20 && defer filter 0 && filter 1 || return
	before=$(settings)
	refused_with "the port has a VLAN interface with VID 10" bridge vlan add dev sw0 vid 10
	refused_with "the port is a member of VLAN 1 of its bridge" \
		ip link add link sw1 name sw1.1 type vlan id 1
	refused_with "a port in a bridge cannot have 802.1ad VLAN interfaces" \
		ip link add link sw1 name sw1.30 type vlan proto 802.1ad id 30
	refused_with "a port in a bridge cannot have a VLAN interface with VID 0" \
		ip link add link sw1 name sw1.0 type vlan id 0
	same "settings" "$(settings)" "$before"
	# A port that joins.
	check ip link set sw3 nomaster && defer bridged sw3 || return
	check ip link add link sw3 name sw3.30 type vlan proto 802.1ad id 30 || return
	refused_with "a port in a bridge cannot have 802.1ad VLAN interfaces" \
		ip link set sw3 master br0
	check ip link del sw3.30 && check ip link add link sw3 name sw3.1 type vlan id 1 || return
	refused_with "the port has a VLAN interface with VID 1" ip link set sw3 master br0
	check ip link del sw3.1
	filter 0 || return
	untagged
	# Members of another bridge.
	second sw0.40 && vif sw0 41 || return
	refused_with "sw0.40 of the same port is in the bridge" ip link set sw0.41 master br1
	refused_with "sw0.40 is a VLAN interface: its bridge cannot filter VLANs" \
		ip link set br1 type bridge vlan_filtering 1
	check ip link set sw0.40 nomaster && check ip link set br1 type bridge vlan_filtering 1 || return
	refused_with "sw0.41 is a VLAN interface: its bridge cannot filter VLANs" \
		ip link set sw0.41 master br1
	check ip link set br1 type bridge vlan_filtering 0 && check ip link set sw0.41 master br1
}

switch_begin
run_tests \
	"frames of a VLAN interface go to the host, others are forwarded" to_host \
	"a bridge that filters VLANs" filtering \
	"ports that join later, a reset, and a port that is blocked" later \
	"VLAN interfaces that come and go under load lose nothing" lossless_ports \
	"VLAN interfaces in a bridge of their own" members \
	"addresses, states and floods of VLAN interfaces in a bridge" addresses \
	"the host takes part, and a reset" host_and_reset \
	"other members that come and go under load lose nothing" lossless_members \
	"one VID for two is refused" refusals
