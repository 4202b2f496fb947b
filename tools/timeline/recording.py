# SPDX-License-Identifier: GPL-2.0
"""Recordings of a wire, as dissected by tshark.

Times are integers, ns since the first frame of the port: ns since 1970 are too many for a float.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter, namedtuple

from errors import BadInput

PRIOS = range(8)
MAC_CONTROL = "0x8808"
OPCODE_PAUSE, OPCODE_PFC = 0x0001, 0x0101
INBOUND, OUTBOUND = 1, 2

# Of the selftests' frames, see selftests/drivers/net/parq/parq_frame.h: port, magic, and where
# the payload, in hexadecimal digits, has the flow. The flow's number has the priority.
TEST_PORT, TEST_MAGIC, TEST_FLOW = "5051", "50415251", slice(16, 20)

# Enough of a frame for all fields below, bytes. tshark dissects no more.
SNAPLEN = 96

FIELDS = [
    "frame.time_epoch", "frame.interface_id", "frame.interface_name",
    "frame.packet_flags_direction", "frame.len", "eth.src", "eth.type",
    "vlan.etype", "vlan.priority", "ip.dsfield.dscp", "ipv6.tclass.dscp", "udp.dstport",
    "udp.payload", "macc.opcode", "macc.pause_time", "macc.cbfc.enbv",
    *(f"macc.cbfc.pause_time.c{prio}" for prio in PRIOS),
]


class Packet(namedtuple("Packet", [
        "time", "interface", "name", "direction", "length", "source", "type",
        "tagged_type", "pcp", "dscp", "dscp6", "port", "payload",
        "opcode", "pause", "vector", *(f"c{prio}" for prio in PRIOS)])):
    """Fields as tshark prints them. A missing field is ""."""

    __slots__ = ()

    @property
    def direction_number(self):
        return int(self.direction or "0", 0)



# A frame that the port sends. prio is None if the frame has no priority.
Frame = namedtuple("Frame", "time prio length")
# A MAC control frame that the port receives: quanta by priority, PFC or link pause (802.3x).
Control = namedtuple("Control", "time is_pfc quanta")


class Recording:
    """The frames that one port sends, and the pause frames that it receives.

    path: of the file
    interface: its name
    others: names of the other interfaces in the file
    mbit: speed of the link that the file names, or None
    begin, end: times of the first and the last frame of the port, the first of which is 0
    frames: sent, in the order of their times
    controls: received, in the order of their times
    notes: sentences on what had to be supposed or is missing
    """

    def __init__(self, path):
        self.path = path
        self.interface = None
        self.others = []
        self.mbit = None
        self.begin = self.end = None
        self.frames = []
        self.controls = []
        self.notes = []


class Priorities:
    """Map a frame to its priority by the rules of `dcb apptrust`, `dcb app` and default-prio."""

    def __init__(self, trust=("pcp",), dscp_prio=None, default=None):
        self.trust = trust
        self.dscp_prio = dscp_prio or {}
        self.default = default

    def of(self, packet):
        if packet.port == TEST_PORT and packet.payload.startswith(TEST_MAGIC):
            flow = packet.payload[TEST_FLOW]
            if len(flow) == 4:
                return int(flow, 16) % len(PRIOS)
        for field in self.trust:
            if field == "pcp" and packet.pcp:
                return int(packet.pcp, 0)
            dscp = packet.dscp or packet.dscp6
            if field == "dscp" and dscp:
                return self.dscp_prio.get(int(dscp, 0), int(dscp, 0) >> 3)
        return self.default


def need(program):
    if not shutil.which(program):
        raise BadInput(f"{program} is missing: sudo apt-get install tshark")


def complaints(text):
    """Return the messages of a program without its name and its warning about root."""
    lines = [line for line in text.splitlines() if line and not line.startswith("Running as")]
    return re.sub(r"^(tshark|editcap|capinfos): ", "", lines[0]) if lines else ""


def if_speeds(path):
    """Return {number of the interface: speed in bit/s} for interfaces with a speed."""
    out = subprocess.run(["capinfos", "-I", path], capture_output=True, text=True, check=False)
    speeds, number = {}, None
    for line in out.stdout.splitlines():
        match = re.match(r"Interface #(\d+) info", line)
        if match:
            number = match[1]
        match = re.match(r"\s+Speed = (\d+)", line)
        if match and int(match[1]):
            speeds[number] = int(match[1])
    return speeds


def packets(path):
    """Return all packets of a file, and the error at its end, if any."""
    for program in ("tshark", "editcap", "capinfos"):
        need(program)
    try:
        with open(path, "rb"):
            pass
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    # Most of tshark's time goes into guessing the payload of test frames. -d prevents that.
    command = ["tshark", "-n", "-r", "-", "-T", "fields", "-E", "occurrence=f",
               "-d", f"udp.port=={TEST_PORT},data"]
    for field in FIELDS:
        command += ["-e", field]
    found = []
    with tempfile.TemporaryFile("w+") as cut_says, tempfile.TemporaryFile("w+") as says:
        with subprocess.Popen(["editcap", "-s", str(SNAPLEN), os.path.abspath(path), "-"],
                              stdout=subprocess.PIPE, stderr=cut_says) as cut, \
             subprocess.Popen(command, stdin=cut.stdout, stdout=subprocess.PIPE, stderr=says,
                              text=True) as shark:
            cut.stdout.close()
            for line in shark.stdout:
                found.append(packet_of(line, path))
        cut_says.seek(0)
        says.seek(0)
        trouble, shark_trouble = complaints(cut_says.read()), complaints(says.read())
    trouble = trouble.replace(os.path.abspath(path), path)
    if not found:
        if shark.returncode and not cut.returncode:
            trouble = trouble or shark_trouble
        raise BadInput(trouble if path in trouble else f"{path}: {trouble or 'has no frames'}")
    if shark.returncode and not trouble:
        trouble = shark_trouble
    return found, trouble


def packet_of(line, path):
    values = line.rstrip("\n").split("\t")
    seconds, _, fraction = values[0].partition(".")
    if len(values) != len(FIELDS) or not seconds.isdigit() or not (fraction or "0").isdigit():
        raise BadInput(f"{path}: tshark says of a frame what is not understood: {line.strip()}")
    return Packet(int(seconds) * 10**9 + int(fraction.ljust(9, "0")[:9]), *values[1:])


def is_control(packet):
    return packet.type == MAC_CONTROL or packet.tagged_type == MAC_CONTROL


def is_pause(packet):
    return is_control(packet) and packet.opcode and \
        int(packet.opcode, 0) in (OPCODE_PAUSE, OPCODE_PFC)


def choose_interface(found, wanted, path):
    """Return the requested interface, or the one with most pause frames, or with most frames."""
    total, pauses, names = Counter(), Counter(), {}
    for packet in found:
        number = packet.interface or "0"
        total[number] += 1
        names[number] = packet.name or f"interface {number}"
        if is_pause(packet) and packet.direction_number != OUTBOUND:
            pauses[number] += 1
    if wanted is None:
        number = max(total, key=lambda n: (pauses[n], total[n], -int(n)))
    else:
        of_name = [n for n in names if wanted in (names[n], n)]
        if not of_name:
            raise BadInput(f"{path}: --interface {wanted}: no frames of it; "
                           f"there are {', '.join(sorted(names.values()))}")
        number = of_name[0]
    return number, names


def sender(found, addr, path, notes):
    """Return a predicate: does the port send this packet?"""
    if addr:
        if not any(packet.source == addr for packet in found):
            raise BadInput(f"{path}: --addr {addr}: no frame is from this address")
        return lambda packet: packet.source == addr
    if all(packet.direction_number for packet in found):
        return lambda packet: packet.direction_number == OUTBOUND
    peers = {packet.source for packet in found if is_pause(packet)}
    ports = Counter(packet.source for packet in found if packet.source not in peers)
    if len(ports) > 1 or (not ports and len(peers) > 1):
        seen = ", ".join(mac for mac, _ in (ports or Counter(peers)).most_common(8))
        raise BadInput(f"{path}: frames have no direction: say with --addr which port is judged "
                       f"(frames come from {seen})")
    port = next(iter(ports), None)
    if port:
        notes.append(f"frames have no direction: those from {port} count as sent")
    return lambda packet: packet.source == port


def read(path, interface=None, addr=None, priorities=Priorities()):
    """Read a recording from the view of the port that the interface or address names."""
    rec = Recording(path)
    found, trouble = packets(path)
    if trouble:
        rec.notes.append(f"incomplete: {trouble}")
    number, names = choose_interface(found, interface, path)
    rec.interface = names.pop(number)
    rec.others = sorted(names.values())
    rec.mbit = if_speeds(path).get(number, 0) / 1e6 or None
    found = [packet for packet in found if (packet.interface or "0") == number]
    if any(a.time > b.time for a, b in zip(found, found[1:])):
        rec.notes.append("time runs backwards in it: frames were put in order")
        found.sort(key=lambda packet: packet.time)
    first = found[0].time
    rec.begin, rec.end = 0, found[-1].time - first
    sends = sender(found, addr, path, rec.notes)
    own = unknown = 0
    for packet in found:
        if not is_control(packet):
            if sends(packet):
                rec.frames.append(Frame(packet.time - first, priorities.of(packet),
                                        int(packet.length)))
        elif sends(packet):
            own += 1
        elif is_pause(packet):
            control = control_of(packet)
            if control:
                rec.controls.append(control._replace(time=packet.time - first))
            else:
                unknown += 1
        else:
            unknown += 1
    if own:
        rec.notes.append(f"the port itself sends {own} MAC control frames: not part of this")
    if unknown:
        rec.notes.append(f"{unknown} MAC control frames are neither PFC nor 802.3x, or cut short")
    return rec


def control_of(packet):
    """Return the content of a pause frame, or None if the recording truncates it."""
    if int(packet.opcode, 0) == OPCODE_PAUSE:
        if not packet.pause:
            return None
        return Control(packet.time, False, {prio: int(packet.pause, 0) for prio in PRIOS})
    if not packet.vector:
        return None
    named = [prio for prio in PRIOS if int(packet.vector, 0) >> prio & 1]
    times = [getattr(packet, f"c{prio}") for prio in named]
    if not all(times):
        return None
    return Control(packet.time, True, {p: int(t, 0) for p, t in zip(named, times)})

