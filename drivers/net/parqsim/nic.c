// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "nic.h"

/*
 * What is due is done so late at most, at its own time of the device clock: a
 * timer for each frame of a fast link would cost more than the frame.
 */
static unsigned int slack_ns = 1000;
module_param(slack_ns, uint, 0644);
MODULE_PARM_DESC(slack_ns, "most that the NIC lags behind the clock, ns (1000)");

/*
 * What is due so soon is done now: the NIC is ahead of the clock a little. Without that
 * most frames would need a timer for their way to the other end.
 */
static unsigned int ahead_ns = IS_ENABLED(CONFIG_UML) ? 0 : 20000;
module_param(ahead_ns, uint, 0644);
MODULE_PARM_DESC(ahead_ns, "most that the NIC is ahead of the clock, ns (20000; UML: 0)");

/* ---- what the core asks of its host -------------------------------------- */

static void *nic_memory(struct nic *nic, u64 addr, u32 len)
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
	/* Everything written before is seen before. */
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

static void nic_frame(void *ctx, u32 port, const u8 *data, u32 len, u64 start,
		      u64 end)
{
	struct nic *nic = ctx;

	ports_frame(&nic->ports, port, data, len, start, end);
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
	.frame = nic_frame,
	.link = nic_link,
	.stuck = nic_stuck,
};

/* ---- what wires ask ------------------------------------------------------ */

static u64 nic_wire_now(void *ctx)
{
	struct ports *p = ctx;

	return (ktime_get_ns() - p->host.epoch_ns) * PARQSIM_PS_PER_NS;
}

/* Drivers tell of their links. */
static void nic_wire_tell(void *ctx, u32 port, enum wire_news news)
{
	if (news == WIRE_TX_LOST || news == WIRE_RX_LOST)
		pr_warn("parqsim: p%u: frames %s are lost (told once, all are counted)\n",
			port, news == WIRE_TX_LOST ? "sent" : "received");
}

/* ---- time ---------------------------------------------------------------- */

/* Goes on to @until, if there are events left for that. Return: those that are left. */
static u32 nic_step(struct nic *nic, u64 until, u32 most)
{
	u32 done;

	nic->at = max(nic->at, until);
	done = parqsim_step(nic->sim, nic->at, most);
	nic->behind = done >= most;
	return nic->behind ? 0 : most - done;
}

static void nic_count_behind(struct nic *nic)
{
	u64 now = nic_now_ns(nic);
	u64 at = div_u64(nic->ports.host.clock->now, PARQSIM_PS_PER_NS);

	nic->stats.behind++;
	if (now > at)
		nic->stats.behind_ns = max(nic->stats.behind_ns, now - at);
}

static void nic_run(struct nic *nic)
{
	u64 now = nic_now_ns(nic);
	u64 soon = (now + ahead_ns) * PARQSIM_PS_PER_NS;
	u32 left, vector;

	while (fault_irq_due(&nic->fault, now, &vector))
		nic->front->irq(nic, vector, 1);
	left = nic_step(nic, now * PARQSIM_PS_PER_NS, TURN_EVENTS);
	if (left && ahead_ns && parqsim_next(nic->sim) <= soon)
		nic_step(nic, soon, left);
	nic->stats.runs++;
	if (nic->behind)
		nic_count_behind(nic);
}

/* When the next turn is due, device clock, ns; TURN_NEVER. */
static u64 nic_due_ns(struct nic *nic)
{
	u64 due = parqsim_next(nic->sim);

	due = due == PARQSIM_NEVER ? TURN_NEVER :
	      DIV_ROUND_UP_ULL(due, PARQSIM_PS_PER_NS);
	due = max(due, nic_now_ns(nic) + slack_ns);
	if (nic->fault.next_ns)
		due = min(due, nic->fault.next_ns);
	return due;
}

/* The last of every turn: let drivers know that nobody looks, and wait. */
static void nic_rest(struct nic *nic)
{
	u64 due;

	captures_kick(&nic->captures);
	if (!nic->running)
		return;
	if (nic->behind || !parqsim_doze(nic->sim) ||
	    nic->front->waiting(nic)) {
		turn_now(&nic->turn);
		return;
	}
	due = nic_due_ns(nic);
	if (due != TURN_NEVER)
		turn_at(&nic->turn, nic->ports.host.epoch_ns + due);
}

static void nic_turn(struct turn *turn)
{
	struct nic *nic = container_of(turn, struct nic, turn);
	DECLARE_BITMAP(vectors, PARQ_MAX_VECTORS);
	unsigned long flags;
	u32 vector;

	turn_lock(&nic->lock, flags);
	bitmap_zero(vectors, PARQ_MAX_VECTORS);
	if (nic->running) {
		nic_run(nic);
		nic->front->collect(nic, vectors);
		nic->stats.irqs += bitmap_weight(vectors, PARQ_MAX_VECTORS);
		nic_rest(nic);
	}
	turn_unlock(&nic->lock, flags);
	for_each_set_bit(vector, vectors, PARQ_MAX_VECTORS)
		nic->front->raise(nic, vector);
}

/* ---- for front ends ------------------------------------------------------ */

/**
 * nic_enter() - begin an access to the NIC, which is then where time is
 * @nic: the NIC
 * @flags: for nic_leave()
 */
void nic_enter(struct nic *nic, unsigned long *flags)
	__acquires(&nic->lock)
{
	turn_lock(&nic->lock, *flags);
	if (nic->running)
		nic_run(nic);
}

/**
 * nic_leave() - end an access to the NIC
 * @nic: the NIC
 * @flags: of nic_enter()
 */
void nic_leave(struct nic *nic, unsigned long flags)
	__releases(&nic->lock)
{
	nic_rest(nic);
	turn_unlock(&nic->lock, flags);
}

/* Between nic_enter() and nic_leave(): BAR0, aligned words. */
u32 nic_reg_read(struct nic *nic, u32 off)
{
	if (fault_fatal(&nic->fault))
		parqsim_fail(nic->sim);
	return fault_register(&nic->fault, parqsim_read(nic->sim, off));
}

void nic_reg_write(struct nic *nic, u32 off, u32 val)
{
	parqsim_write(nic->sim, off, val);
}

/* FLR. Between nic_enter() and nic_leave(). */
void nic_reset(struct nic *nic)
{
	parqsim_reset(nic->sim);
}

/* ---- construction -------------------------------------------------------- */

static int nic_core_init(struct nic *nic, const struct parqsim_config *cfg)
{
	size_t size = parqsim_size(cfg);

	if (!size)
		return -EINVAL;
	nic->mem = vzalloc(size);
	nic->db = vzalloc(PARQ_BAR_DB_SIZE);
	if (!nic->mem || !nic->db)
		return -ENOMEM;
	nic->sim = parqsim_init(nic->mem, cfg, &nic_sim_ops, nic, nic->db);
	if (!nic->sim)
		return -EINVAL;
	memcpy(nic->addr, cfg->addr, sizeof(nic->addr));
	nic->vectors = FIELD_GET(PARQ_LIMITS_VECTORS,
				 parqsim_read(nic->sim, PARQ_LIMITS));
	nic->ports.host = (struct wire_host){
		.epoch_ns = ktime_get_ns(),
		.now = nic_wire_now,
		.tell = nic_wire_tell,
	};
	return 0;
}

static void nic_core_fini(struct nic *nic)
{
	vfree(nic->mem);
	vfree(nic->db);
}

static int nic_init(struct nic *nic, const struct spec *spec)
{
	int err;

	raw_spin_lock_init(&nic->lock);
	err = turn_init(&nic->turn, nic_turn);
	if (err)
		return err;
	err = nic_core_init(nic, &spec->nic);
	if (err)
		goto err_core;
	err = fault_init(&nic->fault, &spec->fault, nic->vectors);
	if (err)
		goto err_core;
	err = ports_plug(&nic->ports, nic->sim, spec->wire);
	if (err)
		goto err_fault;
	err = captures_open(&nic->captures, &nic->ports.record, spec,
			    ktime_get_real_ns() - nic_now_ns(nic), &nic->lock);
	if (err)
		goto err_unplug;
	return 0;

err_unplug:
	ports_unplug(&nic->ports);
err_fault:
	fault_fini(&nic->fault);
err_core:
	nic_core_fini(nic);
	turn_fini(&nic->turn);
	return err;
}

static void nic_fini(struct nic *nic)
{
	captures_close(&nic->captures);
	ports_unplug(&nic->ports);
	fault_fini(&nic->fault);
	nic_core_fini(nic);
	turn_fini(&nic->turn);
}

/**
 * nic_create() - build a NIC, and plug it into the machine
 * @spec: what it shall be; checked
 * @front: how drivers shall reach it
 *
 * Return: the NIC or an error pointer.
 */
struct nic *nic_create(const struct spec *spec, const struct nic_front *front)
{
	struct nic *nic = kvzalloc(sizeof(*nic), GFP_KERNEL);
	int err;

	if (!nic)
		return ERR_PTR(-ENOMEM);
	nic->front = front;
	err = nic_init(nic, spec);
	if (err)
		goto err_free;
	nic->running = true;
	err = front->create(nic);
	if (err)
		goto err_fini;
	return nic;

err_fini:
	nic->running = false;
	nic_kill(nic);
	nic_fini(nic);
err_free:
	kvfree(nic);
	return ERR_PTR(err);
}

/* Its driver is removed first, in good order unless the NIC is dead. */
void nic_destroy(struct nic *nic)
{
	nic->front->destroy(nic);
	nic_kill(nic);
	nic_fini(nic);
	kvfree(nic);
}

/* ---- for tests ----------------------------------------------------------- */

/* Gone without a word. */
void nic_kill(struct nic *nic)
{
	unsigned long flags;

	nic_enter(nic, &flags);
	nic->running = false;
	nic->dead = true;
	nic_leave(nic, flags);
	turn_sync(&nic->turn);
	captures_sync(&nic->captures);
}

/**
 * nic_stop() - the NIC hangs, or goes on
 * @nic: the NIC
 * @stop: which of them
 *
 * While it hangs it answers to nothing; going on, it catches up. If it has missed an access
 * to a register it is reset first: its driver may have taken it for lost and freed the memory
 * that it knows, and no bus keeps it from there.
 *
 * Return: 0 or -ENODEV for one that is dead.
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

/* From now on these kinds of faults happen, BIT(kind). */
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

/* Counters, for people. */
void nic_print(struct nic *nic, struct seq_file *m)
{
	unsigned long flags;
	u32 i;

	nic_enter(nic, &flags);
	seq_printf(m, "state: %s\n", nic->dead ? "dead" :
		   nic->running ? "running" : "stopped");
	for (i = 0; i < PARQ_MAX_PORTS; i++)
		nic_print_port(nic, i, m);
	for (i = 0; i < nic->captures.files; i++)
		seq_printf(m, "recording %u: not written %llu\n", i,
			   nic->captures.file[i].pcapng.lost);
	seq_printf(m, "runs %llu, interrupts %llu, DMA refused %llu\n",
		   nic->stats.runs, nic->stats.irqs, nic->stats.refused);
	seq_printf(m, "behind the clock: %llu runs, by %llu ns at most\n",
		   nic->stats.behind, nic->stats.behind_ns);
	seq_puts(m, "faults:");
	for (i = 0; i < FAULT_KINDS; i++)
		seq_printf(m, " %s %llu", fault_names[i], nic->fault.count[i]);
	seq_putc(m, '\n');
	nic_leave(nic, flags);
}
