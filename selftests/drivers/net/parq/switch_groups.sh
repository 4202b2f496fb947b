#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Multicast groups of a bridge over a NIC whose ports forward.
#
# Hosts join by sockets, and the bridge hears of it through the device. Groups go to their members
# by the device, in each VLAN of its own, after a reset, too. With more groups than the device has
# room for, those without an entry are flooded, and nothing is refused to a port that joins.
# Members that come and go cost no frame of a priority with PFC.
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

# Entries of the device's table of groups.
TABLE=4096

# ---- groups ------------------------------------------------------------------------

# Joins a group of IPv4 or IPv6 at an interface, and leaves it when it ends.
JOIN='
import socket, sys, time
group, dev = sys.argv[1:]
index = socket.if_nametoindex(dev)
if ":" in group:
    s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP,
                 socket.inet_pton(socket.AF_INET6, group) + index.to_bytes(4, "little"))
else:
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                 socket.inet_aton(group) + bytes(4) + index.to_bytes(4, "little"))
time.sleep(100000)
'
declare -A member

# join HOST GROUP [INTERFACE]: until leave, or the end of the test.
join()
{
	exec_in_host "$1" python3 -c "$JOIN" "$2" "${3:-$1}" &
	member[$1]=$!
	defer kill_quietly $!
}

leave()
{
	check kill "${member[$1]}" && ! wait "${member[$1]}"
}

# has_group PORT GROUP [VLAN]: the bridge has it, and so has the device.
has_group()
{
	bridge -d mdb show dev br0 | grep -E "port $1 grp $2 .*offload" |
		grep -q "${3:+vid $3}"
}

lacks_group()
{
	! bridge mdb show dev br0 | grep -q "port $1 grp $2 "
}

# mdb ACTION PORT GROUP [VLAN]
mdb()
{
	check bridge mdb "$1" dev br0 port "$2" grp "$3" permanent ${4:+vid "$4"}
}

# The bridge asks for members from now on. h1 sends groups by its interface.
querier_on()
{
	check ip -n h1 route add 239.0.0.0/8 dev h1 &&
		check ip link set br0 type bridge mcast_querier 1 &&
		wait_for 30 "the device knows the querier" goes_to 239.99.0.1 0 0
}

# send_to GROUP: 20 frames. $at_h2, $at_h3: so many the switch sent there.
send_to()
{
	local ipv6=()

	[[ $1 != *:* ]] || ipv6=(-6)
	counts_from
	in_host h1 ping "${ipv6[@]}" -q -c 20 -i 0.01 -W 0.1 -I "${2:-h1}" "$1" >/dev/null
	at_h2=$(since sw1 fwd_tx_frames) at_h3=$(since sw2 fwd_tx_frames)
}

# goes_to GROUP TO_H2 TO_H3 [INTERFACE]: 1: it gets the group.
goes_to()
{
	local at_h2 at_h3

	send_to "$1" "${4:-}"
	ktap_print_msg "$1: $at_h2 to h2, $at_h3 to h3"
	(((at_h2 >= 20) == $2 && (at_h3 >= 20) == $3))
}

# ---- tests -------------------------------------------------------------------------

# joins GROUP: sockets of h2 and h3 join and leave it. The stack forwards none of its frames.
joins()
{
	join h2 "$1"
	wait_for 10 "the device has the member" has_group sw1 "$1" || return
	stack_from
	check goes_to "$1" 1 0
	stack_since
	expect "frames that the stack got and sent" "$stack_rx < 15 && $stack_tx < 15"
	join h3 "$1"
	wait_for 10 "the device has both members" has_group sw2 "$1" || return
	check goes_to "$1" 1 1
	leave h2
	wait_for 10 "h2 is no member" lacks_group sw1 "$1" || return
	check goes_to "$1" 0 1
	leave h3
	wait_for 10 "h3 is no member" lacks_group sw2 "$1" || return
	check goes_to "$1" 0 0
}

igmp()
{
	joins 239.1.1.1
}

# IPv6 is off elsewhere. The querier needs an address.
ipv6()
{
	local n=$((1 - $1)) host

	check sysctl -qw "net.ipv6.conf.br0.disable_ipv6=$n" || return
	for host in "${HOSTS[@]}"; do
		check in_host "$host" sysctl -qw "net.ipv6.conf.$host.disable_ipv6=$n" || return
	done
}

has_address()
{
	[[ $(ip -n "$1" -6 addr show dev "$1" -tentative) ]]
}

mld()
{
	defer ipv6 0
	ipv6 1 || return
	wait_for 10 "h1 has an address" has_address h1 || return
	wait_for 60 "the device knows the querier of IPv6" goes_to ff05::99:1 0 0 &&
		joins ff05::1:1
}

vlans_off()
{
	local port

	check ip link set br0 type bridge vlan_filtering 0
	for port in sw0 sw1 sw2 sw3; do
		check bridge vlan del dev $port vid 10
	done
}

# Each VLAN has its own members.
vlans()
{
	local port

	defer vlans_off
	check ip link set br0 type bridge vlan_filtering 1 || return
	for port in sw0 sw1 sw2 sw3; do
		check bridge vlan add dev $port vid 10 || return
	done
	join h2 239.1.1.1 vh2
	wait_for 10 "h2 is a member in VLAN 10" has_group sw1 239.1.1.1 10 || return
	join h3 239.1.1.1
	wait_for 10 "h3 is a member in VLAN 1" has_group sw2 239.1.1.1 1 || return
	check goes_to 239.1.1.1 1 0 vh1
	check goes_to 239.1.1.1 0 1 h1
	# The groups of a VLAN go with it.
	check bridge vlan del dev sw1 vid 10 && check goes_to 239.1.1.1 0 0 vh1
	check bridge vlan add dev sw1 vid 10 && check goes_to 239.1.1.1 0 1 h1
}

reset()
{
	defer mdb del sw1 239.1.1.1
	mdb add sw1 239.1.1.1 || return
	check goes_to 239.1.1.1 1 0
	switch_reset || return
	check goes_to 239.1.1.1 1 0
	check goes_to 239.1.1.2 0 0
}

# groups_batch ACTION PORT FIRST LAST: commands. Number N is 239.2.(N / 256).(N % 256).
groups_batch()
{
	local n

	for ((n = $3; n <= $4; n++)); do
		echo "mdb $1 dev br0 port $2 grp 239.2.$((n >> 8)).$((n & 255)) permanent"
	done >"$tmp/batch"
}

# groups ACTION PORT FIRST LAST
groups()
{
	groups_batch "$@"
	check bridge -batch "$tmp/batch"
}

# groups_end PORT FIRST LAST: those that are there.
groups_end()
{
	groups_batch del "$@"
	bridge -force -batch "$tmp/batch" 2>/dev/null || true
}

refused()
{
	count sw0 fwd_mdb_refused
}

# One more than the device has room for.
full()
{
	local before last=239.2.$((TABLE >> 8)).$((TABLE & 255))

	defer ip link set br0 type bridge mcast_hash_max 4096
	check ip link set br0 type bridge mcast_hash_max 16384 || return
	before=$(refused)
	defer groups_end sw1 0 $TABLE
	groups add sw1 0 $((TABLE - 1)) || return
	wait_for 10 "the device has the last one" has_group sw1 239.2.15.255 || return
	same "refused" "$(refused)" "$before"
	check goes_to 239.3.0.1 0 0
	groups add sw1 $TABLE $TABLE || return
	wait_for 10 "one more is refused" eval "((\$(refused) == before + 1))"
	check_refused has_group sw1 $last
	# Groups without an entry go to all, and others to their member.
	check goes_to $last 1 1
	check goes_to 239.3.0.1 1 1
	check goes_to 239.2.0.7 1 0
	# The host is a member, and a port joins.
	defer ip addr del 239.3.1.1/32 dev br0
	check ip addr add 239.3.1.1/32 dev br0 autojoin || return
	wait_for 10 "the host's is refused" eval "((\$(refused) > before + 1))"
	check ip link set sw3 nomaster && bridged sw3 || return
	# A place for one of both, then for all.
	groups del sw1 0 0 || return
	sleep 2
	check goes_to 239.3.0.1 1 1
	groups del sw1 1 8 || return
	wait_for 10 "groups without an entry are not flooded" goes_to 239.3.0.1 0 0
	check goes_to $last 1 0
	# Only the bridge repeats them: the host's to each port.
	expect "refused in all" "$(refused) - $before <= 10"
}

# Groups come and go while a port joins: none is lost, and none stays.
joining()
{
	local n adder

	defer groups_end sw1 0 299
	defer ip addr del 239.3.1.1/32 dev br0
	check ip addr add 239.3.1.1/32 dev br0 autojoin || return
	groups add sw1 0 99 || return
	for ((n = 0; n < 10; n++)); do
		groups add sw1 100 299 &
		adder=$!
		check ip link set sw2 nomaster && bridged sw2 || return
		check wait $adder
		check ip link set sw3 nomaster && bridged sw3 || return
		groups del sw1 100 299 || return
	done
	wait_for 10 "ports forward" all_forward || return
	for n in 0 50 99; do
		check goes_to 239.2.0.$n 1 0
	done
	check goes_to 239.2.0.100 0 0
	check goes_to 239.2.1.43 0 0
	# The host is still a member.
	stack_from
	check goes_to 239.3.1.1 0 0
	stack_since
	expect "frames that the stack got" "$stack_rx >= 20"
	groups add sw1 100 299 && wait_for 10 "the last group" has_group sw1 239.2.1.43 &&
		check goes_to 239.2.1.43 1 0
}

# pause SECONDS: without a process.
pause()
{
	read -rt "$1" <>"$tmp/fifo" || true
}

# h1 sends to a group of h2, as fast as it can, and h3 takes half of the way to h2. h3 joins and
# leaves the group 500 times.
lossless()
{
	local n action

	pfc_everywhere 3:on && small_buffers || return
	defer mdb del sw1 239.1.1.1
	mdb add sw1 239.1.1.1 || return
	join h2 239.1.1.1 vh2
	wait_for 10 "h2 joins" in_host h2 grep -q 010101EF /proc/net/igmp || return
	check ping_from h3 10.0.1.2
	check mkfifo "$tmp/fifo" && recv_start h2 || return
	counts_from
	exec_in_host h1 parq_traffic send --dev vh1 --to 239.1.1.1 --prios 0x08 --drain 20000 \
		>"$tmp/sent.h1" &
	sender[h1]=$!
	defer kill_quietly $!
	send_start h3 0x20 h2
	wait_for 5 "traffic" moves h2 3 || return
	for ((n = 0; n < 500; n++)); do
		for action in add del; do
			mdb $action sw2 239.1.1.1 || return
			pause 0.002
		done
	done
	send_stop h1 h3
	wait_for 10 "h2 reads all" quiet h2 3
	recv_stop h2
	ktap_print_msg "sent $(sent h1), received $(received h2 3 received)," \
		"h3 $(since sw2 fwd_tx_frames) of them"
	expect "frames" "$(sent h1) >= 1000"
	expect "lost" "$(sent h1) - $(received h2 3 received) == 0"
	expect "late" "$(received h2 3 late) == 0"
	expect "frames of the group to h3" "$(since sw2 fwd_tx_frames) >= $(sent h1) / 4"
	expect "frames of the group not to h3" "$(since sw2 fwd_tx_frames) <= $(sent h1) * 3 / 4"
	expect "pauses of h1" "$(since h1 rx_prio3_pause_transition) >= 4"
	wait_for 5 "nobody is paused" nobody_paused
}

switch_begin
querier_on || ktap_exit_fail_msg "there is no querier"
run_tests \
	"more groups than the device has room for" full \
	"hosts join and leave a group of IPv4" igmp \
	"hosts join and leave a group of IPv6" mld \
	"each VLAN has its own members" vlans \
	"groups after a reset of the device" reset \
	"members change a thousand times and nothing is lost" lossless \
	"groups come and go while ports join" joining
