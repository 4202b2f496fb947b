#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The NIC lies: in completions, head write-back, the status page, events and park queue entries.
#
# The driver may lose frames and may reset queues or the NIC. The kernel must not complain. The
# driver logs the values that it does not believe. When the lies end everything works again;
# the user has to repeat refused settings.
#
#	p0 <=== data ====>  p1
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

SECONDS_OF_LIES=8

both_busy()
{
	local end=$((SECONDS + SECONDS_OF_LIES)) port

	while ((SECONDS < end)); do
		pfc p0 storm --speed "$MBIT" --pauses 20 --seed "$SRANDOM" >/dev/null 2>&1
		ping -q -c 2 -i 0.1 -W 1 192.0.2.2 >/dev/null 2>&1
		for port in p0 p1; do
			at $port ethtool -S $port
			at $port ethtool -d $port
			at $port ethtool $port
		done >/dev/null 2>&1
		{
			dcb pfc show dev p0
			ethtool -G p0 tx 256 && ethtool -G p0 tx 512
			far ip link set p1 down
			far ip link set p1 up
		} >/dev/null 2>&1
	done
}

reaches()
{
	ping -q -c 1 -W 1 192.0.2.2 >"$tmp/ping"
}

# lies KINDS EXECUTOR
lies()
{
	expected_complaint='parq.*(reset|no completion)|NETDEV WATCHDOG'
	pfc_prepare "$2" || return
	check traffic_start p0 0xff --flows 2 --rate $((MBIT * 1000 / 8)) || return
	check traffic_start p1 0x0f --rate $((MBIT * 1000 / 8)) || return
	check fault_begin "$1" || return
	both_busy
	check fault_end
	# A lie about a command is found out only after some seconds.
	wait_for 30 "the executor can be changed" executor_set offload || return
	# It may have been refused, and be so while the driver resets the NIC; the
	# neighbours have gone with the interface.
	wait_for 30 "p1 comes up" far ip link set p1 up || return
	check set_neighbours
	kill_quietly "${traffic_pid[0]}"
	kill_quietly "${traffic_pid[1]}"
	pfc p0 once --quanta 0
	wait_for 30 "the other side answers again" reaches || return
	check flowing_again p0 && check flowing_again p1
}

flowing_again()
{
	check traffic_start "$1" 0xff || return
	wait_for 20 "all priorities of $1 send" flowing "$1" || return
	check traffic_stop "$1"
}

# The NIC also lies about its counters.
sums_known=0
faulty=1
run_tests \
	"the kernel survives lies in memory, offload" "lies $FAULT_DMA offload" \
	"the kernel survives lies in memory, managed" "lies $FAULT_DMA managed" \
	"the kernel survives all of it at once" "lies $((FAULT_DMA | FAULT_LOST | FAULT_TWICE)) offload"
