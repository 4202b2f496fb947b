// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <linux/bitfield.h>

#include "device_clock.h"
#include "host.h"
#include "host_access.h"
#include "host_core.h"
#include "vfio_user/dma.h"

#define HOST_CLASS_ETHERNET	0x020000

static u32 host_db_size(const struct host *h)
{
	return parq_bar_db_size(h->ports.num);
}

static int host_db_init(struct host *h)
{
	int err;

	h->db_fd = memfd_create("parq-doorbells", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (h->db_fd < 0)
		return -errno;
	if (ftruncate(h->db_fd, host_db_size(h)) ||
	    fcntl(h->db_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW))
		goto err_close;
	h->db = mmap(NULL, host_db_size(h), PROT_READ | PROT_WRITE, MAP_SHARED,
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
	munmap(h->db, host_db_size(h));
	close(h->db_fd);
}

/* Whole pages of anonymous memory, so that unused receive buffers cost nothing. */
static int host_sim_init(struct host *h, const struct parqsim_config *asked)
{
	struct parqsim_config own = *asked, *cfg = &own;

	if (getrandom(&own.seed, sizeof(own.seed), 0) != sizeof(own.seed))
		return -errno;
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
		.bar_size = { parq_bar_regs_size(h->ports.num), host_db_size(h) },
		.vectors = host_vectors(h),
		.serial = pci_config_eui64(o->spec.nic.addr),
	};

	return pci_config_create(&h->pci, &id, &host_pci_ops, h);
}

static void host_vfu_ready(void *ctx, u32 events)
{
	struct host *h = ctx;
	int n;

	(void)events;
	n = vfu_process(h->vfu);
	if (n < 0)
		h->err = n;
}

static int host_vfu_init(struct host *h, const char *path)
{
	const u32 rw = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	struct vfu_region regions[VFU_NUM_REGIONS] = {
		[PARQ_BAR_REGS] = {
			.size = parq_bar_regs_size(h->ports.num), .flags = rw,
		},
		[PARQ_BAR_DB] = {
			.size = host_db_size(h),
			.flags = rw,
			.nr_areas = 1,
			.areas = { { .size = host_db_size(h) } },
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

/* Builds everything that is inside this process. */
static int host_function_init(struct host *h, const struct options *o)
{
	const struct parqsim_config cfg = spec_nic(&o->spec);
	int err;

	h->ports.num = cfg.ports;
	err = host_db_init(h);
	if (err)
		goto err_log;
	err = host_sim_init(h, &cfg);
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
		log_warn("p%u: transmitted frames are lost (logged once, all are counted)",
			 port);
		break;
	case WIRE_RX_LOST:
		log_warn("p%u: received frames are lost (logged once, all are counted)",
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
		.num = h->ports.num,
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
 * @o: options
 * @loop: waits for its file descriptors
 *
 * Steps that are visible outside come last: wires, then the socket, then capture files.
 * Capture files are truncated only after everything else has succeeded.
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

/* Enables these kinds of faults only, BIT(kind). */
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

/* Prints a line for each port, and one for each recording that failed. */
static void host_print_ports(const struct host *h, FILE *out)
{
	const struct ports *p = &h->ports;
	u32 i;

	for (i = 0; i < p->num; i++) {
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

/* Prints counters. */
void host_print(const struct host *h, FILE *out)
{
	const struct dma_stats *d = dma_stats(vfu_dma(h->vfu));
	const struct vfu_stats *v = vfu_stats(h->vfu);

	host_print_ports(h, out);
	fprintf(out, "DMA refused: unmapped %" PRIu64 ", protected %" PRIu64
		", without file %" PRIu64 ", misaligned %" PRIu64
		"; files that have shrunk %" PRIu64 "\n",
		d->unmapped, d->protected, d->no_fd, d->misaligned, d->torn);
	fprintf(out, "vfio-user: clients %" PRIu64 ", messages %" PRIu64
		", of them refused %" PRIu64 ", interrupts %" PRIu64 "\n",
		v->clients, v->messages, v->errors, v->irqs);
	host_print_faults(&h->fault, out);
	fflush(out);
}
