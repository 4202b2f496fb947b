# SPDX-License-Identifier: GPL-2.0
"""What the report says, in its order, as sections that page.py and text.py write down."""

import figures as f
from sections import Section, Table
from sweep import FETCH

PORTS, GBPS, MTU = 64, 400, 9000
METRES = (10, 100, 500, 2000)
GBPS_BYTES = 1e9 / 8

TITLE = "Four ways to obey a pause"
INTRO = ("A link partner pauses one priority of a NIC (IEEE 802.1Qbb) while frames of it are "
         "in the NIC's pipeline. <b>PARQ</b> parks them in host memory. <b>Late stop</b> sends "
         "them all the same. <b>Tail FIFOs</b> keep them on the chip. <b>Head-of-line</b> lets "
         "everything wait behind them. This report compares the four in virtual time: first in one "
         "table, then by what PARQ does worse.")

CAPTION = {
    "resume": "Time from the end of a pause to the first frame of the class, by speed. Lower is "
              "better; below 1 ns is drawn at 1 ns.",
    "pcie": "Bytes that parking needs on PCI Express.",
    "late": "When the last frame of a paused class starts: worst of all runs. Above the broken line "
            "the peer's headroom may overflow.",
    "chip": "Memory on the chip besides the pipeline: worst of all runs.",
    "others": "What classes that are not paused get while another one is. Bars: typical run.",
    "headroom": "Headroom of a switch port, by length of the cable.",
}


def scaled(value, units, smallest):
    """In the largest of @units that it fills, or else as @smallest has it; "-" for None."""
    if value is None:
        return "-"
    for unit, scale in units:
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return smallest(value)


def time(ps):
    return scaled(ps, (("ms", 1e9), ("us", 1e6)), lambda ps: f"{ps / 1e3:.3g} ns")


def size(count):
    return scaled(count, (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)), lambda count: f"{count:.0f} B")


def percent(ppm):
    if ppm is None:
        return "-"
    text = f"{ppm / 1e4:.3g}"
    return f"{text if 'e' not in text else round(ppm / 1e4)} %"


def by_fetch(rows, ways, cell):
    """A line a way, a column a distance of host memory."""
    return [[way] + [cell(f.pick(rows, way=way, fetch=fetch)) for fetch in FETCH]
            for way in ways]


FETCH_HEAD = ["Way"] + [f"fetch: {name}" for name in FETCH]


# ---- sections ----------------------------------------------------------------------------

def chip_cell(rows, way):
    """Memory on the chip: what PARQ's recycle path needs for all ports, or FIFOs of one port."""
    if way == f.FIFO:
        return f"{size(f.fifo_bytes(rows)[0])} a port"
    return size(f.worst(f.pick(rows, way=way), "chip_bytes") if way in f.PARQ else 0)


def in_one_table(rows):
    full = f.pick(rows, fetch="full pipe")
    table = []
    for way in f.NAMES:
        some = f.pick(full, way=way)
        table.append([way, str(f.worst(some, "leak_max_frames")), chip_cell(full, way),
                      percent(f.typical(some, "others_ppm")),
                      time(f.typical(some, "resume_median_ps"))])
    return Table("The four ways with a full pipe: frames that start in a pause, and memory on the "
                 "chip, worst of all runs; the rest, typical run",
                 ["Way", "leaked", "memory", "others' share", "resumes in"], table,
                 "Others' share is what classes that are not paused get of the wire. PARQ's memory "
                 "is for all ports.")


def about(result):
    rows = result["rows"]
    some = {name: ", ".join(map(str, f.values(rows, name))) for name in ("gbps", "ports", "depth")}
    return Section("What is compared", [
        f"A NIC always has frames of eight priorities to send on each port. Its link partners pause "
        f"priorities 3 and 4 by 802.1Qbb frames, for 1 to 65535 quanta, at random or in bursts. The "
        f"NIC's core is the one that parqsim and parq-nic run, in virtual time. {len(rows)} runs "
        f"cover {some['gbps']} Gb/s, {some['ports']} ports, pipelines of {some['depth']} frames, and "
        f"frames of 64, 1518 and 9018 bytes and a mix of 64, 576, 1518 and 9018. All ways get the "
        f"same pauses. A typical run is the median of all runs of a kind.",
    ], [Table("Four ways to stop a class that is paused", ["Way", "What happens"], [
        ["PARQ, offload", "frames in the pipeline are parked in host memory and sent when the pause "
                          "is over; the NIC runs the pause state machine"],
        ["PARQ, managed N us", "the same; the driver runs the state machine, N us after an interrupt"],
        ["late stop", "nothing more is fetched; what is in the pipeline is sent nevertheless"],
        ["tail FIFO", "frames wait on the chip, in a FIFO for each port and priority"],
        ["head-of-line", "the pipeline waits for the frame that must not be sent"],
    ]), in_one_table(rows), Table("How far ahead of the wire the NIC fetches frames", ["Fetch", "What it means"], [
        ["just in time", "as PARQ does by default: a frame or two are between the TX ring and the "
                         "wire; host memory answers at once"],
        ["1 us ahead", "as a chip behind PCI Express must; what was parked takes two such reads, "
                       "2 us, to come back"],
        ["full pipe", "as many frames as the pipeline holds, as a NIC does that does not fetch just "
                      "in time; reads as before"],
    ])])


def resume_cell(rows):
    resumed = sum(row["resumes"] for row in rows) * 1_000_000 // sum(row["pauses"] for row in rows)
    return (f"{time(f.typical(rows, 'resume_median_ps'))} / "
            f"{time(f.worst(rows, 'resume_max_ps'))} / {round(resumed / 1e4)} %")


def own_cells(result, fetch):
    cells = []
    rows = f.pick(result["rows"], fetch=fetch)
    for way in f.NAMES:
        shares = f.own_share(rows, way)
        cells.append(f"{percent(shares[len(shares) // 2])} / {percent(shares[0])}")
    return cells


def within_cell(depth, deepest):
    if depth is None:
        return "never"
    return "always" if depth == deepest else f"up to {depth} frames"


def parq_is_worse(result):
    rows = result["rows"]
    parq = [row for row in rows if row["way"] == f.OFFLOAD]
    full, fifo = (f.pick(rows, way=way, fetch="full pipe") for way in (f.OFFLOAD, f.FIFO))
    one = {way: f.pick(rows, way=way, fetch="1 us ahead") for way in (f.OFFLOAD, f.FIFO)}
    sent = f.own_share(f.pick(rows, fetch="full pipe"), f.OFFLOAD)
    shares = sorted(map(f.pcie_share, parq))
    managed = max(f.pcie_share(row) for row in rows if row["way"] in f.PARQ[1:])
    deepest, fastest = max(f.values(rows, "depth")), max(f.values(rows, "gbps"))
    near = f.worst(f.pick(rows, way=f.LATE, fetch="1 us ahead", gbps=fastest), "late_quanta")
    within = f.late_within(result)
    own = [own_cells(result, fetch) for fetch in FETCH]
    return Section("Where PARQ is worse", [
        f"Resuming takes longer. A tail FIFO has the frame at hand when the pause ends. PARQ reads "
        f"it back from host memory, and it passes the pipeline a second time, behind what other "
        f"classes have in it. With a fetch 1 us ahead the typical time from the end of a pause to the "
        f"first frame is {time(f.typical(one[f.OFFLOAD], 'resume_median_ps'))} against "
        f"{time(f.typical(one[f.FIFO], 'resume_median_ps'))}; with a full pipe it is "
        f"{time(f.typical(full, 'resume_median_ps'))} against "
        f"{time(f.typical(fifo, 'resume_median_ps'))}. The driver's latency comes on top if the "
        f"driver runs the state machine.",
        f"A class whose pauses follow each other closely sends less: a pass that meets the next pause "
        f"is turned back whole. With a full pipe it sends {percent(sent[len(sent) // 2])} of what it "
        f"sends with tail FIFOs in a typical run, {percent(sent[0])} in the worst.",
        f"Parking takes bandwidth of PCI Express: {percent(shares[len(shares) // 2])} of the bytes on "
        f"the wire in a typical run with the state machine in the NIC, {percent(shares[-1])} in the "
        f"worst of all. If the driver runs it, the worst is {percent(managed)}: until the driver "
        f"says HALT, the NIC goes on to fetch frames of the class, as fast as its pipeline takes "
        f"them, and parks all of them. No other way needs any.",
        f"Late stop needs nothing at all, and obeys the standard where little is in the pipeline: "
        f"see the last table here. A NIC that fetches just in time can keep to the standard without "
        f"parking. At {fastest} Gb/s and a fetch 1 us ahead it takes {near} of the "
        f"{f.limits(result)[fastest]} quanta, of which the PHY needs some. PARQ is worth its effort "
        f"where the pipeline is full, where the fetch takes longer, or where the peer's headroom is "
        f"to be smaller than the standard's worst case.",
        "A FIFO of descriptors on the chip needs little memory (below), and resumes sooner than "
        "PARQ.",
        "The model is kind to the other ways. They halt the fetch in the clock of the pause, and "
        "what they fetch after it is there at once. It is kind to PARQ in one point: a chip may "
        "have to wait for PCI Express longer than 1 us when the host is busy.",
    ], [
        Table("Time from the end of a pause to the first frame of the class: median of a typical "
              "run / longest of all runs / pauses that count", FETCH_HEAD,
              by_fetch(rows, f.NAMES, resume_cell),
              "A pause counts if a frame of its class was sent before the next pause. The slower a "
              "way resumes, the fewer pauses count, and only long gaps are left: compare times "
              "with an eye on the last figure."),
        Table("What the classes that are paused send, against a NIC with tail FIFOs: typical run / "
              "worst run", FETCH_HEAD,
              [[way, *cells] for way, *cells in zip(f.NAMES, *own)],
              "Late stop can have more than 100 %: it sends in pauses. In the worst runs few frames "
              "are sent at all."),
        Table("PCI Express for parking, share of the bytes on the wire: typical run / worst run",
              FETCH_HEAD, by_fetch(rows, f.PARQ, lambda some: " / ".join(
                  percent(how([{"x": f.pcie_share(row)} for row in some], "x"))
                  for how in (f.typical, f.worst))),
              "Park queues written and read, status pages, commands and interrupts, 24 bytes of "
              "header with each packet."),
        Table("Depth of the pipeline up to which late stop obeys IEEE 802.1Qbb, all frames and "
              "pauses", ["Speed"] + [f"fetch: {name}" for name in FETCH],
              [[f"{gbps} Gb/s"] + [within_cell(within[gbps, fetch], deepest) for fetch in FETCH]
               for gbps in f.values(rows, "gbps")]),
    ], ["resume", "pcie"])


def leaks(result):
    rows, allowed = result["rows"], f.limits(result)
    table = []
    for gbps in f.values(rows, "gbps"):
        line = [f"{gbps} Gb/s", str(allowed[gbps])]
        for fetch in FETCH:
            some = f.pick(rows, gbps=gbps, fetch=fetch, way=f.LATE)
            line.append(f"{f.worst(some, 'late_quanta')} / {f.worst(some, 'leak_max_frames')} / "
                        f"{size(f.worst(some, 'leak_max_bytes'))}")
        parq = [row for row in rows if row["gbps"] == gbps and row["way"] in f.PARQ]
        table.append(line + [str(f.worst(parq, "leak_max_frames"))])
    return Section("Frames that start in a pause of their class", [
        "Late stop sends what is in the pipeline. How long that takes depends on the frames of "
        "other classes between them, so that the last frame starts later than its own bytes "
        "suggest. PARQ, tail FIFO and head-of-line send none: the gate decides when a frame could "
        "start.",
    ], [Table("Late stop, worst of all runs: quanta until the last frame starts / frames / bytes of "
              "one pause", ["Speed", "allowed quanta"] + [f"fetch: {name}" for name in FETCH] +
              ["PARQ: frames"], table)], ["late"])


def chip(result):
    rows = result["rows"]
    table = []
    for depth in f.values(rows, "depth"):
        line = [str(depth)]
        for fetch in FETCH:
            frames, fds = f.fifo_bytes(f.pick(rows, depth=depth, fetch=fetch))
            line.append(f"{size(frames)} / {size(fds)}")
        table.append(line)
    parq = {way: f.worst(f.pick(rows, way=way), "chip_bytes") for way in f.PARQ}
    return Section("Memory on the chip, to lose nothing", [
        f"A tail FIFO must have room for all that the pipeline holds of its class, for every port "
        f"and priority, since any of them may be paused. PARQ needs a buffer for what waits to be "
        f"written to host memory: with a PCI Express as fast as all ports, "
        f"{size(parq[f.OFFLOAD])} in the worst of all runs, {size(max(parq.values()))} if the "
        f"driver runs the state machine. If PCI Express stops for a moment, PARQ needs more: up to "
        f"{f.FD_BYTES} bytes for each frame in the pipeline, and if the driver runs the state "
        f"machine, for each entry of the park queues.",
        "A NIC whose pipeline carries descriptors, as PARQ's does, can have FIFOs of descriptors: "
        "the second figure. They need little memory. Their frames then have to be read from host "
        "memory after the pause, as PARQ's.",
    ], [Table("Tail FIFOs of one port, eight priorities, worst of all runs: frames / descriptors",
              ["Depth"] + [f"fetch: {name}" for name in FETCH], table)], ["chip"])


def others(result):
    rows = result["rows"]

    def cell(name, how):
        return lambda some: percent(how(some, name))

    return Section("Classes and ports that are not paused", [
        "While a class of a port is paused, the others have frames enough to fill the wire. With "
        "head-of-line they wait for its pause, and so do the other ports of the NIC.",
    ], [
        Table("Share of the wire for classes that are not paused, while another one is: typical run",
              FETCH_HEAD, by_fetch(rows, f.NAMES, cell("others_ppm", f.typical))),
        Table("The same, worst run", FETCH_HEAD,
              by_fetch(rows, f.NAMES, cell("others_ppm", f.least)),
              "The time that frames of the paused class take, from before the pause or leaked, is "
              "missing here, too."),
        Table("Use of a port without a paused class, while a class of another port is paused: worst "
              "run", FETCH_HEAD, by_fetch(rows, f.NAMES, cell("other_ports_ppm", f.least)),
              "If the driver runs the state machine, frames that are fetched only to be parked take "
              "clocks of the pipeline from other ports: it shows with frames of 64 bytes."),
    ], ["others"])


def order(result):
    table = [[what, f"{total - len(broken)} of {total}"]
             for what, broken, total in f.verdicts(result["rows"])]
    return Section("Order and losses", ["Each run ends when all frames have been sent."],
                   [Table("Runs in which this holds", ["What", "Runs"], table)])


def switch(result):
    standard = {metres: f.headroom(result, GBPS, metres, MTU) for metres in METRES}
    parq = f.worst([row for row in result["rows"] if row["way"] in f.PARQ], "late_quanta")
    table = []
    for metres in METRES:
        need = f.headroom(result, GBPS, metres, MTU, parq)
        line = [f"{metres} m", size(standard[metres]), size(need)]
        for classes in (2, 8):
            line.append(f"{size(PORTS * classes * standard[metres])} / "
                        f"{size(PORTS * classes * (standard[metres] - need))}")
        table.append(line)
    speeds = []
    for gbps in f.values(result["rows"], "gbps"):
        for metres in (10, 100, 2000):
            need = f.headroom(result, gbps, metres, MTU, parq)
            full = f.headroom(result, gbps, metres, MTU)
            late = [f.headroom(result, gbps, metres, MTU, f.worst(
                f.pick(result["rows"], way=f.LATE, gbps=gbps, fetch=fetch), "late_quanta"))
                    for fetch in FETCH]
            speeds.append([f"{gbps} Gb/s, {metres} m", size(full), size(need),
                           percent((full - need) * 1_000_000 // full), *map(size, late)])
    phy = PORTS * 8 * 100 * f.QUANTUM_BYTES
    return Section("What it is worth to the switch at the other end", [
        "A switch keeps headroom free for each lossless priority of a port: all that can arrive "
        "after it has asked for a pause. IEEE 802.1Qbb allows the peer a reaction time, and the "
        "switch must assume all of it. PARQ's last frame starts before the pause, whatever the "
        "depth of its pipeline. The figures are those of parq_buf_calc.c, which sets the receive "
        "buffers of the driver, with and without the reaction time.",
        f"They are an upper bound: the standard's allowance is for PHY and MAC as well, and a real "
        f"PHY needs some of it. Each 100 quanta that it needs take {size(phy)} from the last column "
        f"of the second table. A switch can count on that only if it knows its peer.",
        "The last columns show what a peer needs that stops late. Where that is more than the "
        "standard's headroom, the switch loses frames.",
    ], [
        Table(f"Headroom a (port, priority), MTU {MTU}",
              ["Link", "standard", "PARQ", "saved"] +
              [f"late stop, {name}" for name in FETCH], speeds,
              "standard: the peer takes all of the time that IEEE 802.1Qbb allows. PARQ and late "
              "stop: it takes what was measured here, without its PHY."),
        Table(f"A switch of {PORTS} ports of {GBPS} Gb/s, MTU {MTU}: headroom of one (port, priority), and "
              f"of the switch / saved at most",
              ["Cables", "standard, one", "PARQ, one", "2 lossless classes",
               "8 lossless classes"], table),
    ], ["headroom"])


def four_ports(result):
    rows = [row for row in result["rows"] if row["gbps"] == GBPS and row["ports"] == 4]
    link = 4 * GBPS * GBPS_BYTES
    status = sorted(row["status_bytes"] * 1_000_000 //
                    (row["status_bytes"] + f.FD_BYTES * (row["park_writes"] + row["park_reads"]))
                    for row in f.pick(rows, way=f.OFFLOAD))
    table = []
    for way in f.PARQ:
        for fetch in FETCH:
            some = f.pick(rows, way=way, fetch=fetch)
            shares = [{"x": f.pcie_share(row)} for row in some]
            table.append([way, fetch, *(size(how(shares, "x") / 1e6 * link) + "/s"
                                         for how in (f.typical, f.worst)),
                          resume_cell(some)])
    park = f.worst([row for row in rows if row["way"] in f.PARQ], "park_queue_bytes")
    return Section("A NIC of 4 x 400 Gb/s", [
        f"Host memory: {size(park)} of park queues, {size(park / 4)} a port, for eight priorities "
        f"with one TX ring of 512 descriptors each. They grow with the rings: "
        f"{f.FD_BYTES} bytes for each descriptor and for each frame in the pipeline, rounded up to "
        f"a power of two.",
        f"PCI Express carries {size(link)}/s of frames each way at this speed. Parking adds what "
        f"the table says: the share that it has in the runs with four such ports. In a typical run "
        f"with the state machine in the NIC, {percent(status[len(status) // 2])} of it, headers "
        f"apart, are status pages, which show the driver the state of each class.",
    ], [Table("Parking at 4 x 400 Gb/s",
              ["Way", "Fetch", "PCI Express, typical", "worst run",
               "resume: typical / longest / counted"], table)])


COLUMNS = [
    ("way, gbps, ports, depth, frames, bursty, fetch, fetch_ns, read_ns, host_ns, quanta, seed",
     "what was run; frames is 0 for 64 bytes, 1 for 1518, 2 for 9018, 3 for a mix; quanta is how "
     "long"),
    ("pauses", "XOFFs of a class that was not paused"),
    ("leak_frames, leak_bytes, leak_max_frames, leak_max_bytes",
     "frames that started in a pause of their class, with FCS: of the run, most of one pause"),
    ("late_quanta", "longest time from the pause to the start of a frame in it; the standard limits "
                    "it"),
    ("chip_bytes", "memory in use on the chip besides the pipeline, most at once: frames in tail "
                   "FIFOs, or FDs that wait to be written to park queues"),
    ("chip_class_bytes, chip_class_fds", "the same of a single class of the tail FIFO"),
    ("others_ppm", "share of the wire of classes that are not paused, while one of the port is"),
    ("idle_ppm", "share of that time in which the wire is idle"),
    ("other_ports_ppm", "use of the wire while a class of another port is paused and none of this "
                        "one"),
    ("resumes, resume_median_ps, resume_p99_ps, resume_max_ps",
     "from the end of a pause to the first frame of the class, of pauses after which there was one "
     "before the next pause"),
    ("park_writes, park_reads", "FDs written to park queues and read from there, 32 bytes each"),
    ("status_bytes", "written to status pages"),
    ("park_queue_bytes", "host memory of all park queues"),
    ("commands, irqs", "of and to a driver that runs the state machine"),
    ("pcie_bytes", "all of this on PCI Express, 24 bytes added for each packet"),
    ("wire_bytes, own_bytes", "bytes on the wire, preamble and gap included: all, and those of "
                              "priorities 3 and 4"),
    ("frames_sent, lost, disorder", "frames seen on the wire, those that never came, and those that "
                                    "were not the next of their queue"),
]


def columns():
    return Section("Columns of the JSON", ["Times are ps, shares are millionths."],
                   [Table("", ["Columns", "Meaning"], [list(line) for line in COLUMNS])])


def sections(result):
    return [make(result) for make in (about, parq_is_worse, leaks, chip, others, order, switch,
                                      four_ports)]
