# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What must hold: each of these functions fails the running test if it does not.
# shellcheck disable=SC2154,SC2034 # variables of the other files

# The arithmetic holds, or the running test fails.
expect()
{
	local what=$1 expression=$2

	((expression)) && return
	# A * in it is not for the names of files.
	(set -f && ktap_print_msg "$what: not $expression")
	RET=1
	return 1
}

# The command succeeds, or the running test fails.
check()
{
	"$@" && return
	ktap_print_msg "failed: $*"
	RET=1
	return 1
}

# The command fails, or the running test does.
check_refused()
{
	"$@" >/dev/null 2>&1 || return 0
	ktap_print_msg "not refused: $*"
	RET=1
	return 1
}

# refused_with SENTENCE COMMAND...: with that reason of the driver, or one that begins so.
refused_with()
{
	local reason=$1
	shift

	if "$@" >/dev/null 2>"$tmp/reason"; then
		ktap_print_msg "not refused: $*"
	elif grep -qF "parq: $reason" "$tmp/reason"; then
		return
	else
		ktap_print_msg "'$*' is refused for another reason: $(<"$tmp/reason")"
	fi
	RET=1
	return 1
}

# logs TEXT COMMAND...: the kernel's log has a line with TEXT after COMMAND. The driver limits
# how many it writes in a time.
logs()
{
	local text=$1 cost mark="parq-logs-$SRANDOM"
	shift

	cost=$(sysctl -n net.core.message_cost)
	sysctl -qw net.core.message_cost=0
	echo "$mark" >/dev/kmsg
	"$@"
	sysctl -qw net.core.message_cost="$cost"
	dmesg | sed "0,/$mark/d" | grep -F "$text" >"$tmp/logged" && return
	ktap_print_msg "'$*' does not log: $text"
	RET=1
	return 1
}

same()
{
	[[ $2 == "$3" ]] && return
	ktap_print_msg "$1: '$2', not '$3'"
	RET=1
	return 1
}

# A row of a table of Documentation/testing/figures.rst, see tools/figures:
# figure "TABLE; CELL; ..."
figure()
{
	ktap_print_msg "figure $*"
}

# Nobody writes to it. In a test most sleeps are shorter than it takes to start sleep(1).
exec {never}<> <(:)
sleep()
{
	local seconds

	printf -v seconds %.6f "$1"
	read -rt "$seconds" -u "$never" || true
}

# paced SECONDS: copies lines, and sleeps after each.
paced()
{
	local line

	while IFS= read -r line; do
		echo "$line"
		sleep "$1"
	done
}

# wait_for SECONDS WHAT CONDITION...: in this shell, so that what the condition has
# counted can be looked at. What is not true within a second is looked at less often.
wait_for()
{
	local seconds=$(($1 * SLOWER)) what=$2 end looks=0
	shift 2

	end=$((SECONDS + seconds))
	until "$@" >/dev/null; do
		if ((SECONDS > end)); then
			ktap_print_msg "not within $seconds s: $what"
			RET=1
			return 1
		fi
		sleep "$((++looks < 10 ? SLOWER : 3 * SLOWER))e-1"
	done
}
