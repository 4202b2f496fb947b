// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <asm/byteorder.h>
#include <linux/bitfield.h>

#include "device_clock.h"
#include "host.h"
#include "vfio_user/dma.h"

#define HOST_CLASS_ETHERNET	0x020000

/*
 * What is due so soon is done at once, at its own time of a device clock which
 * then is ahead of real time by that much: sleeping and waking costs more.
 */
#define HOST_AHEAD_PS		(20 * PS_PER_US)

/* The core catches up by so much before sockets are looked at again. */
#define HOST_SLICE_PS		(100 * PS_PER_US)

/*
 * After its last work the NIC still looks at the doorbells for a while, now and
 * then: a nap that ends costs the machine a fraction of a processor that QEMU may
 * want, a driver that has to wake the NIC waits for longer than the nap.
 */
#define HOST_ACTIVE_PS		(500 * PS_PER_US)
#define HOST_NAP_NS		(50 * 1000)	/* at least */

/* No memory and no IOMMU has addresses that long: x86 ends at 2^52. */
#define HOST_NOWHERE		BIT_ULL(63)

/* A reader of a capture file is behind by that much at most. */
#define HOST_FLUSH_PS		(20 * PS_PER_MS)

/* ---- what the core asks of its host -------------------------------------- */

/* Who translates knows the address, or refuses it. */
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

static void host_irq_send(struct host *h, u32 vector)
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

static const struct parqsim_host host_sim_ops = {
	.dma_read = host_dma_read,
	.dma_write = host_dma_write,
	.dma_write64 = host_dma_write64,
	.irq = host_irq,
	.frame = host_frame,
	.link = host_link,
	.stuck = host_stuck,
};

/* ---- what configuration space asks --------------------------------------- */

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

static const struct pci_config_ops host_pci_ops = {
	.flr = host_flr,
	.msix_pending = host_msix_pending,
};

/* ---- what QEMU asks ------------------------------------------------------ */

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
	val = parqsim_read(h->sim, (u32)off);
	val = cpu_to_le32(fault_register(&h->fault, val));
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

static void host_reset(void *ctx, enum vfu_reset why)
{
	struct host *h = ctx;

	log_info("reset: %s", why == VFU_RESET_CLIENT_GONE ?
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

static const struct vfu_ops host_vfu_ops = {
	.read = host_read,
	.write = host_write,
	.reset = host_reset,
	.log = host_vfu_log,
};

static void host_vfu_ready(void *ctx, u32 events)
{
	struct host *h = ctx;
	int n;

	(void)events;
	n = vfu_process(h->vfu);
	if (n < 0)
		h->err = n;
}

/* ---- construction -------------------------------------------------------- */

static int host_db_init(struct host *h)
{
	int err;

	h->db_fd = memfd_create("parq-doorbells", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (h->db_fd < 0)
		return -errno;
	if (ftruncate(h->db_fd, PARQ_BAR_DB_SIZE) ||
	    fcntl(h->db_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW))
		goto err_close;
	h->db = mmap(NULL, PARQ_BAR_DB_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
		     h->db_fd, 0);
	if (h->db == MAP_FAILED)
		goto err_close;
	return 0;

err_close:
	err = -errno;
	close(h->db_fd);
	return err;
}

static void host_db_fini(struct host *h)
{
	munmap(h->db, PARQ_BAR_DB_SIZE);
	close(h->db_fd);
}

/* Pages, so that receive buffers cost nothing before they are used. */
static int host_sim_init(struct host *h, const struct parqsim_config *cfg)
{
	h->mem_size = parqsim_size(cfg);
	if (!h->mem_size)
		return -EINVAL;
	h->mem = mmap(NULL, h->mem_size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (h->mem == MAP_FAILED)
		return -errno;
	h->sim = parqsim_init(h->mem, cfg, &host_sim_ops, h, h->db);
	return 0;
}

static void host_sim_fini(struct host *h)
{
	munmap(h->mem, h->mem_size);
}

static u16 host_vectors(struct host *h)
{
	return (u16)FIELD_GET(PARQ_LIMITS_VECTORS,
			      parqsim_read(h->sim, PARQ_LIMITS));
}

static int host_pci_init(struct host *h, const struct options *o)
{
	const struct pci_config_id id = {
		.vendor = PARQ_PCI_VENDOR,
		.device = PARQ_PCI_DEVICE,
		.subsys_vendor = PARQ_PCI_VENDOR,
		.subsys = PARQ_PCI_DEVICE,
		.revision = PARQ_PCI_REVISION,
		.class = HOST_CLASS_ETHERNET,
		.bar_size = { PARQ_BAR_REGS_SIZE, PARQ_BAR_DB_SIZE },
		.vectors = host_vectors(h),
		.serial = pci_config_eui64(o->spec.nic.addr),
	};

	return pci_config_create(&h->pci, &id, &host_pci_ops, h);
}

static int host_vfu_init(struct host *h, const char *path)
{
	const u32 rw = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	struct vfu_region regions[VFU_NUM_REGIONS] = {
		[PARQ_BAR_REGS] = { .size = PARQ_BAR_REGS_SIZE, .flags = rw },
		[PARQ_BAR_DB] = {
			.size = PARQ_BAR_DB_SIZE,
			.flags = rw,
			.nr_areas = 1,
			.areas = { { .size = PARQ_BAR_DB_SIZE } },
			.mmap_fd = h->db_fd,
		},
		[PARQ_BAR_MSIX] = {
			.size = pci_config_bar_size(h->pci, PARQ_BAR_MSIX),
			.flags = rw,
		},
		[VFIO_PCI_CONFIG_REGION_INDEX] = {
			.size = PCI_CONFIG_SIZE, .flags = rw,
		},
	};
	int err;

	err = vfu_create(&h->vfu, path, regions, host_vectors(h),
			 &host_vfu_ops, h);
	if (err)
		return err;
	h->vfu_fd = (struct loop_fd){
		.fd = vfu_fd(h->vfu), .ready = host_vfu_ready, .ctx = h,
	};
	err = loop_add(h->loop, &h->vfu_fd, EPOLLIN);
	if (err)
		vfu_destroy(h->vfu);
	return err;
}

static int host_listen(struct host *h, const struct options *o)
{
	int err;

	err = host_vfu_init(h, o->socket);
	if (err) {
		log_error("--socket %s: %s", o->socket, strerror(-err));
		return err;
	}
	err = captures_open(&h->captures, &h->ports.record, &o->spec,
			    clock_ns(CLOCK_REALTIME) -
			    device_clock_ps(h->epoch_ns) / PS_PER_NS);
	if (err) {
		loop_del(h->loop, &h->vfu_fd);
		vfu_destroy(h->vfu);
	}
	return err;
}

/* All of it that lies inside this process. */
static int host_function_init(struct host *h, const struct options *o)
{
	int err;

	err = host_db_init(h);
	if (err)
		goto err_log;
	err = host_sim_init(h, &o->spec.nic);
	if (err)
		goto err_db;
	err = fault_init(&h->fault, &o->spec.fault, host_vectors(h));
	if (err)
		goto err_sim;
	err = host_pci_init(h, o);
	if (err)
		goto err_fault;
	return 0;

err_fault:
	fault_fini(&h->fault);
err_sim:
	host_sim_fini(h);
err_db:
	host_db_fini(h);
err_log:
	log_error("cannot build the NIC: %s", strerror(-err));
	return err;
}

static void host_function_fini(struct host *h)
{
	pci_config_destroy(h->pci);
	fault_fini(&h->fault);
	host_sim_fini(h);
	host_db_fini(h);
}

static u64 host_wire_now(void *ctx)
{
	struct ports *p = ctx;

	return device_clock_ps(p->host.epoch_ns);
}

static void host_wire_tell(void *ctx, u32 port, enum wire_news news)
{
	(void)ctx;
	switch (news) {
	case WIRE_LINK_UP:
		log_info("p%u: link up", port);
		break;
	case WIRE_LINK_DOWN:
		log_info("p%u: link down", port);
		break;
	case WIRE_TX_LOST:
		log_warn("p%u: frames sent are lost (told once, all are counted)",
			 port);
		break;
	case WIRE_RX_LOST:
		log_warn("p%u: frames received are lost (told once, all are counted)",
			 port);
		break;
	}
}

static int host_wire_open(struct ports *p, u32 port, const struct wire_spec *w,
			  struct wire **out)
{
	if (w->kind == WIRE_TAP)
		return tap_open(&p->host, port, w->name, out);
	return socket_open(&p->host, port, w->name, w->listen, w->length_m,
			   out);
}

static int host_plug(struct host *h, const struct wire_spec *wires)
{
	int err;

	h->ports = (struct ports){
		.host = {
			.loop = h->loop,
			.epoch_ns = h->epoch_ns,
			.now = host_wire_now,
			.tell = host_wire_tell,
		},
		.open = host_wire_open,
	};
	err = ports_plug(&h->ports, h->sim, wires);
	if (err)
		log_error("cannot plug the wires in: %s", strerror(-err));
	return err;
}

/**
 * host_init() - build the NIC and wait for QEMU
 * @h: to initialise
 * @o: what it shall be
 * @loop: will wait for its file descriptors
 *
 * What the outside sees comes last: wires, then the socket, then capture files,
 * which are emptied only when all else is there.
 *
 * Return: 0 or a negative errno, which has been logged.
 */
int host_init(struct host *h, const struct options *o, struct loop *loop)
{
	int err;

	*h = (struct host){
		.loop = loop,
		.epoch_ns = clock_ns(CLOCK_MONOTONIC),
	};
	err = host_function_init(h, o);
	if (err)
		return err;
	err = host_plug(h, o->spec.wire);
	if (err)
		goto err_function;
	err = host_listen(h, o);
	if (err)
		goto err_ports;
	return 0;

err_ports:
	ports_unplug(&h->ports);
err_function:
	host_function_fini(h);
	return err;
}

void host_fini(struct host *h)
{
	captures_close(&h->captures);
	loop_del(h->loop, &h->vfu_fd);
	vfu_destroy(h->vfu);
	ports_unplug(&h->ports);
	host_function_fini(h);
}

/* ---- real time ----------------------------------------------------------- */

/* How far to go, if it is @now and the core wants to run at @due. */
static u64 host_run_to(const struct host *h, u64 now, u64 due)
{
	u64 from = due > h->at ? due : h->at;
	u64 to = now;

	if (due <= now + HOST_AHEAD_PS)
		to = now + HOST_AHEAD_PS;
	if (due < now && to > from + HOST_SLICE_PS)
		to = from + HOST_SLICE_PS;
	return to > h->at ? to : h->at;
}

/*
 * Once more if that brought something that is due soon: it does not have to
 * wait until the next nap is over.
 */
static void host_catch_up(struct host *h, u64 now)
{
	u64 soon = now + HOST_AHEAD_PS;
	u64 due;

	do {
		h->at = host_run_to(h, now, parqsim_next(h->sim));
		if (parqsim_run(h->sim, h->at))
			h->worked = now;
		due = parqsim_next(h->sim);
	} while (h->at >= now && h->at < soon && due <= soon);
}

static void host_late_irqs(struct host *h, u64 now)
{
	u32 vector;

	while (fault_irq_due(&h->fault, now / PS_PER_NS, &vector))
		host_irq_send(h, vector);
}

/**
 * host_run() - let the core come up with real time
 * @h: the NIC
 *
 * Return: false if it is still behind: look at the sockets and call again.
 */
bool host_run(struct host *h)
{
	u64 now = device_clock_ps(h->epoch_ns);

	host_late_irqs(h, now);
	host_catch_up(h, now);
	if (now - h->flushed > HOST_FLUSH_PS) {
		captures_flush(&h->captures);
		h->flushed = now;
	}
	return h->at >= now;
}

/* As long again as there has been nothing to do, unless something is due before. */
static u64 host_nap_ns(const struct host *h, u64 now)
{
	u64 due = parqsim_next(h->sim);
	u64 nap = now - h->worked;

	if (due < now + nap)
		nap = due > now ? due - now : 0;
	nap /= PS_PER_NS;
	return nap > HOST_NAP_NS ? nap : HOST_NAP_NS;
}

/**
 * host_sleep_ns() - how long the process may wait for its descriptors
 * @h: a NIC that is not behind
 *
 * Return: nanoseconds, LOOP_FOREVER included.
 */
u64 host_sleep_ns(struct host *h)
{
	u64 now = device_clock_ps(h->epoch_ns);
	u64 due;

	if (h->fault.next_ns)
		return HOST_NAP_NS;
	if (now < h->worked + HOST_ACTIVE_PS)
		return host_nap_ns(h, now);
	if (!parqsim_doze(h->sim))
		return 0;
	captures_flush(&h->captures);
	due = parqsim_next(h->sim);
	if (due == PARQSIM_NEVER)
		return LOOP_FOREVER;
	return due > now ? (due - now) / PS_PER_NS + 1 : 0;
}

/* What goes wrong from now on, BIT(kind). */
void host_fault(struct host *h, u32 kinds)
{
	fault_set(&h->fault, kinds);
	log_info("faults: %#x", kinds);
}

static void host_print_faults(const struct fault *f, FILE *out)
{
	u32 kind;

	fputs("faults:", out);
	for (kind = 0; kind < FAULT_KINDS; kind++)
		fprintf(out, " %s %" PRIu64, fault_names[kind], f->count[kind]);
	fputc('\n', out);
}

/* One line for each port that has a wire, one for each recording that failed. */
static void host_print_ports(const struct host *h, FILE *out)
{
	const struct ports *p = &h->ports;
	u32 i;

	for (i = 0; i < PARQ_MAX_PORTS; i++) {
		const struct wire *w = p->wire[i];

		if (p->unplugged[i])
			fprintf(out, "p%u: no wire: sent %" PRIu64 ", all lost\n",
				i, p->unplugged[i]);
		if (w)
			fprintf(out, "p%u: link %s: sent %" PRIu64 ", of them lost %"
				PRIu64 "; received %" PRIu64 ", lost on the way %"
				PRIu64 "\n", i, w->speed < 0 ? "down" : "up",
				w->stats.tx, w->stats.tx_lost, w->stats.rx,
				w->stats.rx_lost);
	}
	for (i = 0; i < h->captures.files; i++)
		if (h->captures.file[i].pcapng.lost)
			fprintf(out, "recording %u: not written %" PRIu64 "\n",
				i, h->captures.file[i].pcapng.lost);
}

/* Counters, for people. */
void host_print(const struct host *h, FILE *out)
{
	const struct dma_stats *d = dma_stats(vfu_dma(h->vfu));
	const struct vfu_stats *v = vfu_stats(h->vfu);

	host_print_ports(h, out);
	fprintf(out, "DMA refused: unmapped %" PRIu64 ", protected %" PRIu64
		", without file %" PRIu64 ", misaligned %" PRIu64 "\n",
		d->unmapped, d->protected, d->no_fd, d->misaligned);
	fprintf(out, "vfio-user: clients %" PRIu64 ", messages %" PRIu64
		", of them refused %" PRIu64 ", interrupts %" PRIu64 "\n",
		v->clients, v->messages, v->errors, v->irqs);
	host_print_faults(&h->fault, out);
	fflush(out);
}
