/* SPDX-License-Identifier: GPL-2.0 */
/* Host callbacks of the core: DMA, MSI-X, wires. Faults are injected here. */
#ifndef _PARQ_NIC_HOST_CORE_H
#define _PARQ_NIC_HOST_CORE_H

#include "host.h"

extern const struct parqsim_host host_sim_ops;

/* Sends an MSI-X message, if the guest allows it. */
void host_irq_send(struct host *h, u32 vector);

#endif /* _PARQ_NIC_HOST_CORE_H */
