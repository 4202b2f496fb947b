// SPDX-License-Identifier: GPL-2.0
/*
 * A NIC that is a platform device, for kernels in which accesses to a BAR cannot be trapped.
 * Registers are function calls, doorbells are memory, and interrupts have their own
 * controller.
 */
#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/dma-direct.h>
#include <linux/dma-map-ops.h>
#include <linux/idr.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/mmzone.h>
#include <linux/platform_data/parq.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "compat.h"
#include "nic.h"

/* Device numbers. A replaced NIC still exists beside the new one, so numbers are allocated. */
static DEFINE_IDA(platform_ids);

/* The interrupt comes where the turn runs. */
#define PLATFORM_ANY_CPU	(-1)

/* Of all pages of a block, or of none, pfn_valid() says that they exist. */
#ifdef CONFIG_SPARSEMEM
#define PLATFORM_BLOCK_SHIFT	SUBSECTION_SHIFT
#else
#define PLATFORM_BLOCK_SHIFT	PAGE_SHIFT
#endif
#define PLATFORM_BLOCKS		64

/**
 * struct platform_cpu - interrupts that are raised on a processor by another one
 * @call: raises them there
 * @platform: the device
 * @due: their vectors
 */
struct platform_cpu {
	call_single_data_t call;
	struct platform *platform;
	DECLARE_BITMAP(due, PARQ_MAX_VECTORS);
};

/**
 * struct platform - the device
 * @nic: the NIC behind it
 * @pdev: device for the driver
 * @id: device number
 * @fwnode: firmware node of @domain
 * @domain: its interrupts, by vector
 * @words: words of @pending that may not be 0
 * @pending: vectors with a pending interrupt
 * @again: vectors of @pending whose interrupt comes twice
 * @masked: masked vectors
 * @exists: blocks of memory that were found to exist, by their number's low bits
 * @cpus: for interrupts that are steered to a processor
 * @calls: calls of other processors that have not ended
 * @cpu: by vector, the processor that its interrupt is steered to, or PLATFORM_ANY_CPU
 */
struct platform {
	struct nic *nic;
	struct platform_device *pdev;
	int id;
	struct fwnode_handle *fwnode;
	struct irq_domain *domain;
	unsigned long words;
	DECLARE_BITMAP(pending, PARQ_MAX_VECTORS);
	DECLARE_BITMAP(again, PARQ_MAX_VECTORS);
	DECLARE_BITMAP(masked, PARQ_MAX_VECTORS);
	unsigned long exists[PLATFORM_BLOCKS];
	struct platform_cpu __percpu *cpus;
	atomic_t calls;
	int cpu[];
};

/* ---- interrupts ---------------------------------------------------------- */

static void platform_pend(struct platform *p, u32 vector)
{
	set_bit(vector, p->pending);
	/* Pairs with platform_take(), which clears the bit of the word before it reads the word. */
	smp_mb__after_atomic();
	set_bit(BIT_WORD(vector), &p->words);
}

/*
 * The kernel masks with a lock held and interrupts off, where the NIC's lock must not be
 * taken. So masking uses atomic bits only.
 */
static void platform_irq_mask(struct irq_data *d)
{
	struct platform *p = irq_data_get_irq_chip_data(d);

	set_bit(irqd_to_hwirq(d), p->masked);
}

static void platform_irq_unmask(struct irq_data *d)
{
	struct platform *p = irq_data_get_irq_chip_data(d);

	clear_bit(irqd_to_hwirq(d), p->masked);
	/*
	 * Either this sees the pending bit, or platform_waiting(), which is called after the bit
	 * was set, sees the unmask.
	 */
	smp_mb__after_atomic();
	if (test_bit(irqd_to_hwirq(d), p->pending))
		nic_wake(p->nic);
}

/* Taking a vector from @pending has acknowledged it. */
static void platform_irq_ack(struct irq_data *d)
{
}

static int platform_irq_retrigger(struct irq_data *d)
{
	struct platform *p = irq_data_get_irq_chip_data(d);

	platform_pend(p, irqd_to_hwirq(d));
	nic_wake(p->nic);
	return 1;
}

/*
 * An interrupt that may come anywhere comes where the turn runs, which costs least. @force: the
 * processor may be going offline.
 */
static int platform_irq_set_affinity(struct irq_data *d, const struct cpumask *mask,
				     bool force)
{
	struct platform *p = irq_data_get_irq_chip_data(d);
	unsigned int cpu = cpumask_any_and_distribute(mask, cpu_online_mask);
	bool any = cpumask_subset(cpu_possible_mask, mask);

	if (cpu >= nr_cpu_ids)
		return -EINVAL;
	WRITE_ONCE(p->cpu[irqd_to_hwirq(d)], any ? PLATFORM_ANY_CPU : (int)cpu);
	irq_data_update_effective_affinity(d, any ? mask : cpumask_of(cpu));
	return IRQ_SET_MASK_OK;
}

static struct irq_chip platform_irq_chip = {
	.name = "parqsim",
	.irq_ack = platform_irq_ack,
	.irq_mask = platform_irq_mask,
	.irq_unmask = platform_irq_unmask,
	.irq_retrigger = platform_irq_retrigger,
	.irq_set_affinity = platform_irq_set_affinity,
};

static int platform_irq_map(struct irq_domain *domain, unsigned int irq,
			    irq_hw_number_t vector)
{
	irq_set_chip_data(irq, domain->host_data);
	irq_set_chip_and_handler(irq, &platform_irq_chip, handle_edge_irq);
	irq_set_noprobe(irq);
	parq_compat_irq_moves_at_once(irq);
	return 0;
}

static const struct irq_domain_ops platform_irq_ops = {
	.map = platform_irq_map,
};

static void platform_irq(struct nic *nic, u32 vector, u32 times)
{
	struct platform *p = nic->priv;

	if (times > 1)
		set_bit(vector, p->again);
	platform_pend(p, vector);
	/* See platform_irq_unmask(). */
	smp_mb__after_atomic();
}

/* Those of a word that are pending and not masked. */
static unsigned long platform_ready(const struct platform *p, u32 word)
{
	return READ_ONCE(p->pending[word]) & ~READ_ONCE(p->masked[word]);
}

static bool platform_waiting(struct nic *nic)
{
	struct platform *p = nic->priv;
	unsigned long words = READ_ONCE(p->words);

	for (; words; words &= words - 1)
		if (platform_ready(p, __ffs(words)))
			return true;
	return false;
}

/* Takes the interrupts of a word. Return: their number. */
static u32 platform_take(struct platform *p, u32 word, struct vectors *due)
{
	unsigned long ready, left;
	u32 vector;

	clear_bit(word, &p->words);
	/* Pairs with platform_pend(). */
	smp_mb__after_atomic();
	ready = platform_ready(p, word);
	vectors_add(due, word, ready);
	for (left = ready; left; left &= left - 1) {
		vector = word * BITS_PER_LONG + __ffs(left);
		if (!test_bit(vector, p->again) ||
		    !test_and_clear_bit(vector, p->again))
			clear_bit(vector, p->pending);
	}
	/* Masked ones, and those that come twice. */
	if (READ_ONCE(p->pending[word]))
		set_bit(word, &p->words);
	return hweight_long(ready);
}

static u32 platform_collect(struct nic *nic, struct vectors *due)
{
	struct platform *p = nic->priv;
	unsigned long words = READ_ONCE(p->words);
	u32 n = 0;

	for (; words; words &= words - 1)
		n += platform_take(p, __ffs(words), due);
	return n;
}

/* A bit that is set after the search has a call of its own. */
static void platform_called(void *info)
{
	struct platform_cpu *c = info;
	struct platform *p = c->platform;
	u32 vector;

	/* Pairs with platform_raise_elsewhere(): the call can be made again now. */
	smp_mb();
	for_each_set_bit(vector, c->due, PARQ_MAX_VECTORS)
		if (test_and_clear_bit(vector, c->due))
			generic_handle_domain_irq_safe(p->domain, vector);
	atomic_dec(&p->calls);
}

/* Return: whether another processor raises it. Without preemption none that is online goes. */
static bool platform_raise_elsewhere(struct platform *p, u32 vector)
{
	int cpu = READ_ONCE(p->cpu[vector]);
	struct platform_cpu *c;

	if (cpu == PLATFORM_ANY_CPU || cpu == smp_processor_id() || !cpu_online(cpu))
		return false;
	c = per_cpu_ptr(p->cpus, cpu);
	set_bit(vector, c->due);
	/* Pairs with platform_called(): if the call is busy, it has yet to look for the bit. */
	smp_mb__after_atomic();
	atomic_inc(&p->calls);
	if (smp_call_function_single_async(cpu, &c->call))
		atomic_dec(&p->calls);
	return true;
}

static void platform_raise(struct nic *nic, u32 vector)
{
	struct platform *p = nic->priv;
	bool elsewhere;

	preempt_disable();
	elsewhere = platform_raise_elsewhere(p, vector);
	preempt_enable();
	if (!elsewhere)
		generic_handle_domain_irq_safe(p->domain, vector);
}

/* ---- registers ----------------------------------------------------------- */

static u32 platform_read(void *ctx, u32 reg)
{
	struct platform *p = ctx;
	unsigned long flags;
	u32 val = ~0U;

	nic_enter(p->nic, &flags);
	if (nic_answers(p->nic))
		val = nic_reg_read(p->nic, reg);
	nic_leave(p->nic, flags);
	return val;
}

static void platform_write(void *ctx, u32 reg, u32 val)
{
	struct platform *p = ctx;
	unsigned long flags;

	/* Any context: the turn finds the doorbell. */
	if (reg == PARQ_WAKE) {
		if (parqsim_ring(p->nic->sim, val))
			nic_wake(p->nic);
		return;
	}
	nic_reg_prepare(p->nic, reg, val);
	nic_enter(p->nic, &flags);
	if (nic_answers(p->nic))
		nic_reg_write(p->nic, reg, val);
	nic_leave(p->nic, flags);
}

/* ---- memory -------------------------------------------------------------- */

static noinline bool platform_find(struct platform *p, phys_addr_t addr)
{
	unsigned long block = addr >> PLATFORM_BLOCK_SHIFT;

	if (!pfn_valid(PHYS_PFN(addr)))
		return false;
	p->exists[block % PLATFORM_BLOCKS] = block;
	return true;
}

/*
 * A frame takes several accesses, to few blocks. A block with memory of a driver is not unplugged,
 * so what is known of it stays true.
 */
static __always_inline bool platform_exists(struct platform *p, phys_addr_t addr)
{
	unsigned long block = addr >> PLATFORM_BLOCK_SHIFT;

	return likely(p->exists[block % PLATFORM_BLOCKS] == block) || platform_find(p, addr);
}

/*
 * No IOMMU translates the addresses of a device that does not exist in hardware. Most accesses
 * are within a block.
 */
static void *platform_memory(struct nic *nic, u64 addr, u32 len)
{
	struct platform *p = nic->priv;
	phys_addr_t first = dma_to_phys(&p->pdev->dev, addr);
	phys_addr_t last = first + len - 1;

	if (last < first || !platform_exists(p, first))
		return NULL;
	if ((first ^ last) >> PLATFORM_BLOCK_SHIFT && !platform_exists(p, last))
		return NULL;
	return phys_to_virt(first);
}

/* ---- construction -------------------------------------------------------- */

static int platform_cpus_alloc(struct platform *p)
{
	unsigned int cpu;
	u32 i;

	p->cpus = alloc_percpu(struct platform_cpu);
	if (!p->cpus)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct platform_cpu *c = per_cpu_ptr(p->cpus, cpu);

		INIT_CSD(&c->call, platform_called, c);
		c->platform = p;
	}
	for (i = 0; i < p->nic->vectors; i++)
		p->cpu[i] = PLATFORM_ANY_CPU;
	return 0;
}

/* No turn raises interrupts any more. */
static void platform_cpus_free(struct platform *p)
{
	/* Their end wakes nobody: on PREEMPT_RT that takes a lock that sleeps. */
	while (atomic_read(&p->calls))
		usleep_range(10, 100);
	free_percpu(p->cpus);
}

static void platform_irqs_free(struct platform *p)
{
	u32 i;

	platform_cpus_free(p);
	for (i = 0; i < p->nic->vectors; i++)
		irq_dispose_mapping(irq_find_mapping(p->domain, i));
	irq_domain_remove(p->domain);
	irq_domain_free_fwnode(p->fwnode);
}

static int platform_irqs_alloc(struct platform *p, struct resource *res)
{
	unsigned int irq;
	u32 i;

	if (platform_cpus_alloc(p))
		return -ENOMEM;
	p->fwnode = irq_domain_alloc_named_id_fwnode(PARQ_PLATFORM_NAME, p->id);
	if (!p->fwnode)
		goto err_cpus;
	p->domain = irq_domain_create_linear(p->fwnode, p->nic->vectors,
					     &platform_irq_ops, p);
	if (!p->domain)
		goto err_fwnode;
	for (i = 0; i < p->nic->vectors; i++) {
		irq = irq_create_mapping(p->domain, i);
		if (!irq) {
			platform_irqs_free(p);
			return -ENOSPC;
		}
		res[i].start = irq;
		res[i].end = irq;
		res[i].flags = IORESOURCE_IRQ;
	}
	return 0;

err_fwnode:
	irq_domain_free_fwnode(p->fwnode);
err_cpus:
	platform_cpus_free(p);
	return -ENOMEM;
}

static int platform_device_make(struct platform *p, const struct resource *res)
{
	const struct parq_platform_data data = {
		.read = platform_read,
		.write = platform_write,
		.ctx = p,
		.db = p->nic->db,
	};
	struct platform_device *pdev;
	int err;

	pdev = platform_device_alloc(PARQ_PLATFORM_NAME, p->id);
	if (!pdev)
		return -ENOMEM;
	/* The NIC accesses memory as a processor does, through the caches. */
	if (!dev_is_dma_coherent(&pdev->dev)) {
		platform_device_put(pdev);
		return -EOPNOTSUPP;
	}
	/* The last step probes the driver, and the NIC then does DMA. */
	p->pdev = pdev;
	pdev->platform_dma_mask = DMA_BIT_MASK(64);
	pdev->dev.dma_mask = &pdev->platform_dma_mask;
	pdev->dev.coherent_dma_mask = pdev->platform_dma_mask;
	err = platform_device_add_resources(pdev, res, p->nic->vectors);
	if (!err)
		err = platform_device_add_data(pdev, &data, sizeof(data));
	if (!err)
		err = nic_name_ports(p->nic, &pdev->dev);
	if (!err)
		err = platform_device_add(pdev);
	if (err)
		platform_device_put(pdev);
	return err;
}

/* phys_to_virt() works for all memory: the module depends on 64BIT. */
static int platform_create(struct nic *nic)
{
	struct resource *res;
	struct platform *p;
	int err = -ENOMEM;

	p = kvzalloc(struct_size(p, cpu, nic->vectors), GFP_KERNEL);
	res = kcalloc(nic->vectors, sizeof(*res), GFP_KERNEL);
	if (!p || !res)
		goto err_free;
	p->nic = nic;
	nic->priv = p;
	/* No block has this number. */
	memset(p->exists, 0xff, sizeof(p->exists));
	p->id = ida_alloc(&platform_ids, GFP_KERNEL);
	if (p->id < 0) {
		err = p->id;
		goto err_free;
	}
	err = platform_irqs_alloc(p, res);
	if (err)
		goto err_id;
	nic_start(nic);
	err = platform_device_make(p, res);
	if (err)
		goto err_irqs;
	kfree(res);
	return 0;

err_irqs:
	nic_kill(nic);
	platform_irqs_free(p);
err_id:
	ida_free(&platform_ids, p->id);
err_free:
	kfree(res);
	kvfree(p);
	return err;
}

static void platform_destroy(struct nic *nic)
{
	struct platform *p = nic->priv;

	platform_device_del(p->pdev);
	/* The NIC runs by itself, and would use the memory that is freed here. */
	nic_kill(nic);
	platform_device_put(p->pdev);
	platform_irqs_free(p);
	ida_free(&platform_ids, p->id);
	kvfree(p);
}

static int platform_print(const struct nic *nic, char *buf, size_t size)
{
	const struct platform *p = nic->priv;

	return scnprintf(buf, size, "%s", dev_name(&p->pdev->dev));
}

const struct nic_front nic_front = {
	.name = "platform",
	.rings = true,
	.create = platform_create,
	.destroy = platform_destroy,
	.memory = platform_memory,
	.irq = platform_irq,
	.waiting = platform_waiting,
	.collect = platform_collect,
	.raise = platform_raise,
	.print = platform_print,
};
