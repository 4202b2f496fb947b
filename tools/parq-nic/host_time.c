// SPDX-License-Identifier: GPL-2.0
#include "device_clock.h"
#include "host_core.h"
#include "host_time.h"

/*
 * What is due so soon is done at once, at its own time of a device clock which
 * then is ahead of real time by that much: sleeping and waking costs more.
 */
#define HOST_AHEAD_PS		(20 * PS_PER_US)

/*
 * The core catches up by so much before sockets are looked at again, and with so many events:
 * an access to a register waits meanwhile. At 400 Gb/s many frames fit into the time.
 */
#define HOST_SLICE_PS		(100 * PS_PER_US)
#define HOST_EVENTS		512

/*
 * After its last work the NIC still looks at the doorbells for a while, now and
 * then: a nap that ends costs the machine a fraction of a processor that QEMU may
 * want, a driver that has to wake the NIC waits for longer than the nap.
 */
#define HOST_ACTIVE_PS		(500 * PS_PER_US)
#define HOST_NAP_NS		(50 * 1000)	/* at least */

/* A reader of a capture file is behind by that much at most. */
#define HOST_FLUSH_PS		(20 * PS_PER_MS)

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
	u64 soon = now + HOST_AHEAD_PS, to, due;
	u32 left = HOST_EVENTS, done;

	do {
		to = host_run_to(h, now, parqsim_next(h->sim));
		done = parqsim_step(h->sim, to, left);
		left -= done;
		h->at = left ? to : parqsim_clock(h->sim)->now;
		if (done)
			h->worked = now;
		due = parqsim_next(h->sim);
	} while (left && h->at >= now && h->at < soon && due <= soon);
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
