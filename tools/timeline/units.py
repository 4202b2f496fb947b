# SPDX-License-Identifier: GPL-2.0
"""Parses and formats times and speeds."""

import re

SCALE = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
SPEED = {"": 1, "M": 1, "G": 1000}


def parse_time(text):
    """Convert "1.5ms" to ns. A bare number is in seconds."""
    match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,12})?)(ns|us|ms|s)?", text)
    if not match:
        raise ValueError(f"'{text}' is not a time such as 1.5, 20ms or 300us")
    return round(float(match[1]) * SCALE[match[2] or "s"])


def parse_speed(text):
    """"2.5G" to Mb/s; a number alone is Mb/s."""
    match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,12})?)([MG]?)", text)
    mbit = round(float(match[1]) * SPEED[match[2]]) if match else 0
    if not 1 <= mbit <= 10**7:
        raise ValueError(f"'{text}' is not a speed such as 100M, 2.5G or 400G")
    return mbit


def show_speed(mbit):
    """mbit: None for links of several speeds."""
    if mbit is None:
        return "several speeds"
    return f"{mbit / 1000:g} Gb/s" if mbit >= 1000 else f"{mbit:g} Mb/s"


def unit_of(ns):
    """Return the largest unit not above the time, and its length in ns."""
    return next(((name, SCALE[name]) for name in ("s", "ms", "us") if ns >= SCALE[name]),
                ("ns", 1))


def show_time(ns):
    if ns is None:
        return "-"
    name, scale = unit_of(ns)
    digits = 0 if scale == 1 or ns >= 100 * scale else 1 if ns >= 10 * scale else 2
    return f"{ns / scale:.{digits}f} {name}"
