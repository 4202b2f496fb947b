// SPDX-License-Identifier: GPL-2.0
#include <asm/byteorder.h>
#include <linux/errno.h>
#include <linux/pci_regs.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "pci_config.h"

/* Offsets of the capabilities. */
#define CFG_PM			0x40
#define CFG_EXP			0x50
#define CFG_MSIX		0x90
#define CFG_AER			0x100
#define CFG_DSN			0x148

#define MSIX_PAGE		4096

#define PCI_CONFIG_EUI64_FILL	0xfffeULL

/* Link: 32 GT/s, 16 lanes. */
#define EXP_SPEED		5
#define EXP_WIDTH		16
#define EXP_SPEEDS		0x3e	/* PCI_EXP_LNKCAP2_SLS_, up to EXP_SPEED */
#define EXP_MPS			1	/* maximum payload 256 bytes */

/* Errors that an endpoint can report. */
#define AER_UNCOR		(PCI_ERR_UNC_DLP | PCI_ERR_UNC_POISON_TLP | \
				 PCI_ERR_UNC_FCP | PCI_ERR_UNC_COMP_TIME | \
				 PCI_ERR_UNC_COMP_ABORT | \
				 PCI_ERR_UNC_UNX_COMP | \
				 PCI_ERR_UNC_RX_OVER | PCI_ERR_UNC_MALF_TLP | \
				 PCI_ERR_UNC_ECRC | PCI_ERR_UNC_UNSUP)
#define AER_UNCOR_FATAL		(PCI_ERR_UNC_DLP | PCI_ERR_UNC_FCP | \
				 PCI_ERR_UNC_RX_OVER | PCI_ERR_UNC_MALF_TLP)
#define AER_COR			(PCI_ERR_COR_RCVR | PCI_ERR_COR_BAD_TLP | \
				 PCI_ERR_COR_BAD_DLLP | PCI_ERR_COR_REP_ROLL | \
				 PCI_ERR_COR_REP_TIMER | PCI_ERR_COR_ADV_NFAT)

/**
 * struct pci_config - configuration space of the function
 * @id: identity
 * @ops: callbacks
 * @ctx: argument of @ops
 * @bar_size: bytes behind BAR 0, 2, 4
 * @pba: offset of the pending bits in BAR4
 * @data: the registers
 * @init: their values after power-on
 * @writable: bits that software can change
 * @sticky: bits that survive FLR, by the PCI Express specification
 */
struct pci_config {
	struct pci_config_id id;
	const struct pci_config_ops *ops;
	void *ctx;
	u64 bar_size[PCI_CONFIG_NUM_BARS];
	u64 pba;
	u8 data[PCI_CONFIG_SIZE];
	u8 init[PCI_CONFIG_SIZE];
	u8 writable[PCI_CONFIG_SIZE];
	u8 sticky[PCI_CONFIG_SIZE];
};

static void cfg_put16(u8 *bytes, u16 off, u16 val)
{
	const __le16 le = cpu_to_le16(val);

	memcpy(bytes + off, &le, sizeof(le));
}

static void cfg_put32(u8 *bytes, u16 off, u32 val)
{
	const __le32 le = cpu_to_le32(val);

	memcpy(bytes + off, &le, sizeof(le));
}

static u16 cfg_get16(const struct pci_config *cfg, u16 off)
{
	return cfg->data[off] | cfg->data[off + 1] << 8;
}

static void cfg_init16(struct pci_config *cfg, u16 off, u16 val, u16 writable)
{
	cfg_put16(cfg->init, off, val);
	cfg_put16(cfg->writable, off, writable);
}

static void cfg_init32(struct pci_config *cfg, u16 off, u32 val, u32 writable)
{
	cfg_put32(cfg->init, off, val);
	cfg_put32(cfg->writable, off, writable);
}

static void cfg_init_header(struct pci_config *cfg)
{
	const struct pci_config_id *id = &cfg->id;
	int i;

	cfg_init16(cfg, PCI_VENDOR_ID, id->vendor, 0);
	cfg_init16(cfg, PCI_DEVICE_ID, id->device, 0);
	cfg_init16(cfg, PCI_COMMAND, 0,
		   PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |
		   PCI_COMMAND_PARITY | PCI_COMMAND_SERR |
		   PCI_COMMAND_INTX_DISABLE);
	cfg_init16(cfg, PCI_STATUS, PCI_STATUS_CAP_LIST, 0);
	cfg_init32(cfg, PCI_CLASS_REVISION, id->class << 8 | id->revision, 0);
	cfg_init16(cfg, PCI_CACHE_LINE_SIZE, 0, 0xff);
	for (i = 0; i < PCI_CONFIG_NUM_BARS; i++) {
		u16 bar = PCI_BASE_ADDRESS_0 + 8 * i;
		u64 mask = ~(cfg->bar_size[i] - 1);

		cfg_init32(cfg, bar, PCI_BASE_ADDRESS_MEM_TYPE_64, mask);
		cfg_init32(cfg, bar + 4, 0, mask >> 32);
	}
	cfg_init16(cfg, PCI_SUBSYSTEM_VENDOR_ID, id->subsys_vendor, 0);
	cfg_init16(cfg, PCI_SUBSYSTEM_ID, id->subsys, 0);
	cfg->init[PCI_CAPABILITY_LIST] = CFG_PM;
	cfg_init16(cfg, PCI_INTERRUPT_LINE, 0, 0xff);
}

static void cfg_init_pm(struct pci_config *cfg)
{
	cfg_init16(cfg, CFG_PM, CFG_EXP << 8 | PCI_CAP_ID_PM, 0);
	/* Version 3 of the capability, D0 and D3 only, no PME. */
	cfg_init16(cfg, CFG_PM + PCI_PM_PMC, 3, 0);
	cfg_init16(cfg, CFG_PM + PCI_PM_CTRL, PCI_PM_CTRL_NO_SOFT_RESET,
		   PCI_PM_CTRL_STATE_MASK);
}

static void cfg_init_exp(struct pci_config *cfg)
{
	cfg_init16(cfg, CFG_EXP, CFG_MSIX << 8 | PCI_CAP_ID_EXP, 0);
	cfg_init16(cfg, CFG_EXP + PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_ENDPOINT << 4,
		   0);
	cfg_init32(cfg, CFG_EXP + PCI_EXP_DEVCAP,
		   EXP_MPS | PCI_EXP_DEVCAP_EXT_TAG | PCI_EXP_DEVCAP_RBER |
		   PCI_EXP_DEVCAP_FLR, 0);
	cfg_init16(cfg, CFG_EXP + PCI_EXP_DEVCTL,
		   PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_EXT_TAG |
		   PCI_EXP_DEVCTL_NOSNOOP_EN | PCI_EXP_DEVCTL_READRQ_512B,
		   PCI_EXP_DEVCTL_CERE | PCI_EXP_DEVCTL_NFERE |
		   PCI_EXP_DEVCTL_FERE | PCI_EXP_DEVCTL_URRE |
		   PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_PAYLOAD |
		   PCI_EXP_DEVCTL_EXT_TAG | PCI_EXP_DEVCTL_NOSNOOP_EN |
		   PCI_EXP_DEVCTL_READRQ);
	cfg_put16(cfg->sticky, CFG_EXP + PCI_EXP_DEVCTL,
		  PCI_EXP_DEVCTL_PAYLOAD);
	cfg_init32(cfg, CFG_EXP + PCI_EXP_LNKCAP, EXP_WIDTH << 4 | EXP_SPEED,
		   0);
	cfg_init16(cfg, CFG_EXP + PCI_EXP_LNKCTL, 0, PCI_EXP_LNKCTL_RCB |
		   PCI_EXP_LNKCTL_CCC | PCI_EXP_LNKCTL_ES);
	cfg_put16(cfg->sticky, CFG_EXP + PCI_EXP_LNKCTL, PCI_EXP_LNKCTL_RCB |
		  PCI_EXP_LNKCTL_CCC);
	cfg_init16(cfg, CFG_EXP + PCI_EXP_LNKSTA, EXP_WIDTH << 4 | EXP_SPEED,
		   0);
	cfg_init32(cfg, CFG_EXP + PCI_EXP_DEVCAP2,
		   PCI_EXP_DEVCAP2_COMP_TMOUT_DIS, 0);
	cfg_init16(cfg, CFG_EXP + PCI_EXP_DEVCTL2, 0,
		   PCI_EXP_DEVCTL2_COMP_TMOUT_DIS);
	cfg_init32(cfg, CFG_EXP + PCI_EXP_LNKCAP2, EXP_SPEEDS, 0);
	cfg_init16(cfg, CFG_EXP + PCI_EXP_LNKCTL2, EXP_SPEED, 0);
}

static void cfg_init_msix(struct pci_config *cfg)
{
	cfg_init16(cfg, CFG_MSIX, PCI_CAP_ID_MSIX, 0);
	cfg_init16(cfg, CFG_MSIX + PCI_MSIX_FLAGS, cfg->id.vectors - 1,
		   PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
	cfg_init32(cfg, CFG_MSIX + PCI_MSIX_TABLE, PCI_CONFIG_MSIX_BAR, 0);
	cfg_init32(cfg, CFG_MSIX + PCI_MSIX_PBA, cfg->pba | PCI_CONFIG_MSIX_BAR,
		   0);
}

/* The function reports no errors, so the status registers stay 0. */
static void cfg_init_extended(struct pci_config *cfg)
{
	u32 next = cfg->id.serial ? CFG_DSN : 0;

	cfg_init32(cfg, CFG_AER, PCI_EXT_CAP_ID_ERR | 2 << 16 | next << 20, 0);
	cfg_init32(cfg, CFG_AER + PCI_ERR_UNCOR_MASK, 0, AER_UNCOR);
	cfg_init32(cfg, CFG_AER + PCI_ERR_UNCOR_SEVER, AER_UNCOR_FATAL,
		   AER_UNCOR);
	cfg_init32(cfg, CFG_AER + PCI_ERR_COR_MASK, PCI_ERR_COR_ADV_NFAT,
		   AER_COR);
	cfg_put32(cfg->sticky, CFG_AER + PCI_ERR_UNCOR_MASK, AER_UNCOR);
	cfg_put32(cfg->sticky, CFG_AER + PCI_ERR_UNCOR_SEVER, AER_UNCOR);
	cfg_put32(cfg->sticky, CFG_AER + PCI_ERR_COR_MASK, AER_COR);

	if (!cfg->id.serial)
		return;
	cfg_init32(cfg, CFG_DSN, PCI_EXT_CAP_ID_DSN | 1 << 16, 0);
	cfg_init32(cfg, CFG_DSN + 4, cfg->id.serial, 0);
	cfg_init32(cfg, CFG_DSN + 8, cfg->id.serial >> 32, 0);
}

/* The table starts at 0, the pending bits on a separate page; the size is a power of two. */
static void cfg_layout_msix(struct pci_config *cfg)
{
	u32 table = cfg->id.vectors * PCI_MSIX_ENTRY_SIZE;
	u64 size = MSIX_PAGE;

	cfg->pba = (table + MSIX_PAGE - 1) / MSIX_PAGE * MSIX_PAGE;
	while (size < cfg->pba + MSIX_PAGE)
		size *= 2;
	cfg->bar_size[PCI_CONFIG_MSIX_BAR / 2] = size;
}

int pci_config_create(struct pci_config **out, const struct pci_config_id *id,
		      const struct pci_config_ops *ops, void *ctx)
{
	struct pci_config *cfg;
	int i;

	if (!id->vectors || id->vectors > PCI_CONFIG_MAX_VECTORS ||
	    id->class >> 24)
		return -EINVAL;
	for (i = 0; i < PCI_CONFIG_NUM_BARS - 1; i++) {
		if (id->bar_size[i] < PCI_CONFIG_MIN_BAR ||
		    id->bar_size[i] & (id->bar_size[i] - 1))
			return -EINVAL;
	}

	cfg = kvzalloc(sizeof(*cfg), GFP_KERNEL);
	if (!cfg)
		return -ENOMEM;
	cfg->id = *id;
	cfg->ops = ops;
	cfg->ctx = ctx;
	memcpy(cfg->bar_size, id->bar_size, sizeof(id->bar_size));
	cfg_layout_msix(cfg);
	cfg_init_header(cfg);
	cfg_init_pm(cfg);
	cfg_init_exp(cfg);
	cfg_init_msix(cfg);
	cfg_init_extended(cfg);
	pci_config_reset(cfg);
	*out = cfg;
	return 0;
}

void pci_config_destroy(struct pci_config *cfg)
{
	kvfree(cfg);
}

void pci_config_reset(struct pci_config *cfg)
{
	memcpy(cfg->data, cfg->init, sizeof(cfg->data));
}

static void cfg_flr(struct pci_config *cfg)
{
	u32 i;

	for (i = 0; i < PCI_CONFIG_SIZE; i++)
		cfg->data[i] = (cfg->data[i] & cfg->sticky[i]) |
			       (cfg->init[i] & ~cfg->sticky[i]);
	cfg->ops->flr(cfg->ctx);
}

static bool cfg_inside(u64 off, u32 len, u64 size)
{
	return off <= size && len <= size - off;
}

int pci_config_read(const struct pci_config *cfg, u64 off, void *buf, u32 len)
{
	if (!cfg_inside(off, len, PCI_CONFIG_SIZE))
		return -EINVAL;
	memcpy(buf, cfg->data + off, len);
	return 0;
}

int pci_config_write(struct pci_config *cfg, u64 off, const void *buf, u32 len)
{
	/* Byte with PCI_EXP_DEVCTL_BCR_FLR, its highest bit. */
	const u64 flr = CFG_EXP + PCI_EXP_DEVCTL + 1;
	u8 power = cfg->data[CFG_PM + PCI_PM_CTRL];
	const u8 *from = buf;
	u32 i;

	if (!cfg_inside(off, len, PCI_CONFIG_SIZE))
		return -EINVAL;

	for (i = 0; i < len; i++) {
		u8 mask = cfg->writable[off + i];

		cfg->data[off + i] = (cfg->data[off + i] & ~mask) |
				     (from[i] & mask);
	}

	/* An unsupported power state is not entered. */
	switch (cfg->data[CFG_PM + PCI_PM_CTRL] & PCI_PM_CTRL_STATE_MASK) {
	case 1:
	case 2:
		cfg->data[CFG_PM + PCI_PM_CTRL] = power;
	}

	if (off <= flr && flr < off + len &&
	    from[flr - off] & (PCI_EXP_DEVCTL_BCR_FLR >> 8))
		cfg_flr(cfg);
	return 0;
}

int pci_config_msix_read(const struct pci_config *cfg, u64 off, void *buf,
			 u32 len)
{
	u8 *to = buf;
	u32 i, bit;

	if (!cfg_inside(off, len, cfg->bar_size[PCI_CONFIG_MSIX_BAR / 2]))
		return -EINVAL;

	for (i = 0; i < len; i++) {
		u64 first = (off + i - cfg->pba) * 8;

		to[i] = 0;
		if (off + i < cfg->pba)
			continue;
		for (bit = 0; bit < 8 && first + bit < cfg->id.vectors; bit++)
			to[i] |= cfg->ops->msix_pending(cfg->ctx, first + bit)
				 << bit;
	}
	return 0;
}

u64 pci_config_bar_size(const struct pci_config *cfg, u32 bar)
{
	if (bar % 2 || bar / 2 >= PCI_CONFIG_NUM_BARS)
		return 0;
	return cfg->bar_size[bar / 2];
}

bool pci_config_bus_master(const struct pci_config *cfg)
{
	return cfg_get16(cfg, PCI_COMMAND) & PCI_COMMAND_MASTER;
}

bool pci_config_memory(const struct pci_config *cfg)
{
	return cfg_get16(cfg, PCI_COMMAND) & PCI_COMMAND_MEMORY;
}

bool pci_config_d3hot(const struct pci_config *cfg)
{
	return (cfg_get16(cfg, CFG_PM + PCI_PM_CTRL) &
		PCI_PM_CTRL_STATE_MASK) == 3;
}

bool pci_config_msix_enabled(const struct pci_config *cfg)
{
	return cfg_get16(cfg, CFG_MSIX + PCI_MSIX_FLAGS) &
	       PCI_MSIX_FLAGS_ENABLE;
}

bool pci_config_msix_masked(const struct pci_config *cfg)
{
	return cfg_get16(cfg, CFG_MSIX + PCI_MSIX_FLAGS) &
	       PCI_MSIX_FLAGS_MASKALL;
}

u64 pci_config_eui64(const u8 mac[6])
{
	return (u64)mac[0] << 56 | (u64)mac[1] << 48 | (u64)mac[2] << 40 |
	       PCI_CONFIG_EUI64_FILL << 24 | (u64)mac[3] << 16 |
	       (u64)mac[4] << 8 | mac[5];
}
