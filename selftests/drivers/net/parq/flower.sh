#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Filters of tc flower in the NIC: they drop frames and select queues in the order of their
# preferences, behind the rules of ethtool, and count. They survive down, up and a reset, go with
# their qdisc, and what cannot be is refused and changes nothing. They change under lossless traffic
# at 100 Gb/s: no frame is lost, and none of a flow is late.
#
#	p0 ==== data ====>  p1
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/steer.sh
. "$(dirname "$0")/lib/steer.sh"

UDP=(ip_proto udp dst_ip 192.0.2.2)	# what arrives() sends

# to_queue N: sets $action
to_queue()
{
	action=(action skbedit queue_mapping "$1" skip_sw)
}

# filter PREF PROTOCOL WORD...
filter()
{
	local pref=$1 protocol=$2
	shift 2

	far tc filter add dev p1 ingress pref "$pref" protocol "$protocol" flower skip_sw "$@"
}

filter_del()
{
	far tc filter del dev p1 ingress pref "$1"
}

# Prints frames and bytes that the NIC has counted for the filters of a preference.
hits()
{
	far tc -s filter show dev p1 ingress pref "$1" |
		awk '/Sent hardware/ { n += $5; b += $3 } END { print n + 0, b + 0 }'
}

# Frames that no filter matches go to queue 0.
filters_prepare()
{
	defer channels_set p1 "$(channel_count p1)"
	check channels_set p1 4 || return
	defer far ethtool -X p1 default
	check far ethtool -X p1 equal 1 || return
	defer far tc qdisc del dev p1 clsact
	check far tc qdisc add dev p1 clsact
}

filters_act()
{
	local action queue

	filters_prepare || return
	for queue in 1 2 3; do
		to_queue $queue
		check filter 30 ip "${UDP[@]}" "${action[@]}" || return
		arrives "to queue $queue" $queue
		check filter_del 30 || return
	done
	to_queue 3
	check filter 30 ip "${UDP[@]}" "${action[@]}" || return
	check filter 20 ip src_ip 192.0.2.0/24 action drop || return
	arrives "a filter before it, by mask" dropped
	check filter 10 ip "${UDP[@]}" src_ip 192.0.2.1 action pass || return
	arrives "the first passes" 0
	check filter_del 10 || return
	arrives "dropped again" dropped
	check filter_del 20 || return
	arrives "the last is left" 3
}

order_of_masks()
{
	local action

	filters_prepare || return
	# One preference: the mask that came first decides.
	to_queue 1
	check filter 10 ip "${UDP[@]}" "${action[@]}" || return
	to_queue 2
	check filter 10 ip src_ip 192.0.2.0/24 "${action[@]}" || return
	arrives "the first mask" 1
	to_queue 3
	check filter 10 ip ip_proto udp dst_ip 192.0.2.9 "${action[@]}" || return
	arrives "another filter of it" 1
	check far tc filter replace dev p1 ingress pref 10 protocol ip handle 1 flower skip_sw \
		"${UDP[@]}" action drop || return
	arrives "replaced" dropped
}

tags_matter()
{
	filters_prepare || return
	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 || return
	check filter 10 ip ip_proto udp dst_ip 198.51.100.2 action drop &&
		check filter 20 802.1Q vlan_id 10 vlan_prio 3 vlan_ethtype ip ip_proto udp \
		      action drop &&
		check filter 30 802.1Q vlan_id 10 vlan_prio 4 action drop &&
		check counters_begin || return
	check at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --prios 0x08 --flows 1 \
		--frames 100 >"$tmp/sent"
	wait_for 10 "frames are dropped" counts "counted[p1_rx_filtered] >= 100"
	same "without a tag" "$(hits 10)" "0 0"
	same "with its tag" "$(hits 20 | cut -d ' ' -f 1)" 100
	same "with another one" "$(hits 30)" "0 0"
}

# counted_are PREF FRAMES: with the bytes of each
counted_are()
{
	local frames bytes

	read -r frames bytes < <(hits "$1")
	expect "frames that pref $1 has counted" "$frames == $2"
	expect "bytes of them" "$bytes >= $2 * 60 && $bytes % ($2) == 0"
}

filters_count()
{
	local action

	filters_prepare || return
	to_queue 2
	check filter 10 ip "${UDP[@]}" "${action[@]}" || return
	arrives "once" 2
	counted_are 10 800
	check filter 5 ip dst_ip 192.0.2.77 action drop || return
	arrives "behind another filter" 2
	counted_are 10 1600
	same "what never came" "$(hits 5)" "0 0"
	check far ip link set p1 down && check far ip link set p1 up && check link_up &&
		check set_neighbours || return
	arrives "after down and up" 2
	counted_are 10 2400
	check far ethtool --reset p1 all >/dev/null && check link_up && check set_neighbours || return
	counted_are 10 2400
	arrives "after a reset" 2
	counted_are 10 3200
}

# Rules of ethtool come first, keep their locations, and are not touched by filters.
beside_ethtool()
{
	local action before n

	filters_prepare || return
	defer delete_rules
	to_queue 2
	check filter 1 ip "${UDP[@]}" "${action[@]}" || return
	arrives "by the filter" 2
	check far ethtool -N p1 flow-type udp4 dst-ip 192.0.2.2 action 1 loc 63 >/dev/null || return
	arrives "by the rule" 1
	before=$(far ethtool -n p1)
	check filter 2 ip dst_ip 192.0.2.66 action drop && check filter_del 2 || return
	same "rules of ethtool" "$(far ethtool -n p1)" "$before"
	arrives "by the rule still" 1
	for ((n = 0; n < 62; n++)); do
		check filter 7 ip ip_proto udp dst_port $((1000 + n)) action drop || return
	done
	refused_with "all 64 rules are in use, 63 of them by filters of tc" \
		filter 8 ip ip_proto udp dst_port 999 action drop
	logs "all 64 rules are in use, 63 of them by filters of tc" \
		check_refused far ethtool -N p1 flow-type udp4 dst-port 999 action 0
	check far ethtool -N p1 delete 63 || return
	arrives "by the filter again" 2
	check filter 8 ip ip_proto udp dst_port 999 action drop
}

refusals()
{
	local action before

	filters_prepare || return
	to_queue 3
	check filter 10 ip "${UDP[@]}" "${action[@]}" || return
	before=$(far tc filter show dev p1 ingress)
	to_queue 4
	refused_with "queue_mapping 4: not within 0 to 3" filter 11 ip ip_proto udp "${action[@]}"
	refused_with "match on tcp_flags" filter 11 ip ip_proto tcp tcp_flags 2 action drop
	refused_with "match on ip_ttl" filter 11 ip ip_ttl 64 action drop
	refused_with "match on ranges of ports" \
		filter 11 ip ip_proto udp dst_port 10-20 action drop
	refused_with "match on flags" filter 11 ip ip_flags frag action drop
	refused_with "protocol 802.1ad" filter 11 802.1ad vlan_id 5 action drop
	refused_with "match on cvlan_*" filter 11 802.1Q vlan_id 5 vlan_ethtype 802.1Q \
		cvlan_id 6 action drop
	refused_with "match on arp_*" filter 11 arp arp_op request action drop
	refused_with "2 actions" filter 11 ip action skbedit mark 1 action drop
	refused_with "0 actions" filter 11 ip
	refused_with "action " filter 11 ip action mirred egress redirect dev p1
	check_refused filter 11 ip chain 1 action drop
	check_refused filter 11 ip action goto chain 1
	check_refused far tc filter add dev p1 egress pref 11 protocol ip flower skip_sw action drop
	refused_with "classid, hw_tc" filter 11 ip hw_tc 0 action drop
	check_refused far ethtool -L p1 combined 3
	logs "hw-tc-offload off refused: filters of tc are in the device" \
		far ethtool -K p1 hw-tc-offload off >/dev/null 2>&1
	same "filters after refusals" "$(far tc filter show dev p1 ingress)" "$before"
	arrives "as before" 3
	# What the NIC cannot do works in software.
	check far tc filter add dev p1 ingress pref 5 protocol ip flower ip_ttl 64 action pass &&
		far tc filter show dev p1 ingress pref 5 | grep -q not_in_hw
	check filter_del 5 && check filter_del 10 || return
	# The kernel does not repeat a request that has failed.
	defer far ethtool -K p1 hw-tc-offload on
	check far ethtool -K p1 hw-tc-offload on && check far ethtool -K p1 hw-tc-offload off ||
		return
	check_refused filter 10 ip "${UDP[@]}" action drop
}

passes()
{
	check counters_begin || return
	check parq_traffic send --dev p0 --to 192.0.2.2 --flows 1 --frames 1 >"$tmp/sent"
	counters_end
	((counted[p1_rx_filtered] == 0))
}

# The stack adds and removes filters of a block when an interface comes or goes.
blocks_come_and_go()
{
	filters_prepare && check far tc qdisc del dev p1 clsact || return
	defer far ip link del d0
	check far ip link add d0 type dummy &&
		check far tc qdisc add dev d0 ingress_block 22 clsact &&
		check far tc filter add block 22 pref 10 protocol ip flower "${UDP[@]}" action drop &&
		check far tc qdisc add dev p1 ingress_block 22 clsact || return
	wait_for 10 "the filter is in the NIC" dropped_now
	arrives "by the block" dropped
	check far tc qdisc del dev p1 clsact || return
	wait_for 10 "the filter is gone" passes
	check far tc qdisc add dev p1 clsact && check filter 10 ip "${UDP[@]}" action drop &&
		arrives "by the qdisc" dropped && check far tc qdisc del dev p1 clsact || return
	wait_for 10 "the filter is gone with the qdisc" passes
	check far tc qdisc add dev p1 clsact
}

dropped_now()
{
	! passes
}

# Prints commands of tc: every other flow goes to a queue, all go to another one, and back.
changes()
{
	local n odd at="dev p1 ingress protocol 802.1Q" tag="flower skip_sw vlan_id 10"
	local udp="$tag vlan_ethtype ip ip_proto udp" action="action skbedit queue_mapping"

	for ((n = 0; n < OFTEN / 5; n++)); do
		odd=$((n % 2))
		cat <<-EOF
		filter add $at pref 20 $tag vlan_prio 3 $action $((n % 4)) skip_sw
		filter add $at pref 10 $udp src_port $odd/1 $action $(((n + 1) % 4)) skip_sw
		filter replace $at pref 10 handle 1 $udp src_port $((!odd))/1 $action $((-n & 3)) skip_sw
		filter del dev p1 ingress pref 10
		filter del dev p1 ingress pref 20
		EOF
	done
}

# Each state lasts for some frames: no simulated time passes while tc works.
filters_change()
{
	changes >"$tmp/changes" && paced 0.00002 <"$tmp/changes" | far tc -batch -
	check test "${PIPESTATUS[*]}" == "0 0"
}

filters_are_hitless()
{
	filters_prepare && steer_prepare && under_traffic filters_change || return
	expect "queues used" "$(queues_used) > 1"
}

run_tests \
	"filters select queues, drop and pass by preference" filters_act \
	"filters of a preference apply in the order of masks" order_of_masks \
	"a filter is for frames with or without a tag" tags_matter \
	"filters count, over down, up and a reset" filters_count \
	"rules of ethtool come first, and share the table" beside_ethtool \
	"what cannot be is refused" refusals \
	"filters come and go with blocks and qdiscs" blocks_come_and_go \
	"changes of filters lose nothing at 100 Gb/s" filters_are_hitless
