#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Requests of all kinds at once, right and wrong ones, at random, under traffic and
# pauses: DCB, ethtool, devlink and tc, each from a process of its own.
#
# They cost no frame, the kernel must not complain, and everything works afterwards.
# FIRE_SECONDS is the duration, FIRE_KINDS the kinds of requests. FIRE_SEED repeats the
# requests of a run, but not their interleaving.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/requests.sh
. "$(dirname "$0")/lib/requests.sh"

: "${FIRE_SECONDS:=60}"
: "${FIRE_SEED:=$SRANDOM}"
: "${FIRE_KINDS:=dcb ethtool devlink tc}"

# shooter KIND SEED
shooter()
{
	local end=$((SECONDS + FIRE_SECONDS)) n=0

	RANDOM=$2
	while ((SECONDS < end)); do
		# shellcheck disable=SC2046
		"request_$1"
		((n += 1))
	done >/dev/null 2>&1
	ktap_print_msg "$1: $n requests"
}

fire()
{
	local pids=() kind pid

	ktap_print_msg "FIRE_SEED=$FIRE_SEED"
	check pfc_set p0 all:on && check ets_equal p0 || return
	check record_restart && check traffic_start p0 0xff --flows 2 || return
	# shellcheck disable=SC2086 # words
	for kind in $FIRE_KINDS; do
		shooter "$kind" $((FIRE_SEED + ${#pids[@]})) &
		pids+=($!)
		defer kill_quietly $!
	done
	storm_begin p0
	for pid in "${pids[@]}"; do
		wait "$pid"
	done
	storm_end p0
	rings_set p0 512 && channels_set p0 2
	wait_for 20 "all priorities send" flowing p0 || return
	check traffic_stop p0
	# PFC was on and off, so that the recording does not tell what may leave
	# when; and flows move when the number of channels changes.
	judge p0 --pfc 0
	expect "lost" "${wire[p0_all_lost]} == 0"
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "frames" "${wire[p0_all_frames]} > 1000"
	check topology_up && check ping -q -c 3 -i 0.2 192.0.2.2
}

run_tests "requests of all kinds" fire
