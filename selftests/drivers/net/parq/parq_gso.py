#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Sends one TCP frame for the device to cut, as a virtual machine would.

usage: parq_gso.py DEV DESTINATION-MAC SEGMENTS MSS [bypass]

With bypass no qdisc sees it. Prints "sent", or the error's name.
"""

import errno
import socket
import struct
import sys

PACKET_VNET_HDR = 15
PACKET_QDISC_BYPASS = 20
SOL_PACKET = 263
NEEDS_CSUM = 1
GSO_TCPV4 = 1


def main():
    dev, mac, segs, mss = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as sock:
        sock.bind((dev, 0))
        sock.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        if sys.argv[5:] == ["bypass"]:
            sock.setsockopt(SOL_PACKET, PACKET_QDISC_BYPASS, 1)
        eth = bytes.fromhex(mac.replace(":", "")) + sock.getsockname()[4] + b"\x08\0"
        tcp = struct.pack("!HHIIBBHHH", 1, 2, 3, 4, 0x50, 0x10, 100, 0, 0)
        ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 40 + segs * mss, 0, 0x4000, 64, 6, 0,
                         socket.inet_aton("192.0.2.1"), socket.inet_aton("192.0.2.2"))
        vnet = struct.pack("=BBHHHH", NEEDS_CSUM, GSO_TCPV4, 54, mss, 34, 16)
        try:
            sock.send(vnet + eth + ip + tcp + bytes(segs * mss))
            print("sent")
        except OSError as err:
            print(errno.errorcode[err.errno])


main()
