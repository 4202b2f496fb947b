#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The driver has leaked no memory since the machine booted. To be run last, on a kernel with
# kmemleak.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

kmemleak=/sys/kernel/debug/kmemleak

# What was freed a moment ago may still be in a register: look twice. The kernel
# tells of nothing that is younger than five seconds (MSECS_MIN_AGE).
leaks()
{
	check module_unload || return
	check eval "echo scan >$kmemleak" || return
	sleep 5
	echo scan >$kmemleak
	grep -B 12 -A 20 -E '\[parq\]|parq_' $kmemleak | sed 's/^/# /' | tee "$tmp/leaks"
	expect "lines of leaks" "$(wc -l <"$tmp/leaks") == 0"
	check topology_up
}

run_tests "the driver leaks no memory" leaks
