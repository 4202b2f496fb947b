# SPDX-License-Identifier: GPL-2.0
"""The machine that a lab is made in: runs commands, and records how to undo them.

A lab has a directory, /run/parq-lab/NAME. What undoes it is in its file "state" before it is
done, so that nothing remains, whatever ends this program.
"""

import ctypes
import errno
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from plan import text_of

DIRECTORY = "/run/parq-lab"
# Debian packages of the programs that a plan uses.
PACKAGES = {"ip": "iproute2", "dcb": "iproute2", "tc": "iproute2", "devlink": "iproute2",
            "ethtool": "ethtool"}
KMSG = "/dev/kmsg"
LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


class Failed(Exception):
    """A command failed, or the machine cannot have the lab. The text gives the reason."""


def names():
    """Names of the labs that are up. A name with a dot in front is that of one that begins."""
    found = sorted(os.listdir(DIRECTORY)) if os.path.isdir(DIRECTORY) else []
    return [name for name in found if not name.startswith(".")]


class KernelLog:
    """What the kernel says meanwhile, if it can be read here."""

    def __init__(self):
        try:
            self.file = open(os.open(KMSG, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0)
        except OSError:
            self.file = None

    def skip(self):
        if self.file:
            self.file.seek(0, os.SEEK_END)

    def records(self):
        """What is new, as "priority,number,time,flags;text", each with lines of keys below."""
        while self.file:
            try:
                record = self.file.read(8192)
            except BrokenPipeError:
                # Overwritten before it was read.
                continue
            if not record:
                return
            yield record.decode(errors="backslashreplace")

    def reason(self):
        """New lines of parqsim and parq: the first one is the reason."""
        found = "\n  ".join(line.partition(";")[2] for record in self.records()
                            for line in record.splitlines()
                            if line[:1].isdigit() and "parq" in line)
        return f"; the kernel says: {found}" if found else ""


def first_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[0].strip() if lines else ""


def last_line(text):
    return first_line("\n".join(reversed(text.splitlines())))


def end_with(parent):
    """In a child: end when the parent is killed, even if it is dead by now."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)


class Machine:
    """Runs commands for a lab.

    echo: print each command
    dry: print, and run nothing
    out: where to print
    env: variables for commands
    """

    def __init__(self, name, echo=False, dry=False, out=sys.stdout):
        self.name, self.echo, self.dry, self.out = name, echo or dry, dry, out
        self.directory = os.path.join(DIRECTORY, name)
        # In English: some of what commands say is understood, see end().
        self.env = {"LAB": self.directory, "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
        self.begun = self.ending = False
        self.undo = []
        self.info = {}
        self.children = {}
        self.log = KernelLog()

    def say(self, text):
        """For those who read along, in front of a command."""
        if not self.echo:
            return
        try:
            print(text, file=self.out, flush=True)
        except BrokenPipeError:
            # Nobody reads any more. The lab ends in good order all the same.
            if not self.ending:
                raise

    # ---- state

    def begin(self, info):
        self.say(f"mkdir -p {self.directory}")
        self.info = info
        if self.dry:
            return
        try:
            os.makedirs(DIRECTORY, exist_ok=True)
            # The lab appears with its state: "down" can remove it from then on.
            with tempfile.TemporaryDirectory(prefix=".", dir=DIRECTORY) as directory:
                new = os.path.join(directory, self.name)
                os.mkdir(new)
                self.save(new)
                os.rename(new, self.directory)
                self.begun = True
        except OSError as error:
            if error.errno in (errno.EEXIST, errno.ENOTEMPTY):
                raise Failed(f"lab '{self.name}' is up already: "
                             f"parq-lab down {self.name}") from None
            raise Failed(f"{self.directory}: {error.strerror}") from None

    def save(self, directory=None):
        path = os.path.join(directory or self.directory, "state")
        try:
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump({"info": self.info, "undo": self.undo, "env": self.env}, file)
            os.rename(path + ".new", path)
        except FileNotFoundError:
            raise Failed(f"lab '{self.name}' was removed meanwhile") from None
        except OSError as error:
            raise Failed(f"{path}: {error.strerror}") from None

    def load(self):
        """What another process has begun."""
        path = os.path.join(self.directory, "state")
        try:
            with open(path, encoding="utf-8") as file:
                state = json.load(file)
        except FileNotFoundError:
            if not os.path.isdir(self.directory):
                raise Failed(f"lab '{self.name}' is not up") from None
            # The end of the lab was interrupted: only the directory is left.
            state = {"info": {"hosts": {}}, "undo": [], "env": self.env}
        except (OSError, ValueError) as error:
            raise Failed(f"{path}: {error}") from None
        self.info, self.undo, self.env = state["info"], state["undo"], state["env"]
        self.begun = True

    def end(self):
        """Undo everything. Print what cannot be undone, keep it for another try, and return False
        then."""
        self.ending = True
        for child in list(self.children):
            self.stop(child)
        failed = []
        for words in reversed(self.undo):
            self.say(text_of(words))
            if self.dry:
                continue
            done = self.output(words)
            # What the lab's user has removed, or what was recorded but never done.
            gone = "No such" in done.stderr or "Cannot find" in done.stderr
            if done.returncode and not gone:
                print(f"parq-lab: {text_of(words)}: {first_line(done.stderr)}", file=sys.stderr)
                failed.insert(0, words)
        self.undo = failed
        if failed:
            self.save()
            return False
        self.say(f"rm -r {self.directory}")
        if self.begun:
            shutil.rmtree(self.directory, ignore_errors=True)
        return True

    # ---- commands

    def do(self, step):
        self.say(step.text())
        done = step.unless and not self.dry and os.path.exists(step.unless)
        # The last lab undoes what labs share, if one of them did it.
        if done and not any(step.undo in lab.undo for lab in labs() if lab.name != self.name):
            return
        if step.undo:
            self.undo.append(step.undo)
        if self.dry:
            return
        if step.undo:
            self.save()
        if done:
            return
        # What is waited for, or read back, may have failed in the step before.
        if not step.seconds and not step.expect:
            self.log.skip()
        if step.write:
            self.write(step)
        elif step.seconds:
            self.until(step)
        else:
            done = self.output(step.argv)
            if done.returncode:
                self.fail(step, done)
            if not set(step.expect) <= set(done.stdout.split()):
                raise Failed(f"{step.text()}: not so, but {' '.join(done.stdout.split())}"
                             f"{self.log.reason()}")

    def output(self, argv):
        env = {**os.environ, **self.env}
        try:
            return subprocess.run(argv, capture_output=True, encoding="utf-8", check=False,
                                  errors="backslashreplace", env=env, stdin=subprocess.DEVNULL)
        except FileNotFoundError:
            return subprocess.CompletedProcess(argv, 127, "", f"{argv[0]} is missing")
        except OSError as error:
            return subprocess.CompletedProcess(argv, 126, "", f"{argv[0]}: {error.strerror}")

    def fail(self, step, done):
        # A command that fails did nothing; but a shell may have done a part.
        if step.undo and step.argv[-3:-1] != ["sh", "-c"]:
            self.undo.pop()
            self.save()
        # A program says what is wrong first, and what came of it last.
        reason = first_line(done.stderr) or last_line(done.stdout) or "failed"
        raise Failed(f"{step.text()}: {reason}{self.log.reason()}")

    def write(self, step):
        try:
            with open(step.write, "w", encoding="utf-8") as file:
                file.write(step.argv[0] + "\n")
        except OSError as error:
            raise Failed(f"{step.text()}: {error.strerror}{self.log.reason()}") from None

    def until(self, step):
        if not self.becomes(step.argv, step.seconds):
            raise Failed(f"{step.text()}: not within {step.seconds} s{self.log.reason()}")

    def becomes(self, argv, seconds):
        """Whether the command succeeds within the time."""
        end = time.monotonic() + seconds
        while self.output(argv).returncode:
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
        return True

    # ---- children

    def start(self, name, argv, text):
        """A command in the background; its output is a file of its name."""
        self.say(f"{text} >{self.directory}/{name} &")
        if self.dry:
            return
        try:
            with open(os.path.join(self.directory, name), "wb") as file:
                # Of a group of its own: ^C is for this program, which ends them.
                self.children[name] = subprocess.Popen(
                    argv, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                    env={**os.environ, **self.env}, start_new_session=True,
                    preexec_fn=functools.partial(end_with, os.getpid()))
        except OSError as error:
            # The file's or the program's.
            raise Failed(f"{text}: {error.filename}: {error.strerror}") from None

    def stop(self, name):
        """End a child in good order."""
        child = self.children.pop(name, None)
        if not child:
            return
        try:
            os.killpg(child.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        try:
            child.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()

    def printed(self):
        """The last line of each child, to tell why something does not happen."""
        said = []
        for name in self.children:
            try:
                with open(os.path.join(self.directory, name), encoding="utf-8",
                          errors="backslashreplace") as file:
                    lines = file.read().splitlines()
            except OSError:
                lines = []
            said += [f"\n  {name}: {lines[-1]}"] if lines else []
        return "".join(said)

    def wait(self, name, seconds):
        """Return the exit status of a child that ends by itself."""
        try:
            return self.children[name].wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failed(f"{name}: not at its end within {seconds} s") from None
        finally:
            self.stop(name)


def labs():
    """The labs that are up."""
    for name in names():
        lab = Machine(name)
        try:
            lab.load()
        except Failed:
            # It ends now.
            continue
        yield lab


# ---- what a lab needs ---------------------------------------------------------------

def need(programs):
    """programs: Debian package by program."""
    missing = sorted({package for name, package in programs.items() if not shutil.which(name)})
    if missing:
        raise Failed(f"programs are missing: sudo apt-get install {' '.join(missing)}")


def check(topology, name):
    """Refuse a lab that the machine cannot have, before anything is changed."""
    if os.geteuid():
        raise Failed("needs root: sudo parq-lab ...")
    if name in names():
        raise Failed(f"lab '{name}' is up already: parq-lab down {name}")
    need(PACKAGES)
    for host in topology.hosts:
        if os.path.exists(f"/run/netns/{host.name}"):
            raise Failed(f"there is a network namespace {host.name} already: "
                         f"ip netns del {host.name}")
        if host.pid and not os.path.exists(f"/proc/{host.pid}/ns/net"):
            raise Failed(f"{topology.path}: hosts.{host.name}.pid: '{host.pid}': no such process")
        for nic in host.nics:
            check_nic(nic, topology.path)


def check_nic(nic, path):
    if os.path.exists(f"/sys/kernel/config/parqsim/{nic.name}"):
        raise Failed(f"there is a NIC {nic.name} already: "
                     f"rmdir /sys/kernel/config/parqsim/{nic.name}")
    for port in nic.ports:
        if os.path.exists(f"/sys/class/net/{port.first_name}"):
            raise Failed(f"there is an interface {port.first_name} already, the first name of "
                         f"port {port.number} of {nic.name}")
        if port.netdev and not os.path.exists(f"/sys/class/net/{port.netdev}"):
            raise Failed(f"{path}: {port.host} {port.name}.netdev: '{port.netdev}': "
                         "no such interface here")
