#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of judge.py: each way in which a result can differ from what is expected is found."""

import contextlib
import io
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../..")]

# pylint: disable=wrong-import-position
import judge  # noqa: E402
import tap  # noqa: E402

EXPECTED = """\
# A comment.
net:a.py  upstream
	fail  a.bad_*   not there
	skip  a.absent  no device has it

net:b.sh  upstream-all

net:c.py  upstream-all
	xfail|pass  c.timed  depends on time
"""
A_PY = """\
# program net:a.py
TAP version 13
1..1
# TAP version 13
# 1..4
# ok 1 a.good
# not ok 2 a.bad_one
# not ok 3 a.bad_two
# ok 4 a.absent # SKIP no such thing
not ok 1 selftests: net: a.py # exit=1
# end net:a.py, 3 s
"""
B_SH = """\
# program net:b.sh
# TEST: force speed 100 on both ends         [ OK ]
ok 1 selftests: net: b.sh
# end net:b.sh, 3 s
"""


def judged(text, *names):
    """Returns the results, and whether they are good."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        good = judge.judge(judge.read_expected(EXPECTED.splitlines()), names, text.splitlines())
    results = [line for line in out.getvalue().splitlines() if line.startswith(("ok", "not ok"))]
    return good, results


class Judge(unittest.TestCase):
    """Output of programs."""

    def bad(self, old, new, *texts):
        """The output of a.py, with a change, has these unexpected results."""
        self.assertIn(old, A_PY)
        good, results = judged(A_PY.replace(old, new), "net:a.py")
        self.assertFalse(good)
        self.assertEqual(results, [f"not ok {number} net:a.py {text}"
                                   for number, text in enumerate(texts, 1)])

    def test_as_expected(self):
        good, results = judged(A_PY + B_SH, "net:a.py", "net:b.sh")
        self.assertTrue(good)
        self.assertEqual(results, [
            "ok 1 net:a.py: 1 pass, 2 fail, 1 skip, as expected, in 3 s",
            "ok 2 net:b.sh: 1 pass, as expected, in 3 s"])

    def test_fails(self):
        self.bad("ok 1 a.good", "not ok 1 a.good", "a.good: fail, expected pass")

    def test_skips(self):
        self.bad("ok 1 a.good", "ok 1 a.good # SKIP why", "a.good: skip, expected pass")

    def test_passes(self):
        self.bad("not ok 2", "ok 2", "a.bad_one: pass, expected fail")

    def test_passes_for_a_skip(self):
        self.bad(" # SKIP no such thing", "", "a.absent: pass, expected skip")

    def test_rule_without_case(self):
        self.bad("a.absent # SKIP no such thing", "a.other",
                 "a.absent: no case is expected to skip here")

    def test_ends_early(self):
        self.bad("# ok 4 a.absent # SKIP no such thing\n", "", "program: died, expected pass")

    def test_does_not_end(self):
        self.bad("# end net:a.py, 3 s\n", "", "program: died, expected pass")

    def test_fails_without_a_case(self):
        good, results = judged(B_SH.replace("ok 1 self", "not ok 1 self"), "net:b.sh")
        self.assertFalse(good)
        self.assertEqual(results, ["not ok 1 net:b.sh program: fail, expected pass"])

    def test_script_fails(self):
        good, results = judged(B_SH.replace("[ OK ]", "[FAIL]"), "net:b.sh")
        self.assertFalse(good)
        self.assertEqual(results, [
            "not ok 1 net:b.sh force speed 100 on both ends: fail, expected pass"])

    def test_script_skips(self):
        good, results = judged(B_SH.replace("net: b.sh", "net: b.sh # SKIP"), "net:b.sh")
        self.assertFalse(good)
        self.assertEqual(results, ["not ok 1 net:b.sh program: skip, expected pass"])

    def test_either(self):
        for result, good in (("ok 1 c.timed", True), ("ok 1 c.timed # XFAIL late", True),
                             ("not ok 1 c.timed", False), ("ok 1 c.timed # SKIP no", False)):
            text = f"# program net:c.py\n# 1..1\n# {result}\nok 1 selftests: net: c.py\n"
            self.assertEqual(judged(text + "# end net:c.py, 3 s\n", "net:c.py")[0], good, result)

    def test_prints_nothing(self):
        good, results = judged(A_PY, "net:b.sh")
        self.assertFalse(good)
        self.assertEqual(results, ["not ok 1 net:b.sh program: died, expected pass"])


class Lists(unittest.TestCase):
    """The list of what is expected."""

    def test_bad_lines(self):
        for text in ("net:a.py", "\tfail a.b why", "net:a.py um\n\tfail a.b",
                     "net:a.py um\n\tpass a.b why", "net:a.py um\n\tfail|skip a.b why",
                     "net:a.py um\nnet:a.py um"):
            with self.assertRaises(judge.BadList, msg=text):
                judge.read_expected(text.splitlines())

    def test_programs(self):
        programs = judge.read_expected(EXPECTED.splitlines())
        names = ["net:a.py", "net:b.sh", "net:c.py"]
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertTrue(judge.check(programs, names))
            self.assertFalse(judge.check(programs, names[:2]))
            self.assertFalse(judge.check(programs, names + ["net:d.py"]))
            self.assertTrue(judge.check(programs, names + ["net/forwarding:d.sh"]))
            programs["net/forwarding:e.sh"] = judge.Program("upstream")
            self.assertFalse(judge.check(programs, names + ["net/forwarding:d.sh"]))


if __name__ == "__main__":
    tap.main()
