/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The NIC in software: what its host must give it and may ask of it.
 *
 * The core is freestanding: it allocates nothing, takes no lock, starts no
 * thread, reads no clock and does no I/O of its own. Memory, time, DMA, interrupts
 * and the wire are given from outside, so that one core serves a process
 * behind QEMU, unit tests in virtual time and, in principle, a kernel.
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
#define PARQSIM_FETCH_MAX_NS	1000000000

/* Longest frame on a wire, without FCS. */
#define PARQSIM_FRAME_MAX	(PARQ_MAX_FRAME_MAX + PARQ_MAX_TAGS)

#define PARQSIM_RX_BUFFER_MIN	(64 << 10)
#define PARQSIM_RX_BUFFER_MAX	(16 << 20)

/**
 * struct parqsim_config - what cannot change while the NIC lives
 * @ports: 1 to PARQ_MAX_PORTS
 * @txq: TX queues a port, 1 to PARQ_MAX_TXQ
 * @rxq: RX queues a port, 1 to PARQ_MAX_RXQ
 * @depth: FDs of a port between QMAN and wire, and stages of the pipeline;
 *	PARQSIM_DEPTH_MIN to PARQSIM_DEPTH_MAX
 * @clk_ps: period of the device clock: the pipeline moves by one FD in it
 * @fetch_ns: time that the fetch of a frame may take, up to PARQSIM_FETCH_MAX_NS: the
 *	QMAN fetches so much earlier than the pipeline alone needs
 * @speeds: BIT(enum parq_speed) that the ports can do
 * @rx_buffer: PARQ_RXB_TOTAL: receive buffers of a port, bytes;
 *	PARQSIM_RX_BUFFER_MIN to PARQSIM_RX_BUFFER_MAX
 * @no_offload: leave PARQ_CAP_OFFLOAD out: the host must run the pause FSM
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
	u8 addr[6];
};

/**
 * struct parqsim_partner - one end of a link, as the other end sees it
 * @present: a cable with somebody at its end is plugged in
 * @en: that end's PHY is on
 * @an: it negotiates, advertising @adv; else it runs at @speed
 * @full_duplex: it runs or offers full duplex
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

/**
 * struct parqsim_host - the world around the core
 * @dma_read: copy @len bytes of host memory; false if the host refuses
 * @dma_write: the other way; false if the host refuses
 * @dma_write64: one naturally aligned word, seen whole, and not before any
 *	earlier write; @val is in host order and is stored little endian
 * @irq: MSI-X message of a vector; not before any earlier write
 * @frame: a frame (without FCS, @len bytes) starts on a port's wire at
 *	@start and ends at @end, which is in the future; the data is valid
 *	during the call only
 * @link: the port's own link settings changed (@self); the host brings them to
 *	the other end and answers with parqsim_link()
 * @stuck: a TX queue is about to fetch a frame; true if it does not, and none after it
 *	until it is enabled again, like a queue that is broken. NULL for a NIC that is not
 *
 * All get the @ctx given to parqsim_init() and may be called from within any
 * call into the core. None may call back into the core but @link, which may
 * call parqsim_link().
 */
struct parqsim_host {
	bool (*dma_read)(void *ctx, u64 addr, void *buf, u32 len);
	bool (*dma_write)(void *ctx, u64 addr, const void *buf, u32 len);
	bool (*dma_write64)(void *ctx, u64 addr, u64 val);
	void (*irq)(void *ctx, u32 vector);
	void (*frame)(void *ctx, u32 port, const u8 *data, u32 len, u64 start,
		      u64 end);
	void (*link)(void *ctx, u32 port, const struct parqsim_partner *self);
	bool (*stuck)(void *ctx, u32 port, u32 queue);
};

struct parqsim;

/* Bytes that parqsim_init() needs, a multiple of 64; 0 for a bad config. */
size_t parqsim_size(const struct parqsim_config *cfg);

/*
 * Builds a NIC in its reset state in @mem (zeroed, 64-byte aligned). @db is the
 * memory behind the doorbell BAR, PARQ_BAR_DB_SIZE bytes, which the host driver
 * writes at any time. Returns NULL for a config out of range.
 */
struct parqsim *parqsim_init(void *mem, const struct parqsim_config *cfg,
			     const struct parqsim_host *host, void *ctx,
			     void *db);

/* PCIe FLR, PARQ_CTRL_RESET, loss of the host: all at once, no DMA after it. */
void parqsim_reset(struct parqsim *sim);

/* The NIC stops as in a reset, sets PARQ_STATUS_FATAL and waits for a reset. */
void parqsim_fail(struct parqsim *sim);

/* BAR0; accesses that are not 4 bytes at a multiple of 4 go to _bad(). */
u32 parqsim_read(struct parqsim *sim, u32 off);
void parqsim_write(struct parqsim *sim, u32 off, u32 val);
void parqsim_bad_access(struct parqsim *sim, u32 off);

/*
 * Time goes on to @now: everything that is due up to then happens, each thing
 * at its own time; then the doorbells are looked at. Returns whether there was
 * anything to do.
 */
bool parqsim_run(struct parqsim *sim, u64 now);

/*
 * As parqsim_run(), for a host that cannot wait for the end: no more than @most events.
 * A frame from ring to ring has five, and one event concerns one frame; only frames
 * that wait for RX buffers are delivered all at once when buffers come. Returns the
 * number of events. With @most of them time has stopped at the last one, though the
 * doorbells were looked at, and there may be more to do.
 */
u32 parqsim_step(struct parqsim *sim, u64 now, u32 most);

/* When parqsim_run() is needed at the latest, doorbells apart. */
u64 parqsim_next(const struct parqsim *sim);

/* The core's clock, for cables and other things that live in its time. */
struct clock *parqsim_clock(struct parqsim *sim);

/*
 * Before the host stops polling: tells drivers to write PARQ_WAKE after a doorbell,
 * then looks at the doorbells once more. False: a doorbell has rung, do not
 * sleep. parqsim_run() ends the doze when it finds work, as PARQ_WAKE does.
 */
bool parqsim_doze(struct parqsim *sim);

/* The last bit of a frame has arrived now. @fcs_ok: its FCS was right. */
void parqsim_rx(struct parqsim *sim, u32 port, const u8 *data, u32 len,
		bool fcs_ok);

/* What is at the other end of the port's cable. Returns the link's speed as
 * enum parq_speed, or -1 if it is down.
 */
int parqsim_link(struct parqsim *sim, u32 port,
		 const struct parqsim_partner *partner);

/* The port's own settings, to tell the other end. */
void parqsim_link_self(const struct parqsim *sim, u32 port,
		       struct parqsim_partner *self);

/* Picoseconds that one byte takes at a speed (enum parq_speed). */
u32 parqsim_byte_ps(unsigned int speed);

#endif /* _PARQSIM_H */
