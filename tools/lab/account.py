# SPDX-License-Identifier: GPL-2.0
"""Where every frame of a lab is: sums of counters over all its hops.

An account begins while no frame is under way, and ends once all have arrived. What has to hold:

- what one end of a cable has sent, the other one has received, or the cable has lost it;
- what a NIC has received is delivered, used by the NIC itself, or dropped for a reason;
- what came to a switch has left it, or was dropped for a reason, and its buffers are empty;
- a flow of a lossless priority has lost nothing, and none has lost its order;
- what flows have lost is what was dropped.
"""

import json
import os
import re

from machine import Failed
from plan import CONFIGFS, in_host
from topology import SWITCH_BRIDGE

PARQSIM = "/sys/kernel/debug/parqsim"
PARQ = "/sys/kernel/debug/parq"
# Of a port, counted by the NIC: good frames that nobody gets.
RX_DROPS = ("rx_drop_nobuf", "rx_drop_buffer", "rx_drop_dma", "rx_drop_disabled")
RX_DRIVER = ("rx_no_skb", "rx_flushed")
TX_DROPS = ("tx_hw_drops", "tx_flushed", "tx_map_errors")
FWD_DROPS = ("fwd_rx_blocked", "fwd_rx_nowhere", "fwd_rx_no_room", "fwd_rx_no_pvid",
             "fwd_rx_no_member", "fwd_tx_drop_long", "fwd_tx_drop_link", "fwd_tx_drop_purge",
             "fwd_tx_drop_storm", "fwd_tx_drop_full", "fwd_tx_drop_red")
WIRE = re.compile(r"^p(\d+): link \w+: sent (\d+), of them lost (\d+); received (\d+), "
                  r"lost on the way (\d+)$", re.M)
FLOW = re.compile(r"^flow (\d+) (sent|received) (\d+)(?: late (\d+))?$", re.M)


def parse(node, topology):
    """Return the keys of the end of an account, checked.

    lossless: priorities
    touched: flows that may lose frames of these, for a reason that is counted
    floods: frames may be copied, as to an address that no switch knows
    uncounted: flows whose host may drop their frames without counting them
    gone: hosts without NIC
    """
    keys = node.mapping("lossless", "touched", "floods", "uncounted", "gone")
    hosts = {host.name for host in topology.hosts}

    def numbers(name, high):
        return {item.integer(0, high) for item in keys[name].items()} if name in keys else set()

    gone = {item.text() for item in keys["gone"].items()} if "gone" in keys else set()
    for name in gone - hosts:
        keys["gone"].fail(f"there is no host '{name}'", value=[])
    return {"lossless": numbers("lossless", 7), "touched": numbers("touched", 255), "gone": gone,
            "floods": keys["floods"].boolean() if "floods" in keys else False,
            "uncounted": numbers("uncounted", 255)}


def total(counters, names):
    return sum(counters.get(name, 0) for name in names)


def by_priority(direction, name):
    return [f"{direction}_prio{prio}_{name}" for prio in range(8)]


class Account:
    """Counters of all ports since the beginning."""

    def __init__(self, machine, topology):
        self.machine, self.topology = machine, topology
        self.ports = {(port.host, port.name): port for port in topology.ports}
        self.switches = [host for host in topology.hosts
                         if host.bridges.get(SWITCH_BRIDGE) and
                         host.nics[0].options.get("forward") == "1"]
        self.first = self.read(set())

    # ---- what is read

    def output(self, *words):
        done = self.machine.output(list(words))
        if done.returncode:
            raise Failed(f"{' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def read_port(self, port):
        stats = self.output(*in_host(port.host, "ethtool", "-S", port.name))
        found = {name: int(value) for name, value in re.findall(r"^ *(\S+): (\d+)$", stats, re.M)}
        groups = json.loads(self.output(*in_host(port.host, "ethtool", "--json", "-S", port.name,
                                                 "--groups", "eth-mac", "eth-ctrl")))[0]
        return {**found, **groups["eth-mac"], **groups["eth-ctrl"]}

    def read_wires(self, nic):
        """What the cables of a NIC count, by port."""
        with open(f"{PARQSIM}/{nic.name}/stats", encoding="utf-8") as file:
            return {int(row[0]): dict(zip(("sent", "unsent", "arrived", "cut"), map(int, row[1:])))
                    for row in WIRE.findall(file.read())}

    def read(self, gone):
        found = {}
        for host in self.topology.hosts:
            if host.name in gone:
                continue
            for nic in host.nics:
                wires = self.read_wires(nic)
                for port in nic.ports:
                    found[port.host, port.name] = {**self.read_port(port),
                                                   **wires.get(port.number, {})}
        return found

    def since(self, gone):
        return {key: {name: value - self.first[key].get(name, 0)
                      for name, value in counters.items()}
                for key, counters in self.read(gone).items()}

    def flows(self, names):
        """Return what was sent and received of each flow, and late, by the files of programs."""
        sent, received, late = {}, {}, {}
        for name in names:
            with open(os.path.join(self.machine.directory, name), encoding="utf-8") as file:
                for flow, verb, number, behind in FLOW.findall(file.read()):
                    of = sent if verb == "sent" else received
                    of[int(flow)] = of.get(int(flow), 0) + int(number)
                    late[int(flow)] = late.get(int(flow), 0) + int(behind or 0)
        return sent, received, late

    def held(self, gone):
        """Bytes in receive buffers by port, and what is parked or paused."""
        found = []
        for host in self.topology.hosts:
            for nic in host.nics if host.name not in gone else []:
                with open(f"{CONFIGFS}/{nic.name}/dev_name", encoding="utf-8") as file:
                    device = file.read().strip()
                for port in nic.ports:
                    path = f"{PARQ}/{device}/port{port.number}/buffers"
                    with open(path, encoding="utf-8") as file:
                        uses = re.findall(r" used (\d+)", file.read())
                    used = sum(map(int, uses))
                    found += [] if uses else [f"{path}: no buffer has 'used'"]
                    found += [f"{port.host} {port.name}: {used} bytes"] if used else []
        return found

    # ---- what has to hold: each returns (sentence, exceptions, how many were looked at)

    def cables(self, now):
        wrong, number = [], 0
        for cable in self.topology.cables:
            ends = [(end.host, end.name) for end in cable.ends]
            for a, b in (ends, ends[::-1]):
                if a not in now or b not in now:
                    continue
                number += now[a]["FramesTransmittedOK"]
                left = now[a]["FramesTransmittedOK"] - now[a]["unsent"]
                came = now[b]["FramesReceivedOK"] + now[b]["cut"]
                if left != came:
                    wrong.append(f"{' '.join(a)} sent {left}, {' '.join(b)} received {came}")
        return "every frame that was sent arrived, or its cable lost it", wrong, f"{number} frames"

    def host_side(self, now):
        wrong, number = [], 0
        for key, counters in now.items():
            if self.ports[key].host in [switch.name for switch in self.switches]:
                continue
            came = counters["FramesReceivedOK"]
            found = total(counters, [*by_priority("rx", "packets"), *RX_DROPS, "rx_filtered",
                                     "MACControlFramesReceived"])
            number += came
            if came != found:
                wrong.append(f"{' '.join(key)}: {came}, counted {found}")
        return "hosts: every frame that came is in one counter", wrong, f"{number} frames"

    def switch_side(self, now, floods):
        wrong, number = [], 0
        for switch in self.switches:
            ports = [now[port.host, port.name] for port in switch.ports]
            came = sum(port["FramesReceivedOK"] - port["MACControlFramesReceived"]
                       for port in ports)
            left = sum(total(port, ["fwd_tx_frames", *FWD_DROPS, *RX_DROPS, "rx_filtered",
                                    *by_priority("rx", "packets")]) for port in ports)
            number += came
            if came != left and not (floods and came < left):
                wrong.append(f"{switch.name}: {came} came, {left} left or were dropped")
        copies = " at least once" if floods else ""
        return (f"switches: every frame that came left{copies}, or was dropped for a reason",
                wrong, f"{number} frames")

    @staticmethod
    def lost(sent, received, chosen):
        return {flow: sent[flow] - received.get(flow, 0) for flow in sorted(sent) if chosen(flow)}

    def lossless(self, sent, received, options):
        flows = {flow for flow in sent if sent[flow] and flow % 8 in options["lossless"]}
        lost = self.lost(sent, received, lambda flow: flow in flows and
                         flow not in options["touched"])
        wrong = [f"flow {flow}: {n} of {sent[flow]} missing" for flow, n in lost.items() if n]
        if options["lossless"] and not flows:
            wrong.append("no flow of such a priority sent a frame")
        return ("no frame of a lossless priority was lost", wrong,
                f"{len(lost)} flows, {sum(sent[flow] for flow in lost)} frames")

    def discards(self, now, options):
        """Whatever happens, no buffer was too small."""
        wrong = [f"{' '.join(key)}: {counters[name]} of {name}" for key, counters in now.items()
                 for name in [f"rx_prio{prio}_discards" for prio in sorted(options["lossless"])]
                 if counters[name]]
        return "no buffer was too small for a lossless priority", wrong, f"{len(now)} ports"

    def counted(self, now, sent, received, options):
        """A frame that its host drops when its link is down is in no counter of a NIC."""
        lost = self.lost(sent, received, lambda flow: flow not in options["uncounted"])
        uncounted = self.lost(sent, received, lambda flow: flow in options["uncounted"])
        # A port that is in no bridge gives its frames to the host of the switch.
        switches = [counters for counters in now.values() if "fwd_tx_frames" in counters]
        hosts = [counters for counters in now.values() if "fwd_tx_frames" not in counters]
        drops = (sum(total(counters, [*FWD_DROPS, *RX_DROPS, "rx_filtered",
                                      *by_priority("rx", "packets")]) for counters in switches) +
                 sum(total(counters, [*RX_DROPS, *RX_DRIVER, *TX_DROPS]) for counters in hosts))
        # What was flooded may have come to other hosts alone.
        drops += sum(counters["rx_filtered"] for counters in hosts) if options["floods"] else 0
        cut = sum(total(counters, ["unsent", "cut"]) for counters in now.values())
        missing, more = sum(lost.values()), sum(uncounted.values())
        wrong = []
        if missing > drops + cut:
            wrong.append(f"{missing} are missing, {drops} were dropped, {cut} lost by cables")
        if not options["floods"] and not options["gone"] and drops > missing + more:
            wrong.append(f"{drops} were dropped, only {missing + more} are missing")
        return ("every frame that is missing was dropped for a reason", wrong,
                f"{missing} missing, {drops} dropped, {cut} lost by cables")

    @staticmethod
    def order(sent, received, late):
        wrong = [f"flow {flow}: {n} late" for flow, n in late.items() if n]
        wrong += [f"flow {flow}: {n} received, {sent.get(flow, 0)} sent"
                  for flow, n in received.items() if n > sent.get(flow, 0)]
        return "every flow kept its order", wrong, f"{sum(received.values())} frames"

    @staticmethod
    def wire(judged, pfc):
        """What parq_wire has found in recordings. Without PFC a pause is not obeyed."""
        wrong, number = [], 0
        for key, found in judged.items():
            for prio, row in enumerate(found["priorities"]):
                number += row["frames"]
                wrong += [f"{' '.join(key)} priority {prio}: {row[name]} {name}"
                          for name in ("leaks", "twice", "late") if row[name] and
                          (name != "leaks" or prio in pfc)]
        if not number:
            wrong.append("no frame was recorded")
        return ("recordings: no frame started in a pause, came twice or late", wrong,
                f"{len(judged)} ports, {number} frames")

    def rest(self, now, gone):
        wrong = self.held(gone)
        wrong += [f"{' '.join(key)}: {counters[name] + self.first[key][name]} in {name}"
                  for key, counters in now.items() for name in
                  [f"prio{prio}_parked" for prio in range(8)]
                  if counters[name] + self.first[key][name]]
        wrong += [f"{' '.join(key)} pauses priority {prio}" for key, counters in now.items()
                  for prio in range(8) if counters[f"tx_prio{prio}_pause_transition"] % 2]
        return "all buffers are empty, nothing is parked, and nobody is paused", wrong, \
            f"{len(now)} ports"

    def rules(self, names, judged, options):
        """Return (sentence, exceptions, how many were looked at) of each rule."""
        now = self.since(options["gone"])
        sent, received, late = self.flows(names)
        number = sum(sent.values())
        return [("programs sent frames", [] if number else ["none"], f"{number} frames"),
                self.cables(now), self.host_side(now), self.switch_side(now, options["floods"]),
                self.lossless(sent, received, options), self.discards(now, options),
                self.counted(now, sent, received, options), self.order(sent, received, late),
                *([self.wire(judged, options["lossless"])] if judged else []),
                self.rest(now, options["gone"])]
