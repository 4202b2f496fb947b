# SPDX-License-Identifier: GPL-2.0
#
# The programs in parts, for machines that run at once: pauses under traffic and what is
# set for them; other programs, the life of the device and faults; those that measure the
# transmission selection, which want a NIC that does not fetch early.

PAUSE_PROGS := \
	wire_judge_test \
	smoke.sh \
	bring_up.sh \
	traffic.sh \
	rxhash.sh \
	mac_address.sh \
	mac_filters.sh \
	pfc_park.sh \
	pfc_repause.sh \
	pfc_all.sh \
	pfc_two_ports.sh \
	pfc_other_classes.sh \
	rx_lossless.sh \
	link_pause.sh \
	external_pause.sh \
	trace.sh \
	dcb.sh \
	dcb_app.sh \
	dcb_cee.sh \
	netlink_bad.sh \
	hitless.sh \
	watchdog.sh \
	storm.sh \
	tx_drops.sh \
	tx_balance.sh \
# end of PAUSE_PROGS

LIFE_PROGS := \
	channels.sh \
	commands.sh \
	lldpad.sh \
	lldpad_cee.sh \
	roce.sh \
	tshark.sh \
	ring_resize.sh \
	ifdown_parked.sh \
	flr.sh \
	rmmod_parked.sh \
	reload.sh \
	irq.sh \
	fault_aer.sh \
	fault_dma.sh \
	fault_irq.sh \
	late_event.sh \
	fault_liar.sh \
	fault_link.sh \
	fault_fatal.sh \
	surprise.sh \
	fire.sh \
# end of LIFE_PROGS

SHARE_PROGS := \
	shares.sh \
	latency.sh \
	dcb_maxrate.sh \
	qdisc.sh \
	starved.sh \
# end of SHARE_PROGS

# What only simulated time can show, with a NIC that does not fetch early either: links faster
# than any processor, and a day.
FIGURE_PROGS := \
	line_rate.sh \
	response.sh \
	stalls.sh \
	day.sh \
# end of FIGURE_PROGS

# With the NIC inside this kernel, on which they act.
KERNEL_PROGS := \
	in_kernel.sh \
	configfs.sh \
# end of KERNEL_PROGS

# What also runs over the NIC inside an older kernel. traffic.sh sets RSS, but an ethtool newer
# than 6.7 fills a field that 6.1 refuses; dcb_app.sh resets the function, and a platform device
# has no such reset.
OLD_PROGS := $(filter-out traffic.sh dcb_app.sh, $(PAUSE_PROGS))

# Labs of examples/, on the distribution's newest kernel: its bridge, and a soft-RoCE that knows
# network namespaces.
EXAMPLE_PROGS := \
	examples.sh \
# end of EXAMPLE_PROGS

# What User Mode Linux cannot run: it has one processor and no PCI Express, interrupts there have
# no affinity, and in simulated time a program that spins never lets time pass, as pktgen does at
# a full queue (channels.sh) and perftest while it waits (roce.sh).
QEMU_PROGS := \
	channels.sh \
	roce.sh \
	irq.sh \
	late_event.sh \
	fault_aer.sh \
	surprise.sh \
	fire.sh \
# end of QEMU_PROGS

# What only User Mode Linux can run: the file systems of the emulated PC's host do not survive
# that the machine suspends; a schedule that can be repeated needs simulated time, and so do the
# short waits of the tutorial, which is typed and read by people.
SIMULATED_PROGS := \
	suspend.sh \
	soak.sh \
	tutorial.sh \
# end of SIMULATED_PROGS

# Of KERNEL_PROGS those that work whichever way a driver reaches the NIC.
UML_PROGS := $(filter-out $(QEMU_PROGS),$(PAUSE_PROGS) $(LIFE_PROGS)) $(SIMULATED_PROGS) \
	configfs.sh
