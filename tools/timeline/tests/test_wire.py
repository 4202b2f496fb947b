# SPDX-License-Identifier: GPL-2.0
"""parq_wire by recordings of which the answer is known. selftests/drivers/net/parq/
wire_judge_test.c has the rules; this has how recordings are read, and what --json says."""

import json
import os
import subprocess
import tempfile
import unittest

import tap
from wire import (EPOCH_NS, IN, OUT, PEER, PORT, block, data, interface, link_pause, packet, pfc,
                  section, test_frame, write)

COMMAND = os.environ["PARQ_WIRE"]


class Wire(unittest.TestCase):
    """Base: a file, and the command."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "r.pcapng")

    def run_command(self, *args, status=0):
        done = subprocess.run([COMMAND, *args, self.path], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status < 2 else done.stderr

    def found(self, packets, *args, status=0, **options):
        write(self.path, packets, **options)
        return json.loads(self.run_command("--json", *args, status=status))

    def blocks(self, *blocks, status=0, args=()):
        with open(self.path, "wb") as file:
            file.write(b"".join(blocks))
        said = self.run_command("--json", *args, status=status)
        return json.loads(said) if status < 2 else said


class Json(Wire):
    """What --json says."""

    def test_pauses(self):
        found = self.found([
            (0, OUT, test_frame(3, 0)), (10_000, IN, pfc({3: 1000})), (20_000, IN, pfc({3: 1000})),
            (50_000, IN, pfc({3: 0})), (53_000, OUT, test_frame(3, 1)),
            (60_000, IN, pfc({3: 10})), (90_000, IN, link_pause(1000))], "--speed", "1000")
        self.assertEqual(found["events"], [
            {"pause": 3, "begin": 10_000, "end": 50_000, "end_by": "xon", "reloads": 1,
             "leaks": 0, "resumed": 53_000},
            {"pause": 3, "begin": 60_000, "end": 65_120, "end_by": "time", "reloads": 0,
             "leaks": 0, "resumed": None},
            {"pause": "link", "begin": 90_000, "end": 90_000, "end_by": "end", "reloads": 0,
             "leaks": 0, "resumed": None}])
        sums = found["priorities"][3]
        self.assertEqual((sums["frames"], sums["pauses"], sums["reloads"], sums["paused_ns"]),
                         (2, 2, 1, 45_120))
        self.assertEqual((found["addr"], found["interface"], found["begin_ns"],
                          found["length_ns"]), (PORT, "p0", EPOCH_NS, 90_000))

    def test_frames(self):
        found = self.found([
            (0, OUT, data(3)), (10_000, IN, pfc({3: 1000})), (11_000, OUT, data(3)),
            (20_000, OUT, data(3)), (70_000, OUT, data(4)), (80_000, OUT, test_frame(6, 0))],
            "--speed", "1000", "--frames", "--trust", "pcp", "--allowance", "standard", status=1)
        self.assertEqual([(e["t"], e["prio"], e["found"]) for e in found["events"] if "found" in e],
                         [(0, 3, "free"), (11_000, 3, "allowed"), (20_000, 3, "leaked"),
                          (70_000, 4, "free"), (80_000, 6, "free")])
        self.assertIn({"t": 10_000, "kind": "pfc", "quanta": {"3": 1000}}, found["events"])
        self.assertEqual((found["violations"], found["allowance"], found["allowance_named"]),
                         (1, 2, True))
        self.assertEqual(found["priorities"][3]["first_leak"], 20_000)

    def test_only_test_frames_have_a_priority(self):
        found = self.found([(0, IN, pfc({3: 1000})), (20_000, OUT, data(3))], "--speed", "1000")
        self.assertEqual((found["others"], found["priorities"][3]["frames"]), (1, 0))

    def test_each_violation(self):
        ok = [(i * 10_000, OUT, test_frame(3, i, 3)) for i in range(4)]
        for packets, name in (
                (ok[:1] + ok[2:], "lost"), (ok + [(90_000, OUT, test_frame(3, 1, 3))], "twice"),
                ([ok[0], (10_000, OUT, ok[2][2]), (20_000, OUT, ok[1][2]), ok[3]], "late")):
            found = self.found(packets, "--speed", "1000", status=1)
            self.assertEqual((found["priorities"][3][name], found["violations"]), (1, 1))
        for packets, name in (
                (ok + [(30_001, OUT, test_frame(4, 0))], "overlaps"),
                (ok + [(90_000, OUT, test_frame(3, 4, 5))], "mislabelled"),
                (ok + [(29_000, IN, pfc({0: 0}))], "backwards")):
            found = self.found(packets, "--speed", "1000", status=1)
            self.assertEqual((found[name], found["violations"]), (1, 1))
        self.assertEqual(self.found(ok, "--speed", "1000")["violations"], 0)

    def test_names_need_no_escape(self):
        self.assertEqual(self.found([(0, OUT, data(3))], "--speed", "10",
                                    names=('p"\\\n0',))["interface"], "p???0")


class Recordings(Wire):
    """What is read."""

    PACKETS = [(0, IN, pfc({3: 1000})), (20_000, OUT, test_frame(3, 0))]

    def some(self, mbit=None, order="<", unit=1):
        return [packet((EPOCH_NS + ns) // unit, direction, frame, order=order, mbit=mbit)
                for ns, direction, frame in self.PACKETS]

    def test_other_byte_order(self):
        found = self.blocks(section(">"), interface("p0", 10**9, order=">"), *self.some(order=">"),
                            status=1)
        self.assertEqual((found["mbit"], found["begin_ns"], found["length_ns"],
                          found["violations"]), (1000, EPOCH_NS, 20_000, 1))

    def test_other_units_of_time(self):
        found = self.blocks(section(), interface("p0", 10**9, resolution=6),
                            *self.some(unit=1000), status=1)
        self.assertEqual((found["begin_ns"], found["length_ns"]), (EPOCH_NS, 20_000))
        found = self.blocks(section(), interface("p0", 10**9, resolution=0x80 | 10),
                            packet(3 << 9, OUT, data(3)))
        self.assertEqual(found["begin_ns"], 1_500_000_000)

    def test_speed_that_changes(self):
        """1000 quanta are 512 us at 1 Gb/s, 51.2 us at 10 Gb/s."""
        found = self.blocks(section(), interface("p0"), *(
            packet(EPOCH_NS + at, IN, pfc({3: 1000}), mbit=mbit)
            for at, mbit in ((0, 1000), (10**6, 10000), (2 * 10**6, 1000))), packet(
                EPOCH_NS + 3 * 10**6, OUT, test_frame(3, 0), mbit=1000))
        self.assertEqual([e["end"] - e["begin"] for e in found["events"]],
                         [512_000, 51_200, 512_000])

    def test_sections_and_unknown_blocks(self):
        found = self.blocks(section(), interface("p0", 10**9), *self.some()[:1],
                            section(), interface("p1", 10**9), interface("p0", 10**9),
                            block(0x777, b"what"),
                            packet(EPOCH_NS + 20_000, OUT, test_frame(3, 0), 1),
                            status=1, args=("--interface", "p0"))
        self.assertEqual((found["violations"], found["interfaces"]), (1, ["p0", "p1"]))

    def test_cut_short(self):
        blocks = b"".join([section(), interface("p0", 10**9), *self.some()])
        found = self.blocks(blocks[:-10])
        self.assertEqual((found["frames"], found["trouble"]),
                         (1, "cut short in the middle of a packet"))
        self.assertIn("cut short", self.run_command(status=2))

    def test_unusable(self):
        for blocks, said in (
                ([b"hello, world"], "not pcapng"),
                ([section()], "has no frames"),
                ([section(), interface("p0", link=113)], "not of Ethernet"),
                ([section(), *self.some()], "a packet is broken"),
                ([section(), interface("p0"), *self.some()], "does not tell the speed of p0")):
            self.assertIn(said, self.blocks(*blocks, status=2))

    def test_addresses_for_directions(self):
        packets = [(ns, None, frame) for ns, _, frame in self.PACKETS]
        found = self.found(packets, "--speed", "1000", status=1)
        self.assertEqual((found["addr"], found["guessed"]), (PORT, True))
        found = self.found(packets, "--speed", "1000", "--addr", PEER)
        self.assertEqual((found["sent"], found["own_ctrl"], found["violations"]), (1, 1, 0))

    def test_options(self):
        write(self.path, self.PACKETS)
        for args, said in ((("--trust", "vlan"), "'vlan': not pcp, dscp"),
                           (("--dscp-prio", "64:1"), "'64:1': not a list"),
                           (("--dscp-prio", "4:1,"), "'4:1,': not a list"),
                           (("--allowance", "-1"), "'-1': not a number"),
                           (("--addr", "p0"), "'p0': not like"), (("--frames",), "usage:")):
            self.assertIn(said, self.run_command(*args, status=2))
        self.assertIn("usage:", self.run_command("--help"))


if __name__ == "__main__":
    tap.main()
