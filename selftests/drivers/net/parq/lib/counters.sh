# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Counters of ethtool and of the kernel.
# shellcheck disable=SC2154 # variables of the other files

# The differences between counters_begin() and counters_end(): ${counted[PORT_NAME]}
declare -A counted

# All counters of one port.
port_counters()
{
	local where=$1

	[[ $1 != p1 ]] || where=far/p1
	parq_counters "$where"
}

# counter PORT NAME
counter()
{
	port_counters "$1" | awk -v name="$1_$2:" '$1 == name { print $2; found = 1 }
		END { exit !found }'
}

# Of p0's queues, as the kernel counts them.
tx_timeouts()
{
	cat "${sysfs[p0]}"/queues/tx-*/tx_timeout | awk '{ sum += $1 } END { print sum }'
}

# Between these two functions; see $counted.
counters_begin()
{
	counted=()
	parq_counters p0 far/p1 >"$tmp/before"
}

counters_end()
{
	parq_counters p0 far/p1 >"$tmp/after" || return
	awk -F ': ' '
		NR == FNR { before[$1] = $2 }
		NR != FNR && $1 in before { printf "counted[%s]=%.0f\n", $1, $2 - before[$1] }' \
		"$tmp/before" "$tmp/after" >"$tmp/figures"
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
