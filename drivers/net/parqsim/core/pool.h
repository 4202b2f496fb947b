/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The shared pool of a switch: memory that the receive buffers of no port have for themselves.
 * Buffers of all ports take from it, each up to its limit. This is the account: frames are in
 * cells.
 */
#ifndef _PARQSIM_POOL_H
#define _PARQSIM_POOL_H

#include <linux/parq_hw_switch.h>

/**
 * struct pool_buf - what a buffer holds beyond its reserved memory, bytes
 * @limit: PARQ_SW_POOL_LIMIT
 * @shared: from the pool
 * @head: from its headroom
 */
struct pool_buf {
	u32 limit;
	u32 shared;
	u32 head;
};

/**
 * struct pool_port - a port
 * @buf: its receive buffers
 * @gives: bytes of its memory that its buffers do not have for themselves
 * @used: of the pool, by all of its buffers
 * @high: highest value of @used since the last write of PARQ_SW_POOL_HIGH
 */
struct pool_port {
	struct pool_buf buf[PARQ_NUM_RXB];
	u32 gives;
	u32 used;
	u32 high;
};

/**
 * struct pool - the pool
 * @port: by port
 * @size: PARQ_SW_POOL_SIZE
 * @room: PARQ_SW_POOL_ROOM
 * @used: PARQ_SW_POOL_USED
 */
struct pool {
	struct pool_port *port;
	u32 size;
	u32 room;
	u32 used;
};

void pool_reset(struct pool *pool, u32 ports);
void pool_give(struct pool *pool, u32 port, u32 bytes);
u64 pool_limit(const struct pool *pool, u32 port, u32 buf);
u32 pool_beyond(u32 used, u32 reserved, u32 bytes);
bool pool_takes(const struct pool *pool, u32 port, u32 buf, u32 bytes);
void pool_charge(struct pool *pool, u32 port, u32 buf, u32 bytes);
void pool_discharge(struct pool *pool, u32 port, u32 buf, u32 bytes);
u32 pool_settled(const struct pool *pool, u32 port, u32 buf, u32 used, u32 reserved, u32 size);
void pool_settle(struct pool *pool, u32 port, u32 buf, u32 used, u32 reserved, u32 size);

#endif /* _PARQSIM_POOL_H */
