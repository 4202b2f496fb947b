#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Function level reset under traffic, while frames are parked.
#
# The user asks the bus for a reset. The device loses all its state; the driver
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

run_tests \
	"a reset with parked frames recovers, offload" "parked_across offload reset_function" \
	"a reset with parked frames recovers, managed" "parked_across managed reset_function"
