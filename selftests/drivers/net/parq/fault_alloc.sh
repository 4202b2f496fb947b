#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory runs out: allocations that the driver makes on behalf of the user fail, one at a
# time, wherever it makes any; those that it makes to receive, many at a time.
#
# The request fails, changes nothing and leaks nothing; or it succeeds without the memory.
# Traffic and pauses go on. Frames that could not be received are counted, and later ones
# arrive once there is memory. The kernel needs fault injection with a stack filter: only
# allocations of the driver fail.
#
#	p0 ==== data ====>  (nobody, or p1)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/alloc.sh
. "$(dirname "$0")/lib/alloc.sh"

# A file of /proc/irq that could not be made warns when it is removed.
prepare()
{
	inject_prepare parq register_irq_proc
}

bind()
{
	echo "$pci" >/sys/bus/pci/drivers/parq/bind
}

unbind()
{
	echo "$pci" >/sys/bus/pci/drivers/parq/unbind
}

unbound()
{
	[[ ! -e /sys/bus/pci/devices/$pci/driver && ! -e /sys/bus/pci/devices/$pci/net ]]
}

probe()
{
	check unbind || return
	each_step unbound unbind sh -c "echo $pci >/sys/bus/pci/drivers/parq/bind"
	check bind && check topology_up && check ping -q -c 3 -i 0.2 192.0.2.2
}

is_down()
{
	[[ $(<"${sysfs[p0]}/flags") =~ [02468ace]$ ]]
}

open()
{
	check ip link set p0 down || return
	each_step is_down "ip link set p0 down" ip link set p0 up
	check topology_up && check ping -q -c 3 -i 0.2 192.0.2.2
}

pfc_is_off()
{
	[[ $(dcb -j pfc show dev p0 prio-pfc | jq -c '.prio_pfc | unique') == "[false]" ]]
}

# Under traffic and pauses.
busy()
{
	pfc_prepare offload || return
	check traffic_start p0 0xff || return
	storm_begin p0
	"$@"
	storm_end p0
	wait_for 20 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	# Flows may move when the number of channels changes.
	judge p0
	expect "lost" "${wire[p0_all_lost]} == 0"
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "leaks" "${wire[p0_all_leaks]} == 0"
}

change_rings()
{
	each_step "rings_are p0 512" "rings_set p0 512" \
		ethtool -G p0 rx 256 tx 256
}

change_channels()
{
	check channels_set p0 1 || return
	each_step "channels_are p0 1" "channels_set p0 1" \
		ethtool -L p0 combined 2
	check channels_set p0 2
}

# A park queue for each priority.
pfc_on()
{
	pfc_set p0 all:off
	each_step pfc_is_off "pfc_set p0 all:off" \
		dcb pfc set dev p0 prio-pfc all:on
	check pfc_set p0 all:off
}

# short failslab|fail_page_alloc PERCENT: so many of the driver's allocations fail, on behalf
# of any process, without a warning.
short()
{
	local dir=/sys/kernel/debug/$1

	echo $(($2 ? 0 : 2)) >"$dir/verbose" && echo "$2" >"$dir/probability"
}

# In NAPI nobody is there to be told. The pages of what a program does not read are not to be
# had again.
receiving()
{
	defer rings_set p1 512
	check rings_set p1 64 && check receive_start p1 && check counters_begin || return
	exec_at p0 parq_traffic send --dev p0 --to 192.0.2.2 --flows 2 >"$tmp/sent" &
	defer kill_quietly $!
	wait_for 10 "p1 receives" counts "counted[p1_rx_queues_csum_unnecessary] > 100"

	defer short failslab 0
	check short failslab 50
	wait_for 20 "frames without an skb" counts "counted[p1_rx_no_skb] > 10"
	check short failslab 0

	kill -STOP "${receive_pid[1]}"
	defer short fail_page_alloc 0
	check short fail_page_alloc 100
	wait_for 20 "a ring without pages" counts \
		"counted[p1_rx_no_page] > 0 && counted[p1_rx_drop_nobuf] > 0"
	check short fail_page_alloc 0
	kill -CONT "${receive_pid[1]}"
	ktap_print_msg "no skb ${counted[p1_rx_no_skb]}, no page ${counted[p1_rx_no_page]}," \
		"no buffer ${counted[p1_rx_drop_nobuf]}"
	check counters_begin
	wait_for 10 "p1 receives again" counts "counted[p1_rx_queues_csum_unnecessary] > 1000"
}

faulty=1
run_tests \
	"allocations can fail" prepare \
	"probe survives each failed allocation" probe \
	"open survives each failed allocation" open \
	"changes of rings survive each failed allocation, under pauses" "busy change_rings" \
	"changes of channels survive each failed allocation, under pauses" "busy change_channels" \
	"turning PFC on survives each failed allocation" pfc_on \
	"a receiver short of memory recovers" receiving
