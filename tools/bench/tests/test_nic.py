# SPDX-License-Identifier: GPL-2.0
"""What makes rows and verdicts of the NIC in the kernel, by blocks that the tests make."""

import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOM = os.path.join(HERE, "..")
NIC = os.path.join(ROOM, "..", "..", "drivers", "net", "parqsim")
sys.path[:0] = [ROOM, os.path.join(ROOM, "lib")]

import insns_blocks  # noqa: E402
import nic_blocks  # noqa: E402
import nic_tables  # noqa: E402
import programs  # noqa: E402
import tap  # noqa: E402

nic_costs = programs.load("nic-costs")

SYMBOLS = """ffffffff81001000 t default_idle
ffffffff81002000 T dev_hard_start_xmit
ffffffffc0000000 t parq_tx_xmit [parq]
ffffffffc0100000 t qman_tick [parqsim]
ffffffffc0101000 t place [parqsim]
"""
XMIT, TICK, PLACE = 0xffffffffc0000000, 0xffffffffc0100000, 0xffffffffc0101000
IDLE, STACK = 0xffffffff81001000, 0xffffffff81002000


class Blocks(unittest.TestCase):
    """Blocks become a row by module and stage."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def symbols(self):
        path = os.path.join(self.directory, "symbols")
        with open(path, "w", encoding="ascii") as file:
            file.write(SYMBOLS)
        return insns_blocks.Symbols(path)

    def objects(self, **functions):
        """An object a file, by stage_of's names."""
        for name, function in functions.items():
            subprocess.run(["gcc", "-x", "c", "-c", "-", "-o", f"{self.directory}/{name}.o"],
                           check=True, input=f"int {function}(void) {{ return 0; }}", text=True)
        return nic_blocks.stages(self.directory)

    def test_modules_and_stages(self):
        found, by_stage = nic_blocks.cost(
            [(XMIT, 7, 0, 2, 0), (TICK, 3, 0, 10, 0), (PLACE + 8, 5, 0, 1, 0), (STACK, 20, 0, 1, 0)],
            self.symbols(), {"qman_tick": "QMAN", "place": "clock"})
        self.assertEqual(found, {"all": 69, "parq": 14, "parqsim": 35})
        self.assertEqual({name: value for name, value in by_stage.items() if value},
                         {"QMAN": 30, "clock": 5})

    def test_idle_does_not_count(self):
        found, _ = nic_blocks.cost([(IDLE, 99, 0, 9, 0)], self.symbols(), {})
        self.assertEqual(found["all"], 0)

    def test_a_function_has_the_stage_of_its_object(self):
        self.assertEqual(self.objects(qman="qman_tick", clock="place"),
                         {"qman_tick": "QMAN", "place": "clock"})

    def test_a_name_in_two_stages_has_none(self):
        self.assertEqual(self.objects(nti="count_drop", steer="count_drop"), {"count_drop": "other"})

    def test_each_file_has_a_stage(self):
        files = {os.path.basename(path)[:-2] for directory in ("", "core", "host")
                 for path in glob.glob(os.path.join(NIC, directory, "*.c"))} | {"parq_pause_fsm"}
        self.assertEqual(files - set(nic_blocks.STAGE_OF), set())
        self.assertEqual(set(nic_blocks.STAGE_OF) - files, set())

    def test_rows_are_of_a_frame(self):
        self.symbols()
        for name, content in (("rows", json.dumps({"row": "60 B", "frames": 10})),
                              ("blocks", f"measurement 0 0\n{TICK:x} 3 0 20 0\n")):
            with open(os.path.join(self.directory, name), "w", encoding="ascii") as file:
                file.write(content)
        self.assertEqual(nic_blocks.rows(self.directory, {"qman_tick": "QMAN"}),
                         [{"row": "60 B", "all": 6, "parqsim": 6, "parq": 0, "stages": {"QMAN": 6}}])


class Guard(unittest.TestCase):
    """More than three percent above the baseline fails."""

    def setUp(self):
        self.rows = [self.row(), self.row("idle, 1 NIC"), self.row("veth, 60 B", 6000, 0, 0)]
        self.baseline = nic_costs.baseline_of(self.rows)

    @staticmethod
    def row(name="60 B", everything=20000, parqsim=10000, parq=1000):
        return {"row": name, "all": everything, "parqsim": parqsim, "parq": parq, "stages": {}}

    def broken(self):
        return {what: reasons for what, reasons in nic_costs.checks(self.rows, self.baseline) if reasons}

    def test_the_same_passes(self):
        self.assertEqual(self.broken(), {})

    def test_three_percent_of_each_figure(self):
        for name in ("all", "parqsim", "parq"):
            before = self.rows[0][name]
            self.rows[0][name] = before * 1.03 + 1
            self.assertEqual(self.broken(), {}, name)
            self.rows[0][name] += 1
            self.assertEqual(list(self.broken()), ["60 B"], name)
            self.rows[0][name] = before

    def test_of_idle_only_the_modules(self):
        self.rows[1]["all"] *= 2
        self.assertEqual(self.broken(), {})
        self.rows[1]["parqsim"] *= 2
        self.assertEqual(list(self.broken()), ["idle, 1 NIC"])

    def test_a_veth_is_not_guarded(self):
        self.rows[2]["all"] *= 2
        self.assertEqual(self.broken(), {})

    def test_a_row_without_a_baseline(self):
        self.rows.append(self.row("128 B"))
        self.assertEqual(self.broken(), {"128 B": ["no baseline"]})

    def test_a_row_that_was_not_measured(self):
        del self.rows[0]
        self.assertEqual(list(self.broken()), ["all rows of the baseline were measured"])

    def test_the_committed_baseline_has_all_axes(self):
        with open(os.path.join(ROOM, "nic-baseline.json"), encoding="ascii") as file:
            self.assertLessEqual({*nic_tables.STAGED, "1500 B", "60 B, ports 1", "60 B, 8 NICs",
                                  "idle, 1 NIC", "idle, 32 NICs"}, set(json.load(file)))


if __name__ == "__main__":
    tap.main()
