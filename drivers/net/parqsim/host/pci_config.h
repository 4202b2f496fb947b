/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Configuration space of the NIC's PCI Express function.
 *
 * Type 0 header with three 64-bit memory BARs (0, 2, 4), capabilities PM, PCI
 * Express (endpoint, version 2, with FLR), MSI-X; extended capabilities AER
 * and, if there is a serial number, DSN. BAR4 holds the MSI-X table from offset
 * 0 and the pending bits in the page behind it.
 *
 * A VFIO client keeps BARs and MSI-X table itself: it answers the guest's
 * accesses to them, and tells the vfio-user server which vectors to signal.
 */
#ifndef _PARQSIM_PCI_CONFIG_H
#define _PARQSIM_PCI_CONFIG_H

#include <linux/types.h>

#define PCI_CONFIG_SIZE			4096
#define PCI_CONFIG_NUM_BARS		3	/* of 64 bits */
#define PCI_CONFIG_MAX_VECTORS		2048
#define PCI_CONFIG_MSIX_BAR		4
#define PCI_CONFIG_MIN_BAR		4096

/**
 * struct pci_config_id - what tells this function from others
 * @vendor: PCI vendor id
 * @device: PCI device id
 * @subsys_vendor: subsystem vendor id
 * @subsys: subsystem id
 * @revision: revision id
 * @class: class, subclass and programming interface, 24 bits
 * @bar_size: bytes behind BAR0 and BAR2, powers of two, PCI_CONFIG_MIN_BAR at
 *	least; BAR4's follows from @vectors
 * @vectors: MSI-X vectors, 1 to PCI_CONFIG_MAX_VECTORS
 * @serial: device serial number (EUI-64), 0: none
 */
struct pci_config_id {
	u16 vendor;
	u16 device;
	u16 subsys_vendor;
	u16 subsys;
	u8 revision;
	u32 class;
	u64 bar_size[PCI_CONFIG_NUM_BARS - 1];
	u16 vectors;
	u64 serial;
};

/**
 * struct pci_config_ops - what the rest of the function has to do with it
 * @flr: Function Level Reset; configuration space has been reset already
 * @msix_pending: is this vector's interrupt waiting to be sent?
 */
struct pci_config_ops {
	void (*flr)(void *ctx);
	bool (*msix_pending)(void *ctx, u32 vector);
};

struct pci_config;

/**
 * pci_config_create - a function in its state after power-on
 * @out: the new function
 * @id: what it is; copied
 * @ops: must stay
 * @ctx: handed to @ops
 *
 * Return: 0, -EINVAL if @id is out of range, -ENOMEM.
 */
int pci_config_create(struct pci_config **out, const struct pci_config_id *id,
		      const struct pci_config_ops *ops, void *ctx);
void pci_config_destroy(struct pci_config *cfg);

/* Back to the state after power-on. Calls no callback. */
void pci_config_reset(struct pci_config *cfg);

/*
 * Any offset and length inside PCI_CONFIG_SIZE; -EINVAL beyond it. What is read
 * only ignores writes.
 */
int pci_config_read(const struct pci_config *cfg, u64 off, void *buf, u32 len);
int pci_config_write(struct pci_config *cfg, u64 off, const void *buf, u32 len);

/*
 * BAR4 as the client sees it: pending bits, and 0 elsewhere. Writes to it are
 * to be ignored. -EINVAL beyond its end.
 */
int pci_config_msix_read(const struct pci_config *cfg, u64 off, void *buf,
			 u32 len);

/* Bytes behind BAR 0, 2 or 4; 0 for any other. */
u64 pci_config_bar_size(const struct pci_config *cfg, u32 bar);

/* Command register: may the function access memory and send interrupts? */
bool pci_config_bus_master(const struct pci_config *cfg);
/* Command register: does the function answer to accesses to its BARs? */
bool pci_config_memory(const struct pci_config *cfg);
/* Power management: is it in D3hot? Then it answers to configuration only. */
bool pci_config_d3hot(const struct pci_config *cfg);
/* A device serial number made of a MAC address, EUI-64. */
u64 pci_config_eui64(const u8 mac[6]);

/* Software has masked all vectors. */
bool pci_config_msix_masked(const struct pci_config *cfg);
/* Software takes MSI-X interrupts; else they are lost, not pending. */
bool pci_config_msix_enabled(const struct pci_config *cfg);

#endif /* _PARQSIM_PCI_CONFIG_H */
