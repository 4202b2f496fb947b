#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The shortest proof that driver and NIC work together on this kernel: the link
# comes up, frames reach the other side in every priority, a pause parks and
# reinjects, and the module goes and comes back.
#
#	p0 ==== data ====>  p1
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

reach()
{
	check ping -q -c 3 -i 0.2 192.0.2.2
}

pause_once()
{
	pfc_prepare "$1" || return
	check traffic_start p0 0xff || return
	check pause_begin p0 0xff && check pause_end p0 || return
	wait_for 10 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check judge p0
	expect "pauses" "${wire[p0_all_pauses]} >= 8"
}

reload()
{
	check module_unload || return
	check topology_up || return
	reach
}

run_tests \
	"the link partner answers" reach \
	"a pause parks and reinjects, offload" "pause_once offload" \
	"a pause parks and reinjects, managed" "pause_once managed" \
	"the module unloads and loads" reload
