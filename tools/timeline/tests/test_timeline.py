# SPDX-License-Identifier: GPL-2.0
"""Recordings of which the answer is known, by the command itself."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

import tap
from wire import IN, OUT, PEER, PORT, data, ip, link_pause, pfc, write

COMMAND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "timeline")
# A quantum at 1 Gb/s and at 10 Gb/s, ns.
Q1G, Q10G = 512, 51.2


class Timeline(unittest.TestCase):
    """Base: a directory for files, and the command."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = directory.name

    def path(self, name):
        return os.path.join(self.dir, name)

    def recording(self, packets, name="r.pcapng", **options):
        write(self.path(name), packets, **options)
        return self.path(name)

    def run_command(self, *args, fails=False, command=COMMAND, **environment):
        """The exit status says whether a frame started while its priority was paused."""
        done = subprocess.run([sys.executable, command, *args], capture_output=True, text=True,
                              check=False, env=os.environ | environment)
        self.assertNotIn("Traceback", done.stderr)
        leaked = "that started while paused" in done.stdout or '"violations": 1' in done.stdout
        self.assertEqual(done.returncode, 2 if fails else int(leaked), done.stdout + done.stderr)
        return done.stderr if fails else done.stdout

    def table(self, *args):
        """{priority: {column: text}}"""
        self.said = self.run_command("--text", *args)
        lines = self.said.split("\n\n")[1].splitlines()
        names = ["priority", "frames", "pauses", "longest", "paused", "allowed", "after", "parked",
                 "resume", "longest resume"]
        rows = [re.split(r"\s{2,}", line.strip()) for line in lines[1:]]
        return {row[0]: dict(zip(names, row)) for row in rows}

    def fails(self, *args):
        return self.run_command("--text", *args, fails=True)


class Pauses(Timeline):
    """What pauses a class, for how long, and what starts nevertheless."""

    def test_xon_ends_a_pause(self):
        row = self.table("--speed", "1G", self.recording([
            (0, OUT, data(3)), (10_000, IN, pfc({3: 1000})), (50_000, IN, pfc({3: 0})),
            (53_000, OUT, data(3))]))["3"]
        self.assertEqual((row["frames"], row["pauses"], row["longest"], row["after"]),
                         ("2", "1", "40.0 us", "0"))
        self.assertEqual(row["resume"], "3.00 us")

    def test_a_pause_runs_out_by_quanta_of_the_speed(self):
        for speed, longest in (("1G", "512 us"), ("10G", "51.2 us"), ("100M", "5.12 ms")):
            row = self.table("--speed", speed, self.recording([
                (0, IN, pfc({5: 1000})), (90_000_000, OUT, data(5))]))["5"]
            self.assertEqual(row["longest"], longest)

    def test_a_renewed_pause_is_one(self):
        row = self.table("--speed", "1G", self.recording([
            (0, IN, pfc({0: 100})), (40_000, IN, pfc({0: 100})), (200_000, OUT, data(0))]))["0"]
        self.assertEqual((row["pauses"], row["longest"]), ("1", "91.2 us"))

    def test_other_priorities_are_not_paused(self):
        rows = self.table("--speed", "1G", self.recording([
            (0, IN, pfc({1: 60000, 6: 60000})), (2_000_000, OUT, data(2)),
            (3_000_000, OUT, data(1))]))
        self.assertEqual({prio: row["after"] for prio, row in rows.items()},
                         {"1": "1", "2": "0", "6": "0"})

    def test_leaks_and_the_allowance(self):
        """At 1 Gb/s 2 quanta, 1024 ns: to the very nanosecond."""
        path = self.recording([
            (0, OUT, data(4)), (100_000, IN, pfc({4: 1000})), (100_000, OUT, data(4)),
            (100_001, OUT, data(4)), (101_024, OUT, data(4)), (101_025, OUT, data(4)),
            (611_999, OUT, data(4)), (612_000, OUT, data(4))])
        row = self.table("--speed", "1G", path)["4"]
        self.assertEqual((row["frames"], row["allowed"], row["after"]), ("7", "2", "2"))
        self.assertIn("first frame that started while paused, at 0.000101025 s", self.said)
        row = self.table("--speed", "1G", "--allowance", "0", path)["4"]
        self.assertEqual((row["allowed"], row["after"]), ("0", "4"))

    def test_allowance_by_speed(self):
        for speed, quanta in (("10G", 60), ("25G", 80), ("100G", 394), ("400G", 905)):
            self.table("--speed", speed, self.recording([(0, OUT, data(4))]))
            self.assertIn(f"within {quanta} quanta", self.said)
        self.table("--speed", "50G", self.recording([(0, OUT, data(4))]))
        self.assertIn("no response time is known for 50 Gb/s", self.said)

    def test_first_frames_after_pauses(self):
        """Median and longest; a pause without a frame before the next one has none."""
        packets = []
        for i, late in enumerate((1000, 7000, None, 3000)):
            packets += [(i * 10**6, IN, pfc({7: 500})), (i * 10**6 + 50_000, IN, pfc({7: 0}))]
            if late:
                packets.append((i * 10**6 + 50_000 + late, OUT, data(7)))
        row = self.table("--speed", "1G", self.recording(packets))["7"]
        self.assertEqual((row["pauses"], row["resume"], row["longest resume"]),
                         ("4", "3.00 us", "7.00 us"))

    def test_a_storm_need_not_be_obeyed(self):
        path = self.recording([(i * 10**6, IN, pfc({2: 60000})) for i in range(100)] +
                              [(99_500_000, OUT, data(2))])
        self.assertEqual(self.table("--speed", "1G", path)["2"]["after"], "1")
        self.assertEqual(self.table("--speed", "1G", "--storm", "50", path)["2"]["after"], "0")

    def test_priorities_shown(self):
        path = self.recording([(prio, OUT, data(prio)) for prio in range(8)])
        self.assertEqual(list(self.table("--speed", "1G", "--prio", "5,2", path)), ["2", "5"])

    def test_pfc_off(self):
        row = self.table("--speed", "1G", "--pfc", "3,4", self.recording([
            (0, IN, pfc({2: 60000})), (2_000_000, OUT, data(2))]))["2"]
        self.assertEqual((row["pauses"], row["after"]), ("0", "0"))

    def test_link_pause_beside_pfc(self):
        path = self.recording([
            (0, OUT, data(1)), (10_000, IN, link_pause(1000)), (200_000, OUT, data(1)),
            (1_000_000, IN, pfc({1: 100})), (1_020_000, OUT, data(1)),
            (2_000_000, IN, link_pause(1000)), (2_100_000, OUT, data(1))])
        row = self.table("--speed", "1G", path)["1"]
        self.assertEqual((row["pauses"], row["after"]), ("1", "1"))
        self.assertIn("2 link pause frames (802.3x) were received: shown, not judged", self.said)
        row = self.table("--speed", "1G", "--link-pause", path)["1"]
        self.assertEqual((row["pauses"], row["after"]), ("2", "2"))

    def test_the_window_keeps_what_began_before(self):
        path = self.recording([(0, IN, pfc({3: 2000})), (500_000, OUT, data(3)),
                               (900_000, OUT, data(3)), (2_000_000, OUT, data(3))])
        row = self.table("--speed", "1G", "--from", "700us", "--to", "1ms", path)["3"]
        self.assertEqual((row["frames"], row["pauses"], row["longest"], row["paused"],
                          row["after"]), ("1", "1", "1.02 ms", "300 us", "1"))


class Sources(Timeline):
    """Recordings of all kinds."""

    def test_speed_of_the_recording(self):
        path = self.recording([(0, IN, pfc({5: 1000})), (90_000_000, OUT, data(5))],
                              speed=25 * 10**9)
        self.assertEqual(self.table(path)["5"]["longest"], "20.5 us")
        self.assertIn("25 Gb/s", self.said)

    def test_no_pfc_frame(self):
        row = self.table("--speed", "10G", self.recording([(0, OUT, data(5)), (9, OUT, data(5))]))
        self.assertEqual((row["5"]["frames"], row["5"]["pauses"]), ("2", "0"))
        self.assertIn("no PFC frame was received", self.said)

    def test_snaplen_64(self):
        row = self.table("--speed", "1G", self.recording([
            (0, IN, pfc({3: 1000})), (100_000, OUT, data(3)), (600_000, OUT, data(3))],
            snaplen=64))["3"]
        self.assertEqual((row["longest"], row["after"]), ("512 us", "1"))

    def test_pfc_frames_cut_too_short(self):
        self.table("--speed", "1G", self.recording([
            (0, IN, pfc({7: 1000})), (100_000, OUT, data(3))], snaplen=24))
        self.assertIn("1 MAC control frames are neither PFC nor 802.3x, or cut short", self.said)

    def test_truncated_file(self):
        path = self.recording([(i * 1000, OUT, data(1)) for i in range(100)])
        os.truncate(path, os.path.getsize(path) - 500)
        self.assertEqual(self.table("--speed", "1G", path)["1"]["frames"], "99")
        self.assertIn("incomplete: ", self.said)

    def test_interface_that_is_paused(self):
        packets = [(0, OUT, data(3), 0), (1, OUT, data(3), 0), (5, IN, pfc({3: 9}), 1),
                   (100_000, OUT, data(3), 1)]
        path = self.recording(packets, names=("p0", "p1"))
        self.assertEqual(self.table("--speed", "1G", path)["3"]["frames"], "1")
        self.assertIn("other interfaces in the recording: p0", self.said)
        rows = self.table("--speed", "1G", "--interface", "p0", path)
        self.assertEqual(rows["3"]["frames"], "2")
        self.assertIn("--interface p7: no frames of it; there are p0, p1",
                      self.fails("--speed", "1G", "--interface", "p7", path))

    def test_no_direction(self):
        packets = [(0, None, data(3)), (1000, None, pfc({3: 1000})), (90_000, None, data(3)),
                   (95_000, None, data(3, src="02:00:00:00:00:09", dst=PORT))]
        path = self.recording(packets)
        self.assertIn("say with --addr which port is judged",
                      self.fails("--speed", "1G", path))
        row = self.table("--speed", "1G", "--addr", PORT, path)["3"]
        self.assertEqual((row["frames"], row["after"]), ("2", "1"))
        row = self.table("--speed", "1G", self.recording(packets[:3]))["3"]
        self.assertEqual((row["frames"], row["after"]), ("2", "1"))
        self.assertIn(f"those from {PORT} count as sent", self.said)
        self.assertIn(f"--addr {PEER[:-1]}7: no frame",
                      self.fails("--speed", "1G", "--addr", PEER[:-1] + "7", path))

    def test_what_the_port_sends_itself(self):
        rows = self.table("--speed", "1G", self.recording([
            (0, OUT, pfc({3: 1000}, src=PORT)), (90_000, OUT, data(3))]))
        self.assertEqual((rows["3"]["pauses"], rows["3"]["after"]), ("0", "0"))
        self.assertIn("the port itself sends 1 MAC control frames", self.said)

    def test_priorities_of_untagged_frames(self):
        path = self.recording([(0, IN, pfc({3: 1000})), (100_000, OUT, ip(26)),
                               (100_500, OUT, ip(48))])
        rows = self.table("--speed", "1G", path)
        self.assertEqual((rows["none"]["frames"], rows["none"]["after"], rows["3"]["frames"]),
                         ("2", "0", "0"))
        self.assertIn("2 frames name no priority", self.said)
        rows = self.table("--speed", "1G", "--trust", "pcp,dscp", path)
        self.assertEqual((rows["3"]["after"], rows["6"]["frames"]), ("1", "1"))
        rows = self.table("--speed", "1G", "--trust", "dscp", "--dscp-prio", "26:5,48:3", path)
        self.assertEqual((rows["5"]["frames"], rows["3"]["after"]), ("1", "1"))
        rows = self.table("--speed", "1G", "--default-prio", "3", path)
        self.assertEqual(rows["3"]["after"], "2")

    def test_time_that_runs_backwards(self):
        row = self.table("--speed", "1G", self.recording([
            (0, OUT, data(3)), (100_000, OUT, data(3)), (10_000, IN, pfc({3: 1000}))]))["3"]
        self.assertEqual(row["after"], "1")
        self.assertIn("time runs backwards", self.said)


    def test_other_formats(self):
        path = self.recording([(0, IN, pfc({3: 1000})), (90_000, OUT, data(3))])
        subprocess.run(["editcap", "-F", "nsecpcap", path, self.path("r.pcap")], check=True)
        row = self.table("--speed", "1G", self.path("r.pcap"))["3"]
        self.assertEqual((row["longest"], row["after"]), ("90.0 us", "1"))


class Json(Timeline):
    """The table for other programs."""

    def test_the_table(self):
        path = self.recording([(0, IN, pfc({3: 1000})), (90_000, OUT, data(3)),
                               (600_000, OUT, data(3))], speed=10**9)
        for prio, leaks, first in (("3", 1, 90_000), ("4", 0, None)):
            said = json.loads(self.run_command("--json", "--prio", prio, path))
            self.assertEqual((said["mbit"], said["interface"], said["end"], said["violations"]),
                             (1000, "p0", 600_000, leaks))
            row = said["priorities"][0]
            self.assertEqual((row["started_while_paused"], row["first_started_while_paused"]),
                             (leaks, first))
        self.assertFalse(os.path.exists(self.path("r.svg")))


class Installed(Timeline):
    """As in the package: the files of this directory, and parq_wire among the programs."""

    def test_the_judge_is_found(self):
        path = self.recording([(0, OUT, data(3))], speed=10**9)
        room = os.path.dirname(COMMAND)
        for name in os.listdir(room):
            if name == "timeline" or name.endswith(".py"):
                shutil.copy(os.path.join(room, name), self.dir)
        programs = os.path.dirname(os.environ["PARQ_WIRE"]) + ":" + os.environ["PATH"]
        self.run_command("--text", path, command=self.path("timeline"), PATH=programs)
        self.assertIn("parq_wire is missing", self.run_command(
            "--text", path, fails=True, command=self.path("timeline"), PATH=self.dir))


class BadInput(Timeline):
    """An error names what is wrong."""

    def test_values(self):
        path = self.recording([(0, OUT, data(3))])
        for args, said in (
                (("--speed", "fast"), "'fast' is not a speed"),
                (("--from", "5q"), "'5q' is not a time"),
                (("--from", "9" * 400), "9' is not a time"),
                (("--speed", "9" * 400 + "G"), "9G' is not a speed"),
                (("--storm", "\u00b2"), "'\u00b2' is not a number from 1 to 65535"),
                (("--interface", "\udcff"), "\\xff"),
                (("--pfc", "8"), "'8' is not a list of priorities"),
                (("--trust", "vlan"), "'vlan': not pcp, dscp"),
                (("--dscp-prio", "64:1"), "'64:1': not a list such as"),
                (("--default-prio", "9"), "'9' is not a number from 0 to 7"),
                (("--allowance", "-1"), "--allowance"),
                (("--allowance", "x"), "'x': not a number from 0 to 65535"),
                (("--addr", "p0"), "'p0': not like 02:00:00:00:00:01")):
            self.assertIn(said, self.fails(*args, path))

    def test_windows(self):
        path = self.recording([(0, OUT, data(3)), (10**9, OUT, data(3))])
        self.assertIn("--from 2 s", self.fails("--speed", "1G", "--from", "2", path))
        self.assertIn("--to 0.1 s is not after --from 0.5 s",
                      self.fails("--speed", "1G", "--from", "0.5", "--to", "0.1", path))

    def test_files(self):
        path = self.recording([(0, OUT, data(3))])
        self.assertIn("does not tell the speed of p0", self.fails(path))
        self.assertIn("nofile: No such file", self.fails("nofile"))
        self.assertIn(__file__, self.fails("--speed", "1G", __file__))
        self.assertIn("has no frames", self.fails("--speed", "1G", self.recording([], "e.pcapng")))
        self.assertIn("no.txt: No such file", self.fails(
            "--speed", "1G", "--trace", "no.txt", path))
        self.assertIn("no event of PARQ", self.fails("--speed", "1G", "--trace", COMMAND, path))
        cut = self.path("cut\udcff")
        with open(path, "rb") as whole, open(cut, "wb") as part:
            part.write(whole.read(30))
        self.assertIn("cut\\", self.fails("--speed", "1G", cut))


# A pause from beginning to end, as events of the driver; the device's clock is at 777 ns when
# the recording begins.
DEVICE_NS = 777
PAUSED = """\
  irq-63  [000] .....  0.100000: parq_pause: {0} prio 3 on quanta 1000 time {1}
  irq-63  [000] .....  0.100001: parq_fsm: {0} prio 3 idle -> halting offload levels 0x0 time {1}
  irq-63  [000] .....  0.100002: parq_park: {0} prio 3 queue 3 order 9 depth 1 time {2}
  irq-63  [000] .....  0.100003: parq_park: {0} prio 3 queue 3 order 10 depth 2 time {2}
  irq-63  [000] .....  0.100004: parq_pause: {0} prio 3 off quanta 0 time {3}
  irq-63  [000] .....  0.100005: parq_pass: {0} prio 3 begun fds 2 time {3}
  irq-63  [000] .....  0.100006: parq_reinject: {0} prio 3 queue 3 order 9 depth 0 time {4}
  irq-63  [000] .....  0.100007: parq_pass: {0} prio 3 ended fds 2 time {4}
  irq-63  [000] .....  0.100008: parq_fsm: {0} prio 3 releasing -> idle offload levels 0x0 time {4}
"""


def paused(at, netdev="p0"):
    return PAUSED.format(netdev, *(DEVICE_NS + at + more for more in (0, 2000, 60_000, 64_000)))


class Traces(Timeline):
    """Tracepoints beside a recording."""

    def setUp(self):
        super().setUp()
        # Other pauses of the same kind, at other intervals.
        packets = [(0, OUT, data(3))]
        for at in (100_000, 700_000, 1_900_000, 2_500_000):
            packets += [(at, IN, pfc({3: 1000})), (at + 60_000, IN, pfc({3: 0}))]
        packets.append((3_000_000, OUT, data(3)))
        self.wire = self.recording(packets)

    def trace(self, text):
        with open(self.path("trace"), "w", encoding="ascii") as file:
            file.write("# tracer: nop\n" + text)
        return self.path("trace")

    def test_clocks_and_parked_frames(self):
        rows = self.table("--speed", "1G", "--trace", self.trace(paused(700_000) +
                                                                 paused(1_900_000)), self.wire)
        self.assertIn("clock set by 2 of 2 pauses that begin in both, which then differ by 0 ns",
                      self.said)
        self.assertEqual((rows["3"]["parked"], rows["3"]["pauses"]), ("2", "2"))
        self.assertRegex(self.said, r"from 0\.0006\d+ to 0\.0020\d+ s")

    def test_trace_cmd_report(self):
        text = "cpus=2\n" + paused(700_000).replace("[000] .....", "[001]") + \
            paused(1_900_000).replace("parq_pause: p0", "parq_pause:           p0")
        self.table("--speed", "1G", "--trace", self.trace(text), self.wire)
        self.assertIn("clock set by 2 of 2", self.said)

    def test_not_of_this_recording(self):
        text = "".join(paused(at) for at in (700_000, 1_950_000, 2_950_000))
        self.assertIn("not of the same port and time", self.fails(
            "--speed", "1G", "--trace", self.trace(text), self.wire))

    def test_numbers_are_too_long(self):
        for line in ("[LOST " + "9" * 5000 + " EVENTS]\n",
                     paused(700_000).replace("0.1", "9" * 400 + ".1")):
            self.assertIn("more than 64 bits", self.fails(
                "--speed", "1G", "--trace", self.trace(paused(700_000) + line), self.wire))

    def test_one_pause_fits_everywhere(self):
        self.assertIn("fits", self.fails("--speed", "1G", "--trace", self.trace(paused(700_000)),
                                         self.wire))

    def test_steps_of_the_driver(self):
        text = paused(700_000) + paused(1_900_000)
        text = re.sub(r"(parq_fsm: .*) offload (.*) time \d+", r"\1 managed \2 time 0", text)
        self.table("--speed", "1G", "--trace", self.trace(text), self.wire)
        self.assertIn("the kernel's clock only", self.said)

    def test_netdev(self):
        text = paused(700_000, "eth0") + paused(1_900_000, "eth0")
        self.table("--speed", "1G", "--trace", self.trace(text), self.wire)
        self.assertIn("trace: eth0, clock set", self.said)
        trace = self.trace(text + paused(0, "eth1"))
        self.assertIn("events of eth0, eth1, none of p0: say --netdev",
                      self.fails("--speed", "1G", "--trace", trace, self.wire))
        self.table("--speed", "1G", "--netdev", "eth0", "--trace", trace, self.wire)
        self.assertIn("--netdev x: no events of it; there are eth0, eth1", self.fails(
            "--speed", "1G", "--netdev", "x", "--trace", trace, self.wire))

    def test_lost_events(self):
        text = paused(700_000) + "CPU:0 [LOST 12 EVENTS]\n" + paused(1_900_000)
        self.table("--speed", "1G", "--trace", self.trace(text), self.wire)
        self.assertIn("12 events were lost", self.said)

    def test_a_line_that_is_broken(self):
        trace = self.trace(paused(700_000) + paused(1_900_000).replace("depth 2", "depth x"))
        self.assertIn("trace:14: not what parq_park says", self.fails(
            "--speed", "1G", "--trace", trace, self.wire))


class Details(Timeline):
    """The pause that is shown step by step."""

    QUIET = [(0, OUT, data(3)), (5_000_000, OUT, data(3))]

    def steps(self, packets, *args):
        path = self.recording(sorted([*self.QUIET, *packets], key=lambda packet: packet[0]))
        self.said = self.run_command("--text", "--speed", "1G", *args, path)
        return re.findall(r"^  \d +(\S+ \S+)  (.*)$", self.said, re.MULTILINE)

    def pause(self, at, length, prio=3, quanta=60000):
        """A frame before, one after, and XON between them."""
        return [(at - 5000, OUT, data(prio)), (at, IN, pfc({prio: quanta})),
                (at + length, IN, pfc({prio: 0})), (at + length + 700, OUT, data(prio))]

    def test_the_shortest(self):
        steps = self.steps(self.pause(100_000, 90_000) + self.pause(1_000_000, 40_000))
        self.assertEqual([time for time, _ in steps], ["0 ns", "40.0 us", "40.7 us"])
        self.assertIn("XON", steps[1][1])
        self.assertIn("begins at 0.001000000 s", self.said)

    def test_none_is_worth_it(self):
        leaks = self.pause(100_000, 90_000) + [(150_000, OUT, data(3))]
        cut_off = self.pause(100_000, 90_000)[:-1]
        long = self.pause(100_000, 3_000_000)
        idle = self.pause(100_000, 90_000)[1:]
        for packets, args in ((leaks, ()), (cut_off, ("--to", "4ms")), (long, ()), (idle, ())):
            self.assertEqual(self.steps(packets, *args), [], self.said)

    def test_the_engine(self):
        """The trace has two pauses; the one that parks most is taken."""
        with open(self.path("trace"), "w", encoding="ascii") as file:
            file.write(re.sub("depth 2", "depth 5", paused(700_000)) + paused(1_900_000))
        packets = []
        for at in (100_000, 700_000, 1_900_000, 2_500_000):
            packets += self.pause(at, 60_000, quanta=1000)
        steps = self.steps(packets, "--trace", self.path("trace"))
        self.assertIn("begins at 0.000700000 s", self.said)
        self.assertEqual([time for time, _ in steps],
                         ["0 ns", "2.00 us", "60.0 us", "60.0 us", "64.0 us", "64.0 us"])
        self.assertIn("5 are parked", steps[1][1])

    def test_drawn(self):
        path = self.recording(self.QUIET[:1] + self.pause(100_000, 90_000) + self.QUIET[1:])
        self.run_command("--speed", "1G", "-o", self.path("out"), path)
        with open(self.path("out.svg"), encoding="utf-8") as svg:
            self.assertIn("One pause of priority 3 in detail", svg.read())


class Pictures(Timeline):
    """Both files are written, and are what their names say."""

    def draw(self, *args):
        before = os.times()
        said = self.run_command("--speed", "10G", "-o", self.path("out"), *args)
        now = os.times()
        self.used = sum(now[2:4]) - sum(before[2:4])
        self.assertIn(f"picture: {self.path('out.svg')} {self.path('out.png')}", said)
        with open(self.path("out.png"), "rb") as png:
            self.assertEqual(png.read(8), b"\x89PNG\r\n\x1a\n")
        with open(self.path("out.svg"), encoding="utf-8") as svg:
            text = svg.read()
        xml.dom.minidom.parseString(text)
        return text

    def test_leaks_are_red(self):
        quiet = [(0, IN, pfc({3: 1000})), (90_000, OUT, data(3))]
        self.assertIn("frame started while paused: none", self.draw(self.recording(quiet)))
        text = self.draw(self.recording(quiet + [(100_000, IN, pfc({3: 1000})),
                                                 (110_000, OUT, data(3))]))
        self.assertIn(">1 started while paused<", text)
        self.assertIn("#d1001c", text)

    def test_one_frame(self):
        self.draw(self.recording([(0, OUT, data(3))]))

    def test_a_pause_frame_alone(self):
        self.draw(self.recording([(0, IN, pfc({3: 1000}))]))

    def test_link_pause(self):
        self.assertIn("link pause (802.3x)", self.draw(self.recording([
            (0, IN, link_pause(1000)), (90_000, OUT, data(3))])))

    def test_the_same_again(self):
        path = self.recording([(0, IN, pfc({3: 1000})), (90_000, OUT, data(3))])
        self.assertEqual(self.draw(path), self.draw(path))

    def test_no_matplotlib(self):
        """The findings are printed all the same."""
        with open(self.path("matplotlib.py"), "w", encoding="ascii") as file:
            file.write("raise ModuleNotFoundError(name='matplotlib')\n")
        said = self.run_command("--speed", "1G", self.recording([(0, OUT, data(3))]),
                                PYTHONPATH=os.path.dirname(self.path("matplotlib.py")))
        self.assertIn("no PFC frame was received", said)
        self.assertIn("no picture, matplotlib is missing", said)

    def test_no_place_for_it(self):
        path = self.recording([(0, OUT, data(3))])
        self.assertIn("No such file or directory", self.run_command(
            "--speed", "1G", "-o", self.path("none/out"), path, fails=True))

    def test_many_frames(self):
        """200000 frames, 2000 pauses and one leak: it is seen, and the picture stays small."""
        packets = []
        for i in range(230_000):
            if i % 100 and i % 8 != i // 100 % 8:
                packets.append((i * 1000, OUT, data(i % 8, 64)))
            if i % 100 == 0:
                packets.append((i * 1000 + 1, IN, pfc({(i // 100 - 1) % 8: 0})))
                packets.append((i * 1000 + 2, IN, pfc({i // 100 % 8: 0xffff})))
        packets += [(230_000_000, IN, pfc({0: 0xffff})), (230_010_000, OUT, data(0))]
        path = self.recording(packets, snaplen=64)
        text = self.draw(path)
        print(f"# {self.used:.1f} s of processor", flush=True)
        self.assertLess(self.used, 30)
        self.assertIn(">1 started while paused<", text)
        self.assertLess(len(text), 1_000_000)


if __name__ == "__main__":
    tap.main()
