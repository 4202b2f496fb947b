# SPDX-License-Identifier: GPL-2.0
"""An account finds each frame that is missing, by invented counters."""

import unittest

import account
import scenario
import tap
import topology
from reader import BadTopology

FILE = """
parq-lab: 1
hosts:
  h1: {nics: {h1: {ports: {eth0: {}}}}}
  h2: {nics: {h2: {ports: {eth0: {}}}}}
switches:
  s1: {ports: {to-h1: {}, to-h2: {}}}
cables:
  - {ends: [s1 to-h1, h1 eth0]}
  - {ends: [s1 to-h2, h2 eth0]}
"""
H1, H2, P1, P2 = ("h1", "eth0"), ("h2", "eth0"), ("s1", "to-h1"), ("s1", "to-h2")
OPTIONS = {"lossless": {3}, "touched": set(), "floods": False, "uncounted": set(), "gone": set()}


class Invented(account.Account):
    """Counters as a test says."""

    def __init__(self, top):
        self.now = {key: {**dict.fromkeys(account.FWD_DROPS if key[0] == "s1" else (), 0),
                          **dict.fromkeys((*account.RX_DROPS, *account.RX_DRIVER,
                                           *account.TX_DROPS, "rx_filtered", "unsent", "cut",
                                           "FramesReceivedOK", "FramesTransmittedOK",
                                           "MACControlFramesReceived"), 0),
                          **{f"{name}{prio}_{what}": 0 for prio in range(8) for name, what in (
                              ("rx_prio", "packets"), ("rx_prio", "discards"),
                              ("prio", "parked"), ("tx_prio", "pause_transition"))}}
                    for key in (H1, H2, P1, P2)}
        for key in (P1, P2):
            self.now[key]["fwd_tx_frames"] = 0
        self.flow = ({3: 100}, {3: 100}, {3: 0})
        self.buffers = []
        super().__init__(None, top)
        # 100 frames from h1 to h2.
        for key, name in ((H1, "FramesTransmittedOK"), (P1, "FramesReceivedOK"),
                          (P2, "fwd_tx_frames"), (P2, "FramesTransmittedOK"),
                          (H2, "FramesReceivedOK"), (H2, "rx_prio3_packets")):
            self.add(key, name, 100)

    def add(self, key, name, number=1):
        self.now[key][name] += number

    def read(self, gone):
        return {key: dict(counters) for key, counters in self.now.items() if key[0] not in gone}

    def flows(self, names):
        return self.flow

    def held(self, gone):
        return self.buffers


class Accounts(unittest.TestCase):
    """Each rule holds, and fails if one frame is missing."""

    def setUp(self):
        self.book = Invented(topology.parse("my.yaml", FILE))

    def broken(self, judged=None, **options):
        rules = self.book.rules([], judged or {}, {**OPTIONS, **options})
        return [sentence for sentence, wrong, _ in rules if wrong]

    def test_whole(self):
        self.assertEqual(self.broken(), [])

    def test_one_counter(self):
        counted = "every frame that is missing was dropped for a reason"
        cable = "every frame that was sent arrived, or its cable lost it"
        host = "hosts: every frame that came is in one counter"
        switch = "switches: every frame that came left, or was dropped for a reason"
        for key, name, sentences in (
                (H1, "FramesTransmittedOK", [cable]), (H1, "unsent", [cable]),
                (H2, "cut", [cable]), (H2, "rx_prio3_packets", [host]),
                (H2, "rx_filtered", [host]), (P2, "fwd_tx_frames", [switch]),
                (P2, "fwd_tx_drop_full", [switch, counted]),
                (P1, "fwd_rx_no_room", [switch, counted]), (H1, "tx_hw_drops", [counted]),
                (H2, "rx_prio3_discards", ["no buffer was too small for a lossless priority"]),
                (P2, "prio3_parked",
                 ["all buffers are empty, nothing is parked, and nobody is paused"])):
            with self.subTest(name):
                self.book.add(key, name)
                self.assertEqual(self.broken(), sentences)
                self.book.add(key, name, -1)

    def test_flows(self):
        lost = "no frame of a lossless priority was lost"
        counted = "every frame that is missing was dropped for a reason"
        order = "every flow kept its order"
        self.book.flow = ({3: 100}, {3: 99}, {3: 0})
        self.assertEqual(self.broken(), [lost, counted])
        self.assertEqual(self.broken(touched={3}), [counted])
        self.assertEqual(self.broken(touched={3}, uncounted={3}), [])
        self.book.flow = ({3: 100}, {3: 100}, {3: 1})
        self.assertEqual(self.broken(), [order])
        self.book.flow = ({}, {}, {})
        self.assertEqual(self.broken(), ["programs sent frames", lost])
        self.assertEqual(self.broken(lossless=set()), ["programs sent frames"])
        # No flow has a priority that is to lose nothing.
        self.book.flow = ({2: 100}, {2: 100}, {2: 0})
        self.assertEqual(self.broken(), [lost])

    def test_recordings(self):
        row = {"frames": 10, "leaks": 0, "twice": 0, "late": 0}
        rule = ["recordings: no frame started in a pause, came twice or late"]
        for prio, name, broken in ((3, "leaks", rule), (2, "leaks", []), (2, "twice", rule),
                                   (2, "late", rule), (3, "frames", [])):
            rows = [dict(row) for _ in range(8)]
            rows[prio][name] += 1
            self.assertEqual(self.broken({H1: {"priorities": rows}}), broken)
        rows = [{**row, "frames": 0}] * 8
        self.assertEqual(self.broken({H1: {"priorities": rows}}), rule)

    def test_rest(self):
        self.book.buffers = ["s1 to-h1: 64 bytes"]
        self.assertEqual(len(self.broken()), 1)
        self.book.buffers = []
        self.book.add(P1, "tx_prio3_pause_transition")
        self.assertEqual(len(self.broken()), 1)

    def test_floods(self):
        """A copy more leaves; a frame that does not is missed all the same."""
        self.book.add(P2, "fwd_tx_frames")
        self.assertEqual(self.broken(floods=True), [])
        self.book.add(P2, "fwd_tx_frames", -2)
        self.assertEqual(len(self.broken(floods=True)), 1)

    def test_refused(self):
        for steps, reason in (
                ("{account: soon}", "steps[0].account: 'soon': is not one of begin, end"),
                ("{account: end}", "steps[0].account: 'end': 'of' is for its end"),
                ("{account: begin, of: {}}", "steps[0].account: 'begin': 'of' is for its end"),
                ("{account: end, of: {}}", "'end': needs a step 'account: begin' before"),
                ("{account: begin}\n  - {account: begin}",
                 "steps[1].account: 'begin': there is one already"),
                ("{account: end, of: {lossless: [8]}}", "lossless[0]: '8': a number is 0 to 7"),
                ("{account: end, of: {gone: [h9]}}", "gone: there is no host 'h9'")):
            with self.subTest(steps), self.assertRaises(BadTopology) as said:
                scenario.Scenario(topology.parse("my.yaml", f"{FILE}steps:\n  - {steps}\n"))
            self.assertIn(reason, str(said.exception))


if __name__ == "__main__":
    tap.main()
