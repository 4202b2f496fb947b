#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The command lines of manuals and guides, as they are typed, and what the tools show then.
#
# dcb sets PFC, ETS, limits, receive buffers, applications and trust; tc puts its own
# schedulers on top; ethtool shows the standard counters, and they count, and sets pauses;
# devlink shows the NIC, its parameters, receive buffers and health. lldptool's are in
# lldpad.sh, dcbtool's in lldpad_cee.sh.
#
#	p0 ---- p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# shows WORDS COMMAND: a line of what the command prints has these words in it.
shows()
{
	local words=$1
	shift

	"$@" >"$tmp/shown" && grep -qF -- "$words" "$tmp/shown" && return
	ktap_print_msg "no '$words' in: $*"
	sed 's/^/# /' "$tmp/shown"
	return 1
}

dcb_pfc()
{
	defer pfc_set p0 all:off
	check dcb pfc set dev p0 prio-pfc all:off 3:on 4:on
	check shows "prio-pfc 0:off 1:off 2:off 3:on 4:on 5:off 6:off 7:off" dcb pfc show dev p0
	check shows "pfc-cap 8" dcb -s pfc show dev p0
	check shows "requests 0:" dcb -s pfc show dev p0
	check shows "indications 0:" dcb -s pfc show dev p0
	check shows "host ieee" dcb dcbx show dev p0
}

dcb_ets()
{
	defer ets_default p0
	check dcb ets set dev p0 tc-tsa all:strict 0:ets 3:ets 4:ets \
		tc-bw all:0 0:20 3:40 4:40 prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
	check shows "ets-cap 8" dcb ets show dev p0
	check shows "tc-bw 0:20 1:0 2:0 3:40 4:40 5:0 6:0 7:0" dcb ets show dev p0
	check shows "tc-tsa 0:ets 1:strict 2:strict 3:ets 4:ets 5:strict" dcb ets show dev p0
	check shows "prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7" dcb ets show dev p0
}

dcb_buffer()
{
	defer pfc_set p0 all:off
	defer dcb buffer set dev p0 buffer-size all:0
	check pfc_set p0 all:off 3:on 4:on
	check dcb buffer set dev p0 prio-buffer all:0 3:1 4:2 buffer-size 0:128K 1:256K 2:256K
	check shows "prio-buffer 0:0 1:0 2:0 3:1 4:2 5:0 6:0 7:0" dcb buffer show dev p0
	check shows "buffer-size 0:128Kb 1:256Kb 2:256Kb" dcb buffer show dev p0
}

dcb_app()
{
	defer dcb app flush dev p0
	check dcb app add dev p0 dscp-prio 26:3 ethtype-prio 0x8915:3 dgram-port-prio 4791:3 \
		default-prio 0
	check shows "dscp-prio AF31:3" dcb app show dev p0
	check shows "dscp-prio 26:3" dcb -N app show dev p0
	check shows "ethtype-prio 8915:3" dcb app show dev p0
	check shows "dgram-port-prio 4791:3" dcb app show dev p0
	check shows "default-prio 0" dcb app show dev p0
	check dcb app del dev p0 dscp-prio 26:3
	check_refused shows "dscp-prio" dcb app show dev p0
	check shows "dgram-port-prio 4791:3" dcb app show dev p0
}

dcb_maxrate()
{
	defer maxrate_set p0 all:0
	check dcb maxrate set dev p0 tc-maxrate all:0 3:10Gbit
	check shows "3:10Gbit" dcb maxrate show dev p0
}

dcb_trust()
{
	defer dcb app flush dev p0
	defer dcb rewr flush dev p0
	defer dcb apptrust set dev p0 order pcp
	check dcb apptrust set dev p0 order dscp pcp
	check shows "order: dscp pcp" dcb apptrust show dev p0
	check dcb rewr add dev p0 prio-dscp 3:26
	check shows "prio-dscp 3:AF31" dcb rewr show dev p0
}

tc_mqprio()
{
	defer ports_up
	check tc qdisc replace dev p0 root handle 1: mqprio num_tc 8 \
		map 0 1 2 3 4 5 6 7 0 0 0 0 0 0 0 0 \
		queues 1@0 1@1 1@2 1@3 1@4 1@5 1@6 1@7 hw 1
	check shows "qdisc mqprio 1: root tc 8 map 0 1 2 3 4 5 6 7 0 0 0 0 0 0 0 0" \
		tc qdisc show dev p0
	check shows "queues:(0:0) (1:1) (2:2) (3:3) (4:4) (5:5) (6:6) (7:7)" tc qdisc show dev p0
	check tc qdisc del dev p0 root
	check_refused shows "qdisc mqprio" tc qdisc show dev p0
}

tc_ets()
{
	defer ports_up
	check tc qdisc replace dev p0 root handle 1: ets bands 8 strict 4 \
		quanta 5000 3000 1000 1000 priomap 7 6 5 4 3 2 1 0
	check shows "qdisc ets 1: root" tc qdisc show dev p0
	check shows "bands 8 strict 4 quanta 5000 3000 1000 1000 priomap 7 6 5 4 3 2 1 0" \
		tc qdisc show dev p0
	check parq_traffic send --dev p0 --to $SINK --prios 0xff --frames 100 --drain 20000 \
		>"$tmp/sent"
	expect "frames" "$(tc -j -s qdisc show dev p0 root | jq '.[0].packets') >= 8 * 100"
	expect "drops" "$(tc -j -s qdisc show dev p0 root | jq '.[0].drops') == 0"
}

# group NAME, of the standard counters
group()
{
	awk -v name="$1:" '$1 == name { print $2; found = 1 } END { exit !found }' "$tmp/$2"
}

groups()
{
	ethtool -S p0 --groups eth-mac eth-ctrl rmon >"$tmp/$1"
}

grown()
{
	echo $(($(group "$1" groups.2) - $(group "$1" groups.1)))
}

# Frames by their lengths.
histogram()
{
	awk -v prefix="$1-rmon-etherStatsPkts" \
		'index($1, prefix) == 1 { sum += $2 } END { print sum }' "$tmp/$2"
}

# Multicast frames that p0 has received, as rtnetlink has them.
multicast()
{
	ip -s -j link show dev p0 | jq '.[0].stats64.rx.multicast'
}

multicast_is()
{
	(($(multicast) == $1))
}

ethtool_groups()
{
	local before

	before=$(multicast)
	check groups groups.1 || return
	check ping -q -c 5 -i 0.2 192.0.2.2 >"$tmp/ping"
	check pfc p0 once --count 3
	check pfc p0 bad address --count 2
	# Nothing else is sent. Whole frames: 98 bytes of each echo, PFC has 60; and FCS.
	wait_for 10 "all frames are counted" counted_all $((5 * 102 + 5 * 64)) || return
	expect "octets received" "$(grown eth-mac-OctetsReceivedOK) == 5 * 102 + 5 * 64"
	expect "octets sent" "$(grown eth-mac-OctetsTransmittedOK) == 5 * 102"
	expect "control frames" "$(grown eth-ctrl-MACControlFramesReceived) == 5"
	expect "unknown opcodes" "$(grown eth-ctrl-UnsupportedOpcodesReceived) == 0"
	check shows "rmon-etherStatsFragments: 0" cat "$tmp/groups.2"
	check shows "rmon-etherStatsJabbers: 0" cat "$tmp/groups.2"
	expect "multicast" "$(grown eth-mac-MulticastFramesReceivedOK) == 5"
	wait_for 5 "multicast of ip" multicast_is $((before + 5))
	expect "bad frames" "$(grown eth-mac-FrameCheckSequenceErrors) == 0"
	expect "frames not sent" "$(grown eth-mac-FramesLostDueToIntMACXmitError) == 0"
	expect "lengths of frames sent" "$(histogram tx groups.2) - $(histogram tx groups.1) ==
		$(grown eth-mac-FramesTransmittedOK)"
}

# counted_all OCTETS: received. The groups are not read at the same time.
counted_all()
{
	groups groups.2 && (($(grown eth-mac-FramesTransmittedOK) >= 5 &&
		$(grown eth-mac-OctetsReceivedOK) >= $1 &&
		$(grown eth-ctrl-MACControlFramesReceived) >= 5))
}

# What ethtool lists does not depend on the channels in use, and another program may change them
# while it is read.
ethtool_lists()
{
	local channels

	channels=$(channel_count p0)
	defer channels_set p0 "$channels"
	lists >"$tmp/lists" || return
	check channels_set p0 1
	same "lists of one channel" "$(lists)" "$(<"$tmp/lists")"
	check channels_set p0 $((channels + 1))
	same "lists of more channels" "$(lists)" "$(<"$tmp/lists")"
}

# Names of counters and of flags, and offsets of registers.
lists()
{
	ethtool -S p0 | cut -d : -f 1
	ethtool --show-priv-flags p0
	ethtool -d p0 raw on | wc -c
}

ethtool_pauses()
{
	defer ethtool --set-tunable p0 pfc-prevention-tout 0
	check ethtool --set-tunable p0 pfc-prevention-tout 200
	check shows "pfc-prevention-tout: 200" ethtool --get-tunable p0 pfc-prevention-tout
	defer ethtool -A p0 autoneg on rx off tx off
	check ethtool -A p0 autoneg off rx on tx on
	check shows "tx_pause_frames:" ethtool -I -a p0
	check shows "rx_pause_frames:" ethtool -I -a p0
	check eval "ethtool -a p0 | xargs | grep -q 'Autonegotiate: off RX: on TX: on'"
}

devlink_shows()
{
	check shows "driver parq" devlink dev info
	check shows "$nic_bus/$pci" devlink dev param
	check shows "name pfc_executor" devlink dev param show "$nic_bus/$pci"
	check shows "value 10" devlink dev param show "$nic_bus/$pci" name cable_length
	defer executor_set offload
	check devlink dev param set "$nic_bus/$pci" name pfc_executor value managed cmode runtime
	check shows "value managed" devlink dev param show "$nic_bus/$pci" name pfc_executor
	refused_with '"nobody" is neither offload nor managed' \
		devlink dev param set "$nic_bus/$pci" name pfc_executor value nobody cmode runtime
	check shows "value managed" devlink dev param show "$nic_bus/$pci" name pfc_executor
	check shows "netdev p0 flavour physical port 0" devlink port show
	check shows "ing_pools 8" devlink sb
	check shows "sb 0 pool 0 type ingress" devlink sb pool show
	check shows "sb 0 pool 7 type ingress" devlink sb pool show "$nic_bus/$pci" pool 7
	# A pool has the buffers of all ports.
	same "size of pool 0" "$(devlink -j sb pool show "$nic_bus/$pci" pool 0 |
		jq '[.. | .size? | values][0]')" "$(devlink -j sb port pool show |
		jq '[.port_pool[][] | select(.pool == 0).threshold] | add')"
	check devlink sb occupancy snapshot "$nic_bus/$pci"
	check shows "p0:" devlink sb occupancy show p0
	check devlink sb occupancy clearmax "$nic_bus/$pci"
	check shows "reporter pfc" devlink health
	check shows "state healthy" devlink health show "$nic_bus/$pci/0" reporter pfc
}

run_tests \
	"dcb pfc works as typed" dcb_pfc \
	"dcb ets works as typed" dcb_ets \
	"dcb buffer works as typed" dcb_buffer \
	"dcb app works as typed" dcb_app \
	"dcb maxrate works as typed" dcb_maxrate \
	"dcb apptrust, dcb rewr works as typed" dcb_trust \
	"tc qdisc mqprio works as typed" tc_mqprio \
	"tc qdisc ets works as typed" tc_ets \
	"ethtool -S --groups works as typed" ethtool_groups \
	"ethtool lists the same with any number of channels" ethtool_lists \
	"ethtool -A, -a, --set-tunable works as typed" ethtool_pauses \
	"devlink works as typed" devlink_shows
