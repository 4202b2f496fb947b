# SPDX-License-Identifier: GPL-2.0
"""Which pause caused which.

A switch pauses a port because frames that came from it wait for other ports. The buffer had
drained when the last pause ended, so what these ports did since then is the reason: they were
paused in this priority themselves, or had more to send than their link takes.
"""

from bisect import bisect_left, bisect_right

from fabric import name_of
from units import SCALE, show_time

PAUSED, BUSY = "paused", "busy"


def busy_spans(lane, gap):
    """Return [(begin, end)] without idle time in which a frame of this priority would have been
    sent."""
    rec = lane.rec
    spans = [(pause.begin, pause.end) for pause in lane.pauses]
    spans += [(time, time + rec.on_wire(length))
              for other in rec.lanes for time, length in other.frames]
    found = []
    for begin, end in sorted(spans):
        if found and begin - found[-1][1] <= gap:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((begin, end))
    return found


class Hop:
    """A port in one priority.

    by: the port that pauses it
    pauses, paused: number and ns of its pauses
    causes: {(hop or None, PAUSED or BUSY or None): [pauses, ns]}. None: by waits for nobody
    """

    def __init__(self, lane, by, gap):
        self.lane, self.by, self.gap = lane, by, gap
        self.pauses = self.paused = 0
        self.causes = {}
        self.spans = None

    def waits_since(self, time):
        """Return since when frames may have waited without a break, or None."""
        if self.spans is None:
            self.spans = busy_spans(self.lane, self.gap)
        at = bisect_right(self.spans, (time, float("inf"))) - 1
        # A PFC frame may wait for the end of another frame.
        return self.spans[at][0] if at >= 0 and self.spans[at][1] >= time - self.gap else None

    def is_paused(self, since, until):
        at = bisect_left(self.lane.pauses, until, key=lambda pause: pause.begin) - 1
        return at >= 0 and self.lane.pauses[at].end > since

    def sent(self, since, until):
        frames = self.lane.frames
        return bisect_right(frames, (until, 0)) - bisect_left(frames, (since, 0))


def reasons(pause, drained, others):
    """Return the hops that a switch could not send to, and why."""
    waits = [(hop, hop.waits_since(pause.begin)) for hop in others]
    waits = [(hop, max(pause.begin if since is None else since, drained), since is not None)
             for hop, since in waits]
    held = [(hop, PAUSED) for hop, since, _ in waits if hop.is_paused(since, pause.end)]
    if held:
        return held
    busiest = max(((hop.sent(since, pause.end), -number, hop)
                   for number, (hop, since, busy) in enumerate(waits) if busy), default=(0,))
    return [(busiest[2], BUSY)] if busiest[0] else [(None, None)]


def explain(hop, others, view):
    """Find the causes of each pause."""
    drained = view.begin
    for pause in hop.lane.pauses:
        if pause.end > view.begin and pause.begin <= view.end:
            length = min(pause.end, view.end) - max(pause.begin, view.begin)
            hop.pauses += 1
            hop.paused += length
            for key in reasons(pause, drained, others) if others else [(None, None)]:
                count = hop.causes.setdefault(key, [0, 0])
                count[0] += 1
                count[1] += length
        drained = pause.end


def ordered(hops):
    """Return hops that are paused, or the cause of a pause. A cause comes after what it causes."""
    found, seen = [], set()

    def visit(hop):
        if hop in seen:
            return
        seen.add(hop)
        for cause, _ in hop.causes:
            if cause:
                visit(cause)
        found.append(hop)

    for hop in sorted(hops, key=lambda hop: -hop.lane.prio):
        if hop.pauses:
            visit(hop)
    return found[::-1]


def circles(hops):
    """Return circles of hops each of which was paused because the next one was."""
    found, seen = [], set()

    def visit(hop, path):
        if hop in path:
            found.append(path[path.index(hop):])
        if hop in seen:
            return
        seen.add(hop)
        for cause, how in hop.causes:
            if how == PAUSED:
                visit(cause, [*path, hop])

    for hop in hops:
        visit(hop, [])
    return found


def together(hops, view):
    """Return how long all of them were paused at once, ns."""
    length = depth = 0
    last = view.begin
    for time, step in sorted((min(max(time, view.begin), view.end), step)
                             for hop in hops for pause in hop.lane.pauses
                             for time, step in ((pause.begin, 1), (pause.end, -1))):
        if depth == len(hops):
            length += time - last
        last = time
        depth += step
    return length


def hops(fabric, view):
    """Return the hops of all pauses in the view, and [(hops, ns)] of circles of them."""
    longest = max((length for lane in fabric.lanes for _, length in lane.frames), default=0)
    gap = max(rec.on_wire(longest) for rec in fabric.recs.values())
    found = {(lane.rec.port, lane.prio): Hop(lane, fabric.partner(lane.rec), gap)
             for lane in view.lanes if lane.prio is not None}
    for (_, prio), hop in found.items():
        ports = fabric.forwards(hop.by) if hop.by else []
        explain(hop, [found[name, prio] for name in ports if (name, prio) in found], view)
    shown = ordered(reversed(found.values()))
    return shown, [(circle, together(circle, view)) for circle in circles(reversed(found.values()))]


# ---- words -------------------------------------------------------------------------

def amount(pauses, length):
    return f"{pauses} time{'s' * (pauses != 1)}, {show_time(length)}"


def reason(fabric, hop, cause, how):
    """Return a sentence about a cause."""
    if how == PAUSED:
        return f"{cause.lane.rec.port} was paused"
    if how == BUSY:
        return f"{cause.lane.rec.port} had more to send than its link takes: it began there"
    if not hop.by:
        return "the topology has no cable to its partner"
    ports = fabric.forwards(hop.by)
    silent = sorted(fabric.silent & set(ports))
    return "it began there" if not ports else "no recording tells why" + (
        f"; there is none of {', '.join(silent)}" if silent else "")


def storms(fabric, hop, view):
    """Return how many pauses the port did not obey any longer, and its limit in ms."""
    limit = fabric.topology.port(hop.lane.rec.port).storm_ms
    return sum(max(pause.begin + limit * SCALE["ms"], view.begin) < min(pause.end, view.end)
               for pause in hop.lane.pauses if limit), limit


def told(fabric, view):
    """Return the causes of all pauses in words, as lines."""
    lines = []
    for hop in view.hops:
        if not hop.pauses:
            continue
        by = f" by {name_of(hop.by)}" if hop.by else ""
        line = f"{hop.lane.name} was paused {amount(hop.pauses, hop.paused)},{by}"
        said = [(count, reason(fabric, hop, *key)) for key, count in
                sorted(hop.causes.items(), key=lambda item: -item[1][1])]
        if len(said) == 1:
            lines.append(f"{line}: {said[0][1]}")
        else:
            lines += [line, *(f"    {amount(*count)}: {text}" for count, text in said)]
        number, limit = storms(fabric, hop, view)
        if number:
            lines.append(f"    {number} of them {'was a storm' if number == 1 else 'were storms'} "
                         f"after {limit} ms: {hop.lane.rec.port} did not obey any longer")
    for circle, length in view.circles:
        lines.append(f"a circle: {', '.join(hop.lane.name for hop in circle)}: each was paused "
                     f"because the next one was, {show_time(length)} all of them at once")
    return lines


def as_dict(fabric, view):
    """Return the same for other programs. Times are ns."""
    return [{"port": hop.lane.rec.port, "prio": hop.lane.prio, "pauses": hop.pauses,
             "paused": hop.paused, "storms": storms(fabric, hop, view)[0],
             "by": name_of(hop.by) if hop.by else None,
             "causes": [{"port": cause and cause.lane.rec.port, "how": how,
                         "pauses": pauses, "paused": length}
                        for (cause, how), (pauses, length) in hop.causes.items()]}
            for hop in view.hops if hop.pauses]
