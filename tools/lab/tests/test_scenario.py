# SPDX-License-Identifier: GPL-2.0
"""Steps of scenarios; how a machine undoes what it has done, with commands that change a temporary
directory only; and the program itself, without root."""

import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import re
import subprocess
import tempfile
import time
import unittest
import unittest.mock

import machine
import plan
import scenario
import tap
import topology
import verdict
from machine import Failed, Machine
from reader import BadTopology

HERE = os.path.dirname(os.path.realpath(__file__))
COMMAND = os.path.join(HERE, "..", "lab")

FILE = """
parq-lab: 1
hosts:
  host-a: {nics: {left: {ports: {a0: {record: a0.pcapng}}}}}
  box: {nics: {right: {ports: {b0: {}, b1: {}}}}}
cables:
  - {ends: [host-a a0, box b0], length: 300, speed: 10M}
"""


def program():
    """The program as a module."""
    loader = importlib.machinery.SourceFileLoader("lab", COMMAND)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("lab", loader))
    loader.exec_module(module)
    return module


class Gone(io.StringIO):
    """A pipe that nobody reads."""

    def write(self, text):
        raise BrokenPipeError


class Steps(unittest.TestCase):
    """Steps of scenarios."""

    def test_refused(self):
        bad = [
            ("{walk: 1s}", "steps[0]: a step has one of run, start"),
            ("{run: a, sleep: 1s}", "steps[0]: a step has one of run, start"),
            ("{run: a, host: host-x}", "steps[0].host: 'host-x': there is no such host"),
            ("{start: a}", "steps[0].start: 'a': 'as' is missing"),
            ("{sleep: long}", "steps[0].sleep: 'long': is not a time"),
            ("{judge: box b1}", "steps[0].judge: 'box b1': is not a port"),
            ("{stop: a}", "steps[0].stop: 'a': is not running at this step"),
            ("{judge: host-a a0, sent: a}", "steps[0].sent: 'a': was not started before"),
            ("{holds: x, that: 0 == wire host-a a0 3 leaks}",
             "steps[0].that: '0 == wire host-a a0 3 leaks': needs a step 'judge: host-a a0' before"),
            ("{start: a, as: state}", "steps[0].as: 'state': the lab has another file of this"),
            ("{holds: a}", "steps[0].holds: 'a': has either 'command' or 'that'"),
            ("{holds: a, that: 3}", "steps[0].that: '3': is not a text"),
            ("{holds: a, that: 3 > 2 > 1}", "steps[0].that: '3 > 2 > 1': is not a comparison"),
            ("{holds: a, that: box b9 x > 1}", "steps[0].that: 'box b9 x > 1': 'box b9 x' is nei"),
            ("{holds: a, that: box b0 x + > 1}", "'box b0 x + > 1': '' is neither"),
            ("{holds: a, that: wire box b0 3 x > 1}", "'wire box b0 3 x' is neither"),
        ]
        for step, reason in bad:
            with self.subTest(step), self.assertRaises(BadTopology) as said:
                scenario.Scenario(topology.parse("my.yaml", f"{FILE}steps:\n  - {step}\n"))
            self.assertIn("my.yaml: steps[0]", str(said.exception))
            self.assertIn(reason, str(said.exception))
        with self.assertRaisesRegex(Failed, "my.yaml: no 'steps' to run"):
            scenario.Scenario(topology.parse("my.yaml", FILE))

    def test_names(self):
        """Only what is running can be stopped, and is not started again."""
        start, stop, finish = "{start: x, as: a}", "{stop: a}", "{finish: a}"
        good = [[start, stop, start, finish, "{judge: host-a a0, sent: a}"], [start]]
        bad = [([start, start], "steps[1].as: 'a': is running already"),
               ([start, stop, finish], "steps[2].finish: 'a': is not running at this step"),
               ([start, finish, stop], "steps[2].stop: 'a': is not running at this step"),
               (["{start: x, as: a, only: no-pfc}", stop], "steps[1].stop: 'a': is not running")]
        for steps in good:
            text = "".join(f"  - {step}\n" for step in steps)
            scenario.Scenario(topology.parse("my.yaml", f"{FILE}steps:\n{text}"))
        for steps, reason in bad:
            text = "".join(f"  - {step}\n" for step in steps)
            with self.subTest(steps), self.assertRaises(BadTopology) as said:
                scenario.Scenario(topology.parse("my.yaml", f"{FILE}steps:\n{text}"))
            self.assertIn(f"my.yaml: {reason}", str(said.exception))
        with self.assertRaisesRegex(BadTopology, "steps.0..as: 'a': the lab has another file"):
            scenario.Scenario(topology.parse(
                "my.yaml", f"{FILE.replace('a0.pcapng', 'a')}steps:\n  - {start}\n"))

    def test_account_of_what_counts(self):
        """It ends after the programs whose counts it needs."""
        begin, end, stop = "{account: begin}", "{account: end, of: {lossless: [3]}}", "{stop: a}"
        start = "{start: parq_traffic recv, as: a, host: host-a}"
        text = "".join(f"  - {step}\n" for step in (start, begin, stop, end))
        scenario.Scenario(topology.parse("my.yaml", f"{FILE}steps:\n{text}"))
        text = "".join(f"  - {step}\n" for step in (start, begin, end, stop))
        with self.assertRaises(BadTopology) as said:
            scenario.Scenario(topology.parse("my.yaml", f"{FILE}steps:\n{text}"))
        self.assertIn("steps[2].account: 'end': needs a step 'finish: a' or 'stop: a' before", str(said.exception))

    def test_mbit(self):
        """It is the speed of the first cable, which needs one then."""
        text = FILE.replace("speed: 10M", "speed: 2.5G")
        self.assertEqual(scenario.environment(topology.parse("my.yaml", text)), {"MBIT": "2500"})
        none = FILE.replace(", speed: 10M", "")
        self.assertEqual(scenario.environment(topology.parse("my.yaml", none)), {})
        for key, step in (("run", "{run: 'a $MBIT'}"), ("undo", "{run: a, undo: 'a $MBIT'}"),
                          ("start", "{start: 'a $((1 / MBIT))', as: a}"),
                          ("command", "{until: a, command: 'a ${MBIT}'}")):
            scenario.Scenario(topology.parse("my.yaml", f"{text}steps:\n  - {step}\n"))
            with self.subTest(step), self.assertRaises(BadTopology) as said:
                scenario.Scenario(topology.parse("my.yaml", f"{none}steps:\n  - {step}\n"))
            self.assertIn(f"my.yaml: steps[0].{key}: 'a ", str(said.exception))
            self.assertIn("uses $MBIT, but the first cable has no 'speed'", str(said.exception))

    def test_loops_sleep(self):
        """At any speed: a loop that does not would take a whole processor."""
        directory, sleeps = f"{HERE}/../scenarios", []
        for name in os.listdir(directory):
            with open(f"{directory}/{name}", encoding="utf-8") as file:
                sleeps += re.findall(r"sleep (\$\(\(.*?\)\))e-3", file.read())
        self.assertEqual(len(sleeps), 2)
        for mbit in ("10", "100", "400000"):
            done = subprocess.run(["sh", "-c", f"echo {' '.join(sleeps)}"], check=True,
                                  env={"MBIT": mbit}, capture_output=True, text=True)
            for time in done.stdout.split():
                self.assertGreaterEqual(int(time), 1)

    def test_only(self):
        text = f"{FILE}steps:\n  - {{run: a, only: pfc}}\n  - {{run: b, only: no-pfc}}\n"
        for pfc, left in ((True, ["a"]), (False, ["b"])):
            play = scenario.Scenario(topology.parse("my.yaml", text), pfc)
            self.assertEqual([action.text for action in play.actions], left)

    def test_shell_only_if_needed(self):
        self.assertEqual(scenario.words_of("host-a", "ip link"), ["ip", "-n", "host-a", "link"])
        self.assertEqual(scenario.words_of("host-a", "a $b"),
                         ["ip", "netns", "exec", "host-a", "sh", "-c", "a $b"])
        self.assertEqual(scenario.words_of(None, "a b"), ["a", "b"])

    def test_values(self):
        found = verdict.Verdict(None, topology.parse("my.yaml", FILE))
        prios = [{"lost": number} for number in range(8)]
        found.wire[("host-a", "a0")] = {"priorities": prios}
        self.assertEqual(found.value(("wire", "host-a", "a0", "3", "lost"), {}), 3)
        self.assertEqual(found.value(("wire", "host-a", "a0", "all", "lost"), {}), 28)

    def test_counters(self):
        """One that no port has is refused before the first step."""
        columns = "table:\n  - {title: t, counter: box b0 z}\n"
        step = "{holds: a, that: box b0 x + 1 == host-a a0 y}"
        play = scenario.Scenario(topology.parse("my.yaml", f"{FILE}{columns}steps:\n  - {step}\n"))
        self.assertEqual(play.values(), [("box", "b0", "z"), ("box", "b0", "x"), 1,
                                         ("host-a", "a0", "y")])
        found = verdict.Verdict(None, play.topology)
        found.counters = lambda port: {"x": 0, "z": 0}
        with self.assertRaisesRegex(Failed, "a0 of host-a has no counter y"):
            found.start(play.values())
        found.start(play.values()[:3])

    def test_sums(self):
        text = f"{FILE}steps:\n  - {{holds: all came, that: box b0 x + host-a a0 y == 1 + 2}}\n"
        that = scenario.Scenario(topology.parse("my.yaml", text)).actions[0].that
        self.assertEqual(scenario.show(that), "box b0 x + host-a a0 y == 1 + 2")
        found = verdict.Verdict(None, topology.parse("my.yaml", FILE))
        for count, holds in ((1, True), (2, False)):
            found.sample = lambda: {("box", "b0"): {"x": count}, ("host-a", "a0"): {"y": 2}}
            self.assertEqual(found.compare(that), (holds, f"{count + 2} == 3"))

    def test_nothing_seen(self):
        """What the judge has not seen does not pass."""
        text = (f"{FILE}steps:\n  - {{judge: host-a a0}}\n"
                "  - {holds: x, that: wire host-a a0 all leaks == 0}\n"
                "  - {holds: x, that: wire host-a a0 3 pauses == 0}\n")
        found = verdict.Verdict(None, topology.parse("my.yaml", text))
        _, sent, told = scenario.Scenario(found.topology).actions
        found.wire[("host-a", "a0")] = {"priorities": [
            {"frames": prio, "leaks": 0, "pauses": 0} for prio in (1, 1, 1, 0, 1, 1, 1, 1)]}
        for packets, holds in ((0, True), (125, False)):
            found.sample = lambda: {("host-a", "a0"): {f"tx_prio{prio}_packets": packets
                                                       for prio in range(8)}}
            self.assertEqual(found.compare(sent.that)[0], holds)
            self.assertTrue(found.compare(told.that)[0])
        self.assertIn("of 125 frames of priority 3 none", found.compare(sent.that)[1])

    def test_trust(self):
        """The judge tells priorities as the port does."""
        for port, words in (("", "--trust pcp --default-prio 0 --pfc 0x00 /lab"),
                            ("dscp-prio: {26: 3}, ",
                             "--trust dscp,pcp --default-prio 0 --pfc 0x00 --dscp-prio 26:3 /lab"),
                            ("dscp-prio: {26: 3, 48: 6}, trust: [dscp], pfc: [3], ",
                             "--trust dscp --default-prio 0 --pfc 0x08 --dscp-prio 26:3,48:6 /lab"),
                            ("trust: [pcp, dscp], ", "--trust pcp,dscp --default-prio 0 --pfc 0x00 /lab")):
            lab = unittest.mock.Mock(dry=True, directory="/lab")
            found = topology.parse("my.yaml", FILE.replace("a0: {", f"a0: {{{port}"))
            verdict.Verdict(lab, found).judge(found.port("host-a a0"), None)
            self.assertIn(words, lab.say.call_args.args[0])

    def test_trouble(self):
        """What is judged only in part does not pass."""
        lab = unittest.mock.Mock(dry=False, directory="/lab")
        found = topology.parse("my.yaml", FILE)
        for trouble, whole in (("", True), ("cut short in the middle of a packet", False)):
            lab.output.return_value = subprocess.CompletedProcess(
                [], 0, json.dumps({"events": [], "trouble": trouble}), "")
            judged = verdict.Verdict(lab, found)
            judged.judge(found.port("host-a a0"), None)
            self.assertEqual(judged.whole, whole)
            self.assertEqual(judged.text(), "" if whole else "  NO   the recording of a0 of host-a "
                             f"is whole  ({trouble})")


class Undo(unittest.TestCase):
    """A machine, in a temporary directory."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.top = directory.name
        before = machine.DIRECTORY
        machine.DIRECTORY = os.path.join(self.top, "labs")
        self.addCleanup(setattr, machine, "DIRECTORY", before)
        self.lab = Machine("my")
        self.lab.begin({})

    def mkdir(self, name):
        path = os.path.join(self.top, name)
        return plan.run("mkdir", path, undo=["rmdir", path])

    def test_reverse_order(self):
        self.lab.do(self.mkdir("a"))
        self.lab.do(self.mkdir("a/b"))
        self.assertTrue(self.lab.end())
        self.assertEqual(os.listdir(self.top), ["labs"])
        self.assertEqual(machine.names(), [])

    def test_failure(self):
        self.lab.do(self.mkdir("a"))
        with self.assertRaisesRegex(Failed, "mkdir .*: mkdir: cannot create directory"):
            self.lab.do(self.mkdir("none/b"))
        self.assertTrue(self.lab.end())

    def test_failure_of_a_part(self):
        path = os.path.join(self.top, "a")
        for words in (["sh", "-c"], ["env", "sh", "-c"]):
            step = plan.run(*words, f"mkdir {path}; false", undo=["rmdir", path])
            with self.assertRaisesRegex(Failed, "mkdir .*; false'?: failed"):
                self.lab.do(step)
            self.assertTrue(os.path.isdir(path))
            self.assertTrue(self.lab.end())
            self.assertFalse(os.path.isdir(path))
            self.lab = Machine("my")
            self.lab.begin({})

    def test_another_process_undoes(self):
        self.lab.do(self.mkdir("a"))
        other = Machine("my")
        other.load()
        self.assertTrue(other.end())
        self.assertEqual(os.listdir(self.top), ["labs"])

    def test_undo_has_the_variables(self):
        """Those of the lab, whatever process undoes it; and its input is empty."""
        step = plan.run("true")
        step.undo = ["sh", "-c", f"cat; echo $LAB $MBIT $LC_ALL$LANGUAGE >{self.top}/said"]
        self.lab.env["MBIT"] = "10"
        self.lab.do(step)
        other = Machine("my")
        other.load()
        self.assertTrue(other.end())
        with open(f"{self.top}/said", encoding="utf-8") as file:
            self.assertEqual(file.read(), f"{self.top}/labs/my 10 C.UTF-8\n")

    def test_what_is_gone_does_not_matter(self):
        self.lab.do(self.mkdir("a"))
        os.rmdir(os.path.join(self.top, "a"))
        self.assertTrue(self.lab.end())

    def test_what_remains_is_told(self):
        self.lab.do(self.mkdir("a"))
        os.mkdir(os.path.join(self.top, "a", "b"))
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertFalse(self.lab.end())
        self.assertIn("Directory not empty", said.getvalue())
        self.assertEqual(machine.names(), ["my"])
        os.rmdir(os.path.join(self.top, "a", "b"))
        self.assertTrue(self.lab.end())
        self.assertEqual(os.listdir(self.top), ["labs"])

    def test_one_lab_of_a_name(self):
        other = Machine("my")
        with self.assertRaisesRegex(Failed, "lab 'my' is up already: parq-lab down my"):
            other.begin({})
        other.end()
        self.assertEqual(machine.names(), ["my"])

    def test_without_state(self):
        """What remains when the end of a lab is interrupted."""
        os.remove(f"{self.top}/labs/my/state")
        other = Machine("my")
        other.load()
        self.assertTrue(other.end())
        self.assertEqual(os.listdir(f"{self.top}/labs"), [])

    def test_bad_state(self):
        with open(f"{self.top}/labs/my/state", "w", encoding="ascii") as file:
            file.write("{")
        with self.assertRaisesRegex(Failed, "labs/my/state: "):
            Machine("my").load()
        other = Machine("other")
        other.begin({"hosts": {"host-a": []}})
        with unittest.mock.patch("os.execvp") as shell:
            with self.assertRaisesRegex(Failed, "no lab that is up has a host 'x'"):
                program().shell(argparse.Namespace(host="x", argv=["true"]))
            shell.side_effect = SystemExit
            with self.assertRaises(SystemExit):
                program().shell(argparse.Namespace(host="host-a", argv=["true"]))
        shell.assert_called_once_with("ip", ["ip", "netns", "exec", "host-a", "env", "true"])

    def test_a_lab_that_begins(self):
        os.mkdir(f"{self.top}/labs/.begins")
        self.assertEqual(machine.names(), ["my"])
        self.assertEqual(os.stat(self.lab.directory).st_mode & 0o777,
                         os.stat(f"{self.top}/labs").st_mode & 0o777)

    def test_nobody_reads(self):
        self.lab.do(self.mkdir("a"))
        self.lab.echo = True
        self.lab.out = Gone()
        with self.assertRaises(BrokenPipeError):
            self.lab.say("a")
        self.assertTrue(self.lab.end())
        self.assertEqual(os.listdir(self.top), ["labs"])

    def test_unless(self):
        path = os.path.join(self.top, "a")
        for _ in range(2):
            step = self.mkdir("a")
            step.unless = path
            self.lab.do(step)
        self.assertEqual(self.lab.undo, [["rmdir", path]])
        self.assertTrue(self.lab.end())

    def test_shared_by_labs(self):
        """The last lab undoes it, if a lab has done it."""
        path, other = os.path.join(self.top, "a"), Machine("other")
        step = plan.run("mkdir", path, undo=["sh", "-c", f"[ -e {self.top}/b ] || rmdir {path}"])
        step.unless = path
        self.lab.do(step)
        other.begin({})
        other.do(step)
        with open(f"{self.top}/b", "w", encoding="ascii"):
            self.assertTrue(self.lab.end())
        os.remove(f"{self.top}/b")
        self.assertTrue(os.path.isdir(path))
        self.assertTrue(other.end())
        self.assertEqual(os.listdir(self.top), ["labs"])

    def test_read_back(self):
        step = plan.run("echo", "0:off", "3:off")
        step.expect = ["0:off", "3:on"]
        with self.assertRaisesRegex(Failed, "not so, but 0:off 3:off"):
            self.lab.do(step)
        step.expect = ["0:off"]
        self.lab.do(step)

    def test_what_cannot_run(self):
        with self.assertRaisesRegex(Failed, "no-such x: no-such: No such file or directory"):
            self.lab.start("a", ["no-such", "x"], "no-such x")
        with self.assertRaisesRegex(Failed, "/dev/null: /dev/null: Permission denied"):
            self.lab.do(plan.run("/dev/null"))
        self.assertEqual(self.lab.children, {})

    def test_any_bytes(self):
        done = self.lab.output(["printf", r"a\377"])
        self.assertEqual(done.stdout, r"a\xff")
        path = os.path.join(self.top, "a")
        self.lab.do(plan.write(path, "\u00e4.pcapng"))
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "\u00e4.pcapng\n")

    def test_removed_meanwhile(self):
        self.lab.start("b", ["true"], "true")
        other = Machine("my")
        other.load()
        other.end()
        with self.assertRaisesRegex(Failed, "lab 'my' was removed meanwhile"):
            self.lab.do(self.mkdir("a"))
        with self.assertRaisesRegex(Failed, "labs/my/a: No such file or directory"):
            self.lab.start("a", ["true"], "true")
        self.assertEqual(self.lab.printed(), "")

    def test_kernel_says(self):
        """What the log has since the step, or the one before if that is waited for."""
        path = os.path.join(self.top, "log")
        with open(path, "w", encoding="ascii") as file:
            file.write("6,1,10,-;parq old: line\n")
        with unittest.mock.patch("machine.KMSG", path):
            self.lab.log = machine.KernelLog()
        say = ("printf '%s\n' '3,2,20,-;parq a: x; y' ' DEVICE=parq' '6,3,30,-;usb' "
               "'6,4,40,-;parq b'")
        with self.assertRaises(Failed) as said:
            self.lab.do(plan.shell(f"({say}) >>{path}; false"))
        self.assertTrue(str(said.exception).endswith(
            "false: failed; the kernel says: parq a: x; y\n  parq b"), said.exception)
        self.lab.do(plan.shell(f"({say}) >>{path}"))
        step = plan.run("echo", "3:off")
        step.expect = ["3:on"]
        with self.assertRaisesRegex(Failed, "not so, but 3:off; the kernel says: parq a: x; y\n"):
            self.lab.do(step)
        self.lab.do(plan.shell(f"({say}) >>{path}"))
        self.lab.do(plan.until("true"))
        with self.assertRaisesRegex(Failed, "not within 0.01 s; the kernel says: parq a: x; y\n"):
            self.lab.do(plan.until("false", 0.01))
        self.lab.do(plan.run("true"))
        with self.assertRaisesRegex(Failed, "not within 0.01 s$"):
            self.lab.do(plan.until("false", 0.01))

    def test_a_child_without_parent_does_not_start(self):
        pid = os.fork()
        if not pid:
            machine.end_with(-1)
            os._exit(0)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 1)

    def test_children_end(self):
        self.lab.start("sleeper", ["sh", "-c", "sleep 100 & sleep 100"], "sleep")
        child = self.lab.children["sleeper"]
        self.lab.end()
        self.assertIsNotNone(child.poll())

    def test_output(self):
        """What the lab's files are, without how to undo it, once what writes them has ended."""
        kept = os.path.join(self.top, "kept")
        self.lab.start("sent", ["sh", "-c", "trap 'echo 1; exit' TERM; echo; sleep 100 & wait"],
                       "sleep")
        end = time.monotonic() + 60
        while not os.path.getsize(f"{self.lab.directory}/sent"):
            self.assertLess(time.monotonic(), end, "it has printed nothing")
            time.sleep(0.01)
        program().make_output(kept)
        program().keep(self.lab, topology.parse("my.yaml", FILE), kept)
        self.assertEqual(os.listdir(kept), ["sent"])
        with open(f"{kept}/sent", encoding="ascii") as file:
            self.assertEqual(file.read(), "\n1\n")


class Command(unittest.TestCase):
    """The program, as a user without root has it."""

    def run_command(self, *args):
        return subprocess.run([COMMAND, *args], capture_output=True, text=True, check=False)

    def test_each_scenario_has_a_plan(self):
        names = [name.removesuffix(".yaml") for name in os.listdir(f"{HERE}/../scenarios")]
        self.assertGreaterEqual(len(names), 1)
        for name in names:
            done = self.run_command("run", "-n", name)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("ip netns add ", done.stdout)
            self.assertIn("ip netns del ", done.stdout)

    def test_no_pfc(self):
        done = self.run_command("run", "-n", "--no-pfc", "--speed", "10M", "pair")
        self.assertNotIn("dcb ", done.stdout)
        self.assertIn("autoneg off speed 10 duplex full", done.stdout)

    def test_output_is_tried_first(self):
        """Before the lab is made. What it needs is there, by names at least."""
        with tempfile.TemporaryDirectory() as directory:
            for name in scenario.PACKAGES:
                os.symlink("/bin/true", f"{directory}/{name}")
            path = f"{directory}:{os.environ['PATH']}"
            done = subprocess.run([COMMAND, "run", "-o", "/dev/null/x", "pair"], text=True,
                                  env={**os.environ, "PATH": path}, capture_output=True,
                                  check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            2, "", "parq-lab: --output /dev/null/x: Not a directory\n"))

    def test_refused(self):
        for args, reason in ((("up", "-n", "./my lab.yaml"), "./my lab.yaml: the name of a lab"),
                             (("up", "-n", "none"), "none: neither a scenario ("),
                             (("up", "-n", "./none.yaml"), "./none.yaml: No such file"),
                             (("shell", "nobody"), "no lab that is up has a host 'nobody'"),
                             (("down", "none"), "lab 'none' is not up")):
            done = self.run_command(*args)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"parq-lab: {reason}", done.stderr)


if __name__ == "__main__":
    tap.main()
