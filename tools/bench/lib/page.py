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


def html(title, intro, sections, plots):
    """@intro: a paragraph of HTML. @plots: (SVG, caption) by name."""
    parts = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8">',
             f"<title>PARQ: {title}</title><style>{STYLE}</style></head><body>",
             f"<h1>{title}</h1>", f"<p>{intro}</p>"]
    for section in sections:
        parts.append(f"<h2>{escape(section.title)}</h2>")
        parts += [f"<p>{escape(text)}</p>" for text in section.text]
        for name in section.plots:
            svg, caption = plots[name]
            parts.append(f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>")
        parts += map(table, section.tables)
    return "\n".join([*parts, "</body></html>", ""])
