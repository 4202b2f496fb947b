# SPDX-License-Identifier: GPL-2.0
"""What happened between two samples."""

PLACES = ("qdisc", "tx", "rx", "wire", "socket")


def since(before, now, key):
    """Return: the difference of a counter; None if it is unknown. A reset begins at 0."""
    if now.get(key) is None or before.get(key) is None:
        return None
    return now[key] - before[key] if now[key] >= before[key] else now[key]


def per_second(before, now, key, ns):
    count = since(before, now, key)
    return None if count is None else count * 1e9 / ns


def percent(before, now, key, ns):
    """Share of the time that a counter of microseconds has."""
    count = since(before, now, key)
    return None if count is None else min(100.0, count * 1e5 / ns)


def scaled(value, factor):
    return None if value is None else value * factor


def of_priority(before, now, ns):
    return {
        "tx_mbit": scaled(per_second(before, now, "tx_bytes", ns), 8e-6),
        "rx_mbit": scaled(per_second(before, now, "rx_bytes", ns), 8e-6),
        "pfc_rx": per_second(before, now, "pfc_rx", ns),
        "pfc_tx": per_second(before, now, "pfc_tx", ns),
        "paused": percent(before, now, "paused_us", ns),
        "pausing": percent(before, now, "pausing_us", ns),
        "parked": now.get("parked"),
        "storms": now.get("storms"),
        "tx_drops": now.get("tx_drops"),
        "rx_drops": now.get("rx_drops"),
    }


def total(prios, key):
    values = [prio[key] for prio in prios if prio[key] is not None]
    return sum(values) if values else None


def of_port(before, now, sockets):
    ns = max(1, now.ns - before.ns)
    prios = [of_priority(*pair, ns) for pair in zip(before.prio, now.prio)]
    return {
        "port": now.name, "netns": now.netns, "up": now.up, "mbit": now.mbit,
        "tx_mbit": total(prios, "tx_mbit"), "rx_mbit": total(prios, "rx_mbit"),
        "drops": {**now.drops, "socket": sockets},
        "priorities": [{"priority": number, "pfc": now.pfc[number] if now.pfc else None, **prio}
                       for number, prio in enumerate(prios)],
    }


def of(before, now):
    """Of all ports that both samples have: rates since the first one, counts of all time."""
    first = {(port.netns, port.name): port for port in before.ports}
    return [of_port(first[port.netns, port.name], port, now.sockets.get(port.netns))
            for port in now.ports if (port.netns, port.name) in first]
