// SPDX-License-Identifier: GPL-2.0
/* Platform glue: the counterpart of parq_pci.c for a NIC that is not on PCI. */
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_data/parq.h>
#include <linux/platform_device.h>

#include "parq_dev.h"
#include "parq_io.h"

static const struct parq_platform_data *parq_platform_data(struct parq_dev *pd)
{
	return dev_get_platdata(pd->dev);
}

/* ---- Services for the rest of the driver -------------------------------- */

static int parq_platform_irq(struct parq_dev *pd, unsigned int vec)
{
	return platform_get_irq(to_platform_device(pd->dev), vec);
}

static const char *parq_platform_name(struct parq_dev *pd)
{
	return dev_name(pd->dev);
}

/* Trylock, as in pci_try_reset_function(): a removal holds the lock and waits for callers. */
static int parq_platform_reset(struct parq_dev *pd)
{
	int err;

	if (!device_trylock(pd->dev))
		return -EAGAIN;
	parq_dev_quiesce(pd);
	err = parq_dev_restart(pd);
	device_unlock(pd->dev);
	return err;
}

static u32 parq_platform_read(struct parq_dev *pd, u32 reg)
{
	const struct parq_platform_data *data = parq_platform_data(pd);

	return data->read(data->ctx, reg);
}

static void parq_platform_write(struct parq_dev *pd, u32 reg, u32 val)
{
	const struct parq_platform_data *data = parq_platform_data(pd);

	data->write(data->ctx, reg, val);
}

static const struct parq_bus_ops parq_platform_ops = {
	.irq = parq_platform_irq,
	.name = parq_platform_name,
	.reset = parq_platform_reset,
	.read = parq_platform_read,
	.write = parq_platform_write,
};

/* ---- Probe and remove --------------------------------------------------- */

static int parq_platform_irqs(struct parq_dev *pd)
{
	int irqs = platform_irq_count(to_platform_device(pd->dev));
	unsigned int want;

	if (irqs < 0)
		return irqs;
	if (irqs < PARQ_MIN_VECS) {
		dev_err(pd->dev, "%d interrupts, at least %u needed\n", irqs,
			PARQ_MIN_VECS);
		return -ENODEV;
	}
	want = 1 + pd->caps.ports * pd->caps.chans * PARQ_CHAN_VECS;
	pd->num_vecs = min3(want, pd->caps.vectors, (unsigned int)irqs);
	return 0;
}

static int parq_platform_probe(struct platform_device *pdev)
{
	const struct parq_platform_data *data = dev_get_platdata(&pdev->dev);
	struct parq_dev *pd;
	int err;

	/* User space can bind a device of any name to this driver. */
	if (!data || !platform_get_device_id(pdev))
		return -ENODEV;
	pd = parq_devlink_alloc(&pdev->dev);
	if (!pd)
		return -ENOMEM;
	pd->dev = &pdev->dev;
	pd->bus = &parq_platform_ops;
	pd->db = (void __iomem __force *)data->db;
	pd->max_ports = PARQ_MAX_PORTS;
	platform_set_drvdata(pdev, pd);

	err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (err)
		goto free;
	err = parq_io_reset(pd);
	if (err)
		goto free;
	err = parq_io_caps(pd);
	if (err)
		goto off;
	err = parq_platform_irqs(pd);
	if (err)
		goto off;
	err = parq_dev_start(pd);
	if (err)
		goto off;
	return 0;

off:
	parq_io_off(pd);
free:
	parq_devlink_free(pd);
	return err;
}

static parq_compat_remove_t parq_platform_remove(struct platform_device *pdev)
{
	struct parq_dev *pd = platform_get_drvdata(pdev);

	parq_dev_stop(pd);
	parq_devlink_free(pd);
	return PARQ_COMPAT_REMOVED;
}

/* Only stops DMA and interrupts: the next kernel probes again. */
static void parq_platform_shutdown(struct platform_device *pdev)
{
	parq_dev_suspend(platform_get_drvdata(pdev));
}

/* ---- Power -------------------------------------------------------------- */

static int parq_platform_suspend(struct device *dev)
{
	parq_dev_suspend(dev_get_drvdata(dev));
	return 0;
}

static int parq_platform_resume(struct device *dev)
{
	return parq_dev_restart(dev_get_drvdata(dev));
}

static DEFINE_SIMPLE_DEV_PM_OPS(parq_platform_pm_ops, parq_platform_suspend,
				parq_platform_resume);

static const struct platform_device_id parq_platform_ids[] = {
	{ .name = PARQ_PLATFORM_NAME },
	{}
};
MODULE_DEVICE_TABLE(platform, parq_platform_ids);

static struct platform_driver parq_platform_driver = {
	.driver.name = PARQ_DRV_NAME,
	.driver.pm = pm_sleep_ptr(&parq_platform_pm_ops),
	.id_table = parq_platform_ids,
	.probe = parq_platform_probe,
	.remove = parq_platform_remove,
	.shutdown = parq_platform_shutdown,
};

int parq_platform_register(void)
{
	return platform_driver_register(&parq_platform_driver);
}

void parq_platform_unregister(void)
{
	platform_driver_unregister(&parq_platform_driver);
}
