# SPDX-License-Identifier: GPL-2.0
"""Random fabrics are whole topology files."""

import unittest

import fabric
import scenario
import tap
import topology

SEEDS = 400


class Drawn(unittest.TestCase):
    """Fabrics of many seeds."""

    def test_files(self):
        """Each is the same for the same seed, and parq-lab can run it."""
        for seed in range(20):
            text = fabric.text(seed)
            self.assertEqual(text, fabric.text(seed))
            play = scenario.Scenario(topology.parse(f"fabric-{seed}.yaml", text))
            self.assertEqual([action.text for action in play.actions if action.verb == "account"],
                             ["begin", "end"])

    def test_bounds(self):
        """What they are made of, at its least and at its most."""
        drawn = [fabric.draw(seed) for seed in range(SEEDS)]
        self.assertEqual({of.hosts for of in drawn}, set(range(2, fabric.MAX_HOSTS + 1)))
        self.assertEqual({of.switches for of in drawn}, set(range(1, fabric.MAX_SWITCHES + 1)))
        self.assertEqual({len(of.lossless) for of in drawn}, {1, 2, 3})
        self.assertEqual({of.base for of in drawn}, set(fabric.BASES))
        # Senders to one receiver are told apart by the numbers of their flows.
        for of in drawn:
            numbers = [number for flow in of.flows for number in flow.numbers]
            self.assertEqual(len(numbers), len(set(numbers)))
            self.assertLess(max(numbers), 256)
        for one in ("storms", "gone", "spare", "floods", "touched", "uncounted"):
            self.assertEqual({bool(getattr(of, one)) for of in drawn}, {False, True}, one)

    def test_nics(self):
        for nics in (fabric.MIN_NICS, 7):
            drawn = [fabric.draw(seed, nics) for seed in range(SEEDS)]
            self.assertEqual(max(of.hosts + of.switches for of in drawn), nics)

    def test_ways(self):
        """A way is a chain of cables from one host to the other."""
        for seed in range(50):
            for flow in fabric.draw(seed).flows:
                at = f"h{flow.source}"
                for cable in flow.way:
                    names = [end[0] for end in cable[:2]]
                    self.assertIn(at, names)
                    at = names[1 - names.index(at)]
                self.assertEqual(at, f"h{flow.to}")

    def test_lossless(self):
        """There is always something to lose."""
        for seed in range(SEEDS):
            of = fabric.draw(seed)
            self.assertTrue(of.lossless)
            numbers = [number for flow in of.flows for number in flow.numbers]
            self.assertTrue(any(number % 8 in of.lossless for number in numbers), f"seed {seed}")

    def test_faults(self):
        """Those flows alone may lose frames that pass a fault."""
        for seed in range(SEEDS):
            of = fabric.draw(seed)
            down = {(step["host"], step["run"].split()[4]) for _, step in of.events
                    if step.get("run", "").endswith((" down", " nomaster"))}
            for flow in of.flows:
                hit = any(end in down for cable in flow.way for end in cable[:2])
                hit |= bool({f"h{flow.source}", f"h{flow.to}"} & of.gone)
                hit |= of.cable_of(flow.to)[0] in of.storms
                for number in flow.numbers:
                    self.assertEqual(number in of.touched, hit, f"seed {seed}, flow {number}")


if __name__ == "__main__":
    tap.main()
