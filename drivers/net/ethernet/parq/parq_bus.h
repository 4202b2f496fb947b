/* SPDX-License-Identifier: GPL-2.0 */
/* The buses on which a device can be, one file each. */
#ifndef _PARQ_BUS_H
#define _PARQ_BUS_H

int parq_pci_register(void);
void parq_pci_unregister(void);

int parq_platform_register(void);
void parq_platform_unregister(void);

#endif /* _PARQ_BUS_H */
