#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Function level reset under traffic, while frames are parked.
#
# The user asks the bus for a reset. The device forgets everything; the driver
# drops what was under way, frees it once, and sets up the device as it was: the
# interfaces stay, traffic goes on by itself, and DCB settings still hold,
# which a pause proves. Frames may be lost in a reset, but none may be sent twice or
# out of order.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

reset_function()
{
	echo 1 >"/sys/bus/pci/devices/$pci/reset"
}

reset_parked()
{
	local before

	pfc_prepare "$1" || return
	before=$(dcb_settings) || return
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	check reset_function || return
	kill_quietly "$pause_pid"
	link_up || return
	wait_for 10 "all priorities send again" flowing p0 || return
	same "DCB settings" "$(dcb_settings)" "$before"
	check traffic_stop p0
	judge p0
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "late" "${wire[p0_all_late]} == 0"

	pauses_afterwards 100 --flows 2
}

run_tests \
	"a reset with parked frames recovers, offload" "reset_parked offload" \
	"a reset with parked frames recovers, managed" "reset_parked managed"
