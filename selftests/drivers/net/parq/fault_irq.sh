#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Interrupts are lost, late, or come twice, under traffic both ways and pauses.
#
# This loses and reorders no frame, in either executor, and traffic goes on afterwards. A driver
# that waits for a lost interrupt notices within seconds, and counts it.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# interrupts KINDS EXECUTOR
interrupts()
{
	local kinds=$1 before

	pfc_prepare "$2" || return
	before=$(lost_interrupts)
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	check fault_begin "$kinds" || return
	check pause_end p0
	check pfc p0 storm --speed "$MBIT" --pauses 1000 --on 4000 --off 6000 --seed "$SRANDOM" ||
		return
	# Long enough for the watch.
	pfc p0 once --count 10 --every 300000
	pfc p0 once --quanta 0
	check fault_end
	wait_for 20 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check judge p0
	ktap_print_msg "interrupts found lost: $(($(lost_interrupts) - before))"
	[[ $kinds != "$FAULT_LOST" ]] ||
		expect "interrupts found lost" "$(lost_interrupts) > $before"
}

faulty=1
run_tests \
	"lost interrupts lose no frame, offload" "interrupts $FAULT_LOST offload" \
	"lost interrupts lose no frame, managed" "interrupts $FAULT_LOST managed" \
	"late and doubled interrupts lose no frame, offload" "interrupts $((FAULT_LATE | FAULT_TWICE)) offload" \
	"late and doubled interrupts lose no frame, managed" "interrupts $((FAULT_LATE | FAULT_TWICE)) managed"
