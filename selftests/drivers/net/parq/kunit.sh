#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The KUnit suites: of the driver's pure parts, and of its PFC engine and link pause
# over a fake device. The kernel has to have KUnit.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

suites=(
	parq_barrier parq_buf parq_buf_calc parq_chan parq_clock parq_dcbnl parq_dcbnl_app
	parq_dcbnl_cee parq_dcbnl_cee_calc parq_debugfs parq_dev parq_devlink parq_egress
	parq_ethtool parq_ethtool_link parq_ets parq_ets_calc parq_ets_starved parq_ets_tc parq_ets_tc_calc
	parq_events parq_flower parq_flower_calc parq_health parq_io parq_io_regs parq_netdev
	parq_pause_fsm parq_pause_link parq_pause_pfc parq_pause_storm parq_pool parq_port parq_prio
	parq_prio_calc parq_ptp parq_qtree parq_queue parq_reconf parq_reconf_calc parq_red parq_red_calc
	parq_rss parq_rule parq_rule_calc parq_rx parq_rxb parq_service parq_stats parq_switch
	parq_switch_fdb parq_switch_mdb parq_switch_vif parq_switch_vlan parq_tbf parq_tx parq_vec
	parq_vec_calc parq_xdp parq_xsk parq_xsk_rx
)

load()
{
	local module

	for module in "${PARQ_KO%parq.ko}"parq_*test.ko; do
		check insmod "$module"
	done
	same "suites" "${suites[*]}" "$(cd /sys/kernel/debug/kunit && echo parq_*)"
}

# Not every kernel runs suites when they are loaded, and the results of one that was
# not run say "ok" all the same: each of its cases has to have a result.
suite()
{
	local dir=/sys/kernel/debug/kunit/$1

	# A device stops on purpose, a queue is found stuck, and an interrupt lost.
	expected_complaint='parq-life: (the device has stopped, reset|given up after)|no completion for|lost an interrupt'
	check eval "echo 1 >$dir/run" || return
	sed 's/^/# /' "$dir/results"
	check grep -q "^ok 1 $1" "$dir/results"
	same "cases that are ok" "$(grep -c '^    ok ' "$dir/results")" \
		"$(sed -n 's/^    1\.\.//p' "$dir/results")"
}

tests=("the suites load" load)
for suite in "${suites[@]}"; do
	tests+=("${suite#parq_}" "suite $suite")
done
run_tests "${tests[@]}"
