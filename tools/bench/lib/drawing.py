# SPDX-License-Identifier: GPL-2.0
"""Plots as SVG that goes into a page."""

import io

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402

matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "parq", "font.size": 9, "font.family": "DejaVu Sans",
    "axes.spines.top": False, "axes.spines.right": False,
})


def svg(figure):
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)
    text = out.getvalue()
    return text[text.index("<svg"):]


def panels(count, height=3.2):
    figure, axes = pyplot.subplots(1, count, figsize=(12, height), sharey=True, squeeze=False,
                                   layout="constrained")
    return figure, list(axes[0])


def legend(figure, axes, columns=7):
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", bbox_to_anchor=(.5, 0), ncol=columns,
                  frameon=False)
