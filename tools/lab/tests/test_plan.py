# SPDX-License-Identifier: GPL-2.0
"""Plans: the commands that a file becomes, without running them."""

import unittest

import plan
import tap
import topology

FILE = """
parq-lab: 1
hosts:
  host-a:
    nics:
      left:
        ports:
          a0:
            addresses: [10.0.0.1/24]
            mtu: 9000
            pfc: [3, 4]
            ets: {tc-tsa: {3: ets, 4: ets}, tc-bw: {3: 60, 4: 40}, prio-tc: {3: 3, 4: 4}}
            dscp-prio: {26: 3}
            storm: 200ms
            root-qdisc: ets bands 8
            record: a0.pcapng
            vlans: {v3: {id: 10, priority: 3, addresses: [10.0.3.1/24]}}
  box:
    pid: 4711
    nics: {right: {txq: 9, ports: {b0: {record: /tmp/b0.pcapng}, b1: {qdisc: fq_codel}}}}
    bridges: {br0: [b0]}
cables:
  - {ends: [host-a a0, box b0], length: 300, speed: 10M}
"""

PLAN = """\
cp my.yaml /lab/topology.yaml
[ -e /sys/module/parqsim ] || modprobe parqsim nics=0
[ -e /sys/module/parq ] || modprobe parq
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
ip netns add host-a
ip -n host-a link set lo up
ip netns exec host-a sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
ip netns attach box 4711
mkdir /sys/kernel/config/parqsim/left
echo 1 >/sys/kernel/config/parqsim/left/ports
echo 8 >/sys/kernel/config/parqsim/left/txq
echo 2 >/sys/kernel/config/parqsim/left/rxq
echo leftp0 >/sys/kernel/config/parqsim/left/p0/name
echo /lab/a0.pcapng >/sys/kernel/config/parqsim/left/p0/record
echo peer:right:p0,length=300 >/sys/kernel/config/parqsim/left/p0/wire
mkdir /sys/kernel/config/parqsim/right
echo 2 >/sys/kernel/config/parqsim/right/ports
echo 9 >/sys/kernel/config/parqsim/right/txq
echo 2 >/sys/kernel/config/parqsim/right/rxq
echo rightp0 >/sys/kernel/config/parqsim/right/p0/name
echo /tmp/b0.pcapng >/sys/kernel/config/parqsim/right/p0/record
echo rightp1 >/sys/kernel/config/parqsim/right/p1/name
echo 1 >/sys/kernel/config/parqsim/left/live
until [ -e /sys/class/net/leftp0 ]; do sleep 0.1; done
echo 1 >/sys/kernel/config/parqsim/right/live
until [ -e /sys/class/net/rightp0 ]; do sleep 0.1; done
until [ -e /sys/class/net/rightp1 ]; do sleep 0.1; done
! command -v udevadm >/dev/null || udevadm settle
devlink dev param set $(devlink dev show | grep -wF $(cat /sys/kernel/config/parqsim/left/dev_name)) name cable_length value 300 cmode runtime
ip link set dev leftp0 netns host-a name a0
ip netns exec host-a ethtool -s a0 autoneg off speed 10 duplex full
ip -n host-a link set dev a0 mtu 9000
dcb -n host-a pfc set dev a0 prio-pfc all:off 3:on 4:on
dcb -n host-a pfc show dev a0 prio-pfc    # 0:off 1:off 2:off 3:on 4:on 5:off 6:off 7:off
dcb -n host-a ets set dev a0 tc-tsa all:strict 3:ets 4:ets tc-bw all:0 3:60 4:40 prio-tc all:0 3:3 4:4
dcb -n host-a ets show dev a0 tc-tsa    # 0:strict 1:strict 2:strict 3:ets 4:ets 5:strict 6:strict 7:strict
dcb -n host-a ets show dev a0 tc-bw    # 0:0 1:0 2:0 3:60 4:40 5:0 6:0 7:0
dcb -n host-a ets show dev a0 prio-tc    # 0:0 1:0 2:0 3:3 4:4 5:0 6:0 7:0
dcb -n host-a app add dev a0 dscp-prio 26:3
ip netns exec host-a ethtool --set-tunable a0 pfc-prevention-tout 200
tc -n host-a qdisc replace dev a0 root handle 1: ets bands 8
ip -n host-a addr add 10.0.0.1/24 dev a0
ip -n host-a link set dev a0 up
ip -n host-a link add link a0 name v3 type vlan id 10 egress-qos-map 0:3 1:3 2:3 3:3 4:3 5:3 6:3 7:3
ip -n host-a addr add 10.0.3.1/24 dev v3
ip -n host-a link set dev v3 up
devlink dev param set $(devlink dev show | grep -wF $(cat /sys/kernel/config/parqsim/right/dev_name)) name cable_length value 300 cmode runtime
ip link set dev rightp0 netns box name b0
ip netns exec box ethtool -s b0 autoneg off speed 10 duplex full
tc -n box qdisc replace dev b0 root handle 1: mq
tc -n box qdisc replace dev b0 parent 1:1 pfifo limit 10000
tc -n box qdisc replace dev b0 parent 1:2 pfifo limit 10000
tc -n box qdisc replace dev b0 parent 1:3 pfifo limit 10000
tc -n box qdisc replace dev b0 parent 1:4 pfifo limit 10000
tc -n box qdisc replace dev b0 parent 1:5 pfifo limit 10000
tc -n box qdisc replace dev b0 parent 1:6 pfifo limit 10000
tc -n box qdisc replace dev b0 parent 1:7 pfifo limit 10000
tc -n box qdisc replace dev b0 parent 1:8 pfifo limit 10000
tc -n box qdisc replace dev b0 parent 1:9 pfifo limit 10000
ip -n box link set dev b0 up
ip link set dev rightp1 netns box name b1
tc -n box qdisc replace dev b1 root handle 1: mq
tc -n box qdisc replace dev b1 parent 1:1 fq_codel
tc -n box qdisc replace dev b1 parent 1:2 fq_codel
tc -n box qdisc replace dev b1 parent 1:3 fq_codel
tc -n box qdisc replace dev b1 parent 1:4 fq_codel
tc -n box qdisc replace dev b1 parent 1:5 fq_codel
tc -n box qdisc replace dev b1 parent 1:6 fq_codel
tc -n box qdisc replace dev b1 parent 1:7 fq_codel
tc -n box qdisc replace dev b1 parent 1:8 fq_codel
tc -n box qdisc replace dev b1 parent 1:9 fq_codel
ip -n box link set dev b1 up
ip -n box link add br0 type bridge
ip -n box link set dev b0 master br0
ip -n box link set dev br0 up
until ip -n host-a link show dev a0 up | grep -q LOWER_UP; do sleep 0.1; done
until ip -n box link show dev b0 up | grep -q LOWER_UP; do sleep 0.1; done
"""

UNDO = ["sh -c ls /sys/kernel/config/parqsim | grep -q . || rmmod parqsim",
        "ip netns del host-a", "ip netns del box", "rmdir /sys/kernel/config/parqsim/left",
        "rmdir /sys/kernel/config/parqsim/right", "ip -n box link del dev br0"]


class Plan(unittest.TestCase):
    """The commands of a file."""

    def test_whole(self):
        self.maxDiff = None
        steps = plan.of(topology.parse("my.yaml", FILE), "/lab")
        self.assertEqual("".join(step.text() + "\n" for step in steps), PLAN)
        self.assertEqual([" ".join(step.undo) for step in steps if step.undo], UNDO)

    def test_queues_are_hexadecimal(self):
        steps = plan.of(topology.parse("my.yaml", FILE.replace("txq: 9", "txq: 16")), "/lab")
        self.assertIn("tc -n box qdisc replace dev b0 parent 1:10 pfifo limit 10000",
                      [step.text() for step in steps])

    def test_more_ports_have_directories(self):
        ports = ", ".join(f"s{n}: {{}}" for n in range(12))
        steps = plan.of(topology.parse("my.yaml", "parq-lab: 1\nhosts: {}\nswitches:\n"
                                       f"  sw: {{ports: {{{ports}}}}}\n"), "/lab")
        made = [step.argv[1] for step in steps if step.argv[0] == "mkdir"]
        self.assertEqual(made, ["/sys/kernel/config/parqsim/sw"] +
                         [f"/sys/kernel/config/parqsim/sw/p{n}" for n in range(4, 12)])
        self.assertEqual([step.undo for step in steps if step.argv[0] == "mkdir"],
                         [["rmdir", path] for path in made])

    def test_settings_of_a_port(self):
        steps = plan.of(topology.parse("my.yaml", """
parq-lab: 1
hosts:
  box:
    nics:
      nic:
        ports:
          b0: {netdev: tap0, pause: [rx], trust: [dscp],
               buffer: {buffer-size: {0: 65536}, prio-buffer: {3: 1}}}
"""), "/lab")
        texts = [step.text() for step in steps]
        for text in ("echo netdev:tap0 >/sys/kernel/config/parqsim/nic/p0/wire",
                     "ip netns exec box ethtool -A b0 autoneg off rx on tx off",
                     "dcb -n box buffer set dev b0 prio-buffer all:0 3:1 buffer-size all:0 0:65536",
                     "dcb -n box buffer show dev b0 prio-buffer    "
                     "# 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0",
                     "dcb -n box apptrust set dev b0 order dscp"):
            self.assertIn(text, texts)


if __name__ == "__main__":
    tap.main()
