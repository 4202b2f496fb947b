#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The driver has no data races.
#
# Traffic both ways, pauses, settings, statistics, debugfs, changes of rings, channels and the
# link run together while KCSAN watches the driver. The kernel must have KCSAN but not check its
# own code, and KCSAN must be off at boot: then it samples only accesses of the driver.
#
#	p0 <=== data ====>  p1
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

: "${KCSAN_SECONDS:=20}"
kcsan=/sys/kernel/debug/kcsan

# Of what is inline in the kernel's headers the module has copies, which are not its business.
functions()
{
	awk '$4 == "[parq]" && $3 ~ /^parq_/ { print $3 }' /proc/kallsyms | sort -u
}

# By default one access of 4000 is watched, in an interrupt for 20 us: by that a
# race that is there is not found in a minute.
watch_begin()
{
	local name

	echo whitelist >$kcsan || return
	while read -r name; do
		echo "!$name" >$kcsan || return
	done < <(functions)
	echo 50 >/sys/module/kcsan/parameters/skip_watch &&
		echo 200 >/sys/module/kcsan/parameters/udelay_task &&
		echo 200 >/sys/module/kcsan/parameters/udelay_interrupt && echo on >$kcsan || return
	defer watch_end
}

watch_end()
{
	echo off >$kcsan
}

watchpoints()
{
	awk '$1 == "setup_watchpoints:" { print $2 }' $kcsan
}

look()
{
	local port

	for port in p0 p1; do
		at $port ethtool -S $port
		at $port ethtool -d $port
		at $port ip -s link show $port
	done
	cat /sys/kernel/debug/parq/*/port*/*
	dcb -s pfc show dev p0
}

change()
{
	local size=$1

	ethtool -G p0 rx "$size" tx "$size"
	ethtool -L p0 combined $((size == 512 ? 2 : 1))
	ethtool -C p0 rx-usecs 10 && ethtool -C p0 rx-usecs 20
	dcb pfc set dev p0 prio-pfc 0:off && dcb pfc set dev p0 prio-pfc 0:on
	far ip link set p1 down && far ip link set p1 up && set_neighbours
}

# Long frames would leave the processors with little to do, and hardly ever both of them
# with one ring.
races()
{
	local end=$((SECONDS + KCSAN_SECONDS)) before

	pfc_prepare "$1" || return
	before=$(watchpoints)
	check watch_begin || return
	check traffic_start p0 0xff --flows 2 --size 64 &&
		check traffic_start p1 0x0f --size 64 || return
	storm_begin p0 --on 4000 --off 8000
	while ((SECONDS < end)); do
		look && change 256
		look && change 512
	done >/dev/null 2>&1
	storm_end p0
	rings_set p0 512 && channels_set p0 2
	wait_for 30 "all priorities send" flowing p0 || return
	check traffic_stop p1
	check traffic_stop p0
	ktap_print_msg "accesses watched: $(($(watchpoints) - before))"
	expect "accesses watched" "$(watchpoints) - $before > 1000"
}

run_tests \
	"the driver has no data race, offload" "races offload" \
	"the driver has no data race, managed" "races managed"
