#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A NIC whose ports forward to each other under a bridge: a switch.
#
# Frames between the hosts never reach the stack of the machine that has the switch. A port that is
# full, or paused by its link partner, pauses those who send to it in a priority with PFC, and
# nothing is lost; without PFC frames are dropped. Whatever stops a port of the switch under
# load, nobody stays paused. What the device cannot do is refused.
#
#	h1 ----- sw0 +--------+ sw2 ----- h3
#	             | switch |
#	h2 ----- sw1 +--------+ sw3 (no cable)
#
# Hosts are namespaces with a NIC each. Frames are tagged: their priority is that of the tag.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/switch.sh
. "$(dirname "$0")/lib/switch.sh"

# ---- tests -------------------------------------------------------------------------

pings()
{
	local a b

	for a in 1 2 3; do
		for b in 1 2 3; do
			((a == b)) || check ping_from h$a 10.0.0.$b
			((a == b)) || check ping_from h$a 10.0.1.$b
		done
	done
}

# fdb PORT ADDRESS: flags of the bridge's entry.
fdb()
{
	bridge -j fdb show br br0 brport "$1" |
		jq -r --arg mac "$2" '.[] | select(.mac == $mac and (.vlan | not)) |
			.flags + [.state // ""] | join(" ")'
}

learned()
{
	[[ $(fdb "$1" "$2") == *extern_learn* && $(fdb "$1" "$2") == *offload* ]]
}

forwards()
{
	local host

	pings
	for host in "${HOSTS[@]}"; do
		wait_for 5 "address of $host" learned "sw$((${host#h} - 1))" "$(address "$host")"
	done
	# All addresses are known now.
	stack_from
	counts_from
	check in_host h1 ping -q -f -c 500 10.0.0.3 >/dev/null
	stack_since
	expect "frames that the stack got" "$stack_rx <= 10 && $stack_tx <= 10"
	expect "frames of h1 for other ports" "$(since sw0 fwd_rx_frames) >= 500"
	expect "frames to h3" "$(since sw2 fwd_tx_frames) >= 500"
	expect "frames to h2" "$(since sw1 fwd_tx_frames) <= 10"
	expect "parent" "1 == $(cat /sys/class/net/sw[0-3]/phys_switch_id | sort -u | wc -l)"
	check_refused cat /sys/class/net/p0/phys_switch_id
}

# The host takes part: it pings, and is pinged.
host_of_switch()
{
	local n

	check ip addr add 10.0.0.9/24 dev br0 && defer ip addr del 10.0.0.9/24 dev br0 || return
	for n in 1 2 3; do
		check ping_from h$n 10.0.0.9
		check ping -q -c 3 -i 0.05 10.0.0.$n >/dev/null
	done
}

# A member of the bridge that is no port of the device, behind it a host.
foreign_member()
{
	local n

	check ip netns add h4 && defer ip netns del h4 || return
	check ip link add f0 type veth peer name h4 netns h4 &&
		defer eval 'ip link del f0 2>/dev/null; true' || return
	check ip link set f0 up master br0 && check ip -n h4 link set h4 up &&
		check ip -n h4 addr add 10.0.0.4/24 dev h4 || return
	until_forwarding f0 || return
	for n in 1 2 3; do
		check ping_from h4 10.0.0.$n
		check ping_from h$n 10.0.0.4
	done
	same "entry of h4" "$(fdb f0 "$(address h4)")" ""
	# The device knows that h4 is behind the host.
	counts_from
	check in_host h1 ping -q -c 20 -i 0.01 10.0.0.4 >/dev/null
	expect "frames to h2" "$(since sw1 fwd_tx_frames) < 5"
	expect "frames to h3" "$(since sw2 fwd_tx_frames) < 5"
}

# two_senders PRIORITY: both as fast as they can. What came of it is in variables of the caller.
two_senders()
{
	local prio=$1

	pfc_everywhere 3:on && small_buffers && recv_start h3 || return
	counts_from
	stack_from
	send_start h1 $((1 << prio)) h3 --time 2000
	send_start h2 $((1 << prio)) h3 --time 2000
	check wait "${sender[h1]}" && check wait "${sender[h2]}"
	wait_for 10 "the last frame" quiet h3 "$prio"
	recv_stop h3
	stack_since
	frames=$(($(sent h1) + $(sent h2)))
	got=$(received h3 "$prio" received)
	no_room=$(($(since sw0 fwd_rx_no_room) + $(since sw1 fwd_rx_no_room) +
		$(since sw2 fwd_tx_drop_full)))
	pauses_h1=$(since h1 "rx_prio${prio}_pause_transition")
	pauses_h2=$(since h2 "rx_prio${prio}_pause_transition")
	ktap_print_msg "priority $prio: sent $(sent h1) + $(sent h2), received $got," \
		"no room for $no_room, pauses $pauses_h1 + $pauses_h2"
	expect "frames that the stack got" "$stack_rx <= 20"
	expect "frames" "$frames * 1442 * 8 >= 2 * 95 * MBIT * 10000"
}

lossless()
{
	local frames got no_room pauses_h1 pauses_h2

	two_senders 3 || return
	expect "lost" "$frames - $got == 0"
	expect "dropped" "$no_room == 0"
	expect "pauses" "$pauses_h1 >= 4 && $pauses_h2 >= 4"
	expect "percent that are of h1" \
		"100 * $(sent h1) / $frames >= 45 && 100 * $(sent h1) / $frames <= 55"
	wait_for 5 "nobody is paused" nobody_paused
}

# Frames between ports that were dropped, by rtnl's statistics.
drops()
{
	cat /sys/class/net/sw[0-2]/statistics/{rx_missed_errors,tx_dropped} |
		awk '{ sum += $1 } END { print sum }'
}

drops_are()
{
	(($(drops) == $1))
}

lossy()
{
	local frames got no_room pauses_h1 pauses_h2 dropped

	dropped=$(drops)
	two_senders 5 || return
	expect "lost" "$frames - $got == $no_room"
	wait_for 10 "ip tells all drops" drops_are $((dropped + no_room))
	expect "percent that are lost" "100 * $no_room / $frames >= 30"
	expect "pauses" "$pauses_h1 + $pauses_h2 == 0"
}

# A link of the switch at a tenth of the speed.
slower()
{
	check in_host h3 ethtool -s h3 autoneg off speed "$1" duplex full &&
		check ethtool -s sw2 autoneg off speed "$1" duplex full &&
		until_forwarding sw2 && wait_for 10 "h3" ping_from h3 10.0.1.1
}

in_order()
{
	pfc_everywhere 3:on && small_buffers && defer slower "$MBIT" && slower $((MBIT / 10)) &&
		recv_start h3 || return
	counts_from
	send_start h1 0x08 h3 --time 2000 --flows 4
	check wait "${sender[h1]}"
	wait_for 20 "the last frame" quiet h3 3
	recv_stop h3
	ktap_print_msg "sent $(sent h1), received $(received h3 3 received)," \
		"pauses $(since h1 rx_prio3_pause_transition)"
	expect "lost" "$(sent h1) - $(received h3 3 received) == 0"
	expect "late" "$(received h3 3 late) == 0"
	expect "pauses of h1" "$(since h1 rx_prio3_pause_transition) >= 4"
	wait_for 5 "nobody is paused" nobody_paused
}

# The link partner of an egress port pauses it at random. By the recording of its wire.
egress_paused()
{
	pfc_everywhere 3:on && small_buffers && recv_start h3 || return
	counts_from
	wire_record sw2 || return
	send_start h1 0x08 h3
	wait_for 5 "traffic" moves h3 3 || return
	check in_host h3 parq_pfc --dev h3 storm --prios 0x08 --speed "$MBIT" --pauses 100 \
		--on 10000 --off 10000 --seed "$SRANDOM"
	send_stop h1
	wait_for 10 "the last frame" quiet h3 3
	recv_stop h3
	expect "lost" "$(sent h1) - $(received h3 3 received) == 0"
	expect "late" "$(received h3 3 late) == 0"
	expect "pauses of h1" "$(since h1 rx_prio3_pause_transition) >= 2"
	wire_is_clean sw2
	wait_for 5 "nobody is paused" nobody_paused
}

# stopped STOP GO: while two hosts fill the switch, STOP ends the way to h3, and their frames go
# elsewhere or nowhere. After GO all is as before.
stopped()
{
	pfc_everywhere 3:on && small_buffers || return
	counts_from
	send_start h1 0x08 h3
	send_start h2 0x08 h3
	wait_for 5 "h1 is paused" pauses_since h1 || return
	check eval "$1" || return
	wait_for 5 "h3 gets nothing" quiet h3 3
	counts_from
	sleep 0.5
	# They send as fast as they can, and are not paused for long.
	expect "frames of h1" "$(since h1 tx_prio3_packets) * 1442 * 8 >= MBIT * 100000"
	check eval "$2" || return
	wait_for 10 "h3 gets frames" moves h3 3
	send_stop h1 h2
	wait_for 5 "nobody is paused" nobody_paused
	pings
}

port_blocks()
{
	local purged

	purged=$(count sw2 fwd_tx_drop_purge)
	# Without a spanning tree the bridge would end any other state at once.
	stopped "bridge link set dev sw2 state disabled" "bridge link set dev sw2 state forwarding"
	expect "frames dropped that waited" "$(count sw2 fwd_tx_drop_purge) > $purged"
}

port_leaves()
{
	local purged

	purged=$(count sw2 fwd_tx_drop_purge)
	stopped "ip link set sw2 nomaster" "bridged sw2"
	expect "frames dropped that waited" "$(count sw2 fwd_tx_drop_purge) > $purged"
}

bridge_goes()
{
	stopped "ip link del br0" "bridge_up && wait_for 10 'ports forward' all_forward"
}

port_goes_down()
{
	stopped "ip link set sw2 down" "ip link set sw2 up"
}

link_goes_down()
{
	local dropped

	dropped=$(count sw2 fwd_tx_drop_link)
	stopped "ip -n h3 link set h3 down" "ip -n h3 link set h3 up && ip -n h3 link set vh3 up"
	expect "frames dropped without a link" "$(count sw2 fwd_tx_drop_link) > $dropped"
}

# A user's entry, which the bridge does not age, and what the device has after a reset.
static_entry()
{
	local mac=02:00:00:00:00:77

	check bridge fdb add $mac dev sw1 master static && defer bridge fdb del $mac dev sw1 master ||
		return
	wait_for 5 "offload" eval "[[ \"\$(fdb sw1 $mac)\" == *offload*static* ]]"
	check ip -n h1 neigh replace 10.0.0.77 lladdr $mac dev h1 nud permanent || return
	static_goes_to_h2
	switch_reset || return
	static_goes_to_h2
	pings
}

# A bridge keeps addresses of groups among those of stations, and all stations among its groups, but
# uses neither. The device refuses both, and is not asked.
unused_entries()
{
	local mac=02:00:00:00:00:77 group=01:00:5e:01:02:03 all=ff:ff:ff:ff:ff:ff mark=parq-unused-$SRANDOM

	echo "$mark" >/dev/kmsg
	check bridge mdb add dev br0 port sw1 grp $all permanent &&
		defer bridge mdb del dev br0 port sw1 grp $all permanent || return
	check bridge fdb add $group dev sw1 master static &&
		defer bridge fdb del $group dev sw1 master || return
	# The driver adds addresses in their order.
	check bridge fdb add $mac dev sw1 master static && defer bridge fdb del $mac dev sw1 master ||
		return
	wait_for 5 "offload" eval "[[ \"\$(fdb sw1 $mac)\" == *offload*static* ]]"
	same "flags of the address of a group" "$(fdb sw1 $group)" static
	same "groups of all stations on the device" \
		"$(bridge mdb show dev br0 | grep "$all" | grep -c offload)" 0
	same "accesses that the device refused" \
		"$(dmesg | sed "1,/$mark/d" | grep -c "illegal access")" 0
	pings
}

static_goes_to_h2()
{
	counts_from
	in_host h1 ping -q -c 5 -i 0.05 -W 0.1 10.0.0.77 >/dev/null
	expect "frames to h2" "$(since sw1 fwd_tx_frames) >= 5"
	expect "frames to h3" "$(since sw2 fwd_tx_frames) < 5"
}

# pktgen_h1 FILE COMMAND
pktgen_h1()
{
	check in_host h1 bash -c "echo '$2' >/proc/net/pktgen/$1"
}

# pktgen_ready COUNT: h1 will send so many small frames to h3, each from another address,
# 02:11:XX:XX:XX:XX. 0: without end. For shorter delays pktgen spins.
pktgen_ready()
{
	local setting

	pktgen_h1 kpktgend_0 "add_device h1" && defer pktgen_h1 kpktgend_0 rem_device_all || return
	for setting in "count $1" "delay 110000" "dst 10.0.0.3" "dst_mac $(address h3)" \
		"src_mac 02:11:00:00:00:00" "src_mac_count 100000"; do
		pktgen_h1 h1 "$setting" || return
	done
}

new_addresses_start()
{
	pktgen_ready 0 || return
	exec_in_host h1 bash -c "echo start >/proc/net/pktgen/pgctrl" &
	sender[h1]=$!
	defer new_addresses_stop
	wait_for 5 "new addresses" addresses_come
}

addresses_come()
{
	(($(new_addresses) > 100))
}

new_addresses_stop()
{
	[[ ${sender[h1]} ]] || return 0
	pktgen_h1 pgctrl stop
	wait "${sender[h1]}"
	sender[h1]=''
}

# The bridge's entries.
new_addresses()
{
	bridge fdb show br br0 | grep -c '^02:11:'
}

# The bridge frees its port. An entry that it gets too late would point to it.
leaves_while_learning()
{
	local n left=0

	new_addresses_start || return
	for ((n = 0; n < 20; n++)); do
		check ip link set sw0 nomaster || break
		((left += $(new_addresses)))
		check ip link set sw0 master br0 || break
		sleep 0.0$n
	done
	wait_for 5 "new addresses" addresses_come
	check ip link set sw0 nomaster
	new_addresses_stop
	sleep 0.2
	expect "entries of a port that has left" "$left + $(new_addresses) == 0"
	bridged sw0 && until_forwarding sw0 || return
	pings
}

# all_are_known NUMBER: by the bridge, or they are counted as those that found no place.
all_are_known()
{
	(($(new_addresses) + $(since sw0 fwd_rx_no_entry) == $1))
}

# More addresses than the table has room for. The bridge has those that the device has.
table_fills()
{
	local frames=20000

	check ping_from h3 10.0.0.1
	counts_from
	pktgen_ready $frames && pktgen_h1 pgctrl start || return
	wait_for 10 "the last frame" eval "((\$(since sw0 fwd_rx_frames) >= $frames))"
	wait_for 10 "the bridge knows what the device has" all_are_known $frames
	ktap_print_msg "the bridge has $(new_addresses) of $frames"
	expect "addresses" "$(new_addresses) > 8000"
	check ip link set sw0 nomaster
	expect "addresses of a port that has left" "$(new_addresses) == 0"
	bridged sw0 && until_forwarding sw0 || return
	pings
}

# To a bridge 0 means: learn nothing, flood always.
no_ageing()
{
	local mac

	mac=$(address h2)
	defer ip link set br0 type bridge ageing_time 30000
	check ping_from h2 10.0.0.1
	wait_for 5 "address of h2" learned sw1 "$mac"
	check ip link set br0 type bridge ageing_time 0 || return
	wait_for 5 "the entry of h2 is removed" eval "[[ ! \"\$(fdb sw1 $mac)\" ]]"
	counts_from
	check in_host h1 ping -q -c 20 -i 0.01 10.0.0.2 >/dev/null
	expect "frames to h3, which has another address" "$(since sw2 fwd_tx_frames) >= 40"
	same "entry of h2" "$(fdb sw1 "$mac")" ""
	check ip link set br0 type bridge ageing_time 30000 || return
	check ping_from h2 10.0.0.1
	wait_for 5 "address of h2" learned sw1 "$mac"
}

# The device removes an address that is silent, and the bridge does.
ageing()
{
	local mac

	mac=$(address h2)
	defer ip link set br0 type bridge ageing_time 30000
	check ping_from h2 10.0.0.1
	wait_for 5 "address of h2" learned sw1 "$mac"
	check ip link set br0 type bridge ageing_time 200 || return
	wait_for 10 "the entry of h2 is removed" eval "[[ ! \"\$(fdb sw1 $mac)\" ]]"
	pings
}

# Ports that must not talk to each other.
isolated()
{
	defer eval 'bridge link set dev sw0 isolated off; bridge link set dev sw2 isolated off'
	check bridge link set dev sw0 isolated on && check bridge link set dev sw2 isolated on || return
	check_refused ping_from h1 10.0.0.3
	check ping_from h1 10.0.0.2
	check ping_from h3 10.0.0.2
}

# Packets that a host has received.
received_by()
{
	ip -n "$1" -s -j link show dev "$1" | jq '.[0].stats64.rx.packets'
}

# h1 sends to all hosts, which do not answer. $at_h2, $at_h3: so many got there.
to_group()
{
	local was_h2 was_h3

	was_h2=$(received_by h2)
	was_h3=$(received_by h3)
	in_host h1 ping -q -c 20 -i 0.01 -W 0.1 -I h1 224.0.0.1 >/dev/null
	at_h2=$(($(received_by h2) - was_h2))
	at_h3=$(($(received_by h3) - was_h3))
}

# A port that does not want all groups.
groups()
{
	local at_h2 at_h3

	defer bridge link set dev sw2 mcast_flood on
	stack_from
	to_group
	stack_since
	expect "frames at h2 and h3" "$at_h2 >= 20 && $at_h3 >= 20"
	expect "frames that the stack sent" "$stack_tx < 10"
	check bridge link set dev sw2 mcast_flood off || return
	to_group
	expect "frames at h2, and not at h3" "$at_h2 >= 20 && $at_h2 < 30 && $at_h3 < 10"
	pings
	check ip link set sw2 nomaster && bridged sw2 &&
		until_forwarding sw2 || return
	stack_from
	to_group
	stack_since
	expect "frames at h2 and h3 again" "$at_h2 >= 20 && $at_h3 >= 20"
	expect "frames that the stack sent again" "$stack_tx < 10"
}

# $at_h2, $at_h3: so many frames the switch sent there. Hosts that have not joined do not take them.
to_members()
{
	counts_from
	in_host h1 ping -q -c 20 -i 0.01 -W 0.1 -I h1 239.1.1.1 >/dev/null
	at_h2=$(since sw1 fwd_tx_frames) at_h3=$(since sw2 fwd_tx_frames)
}

goes_to_h2_alone()
{
	to_members
	((at_h2 >= 20 && at_h3 < 10))
}

# With a querier a group goes to its members. The device does it, not the stack.
members()
{
	local at_h2 at_h3

	defer ip -n h1 route del 239.0.0.0/8 && check ip -n h1 route add 239.0.0.0/8 dev h1 || return
	defer ip link set br0 type bridge mcast_querier 0
	check ip link set br0 type bridge mcast_querier 1 &&
		check bridge mdb add dev br0 port sw1 grp 239.1.1.1 permanent || return
	defer bridge mdb del dev br0 port sw1 grp 239.1.1.1 permanent
	wait_for 30 "the group goes to h2 alone" goes_to_h2_alone
	stack_from
	to_members
	stack_since
	expect "frames at h2, and not at h3" "$at_h2 >= 20 && $at_h3 < 10"
	expect "frames that the stack got and sent" "$stack_rx < 10 && $stack_tx < 10"
	check bridge mdb add dev br0 port sw2 grp 239.1.1.1 permanent || return
	to_members
	expect "frames at both" "$at_h2 >= 20 && $at_h3 >= 20"
	check bridge mdb del dev br0 port sw2 grp 239.1.1.1 permanent || return
	to_members
	expect "frames at h2 again, and not at h3" "$at_h2 >= 20 && $at_h3 < 10"
	# Without a bridge that snoops, all hosts get it.
	defer ip link set br0 type bridge mcast_snooping 1
	check ip link set br0 type bridge mcast_snooping 0 || return
	to_members
	expect "frames at all" "$at_h2 >= 20 && $at_h3 >= 20"
}

# A port on its own is a NIC: no frame of it goes to another.
standalone()
{
	check ip link set sw0 nomaster && defer bridged sw0 || return
	check ip addr add 10.0.2.9/24 dev sw0 && defer ip addr del 10.0.2.9/24 dev sw0 || return
	check ip -n h1 addr add 10.0.2.1/24 dev h1 && defer ip -n h1 addr del 10.0.2.1/24 dev h1 || return
	check ping_from h1 10.0.2.9
	check_refused ping_from h1 10.0.0.3
	check ping_from h2 10.0.0.3
}

refusals()
{
	local before

	before=$(bridge -j -d link show dev sw0)
	refused_with "the device cannot send a frame back (hairpin)" bridge link set dev sw0 hairpin on
	refused_with "the device cannot do mcast_to_unicast" bridge link set dev sw0 mcast_to_unicast on
	refused_with "the device cannot lock a port" bridge link set dev sw0 locked on
	same "settings of sw0" "$(bridge -j -d link show dev sw0)" "$before"
	refused_with "the ports forward, only offload is possible" \
		devlink dev param set "$nic_bus/$(<"$configfs/sw/dev_name")" name pfc_executor \
		value managed cmode runtime
	pings
}

# What the hosts had to send waits for a link, until their interfaces go down.
removed()
{
	pfc_everywhere 3:on && small_buffers || return
	counts_from
	send_start h1 0x08 h3
	send_start h2 0x08 h3
	wait_for 5 "h1 is paused" pauses_since h1 || return
	set_to sw/live 0
	check ip -n h1 link set h1 down && check ip -n h2 link set h2 down
	send_stop h1 h2
}

# Each frame that sw2 has dropped has a reason, and is in rtnl's statistics once. The tests before
# have made it drop frames.
reasons_add_up()
{
	expect "frames that waited" "$(count sw2 fwd_tx_drop_purge) > 0"
	expect "frames without a link" "$(count sw2 fwd_tx_drop_link) > 0"
	same "dropped frames" "$(</sys/class/net/sw2/statistics/tx_dropped)" \
		"$(parq_counters sw2 | awk '/_fwd_tx_drop_/ { sum += $2 } END { print sum }')"
}

switch_begin
code_points_reset()
{
	dcb app flush dev sw0 && dcb apptrust set dev sw0 order pcp && dcb rewr flush dev sw2 &&
		dcb -n h3 app flush dev h3 && dcb -n h3 apptrust set dev h3 order pcp
}

# The port by which a frame comes finds its priority, the one by which it leaves writes another
# code point. What the receiver counts as priority 6 has that one.
code_points()
{
	defer code_points_reset
	check dcb app add dev sw0 dscp-prio 26:3 && check dcb apptrust set dev sw0 order dscp &&
		check dcb rewr add dev sw2 prio-dscp 3:30 || return
	check dcb -n h3 app add dev h3 dscp-prio 26:5 30:6 &&
		check dcb -n h3 apptrust set dev h3 order dscp || return
	counts_from
	check in_host h1 ping -q -c 20 -i 0.01 -Q $((26 << 2)) 10.0.0.3 >/dev/null
	expect "frames of priority 3 to h3" "$(since sw2 tx_prio3_packets) == 20"
	expect "frames with the new code point" "$(since h3 rx_prio6_packets) == 20"
	counts_from
	check in_host h1 ping -q -c 20 -i 0.01 -Q $((25 << 2)) 10.0.0.3 >/dev/null
	expect "frames of priority 3 with another code point" "$(since sw2 tx_prio3_packets) == 0"
	check dcb apptrust set dev sw0 order pcp || return
	counts_from
	check in_host h1 ping -q -c 20 -i 0.01 -Q $((26 << 2)) 10.0.0.3 >/dev/null
	expect "frames of priority 3 without trust" "$(since sw2 tx_prio3_packets) == 0"
	expect "frames with their own code point" "$(since h3 rx_prio5_packets) == 20"
}

run_tests \
	"frames between hosts stay on the device" forwards \
	"the host of the switch takes part" host_of_switch \
	"a member of the bridge that is not of the device" foreign_member \
	"two senders, one receiver, a priority with PFC: nothing is lost" lossless \
	"two senders, one receiver, a priority without PFC: half is lost" lossy \
	"a fast sender and a slow receiver: nothing is lost or late" in_order \
	"a paused port pauses the sender" egress_paused \
	"a port that blocks under load leaves nobody paused" port_blocks \
	"a port that leaves the bridge under load leaves nobody paused" port_leaves \
	"a bridge that is deleted under load leaves nobody paused" bridge_goes \
	"a port that goes down under load leaves nobody paused" port_goes_down \
	"a link that goes down under load leaves nobody paused" link_goes_down \
	"a user's entry" static_entry \
	"entries that no bridge uses" unused_entries \
	"silent addresses are removed" ageing \
	"without an ageing time nothing is learned" no_ageing \
	"a port that leaves while addresses are learned" leaves_while_learning \
	"more addresses than the device has room for" table_fills \
	"isolated ports" isolated \
	"a port that does not want all groups" groups \
	"a group goes to its members" members \
	"code points decide, and are rewritten" code_points \
	"a port outside the bridge is on its own" standalone \
	"what the device cannot do is refused" refusals \
	"each dropped frame has a reason" reasons_add_up \
	"the switch goes under load" removed
