#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Addresses that a port receives besides its own.
#
# An address that stays is always received while others come and go, even when there are more
# than the NIC has filters for. A thousand group addresses are all received, and none of them
# after they are removed.
#
#	p0 ==== data to group addresses ====>  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

ROUNDS=$((20 / SLOWER))

# groups WORD FIRST LAST: lines for "bridge -batch", from 01:00:5e:02:00:00 on. Of a batch
# of "ip maddr" iproute2 up to 6.15 carries out the first line only, and succeeds.
groups()
{
	local n

	for ((n = $2; n <= $3; n++)); do
		printf 'fdb %s 01:00:5e:02:%02x:%02x dev p1 self permanent\n' "$1" \
			$((n / 256)) $((n % 256))
	done
}

groups_change()
{
	groups "$@" >"$tmp/batch" && far bridge -batch "$tmp/batch"
}

# send_to ADDRESS [OPTION]...: to a group, that of 239.2.1.2 is 01:00:5e:02:01:02.
send_to()
{
	parq_traffic send --dev p0 --to "$1" --prios 1 "${@:2}"
}

# Unicast addresses stand before group addresses in the NIC.
neighbours_change()
{
	local round n

	for ((round = 0; round < ROUNDS; round++)); do
		for n in {1..4}; do
			echo "fdb add 02:00:00:00:88:0$n dev p1 self permanent"
		done
		for n in {1..4}; do
			echo "fdb del 02:00:00:00:88:0$n dev p1 self"
		done
	done >"$tmp/batch" && far bridge -batch "$tmp/batch"
}

stays()
{
	local pid round

	check ip route add 239.0.0.0/8 dev p0 || return
	defer ip route del 239.0.0.0/8
	defer groups_change del 0 20
	check groups_change add 0 20 && check counters_begin || return
	parq_traffic send --dev p0 --to 239.2.0.20 --prios 1 --drain 20000 \
		--rate 4000 >"$tmp/sent" &
	pid=$!
	defer kill_quietly $pid
	wait_for 10 "frames of the group" flowing p0 1 || return
	check neighbours_change
	for ((round = 0; round < ROUNDS; round++)); do
		check groups_change add 21 40 && check groups_change del 21 40 || return
	done
	check groups_change del 0 10 && check groups_change add 0 10
	check kill -TERM $pid && check wait $pid
	check counters_end
	expect "frames received" "${counted[p1_rx_prio0_packets]} > 0"
	expect "frames filtered" "${counted[p1_rx_filtered]} == 0"
}

thousand()
{
	check ip route add 239.0.0.0/8 dev p0 || return
	defer ip route del 239.0.0.0/8
	check groups_change add 0 999 || return
	check counters_begin
	check send_to 239.2.0.0 --frames 5 >"$tmp/sent"
	check send_to 239.2.1.244 --frames 5 >"$tmp/sent"
	check send_to 239.2.3.231 --frames 5 >"$tmp/sent"
	wait_for 10 "all frames have come" counts "counted[p1_rx_prio0_packets] >= 15"
	expect "frames filtered" "${counted[p1_rx_filtered]} == 0"
	check groups_change del 0 999
	check counters_begin
	check send_to 239.2.3.231 --frames 5 >"$tmp/sent"
	wait_for 10 "all frames are filtered" counts "counted[p1_rx_filtered] >= 5"
	expect "frames received then" "${counted[p1_rx_prio0_packets]} == 0"
}

run_tests \
	"an address that is kept is received all the time" stays \
	"a thousand group addresses are added and removed" thousand
