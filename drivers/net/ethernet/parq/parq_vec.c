// SPDX-License-Identifier: GPL-2.0
/* Vectors: interrupts of queues, and their NAPI. */
#include <linux/interrupt.h>

#include "parq_chan.h"
#include "parq_io.h"
#include "parq_rx.h"
#include "parq_tx.h"
#include "parq_xdp.h"
#include "parq_xsk.h"

/* The program may change at any time, and is valid until the end of the poll. */
static int parq_vec_receive(struct parq_vec *vec, int budget)
{
	struct bpf_prog *prog = READ_ONCE(vec->port->xdp_prog);

	if (unlikely(prog))
		return parq_rx_poll_xdp(vec->rxq, &vec->napi, budget, prog);
	return parq_rx_poll(vec->rxq, &vec->napi, budget);
}

static int parq_vec_receive_xsk(struct parq_vec *vec, int budget)
{
	int work = parq_xsk_poll(vec->rxq, &vec->napi, budget);

	return parq_xsk_send(vec->rxq->ring->xsk) ? budget : work;
}

static bool parq_vec_pending(const struct parq_vec *vec)
{
	unsigned int i;

	if (vec->rxq && parq_rx_pending(vec->rxq))
		return true;
	for (i = 0; i < vec->num_txq; i++)
		if (parq_tx_pending(&vec->txq[i]))
			return true;
	return false;
}

/* Arms the next interrupt of each queue. */
static void parq_vec_arm(struct parq_vec *vec)
{
	unsigned int i;

	if (vec->rxq)
		parq_rx_arm(vec->rxq);
	for (i = 0; i < vec->num_txq; i++)
		parq_tx_arm(&vec->txq[i]);
	mb(); /* orders the doorbells before the next read of completions */
}

/*
 * napi_complete_done() returns true if the stack wants an interrupt, and false if it will
 * poll again by itself: interrupts are deferred, or a task busy-polls. After true, the
 * NAPI may already run on another processor, and arm there. A stale position written from
 * here would then overwrite its newer one, and the interrupt would be lost. A change of
 * @polls reveals that, and one more poll arms again.
 *
 * Memory accessed after napi_complete_done() must stay valid for an RCU grace period after
 * napi_disable_locked().
 */
static __always_inline int parq_vec_run(struct napi_struct *napi, int budget, bool xsk)
{
	struct parq_vec *vec = container_of(napi, struct parq_vec, napi);
	u32 polls = vec->polls + 1;
	unsigned int i;
	int work = 0;

	WRITE_ONCE(vec->polls, polls);
	for (i = 0; i < vec->num_txq; i++)
		parq_tx_clean(&vec->txq[i], budget);
	if ((xsk || vec->rxq) && likely(budget))
		work = xsk ? parq_vec_receive_xsk(vec, budget) :
			     parq_vec_receive(vec, budget);
	if (work >= budget)
		return budget;
	if (!napi_complete_done(napi, work))
		return work;
	parq_vec_arm(vec);
	/* A concurrent poll changes what is read here, and @polls. */
	if (unlikely(data_race(parq_vec_pending(vec)) ||
		     READ_ONCE(vec->polls) != polls))
		napi_schedule(napi);
	return work;
}

static int parq_vec_poll(struct napi_struct *napi, int budget)
{
	return parq_vec_run(napi, budget, false);
}

/* For an RX queue with chunks of AF_XDP: others do not test for them. */
static int parq_vec_poll_xsk(struct napi_struct *napi, int budget)
{
	return parq_vec_run(napi, budget, true);
}

/* Selects the poll function for the ring of the RX queue. The NAPI is disabled. */
void parq_vec_select(struct parq_vec *vec)
{
	vec->napi.poll = vec->rxq && vec->rxq->ring->xsk ? parq_vec_poll_xsk :
							   parq_vec_poll;
}

static irqreturn_t parq_vec_irq(int irq, void *data)
{
	struct parq_vec *vec = data;

	napi_schedule_irqoff(&vec->napi);
	return IRQ_HANDLED;
}

/* Registers the NAPI, still disabled, with the configuration that it had before. */
void parq_vec_add(struct parq_vec *vec)
{
	netif_napi_add_config_locked(vec->port->netdev, &vec->napi, parq_vec_poll,
				     vec->index);
}

/* On return nothing polls or arms, see parq_vec_poll(). */
void parq_vec_del(struct parq_vec *vec)
{
	netif_napi_del_locked(&vec->napi);	/* waits for an RCU grace period */
}

static void parq_vec_link(struct parq_vec *vec, struct napi_struct *napi)
{
	struct net_device *dev = vec->port->netdev;
	unsigned int i;

	if (vec->rxq)
		netif_queue_set_napi(dev, vec->rxq->index,
				     NETDEV_QUEUE_TYPE_RX, napi);
	for (i = 0; i < vec->num_txq; i++)
		netif_queue_set_napi(dev, vec->txq[i].index,
				     NETDEV_QUEUE_TYPE_TX, napi);
}

static void parq_vec_name(struct parq_vec *vec)
{
	const char *name = netdev_name(vec->port->netdev);

	if (!vec->num_txq)
		snprintf(vec->name, sizeof(vec->name), "%s-rx-%u", name,
			 vec->rxq->index);
	else if (!vec->rxq)
		snprintf(vec->name, sizeof(vec->name), "%s-tx-%u", name,
			 vec->txq->index);
	else
		snprintf(vec->name, sizeof(vec->name), "%s-rxtx-%u", name,
			 vec->rxq->index);
}

/*
 * Selects a processor when the vector is first used. Later the user's choice is kept. Not by
 * netif_set_affinity_auto(): an interrupt then belongs to one netdev, and ports may share it.
 */
static void parq_vec_place(struct parq_vec *vec)
{
	struct parq_dev *pd = vec->port->pd;
	const struct cpumask *mask;
	unsigned int cpu;

	cpu = vec->rxq ? vec->rxq->index : vec->txq->index / PARQ_NUM_PRIO;
	mask = cpumask_of(cpumask_local_spread(cpu, dev_to_node(pd->dev)));
	if (test_and_set_bit(vec->hw, pd->placed))
		irq_update_affinity_hint(vec->irq, mask);
	else
		irq_set_affinity_and_hint(vec->irq, mask);
}

/**
 * parq_vec_up() - enable interrupt and NAPI of a vector
 * @vec: vector, added
 *
 * Context: process, ops lock.
 * Return: 0, or the error of request_irq().
 */
int parq_vec_up(struct parq_vec *vec)
{
	struct parq_dev *pd = vec->port->pd;
	int err;

	parq_vec_name(vec);
	vec->irq = pd->bus->irq(pd, vec->hw);
	/* Before it is requested: else the first interrupt might still go elsewhere. */
	parq_vec_place(vec);
	err = request_irq(vec->irq, parq_vec_irq, IRQF_SHARED, vec->name, vec);
	if (err) {
		netdev_err(vec->port->netdev, "cannot request interrupt %d of vector %u: %d\n",
			   vec->irq, vec->hw, err);
		irq_update_affinity_hint(vec->irq, NULL);
		return err;
	}
	netif_napi_set_irq_locked(&vec->napi, vec->irq);
	parq_vec_link(vec, &vec->napi);
	parq_vec_itr(vec);
	parq_vec_select(vec);
	napi_enable_locked(&vec->napi);
	return 0;
}

void parq_vec_down(struct parq_vec *vec)
{
	napi_disable_locked(&vec->napi);
	parq_vec_link(vec, NULL);
	netif_napi_set_irq_locked(&vec->napi, -1);
	irq_update_affinity_hint(vec->irq, NULL);
	free_irq(vec->irq, vec);
}

/* On return nothing polls or arms until napi_enable_locked(), see parq_vec_poll(). */
void parq_vec_pause(struct parq_vec *vec)
{
	napi_disable_locked(&vec->napi);
	synchronize_net();
}

/* Schedules one poll, without an interrupt. */
void parq_vec_kick(struct parq_vec *vec)
{
	local_bh_disable();
	napi_schedule(&vec->napi);
	local_bh_enable();
}

/* A value that changes whenever the NAPI makes progress. */
static u32 parq_vec_pos(const struct parq_vec *vec)
{
	/* The NAPI may be running; the sum then differs the next time. */
	u32 pos = vec->rxq ? data_race(vec->rxq->ring->pos) : 0;
	unsigned int i;

	for (i = 0; i < vec->num_txq; i++)
		pos += parq_tx_pos(&vec->txq[i]);
	return pos;
}

/**
 * parq_vec_watch() - poll queues that seem to wait for a lost interrupt
 * @vec: vector that is up
 *
 * Must be called about once a second. If work was already there at the last call, and since
 * then the NAPI has not run, is not scheduled and has no timer, then the interrupt was lost in
 * the device or on the way. See also parq_rx_watch().
 *
 * Context: process, ops lock.
 */
void parq_vec_watch(struct parq_vec *vec)
{
	bool pending;
	u32 pos;

	if (time_before(jiffies, vec->watch_at + HZ / 2))
		return;
	/* A wrong result costs one useless poll, or delays the poll by a second. */
	pending = data_race(parq_vec_pending(vec));
	pos = parq_vec_pos(vec);
	if (pending && vec->watch_pending && pos == vec->watch_pos &&
	    !test_bit(NAPI_STATE_SCHED, &vec->napi.state) &&
	    !hrtimer_active(&vec->napi.timer)) {
		if (net_ratelimit())
			netdev_warn(vec->port->netdev,
				    "%s: lost an interrupt, polled\n",
				    vec->name);
		vec->port->lost_irqs++;
		parq_vec_kick(vec);
	}
	if (vec->rxq)
		parq_rx_watch(vec->rxq);
	vec->watch_at = jiffies;
	vec->watch_pending = pending;
	vec->watch_pos = pos;
}

/* Programs the port's interrupt moderation for this kind of vector. */
void parq_vec_itr(struct parq_vec *vec)
{
	const struct parq_port *port = vec->port;
	u32 usecs = vec->rxq ? port->itr.rx_usecs : port->itr.tx_usecs;

	parq_io_vec_itr(port->pd, vec->hw, usecs * NSEC_PER_USEC);
}
