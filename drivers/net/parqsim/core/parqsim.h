/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The NIC in software: what the host provides, and the calls it may make.
 *
 * The core is freestanding: it allocates nothing, takes no lock, starts no thread,
 * reads no clock and does no I/O of its own. The host provides memory, time, DMA,
 * interrupts and the wire. So one core serves a process behind QEMU, unit tests in
 * virtual time, and a kernel.
 *
 * Calls into one core must not overlap. Time never goes back. Times are
 * picoseconds of the device clock: at 400 Gb/s a byte takes 20 of them, and
 * 64 bits last for 213 days.
 */
#ifndef _PARQSIM_H
#define _PARQSIM_H

#include <linux/parq_hw.h>

#define PARQSIM_PS_PER_NS	1000ULL
#define PARQSIM_NEVER		(~0ULL)

#define PARQSIM_DEPTH_MIN	4
#define PARQSIM_DEPTH_MAX	1024
/* Ports that share a pipe, which takes one FD a clock. More ports have more pipes. */
#define PARQSIM_PIPE_PORTS	4
#define PARQSIM_FETCH_MAX_NS	1000000000

/* Longest frame on a wire, without FCS. */
#define PARQSIM_FRAME_MAX	(PARQ_MAX_FRAME_MAX + PARQ_MAX_TAGS)

#define PARQSIM_RX_BUFFER_MIN	(64 << 10)
#define PARQSIM_RX_BUFFER_MAX	(16 << 20)
/* Capabilities that a device can leave out, from PARQ_CAP_CSUM to PARQ_CAP_RESTORE. */
#define PARQSIM_LACKS		GENMASK(30, 17)

/**
 * struct parqsim_config - properties that are fixed for the life of the NIC
 * @ports: 1 to PARQ_NIC_PORTS, with @forward PARQ_MAX_PORTS
 * @txq: TX queues per port, 1 to PARQ_MAX_TXQ; all queues together have PARQ_MAX_VECTORS - 1
 *	vectors at most
 * @rxq: RX queues per port, 1 to PARQ_MAX_RXQ
 * @depth: FDs of a port between QMAN and wire, and stages of the pipeline;
 *	PARQSIM_DEPTH_MIN to PARQSIM_DEPTH_MAX
 * @clk_ps: period of the device clock; each pipeline moves by one FD per period
 * @fetch_ns: time allowed for the fetch of a frame, up to PARQSIM_FETCH_MAX_NS; the
 *	QMAN fetches earlier by this time
 * @speeds: BIT(enum parq_speed) that the ports support
 * @rx_buffer: PARQ_RXB_TOTAL: receive buffers of a port, bytes;
 *	PARQSIM_RX_BUFFER_MIN to PARQSIM_RX_BUFFER_MAX
 * @no_offload: leave PARQ_CAP_OFFLOAD out: the host must run the pause FSM
 * @lacks: capabilities that PARQ_CAP leaves out, numbered from PARQ_CAP_CSUM on; for tests of
 *	drivers: the device does not refuse their registers
 * @rx_later: memory for receive buffers comes by parqsim_rx_memory(), when a port needs it
 * @rings: the host calls parqsim_ring() when a driver writes PARQ_WAKE. Drivers are always told to
 *	do so after a doorbell, and only the TX queues that rang are looked at
 * @forward: the ports can forward frames to each other, see PARQ_SWITCH
 * @seed: of the hash of addresses with @forward. Who knows it can choose addresses that make the
 *	search for one of them slow
 * @addr: permanent MAC address of port 0; the other ports count up
 */
struct parqsim_config {
	u8 ports;
	u8 txq;
	u8 rxq;
	u16 depth;
	u32 clk_ps;
	u32 fetch_ns;
	u32 speeds;
	u32 rx_buffer;
	bool no_offload;
	u32 lacks;
	bool rx_later;
	bool rings;
	bool forward;
	u64 seed;
	u8 addr[6];
};

/**
 * struct parqsim_partner - link settings of one end, as the link partner sees them
 * @present: a cable with a partner at its end is plugged in
 * @en: the PHY is on
 * @an: the end negotiates and advertises @adv; otherwise it runs at @speed
 * @full_duplex: the end runs or offers full duplex
 * @speed: enum parq_speed
 * @adv: PARQ_LINK_ADV
 */
struct parqsim_partner {
	bool present;
	bool en;
	bool an;
	bool full_duplex;
	u8 speed;
	u32 adv;
};

struct train;

/**
 * struct parqsim_host - callbacks to the world around the core
 * @dma_read: copies @len bytes from host memory; false if the host refuses
 * @dma_write: copies @len bytes to host memory; false if the host refuses
 * @dma_write64: writes one naturally aligned word in one piece, after all earlier
 *	writes; @val is in host order and is stored little endian
 * @irq: sends the MSI-X message of a vector, after all earlier writes
 * @buffer: memory of a port's wire, PARQSIM_FRAME_MAX bytes, in which its next frame may be built;
 *	NULL: none. May be NULL. That frame may not come after all
 * @frame: a frame (@len bytes without FCS) starts on a port's wire at @start and
 *	ends at @end, which is in the future; the data is valid during the call only
 * @train: a train is about to start on a port's wire, see struct train; returns one without
 *	segments whose @payload and @room are set, for @len bytes of payload or fewer; NULL: single
 *	frames only. May be NULL: the same for all ports
 * @segment: the newest segment of the train starts at @start and ends at @end, as in @frame
 * @train_end: nothing is added to the train any more; it may have no segment
 * @batch: whether segments can follow the newest one of the train at once, the first one @step
 *	after it, each other one @step after the one before: until the last of them starts, nothing
 *	else happens on the wire. Returns how many, at most @n. May be NULL: none
 * @segments: follows @batch unless that returned 0: @n segments, or fewer than it returned, have
 *	been added to the train; the newest starts at the present time
 * @others: time of the first event of NICs that cables join with this one, ps, or any time from the
 *	end of the step on: the segments that @batch allows start before it. NULL: there are no such
 *	NICs
 * @link: the port's own link settings have changed to @self; the host brings them
 *	to the link partner and answers with parqsim_link()
 * @stuck: fault injection, may be NULL: a TX queue is about to fetch a frame; true
 *	if it must fetch nothing more until it is enabled again
 *
 * All get the @ctx given to parqsim_init(). Any call into the core may call any of
 * them. They must not call back into the core, except that @link may call
 * parqsim_link().
 */
struct parqsim_host {
	bool (*dma_read)(void *ctx, u64 addr, void *buf, u32 len);
	bool (*dma_write)(void *ctx, u64 addr, const void *buf, u32 len);
	bool (*dma_write64)(void *ctx, u64 addr, u64 val);
	void (*irq)(void *ctx, u32 vector);
	u8 *(*buffer)(void *ctx, u32 port);
	void (*frame)(void *ctx, u32 port, const u8 *data, u32 len, u64 start,
		      u64 end);
	struct train *(*train)(void *ctx, u32 port, u32 len);
	void (*segment)(void *ctx, u32 port, u64 start, u64 end);
	void (*train_end)(void *ctx, u32 port);
	u32 (*batch)(void *ctx, u32 port, u32 n, u64 step);
	void (*segments)(void *ctx, u32 port, u32 n, u64 step);
	u64 (*others)(void *ctx);
	void (*link)(void *ctx, u32 port, const struct parqsim_partner *self);
	bool (*stuck)(void *ctx, u32 port, u32 queue);
};

struct parqsim;

/* Bytes that parqsim_init() needs, a multiple of 64; 0 if @cfg is out of range. */
size_t parqsim_size(const struct parqsim_config *cfg);

/*
 * Builds a NIC in its reset state in @mem (zeroed, 64-byte aligned). @db is the memory
 * behind the doorbell BAR, parq_bar_db_size(ports) bytes; drivers write it at any time.
 * Returns NULL if @cfg is out of range.
 */
struct parqsim *parqsim_init(void *mem, const struct parqsim_config *cfg,
			     const struct parqsim_host *host, void *ctx,
			     void *db);

/* Bytes that the receive buffers of one port need, a multiple of 64; @cfg is in range. */
size_t parqsim_rx_size(const struct parqsim_config *cfg);

/*
 * With @rx_later: which port needs memory before @val is written at @off, or -1. Frames may have
 * to wait after this write, and would be dropped without memory: PFC or link pause is enabled, a
 * port joins a domain, or an RX queue of an enabled port is put on hold. Drivers may sleep in such
 * writes, but not when they enable a port: so an RX queue that is on hold by then, and a lossy
 * priority, get none.
 */
int parqsim_rx_wanted(const struct parqsim *sim, u32 off, u32 val);

/* Gives a port that has none parqsim_rx_size() bytes at @mem, aligned to 64. It keeps them. */
void parqsim_rx_memory(struct parqsim *sim, u32 port, void *mem);

/* PCIe FLR, PARQ_CTRL_RESET, loss of the host: stops at once, no DMA afterwards. */
void parqsim_reset(struct parqsim *sim);

/* Fatal error: stops as in a reset, sets PARQ_STATUS_FATAL and waits for a reset. */
void parqsim_fail(struct parqsim *sim);

/* BAR0. Accesses that are not 4 bytes at a multiple of 4 go to _bad(). */
u32 parqsim_read(struct parqsim *sim, u32 off);
void parqsim_write(struct parqsim *sim, u32 off, u32 val);
void parqsim_bad_access(struct parqsim *sim, u32 off);

/*
 * Advances the time to @now: handles each event that is due, at its own time, and then
 * reads the doorbells. Returns whether there was anything to do.
 */
bool parqsim_run(struct parqsim *sim, u64 now);

/*
 * parqsim_run() with a limit of @most events, for a host that must not run it for long at once. A
 * frame takes five events from ring to ring, and one event handles one frame, or several segments
 * of a train, see @batch. Of frames that wait for RX buffers @most are delivered in addition.
 * Returns the number of events. If it is @most, the time is that of the last event; the doorbells
 * were read, and more events may be due.
 */
u32 parqsim_step(struct parqsim *sim, u64 now, u32 most);

/*
 * parqsim_step() without the look at the doorbells, for one event of several NICs whose events have
 * an order. Segments of a train may take the time beyond @now, up to @until and to @others. A call
 * of parqsim_step() must follow.
 */
u32 parqsim_events(struct parqsim *sim, u64 now, u64 until, u32 most);

/* Time of the next event: parqsim_run() must be called by then. Doorbells may come earlier. */
u64 parqsim_next(const struct parqsim *sim);

/* The core's clock, for cables and other parts that share its time. */
struct clock *parqsim_clock(struct parqsim *sim);

/*
 * Called before the host stops polling. Makes drivers write PARQ_WAKE after a doorbell,
 * then reads the doorbells once more. False: a doorbell has rung, do not sleep. The doze
 * ends when parqsim_run() finds work, or with PARQ_WAKE. If host memory refuses the word
 * for drivers, parqsim_next() is 1 ms ahead at most, for the next 32 times.
 */
bool parqsim_doze(struct parqsim *sim);

/*
 * With @rings: a driver has written a doorbell, and then its offset to PARQ_WAKE. Any other value
 * means any doorbell. This takes no lock: it may be called at any time, from any context. Returns
 * whether the host must call parqsim_run(): for several doorbells of a queue the first call does.
 */
bool parqsim_ring(struct parqsim *sim, u32 off);

/* The last bit of a frame has arrived now. @fcs_ok: the FCS was right. */
void parqsim_rx(struct parqsim *sim, u32 port, const u8 *data, u32 len,
		bool fcs_ok);

/*
 * The last bit of segment @i of a train has arrived now; none if @i is the number of segments.
 * @end: no other follows. Until then the train must stay where it is. The core may write to its
 * payload.
 */
void parqsim_rx_train(struct parqsim *sim, u32 port, const struct train *t, u32 i, bool end);

/*
 * How many of @n segments from @i on, each as long as the one before it, would join those of the
 * train that have arrived. parqsim_rx_joined() says that as many have arrived, or fewer, the last
 * one at @at, ps.
 */
u32 parqsim_rx_joins(struct parqsim *sim, u32 port, const struct train *t, u32 i, u32 n);
void parqsim_rx_joined(struct parqsim *sim, u32 port, u32 n, u64 at);

/* Whether the port delivers segments of a train as one frame. Otherwise a train saves nothing. */
bool parqsim_merges(const struct parqsim *sim, u32 port);

/*
 * Sets what is at the other end of the port's cable. Returns the link's speed as
 * enum parq_speed, or -1 if the link is down.
 */
int parqsim_link(struct parqsim *sim, u32 port,
		 const struct parqsim_partner *partner);

/* Reads the port's own settings, to pass them to the link partner. */
void parqsim_link_self(const struct parqsim *sim, u32 port,
		       struct parqsim_partner *self);

/* Time of one byte at @speed (enum parq_speed), ps. */
u32 parqsim_byte_ps(unsigned int speed);

#endif /* _PARQSIM_H */
