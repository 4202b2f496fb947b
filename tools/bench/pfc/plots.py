# SPDX-License-Identifier: GPL-2.0
"""Plots of a sweep, as SVG that goes into a page."""

import figures as f
from drawing import legend, panels, svg
from sweep import FETCH

# Okabe and Ito's colours, which the colour-blind can tell apart.
COLOR = dict(zip(f.NAMES, ("#0072B2", "#56B4E9", "#2B9FD9", "#123A5A", "#D55E00", "#009E73",
                           "#8C8C8C")))
MARK = dict(zip(f.NAMES, "os^Dvp*"))
FETCH_COLOR = dict(zip(FETCH, ("#009E73", "#E69F00", "#D55E00")))
LIMIT = "#222222"


def late(result):
    """Late stop against the limit, a panel a speed."""
    rows, speeds = result["rows"], f.values(result["rows"], "gbps")
    worst = f.worst(f.pick(rows, way=f.LATE), "late_quanta")
    figure, axes = panels(len(speeds))
    for ax, gbps in zip(axes, speeds):
        depths = f.values(rows, "depth")
        for fetch in FETCH:
            ax.plot(depths, [f.worst(f.pick(rows, way=f.LATE, gbps=gbps, depth=depth,
                                            fetch=fetch), "late_quanta") for depth in depths],
                    marker="v", color=FETCH_COLOR[fetch], label=f"late stop, fetch: {fetch}")
        parq = [row for row in rows if row["way"] in f.PARQ and row["gbps"] == gbps]
        ax.plot(depths, [f.worst(f.pick(parq, depth=depth), "late_quanta") for depth in depths],
                marker="o", color=COLOR[f.OFFLOAD], label="PARQ, all of them")
        ax.axhline(f.limits(result)[gbps], color=LIMIT, linestyle="--", label="IEEE 802.1Qbb allows")
        ax.set(xscale="log", title=f"{gbps} Gb/s", xlabel="depth, frames",
               xticks=depths, xticklabels=depths)
        ax.set_yscale("symlog", linthresh=1)
        ax.set_ylim(-.3, 3 * worst)
        ax.minorticks_off()
    axes[0].set_ylabel("quanta until the last frame\nof a paused class starts")
    legend(figure, axes[0], 5)
    return svg(figure)


def resume(result):
    """Typical and longest time, a panel a distance of memory."""
    rows, speeds = result["rows"], f.values(result["rows"], "gbps")
    figure, axes = panels(len(FETCH), 3.6)
    for ax, fetch in zip(axes, FETCH):
        for i, way in enumerate(f.NAMES):
            for j, gbps in enumerate(speeds):
                some = f.pick(rows, way=way, fetch=fetch, gbps=gbps)
                x = j + (i - len(f.NAMES) / 2) * .1
                low, high = (f.typical(some, "resume_median_ps"), f.worst(some, "resume_max_ps"))
                ax.plot([x, x], [max(low, 1000) / 1e6, high / 1e6], color=COLOR[way], linewidth=1)
                ax.plot([x], [max(low, 1000) / 1e6], linestyle="", marker=MARK[way], markersize=5,
                        color=COLOR[way], label=None if j else way)
        ax.set_yscale("log")
        ax.set(title=f"fetch: {fetch}", xticks=range(len(speeds)),
               xticklabels=[f"{gbps}G" for gbps in speeds])
    axes[0].set_ylabel("end of the pause to the first frame, us\nmark: typical, line: to the longest")
    legend(figure, axes[0])
    return svg(figure)


def bars(axes, ways, height, label):
    for i, way in enumerate(ways):
        axes.bar([i], [height(way)], color=COLOR[way], label=way if label else None)
    axes.set_xticks([])


def pcie(result):
    figure, axes = panels(len(FETCH), 2.6)
    for ax, fetch in zip(axes, FETCH):
        for i, way in enumerate(f.PARQ):
            shares = sorted(f.pcie_share(row) / 1e4
                            for row in f.pick(result["rows"], way=way, fetch=fetch))
            ax.plot([i, i], [shares[0], shares[-1]], color=COLOR[way])
            ax.plot([i], [shares[len(shares) // 2]], marker=MARK[way], linestyle="",
                    color=COLOR[way], label=way)
        ax.set(title=f"fetch: {fetch}", xticks=[], ylim=(0, None))
    axes[0].set_ylabel("parking on PCI Express,\n% of the wire's bytes\nmark: typical, line: all runs")
    legend(figure, axes[0])
    return svg(figure)


def chip(result):
    rows, depths = result["rows"], f.values(result["rows"], "depth")
    figure, axes = panels(len(FETCH), 3)
    for ax, fetch in zip(axes, FETCH):
        for gbps, style in zip(f.values(rows, "gbps"), ("-", "--", "-.", ":")):
            ax.plot(depths, [f.fifo_bytes(f.pick(rows, gbps=gbps, depth=depth, fetch=fetch))[0] / 1e3
                             for depth in depths], style, marker="p", color=COLOR[f.FIFO],
                    label=f"tail FIFOs, {gbps} Gb/s")
        for way in (f.OFFLOAD, f.PARQ[-1]):
            ax.plot(depths, [f.worst(f.pick(rows, way=way, depth=depth, fetch=fetch),
                                     "chip_bytes") / 1e3 for depth in depths],
                    marker=MARK[way], color=COLOR[way], label=way)
        ax.set(xscale="log", xlabel="depth, frames", title=f"fetch: {fetch}", xticks=depths,
               xticklabels=depths)
        ax.set_yscale("log")
        ax.minorticks_off()
    axes[0].set_ylabel("kB on the chip, a port\n(PARQ: the whole NIC)")
    legend(figure, axes[0], 6)
    return svg(figure)


def others(result):
    figure, axes = panels(len(FETCH), 2.8)
    for ax, fetch in zip(axes, FETCH):
        some = f.pick(result["rows"], fetch=fetch)
        bars(ax, f.NAMES, lambda way: f.typical(f.pick(some, way=way), "others_ppm") / 1e4,
             fetch == "just in time")
        for i, way in enumerate(f.NAMES):
            ax.plot([i], [f.least(f.pick(some, way=way), "others_ppm") / 1e4], marker="_",
                    markersize=14, color="black", linestyle="",
                    label="worst run" if not i and fetch == "just in time" else None)
        ax.set(title=f"fetch: {fetch}", ylim=(0, 102))
    axes[0].set_ylabel("% of the wire for\nclasses that are not paused")
    legend(figure, axes[0], 8)
    return svg(figure)


def headroom(result):
    speeds = f.values(result["headroom"], "gbps")
    metres = f.values(result["headroom"], "metres")
    figure, axes = panels(len(speeds), 3)
    for ax, gbps in zip(axes, speeds):
        for quanta, color, name in ((None, LIMIT, "as IEEE 802.1Qbb allows"),
                                    (0, COLOR[f.OFFLOAD], "peer is PARQ, without its PHY")):
            ax.plot(metres, [f.headroom(result, gbps, m, 9000, quanta) / 1e3 for m in metres],
                    marker="o", color=color, label=name)
        ax.set(xscale="log", title=f"{gbps} Gb/s", xlabel="cable, m")
        ax.set_yscale("log")
    axes[0].set_ylabel("headroom a (port, priority), kB\nMTU 9000")
    legend(figure, axes[0])
    return svg(figure)


ALL = {"late": late, "resume": resume, "pcie": pcie, "chip": chip, "others": others,
       "headroom": headroom}
