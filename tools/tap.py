# SPDX-License-Identifier: GPL-2.0
"""Runs the tests of a program with unittest, and prints TAP."""

import os
import sys
import unittest


class Tap(unittest.TextTestResult):
    """Prints results in the Test Anything Protocol."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.number = 0

    def tell(self, ok, test, more=""):
        self.number += 1
        print(f"{ok} {self.number} - {test.id().removeprefix('__main__.')}{more}", flush=True)

    def addSuccess(self, test):
        self.tell("ok", test)

    def addSkip(self, test, reason):
        self.tell("ok", test, f" # SKIP {reason}")

    def failed(self, test, error):
        for line in self._exc_info_to_string(error, test).splitlines():
            print(f"# {line}")
        self.tell("not ok", test)
        self.failures.append((test, ""))

    addError = addFailure = failed


def main():
    tests = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    print(f"TAP version 13\n1..{tests.countTestCases()}", flush=True)
    with open(os.devnull, "w", encoding="ascii") as nowhere:
        result = unittest.TextTestRunner(nowhere, resultclass=Tap).run(tests)
    sys.exit(bool(result.failures))
