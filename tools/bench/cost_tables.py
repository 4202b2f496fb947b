# SPDX-License-Identifier: GPL-2.0
"""What a frame costs, as sections that lib/ writes down."""

from sections import Section, Table

TITLE = "What a frame costs"
INTRO = ("One kernel, one virtual machine, the drivers side by side. Processor 1 sends, processor 2 "
         "receives, and a plugin of QEMU counts what each of them executes. The other NICs are "
         "QEMU's emulations: their drivers are those of any kernel, how often they interrupt is "
         "QEMU's. <b>parq</b> is measured three times: while a priority has PFC, with the state "
         "machine of pauses in the NIC (offload) or in the driver (managed), and without PFC. "
         "<b>dummy</b> has no device: what it costs is the load generator's and the "
         "stack's.")
DRIVER, ALL = "driver", "all"
FLAT = ("channels", "ports", "parked")
NO_TSO = ("virtio-net has no row of TSO: QEMU's has it only in front of a TAP interface, which needs "
          "rights on the host. Here a hub inside QEMU joins both ends.")


def names(rows, field):
    """In the order of the first appearance."""
    return list(dict.fromkeys(row[field] for row in rows))


def is_flat(row):
    return row["row"].split()[0] in FLAT


def frames(rows):
    return [row for row in rows if row["row"] != "idle" and not is_flat(row)]


def figure(value):
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def find(rows, side, device, row, field):
    for some in rows:
        if (some["side"], some["device"], some["row"]) == (side, device, row):
            return some[field]
    return None


def matrix(rows, side, field, title):
    """A line a row, a column a device."""
    some = [row for row in frames(rows) if row["side"] == side]
    devices = names(some, "device")
    return Table(title, ["Frame", *devices],
                 [[row] + [figure(find(some, side, device, row, field)) for device in devices]
                  for row in names(some, "row")])


def cuts(rows, device):
    return any(row["device"] == device and row["row"].startswith("TSO") for row in rows)


def instructions(rows):
    return Section("Instructions", [
        "Of the driver: those in the driver's own text, with what the compiler inlined there. In "
        "all: those of the processor's kernel, without pktgen and the idle loop. TSO and GRO are "
        "given for a segment of 1448 B on the wire. A new skb passes __dev_queue_xmit(), queue "
        "selection and the qdisc; otherwise one skb is given to the driver again and again.",
        *([NO_TSO] if "virtio-net" in names(rows, "device") and not cuts(rows, "virtio-net") else []),
    ], [matrix(rows, side, field, f"{side}, instructions a frame {what}")
        for side in ("TX", "RX") for field, what in ((DRIVER, "in the driver"), (ALL, "in all"))],
        [f"{side} {field}" for field in (DRIVER, ALL) for side in ("TX", "RX")])


def device_work(rows):
    parq = [row for row in rows if row["device"].startswith("parq")]
    return Section("Atomic operations, the device, interrupts", [
        "Interrupts come at most every 8 ms where the driver has a setting for it. Accesses to "
        "QEMU's own NICs are not counted: the plugin is not told of them.",
    ], [matrix(some, side, field, f"{side}, {what} a frame")
        for some, field, what in ((rows, "atomics", "atomic operations of the driver"),
                                  (parq, "mmio", "accesses to the device"),
                                  (rows, "interrupts", "interrupts"))
        for side in ("TX", "RX")])


def idle(rows):
    some = [row for row in rows if row["row"] == "idle"]
    lines = []
    for device in names(some, "device"):
        line = [device]
        for field in (DRIVER, "interrupts"):
            line.append(figure(sum(row[field] for row in some if row["device"] == device)))
        lines.append(line)
    return Section("Idle", ["Both links are up, no frame moves."], [
        Table("A second without frames", ["Driver", "instructions", "interrupts"], lines)])


def flat(rows):
    some = [row for row in rows if is_flat(row) and row["side"] == "TX"]
    lines = [[row["row"], figure(row[DRIVER]), figure(find(rows, "RX", "parq", row["row"], DRIVER))]
             for row in some]
    return Section("What does not matter", [
        "The cost of a frame of 64 B must not depend on the number of channels (eight TX queues "
        "each), of ports, or of parked frames of another priority, up to what eight rings of 8192 "
        "hold. The driver runs the state machine while frames are parked.",
    ], [Table("PARQ: instructions a frame in the driver", ["", "TX", "RX"], lines)],
        ["flat"])


def functions(rows):
    lines = []
    for side in ("TX", "RX"):
        for row in rows:
            if (row["device"], row["row"], row["side"]) == ("parq, offload", "64 B, new skb", side):
                lines += [[side, name, figure(value)] for name, value in row["functions"].items()]
    return Section("Where PARQ spends them", [], [
        Table("64 B, new skb, offload", ["", "Function", "instructions a frame"], lines)])


def native(result):
    rows = result["native"]
    ns = {(row["what"], row["path"]): row["ns"] for row in rows if "ns" in row}
    lines = [[row["what"], row["path"], *map(figure, (
        row.get("ns"), "ns" in row and 100 * ns[row["what"], "veth, segmented"] / row["ns"] or None,
        row.get("core_ns")))] for row in rows if "ns" in row or "core_ns" in row]
    others = [f"{row['what']}: {figure(row['busy'])} % busy, {figure(row['wakeups'])} wakeups a "
              "second" for row in rows if "busy" in row]
    others += [f"The NIC held its lock for more than 100 us in {row['long']} of {row['turns']} "
               "turns, with the time in which other programs preempted this machine"
               for row in rows if "long" in row]
    return Section("At the speed of this machine", [
        "User Mode Linux in real time: both ends, the NIC in software and the load share one "
        "processor. Only the ratios of one run mean anything. A veth hands on segments of up to "
        "64 kB. The segmented one hands on frames of 1500 bytes, as PARQ does. The core alone is "
        "a program that does nothing else.", *others,
    ], [Table("", ["Load", "Through", "ns a frame, or 1448 bytes", "% of a segmented veth's rate",
                   "ns in the NIC"], lines)])


def sections(result):
    rows = result["rows"]
    found = [instructions(rows), device_work(rows), idle(rows), functions(rows)]
    if any(map(is_flat, rows)):
        found.insert(3, flat(rows))
    if "native" in result:
        found.append(native(result))
    return found
