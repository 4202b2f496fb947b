# SPDX-License-Identifier: GPL-2.0
"""Draws the lanes with matplotlib.

What is too fine for the picture's width is drawn as a share of each bin: of the link's time
for frames, of the bin for pauses. A frame that leaked is always drawn.
"""

import os
from bisect import bisect_left, bisect_right
from types import SimpleNamespace

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402
from matplotlib.colors import to_rgba  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.patches import Patch, Rectangle  # noqa: E402

import causes  # noqa: E402
import trace as tracepoints  # noqa: E402
from detail import told  # noqa: E402
from recording import ALLOWED, FREE, LEAKED, STORMED  # noqa: E402
from summary import Summary, allowance, clock, notes, shown  # noqa: E402
from units import show_speed, show_time, unit_of  # noqa: E402

WIDTH_IN = 13
DPI = 110
# The picture's width in bins. Closer things cannot be told apart.
BINS = 480

# Okabe and Ito's palette for the colour-blind. Leaks also have a shape of their own.
PAUSE, FRAME, LEAK = "#56B4E9", "#333333", "#D1001C"
ALLOW, STORM, LINK = "#8C5A00", "#8C8C8C", "#999999"
HOLD, HALT, PASS, DEPTH = "#E69F00", "#CC79A7", "#009E73", "#0072B2"

# Rows of a lane: name, bottom, height. Without a trace there is only the row of frames.
ROWS = {"frames": (6.9, 2.8), "HOLD": (5.7, .7), "HALT": (4.6, .7), "flush pass": (3.5, .7),
        "parked": (0, 3.0)}
ROWS_ALONE = {"frames": (.6, 7.4)}
LANE_IN, LANE_ALONE_IN = 1.15, .55
DETAIL_IN = 1.9

matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "parq", "font.size": 9, "font.family": "DejaVu Sans",
    "hatch.linewidth": .6,
})


class Canvas:
    """The time range of the picture and its resolution."""

    def __init__(self, view, origin):
        self.begin, self.end = view.begin, view.end
        self.unit, self.scale = unit_of(view.end - view.begin)
        # The length of the range alone decides the unit, not its distance from the origin.
        self.origin = origin
        self.bin = (self.end - self.begin) / BINS

    def x(self, time):
        return (time - self.origin) / self.scale

    def width(self, ns):
        return ns / self.scale

    def clip(self, spans):
        return [(max(b, self.begin), min(e, self.end)) for b, e in spans
                if e > self.begin and b <= self.end]

    def merged(self, spans):
        """Merge spans whose gaps are narrower than a bin."""
        found = []
        for begin, end in sorted(self.clip(spans)):
            if found and begin - found[-1][1] < self.bin / 4:
                found[-1] = (found[-1][0], max(found[-1][1], end))
            else:
                found.append((begin, end))
        return found

    def shares(self, spans):
        """Return the share of each bin that the spans fill."""
        filled = [0.0] * BINS
        for begin, end in self.clip(spans):
            first = min(int((begin - self.begin) / self.bin), BINS - 1)
            last = min(int((end - self.begin) / self.bin), BINS - 1)
            for i in range(first, last + 1):
                low = self.begin + i * self.bin
                filled[i] += max(min(end, low + self.bin) - max(begin, low), 0) / self.bin
        return [min(share, 1.0) for share in filled]

    def bars(self, spans, least=0.0):
        return [(self.x(b), max(self.width(e - b), self.width(least))) for b, e in spans]

    def edges(self):
        return [self.x(self.begin + i * self.bin) for i in range(BINS + 1)]


def frame_spans(lane, frames):
    return [(time, time + lane.rec.on_wire(length)) for time, length in frames]


def draw_pauses(axes, canvas, lane):
    spans = [(pause.begin, pause.end) for pause in lane.pauses]
    if len(canvas.clip(spans)) > BINS / 2:
        shares = canvas.shares(spans)
        axes.imshow([[to_rgba(PAUSE, .75 * share) for share in shares]], aspect="auto",
                    extent=(canvas.x(canvas.begin), canvas.x(canvas.end), 0, 10),
                    interpolation="nearest", zorder=0)
        return
    for begin, end in canvas.clip(spans):
        axes.axvspan(canvas.x(begin), canvas.x(end), color=PAUSE, alpha=.4, linewidth=0, zorder=0)
    for pause in lane.pauses:
        if canvas.begin <= pause.end <= canvas.end and pause.end_by == "xon":
            axes.axvline(canvas.x(pause.end), color=DEPTH, linewidth=.9, zorder=1)


def seen_frames(canvas, lane):
    first = bisect_left(lane.frames, (canvas.begin, 0))
    past = bisect_right(lane.frames, (canvas.end, 1 << 30))
    return lane.frames[first:past], lane.kind[first:past]


def draw_frames(axes, canvas, lane, row, busiest):
    """Draw frames one by one. If busiest, the largest share of a bin, is given, draw shares."""
    bottom, height = row
    frames, kinds = seen_frames(canvas, lane)
    if not busiest:
        for kind, color in ((FREE, FRAME), (ALLOWED, ALLOW), (STORMED, STORM)):
            some = [frame for frame, k in zip(frames, kinds) if k == kind]
            axes.broken_barh(canvas.bars(frame_spans(lane, some), canvas.bin / 6),
                             (bottom, height), color=color, linewidth=0, zorder=3)
    else:
        shares = canvas.shares(frame_spans(lane, frames))
        axes.stairs([bottom + height * share / busiest for share in shares], canvas.edges(),
                    baseline=bottom, fill=True, color=FRAME, linewidth=0, zorder=3)
    leaks, last = [], None
    for (time, _), kind in zip(frames, kinds):
        if kind == LEAKED and (last is None or time - last >= canvas.bin / 2):
            leaks.append(canvas.x(time))
            last = time
    axes.vlines(leaks, bottom - .3, bottom + height, color=LEAK, linewidth=1.4, zorder=5)
    axes.plot(leaks, [bottom + height + .2] * len(leaks), linestyle="", marker="v", markersize=6,
              color=LEAK, clip_on=False, zorder=6)


def draw_engine(axes, canvas, trace, prio, deepest):
    for name, color, spans in (("HOLD", HOLD, tracepoints.holds), ("HALT", HALT, tracepoints.halts),
                               ("flush pass", PASS, tracepoints.passes)):
        axes.broken_barh(canvas.bars(canvas.merged(spans(trace, prio, trace.events[-1].time)),
                                     canvas.bin / 3),
                         ROWS[name], color=color, linewidth=0, zorder=3)
    bottom, height = ROWS["flush pass"]
    turned = [canvas.x(e.time) for e in trace.of(prio, "parq_pass")
              if e.fields["what"] == "turned-back" and canvas.begin <= e.time <= canvas.end]
    axes.plot(turned, [bottom + height / 2] * len(turned), linestyle="", marker="x",
              markersize=6, markeredgewidth=1.5, color="black", zorder=5)
    ticks, last = [], None
    for event in trace.of(prio, "parq_reinject"):
        if canvas.begin <= event.time <= canvas.end and \
                (last is None or event.time - last >= canvas.bin / 3):
            ticks.append(canvas.x(event.time))
            last = event.time
    frames, tall = ROWS["frames"]
    axes.vlines(ticks, frames - .55, frames + tall, color=PASS, linewidth=1.3, zorder=4)
    draw_depth(axes, canvas, tracepoints.depth(trace, prio), trace.events[-1].time, deepest)


def draw_depth(axes, canvas, changes, last, deepest):
    """Draw a step line up to the last event. Within half a bin keep the highest and the last
    change."""
    points, level = [(canvas.begin, 0)], 0
    for time, fds in changes:
        if time < canvas.begin:
            points[0] = (canvas.begin, fds)
        elif time <= canvas.end:
            points.append((time, fds))
    kept = []
    for time, fds in points:
        if len(kept) >= 2 and time - kept[-2][0] < canvas.bin / 2:
            high = max(kept[-2][1], kept[-1][1])
            kept[-2:] = [(kept[-2][0], high), (time, fds)]
        else:
            kept.append((time, fds))
    level = kept[-1][1]
    bottom, height = ROWS["parked"]
    xs = [canvas.x(time) for time, _ in kept] + [canvas.x(max(kept[-1][0], min(last, canvas.end)))]
    ys = [bottom + height * fds / max(deepest, 1) for fds in [fds for _, fds in kept] + [level]]
    axes.fill_between(xs, bottom, ys, step="post", color=DEPTH, alpha=.55, linewidth=0, zorder=2)
    axes.step(xs, ys, where="post", color=DEPTH, linewidth=1, zorder=3)


def label_lane(axes, lane, rows, names, summary):
    axes.set_yticks([bottom + height / 2 for bottom, height in rows.values()],
                    [names.get(name, name) for name in rows], fontsize=7)
    axes.tick_params(axis="y", length=0, pad=2)
    name, x, place = lane.name, -80, {"ha": "right", "fontsize": 10}
    if lane.rec.port:
        # Host, interface and priority below each other: only the interface, a short name, is beside
        # the row's.
        name, x, place = name.replace(" ", "\n", 2), -140, {"ha": "left", "fontsize": 8}
    axes.annotate(name, (0, .5), (x, 0), xycoords="axes fraction", textcoords="offset points",
                  va="center", fontweight="bold", **place)
    said = f"{summary.frames} frames\n"
    if lane.prio is None:
        said += "not judged"
    else:
        said += f"{summary.pauses} pause{'s' * (summary.pauses != 1)}"
        if summary.pauses:
            said += f", longest {show_time(summary.longest)}"
    axes.annotate(said, (1, .5), (6, 6 if summary.leaked else 0),
                  xycoords="axes fraction", textcoords="offset points", va="center", fontsize=8)
    if summary.leaked:
        axes.annotate(f"{summary.leaked} started while paused", (1, .5), (6, -12),
                      xycoords="axes fraction", textcoords="offset points", va="center",
                      fontsize=8, fontweight="bold", color=LEAK)


def legend(canvas, rec, trace, single, kinds, link):
    handles = [Line2D([], [], linestyle="", marker="|", markersize=9, markeredgewidth=1.5,
                      color=FRAME, label="frame sent, as long as on the wire")
               if single else Patch(color=FRAME, label="frames sent: share of the link per "
                                    f"{show_time(canvas.bin)}"),
               Patch(color=PAUSE, alpha=.5, label="paused by the peer" if single else
                     "paused by the peer, paler for some of the time")]
    if single:
        handles.append(Line2D([], [], color=DEPTH, linewidth=.9,
                              label="XON: the peer ends a pause early"))
    if ALLOWED in kinds:
        handles.append(Patch(color=ALLOW, label=f"started within {allowance(rec)}"))
    if STORMED in kinds:
        handles.append(Patch(color=STORM, label="sent in a storm"))
    handles.append(Line2D([], [], color=LEAK, marker="v", markersize=6,
                          label="frame started while paused" if LEAKED in kinds else
                          "frame started while paused: none"))
    if link:
        handles.append(Patch(facecolor="none", edgecolor=LINK, hatch="////",
                             label="link pause (802.3x)"))
    if trace:
        handles += [Patch(color=HOLD, label="HOLD: frames at the gate turn back"),
                    Patch(color=HALT, label="HALT: no more are fetched"),
                    Patch(color=PASS, label="flush pass: parked frames come back"),
                    Line2D([], [], linestyle="", marker="x", color="black",
                           label="pass turned back by a new pause"),
                    Line2D([], [], linestyle="", marker="|", markersize=10, markeredgewidth=1.5,
                           color=PASS, label="frame sent out of the park queue"),
                    Patch(color=DEPTH, alpha=.55, label="frames parked")]
    return handles


def figure_of(heights, handles, footer, detail_in):
    """Return a figure with lanes of these heights, in inches, with margins, and the axes of the
    detail if its height is not 0."""
    above = .85
    columns = 4
    legend_in = .62 + .21 * -(-len(handles) // columns)
    below = legend_in + detail_in + .17 * len(footer)
    height = above + below + sum(heights)
    figure, axes = pyplot.subplots(len(heights), 1, sharex=True, squeeze=False,
                                   figsize=(WIDTH_IN, height), height_ratios=heights)
    figure.subplots_adjust(left=.155, right=.865, top=1 - above / height, bottom=below / height,
                           hspace=.12)
    figure.legend(handles=handles, loc="upper center", bbox_to_anchor=(.5, (below - .5) / height),
                  ncol=columns, frameon=False, fontsize=8)
    for i, line in enumerate(reversed(footer)):
        figure.text(.02, (.06 + .17 * i) / height, line, fontsize=7, color="#555555")
    closer = None
    if detail_in:
        closer = figure.add_axes((.155, (below - legend_in - DETAIL_IN - .75) / height, .71,
                                  DETAIL_IN / height))
    return figure, axes[:, 0], height, closer


def draw_steps(axes, detail, canvas):
    """Draw numbers above the lane. Stack numbers that would overlap."""
    width = canvas.width(canvas.end - canvas.begin)
    placed = []
    for n, (time, _) in enumerate(detail.steps, 1):
        x = canvas.x(time)
        level = next(i for i in range(len(detail.steps) + 1)
                     if all(i != other or x - at > width / 45 for at, other in placed))
        placed.append((x, level))
        axes.annotate(str(n), (x, 10.2), (0, 9 + 15 * level), xycoords="data",
                      textcoords="offset points", ha="center", va="center", fontsize=8,
                      color="white", fontweight="bold",
                      bbox={"boxstyle": "circle,pad=.25", "color": FRAME},
                      arrowprops={"arrowstyle": "-", "color": FRAME, "linewidth": .7})


def draw_detail(figure, axes, height, detail, view, trace, lane_axes, canvas):
    """Draw a pause in detail: a lane of its own, numbers, and their legend."""
    near = Canvas(SimpleNamespace(begin=detail.begin, end=detail.end), detail.pause.begin)
    rows = ROWS if trace else ROWS_ALONE
    deepest = max((fds for time, fds in tracepoints.depth(trace, detail.lane.prio)
                   if detail.begin <= time <= detail.end), default=0) if trace else 0
    draw_pauses(axes, near, detail.lane)
    draw_frames(axes, near, detail.lane, rows["frames"], 0)
    if trace:
        draw_engine(axes, near, trace, detail.lane.prio, deepest)
    axes.set_yticks([bottom + tall / 2 for bottom, tall in rows.values()],
                    [f"parked, 0 to {deepest}" if name == "parked" else name for name in rows],
                    fontsize=8)
    axes.tick_params(axis="y", length=0, pad=2)
    axes.set_ylim(0, 10.2)
    axes.set_xlim(near.x(near.begin), near.x(near.end))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel(f"time since the pause began [{near.unit}]")
    draw_steps(axes, detail, near)
    box = axes.get_position()
    figure.text(.02, box.y1 + .62 / height, f"One pause of priority {detail.lane.prio} in detail "
                "(the box above)", fontsize=12, fontweight="bold")
    for n, texts in enumerate(told(detail)):
        for inches, text in zip((0, .3, 1.1), texts):
            figure.text(box.x0 + inches / WIDTH_IN, box.y0 - (.62 + .18 * n) / height, text,
                        fontsize=9, fontweight="normal" if inches else "bold")
    lane_axes.add_patch(Rectangle(
        (canvas.x(detail.begin), 0), canvas.width(detail.end - detail.begin), 10.2,
        fill=False, edgecolor="black", linewidth=1.4, clip_on=False, zorder=7))


def wrapped(lines, columns=190):
    """Wrap the text to the picture's width."""
    found = []
    for line in lines:
        while len(line) > columns:
            cut = line.rfind(" ", 0, columns)
            found.append(line[:cut])
            line = "    " + line[cut + 1:]
        found.append(line)
    return found


def draw(rec, trace, view, name):
    """Draw the view to NAME.svg and NAME.png. Return their names."""
    lanes = shown(view, trace)
    canvas = Canvas(view, rec.begin)
    summaries = [Summary(lane, view.begin, view.end, trace) for lane in lanes]
    deepest = max((s.parked or 0 for s in summaries), default=0)
    # Draw frames one by one in all lanes or in none.
    busiest = 0
    if any(s.frames > BINS for s in summaries):
        busiest = max(max(canvas.shares(frame_spans(lane, seen_frames(canvas, lane)[0])))
                      for lane in lanes)
    links = [canvas.merged([(pause.begin, pause.end) for pause in lane.rec.link]) for lane in lanes]
    kinds = {kind for kind, seen in ((ALLOWED, "allowed"), (LEAKED, "leaked"), (STORMED, "stormed"))
             if any(getattr(s, seen) for s in summaries)}
    footer = wrapped(([clock(trace, os.path.basename(trace.path))] if trace else []) +
                     causes.told(rec, view) + notes(rec, trace, view))
    handles = legend(canvas, rec, trace, not busiest, kinds, any(links))
    traced = {event.prio for event in trace.events} if trace else set()
    detail = view.detail
    figure, axes, height, closer = figure_of(
        [LANE_IN if lane.prio in traced else LANE_ALONE_IN for lane in lanes], handles, footer,
        DETAIL_IN + 1.55 + .18 * len(detail.steps) if detail else 0)
    names = {"parked": f"parked, 0 to {deepest}",
             "frames": f"link, 0 to {round(100 * busiest, 0 if busiest > .1 else 2):g} %" if busiest else "frames"}
    for ax, lane, summary, link in zip(axes, lanes, summaries, links):
        rows = ROWS if lane.prio in traced else ROWS_ALONE
        draw_pauses(ax, canvas, lane)
        for begin, end in link:
            ax.axvspan(canvas.x(begin), canvas.x(end), facecolor="none", edgecolor=LINK,
                       hatch="////", linewidth=0, zorder=1)
        draw_frames(ax, canvas, lane, rows["frames"], busiest)
        if lane.prio in traced:
            draw_engine(ax, canvas, trace, lane.prio, deepest)
        label_lane(ax, lane, rows, names, summary)
        ax.set_ylim(0, 10.2)
        ax.set_xlim(canvas.x(canvas.begin), canvas.x(canvas.end))
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    axes[-1].set_xlabel(f"time since the recording's first frame [{canvas.unit}]")
    axes[-1].ticklabel_format(axis="x", useOffset=False, style="plain")
    figure.text(.02, 1 - .3 / height, f"What {rec.interface} sends, by priority, "
                "while its link partner pauses it", fontsize=14, fontweight="bold")
    figure.text(.02, 1 - .55 / height,
                f"{os.path.basename(rec.path)}, {show_speed(rec.mbit)}, "
                f"{show_time(view.end - view.begin)} of {show_time(rec.end - rec.begin)}",
                fontsize=9, color="#555555")
    if detail:
        lane_axes = next(ax for ax, lane in zip(axes, lanes) if lane is detail.lane)
        draw_detail(figure, closer, height, detail, view, trace, lane_axes, canvas)
    figure.savefig(f"{name}.svg", metadata={"Date": None})
    figure.savefig(f"{name}.png", dpi=DPI)
    pyplot.close(figure)
    return f"{name}.svg", f"{name}.png"
