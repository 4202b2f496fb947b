# SPDX-License-Identifier: GPL-2.0
"""Recordings whose every frame is known: writes pcapng (draft-ietf-opsawg-pcapng)."""

import struct

PORT, PEER = "02:00:00:00:00:01", "02:00:00:00:00:02"
PAUSE_ADDR = "01:80:c2:00:00:01"
EPOCH_NS = 1_700_000_000 * 10**9
OUT, IN = 2, 1


def mac(text):
    return bytes.fromhex(text.replace(":", ""))


def option(code, data, order="<"):
    return struct.pack(order + "HH", code, len(data)) + data + bytes(-len(data) % 4)


def block(kind, body, order="<"):
    length = 12 + len(body)
    return struct.pack(order + "II", kind, length) + body + struct.pack(order + "I", length)


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


def test_frame(flow, seq, pcp=None, length=1000):
    """A frame of parq_traffic, see selftests/drivers/net/parq/parq_frame.h."""
    tag = b"" if pcp is None else struct.pack(">HH", 0x8100, pcp << 13)
    header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, length - 14, 0, 0, 64, 17, 0, bytes(4), bytes(4))
    udp = struct.pack(">HHHHIIHH", 1, 5051, 0, 0, 0x50415251, seq, flow, 0)
    return (mac(PEER) + mac(PORT) + tag + b"\x08\x00" + header + udp).ljust(length, b"\0")


def section(order="<"):
    return block(0x0a0d0d0a, struct.pack(order + "IHHq", 0x1a2b3c4d, 1, 0, -1), order)


def interface(name, speed=None, snaplen=0, order="<", resolution=9, link=1):
    options = option(2, name.encode(), order) + option(9, bytes([resolution]), order)
    if speed:
        options += option(8, struct.pack(order + "Q", speed), order)
    return block(1, struct.pack(order + "HHI", link, 0, snaplen) + options + bytes(4), order)


def packet(stamp, direction, frame, number=0, snaplen=0, order="<", mbit=None):
    kept = frame[:snaplen or None]
    body = struct.pack(order + "IIIII", number, stamp >> 32, stamp & 0xffffffff, len(kept),
                       len(frame)) + kept + bytes(-len(kept) % 4)
    if direction:
        body += option(2, struct.pack(order + "I", direction), order)
        if mbit:
            body += option(0x8001, struct.pack(order + "I", mbit), order)
        body += bytes(4)
    return block(6, body, order)


def write(path, packets, names=("p0",), speed=None, snaplen=0):
    """packets: (ns, direction or None, frame[, interface])."""
    with open(path, "wb") as file:
        file.write(section())
        for name in names:
            file.write(interface(name, speed, snaplen))
        for ns, direction, frame, *number in packets:
            file.write(packet(EPOCH_NS + ns, direction, frame, *number, snaplen=snaplen))
