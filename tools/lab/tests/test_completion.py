# SPDX-License-Identifier: GPL-2.0
"""Completion: bash offers what parq-lab takes."""

import os
import re
import subprocess
import unittest

import tap

LAB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMPLETE = """
. "$0"
COMP_WORDS=(parq-lab "$@") COMP_CWORD=$#
_parq_lab
printf '%s\\n' "${COMPREPLY[@]}"
"""


def offered(*words):
    """What bash offers for the last word."""
    done = subprocess.run(["bash", "-c", COMPLETE, f"{LAB}/completion/parq-lab", *words],
                          capture_output=True, text=True, check=True)
    return done.stdout.split()


class Completion(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(offered(""), ["run", "up", "down", "shell", "draw"])
        self.assertEqual(offered("s"), ["shell"])

    def test_options(self):
        for command in ("run", "up", "down", "draw"):
            text = subprocess.run([f"{LAB}/lab", command, "--help"], capture_output=True, text=True,
                                  check=True).stdout
            options = set(re.findall(r"(?m)^  (?:-\w(?: \w+)?, )?(--[\w-]+)", text)) - {"--help"}
            self.assertEqual(set(offered(command, "--")), options, command)

    def test_words_of_a_command(self):
        """What runs in a host is not parq-lab's."""
        self.assertEqual(offered("shell", "host-a", ""), [])


tap.main()
