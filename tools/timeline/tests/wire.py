# SPDX-License-Identifier: GPL-2.0
"""Recordings whose every frame is known: writes pcapng (draft-ietf-opsawg-pcapng)."""

import struct

PORT, PEER = "02:00:00:00:00:01", "02:00:00:00:00:02"
PAUSE_ADDR = "01:80:c2:00:00:01"
EPOCH_NS = 1_700_000_000 * 10**9
OUT, IN = 2, 1


def mac(text):
    return bytes.fromhex(text.replace(":", ""))


def option(code, data):
    return struct.pack("<HH", code, len(data)) + data + bytes(-len(data) % 4)


def block(kind, body):
    length = 12 + len(body)
    return struct.pack("<II", kind, length) + body + struct.pack("<I", length)


def pfc(quanta, src=PEER):
    """A PFC frame: quanta by priority."""
    return mac(PAUSE_ADDR) + mac(src) + struct.pack(
        ">HHH8H", 0x8808, 0x0101, sum(1 << prio for prio in quanta),
        *(quanta.get(prio, 0) for prio in range(8))).ljust(46, b"\0")


def link_pause(quanta):
    return mac(PAUSE_ADDR) + mac(PEER) + struct.pack(">HHH", 0x8808, 1, quanta).ljust(46, b"\0")


def data(prio, length=1000, src=PORT, dst=PEER):
    """A frame with a VLAN tag."""
    tagged = mac(dst) + mac(src) + struct.pack(">HHH", 0x8100, prio << 13 | 5, 0x88b5)
    return tagged.ljust(length, b"\0")


def ip(dscp, length=1000):
    """A frame without a VLAN tag."""
    header = struct.pack(">BBHHHBBH4s4s", 0x45, dscp << 2, length - 14, 0, 0, 64, 253, 0,
                         bytes((192, 0, 2, 1)), bytes((192, 0, 2, 2)))
    return (mac(PEER) + mac(PORT) + b"\x08\x00" + header).ljust(length, b"\0")


def write(path, packets, names=("p0",), speed=None, snaplen=0):
    """packets: (ns, direction or None, frame[, interface])."""
    with open(path, "wb") as file:
        file.write(block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)))
        for name in names:
            options = option(2, name.encode()) + option(9, b"\x09")
            if speed:
                options += option(8, struct.pack("<Q", speed))
            file.write(block(1, struct.pack("<HHI", 1, 0, snaplen) + options + bytes(4)))
        for ns, direction, frame, *interface in packets:
            time, kept = EPOCH_NS + ns, frame[:snaplen or None]
            body = struct.pack("<IIIII", interface[0] if interface else 0, time >> 32,
                               time & 0xffffffff, len(kept), len(frame))
            body += kept + bytes(-len(kept) % 4)
            if direction:
                body += option(2, struct.pack("<I", direction)) + bytes(4)
            file.write(block(6, body))
