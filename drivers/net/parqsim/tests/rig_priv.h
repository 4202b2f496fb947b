/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the files of the rig; see rig.h.
 */
#ifndef _PARQSIM_TESTS_RIG_PRIV_H
#define _PARQSIM_TESTS_RIG_PRIV_H

#include "rig.h"

#define HDR_LEN		54	/* Ethernet, IPv4, TCP: also of frames without TSO */
#define MAGIC		0x50
/* Payload: magic, queue, number of the wire frame (4 bytes). */
#define TAG_LEN		6

/* Prints only if tracing is enabled. */
__attribute__((format(printf, 2, 3)))
void rig_say(struct rig *r, const char *fmt, ...);
void rig_write64(struct rig *r, u32 port, u32 off, u64 val);
/* Position up to which a TX queue is complete. */
u32 rig_head(struct rig *r, const struct rig_txq *q);

/* Memory for a frame that the NIC sends. */
u8 *rig_buffer(void *ctx, u32 port);
/* The NIC has sent a frame. */
void rig_frame(void *ctx, u32 port, const u8 *data, u32 len, u64 start, u64 end);
/* The same, and it goes on no cable. */
void rig_saw(struct rig *r, u32 port, const u8 *data, u32 len, u64 start, u64 end);
struct train *rig_train(void *ctx, u32 port, u32 len);
void rig_segment(void *ctx, u32 port, u64 start, u64 end);
void rig_train_end(void *ctx, u32 port);
u32 rig_batch(void *ctx, u32 port, u32 n, u64 step);
void rig_segments(void *ctx, u32 port, u32 n, u64 step);
u64 rig_others(void *ctx);
/* The NIC receives a PFC frame, so the oracle treats its classes as paused. */
void rig_hear_pfc(struct rig *r, u32 port, const u8 *f);
/* Must be called before any change that affects pauses. */
void rig_look_for_drops(struct rig *r, u32 port);

static inline u32 get_be32(const u8 *p)
{
	return (u32)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static inline void put_be32(u8 *p, u32 v)
{
	p[0] = v >> 24;
	p[1] = v >> 16;
	p[2] = v >> 8;
	p[3] = v;
}

#endif /* _PARQSIM_TESTS_RIG_PRIV_H */
