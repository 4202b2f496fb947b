#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Sends a stream from another network namespace to this one.

usage: parq_stream.py tcp|sctp NAMESPACE ADDRESS BYTES

NAMESPACE is a name or a path. ADDRESS is one of this namespace. Prints the number of bytes that
arrived as they were sent, or the error's name.
"""

import errno
import os
import socket
import sys

PROTOCOLS = {"tcp": socket.IPPROTO_TCP, "sctp": 132}
PORT = 7000
SECONDS = 30
# A message of SCTP must fit into the sender's buffer.
PIECE = 8192


def stream(protocol, address):
    """Return a socket that does not wait for ever."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM, PROTOCOLS[protocol])
    sock.settimeout(SECONDS)
    return sock


def send(protocol, namespace, address, data):
    """Connect from the namespace, and send."""
    os.setns(os.open(os.path.join("/run/netns", namespace), os.O_RDONLY), os.CLONE_NEWNET)
    with stream(protocol, address) as sock:
        sock.connect((address, PORT))
        for at in range(0, len(data), PIECE):
            sock.sendall(data[at:at + PIECE])


def receive(listener, data):
    """Return how many bytes arrive in their order before the sender's end."""
    with listener.accept()[0] as sock:
        sock.settimeout(SECONDS)
        at = 0
        while piece := sock.recv(PIECE):
            if piece != data[at:at + len(piece)]:
                return at
            at += len(piece)
        return at


def main():
    protocol, namespace, address, size = sys.argv[1:]
    data = os.urandom(int(size))
    with stream(protocol, address) as listener:
        listener.bind((address, PORT))
        listener.listen()
        if not os.fork():
            try:
                send(protocol, namespace, address, data)
            except OSError as err:
                print(f"sender: {err}", file=sys.stderr)
            os._exit(0)
        print(receive(listener, data))


try:
    main()
except OSError as err:
    print(errno.errorcode.get(err.errno, err))
