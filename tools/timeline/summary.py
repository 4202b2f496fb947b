# SPDX-License-Identifier: GPL-2.0
"""The picture in words and numbers."""

from bisect import bisect_left, bisect_right

import causes
import trace as tracepoints
from detail import told
from recording import ALLOWED, LEAKED, STORMED
from units import show_speed, show_time


class Summary:
    """The figures of a lane between two times."""

    def __init__(self, lane, begin, end, trace):
        first = bisect_left(lane.frames, (begin, 0))
        past = bisect_right(lane.frames, (end, 1 << 30))
        kinds = lane.kind[first:past]
        seen = [(pause, resumed) for pause, resumed in zip(lane.pauses, lane.resumed)
                if pause.end > begin and pause.begin <= end]
        self.name, self.port, self.prio = lane.name, lane.rec.port, lane.prio
        self.frames = len(kinds)
        self.allowed = kinds.count(ALLOWED)
        self.leaked = kinds.count(LEAKED)
        self.stormed = kinds.count(STORMED)
        self.pauses = len(seen)
        self.longest = max((pause.end - pause.begin for pause, _ in seen), default=None)
        self.paused = sum(min(pause.end, end) - max(pause.begin, begin) for pause, _ in seen)
        self.first_leak = next((lane.frames[first + i][0] for i, kind in enumerate(kinds)
                                if kind == LEAKED), None)
        self.resume = sorted(resumed - pause.end for pause, resumed in seen
                             if resumed is not None and resumed <= end)
        self.parked = None
        if trace and lane.prio is not None:
            self.parked = max((fds for time, fds in tracepoints.depth(trace, lane.prio)
                               if begin <= time <= end), default=0)

    @property
    def median_resume(self):
        return self.resume[(len(self.resume) - 1) // 2] if self.resume else None

    @property
    def longest_resume(self):
        return self.resume[-1] if self.resume else None


COLUMNS = [
    ("priority", lambda s: "none" if s.prio is None else str(s.prio)),
    ("frames", lambda s: str(s.frames)),
    ("pauses", lambda s: str(s.pauses)),
    ("longest", lambda s: show_time(s.longest)),
    ("paused", lambda s: show_time(s.paused) if s.pauses else "-"),
    ("in allowance", lambda s: str(s.allowed)),
    ("started while paused", lambda s: str(s.leaked)),
    ("parked at most", lambda s: "-" if s.parked is None else str(s.parked)),
    ("to first frame", lambda s: show_time(s.median_resume)),
    ("longest", lambda s: show_time(s.longest_resume)),
]


def shown(view, trace):
    """Return the lanes that are not empty, or all priorities if all are."""
    traced = {event.prio for event in trace.events} if trace else set()
    return [lane for lane in view.lanes if lane.frames or lane.pauses or lane.prio in traced] or \
        [lane for lane in view.lanes if lane.prio is not None]


def table(rows):
    columns = [("port", lambda s: s.port), *COLUMNS] if rows[0].port else COLUMNS
    cells = [[name for name, _ in columns], *([show(row) for _, show in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return ["  ".join(text.rjust(width) for text, width in zip(row, widths)) for row in cells]


def heading(rec, begin, end):
    return (f"{rec.path}: {rec.interface}, {show_speed(rec.mbit)}, "
            f"from {(begin - rec.begin) / 1e9:.6f} to {(end - rec.begin) / 1e9:.6f} s")


def clock(trace, path):
    """Say how the trace was set to the clock of the recording."""
    text = (f"{path}: {trace.netdev}, clock set by {trace.matched} of {trace.pauses} pauses "
            f"that begin in both, which then differ by {trace.residual} ns at most")
    if trace.frames < 2:
        text += "; by one frame alone, which nothing confirms"
    if trace.spread is not None:
        text += (f"; steps of the FSM by the driver have the kernel's clock only, and are "
                 f"{show_time(trace.spread)} off at most")
    return text


def notes(rec, trace, view):
    """Return the sentences below the table."""
    said = list(rec.notes)
    if rec.others:
        said.append(f"other interfaces in the recording: {', '.join(rec.others)}")
    if not any(control.is_pfc for control in rec.controls):
        said.append("no PFC frame was received")
    link = sum(not control.is_pfc for control in rec.controls)
    if link:
        said.append(f"{link} link pause frames (802.3x) were received: " +
                    ("obeyed until a PFC frame comes" if view.link_pause else
                     "shown, not judged; --link-pause judges them"))
    unknown = sum(len(lane.frames) for lane in view.lanes if lane.prio is None)
    if unknown:
        said.append(f"{unknown} frames name no priority and are not judged: "
                    "see --trust and --default-prio")
    if trace and trace.lost:
        said.append(f"{trace.path}: {trace.lost} events were lost: what the trace shows has gaps")
    if not rec.allowance_named:
        said.append(f"no response time is known for {show_speed(rec.mbit)}: "
                    "that of the next lower speed was taken")
    return said


def allowance(rec):
    return "its allowance" if rec.allowance is None else f"{rec.allowance} quanta"


def summaries(view, trace):
    return [Summary(lane, view.begin, view.end, trace) for lane in shown(view, trace)]


def as_dict(rec, trace, view, lanes):
    """Return the summary for other programs. Times are ns."""
    return {
        "recording": rec.path, "interface": rec.interface, "mbit": rec.mbit,
        "begin": view.begin - rec.begin, "end": view.end - rec.begin,
        "allowance_quanta": rec.allowance,
        "priorities": [{
            "port": row.port, "prio": row.prio, "frames": row.frames, "pauses": row.pauses,
            "longest": row.longest, "paused": row.paused, "in_allowance": row.allowed,
            "started_while_paused": row.leaked, "first_started_while_paused": row.first_leak,
            "stormed": row.stormed, "parked_at_most": row.parked,
            "median_to_first_frame": row.median_resume,
            "longest_to_first_frame": row.longest_resume} for row in lanes],
        "violations": sum(row.leaked for row in lanes),
        "why": causes.as_dict(rec, view),
        "circles": [{"prio": circle[0].lane.prio, "ports": [hop.lane.rec.port for hop in circle],
                     "paused": length} for circle, length in view.circles],
        "notes": notes(rec, trace, view)}


def text(rec, trace, view, lanes):
    """Return the whole summary."""
    lines = [heading(rec, view.begin, view.end)]
    if trace:
        lines.append(clock(trace, trace.path))
    lines += ["", *table(lanes), ""]
    lines.append(f"in allowance: started within {allowance(rec)} of the pause's beginning; "
                 "started while paused: later, while it ran")
    lines.append("to first frame: from the end of a pause (XON, or its time is over), "
                 "median and longest")
    for row in lanes:
        if row.leaked:
            lines.append(f"{row.name}: the first frame that started while paused, at "
                         f"{(row.first_leak - rec.begin) / 1e9:.9f} s")
        if row.stormed:
            lines.append(f"{row.name}: {row.stormed} frames in storms")
    if view.detail:
        lines += ["", f"a pause of priority {view.detail.lane.prio}, which begins at "
                  f"{(view.detail.pause.begin - rec.begin) / 1e9:.9f} s:",
                  *(f"  {number}  {time:>8}  {text}" for number, time, text in told(view.detail))]
    if view.hops:
        lines += ["", *causes.told(rec, view)]
    lines += [f"note: {note}" for note in notes(rec, trace, view)]
    return "\n".join(lines)
