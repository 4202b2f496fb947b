# SPDX-License-Identifier: GPL-2.0
"""For programs in a guest that load the NIC inside its kernel, and a veth beside it."""

import os
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, nullcontext

FAR = "/run/netns/far"
LIMIT = 60
HOME_NS = os.open("/proc/self/ns/net", os.O_RDONLY)


def run(*words):
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr.strip()}{done.stdout.strip()}")
    return done.stdout


def read(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def wait_for(what, condition):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"not within {LIMIT} s: {what}")
        time.sleep(.01)


class Far:
    """Inside "with", this process is in the namespace of the receiver."""

    def __enter__(self):
        with open(FAR, "rb") as file:
            os.setns(file.fileno(), os.CLONE_NEWNET)

    def __exit__(self, *_):
        os.setns(HOME_NS, os.CLONE_NEWNET)


def make_far():
    run("ip", "netns", "add", "far")
    with Far():
        run("ip", "link", "set", "lo", "up")


# ---- paths -------------------------------------------------------------------------------

def nets(device):
    """The interfaces of a device, by port."""
    net = f"{device}/net"
    if not os.path.isdir(net):
        return []
    return sorted(os.listdir(net), key=lambda name: int(read(f"{net}/{name}/dev_port")))


def make_veth():
    run("ip", "link", "add", "veth0", "type", "veth", "peer", "name", "veth1")
    return "veth0", "veth1"


def make_segmented():
    """A veth whose frames have the length of its MTU."""
    run("ip", "link", "add", "seg0", "type", "veth", "peer", "name", "seg1")
    for name in ("seg0", "seg1"):
        run("ethtool", "-K", name, "tso", "off", "gso", "off", "gro", "off")
    return "seg0", "seg1"


def fast(name):
    """PARQ's link never limits. Frames wait in the NIC, and the sender is paused, until the
    receiver has run."""
    run("ethtool", "-s", name, "autoneg", "off", "speed", "400000", "duplex", "full")
    run("ethtool", "-A", name, "autoneg", "off", "rx", "on", "tx", "on")


def up(near, far, subnet, settle=lambda name: None):
    """The far interface is in the namespace of the receiver already."""
    for i, (name, there) in enumerate(((near, nullcontext()), (far, Far())), 1):
        with there:
            write(f"/proc/sys/net/ipv6/conf/{name}/disable_ipv6", "1")
            settle(name)
            run("ip", "addr", "add", f"10.0.{subnet}.{i}/24", "dev", name)
            run("ip", "link", "set", name, "up")
    wait_for(f"carrier of {near}", lambda: "LOWER_UP" in run("ip", "link", "show", near))


# ---- loads -------------------------------------------------------------------------------

def received(far):
    """Frames."""
    with Far():
        line = re.search(rf"^ *{far}:(.*)", read("/proc/thread-self/net/dev"), re.M)
    return int(line[1].split()[1])


@contextmanager
def pktgen(near, far, subnet, words):
    """Yields a function that sends frames and returns for how many nanoseconds pktgen sent. The
    time until its file returns is no measure: it is a multiple of 100 ms."""
    thread, path = "/proc/net/pktgen/kpktgend_0", f"/proc/net/pktgen/{near}"
    with Far():
        mac = re.search(r"link/ether (\S+)", run("ip", "link", "show", far))[1]
        # Nobody reads from it.
        sink = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sink.bind(("", 9))
    write(thread, "rem_device_all")
    write(thread, f"add_device {near}")
    for word in ("delay 0", f"dst_mac {mac}", f"dst 10.0.{subnet}.2", "udp_dst_min 9",
                 "udp_dst_max 9", "flag NO_TIMESTAMP", "xmit_mode start_xmit", *words):
        write(path, word)

    def send(frames):
        write(path, f"count {frames}")
        write("/proc/net/pktgen/pgctrl", "start\n")
        # It returns early if the thread has not begun in time.
        wait_for("pktgen", lambda: pktgen_ns(read(path)))
        return pktgen_ns(read(path))

    yield send
    write(thread, "rem_device_all")
    sink.close()


def pktgen_ns(status):
    """None: it has not sent all frames yet."""
    found = re.search(r"Result: OK: (\d+)\(", status)
    return int(found[1]) * 1000 if found else None
