# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Traffic between the hosts of a switch, and what is counted. Part of lib/switch.sh.
# shellcheck disable=SC2154 # variables of the other files

# Packets of the ports of the switch that the driver has received and sent.
declare -A stack

# ---- what is counted ---------------------------------------------------------------

# count INTERFACE COUNTER: of a host, or of the switch.
count()
{
	local where=$1

	[[ $1 != h* ]] || where=$1/$1
	parq_counters "$where" |
		awk -v name="$1_$2:" '$1 == name { print $2; n++ } END { exit !n }'
}

# counts_from, counts_since INTERFACE COUNTER: since counts_from.
declare -A from

counts_from()
{
	from=()
	parq_counters sw0 sw1 sw2 sw3 h1/h1 h2/h2 h3/h3 |
		awk -F ': ' '{ printf "from[%s]=%s\n", $1, $2 }' >"$tmp/figures"
	# shellcheck source=/dev/null
	. "$tmp/figures"
}

since()
{
	echo $(($(count "$1" "$2") - from[${1}_$2]))
}

# Packets that the stack of the switch's machine got from a port, and gave to it.
stack_packets()
{
	ip -s -j link show dev "$1" | jq -r '.[0].stats64 | "\(.rx.packets) \(.tx.packets)"'
}

stack_from()
{
	local port

	for port in sw0 sw1 sw2; do
		stack[$port]=$(stack_packets $port)
	done
}

# $stack_rx and $stack_tx, of all ports since stack_from.
stack_since()
{
	local port rx tx was_rx was_tx

	stack_rx=0 stack_tx=0
	for port in sw0 sw1 sw2; do
		read -r rx tx < <(stack_packets $port)
		read -r was_rx was_tx <<<"${stack[$port]}"
		((stack_rx += rx - was_rx, stack_tx += tx - was_tx))
	done
}

# ---- traffic -----------------------------------------------------------------------

declare -A sender

# send_start HOST PRIORITIES TO [OPTION]...: as much as the link takes, to host TO.
send_start()
{
	local host=$1

	exec_in_host "$host" parq_traffic send --dev "v$host" --to "10.0.1.${3#h}" --prios "$2" \
		--drain 20000 "${@:4}" >"$tmp/sent.$host" &
	sender[$host]=$!
	defer kill_quietly $!
}

# Each frame has left, or was dropped and freed: nothing is stuck.
send_stop()
{
	local host

	for host in "$@"; do
		check kill -TERM "${sender[$host]}" && check wait "${sender[$host]}"
	done
}

# moves HOST PRIORITY: it receives frames of the priority.
moves()
{
	local was is

	was=$(count "$1" "rx_prio$2_packets")
	sleep 0.05
	is=$(count "$1" "rx_prio$2_packets")
	((is > was))
}

quiet()
{
	! moves "$@"
}

# expect_dropped COUNTED MISSING: what h3 has not got of what h1 and h2 sent since counts_from is
# counted as dropped. Hosts' own frames, which have priority 0, may be among those: they ask for an
# address, the more often the longer they wait for it.
expect_dropped()
{
	local own

	own=$(($(since h1 tx_prio0_packets) + $(since h2 tx_prio0_packets)))
	expect "lost" "$1 >= $2 && $1 <= $2 + $own"
}

# Since counts_from.
pauses_since()
{
	(($(since "$1" rx_prio3_pause_transition) > 2))
}

# No port of the switch has told its link partner to stop, and no host obeys a pause.
nobody_paused()
{
	local n

	for n in 1 2 3; do
		(($(count h$n prio3_parked) == 0 &&
			$(count h$n rx_prio3_pause_transition) % 2 == 0 &&
			$(count sw$((n - 1)) tx_prio3_pause_transition) % 2 == 0)) || return
	done
}

# ---- what hosts see ----------------------------------------------------------------

ping_from()
{
	in_host "$1" ping -q -c 3 -i 0.05 -W 1 "$2" >"$tmp/ping" || return
	grep -q ' 0% packet loss' "$tmp/ping"
}

address()
{
	ip -n "$1" -j link show dev "$1" | jq -r '.[0].address'
}

# ---- what is on the wire -----------------------------------------------------------

# wire_record PORT: from now on.
wire_record()
{
	check recording_header "$1" && check truncate -s "${header[$1]}" "${recording[$1]}"
}

# wire_is_clean PORT: by its recording, many pauses, and no frame leaked, was late, or came twice.
wire_is_clean()
{
	local pauses leaks late twice

	wait_for 10 "end of the recording" recorded "$1"
	parq_wire --pfc 0x08 --speed "$MBIT" "${recording[$1]}" >"$tmp/verdict"
	sed 's/^/# /' "$tmp/verdict"
	awk 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$1 == 3 { print $column["pauses"], $column["leaks"], $column["late"], $column["twice"] }' \
		"$tmp/verdict" >"$tmp/row"
	read -r pauses leaks late twice <"$tmp/row"
	expect "pauses on the wire" "${pauses:-0} >= 80"
	expect "frames in pauses, late, twice" "${leaks:-1} + ${late:-1} + ${twice:-1} == 0"
}
