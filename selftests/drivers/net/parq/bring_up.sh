#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a user finds after modprobe, and may set.
#
# The ports have names, addresses and numbers of their own; the link comes up at
# every speed and goes with either end; MTU, rings, channels and offloads can be
# read, set within their range, and refused beyond it, in which case nothing
# changes.
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
	check devlink dev info "pci/$pci" >"$tmp/info"
	check grep -q "driver parq" "$tmp/info"
	check devlink port show >"$tmp/ports"
	expect "devlink ports" "$(grep -c "^pci/$pci/" "$tmp/ports") == 2"
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

# The fastest speed that both ends advertise.
negotiation()
{
	defer set_speed "$MBIT"
	check ethtool -s p0 autoneg on advertise 0x20 || return	# 1000baseT/Full
	check far ethtool -s p1 autoneg on || return
	wait_for 10 "1000 Mb/s" speed_is 1000
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
	wait_for 5 "p0 is down" operstate down
	same "dormant without a link" "$(<"${sysfs[p0]}/dormant")" 0
	check far ip link set p1 up || return
	check set_neighbours || return
	link_up
	wait_for 5 "p0 is up again" operstate up
}

mtu()
{
	local port

	defer ip link set p0 mtu 1500
	defer far ip link set p1 mtu 1500
	for port in p0 p1; do
		check at $port ip link set $port mtu 9216 || return
	done
	check ping -q -c 2 -i 0.2 -M "do" -s 9188 192.0.2.2 >"$tmp/ping"
	check_refused ip link set p0 mtu 9217
	check_refused ip link set p0 mtu 67
	same "MTU after the refusals" "$(<"${sysfs[p0]}/mtu")" 9216
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
	"identity" identity \
	"every speed" speeds \
	"negotiation" negotiation \
	"the link follows the other end" link_follows \
	"MTU" mtu \
	"rings, channels, moderation" rings \
	"offloads, registers, RSS, standard counters" offloads
