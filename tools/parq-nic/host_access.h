/* SPDX-License-Identifier: GPL-2.0 */
/* Requests of QEMU: accesses to configuration space and BARs, resets. */
#ifndef _PARQ_NIC_HOST_ACCESS_H
#define _PARQ_NIC_HOST_ACCESS_H

#include "host.h"

extern const struct pci_config_ops host_pci_ops;
extern const struct vfu_ops host_vfu_ops;

#endif /* _PARQ_NIC_HOST_ACCESS_H */
