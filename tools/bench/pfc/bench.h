/* SPDX-License-Identifier: GPL-2.0 */
/* One run: a NIC, a host that always has frames to send, and peers that pause it. */
#ifndef _BENCH_PFC_BENCH_H
#define _BENCH_PFC_BENCH_H

#include "clock.h"
#include "parq_pause_fsm.h"
#include "parqsim.h"
#include "policy.h"
#include "wire_judge.h"

#define RING		512	/* descriptors a TX ring: PARQ_RING_DEFAULT of the driver */
#define PARK_LOG2	10	/* FDs a park queue: those of one ring, and of the pipeline */
#define PAUSED_FIRST	3
#define PAUSED_LAST	4
#define PAUSED_PRIOS	(BIT(PAUSED_FIRST) | BIT(PAUSED_LAST))
/* Four ports of 400 Gb/s have 2.4 frames of 64 bytes a ns. */
#define CLK_PS		400
#define TLP_BYTES	24	/* of PCI Express: header, sequence number, CRC */

enum frames {
	FRAMES_64,
	FRAMES_1518,
	FRAMES_9018,
	FRAMES_MIXED,
};

/**
 * struct options - of a run
 * @gbps: speed of each port
 * @ports: how many
 * @depth: of the pipeline
 * @frames: enum frames
 * @bursty: pauses come in bursts, else at random
 * @fetch_ns: PARQ's lead of the fetch, see struct parqsim_config
 * @read_ns: from the decision to send what is parked to the first FD that can be sent
 * @host_ns: from an interrupt to the command of the driver that runs the FSM; 0: the NIC runs it
 * @quanta: how long frames are posted
 * @seed: of pauses and mixed frames
 */
struct options {
	u32 gbps;
	u32 ports;
	u32 depth;
	u32 frames;
	u32 bursty;
	u32 fetch_ns;
	u32 read_ns;
	u32 host_ns;
	u32 quanta;
	u32 seed;
};

/* A TX queue, one a priority. */
struct queue {
	u64 ring;
	u64 heads;	/* 64 bytes an entry: what differs in frames */
	u64 wb;
	u32 tail;
	u32 posted;
	u32 seed;
};

/**
 * struct class - a (port, priority)
 * @queue: of the host
 * @state: of the FSM, if the driver runs it
 * @seq: of its last command
 * @bench: the run
 * @port: its port
 * @prio: its priority
 * @xon_next: the peer will send XON next, else XOFF
 * @seed: of its pauses
 * @timer: when
 * @left: pauses of the present burst
 */
struct class {
	struct queue queue;
	enum parq_fsm_state state;
	u8 seq;
	struct bench *bench;
	u8 port;
	u8 prio;
	bool xon_next;
	u32 seed;
	struct timer timer;
	u32 left;
};

/**
 * struct port - what is measured of a port
 * @judge: of its wire, in ps
 * @frame: priority on the wire
 * @frame_end: end of its frame and of the gap behind it
 * @seen: up to here
 * @paused_ps: a class of the port was paused
 * @others_ps: of it, the wire had a frame of a class that was not paused
 * @busy_ps: of it, the wire had a frame
 * @calm_ps: no class of the port was paused, but one of another port
 * @calm_busy_ps: of it, the wire had a frame
 */
struct port {
	struct wire_judge judge;
	struct class cls[PARQ_NUM_PRIO];
	u64 status;
	u8 frame;
	u64 frame_end;
	u64 seen;
	u64 paused_ps;
	u64 others_ps;
	u64 busy_ps;
	u64 calm_ps;
	u64 calm_busy_ps;
};

#define RESUMES_MAX	65536

/**
 * struct result - sums of a run
 * @leak_frames: frames that started in a pause of their class
 * @leak_bytes: their bytes, with FCS
 * @leak_max_frames: most of one pause
 * @leak_max_bytes: most of one pause
 * @late_ps: longest time from the beginning of a pause to the start of a frame in it
 * @resume_ps: from the end of a pause to the first frame of the class, by pause
 * @resumes: how many
 * @park_writes: FDs written to park queues
 * @park_reads: FDs read from there
 * @status_bytes: written to status pages
 * @tlps: packets on PCI Express for all of that and for commands
 * @commands: of the driver
 * @irqs: for the driver
 * @wire_bytes: of data frames, with all that is around them
 * @own_bytes: of them, of classes that are paused now and then
 */
struct result {
	u64 leak_frames;
	u64 leak_bytes;
	u64 leak_max_frames;
	u64 leak_max_bytes;
	u64 late_ps;
	u64 resume_ps[RESUMES_MAX];
	u32 resumes;
	u64 park_writes;
	u64 park_reads;
	u64 status_bytes;
	u64 tlps;
	u64 commands;
	u64 irqs;
	u64 wire_bytes;
	u64 own_bytes;
};

struct bench {
	struct options o;
	struct parqsim *sim;
	struct parqsim_config cfg;
	u32 byte_ps;
	u8 *mem;
	u64 used;
	u64 filler;
	u64 park, park_end;	/* all park queues */
	u64 status, status_end;	/* all status pages */
	u32 db[PARQ_BAR_DB_SIZE / 4];
	bool stopping;
	struct timer look;
	struct port port[PARQ_NIC_PORTS];
	struct result res;
};

static inline u64 bench_now(const struct bench *b)
{
	return b->sim->clock.now;
}

/* @at: a time at or after the last frame of the port */
static inline bool is_paused(const struct port *p, u32 prio, u64 at)
{
	return p->judge.paused & BIT(prio) && at < p->judge.cls[prio].until;
}

/* host.c */
void host_init(struct bench *b);
void host_fill(struct bench *b, u32 port, u32 prio);

/* peer.c */
void peer_init(struct bench *b);
void peer_stop(struct bench *b);

/* judge.c */
void judge_init(struct bench *b);
void judge_end(struct bench *b);
void judge_pfc(struct class *c, u32 quanta);
void judge_frame(struct bench *b, u32 port, u32 prio, u32 seq, u32 len, u64 end);
void judge_time(struct bench *b);

#endif /* _BENCH_PFC_BENCH_H */
