# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Counters of ethtool and of the kernel.
# shellcheck disable=SC2154 # variables of the other files

# The differences between counters_begin() and counters_end(): ${counted[PORT_NAME]}
declare -A counted

counter()
{
	at "$1" ethtool -S "$1" | awk -v name="$2:" '$1 == name { print $2; found = 1 }
		END { exit !found }'
}

# Of p0's queues, as the kernel counts them.
tx_timeouts()
{
	cat "${sysfs[p0]}"/queues/tx-*/tx_timeout | awk '{ sum += $1 } END { print sum }'
}

# snapshot PORT: its counters, of the driver, of link pause and of queues: " NAME: VALUE". Queue
# statistics have the names tx_queue_3_packets, and tx_stop for all queues. Older kernels have none.
snapshot()
{
	local prefix='/^all / s/^all (.*) (.*)/ \1: \2/;
		/^[rt]x / s/^([rt]x) ([0-9]+) [rt]x-(.*) (.*)/ \1_queue_\2_\3: \4/'

	at "$1" ethtool -S "$1" && at "$1" ethtool -I -a "$1" || return
	{ at "$1" parq_qstats "$1" && at "$1" parq_qstats "$1" queue; } 2>"$tmp/no_qstats" |
		sed -E "$prefix; s/-/_/g" || true
}

# Between these two functions; see $counted.
counters_begin()
{
	local port

	counted=()
	for port in p0 p1; do
		snapshot $port >"$tmp/before.$port" || return
	done
}

counters_end()
{
	local port

	for port in p0 p1; do
		snapshot $port >"$tmp/after.$port" || return
		awk -F '[ :]+' -v port=$port '
			FNR == 1 { file++ }
			!/^ +[a-z0-9_]+: [0-9]+$/ { next }
			file == 1 { before[$2] = $3 }
			file == 2 && $2 in before {
				printf "counted[%s_%s]=%.0f\n", port, $2, $3 - before[$2]
			}' "$tmp/before.$port" "$tmp/after.$port"
	done >"$tmp/figures"
	# shellcheck source=/dev/null
	. "$tmp/figures"
}

# The arithmetic holds for the differences so far: counts "counted[p0_rx_pause_frames] > 0"
counts()
{
	local expression=$1

	counters_end
	((expression))
}

# prios PORT DIRECTION WHAT: the sum over all priorities, for arithmetic.
prios()
{
	local prio sum=0

	for prio in {0..7}; do
		sum+=" + counted[$1_$2_prio${prio}_$3]"
	done
	echo "($sum)"
}

# All frames of each priority that p0 has sent since counters_begin() have reached p1.
all_received()
{
	local prio

	counters_end
	for prio in {0..7}; do
		((${counted[p0_tx_prio${prio}_packets]} ==
			${counted[p1_rx_prio${prio}_packets]})) || return
	done
}

# Frames that the NIC and the driver of a port were given and did not send.
dropped()
{
	local name sum=0

	for name in tx_flushed tx_drop_{desc,dma,purge,park,storm}; do
		((sum += ${counted[${1}_$name]}))
	done
	echo $sum
}
