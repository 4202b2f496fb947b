#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tutorial shows what happens. Each command of Documentation/user/tutorial.rst runs in one
# shell, in the order of the page; what the page shows of its output has to come, line by
# line. The page may leave out lines. Numbers of three digits or more are counts and times,
# which differ from one machine to another, and so do some shorter ones: any will do there.
#
# In a block of type "console" a line with "# " in front is a command, and goes on behind a
# backslash; those that follow are its output.
#
#	p0 ==== data ====>  p1
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

: "${PARQ_TUTORIAL:=${build%/build}/Documentation/user/tutorial.rst}"

# Commands to $tmp/commands/N, what each has to print to $tmp/expected/N.
extract()
{
	mkdir -p "$tmp/commands" "$tmp/expected" "$tmp/printed"
	awk -v dir="$tmp" '
		/^\.\. code-block:: console/ { block = 1; next }
		/^[^ ]/ { block = 0 }
		!block || /^ *$/ { next }
		{ sub(/^   /, "") }
		more { print >command; more = /\\$/; next }
		/^# / {
			n++
			command = sprintf("%s/commands/%02d", dir, n)
			expected = sprintf("%s/expected/%02d", dir, n)
			printf "" >expected
			sub(/^# /, "")
			print >command
			more = /\\$/
			next
		}
		{ print >expected }' "$PARQ_TUTORIAL"
}

# What may differ is made the same. A count of frames is 0 or not.
stable()
{
	sed -E 's/[[:space:]]+/ /g; s/^ | $//g; s/[0-9]{3,}(\.[0-9]+)?/N/g
		s/((head|tail|fds|commands|seq|ack|prio[0-7]_[a-z_]+:) )[1-9][0-9]*/\1N/g' "$1"
}

# The lines that are expected come, in their order.
comes()
{
	diff <(stable "$1") <(stable "$2") >"$tmp/diff"
	! grep -q '^<' "$tmp/diff"
}

# One shell for all of them, whose jobs and directory stay. Only what is typed may take time.
follow()
{
	local command number

	check test -s "$PARQ_TUTORIAL" && extract && mkdir "$tmp/home" && cd "$tmp/home" || return
	set -m
	for command in "$tmp"/commands/*; do
		number=${command##*/}
		ktap_print_msg "$(<"$command")"
		# shellcheck disable=SC1090
		. "$command" >"$tmp/printed/$number" 2>&1
		comes "$tmp/expected/$number" "$tmp/printed/$number" && continue
		ktap_print_msg "the page shows what does not come:"
		grep '^<' "$tmp/diff" | sed 's/^/# /'
		sed 's/^/#     /' "$tmp/printed/$number"
		RET=1
		break
	done
	set +m
	# What still runs, if a step has failed.
	jobs -p | xargs -r kill 2>/dev/null
	wait
	[[ ! ${PARQ_TUTORIAL_OUTPUT:-} ]] || cp -r "$tmp"/{commands,printed} "$PARQ_TUTORIAL_OUTPUT"
	expect "commands of the page" "${number:-0} >= 20"
}

run_tests \
	"the commands of the tutorial print what the page shows" follow
