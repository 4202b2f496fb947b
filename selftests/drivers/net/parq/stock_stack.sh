#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A wire that ends at an interface: what the stack behind it leaves to the interface arrives
# complete, or is counted. A distribution's kernel has what these tests need as modules.
#
#	left  p0 ---- v0  v1	namespace far, with the checksums of SCTP and of tunnels
#	left  p0 ---- tap0	a virtual machine that leaves frames to be cut
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/nics.sh
. "$(dirname "$0")/lib/nics.sh"

# nothing_lost MIN: by the wire of left, which has received so many frames.
nothing_lost()
{
	local lost rx rx_lost

	read -r _ lost rx rx_lost <<<"$(wire_stats left)"
	expect "frames received" "$rx >= $1"
	same "frames lost" "$lost $rx_lost" "0 0"
}

# v1 leaves the checksum of SCTP, a CRC, to its interface.
sctp()
{
	veth_stack_up || return
	check modprobe sctp && check eval "far ethtool -k v1 | grep -q 'tx-checksum-sctp: on'" || return
	# All of a larger window would wait for a slow link for too long.
	defer sysctl -qw net.core.rmem_default="$(sysctl -n net.core.rmem_default)"
	check sysctl -qw net.core.rmem_default=65536
	same "bytes by SCTP" "$(parq_stream.py sctp far 198.18.0.1 200000)" 200000
	nothing_lost 20
}

# Inner and outer checksum, of frames that are cut behind v1.
tunnel()
{
	veth_stack_up || return
	check ip link add vx0 type vxlan id 7 dstport 4789 local 198.18.0.1 remote 198.18.0.2 \
		dev left udpcsum && defer ip link del vx0 || return
	check far ip link add vx1 type vxlan id 7 dstport 4789 local 198.18.0.2 \
		remote 198.18.0.1 dev v1 udpcsum && defer far ip link del vx1 || return
	check sysctl -qw net.ipv6.conf.vx0.disable_ipv6=1 &&
		check far sysctl -qw net.ipv6.conf.vx1.disable_ipv6=1 &&
		check ip addr add 198.19.0.1/24 dev vx0 && check ip link set vx0 up &&
		check far ip addr add 198.19.0.2/24 dev vx1 && check far ip link set vx1 up || return
	# As above.
	defer sysctl -qw net.ipv4.tcp_rmem="$(sysctl -n net.ipv4.tcp_rmem)"
	check sysctl -qw net.ipv4.tcp_rmem="4096 32768 65536"
	same "bytes through the tunnel" "$(parq_stream.py tcp far 198.19.0.1 500000)" 500000
	nothing_lost 350
}

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
	"SCTP from a stack that leaves the CRC to its interface" sctp \
	"TCP through a tunnel, whose checksums are left to the interface" tunnel \
	"a frame that cannot be cut is counted" uncut
