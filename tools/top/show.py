# SPDX-License-Identifier: GPL-2.0
"""The rates of ports as text: for a terminal, and for Prometheus."""

import json
import os
import tempfile

from rates import PLACES

# Title, key and width of the columns of a priority.
COLUMNS = (("tx Mb/s", "tx_mbit", 10), ("rx Mb/s", "rx_mbit", 10), ("PFC rx/s", "pfc_rx", 9),
           ("tx/s", "pfc_tx", 8), ("paused", "paused", 8), ("pausing", "pausing", 8),
           ("parked", "parked", 7), ("storms", "storms", 7), ("tx drop", "tx_drops", 8),
           ("rx drop", "rx_drops", 8))
PERCENT = ("paused", "pausing")
WIDTH = 14 + sum(width for *_, width in COLUMNS)


def label(port):
    return f"{port['netns']}/{port['port']}" if port["netns"] else port["port"]


def speed(mbit):
    if not mbit:
        return ""
    return f"{mbit / 1000:g}G" if mbit >= 1000 else f"{mbit}M"


def value(key, number):
    if number is None:
        return ""
    if key in PERCENT:
        return f"{number:.1f} %"
    return f"{number:.1f}" if isinstance(number, float) else str(number)


def port_line(port):
    """One line: state, rates, and where frames were lost."""
    state = speed(port["mbit"]) if port["up"] else "down"
    rates = " ".join(f"{way} {value('', port[key]) or '-':>8}" for way, key in
                     (("tx", "tx_mbit"), ("rx", "rx_mbit")))
    drops = " ".join(f"{place} {port['drops'][place]}" for place in PLACES
                     if port["drops"].get(place) is not None)
    return f"{label(port):<16} {state:>5}  {rates} Mb/s  lost: {drops}"


def titles():
    return f"{'priority':<10}{'PFC':<4}" + "".join(f"{title:>{width}}"
                                                  for title, _, width in COLUMNS)


def priority_line(prio):
    pfc = {None: "", True: "on", False: "off"}[prio["pfc"]]
    return f"{prio['priority']:<10}{pfc:<4}" + "".join(
        f"{value(key, prio[key]):>{width}}" for _, key, width in COLUMNS)


def table(ports):
    """Lines with everything."""
    lines = []
    for port in ports:
        lines += [port_line(port), titles()]
        lines += [priority_line(prio) for prio in port["priorities"]] + [""]
    return lines


# ---- Prometheus -----------------------------------------------------------------

GAUGES = {
    "tx_mbit": ("parq_priority_transmit_mbit_per_second", "frames of the priority that were sent"),
    "rx_mbit": ("parq_priority_receive_mbit_per_second", "frames of the priority that came"),
    "pfc_rx": ("parq_priority_pfc_received_per_second", "PFC frames from the peer"),
    "pfc_tx": ("parq_priority_pfc_sent_per_second", "PFC frames to the peer"),
    "paused": ("parq_priority_paused_percent", "time for which the peer paused the priority"),
    "pausing": ("parq_priority_pausing_percent", "time for which the peer was paused"),
    "parked": ("parq_priority_parked_frames", "frames that wait for the end of a pause"),
    "storms": ("parq_priority_storms_total", "pauses that lasted too long"),
    "tx_drops": ("parq_priority_transmit_drops_total", "frames not sent"),
    "rx_drops": ("parq_priority_receive_drops_total", "frames not received"),
}
LOST = "parq_lost_frames_total"


def metric_head(name, text):
    kind = "counter" if name.endswith("_total") else "gauge"
    return [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]


def metric(name, port, label_name, label_value, number):
    """A line. A name of a namespace or an interface may have quotes."""
    labels = {"netns": port["netns"], "device": port["port"], label_name: str(label_value)}
    text = ",".join(f"{key}={json.dumps(text)}" for key, text in labels.items())
    return f"{name}{{{text}}} {number}"


def metrics(ports):
    """The text format of Prometheus. What is unknown is left out."""
    lines = []
    for key, (name, text) in GAUGES.items():
        found = [metric(name, port, "priority", prio["priority"], prio[key])
                 for port in ports for prio in port["priorities"] if prio[key] is not None]
        lines += metric_head(name, text) + found if found else []
    lines += metric_head(LOST, "frames lost, by place")
    for port in ports:
        lines += [metric(LOST, port, "place", place, port["drops"][place])
                  for place in PLACES if port["drops"].get(place) is not None]
    return "\n".join(lines) + "\n"


def write(path, text):
    """Replaces a file in one step: a collector never reads half of it."""
    with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(path) or ".", delete=False,
                                     encoding="utf-8") as file:
        try:
            file.write(text)
            file.flush()
            os.chmod(file.name, 0o644)
            os.rename(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
