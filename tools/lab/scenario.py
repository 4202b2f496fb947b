# SPDX-License-Identifier: GPL-2.0
"""Steps of a topology file: traffic, what is looked at meanwhile, and what has to hold."""

import re
import shlex
import sys
import time
from dataclasses import dataclass

import verdict
from account import Account, parse as parse_account
from machine import Failed, need
from plan import Step, in_host, run, text_of
from topology import HOST, SPEEDS

PACKAGES = {name: "parq-tools" for name in ("parq_wire", "parq_traffic", "parq_pfc")}
# Keys of each step besides its verb, which names it, and "only".
VERBS = {
    "run": ("host", "undo"), "start": ("host", "as"), "stop": (), "finish": ("within",),
    "until": ("host", "command", "that", "within"), "sleep": (), "watch": ("for",),
    "judge": ("sent",), "holds": ("host", "command", "that", "within"),
    "account": ("of", "within"),
}


@dataclass
class Action:
    """A step of a scenario.

    verb: of VERBS
    text: its command, sentence, label or name
    value: the port, a time in ms, an undoing command; what the verb needs besides
    """
    verb: str
    text: str
    host: object = None
    value: object = None
    command: object = None
    that: object = None
    within: int = 0

    def values(self):
        """Return what its comparison compares."""
        return (*self.that[0], *self.that[2]) if self.that else ()


@dataclass
class Column:
    """A column of the table: a counter, or the number that a command prints."""
    title: str
    value: tuple = None
    command: object = None


def parse_needs(topology):
    """Return packages by program, modules, and the oldest kernel."""
    if not topology.needs:
        return {}, [], 0
    keys = topology.needs.mapping("programs", "modules", "kernel")
    programs = {child.key_name(r"\S+", "a program"): child.text()
                for child in keys["programs"].entries()} if "programs" in keys else {}
    modules = [item.text() for item in keys["modules"].items()] if "modules" in keys else []
    return programs, modules, keys["kernel"].integer(5, 99) if "kernel" in keys else 0


def command(node, topology):
    """A command's text. It may use $MBIT if there is one."""
    if re.search(r"\bMBIT\b", node.text()) and "MBIT" not in environment(topology):
        node.fail("uses $MBIT, but the first cable has no 'speed'")
    return node.text()


def parse_columns(topology):
    columns = []
    for item in topology.columns.items() if topology.columns else []:
        keys = item.mapping("title", "counter", "command", need=("title",))
        column = Column(keys["title"].text())
        if ("counter" in keys) == ("command" in keys):
            item.fail("has either 'counter' or 'command'")
        if "command" in keys:
            column.command = command(keys["command"], topology)
        else:
            column.value = verdict.parse_value(keys["counter"], keys["counter"].text(), topology)
            if not isinstance(column.value, tuple) or column.value[0] == "wire":
                keys["counter"].fail("is not 'HOST INTERFACE COUNTER'")
        columns.append(column)
    return columns


def parse_condition(keys, action, topology):
    """A command that succeeds, or a comparison."""
    if ("command" in keys) == ("that" in keys):
        keys[action.verb].fail("has either 'command' or 'that'")
    if "command" in keys:
        action.command = command(keys["command"], topology)
    else:
        action.that = verdict.parse(keys["that"], topology)
    action.within = keys["within"].duration("ms", 0, 10**7) if "within" in keys else 0


def parse_value(keys, action, topology):
    """What a verb needs besides its text."""
    node = keys[action.verb]
    if action.verb == "sleep":
        action.value = node.duration("ms", 1, 10**7)
    elif action.verb == "watch":
        action.value = keys["for"].duration("ms", 1, 10**7) if "for" in keys else 0
    elif action.verb == "finish":
        action.within = keys["within"].duration("ms", 1, 10**7) if "within" in keys else 60000
    elif action.verb == "judge":
        port = topology.port(action.text)
        if not port or not port.record:
            node.fail("is not a port, 'HOST INTERFACE', with a recording")
        action.value = (port, keys["sent"].text() if "sent" in keys else None)
    elif action.verb == "start":
        if "as" not in keys:
            node.fail("'as' is missing, the name of what is started")
        action.text = command(node, topology)
        action.value = keys["as"].name(r"[a-z][a-z0-9-]*", "a name has letters, digits and -")
    elif action.verb == "run":
        action.text = command(node, topology)
        action.value = command(keys["undo"], topology) if "undo" in keys else None
    elif action.verb in ("until", "holds"):
        parse_condition(keys, action, topology)
    elif action.verb == "account":
        node.choice("begin", "end")
        if ("of" in keys) != (action.text == "end"):
            node.fail("'of' is for its end, which needs it")
        action.value = parse_account(keys["of"], topology) if "of" in keys else None
        action.within = keys["within"].duration("ms", 0, 10**7) if "within" in keys else 0


def parse_step(node, topology, pfc):
    """Return the action, or None if it is not for this run."""
    verbs = [key for key in node.children() if key in VERBS]
    if len(verbs) != 1:
        node.fail(f"a step has one of {', '.join(VERBS)}")
    keys = node.mapping(verbs[0], "only", *VERBS[verbs[0]])
    action = Action(verbs[0], keys[verbs[0]].text())
    if "host" in keys:
        action.host = keys["host"].name(*HOST)
        if action.host not in [host.name for host in topology.hosts]:
            keys["host"].fail("there is no such host")
    parse_value(keys, action, topology)
    only = keys["only"].choice("pfc", "no-pfc") if "only" in keys else None
    return None if only == ("no-pfc" if pfc else "pfc") else action


class Names:
    """Names of what steps start. They are files, too: beside the state and recordings.

    running: commands at this step, by name
    started: until this step
    judged: ports, until this step
    account: one has begun
    """

    def __init__(self, topology):
        self.files = {"state", *(port.record for port in topology.ports)}
        self.running, self.started, self.judged = {}, set(), set()
        self.account = False

    def check(self, node, action):
        keys = node.children()
        if action.verb == "start":
            if action.value in self.running:
                keys["as"].fail("is running already")
            if action.value in self.files:
                keys["as"].fail("the lab has another file of this name")
            self.running[action.value] = action.text
            self.started.add(action.value)
        elif action.verb in ("stop", "finish"):
            if action.text not in self.running:
                keys[action.verb].fail("is not running at this step")
            del self.running[action.text]
        elif action.verb == "judge":
            if action.value[1] not in (None, *self.started):
                keys["sent"].fail("was not started before")
            self.judged.add(action.text)
        elif action.verb == "account":
            if (action.text == "end") != self.account:
                keys["account"].fail("there is one already" if self.account else
                                     "needs a step 'account: begin' before")
            counting = [name for name, command in self.running.items()
                        if re.search(r"\bparq_traffic\s+(send|recv)\b", command)]
            if action.text == "end" and counting:
                name = min(counting)
                keys["account"].fail(f"needs a step 'finish: {name}' or 'stop: {name}' before: it "
                                     "prints what it has counted when it ends")
            self.account = action.text == "begin"
        for value in action.values():
            if isinstance(value, tuple) and value[0] == "wire":
                port = " ".join(value[1:3])
                if port not in self.judged:
                    keys["that"].fail(f"needs a step 'judge: {port}' before")


def parse_steps(topology, pfc):
    actions, names = [], Names(topology)
    for item in topology.steps.items():
        action = parse_step(item, topology, pfc)
        if action:
            names.check(item, action)
            actions.append(action)
    return actions


def words_of(host, command):
    """The command in a host. A shell is there only if the command needs one."""
    if not any(char in command for char in "|&;<>()$`\\\"'*?[#~=%\n"):
        words = command.split()
        return in_host(host, *words) if host else words
    return in_host(host, "sh", "-c", command) if host else ["sh", "-c", command]


class Scenario:
    """The steps of a file.

    pfc: false for the contrast
    quiet: print neither table nor verdict
    """

    def __init__(self, topology, pfc=True):
        if not topology.steps:
            raise Failed(f"{topology.path}: no 'steps' to run; 'parq-lab up' makes its hosts")
        self.topology = topology
        self.programs, self.modules, self.kernel = parse_needs(topology)
        self.columns = parse_columns(topology)
        self.actions = parse_steps(topology, pfc)
        self.rows = []
        self.machine = self.verdict = None
        self.quiet = False
        self.began = 0
        self.started, self.book = [], None

    def check(self, release):
        """Refuse what this machine cannot run, before anything is changed."""
        if int(release.split(".")[0]) < self.kernel:
            raise Failed(f"needs Linux {self.kernel}.0 or later: this is {release}")
        need({**PACKAGES, **self.programs})

    def load_modules(self, machine):
        """They remain: other programs may use them by now."""
        for name in self.modules:
            machine.do(run("modprobe", name))

    def play(self, machine, quiet=False):
        """Return the verdict."""
        self.machine, self.quiet = machine, quiet
        self.verdict = verdict.Verdict(machine, self.topology)
        if not machine.dry:
            self.verdict.start(self.values())
        self.began = time.monotonic()
        for action in self.actions:
            getattr(self, action.verb)(action)
        return self.verdict

    def values(self):
        """Return what columns and comparisons need."""
        return [*(column.value for column in self.columns if column.value),
                *(value for action in self.actions for value in action.values())]

    # ---- verbs

    def run(self, action):
        step = Step(words_of(action.host, action.text))
        if action.value:
            step.undo = words_of(action.host, action.value)
        self.machine.do(step)

    def start(self, action):
        words = words_of(action.host, action.text)
        self.machine.start(action.value, words, text_of(words))
        self.started.append(action.value)

    def stop(self, action):
        self.machine.say(f"kill %{action.text}; wait")
        self.machine.stop(action.text)

    def finish(self, action):
        self.machine.say(f"wait    # for {action.text}")
        if not self.machine.dry:
            status = self.machine.wait(action.text, action.within / 1000)
            self.verdict.add(f"{action.text} ended in good order", status == 0, f"{status} == 0")

    def sleep(self, action):
        self.machine.say(f"sleep {action.value / 1000:g}")
        if not self.machine.dry:
            time.sleep(action.value / 1000)

    def judge(self, action):
        self.verdict.judge(*action.value)

    def condition(self, action):
        """Return whether it holds within its time, and how."""
        end = time.monotonic() + action.within / 1000
        if action.command:
            words = words_of(action.host, action.command)
            self.machine.say(text_of(words))
            return self.machine.dry or self.machine.becomes(words, action.within / 1000), ""
        self.machine.say(f"# {action.text}: {show(action.that)}")
        while not self.machine.dry:
            holds, how = self.verdict.compare(action.that)
            if holds or time.monotonic() >= end:
                return holds, how
            time.sleep(0.1)
        return True, ""

    def until(self, action):
        holds, how = self.condition(action)
        if not holds:
            raise Failed(f"{action.text}: not within {action.within / 1000:g} s"
                         f"{f' ({how})' if how else ''}{self.machine.printed()}")

    def holds(self, action):
        self.verdict.add(action.text, *self.condition(action))

    def account(self, action):
        """Sums of counters, again until they agree: a frame may still be under way."""
        self.machine.say(f"# account: {action.text}")
        if self.machine.dry:
            return
        if action.text == "begin":
            self.book = Account(self.machine, self.topology)
            return
        end = time.monotonic() + action.within / 1000
        while True:
            rules = self.book.rules(self.started, self.verdict.wire, action.value)
            if not any(wrong for _, wrong, _ in rules) or time.monotonic() >= end:
                break
            time.sleep(0.5)
        for sentence, wrong, looked_at in rules:
            self.verdict.add(sentence, not wrong, "; ".join(wrong[:8]) or looked_at)

    # ---- table

    def watch(self, action):
        """Rows in place: at a terminal the last one is drawn again."""
        names = sorted({column.value[:2] for column in self.columns if column.value})
        for host, port in names:
            self.machine.say(shlex.join(in_host(host, "ethtool", "-S", port)))
        for column in self.columns:
            if column.command:
                self.machine.say(column.command)
        if self.machine.dry:
            return
        if not self.rows and not self.quiet:
            print(self.heading())
        end = time.monotonic() + action.value / 1000
        while True:
            row = self.row(action.text)
            last = time.monotonic() >= end
            if not self.quiet and (last or sys.stdout.isatty()):
                print(self.line(row), end="\n" if last else "\r", flush=True)
            if last:
                self.rows.append(row)
                return
            time.sleep(0.1)

    def row(self, label):
        sample = self.verdict.sample()
        return {"ms": round((time.monotonic() - self.began) * 1000), "label": label,
                **{column.title: self.cell(column, sample) for column in self.columns}}

    def cell(self, column, sample):
        if column.value:
            return self.verdict.value(column.value, sample)
        done = self.machine.output(["sh", "-c", column.command])
        if done.returncode or not done.stdout.strip().isdigit():
            raise Failed(f"{column.command}: not a number: {done.stdout}{done.stderr}")
        return int(done.stdout)

    def heading(self):
        return f"{'':>9}   {'':<18}" + "".join(f"{column.title:>{max(len(column.title), 8) + 3}}"
                                               for column in self.columns)

    def line(self, row):
        return f"{row['ms']:>6} ms   {row['label']:<18}" + "".join(
            f"{row[column.title]:>{max(len(column.title), 8) + 3}}" for column in self.columns)


def show(that):
    left, right = (" + ".join(" ".join(value) if isinstance(value, tuple) else str(value)
                              for value in side) for side in (that[0], that[2]))
    return f"{left} {that[1]} {right}"


def environment(topology):
    """Variables for commands: the speed of the first cable, Mb/s."""
    speed = topology.cables[0].speed if topology.cables else None
    return {"MBIT": str(SPEEDS[speed])} if speed else {}
