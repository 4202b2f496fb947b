#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Strict priority and ETS on the wire, as a user finds them: one flow a priority, default
# rings, byte queue limits and socket buffers, frames of 1442 bytes.
#
#	p0 ==== data ====>  (nobody)
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# Ten times the usual speed: a tenth of the usual time has as many frames.
fast()
{
	local MEASURE_USECS=$((MEASURE_USECS / 10))

	"$@"
}

# Mb/s: all that are measured fill the link.
full()
{
	local prio sum=0

	for prio in "$@"; do
		((sum += $(measured p0 "$prio")))
	done
	expect "kbit/s of the link" "$sum * 1000 >= MEASURE_MBIT * 1000 * 990"
}

# strict MBIT HIGH LOW: as long as one has frames, the other sends none.
strict()
{
	local MEASURE_MBIT=$1 high low
	shift

	defer ets_default p0
	check ets_strict p0 || return
	measure p0 $((1 << $1 | 1 << $2)) || return
	high=$(measured p0 "$1") low=$(measured p0 "$2")
	expect "kbit/s of $2, beside $high of $1" "$low * 1000 <= $high"
	full "$@"
}

# weights MBIT PRIORITY:PERCENT...: to one percent of the link.
weights()
{
	local MEASURE_MBIT=$1 pair bw=() tsa=() prios=0 sum=0 kbit
	shift

	for pair; do
		bw+=("$pair")
		tsa+=("${pair%:*}:ets")
		((prios |= 1 << ${pair%:*}))
	done
	defer ets_default p0
	check dcb ets set dev p0 tc-tsa all:strict "${tsa[@]}" tc-bw all:0 "${bw[@]}" \
		prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 || return
	measure p0 $prios || return
	for pair; do
		((sum += $(measured p0 "${pair%:*}")))
	done
	for pair; do
		kbit=$(measured p0 "${pair%:*}")
		expect "share of ${pair%:*}, in thousandths" \
			"($kbit * 1000 / $sum - ${pair#*:} * 10) ** 2 <= 10 ** 2"
	done
	full "${@%:*}"
}

run_tests \
	"strict priority of neighbours holds, 10 Mb/s" "strict 10 7 6" \
	"strict priority of neighbours holds, 100 Mb/s" "strict 100 7 6" \
	"strict priority of others holds, 100 Mb/s" "strict 100 3 0" \
	"strict priority of neighbours holds, 1 Gb/s" "fast strict 1000 7 6" \
	"two classes get their ETS shares, 10 Mb/s" "weights 10 3:77 0:23" \
	"two classes get their ETS shares, 100 Mb/s" "weights 100 3:77 0:23" \
	"three classes get their ETS shares, 10 Mb/s" "weights 10 0:5 3:5 7:90" \
	"three classes get their ETS shares, 100 Mb/s" "weights 100 0:5 3:5 7:90" \
	"three classes get their ETS shares, 1 Gb/s" "fast weights 1000 0:5 3:5 7:90"
