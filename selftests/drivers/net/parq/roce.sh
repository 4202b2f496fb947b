#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# RoCE on a priority with PFC: a receiver that stalls loses nothing, and nothing is sent twice.
# Without PFC frames are lost and sent again.
#
# Soft-RoCE writes from p0 to p1, in a VLAN whose frames have priority 3. p1 has few receive
# buffers and stalls for 400 ms at a time, so that it has to pause priority 3. iperf3 goes on
# in priority 0. The counters of both ports show that nothing was lost. Those
# of RoCE, and tshark's reading of the wire, show that nothing was repeated.
#
#	rxe0 - vp0 - p0 ==== RoCE ===> p1 - vp1 - rxe1
#	    iperf3 - p0 ==== UDP ====> p1 - iperf3
#	             p0 <=== PFC ===== p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

PRIO=3
# In all more than p1 takes at once, and as little as tshark reads in a while.
QPS=4
SIZE=16384
WRITES=16
MTU=1024

rxe_up()
{
	check at "$1" rdma link add "rxe${1#p}" type rxe netdev "$1" || return
	defer at "$1" rdma link del "rxe${1#p}"
}

# RoCE's own frames have no priority; the VLAN gives them one. Nobody has to be asked for
# addresses.
fabric_up()
{
	local port

	vlans_up 0:$PRIO || return
	for port in p0 p1; do
		rxe_up $port || return
	done
}

few_buffers()
{
	defer rings_set p1 512
	check rings_set p1 64
}

# A thread takes p1's frames, on a processor that another one keeps to itself most of the time.
stalls_begin()
{
	local pid last

	last=$(($(nproc) - 1))
	defer threaded_set p1 0
	check threaded_set p1 1 || return
	for pid in $(pgrep '^napi/p1-'); do
		check taskset -cp "$last" "$pid" >/dev/null || return
	done
	stall "$last" &
	defer kill_quietly $!
}

stall()
{
	# shellcheck disable=SC2016
	exec taskset -c "$1" chrt -f 1 bash -c '
		while sleep 0.1; do
			end=$((${EPOCHREALTIME/./} + 400000))
			while ((${EPOCHREALTIME/./} < end)); do :; done
		done'
}

rxe_dir()
{
	echo "/sys/class/infiniband/rxe${1#p}/ports/1"
}

# Which of a port's RoCE addresses is the VLAN's, as "::ffff:198.51.100.1" is written there.
gid_index()
{
	local gid

	gid=$(printf '0000:0000:0000:0000:0000:ffff:c633:64%02x' $((1 + ${1#p})))
	grep -lx "$gid" "$(rxe_dir "$1")/gids"/* | sed 's,.*/,,'
}

# Requests sent again, and what makes a peer do so, as "NAME NUMBER" of both ends.
complaints()
{
	local name

	for name in completer_retry_err rcvd_seq_err rcvd_rnr_err retry_exceeded_err; do
		echo "$name $(<"$(rxe_dir p0)/hw_counters/$name")"
	done
	for name in out_of_seq_request duplicate_request send_rnr_err; do
		echo "$name $(<"$(rxe_dir p1)/hw_counters/$name")"
	done
}

repeats()
{
	complaints | awk '{ sum += $2 } END { print sum }'
}

listens()
{
	far ss -Hltn "sport = :$1" | grep -q .
}

# Datagrams, which do not wait for a receiver that stalls.
other_start()
{
	exec_at p1 iperf3 -s -1 -B 192.0.2.2 >"$tmp/iperf3.p1" 2>&1 &
	defer kill_quietly $!
	wait_for 20 "iperf3 listens" listens 5201 || return
	exec_at p0 taskset -c 0 iperf3 -c 192.0.2.2 -u -b $((MBIT * 40))K -l 1000 -t 3600 \
		>"$tmp/iperf3.p0" 2>&1 &
	other_pid=$!
	defer kill_quietly $!
	wait_for 20 "iperf3 sends" flowing p0 0x01
}

# roce PORT ARGUMENT...: of ib_write_bw; -u N has it wait 4 us * 2^N for an answer.
roce()
{
	exec_at "$1" ib_write_bw -F -d "rxe${1#p}" -x "$(gid_index "$1")" -q $QPS -s $SIZE \
		-m $MTU "${@:2}" >"$tmp/roce.$1" 2>&1
}

# RoCE is under way when this is over.
roce_start()
{
	roce p1 "$@" &
	defer kill_quietly $!
	wait_for 20 "ib_write_bw listens" listens 18515 || return
	roce p0 "$@" 198.51.100.2 &
	roce_pid=$!
	defer kill_quietly $!
}

# What tshark sees of p0's wire, and reckons from it: how often priority 3 was paused; frames
# of it that started all the same; bytes that iperf3 sent during pauses; requests of RoCE that
# were sent more than once. Frames that p0 sends are stamped at their start, others at their end.
wire_read()
{
	local mac

	mac=$(<"${sysfs[p0]}/address")
	wait_for 10 "end of the recording" recorded p0
	tshark -n -r "${recording[p0]}" -T fields -E separator=, -E occurrence=f \
		--only-protocols frame,eth,ethertype,vlan,ip,udp,infiniband,macc \
		-e frame.time_relative -e eth.src -e macc.cbfc.enbv.c$PRIO \
		-e macc.cbfc.pause_time.c$PRIO -e vlan.priority -e infiniband.bth.destqp \
		-e infiniband.bth.psn -e udp.dstport -e udp.length 2>"$tmp/tshark" >"$tmp/frames" || return
	awk -F, -v mac="$mac" -v prio=$PRIO -v quantum="$(awk "BEGIN { print 512 / $MBIT / 1e6 }")" '
		$3 == "True" || $3 == 1 {
			pauses += $4 > 0 && $1 > until
			until = $1 + $4 * quantum
		}
		$2 != mac { next }
		$5 == prio && $1 < until { leaks++ }
		$6 != "" && seen[$6, $7]++ { repeats++ }
		$8 == 5201 && $1 < until { other += $9 }
		END {
			printf "pauses %d leaks %d repeats %d other %d\n",
				pauses, leaks, repeats, other
		}
	' "$tmp/frames" >"$tmp/wire"
	ktap_print_msg "wire: $(<"$tmp/wire")"
	ktap_print_msg "RoCE: $(complaints | xargs)"
}

# seen NAME, of wire_read()
seen()
{
	awk -v name="$1" '{ for (i = 1; i < NF; i += 2) if ($i == name) print $(i + 1) }' "$tmp/wire"
}

lossless()
{
	local port

	for port in p0 p1; do
		defer pfc_set $port all:off
		check pfc_set $port all:off $PRIO:on || return
	done
	# Less than RoCE sends without an answer.
	defer far dcb buffer set dev p1 buffer-size all:0
	check far dcb buffer set dev p1 prio-buffer all:0 $PRIO:1 \
		buffer-size all:0 0:64K 1:64K || return
	fabric_up && few_buffers && stalls_begin && other_start || return
	check record_restart && check counters_begin || return
	# So long, 68 s, RoCE waits for an answer before it asks again.
	check roce_start -n $WRITES -u 24 || return
	check wait "$roce_pid" || sed 's/^/# /' "$tmp/roce.p0"
	kill_quietly "$other_pid"
	counters_end
	check wire_read
	expect "frames of RoCE" "${counted[p0_tx_prio${PRIO}_packets]} >= QPS * WRITES * SIZE / MTU"
	expect "dropped by the receiver" "${counted[p1_rx_prio${PRIO}_discards]} == 0"
	expect "dropped by the sender" "$(dropped p0) == 0"
	expect "repeated, says RoCE" "$(repeats) == 0"
	expect "repeated on the wire" "$(seen repeats) == 0"
	expect "started while paused" "$(seen leaks) == 0"
	expect "pauses on the wire" "$(seen pauses) > 0"
	expect "pauses" "2 * $(seen pauses) == ${counted[p0_rx_prio${PRIO}_pause_transition]}"
	expect "parked" "${counted[p0_prio${PRIO}_parked_total]} > 0"
	expect "bytes of iperf3 while RoCE was paused" "$(seen other) > 0"
	expect "pauses of iperf3" "${counted[p0_rx_prio0_pause_transition]} == 0"
}

lost_and_repeated()
{
	counters_end
	((${counted[p1_rx_prio${PRIO}_discards]} > 0 && $(repeats) > 0))
}

under_way()
{
	(($(<"$(rxe_dir p0)/hw_counters/sent_pkts") > 0))
}

# Without an end, and not before both ends know each other: that goes over TCP.
lossy()
{
	fabric_up && few_buffers && check counters_begin || return
	check roce_start -n 1000000 -u 17 && wait_for 30 "RoCE is under way" under_way || return
	check stalls_begin || return
	wait_for 30 "RoCE loses and repeats" lost_and_repeated
	kill_quietly "$roce_pid"
	ktap_print_msg "dropped: ${counted[p1_rx_prio${PRIO}_discards]}, RoCE: $(complaints | xargs)"
	expect "PFC frames" "${counted[p1_tx_pfc_frames]} == 0"
}

run_tests \
	"a receiver that stalls loses nothing with PFC" lossless \
	"a receiver that stalls loses frames without PFC" lossy
