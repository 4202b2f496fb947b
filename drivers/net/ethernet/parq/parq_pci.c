// SPDX-License-Identifier: GPL-2.0
/* PCI glue, the only file that depends on PCI, and the module. */
#include <linux/aer.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "parq_dev.h"
#include "parq_io.h"

static struct pci_dev *parq_pdev(struct parq_dev *pd)
{
	return to_pci_dev(pd->dev);
}

/* ---- Services for the rest of the driver -------------------------------- */

static int parq_pci_irq(struct parq_dev *pd, unsigned int vec)
{
	return pci_irq_vector(parq_pdev(pd), vec);
}

static const char *parq_pci_name(struct parq_dev *pd)
{
	return pci_name(parq_pdev(pd));
}

/* PCI calls parq_pci_reset_prepare() and parq_pci_reset_done(). */
static int parq_pci_reset(struct parq_dev *pd)
{
	return pci_try_reset_function(parq_pdev(pd));
}

static void parq_pci_dma(struct parq_dev *pd, bool on)
{
	if (on)
		pci_set_master(parq_pdev(pd));
	else
		pci_clear_master(parq_pdev(pd));
}

static const struct parq_bus_ops parq_pci_ops = {
	.irq = parq_pci_irq,
	.name = parq_pci_name,
	.reset = parq_pci_reset,
	.dma = parq_pci_dma,
};

/* ---- Probe and remove --------------------------------------------------- */

/* Whether the BARs have room for parq_dev.max_ports. */
static bool parq_pci_fits(struct parq_dev *pd)
{
	struct pci_dev *pdev = parq_pdev(pd);

	return pci_resource_len(pdev, PARQ_BAR_REGS) >= parq_bar_regs_size(pd->max_ports) &&
	       pci_resource_len(pdev, PARQ_BAR_DB) >= parq_bar_db_size(pd->max_ports);
}

static int parq_pci_map(struct parq_dev *pd)
{
	struct pci_dev *pdev = parq_pdev(pd);

	pd->max_ports = PARQ_MAX_PORTS;
	if (!parq_pci_fits(pd))
		pd->max_ports = PARQ_NIC_PORTS;
	if (!parq_pci_fits(pd)) {
		dev_err(pd->dev, "BAR%d of %pa bytes or BAR%d of %pa bytes: too small\n",
			PARQ_BAR_REGS,
			&(resource_size_t){ pci_resource_len(pdev, PARQ_BAR_REGS) },
			PARQ_BAR_DB,
			&(resource_size_t){ pci_resource_len(pdev, PARQ_BAR_DB) });
		return -ENODEV;
	}
	pd->regs = pci_iomap(pdev, PARQ_BAR_REGS, parq_bar_regs_size(pd->max_ports));
	if (!pd->regs)
		return -ENOMEM;
	pd->db = pci_iomap(pdev, PARQ_BAR_DB, parq_bar_db_size(pd->max_ports));
	if (!pd->db) {
		pci_iounmap(pdev, pd->regs);
		return -ENOMEM;
	}
	return 0;
}

static void parq_pci_unmap(struct parq_dev *pd)
{
	pci_iounmap(parq_pdev(pd), pd->db);
	pci_iounmap(parq_pdev(pd), pd->regs);
}

/* Requests a vector for each queue; accepts fewer if the machine has fewer. */
static int parq_pci_vectors(struct parq_dev *pd)
{
	unsigned int want;
	int vecs;

	want = 1 + pd->caps.ports * pd->caps.chans * PARQ_CHAN_VECS;
	want = min(want, pd->caps.vectors);
	vecs = pci_alloc_irq_vectors(parq_pdev(pd), PARQ_MIN_VECS, want,
				     PCI_IRQ_MSIX);
	if (vecs < 0) {
		dev_err(pd->dev, "cannot allocate %u to %u MSI-X vectors: %d\n",
			PARQ_MIN_VECS, want, vecs);
		return vecs;
	}
	pd->num_vecs = vecs;
	return 0;
}

static int parq_pci_enable(struct pci_dev *pdev)
{
	int err;

	err = pci_enable_device_mem(pdev);
	if (err)
		return err;
	err = pci_request_mem_regions(pdev, PARQ_DRV_NAME);
	if (err)
		goto disable;
	err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (!err)
		return 0;

	pci_release_mem_regions(pdev);
disable:
	pci_disable_device(pdev);
	return err;
}

static void parq_pci_disable(struct pci_dev *pdev)
{
	pci_release_mem_regions(pdev);
	/* It is disabled already after an error without recovery. */
	if (pci_is_enabled(pdev))
		pci_disable_device(pdev);
}

static int parq_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct parq_dev *pd;
	int err;

	pd = parq_devlink_alloc(&pdev->dev);
	if (!pd)
		return -ENOMEM;
	pd->dev = &pdev->dev;
	pd->bus = &parq_pci_ops;
	pci_set_drvdata(pdev, pd);

	err = parq_pci_enable(pdev);
	if (err)
		goto free;
	err = parq_pci_map(pd);
	if (err)
		goto disable;
	err = parq_io_reset(pd);
	if (err)
		goto unmap;
	err = parq_io_caps(pd);
	if (err)
		goto off;
	err = parq_pci_vectors(pd);
	if (err)
		goto off;
	err = parq_dev_start(pd);
	if (err)
		goto free_vectors;
	pci_save_state(pdev);
	return 0;

free_vectors:
	pci_free_irq_vectors(pdev);
off:
	parq_io_off(pd);
unmap:
	parq_pci_unmap(pd);
disable:
	parq_pci_disable(pdev);
free:
	parq_devlink_free(pd);
	return err;
}

static void parq_pci_remove(struct pci_dev *pdev)
{
	struct parq_dev *pd = pci_get_drvdata(pdev);

	parq_dev_stop(pd);
	pci_free_irq_vectors(pdev);
	parq_pci_unmap(pd);
	parq_pci_disable(pdev);
	parq_devlink_free(pd);
}

/* Only stops DMA and interrupts: the next kernel probes again. */
static void parq_pci_shutdown(struct pci_dev *pdev)
{
	parq_dev_suspend(pci_get_drvdata(pdev));
}

/* ---- Power -------------------------------------------------------------- */

static int parq_pci_suspend(struct device *dev)
{
	parq_dev_suspend(dev_get_drvdata(dev));
	return 0;
}

static int parq_pci_resume(struct device *dev)
{
	return parq_dev_restart(dev_get_drvdata(dev));
}

static DEFINE_SIMPLE_DEV_PM_OPS(parq_pci_pm_ops, parq_pci_suspend,
				parq_pci_resume);

/* ---- Resets from outside, and errors of the bus ------------------------- */

static void parq_pci_reset_prepare(struct pci_dev *pdev)
{
	parq_dev_quiesce(pci_get_drvdata(pdev));
}

static void parq_pci_reset_done(struct pci_dev *pdev)
{
	int err = parq_dev_restart(pci_get_drvdata(pdev));

	if (err)
		dev_err(&pdev->dev, "did not come back after a reset: %d\n",
			err);
}

static pci_ers_result_t parq_pci_error_detected(struct pci_dev *pdev,
						pci_channel_state_t state)
{
	parq_dev_quiesce(pci_get_drvdata(pdev));
	if (state == pci_channel_io_perm_failure)
		return PCI_ERS_RESULT_DISCONNECT;
	pci_disable_device(pdev);
	return PCI_ERS_RESULT_NEED_RESET;
}

static pci_ers_result_t parq_pci_slot_reset(struct pci_dev *pdev)
{
	int err = pci_enable_device_mem(pdev);

	if (err) {
		dev_err(&pdev->dev, "not enabled after a slot reset: %d\n",
			err);
		return PCI_ERS_RESULT_DISCONNECT;
	}
	pci_restore_state(pdev);
	/* Until parq_io_reset() has reset it. */
	pci_clear_master(pdev);
	pci_save_state(pdev);
	return PCI_ERS_RESULT_RECOVERED;
}

static const struct pci_error_handlers parq_pci_err_handlers = {
	.error_detected = parq_pci_error_detected,
	.slot_reset = parq_pci_slot_reset,
	.resume = parq_pci_reset_done,
	.reset_prepare = parq_pci_reset_prepare,
	.reset_done = parq_pci_reset_done,
};

static const struct pci_device_id parq_pci_ids[] = {
	{ PCI_DEVICE(PARQ_PCI_VENDOR, PARQ_PCI_DEVICE) },
	{}
};
MODULE_DEVICE_TABLE(pci, parq_pci_ids);

static struct pci_driver parq_pci_driver = {
	.name = PARQ_DRV_NAME,
	.id_table = parq_pci_ids,
	.probe = parq_pci_probe,
	.remove = parq_pci_remove,
	.shutdown = parq_pci_shutdown,
	.driver.pm = pm_sleep_ptr(&parq_pci_pm_ops),
	.err_handler = &parq_pci_err_handlers,
};

/* ---- The module --------------------------------------------------------- */

static int __init parq_init(void)
{
	int err;

	parq_debugfs_create();
	err = pci_register_driver(&parq_pci_driver);
	if (err)
		goto destroy_debugfs;
	err = parq_platform_register();
	if (err)
		goto unregister_pci;
	return 0;

unregister_pci:
	pci_unregister_driver(&parq_pci_driver);
destroy_debugfs:
	parq_debugfs_destroy();
	return err;
}

static void __exit parq_exit(void)
{
	parq_platform_unregister();
	pci_unregister_driver(&parq_pci_driver);
	parq_debugfs_destroy();
}

module_init(parq_init);
module_exit(parq_exit);

MODULE_DESCRIPTION("PARQ Ethernet driver, PFC with priority-aware recycling queues");
MODULE_LICENSE("GPL");
