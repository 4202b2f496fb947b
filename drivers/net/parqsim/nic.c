// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <linux/property.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "netdev.h"
#include "nic.h"
#include "peer.h"

/* ---- host callbacks of the core ----------------------------------------- */

/* Inline: each access goes through it. */
static __always_inline void *nic_memory(struct nic *nic, u64 addr, u32 len)
{
	void *p = NULL;

	if (!nic->fault.on || !fault_refused(&nic->fault))
		p = nic->front->memory(nic, addr, len);
	if (!p)
		nic->stats.refused++;
	return p;
}

static bool nic_dma_read(void *ctx, u64 addr, void *buf, u32 len)
{
	void *p = nic_memory(ctx, addr, len);

	if (p)
		memcpy(buf, p, len);
	return p;
}

static bool nic_dma_write(void *ctx, u64 addr, const void *buf, u32 len)
{
	struct nic *nic = ctx;
	void *p = nic_memory(nic, addr, len);

	if (!p)
		return false;
	memcpy(p, buf, len);
	if (nic->fault.on)
		fault_dma(&nic->fault, p, len);
	return true;
}

static bool nic_dma_write64(void *ctx, u64 addr, u64 val)
{
	struct nic *nic = ctx;
	__le64 *p = nic_memory(nic, addr, sizeof(val));

	if (!p || !IS_ALIGNED(addr, sizeof(val)))
		return false;
	if (nic->fault.on)
		fault_dma(&nic->fault, &val, sizeof(val));
	/* Orders all earlier writes before this one. */
	smp_store_release(p, cpu_to_le64(val));
	return true;
}

static u64 nic_now_ns(struct nic *nic)
{
	return ktime_get_ns() - nic->ports.host.epoch_ns;
}

static void nic_irq(void *ctx, u32 vector)
{
	struct nic *nic = ctx;
	u32 times = 1;

	if (nic->fault.on)
		times = fault_irq(&nic->fault, vector, nic_now_ns(nic));
	if (times)
		nic->front->irq(nic, vector, times);
}

static u8 *nic_buffer(void *ctx, u32 port)
{
	struct nic *nic = ctx;

	return ports_buffer(&nic->ports, port);
}

static void nic_frame(void *ctx, u32 port, const u8 *data, u32 len, u64 start,
		      u64 end)
{
	struct nic *nic = ctx;

	ports_frame(&nic->ports, port, data, len, start, end);
}

static struct train *nic_train(void *ctx, u32 port, u32 len)
{
	struct nic *nic = ctx;

	return ports_train(&nic->ports, port, len);
}

static void nic_segment(void *ctx, u32 port, u64 start, u64 end)
{
	struct nic *nic = ctx;

	ports_segment(&nic->ports, port, start, end);
}

static void nic_train_end(void *ctx, u32 port)
{
	struct nic *nic = ctx;

	ports_train_end(&nic->ports, port);
}

static u32 nic_batch(void *ctx, u32 port, u32 n, u64 step)
{
	struct nic *nic = ctx;

	return ports_batch(&nic->ports, port, n, step);
}

static void nic_segments(void *ctx, u32 port, u32 n, u64 step)
{
	struct nic *nic = ctx;

	ports_segments(&nic->ports, port, n, step);
}

static u64 nic_others(void *ctx)
{
	return nic_free_until(ctx);
}

static void nic_link(void *ctx, u32 port, const struct parqsim_partner *self)
{
	struct nic *nic = ctx;

	ports_link(&nic->ports, port, self);
}

static bool nic_stuck(void *ctx, u32 port, u32 queue)
{
	struct nic *nic = ctx;

	return nic->fault.on && fault_stuck(&nic->fault);
}

static const struct parqsim_host nic_sim_ops = {
	.dma_read = nic_dma_read,
	.dma_write = nic_dma_write,
	.dma_write64 = nic_dma_write64,
	.irq = nic_irq,
	.buffer = nic_buffer,
	.frame = nic_frame,
	.train = nic_train,
	.segment = nic_segment,
	.train_end = nic_train_end,
	.batch = nic_batch,
	.segments = nic_segments,
	.others = nic_others,
	.link = nic_link,
	.stuck = nic_stuck,
};

/* ---- host callbacks of the wires ---------------------------------------- */

static u64 nic_wire_now(void *ctx)
{
	struct ports *p = ctx;

	return (ktime_get_ns() - p->host.epoch_ns) * PARQSIM_PS_PER_NS;
}

static void nic_wire_work(void *ctx)
{
	nic_make_busy(container_of(ctx, struct nic, ports));
}

/* Changes of the link are not logged: drivers do that. */
static void nic_wire_tell(void *ctx, u32 port, enum wire_news news)
{
	const struct nic *nic = container_of(ctx, struct nic, ports);

	if (news == WIRE_TX_LOST || news == WIRE_RX_LOST)
		pr_warn("parqsim: %s: p%u: frames %s are lost (logged once, all are counted)\n",
			nic->name, port,
			news == WIRE_TX_LOST ? "sent" : "received");
}

/* ---- for front ends ------------------------------------------------------ */

/* Reads BAR0, aligned words. Called between nic_enter() and nic_leave(). */
u32 nic_reg_read(struct nic *nic, u32 off)
{
	if (fault_fatal(&nic->fault))
		parqsim_fail(nic->sim);
	return parqsim_read(nic->sim, off);
}

/**
 * nic_reg_prepare() - get the memory that a write to BAR0 needs
 * @nic: the NIC
 * @off: register
 * @val: value that will be written
 *
 * Without memory the write takes place all the same. Frames that would have to wait are dropped
 * then, and counted.
 *
 * Context: that of the driver, which may sleep in such writes. No lock is held.
 */
void nic_reg_prepare(struct nic *nic, u32 off, u32 val)
{
	unsigned long flags;
	void *mem;
	int port;

	nic_lock(nic, &flags);
	port = nic->running ? parqsim_rx_wanted(nic->sim, off, val) : -1;
	nic_unlock(nic, flags);
	if (port < 0)
		return;
	mem = vmalloc(nic->rx_size);
	if (!mem) {
		pr_err_ratelimited("parqsim: %s: p%d: no memory for receive buffers: frames will be lost\n",
				   nic->name, port);
		return;
	}
	nic_lock(nic, &flags);
	if (!nic->rx_mem[port]) {
		parqsim_rx_memory(nic->sim, port, mem);
		swap(nic->rx_mem[port], mem);
	}
	nic_unlock(nic, flags);
	vfree(mem);
}

void nic_reg_write(struct nic *nic, u32 off, u32 val)
{
	parqsim_write(nic->sim, off, val);
}

/* FLR. Called between nic_enter() and nic_leave(). */
void nic_reset(struct nic *nic)
{
	parqsim_reset(nic->sim);
}

/* ---- construction -------------------------------------------------------- */

static int nic_core_init(struct nic *nic, const struct parqsim_config *asked)
{
	struct parqsim_config own = *asked, *cfg = &own;
	size_t size;

	own.rings = nic->front->rings;
	own.rx_later = true;
	own.seed = get_random_u64();
	size = parqsim_size(cfg);
	if (!size)
		return -EINVAL;
	nic->mem = vzalloc(size);
	nic->db = vzalloc(parq_bar_db_size(cfg->ports));
	if (!nic->mem || !nic->db)
		return -ENOMEM;
	nic->sim = parqsim_init(nic->mem, cfg, &nic_sim_ops, nic, nic->db);
	if (!nic->sim)
		return -EINVAL;
	nic->rx_size = parqsim_rx_size(cfg);
	nic->ports.num = cfg->ports;
	memcpy(nic->addr, cfg->addr, sizeof(nic->addr));
	nic->vectors = FIELD_GET(PARQ_LIMITS_VECTORS,
				 parqsim_read(nic->sim, PARQ_LIMITS));
	nic->ports.host = (struct wire_host){
		.epoch_ns = ktime_get_ns(),
		.now = nic_wire_now,
		.tell = nic_wire_tell,
		.work = nic_wire_work,
	};
	nic->ports.open = netdev_open;
	return 0;
}

static void nic_core_fini(struct nic *nic)
{
	u32 port;

	for (port = 0; port < PARQ_MAX_PORTS; port++)
		vfree(nic->rx_mem[port]);
	vfree(nic->mem);
	vfree(nic->db);
}

static void nic_rested(struct nic *nic)
{
	captures_kick(&nic->captures);
}

static int nic_record(struct nic *nic, const struct spec *spec)
{
	/* Recordings of two NICs have the same epoch to the nanosecond. */
	ktime_t epoch = ktime_mono_to_real(ns_to_ktime(nic->ports.host.epoch_ns));
	unsigned long flags;
	int err;

	err = captures_open(&nic->captures, &nic->ports.record, spec,
			    ktime_to_ns(epoch), nic);
	if (err || !nic->captures.files)
		return err;
	nic_lock(nic, &flags);
	nic->rested = nic_rested;
	nic_unlock(nic, flags);
	return 0;
}

static int nic_init(struct nic *nic, const struct spec *spec)
{
	const struct parqsim_config cfg = spec_nic(spec);
	int err, i;

	err = nic_core_init(nic, &cfg);
	if (err)
		goto err_core;
	for (i = 0; i < cfg.ports; i++)
		nic->exact |= spec->wire[i].kind == WIRE_NETDEV;
	err = group_init(nic);
	if (err)
		goto err_core;
	err = fault_init(&nic->fault, &spec->fault, nic->vectors);
	if (err)
		goto err_group;
	err = ports_plug(&nic->ports, nic->sim, spec->wire);
	if (err)
		goto err_fault;
	memcpy(nic->ifname, spec->ifname, sizeof(nic->ifname));
	err = nic_record(nic, spec);
	if (err)
		goto err_unplug;
	return 0;

err_unplug:
	ports_unplug(&nic->ports);
err_fault:
	fault_fini(&nic->fault);
err_group:
	group_fini(nic);
err_core:
	nic_core_fini(nic);
	return err;
}

static void nic_fini(struct nic *nic)
{
	captures_close(&nic->captures);
	fault_fini(&nic->fault);
	group_fini(nic);
	nic_core_fini(nic);
}

/**
 * nic_create() - build a NIC that is not in the machine yet
 * @name: name for messages
 * @spec: its options; checked
 * @front: its front end
 *
 * Return: the NIC or an error pointer.
 */
struct nic *nic_create(const char *name, const struct spec *spec,
		       const struct nic_front *front)
{
	struct nic *nic = kvzalloc(sizeof(*nic), GFP_KERNEL);
	int err;

	if (!nic)
		return ERR_PTR(-ENOMEM);
	nic->name = name;
	nic->front = front;
	err = nic_init(nic, spec);
	if (!err)
		return nic;
	kvfree(nic);
	return ERR_PTR(err);
}

/**
 * nic_plug() - plug a NIC into the machine
 * @nic: the NIC; its driver may be probed during the call
 *
 * Return: 0 or a negative errno; the caller then calls nic_discard().
 */
int nic_plug(struct nic *nic)
{
	return nic->front->create(nic);
}

/**
 * nic_name_ports() - tell the driver the names of a NIC's interfaces
 * @nic: the NIC
 * @dev: its device, which has no driver yet
 *
 * The driver asks for this property, as it would ask firmware. It goes with the device.
 *
 * Return: 0 or a negative errno.
 */
int nic_name_ports(const struct nic *nic, struct device *dev)
{
	const char *names[PARQ_MAX_PORTS];
	const struct property_entry properties[] = {
		PROPERTY_ENTRY_STRING_ARRAY_LEN("port-names", names, nic->ports.num),
		{ }
	};
	bool any = false;
	u32 i;

	for (i = 0; i < nic->ports.num; i++) {
		names[i] = nic->ifname[i];
		any |= *names[i];
	}
	/* Copies the array and the strings. */
	return any ? device_create_managed_software_node(dev, properties, NULL) : 0;
}

/**
 * nic_start() - start the time of a NIC
 * @nic: the NIC, whose front end is ready
 *
 * The other ends of its wires may have changed since they were plugged in.
 */
void nic_start(struct nic *nic)
{
	unsigned long flags;
	u32 port;

	nic_lock(nic, &flags);
	nic->running = true;
	for (port = 0; port < nic->ports.num; port++)
		ports_tell(&nic->ports, port);
	nic_make_busy(nic);
	nic_unlock(nic, flags);
}

/**
 * nic_join() - plug a cable between two NICs
 * @a: one NIC
 * @port_a: one of its ports
 * @b: the other NIC
 * @port_b: one of its ports; a wire without another end is replaced
 * @length_m: length of the cable, metres
 *
 * Calls must not overlap. Nothing happens if one of the NICs is dead.
 *
 * Return: 0 or a negative errno.
 */
int nic_join(struct nic *a, u32 port_a, struct nic *b, u32 port_b,
	     u32 length_m)
{
	struct wire **a_wire = &a->ports.wire[port_a];
	struct wire **b_wire = &b->ports.wire[port_b];
	struct wire *p, *q;
	unsigned long flags;
	int err;

	if (a->dead || b->dead)
		return 0;
	err = peer_open(&a->ports.host, port_a, &b->ports.host, port_b,
			length_m, &p, &q);
	if (err)
		return err;
	group_join(a, b);
	/* The clocks of both are up to date then, unless one is stopped or late. */
	nic_enter_both(b, a, &flags);
	swap(*a_wire, p);
	swap(*b_wire, q);
	ports_tell(&a->ports, port_a);
	ports_tell(&b->ports, port_b);
	nic_leave(b, flags);
	wire_close(p);
	wire_close(q);
	return 0;
}

/* Frees a NIC that was not plugged in, or that is dead and was removed. */
void nic_discard(struct nic *nic)
{
	nic_kill(nic);
	nic_fini(nic);
	kvfree(nic);
}

/* Removes the driver first, in an orderly way unless the NIC is dead. */
void nic_destroy(struct nic *nic)
{
	nic->front->destroy(nic);
	nic_discard(nic);
}

/* ---- for tests ----------------------------------------------------------- */

/* Surprise removal. */
void nic_kill(struct nic *nic)
{
	unsigned long flags;

	nic_enter(nic, &flags);
	nic->running = false;
	nic->dead = true;
	ports_pull(&nic->ports);
	nic_leave(nic, flags);
	nic_sync(nic);
	ports_unplug(&nic->ports);
	captures_sync(&nic->captures);
}

/**
 * nic_stop() - make the NIC hang, or continue
 * @nic: the NIC
 * @stop: hang
 *
 * A NIC that hangs does not react. When it continues, it catches up. If it missed an access,
 * it is reset first: its driver may have given up and freed the memory that the NIC knows, and
 * nothing has stopped the DMA.
 *
 * Return: 0, or -ENODEV if the NIC is dead.
 */
int nic_stop(struct nic *nic, bool stop)
{
	unsigned long flags;
	int err = 0;

	nic_enter(nic, &flags);
	if (nic->dead) {
		err = -ENODEV;
	} else {
		if (!stop && nic->missed)
			parqsim_reset(nic->sim);
		nic->missed = false;
		nic->running = !stop;
	}
	nic_leave(nic, flags);
	return err;
}

/* Enables these kinds of faults only, BIT(kind). */
int nic_fault(struct nic *nic, u32 kinds)
{
	unsigned long flags;
	int err = 0;

	nic_enter(nic, &flags);
	if (nic->dead)
		err = -ENODEV;
	else
		fault_set(&nic->fault, kinds);
	nic_leave(nic, flags);
	return err;
}

static void nic_print_port(const struct nic *nic, u32 port, struct seq_file *m)
{
	const struct wire *w = nic->ports.wire[port];

	if (nic->ports.unplugged[port])
		seq_printf(m, "p%u: no wire: sent %llu, all lost\n", port,
			   nic->ports.unplugged[port]);
	if (w)
		seq_printf(m, "p%u: link %s: sent %llu, of them lost %llu; received %llu, lost on the way %llu\n",
			   port, w->speed < 0 ? "down" : "up", w->stats.tx,
			   w->stats.tx_lost, w->stats.rx, w->stats.rx_lost);
}

/* Prints counters. */
void nic_print(struct nic *nic, struct seq_file *m)
{
	unsigned long flags;
	u32 i;

	nic_enter(nic, &flags);
	seq_printf(m, "state: %s\n", nic->dead ? "dead" :
		   nic->running ? "running" : "stopped");
	for (i = 0; i < nic->ports.num; i++)
		nic_print_port(nic, i, m);
	for (i = 0; i < nic->captures.files; i++)
		seq_printf(m, "recording %u: not written %llu\n", i,
			   nic->captures.file[i].pcapng.lost);
	seq_printf(m, "runs %llu, interrupts %llu, DMA refused %llu\n",
		   nic->stats.runs, nic->stats.irqs, nic->stats.refused);
	seq_printf(m, "busy for %llu ns, at most %llu ns at a time, %llu times above %u ns\n",
		   nic->group->busy_ns, nic->group->held_ns,
		   nic->group->long_holds, GROUP_LONG_NS);
	seq_printf(m, "behind the clock: %llu runs, by %llu ns at most\n",
		   nic->stats.behind, nic->stats.behind_ns);
	seq_puts(m, "faults:");
	for (i = 0; i < FAULT_KINDS; i++)
		seq_printf(m, " %s %llu", fault_names[i], nic->fault.count[i]);
	seq_putc(m, '\n');
	nic_leave(nic, flags);
}
