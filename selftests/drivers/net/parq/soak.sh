#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Schedules of traffic, pauses, settings and faults, each as its seed says, one after the other
# in this machine: parq_soak. This is the set-up; SOAK_SEED is the first of SOAK_SEEDS.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== data =====  p1
#	p0 <=== PFC ======  p1

: "${SOAK_SEED:=1}"
: "${SOAK_SEEDS:=4}"
: "${MBIT:=$((SOAK_SEED % 2 ? 100 : 10))}"
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

topology_up || ktap_exit_fail_msg "the topology does not come up"
sysctl -qw net.core.default_qdisc=pfifo
ktap_print_header
cd "$tmp" && parq_soak --nic "$nic_bus/$pci" --speed "$MBIT" --from "$SOAK_SEED" \
	--seeds "$SOAK_SEEDS" "${recording[p0]}" "${recording[p1]}"
