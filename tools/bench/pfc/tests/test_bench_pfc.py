# SPDX-License-Identifier: GPL-2.0
"""The bench by its own programs: that it measures what it says, twice the same, and can fail."""

import copy
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOM = os.path.join(HERE, "..")
COMMAND = os.path.join(ROOM, "bench-pfc")
PROGRAMS = os.environ.get("PROGRAMS") or os.path.join(ROOM, "..", "..", "..", "build", "host",
                                                      "bench-pfc")
sys.path.insert(0, ROOM)

import figures  # noqa: E402
import sweep  # noqa: E402
import tap  # noqa: E402


def row(program, fetch="full pipe", **options):
    settings = {"way": program, "program": program, "host_ns": 0, "gbps": 100, "ports": 1,
                "depth": 64, "frames": 1, "bursty": 0, "fetch": fetch, "quanta": 50_000}
    return sweep.run_row(PROGRAMS, settings | options)


class Ways(unittest.TestCase):
    """Each way is what its name says."""

    def test_parq_sends_nothing_in_a_pause(self):
        for options in ({}, {"host_ns": 20000}, {"bursty": 1, "frames": 3}, {"fetch": "just in time"}):
            found = row("parq", **options)
            self.assertGreater(found["pauses"], 10)
            self.assertEqual((found["leak_frames"], found["disorder"], found["lost"]), (0, 0, 0))

    def test_parq_reads_what_it_has_parked(self):
        found = row("parq")
        self.assertGreater(found["park_writes"], 20)
        self.assertGreaterEqual(found["park_reads"], found["park_writes"])

    def test_late_stop_leaks_what_the_pipeline_has(self):
        shallow, deep = row("late", depth=16), row("late", depth=256)
        self.assertGreater(shallow["leak_frames"], 0)
        self.assertGreater(deep["leak_max_frames"], 2 * shallow["leak_max_frames"])
        self.assertLessEqual(deep["leak_max_frames"], 256)
        self.assertEqual((deep["disorder"], deep["lost"], deep["park_writes"]), (0, 0, 0))

    def test_head_of_line_stops_other_classes_and_ports(self):
        hol, parq = row("hol", ports=2), row("parq", ports=2)
        self.assertLess(hol["others_ppm"], parq["others_ppm"] // 2)
        self.assertLess(hol["other_ports_ppm"], parq["other_ports_ppm"] // 2)
        self.assertEqual((hol["leak_frames"], hol["disorder"], hol["lost"]), (0, 0, 0))

    def test_tail_fifo_holds_what_the_pipeline_has(self):
        shallow, deep = row("fifo", depth=16), row("fifo", depth=256)
        self.assertEqual((deep["leak_frames"], deep["disorder"], deep["lost"]), (0, 0, 0))
        self.assertGreater(shallow["chip_bytes"], 0)
        self.assertGreater(deep["chip_class_bytes"], 2 * shallow["chip_class_bytes"])
        self.assertLessEqual(shallow["chip_class_fds"], 16)

    def test_all_ways_are_paused_alike(self):
        found = {program: row(program, frames=3)["pauses"] for program in
                 ("parq", "late", "fifo", "hol")}
        self.assertEqual(len(set(found.values())), 1, found)

    def test_reads_and_a_late_host_take_their_time(self):
        near, far = row("parq", fetch="just in time"), row("parq", fetch="1 us ahead")
        late = row("parq", fetch="just in time", host_ns=5000)
        self.assertGreater(far["resume_median_ps"], near["resume_median_ps"] + 1_000_000)
        self.assertGreater(late["resume_median_ps"], near["resume_median_ps"] + 3_000_000)
        self.assertGreater(late["commands"], 0)
        self.assertEqual(near["commands"], 0)


class Headroom(unittest.TestCase):
    """The driver's own arithmetic."""

    def test_a_peer_that_uses_all_it_may_needs_what_the_standard_says(self):
        result = {"headroom": sweep.run(PROGRAMS, {"gbps": [10], "ports": [1], "depth": [4],
                                                   "frames": [1], "bursty": [0],
                                                   "fetch": ["just in time"], "quanta": [1000]},
                                        1)["headroom"]}
        allowed = figures.limits(result)
        self.assertEqual(allowed, {10: 60, 25: 80, 100: 394, 400: 905})
        for gbps, quanta in allowed.items():
            self.assertEqual(figures.headroom(result, gbps, 100, 1500, quanta),
                             figures.headroom(result, gbps, 100, 1500))
        # Documentation/user/buffers.rst
        self.assertEqual(figures.headroom(result, 400, 2000, 9000), 1225700)


class Bench(unittest.TestCase):
    """The command."""

    @classmethod
    def setUpClass(cls):
        cls.dirs = [tempfile.TemporaryDirectory() for _ in range(2)]
        for directory, jobs in zip(cls.dirs, ("1", "5")):
            cls.addClassCleanup(directory.cleanup)
            done = subprocess.run([sys.executable, COMMAND, "--quick", "--programs", PROGRAMS,
                                   "-j", jobs, "-o", directory.name], capture_output=True,
                                  text=True, check=False)
            assert not done.returncode, done.stdout + done.stderr

    def file(self, number, name):
        with open(os.path.join(self.dirs[number].name, name), encoding="utf-8") as file:
            return file.read()

    def rows(self):
        return sweep.load(os.path.join(self.dirs[0].name, "pfc.json"))["rows"]

    def test_two_sweeps_are_identical(self):
        for name in ("pfc.json", "pfc.rst", "pfc.html"):
            self.assertEqual(self.file(0, name), self.file(1, name), name)

    def test_the_page_needs_nothing_else(self):
        text = self.file(0, "pfc.html")
        self.assertEqual(text.count("<svg"), 6)
        for word in ("<script", "<link", "<img", "src="):
            self.assertNotIn(word, text)

    def test_one_table_then_what_is_worse_then_the_rest(self):
        for name in ("pfc.html", "pfc.rst"):
            text = self.file(0, name)
            places = [text.index(what) for what in ("The four ways with a full pipe",
                                                    "Where PARQ is worse", "Memory on the chip, to")]
            self.assertEqual(places, sorted(places))

    def broken(self, rows):
        return [what for what, broken, total in figures.verdicts(rows) if broken or not total]

    def test_verdicts_hold(self):
        self.assertEqual(self.broken(self.rows()), [])

    def test_verdicts_can_fail(self):
        """What another way does, under PARQ's name."""
        rows = copy.deepcopy(self.rows())
        for some in rows:
            if some["way"] == "late stop":
                some["way"] = "PARQ, offload"
        self.assertIn("PARQ: no frame starts in a pause of its class", self.broken(rows))
        for name, what in (("disorder", "PARQ: no frame is reordered or sent twice"),
                           ("lost", "PARQ: no frame is lost")):
            rows = self.rows()
            rows[0][name] = 1
            self.assertEqual(self.broken(rows), [what])
        rows = [some for some in self.rows() if some["way"] != "late stop"]
        self.assertEqual(self.broken(rows), ["late stop leaks"])

    def test_a_value_out_of_range_is_named(self):
        for option, says in (("gbps=7000", "gbps=7000: not in 1..400"), ("depth=x", "depth=x"),
                             ("dpeth=4", "no option 'dpeth=4'")):
            done = subprocess.run([os.path.join(PROGRAMS, "bench-parq"), option],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    tap.main()
