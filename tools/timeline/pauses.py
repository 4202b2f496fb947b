# SPDX-License-Identifier: GPL-2.0
"""When each priority was paused, and which frames started during a pause.

The rules are those of selftests/drivers/net/parq/wire_judge.c.
"""

from bisect import bisect_left, bisect_right
from collections import namedtuple

from recording import PRIOS

QUANTUM_BITS = 512

# Time stamps are truncated to ns: a frame may start in the ns in which a pause begins.
STAMP_NS = 1

# Quanta after the end of a pause frame in which a paused frame may still start, by Mb/s:
# IEEE 802.3 annex 31B.3.7 and IEEE 802.1Q (Documentation/nic/pause.rst).
RESPONSE_QUANTA = {10: 1, 100: 1, 1000: 2, 10000: 60, 25000: 80, 40000: 118, 100000: 394,
                   400000: 905}

# How a frame relates to the pause of its class.
FREE, ALLOWED, LEAKED, STORMED = range(4)

# end_by: "xon", "time" (it ran out) or "end" (of the recording). link: 802.3x, not PFC.
Pause = namedtuple("Pause", "begin end end_by reloads link")


class Lane:
    """One priority.

    frames: times and lengths of what was sent
    kind: of each of them, FREE to STORMED
    pauses: in the order of time
    resumed: for each pause, the first frame after its end that comes before the next pause, or None
    """

    def __init__(self, prio):
        self.prio = prio
        self.frames = []
        self.kind = []
        self.pauses = []
        self.resumed = []


def response_quanta(mbit):
    """Return quanta, and whether the standard names this very speed.

    Else it is that of the next lower speed: no pause is judged more mildly than it should.
    """
    known = max((speed for speed in RESPONSE_QUANTA if speed <= mbit), default=10)
    return RESPONSE_QUANTA[known], known == mbit


def quanta_ns(quanta, mbit):
    return int(quanta * QUANTUM_BITS * 1000 / mbit)


def of_class(prio, controls, mbit, end, link):
    """The pauses of a class. A port obeys link pause at most until the first PFC frame."""
    found, begin, until, reloads, pfc_seen = [], None, None, 0, False

    def close(at, reason):
        nonlocal begin
        found.append(Pause(begin, at, reason, reloads, link_now))
        begin = None

    link_now = False
    for control in controls:
        pfc_seen |= control.is_pfc
        if not control.is_pfc and (not link or pfc_seen):
            continue
        quanta = control.quanta.get(prio)
        if quanta is None:
            continue
        if begin is not None and until <= control.time:
            close(until, "time")
        if not quanta:
            if begin is not None:
                close(control.time, "xon")
            continue
        if begin is None:
            begin, reloads, link_now = control.time, 0, not control.is_pfc
        else:
            reloads += 1
        until = control.time + quanta_ns(quanta, mbit)
    if begin is not None:
        close(min(until, end), "time" if until <= end else "end")
    return found


def link_pauses(rec, mbit):
    """Pauses by 802.3x frames, obeyed or not."""
    link = [control for control in rec.controls if not control.is_pfc]
    return of_class(0, link, mbit, rec.end, True)


def lanes(rec, mbit, allowance, pfc=PRIOS, link=False, storm_ns=None):
    """Return one Lane for each priority, and a last one for frames without priority.

    allowance: quanta that a port may go on after the beginning of a pause
    pfc: priorities with PFC on
    link: 802.3x frames are obeyed
    storm_ns: how long a pause must be obeyed, None: no limit
    """
    result = {prio: Lane(prio) for prio in (*PRIOS, None)}
    for frame in rec.frames:
        result[frame.prio].frames.append((frame.time, frame.length))
    for prio in PRIOS:
        lane = result[prio]
        controls = rec.controls if prio in pfc else [c for c in rec.controls if not c.is_pfc]
        lane.pauses = of_class(prio, controls, mbit, rec.end, link)
        judge(lane, quanta_ns(allowance, mbit), storm_ns)
    result[None].kind = [FREE] * len(result[None].frames)
    return list(result.values())


def judge(lane, allowance_ns, storm_ns):
    begins = [pause.begin for pause in lane.pauses]
    for time, _ in lane.frames:
        at = bisect_right(begins, time) - 1
        kind = FREE
        if at >= 0 and (time < lane.pauses[at].end or lane.pauses[at].end_by == "end"):
            since = time - begins[at]
            if storm_ns is not None and since + STAMP_NS >= storm_ns:
                kind = STORMED
            elif since >= STAMP_NS:
                kind = ALLOWED if since <= allowance_ns else LEAKED
        lane.kind.append(kind)
    times = [time for time, _ in lane.frames]
    for pause, following in zip(lane.pauses, [*begins[1:], None]):
        at = bisect_left(times, pause.end)
        seen = at < len(times) and (following is None or times[at] < following) and \
            pause.end_by != "end"
        lane.resumed.append(times[at] if seen else None)
