#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A bridge that filters VLANs, over a NIC whose ports forward.
#
# The device forwards among the members of a VLAN, learns in each VLAN, and gives each copy the
# tag that its port has. What comes to a port without the VLAN is dropped and counted. The host
# gets what is for the bridge. Changes of VLANs under load lose nothing of a priority with PFC, and
# let no frame of a paused one leave. What the device cannot do is refused.
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

# ---- settings ----------------------------------------------------------------------

filter()
{
	check ip link set br0 type bridge vlan_filtering "$1"
}

# vlan ACTION PORT VID [FLAG]...
vlan()
{
	check bridge vlan "$1" dev "$2" vid "$3" "${@:4}"
}

# vlan_all ACTION VID [FLAG]...: at all ports.
vlan_all()
{
	local port

	for port in sw0 sw1 sw2 sw3; do
		vlan "$1" $port "${@:2}" || return
	done
}

# The bridge as it was made, but that it filters, and has VLAN 10 with tags at all ports.
vlans_on()
{
	defer vlans_off
	filter 1 && vlan_all add 10
}

vlans_off()
{
	local port

	for port in sw0 sw1 sw2 sw3; do
		bridge vlan del dev $port vid 2-4094
		vlan add $port 1 pvid untagged
	done
	bridge vlan del dev br0 vid 2-4094 self
	filter 0
}

# ---- tests -------------------------------------------------------------------------

pings()
{
	local a b

	for a in 1 2 3; do
		for b in 1 2 3; do
			((a == b)) || check ping_from h$a "$1.$b"
		done
	done
}

# The device does it, not the stack.
on_the_device()
{
	stack_from
	check in_host h1 ping -q -f -c 300 "$1" >/dev/null
	stack_since
	expect "frames that the stack got" "$stack_rx <= 10 && $stack_tx <= 10"
}

# A live bridge begins to filter, and ends it.
filters()
{
	defer vlans_off
	pings 10.0.0 && pings 10.0.1
	filter 1 || return
	pings 10.0.0
	on_the_device 10.0.0.3
	counts_from
	check_refused ping_from h1 10.0.1.3
	expect "frames of a VLAN without the port" "$(since sw0 fwd_rx_no_member) >= 3"
	vlan_all add 10 || return
	pings 10.0.0 && pings 10.0.1
	on_the_device 10.0.1.3
	vlan del sw2 10 || return
	counts_from
	check_refused ping_from h1 10.0.1.3
	# Some are of VLAN 1.
	expect "frames to h3" "$(since sw2 fwd_tx_frames) < 3"
	check ping_from h1 10.0.1.2
	filter 0 || return
	pings 10.0.1
	on_the_device 10.0.1.3
}

no_pvid()
{
	vlans_on && vlan del sw0 1 || return
	counts_from
	check_refused ping_from h1 10.0.0.3
	expect "frames without VLAN" "$(since sw0 fwd_rx_no_pvid) >= 3"
	check ping_from h1 10.0.1.3
	# A member that has no PVID.
	vlan add sw0 1 untagged || return
	check_refused ping_from h1 10.0.0.3
	vlan add sw0 1 pvid untagged || return
	check ping_from h1 10.0.0.3
}

# VLAN 10 has no tag at h3. At the others it has.
tags()
{
	vlans_on && vlan add sw2 10 pvid untagged || return
	defer ip -n h3 addr del 10.0.1.33/24 dev h3 && check ip -n h3 addr add 10.0.1.33/24 dev h3 ||
		return
	check ip -n h3 link set vh3 down && defer ip -n h3 link set vh3 up || return
	check ping_from h1 10.0.1.33
	check ping_from h2 10.0.1.33
	on_the_device 10.0.1.33
	check ping_from h1 10.0.0.2
	vlan del sw2 1 || return
	check_refused ping_from h1 10.0.0.3
	# And the other way round: VLAN 1 with a tag.
	check ip -n h3 link add link h3 name one type vlan id 1 && defer ip -n h3 link del one || return
	check ip -n h3 addr add 10.0.0.33/24 dev one && check ip -n h3 link set one up || return
	vlan add sw2 1 || return
	check ip -n h3 route replace 10.0.0.1 dev one && check ping_from h1 10.0.0.33
}

# entry PORT ADDRESS VID: flags of the bridge's entry.
entry()
{
	bridge -j fdb show br br0 brport "$1" |
		jq -r --arg mac "$2" --argjson vid "$3" '.[] | select(.mac == $mac and .vlan == $vid) |
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
	local mac user=02:00:00:00:00:77

	mac=$(address h2)
	vlans_on || return
	pings 10.0.0 && pings 10.0.1
	wait_for 5 "address of h2 in VLAN 1" is_learned sw1 "$mac" 1
	wait_for 5 "address of h2 in VLAN 10" is_learned sw1 "$mac" 10
	# A user's entry counts in its VLAN alone.
	check bridge fdb add $user dev sw1 master static vlan 10 || return
	wait_for 5 "the user's entry" eval "[[ \"\$(entry sw1 $user 10)\" == *offload*static* ]]"
	check ip -n h1 neigh replace 10.0.1.77 lladdr $user dev vh1 nud permanent &&
		check ip -n h1 neigh replace 10.0.0.77 lladdr $user dev h1 nud permanent || return
	to_user 10.0.1.77
	expect "frames to h2 and h3" "$at_h2 >= 5 && $at_h3 < 5"
	to_user 10.0.0.77
	expect "frames in VLAN 1" "$at_h2 >= 5 && $at_h3 >= 5"
	# What was learned goes with the VLAN. The user's entry waits for it.
	vlan del sw1 10 || return
	wait_for 5 "the entry of h2 is removed" is_gone sw1 "$mac" 10
	check is_learned sw1 "$mac" 1
	vlan add sw1 10 || return
	wait_for 5 "the user's entry again" eval "to_user 10.0.1.77; ((at_h2 >= 5 && at_h3 < 5))"
	check bridge fdb del $user dev sw1 master vlan 10
	pings 10.0.1
}

# to_user ADDRESS: nobody answers. $at_h2, $at_h3: so many frames went there.
to_user()
{
	counts_from
	in_host h1 ping -q -c 5 -i 0.02 -W 0.1 "$1" >/dev/null
	at_h2=$(since sw1 fwd_tx_frames) at_h3=$(since sw2 fwd_tx_frames)
}

# The host takes part in the VLANs of the bridge, and gets nothing of others.
host_of_switch()
{
	vlans_on || return
	check ip link add link br0 name br0.10 type vlan id 10 && defer ip link del br0.10 || return
	check ip addr add 10.0.1.9/24 dev br0.10 && check ip link set br0.10 up || return
	check ip addr add 10.0.0.9/24 dev br0 && defer ip addr del 10.0.0.9/24 dev br0 || return
	check ping_from h1 10.0.0.9
	stack_from
	check_refused ping_from h1 10.0.1.9
	stack_since
	expect "frames of VLAN 10 that the host got" "$stack_rx == 0"
	vlan add br0 10 self || return
	check ping_from h1 10.0.1.9
	check ping_from h3 10.0.1.9
	check ping -q -c 3 -i 0.05 10.0.1.2 >/dev/null
	vlan del br0 10 self || return
	check_refused ping_from h1 10.0.1.9
	check ping_from h1 10.0.1.3
}

# A member of the bridge that is no port of the device.
foreign_member()
{
	local n

	vlans_on || return
	check ip netns add h4 && defer ip netns del h4 || return
	check ip link add f0 type veth peer name h4 netns h4 &&
		defer eval 'ip link del f0 2>/dev/null; true' || return
	check ip link set f0 up master br0 && check ip -n h4 link set h4 up &&
		check ip -n h4 link add link h4 name vh4 type vlan id 10 &&
		check ip -n h4 addr add 10.0.1.4/24 dev vh4 && check ip -n h4 link set vh4 up || return
	until_forwarding f0 || return
	check_refused ping_from h1 10.0.1.4
	vlan add f0 10 || return
	for n in 1 2 3; do
		check ping_from h$n 10.0.1.4
		check ping_from h4 10.0.1.$n
	done
	# The device knows that h4 is behind the host.
	counts_from
	check in_host h1 ping -q -c 20 -i 0.01 10.0.1.4 >/dev/null
	expect "frames to h2" "$(since sw1 fwd_tx_frames) < 5"
}

# Ports join a bridge that has VLANs. The device loses all of it in a reset.
later()
{
	local port

	vlans_on && vlan add br0 10 self || return
	for port in sw0 sw1 sw2 sw3; do
		check ip link set $port nomaster || return
	done
	bridged sw0 sw1 sw2 sw3 || return
	wait_for 10 "ports forward" all_forward || return
	pings 10.0.0
	check_refused ping_from h1 10.0.1.3
	vlan_all add 10 || return
	pings 10.0.1
	switch_reset || return
	pings 10.0.0 && pings 10.0.1
	on_the_device 10.0.1.3
	check ip link set sw2 down && check ip link set sw2 up || return
	wait_for 10 "ports forward" all_forward || return
	pings 10.0.1
}

# For 2 s, changes of VLANs of which none concerns frames of VLAN 10 between h1, h2 and h3.
changes()
{
	local n

	for ((n = 0; n < 40; n++)); do
		vlan_all add $((100 + n)) || return
		vlan add sw2 1 pvid || return
		vlan_all del $((100 + n)) || return
		vlan add sw2 1 pvid untagged && vlan add br0 10 self || return
		filter $((n % 2)) && vlan del br0 10 self || return
		sleep 0.05
	done
	filter 1
}

lossless()
{
	local sum

	vlans_on && pfc_everywhere 3:on && small_buffers && recv_start h3 || return
	check ping_from h3 10.0.1.1 && check ping_from h3 10.0.1.2 || return
	counts_from
	send_start h1 0x08 h3
	send_start h2 0x08 h3
	wait_for 5 "traffic" moves h3 3 || return
	changes
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

# The link partner pauses the egress port at random. By the recording of its wire.
paused()
{
	vlans_on && pfc_everywhere 3:on && small_buffers && recv_start h3 && wire_record sw2 || return
	counts_from
	send_start h1 0x08 h3
	wait_for 5 "traffic" moves h3 3 || return
	exec_in_host h3 parq_pfc --dev h3 storm --prios 0x08 --speed "$MBIT" --pauses 100 \
		--on 10000 --off 10000 --seed "$SRANDOM" &
	changes
	check wait $!
	send_stop h1
	wait_for 10 "the last frame" quiet h3 3
	recv_stop h3
	expect "lost" "$(sent h1) - $(received h3 3 received) == 0"
	expect "late" "$(received h3 3 late) == 0"
	wire_is_clean sw2
	wait_for 5 "nobody is paused" nobody_paused
}

# What the bridge has, of each port.
settings()
{
	bridge -j vlan show
	ip -d -j link show br0 | jq -c '.[0].linkinfo.info_data |
		[.vlan_filtering, .vlan_protocol, .vlan_default_pvid]'
}

# One device has room for 4096 VLANs of all its bridges.
full()
{
	local before

	check ip link set sw3 nomaster && defer bridged sw3 || return
	check ip link add br1 type bridge vlan_default_pvid 0 && defer ip link del br1 || return
	check ip link set sw3 master br1 && vlan add sw3 1-4094 || return
	defer vlans_off
	# VLAN 1 of br0 is the first of two.
	vlan add sw0 2 || return
	before=$(settings)
	refused_with "the device has no place for one more VLAN" bridge vlan add dev sw0 vid 3
	refused_with "the device has no place for one more VLAN" bridge vlan add dev br0 vid 3 self
	same "settings" "$(settings)" "$before"
	vlan add sw1 2 && vlan del sw3 4000 && vlan add sw0 3 || return
	pings 10.0.0
}

# A bridge has VLANs of its own, and the only port of the device leaves it.
places()
{
	check ip link set sw3 nomaster && defer bridged sw3 || return
	check ip link add br1 type bridge vlan_default_pvid 0 && defer ip link del br1 || return
	vlan add br1 1-4000 self && check ip link set sw3 master br1 &&
		check ip link set sw3 nomaster || return
	vlan add sw0 2-200 && vlan del sw0 2-200
}

# The bridge has an address a port in each VLAN, more than the table holds. The device still learns,
# and the host is reached.
many_addresses()
{
	local port mac refused

	refused=$(count sw0 fwd_fdb_refused)
	vlans_on || return
	for port in sw0 sw1 sw2; do
		vlan add $port 1000-4000 || return
	done
	wait_for 10 "addresses are refused" eval "((\$(count sw0 fwd_fdb_refused) > $refused + 6000))"
	mac=$(address h2)
	check ip link set sw1 down && check ip link set sw1 up || return
	wait_for 10 "ports forward" all_forward || return
	pings 10.0.0 && pings 10.0.1
	wait_for 5 "address of h2 in VLAN 10" is_learned sw1 "$mac" 10
	on_the_device 10.0.1.3
	# The last VLAN: the address of the bridge has no entry.
	check ip link add link br0 name br0.4000 type vlan id 4000 && defer ip link del br0.4000 || return
	vlan add br0 4000 self && check ip addr add 10.0.9.9/24 dev br0.4000 &&
		check ip link set br0.4000 up || return
	check ip -n h1 link add link h1 name w type vlan id 4000 && defer ip -n h1 link del w || return
	check ip -n h1 addr add 10.0.9.1/24 dev w && check ip -n h1 link set w up || return
	check ping_from h1 10.0.9.9
}

refusals()
{
	local before

	vlans_on || return
	before=$(settings)
	refused_with "the device cannot do vlan_protocol 802.1ad" \
		ip link set br0 type bridge vlan_protocol 802.1ad
	same "settings" "$(settings)" "$before"
	pings 10.0.1
	check ip link add br1 type bridge vlan_protocol 802.1ad vlan_default_pvid 0 &&
		defer ip link del br1 || return
	check ip link set sw3 nomaster && defer bridged sw3 || return
	check ip link set sw3 master br1 || return
	refused_with "the device cannot do vlan_protocol 802.1ad" \
		ip link set br1 type bridge vlan_filtering 1
	check ip link set sw3 nomaster && check ip link set br1 type bridge vlan_filtering 1 || return
	refused_with "the device cannot do vlan_protocol 802.1ad" ip link set sw3 master br1
	check ip link set br1 type bridge vlan_protocol 802.1Q && check ip link set sw3 master br1 ||
		return
	refused_with "the device cannot do mst_enabled" ip link set br1 type bridge mst_enabled 1
	pings 10.0.1
}

switch_begin
run_tests \
	"a live bridge begins and ends to filter" filters \
	"a port without PVID" no_pvid \
	"with a tag at one port, without at another" tags \
	"addresses by VLAN" addresses \
	"the host of the switch takes part in its VLANs" host_of_switch \
	"a member of the bridge that is not of the device" foreign_member \
	"ports that join later, and a reset" later \
	"changes of VLANs under load lose nothing" lossless \
	"changes of VLANs let no paused frame leave" paused \
	"the table of VLANs is full" full \
	"a bridge without ports takes no place in the table" places \
	"the bridge has more addresses than the table" many_addresses \
	"what the device cannot do is refused" refusals
