# SPDX-License-Identifier: GPL-2.0
"""The driver's tracepoints, on the clock of a recording.

An event of the device has the device clock's time. That clock and the recording's differ
by a constant, which is found from the PFC frames that both have seen.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict, namedtuple

from errors import BadInput

# "task-pid [cpu] flags stamp: event: text", by tracefs or by trace-cmd report.
LINE = re.compile(r"\s(?P<stamp>\d+(?:\.\d+)?):\s+(?:parq:)?(?P<event>parq_\w+):\s+(?P<text>.*?)\s*$")
TOO_LONG = re.compile(r"\d{20}")
NOT_READ = re.compile(r"LOST (\d+) EVENTS|\[(\d+) EVENTS DROPPED\]")

HEAD = r"(?P<netdev>\S+) prio (?P<prio>[0-7]) "
EVENTS = {
    "parq_pause": HEAD + r"(?P<what>on|off) quanta (?P<quanta>\d+) time (?P<time>\d+)",
    "parq_fsm": HEAD + r"(?P<old>\w+) -> (?P<new>\w+) (?P<by>offload|managed) levels \S+ "
                       r"time (?P<time>\d+)",
    "parq_park": HEAD + r"queue \d+ order \d+ depth (?P<depth>\d+) time (?P<time>\d+)",
    "parq_reinject": HEAD + r"queue \d+ order \d+ depth (?P<depth>\d+) time (?P<time>\d+)",
    "parq_pass": HEAD + r"(?P<what>begun|turned-back|ended) fds (?P<fds>\d+) time (?P<time>\d+)",
    "parq_storm": HEAD + r"(?P<what>begins|ends) depth (?P<depth>\d+) time (?P<time>\d+)",
}
EVENTS = {name: re.compile(text + "$") for name, text in EVENTS.items()}

# Error of a frame's time stamp, ns: none by the NIC itself, more by a kernel.
TOLERANCES = (2, 1000, 100_000)

# time: ns of the device clock, later of the recording. exact: stamped by the device.
Event = namedtuple("Event", "event prio time stamp fields exact")


class Trace:
    """The events of one port.

    events: in the order of their times
    matched, pauses: how many of the pauses begin in the recording too, of how many
    frames: how many PFC frames of the recording, with XON, have changed PAUSE
    residual: largest difference between the two clocks at those, ns
    spread: how far, ns, events without a device time may be off; None: there are none
    lost: events that the kernel had no room for
    """

    def __init__(self, path):
        self.path = path
        self.netdev = None
        self.events = []
        self.matched = self.pauses = self.frames = 0
        self.residual = 0
        self.spread = None
        self.lost = 0

    def of(self, prio, event):
        return [e for e in self.events if e.prio == prio and e.event == event]


def parse(path):
    """Return {netdev: [Event]} in file order, and the number of lost events."""
    found, lost = defaultdict(list), 0
    try:
        with open(path, encoding="utf-8", errors="strict") as file:
            for number, line in enumerate(file, 1):
                gap = NOT_READ.search(line)
                if TOO_LONG.search(line):
                    raise BadInput(f"{path}:{number}: a number of more than 64 bits")
                if gap:
                    lost += int(gap[1] or gap[2])
                match = LINE.search(line)
                if not match or match["event"] not in EVENTS:
                    continue
                text = EVENTS[match["event"]].match(match["text"])
                if not text:
                    raise BadInput(f"{path}:{number}: not what {match['event']} says: "
                                   f"{match['text']}")
                stamp = match["stamp"]
                ns = round(float(stamp) * 1e9) if "." in stamp else int(stamp)
                time = int(text["time"])
                found[text["netdev"]].append(Event(match["event"], int(text["prio"]), time, ns,
                                                   text.groupdict(), time != 0))
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: no text; a trace.dat is read by `trace-cmd report`") from error
    if not found:
        raise BadInput(f"{path}: no event of PARQ; was events/parq/enable 1?")
    return found, lost


def choose_netdev(found, wanted, interface, path):
    if wanted is not None:
        if wanted not in found:
            raise BadInput(f"{path}: --netdev {wanted}: no events of it; "
                           f"there are {', '.join(sorted(found))}")
        return wanted
    if interface in found:
        return interface
    if len(found) == 1:
        return next(iter(found))
    raise BadInput(f"{path}: events of {', '.join(sorted(found))}, none of {interface}: "
                   "say --netdev")


def place_without_time(trace):
    """Estimate the device time of events that have only the kernel's.

    An event of the device is logged some time after it happened, so the smallest difference is
    nearest to that of the two clocks. A step comes after all that was logged before it.
    """
    delays = [e.stamp - e.time for e in trace.events if e.exact]
    if all(e.exact for e in trace.events) or not delays:
        return
    trace.spread = max(delays) - min(delays)
    latest, placed = 0, []
    for event in trace.events:
        if event.exact:
            latest = max(latest, event.time)
        else:
            event = event._replace(time=max(latest, event.stamp - min(delays)))
        placed.append(event)
    trace.events = placed


def nearest(times, wanted):
    at = bisect_left(times, wanted)
    return min(times[max(at - 1, 0):at + 1], key=lambda t: abs(t - wanted))


def match(changes, seen, offset, tolerance):
    """Return the clock differences at each change that the recording also contains."""
    found = []
    for prio, quanta, time in changes:
        stamp = nearest(seen[prio, quanta], time + offset)
        if abs(stamp - time - offset) <= tolerance:
            found.append(stamp - time)
    return found


def find_offset(changes, seen, tolerance):
    """Return the offset that most changes match, and the number of equally good ones."""
    rare = Counter((prio, quanta) for prio, quanta, _ in changes)
    by_use = sorted(changes, key=lambda c: rare[c[:2]] * len(seen[c[:2]]))
    tried, sample = {}, by_use[:200]
    for prio, quanta, time in by_use[:4]:
        for stamp in seen[prio, quanta]:
            offset = stamp - time
            tried.setdefault(offset // (4 * tolerance), (len(match(sample, seen, offset, tolerance)),
                                                         offset))
    if not tried:
        return None, 0
    best = max(score for score, _ in tried.values())
    offsets = sorted(offset for score, offset in tried.values() if score == best)
    rivals = sum(b - a > 4 * tolerance for a, b in zip(offsets, offsets[1:]))
    return offsets[0], rivals


def align(trace, rec):
    """Convert the events to the recording's clock."""
    seen = defaultdict(list)
    for control in rec.controls:
        for prio, quanta in control.quanta.items():
            if control.is_pfc:
                seen[prio, quanta].append(control.time)
    rises = [e for e in trace.events if e.event == "parq_pause" and e.fields["what"] == "on"]
    changes = [(e.prio, int(e.fields["quanta"]) if e.fields["what"] == "on" else 0, e.time)
               for e in trace.events if e.event == "parq_pause"]
    changes = [c for c in changes if c[:2] in seen]
    if not rises:
        raise BadInput(f"{trace.path}: no pause begins in it: nothing to align with {rec.path} by")
    apart = min((b - a for times in seen.values() for a, b in zip(times, times[1:])),
                default=TOLERANCES[-1] * 10)
    for tolerance in TOLERANCES:
        # Identical frames must not be confused.
        if tolerance > max(apart / 10, TOLERANCES[0]):
            break
        offset, rivals = find_offset(changes, seen, tolerance)
        if offset is None:
            break
        # Only changes during the recording can match.
        inside = [(e.prio, int(e.fields["quanta"]), e.time) for e in rises
                  if rec.begin <= e.time + offset <= rec.end]
        fits = match([c for c in inside if c[:2] in seen], seen, offset, tolerance)
        # Inexact stamps prove little: require that several match, and all do.
        enough = len(inside) // 2 + 1 if tolerance == TOLERANCES[0] else max(len(inside), 3)
        if len(fits) < enough:
            continue
        if rivals:
            raise BadInput(f"{trace.path}: fits {rec.path} in {rivals + 1} ways, and nothing tells "
                           "which is right: trace more pauses")
        fits.sort()
        offset = fits[len(fits) // 2]
        trace.matched, trace.pauses = len(fits), len(inside)
        trace.frames = len(match(changes, seen, offset, tolerance))
        trace.residual = max(abs(fit - offset) for fit in fits)
        trace.events = sorted((e._replace(time=e.time + offset) for e in trace.events),
                              key=lambda e: e.time)
        return
    raise BadInput(f"{trace.path}: {len(rises)} pauses begin in it, but not at such intervals in "
                   f"{rec.path}: they are not of the same port and time")


def read(path, rec, netdev=None):
    """Read a trace and convert it to the clock of a recording."""
    trace = Trace(path)
    found, trace.lost = parse(path)
    trace.netdev = choose_netdev(found, netdev, rec.interface, path)
    trace.events = found[trace.netdev]
    place_without_time(trace)
    align(trace, rec)
    return trace


def spans(events, begins, ends, last, since=None):
    """Return [(begin, end)] of a state. since is its begin if it began before the trace. If no
    event ends it, it lasts to the last event."""
    found = []
    for event in events:
        if since is None and begins(event):
            since = event.time
        elif since is not None and ends(event):
            found.append((since, event.time))
            since = None
    if since is not None:
        found.append((since, last))
    return found


def held_before(trace, prio):
    """Return the begin of the trace if the FSM of a priority was not idle then, else None."""
    steps = trace.of(prio, "parq_fsm")
    return trace.events[0].time if steps and steps[0].fields["old"] != "idle" else None


def holds(trace, prio, last):
    """Return the spans of HOLD: from the rise of PAUSE to the release."""
    return spans([e for e in trace.events if e.prio == prio],
                 lambda e: e.event == "parq_pause" and e.fields["what"] == "on",
                 lambda e: e.event == "parq_fsm" and e.fields["new"] == "idle", last,
                 held_before(trace, prio))


def halts(trace, prio, last):
    """Return the spans of HALT: from the FSM's first step to the release."""
    return spans(trace.of(prio, "parq_fsm"), lambda e: e.fields["new"] == "halting",
                 lambda e: e.fields["new"] == "idle", last, held_before(trace, prio))


def passes(trace, prio, last):
    """Return the spans of flush passes. A reversed pass lasts to its end as well."""
    events = trace.of(prio, "parq_pass")
    before = trace.events[0].time if events and events[0].fields["what"] != "begun" else None
    return spans(events, lambda e: e.fields["what"] == "begun",
                 lambda e: e.fields["what"] == "ended", last, before)


def depth(trace, prio):
    """Return [(time, FDs parked)], one item for each change."""
    return [(e.time, int(e.fields["depth"])) for e in trace.events
            if e.prio == prio and e.event in ("parq_park", "parq_reinject")]
