# SPDX-License-Identifier: GPL-2.0
"""The commands that make a topology, in their order, each with the command that undoes it.

A plan depends on the file alone, never on the machine. Its text can be pasted into a shell.
"""

import shlex
from dataclasses import dataclass, field

from topology import MAX_PORTS, PRIOS, SPEEDS, TOPOLOGY

CONFIGFS = "/sys/kernel/config/parqsim"
# Options that select the network namespace. "ip netns exec" would take several times as long.
WITH_N = ("ip", "tc", "dcb", "bridge")
# A pause may last for seconds, and fq_codel would drop what waits for its end.
QDISC = ["pfifo", "limit", "10000"]


@dataclass
class Step:
    """A command.

    argv: words; a shell's if the first is "sh"
    undo: words of the command that undoes it
    write: path to which the one word is written
    seconds: repeat the shell's command until it succeeds, at most for so long
    expect: words that its output has
    unless: a path; if it exists there is nothing to do, nor to undo unless another lab did it
    """
    argv: list
    undo: list = field(default_factory=list)
    write: str = ""
    seconds: int = 0
    expect: list = field(default_factory=list)
    unless: str = ""

    def text(self):
        if self.write:
            return f"echo {shlex.quote(self.argv[0])} >{self.write}"
        line = text_of(self.argv)
        if self.unless:
            return f"[ -e {self.unless} ] || {line}"
        if self.seconds:
            return f"until {line}; do sleep 0.1; done"
        return line + (f"    # {' '.join(self.expect)}" if self.expect else "")


def text_of(argv):
    return argv[2] if argv[:2] == ["sh", "-c"] else shlex.join(argv)


def run(*words, undo=()):
    return Step([str(word) for word in words], list(undo))


def shell(text, undo=()):
    return Step(["sh", "-c", text], list(undo))


def write(path, value):
    return Step([str(value)], write=path)


def until(text, seconds=20):
    return Step(["sh", "-c", text], seconds=seconds)


def in_host(host, *words):
    """The command in a host's network namespace."""
    words = [str(word) for word in words]
    if words[0] in WITH_N:
        return [words[0], "-n", host, *words[1:]]
    return ["ip", "netns", "exec", host, *words]


def at(port, *words):
    return run(*in_host(port.host, *words))


def shown(values):
    """Words as dcb shows them: 3:on."""
    return [f"{key}:{value}" for key, value in values.items()]


def typed(values, default):
    """The same as short as dcb takes them: all:off 3:on."""
    return [f"all:{default}", *(f"{key}:{value}" for key, value in values.items()
                                if value != default)]


# ---- machine, hosts, NICs -------------------------------------------------------

def modules():
    """The driver remains afterwards, and parqsim until the last lab ends."""
    unload = ["sh", "-c", f"ls {CONFIGFS} | grep -q . || rmmod parqsim"]
    return [Step(["modprobe", "parqsim", "nics=0"], unload, unless="/sys/module/parqsim"),
            Step(["modprobe", "parq"], unless="/sys/module/parq"),
            shell("mountpoint -q /sys/kernel/config || mount -t configfs configfs "
                  "/sys/kernel/config")]


def make_host(host):
    """A container's namespace gets a name, so that all hosts are used alike."""
    make = ["add", host.name] if host.pid is None else ["attach", host.name, host.pid]
    steps = [run("ip", "netns", *make, undo=["ip", "netns", "del", host.name])]
    if host.pid is None:
        steps.append(run("ip", "-n", host.name, "link", "set", "lo", "up"))
        if not host.ipv6:
            # Nothing is on the wires but what was asked for.
            steps.append(run(*in_host(host.name, "sysctl", "-qw",
                                      "net.ipv6.conf.all.disable_ipv6=1",
                                      "net.ipv6.conf.default.disable_ipv6=1")))
    return steps


def make_nic(nic, cables, record):
    """A NIC that is not live yet. A cable is written at one of its ends."""
    top = f"{CONFIGFS}/{nic.name}"
    steps = [run("mkdir", top, undo=["rmdir", top])]
    steps += [write(f"{top}/{name}", value) for name, value in nic.options.items()]
    for port in nic.ports:
        here = f"{top}/p{port.number}"
        if port.number >= MAX_PORTS:
            steps.append(run("mkdir", here, undo=["rmdir", here]))
        steps.append(write(f"{here}/name", port.first_name))
        if port.record:
            steps.append(write(f"{here}/record", record(port.record)))
        if port.netdev:
            steps.append(write(f"{here}/wire", f"netdev:{port.netdev}"))
        for cable in cables:
            if cable.ends[0] is port:
                far = cable.ends[1]
                peer = f"p{far.number}" if far.nic == nic.name else f"{far.nic}:p{far.number}"
                steps.append(write(f"{here}/wire", f"peer:{peer},length={cable.length}"))
    return steps


def cable_length(nic):
    """Receive buffers are for 10 m, unless the driver knows better."""
    longest = max((port.cable.length for port in nic.ports if port.cable), default=0)
    if longest <= 10:
        return []
    return [shell(f"devlink dev param set $(devlink dev show | grep -wF $(cat {CONFIGFS}/{nic.name}/dev_name)) "
                  f"name cable_length value {longest} cmode runtime")]


# ---- ports -----------------------------------------------------------------------

def dcb(port, kind, unread=(), **tables):
    """Set tables, each with its default, and read them back: dcb of Debian 12 succeeds when the
    kernel refuses. It rounds those that are unread."""
    words = [word for name, (values, default) in tables.items()
             for word in (name.replace("_", "-"), *typed(values, default))]
    steps = [at(port, "dcb", kind, "set", "dev", port.name, *words)]
    for name, (values, _) in tables.items():
        if name in unread:
            continue
        step = at(port, "dcb", kind, "show", "dev", port.name, name.replace("_", "-"))
        step.expect = shown(values)
        steps.append(step)
    return steps


def dcb_steps(port):
    steps = []
    if port.pfc:
        steps += dcb(port, "pfc", prio_pfc=({i: "on" if i in port.pfc else "off" for i in PRIOS},
                                            "off"))
    if port.ets:
        steps += dcb(port, "ets", tc_tsa=(port.ets["tc-tsa"], "strict"),
                     tc_bw=(port.ets["tc-bw"], 0), prio_tc=(port.ets["prio-tc"], 0))
    if port.buffer:
        steps += dcb(port, "buffer", ["buffer_size"],
                     prio_buffer=(port.buffer["prio-buffer"], 0),
                     buffer_size=(port.buffer["buffer-size"], 0))
    if port.trust:
        steps.append(at(port, "dcb", "apptrust", "set", "dev", port.name, "order", *port.trust))
    if port.dscp:
        steps.append(at(port, "dcb", "app", "add", "dev", port.name, "dscp-prio",
                        *shown(port.dscp)))
    return steps


def qdisc_steps(port, txq):
    replace = ["tc", "qdisc", "replace", "dev", port.name]
    if port.root_qdisc:
        return [at(port, *replace, "root", "handle", "1:", *port.root_qdisc)]
    steps = [at(port, *replace, "root", "handle", "1:", "mq")]
    for queue in range(1, txq + 1):
        steps.append(at(port, *replace, "parent", f"1:{queue:x}", *(port.qdisc or QDISC)))
    return steps


def vlan_steps(port):
    steps = []
    for vlan in port.vlans:
        qos = [f"{i}:{i if vlan.priority is None else vlan.priority}" for i in PRIOS]
        steps.append(at(port, "ip", "link", "add", "link", port.name, "name", vlan.name, "type",
                        "vlan", "id", vlan.vid, "egress-qos-map", *qos))
        steps += [at(port, "ip", "addr", "add", address, "dev", vlan.name)
                  for address in vlan.addresses]
        steps.append(at(port, "ip", "link", "set", "dev", vlan.name, "up"))
    return steps


def make_port(port, txq):
    """From where the driver shows it to its host, with all settings, and up."""
    steps = [run("ip", "link", "set", "dev", port.first_name, "netns", port.host, "name", port.name)]
    if port.cable and port.cable.speed:
        steps.append(at(port, "ethtool", "-s", port.name, "autoneg", "off", "speed",
                        SPEEDS[port.cable.speed], "duplex", "full"))
    if port.mtu:
        steps.append(at(port, "ip", "link", "set", "dev", port.name, "mtu", port.mtu))
    if port.pause:
        steps.append(at(port, "ethtool", "-A", port.name, "autoneg", "off",
                        *[word for name in ("rx", "tx")
                          for word in (name, "on" if name in port.pause else "off")]))
    steps += dcb_steps(port)
    if port.storm_ms:
        steps.append(at(port, "ethtool", "--set-tunable", port.name, "pfc-prevention-tout",
                        port.storm_ms))
    steps += qdisc_steps(port, txq)
    steps += [at(port, "ip", "addr", "add", address, "dev", port.name)
              for address in port.addresses]
    steps.append(at(port, "ip", "link", "set", "dev", port.name, "up"))
    return steps + vlan_steps(port)


def make_bridges(host):
    steps = []
    for name, members in host.bridges.items():
        # A container's namespace remains when the lab ends.
        undo = in_host(host.name, "ip", "link", "del", "dev", name) if host.pid else []
        steps.append(run(*in_host(host.name, "ip", "link", "add", name, "type", "bridge"),
                         undo=undo))
        steps += [run(*in_host(host.name, "ip", "link", "set", "dev", member, "master", name))
                  for member in members]
        steps.append(run(*in_host(host.name, "ip", "link", "set", "dev", name, "up")))
    return steps


# ---- all of it -------------------------------------------------------------------

def of(topology, directory):
    """Return the steps that make a topology. Relative recordings are in the directory."""
    def record(name):
        return name if name.startswith("/") else f"{directory}/{name}"

    hosts = topology.hosts
    nics = [nic for host in hosts for nic in host.nics]
    steps = [run("cp", topology.path, f"{directory}/{TOPOLOGY}"), *modules()]
    for host in hosts:
        steps += make_host(host)
    for nic in nics:
        steps += make_nic(nic, topology.cables, record)
    for nic in nics:
        steps.append(write(f"{CONFIGFS}/{nic.name}/live", 1))
        steps += [until(f"[ -e /sys/class/net/{port.first_name} ]") for port in nic.ports]
    # A rule may still give them other names.
    steps.append(shell("! command -v udevadm >/dev/null || udevadm settle"))
    for nic in nics:
        steps += cable_length(nic)
        for port in nic.ports:
            steps += make_port(port, int(nic.options["txq"]))
    for host in hosts:
        steps += make_bridges(host)
    steps += [until(f"ip -n {port.host} link show dev {port.name} up | grep -q LOWER_UP")
              for port in topology.ports if port.cable]
    return steps
