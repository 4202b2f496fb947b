# SPDX-License-Identifier: GPL-2.0
"""Topology files: hosts, their NICs, cables, and what a scenario does with them.

Reading a file touches nothing. Every bad value is refused with the file, the key and the value.

Hosts and switches have names of one name space, and a cable joins ports of any two of them. A
switch is a host with one NIC that forwards, and a bridge over its ports.
"""

from dataclasses import dataclass, field

import yaml

from reader import BadTopology, Node, load

VERSION = 1
# A copy of the file is beside the recordings of its lab: parq-timeline reads it, too.
TOPOLOGY = "topology.yaml"
SPEEDS = {"10M": 10, "100M": 100, "1G": 1000, "2.5G": 2500, "5G": 5000, "10G": 10000,
          "25G": 25000, "40G": 40000, "50G": 50000, "100G": 100000, "200G": 200000,
          "400G": 400000}
MAX_PORTS = 4
MAX_SWITCH_PORTS = 64
SWITCH_BRIDGE = "br0"
PRIOS = range(8)

HOST = (r"[A-Za-z0-9][A-Za-z0-9_-]{0,30}", "a name has 1 to 31 letters, digits, _ and -")
# With the port's number it is the interface's first name.
NIC = (r"[A-Za-z0-9][A-Za-z0-9_-]{0,12}", "a NIC's name has 1 to 13 letters, digits, _ and -")
INTERFACE = (r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}",
             "an interface's name has 1 to 15 letters, digits, _, . and -")
ADDRESS = (r"[0-9.]{7,15}/\d{1,2}|[0-9a-fA-F:.]{2,45}/\d{1,3}",
           "an address has a prefix length, as 10.0.0.1/24")


@dataclass
class Vlan:
    """An interface for tagged frames.

    priority: of all frames; None: that of the socket
    """
    name: str
    vid: int
    priority: object
    addresses: list


@dataclass
class Port:
    """A port, as an interface of its host. What is None stays as it is by default.

    netdev: an interface of this machine at the far end of its wire, in place of a cable
    """
    name: str
    host: str
    nic: str
    number: int
    addresses: list = field(default_factory=list)
    mtu: object = None
    pfc: list = field(default_factory=list)
    pause: list = field(default_factory=list)
    ets: dict = field(default_factory=dict)
    dscp: dict = field(default_factory=dict)
    trust: list = field(default_factory=list)
    buffer: dict = field(default_factory=dict)
    qdisc: object = None
    root_qdisc: object = None
    storm_ms: object = None
    record: object = None
    vlans: list = field(default_factory=list)
    netdev: object = None
    cable: object = None

    @property
    def first_name(self):
        """The interface's name before it is in its host."""
        return f"{self.nic}p{self.number}"

    def judge_options(self):
        """Return the options of parq_wire for a recording of this port."""
        # As the driver has it: code points that have priorities count before tags. A frame with
        # neither has the priority of its socket, which the wire does not tell: 0 as a rule.
        trust = self.trust or (["dscp", "pcp"] if self.dscp else ["pcp"])
        words = ["--trust", ",".join(trust), "--default-prio", "0",
                 "--pfc", f"{sum(1 << i for i in self.pfc):#04x}"]
        if self.dscp:
            words += ["--dscp-prio", ",".join(f"{dscp}:{prio}" for dscp, prio in self.dscp.items())]
        if self.storm_ms:
            words += ["--storm", str(self.storm_ms)]
        return words


@dataclass
class Nic:
    """A NIC; options as the files of its directory in configfs."""
    name: str
    host: str
    options: dict
    ports: list = field(default_factory=list)


@dataclass
class Host:
    """A network namespace.

    pid: of a process whose namespace it is; None: a new one
    bridges: names of ports by name of the bridge
    """
    name: str
    pid: object
    nics: list = field(default_factory=list)
    bridges: dict = field(default_factory=dict)

    @property
    def ports(self):
        return [port for nic in self.nics for port in nic.ports]

    @property
    def ipv6(self):
        """Whether one of its addresses is one of IPv6."""
        vlans = [vlan for port in self.ports for vlan in port.vlans]
        return any(":" in address for item in (*self.ports, *vlans) for address in item.addresses)


@dataclass
class Cable:
    """speed: a name of SPEEDS, or None: the ends negotiate."""
    ends: list
    length: int
    speed: object


@dataclass
class Topology:
    """A file. needs, columns, steps and contrast are those of a scenario."""
    path: str
    about: str
    hosts: list = field(default_factory=list)
    cables: list = field(default_factory=list)
    needs: object = None
    columns: object = None
    steps: object = None
    contrast: bool = True

    def port(self, text):
        """Return the port "HOST INTERFACE", or None."""
        for host in self.hosts:
            for port in host.ports:
                if text.split() == [host.name, port.name]:
                    return port
        return None

    @property
    def ports(self):
        return [port for host in self.hosts for port in host.ports]


# ---- ports -------------------------------------------------------------------

PORT_KEYS = ("addresses", "mtu", "pfc", "pause", "ets", "dscp-prio", "trust", "buffer", "qdisc",
             "root-qdisc", "storm", "record", "vlans", "netdev")


def priority(node):
    return node.integer(0, 7, "a priority")


def by_class(node, what, value):
    """A mapping from the numbers 0 to 7."""
    return {key.key_integer(0, 7, what): value(key) for key in node.entries()}


def ets(node):
    """ETS as dcb has it: strict classes without bandwidth, and all priorities in class 0."""
    keys = node.mapping("tc-tsa", "tc-bw", "prio-tc")
    tsa = by_class(keys["tc-tsa"], "a traffic class",
                   lambda key: key.choice("strict", "ets")) if "tc-tsa" in keys else {}
    bandwidth = by_class(keys["tc-bw"], "a traffic class",
                         lambda key: key.integer(0, 100)) if "tc-bw" in keys else {}
    classes = by_class(keys["prio-tc"], "a priority", lambda key: key.integer(
        0, 7, "a traffic class")) if "prio-tc" in keys else {}
    for number, percent in bandwidth.items():
        if percent and tsa.get(number) != "ets":
            keys["tc-bw"].fail(f"class {number} has a bandwidth but is not 'ets'")
    if sum(bandwidth.values()) not in (0, 100):
        keys["tc-bw"].fail(f"bandwidths add up to {sum(bandwidth.values())}, not to 100")
    return {"tc-tsa": {i: tsa.get(i, "strict") for i in PRIOS},
            "tc-bw": {i: bandwidth.get(i, 0) for i in PRIOS},
            "prio-tc": {i: classes.get(i, 0) for i in PRIOS}}


def dscp(node):
    return {key.key_integer(0, 63, "a DSCP"): priority(key) for key in node.entries()}


def distinct(node, *names):
    """A list of some of the names, in its order."""
    found = [item.choice(*names) for item in node.items()]
    if len(set(found)) < len(found):
        node.fail("a name appears twice")
    return found


def buffers(node):
    """Receive buffers as dcb has them: sizes in bytes, and the buffer of each priority."""
    keys = node.mapping("buffer-size", "prio-buffer", need=("buffer-size",))
    sizes = by_class(keys["buffer-size"], "a buffer", lambda key: key.integer(0, 2**24))
    prios = by_class(keys["prio-buffer"], "a priority", lambda key: key.integer(
        0, 7, "a buffer")) if "prio-buffer" in keys else {}
    return {"buffer-size": {i: sizes.get(i, 0) for i in PRIOS},
            "prio-buffer": {i: prios.get(i, 0) for i in PRIOS}}


def vlan(node):
    keys = node.mapping("id", "priority", "addresses", need=("id",))
    return Vlan(node.key_name(*INTERFACE), keys["id"].integer(1, 4094),
                priority(keys["priority"]) if "priority" in keys else None,
                addresses(keys))


def addresses(keys):
    if "addresses" not in keys:
        return []
    return [item.name(*ADDRESS) for item in keys["addresses"].items()]


def words(node):
    return node.name(r"[a-z][a-z0-9_]*( +[A-Za-z0-9:./@_-]+)*",
                     "a qdisc and its parameters, as 'pfifo limit 1000'").split()


def parse_port(node, nic, number, defaults):
    """A port; defaults are nodes by key, for keys that it lacks."""
    keys = {**defaults, **node.mapping(*PORT_KEYS)}
    port = Port(node.key_name(*INTERFACE), nic.host, nic.name, number, addresses(keys))
    readers = {
        "mtu": ("mtu", lambda n: n.integer(68, 10240)),
        "pfc": ("pfc", lambda n: sorted({priority(item) for item in n.items()})),
        "pause": ("pause", lambda n: distinct(n, "rx", "tx")),
        "ets": ("ets", ets),
        "dscp-prio": ("dscp", dscp),
        "trust": ("trust", lambda n: distinct(n, "dscp", "pcp")),
        "buffer": ("buffer", buffers),
        "qdisc": ("qdisc", words),
        "root-qdisc": ("root_qdisc", words),
        "storm": ("storm_ms", lambda n: n.duration("ms", 1, 65534)),
        "record": ("record", lambda n: n.name(rf"(?!(state(\.new)?|{TOPOLOGY})$)[^\s=]{{1,200}}",
                                              "a file name without blanks, other than those of the "
                                              "lab's own files")),
        "vlans": ("vlans", lambda n: [vlan(item) for item in n.entries()]),
        "netdev": ("netdev", lambda n: n.name(*INTERFACE)),
    }
    for key, (attribute, read) in readers.items():
        if key in keys:
            setattr(port, attribute, read(keys[key]))
    if port.qdisc and port.root_qdisc:
        keys["root-qdisc"].fail("'qdisc' is set, too: it is for the TX queues below mq")
    if port.pfc and port.pause:
        keys["pause"].fail("'pfc' is set, too: a port has only one of them", value=[])
    return port


# ---- NICs and hosts -----------------------------------------------------------

NIC_NUMBERS = {"txq": (8, 64), "rxq": (1, 64), "depth": (4, 1024), "clk": (100, 1000000),
               "rx-buffer": (65536, 16777216), "snaplen": (60, 10266)}
NIC_FLAGS = ("no-offload", "forward")
NIC_KEYS = (*NIC_NUMBERS, *NIC_FLAGS, "fetch", "mac")


def parse_nic_options(keys):
    """Options as configfs has them. A lab's NIC is small by default: it is made soon."""
    options = {"txq": "8", "rxq": "2"}
    for key, (low, high) in NIC_NUMBERS.items():
        if key in keys:
            options[key.replace("-", "_")] = str(keys[key].integer(low, high))
    if "fetch" in keys:
        options["fetch"] = str(keys["fetch"].duration("ns", 0, 10**9))
    for key in NIC_FLAGS:
        if key in keys:
            options[key.replace("-", "_")] = str(int(keys[key].boolean()))
    if "mac" in keys:
        options["mac"] = keys["mac"].name(r"[0-9a-fA-F][02468aceACE](:[0-9a-fA-F]{2}){5}",
                                          "a unicast address, as 02:00:00:00:00:01")
    return options


def parse_nic(node, host, defaults, keys):
    nic = Nic(node.key_name(*NIC), host.name, parse_nic_options({**defaults["nic"], **keys}))
    entries = keys["ports"].entries()
    most = MAX_SWITCH_PORTS if nic.options.get("forward") == "1" else MAX_PORTS
    if not 1 <= len(entries) <= most:
        keys["ports"].fail(f"a NIC has 1 to {MAX_PORTS} ports, with forward up to "
                           f"{MAX_SWITCH_PORTS}, not {len(entries)}")
    if len(f"{nic.name}p{len(entries) - 1}") > 15:
        node.fail(f"'{nic.name}': too long for the first name of port {len(entries) - 1}")
    nic.options = {"ports": str(len(entries)), **nic.options}
    for number, entry in enumerate(entries):
        nic.ports.append(parse_port(entry, nic, number, defaults["port"]))
    return nic


def parse_bridges(node, host):
    names = {port.name for port in host.ports}
    for entry in node.entries():
        members = []
        for item in entry.items():
            name = item.name(*INTERFACE)
            if name not in names:
                item.fail(f"{host.name} has no such port")
            members.append(name)
        host.bridges[entry.key_name(*INTERFACE)] = members


def parse_host(node, defaults):
    keys = node.mapping("pid", "nics", "bridges", need=("nics",))
    host = Host(node.key_name(*HOST), keys["pid"].integer(1, 2**22) if "pid" in keys else None)
    for entry in keys["nics"].entries():
        host.nics.append(parse_nic(entry, host, defaults,
                                   entry.mapping("ports", *NIC_KEYS, need=("ports",))))
    if "bridges" in keys:
        parse_bridges(keys["bridges"], host)
    check_interfaces(node, host)
    return host


def parse_switch(node, defaults):
    """A host whose NIC has its name."""
    keys = node.mapping("ports", *[key for key in NIC_KEYS if key != "forward"], need=("ports",))
    host = Host(node.key_name(*NIC), None)
    keys["forward"] = Node(node.path, f"{node.key}.forward", True)
    host.nics.append(parse_nic(node, host, defaults, keys))
    host.bridges[SWITCH_BRIDGE] = [port.name for port in host.ports]
    check_interfaces(node, host)
    return host


def check_interfaces(node, host):
    names = ["lo", *host.bridges]
    names += [name for port in host.ports
              for name in (port.name, *(item.name for item in port.vlans))]
    for name in names:
        if names.count(name) > 1:
            node.fail(f"two interfaces are called '{name}'")


def parse_cable(node, topology, defaults):
    own = node.mapping("ends", "length", "speed", need=("ends",))
    keys = {**defaults, **own}
    ends = keys["ends"].items()
    if len(ends) != 2:
        keys["ends"].fail("a cable has two ends")
    cable = Cable([], keys["length"].integer(0, 100000) if "length" in keys else 10,
                  keys["speed"].choice(*SPEEDS) if "speed" in keys else None)
    for end in ends:
        port = topology.port(end.name(r".+", "an end is 'HOST INTERFACE'"))
        if not port:
            end.fail("no host has such a port; an end is 'HOST INTERFACE'")
        if port.cable:
            end.fail("this port has a cable already")
        if port.netdev:
            end.fail(f"the wire of this port ends at '{port.netdev}'")
        port.cable = cable
        cable.ends.append(port)
    return cable


def parse_defaults(node):
    found = {"nic": {}, "port": {}, "cable": {}}
    if node:
        keys = node.mapping("nic", "port", "cable")
        allowed = {"nic": NIC_KEYS, "port": PORT_KEYS, "cable": ("length", "speed")}
        for name, child in keys.items():
            found[name] = child.mapping(*allowed[name])
    return found


# ---- files ---------------------------------------------------------------------

def check_version(keys):
    node = keys["parq-lab"]
    if node.integer(1, 10**6, "a version") > VERSION:
        node.fail(f"the file needs a newer parq-lab: this one knows version {VERSION}")


def check_nics(nodes, topology):
    names = [nic.name for host in topology.hosts for nic in host.nics]
    for name in names:
        if names.count(name) > 1:
            nodes["hosts"].fail(f"two NICs are called '{name}'")
    names = [host.name for host in topology.hosts]
    for name in names:
        if names.count(name) > 1:
            nodes["switches"].fail(f"a host is called '{name}', too", value=[])


def parse(path, text):
    """Return the topology that the text of a file describes."""
    try:
        top = Node(path, "", load(text))
    except yaml.YAMLError as error:
        raise BadTopology(f"{path}: {' '.join(str(error).split())}") from error
    # Told first, for a newer file may have keys that this program does not know.
    top.need("parq-lab")
    check_version(top.children())
    keys = top.mapping("parq-lab", "about", "defaults", "hosts", "switches", "cables", "needs",
                       "table", "steps", "contrast", need=("hosts",))
    topology = Topology(path, keys["about"].text() if "about" in keys else "")
    defaults = parse_defaults(keys.get("defaults"))
    for entry in keys["hosts"].entries():
        topology.hosts.append(parse_host(entry, defaults))
    for entry in keys["switches"].entries() if "switches" in keys else []:
        topology.hosts.append(parse_switch(entry, defaults))
    check_nics(keys, topology)
    for entry in keys["cables"].items() if "cables" in keys else []:
        topology.cables.append(parse_cable(entry, topology, defaults["cable"]))
    topology.needs = keys.get("needs")
    topology.columns = keys.get("table")
    topology.steps = keys.get("steps")
    topology.contrast = keys["contrast"].boolean() if "contrast" in keys else True
    return topology


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return parse(path, file.read())
    except (OSError, UnicodeDecodeError) as error:
        raise BadTopology(f"{path}: {getattr(error, 'strerror', None) or error}") from error
