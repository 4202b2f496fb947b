# SPDX-License-Identifier: GPL-2.0
"""Sections and plots as one page of HTML that needs nothing else."""

from html import escape

STYLE = """
body { font: 15px/1.5 sans-serif; max-width: 76em; margin: 2em auto; padding: 0 1em; color: #222 }
h1 { font-size: 1.7em } h2 { margin-top: 2em; border-bottom: 1px solid #ccc }
p { max-width: 52em } table { border-collapse: collapse; margin: .4em 0 1.2em; font-size: 14px }
caption { text-align: left; white-space: nowrap; font-weight: bold; padding: .6em 0 .3em }
td, th { border: 1px solid #ddd; padding: .2em .7em; text-align: left; vertical-align: top }
th { background: #f3f3f3 } td.n { text-align: right; white-space: nowrap }
figure { margin: 1em 0 } figure svg { max-width: 100%; height: auto }
figcaption, .note { color: #555; font-size: 13px; max-width: 58em }
"""

CAPTION = {
    "resume": "Time from the end of a pause to the first frame of the class, by speed. Lower is "
              "better; below 1 ns is drawn at 1 ns.",
    "pcie": "Bytes that parking needs on PCI Express.",
    "late": "When the last frame of a paused class starts: worst of all runs. Above the broken line "
            "the peer's headroom may overflow.",
    "chip": "Memory on the chip besides the pipeline: worst of all runs.",
    "others": "What classes that are not paused get while another one is. Bars: typical run.",
    "headroom": "Headroom of a switch port, by length of the cable.",
}


def is_number(text):
    return text[:1].isdigit() or text == "-"


def table(table):
    lines = ["<table>"]
    if table.title:
        lines.append(f"<caption>{escape(table.title)}</caption>")
    lines.append("<tr>" + "".join(f"<th>{escape(name)}</th>" for name in table.head) + "</tr>")
    for row in table.rows:
        cells = [f"<td>{escape(str(row[0]))}</td>"]
        cells += [f"<td class=n>{escape(cell)}</td>" if is_number(cell) else
                  f"<td>{escape(cell)}</td>" for cell in map(str, row[1:])]
        lines.append("<tr>" + "".join(cells) + "</tr>")
    lines.append("</table>")
    if table.note:
        lines.append(f"<p class=note>{escape(table.note)}</p>")
    return "\n".join(lines)


def html(sections, plots):
    """@plots: SVG by name."""
    title = "Four ways to obey a pause"
    parts = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8">',
             f"<title>PARQ: {title}</title><style>{STYLE}</style></head><body>",
             f"<h1>{title}</h1>",
             "<p>A link partner pauses one priority of a NIC (IEEE 802.1Qbb) while frames of it are "
             "in the NIC's pipeline. <b>PARQ</b> parks them in host memory. <b>Late stop</b> sends "
             "them all the same. <b>Tail FIFOs</b> keep them on the chip. <b>Head-of-line</b> lets "
             "everything wait behind them. This report compares the four in virtual time. It begins "
             "with what PARQ does worse.</p>"]
    for section in sections:
        parts.append(f"<h2>{escape(section.title)}</h2>")
        parts += [f"<p>{escape(text)}</p>" for text in section.text]
        parts += [f"<figure>{plots[name]}<figcaption>{escape(CAPTION[name])}</figcaption></figure>"
                  for name in section.plots]
        parts += map(table, section.tables)
    return "\n".join([*parts, "</body></html>", ""])
