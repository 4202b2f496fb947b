# SPDX-License-Identifier: GPL-2.0
"""What a frame costs through the NIC in the kernel, as sections that lib/ writes down."""

import nic_blocks
from sections import Section, Table

# Where the stages differ.
STAGED = ("60 B", "60 B, burst 32", "TCP", "60 B, 64 queues", "60 B, ports 4", "60 B, 32 NICs")


def is_idle(row):
    return row["row"].startswith("idle")


def figure(value):
    return f"{value:.0f}"


def costs(rows):
    """A line a row, of instructions."""
    return [[row["row"], figure(row["all"]), *(figure(row[name]) for name in nic_blocks.MODULES),
             figure(row["all"] - sum(row[name] for name in nic_blocks.MODULES))] for row in rows]


def by_stage(rows):
    some = {row["row"]: row["stages"] for row in rows if row["row"] in STAGED}
    return [[stage, *(figure(stages.get(stage, 0)) for stages in some.values())]
            for stage in nic_blocks.STAGES if any(stages.get(stage) for stages in some.values())]


def sections(rows):
    head = ["in all", *nic_blocks.MODULES, "the rest"]
    return [Section("The NIC in the kernel", [
        "One processor sends, computes the NIC and receives. One cable carries frames. TCP is given "
        "for a segment of 1448 B. In all: all of the kernel but its idle loop, pktgen included. Of "
        "many NICs each has a cable to the next one.",
    ], [
        Table("Instructions a frame", ["Frame", *head], costs(r for r in rows if not is_idle(r))),
        Table("Instructions of parqsim a frame, by stage",
              ["Stage", *(r["row"] for r in rows if r["row"] in STAGED)], by_stage(rows)),
        Table("Instructions a second without frames", ["", *head],
              costs(r for r in rows if is_idle(r))),
    ])]
