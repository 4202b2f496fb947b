# SPDX-License-Identifier: GPL-2.0
"""parq-top over programs that print what they are told to: PARQ's port, one of mlx5, and one that
knows nothing of priorities."""

import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import rates
import sample
import show
import tap

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.join(HERE, "..", "top")


def link(name, **flags):
    return {"ifname": name, "flags": ["UP", "LOWER_UP"], **flags, "stats64": {
        "tx": {"dropped": 3, "errors": 1},
        "rx": {"dropped": 4, "missed_errors": 5, "over_errors": 50, "errors": 2}}}


PARQ = """NIC statistics:
     tx_prio3_bytes: {bytes}
     rx_prio3_bytes: 0
     rx_prio3_pause_duration: {paused}
     tx_prio3_pause_duration: 0
     rx_prio3_pause_storm_events: 2
     prio3_parked: 7
     prio3_parked_high: 70
     tx_prio3_dropped: 9
"""
MLX5 = """NIC statistics:
     rx_prio3_bytes: 5000000
     rx_prio3_pause: 12
     rx_prio3_pause_duration: 1000
     ch0_events: 77
"""
LINKS = [link("p0"), link("mlx0"), link("eth0"), link("lo", flags=["LOOPBACK", "LOWER_UP"])]
QDISCS = [{"kind": "mq", "dev": "p0", "root": True, "drops": 11},
          {"kind": "fq_codel", "dev": "p0", "parent": ":1", "drops": 11}]
PFC = {"pfc_cap": 8, "prio_pfc": [False] * 3 + [True] + [False] * 4,
       "requests": [0] * 3 + [40] + [0] * 4, "indications": [0] * 3 + [30] + [0] * 4}
SNMP = "Udp: InDatagrams RcvbufErrors\nUdp: 10 6\n"
SNMP6 = "Ip6InReceives 5\nUdp6RcvbufErrors 1\n"


class Namespace(sample.Namespace):
    """Two looks, a second apart."""

    looks = 0

    def run(self, *argv):
        words = " ".join(argv)
        if words.startswith("ip "):
            Namespace.looks += 1
            return json.dumps(LINKS)
        return {"ethtool -S p0": PARQ.format(bytes=self.looks * 125000000,
                                             paused=self.looks * 250000),
                "ethtool -S mlx0": MLX5,
                "dcb -j -s pfc show dev p0": json.dumps(PFC),
                "tc -j -s qdisc show": json.dumps(QDISCS),
                "cat /sys/class/net/p0/speed": "100000\n",
                "cat /proc/net/snmp": SNMP, "cat /proc/net/snmp6": SNMP6}.get(words)


class Samples(unittest.TestCase):
    """What is read, and what follows from it."""

    def setUp(self):
        Namespace.looks = 0
        original, sample.Namespace = sample.Namespace, Namespace
        self.addCleanup(setattr, sample, "Namespace", original)

    def rates(self):
        before, now = sample.take([""]), sample.take([""])
        for port in before.ports:
            port.ns = 0
        for port in now.ports:
            port.ns = 10**9
        return {port["port"]: port for port in rates.of(before, now)}

    def test_ports(self):
        self.assertEqual([port.name for port in sample.take([""]).ports], ["p0", "mlx0"])
        self.assertEqual([port.name for port in sample.take([""], ["eth0"]).ports], ["eth0"])

    def test_no_such_port(self):
        with self.assertRaisesRegex(sample.Failed, "^no interface 'p9'$"):
            sample.take([""], ["p0", "p9"])

    def test_port_that_went(self):
        self.assertEqual(sample.take([""], ["p9"], strict=False).ports, [])

    def test_rates(self):
        prio = self.rates()["p0"]["priorities"][3]
        self.assertEqual((prio["tx_mbit"], prio["rx_mbit"], prio["paused"], prio["pausing"]),
                         (1000.0, 0.0, 25.0, 0.0))
        self.assertEqual((prio["parked"], prio["storms"], prio["tx_drops"], prio["rx_drops"]),
                         (7, 2, 9, None))
        self.assertEqual((prio["pfc"], prio["pfc_tx"], prio["pfc_rx"]), (True, 0.0, 0.0))

    def test_other_driver(self):
        prio = self.rates()["mlx0"]["priorities"][3]
        self.assertEqual((prio["rx_mbit"], prio["paused"]), (0.0, 0.0))
        self.assertEqual((prio["pfc"], prio["tx_mbit"], prio["parked"]), (None, None, None))

    def test_places(self):
        self.assertEqual(self.rates()["p0"]["drops"],
                         {"qdisc": 11, "tx": 3, "rx": 9, "wire": 2, "socket": 7})
        self.assertEqual(self.rates()["mlx0"]["drops"]["qdisc"], 0)

    def test_no_ipv6(self):
        self.assertEqual(sample.socket_drops(SNMP), 6)

    def test_totals(self):
        self.assertEqual(self.rates()["p0"]["tx_mbit"], 1000.0)
        self.assertIsNone(self.rates()["mlx0"]["tx_mbit"])

    def test_reset(self):
        self.assertEqual(rates.since({"a": 100}, {"a": 30}, "a"), 30)

    def test_port_that_appears(self):
        before, now = sample.take([""], ["p0"]), sample.take([""])
        self.assertEqual([port["port"] for port in rates.of(before, now)], ["p0"])

    def test_text(self):
        lines = show.table([self.rates()["p0"]])
        self.assertIn("100G", lines[0])
        self.assertIn("lost: qdisc 11 tx 3 rx 9 wire 2 socket 7", lines[0])
        self.assertEqual(lines[5].split(), "3 on 1000.0 0.0 0.0 0.0 25.0 % 0.0 % 7 2 9".split())
        self.assertTrue(all(len(text) <= show.WIDTH for text in lines[1:]))

    def test_metrics(self):
        text = show.metrics(list(self.rates().values()))
        self.assertIn('parq_priority_parked_frames{netns="",device="p0",priority="3"} 7\n', text)
        self.assertIn('parq_lost_frames_total{netns="",device="p0",place="qdisc"} 11\n', text)
        self.assertNotIn("None", text)
        self.assertEqual(text.count("# TYPE"), len(set(text.split("# TYPE ")[1:])))


class Program(unittest.TestCase):
    """The program, with other programs in place of ip, tc, dcb and ethtool."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.pauses = os.path.join(self.directory, "pauses")
        for name, text in (("ip", json.dumps(LINKS)), ("tc", json.dumps(QDISCS)),
                           ("dcb", json.dumps(PFC)), ("ethtool", PARQ.format(bytes=1, paused=1))):
            path = os.path.join(self.directory, name)
            with open(path, "w", encoding="ascii") as file:
                # No namespace has a name.
                file.write(f"#!/bin/sh\n[ \"$2\" != netns ] || exit\ncat <<'END'\n{text}\nEND\n")
            os.chmod(path, 0o755)
        path = os.path.join(self.directory, "parq_pfc")
        with open(path, "w", encoding="ascii") as file:
            file.write("#!/bin/bash\ntrap 'echo released; exit' TERM\n"
                       f"exec >>{self.pauses}\necho \"$@\"\nwhile sleep 0.1; do :; done\n")
        os.chmod(path, 0o755)
        self.env = {**os.environ, "PATH": f"{self.directory}:/usr/bin:/bin", "TERM": "xterm"}

    def top(self, *argv):
        return subprocess.run([sys.executable, TOP, *argv], env=self.env, capture_output=True,
                              check=False, text=True)

    def test_json(self):
        done = self.top("--json", "-n", "2", "-i", "0.1", "p0")
        found = [json.loads(text) for text in done.stdout.splitlines()]
        self.assertEqual((done.returncode, done.stderr, len(found)), (0, "", 2))
        self.assertEqual(found[1]["ports"][0]["priorities"][3]["parked"], 7)

    def test_textfile(self):
        path = os.path.join(self.directory, "parq.prom")
        self.assertEqual(self.top("--textfile", path, "-n", "1", "-i", "0.1").returncode, 0)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read().count("parq_priority_parked_frames{"), 3)
        self.assertNotIn("tmp", "".join(os.listdir(self.directory)))

    def test_bad_input(self):
        for argv, text in ((["-i", "0"], "'0' is not a time from 0.1 to 3600 s"),
                           (["-n", "-1"], "'-1' is not a number from 1"),
                           (["p7"], "parq-top: no interface 'p7'"),
                           (["--textfile", "/nowhere/a", "-n", "1"], "/nowhere")):
            done = self.top(*argv)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(text, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_missing_program(self):
        self.env["PATH"] = "/nowhere"
        self.assertEqual(self.top("-n", "1").stderr,
                         "parq-top: ip is missing: apt install iproute2\n")

    def test_screen(self):
        record = os.path.join(self.directory, "record")
        signal.alarm(60)
        self.addCleanup(signal.alarm, 0)
        child, terminal = pty.fork()
        if not child:
            os.execve(sys.executable, [sys.executable, TOP, "-i", "0.1", "--record", record],
                      self.env)
        shown = b""
        # Each key when the screen shows what the one before did.
        for key, text in ((b"r", b"choose a port"), (b"r", b"recording"), (b"3", b"written"),
                          (b"3", b"is paused"), (b"q", b"may send")):
            while text not in shown:
                shown += os.read(terminal, 65536)
            # The pause has begun.
            while text == b"is paused" and not (os.path.exists(self.pauses) and
                                                os.path.getsize(self.pauses)):
                time.sleep(0.01)
            os.write(terminal, key)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        with open(self.pauses, encoding="ascii") as file:
            self.assertEqual(file.read(), "--dev p0 hold --prios 8 --speed 0\nreleased\n")
        self.assertIn(b"parked", shown)
        with open(record, encoding="utf-8") as file:
            self.assertTrue(all("ports" in json.loads(text) for text in file))


tap.main()
