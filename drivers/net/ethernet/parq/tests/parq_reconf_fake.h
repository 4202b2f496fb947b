/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port under reconfiguration: fakes of its rings and channels, and of the stack, which note their
 * calls. How long a removed queue may be open is a fake, too.
 */
#ifndef _PARQ_TESTS_RECONF_FAKE_H
#define _PARQ_TESTS_RECONF_FAKE_H

#include <net/sch_generic.h>

#include "../parq.h"
#include "parq_call_log.h"

#define WEIR_TX		64	/* entries of a ring */
#define WEIR_RX		128

/**
 * struct weir - a port, what the fakes do, and what they have seen
 * @port: the port
 * @log: calls of the fakes, with the number of the channel, of queues, or of the call
 * @chans: channels, used or not
 * @qdisc: the qdisc of each TX queue
 * @memory: rings that can be allocated
 * @rings: rings that are allocated, and not in use
 * @replaced: TX queues that got a ring
 * @busy: TX queues with frames in their rings
 * @patience: kicks of vectors until no queue has frames or an old ring; 0: they stay
 * @kicks: kicks of vectors
 * @reaped: TX queues whose unused rings were freed
 * @woken: TX queues that were told to send
 * @naps: naps until the stack has handed over its frames; 0: it keeps them
 * @closed: TX queues that drop frames
 * @over: TX queues that have to stop with frames in their qdiscs
 * @look: the last look at such a queue
 * @late: TX queues for which the stack gets a frame while the others are stopped
 * @paused: priorities that PFC pauses
 * @stopped: priorities that a pause of the link stops
 * @pending: descriptors that a change was to add, as the receive buffers were computed
 * @synced: number of times that senders had left
 * @held: queues on hold, the first times
 * @stops: queues that the stack had stopped, the first times
 * @configured: the user has set the RSS table
 * @dropped: frames dropped before the stack lost its queues
 * @service: the service work will run in that many jiffies
 * @what: subject of a refusal
 * @reason: why
 * @extack: where it was reported
 */
struct weir {
	struct parq_port *port;
	struct parq_call_log log;
	struct parq_chan chans[PARQ_MAX_CHANS];
	struct Qdisc *qdisc;
	unsigned int memory;
	unsigned int rings;
	u64 replaced;
	u64 busy;
	unsigned int patience;
	unsigned int kicks;
	u64 reaped;
	u64 woken;
	unsigned int naps;
	u64 closed;
	u64 over;
	struct parq_drain_look look;
	u64 late;
	u8 paused;
	u8 stopped;
	u32 pending;
	unsigned int synced;
	u64 held[3];
	u64 stops[3];
	bool configured;
	u64 dropped;
	unsigned long service;
	const char *what;
	char reason[PARQ_REASON_LEN];
	struct netlink_ext_ack *extack;
};

extern struct weir *weir;

/* Queues by index that are on hold, or that the stack has stopped. */
u64 weir_held(void);
u64 weir_stops(void);

void weir_backlog(unsigned int queue, u32 frames);
void weir_chan(struct parq_port *port, unsigned int index);

#endif /* _PARQ_TESTS_RECONF_FAKE_H */
