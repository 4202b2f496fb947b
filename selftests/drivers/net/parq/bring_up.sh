#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a user finds after modprobe, and may set.
#
# Each port has its own name, address and number. The link comes up at every speed, and goes down
# with either end. A port receives frames for the addresses that it was given. MTU, rings,
# channels and offloads can be read and set. Values out of range are refused and change nothing.
#
#	p0 ---- 10 m ---- p1
. "$(dirname "$0")/lib.sh"

identity()
{
	local info

	info=$(ethtool -i p0) || return
	same "driver" "$(awk '$1 == "driver:" { print $2 }' <<<"$info")" parq
	same "bus" "$(awk '$1 == "bus-info:" { print $2 }' <<<"$info")" "$pci"
	same "name of p0" "$(<"${sysfs[p0]}/phys_port_name")" p0
	same "name of p1" "$(<"${sysfs[p1]}/phys_port_name")" p1
	same "number of p1" "$(<"${sysfs[p1]}/dev_port")" 1
	[[ $(<"${sysfs[p0]}/address") != "$(<"${sysfs[p1]}/address")" ]] ||
		check false "both ports have one address"
	check devlink dev info "$nic_bus/$pci" >"$tmp/info"
	check grep -q "driver parq" "$tmp/info"
	check devlink port show >"$tmp/ports"
	expect "devlink ports" "$(grep -c "^$nic_bus/$pci/" "$tmp/ports") == 2"
}

speeds()
{
	local mbit

	defer set_speed "$MBIT"
	for mbit in 10 100 1000 2500 5000 10000 25000 40000 50000 100000 200000 400000; do
		check set_speed $mbit || return
		check ping -q -c 1 -W 5 192.0.2.2 >"$tmp/ping" || return
	done
	check_refused ethtool -s p0 speed 123
	same "speed after the refusal" "$(<"${sysfs[p0]}/speed")" 400000
}

# The fastest speed that both ends advertise; once more when somebody asks for that.
negotiation()
{
	local before

	defer set_speed "$MBIT"
	check_refused ethtool -r p0
	check ethtool -s p0 autoneg on advertise 0x20 || return	# 1000baseT/Full
	check far ethtool -s p1 autoneg on || return
	wait_for 10 "1000 Mb/s" speed_is 1000
	check_refused ethtool -s p0 autoneg on advertise 0
	same "speed after the refusal" "$(<"${sysfs[p0]}/speed")" 1000
	before=$(<"${sysfs[p0]}/carrier_down_count")
	check ethtool -r p0
	link_up
	same "speed again" "$(<"${sysfs[p0]}/speed")" 1000
	expect "times that the link went" "$(<"${sysfs[p0]}/carrier_down_count") == $before + 1"
	check ip link set p0 down
	check_refused ethtool -r p0
	check ip link set p0 up && check set_neighbours
}

# SPEED/DUPLEX of each mode that ethtool lists as supported
supported()
{
	ethtool p0 | awk '
		/:/ { on = /Supported link modes:/; sub(/^.*:/, "") }
		on { for (i = 1; i <= NF; i++) { sub(/base[^\/]*/, "", $i); print tolower($i) } }'
}

# All modes that are listed can be negotiated, and half duplex, which is not, can be forced.
modes()
{
	local mode

	defer set_speed "$MBIT"
	defer set_neighbours
	supported >"$tmp/modes"
	expect "modes" "$(wc -l <"$tmp/modes") == 12"
	while read -r mode; do
		check ethtool -s p0 speed "${mode%/*}" duplex "${mode#*/}" autoneg on
	done <"$tmp/modes"
	for mode in 10 100; do
		check ethtool -s p0 speed $mode duplex half autoneg off
		same "duplex at $mode" "$(<"${sysfs[p0]}/duplex")" half
	done
	link_refuses "half duplex is possible at 10 and 100 Mb/s only" \
		speed 1000 duplex half autoneg off
	link_refuses "no mode that the port can negotiate is advertised" \
		speed 100 duplex half autoneg on
	link_refuses "the port does not have a speed of 123 Mb/s" speed 123 autoneg off
	same "duplex after the refusals" "$(<"${sysfs[p0]}/duplex")" half
	defer far ip link set p1 up
	check far ip link set p1 down && check ethtool -s p0 autoneg on || return
	wait_for 10 "no link" carrier p0 0
	link_refuses "without negotiation a speed is needed" autoneg off
}

# link_refuses REASON SETTING...: with that line in the log, and nothing behind it.
link_refuses()
{
	logs "link settings refused: $1" check_refused ethtool -s p0 "${@:2}" || return
	check grep -q "$1\$" "$tmp/logged"
}

operstate()
{
	[[ $(<"${sysfs[p0]}/operstate") == "$1" ]]
}

# The kernel derives its state a little later than the carrier.
link_follows()
{
	wait_for 5 "p0 is up" operstate up
	same "dormant" "$(<"${sysfs[p0]}/dormant")" 0
	check far ip link set p1 down || return
	wait_for 10 "p0 loses its carrier" carrier p0 0
	# What ethtool shows of a link that is down, it sends back.
	check ethtool -s p0 speed 1000 autoneg off
	check ethtool -s p0 speed "$MBIT" autoneg off
	wait_for 5 "p0 is down" operstate down
	same "dormant without a link" "$(<"${sysfs[p0]}/dormant")" 0
	check far ip link set p1 up || return
	check set_neighbours || return
	link_up
	wait_for 5 "p0 is up again" operstate up
}

# What ethtool says of a link that is down.
no_link()
{
	ethtool p0 | sed -n 's/.*Link detected: no *//p'
}

reason_is()
{
	[[ $(no_link) == "$1" ]]
}

# Not only that there is no link, but why; and of a new one in the log, what it is.
link_reason()
{
	defer set_speed "$MBIT"
	check far ip link set p1 down || return
	wait_for 10 "p0 loses its carrier" carrier p0 0
	same "partner down, forced" "$(no_link)" \
		"(Autoneg, No partner detected during force mode)"
	check ethtool -s p0 autoneg on advertise 0x20 || return	# 1000baseT/Full
	wait_for 10 "partner down, negotiating" reason_is "(Autoneg, No partner detected)"
	check far ethtool -s p1 autoneg on advertise 0x8 || return	# 100baseT/Full
	check far ip link set p1 up && check set_neighbours || return
	wait_for 10 "no speed in common" reason_is "(Autoneg, No HCD)"
	logs "p0: link up: $MBIT Mb/s, full duplex, link pause rx off tx off" set_speed "$MBIT"
}

# takes NUMBER ADDRESS: so many of eight frames that p0 sends there.
takes()
{
	check ip neigh replace $SINK lladdr "$2" dev p0 nud permanent && check counters_begin ||
		return
	check parq_traffic send --dev p0 --to $SINK --prios 1 --frames 8 >"$tmp/sent"
	wait_for 5 "eight frames at p1" counts \
		"counted[p1_rx_prio0_packets] + counted[p1_rx_filtered] == 8"
	expect "frames to $2 that p1 takes" "8 - ${counted[p1_rx_filtered]} == $1"
}

# More addresses than the NIC has filters: it takes all, and the stack looks.
addresses()
{
	local unicast=02:00:00:00:00:99 multicast=01:00:5e:01:01:01 i

	defer set_neighbours
	takes 0 $unicast
	takes 0 $multicast
	takes 8 ff:ff:ff:ff:ff:ff

	check far bridge fdb add $unicast dev p1 self
	check far ip maddr add $multicast dev p1
	takes 8 $unicast
	takes 8 $multicast
	takes 0 02:00:00:00:00:98
	takes 0 01:00:5e:01:01:02
	for i in {10..41}; do
		check far ip maddr add "01:00:5e:00:00:$i" dev p1
	done
	takes 8 01:00:5e:01:01:02
	takes 0 02:00:00:00:00:98
	for i in {10..41}; do
		check far ip maddr del "01:00:5e:00:00:$i" dev p1
	done
	check far bridge fdb del $unicast dev p1 self
	check far ip maddr del $multicast dev p1
	takes 0 $unicast
	takes 0 $multicast

	check far ip link set p1 allmulticast on
	takes 8 $multicast
	takes 0 $unicast
	check far ip link set p1 allmulticast off promisc on
	takes 8 $multicast
	takes 8 $unicast
	check far ip link set p1 promisc off
	takes 0 $multicast
	takes 0 $unicast
}

mtu()
{
	local port

	defer ip link set p0 mtu 1500
	defer far ip link set p1 mtu 1500
	for port in p0 p1; do
		check at $port ip link set $port mtu 10240 || return
	done
	check ping -q -c 2 -i 0.2 -M "do" -s 10212 192.0.2.2 >"$tmp/ping"
	check_refused ip link set p0 mtu 10241
	check_refused ip link set p0 mtu 67
	same "MTU after the refusals" "$(<"${sysfs[p0]}/mtu")" 10240
	check ip link set p0 mtu 68
}

rings()
{
	local before

	before=$(ethtool -g p0) || return
	expect "TX ring" "$(awk '/^TX:/ { n = $2 } END { print n }' <<<"$before") >= 64"
	check_refused ethtool -G p0 tx 1000000
	refused_with "RX ring of 1: not within 64 to " ethtool -G p0 rx 1
	refused_with "TX ring of 63: not within 64 to " ethtool -G p0 tx 63
	same "rings after the refusals" "$(ethtool -g p0)" "$before"
	before=$(ethtool -l p0) || return
	check_refused ethtool -L p0 combined 100
	check_refused ethtool -L p0 combined 0
	same "channels after the refusals" "$(ethtool -l p0)" "$before"
	before=$(ethtool -c p0) || return
	refused_with "1000000 us: not within 0 to " ethtool -C p0 rx-usecs 1000000
	same "moderation after the refusal" "$(ethtool -c p0)" "$before"
}

# interrupts rx|tx: so far, of such queues of p0.
interrupts()
{
	awk -v queues="^p0-$1-" '$NF ~ queues { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) sum += $i }
		END { print sum + 0 }' /proc/interrupts
}

# interrupts_at RX-US TX-US: of p0 for 500 frames each way, 1000 a second: in $rx and $tx.
interrupts_at()
{
	same "moderation" "$(ethtool -c p0 | awk '$1 ~ /^(rx|tx)-usecs:$/ { print $2 }' | xargs)" "$1 $2"
	rx=$(interrupts rx) tx=$(interrupts tx)
	check parq_traffic send --dev p0 --to 192.0.2.2 --prios 1 --size 64 --rate 512 --frames 500 \
		>"$tmp/sent" || return
	check at p1 parq_traffic send --dev p1 --to 192.0.2.1 --prios 1 --size 64 --rate 512 \
		--frames 500 >"$tmp/sent" || return
	rx=$(($(interrupts rx) - rx)) tx=$(($(interrupts tx) - tx))
	ktap_print_msg "interrupts at $1 and $2 us: $rx $tx"
}

# Ten milliseconds, in which ten frames come or leave, for one kind of queue after the other.
moderation()
{
	local before usual_rx usual_tx rx tx

	before=$(ethtool -c p0 | awk '$1 ~ /^(rx|tx)-usecs:$/ { print substr($1, 1, 8), $2 }' | xargs)
	# shellcheck disable=SC2086
	defer ethtool -C p0 $before
	check ethtool -C p0 rx-usecs 0 tx-usecs 0 && interrupts_at 0 0 || return
	usual_rx=$rx usual_tx=$tx
	check ethtool -C p0 rx-usecs 10000 && interrupts_at 10000 0 || return
	expect "moderated" "$rx > 0 && $rx * 3 < $usual_rx"
	expect "not moderated" "$tx * 2 > $usual_tx"
	check ethtool -C p0 rx-usecs 0 tx-usecs 10000 || return
	# Queues that come later have it, too.
	check ip link set p0 down && check ip link set p0 up && check set_neighbours && link_up ||
		return
	interrupts_at 0 10000 || return
	expect "not moderated" "$rx * 2 > $usual_rx"
	expect "moderated" "$tx > 0 && $tx * 3 < $usual_tx"
}

# What is set while the port is down holds when it is up.
rings_when_down()
{
	local channels

	channels=$(channel_count p0)
	check ip link set p0 down || return
	defer channels_set p0 "$channels"
	defer rings_set p0 512
	check ethtool -G p0 rx 64 tx 64 && check ethtool -L p0 combined 1
	check ip link set p0 up && check set_neighbours && link_up || return
	rings_are p0 64 || check false "rings of $(ring_entries p0)"
	channels_are p0 1 || check false "$(channel_count p0) channels"
	check ping -q -c 3 -i 0.2 192.0.2.2 >"$tmp/ping"
}

offloads()
{
	local features name

	features=$(ethtool -k p0) || return
	for name in rx-checksumming tx-checksumming scatter-gather tcp-segmentation-offload \
		receive-hashing rx-vlan-offload tx-vlan-offload generic-receive-offload; do
		check grep -q "^$name: on" <<<"$features"
	done
	check ethtool -d p0 >"$tmp/registers"
	check test -s "$tmp/registers"
	check ethtool -x p0 >"$tmp/rss"
	check grep -q "RSS hash key" "$tmp/rss"
	check ethtool -S p0 --groups eth-mac eth-ctrl rmon >"$tmp/groups"
	check grep -q FramesTransmittedOK "$tmp/groups"
}

run_tests \
	"each port has its own name, number and address" identity \
	"the link comes up at every speed" speeds \
	"the link negotiates its speed" negotiation \
	"all modes that are listed are accepted" modes \
	"the link follows the link partner" link_follows \
	"the link says why it is down, and how it is up" link_reason \
	"a port receives for its own addresses only" addresses \
	"MTUs from 68 to 10240 are accepted" mtu \
	"rings, channels and moderation are kept" rings \
	"moderation limits the interrupts of each kind" moderation \
	"a port that is down accepts rings and channels" rings_when_down \
	"offloads, registers, RSS and standard counters are shown" offloads
