/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PCI_H
#define _PARQ_PCI_H

int parq_pci_register(void);
void parq_pci_unregister(void);

#endif /* _PARQ_PCI_H */
