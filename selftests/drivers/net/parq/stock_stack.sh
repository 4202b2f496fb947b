#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A wire that ends at an interface: what the stack behind it leaves to the interface arrives
# complete, or is counted. A distribution's kernel has what these tests need as modules.
#
#	left  p0 ---- tap0	a virtual machine that leaves frames to be cut
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/nics.sh
. "$(dirname "$0")/lib/nics.sh"

# frames RECEIVED LOST: so many since the wire was plugged in.
frames()
{
	local rx rx_lost

	read -r _ _ rx rx_lost <<<"$(wire_stats left)"
	[[ "$rx $rx_lost" == "$1 $2" ]]
}

# A frame that the stack can cut arrives in pieces. Another one is lost, and counted.
uncut()
{
	local tap

	check modprobe tun && check mkfifo "$tmp/frames" || return
	parq_gso.py --tap tap0 02:00:00:00:00:01 <"$tmp/frames" &
	defer kill_quietly $!
	exec {tap}>"$tmp/frames"
	wait_for 60 "tap0" test -e /sys/class/net/tap0 || return
	check sysctl -qw net.ipv6.conf.tap0.disable_ipv6=1 && check ip link set tap0 up &&
		netdev_up left tap0 && link_is 1 left || return
	echo "10 100 5" >&"$tap"
	wait_for 10 "ten pieces" frames 10 0
	echo "10 100 4" >&"$tap"
	wait_for 10 "the lost frame" frames 10 1
	exec {tap}>&-
}

nics_begin
run_tests \
	"a frame that cannot be cut is counted" uncut
