# SPDX-License-Identifier: GPL-2.0
"""The figures of Documentation/testing/sizing.rst, from a sweep and from the driver's sources."""

import os
import re

import figures as f
import report

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..")
PAGE = os.path.join(TOP, "Documentation", "testing", "sizing.rst")
FETCH, PORTS, CHANNELS, PRIORITIES, PIPELINE = "1 us ahead", 4, 4, 8, 32
# Of a TX descriptor, the driver's record of it, an RX descriptor, a completion and a page.
TX_DESC, TX_RECORD, RX_DESC, RX_COMP, PAGE_BYTES = 16, 24, 8, 16, 4096
# Each way: PCI Express 6.0 and 7.0, x16.
STANDARDS = {"128 GB/s", "256 GB/s"}
FIGURE = re.compile(r"\d[\d.]* (?:[MkG]?B(?:/s)?|us|ns|%)(?!\w)")
# Lines of tables, of which the words are compared, not the columns.
PARKING = {"typical run": ("PARQ, offload", f.typical), "worst run": ("PARQ, offload", f.worst),
           "typical, driver 5 us away": ("PARQ, managed 5 us", f.typical),
           "worst, driver 5 us away": ("PARQ, managed 5 us", f.worst)}
RESUME = {"PARQ, offload": "PARQ, offload", "PARQ, managed, 5 us": "PARQ, managed 5 us",
          "PARQ, managed, 20 us": "PARQ, managed 20 us"}


def of_driver(name):
    with open(os.path.join(TOP, "drivers", "net", "ethernet", "parq", "parq_ring.h"),
              encoding="utf-8") as file:
        return int(re.search(rf"^#define {name}\s+(\d+)", file.read(), re.MULTILINE)[1])


def park_queue(entries):
    """Of a class with rings of so many entries: a power of two."""
    return f.FD_BYTES << (CHANNELS * entries + PIPELINE - 1).bit_length()


def memory():
    entries = of_driver("PARQ_RING_DEFAULT")
    rx, tx = CHANNELS * entries, CHANNELS * PRIORITIES * entries
    queue = park_queue(entries)
    for label, product, count in (
            ("RX pages", f"{CHANNELS} x {entries} x {PAGE_BYTES}", rx * PAGE_BYTES),
            ("RX fill rings and completions", f"{CHANNELS} x {entries} x ({RX_DESC} + {RX_COMP})",
             rx * (RX_DESC + RX_COMP)),
            ("TX descriptors", f"{CHANNELS * PRIORITIES} x {entries} x {TX_DESC}", tx * TX_DESC),
            ("the driver's entries for them", f"{CHANNELS * PRIORITIES} x {entries} x {TX_RECORD}",
             tx * TX_RECORD),
            ("park queues", f"{PRIORITIES} x {queue // f.FD_BYTES} x {f.FD_BYTES}",
             PRIORITIES * queue)):
        yield f"{label} {product} {report.size(count)} {report.size(PORTS * count)}"


def tables(rows, link):
    yield from memory()
    for label, (way, how) in PARKING.items():
        shares = [{"x": f.pcie_share(row)} for row in f.pick(rows, way=way, fetch=FETCH)]
        share = how(shares, "x")
        yield f"{label} {report.size(share / 1e6 * link)}/s {share / 1e4:.1f} %"
    for label, way in RESUME.items():
        some = f.pick(rows, way=way, fetch=FETCH)
        yield " ".join((label, report.time(f.typical(some, "resume_median_ps")),
                        report.time(f.worst(some, "resume_max_ps"))))


def derived(rows, link):
    """Figures of the text that the bench's own page does not have."""
    port = link / PORTS
    offload = f.pick(rows, way="PARQ, offload", fetch=FETCH)
    for ps in (f.typical(offload, "resume_median_ps"), f.worst(offload, "resume_max_ps")):
        yield report.size(ps / 1e12 * port)
    yield report.size(PORTS * PRIORITIES * park_queue(of_driver("PARQ_RING_MAX")))


def verdict(result, bench_page):
    """@bench_page: what report.py has written of the same result."""
    rows = [row for row in result["rows"] if row["gbps"] == report.GBPS and row["ports"] == PORTS]
    link = PORTS * report.GBPS * report.GBPS_BYTES
    with open(PAGE, encoding="utf-8") as file:
        text = " ".join(file.read().split())
    expected = list(tables(rows, link))
    allowed = STANDARDS | set(derived(rows, link)) | set(FIGURE.findall(" ".join(expected)))
    allowed |= set(FIGURE.findall(" ".join(bench_page.split())))
    found = FIGURE.findall(text)
    wrong = [f"sizing.rst has not: {line}" for line in expected if line not in text]
    wrong += [f"sizing.rst has {figure}, which no run has" for figure in found
              if figure not in allowed]
    return "sizing.rst has the figures of this result", wrong, len(expected) + len(found)
