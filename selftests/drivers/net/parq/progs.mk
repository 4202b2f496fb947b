# SPDX-License-Identifier: GPL-2.0
#
# Lists of test programs, one for each machine: PAUSE_PROGS test pauses under traffic and their
# settings; LIFE_PROGS the life of the device, faults, and other programs; SHARE_PROGS measure
# the transmission selection and need a NIC that does not fetch early.

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

# Programs that need simulated time, for links faster than any processor and for a day, and a NIC
# that does not fetch early.
FIGURE_PROGS := \
	line_rate.sh \
	response.sh \
	stalls.sh \
	day.sh \
# end of FIGURE_PROGS

# Programs that change a NIC inside this kernel.
KERNEL_PROGS := \
	in_kernel.sh \
	configfs.sh \
	configfs_ports.sh \
	configfs_held.sh \
# end of KERNEL_PROGS

# Such programs that make a hundred NICs.
MANY_PROGS := \
	many_nics.sh \
# end of MANY_PROGS

# Such a program for which only a distribution's kernel has the protocols.
STOCK_PROGS := \
	stock_stack.sh \
# end of STOCK_PROGS

# Programs that also run over the NIC inside an older kernel. traffic.sh sets RSS, but 6.1 refuses
# a field that an ethtool newer than 6.7 sets. dcb_app.sh resets the function, which a platform
# device cannot.
OLD_PROGS := $(filter-out traffic.sh dcb_app.sh, $(PAUSE_PROGS))

# Programs that run parq-lab. labs.sh needs the protocols of a distribution's kernel, for soft-RoCE
# and others; fabric.sh simulated time, as several links are full at once.
LAB_PROGS := \
	fabric.sh \
	labs.sh \
# end of LAB_PROGS

# Programs of others, which are in the image of the kernel's own tests.
CLIENT_PROGS := \
	xdp_clients.sh \
# end of CLIENT_PROGS

# Programs that User Mode Linux cannot run. It has one processor, no PCI Express and no affinity
# of interrupts. In simulated time a program that spins stops the clock: pktgen does at a full
# queue (channels.sh), perftest while it waits (roce.sh).
QEMU_PROGS := \
	channels.sh \
	roce.sh \
	irq.sh \
	late_event.sh \
	fault_aer.sh \
	surprise.sh \
	fire.sh \
# end of QEMU_PROGS

# Programs in which two processors race most: sender, interrupts, service work and settings. CI has
# no time for the others on an emulated PC. ring_resize.sh comes with them, on a slow link.
SMP_PROGS := \
	pfc_park.sh \
	hitless.sh \
	rx_lossless.sh \
	storm.sh \
	fault_irq.sh \
# end of SMP_PROGS

# Programs that need User Mode Linux. suspend.sh: file systems that an emulated PC shares with its
# host do not survive a suspend. soak.sh: only simulated time can be repeated. switch*.sh: several
# links are full at the same time. tutorial.sh: its waits are too short for an emulated PC.
# gro_hw.sh: parq-nic has no trains. etf.sh, ptp.sh: no clock of a host is that exact. xdp.sh,
# xsk.sh: rings fill at the rate of the link. flower.sh, steer.sh: the link has 100 Gb/s.
SIMULATED_PROGS := \
	etf.sh \
	flower.sh \
	gro_hw.sh \
	ptp.sh \
	steer.sh \
	suspend.sh \
	soak.sh \
	tutorial.sh \
	switch.sh \
	switch_ecn.sh \
	switch_groups.sh \
	switch_pool.sh \
	switch_ports.sh \
	switch_storm.sh \
	switch_two.sh \
	switch_vif.sh \
	switch_vlan.sh \
	xdp.sh \
	xsk.sh \
# end of SIMULATED_PROGS

# Those of KERNEL_PROGS that work on UML's PCI, too.
UML_PROGS := $(filter-out $(QEMU_PROGS),$(PAUSE_PROGS) $(LIFE_PROGS)) $(SIMULATED_PROGS) \
	configfs.sh configfs_ports.sh configfs_held.sh
