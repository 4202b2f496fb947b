# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Runs the tests of a program, and checks after each of them what must always hold.
# shellcheck disable=SC2154 # variables of the other files

# 1: the first test that fails ends the program.
: "${FAIL_FAST:=0}"
# 1: the NIC is made to fail, so that interrupts may be lost.
faulty=0
# Lost interrupts so far.
lost=0
# What the kernel may complain of in the running test, a regular expression.
expected_complaint=

# Fails if the kernel has complained since the mark, and prints the complaints, except those that
# the test expects. If the log no longer has the mark, all of it is searched.
kernel_is_quiet()
{
	dmesg | awk -v mark="$1" -v expected="${expected_complaint:-^$}" '
		index($0, mark) { n = 0 }
		/WARNING|BUG|cut here|Oops|UBSAN|blocked for more|NETDEV WATCHDOG|refcount|parq.*(no completion|reset)/ &&
			$0 !~ expected { line[n++] = $0 }
		END {
			for (i = 0; i < n; i++)
				print "# " line[i]
			exit n > 0
		}'
}

# Only a NIC at fault loses an interrupt; the driver recovers, and counts.
lost_interrupts()
{
	parq_counters p0 far/p1 2>/dev/null |
		awk '$1 ~ /_lost_interrupts:$/ { sum += $2 } END { print sum + 0 }'
}

# Since the test before.
no_interrupt_lost()
{
	local before=$lost

	lost=$(lost_interrupts)
	expect "interrupts lost" "$lost <= $before"
}

run_one_test()
{
	local title=$1 mark
	shift

	mark="parq-selftest-$BASHPID-$SRANDOM"
	echo "$mark" >/dev/kmsg
	RET=0
	expected_complaint=
	in_defer_scope "$@" || RET=1
	((faulty)) || no_interrupt_lost
	kernel_is_quiet "$mark" || RET=1
	if ((RET)); then
		ktap_test_fail "$title"
	else
		ktap_test_pass "$title"
	fi
}

cleanup()
{
	defer_scopes_cleanup
	rm -rf "$tmp"
}

# run_tests TITLE COMMAND...: each COMMAND is one word, which may hold arguments.
run_tests()
{
	ktap_print_header
	ktap_set_plan $(($# / 2 + sums_known))
	# Messages are counted: none may fall to the rate limit.
	defer sysctl -qw net.core.message_cost="$(sysctl -n net.core.message_cost)"
	sysctl -qw net.core.message_cost=0
	topology_up || ktap_exit_fail_msg "the topology does not come up"
	sums_begin || ktap_exit_fail_msg "the counters cannot be read"
	lost=$(lost_interrupts)
	while (($#)); do
		# shellcheck disable=SC2086
		run_one_test "$1" $2
		((!RET || !FAIL_FAST)) || ktap_exit_fail_msg "no test after the first that fails"
		shift 2
	done
	((!sums_known)) ||
		run_one_test "every frame is in the statistics once" every_frame_is_counted
	ktap_finished
}
