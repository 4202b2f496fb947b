/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The NIC as a PCI Express function: gives the core its host (DMA, MSI-X, real
 * time, doorbell memory) and the host its NIC (configuration space and BARs).
 */
#ifndef _PARQ_NIC_HOST_H
#define _PARQ_NIC_HOST_H

#include "fault.h"
#include "pci_config.h"
#include "options.h"
#include "ports.h"
#include "vfio_user/server.h"
#include "wire/capture.h"
#include "wire/outside.h"

/**
 * struct host - the process: a NIC, its wires, and the VM that uses it
 * @loop: waits for all file descriptors
 * @ports: wires
 * @captures: recordings
 * @vfu: QEMU's end
 * @vfu_fd: its descriptor
 * @pci: configuration space
 * @sim: the core
 * @mem: its memory
 * @mem_size: bytes of it
 * @db: memory of the doorbell BAR
 * @db_fd: that memory as a file, which QEMU maps
 * @fault: injected faults
 * @epoch_ns: CLOCK_MONOTONIC when the device clock was 0
 * @at: time up to which the core has run, ps
 * @worked: time of the core's last event, ps
 * @flushed: when capture files were last brought up to date, ps
 * @master: the NIC may do DMA and send interrupts
 * @awake: the NIC answers accesses to its BARs
 * @err: why QEMU cannot be served any more
 */
struct host {
	struct loop *loop;
	struct ports ports;
	struct captures captures;
	struct vfu *vfu;
	struct loop_fd vfu_fd;
	struct pci_config *pci;
	struct parqsim *sim;
	void *mem;
	size_t mem_size;
	void *db;
	int db_fd;
	struct fault fault;
	u64 epoch_ns;
	u64 at;
	u64 worked;
	u64 flushed;
	bool master;
	bool awake;
	int err;
};

int host_init(struct host *h, const struct options *o, struct loop *loop);
void host_fini(struct host *h);
void host_fault(struct host *h, u32 kinds);
void host_print(const struct host *h, FILE *out);

#endif /* _PARQ_NIC_HOST_H */
