// SPDX-License-Identifier: GPL-2.0
/* The module. */
#include <linux/module.h>

#include "parq_debugfs.h"
#include "parq_pci.h"
#include "parq_platform.h"

static int __init parq_init(void)
{
	int err;

	parq_debugfs_create();
	err = parq_pci_register();
	if (err)
		goto destroy_debugfs;
	err = parq_platform_register();
	if (err)
		goto unregister_pci;
	return 0;

unregister_pci:
	parq_pci_unregister();
destroy_debugfs:
	parq_debugfs_destroy();
	return err;
}

static void __exit parq_exit(void)
{
	parq_platform_unregister();
	parq_pci_unregister();
	parq_debugfs_destroy();
}

module_init(parq_init);
module_exit(parq_exit);

MODULE_DESCRIPTION("PARQ Ethernet driver, PFC with priority-aware recycling queues");
MODULE_LICENSE("GPL");
