# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the tests of PARQ share, a file a subject in lib/; sourced, never run.
#
# All tests use one NIC of two ports that a cable joins, and the recordings of
# both ends of that cable:
#
#	parq-nic --wire p0=peer:p1,length=10 --record p0=p0.pcapng --record p1=p1.pcapng
#
# Tests of pauses need "--fetch 100000000" as well: the link is slow, and a NIC that fetches
# just in time has hardly ever a frame under way to park. Those that measure the
# transmission selection (SHARE_PROGS) need a NIC without it.
#
#	+------------------+        +-------------------+
#	| p0  192.0.2.1/24 |--------| p1  192.0.2.2/24  |
#	+------------------+  10 m  | namespace far     |
#	                            +-------------------+
#
# 192.0.2.99 has an address that no port listens to: frames sent there pass
# the wire and are recorded, and cost the receiver nothing.
#
# The topology is made once and stays; topology_up() brings it into a known state
# before each test program: 100 Mb/s, so that the link is slower than any
# processor, PFC off, one class for all priorities, offload.

parq_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
selftests=${parq_dir%/drivers/net/parq}

# shellcheck disable=SC1091
. "$selftests/kselftest/ktap_helpers.sh"
# shellcheck disable=SC1091
. "$selftests/net/lib.sh"

PATH=$parq_dir:$PATH

# How many times as slow as usual this machine is: tests wait so much longer, look so much
# less often, and repeat what they repeat so many times less. Storms are so much slower.
: "${SLOWER:=1}"
# How often a setting changes under load.
: "${OFTEN:=100}"
# For files of the running program.
tmp=$(mktemp -d /tmp/parq.XXXXXX)

# shellcheck source=selftests/drivers/net/parq/lib/assert.sh
. "$parq_dir/lib/assert.sh"
# shellcheck source=selftests/drivers/net/parq/lib/topology.sh
. "$parq_dir/lib/topology.sh"
# shellcheck source=selftests/drivers/net/parq/lib/rings.sh
. "$parq_dir/lib/rings.sh"
# shellcheck source=selftests/drivers/net/parq/lib/dcb.sh
. "$parq_dir/lib/dcb.sh"
# shellcheck source=selftests/drivers/net/parq/lib/recording.sh
. "$parq_dir/lib/recording.sh"
# shellcheck source=selftests/drivers/net/parq/lib/counters.sh
. "$parq_dir/lib/counters.sh"
# shellcheck source=selftests/drivers/net/parq/lib/sums.sh
. "$parq_dir/lib/sums.sh"
# shellcheck source=selftests/drivers/net/parq/lib/traffic.sh
. "$parq_dir/lib/traffic.sh"
# shellcheck source=selftests/drivers/net/parq/lib/pause.sh
. "$parq_dir/lib/pause.sh"
# shellcheck source=selftests/drivers/net/parq/lib/fault.sh
. "$parq_dir/lib/fault.sh"
# shellcheck source=selftests/drivers/net/parq/lib/run.sh
. "$parq_dir/lib/run.sh"

trap cleanup EXIT
trap 'exit 1' INT TERM
