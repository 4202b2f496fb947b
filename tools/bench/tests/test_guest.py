# SPDX-License-Identifier: GPL-2.0
"""How pktgen's file is read."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import guest  # noqa: E402
import tap  # noqa: E402

STATUS = """Params: count 2000  min_pkt_size: 60  max_pkt_size: 60
Current:
     pkts-sofar: 2000  errors: 0
Result: """


class Pktgen(unittest.TestCase):
    """The time is that in which pktgen sent."""

    def test_its_own_time(self):
        self.assertEqual(guest.pktgen_ns(STATUS + "OK: 4321(c4000+d321) usec, 2000 (60byte,0frags)"),
                         4321000)

    def test_a_setting_is_no_result(self):
        self.assertIsNone(guest.pktgen_ns(STATUS + "OK: count=2000"))

    def test_a_run_that_goes_on(self):
        self.assertIsNone(guest.pktgen_ns(STATUS + "Running"))


if __name__ == "__main__":
    tap.main()
