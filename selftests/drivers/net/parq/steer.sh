#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Settings of the hash, RSS contexts and rules change, OFTEN each, under lossless traffic
# at 100 Gb/s: no frame is lost, and none of a flow is late. They survive down, up and a reset, and
# what is refused changes nothing.
#
#	p0 ==== data ====>  p1
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/steer.sh
. "$(dirname "$0")/lib/steer.sh"

# often CHANGES FUNCTION: calls it with 0, 1, 2, ... in p1's namespace. It makes that many changes. To
# enter the namespace for each would take longer than the change.
often()
{
	export never
	export -f sleep change random_key "${2?}"
	check far bash -c "for ((n = 0; n < $OFTEN / $1; n++)); do $2 \$n || exit; done"
}

# change WORD...: by ethtool. No simulated time passes while it runs, so that frames would come in
# none of the states: each lasts for some of them.
change()
{
	ethtool "$@" && sleep 0.00002
}

# Sets $key.
random_key()
{
	local n

	printf -v key '%02x' $((RANDOM & 255))
	for n in {1..39}; do
		printf -v key '%s:%02x' "$key" $((RANDOM & 255))
	done
}

change_hash()
{
	local key fields=(sdfn sd s d sdf fn n)

	random_key
	change -N p1 rx-flow-hash udp4 "${fields[$1 % 7]}" &&
		change -X p1 hkey "$key" &&
		change -X p1 start $(($1 % 3)) equal 2 &&
		change -X p1 default
}

hash_is_hitless()
{
	defer far ethtool -N p1 rx-flow-hash udp4 sdfn
	defer far ethtool -X p1 default
	steer_prepare && under_traffic often 4 change_hash || return
	expect "queues used" "$(queues_used) > 1"
}

# Every other flow goes to a queue, all to another one, by VLAN and by address, and back.
change_rules()
{
	change -N p1 flow-type udp4 src-port $(($1 / 3 % 2)) m 0xfffe action $(($1 % 4)) loc 7 &&
		change -N p1 flow-type udp4 dst-ip 198.51.100.2 action $((($1 + 1) % 4)) loc 8 &&
		change -N p1 flow-type ip4 vlan $((3 << 13 | 10)) action $((($1 + 2) % 4)) loc 9 &&
		change -N p1 delete $((7 + $1 % 3)) &&
		change -N p1 delete $((7 + ($1 + 1) % 3)) &&
		change -N p1 delete $((7 + ($1 + 2) % 3))
}

rules_are_hitless()
{
	defer delete_rules
	steer_prepare && under_traffic often 6 change_rules || return
	expect "queues used" "$(queues_used) > 1"
}

change_contexts()
{
	local key context rule fields=(sdfn sd s fn)

	random_key
	context=$(change -X p1 context new start $(($1 % 3)) equal 2) &&
		context=${context##* } &&
		rule=$(change -N p1 flow-type udp4 dst-ip 198.51.100.2 context "$context") &&
		rule=${rule##* } &&
		change -X p1 context "$context" hkey "$key" &&
		change -N p1 rx-flow-hash udp4 "${fields[$1 % 4]}" context "$context" &&
		change -N p1 delete "$rule" &&
		change -X p1 context "$context" delete
}

contexts_are_hitless()
{
	steer_prepare && under_traffic often 6 change_contexts || return
	expect "queues used" "$(queues_used) > 1"
}

# add_rule WORD...: sets $rule to its location
add_rule()
{
	local said

	said=$(far ethtool -N p1 "$@") || return
	rule=${said##* }
}

# add_context WORD...: sets $context
add_context()
{
	local said

	said=$(far ethtool -X p1 context new "$@") || return
	context=${said##* }
}

rules_act()
{
	local rule

	defer channels_set p1 "$(channel_count p1)"
	check channels_set p1 4 || return
	defer delete_rules
	for queue in 0 1 2 3; do
		check add_rule flow-type udp4 dst-ip 192.0.2.2 action $queue loc 10 || return
		arrives "to queue $queue" $queue
	done
	check add_rule flow-type ip4 src-ip 192.0.2.0 m 0.0.0.255 action 1 loc 3 || return
	arrives "a rule before it, by mask" 1
	check add_rule flow-type ether proto 0x0800 action -1 loc 2 || return
	arrives "the first drops" dropped
	check far ethtool -N p1 delete 2 && check far ethtool -N p1 delete 3 || return
	arrives "the last is left" 3
	check far ip link set p1 down && check far ip link set p1 up && check link_up &&
		check set_neighbours || return
	arrives "after down and up" 3
	check far ethtool --reset p1 all >/dev/null && check link_up && check set_neighbours || return
	arrives "after a reset" 3
}

rule_refusals()
{
	local before

	defer channels_set p1 "$(channel_count p1)"
	check channels_set p1 4 || return
	defer delete_rules
	check far ethtool -N p1 flow-type udp4 dst-port 5 action 3 loc 1 || return
	before=$(far ethtool -n p1)
	logs "queue 0x4: not within 0 to 3" \
		check_refused far ethtool -N p1 flow-type udp4 dst-port 6 action 4
	logs "location 64: not within 0 to 63" \
		check_refused far ethtool -N p1 flow-type udp4 dst-port 6 action 1 loc 64
	logs "the rule at location 1 has the same match" \
		check_refused far ethtool -N p1 flow-type udp4 dst-port 5 action 1 loc 2
	logs "vlan-etype 0x88a8: only 0x8100 is supported" \
		check_refused far ethtool -N p1 flow-type udp4 vlan-etype 0x88a8 action 1
	logs "user-def: not supported" \
		check_refused far ethtool -N p1 flow-type udp4 user-def 1 action 1
	logs "there is no rule at location 2" check_refused far ethtool -N p1 delete 2
	check_refused far ethtool -L p1 combined 2
	same "rules after refusals" "$(far ethtool -n p1)" "$before"
}

table_fills()
{
	local n

	defer delete_rules
	for ((n = 0; n < 64; n++)); do
		check far ethtool -N p1 flow-type udp4 dst-port $((1000 + n)) action 0 >/dev/null || return
	done
	logs "no location is free there, of 64" \
		check_refused far ethtool -N p1 flow-type udp4 dst-port 999 action 0
	check far ethtool -N p1 delete 40 &&
		check far ethtool -N p1 flow-type udp4 dst-port 999 action 0 >/dev/null
	same "rules" "$(far ethtool -n p1 | grep -c Filter:)" 64
}

# FIRST and LAST of <linux/ethtool.h>, which ethtool has no words for.
ends_of_table()
{
	local first=0xfffffffe last=0xfffffffd rule match=(flow-type udp4 action 0 dst-port)

	defer delete_rules
	check add_rule "${match[@]}" 1 loc $first && same "the first of none" "$rule" 0
	check add_rule "${match[@]}" 2 loc $last && same "the last behind location 0" "$rule" 1
	logs "no location is free there, of 64" \
		check_refused far ethtool -N p1 "${match[@]}" 3 loc $first
	check delete_rules
	check add_rule "${match[@]}" 1 loc $last && same "the last of none" "$rule" 63
	check add_rule "${match[@]}" 2 loc $first && same "the first before location 63" "$rule" 62
	logs "no location is free there, of 64" \
		check_refused far ethtool -N p1 "${match[@]}" 3 loc $last
	check add_rule "${match[@]}" 3 && same "any" "$rule" 0
}

contexts_act()
{
	local context rule n

	defer channels_set p1 "$(channel_count p1)"
	check channels_set p1 4 || return
	defer delete_rules
	check add_context start 3 equal 1 || return
	defer far ethtool -X p1 context "$context" delete
	defer delete_rules
	check add_rule flow-type udp4 dst-ip 192.0.2.2 context "$context" || return
	arrives "by the context" 3
	check_refused far ethtool -X p1 context "$context" delete
	check far ethtool -X p1 context "$context" start 1 equal 1
	arrives "by its new table" 1
	check far ip link set p1 down && check far ip link set p1 up && check link_up &&
		check far ethtool --reset p1 all >/dev/null && check link_up && check set_neighbours ||
		return
	arrives "after a reset" 1
	for ((n = 1; n < 16; n++)); do
		check add_context >/dev/null || return
		defer far ethtool -X p1 context "$context" delete
	done
	check_refused far ethtool -X p1 context new
}

fields_of()
{
	far ethtool -n p1 rx-flow-hash "$1"
}

hash_survives()
{
	local before

	defer far ethtool -N p1 rx-flow-hash tcp4 sdfn
	defer far ethtool -N p1 rx-flow-hash udp6 sdfn
	check far ethtool -N p1 rx-flow-hash tcp4 sd && check far ethtool -N p1 rx-flow-hash udp6 n ||
		return
	before=$(fields_of tcp4 && fields_of udp6)
	check far ip link set p1 down && check far ip link set p1 up && check link_up || return
	check far ethtool --reset p1 all >/dev/null && check link_up || return
	same "fields after down, up and reset" "$(fields_of tcp4 && fields_of udp6)" "$before"
	check set_neighbours
}

# queues_with FIELDS: counts datagrams of several ports
queues_with()
{
	check far ethtool -N p1 rx-flow-hash udp4 "$1" || return
	check counters_begin && check receive_start p1 || return
	check parq_traffic send --dev p0 --to 192.0.2.2 --flows $FLOWS --frames 5 >"$tmp/sent"
	wait_for 10 "frames are received" counts "counted[p1_rx_queue_0_packets] +
		counted[p1_rx_queue_1_packets] + counted[p1_rx_queue_2_packets] +
		counted[p1_rx_queue_3_packets] >= 5 * FLOWS"
	check receive_stop p1
}

fields_count()
{
	defer channels_set p1 "$(channel_count p1)"
	defer far ethtool -N p1 rx-flow-hash udp4 sdfn
	check channels_set p1 4 || return
	queues_with sdfn && expect "queues with ports" "$(queues_used) > 1"
	queues_with sd && expect "queues without" "$(queues_used) == 1"
}

refusals()
{
	local before

	before=$(fields_of tcp4 && fields_of sctp4 && fields_of ip4)
	check_refused far ethtool -N p1 rx-flow-hash sctp4 sd
	check_refused far ethtool -N p1 rx-flow-hash tcp4 m
	check_refused far ethtool -N p1 rx-flow-hash tcp4 v
	check_refused far ethtool -N p1 rx-flow-hash tcp4 r
	same "fields after refusals" "$(fields_of tcp4 && fields_of sctp4 && fields_of ip4)" "$before"
}

run_tests \
	"fields select the queues" fields_count \
	"fields survive down, up and a reset" hash_survives \
	"what cannot be hashed is refused" refusals \
	"rules select queues and drop" rules_act \
	"rules that cannot be are refused" rule_refusals \
	"a full table refuses another rule" table_fills \
	"rules are put at either end of the table" ends_of_table \
	"contexts spread the frames of their rules" contexts_act \
	"changes of the hash lose nothing at 100 Gb/s" hash_is_hitless \
	"changes of rules lose nothing at 100 Gb/s" rules_are_hitless \
	"changes of contexts lose nothing at 100 Gb/s" contexts_are_hitless
