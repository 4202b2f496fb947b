#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# APP entries, trust and rewriting decide which priority a frame has.
#
# Code point, tag and default choose the priority in which p0 sends and p1 receives, by the
# counters of each. The selector that is trusted first decides. Rewriting changes the frames of
# a priority, and their checksums stay right. The settings go with the interface, and are its own
# even if an interface of another namespace has the same index. Frames of LLDP, LACP and EAPOL
# leave, no matter which priorities are paused, and no others do.
#
# Linux before 6.3 has only code points and the default.
#
#	p0 ==== data ====>  p1

# Braces are words of parq_dcbnl.
# shellcheck disable=SC1083
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

NUMBER=20
# DSCP 24; the socket's priority is 0 with it.
TOS_24=0x60

has_trust()
{
	kernel_from 6.3
}

# Answered with the same code point. Others than the kernel's own frames: none.
echoes()
{
	check ping -q -n -c $NUMBER -i 0.01 -W 20 "$@" >"$tmp/ping"
}

# Frames of p0 in a priority, and of p1 in another one, since counters_begin().
moved()
{
	check counters_end
	same "sent in priority $1" "${counted[p0_tx_prio$1_packets]}" $NUMBER
	same "received in priority $2" "${counted[p1_rx_prio$2_packets]}" $NUMBER
}

app()
{
	at "$1" dcb app "$2" dev "$1" "${@:3}"
}

# For one test: app_add PORT ENTRY...
app_add()
{
	check app "$1" add "${@:2}" && defer app "$1" del "${@:2}"
}

rewr_add()
{
	check dcb rewr add dev p0 "$@" && defer dcb rewr del dev p0 "$@"
}

# Back to what it is when the driver has been loaded.
delete_all()
{
	far ip link set p1 netns 1 && ip link set p1 netns far &&
		ip link set p0 netns far && far ip link set p0 netns 1 && topology_up
}

shown()
{
	at "$1" dcb -j app show dev "$1" | jq -c .
}

# trust_is PORT SELECTOR...
trust_is()
{
	local order

	has_trust || return 0
	order=$(at "$1" dcb -j apptrust show dev "$1" | jq -r '.order | join(" ")')
	same "trust of $1" "$order" "${*:2}"
}

rewriting_is()
{
	same "rewriting" "$(dcb -j rewr show dev p0 | jq -c .)" "$1"
}

# The next interface with this index, which is p0 itself, inherits nothing.
goes_with_the_interface()
{
	local empty

	check delete_all || return
	empty=$(shown p0)
	check app p0 add dscp-prio 24:3 ethtype-prio 0x8915:3 default-prio 4 || return
	check delete_all || return
	same "entries afterwards" "$(shown p0)" "$empty"
	trust_is p0 pcp
	check counters_begin && echoes -Q $TOS_24 192.0.2.2 && moved 0 0
}

trust_goes_with_the_interface()
{
	check delete_all && rewriting_is "{}" || return
	check app p0 add pcp-prio 1de:2 &&
		check dcb rewr add dev p0 prio-dscp 3:26 prio-pcp 5:1nd &&
		check dcb apptrust set dev p0 order dscp || return
	trust_is p0 dscp
	check delete_all && rewriting_is "{}"
	trust_is p0 pcp
	same "entries afterwards" "$(shown p0 | jq -c .pcp_prio)" null
}

# The first one; some versions of dcb show spaces as members, too.
entry()
{
	jq -c --arg kind "$1" '.[$kind][0][0:2]' "$tmp/app"
}

# To DSCP 26 with priority 3, byte by byte. Not every version of dcb tells.
app_answers()
{
	local -A answer=([OK]=0 [ENOENT]=254 [EEXIST]=239)

	check parq_dcbnl p0 "$1" 13{ 3{ 1=x:05031a00 } } "?13=${answer[$2]}"
}

kept()
{
	check app p0 add dscp-prio 26:3 ethtype-prio 0x8915:3 dgram-port-prio 4791:3 \
		stream-port-prio 3260:4 port-prio 5201:2 default-prio 0 || return
	defer app p0 flush
	shown p0 >"$tmp/app"
	same "DSCP" "$(entry dscp_prio)" "[26,3]"
	same "EtherType" "$(entry ethtype_prio)" "[35093,3]"
	same "UDP" "$(entry dgram_port_prio)" "[4791,3]"
	same "default" "$(jq -c .default_prio "$tmp/app")" "[0]"
	app_answers IEEE_SET EEXIST
	check app p0 del dscp-prio 26:3
	same "DSCP then" "$(shown p0 | jq -c .dscp_prio)" null
	app_answers IEEE_DEL ENOENT
}

# Nobody has said what to trust: an entry of a code point is enough.
code_point_decides()
{
	app_add p0 dscp-prio 24:3 && app_add p1 dscp-prio 24:5 || return
	trust_is p0 dscp pcp
	check counters_begin && echoes -Q $TOS_24 192.0.2.2 && moved 3 5
	same "answers sent" "${counted[p1_tx_prio5_packets]}" $NUMBER
	same "answers received" "${counted[p0_rx_prio3_packets]}" $NUMBER
	check counters_begin && echoes -Q 0x80 192.0.2.2 && moved 0 0
}

link_down_and_up()
{
	ip link set p0 down && ip link set p0 up && link_up && set_neighbours
}

reset_function()
{
	echo 1 >"/sys/bus/pci/devices/$pci/reset" && link_up
}

# The device then loses its settings.
outlives_reset()
{
	local event

	app_add p0 dscp-prio 24:3 default-prio 1 && app_add p1 dscp-prio 24:5 || return
	for event in link_down_and_up reset_function; do
		check $event && check counters_begin && echoes -Q $TOS_24 192.0.2.2 && moved 3 5
		check counters_begin && echoes 192.0.2.2 && moved 1 0
	done
}

default_decides()
{
	app_add p0 default-prio 6 && app_add p1 default-prio 2 || return
	check counters_begin && echoes 192.0.2.2 && moved 6 2
	same "answers received" "${counted[p0_rx_prio6_packets]}" $NUMBER
}

# order DEVICES' TRUST SENT RECEIVED: a frame with DSCP 24 and PCP 6.
order()
{
	local port

	for port in p0 p1; do
		# shellcheck disable=SC2086
		check at $port dcb apptrust set dev $port order $1 || return
	done
	# shellcheck disable=SC2086
	trust_is p1 $1
	check counters_begin && echoes -Q $TOS_24 198.51.100.2 && moved "$2" "$3"
}

order_decides()
{
	local port

	defer delete_all
	vlans_up 0:6 2:6 || return
	app_add p0 dscp-prio 24:3 && app_add p1 dscp-prio 24:5 || return
	app_add p0 pcp-prio 6nd:1 && app_add p1 pcp-prio 6nd:4 || return
	order "dscp pcp" 3 5 && order "pcp dscp" 1 4 && order "dscp" 3 5 && order "pcp" 1 4 || return
	# The tag is in the frame, ahead of the IP header, not beside it.
	for port in p0 p1; do
		check at $port ethtool -K $port txvlan off rxvlan off &&
			defer at $port ethtool -K $port txvlan on rxvlan on || return
	done
	order "dscp pcp" 3 5 && order "pcp dscp" 1 4
}

trust_refused()
{
	defer delete_all
	check dcb apptrust set dev p0 order dscp pcp || return
	check_refused dcb apptrust set dev p0 order ethtype
	check_refused dcb apptrust set dev p0 order pcp stream-port
	check_refused dcb apptrust set dev p0 order dscp dscp
	trust_is p0 dscp pcp
}

# p1 would drop what has a bad header checksum, and tells what it has had.
dscp_is_rewritten()
{
	local frames=100

	rewr_add prio-dscp 3:26 && app_add p1 dscp-prio 26:5 || return
	check receive_start p1 && check counters_begin || return
	(exec_at p0 parq_traffic send --dev p0 --to 192.0.2.2 --prios 0x18 --frames $frames \
		>"$tmp/sent")
	check test $? == 0
	check counters_end
	same "sent" "${counted[p0_tx_prio3_packets]}" $frames
	same "received in its priority" "${counted[p1_rx_prio5_packets]}" $frames
	same "received with another" "${counted[p1_rx_prio0_packets]}" $frames
	check receive_stop p1
	same "good ones" "$(awk '/^t / { n += $6 } END { print n }' \
		<(grep '^t ' "$tmp/received.p1" | tail -n 8))" $((2 * frames))
}

pcp_is_rewritten()
{
	vlans_up 0:6 || return
	rewr_add prio-pcp 6:2nd || return
	check counters_begin && echoes 198.51.100.2 && moved 6 2
}

# Until pause_end; one PFC frame pauses for 335 ms at most.
keep_paused()
{
	check counters_begin || return
	pause_repeat p0 once --prios "$1" --every 20000
	wait_for 10 "pauses" counts "counted[p0_rx_prio7_pause] > 0"
}

# The priority of the socket is 7, as lldpad's and that of the kernel's LACP.
link_sends()
{
	check counters_begin && check parq_pfc --dev p0 bad "$1" --count 5 || return
	wait_for 10 "$1 in priority $2" counts "counted[p0_tx_prio$2_packets] == 5"
}

# A MAC control frame of the host is one of data.
others_wait()
{
	check parq_pfc --dev p0 bad opcode --count 5 && link_sends lldp "$1" || return
	same "others sent" "${counted[p0_tx_prio7_packets]}" 0
	check pause_end p0
	wait_for 10 "others" counts "counted[p0_tx_prio7_packets] == 5"
}

link_protocols_leave()
{
	local kind

	pfc_prepare offload || return
	keep_paused 0x80 || return
	for kind in lldp lacp eapol; do
		link_sends $kind 6 || return
	done
	others_wait 6 || return
	check pfc_set p0 all:on 4:off 5:off || return
	keep_paused 0xff || return
	for kind in lldp lacp eapol; do
		link_sends $kind 5 || return
	done
	check pause_end p0
}

# ---- two ports with one index ---------------------------------------------------

# index DEVICE PORT: of a device in the namespace of a port
index()
{
	at "$2" ip -j link show "$1" | jq '.[0].ifindex'
}

# index_used PORT: the next one that the namespace of the port had to give
index_used()
{
	at "$1" ip link add counter type dummy && index counter "$1" &&
		at "$1" ip link del counter
}

# index_set PORT INDEX: the port leaves its namespace and comes back, where its index is taken
# by then. The next one is INDEX, which must not have been reached yet.
index_set()
{
	local port=$1 other
	local -A home=([p0]=1 [p1]=far)

	other=$(peer_of "$port")
	at "$port" ip link set "$port" netns "${home[$other]}" || return
	# It fails if another interface has this index already.
	at "$port" ip link add taken index "$(index "$port" "$other")" type dummy 2>/dev/null
	while (($(index_used "$port") < $2 - 1)); do :; done
	at "$other" ip link set "$port" netns "${home[$port]}" || return
	at "$port" ip link del taken 2>/dev/null
	[[ $(index "$port" "$port") == "$2" ]]
}

# One that neither namespace has reached: moves on the way may take some more.
index_share()
{
	local used0 used1 both

	used0=$(index_used p0) && used1=$(index_used p1) || return
	both=$(((used0 > used1 ? used0 : used1) + 10))
	index_set p1 $both && index_set p0 $both && topology_up
}

# pairs KIND: of a table of dcb. Some versions show spaces as members, too.
pairs()
{
	jq -c --arg kind "$1" '[.[$kind][]? | arrays | .[0:2]] | sort'
}

# codes_are PORT ENTRIES: of code points. dcb complains of CEE's entries, which it does not know.
codes_are()
{
	same "code points of $1" "$(shown "$1" 2>/dev/null | pairs dscp_prio)" "$2"
}

# rewrites_are PORT ENTRIES: of code points
rewrites_are()
{
	same "rewriting of $1" "$(at "$1" dcb -j rewr show dev "$1" | pairs prio_dscp)" "$2"
}

# cee_is PORT PRIORITIES: of FCoE
cee_is()
{
	check at "$1" parq_dcbnl "$1" GAPP 12{ 1=0 2=0x8906/16 } "?12.3=$2"
}

own_entries()
{
	check app p0 add dscp-prio 24:3 default-prio 1 || return
	check app p1 add dscp-prio 24:5 26:6 ethtype-prio 0x8915:3 || return
	check app p1 add dscp-prio 24:3
	codes_are p0 "[[24,3]]" && codes_are p1 "[[24,3],[24,5],[26,6]]" || return
	same "default of p1" "$(shown p1 | jq -c .default_prio)" null
	app_answers IEEE_SET OK
	app_answers IEEE_SET EEXIST
	codes_are p0 "[[24,3],[26,3]]"
	check app p0 del dscp-prio 26:3
	check at p1 parq_dcbnl p1 SAPP 12{ 1=0 2=0x8906/16 3=0x08 } "?12=0"
	cee_is p1 8 && cee_is p0 0
	check counters_begin && echoes -Q $TOS_24 192.0.2.2 && moved 3 5
}

# Of what one port loses, in each way, the other loses nothing.
own_losses()
{
	check app p0 flush || return
	codes_are p0 "[]" && codes_are p1 "[[24,3],[24,5],[26,6]]"
	check counters_begin && echoes -Q $TOS_24 192.0.2.2 && moved 0 5
	check app p0 add dscp-prio 24:3 || return
	check ip link set p0 netns far && check far ip link set p0 netns 1 && topology_up || return
	codes_are p0 "[]" && codes_are p1 "[[24,3],[24,5],[26,6]]" && cee_is p1 8
	check counters_begin && echoes -Q $TOS_24 192.0.2.2 && moved 0 5
}

own_rewriting()
{
	check dcb rewr add dev p0 prio-dscp 3:26 || return
	check far dcb rewr add dev p1 prio-dscp 3:26 4:30 || return
	rewrites_are p0 "[[3,26]]" && rewrites_are p1 "[[3,26],[4,30]]" || return
	check far dcb rewr flush dev p1
	rewrites_are p0 "[[3,26]]" && rewrites_are p1 "[]"
}

same_index()
{
	defer delete_all
	check delete_all && check index_share || return
	own_entries && { ! has_trust || own_rewriting; } && own_losses
}

# Linux offers none, so there is nothing to be missing.
neither_trust_nor_rewriting()
{
	same "trust" "$(parq_dcbnl p0 IEEE_GET '?13.11')" ""
	same "rewriting" "$(parq_dcbnl p0 IEEE_GET '?13.12')" ""
}

tests=(
	"settings go with the interface" goes_with_the_interface
	"APP entries are kept" kept
	"a code point decides" code_point_decides
	"the default priority decides" default_decides
	"APP entries and the default survive down, up and reset" outlives_reset
	"ports with the same index have their own entries" same_index
	"LLDP, LACP and EAPOL leave, no matter which priorities are paused" link_protocols_leave
)
if has_trust; then
	tests+=(
		"trust and rewriting go with the interface" trust_goes_with_the_interface
		"the order of trust decides" order_decides
		"trust that is not supported is refused" trust_refused
		"DSCP is rewritten" dscp_is_rewritten
		"PCP is rewritten" pcp_is_rewritten
	)
else
	tests+=("there is neither trust nor rewriting" neither_trust_nor_rewriting)
fi
run_tests "${tests[@]}"
