# SPDX-License-Identifier: GPL-2.0
"""What a scenario is judged by: counters of its ports, and parq_wire on their recordings."""

import json
import operator
import os
import re

from machine import Failed
from plan import in_host, shell

OPERATORS = {"==": operator.eq, "!=": operator.ne, ">=": operator.ge, "<=": operator.le,
             ">": operator.gt, "<": operator.lt}
WIRE = ("frames", "bytes", "pfc", "pauses", "reloads", "paused_ns", "allowed", "leaks", "stormed",
        "lost", "twice", "late")
# Of these, what a port has sent itself.
SENT = ("frames", "bytes", "allowed", "leaks", "stormed", "lost", "twice", "late")


def sync(nic):
    """Return a step that completes the recordings of a NIC."""
    return shell(f"echo nic {nic} sync >/sys/kernel/debug/parqsim/control")


def chosen(value):
    """Priorities of "wire HOST INTERFACE PRIORITY|all FIELD"."""
    return range(8) if value[3] == "all" else [int(value[3])]


def parse_value(node, text, topology):
    """NUMBER, "HOST INTERFACE COUNTER", or "wire HOST INTERFACE PRIORITY|all FIELD"."""
    words = text.split()
    if len(words) == 1 and words[0].isdigit():
        return int(words[0])
    if len(words) == 3 and topology.port(" ".join(words[:2])):
        return tuple(words)
    if (len(words) == 5 and words[0] == "wire" and topology.port(" ".join(words[1:3])) and
            words[3] in ("all", *"01234567") and words[4] in WIRE):
        return tuple(words)
    return node.fail(f"'{text.strip()}' is neither a number, 'HOST INTERFACE COUNTER' nor "
                     f"'wire HOST INTERFACE PRIORITY FIELD'")


def parse_sum(node, text, topology):
    return [parse_value(node, part, topology) for part in text.split("+")]


def parse(node, topology):
    """A comparison of two values, or sums of values."""
    parts = re.split(r"(==|!=|>=|<=|>|<)", node.text())
    if len(parts) != 3:
        node.fail("is not a comparison of two values")
    return (parse_sum(node, parts[0], topology), parts[1],
            parse_sum(node, parts[2], topology))


class Verdict:
    """What was found so far.

    wire: what parq_wire says of a recording, by port
    lines: (sentence, whether it holds, how so)
    """

    def __init__(self, machine, topology):
        self.machine, self.topology = machine, topology
        self.wire = {}
        self.lines = []
        self.begin = {}

    # ---- counters

    def counters(self, port):
        done = self.machine.output(in_host(port.host, "ethtool", "-S", port.name))
        found = re.findall(r"^ *(\S+): (\d+)$", done.stdout, re.M)
        if not found:
            raise Failed(f"ethtool -S {port.name} of {port.host}: {done.stderr.strip()}")
        return {name: int(value) for name, value in found}

    def start(self, values):
        """Counters count from here on. Refuse values of counters that there are not."""
        self.begin = {(port.host, port.name): self.counters(port) for port in self.topology.ports}
        for value in values:
            if (isinstance(value, tuple) and value[0] != "wire" and
                    value[2] not in self.begin[value[:2]]):
                raise Failed(f"{value[1]} of {value[0]} has no counter {value[2]}")

    def sample(self):
        """The counters of all ports since the start."""
        return {key: {name: value - self.begin[key].get(name, 0) for name, value in
                      self.counters(self.topology.port(" ".join(key))).items()}
                for key in self.begin}

    def value(self, value, sample):
        if isinstance(value, int):
            return value
        if value[0] != "wire":
            return sample[value[:2]][value[2]]
        return sum(self.wire[value[1:3]]["priorities"][prio][value[4]] for prio in chosen(value))

    def unseen(self, value, sample):
        """Return what the judge could not see: frames that do not tell their priority."""
        if not isinstance(value, tuple) or value[0] != "wire" or value[4] not in SENT:
            return ""
        prios = self.wire[value[1:3]]["priorities"]
        sent = {prio: sample[value[1:3]][f"tx_prio{prio}_packets"] for prio in chosen(value)}
        return "".join(f", of {packets} frames of priority {prio} none tells so in the recording"
                       for prio, packets in sent.items() if packets and not prios[prio]["frames"])

    def compare(self, that):
        """Return whether a comparison holds, and its values as a text."""
        sample = self.sample()
        left, right = (sum(self.value(value, sample) for value in side)
                       for side in (that[0], that[2]))
        unseen = "".join(dict.fromkeys(self.unseen(value, sample)
                                       for value in (*that[0], *that[2])))
        return (OPERATORS[that[1]](left, right) and not unseen,
                f"{left} {that[1]} {right}{unseen}")

    # ---- recordings

    def judge(self, port, sent):
        """Complete the recording of a port, and have parq_wire look at it."""
        self.machine.do(sync(port.nic))
        words = ["parq_wire", "--json", *port.judge_options()]
        if sent:
            words += ["--sent", os.path.join(self.machine.directory, sent)]
        words.append(os.path.join(self.machine.directory, port.record))
        self.machine.say(" ".join(words))
        if self.machine.dry:
            return
        done = self.machine.output(words)
        if done.returncode not in (0, 1):
            raise Failed(f"{' '.join(words)}: {done.stderr.strip()}")
        found = json.loads(done.stdout)
        del found["events"]
        self.wire[(port.host, port.name)] = found
        if found["trouble"]:
            self.add(f"the recording of {port.name} of {port.host} is whole", False,
                     found["trouble"])

    # ---- what holds

    def add(self, sentence, holds, how):
        self.lines.append((sentence, bool(holds), how))

    @property
    def whole(self):
        return all(holds for _, holds, _ in self.lines)

    def text(self):
        return "\n".join(f"  {'yes' if holds else 'NO '}  {sentence}{f'  ({how})' if how else ''}"
                         for sentence, holds, how in self.lines)

    def as_dict(self):
        return {"verdict": None if not self.lines else "pass" if self.whole else "fail",
                "holds": [{"what": sentence, "holds": holds, "found": how}
                          for sentence, holds, how in self.lines],
                "wire": {" ".join(key): found for key, found in self.wire.items()}}
