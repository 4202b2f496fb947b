// SPDX-License-Identifier: GPL-2.0
#include <linux/bitfield.h>
#include <linux/string.h>

#include "pool.h"

void pool_reset(struct pool *pool, u32 ports)
{
	pool->size = 0;
	pool->room = 0;
	pool->used = 0;
	memset(pool->port, 0, ports * sizeof(*pool->port));
}

/* A port gives @bytes of its memory to the pool, in place of what it gave before. */
void pool_give(struct pool *pool, u32 port, u32 bytes)
{
	pool->room += bytes - pool->port[port].gives;
	pool->port[port].gives = bytes;
}

static u32 free_bytes(const struct pool *pool)
{
	u32 size = pool->size < pool->room ? pool->size : pool->room;

	return size > pool->used ? size - pool->used : 0;
}

/* What a limit allows while @left bytes of the pool are free. */
static u64 limit_of(u32 limit, u32 left)
{
	u32 threshold = FIELD_GET(PARQ_SW_POOL_LIMIT_VALUE, limit);

	if (!(limit & PARQ_SW_POOL_LIMIT_DYNAMIC))
		return limit;
	if (threshold >= PARQ_SW_POOL_ALPHA_1)
		return (u64)left << (threshold - PARQ_SW_POOL_ALPHA_1);
	return left >> (PARQ_SW_POOL_ALPHA_1 - threshold);
}

/* Return: bytes of the pool that a buffer may hold now. */
u64 pool_limit(const struct pool *pool, u32 port, u32 buf)
{
	return limit_of(pool->port[port].buf[buf].limit, free_bytes(pool));
}

/* Return: how many of @bytes do not fit into the reserved memory of a buffer that holds @used. */
u32 pool_beyond(u32 used, u32 reserved, u32 bytes)
{
	u32 room = reserved > used ? reserved - used : 0;

	return bytes > room ? bytes - room : 0;
}

/* Whether a buffer may take @bytes more from the pool. It is within its limit then, too. */
bool pool_takes(const struct pool *pool, u32 port, u32 buf, u32 bytes)
{
	const struct pool_buf *b = &pool->port[port].buf[buf];
	u32 left = free_bytes(pool);

	return bytes <= left && b->shared + bytes <= limit_of(b->limit, left - bytes);
}

static void set_shared(struct pool *pool, u32 port, u32 buf, u32 shared)
{
	struct pool_port *p = &pool->port[port];
	u32 more = shared - p->buf[buf].shared;

	p->buf[buf].shared = shared;
	pool->used += more;
	p->used += more;
	if (p->used > p->high)
		p->high = p->used;
}

/**
 * pool_charge() - charge a frame, or its end, for which there is no reserved memory
 * @pool: the pool
 * @port: the port
 * @buf: its buffer, which has room for it: here or in its headroom
 * @bytes: pool_beyond() of the frame
 */
void pool_charge(struct pool *pool, u32 port, u32 buf, u32 bytes)
{
	struct pool_buf *b = &pool->port[port].buf[buf];

	if (pool_takes(pool, port, buf, bytes))
		set_shared(pool, port, buf, b->shared + bytes);
	else
		b->head += bytes;
}

/* A frame of @bytes leaves. Headroom becomes free first, and reserved memory last. */
void pool_discharge(struct pool *pool, u32 port, u32 buf, u32 bytes)
{
	struct pool_buf *b = &pool->port[port].buf[buf];
	u32 head = bytes < b->head ? bytes : b->head, shared = bytes - head;

	b->head -= head;
	set_shared(pool, port, buf, b->shared - (shared < b->shared ? shared : b->shared));
}

/* Return: how many of @used bytes fit into a buffer's own memory after a change. */
static u32 own_part(const struct pool_buf *b, u32 used, u32 reserved, u32 size)
{
	u32 own = used - b->shared;

	if (own > size)
		return size;
	if (own < reserved)
		return used < reserved ? used : reserved;
	return own;
}

/* Return: bytes of the pool that a buffer would hold after pool_settle(). */
u32 pool_settled(const struct pool *pool, u32 port, u32 buf, u32 used, u32 reserved, u32 size)
{
	return used - own_part(&pool->port[port].buf[buf], used, reserved, size);
}

/**
 * pool_settle() - a buffer gets other memory of its own
 * @pool: the pool
 * @port: the port
 * @buf: its buffer
 * @used: bytes that it holds
 * @reserved: reserved memory, bytes
 * @size: reserved memory and headroom, bytes
 *
 * What has more than reserved memory uses headroom: it is to drain. What does not fit into that is
 * the pool's, even if its limit is lower.
 */
void pool_settle(struct pool *pool, u32 port, u32 buf, u32 used, u32 reserved, u32 size)
{
	struct pool_buf *b = &pool->port[port].buf[buf];
	u32 own = own_part(b, used, reserved, size);

	b->head = own > reserved ? own - reserved : 0;
	set_shared(pool, port, buf, used - own);
}
