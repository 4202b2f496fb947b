# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Senders and receivers, and which priorities send.
# shellcheck disable=SC2154 # variables of the other files

declare -a traffic_pid receive_pid

# traffic_start PORT PRIORITIES [OPTION]...: as much as the link takes, to $SINK.
traffic_start()
{
	local port=$1 prios=$2
	shift 2

	exec_at "$port" parq_traffic send --dev "$port" --to "$SINK" --prios "$prios" \
		--drain 20000 "$@" >"$tmp/sent.$port" &
	traffic_pid[${port#p}]=$!
	defer kill_quietly $!
	wait_for 10 "traffic of priorities $prios at $port" flowing "$port" "$prios"
}

kill_quietly()
{
	kill "$1" 2>/dev/null && wait "$1" 2>/dev/null
	true
}

# Sets $moving to the priorities that send, a mask: their counters differ between two samples. The
# interval must be longer than a traffic class waits for its turn.
sending()
{
	local before after prio sent

	before=$(at "$1" ethtool -S "$1")
	sleep "$((MBIT < 10000 ? 100 : 1))e-3"
	after=$(at "$1" ethtool -S "$1")
	moving=0
	for prio in {0..7}; do
		[[ $before =~ tx_prio${prio}_packets:\ ([0-9]+) ]] || continue
		sent=${BASH_REMATCH[1]}
		[[ $after =~ tx_prio${prio}_packets:\ ([0-9]+) ]] || continue
		((sent == BASH_REMATCH[1])) || ((moving |= 1 << prio))
	done
}

# Each of the priorities, a mask, sends; all by default.
flowing()
{
	local mask=$((${2:-0xff})) moving

	sending "$1"
	(((moving & mask) == mask))
}

# None of the priorities, a mask, sends.
none_sending()
{
	local moving

	sending "$1"
	(((moving & $2) == 0))
}

# starves PORT PRIORITIES SECONDS: none of the priorities, a mask, has sent for this long. The
# caller sets $since to the start.
starves()
{
	none_sending "$1" "$2" || since=$SECONDS
	((SECONDS - since >= $3))
}

# Ends the sender in good order. Succeeds when each of its frames has been sent,
# or dropped, and freed: then its sockets have no memory charged to them.
traffic_stop()
{
	local pid=${traffic_pid[${1#p}]}

	kill -TERM "$pid"
	wait "$pid"
}

# receive_start PORT: a receiver at this port, until receive_stop. Its counts are
# in $tmp/received.PORT.
receive_start()
{
	exec_at "$1" parq_traffic recv >"$tmp/received.$1" &
	receive_pid[${1#p}]=$!
	defer kill_quietly $!
	wait_for 10 "receiver at $1" grep -q ready "$tmp/received.$1"
}

receive_stop()
{
	local pid=${receive_pid[${1#p}]}

	kill -TERM "$pid"
	wait "$pid"
}

# udp_count NAME...: prints the sum of these counters of p1's sockets, as RcvbufErrors. A busy
# machine may be too slow for a socket, whatever the NIC does.
udp_count()
{
	far nstat -asz "${@/#/Udp}" | awk '/^Udp/ { sum += $2 } END { print sum + 0 }'
}

# p1 has what p0 has sent in priority 3 since counters_begin.
prio3_arrived()
{
	counts "counted[p0_tx_prio3_packets] == counted[p1_rx_prio3_packets]"
}

# By then p1 has dropped none of it.
prio3_kept()
{
	local name

	ktap_print_msg "frames: ${counted[p0_tx_prio3_packets]}," \
		"XOFF sent: ${counted[p1_tx_prio3_pause]}"
	for name in nobuf buffer dma disabled; do
		expect "rx_drop_$name" "${counted[p1_rx_drop_$name]} == 0"
	done
	expect "received and dropped" "${counted[p1_rx_prio3_discards]} == 0"
}
