# SPDX-License-Identifier: GPL-2.0
"""The view in place: all ports, and the priorities of the chosen one."""

import curses
import os
import shutil
import subprocess
import time

import rates
import sample
import show

# Where the source tree has it.
PFC = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../build/host/parq_pfc")
KEYS = "arrows: choose a port   0-7: pause that priority of its peer, or end it   r: record   q: quit"


class Pauses:
    """Priorities that this program pauses: one child for each (port, priority)."""

    def __init__(self):
        self.children = {}

    def toggle(self, port, prio):
        """Return: a text for the user."""
        key = port["netns"], port["port"], prio
        child = self.children.pop(key, None)
        if child:
            self.end(child)
            return f"{show.label(port)}: priority {prio} of the peer may send"
        program = shutil.which("parq_pfc") or shutil.which(PFC)
        if not program:
            return "parq_pfc is missing: apt install parq-tools, or make -C tools/lab"
        space = ["ip", "netns", "exec", port["netns"]] if port["netns"] else []
        # It ends, and releases the priority, if this program is killed.
        self.children[key] = subprocess.Popen(
            [*space, "setpriv", "--pdeathsig", "TERM", program, "--dev", port["port"], "hold",
             "--prios", str(1 << prio), "--speed", str(port["mbit"])],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        return f"{show.label(port)}: priority {prio} of the peer is paused"

    @staticmethod
    def end(child):
        child.terminate()
        child.wait()
        child.stderr.close()

    def failed(self):
        """Text of a child that ended by itself; "" if there is none."""
        for key, child in list(self.children.items()):
            if child.poll() is not None:
                text = child.stderr.read().strip()
                self.end(self.children.pop(key))
                return text or "a pause ended"
        return ""

    def close(self):
        while self.children:
            self.end(self.children.popitem()[1])


class Screen:
    """Draws the rates, and does what keys ask for.

    take: function that returns a sample
    record: function that starts or ends a recording; returns a text
    """

    def __init__(self, window, take, seconds, record):
        self.window, self.take, self.seconds, self.record = window, take, seconds, record
        self.pauses = Pauses()
        self.chosen, self.note = 0, ""

    def line(self, row, text, style=curses.A_NORMAL):
        height, width = self.window.getmaxyx()
        if row < height:
            # The last cell of the last line cannot be written.
            self.window.addnstr(row, 0, text, width - 1, style)

    def draw(self, ports):
        height = self.window.getmaxyx()[0]
        self.window.erase()
        self.chosen = max(0, min(self.chosen, len(ports) - 1))
        # Room for the priorities of the chosen port, keys and notes.
        room = max(1, height - 13)
        first = max(0, self.chosen - room + 1)
        for row, port in enumerate(ports[first:first + room]):
            self.line(row, show.port_line(port),
                      curses.A_REVERSE if first + row == self.chosen else curses.A_NORMAL)
        row = min(len(ports), room) + 1
        if ports:
            self.line(row, show.titles(), curses.A_BOLD)
            for prio in ports[self.chosen]["priorities"]:
                self.line(row + 1 + prio["priority"], show.priority_line(prio))
        else:
            self.line(row, "no port has priorities")
        self.line(height - 2, self.pauses.failed() or self.note)
        self.line(height - 1, KEYS, curses.A_DIM)
        self.window.refresh()

    def key(self, key, ports):
        """Return: False at the end."""
        if key in (ord("q"), 27):
            return False
        if key in (curses.KEY_UP, ord("k")):
            self.chosen -= 1
        elif key in (curses.KEY_DOWN, ord("j")):
            self.chosen += 1
        elif key == ord("r"):
            self.note = self.record()
        elif ord("0") <= key <= ord("7") and ports:
            self.note = self.pauses.toggle(ports[self.chosen], key - ord("0"))
        return True

    def wait(self, ports):
        """Until the next sample is due. Return: False at the end."""
        due = time.monotonic() + self.seconds
        while True:
            self.window.timeout(max(0, int((due - time.monotonic()) * 1000)))
            key = self.window.getch()
            if key == -1:
                return True
            if not self.key(key, ports):
                return False
            self.draw(ports)

    def run(self):
        before = self.take()
        ports = rates.of(before, before)
        try:
            self.draw(ports)
            while self.wait(ports):
                now = self.take()
                ports = rates.of(before, now)
                before = now
                self.note = self.record(ports) or self.note
                self.draw(ports)
        finally:
            self.pauses.close()


def run(take, seconds, record):
    def inside(window):
        curses.curs_set(0)
        Screen(window, take, seconds, record).run()

    try:
        curses.wrapper(inside)
    except curses.error as error:
        raise sample.Failed(f"this terminal: {error}") from None
