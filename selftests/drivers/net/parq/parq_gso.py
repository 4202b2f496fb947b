#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Sends TCP frames for the device to cut, as a virtual machine would.

usage: parq_gso.py DEV DESTINATION-MAC SEGMENTS MSS [bypass]
       parq_gso.py --tap DEV DESTINATION-MAC

With bypass no qdisc sees the frame. With --tap it makes a tap, through which it sends a frame for
each line "SEGMENTS MSS WORDS" of standard input; WORDS is the TCP header's length as the frame
has it, rightly 5. Prints "sent", or the error's name.
"""

import errno
import fcntl
import os
import socket
import struct
import sys

PACKET_VNET_HDR = 15
PACKET_QDISC_BYPASS = 20
SOL_PACKET = 263
NEEDS_CSUM = 1
GSO_TCPV4 = 1
TUNSETIFF = 0x400454ca
IFF_TAP, IFF_NO_PI, IFF_VNET_HDR = 2, 0x1000, 0x4000


def frame(source, mac, segs, mss, words=5):
    """Return a frame behind the header that says how to cut it."""
    eth = bytes.fromhex(mac.replace(":", "")) + source + b"\x08\0"
    tcp = struct.pack("!HHIIBBHHH", 1, 2, 3, 4, words << 4, 0x10, 100, 0, 0)
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 40 + segs * mss, 0, 0x4000, 64, 6, 0,
                     socket.inet_aton("192.0.2.1"), socket.inet_aton("192.0.2.2"))
    vnet = struct.pack("=BBHHHH", NEEDS_CSUM, GSO_TCPV4, 54, mss, 34, 16)
    return vnet + eth + ip + tcp + bytes(segs * mss)


def tap(dev, mac):
    """Send what standard input asks for."""
    file = os.open("/dev/net/tun", os.O_RDWR)
    flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH22x", dev.encode(), flags))
    for line in sys.stdin:
        os.write(file, frame(b"\2\0\0\0\0\x63", mac, *map(int, line.split())))


def packet(dev, mac, segs, mss, *bypass):
    """Send one frame of a packet socket."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as sock:
        sock.bind((dev, 0))
        sock.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        if bypass == ("bypass",):
            sock.setsockopt(SOL_PACKET, PACKET_QDISC_BYPASS, 1)
        sock.send(frame(sock.getsockname()[4], mac, int(segs), int(mss)))


try:
    if sys.argv[1] == "--tap":
        tap(*sys.argv[2:])
    else:
        packet(*sys.argv[1:])
        print("sent")
except OSError as err:
    print(errno.errorcode[err.errno])
