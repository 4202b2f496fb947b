#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The machine suspends its devices and resumes them, under traffic and while frames are
# parked; and again with a NIC that has stopped, at any point of the driver's recovery.
#
# Settings stay. Frames in the NIC are lost; none is sent twice or out of order.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# As far as devices, for five seconds: pm_test needs nobody to wake the machine.
suspend()
{
	check eval "echo devices >/sys/power/pm_test" &&
		check eval "echo mem >/sys/power/state"
}

# The driver notices within a second, and its reset takes some time.
suspend_stopped()
{
	local i

	expected_complaint='parq.*the device has stopped, reset'
	for ((i = 0; i < 20; i++)); do
		check fault_begin "$FAULT_FATAL" || return
		sleep "$((i / 19)).$((1000 + i % 19 * 1000 / 19))"
		suspend || return
		check fault_end
		link_up || return
		check ping -q -c 2 -i 0.2 -W 1 192.0.2.2 || return
	done
}

# A NIC that has stopped does not say what it sent since the driver last asked.
sums_known=0
run_tests \
	"a suspend with parked frames resumes, offload" "parked_across offload suspend" \
	"a suspend with parked frames resumes, managed" "parked_across managed suspend" \
	"a NIC that stopped before a suspend recovers" suspend_stopped
