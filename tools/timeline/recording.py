# SPDX-License-Identifier: GPL-2.0
"""Recordings of a wire, as judged by parq_wire (selftests/drivers/net/parq/).

Times are integers, ns since the first frame of the port, or of the first of several ports: ns
since 1970 are too many for a float.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections import namedtuple

from errors import BadInput, NoFrames

PRIOS = range(8)
PCAPNG = b"\x0a\x0d\x0d\x0a"

# Preamble, FCS and interframe gap, bytes.
OVERHEAD = 24

# How a frame relates to the pause of its class.
FREE, ALLOWED, LEAKED, STORMED = "free", "allowed", "leaked", "stormed"

# end_by: "xon", "time" (it ran out) or "end" (of the recording).
Pause = namedtuple("Pause", "begin end end_by reloads")
# A MAC control frame that the port receives: quanta by priority, PFC or link pause (802.3x).
Control = namedtuple("Control", "time is_pfc quanta")


class Lane:
    """One priority.

    rec: the recording
    frames: times and lengths of what was sent
    kind: of each of them, FREE to STORMED
    pauses: in the order of time
    resumed: for each pause, the first frame after its end that comes before the next pause, or None
    """

    def __init__(self, rec, prio):
        self.rec, self.prio = rec, prio
        self.frames = []
        self.kind = []
        self.pauses = []
        self.resumed = []

    @property
    def name(self):
        prio = "no priority" if self.prio is None else f"priority {self.prio}"
        return f"{self.rec.port} {prio}" if self.rec.port else prio

    def add(self, event):
        zero, resumed = self.rec.begin, event["resumed"]
        self.pauses.append(Pause(zero + event["begin"], zero + event["end"], event["end_by"],
                                 event["reloads"]))
        self.resumed.append(None if resumed is None else zero + resumed)


class Recording:
    """The frames that one port sends, and the pause frames that it receives.

    path: of the file
    interface: its name
    port: its name in a lab, "HOST INTERFACE", or None
    stamp: time 0, ns since 1970
    others: names of the other interfaces in the file
    mbit: speed of the link
    allowance: quanta that a port may go on after the beginning of a pause
    allowance_named: the standard has them for this very speed
    begin, end: times of the first and the last frame of the port
    lanes: one for each priority, and a last one for frames without priority
    link: pauses by 802.3x frames, obeyed or not
    controls: received, in the order of their times
    notes: sentences on what had to be supposed or is missing
    """

    def __init__(self, path, found, stamp):
        self.path, self.port = path, None
        self.stamp = found["begin_ns"] if stamp is None else stamp
        self.interface = found["interface"]
        self.others = sorted(set(found["interfaces"]) - {self.interface})
        self.mbit = found["mbit"]
        self.allowance = found["allowance"]
        self.allowance_named = found["allowance_named"]
        self.begin = found["begin_ns"] - self.stamp
        self.end = self.begin + found["length_ns"]
        lanes = {prio: Lane(self, prio) for prio in (*PRIOS, None)}
        link = Lane(self, "link")
        self.controls = []
        for event in found["events"]:
            if "pause" in event:
                lanes.get(event["pause"], link).add(event)
            elif "kind" in event:
                self.controls.append(Control(self.begin + event["t"], event["kind"] == "pfc", {
                    int(prio): quanta for prio, quanta in event["quanta"].items()}))
            else:
                lane = lanes[event["prio"]]
                lane.frames.append((self.begin + event["t"], event["len"]))
                lane.kind.append(event["found"])
        self.lanes = list(lanes.values())
        self.link = link.pauses
        self.notes = []

    def on_wire(self, length):
        """Return how long a frame takes, with its gap, ns."""
        return (length + OVERHEAD) * 8000 / self.mbit


def notes(rec, found, ordered):
    unknown = found["bad_ctrl"]
    if not found["link_pause"]:
        unknown -= sum(not control.is_pfc for control in rec.controls)
    said = (
        (found["trouble"], f"incomplete: {found['trouble']}"),
        (ordered, "time runs backwards in it: frames were put in order"),
        (found["guessed"], f"frames have no direction: those from {found['addr']} count as sent"),
        (found["own_ctrl"],
         f"the port itself sends {found['own_ctrl']} MAC control frames: not part of this"),
        (unknown, f"{unknown} MAC control frames are neither PFC nor 802.3x, or cut short"))
    return [text for true, text in said if true]


def judge():
    """Return the path of parq_wire: that of the package, or in the source tree a new one."""
    here = os.path.dirname(os.path.realpath(__file__))
    if not os.path.exists(os.path.join(here, "Makefile")):
        found = shutil.which("parq_wire")
        if not found:
            raise BadInput("parq_wire is missing: it is in the package parq-tools")
        return found
    done = subprocess.run(["make", "-s", "-C", here], capture_output=True, text=True,
                          errors="backslashreplace", check=False)
    if done.returncode:
        raise BadInput(f"parq_wire cannot be built: {done.stderr.strip()}")
    return os.path.join(here, "..", "..", "build", "host", "parq_wire")


def convert(program, path, *args):
    """Run a program of Wireshark that reads a file and writes another one."""
    if not shutil.which(program):
        raise BadInput(f"{program} is missing: sudo apt-get install wireshark-common")
    done = subprocess.run([program, *args], capture_output=True, text=True,
                          errors="backslashreplace", check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if not line.startswith("Running as")]
        reason = lines[0].removeprefix(program + ": ") if lines else f"{program} failed"
        raise BadInput(f"{path}: {reason}")


def judged(program, path, options, shown):
    done = subprocess.run([program, "--json", "--frames", *options, "--", path],
                          capture_output=True, text=True,
                          errors="backslashreplace", check=False)
    if done.returncode not in (0, 1):
        said = done.stderr.strip().replace(path, shown)
        raise NoFrames(said) if said.endswith("has no frames") else BadInput(said)
    return json.loads(done.stdout)


def read(path, options, stamp=None):
    """Read a recording. options: of parq_wire. stamp: time 0, ns since 1970; None: its first frame.
    """
    try:
        with open(path, "rb") as file:
            is_pcapng = file.read(4) == PCAPNG
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    program = judge()
    with tempfile.TemporaryDirectory() as directory:
        file = path
        if not is_pcapng:
            file = os.path.join(directory, "pcapng")
            convert("editcap", path, "-F", "pcapng", path, file)
        found = judged(program, file, options, path)
        ordered = found["backwards"]
        if ordered:
            convert("reordercap", path, file, os.path.join(directory, "ordered"))
            # The option with the speed does not survive that.
            found = judged(program, os.path.join(directory, "ordered"),
                           ["--speed", str(found["mbit"]), *options], path)
    rec = Recording(path, found, stamp)
    rec.notes = notes(rec, found, ordered)
    return rec, found["sent"]
