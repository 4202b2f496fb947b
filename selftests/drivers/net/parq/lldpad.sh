#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two lldpad, one for each port, agree on PFC and ETS over the wire (DCBX of IEEE
# 802.1Qaz).
#
# A willing port adopts the settings of its peer. Of two willing ports, the one with the lower
# address does. Two unwilling ports keep their own settings. A restarted lldpad finds its
# settings. The peer of a killed lldpad drops the adopted settings when the TTL expires.
# Repeated settings change nothing, and a change under pauses loses no frame.
#
#	lldpad --- p0 <=== LLDP ===> p1 --- lldpad
#
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/lldpad.sh
. "$(dirname "$0")/lib/lldpad.sh"

ETS='tsa=0:ets,1:ets,2:strict,3:ets,4:ets
	up2tc=0:0,1:1,2:2,3:3,4:4,5:5,6:6,7:7 tcbw=10,10,0,40,40,0,0,0'
ETS_SHOWN='[[0,1,2,3,4,5,6,7],[10,10,0,40,40,0,0,0],["ets","ets","strict","ets","ets","strict","strict","strict"]]'

lldp_set()
{
	quietly at "$1" lldptool -T -i "$1" "${@:2}"
}

# Both without a past, so that each has the defaults: willing, no PFC, no ETS.
agents_start()
{
	local port

	for port in p0 p1; do
		defer pfc_set $port all:off
		defer ets_default $port
		rm -f "$tmp/$port.conf"
		check agent_start $port || return
		check lldp $port set-lldp -i $port adminStatus=rxtx >/dev/null || return
	done
}

# hears PORT PRIORITIES: the port has been told these by its peer.
hears()
{
	wait_for 30 "$1 is told PFC for $2" told "$@"
}

told()
{
	lldp "$1" -t -n -i "$1" -V PFC | grep -q "PFC enabled: $2 *$"
}

willing_adopts()
{
	local before

	agents_start || return
	before=$(ets_of p0)
	check lldp_set p0 -V PFC willing=no enabled=3,4
	check learns p0 "[3,4]"
	check learns p1 "[3,4]"
	# shellcheck disable=SC2086
	check lldp_set p0 -V ETS-CFG willing=no $ETS
	wait_for 30 "ETS of p0" ets_is p0 "$ETS_SHOWN"
	# What p0 does is not what it recommends.
	same "ETS of p1, without a recommendation" "$(ets_of p1)" "$before"
	# shellcheck disable=SC2086
	check lldp_set p0 -V ETS-REC enableTx=yes $ETS
	wait_for 30 "ETS of p1" ets_is p1 "$ETS_SHOWN"
	same "PFC of p1, still" "$(pfc_of p1)" "[3,4]"
	check lldp_set p0 -V PFC enabled=none
	check learns p1 "[]"
}

address()
{
	cat "${sysfs[$1]}/address"
}

both_willing()
{
	local lower=p0 higher=p1

	[[ $(address p0) < $(address p1) ]] || { lower=p1 && higher=p0; }
	agents_start || return
	check lldp_set $lower -V PFC willing=yes enabled=3
	check lldp_set $higher -V PFC willing=yes enabled=5
	check learns $lower "[5]"
	# It says what it has adopted, not what it was told.
	check hears $higher 5
	check learns $higher "[5]"
}

disagree()
{
	agents_start || return
	check lldp_set p0 -V PFC willing=no enabled=3,4
	check lldp_set p1 -V PFC willing=no enabled=5
	check learns p0 "[3,4]"
	check learns p1 "[5]"
	check hears p0 5
	check hears p1 "3 4"
	same "PFC of p0, still" "$(pfc_of p0)" "[3,4]"
	same "PFC of p1, still" "$(pfc_of p1)" "[5]"
	check lldp_set p1 -V PFC willing=yes
	check learns p1 "[3,4]"
}

# Meanwhile the other one is told something else.
restarted()
{
	local changes

	agents_start || return
	check lldp_set p0 -V PFC willing=no enabled=3,4
	check learns p0 "[3,4]"
	check learns p1 "[3,4]"
	changes=$(carrier_changes p1)
	check agent_end TERM p1
	same "PFC without an lldpad" "$(pfc_of p1)" "[3,4]"
	check lldp_set p0 -V PFC enabled=3,4,5
	same "PFC, not told" "$(pfc_of p1)" "[3,4]"
	check agent_start p1 || return
	check learns p1 "[3,4,5]"
	check agent_end TERM p0
	check agent_start p0 || return
	check hears p1 "3 4 5"
	check learns p0 "[3,4,5]"
	same "PFC of p1" "$(pfc_of p1)" "[3,4,5]"
	same "carrier changes" "$(carrier_changes p1)" "$changes"
}

# The word of a dead one is kept as long as it said, which is two minutes. Too long for a
# test: here somebody repeats it, for three seconds.
killed()
{
	local ttl=3 start

	agents_start || return
	check lldp_set p0 -V PFC willing=no enabled=3,4
	check learns p0 "[3,4]"
	check learns p1 "[3,4]"
	check agent_end KILL p0
	same "PFC of p0" "$(pfc_of p0)" "[3,4]"
	same "PFC of p1" "$(pfc_of p1)" "[3,4]"
	start=$EPOCHSECONDS
	check python3 - p0 $ttl 0x18 <<-END
		import socket, struct, sys
		port, ttl, enabled = sys.argv[1], int(sys.argv[2]), int(sys.argv[3], 0)
		s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
		s.bind((port, 0x88cc))
		mac = s.getsockname()[4]
		tlv = lambda kind, value: struct.pack("!H", kind << 9 | len(value)) + value
		s.send(bytes.fromhex("0180c200000e") + mac + b"\x88\xcc" +
		       tlv(1, b"\4" + mac) + tlv(2, b"\3" + mac) + tlv(3, struct.pack("!H", ttl)) +
		       tlv(127, b"\0\x80\xc2\x0b\x08" + bytes([enabled])) + tlv(0, b""))
	END
	check learns p1 "[]"
	expect "seconds until then" "$((EPOCHSECONDS - start)) >= $ttl - 1"
	same "PFC of p0, still" "$(pfc_of p0)" "[3,4]"
}

again_reaches_driver()
{
	lldp_set p0 -V PFC enabled=3,4 && pfc_is p0 "[3,4]"
}

idempotent()
{
	local port round changes

	agents_start || return
	check lldp_set p0 -V PFC willing=no enabled=3,4
	# shellcheck disable=SC2086
	check lldp_set p0 -V ETS-CFG willing=no $ETS
	check learns p1 "[3,4]"
	wait_for 30 "ETS of p0" ets_is p0 "$ETS_SHOWN" || return
	# lldpad knows this already, and still tells the driver.
	check pfc_set p0 5:on
	wait_for 30 "lldpad sets what it was told again" again_reaches_driver || return
	check ping -q -c 3 -i 0.2 192.0.2.2
	changes="$(carrier_changes p0) $(carrier_changes p1)"
	counters_begin || return
	for ((round = 0; round < 5; round++)); do
		check lldp_set p0 -V PFC willing=no enabled=3,4
		# shellcheck disable=SC2086
		check lldp_set p0 -V ETS-CFG willing=no $ETS
	done
	check hears p1 "3 4"
	counters_end
	same "carrier changes" "$(carrier_changes p0) $(carrier_changes p1)" "$changes"
	same "cleared counters" "$(fallen)" ""
	same "PFC of p0" "$(pfc_of p0)" "[3,4]"
	same "ETS of p0" "$(ets_of p0)" "$ETS_SHOWN"
}

# Counters that are less than they were.
fallen()
{
	awk 'NR == FNR { before[$1] = $2; next } $2 < before[$1] { print $1 }' \
		"$tmp/before" "$tmp/after"
}

under_pauses()
{
	agents_start || return
	check lldp_set p0 -V PFC willing=no enabled=3,4
	changed_under_pauses pfc_enable
}

pfc_enable()
{
	lldp_set p0 -V PFC enabled="$1"
}

# What waits in priority 7 is parked; LLDP, which uses to have it, is not. A peer that is late
# lets some of it go, and then may find none to park: the wire tells whether that was all.
while_paused()
{
	agents_start || return
	check lldp_set p0 -V PFC willing=no enabled=3,7
	check learns p0 "[3,7]"
	check learns p1 "[3,7]"
	check record_restart || return
	check traffic_start p0 0x80 && check pause_begin p0 0x80 || return
	check lldp_set p0 -V PFC enabled=3,4,7
	check learns p1 "[3,4,7]"
	wait_for 10 "priority 7 is paused" none_sending p0 0x80
	check pause_end p0
	wait_for 10 "priority 7 sends" flowing p0 0x80
	check traffic_stop p0
	check judge p0
}

run_tests \
	"a willing port adopts PFC and ETS" willing_adopts \
	"of two willing ports, the lower address adopts" both_willing \
	"two unwilling ports keep their own settings" disagree \
	"settings survive a restart of lldpad" restarted \
	"the peer of a killed lldpad drops its PFC when the TTL expires" killed \
	"setting the same values again changes nothing" idempotent \
	"changes under pauses lose no frame" under_pauses \
	"LLDP leaves while its priority is paused" while_paused
