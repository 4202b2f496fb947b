# SPDX-License-Identifier: GPL-2.0
"""What count.so and insns-guest have written, as rows of costs."""

import bisect
import json
import os

# The modules that are a driver. A virtual device's driver is spread over the bus's.
DRIVERS = {
    "parq": {"parq"},
    "igb": {"igb"},
    "e1000e": {"e1000e"},
    "vmxnet3": {"vmxnet3"},
    "virtio-net": {"virtio_net", "virtio_ring", "virtio_pci", "virtio_pci_modern_dev"},
    "dummy": {"dummy"},
}
# The cost excludes what makes the load.
LOAD = {"pktgen"}
SIDES = {1: "TX", 2: "RX"}
IDLE = {"default_idle", "pv_native_safe_halt", "native_safe_halt", "acpi_safe_halt"}
# Where a thread of the load spins while its timer runs on processor 0: as long as the host likes.
SPIN = {"lock_timer_base", "__try_to_del_timer_sync", "timer_delete_sync", "_raw_spin_lock_irqsave",
        "_raw_spin_unlock_irqrestore"}
INTERRUPT = "common_interrupt"


class Symbols:
    """/proc/kallsyms of the guest."""

    def __init__(self, path):
        found = []
        with open(path, encoding="ascii") as file:
            for line in file:
                address, _, name, *module = line.split()
                found.append((int(address, 16), name, module[0].strip("[]") if module else ""))
        found.sort()
        self.found = found
        self.starts = [address for address, _, _ in found]
        self.known = {}

    def find(self, address):
        """Name, module, and whether it is the first address of a symbol."""
        if address not in self.known:
            at = bisect.bisect_right(self.starts, address) - 1
            start, name, module = self.found[at]
            self.known[address] = name, module, start == address
        return self.known[address]


def measurements(path):
    """Lists of (address, instructions, atomics, times, accesses) by (measurement, processor)."""
    found, blocks = {}, None
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if words[0] == "measurement":
                blocks = found.setdefault((int(words[1]), int(words[2])), [])
            else:
                blocks.append((int(words[0], 16), *map(int, words[1:])))
    return found


def cost(blocks, symbols, modules):
    """Of one processor: instructions in the driver and in all, by function, and the rest."""
    driver = rest = atomics = mmio = interrupts = 0
    functions = {}
    for address, insns, locked, times, accesses in blocks:
        name, module, first = symbols.find(address)
        if module in LOAD or name in IDLE | SPIN:
            continue
        if name == INTERRUPT and first:
            interrupts += times
        if module in modules:
            driver += insns * times
            functions[name] = functions.get(name, 0) + insns * times
            atomics += locked * times
            mmio += accesses
        else:
            rest += insns * times
            # Kernel functions access the device for a driver.
            mmio += accesses
    return {"driver": driver, "all": driver + rest, "atomics": atomics, "mmio": mmio,
            "interrupts": interrupts, "functions": functions}


def row_of(labels, side, frames, found):
    functions = sorted(found.pop("functions").items(), key=lambda item: -item[1])
    return labels | {"side": side} | \
        {name: round(value / frames, 3) for name, value in found.items()} | \
        {"functions": {name: round(value / frames, 1) for name, value in functions
                       if value >= frames / 2}}


def rows(directory):
    """A row a measurement and direction, a frame; idle is a second, of all processors."""
    symbols = Symbols(os.path.join(directory, "symbols"))
    counted = measurements(os.path.join(directory, "blocks"))
    result = []
    with open(os.path.join(directory, "rows"), encoding="ascii") as file:
        for number, line in enumerate(file):
            labels = json.loads(line)
            frames = labels.pop("frames")
            modules = DRIVERS[labels["device"].split(",")[0]]
            if labels["row"] == "idle":
                result.append(row_of(labels, "all", frames, cost(
                    sum((counted[number, cpu] for cpu in range(3)), []), symbols, modules)))
                continue
            for cpu, side in SIDES.items():
                if side == "TX" or labels["device"] != "dummy":
                    result.append(row_of(labels, side, frames,
                                         cost(counted[number, cpu], symbols, modules)))
    return result
