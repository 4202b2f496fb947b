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

# there_and_back EXECUTOR AWAY BACK
there_and_back()
{
	local start ms

	check executor_set "$1" && check pfc_set p0 all:on && check ets_equal p0 || return
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	start=$(timestamp_ms)
	check "$2" || return
	ms=$(($(timestamp_ms) - start))
	expect "time that it takes, ms" "$ms < 5000 * SLOWER"
	check traffic_stop p0
	kill_quietly "$pause_pid"
	check "$3" && check topology_up || return
	check ping -q -c 3 -i 0.2 192.0.2.2
}

run_tests \
	"the module unloads with parked frames, offload" "there_and_back offload module_unload module_load" \
	"the module unloads with parked frames, managed" "there_and_back managed module_unload module_load" \
	"the device is removed with parked frames" "there_and_back offload device_remove bus_rescan"
