# SPDX-License-Identifier: GPL-2.0
"""Sections as reStructuredText."""

import textwrap

WIDTH = 90


def table(table):
    rows = [table.head, *table.rows]
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(table.head))]
    rule = "  ".join("=" * width for width in widths)
    lines = [rule, line(table.head, widths), rule]
    lines += [line(row, widths) for row in table.rows]
    return "\n".join([*lines, rule])


def line(cells, widths):
    return "  ".join(str(cell).ljust(width) for cell, width in zip(cells, widths)).rstrip()


def definitions(table):
    """A table of sentences, as a list."""
    return "\n".join(f"{name}\n" + textwrap.fill(what, WIDTH, initial_indent="\t",
                                                 subsequent_indent="\t", tabsize=8)
                     for name, what in table.rows)


def rst(sections):
    parts = [".. SPDX-License-Identifier: GPL-2.0\n\n"
             ".. Written by tools/bench/pfc/bench-pfc; do not edit."]
    for section in sections:
        parts.append(f"{section.title}\n{'=' * len(section.title)}")
        parts += [textwrap.fill(text, WIDTH) for text in section.text]
        for some in section.tables:
            if some.title:
                parts.append(textwrap.fill(f"{some.title}:", WIDTH))
            parts.append(definitions(some) if len(some.head) == 2 and
                         max(len(row[1]) for row in some.rows) > 40 else table(some))
            if some.note:
                parts.append(textwrap.fill(some.note, WIDTH))
    return "\n\n".join(parts) + "\n"
