/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A NIC reduced to its ports, in virtual time: it has what wires need, and records
 * the frames that they deliver.
 */
#ifndef _PARQ_NIC_BENCH_H
#define _PARQ_NIC_BENCH_H

#include "../wire/outside.h"

#define BENCH_NS	1000ULL
#define BENCH_US	(1000 * BENCH_NS)
#define BENCH_MS	(1000 * BENCH_US)
#define BENCH_MAX_RX	512
#define BENCH_JOINS	5	/* most segments that are taken at once */

/**
 * struct bench_port - a port
 * @self: its settings
 * @speed: of the link, -1: down
 * @present: the link partner is there
 * @adv: what the partner advertises
 * @rx: frames received
 * @at: arrival of the first ones, ps
 * @len: length of each
 * @first: byte 0 of each
 */
struct bench_port {
	struct parqsim_partner self;
	int speed;
	bool present;
	u32 adv;
	u32 rx;
	u64 at[BENCH_MAX_RX];
	u32 len[BENCH_MAX_RX];
	u8 first[BENCH_MAX_RX];
};

struct bench {
	struct clock clock;
	struct loop loop;
	struct wire_host host;
	struct bench_port port[PARQ_NIC_PORTS];
	struct wire *wire[PARQ_NIC_PORTS];
};

/* @epoch_ns: CLOCK_MONOTONIC when this NIC's clock was 0. */
void bench_init(struct bench *b, u64 epoch_ns);
/* Closes all wires. */
void bench_fini(struct bench *b);
/* As if the port's driver changed its settings: full duplex, no negotiation. */
void bench_set(struct bench *b, u32 port, bool en, u8 speed);
/* @first: byte 0 of the frame, which identifies it. */
void bench_send(struct bench *b, u32 port, u8 first, u32 len, u64 end);
/* Handles all descriptors that are readable now. */
void bench_poll(struct bench *b);
/* Handles all descriptors that are readable now, and advances virtual time. */
void bench_run(struct bench *b, u64 until);

#endif /* _PARQ_NIC_BENCH_H */
