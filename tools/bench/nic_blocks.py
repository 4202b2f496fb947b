# SPDX-License-Identifier: GPL-2.0
"""What count.so and nic-guest have written, as rows of costs by module and stage."""

import glob
import json
import os
import subprocess

import insns_blocks

MODULES = ("parqsim", "parq")
# Files of parqsim.ko, core and host.
STAGES = {
    "QMAN": "qman qman_ets txq shaper launch",
    "QMI, BMI, NTI": "qmi bmi nti sim_upstream",
    "gather and segment": "batch gather offload train",
    "MAC, cable": "mac mac_link mac_pause mac_tx cable ports record pcapng wire peer inlet netdev "
                  "capture",
    "receive": "steer offload_rx rule gro rxbuf rxbuf_config cells rxq fc storm",
    "switch": "egress fdb fwd mdb pool red snoop transit vlan",
    "clock": "clock ptp",
    "host memory": "nic fault",
    "front end": "platform irq event uml_pci pci_config",
    "turns": "group turn_napi turn_timer sim",
    "registers": "regs regs_device regs_flow regs_pause regs_port regs_queue regs_class "
                 "regs_steer regs_switch regs_trust",
    "other": "parq_pause_fsm main slot configfs control spec spec_names spec_show",
}
STAGE_OF = {file: stage for stage, files in STAGES.items() for file in files.split()}


def stages(directory):
    """The stage of each function, by the objects below a directory."""
    found = {}
    for path in glob.glob(f"{directory}/**/*.o", recursive=True):
        stage = STAGE_OF.get(os.path.basename(path)[:-2])
        if not stage:
            continue
        out = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout
        for line in out.splitlines():
            *_, kind, name = line.split()
            if kind in "tT":
                found[name] = stage if found.get(name, stage) == stage else "other"
    return found


def cost(blocks, symbols, stage_of):
    """Instructions in all, by module, and by stage of parqsim.ko. The idle loop does not count."""
    found = {"all": 0, **dict.fromkeys(MODULES, 0)}
    by_stage = dict.fromkeys(STAGES, 0)
    for address, insns, _, times, _ in blocks:
        name, module, _ = symbols.find(address)
        if name in insns_blocks.IDLE:
            continue
        found["all"] += insns * times
        if module in MODULES:
            found[module] += insns * times
        if module == "parqsim":
            by_stage[stage_of.get(name, "other")] += insns * times
    return found, by_stage


def rows(directory, stage_of):
    """A row a measurement, a frame; idle is a second."""
    symbols = insns_blocks.Symbols(os.path.join(directory, "symbols"))
    counted = insns_blocks.measurements(os.path.join(directory, "blocks"))
    result = []
    with open(os.path.join(directory, "rows"), encoding="ascii") as file:
        for number, line in enumerate(file):
            labels = json.loads(line)
            frames = labels.pop("frames")
            found, by_stage = cost(counted[number, 0], symbols, stage_of)
            result.append(labels | {name: round(value / frames, 1) for name, value in found.items()} |
                          {"stages": {name: round(value / frames, 1)
                                      for name, value in by_stage.items() if value}})
    return result
