#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The KUnit suites: of the driver's pure parts, and of its PFC engine and link pause
# over a fake device. The kernel has to have KUnit.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# Not every kernel runs suites when they are loaded, and the results of one that was
# not run say "ok" all the same: each of its cases has to have a result.
suite()
{
	local dir=/sys/kernel/debug/kunit/$1

	check eval "echo 1 >$dir/run" || return
	sed 's/^/# /' "$dir/results"
	check grep -q "^ok 1 $1" "$dir/results"
	same "cases that are ok" "$(grep -c '^    ok ' "$dir/results")" \
		"$(sed -n 's/^    1\.\.//p' "$dir/results")"
}

load()
{
	check insmod "${PARQ_KO%parq.ko}parq_test.ko"
	check insmod "${PARQ_KO%parq.ko}parq_io_test.ko"
	check insmod "${PARQ_KO%parq.ko}parq_dev_test.ko"
	check insmod "${PARQ_KO%parq.ko}parq_service_test.ko"
}

# Its device stops on purpose.
life()
{
	expected_complaint='parq-life: (the device has stopped, reset|given up after)'
	suite parq_dev
}

# It finds a queue stuck.
service()
{
	expected_complaint='no completion for'
	suite parq_service
}

run_tests \
	"the suites load" load \
	"pause FSM" "suite parq_pause_fsm" \
	"DCB arithmetic" "suite parq_ets_calc" \
	"headroom" "suite parq_buf_calc" \
	"receive buffers" "suite parq_rxb" \
	"trust and rewriting" "suite parq_prio_calc" \
	"CEE settings" "suite parq_dcbnl_cee_calc" \
	"PFC engine" "suite parq_pause_pfc" \
	"link pause" "suite parq_pause_link" \
	"storms" "suite parq_pause_storm" \
	"transmission selection" "suite parq_ets" \
	"starved queues" "suite parq_ets_starved" \
	"removed queues" "suite parq_reconf_calc" \
	"interrupt vectors" "suite parq_vec_calc" \
	"statistics" "suite parq_stats" \
	"table of addresses" "suite parq_switch_fdb" \
	"qdisc offload requests" "suite parq_ets_tc_calc" \
	"barriers" "suite parq_barrier" \
	"register access" "suite parq_io" \
	"queues that complete nothing" service \
	"device life cycle" life
