#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Compares results of the kernel's own tests with those that are expected, and prints TAP: a line
for each result that was not expected, one for each program that has none.

usage: judge.py EXPECTED programs STEP|all   the programs of a step, or all, by the kernel's names
       judge.py EXPECTED check FILE          each program of the kernel's list in FILE is in a step,
                                             of net/forwarding only those of what PARQ has
       judge.py EXPECTED judge PROGRAM...    the output of tools/upstream/guest in standard input

EXPECTED names each program, with its step, and below it the cases that are not expected to pass:

    drivers/net:ping.py  STEP
        OUTCOME  CASE  REASON

OUTCOME is fail, skip or xfail, or two that depend on time, as xfail|pass. CASE may have
wildcards. A program that prints no results has the case "program". A case passes if no line says
otherwise. A line that is true of no case is an error, too.
"""

import fnmatch
import re
import sys
from dataclasses import dataclass, field

OUTCOMES = ("fail", "skip", "xfail")
# Most of these are tests of routers, tunnels, mirrors and filters.
CHOSEN = "net/forwarding:"
# The runner of kselftest puts "# " before what a program prints.
CASE = re.compile(r"# (not )?ok \d+ (?:- )?([^#]*?)\s*(?:# (SKIP|XFAIL)\b.*)?$")
# What scripts of net/forwarding print.
FORWARDING = re.compile(r"# TEST: (.*?)\s*\[\s*(OK|FAIL|SKIP|XFAIL)\s*\]\s*$")
PLAN = re.compile(r"# 1\.\.(\d+)$")
PROGRAM = re.compile(r"(not )?ok \d+ selftests: \S+: \S+(.*)$")


class BadList(Exception):
    """The list of what is expected has a mistake."""


@dataclass
class Rule:
    """Cases that are not expected to pass."""

    outcome: str
    pattern: str
    reason: str
    used: bool = False


@dataclass
class Program:
    """A program, the step that runs it, and what is expected of it."""

    step: str
    rules: list = field(default_factory=list)

    def expected(self, case):
        """Returns the outcome that is expected of a case, or two. The first rule counts."""
        for rule in self.rules:
            if fnmatch.fnmatchcase(case, rule.pattern):
                rule.used = True
                return rule.outcome
        return "pass"


@dataclass
class Run:
    """What a program printed."""

    cases: list = field(default_factory=list)
    plan: int | None = None
    verdict: str = ""
    end: str = ""
    log: list = field(default_factory=list)

    def add(self, line):
        """A line of the program, or of its runner."""
        if match := CASE.match(line):
            bad, name, mark = match.groups()
            self.cases.append((name, "fail" if bad else (mark or "pass").lower()))
        elif match := FORWARDING.match(line):
            outcome = match[2].lower()
            self.cases.append((match[1], "pass" if outcome == "ok" else outcome))
        elif match := PLAN.match(line):
            self.plan = int(match[1])
        elif match := PROGRAM.match(line):
            self.verdict = "fail" if match[1] else "skip" if "SKIP" in match[2] else "pass"

    def results(self):
        """Returns all cases. One more is the program, if the others do not explain its end."""
        cases = list(self.cases)
        outcomes = [outcome for _, outcome in cases]
        short = self.plan is not None and len(cases) < self.plan
        if not self.end or not self.verdict or short:
            cases.append(("program", "died"))
        elif not cases or self.verdict == "skip" or \
                (self.verdict == "fail" and "fail" not in outcomes):
            cases.append(("program", self.verdict))
        return cases


def read_expected(lines):
    """Returns the programs of the list, by name."""
    programs = {}
    program = None
    for number, line in enumerate(lines, 1):
        words = line.split(None, 2 if line[:1].isspace() else 1)
        if not words or words[0].startswith("#"):
            continue
        if not line[0].isspace():
            if len(words) != 2 or words[0] in programs:
                raise BadList(f"line {number}: a new program and its step")
            program = programs[words[0]] = Program(words[1].strip())
        elif program is None or len(words) != 3 or \
                words[0].removesuffix("|pass") not in OUTCOMES:
            raise BadList(f"line {number}: OUTCOME CASE REASON")
        else:
            program.rules.append(Rule(words[0], words[1], words[2].strip()))
    return programs


def read_runs(lines):
    """Returns what each program printed, by name."""
    runs = {}
    run = None
    for line in lines:
        line = line.rstrip("\n")
        if line.startswith("# program "):
            run = runs[line.split()[2]] = Run()
        elif run and line.startswith("# end "):
            run.end = line.rsplit(", ", 1)[1]
            run = None
        elif run:
            run.add(line)
            run.log.append(line)
    return runs


def unexpected(program, run):
    """Yields what was not expected of a program."""
    results = run.results()
    for case, outcome in results:
        expected = program.expected(case)
        if outcome not in expected.split("|"):
            yield f"{case}: {outcome}, expected {expected}"
    if ("program", "died") in results:
        return
    for rule in program.rules:
        if not rule.used:
            yield f"{rule.pattern}: no case is expected to {rule.outcome} here"


def judge(programs, names, lines):
    """Prints TAP. Returns whether all was as expected."""
    runs = read_runs(lines)
    number = 0
    good = True
    for name in names:
        run = runs.get(name, Run())
        bad = list(unexpected(programs[name], run))
        if bad:
            good = False
            # Results in it do not count as results of the step.
            print("\n".join("| " + line for line in run.log))
        for text in bad:
            number += 1
            print(f"not ok {number} {name} {text}")
        if bad:
            continue
        number += 1
        outcomes = [outcome for _, outcome in run.results()]
        counts = ", ".join(f"{outcomes.count(outcome)} {outcome}" for outcome in ("pass", *OUTCOMES)
                           if outcome in outcomes)
        print(f"ok {number} {name}: {counts}, as expected, in {run.end}")
        for rule in programs[name].rules:
            print(f"#   {rule.outcome} {rule.pattern}: {rule.reason}")
    print(f"1..{number}", flush=True)
    return good


def check(programs, names):
    """Prints TAP: the list has each program of the kernel's, and no other."""
    names = [name for name in names if name in programs or not name.startswith(CHOSEN)]
    wrong = [f"{name} is in no step" for name in names if name not in programs]
    wrong += [f"{name} is no program" for name in programs if name not in names]
    for number, text in enumerate(wrong, 1):
        print(f"not ok {number} {text}")
    if not wrong:
        print(f"ok 1 each of {len(names)} programs is in a step")
    return not wrong


def main(args):
    """See usage."""
    if len(args) < 3:
        sys.exit(__doc__)
    with open(args[0], encoding="utf-8") as file:
        programs = read_expected(file)
    good = True
    if args[1] == "programs":
        print("\n".join(name for name, program in programs.items()
                        if args[2] in (program.step, "all")))
    elif args[1] == "check":
        with open(args[2], encoding="utf-8") as file:
            good = check(programs, file.read().split())
    else:
        for name in args[2:]:
            if name not in programs:
                raise BadList(f"no program {name}")
        good = judge(programs, args[2:], sys.stdin)
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BadList as error:
        sys.exit(f"judge.py: {error}")
