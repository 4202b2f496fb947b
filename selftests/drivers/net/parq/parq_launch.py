#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Sends frames with launch times, and compares them with the time stamps of the NIC.

usage: parq_launch.py ADDRESS PRIORITY COUNT GAP [AHEAD]

Sends COUNT datagrams to ADDRESS, whose launch times are GAP ns apart. The first is AHEAD ns from
now, 20 ms by default. Prints how many were stamped, early, and more than 10 ns late, and how many
started before an earlier one; the delay of the latest, in ns; and that of the last one.
"""

import select
import socket
import struct
import sys
import time

SO_SNDBUFFORCE, SO_RCVBUFFORCE = 32, 33
SO_TXTIME = SCM_TXTIME = 61
SO_TIMESTAMPING = SCM_TIMESTAMPING = 37
TX_HARDWARE, RAW_HARDWARE, OPT_ID, OPT_TSONLY = 1 << 0, 1 << 6, 1 << 7, 1 << 11
IP_RECVERR = 11
CLOCK_TAI = 11
PORT = 7000
# Longer than any pause of a test, ms.
PATIENCE = 5000
TOLERANCE = 10
# Of the socket: all frames of a test, and their stamps.
BUFFER = 8 << 20


def sender(prio):
    """Return a socket whose frames have launch times and time stamps."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, BUFFER)
    sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, prio)
    sock.setsockopt(socket.SOL_SOCKET, SO_TXTIME, struct.pack("iI", CLOCK_TAI, 0))
    sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING,
                    TX_HARDWARE | RAW_HARDWARE | OPT_ID | OPT_TSONLY)
    return sock


def stamp(sock):
    """Return the number of a frame and when it started, from the error queue."""
    number = start = None
    for level, kind, data in sock.recvmsg(1, 512, socket.MSG_ERRQUEUE)[1]:
        if (level, kind) == (socket.SOL_SOCKET, SCM_TIMESTAMPING):
            seconds, ns = struct.unpack_from("qq", data, 32)
            start = seconds * 10**9 + ns
        elif (level, kind) == (socket.IPPROTO_IP, IP_RECVERR):
            number = struct.unpack_from("IBBBBII", data)[6]
    return number, start


def collect(poll, sock, starts, count, patience):
    """Read stamps until there are count of them, or none within patience ms."""
    while len(starts) < count and poll.poll(patience):
        number, start = stamp(sock)
        starts[number] = start


def launch(address, prio, first, gap, count):
    """Send the frames. Return the starts by number, as many as are reported."""
    poll = select.poll()
    starts = {}
    with sender(prio) as sock:
        poll.register(sock, select.POLLERR)
        for i in range(count):
            control = struct.pack("Q", first + i * gap)
            sock.sendmsg([bytes(1000)], [(socket.SOL_SOCKET, SCM_TXTIME, control)], 0,
                         (address, PORT))
            collect(poll, sock, starts, count, 0)
        collect(poll, sock, starts, count, PATIENCE)
    return starts


def main():
    address, prio, count, gap = sys.argv[1], *map(int, sys.argv[2:5])
    ahead = int(sys.argv[5]) if len(sys.argv) > 5 else 20 * 10**6
    first = time.clock_gettime_ns(CLOCK_TAI) + ahead
    starts = launch(address, prio, first, gap, count)
    late = {i: start - first - i * gap for i, start in starts.items()}
    order = [starts[i] for i in sorted(starts)]
    print("stamped", len(starts))
    print("early", sum(ns < 0 for ns in late.values()))
    print("late", sum(ns > TOLERANCE for ns in late.values()))
    print("reordered", sum(a >= b for a, b in zip(order, order[1:])))
    print("latest", max(late.values(), default=0))
    print("last", late.get(count - 1, 0))


main()
