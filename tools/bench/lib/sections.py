# SPDX-License-Identifier: GPL-2.0
"""What a report consists of; page.py and text.py write it down."""

from dataclasses import dataclass, field


@dataclass
class Table:
    title: str
    head: list
    rows: list
    note: str = ""


@dataclass
class Section:
    title: str
    text: list = field(default_factory=list)
    tables: list = field(default_factory=list)
    plots: list = field(default_factory=list)
