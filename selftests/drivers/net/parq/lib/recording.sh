# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Recordings of the wire, and what parq_wire finds in them.
# shellcheck disable=SC2154 # variables of the other files

: "${PARQ_RECORDINGS:=/run/parq}"
declare -A recording=([p0]=$PARQ_RECORDINGS/p0.pcapng [p1]=$PARQ_RECORDINGS/p1.pcapng)
# The length of the two blocks before the first frame, in bytes. It never changes.
declare -A header
# What judge() has found: ${wire[PORT_PRIORITY_COLUMN]}
declare -A wire

# measure() uses a link that the slowest machine fills, datagrams of this size, and this time.
MEASURE_MBIT=10 MEASURE_SIZE=1400 MEASURE_USECS=4000000

# measure PORT PRIORITIES: all of them send as much as they can, one flow each.
# ${wire[PORT_PRIORITY_free_kbit]} is the rate of each. PFC frames that pause no priority mark
# the interval. The link is slow and nothing else runs, so that any machine fills it.
# Everything else has its defaults.
measure()
{
	local port=$1 prios=$2 MBIT=$MBIT

	defer set_speed "$MBIT"
	MBIT=$MEASURE_MBIT
	check set_speed "$MBIT" && check record_restart || return
	check traffic_start "$port" "$prios" --size "$MEASURE_SIZE" || return
	check pfc "$port" once --quanta 0 --count 2 --every "$MEASURE_USECS"
	check traffic_stop "$port"
	check judge "$port"
}

# The rate of a priority in measure(), kbit/s on the wire: with headers and the 24 bytes of
# preamble, FCS and gap.
measured()
{
	echo $((${wire[${1}_${2}_free_kbit]} * (MEASURE_SIZE + 66) / (MEASURE_SIZE + 42)))
}

# ${header[PORT]} is the length of the two blocks in front of the first frame, see pcapng.
recording_header()
{
	local file=${recording[$1]} section interface

	section=$(od -An -tu4 -j4 -N4 "$file") &&
		interface=$(od -An -tu4 -j$((section + 4)) -N4 "$file") &&
		header[$1]=$((section + interface))
}

# The recorder appends, so that the file may be truncated at any time.
record_restart()
{
	local port

	wire=()
	for port in p0 p1; do
		[[ ${header[$port]:-} ]] || check recording_header $port || return
		check truncate -s "${header[$port]}" "${recording[$port]}" || return
	done
}

# The file has not grown for 0.1 s. The recorder is another process, or a thread of the kernel,
# and less than that behind the wire. It tells nobody when it has written a frame, so that two
# samples are all there is to see.
recorded()
{
	local file=${recording[$1]} size

	size=$(stat -c %s "$file")
	sleep 0.1
	[[ $(stat -c %s "$file") == "$size" ]]
}

# Judges a port by its recording. Options of parq_wire may follow. The figures are then
# ${wire[PORT_PRIORITY_COLUMN]}; priority "all" is the sum.
judge()
{
	local port=$1 args=() status
	shift

	wait_for 10 "end of the recording of $port" recorded "$port"
	[[ ! -e $tmp/sent.$port ]] || args=(--sent "$tmp/sent.$port")
	parq_wire --addr "$(<"${sysfs[$port]}/address")" \
		--speed "$MBIT" "${args[@]}" "$@" "${recording[$port]}" >"$tmp/wire.$port"
	status=$?
	sed 's/^/# /' "$tmp/wire.$port"
	awk -v port="$port" '
		NR == 1 { split($0, column) }
		NR > 1 && NR < 10 {
			for (i = 2; i <= NF; i++) {
				printf "wire[%s_%s_%s]=%.0f\n", port, $1, column[i], $i
				sum[i] += $i
			}
		}
		END {
			for (i in sum)
				printf "wire[%s_all_%s]=%.0f\n", port, column[i], sum[i]
		}' "$tmp/wire.$port" >"$tmp/figures"
	# shellcheck source=/dev/null
	. "$tmp/figures"
	return $status
}
