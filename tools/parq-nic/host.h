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
 * struct host - the whole
 * @loop: waits for all file descriptors
 * @ports: wires
 * @captures: recordings
 * @vfu: QEMU's end
 * @vfu_fd: of it
 * @pci: configuration space
 * @sim: the core
 * @mem: its memory
 * @mem_size: bytes of it
 * @db: behind the doorbell BAR
 * @db_fd: the same as a file, which QEMU maps
 * @fault: what goes wrong on purpose
 * @epoch_ns: CLOCK_MONOTONIC when the device clock was 0
 * @at: how far the core has come, ps
 * @worked: when it last had something to do, ps
 * @flushed: when capture files were last brought up to date, ps
 * @master: it may do DMA and send interrupts
 * @awake: it answers to accesses to its BARs
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
