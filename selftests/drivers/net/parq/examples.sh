#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The scripts of examples/ do what their first lines say. They make NICs of their own in this
# kernel, print what they see, and exit with 0 only if all of it holds. They leave neither NIC
# nor namespace behind.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

: "${PARQ_EXAMPLES:=${build%/build}/examples}"

# Namespaces and NICs of configfs.
there()
{
	compgen -G '/run/netns/*'
	compgen -G '/sys/kernel/config/parqsim/*'
}

# example NAME
example()
{
	local before status

	before=$(there)
	MBIT=$MBIT "$PARQ_EXAMPLES/$1.sh" 2>&1 | tee "$tmp/said" | sed -u 's/^/# /'
	status=${PIPESTATUS[0]}
	expect "exit status of $1.sh" "$status == 0"
	expect "lines of a verdict" "$(grep -c '^  yes  ' "$tmp/said") >= 3"
	same "namespaces and NICs" "$(there)" "$before"
}

# Soft-RoCE knows network namespaces since 7.0. On older kernels the lab says so and leaves.
roce()
{
	local before said status=0

	(($(uname -r | cut -d . -f 1) < 7)) || { example roce; return; }
	before=$(there)
	said=$("$PARQ_EXAMPLES/roce.sh" 2>&1) || status=$?
	expect "exit status of roce.sh" "$status == 1"
	check grep -q "^roce.sh: .*no soft-RoCE" <<<"$said" || ktap_print_msg "it said: $said"
	same "namespaces and NICs" "$(there)" "$before"
}

run_tests \
	"a pause spreads through a switch, and nothing is lost" "example switch" \
	"RoCE repeats nothing across pauses, or is refused on an older kernel" roce \
	"two lldpad agree" "example dcbx"
