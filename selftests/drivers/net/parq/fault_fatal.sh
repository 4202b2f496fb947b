#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The NIC stops under traffic, while frames are parked, and says so in a register.
#
# The driver looks at the register once a second, resets the NIC and sets it up as before.
# Frames in the NIC are lost, and those that the stack drops while there is no link. No frame
# is sent twice or out of order.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

stops()
{
	dmesg | grep -c 'the device has stopped, reset'
}

has_stopped()
{
	(($(stops) > $1))
}

stopped()
{
	local before stops

	expected_complaint='parq.*the device has stopped, reset'
	pfc_prepare "$1" || return
	before=$(dcb_settings) || return
	stops=$(stops)
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	check fault_begin "$FAULT_FATAL" || return
	wait_for 10 "the driver notices" has_stopped "$stops" || return
	kill_quietly "$pause_pid"
	link_up || return
	wait_for 10 "all priorities send again" flowing p0 || return
	check fault_end
	same "DCB settings" "$(dcb_settings)" "$before"
	same "resets" "$(stops)" "$((stops + 1))"
	check traffic_stop p0
	judge p0
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "late" "${wire[p0_all_late]} == 0"

	pauses_afterwards 100 --flows 2
}

# A NIC that has stopped does not say what it sent since the driver last asked.
sums_known=0
run_tests \
	"a NIC that stops while frames are parked is reset, offload" "stopped offload" \
	"a NIC that stops while frames are parked is reset, managed" "stopped managed"
