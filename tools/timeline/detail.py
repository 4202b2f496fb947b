# SPDX-License-Identifier: GPL-2.0
"""Chooses one pause to show in detail, and lists its steps."""

from bisect import bisect_left
from collections import namedtuple

import trace as tracepoints
from recording import FREE
from units import show_time

# Share of the picture's width. A longer pause is readable without a detail.
LARGE = 1 / 3
# FDs parked. A detail with more shows nothing new.
ENOUGH = 4

# lane: the priority. begin, end: the time to show. steps: [(time, sentence)].
Detail = namedtuple("Detail", "lane pause begin end steps")


def first(times, since, until):
    """Return the first of the sorted times in [since, until], or None."""
    at = bisect_left(times, since)
    return times[at] if at < len(times) and times[at] <= until else None


def times_of(trace, prio, event, **wanted):
    return [e.time for e in trace.of(prio, event)
            if all(e.fields[name] == value for name, value in wanted.items())]


def traced_steps(trace, prio, pause, until):
    """Return FDs parked, the time of the release, and the steps of the pause engine up to the next
    pause. None if the trace is incomplete or a pass was reversed."""
    released = first(times_of(trace, prio, "parq_fsm", new="idle"), pause.end, until)
    parked = [t for t in times_of(trace, prio, "parq_park") if pause.begin <= t <= pause.end]
    acked = first(times_of(trace, prio, "parq_fsm", new="parked"), pause.begin, until)
    flushed = first(times_of(trace, prio, "parq_pass", what="begun"), pause.end, until)
    sent = [t for t in times_of(trace, prio, "parq_reinject") if pause.end <= t <= until]
    turned = times_of(trace, prio, "parq_pass", what="turned-back")
    if released is None or not parked or not sent or \
            any(pause.begin <= time <= released for time in turned):
        return None
    deepest = max(fds for time, fds in tracepoints.depth(trace, prio)
                  if pause.begin <= time <= released)
    steps = [(parked[0], f"HOLD: frames on their way to the wire turn back; {deepest} are parked "
                         "in host memory"),
             (acked, "HALT is answered: the NIC holds no frame of this priority any more"),
             (flushed, "flush pass: the NIC reads what is parked"),
             (sent[0], f"the first parked frame is sent; {len(sent)} in all, in their old order"),
             (released, "nothing is parked: HOLD and HALT end, younger frames follow")]
    return deepest, released, [step for step in steps if step[0] is not None]


def looked_at(trace, lane, pause, resumed, until):
    """Return FDs parked and the detail, or None if the trace of this pause is incomplete."""
    ended = {"xon": "XON: the peer ends the pause", "time": "the time of the pause is over"}
    if pause.end_by not in ended or pause.reloads or resumed is None:
        return None
    deepest, last = 0, resumed
    steps = [(pause.begin, f"XOFF: the peer pauses priority {lane.prio}; the frame being sent "
                           "ends, no other starts"), (pause.end, ended[pause.end_by])]
    if trace:
        found = traced_steps(trace, lane.prio, pause, until)
        if not found:
            return None
        deepest, last, more = found
        steps += more
    else:
        steps.append((resumed, "the first frame after the pause"))
    margin = (last - pause.begin) * 3 // 10 + 1000
    # Sorting is stable: steps with equal times keep their order.
    return deepest, Detail(lane, pause, pause.begin - margin, last + margin,
                           sorted(steps, key=lambda step: step[0]))


def choose(view, trace):
    """Return the shortest of the pauses that park most, or None if no detail helps."""
    found = []
    for lane in view.lanes:
        times = [time for time, _ in lane.frames]
        nexts = [*(pause.begin for pause in lane.pauses[1:]), view.end]
        for pause, resumed, until in zip(lane.pauses, lane.resumed, nexts):
            length, at = pause.end - pause.begin, bisect_left(times, pause.begin)
            obeyed = all(kind == FREE for kind in lane.kind[at:bisect_left(times, pause.end)])
            if pause.begin < view.begin or length > (view.end - view.begin) * LARGE or not obeyed:
                continue
            seen = looked_at(trace, lane, pause, resumed, min(until, view.end))
            # It was sending.
            if seen and at and seen[1].begin <= times[at - 1] and seen[1].begin >= view.begin:
                found.append((-min(seen[0], ENOUGH), length, lane.prio, seen[1]))
    return min(found, key=lambda item: item[:3])[3] if found else None


def told(detail):
    """Yield each step as (number, time since the pause began, sentence)."""
    return [(str(n), show_time(time - detail.pause.begin), text)
            for n, (time, text) in enumerate(detail.steps, 1)]
