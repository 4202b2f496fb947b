# SPDX-License-Identifier: GPL-2.0
"""What makes rows and verdicts of counted blocks, by blocks that the tests make."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOM = os.path.join(HERE, "..")
sys.path[:0] = [ROOM, os.path.join(ROOM, "lib")]

import cost_tables  # noqa: E402
import insns_blocks  # noqa: E402
import page  # noqa: E402
import programs  # noqa: E402
import tap  # noqa: E402
import text  # noqa: E402
import verdicts  # noqa: E402

costs = programs.load("costs")

SYMBOLS = """ffffffff81000000 T common_interrupt
ffffffff81001000 t default_idle
ffffffff81002000 T dev_hard_start_xmit
ffffffffc0000000 t parq_tx_xmit [parq]
ffffffffc0001000 t parq_tx_clean [parq]
ffffffffc0100000 t pktgen_xmit [pktgen]
ffffffffc0200000 t igb_xmit_frame [igb]
"""
XMIT, CLEAN, PKTGEN = 0xffffffffc0000000, 0xffffffffc0001000, 0xffffffffc0100000
INTERRUPT, IDLE, STACK = 0xffffffff81000000, 0xffffffff81001000, 0xffffffff81002000


def row(device="parq, offload", name="64 B", side="TX", lost=0, **figures):
    return {"device": device, "row": name, "side": side, "lost": lost, "driver": 100, "all": 500,
            "atomics": 0, "mmio": 1, "interrupts": 0, "functions": {}} | figures


class Blocks(unittest.TestCase):
    """The files of count.so and the guest become rows."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.write("symbols", SYMBOLS)

    def write(self, name, content):
        with open(os.path.join(self.directory.name, name), "w", encoding="ascii") as file:
            file.write(content)

    def rows(self, labels, *measurements):
        """@measurements: by processor, lists of (address, instructions, atomics, times, accesses)."""
        lines = []
        for cpu, blocks in enumerate(measurements):
            lines.append(f"measurement 0 {cpu}")
            lines += [f"{address:x} {' '.join(map(str, counts))}" for address, *counts in blocks]
        self.write("blocks", "\n".join(lines) + "\n")
        self.write("rows", json.dumps({"lost": 0, **labels}) + "\n")
        return insns_blocks.rows(self.directory.name)

    def test_a_frame(self):
        tx, rx = self.rows({"device": "parq, offload", "row": "64 B", "frames": 10}, [],
                           [(XMIT, 7, 1, 10, 0), (XMIT + 32, 3, 0, 20, 10), (STACK, 20, 0, 10, 0)],
                           [(CLEAN, 5, 0, 2, 0)])
        self.assertEqual((tx["side"], rx["side"]), ("TX", "RX"))
        self.assertEqual((tx["driver"], tx["all"], tx["atomics"], tx["mmio"]), (13, 33, 1, 1))
        self.assertEqual(tx["functions"], {"parq_tx_xmit": 13})
        self.assertEqual((rx["driver"], rx["all"]), (1, 1))

    def test_load_and_idle_do_not_count(self):
        tx, _ = self.rows({"device": "parq", "row": "64 B", "frames": 1}, [],
                          [(XMIT, 5, 0, 1, 0), (PKTGEN, 99, 9, 9, 9), (IDLE, 99, 9, 9, 9)], [])
        self.assertEqual((tx["driver"], tx["all"], tx["atomics"], tx["mmio"]), (5, 5, 0, 0))

    def test_an_interrupt_is_its_first_block(self):
        tx, _ = self.rows({"device": "parq", "row": "64 B", "frames": 2}, [],
                          [(INTERRUPT, 3, 0, 4, 0), (INTERRUPT + 16, 3, 0, 9, 0)], [])
        self.assertEqual(tx["interrupts"], 2)

    def test_another_driver_is_not_the_driver(self):
        tx, _ = self.rows({"device": "igb", "row": "64 B", "frames": 1}, [],
                          [(XMIT, 5, 0, 1, 0), (0xffffffffc0200000, 8, 0, 1, 0)], [])
        self.assertEqual((tx["driver"], tx["all"]), (8, 13))

    def test_idle_is_of_all_processors(self):
        found = self.rows({"device": "parq, offload", "row": "idle", "frames": 2},
                          *[[(CLEAN, 4, 0, 1, 0)]] * 3)
        self.assertEqual([(line["side"], line["driver"]) for line in found], [("all", 6)])

    def test_dummy_receives_nothing(self):
        found = self.rows({"device": "dummy", "row": "64 B", "frames": 1}, [], [], [])
        self.assertEqual([line["side"] for line in found], ["TX"])


class Guard(unittest.TestCase):
    """More than three percent above the baseline fails."""

    def setUp(self):
        self.rows = [row(), row(side="RX", driver=80),
                     row("igb", "64 B, new skb", driver=300), row(name="64 B, new skb", driver=170)]
        self.baseline = costs.baseline_of(self.rows)

    def broken(self, quick=False):
        return {what: reasons for what, reasons in costs.checks(self.rows, self.baseline, quick)
                if reasons}

    def test_the_same_passes(self):
        self.assertEqual(self.broken(), {})

    def test_three_percent(self):
        self.rows[0]["driver"] = 103.5
        self.assertEqual(self.broken(), {})
        self.rows[0]["driver"] = 103.6
        self.assertEqual(list(self.broken()), ["parq, offload / 64 B / TX"])

    def test_fewer_passes(self):
        self.rows[0]["driver"] = 50
        self.assertEqual(self.broken(), {})

    def test_an_atomic_operation_or_access_more(self):
        for name in ("atomics", "mmio"):
            self.rows[0] |= {"atomics": 0, "mmio": 1}
            self.rows[0][name] += 1
            self.assertEqual(len(self.broken()), 1, name)

    def test_long_frames_share_polls(self):
        self.rows.append(row(name="9000 B, new skb"))
        self.baseline = costs.baseline_of(self.rows)
        self.rows[-1]["driver"] = 110
        self.assertEqual(self.broken(), {})
        self.rows[-1]["driver"] = 111
        self.assertEqual(len(self.broken()), 1)

    def test_a_row_without_a_baseline(self):
        self.rows.append(row(name="128 B"))
        self.assertEqual(self.broken(), {"parq, offload / 128 B / TX": ["no baseline"]})

    def test_a_row_that_was_not_measured(self):
        del self.rows[1]
        self.assertEqual(list(self.broken()), ["all rows of the baseline were measured"])
        self.assertEqual(self.broken(quick=True), {})

    def test_a_lost_frame(self):
        self.rows[0]["lost"] = 1
        self.assertEqual(list(self.broken()), ["PARQ lost no frame"])

    def test_igb_is_the_measure(self):
        self.rows[2]["driver"] = 170
        self.assertEqual(len(self.broken()), 1)

    def test_idle_and_other_drivers_have_no_baseline(self):
        self.assertEqual(costs.baseline_of([row("igb"), row(name="idle")]), {})

    def test_tap(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertFalse(verdicts.tap([("good", []), ("bad", ["why"])]))
        self.assertEqual(out.getvalue(), "TAP version 13\n1..2\nok 1 - good\n# why\nnot ok 2 - bad\n")

    def test_the_committed_baseline_has_all_axes(self):
        with open(os.path.join(ROOM, "baseline.json"), encoding="ascii") as file:
            found = {name.split(" / ")[1].split()[0] for name in json.load(file)}
        self.assertLessEqual({"64", "1500", "9000", "TSO", *cost_tables.FLAT}, found)


class Report(unittest.TestCase):
    """Tables and the page."""

    def test_figures(self):
        self.assertEqual([cost_tables.figure(value) for value in (None, 0, .123, 1.26, 20.4)],
                         ["-", "0.00", "0.12", "1.3", "20"])

    def test_a_matrix_has_a_column_a_device(self):
        found = cost_tables.matrix([row(), row("igb", driver=286), row("igb", "1500 B")], "TX",
                                   "driver", "")
        self.assertEqual(found.head, ["Frame", "parq, offload", "igb"])
        self.assertEqual(found.rows, [["64 B", "100", "286"], ["1500 B", "-", "100"]])

    def test_a_missing_tso_is_explained(self):
        rows = [row(name="TSO 64 kB")]
        self.assertNotIn(cost_tables.NO_TSO, cost_tables.instructions(rows).text)
        rows.append(row("virtio-net"))
        self.assertIn(cost_tables.NO_TSO, cost_tables.instructions(rows).text)
        rows.append(row("virtio-net", "TSO 64 kB"))
        self.assertNotIn(cost_tables.NO_TSO, cost_tables.instructions(rows).text)

    def test_rows_of_axes_are_no_frames(self):
        flat, frame = row("parq", "parked 60000"), row()
        self.assertEqual(cost_tables.frames([flat, frame]), [frame])

    def test_the_page_escapes_and_aligns(self):
        made = page.table(cost_tables.Table("a & b", ["x", "y"], [["<c>", "12"]]))
        self.assertIn("<caption>a &amp; b</caption>", made)
        self.assertIn("<td>&lt;c&gt;</td><td class=n>12</td>", made)

    def test_text_aligns(self):
        self.assertEqual(text.table(cost_tables.Table("", ["x", "long"], [["abc", "1"]])),
                         "===  ====\nx    long\n===  ====\nabc  1\n===  ====")


if __name__ == "__main__":
    tap.main()
