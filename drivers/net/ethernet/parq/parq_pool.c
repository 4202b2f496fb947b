// SPDX-License-Identifier: GPL-2.0
/*
 * The shared pool. Receive buffers have reserved memory and headroom for themselves, and the pool
 * gets what they leave. So what buffers get is settled first, and the pool follows.
 */
#include <linux/bitfield.h>
#include <linux/iopoll.h>
#include <linux/netlink.h>

#include "parq_log.h"
#include "parq_pool.h"
#include "parq_switch_domain.h"

/* The pool has 100 ms to drain before buffers get more. parq_pfc.lock is held for that time. */
#define PARQ_POOL_POLL_US	50
#define PARQ_POOL_TIMEOUT_US	100000

static struct parq_pool *parq_pool_of(const struct parq_dev *pd)
{
	return &pd->sw->pool;
}

bool parq_pool_exists(const struct parq_dev *pd)
{
	return pd->sw && pd->sw->pool.total;
}

/* ---- What receive buffers do -------------------------------------------- */

/* Writes limits of buffers in @which, BIT(buffer), or 0 in their place. */
static void parq_pool_write(struct parq_port *port, u8 which, bool hold)
{
	const u32 *limit = parq_pool_of(port->pd)->limit[port->index];
	unsigned int n;

	lockdep_assert_held(&port->pfc.lock);
	for (n = 0; n < PARQ_NUM_RXB; n++)
		if (which & BIT(n))
			parq_io_pool_limit(port, n, hold ? 0 : limit[n]);
}

/**
 * parq_pool_hold() - let buffers have nothing of the pool until parq_pool_release()
 * @port: port, of any device
 * @which: BIT(buffer); lossless ones drain to their reserved memory as soon as frames leave
 */
void parq_pool_hold(struct parq_port *port, u8 which)
{
	if (parq_pool_exists(port->pd))
		parq_pool_write(port, which, true);
}

/**
 * parq_pool_release() - let buffers have of the pool what their limits say
 * @port: port, of any device; it may have been reset
 */
void parq_pool_release(struct parq_port *port)
{
	if (parq_pool_exists(port->pd))
		parq_pool_write(port, 0xff, false);
}

/* Return: -EBUSY; -ENODEV if that is why the pool does not drain. */
static int parq_pool_full(const struct parq_dev *pd, u32 used, u32 room, char *reason)
{
	if (parq_dev_gone(pd))
		return -ENODEV;
	snprintf(reason, PARQ_REASON_LEN,
		 "the shared pool holds %u bytes and does not drain to %u", used, room);
	return -EBUSY;
}

/**
 * parq_pool_apply() - set the receive buffers of a port
 * @port: port, of any device
 * @rxb: values
 * @more: bytes that buffers get and have not had; the pool first drains by them
 * @reason: receives a sentence if the pool does not drain
 *
 * Return: 0; an error, and nothing has changed: -EBUSY (the pool does not drain), -EIO (the device
 * refused), -ENODEV (it is gone).
 */
int parq_pool_apply(struct parq_port *port, const struct parq_rxb *rxb, u32 more, char *reason)
{
	struct parq_dev *pd = port->pd;
	struct parq_pool *pool;
	u32 room, used;
	int err;

	if (!more || !parq_pool_exists(pd))
		return parq_io_rxb_apply(port, rxb);
	pool = parq_pool_of(pd);
	mutex_lock(&pool->lock);
	room = parq_io_pool_room(pd);
	room -= min(room, more);
	parq_io_pool_size(pd, min(room, pool->size));
	err = read_poll_timeout(parq_io_pool_used, used, used <= room, PARQ_POOL_POLL_US,
				PARQ_POOL_TIMEOUT_US, false, pd);
	if (!err)
		err = parq_io_rxb_apply(port, rxb);
	else
		err = parq_pool_full(pd, used, room, reason);
	parq_io_pool_size(pd, pool->size);
	mutex_unlock(&pool->lock);
	return err;
}

/* ---- What users see and set --------------------------------------------- */

/* Bytes that the buffers of all ports leave, and those of the longest frame. */
static u32 parq_pool_left(struct parq_dev *pd, u32 *frame)
{
	u32 left = parq_pool_of(pd)->total;
	unsigned int i;

	*frame = 0;
	for (i = 0; i < pd->caps.ports; i++) {
		struct parq_pfc *pfc = &pd->port[i]->pfc;

		mutex_lock(&pfc->lock);
		left -= min(left, parq_rxb_sum(&pfc->buf.rxb));
		*frame = max(*frame, parq_rxb_frame(&pfc->buf.want));
		mutex_unlock(&pfc->lock);
	}
	return left;
}

u32 parq_pool_size(struct parq_dev *pd)
{
	struct parq_pool *pool = parq_pool_of(pd);
	u32 size, frame;

	mutex_lock(&pool->lock);
	size = pool->size;
	mutex_unlock(&pool->lock);
	return min(size, parq_pool_left(pd, &frame));
}

bool parq_pool_fixed(const struct parq_dev *pd)
{
	return parq_pool_of(pd)->fixed;
}

/* Limit of a buffer that no user has set: half of what is free and what it holds; or all. */
static u32 parq_pool_default(const struct parq_pool *pool)
{
	return pool->fixed ? pool->total :
			     PARQ_SW_POOL_LIMIT_DYNAMIC | PARQ_SW_POOL_ALPHA_1;
}

static void parq_pool_defaults(struct parq_port *port)
{
	struct parq_pool *pool = parq_pool_of(port->pd);
	unsigned int n;

	for (n = 0; n < PARQ_NUM_RXB; n++)
		pool->limit[port->index][n] = parq_pool_default(pool);
}

/**
 * parq_pool_set() - change the pool
 * @pd: device
 * @bytes: its size
 * @fixed: limits are bytes; a change sets all limits to their defaults
 * @extack: receives the reason if the change is refused
 *
 * Frames in the pool stay. If it becomes smaller, senders are paused until it has drained.
 *
 * Return: 0, or an error and nothing has changed: -EINVAL (below one frame), -ENOBUFS (buffers do
 * not leave as much), -ENODEV (the device is gone).
 */
int parq_pool_set(struct parq_dev *pd, u32 bytes, bool fixed, struct netlink_ext_ack *extack)
{
	struct parq_pool *pool = parq_pool_of(pd);
	u32 frame, left = parq_pool_left(pd, &frame);
	unsigned int i;

	if (parq_dev_gone(pd))
		return -ENODEV;
	if (bytes < frame) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "size %u is less than a frame of %u bytes", bytes,
				       frame);
		return -EINVAL;
	}
	if (bytes > left) {
		NL_SET_ERR_MSG_FMT_MOD(extack,
				       "size %u is more than the %u bytes that buffers leave",
				       bytes, left);
		return -ENOBUFS;
	}
	mutex_lock(&pool->lock);
	pool->size = bytes;
	parq_io_pool_size(pd, bytes);
	mutex_unlock(&pool->lock);
	if (pool->fixed == fixed)
		return 0;
	pool->fixed = fixed;
	for (i = 0; i < pd->caps.ports; i++) {
		mutex_lock(&pd->port[i]->pfc.lock);
		parq_pool_defaults(pd->port[i]);
		parq_pool_release(pd->port[i]);
		mutex_unlock(&pd->port[i]->pfc.lock);
	}
	return 0;
}

/* Return: bytes, or a threshold. */
u32 parq_pool_limit(struct parq_port *port, unsigned int n)
{
	u32 limit;

	mutex_lock(&port->pfc.lock);
	limit = parq_pool_of(port->pd)->limit[port->index][n];
	mutex_unlock(&port->pfc.lock);
	return FIELD_GET(PARQ_SW_POOL_LIMIT_VALUE, limit);
}

/**
 * parq_pool_limit_set() - change how much of the pool a buffer may have
 * @port: port, up or down
 * @n: buffer
 * @threshold: PARQ_SW_POOL_ALPHA_MIN to PARQ_SW_POOL_ALPHA_MAX, or bytes
 * @extack: receives the reason if the change is refused
 *
 * Return: 0, -EINVAL (out of range), or -ENODEV (the device is gone).
 */
int parq_pool_limit_set(struct parq_port *port, unsigned int n, u32 threshold,
			struct netlink_ext_ack *extack)
{
	struct parq_pool *pool = parq_pool_of(port->pd);

	if (parq_dev_gone(port->pd))
		return -ENODEV;
	if (pool->fixed && threshold > pool->total) {
		NL_SET_ERR_MSG_FMT_MOD(extack,
				       "threshold %u is more than the %u bytes of all ports",
				       threshold, pool->total);
		return -EINVAL;
	}
	if (!pool->fixed &&
	    (threshold < PARQ_SW_POOL_ALPHA_MIN || threshold > PARQ_SW_POOL_ALPHA_MAX)) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "threshold %u of a dynamic pool is not in %u..%u",
				       threshold, PARQ_SW_POOL_ALPHA_MIN, PARQ_SW_POOL_ALPHA_MAX);
		return -EINVAL;
	}
	mutex_lock(&port->pfc.lock);
	pool->limit[port->index][n] = threshold | (pool->fixed ? 0 : PARQ_SW_POOL_LIMIT_DYNAMIC);
	parq_pool_write(port, BIT(n), false);
	mutex_unlock(&port->pfc.lock);
	return 0;
}

/* ---- Occupancy ---------------------------------------------------------- */

/* Return: 0; -ENODEV (the device is gone, or in a reset): the record has not changed. */
int parq_pool_snapshot(struct parq_dev *pd)
{
	struct parq_pool *pool = parq_pool_of(pd);
	unsigned int i;
	u32 used, high;

	for (i = 0; i < pd->caps.ports; i++) {
		used = parq_io_pool_port_used(pd->port[i]);
		high = parq_io_pool_high(pd->port[i]);
		if (!parq_dev_ready(pd))
			return -ENODEV;
		pool->used[i] = used;
		pool->high[i] = high;
	}
	return 0;
}

void parq_pool_max_clear(struct parq_dev *pd)
{
	unsigned int i;

	for (i = 0; i < pd->caps.ports; i++)
		parq_io_pool_max_clear(pd->port[i]);
}

/* As of the last snapshot. */
void parq_pool_occupancy(struct parq_port *port, u32 *cur, u32 *max)
{
	const struct parq_pool *pool = parq_pool_of(port->pd);

	*cur = pool->used[port->index];
	*max = pool->high[port->index];
}

/* ---- Life --------------------------------------------------------------- */

/* The device has lost its settings. Limits of a port are set again when it comes up. */
void parq_pool_restart(struct parq_dev *pd)
{
	struct parq_pool *pool = parq_pool_of(pd);

	if (!pool->total)
		return;
	mutex_lock(&pool->lock);
	parq_io_pool_size(pd, pool->size);
	mutex_unlock(&pool->lock);
}

void parq_pool_init(struct parq_dev *pd)
{
	struct parq_pool *pool = parq_pool_of(pd);
	unsigned int i;

	mutex_init(&pool->lock);
	if (!parq_io_switch_pool(pd))
		return;
	for (i = 0; i < pd->caps.ports; i++)
		parq_pool_defaults(pd->port[i]);
	pool->total = min_t(u64, pd->rx_memory, PARQ_SW_POOL_LIMIT_VALUE);
	mutex_lock(&pool->lock);
	pool->size = pool->total;
	mutex_unlock(&pool->lock);
	parq_pool_restart(pd);
}

void parq_pool_fini(struct parq_dev *pd)
{
	mutex_destroy(&parq_pool_of(pd)->lock);
}
