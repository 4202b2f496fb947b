# SPDX-License-Identifier: GPL-2.0
"""Random fabrics: from a seed, a topology file with hosts, switches, traffic, pauses, changes of
settings and faults, and an account of all frames at its end.

The file has everything: a fabric that fails can be changed, and runs without this program. The
switches are a tree, so that each flow has one way, and a fault can cost frames of those flows
alone that pass it.
"""

import random
import re
from dataclasses import dataclass, field

import yaml

from account import PARQ
from plan import CONFIGFS
from topology import SPEEDS

MAX_HOSTS, MAX_SWITCHES = 16, 4
MIN_NICS, MAX_NICS = 3, MAX_HOSTS + MAX_SWITCHES
# The slowest links of a fabric, and how long traffic lasts: some thousand frames.
BASES = {"10M": 2400, "100M": 240, "1G": 24}
FASTER = {"10M": "100M", "100M": "1G", "1G": "10G"}
VID = 10
# parq_pfc sends its frames in priority 7.
PRIOS = range(7)
SETTLE = "500ms"
# A bridge tells for longer that it has left a group.
QUIET = "3s"


def mac(n):
    return f"02:00:00:00:00:{n:02x}"


def mask(prios):
    return f"{sum(1 << prio for prio in prios):#04x}"


@dataclass
class Flow:
    """What one program sends.

    source, to: hosts
    numbers: of its flows
    way: cables
    """
    name: str
    source: int
    to: int
    numbers: list
    way: list


@dataclass
class Fabric:
    """What is drawn so far.

    names: hosts "h1" on, switches "s1" on
    cables: [((name, port), (name, port), speed)], the tree
    spare: a cable that would make a loop, with one blocked end, or None
    events: [(ms, step)]
    touched: flows that a fault may cost frames
    uncounted: of them, those whose host may drop them before they are counted
    unjudged: ends of cables whose recordings do not tell when a pause ended
    floods: frames may leave a switch by more ports than one
    gone: hosts whose NIC is removed
    claimed: what sets the buffers, by port: a user, or the driver as it follows other settings
    storms: limit of a pause in ms by port
    """
    rng: random.Random
    hosts: int
    switches: int
    base: str = "100M"
    lossless: list = field(default_factory=list)
    static: bool = True
    vlans: bool = False
    cables: list = field(default_factory=list)
    spare: object = None
    flows: list = field(default_factory=list)
    events: list = field(default_factory=list)
    touched: set = field(default_factory=set)
    uncounted: set = field(default_factory=set)
    unjudged: set = field(default_factory=set)
    floods: bool = False
    gone: set = field(default_factory=set)
    claimed: dict = field(default_factory=dict)
    storms: dict = field(default_factory=dict)
    number: int = 0

    @property
    def ms(self):
        return BASES[self.base]

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def at(self, low, high):
        """A time between parts of the duration, in percent."""
        return max(1, self.ms * self.rng.randint(low, high) // 100)

    def name(self, what):
        self.number += 1
        return f"{what}-{self.number}"

    def ends(self, name):
        """Ports of a host or a switch."""
        cables = [*self.cables, *([self.spare] if self.spare else [])]
        return [end[1] for cable in cables for end in cable[:2] if end[0] == name]

    def cable_of(self, host):
        return next(cable for cable in self.cables if cable[1] == (f"h{host}", "eth0"))

    def claim(self, end, whose):
        """Whether this one may decide the buffers of a port."""
        return self.claimed.setdefault(end, whose) == whose

    def crossing(self, cables):
        """Numbers of the flows that pass one of the cables."""
        return {number for flow in self.flows for number in flow.numbers
                if any(cable in flow.way for cable in cables)}


# ---- cables -----------------------------------------------------------------------

def draw_cables(fabric):
    rng = fabric.rng

    def speed():
        return fabric.base if fabric.chance(60) else FASTER[fabric.base]

    def join(a, b, port=None):
        fabric.cables.append(((a, f"to-{b}"), (b, port or f"to-{a}"), speed()))

    for n in range(2, fabric.switches + 1):
        join(f"s{rng.randint(1, n - 1)}", f"s{n}")
    for n in range(1, fabric.hosts + 1):
        join(f"s{rng.randint(1, fabric.switches)}", f"h{n}", "eth0")
    if fabric.switches > 1 and fabric.chance(30):
        a, b = rng.sample(range(1, fabric.switches + 1), 2)
        fabric.spare = ((f"s{a}", "spare"), (f"s{b}", "spare"), speed())


def way(fabric, source, to, seen=()):
    """Cables between two names, or None."""
    for cable in fabric.cables:
        names = [cable[0][0], cable[1][0]]
        if source not in names or cable in seen:
            continue
        far = names[1 - names.index(source)]
        rest = [] if far == to else way(fabric, far, to, (*seen, cable))
        if rest is not None:
            return [cable, *rest]
    return None


# ---- traffic ----------------------------------------------------------------------

def draw_flows(fabric):
    """Often to one host, so that it is congested."""
    rng = fabric.rng
    hot = rng.randint(1, fabric.hosts) if fabric.chance(60) else 0
    for source in range(1, fabric.hosts + 1):
        for _ in range(rng.choice((0, 1, 1, 1, 2))):
            draw_flow(fabric, source, hot if hot and fabric.chance(60) else
                      rng.randint(1, fabric.hosts))
    if not fabric.flows:
        draw_flow(fabric, 1, 2)


def draw_flow(fabric, source, to):
    rng = fabric.rng
    if to == source:
        to = source % fabric.hosts + 1
    prios = set(rng.sample(PRIOS, rng.randint(1, 2))) | {rng.choice(fabric.lossless)}
    first, size = len(fabric.flows), rng.choice((64, 200, 500, 1000, 1000, 1472))
    words = (f"parq_traffic send --dev v0 --to 10.0.0.{to} --prios {mask(prios)} --size {size} "
             f"--first {first} --frames {rng.randint(200, 1200)} --time {fabric.ms} --drain 60000")
    if fabric.chance(50):
        words += f" --rate {SPEEDS[fabric.base] * 10 * rng.randint(5, 60) // len(prios)}"
    numbers = [first * 8 + prio for prio in sorted(prios)]
    flow = Flow(f"sent-{first}", source, to, numbers, way(fabric, f"h{source}", f"h{to}"))
    fabric.flows.append(flow)
    fabric.events.append((fabric.at(0, 20) if fabric.chance(40) else 0,
                          {"start": words, "as": flow.name, "host": f"h{source}"}))


# ---- hosts that pause ---------------------------------------------------------------

def pauser(fabric, name, host, begin, end, words):
    """A host pauses its switch from begin to end, which parq_pfc tells only if it was stopped."""
    fabric.events += [
        (begin, {"start": f"parq_pfc --dev eth0 {words}", "as": name, "host": f"h{host}"}),
        (end, {"stop": name}),
        (end, {"holds": f"{name} did so to its end", "host": f"h{host}",
               "command": f"grep -q '^pauses ' $LAB/{name}"})]


def draw_pauses(fabric):
    """Random pauses, or a slow host: it takes frames for a part of the time only."""
    for host in fabric.rng.sample(range(1, fabric.hosts + 1), fabric.rng.randint(0, 3) %
                                  (fabric.hosts + 1)):
        speed = SPEEDS[fabric.cable_of(host)[2]]
        if fabric.chance(50):
            on, off, more = fabric.ms * 30, fabric.ms * 30, ""
        else:
            on, off, more = fabric.ms * 45, fabric.ms * 5, " --repause 0"
        prios = fabric.rng.sample(fabric.lossless, fabric.rng.randint(1, len(fabric.lossless)))
        name = fabric.name("pauses")
        begin = fabric.at(0, 30)
        words = (f"storm --prios {mask(prios)} --speed {speed} --on {on} --off {off} --pauses 0 "
                 f"--seed {fabric.rng.randint(1, 10**6)}{more}")
        pauser(fabric, name, host, begin, fabric.at(60, 110), words)


# ---- settings -------------------------------------------------------------------------

def any_port(fabric):
    """(name, port) of any end of a cable."""
    return fabric.rng.choice(fabric.rng.choice(fabric.cables)[:2])


def switch_port(fabric):
    ends = [end for cable in fabric.cables for end in cable[:2] if end[0].startswith("s")]
    return fabric.rng.choice(ends)


def change(fabric, name, command, low=5, high=100):
    step = {"run": command}
    if name:
        step["host"] = name
    fabric.events.append((fabric.at(low, high), step))


def unless(words, command):
    """The command, which may be refused with these words, and with no others."""
    return f'said=$({command} 2>&1) || case "$said" in *"{words}"*) ;; *) echo "$said"; false;; esac'


def change_pfc(fabric):
    """Of a priority that is not lossless."""
    name, port = any_port(fabric)
    if not fabric.claim((name, port), "driver"):
        return
    lossy = [prio for prio in PRIOS if prio not in fabric.lossless]
    prio = fabric.rng.choice(lossy)
    change(fabric, name, f"dcb pfc set dev {port} prio-pfc {prio}:on", 5, 50)
    change(fabric, name, f"dcb pfc set dev {port} prio-pfc {prio}:off", 51, 100)


def change_ets(fabric):
    name, port = any_port(fabric)
    classes = " ".join(f"{prio}:{fabric.rng.randrange(8)}" for prio in range(8))
    share = fabric.rng.randint(1, 99)
    a, b = fabric.rng.sample(range(8), 2)
    words = fabric.rng.choice((
        f"prio-tc {classes}", f"tc-tsa all:strict tc-bw all:0 prio-tc {classes}",
        f"tc-tsa all:strict {a}:ets {b}:ets tc-bw all:0 {a}:{share} {b}:{100 - share}"))
    change(fabric, name, f"dcb ets set dev {port} {words}")


def device(name):
    return f"$(devlink dev show | grep -wF $(cat {CONFIGFS}/{name}/dev_name))"


def change_pool(fabric):
    """What a buffer gets of the memory that the ports of a switch share."""
    name, port = switch_port(fabric)
    rng = fabric.rng
    number = fabric.ends(name).index(port)
    buffer = rng.choice(fabric.lossless)
    change(fabric, None, rng.choice((
        unless("bytes that buffers leave",
               f"devlink sb pool set {device(name)} pool 0 size {rng.randint(20000, 400000)} "
               f"thtype dynamic"),
        f"devlink sb tc bind set {device(name)}/{number} tc {buffer} type ingress pool 0 "
        f"th {rng.randint(3, 16)}")))


def change_buffer(fabric):
    """Sizes for each; later as the driver would have them. Frames that wait may prevent both."""
    name, port = switch_port(fabric)
    if not fabric.claim((name, port), "user"):
        return
    sizes = " ".join(f"{prio}:{fabric.rng.randint(24, 30)}K" for prio in fabric.lossless)
    lossy = next(prio for prio in range(8) if prio not in fabric.lossless)
    prios = " ".join(f"{prio}:{prio}" for prio in fabric.lossless)
    for words, low, high in (
            (f"prio-buffer all:{lossy} {prios} "
             f"buffer-size all:0 {lossy}:{fabric.rng.randint(8, 20)}K {sizes}", 5, 60),
            ("buffer-size all:0", 61, 100)):
        change(fabric, name, unless("busy", f"dcb buffer set dev {port} {words}"), low, high)


def change_mtu(fabric):
    name, port = switch_port(fabric)
    if fabric.claim((name, port), "driver"):
        mtu = fabric.rng.randint(1504, 4000)
        change(fabric, name, f"ip link set dev {port} mtu {mtu}")


def change_vlans(fabric):
    name, port = switch_port(fabric)
    vid = fabric.rng.randint(20, 30)
    words = [f"bridge vlan add dev {port} vid {vid}-{vid + 5}",
             f"bridge vlan del dev {port} vid {vid}-{vid + 5}"]
    if fabric.vlans:
        words += [f"ip link set dev br0 type bridge vlan_filtering {on}" for on in (0, 1)]
    word = fabric.rng.choice(words)
    # Without VLANs, the bridge knows no address that it has learned in one.
    fabric.floods |= "filtering" in word and not fabric.static
    change(fabric, name, word)


def change_rings(fabric):
    host = fabric.rng.randint(1, fabric.hosts)
    rx, tx = fabric.rng.choice((128, 256, 512)), fabric.rng.choice((128, 256, 512))
    change(fabric, f"h{host}", f"ethtool -G eth0 rx {rx} tx {tx}")


SETTINGS = (change_pfc, change_ets, change_ets, change_pool, change_pool, change_buffer,
            change_mtu, change_vlans, change_rings)


# ---- faults ----------------------------------------------------------------------------

def spoil(fabric, cables):
    """Flows over these cables may lose frames."""
    fabric.touched |= fabric.crossing(cables)
    for cable in cables:
        fabric.unjudged |= set(cable[:2])
        for name, port in cable[:2]:
            if port == "eth0":
                fabric.uncounted |= {number for flow in fabric.flows
                                     if f"h{flow.source}" == name for number in flow.numbers}


def link_down(fabric):
    """The port of a switch, for some time."""
    cable = fabric.rng.choice(fabric.cables)
    name, port = fabric.rng.choice([end for end in cable[:2] if end[0].startswith("s")])
    spoil(fabric, [cable])
    fabric.floods |= not fabric.static
    change(fabric, name, f"ip link set dev {port} down", 10, 40)
    change(fabric, name, f"ip link set dev {port} up", 41, 70)


def leave_bridge(fabric):
    """A port leaves its bridge, and comes back: frames that wait for it are dropped."""
    name, port = switch_port(fabric)
    cable = next(cable for cable in fabric.cables if (name, port) in cable)
    fabric.touched |= fabric.crossing([cable])
    fabric.floods = True
    # It has no VLANs meanwhile.
    fabric.events = [(ms, step) for ms, step in fabric.events if step.get("host") != name or
                     not re.match(f"bridge vlan .* dev {port} ", step.get("run", ""))]
    change(fabric, name, f"ip link set dev {port} nomaster", 10, 40)
    change(fabric, name, f"ip link set dev {port} master br0", 41, 70)


def storm(fabric):
    """A host pauses without end; its switch has a limit."""
    host = fabric.rng.randint(1, fabric.hosts)
    cable = fabric.cable_of(host)
    prio, name = fabric.rng.choice(fabric.lossless), fabric.name("storm")
    fabric.storms[cable[0]] = max(1, fabric.ms // 8)
    # Any pause by this host may last so long.
    fabric.touched |= {flow.numbers[i] for flow in fabric.flows if cable in flow.way and
                       flow.to == host for i in range(len(flow.numbers))}
    begin = fabric.at(10, 30)
    pauser(fabric, name, host, begin, fabric.at(60, 100),
           f"hold --prios {mask([prio])} --speed {SPEEDS[cable[2]]}")


def remove_host(fabric):
    host = fabric.rng.randint(1, fabric.hosts)
    if fabric.gone or fabric.hosts < 3:
        return
    spoil(fabric, [fabric.cable_of(host)])
    fabric.floods |= not fabric.static
    fabric.gone.add(f"h{host}")
    fabric.uncounted |= {number for flow in fabric.flows if flow.to == host
                         for number in flow.numbers}
    at = fabric.at(20, 80)
    # No setting of it is changed later, and what pauses others ends.
    fabric.events = [(ms, step) for ms, step in fabric.events if ms < at or
                     step.get("host") != f"h{host}" or not {"run", "holds"} & step.keys()]
    fabric.events.append((at, {"run": f"echo 0 >{CONFIGFS}/h{host}/live"}))


FAULTS = (link_down, leave_bridge, storm, remove_host)


# ---- the file -----------------------------------------------------------------------------

class Dumper(yaml.SafeDumper):
    """A list that appears twice is written twice."""

    def ignore_aliases(self, data):
        return True


def draw(seed, nics=MAX_NICS):
    """Return the fabric of a seed, of so many NICs at most."""
    rng = random.Random(seed)
    switches = rng.randint(1, min(MAX_SWITCHES, nics - 2))
    hosts = rng.randint(2, min(rng.choice((4, 8, MAX_HOSTS)), nics - switches))
    fabric = Fabric(rng, hosts, switches, rng.choice(list(BASES)))
    fabric.lossless = sorted(rng.sample(PRIOS, rng.randint(1, 3)))
    fabric.static, fabric.vlans = fabric.chance(60), fabric.chance(40)
    draw_cables(fabric)
    draw_flows(fabric)
    draw_pauses(fabric)
    for _ in range(rng.choice((0, 1, 2, 4, 8))):
        rng.choice(SETTINGS)(fabric)
    for _ in range(rng.choice((0, 0, 1, 2))):
        rng.choice(FAULTS)(fabric)
    return fabric


def host_entry(fabric, n):
    nic = {"mac": mac(n), "ports": {"eth0": {
        "record": f"h{n}.pcapng", "vlans": {"v0": {"id": VID, "addresses": [f"10.0.0.{n}/24"]}}}}}
    if fabric.chance(30):
        nic["fetch"] = "100ms"
    return {"nics": {f"h{n}": nic}}


def switch_entry(fabric, name):
    ports = {}
    for port in fabric.ends(name):
        ports[port] = {"record": f"{name}-{port}.pcapng"}
        if (name, port) in fabric.storms:
            ports[port]["storm"] = f"{fabric.storms[name, port]}ms"
    return {"rx-buffer": fabric.rng.choice((131072, 131072, 262144, 1048576)), "ports": ports}


def about(fabric, seed):
    return (f"The fabric of seed {seed}: {fabric.hosts} hosts, {fabric.switches} switches, "
            f"{len(fabric.flows)} senders, lossless {', '.join(map(str, fabric.lossless))}, "
            f"{'static' if fabric.static else 'learned'} addresses"
            f"{', VLANs' if fabric.vlans else ''}. {len(fabric.events)} events in {fabric.ms} ms.")


def prepare(fabric):
    """Steps before the account begins."""
    steps = []
    if fabric.spare:
        # Disabled: the bridge itself would end the state "blocking" soon.
        name, port = fabric.spare[0]
        steps.append({"run": f"bridge link set dev {port} state 0", "host": name})
    for n in range(1, fabric.switches + 1):
        name = f"s{n}"
        lines = ["ip link set dev br0 type bridge mcast_snooping 0"]
        for port in fabric.ends(name):
            if fabric.vlans:
                lines.append(f"bridge vlan add dev {port} vid {VID}")
        if fabric.vlans:
            lines.append("ip link set dev br0 type bridge vlan_filtering 1")
        for host in range(1, fabric.hosts + 1) if fabric.static else ():
            near = way(fabric, name, f"h{host}")[0]
            port = next(end[1] for end in near[:2] if end[0] == name)
            for vlan in ("", f" vlan {VID}") if fabric.vlans else ("",):
                lines.append(f"bridge fdb replace {mac(host)} dev {port} master static{vlan}")
        steps.append({"run": "; ".join(["set -e", *lines]), "host": name})
    for host in range(1, fabric.hosts + 1):
        lines = [f"ip neigh replace 10.0.0.{n} lladdr {mac(n)} dev v0"
                 for n in range(1, fabric.hosts + 1) if n != host]
        # Every switch learns where it is.
        lines += [] if fabric.static else ["ping -b -c 1 -W 0.1 10.0.0.255 >/dev/null 2>&1 || :"]
        steps.append({"run": "; ".join(lines), "host": f"h{host}"})
        steps.append({"start": "parq_traffic recv", "as": f"received-{host}",
                      "host": f"h{host}"})
    steps.append({"until": "the receivers are ready", "within": "30s",
                  "command": f"[ $(cat $LAB/received-* | grep -c ready) = {fabric.hosts} ]"})
    return [*steps, {"sleep": QUIET}, {"account": "begin"}]


def schedule(fabric):
    """Events in their order. What is started ends; what was down comes up before the end."""
    steps, now = [], 0
    for ms, step in sorted(fabric.events, key=lambda event: event[0]):
        if ms > now:
            steps.append({"sleep": f"{ms - now}ms"})
            now = ms
        steps.append(step)
    for flow in fabric.flows:
        lost = f"h{flow.source}" in fabric.gone
        steps.append({"stop": flow.name} if lost else {"finish": flow.name, "within": "200s"})
    # A switch may hold for seconds what a slow link has yet to carry. The account tells of frames
    # that stay.
    names = " ".join(f"s{n}" for n in range(1, fabric.switches + 1))
    steps.append({"holds": "the switches sent all they had", "within": "60s",
                  "command": f"! for n in {names}; do "
                             f"cat {PARQ}/$(cat {CONFIGFS}/$n/dev_name)/port*/buffers; done | "
                             "grep -q ' used [1-9]'"})
    steps.append({"sleep": SETTLE})
    return steps + [{"stop": f"received-{n}"} for n in range(1, fabric.hosts + 1)]


def judge(fabric):
    used = [cable for cable in fabric.cables if fabric.crossing([cable])]
    steps = [{"judge": " ".join(end)} for cable in used for end in cable[:2]
             if end not in fabric.unjudged]
    of = {"lossless": fabric.lossless, "touched": sorted(fabric.touched), "floods": fabric.floods,
          "uncounted": sorted(fabric.uncounted), "gone": sorted(fabric.gone)}
    return [*steps, {"account": "end", "of": of, "within": "10s"}]


def text(seed, nics=MAX_NICS):
    """Return the topology file of a seed."""
    fabric = draw(seed, nics)
    cables = [*fabric.cables, *([fabric.spare] if fabric.spare else [])]
    top = {
        "parq-lab": 1, "about": about(fabric, seed), "contrast": False,
        "defaults": {"nic": {"snaplen": 128}, "port": {"pfc": fabric.lossless,
                                                       "root-qdisc": "mq"}},
        "hosts": {f"h{n}": host_entry(fabric, n) for n in range(1, fabric.hosts + 1)},
        "switches": {f"s{n}": switch_entry(fabric, f"s{n}")
                     for n in range(1, fabric.switches + 1)},
        "cables": [{"ends": [" ".join(a), " ".join(b)], "speed": speed,
                    "length": fabric.rng.choice((1, 10, 100, 500))} for a, b, speed in cables],
        "steps": [*prepare(fabric), *schedule(fabric), *judge(fabric)],
    }
    return "# SPDX-License-Identifier: GPL-2.0\n" + \
        yaml.dump(top, Dumper=Dumper, sort_keys=False, width=100)
