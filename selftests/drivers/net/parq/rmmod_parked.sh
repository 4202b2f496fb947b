#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module, or the device, is removed while frames are parked.
#
# As with an interface that goes down, nothing waits for the pause, and every frame of the
# sender is freed once. The next probe resets the NIC, and the pause is over.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

device_remove()
{
	echo 1 >"/sys/bus/pci/devices/$pci/remove"
}

bus_rescan()
{
	echo 1 >/sys/bus/pci/rescan
}

run_tests \
	"the module unloads with parked frames, offload" "remove_parked 5000 offload module_unload module_load" \
	"the module unloads with parked frames, managed" "remove_parked 5000 managed module_unload module_load" \
	"the device is removed with parked frames" "remove_parked 5000 offload device_remove bus_rescan"
