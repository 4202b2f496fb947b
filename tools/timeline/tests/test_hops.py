# SPDX-License-Identifier: GPL-2.0
"""Labs of which the answer is known: which pause caused which, by the command itself."""

import json
import os
import xml.dom.minidom

import tap
from test_timeline import Timeline
from wire import IN, OUT, data, pfc, write

FABRIC = """
parq-lab: 1
defaults: {port: {pfc: [3, 4]}}
hosts:
  a: {nics: {a: {ports: {a0: {record: a0.pcapng}}}}}
  b: {nics: {b: {ports: {b0: {}}}}}
  c: {nics: {c: {ports: {c0: {}}}}}
switches:
  s1: {ports: {to-a: {}, to-b: {}, up: {record: up.pcapng}}}
  s2: {ports: {up: {}, to-c: {record: to-c.pcapng}}}
cables:
  - {ends: [a a0, s1 to-a]}
  - {ends: [s1 to-b, b b0]}
  - {ends: [s1 up, s2 up]}
  - {ends: [c c0, s2 to-c]}
"""
# Of a frame of 1000 bytes at 1 Gb/s, with its gap, ns.
FRAME_NS = 8192


def sent(begin, end, prio=3):
    """As fast as the link."""
    return [(ns, OUT, data(prio)) for ns in range(begin, end, FRAME_NS)]


def paused(begin, end, prio=3):
    """By XOFF and XON, with a frame in front and one behind: the port always has more to send."""
    return [(begin - FRAME_NS, OUT, data(prio)), (begin, IN, pfc({prio: 60000})),
            (end, IN, pfc({prio: 0})), (end, OUT, data(prio))]


class Hops(Timeline):
    """A lab's directory."""

    def lab(self, fabric=FABRIC, **recordings):
        """Each port has packets."""
        with open(self.path("topology.yaml"), "w", encoding="utf-8") as file:
            file.write(fabric)
        for name in ("a0", "up", "to_c"):
            write(self.path(name.replace("_", "-") + ".pcapng"),
                  sorted(recordings.get(name) or [(0, OUT, data(0))], key=lambda p: p[0]),
                  speed=10**9)

    def why(self, *args):
        return self.run_command("--why", *args, self.dir).splitlines()

    def json(self, *args):
        return json.loads(self.run_command("--json", *args, self.dir))

    def causes(self, port, *args):
        row = next(row for row in self.json(*args)["why"] if row["port"] == port)
        return [(cause["port"], cause["how"], cause["pauses"], cause["paused"])
                for cause in row["causes"]]


class Causes(Hops):
    def test_a_host_that_pauses(self):
        """The recordings begin at different times."""
        self.lab(a0=paused(200_000, 450_000), up=paused(150_000, 420_000),
                 to_c=paused(100_000, 400_000))
        self.assertEqual(self.why(), [
            "a a0 priority 3 was paused 1 time, 250 us, by s1 to-a: s1 up was paused",
            "s1 up priority 3 was paused 1 time, 270 us, by s2 up: s2 to-c was paused",
            "s2 to-c priority 3 was paused 1 time, 300 us, by c c0: it began there"])

    def test_a_storm(self):
        """A port that has a limit, and pauses below and above it."""
        to_c = paused(100_000, 400_000) + paused(1_000_000, 2_500_000)
        self.lab(FABRIC.replace("to-c: {", "to-c: {storm: 1ms, "), to_c=to_c)
        self.assertEqual(self.why(), [
            "s2 to-c priority 3 was paused 2 times, 1.80 ms, by c c0: it began there",
            "    1 of them was a storm after 1 ms: s2 to-c did not obey any longer"])
        self.assertEqual([row["storms"] for row in self.json()["why"]], [1])
        for end in ("0.5ms", "1.9ms"):
            self.assertEqual(len(self.why("--to", end)), 1)
        self.assertEqual(len(self.why("--to", "2.2ms")), 2)
        self.lab(to_c=to_c)
        self.assertEqual(len(self.why()), 1)

    def test_a_link_that_is_full(self):
        self.lab(a0=paused(200_000, 450_000), up=sent(0, 500_000))
        self.assertEqual(self.why(), [
            "a a0 priority 3 was paused 1 time, 250 us, by s1 to-a: "
            "s1 up had more to send than its link takes: it began there"])

    def test_both_one_after_the_other(self):
        """The buffer had drained when the first pause ended: the second one has another reason."""
        self.lab(a0=paused(200_000, 450_000) + paused(600_000, 700_000),
                 up=paused(150_000, 420_000) + sent(420_000 + FRAME_NS, 800_000))
        self.assertEqual(self.why()[:3], [
            "a a0 priority 3 was paused 2 times, 350 us, by s1 to-a",
            "    1 time, 250 us: s1 up was paused",
            "    1 time, 100 us: s1 up had more to send than its link takes: it began there"])
        self.assertEqual(self.causes("a a0"), [("s1 up", "paused", 1, 250_000),
                                               ("s1 up", "busy", 1, 100_000)])

    def test_a_pause_just_before(self):
        """Without a gap between them, and with one."""
        for idle, cause in ((0, ("s1 up", "paused", 1, 100_000)),
                            (40_000, (None, None, 1, 100_000))):
            self.lab(a0=paused(600_000, 700_000),
                     up=paused(150_000, 420_000) + sent(420_000 + FRAME_NS, 600_000 - idle))
            self.assertEqual(self.causes("a a0"), [cause])

    def test_another_priority(self):
        self.lab(a0=paused(200_000, 450_000),
                 up=paused(150_000, 420_000, prio=4) + sent(0, 500_000))
        self.assertEqual(self.causes("a a0"), [("s1 up", "busy", 1, 250_000)])

    def test_no_recording_of_it(self):
        self.lab(a0=paused(200_000, 450_000))
        self.assertEqual(self.why(), ["a a0 priority 3 was paused 1 time, 250 us, by s1 to-a: "
                                      "no recording tells why; there is none of s1 to-b"])

    def test_nothing_on_a_wire(self):
        self.lab(a0=paused(200_000, 450_000), up=sent(0, 500_000))
        write(self.path("to-c.pcapng"), [], speed=10**9)
        self.assertEqual(self.causes("a a0"), [("s1 up", "busy", 1, 250_000)])
        self.assertEqual(self.json()["notes"], ["s2 to-c: no frame passed"])

    def test_two_ports_at_once(self):
        """Both are paused: either may be the reason."""
        self.lab(FABRIC.replace("to-b: {}", "to-b: {record: to-c.pcapng}").replace(
            "to-c: {record: to-c.pcapng}", "to-c: {}"), a0=paused(200_000, 450_000),
            up=paused(150_000, 420_000), to_c=paused(160_000, 430_000))
        self.assertEqual(sorted(self.causes("a a0")), [("s1 to-b", "paused", 1, 250_000),
                                                       ("s1 up", "paused", 1, 250_000)])

    def ring(self, **recordings):
        """Three switches; none of them waits for a host."""
        ring = "parq-lab: 1\ndefaults: {port: {pfc: [3]}}\nhosts: {}\nswitches:\n"
        for number, name in enumerate(("a0", "up", "to-c"), 1):
            ring += f"  s{number}: {{ports: {{next: {{record: {name}.pcapng}}, last: {{}}}}}}\n"
        ring += "cables:\n" + "".join(f"  - {{ends: [s{n} next, s{n % 3 + 1} last]}}\n"
                                      for n in (1, 2, 3))
        self.lab(ring, **recordings)

    def test_a_circle(self):
        self.ring(a0=paused(200_000, 450_000), up=paused(150_000, 420_000),
                  to_c=paused(100_000, 400_000) + paused(500_000, 550_000))
        self.assertEqual(self.json()["circles"], [
            {"prio": 3, "ports": ["s3 next", "s1 next", "s2 next"], "paused": 200_000}])
        self.assertEqual(self.why()[-1], "a circle: s3 next priority 3, s1 next priority 3, "
                         "s2 next priority 3: each was paused because the next one was, "
                         "200 us all of them at once")

    def test_a_circle_that_began_with_traffic(self):
        """Each was paused before because the next one had much to send."""
        def begun(begin, end):
            return sent(0, begin - FRAME_NS) + paused(begin, end) + sent(end + FRAME_NS, 180_000)

        self.ring(a0=begun(20_000, 30_000) + paused(200_000, 450_000),
                  up=begun(50_000, 60_000) + paused(190_000, 420_000),
                  to_c=begun(80_000, 90_000) + paused(210_000, 400_000))
        self.assertEqual(sorted(self.causes("s1 next")), [("s2 next", "busy", 1, 10_000),
                                                          ("s2 next", "paused", 1, 250_000)])
        self.assertEqual([circle["ports"] for circle in self.json()["circles"]],
                         [["s3 next", "s1 next", "s2 next"]])

    def test_nobody_is_paused(self):
        self.lab(a0=sent(0, 100_000))
        self.assertEqual(self.why(), ["no port was paused"])
        self.assertEqual(self.json()["why"], [])

    def test_a_window(self):
        self.lab(a0=paused(200_000, 450_000) + paused(600_000, 700_000),
                 up=paused(150_000, 420_000) + sent(420_000 + FRAME_NS, 800_000))
        # Time 0 is that of the first frame of all, 150 us - FRAME_NS.
        self.assertEqual(self.causes("a a0", "--from", "200us", "--to", "300us"),
                         [("s1 up", "paused", 1, 100_000)])

    def test_each_priority_for_itself(self):
        self.lab(a0=paused(200_000, 450_000) + paused(210_000, 220_000, prio=4),
                 up=paused(150_000, 420_000))
        self.assertEqual([row["prio"] for row in self.json()["why"]], [3, 3, 4])
        self.assertEqual(len(self.why("--prio", "4")), 1)


class Outputs(Hops):
    def test_the_table(self):
        """One lane for each port and priority that is paused, or is the reason."""
        self.lab(a0=paused(200_000, 450_000), up=sent(0, 500_000), to_c=sent(0, 500_000))
        found = self.json()
        self.assertEqual([(row["port"], row["prio"], row["pauses"], row["paused"])
                          for row in found["priorities"]],
                         [("a a0", 3, 1, 250_000), ("s1 up", 3, 0, 0)])
        self.assertEqual((found["mbit"], found["begin"]), (1000, 0))
        self.assertIn("each of 3 ports, 1 Gb/s", self.run_command("--text", self.dir))

    def test_drawn(self):
        self.lab(a0=paused(200_000, 450_000), up=paused(150_000, 420_000))
        self.run_command(self.dir)
        with open(self.path("timeline.svg"), encoding="utf-8") as svg:
            text = svg.read()
        xml.dom.minidom.parseString(text)
        self.assertIn("s1 up was paused", text)
        self.assertTrue(os.path.exists(self.path("timeline.png")))

    def test_bad_input(self):
        self.assertIn("topology.yaml: No such file", self.fails(self.dir))
        self.lab(FABRIC.replace("record", "mtu").replace(".pcapng", ""))
        self.assertIn("topology.yaml: hosts.a", self.fails(self.dir))
        self.lab("parq-lab: 1\nhosts: {}\n")
        self.assertIn("no port has a recording", self.fails(self.dir))
        self.lab()
        os.remove(self.path("up.pcapng"))
        self.assertIn("up.pcapng: No such file", self.fails(self.dir))
        self.assertIn("--netdev is for the recording of one port",
                      self.fails("--netdev", "a0", self.dir))
        self.assertIn("--why: ", self.run_command("--why", self.path("a0.pcapng"), fails=True))


if __name__ == "__main__":
    tap.main()
