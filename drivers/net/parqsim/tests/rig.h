/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A NIC under test in virtual time: host memory, a minimal driver, and an oracle that
 * watches the wire. The oracle knows the rules of the pause protocol
 * (Documentation/nic/pause.rst, I1 to I7) and nothing of the code that implements them.
 */
#ifndef _PARQSIM_TESTS_RIG_H
#define _PARQSIM_TESTS_RIG_H

#include "parqsim.h"
#include "parq_pause_fsm.h"

#define RIG_MEM		(24 << 20)
#define RIG_BASE	0x100000000ULL	/* of host memory, as the NIC sees it */
#define RIG_QUEUES	16		/* TX queues per port; queue q serves q % 8 */
#define RIG_LOG2	7	/* log2 of a TX ring's entries */
#define RIG_PARK_LOG2	6	/* log2 of a park queue's entries, unless the pipeline is longer */
/* A fetch of this length fills the whole pipeline with frames that wait for the wire. */
#define RIG_FETCH_NS	10000000
#define RIG_EV_LOG2	6		/* log2 of the event ring's entries */
#define RIG_BUF		2048		/* bytes of payload memory per ring entry */
#define RIG_JUMBO	(PARQ_MAX_FRAME_MAX - 4)	/* longest frame that rig_post() makes */
#define RIG_SEQ		58		/* offset of the number that rig_rx_prio() writes */
#define RIG_CTRL	64		/* MAC control frames recorded per port */
#define RIG_TX_VEC	1			/* vector of TX queue 0 */
#define RIG_RX_VEC	(RIG_TX_VEC + RIG_QUEUES)	/* vector of RX queue 0 */
#define RIG_NS		1000ULL
#define RIG_US		1000000ULL
#define RIG_MS		1000000000ULL

/**
 * struct rig_txq - a TX queue, as host and oracle know it
 * @ring: address of its ring
 * @log2: log2 of the ring's entries
 * @buf: payload memory, one RIG_BUF per entry
 * @wb: write-back block
 * @tail: position that the host writes next
 * @rings: number of times the ring was replaced
 * @posted: wire frames posted so far
 * @seen: number after that of the last frame seen on the wire
 * @sent: wire frames seen so far
 */
struct rig_txq {
	u64 ring;
	u32 log2;
	u64 buf;
	u64 wb;
	u32 tail;
	u32 rings;
	u32 posted;
	u32 seen;
	u32 sent;
};

/**
 * struct rig_rxq - an RX queue, as the host knows it
 * @fill: fill ring
 * @comp: completion ring
 * @bufs: its buffers, in the order of the fill ring
 * @log2: log2 of the entries of both rings
 * @buf: bytes per buffer
 */
struct rig_rxq {
	u64 fill;
	u64 comp;
	u64 bufs;
	u32 log2;
	u32 buf;
};

/**
 * struct rig_class - a (port, priority), as the oracle knows it
 * @pause_until: end of the pause, 0 for none
 * @pause_since: when it began, or that of the storm, or was last obeyed again
 * @storm: it is a storm, or was one and the time to restore runs
 * @over: @storm is known to follow from the end of the pause
 * @drops: a storm has occurred in which the NIC had to drop frames
 * @state: FSM state, if the rig is the executor
 * @seq: SEQ of the rig's last command
 * @decided: command to give at the executor's next look
 * @sent: frames seen
 * @bytes: bytes of @sent
 * @last_sent: when the last of them started
 */
struct rig_class {
	u64 pause_until;
	u64 pause_since;
	bool storm;
	bool over;
	bool drops;
	enum parq_fsm_state state;
	u8 seq;
	enum parq_pfc_op decided;
	u64 sent;
	u64 bytes;
	u64 last_sent;
};

/**
 * struct rig_ctrl - a MAC control frame that the NIC has sent
 * @at: when it started
 * @f: its bytes
 */
struct rig_ctrl {
	u64 at;
	u8 f[60];
};

struct cable;

/**
 * struct rig_train - the train that a port sends
 * @t: the train; NULL: none
 * @mem: memory of its payload, NULL if it is on a cable
 */
struct rig_train {
	struct train *t;
	u8 *mem;
};

struct rig_port {
	struct rig_train train;
	u8 *buffer;		/* for every second frame without a cable */
	u32 buffers;		/* number of times that it was asked for */
	struct rig_txq txq[RIG_QUEUES];
	struct rig_rxq rxq[PARQ_MAX_RXQ];
	struct rig_class cls[PARQ_NUM_PRIO];
	u64 status;
	u64 stats;
	u8 pfc_en;
	bool offload;
	u64 storm_limit;	/* ps, 0 for none */
	u64 storm_restore;	/* ps */
	bool storm_forward;
	u64 wire_free;		/* earliest start of the next frame */
	u32 byte_ps;
	struct rig_ctrl ctrl[RIG_CTRL];
	u32 ctrls;		/* number sent */
};

/**
 * struct rig - a NIC under test
 * @sim: the NIC
 * @cfg: its configuration; a test without need for a size leaves rx_buffer 0
 * @rx_mem: memory of the receive buffers of each port, or NULL; in the write that needs it
 * @mem: host memory
 * @used: bytes of @mem that are allocated
 * @events: event ring; no event is written before a test sets PARQ_EVENT_MASK
 * @deny: host memory to which DMA is refused, as by an IOMMU
 * @deny_len: bytes of @deny
 * @db: memory behind the doorbell BAR
 * @irqs: interrupts by vector
 * @stick: queues of port 0 that get stuck at their next fetch, BIT_ULL(queue)
 * @poke: the event vector has fired
 * @filler: payload of long frames
 * @tagged: posted frames get a tag with their priority
 * @wire: receives frames of the NIC, may be NULL
 * @wire_ctx: argument of @wire
 * @cable: cables on which frames of the ports leave, may be NULL
 * @partner: the NIC to which they lead if not back to this one, or NULL
 * @ahead: how much later it is by the clock of @partner, ps; modulo 2^64
 * @train_room: bytes of payload in a train, 0: no trains
 * @trains: trains of two or more segments so far
 * @segs: number of segments of the last of them
 * @batches: segments of trains may be sent at once
 * @batched: number of them so far
 * @in_batch: some of these are on the wire, of which all but the last one started in the past
 * @most: events per step, 0 for all that are due
 * @lenient: DMA outside of memory is refused, as by an IOMMU, and does not fail the test
 * @trace: print what happens
 * @port: by number
 */
struct rig {
	struct parqsim *sim;
	struct parqsim_config cfg;
	void *rx_mem[PARQ_NIC_PORTS];
	u8 *mem;
	u64 used;
	u64 events;
	u64 deny;
	u64 deny_len;
	u32 db[PARQ_BAR_DB_SIZE / 4];
	u32 irqs[PARQ_MAX_VECTORS];
	u64 stick;
	bool poke;
	u64 filler;
	bool tagged;
	void (*wire)(void *ctx, u32 port, const u8 *f, u32 len, u64 end);
	void *wire_ctx;
	struct cable *cable[PARQ_NIC_PORTS];
	struct rig *partner;
	u64 ahead;
	u32 train_room;
	u32 trains;
	u32 segs;
	bool batches;
	u32 batched;
	bool in_batch;
	u32 most;
	bool lenient;
	bool trace;
	struct rig_port port[PARQ_NIC_PORTS];
};

/* Memory and NIC only; rig_init() enables all ports too. */
void rig_bare(struct rig *r, const struct parqsim_config *cfg);
void rig_init(struct rig *r, const struct parqsim_config *cfg, int speed,
	      bool offload);
/* Enables all ports of a NIC that was reset. */
void rig_start(struct rig *r, int speed, bool offload);
void rig_fini(struct rig *r);
u64 rig_alloc(struct rig *r, u64 size, u64 align);
void *rig_ptr(struct rig *r, u64 addr, u64 len);
void rig_deny(struct rig *r, u64 addr, u64 len);

u32 rig_read(struct rig *r, u32 port, u32 off);
void rig_write(struct rig *r, u32 port, u32 off, u32 val);
/* Checks that all writes so far were legal. */
void rig_assert_no_error(struct rig *r);

/* Starts a queue with new memory. */
void rig_txq_up(struct rig *r, u32 port, u32 queue);
/* Starts a queue and gives all its buffers to the NIC. */
void rig_rxq_up(struct rig *r, u32 port, u32 queue, u32 log2, u32 buf);
/* Frames wait from hold to release. Meanwhile the queue may get other rings, without buffers. */
void rig_rxq_hold(struct rig *r, u32 port, u32 queue);
void rig_rxq_replace(struct rig *r, u32 port, u32 queue, u32 log2, u32 buf);
void rig_rxq_release(struct rig *r, u32 port, u32 queue);
/* Stages a receive buffer; rig_rxb_apply() applies all of them and must succeed. */
void rig_rxb(struct rig *r, u32 port, u32 n, u32 size, u32 xoff, u32 xon);
void rig_rxb_apply(struct rig *r, u32 port, u32 prio_buf);
/* Sets the tail: number of buffers given so far. */
void rig_rx_tail(struct rig *r, u32 port, u32 queue, u32 tail);
void rig_port_up(struct rig *r, u32 port, bool offload);
void rig_ets(struct rig *r, u32 port, u32 prio_tc, u32 tsa, u64 bw);
/* Limits a traffic class, kbit/s; 0 ends that. */
void rig_maxrate(struct rig *r, u32 port, u32 tc, u32 kbit);
void rig_port_rate(struct rig *r, u32 port, u32 kbit);
void rig_pfc(struct rig *r, u32 port, u8 prios, bool offload);
/* PARQ_PFC_STORM and PARQ_PFC_OBEY. */
void rig_storm(struct rig *r, u32 port, u32 ms, bool forward);
void rig_restore(struct rig *r, u32 port, u32 ms);
void rig_obey(struct rig *r, u32 port, u8 prios);
u32 rig_room(struct rig *r, u32 port, u32 queue);
void rig_post(struct rig *r, u32 port, u32 queue, u32 len);
void rig_post_tso(struct rig *r, u32 port, u32 queue, u32 payload, u32 mss);
/* Other frames: a payload buffer, then descriptor by descriptor, then the doorbell. */
u64 rig_tx_buf(struct rig *r, u32 port, u32 queue);
void rig_tx_desc(struct rig *r, u32 port, u32 queue, u64 addr, u64 info);
void rig_tx_ring(struct rig *r, u32 port, u32 queue);
void rig_replace_ring(struct rig *r, u32 port, u32 queue, u32 log2);
void rig_pfc_frame(struct rig *r, u32 port, u8 vector, const u16 *quanta);
void rig_pause(struct rig *r, u32 port, u8 vector, u16 time);
/*
 * Receives a frame of a priority, @len bytes with its tag, without FCS. It begins
 * like any IPv4 frame and has @seq behind the headers.
 */
void rig_rx_prio(struct rig *r, u32 port, u32 prio, u32 len, u32 seq);
/* Receives a frame of a priority, in one of two flows. */
void rig_rx_flow(struct rig *r, u32 port, u32 prio, bool flow, u32 len, u32 seq);
/* Selects the RX queues of the two flows. rig_rx_prio() makes frames of flow 1. */
void rig_rx_steer(struct rig *r, u32 port, u32 flow0, u32 flow1);
/* Receives any frame. The oracle evaluates PFC frames. */
void rig_rx(struct rig *r, u32 port, const u8 *f, u32 len);
/* The @n-th control frame that the NIC itself has sent. */
const struct rig_ctrl *rig_ctrl(struct rig *r, u32 port, u32 n);

void rig_run(struct rig *r, u64 ps);
/* Runs until nothing moves. Fails if a posted frame is not out then. */
void rig_drain(struct rig *r);
u64 rig_now(struct rig *r);
/* Levels word in the status page. */
u64 rig_levels(struct rig *r, u32 port, u32 prio);
const struct parq_rx_comp *rig_rx_comp(struct rig *r, u32 port, u32 queue,
				       u32 pos);
struct parq_event *rig_event(struct rig *r, u32 pos);
/* Reads queue and number, as far as they are in the frame, that rig_post() has written. */
void rig_tag(const u8 *f, u32 *queue, u32 *seq);
struct parq_stats *rig_stats(struct rig *r, u32 port);

#endif /* _PARQSIM_TESTS_RIG_H */
