# SPDX-License-Identifier: GPL-2.0
"""What the rows of a sweep say: verdicts, and the figures that tables and plots show."""

import statistics

from sweep import FETCH, WAYS

PARQ = [name for name, program, _ in WAYS if program == "parq"]
OFFLOAD, LATE, FIFO, HOL = PARQ[0], "late stop", "tail FIFO", "head-of-line"
NAMES = [name for name, _, _ in WAYS]
FD_BYTES = 32
QUANTUM_BYTES = 64
PRIOS = 8


def pick(rows, **want):
    return [row for row in rows if all(row[name] == value for name, value in want.items())]


def values(rows, name):
    return sorted({row[name] for row in rows})


def worst(rows, name):
    return max((row[name] for row in rows if row[name] is not None), default=None)


def least(rows, name):
    return min((row[name] for row in rows if row[name] is not None), default=None)


def typical(rows, name):
    found = [row[name] for row in rows if row[name] is not None]
    return statistics.median_low(found) if found else None


def limits(result):
    """{Gb/s: quanta} that IEEE 802.1Qbb allows, as the driver knows them."""
    return {row["gbps"]: row["reaction"] // QUANTUM_BYTES for row in result["headroom"]}


def pcie_share(row):
    """Bytes on PCI Express for parking, ppm of the bytes on the wire."""
    return row["pcie_bytes"] * 1_000_000 // row["wire_bytes"]


def pairs(rows, way, other):
    """Rows of two ways with the same settings."""
    def settings(row):
        return tuple(row[name] for name in ("gbps", "ports", "depth", "frames", "bursty", "fetch"))

    there = {settings(row): row for row in pick(rows, way=other)}
    return [(row, there[settings(row)]) for row in pick(rows, way=way)]


def own_share(rows, way):
    """What the classes that are paused send, ppm of what they send with tail FIFOs."""
    return sorted(row["own_bytes"] * 1_000_000 // other["own_bytes"]
                  for row, other in pairs(rows, way, FIFO))


def verdicts(rows):
    """(what must hold, the rows that break it, how many were looked at)."""
    parq = [row for row in rows if row["way"] in PARQ]
    late = pick(rows, way=LATE, fetch="full pipe")
    hol = [pair for pair in pairs(rows, HOL, OFFLOAD) if pair[0]["fetch"] == "full pipe"]
    return [
        ("PARQ: no frame starts in a pause of its class",
         [row for row in parq if row["leak_frames"]], len(parq)),
        ("PARQ: no frame is reordered or sent twice",
         [row for row in parq if row["disorder"]], len(parq)),
        ("PARQ: no frame is lost", [row for row in parq if row["lost"]], len(parq)),
        ("PARQ: pauses were met, and frames parked",
         [row for row in parq if not row["pauses"] or
          (row["fetch"] == "full pipe" and not row["park_writes"])], len(parq)),
        ("late stop leaks", [row for row in late if not row["leak_frames"]], len(late)),
        ("head-of-line: classes that are not paused lose throughput",
         [row for row, other in hol if row["others_ppm"] >= other["others_ppm"]], len(hol)),
        ("tail FIFO: no frame starts in a pause, none is reordered or lost",
         [row for row in pick(rows, way=FIFO)
          if row["leak_frames"] or row["disorder"] or row["lost"]], len(pick(rows, way=FIFO))),
    ]


def fifo_bytes(rows):
    """Tail FIFOs for all classes of a port, each as large as the largest that was needed."""
    rows = pick(rows, way=FIFO)
    return PRIOS * worst(rows, "chip_class_bytes"), \
        PRIOS * worst(rows, "chip_class_fds") * FD_BYTES


def headroom(result, gbps, metres, mtu, quanta=None):
    """Bytes that a (port, priority) needs above XOFF if its peer stops after so many quanta."""
    found, = pick(result["headroom"], gbps=gbps, metres=metres, mtu=mtu)
    if quanta is None:
        return found["sum"]
    return found["sum"] - found["reaction"] + quanta * QUANTUM_BYTES


def late_within(result):
    """{(Gb/s, fetch): the deepest pipeline with which late stop obeyed the standard, or None}."""
    rows, allowed = pick(result["rows"], way=LATE), limits(result)
    found = {}
    for gbps in values(rows, "gbps"):
        for fetch in FETCH:
            good = None
            for depth in values(rows, "depth"):
                some = pick(rows, gbps=gbps, fetch=fetch, depth=depth)
                if worst(some, "late_quanta") > allowed[gbps]:
                    break
                good = depth
            found[gbps, fetch] = good
    return found
