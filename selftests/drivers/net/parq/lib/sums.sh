# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Statistics of different origin tell of the same frames.
#
# Whatever a program does to a port, resets included: the interface has sent what the NIC has
# sent, and what the MAC has received was received by a priority, acted on, or counted by the
# reason for which it was not. An earlier program on the same machine may have left a difference.
# shellcheck disable=SC2034,SC2154 # variables of and for the other files

# 0: a fault of the program keeps the driver from knowing what the NIC has done.
sums_known=1
# What they are, in words.
sums=''
# By port: what two sums that should be the same differed by at the beginning, twice.
declare -A sums_before

# sums_differ PORT: to $differ, what the interface has sent beyond what the NIC has sent, and what
# the MAC has received beyond what is accounted for.
sums_differ()
{
	local port=$1 sent nic_sent received found

	port_counters "$port" >"$tmp/sums" || return
	read -r sent nic_sent received found < <(sed "s/^${port}_//" "$tmp/sums" | awk -F ': ' '
		$1 == "link_tx_packets" { sent = $2 }
		$1 ~ /^tx_prio[0-7]_packets$/ { nic_sent += $2 }
		$1 == "mac_FramesReceivedOK" { received = $2 }
		$1 ~ /^rx_(prio[0-7]_packets|(pfc|pause)_frames|ctrl_(unknown|addr)|filtered)$/ ||
			$1 ~ /^rx_drop_(nobuf|buffer|dma|disabled)$/ { found += $2 }
		END { printf "%.0f %.0f %.0f %.0f\n", sent, nic_sent, received, found }')
	sums="$port: sent $sent, by the NIC $nic_sent; received $received, found $found"
	differ="$((sent - nic_sent)) $((received - found))"
}

# Before the first test, while no frame is under way.
sums_begin()
{
	local port differ

	for port in p0 p1; do
		sums_differ $port || return
		sums_before[$port]=$differ
	done
}

# A frame that is counted while this reads makes them differ: the caller waits. A port that is
# another one since the beginning counts from 0.
sums_agree()
{
	local port=$1 differ

	sums_differ "$port" && [[ $differ == "${sums_before[$port]}" || $differ == "0 0" ]]
}

# The last test of each program.
every_frame_is_counted()
{
	local port

	for port in p0 p1; do
		wait_for 10 "the sums of $port agree" sums_agree $port || ktap_print_msg "$sums"
	done
}
