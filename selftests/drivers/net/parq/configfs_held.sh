#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Frames that a socket still holds when their NIC goes. Their pages are unmapped while the device
# exists, whenever the socket frees them.
#
#	left  p0 ---- data ----> p0  right, which goes
#
# A page that is unmapped later is unmapped with memory that others have by then. Here they are
# sockets too, and what they send is an address nowhere.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/nics.sh
. "$(dirname "$0")/lib/nics.sh"

# Receives what an interface does, and reads nothing.
HOLD='
import signal, socket, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
s.setsockopt(socket.SOL_SOCKET, 33, 4 << 20)
s.bind((sys.argv[1], 0))
print("ready", flush=True)
signal.pause()
'

# Fills what is free of the slabs that structures of devices are in.
FILL='
import signal, socket
pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for i in range(200)]
for size in (3000, 1500):
    for a, b in pairs:
        for i in range(4):
            a.send(b"\xb6" * size)
print("ready", flush=True)
signal.pause()
'

# start NAME PROGRAM [ARGUMENT]...: it has done its work and sleeps; ended after the test.
start()
{
	python3 -c "$2" "${@:3}" >"$tmp/$1" &
	pid=$!
	defer kill_quietly "$pid"
	wait_for 20 "$1" grep -q ready "$tmp/$1"
}

# Packet sockets hold more bytes of memory than these.
held()
{
	(($(awk 'NR > 1 { sum += $7 } END { print sum + 0 }' /proc/net/packet) > $1))
}

# pair: left and right on a cable, right takes any frame.
pair()
{
	nic_make left && nic_make right || return
	set_to left/p0/wire peer:right:p0 && set_to left/live 1 && port_up left &&
		set_to right/live 1 && port_up right && link_is 1 left right &&
		check ip link set right promisc on &&
		check ip addr replace 198.18.0.1/24 dev left && check ip neigh replace 198.18.0.99 \
		lladdr 02:00:00:00:00:99 dev left nud permanent
}

removed()
{
	check rmdir "$configfs/right"
}

dead_and_removed()
{
	check host nic right kill && removed
}

# freed_late GONE: what removes right.
freed_late()
{
	local holder pid

	pair && start hold "$HOLD" right || return
	holder=$pid
	check parq_traffic send --dev left --to 198.18.0.99 --prios 0xff --frames 100 \
		--time 1000 >/dev/null
	wait_for 10 "frames in the socket" held 100000 || return
	"$1" || return
	start fill "$FILL" || return
	kill_quietly "$holder"
	# A pool frees at once, or as often as it tries: each second. Nothing tells when that was: pools
	# of a NIC that has gone are shown to nobody.
	sleep 2
	check ping -q -c 3 -i 0.2 192.0.2.2
}

nics_begin
# Pools of older kernels have no record of what is mapped.
if ! kernel_from 6.16; then
	ktap_skip_all "page pools of this kernel unmap late"
	exit "$KSFT_SKIP"
fi
run_tests \
	"the NIC is removed" "freed_late removed" \
	"the NIC dies, and is removed" "freed_late dead_and_removed"
