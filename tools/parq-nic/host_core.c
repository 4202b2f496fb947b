// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "device_clock.h"
#include "host_core.h"
#include "vfio_user/dma.h"

/* No memory and no IOMMU has addresses that long: x86 ends at 2^52. */
#define HOST_NOWHERE		BIT_ULL(63)

/* A fault replaces the address by one that nothing translates. */
static u64 host_dma_addr(struct host *h, u64 addr)
{
	return h->fault.on && fault_refused(&h->fault) ? addr | HOST_NOWHERE : addr;
}

static bool host_dma_read(void *ctx, u64 addr, void *buf, u32 len)
{
	struct host *h = ctx;

	if (!h->master)
		return false;
	return dma_read(vfu_dma(h->vfu), host_dma_addr(h, addr), buf, len);
}

static bool host_dma_write(void *ctx, u64 addr, const void *buf, u32 len)
{
	struct host *h = ctx;
	u8 spoilt[FAULT_MAX_LEN];

	if (!h->master)
		return false;
	if (h->fault.on && len <= sizeof(spoilt)) {
		memcpy(spoilt, buf, len);
		fault_dma(&h->fault, spoilt, len);
		buf = spoilt;
	}
	return dma_write(vfu_dma(h->vfu), host_dma_addr(h, addr), buf, len);
}

static bool host_dma_write64(void *ctx, u64 addr, u64 val)
{
	struct host *h = ctx;

	if (!h->master)
		return false;
	if (h->fault.on)
		fault_dma(&h->fault, &val, sizeof(val));
	return dma_write64(vfu_dma(h->vfu), host_dma_addr(h, addr), val);
}

void host_irq_send(struct host *h, u32 vector)
{
	if (h->master && pci_config_msix_enabled(h->pci))
		vfu_irq_raise(h->vfu, vector);
}

static void host_irq(void *ctx, u32 vector)
{
	struct host *h = ctx;
	u32 n = 1;

	if (h->fault.on)
		n = fault_irq(&h->fault, vector,
			      device_clock_ps(h->epoch_ns) / PS_PER_NS);
	for (; n; n--)
		host_irq_send(h, vector);
}

static u8 *host_buffer(void *ctx, u32 port)
{
	struct host *h = ctx;

	return ports_buffer(&h->ports, port);
}

static void host_frame(void *ctx, u32 port, const u8 *data, u32 len, u64 start,
		       u64 end)
{
	struct host *h = ctx;

	ports_frame(&h->ports, port, data, len, start, end);
}

static void host_link(void *ctx, u32 port, const struct parqsim_partner *self)
{
	struct host *h = ctx;

	ports_link(&h->ports, port, self);
}

static bool host_stuck(void *ctx, u32 port, u32 queue)
{
	struct host *h = ctx;

	(void)port;
	(void)queue;
	return h->fault.on && fault_stuck(&h->fault);
}

const struct parqsim_host host_sim_ops = {
	.dma_read = host_dma_read,
	.dma_write = host_dma_write,
	.dma_write64 = host_dma_write64,
	.irq = host_irq,
	.buffer = host_buffer,
	.frame = host_frame,
	.link = host_link,
	.stuck = host_stuck,
};
