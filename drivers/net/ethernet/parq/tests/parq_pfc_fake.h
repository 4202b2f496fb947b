/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fake device with one port under the PFC engine: eight gates (gate.c) behind the functions
 * of parq_io.h that the engine calls. Its accesses can be refused, and memory can be
 * short.
 */
#ifndef _PARQ_TESTS_PFC_FAKE_H
#define _PARQ_TESTS_PFC_FAKE_H

#include <kunit/test.h>
#include <linux/sizes.h>

#include "../parq.h"
#include "../parq_io.h"
#include "../parq_pause.h"
#include "gate.h"

#define FAKE_ENTRIES	512
#define FAKE_PIPE	64
#define FAKE_ORDER	10	/* order of park queues for the default rings */
#define FAKE_MEMORY	SZ_1M	/* memory of receive buffers, bytes */
#define FAKE_CLASS	3	/* priority that tests pause */
#define FAKE_ONE	BIT(FAKE_CLASS)
#define FAKE_LINK	(PARQ_FC_CTRL_PAUSE_RX | PARQ_FC_CTRL_PAUSE_TX)

/**
 * struct fake - a device with one port, and the driver's view of it
 * @test: the test that runs
 * @port: the port
 * @pd: the device
 * @dev: device for allocations
 * @netdev: its MTU is used
 * @status: status page of the port
 * @gate: by priority
 * @seq: SEQ of the last command
 * @dma: park queue, by priority; 0 for none
 * @order: order of the park queue, by priority
 * @queues_set: number of times that a park queue was set or removed
 * @head: register PARQ_PARK_HEAD, by priority
 * @en: PARQ_PFC_CTRL, priorities with PFC
 * @offload: PARQ_PFC_CTRL, the device runs the FSM
 * @ets: the scheduler has been programmed
 * @rxb: receive buffers
 * @flow: PARQ_FC_CTRL
 * @flows_set: number of writes of PARQ_FC_CTRL
 * @flow_status: PARQ_FC_STATUS
 * @low: opcode and priorities of Pause Low, as PARQ_FC_LOW
 * @sent: last request of PARQ_FC_SEND
 * @limit_ms: PARQ_PFC_STORM_LIMIT
 * @restore_ms: PARQ_PFC_STORM_RESTORE
 * @fc_limit_ms: PARQ_FC_LIMIT
 * @forward: PARQ_PFC_STORM_FORWARD
 * @obeyed: PARQ_PFC_OBEY, as last written
 * @storms_set: number of writes of PARQ_PFC_STORM
 * @used: register PARQ_RXB_USED of every buffer
 * @entries: descriptors that the rings of a priority hold
 * @refuse_pfc: refuse writes of PARQ_PFC_CTRL
 * @refuse_ets: refuse settings of the scheduler
 * @refuse_rxb: refuse PARQ_RXB_APPLY
 * @refuse_flow: refuse writes of PARQ_FC_CTRL
 * @refuse_storm: refuse writes of PARQ_PFC_STORM
 * @refuse_limit: refuse writes of PARQ_FC_LIMIT
 * @gone: pause frames on request find no device
 * @liar: acknowledge each command, and show levels that require the next one
 * @commands: number of commands
 * @allocs: number of live allocations
 * @fail_at: counts down to the allocation that fails; 0 for none
 * @edges: traced edges of FSMs
 * @stalls: traced stalls
 * @changes: calls of parq_storm.changed
 */
struct fake {
	struct kunit *test;
	struct parq_port port;
	struct parq_dev pd;
	struct device dev;
	struct net_device netdev;
	struct parq_status status;
	struct gate gate[PARQ_NUM_PRIO];
	u8 seq[PARQ_NUM_PRIO];
	dma_addr_t dma[PARQ_NUM_PRIO];
	unsigned int order[PARQ_NUM_PRIO];
	unsigned int queues_set[PARQ_NUM_PRIO];
	u32 head[PARQ_NUM_PRIO];
	u8 en;
	bool offload;
	bool ets;
	struct parq_rxb rxb;
	u32 flow;
	unsigned int flows_set;
	u32 flow_status;
	u32 low;
	u32 sent;
	u16 limit_ms;
	u16 restore_ms;
	u16 fc_limit_ms;
	bool forward;
	u8 obeyed;
	unsigned int storms_set;
	u32 used;
	unsigned int entries;
	bool refuse_pfc;
	bool refuse_ets;
	bool refuse_rxb;
	bool refuse_flow;
	bool refuse_storm;
	bool refuse_limit;
	bool gone;
	bool liar;
	unsigned int commands;
	unsigned int allocs;
	unsigned int fail_at;
	unsigned int edges;
	unsigned int stalls;
	unsigned int changes;
};

struct fake *fake_of(const struct parq_port *port);
/* What the device shows in its status page. */
void fake_publish(struct fake *f);

struct fake *fake_new(struct kunit *test, bool offload);
int fake_set(struct fake *f, u8 en);
int fake_open(struct fake *f, u8 en);
int fake_resize(struct fake *f, unsigned int entries);
/* The port has been stopped: whatever was parked is gone. */
void fake_close(struct kunit *test, struct fake *f);
/* The class is held, with frames parked, when the device has come to rest. */
void fake_park(struct fake *f, unsigned int prio, bool offload);
/* No class is paused: all have to be free again in bounded time. */
void fake_settle(struct kunit *test, struct fake *f);
/* Each class of @mask has a park queue, and no other. */
void expect_queues(struct kunit *test, const struct fake *f, u8 mask, unsigned int order);

#endif /* _PARQ_TESTS_PFC_FAKE_H */
