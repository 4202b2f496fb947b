# SPDX-License-Identifier: GPL-2.0
"""Plots of what a frame costs, as (SVG, caption) by name."""

import cost_tables as t
from drawing import legend, panels, svg

# Okabe and Ito's colours, which the colour-blind can tell apart; PARQ is blue.
COLORS = ("#0072B2", "#56B4E9", "#123A5A", "#D55E00", "#E69F00", "#009E73", "#CC79A7", "#8C8C8C")


def bars(rows, side, field):
    """A group a frame, a bar a device."""
    some = [row for row in t.frames(rows) if row["side"] == side]
    devices, lines = t.names(some, "device"), t.names(some, "row")
    figure, (ax,) = panels(1, 3)
    width = .8 / len(devices)
    for i, (device, color) in enumerate(zip(devices, COLORS)):
        heights = [t.find(some, side, device, row, field) or 0 for row in lines]
        ax.bar([x + i * width for x in range(len(lines))], heights, width, color=color, label=device)
    ax.set(xticks=[x + .4 for x in range(len(lines))], xticklabels=lines,
           ylabel="instructions a frame")
    legend(figure, ax, 8)
    return svg(figure)


def flat(rows):
    some = [row for row in rows if t.is_flat(row)]
    figure, axes = panels(len(t.FLAT), 2.6)
    for ax, axis in zip(axes, t.FLAT):
        for side, color in (("TX", COLORS[0]), ("RX", COLORS[1])):
            line = [row for row in some if row["row"].startswith(axis) and row["side"] == side]
            ax.plot([row["row"].removeprefix(axis + " ") for row in line],
                    [row[t.DRIVER] for row in line], marker="o", color=color, label=side)
        ax.set(xlabel=axis, ylim=(0, 1.2 * max(row[t.DRIVER] for row in some)))
    axes[0].set_ylabel("instructions of the driver,\na frame of 64 B")
    legend(figure, axes[0])
    return svg(figure)


def all_plots(result):
    rows = result["rows"]
    found = {f"{side} {field}": (bars(rows, side, field), f"{side}: instructions a frame {where}. "
                                                         f"Lower is better.")
             for side in ("TX", "RX")
             for field, where in ((t.DRIVER, "in the driver"), (t.ALL, "in all"))}
    if any(map(t.is_flat, rows)):
        found["flat"] = flat(rows), "PARQ. Flat is good."
    return found
