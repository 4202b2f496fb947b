# SPDX-License-Identifier: GPL-2.0
"""What is run, and how: each row is a process, its result a line of JSON."""

import itertools
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

FRAMES = ["64 bytes", "1518 bytes", "9018 bytes", "mixed"]

# How far ahead of the wire frames are fetched, by the name of it: the lead, and what a pass waits
# for (two reads of host memory, the FD and then its frame), ns.
FETCH = {
    "just in time": (0, 0),
    "1 us ahead": (1000, 2000),
    "full pipe": (10_000_000, 2000),
}

# Name, program, latency of the host that runs the FSM, ns.
WAYS = [
    ("PARQ, offload", "parq", 0),
    ("PARQ, managed 1 us", "parq", 1000),
    ("PARQ, managed 5 us", "parq", 5000),
    ("PARQ, managed 20 us", "parq", 20000),
    ("late stop", "late", 0),
    ("tail FIFO", "fifo", 0),
    ("head-of-line", "hol", 0),
]

FULL = {"gbps": [10, 25, 100, 400], "ports": [1, 2, 4], "depth": [4, 16, 64, 256],
        "frames": range(len(FRAMES)), "bursty": [0, 1], "fetch": list(FETCH), "quanta": [80_000]}
QUICK = {"gbps": [10, 400], "ports": [4], "depth": [16, 64], "frames": [1, 3], "bursty": [0, 1],
         "fetch": list(FETCH), "quanta": [50_000]}

SEED = 1


def plan(axes):
    """All rows, the ways of the same settings one after the other."""
    for values in itertools.product(*axes.values()):
        settings = dict(zip(axes, values))
        for way, program, host_ns in WAYS:
            yield {"way": way, "program": program, "host_ns": host_ns, **settings}


def run_row(programs, row):
    fetch_ns, read_ns = FETCH[row["fetch"]]
    options = {"host_ns": row["host_ns"], "fetch_ns": fetch_ns, "read_ns": read_ns, "seed": SEED}
    options |= {name: row[name] for name in ("gbps", "ports", "depth", "frames", "bursty", "quanta")}
    done = subprocess.run([os.path.join(programs, f"bench-{row['program']}"),
                           *(f"{name}={value}" for name, value in options.items())],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout) | {"way": row["way"], "fetch": row["fetch"]}


def run(programs, axes, jobs, tell=lambda done, total: None):
    """All rows in the order of the plan, whatever the order in which they end."""
    planned, rows = list(plan(axes)), []
    with ThreadPoolExecutor(jobs) as pool:
        for row in pool.map(lambda row: run_row(programs, row), planned):
            rows.append(row)
            tell(len(rows), len(planned))
    done = subprocess.run([os.path.join(programs, "headroom")], capture_output=True, text=True,
                          check=True)
    return {"rows": rows, "headroom": [json.loads(line) for line in done.stdout.splitlines()]}


def dump(result, path):
    """Rows as lists under the names of their columns: a tenth of the size."""
    columns = list(result["rows"][0])
    with open(path, "w", encoding="ascii") as file:
        json.dump({"columns": columns, "headroom": result["headroom"]}, file, indent=1)
        file.seek(file.tell() - 2)
        file.write(',\n "rows": [\n  ')
        file.write(",\n  ".join(json.dumps([row[name] for name in columns])
                                for row in result["rows"]))
        file.write("\n ]\n}\n")


def load(path):
    with open(path, encoding="ascii") as file:
        found = json.load(file)
    return {"rows": [dict(zip(found["columns"], row)) for row in found["rows"]],
            "headroom": found["headroom"]}
