#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# TCP and UDP at the rate of the link, from 10 to 400 Gb/s, as a user finds them: default
# rings, interrupt moderation, byte queue limits and socket buffers. Processors take no time,
# so the settings alone are what limits.
#
# A socket gets its memory back when the frames are completed, and an interrupt tells of that
# every $INTERVAL microseconds at most. In that time one flow of UDP sends what its socket holds
# at most, and half of it at least: a socket wakes its writer when it is half empty. Eight
# flows, one a priority, have eight sockets and eight rings. TCP fills links of 10 and 25 Gb/s;
# beyond, its congestion control decides how far one flow has come after 20 ms, and the
# receiver's ring holds 512 of the frames that come between two interrupts.
#
#	p0 ==== data ====>  (nobody), or p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

SPEEDS="10000 25000 100000 200000 400000"
INTERVAL=20
# Preamble, FCS and gap: bytes of the wire that the counters do not have.
OVERHEAD=24
# Frames that a socket's buffer holds, by the size of the datagram.
declare -A HOLDS=([1472]=92 [8972]=12 [18]=256)

# "FRAMES BYTES MICROSECONDS DROPPED": sent by p0, the time, and frames for which p1 had no
# buffer. Reading takes as long each time.
sample()
{
	{
		far ethtool -S p1 | grep rx_drop_nobuf
		ethtool -S p0
		echo "now: ${EPOCHREALTIME/./}"
	} | awk '
		/^ *tx_prio[0-7]_packets:/ { frames += $2 }
		/^ *tx_prio[0-7]_bytes:/ { bytes += $2 }
		/^ *rx_drop_nobuf:/ { dropped = $2 }
		/^now:/ { now = $2 }
		END { printf "%.0f %.0f %s %d\n", frames, bytes, now, dropped }'
}

# window SECONDS WARM-UP: sets $frames, $bytes, $usecs and $dropped to what it had.
window()
{
	local before after

	sleep "$2"
	read -ra before < <(sample)
	sleep "$1"
	read -ra after < <(sample)
	frames=$((after[0] - before[0])) bytes=$((after[1] - before[1]))
	usecs=$((after[2] - before[2])) dropped=$((after[3] - before[3]))
}

# tell WHAT MTU FLOWS HEADERS LEAST MOST: headers of a datagram or segment count as no payload;
# LEAST and MOST are parts of the link's time, in thousandths.
tell()
{
	local used=$(((bytes + frames * OVERHEAD) * 8000 / usecs / speed))
	local payload=$(((bytes - frames * $4) * 8 / usecs))

	figure "line_rate; $((speed / 1000)); $1; $2; $3;" \
		"$((payload / 1000)).$((payload % 1000 / 100));" \
		"$((used / 10)).$((used % 10)); $((frames * INTERVAL / usecs)); $dropped"
	expect "thousandths of the link, $1, MTU $2, $3 flows, $speed Mb/s" \
		"$used >= $5 && $used <= $6"
}

least()
{
	echo $(($1 < $2 ? $1 : $2))
}

# What FRAMES of SIZE bytes of payload in each interval are of the link, in thousandths.
share()
{
	echo $(($1 * ($2 + 42 + OVERHEAD) * 8000 / INTERVAL / speed))
}

# udp MTU SIZE FLOWS
udp()
{
	local speed prios=$(((1 << $3) - 1)) name=UDP sender bytes frames usecs dropped

	defer mtu_set 1500
	defer set_speed "$MBIT"
	mtu_set "$1" || return
	(($2 + 28 >= $1)) || name="UDP, frames of $(($2 + 46)) bytes"
	for speed in $SPEEDS; do
		check set_speed "$speed" && check record_restart || return
		parq_traffic send --dev p0 --to $SINK --prios $prios --size "$2" >"$tmp/sent" &
		sender=$!
		window 0.002 0.001
		kill $sender && check wait $sender || return
		tell "$name" "$1" "$3" 42 "$(least 950 "$(share $(($3 * HOLDS[$2] / 2)) "$2")")" \
			"$(least 1010 "$(share $(($3 * (HOLDS[$2] + 1))) "$2")")"
	done
}

listening()
{
	far ss -ltn | grep -q :5201
}

tcp()
{
	local speed bytes frames usecs dropped client

	defer mtu_set 1500
	defer set_speed "$MBIT"
	mtu_set "$1" || return
	for speed in $SPEEDS; do
		check set_speed "$speed" && check record_restart || return
		far iperf3 -s -1 >"$tmp/server" &
		wait_for 10 "iperf3's server" listening || return
		iperf3 -c 192.0.2.2 -t 1 >"$tmp/iperf" &
		client=$!
		window 0.002 0.02
		kill -KILL $client
		wait
		# Faster links get no less than what the fastest full one carries.
		tell TCP "$1" 1 66 $((speed < 100000 ? 985 : 985 * 25000 / speed)) 1010
	done
}

run_tests \
	"UDP, one flow, MTU 1500" "udp 1500 1472 1" \
	"UDP, one flow, MTU 9000" "udp 9000 8972 1" \
	"UDP, one flow, shortest frames" "udp 1500 18 1" \
	"UDP, eight flows, MTU 1500" "udp 1500 1472 8" \
	"UDP, eight flows, MTU 9000" "udp 9000 8972 8" \
	"UDP, eight flows, shortest frames" "udp 1500 18 8" \
	"TCP, one flow, MTU 1500" "tcp 1500" \
	"TCP, one flow, MTU 9000" "tcp 9000"
