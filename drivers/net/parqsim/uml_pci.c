// SPDX-License-Identifier: GPL-2.0
/*
 * A NIC behind the PCI emulation of User Mode Linux: configuration space, three BARs that
 * trap, MSI-X. Drivers see the same as with hardware.
 *
 * The emulation has one bus of eight slots, and neither hotplug nor AER.
 */
#include <linux/pci.h>
#include <linux/slab.h>

#include <virt-pci.h>

#include "nic.h"
#include "pci_config.h"

#define UML_PCI_CLASS		0x020000	/* Ethernet */

/**
 * struct uml_pci - the function
 * @um: UML's device
 * @nic: the NIC behind it
 * @config: its configuration space
 * @added: names its ports when the kernel adds its device
 * @table: MSI-X table, in memory order
 * @pending: pending interrupts, by vector
 * @num_pending: vectors with pending interrupts
 * @domain: PCI domain in which UML has put it
 * @bus: bus number in @domain
 * @devfn: device and function number on @bus
 */
struct uml_pci {
	struct um_pci_device um;
	struct nic *nic;
	struct pci_config *config;
	struct notifier_block added;
	__le32 table[PARQ_MAX_VECTORS][PCI_MSIX_ENTRY_SIZE / sizeof(__le32)];
	u8 pending[PARQ_MAX_VECTORS];
	u32 num_pending;
	int domain;
	unsigned int bus;
	unsigned int devfn;
};

static struct uml_pci *to_uml(struct um_pci_device *um)
{
	return container_of(um, struct uml_pci, um);
}

static bool uml_master(const struct uml_pci *u)
{
	return pci_config_bus_master(u->config) &&
	       !pci_config_d3hot(u->config);
}

/* Whether it answers accesses to its BARs. */
static bool uml_awake(const struct uml_pci *u)
{
	return nic_answers(u->nic) && pci_config_memory(u->config) &&
	       !pci_config_d3hot(u->config);
}

/* ---- MSI-X --------------------------------------------------------------- */

static bool uml_masked(const struct uml_pci *u, u32 vector)
{
	__le32 ctrl = u->table[vector][PCI_MSIX_ENTRY_VECTOR_CTRL / 4];

	return le32_to_cpu(ctrl) & PCI_MSIX_ENTRY_CTRL_MASKBIT;
}

static bool uml_can_send(const struct uml_pci *u)
{
	return u->num_pending && uml_master(u) &&
	       pci_config_msix_enabled(u->config) &&
	       !pci_config_msix_masked(u->config);
}

static void uml_msix_reset(struct uml_pci *u)
{
	u32 i;

	memset(u->table, 0, sizeof(u->table));
	for (i = 0; i < PARQ_MAX_VECTORS; i++)
		u->table[i][PCI_MSIX_ENTRY_VECTOR_CTRL / 4] =
			cpu_to_le32(PCI_MSIX_ENTRY_CTRL_MASKBIT);
	memset(u->pending, 0, sizeof(u->pending));
	u->num_pending = 0;
}

/* An interrupt that is already pending is not sent twice. */
static void uml_irq(struct nic *nic, u32 vector, u32 times)
{
	struct uml_pci *u = nic->priv;

	if (!uml_master(u) || !pci_config_msix_enabled(u->config))
		return;
	if (!u->pending[vector])
		u->num_pending++;
	u->pending[vector] = max_t(u32, u->pending[vector], times);
}

static bool uml_waiting(struct nic *nic)
{
	const struct uml_pci *u = nic->priv;
	u32 i, left;

	if (!uml_can_send(u))
		return false;
	for (i = 0, left = u->num_pending; left; i++) {
		if (!u->pending[i])
			continue;
		left--;
		if (!uml_masked(u, i))
			return true;
	}
	return false;
}

static u32 uml_collect(struct nic *nic, struct vectors *due)
{
	struct uml_pci *u = nic->priv;
	u32 i, left, n = 0;

	if (!uml_can_send(u))
		return 0;
	for (i = 0, left = u->num_pending; left; i++) {
		if (!u->pending[i])
			continue;
		left--;
		if (uml_masked(u, i))
			continue;
		vectors_add(due, BIT_WORD(i), BIT_MASK(i));
		n++;
		if (!--u->pending[i])
			u->num_pending--;
	}
	return n;
}

/* In UML the MSI message is the number of the interrupt. */
static void uml_raise(struct nic *nic, u32 vector)
{
	struct uml_pci *u = nic->priv;

	generic_handle_irq_safe(le32_to_cpu(u->table[vector][PCI_MSIX_ENTRY_DATA / 4]));
}

/* ---- memory -------------------------------------------------------------- */

static void *uml_memory(struct nic *nic, u64 addr, u32 len)
{
	u64 last = addr + len - 1;

	if (!uml_master(nic->priv) || last < addr ||
	    !pfn_valid(PHYS_PFN(addr)) || !pfn_valid(PHYS_PFN(last)))
		return NULL;
	return phys_to_virt(addr);
}

/* ---- configuration space ------------------------------------------------- */

static void uml_flr(void *ctx)
{
	struct uml_pci *u = ctx;

	nic_reset(u->nic);
	uml_msix_reset(u);
}

static bool uml_pending(void *ctx, u32 vector)
{
	struct uml_pci *u = ctx;

	return u->pending[vector];
}

static const struct pci_config_ops uml_config_ops = {
	.flr = uml_flr,
	.msix_pending = uml_pending,
};

static unsigned long uml_cfgspace_read(struct um_pci_device *um,
				       unsigned int offset, int size)
{
	struct uml_pci *u = to_uml(um);
	unsigned long flags, val = 0;

	nic_enter(u->nic, &flags);
	if (!nic_answers(u->nic) || pci_config_read(u->config, offset, &val, size))
		val = ULONG_MAX;
	nic_leave(u->nic, flags);
	return val;
}

static void uml_cfgspace_write(struct um_pci_device *um, unsigned int offset,
			       int size, unsigned long val)
{
	struct uml_pci *u = to_uml(um);
	unsigned long flags;

	nic_enter(u->nic, &flags);
	if (nic_answers(u->nic))
		pci_config_write(u->config, offset, &val, size);
	nic_leave(u->nic, flags);
}

/* ---- BARs ---------------------------------------------------------------- */

static bool uml_is_reg(unsigned int offset, int size)
{
	return size == sizeof(u32) && IS_ALIGNED(offset, sizeof(u32));
}

static unsigned long uml_regs_read(struct uml_pci *u, unsigned int offset,
				   int size)
{
	if (uml_is_reg(offset, size))
		return nic_reg_read(u->nic, offset);
	parqsim_bad_access(u->nic->sim, offset);
	return 0;
}

static void uml_regs_write(struct uml_pci *u, unsigned int offset, int size,
			   unsigned long val)
{
	if (uml_is_reg(offset, size))
		nic_reg_write(u->nic, offset, val);
	else
		parqsim_bad_access(u->nic->sim, offset);
}

/* Reads the table, then the pending bits. */
static void uml_msix_read(struct uml_pci *u, unsigned int offset, void *buf,
			  int size)
{
	if (offset + size <= sizeof(u->table))
		memcpy(buf, (const u8 *)u->table + offset, size);
	else
		pci_config_msix_read(u->config, offset, buf, size);
}

static void uml_bar_copy_from(struct um_pci_device *um, int bar, void *buf,
			      unsigned int offset, int size)
{
	struct uml_pci *u = to_uml(um);
	unsigned long flags;
	u32 val;

	nic_enter(u->nic, &flags);
	memset(buf, 0xff, size);
	if (uml_awake(u)) {
		switch (bar) {
		case PARQ_BAR_REGS:
			memset(buf, 0, size);
			val = uml_regs_read(u, offset, size);
			memcpy(buf, &val, min_t(size_t, size, sizeof(val)));
			break;
		case PARQ_BAR_DB:
			memcpy(buf, u->nic->db + offset, size);
			break;
		default:
			uml_msix_read(u, offset, buf, size);
			break;
		}
	}
	nic_leave(u->nic, flags);
}

/*
 * In real time doorbells are what they are in other kernels: memory, and a wake-up after which
 * the turn finds them. In simulated time the core first advances to the time of the access.
 */
static bool uml_rings(struct uml_pci *u, int bar, unsigned int offset,
		      const void *buf, int size)
{
	if (!TURN_REAL_TIME || !uml_awake(u))
		return false;
	if (bar == PARQ_BAR_DB && size == sizeof(u32))
		WRITE_ONCE(*(u32 *)(u->nic->db + offset), *(const u32 *)buf);
	else if (bar == PARQ_BAR_REGS && offset == PARQ_WAKE)
		nic_wake(u->nic);
	else
		return false;
	return true;
}

static void uml_bar_copy_to(struct um_pci_device *um, int bar,
			    unsigned int offset, const void *buf, int size)
{
	struct uml_pci *u = to_uml(um);
	unsigned long flags;
	u32 val = 0;

	if (uml_rings(u, bar, offset, buf, size))
		return;
	if (bar == PARQ_BAR_REGS && uml_is_reg(offset, size))
		nic_reg_prepare(u->nic, offset, *(const u32 *)buf);
	nic_enter(u->nic, &flags);
	if (uml_awake(u)) {
		switch (bar) {
		case PARQ_BAR_REGS:
			memcpy(&val, buf, min_t(size_t, size, sizeof(val)));
			uml_regs_write(u, offset, size, val);
			break;
		case PARQ_BAR_DB:
			memcpy(u->nic->db + offset, buf, size);
			break;
		default:
			if (offset + size <= sizeof(u->table))
				memcpy((u8 *)u->table + offset, buf, size);
			break;
		}
	}
	nic_leave(u->nic, flags);
}

static unsigned long uml_bar_read(struct um_pci_device *um, int bar,
				  unsigned int offset, int size)
{
	unsigned long val = 0;

	uml_bar_copy_from(um, bar, &val, offset, size);
	return val;
}

static void uml_bar_write(struct um_pci_device *um, int bar,
			  unsigned int offset, int size, unsigned long val)
{
	uml_bar_copy_to(um, bar, offset, &val, size);
}

static void uml_bar_set(struct um_pci_device *um, int bar, unsigned int offset,
			u8 value, int size)
{
	while (size--)
		uml_bar_copy_to(um, bar, offset++, &value, 1);
}

static const struct um_pci_ops uml_ops = {
	.cfgspace_read = uml_cfgspace_read,
	.cfgspace_write = uml_cfgspace_write,
	.bar_read = uml_bar_read,
	.bar_write = uml_bar_write,
	.bar_copy_from = uml_bar_copy_from,
	.bar_copy_to = uml_bar_copy_to,
	.bar_set = uml_bar_set,
};

/* ---- construction -------------------------------------------------------- */

/* Finds the address that UML has assigned. */
static int uml_find(struct uml_pci *u, u64 serial)
{
	struct pci_dev *pdev = NULL;

	while ((pdev = pci_get_device(PARQ_PCI_VENDOR, PARQ_PCI_DEVICE, pdev))) {
		if (pci_get_dsn(pdev) != serial)
			continue;
		u->domain = pci_domain_nr(pdev->bus);
		u->bus = pdev->bus->number;
		u->devfn = pdev->devfn;
		pci_dev_put(pdev);
		return 0;
	}
	return -ENODEV;
}

/*
 * Before a driver is bound to a device. The scan also finds other NICs that were removed by
 * sysfs.
 */
static int uml_added(struct notifier_block *added, unsigned long action, void *data)
{
	struct uml_pci *u = container_of(added, struct uml_pci, added);

	if (action == BUS_NOTIFY_ADD_DEVICE && to_pci_dev(data)->vendor == PARQ_PCI_VENDOR &&
	    pci_get_dsn(to_pci_dev(data)) == pci_config_eui64(u->nic->addr) &&
	    nic_name_ports(u->nic, data))
		pr_warn("parqsim: %s: its ports get no names\n", u->nic->name);
	return NOTIFY_OK;
}

static int uml_create(struct nic *nic)
{
	struct pci_config_id id = {
		.vendor = PARQ_PCI_VENDOR,
		.device = PARQ_PCI_DEVICE,
		.subsys_vendor = PARQ_PCI_VENDOR,
		.subsys = PARQ_PCI_DEVICE,
		.revision = PARQ_PCI_REVISION,
		.class = UML_PCI_CLASS,
		.bar_size = {
			parq_bar_regs_size(nic->ports.num),
			parq_bar_db_size(nic->ports.num),
		},
		.vectors = nic->vectors,
		.serial = pci_config_eui64(nic->addr),
	};
	struct uml_pci *u = kvzalloc(sizeof(*u), GFP_KERNEL);
	int err;

	if (!u)
		return -ENOMEM;
	u->um.ops = &uml_ops;
	u->nic = nic;
	uml_msix_reset(u);
	err = pci_config_create(&u->config, &id, &uml_config_ops, u);
	if (err)
		goto err_free;
	nic->priv = u;
	nic_start(nic);
	u->added.notifier_call = uml_added;
	bus_register_notifier(&pci_bus_type, &u->added);
	err = um_pci_device_register(&u->um);
	bus_unregister_notifier(&pci_bus_type, &u->added);
	if (err)
		goto err_config;
	err = uml_find(u, id.serial);
	if (err)
		goto err_unregister;
	return 0;

err_unregister:
	um_pci_device_unregister(&u->um);
err_config:
	nic_kill(nic);
	pci_config_destroy(u->config);
err_free:
	kvfree(u);
	return err;
}

/* UML itself would stop answering before the driver is removed, so that is done first. */
static void uml_destroy(struct nic *nic)
{
	struct uml_pci *u = nic->priv;
	struct pci_dev *pdev;

	pdev = pci_get_domain_bus_and_slot(u->domain, u->bus, u->devfn);
	if (pdev) {
		pci_stop_and_remove_bus_device_locked(pdev);
		pci_dev_put(pdev);
	}
	/* The NIC runs by itself, and would use the memory that is freed here. */
	nic_kill(nic);
	um_pci_device_unregister(&u->um);
	pci_config_destroy(u->config);
	kvfree(u);
}

static int uml_print(const struct nic *nic, char *buf, size_t size)
{
	const struct uml_pci *u = nic->priv;

	return scnprintf(buf, size, "%04x:%02x:%02x.%d", u->domain, u->bus,
			 PCI_SLOT(u->devfn), PCI_FUNC(u->devfn));
}

const struct nic_front nic_front = {
	.name = "UML PCI",
	.create = uml_create,
	.destroy = uml_destroy,
	.memory = uml_memory,
	.irq = uml_irq,
	.waiting = uml_waiting,
	.collect = uml_collect,
	.raise = uml_raise,
	.print = uml_print,
};
