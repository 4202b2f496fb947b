#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Programs of others use XDP and AF_XDP: xdp-bench of xdp-tools, and DPDK's testpmd.
#
# p0 sends tagged frames in all priorities to p1, where such a program drops them, sends them back, or
# takes them by a socket without copies and sends them by it. Meanwhile p0 pauses p1 at random. The
# recording of p1 shows that no frame of a paused priority has started, and that each flow has stayed
# in order. What the programs themselves had no room for may be missing.
#
#	p0 ==== data ====>  p1, with a program
#	p0 <=== data =====
#	p0 ==== PFC =====>
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

FRAMES=100
PRIOS=$((8 * FRAMES))
PAUSES=200

# client PROGRAM [ARGUMENT]...: at p1, until client_end.
client()
{
	exec_at p1 "$@" </dev/null >"$tmp/client" 2>&1 &
	client_pid=$!
	defer kill_quietly $client_pid
	wait_for 60 "$1 has its program at p1" attached || client_failed
}

# Shows what it has said last.
client_failed()
{
	tail -n 20 "$tmp/client" | sed "s/^/# /"
	return 1
}

attached()
{
	far ip -j link show dev p1 | jq -e '.[0].xdp.prog.id' >/dev/null
}

# They say what they have done as soon as they are interrupted.
client_end()
{
	kill -INT "$client_pid"
	check wait "$client_pid"
	wait_for 10 "no program at p1" eval '! attached'
}

dropped()
{
	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 && client xdp-bench drop p1 || return
	check counters_begin &&
		check parq_traffic send --dev vp0 --to 198.51.100.2 --frames $FRAMES >"$tmp/sent" || return
	wait_for 10 "all are dropped" counts "counted[p1_rx_xdp_drop] >= $PRIOS"
	client_end
}

# comes_back PROGRAM [ARGUMENT]...: it sends all that it receives, while p0 pauses it.
comes_back()
{
	vlans_up 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 && pfc_prepare offload p1 && client "$@" || return
	check record_restart && check counters_begin || return
	exec_at p0 parq_traffic send --dev vp0 --to 198.51.100.2 --size 400 >"$tmp/sent" &
	traffic_pid[0]=$!
	defer kill_quietly $!
	wait_for 20 "p1 sends in all priorities" flowing p1 || client_failed || return
	storm_begin p1
	wait_for 60 "pauses" counts "$(prios p1 rx pause) >= $PAUSES"
	storm_end p1
	wait_for 20 "p1 sends in all priorities" flowing p1 || return
	check traffic_stop p0
	judge p1
	expect "parked" "counted[p1_prio3_parked_total] > 0"
	expect "frames" "${wire[p1_all_frames]} > 1000"
	expect "pauses" "${wire[p1_all_pauses]} > 10"
	expect "leaks, late, twice" "${wire[p1_all_leaks]} + ${wire[p1_all_late]} +
		${wire[p1_all_twice]} == 0"
	client_end
}

# One channel, so that its socket gets all frames; with their tags, which have their priority.
testpmd()
{
	defer channels_set p1 "$(channel_count p1)"
	defer far ethtool -K p1 rxvlan on
	check channels_set p1 1 && check far ethtool -K p1 rxvlan off || return
	comes_back dpdk-testpmd --no-pci --no-huge --no-shconf -m 128 -l 0-1 \
		--vdev net_af_xdp0,iface=p1,start_queue=0,queue_count=1 -- \
		--forward-mode=macswap --auto-start --total-num-mbufs=8192 --stats-period 1
}

run_tests \
	"xdp-bench drops" dropped \
	"xdp-bench sends back, and obeys pauses" "comes_back xdp-bench tx -p swap-macs p1" \
	"testpmd sends back by AF_XDP, and obeys pauses" testpmd
