# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Faults of the NIC, injected through tools/vm/control.sh.
# shellcheck disable=SC2154 # variables of the other files

# What the NIC can be made to do, see parq-nic(8), SIGUSR2.
# shellcheck disable=SC2034 # used by tests
FAULT_DMA=1 FAULT_LOST=2 FAULT_LATE=4 FAULT_TWICE=8 FAULT_REFUSED=16 FAULT_STUCK=32 \
	FAULT_FATAL=64

# Asks the host that runs the virtual machine, see tools/vm/control.sh.
host()
{
	/parq/tools/vm/ask "$@" >"$tmp/answer"
}

fault_begin()
{
	host nic 0 fault "$1" && defer fault_end
}

fault_end()
{
	host nic 0 fault 0
}
