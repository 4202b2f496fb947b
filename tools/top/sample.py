# SPDX-License-Identifier: GPL-2.0
"""What a network namespace says of its ports at one moment, by standard interfaces.

Counters by priority are in "ethtool -S", where each driver has its own names for them. What a
driver does not tell is None.
"""

import json
import os
import re
import subprocess
import time
from dataclasses import dataclass, field

PRIOS = range(8)
# Debian packages of the programs that are called.
PACKAGES = {"ip": "iproute2", "tc": "iproute2", "dcb": "iproute2", "ethtool": "ethtool"}
# Names of one counter, "%" for the priority: PARQ's and mlx5's, then those of bnxt.
COUNTERS = {
    "tx_bytes": ("tx_prio%_bytes", "tx_bytes_pri%"),
    "rx_bytes": ("rx_prio%_bytes", "rx_bytes_pri%"),
    "paused_us": ("rx_prio%_pause_duration", "rx_pfc%_pause_duration_us"),
    "pausing_us": ("tx_prio%_pause_duration", "tx_pfc%_pause_duration_us"),
    "parked": ("prio%_parked",),
    "storms": ("rx_prio%_pause_storm_events",),
    "tx_drops": ("tx_prio%_dropped",),
    "rx_drops": ("rx_prio%_discards",),
}


class Failed(Exception):
    """A command that must work failed. The text gives the reason."""


@dataclass
class Port:
    """A port at one moment.

    ns: time, CLOCK_MONOTONIC; a look at many ports takes a while
    pfc: of each priority, whether it has PFC
    prio: counters of each priority: COUNTERS, pfc_rx and pfc_tx
    drops: lost frames by place: qdisc, tx and rx (the NIC), wire
    """
    name: str
    netns: str = ""
    ns: int = 0
    up: bool = False
    mbit: int = 0
    pfc: list = field(default_factory=list)
    prio: list = field(default_factory=list)
    drops: dict = field(default_factory=dict)

    def has_priorities(self):
        return bool(self.pfc) or any(value is not None for counters in self.prio
                                     for value in counters.values())


@dataclass
class Sample:
    """All ports.

    sockets: frames for which UDP sockets had no room, by namespace
    """
    ports: list
    sockets: dict


class Namespace:
    """Runs commands in a network namespace; "" is this program's own."""

    def __init__(self, name=""):
        self.name = name

    def run(self, *argv):
        """Output of a command; None if it fails."""
        words = ["ip", "netns", "exec", self.name, *argv] if self.name else list(argv)
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, check=False, text=True,
                                  env={**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": ""})
        except FileNotFoundError:
            raise Failed(f"{words[0]} is missing: apt install {PACKAGES[words[0]]}") from None
        return None if done.returncode else done.stdout

    def json(self, *argv):
        """Return: what a command prints as JSON; None if it fails or prints nothing."""
        try:
            return json.loads(self.run(*argv) or "null")
        except ValueError:
            return None


def namespaces():
    """Names of all network namespaces that have one."""
    return sorted(entry["name"] for entry in Namespace().json("ip", "-j", "netns", "list") or [])


def ethtool_counters(text):
    """Return: the counters of "ethtool -S" by name."""
    return {name: int(value) for name, value in
            re.findall(r"^\s*([\w.\[\] -]+): (\d+)$", text or "", re.MULTILINE)}


def by_priority(counters, pfc):
    """Return: the counters of each priority. @pfc: those of "dcb -s pfc show"."""
    prio = []
    for number in PRIOS:
        values = {}
        for key, names in COUNTERS.items():
            found = (counters.get(name.replace("%", str(number))) for name in names)
            values[key] = next((value for value in found if value is not None), None)
        for key, name in (("pfc_tx", "requests"), ("pfc_rx", "indications")):
            values[key] = pfc[name][number] if name in pfc else None
        prio.append(values)
    return prio


def qdisc_drops(qdiscs):
    """Return: frames dropped by queueing disciplines, by interface. The root counts its children."""
    drops = {}
    for qdisc in qdiscs or []:
        if qdisc.get("root"):
            drops[qdisc["dev"]] = qdisc.get("drops", 0)
    return drops


def link_drops(link):
    stats = link.get("stats64", {})
    tx, rx = stats.get("tx", {}), stats.get("rx", {})
    return {"tx": tx.get("dropped", 0), "wire": rx.get("errors", 0),
            "rx": rx.get("dropped", 0) + rx.get("missed_errors", rx.get("over_errors", 0))}


def port_of(space, link, qdiscs):
    name = link["ifname"]
    pfc = space.json("dcb", "-j", "-s", "pfc", "show", "dev", name) or {}
    begun, counters = time.monotonic_ns(), ethtool_counters(space.run("ethtool", "-S", name))
    port = Port(name, space.name, (begun + time.monotonic_ns()) // 2,
                "LOWER_UP" in link.get("flags", []), pfc=pfc.get("prio_pfc", []))
    port.prio = by_priority(counters, pfc)
    speed = space.run("cat", f"/sys/class/net/{name}/speed") if port.up else None
    port.mbit = max(0, int(speed or 0))
    port.drops = {"qdisc": qdiscs.get(name, 0), **link_drops(link)}
    return port


def socket_drops(text):
    """Return: frames for which UDP sockets had no room. @text: of /proc/net/snmp and snmp6."""
    lines = [line.split() for line in text.splitlines()]
    udp = [line[1:] for line in lines if line and line[0] == "Udp:"]
    drops = int(dict(zip(*udp)).get("RcvbufErrors", 0)) if len(udp) == 2 else 0
    return drops + sum(int(line[1]) for line in lines if line[:1] == ["Udp6RcvbufErrors"])


def take(names, wanted=(), strict=True):
    """One sample.

    names: of namespaces
    wanted: ports; none: all that know of priorities
    strict: what is named must be there
    """
    ports, sockets = [], {}
    for name in names:
        space = Namespace(name)
        links = space.json("ip", "-j", "-s", "-s", "link", "show")
        if links is None and not strict:
            continue
        if links is None:
            raise Failed(f"namespace '{name}': cannot be entered; as root, and is it there? "
                         "ip netns list" if name else "ip link show failed")
        qdiscs = qdisc_drops(space.json("tc", "-j", "-s", "qdisc", "show"))
        for link in links:
            if wanted and link["ifname"] not in wanted or "LOOPBACK" in link.get("flags", []):
                continue
            port = port_of(space, link, qdiscs)
            if wanted or port.has_priorities():
                ports.append(port)
        # A kernel without IPv6 has only the first.
        sockets[name] = socket_drops("".join(space.run("cat", f"/proc/net/{file}") or ""
                                             for file in ("snmp", "snmp6")))
    missing = set(wanted) - {port.name for port in ports}
    if missing and strict:
        raise Failed(f"no interface '{sorted(missing)[0]}'")
    return Sample(ports, sockets)
