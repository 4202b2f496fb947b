#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The KUnit suites: of the driver's pure parts, and of its PFC engine over a fake
# device. The kernel has to have KUnit.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

suite()
{
	local results=/sys/kernel/debug/kunit/$1/results

	sed 's/^/# /' "$results"
	check grep -q "^ok 1 $1" "$results"
}

load()
{
	check insmod "${PARQ_KO%parq.ko}parq_test.ko"
}

run_tests \
	"suites are loaded" load \
	"pause FSM" "suite parq_fsm" \
	"DCB arithmetic" "suite parq_dcb" \
	"receive buffers" "suite parq_headroom" \
	"PFC engine" "suite parq_pfc" \
	"barriers" "suite parq_barrier"
