// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <asm/byteorder.h>

#include "host_access.h"
#include "host_time.h"

static void host_sim_reset(struct host *h)
{
	parqsim_reset(h->sim);
	vfu_irq_clear(h->vfu);
}

static void host_flr(void *ctx)
{
	host_sim_reset(ctx);
}

static bool host_msix_pending(void *ctx, u32 vector)
{
	struct host *h = ctx;

	return vfu_irq_pending(h->vfu, vector);
}

const struct pci_config_ops host_pci_ops = {
	.flr = host_flr,
	.msix_pending = host_msix_pending,
};

static void host_pci_changed(struct host *h)
{
	bool d3hot = pci_config_d3hot(h->pci);

	h->awake = pci_config_memory(h->pci) && !d3hot;
	h->master = pci_config_bus_master(h->pci) && !d3hot;
}

static int host_config_write(struct host *h, u64 off, const void *buf, u32 len)
{
	int err;

	err = pci_config_write(h->pci, off, buf, len);
	host_pci_changed(h);
	return err;
}

static bool host_is_reg(u64 off, u32 len)
{
	return len == sizeof(u32) && !(off % sizeof(u32));
}

/* Registers show the NIC as it is now. An illegal read returns 0. */
static void host_regs_read(struct host *h, u64 off, void *buf, u32 len)
{
	u32 val;

	host_run(h);
	memset(buf, 0, len);
	if (!host_is_reg(off, len)) {
		parqsim_bad_access(h->sim, (u32)off);
		return;
	}
	if (fault_fatal(&h->fault))
		parqsim_fail(h->sim);
	val = cpu_to_le32(parqsim_read(h->sim, (u32)off));
	memcpy(buf, &val, sizeof(val));
}

static void host_regs_write(struct host *h, u64 off, const void *buf, u32 len)
{
	u32 val;

	host_run(h);
	if (!host_is_reg(off, len)) {
		parqsim_bad_access(h->sim, (u32)off);
		return;
	}
	memcpy(&val, buf, sizeof(val));
	parqsim_write(h->sim, (u32)off, le32_to_cpu(val));
}

/* As if it had been mapped: a doorbell is seen whole, the rest is memory. */
static void host_db_write(struct host *h, u64 off, const void *buf, u32 len)
{
	u32 val;

	if (!host_is_reg(off, len)) {
		memcpy((u8 *)h->db + off, buf, len);
		return;
	}
	memcpy(&val, buf, sizeof(val));
	__atomic_store_n((u32 *)h->db + off / sizeof(val), val,
			 __ATOMIC_RELEASE);
}

static int host_read(void *ctx, u32 region, u64 off, void *buf, u32 len)
{
	struct host *h = ctx;

	if (region == VFIO_PCI_CONFIG_REGION_INDEX)
		return pci_config_read(h->pci, off, buf, len);
	if (!h->awake) {
		memset(buf, 0xff, len);
		return 0;
	}
	switch (region) {
	case PARQ_BAR_REGS:
		host_regs_read(h, off, buf, len);
		return 0;
	case PARQ_BAR_DB:
		memcpy(buf, (const u8 *)h->db + off, len);
		return 0;
	default:
		return pci_config_msix_read(h->pci, off, buf, len);
	}
}

static int host_write(void *ctx, u32 region, u64 off, const void *buf, u32 len)
{
	struct host *h = ctx;

	if (region == VFIO_PCI_CONFIG_REGION_INDEX)
		return host_config_write(h, off, buf, len);
	if (!h->awake)
		return 0;
	if (region == PARQ_BAR_REGS)
		host_regs_write(h, off, buf, len);
	else if (region == PARQ_BAR_DB)
		host_db_write(h, off, buf, len);
	return 0;
}

static void host_reset(void *ctx, enum vfu_reset reason)
{
	struct host *h = ctx;

	log_info("reset: %s", reason == VFU_RESET_CLIENT_GONE ?
		 "the client is gone" : "asked for by the client");
	pci_config_reset(h->pci);
	host_pci_changed(h);
	host_sim_reset(h);
}

static void host_vfu_log(void *ctx, const char *line)
{
	(void)ctx;
	log_info("%s", line);
}

const struct vfu_ops host_vfu_ops = {
	.read = host_read,
	.write = host_write,
	.reset = host_reset,
	.log = host_vfu_log,
};
