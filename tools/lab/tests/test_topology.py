# SPDX-License-Identifier: GPL-2.0
"""Topology files: what is read, and that each bad value is refused with file, key and value."""

import os
import tempfile
import unittest

import tap
import topology
from reader import BadTopology, Node

GOOD = """
parq-lab: 1
about: a lab
defaults:
  port: {pfc: [3], mtu: 9000}
  nic: {fetch: 100ms, txq: 16}
  cable: {length: 100, speed: 100M}
hosts:
  host-a:
    nics:
      left:
        rxq: 4
        ports:
          a0:
            addresses: [10.0.0.1/24]
            pfc: [4, 3, 4]
            ets: {tc-tsa: {3: ets, 4: ets}, tc-bw: {3: 60, 4: 40}, prio-tc: {3: 3, 4: 4}}
            dscp-prio: {26: 3}
            storm: 200ms
            vlans: {v3: {id: 10, priority: 3, addresses: [2001:db8::1/64]}}
          a1: {qdisc: pfifo limit 100}
          a2: {pfc: [], pause: [tx, rx], netdev: tap0}
          a3: {trust: [dscp, pcp], buffer: {buffer-size: {0: 65536, 1: 131072}, prio-buffer: {3: 1}}}
  host-b:
    pid: 4711
    nics:
      right: {ports: {b0: {}, b1: {}}}
    bridges: {br0: [b0, b1]}
cables:
  - {ends: [host-a a0, host-b b0]}
  - {ends: [host-a a1, host-b b1], length: 0, speed: 2.5G}
"""


class Good(unittest.TestCase):
    """What is in a file."""

    def setUp(self):
        self.found = topology.parse("my.yaml", GOOD)

    def test_ports(self):
        port = self.found.port("host-a a0")
        self.assertEqual((port.pfc, port.mtu, port.storm_ms, port.dscp, port.number),
                         ([3, 4], 9000, 200, {26: 3}, 0))
        self.assertEqual([port.ets["tc-tsa"][i] for i in (0, 3, 4)], ["strict", "ets", "ets"])
        self.assertEqual(port.ets["tc-bw"], {0: 0, 1: 0, 2: 0, 3: 60, 4: 40, 5: 0, 6: 0, 7: 0})
        self.assertEqual((port.vlans[0].vid, port.vlans[0].priority), (10, 3))
        self.assertEqual(self.found.port("host-a a1").pfc, [3])
        self.assertEqual(self.found.port("host-a a1").qdisc, ["pfifo", "limit", "100"])

    def test_more_ports(self):
        port = self.found.port("host-a a2")
        self.assertEqual((port.pfc, port.pause, port.netdev), ([], ["tx", "rx"], "tap0"))
        port = self.found.port("host-a a3")
        self.assertEqual((port.trust, port.buffer["prio-buffer"][3],
                          port.buffer["buffer-size"][1]), (["dscp", "pcp"], 1, 131072))

    def test_nics(self):
        self.assertEqual(self.found.hosts[0].nics[0].options,
                         {"ports": "4", "txq": "16", "rxq": "4", "fetch": "100000000"})
        self.assertTrue(self.found.hosts[0].ipv6)

    def test_mac_of_digits(self):
        for mac in ("12:00:00:00:00:02", "02:00:00:00:00:59", "52:54:00:12:34:5e"):
            found = topology.parse("my.yaml", GOOD.replace("rxq: 4", f"mac: {mac}"))
            self.assertEqual(found.hosts[0].nics[0].options["mac"], mac)

    def test_durations(self):
        """Any number of whole units."""
        for text, unit, number in (("1.001s", "ms", 1001), ("2.01s", "ms", 2010), ("7ms", "ms", 7),
                                   ("0.067s", "ms", 67), ("16.1us", "ns", 16100)):
            self.assertEqual(Node("", "", text).duration(unit, 0, 10**6), number)
        for text in ("1.0001s", "0.5ms", "1001s", "-1ms", "s", "1.s", None):
            with self.subTest(text), self.assertRaises(BadTopology):
                Node("", "", text).duration("ms", 0, 10**6)

    def test_hosts(self):
        self.assertEqual((self.found.hosts[1].pid, self.found.hosts[1].bridges),
                         (4711, {"br0": ["b0", "b1"]}))
        self.assertFalse(self.found.hosts[1].ipv6)

    def test_cables(self):
        self.assertEqual([(cable.length, cable.speed) for cable in self.found.cables],
                         [(100, "100M"), (0, "2.5G")])
        self.assertIs(self.found.port("host-b b1").cable, self.found.cables[1])


SWITCH = """
parq-lab: 1
hosts:
  box: {nics: {right: {ports: {b0: {}, b1: {}}}}}
switches:
  NAME: {ports: {PORTS}}
"""


class Switches(unittest.TestCase):
    """Hosts with one NIC that forwards, which has more ports."""

    @staticmethod
    def parse(number, name="sw"):
        ports = ", ".join(f"s{n}: {{}}" for n in range(number))
        return topology.parse("my.yaml", SWITCH.replace("NAME", name).replace("PORTS", ports))

    def test_ports(self):
        found = self.parse(64)
        nic = found.hosts[1].nics[0]
        self.assertEqual((nic.name, nic.options["ports"], nic.options["forward"]),
                         ("sw", "64", "1"))
        self.assertEqual((nic.ports[63].host, nic.ports[63].number), ("sw", 63))
        self.assertEqual(found.hosts[1].bridges["br0"], [f"s{n}" for n in range(64)])
        with self.assertRaisesRegex(BadTopology, "not 65$"):
            self.parse(65)

    def test_five_ports_of_a_host(self):
        text = SWITCH.replace("switches:", "# ").replace("NAME", "# ")
        five = text.replace("b1: {}", "b1: {}, b2: {}, b3: {}, b4: {}")
        with self.assertRaisesRegex(BadTopology, "not 5$"):
            topology.parse("my.yaml", five)
        found = topology.parse("my.yaml", five.replace("{ports", "{forward: true, ports"))
        self.assertEqual(found.hosts[0].nics[0].options["ports"], "5")

    def test_names(self):
        self.assertEqual(self.parse(10, "thirteenchars").hosts[1].nics[0].ports[9].first_name,
                         "thirteencharsp9")
        for number, name, reason in ((11, "thirteenchars", "too long for the first name"),
                                     (2, "fourteen-chars", "a NIC's name has 1 to 13"),
                                     (2, "box", "switches: a host is called 'box', too"),
                                     (2, "right", "two NICs are called 'right'")):
            with self.subTest(name), self.assertRaisesRegex(BadTopology, reason):
                self.parse(number, name)


# Each replaces a part of the good file. The answer follows the file's name.
BAD = [
    ("parq-lab: 1", "parq-lab: 2",
     "parq-lab: '2': the file needs a newer parq-lab: this one knows version 1"),
    ("parq-lab: 1", "parq-lab: x", "parq-lab: 'x': a version is 1 to 1000000"),
    ("parq-lab: 1", "", "'parq-lab' is missing"),
    ("about: a lab", "hosts: {}", "'hosts' appears twice"),
    ("about: a lab", "about: [", "while parsing"),
    ("about: a lab", "colour: red", "colour: unknown key; known here: about, cables"),
    ("about: a lab", "about: 3", "about: '3': is not a text"),
    ("[3], mtu: 9000", "[3], mtu: 10241", "defaults.port.mtu: '10241': a number is 68 to 10240"),
    ("[3], mtu: 9000", "[8]", "defaults.port.pfc[0]: '8': a priority is 0 to 7"),
    ("[3], mtu: 9000", "3", "defaults.port.pfc: '3': is not a list, '[a, b]'"),
    ("[4, 3, 4]", "[true]", "hosts.host-a.nics.left.ports.a0.pfc[0]: 'True': a priority is"),
    ("fetch: 100ms", "fetch: 100", "defaults.nic.fetch: '100': is not a time from 0ns to"),
    ("fetch: 100ms", "fetch: 2s", "defaults.nic.fetch: '2s': is not a time from 0ns to"),
    ("txq: 16", "txq: 7", "defaults.nic.txq: '7': a number is 8 to 64"),
    ("txq: 16", "no-offload: 1", "defaults.nic.no-offload: '1': is neither true nor false"),
    ("txq: 16", "forward: on it", "defaults.nic.forward: 'on it': is neither true nor false"),
    ("txq: 16", "mac: 01:00:00:00:00:01", "defaults.nic.mac: '01:00:00:00:00:01': a unicast"),
    ("{length: 100,", "{length: -1,", "defaults.cable.length: '-1': a number is 0 to 100000"),
    ("speed: 100M", "speed: 3G", "defaults.cable.speed: '3G': is not one of 10M, 100M"),
    ("speed: 100M", "speed: 100", "defaults.cable.speed: '100': is not one of 10M, 100M"),
    ("  host-a:", "  'host a':", "hosts.host a: 'host a': a name has 1 to 31 letters"),
    ("  host-a:", "  7:", "hosts.7: '7': a name has 1 to 31 letters"),
    ("      left:", "      fourteen-chars:", "hosts.host-a.nics.fourteen-chars: 'fourteen-chars'"),
    ("      left:", "      right:", "hosts: two NICs are called 'right'"),
    ("          a1:", "          a0:", "'a0' appears twice"),
    ("          a1:", "          v3:", "hosts.host-a: two interfaces are called 'v3'"),
    ("          a1:", "          lo:", "hosts.host-a: two interfaces are called 'lo'"),
    ("          a1:", "          a/1:", "hosts.host-a.nics.left.ports.a/1: 'a/1': an interface's"),
    ("10.0.0.1/24", "10.0.0.1", "hosts.host-a.nics.left.ports.a0.addresses[0]: '10.0.0.1': an "
     "address has a prefix length"),
    ("3: 60", "3: 70", "ports.a0.ets.tc-bw: bandwidths add up to 110, not to 100"),
    ("3: 60", "5: 60", "ports.a0.ets.tc-bw: class 5 has a bandwidth but is not 'ets'"),
    ("tc-tsa: {3: ets", "tc-tsa: {3: wfq", "ets.tc-tsa.3: 'wfq': is not one of strict, ets"),
    ("prio-tc: {3: 3", "prio-tc: {9: 3", "ets.prio-tc.9: '9': a priority is 0 to 7"),
    ("{26: 3}", "{64: 3}", "dscp-prio.64: '64': a DSCP is 0 to 63"),
    ("200ms", "0ms", "ports.a0.storm: '0ms': is not a time from 1ms to 65534ms"),
    ("id: 10", "id: 4095", "vlans.v3.id: '4095': a number is 1 to 4094"),
    ("storm: 200ms", "record: state", "ports.a0.record: 'state': a file name without blanks"),
    ("id: 10, ", "", "vlans.v3: 'id' is missing"),
    ("pfifo limit 100", "'pfifo; reboot'", "ports.a1.qdisc: 'pfifo; reboot': a qdisc"),
    ("limit 100", "limit 100, root-qdisc: pfifo", "ports.a1.root-qdisc: 'pfifo': 'qdisc' is set"),
    ("pid: 4711", "pid: self", "hosts.host-b.pid: 'self': a number is 1 to"),
    ("{b0: {}, b1: {}}", "{}",
     "hosts.host-b.nics.right.ports: a NIC has 1 to 4 ports, with forward up to 64, not 0"),
    ("[b0, b1]}", "[b0, a1]}", "hosts.host-b.bridges.br0[1]: 'a1': host-b has no such port"),
    ("host-b b0]", "host-b b7]", "cables[0].ends[1]: 'host-b b7': no host has such a port"),
    ("host-b b1]", "host-b b0]", "cables[1].ends[1]: 'host-b b0': this port has a cable already"),
    ("a1, host-b b1]", "a1]", "cables[1].ends: a cable has two ends"),
    ("host-b b1]", "host-a a2]", "cables[1].ends[1]: 'host-a a2': the wire of this port ends at"),
    ("[tx, rx]", "[tx, tx]", "ports.a2.pause: a name appears twice"),
    ("[tx, rx]", "[all]", "ports.a2.pause[0]: 'all': is not one of rx, tx"),
    ("{pfc: [], ", "{pfc: [1], ", "ports.a2.pause: 'pfc' is set, too"),
    ("netdev: tap0", "netdev: a/b", "ports.a2.netdev: 'a/b': an interface's name"),
    ("[dscp, pcp]", "[vid]", "ports.a3.trust[0]: 'vid': is not one of dscp, pcp"),
    ("{3: 1}}", "{3: 8}}", "buffer.prio-buffer.3: '8': a buffer is 0 to 7"),
    ("{0: 65536,", "{8: 65536,", "buffer.buffer-size.8: '8': a buffer is 0 to 7"),
    ("buffer-size: {0: 65536, 1: 131072}, ", "", "ports.a3.buffer: 'buffer-size' is missing"),
]


class Bad(unittest.TestCase):
    """What is refused."""

    def test_refused(self):
        for old, new, reason in BAD:
            with self.subTest(new):
                self.assertIn(old, GOOD)
                with self.assertRaises(BadTopology) as said:
                    topology.parse("my.yaml", GOOD.replace(old, new, 1))
                self.assertTrue(str(said.exception).startswith("my.yaml: "), said.exception)
                self.assertIn(reason, str(said.exception))

    def test_files(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "no.yaml")
            with self.assertRaisesRegex(BadTopology, "no.yaml: No such file"):
                topology.read(path)
            with open(path, "wb") as file:
                file.write(b"\xff\xfe\xff")
            with self.assertRaisesRegex(BadTopology, "no.yaml: "):
                topology.read(path)
        for text in ("", "[]", "parq-lab", "? [a]\n: 3"):
            with self.assertRaises(BadTopology):
                topology.parse("my.yaml", text)


if __name__ == "__main__":
    tap.main()
