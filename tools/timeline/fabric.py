# SPDX-License-Identifier: GPL-2.0
"""Recordings of several ports of a fabric, with its topology: the directory of a lab."""

import os
import sys

import recording
from errors import BadInput, NoFrames

HERE = os.path.dirname(os.path.realpath(__file__))
# Where parq-lab is in the package, and in the source tree.
sys.path += [os.path.join(HERE, "lab"), os.path.join(HERE, "..", "lab")]


class Fabric:
    """The recordings of a fabric. What a recording has besides, the fabric has of all of them.

    recs: by the name of the port, "HOST INTERFACE"
    silent: ports without a recording
    notes: with ports that neither sent nor received
    """

    def __init__(self, path, topology, recs, idle):
        self.path, self.recs = path, recs
        self.topology = topology
        self.interface = f"each of {len(recs)} ports"
        self.begin = min(rec.begin for rec in recs.values())
        self.end = max(rec.end for rec in recs.values())
        self.mbit = same(rec.mbit for rec in recs.values())
        self.allowance = same(rec.allowance for rec in recs.values())
        self.allowance_named = all(rec.allowance_named for rec in recs.values())
        self.controls = [control for rec in recs.values() for control in rec.controls]
        self.lanes = [lane for rec in recs.values() for lane in rec.lanes]
        self.others = []
        self.notes = [f"{name}: {note}" for name, rec in recs.items() for note in rec.notes]
        self.notes += [f"{name}: no frame passed" for name in idle]
        self.silent = {name_of(port) for port in topology.ports if not port.record}

    def partner(self, rec):
        """Return the port at the other end of the cable, or None."""
        port = self.topology.port(rec.port)
        ends = port.cable.ends if port.cable else [port, None]
        return ends[ends[0] is port]

    def forwards(self, port):
        """Return the names of the ports to which this one forwards: those in a bridge with it."""
        host = next(host for host in self.topology.hosts if host.name == port.host)
        return [f"{host.name} {name}" for members in host.bridges.values()
                if port.name in members for name in members if name != port.name]


def name_of(port):
    return f"{port.host} {port.name}"


def same(values):
    """Return the value if all are equal, else None."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def read_topology(directory):
    try:
        import topology
    except ModuleNotFoundError as error:
        raise BadInput(f"{directory}: {error.name} is missing: sudo apt-get install python3-yaml") \
            from error
    try:
        return topology.read(os.path.join(directory, topology.TOPOLOGY))
    except topology.BadTopology as error:
        raise BadInput(str(error)) from error


def read(directory, options):
    """Read the recordings of a lab. options: of parq_wire, but for those that the topology has."""
    topology = read_topology(directory)
    recs, idle, stamp = {}, [], None
    for port in topology.ports:
        if not port.record:
            continue
        try:
            rec, _ = recording.read(os.path.join(directory, port.record),
                                    [*options, *port.judge_options()], stamp)
        except NoFrames:
            idle.append(name_of(port))
            continue
        rec.port = name_of(port)
        recs[rec.port], stamp = rec, rec.stamp
    if not recs:
        raise BadInput(f"{topology.path}: no port has a recording with frames: see 'record'")
    return Fabric(directory, topology, recs, idle)
