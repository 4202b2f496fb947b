/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A NIC that is nothing but ports, in virtual time: what its wires need, and
 * what they bring it.
 */
#ifndef _PARQ_NIC_BENCH_H
#define _PARQ_NIC_BENCH_H

#include "../wire/outside.h"

#define BENCH_NS	1000ULL
#define BENCH_US	(1000 * BENCH_NS)
#define BENCH_MS	(1000 * BENCH_US)
#define BENCH_MAX_RX	512

/**
 * struct bench_port - a port
 * @self: its settings
 * @speed: of the link, -1: down
 * @present: somebody is there
 * @adv: what he advertises
 * @rx: frames received
 * @at: arrival of each, ps, as far as there is room
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
	struct bench_port port[PARQ_MAX_PORTS];
	struct wire *wire[PARQ_MAX_PORTS];
};

/* @epoch_ns: CLOCK_MONOTONIC when this NIC's clock was 0. */
void bench_init(struct bench *b, u64 epoch_ns);
/* Closes all wires. */
void bench_fini(struct bench *b);
/* The port's driver changes its settings; full duplex, no negotiation. */
void bench_set(struct bench *b, u32 port, bool en, u8 speed);
/* @first is byte 0, so that frames can be told from each other. */
void bench_send(struct bench *b, u32 port, u8 first, u32 len, u64 end);
/* Serves what is readable now. */
void bench_poll(struct bench *b);
/* Serves what is readable now, and lets virtual time go on. */
void bench_run(struct bench *b, u64 until);

#endif /* _PARQ_NIC_BENCH_H */
