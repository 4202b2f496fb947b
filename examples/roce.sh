#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A RoCE lab: soft-RoCE over two PARQ NICs and a cable, in a priority with PFC. The receiver
# pauses it several times. RoCE waits, and neither loses nor repeats anything.
#
#	host-a                        host-b
#	 rxe_a - a0 ---------------- b0 - rxe_b
#	         ====> RoCE, v3, priority 3 ====>
#	                     <---  XOFF  ---
#
# Needs a kernel whose soft-RoCE knows network namespaces, 7.0 or later, with rdma_rxe.
set -euo pipefail

# shellcheck source=examples/lib.sh
. "$(dirname "$0")/lib.sh"

SIZE=16384
# 13 s of the link.
WRITES=$((MBIT * 100))

build()
{
	two_hosts 10.0.0.1 10.0.0.2
	lossless_vlan host-a a0 10.0.3.1
	lossless_vlan host-b b0 10.0.3.2
	in_ns host-a ping -q -c 1 -W 10 10.0.3.2 >/dev/null
	rxe_up host-a rxe_a a0
	rxe_up host-b rxe_b b0
}

rxe_up()
{
	in_ns "$1" rdma link add "$2" type rxe netdev "$3" ||
		die "no soft-RoCE on $3: look at dmesg"
}

rxe_down()
{
	in_ns host-a rdma link del rxe_a
	in_ns host-b rdma link del rxe_b
} 2>/dev/null

# The RoCE address that belongs to v3: gid_index RXE HOST. Sysfs shows RDMA devices of all
# namespaces in the first one.
gid_index()
{
	grep -lx "0000:0000:0000:0000:0000:ffff:0a00:030$2" \
		"/sys/class/infiniband/$1/ports/1/gids/"* | sed 's,.*/,,'
}

# roce NAMESPACE RXE HOST [PEER]
roce()
{
	exec_in_ns "$1" ib_write_bw -F -d "$2" -x "$(gid_index "$2" "$3")" -s $SIZE \
		-n $WRITES -m 1024 -u 24 "${@:4}"
}

# Requests sent again, and what makes a peer do so.
complaints()
{
	local name dir=/sys/class/infiniband

	for name in completer_retry_err rcvd_seq_err rcvd_rnr_err retry_exceeded_err; do
		cat "$dir/rxe_a/ports/1/hw_counters/$name"
	done
	for name in out_of_seq_request duplicate_request send_rnr_err; do
		cat "$dir/rxe_b/ports/1/hw_counters/$name"
	done
}

repeats()
{
	complaints | awk '{ sum += $1 } END { print sum }'
}

frames()
{
	counter host-a a0 tx_prio3_packets
}

row()
{
	printf '  %-12s %12s %16s %18s\n' "$1" "$(frames)" "$(counter host-a a0 rx_prio3_pause)" \
		"$(repeats)"
}

sends()
{
	(($(frames) > 100))
}

paused()
{
	(($(counter host-a a0 rx_prio3_pause) > pauses))
}

arrived()
{
	[[ $(frames) == "$(counter host-b b0 rx_prio3_packets)" ]]
}

modules
# On an older kernel a link can be made in a namespace, but sends nothing.
(($(uname -r | cut -d . -f 1) >= 7)) ||
	die "no soft-RoCE in a namespace before Linux 7.0: this is $(uname -r)"
need rdma iproute2
need ib_write_bw perftest
modprobe rdma_rxe || die "this kernel has no soft-RoCE (rdma_rxe)"
trap 'rxe_down; cleanup' EXIT
build
roce host-b rxe_b 2 >/dev/null 2>&1 &
child $!
until_true 20 "ib_write_bw listens" listens host-b 18515
roce host-a rxe_a 1 10.0.3.2 >/dev/null 2>&1 &
sender=$!
child $sender
until_true 30 "RoCE sends" sends

echo "  host-b is     a0 has sent   PFC frames to a0   repeated by RoCE"
row ready
for _ in 1 2 3; do
	pauses=$(counter host-a a0 rx_prio3_pause)
	pauses_begin host-b
	until_true 30 "a0 is paused" paused
	held=$(frames)
	row busy
	sleep 0.3
	row busy
	stopped=$(($(frames) - held))
	pauses_end
	sleep 0.2
	row ready
done
status=0
wait $sender || status=$?
until_true 30 "all frames arrive" arrived
row ended

echo
echo "RoCE went through pauses:"
holds "all $WRITES writes of $SIZE bytes were done" "$status == 0"
holds "a0 was paused: $(counter host-a a0 rx_prio3_pause) PFC frames" \
	"$(counter host-a a0 rx_prio3_pause) >= 3"
holds "no frame left during the last pause" "$stopped == 0"
holds "frames under way were parked, and sent afterwards: $(counter host-a a0 prio3_parked_total)" \
	"$(counter host-a a0 prio3_parked_total) > 0"
holds "every frame reached b0: $(frames)" "$(frames) == $(counter host-b b0 rx_prio3_packets)"
holds "RoCE repeated nothing" "$(repeats) == 0"
exit "$verdict"
