/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A switch with many ports, and a station at the far end of each cable. No port has a host. Each
 * frame names its sender and has a number: none overtakes another one of its flow.
 */
#ifndef _PARQSIM_TESTS_STATIONS_H
#define _PARQSIM_TESTS_STATIONS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <linux/bitfield.h>
#include <linux/parq_hw_switch.h>

#include "clock.h"
#include "parqsim.h"

#define PRIO		3	/* of all frames */
#define WIRE_GAP	20	/* bytes of preamble and gap */
#define US		1000000ULL
/* Lets what is under way arrive, more than it takes to empty the smallest receive buffers. */
#define SETTLE_PS	(10000 * US)

/**
 * struct station - what is at the far end of a cable
 * @sent: frames that it has sent
 * @heard: frames that have arrived at it
 * @from: of these, frames of each station
 * @next: by station: number after that of its last frame that has arrived
 * @late: frames that another one of their flow has overtaken
 * @xoff: PRIO is paused
 * @xoff_end: time of the last bit of the frame that has paused it
 */
struct station {
	u64 sent;
	u64 heard;
	u64 from[PARQ_MAX_PORTS];
	u32 next[PARQ_MAX_PORTS];
	u64 late;
	bool xoff;
	u64 xoff_end;
};

static struct parqsim *sim;
static struct station station[PARQ_MAX_PORTS];
static u32 db[PARQ_BAR_DB_MANY / 4];
static u32 ports, byte_ps;

/* ---- the world around the switch ----------------------------------------- */

static inline bool no_read(void *ctx, u64 addr, void *buf, u32 len)
{
	(void)ctx;
	(void)addr;
	(void)buf;
	(void)len;
	return false;
}

static inline bool no_write(void *ctx, u64 addr, const void *buf, u32 len)
{
	(void)ctx;
	(void)addr;
	(void)buf;
	(void)len;
	return false;
}

static inline bool no_write64(void *ctx, u64 addr, u64 val)
{
	(void)ctx;
	(void)addr;
	(void)val;
	return false;
}

static inline void no_irq(void *ctx, u32 vector)
{
	(void)ctx;
	(void)vector;
}

static inline void hear(void *ctx, u32 port, const u8 *data, u32 len, u64 start, u64 end)
{
	struct station *s = &station[port];
	u32 from, n;

	(void)ctx;
	(void)len;
	(void)start;
	if (data[12] == 0x88 && data[13] == 0x08) {
		if (!(data[17] & BIT(PRIO)))
			return;
		s->xoff = data[18 + 2 * PRIO] || data[19 + 2 * PRIO];
		s->xoff_end = end;
		return;
	}
	from = data[11];
	n = (u32)data[18] << 24 | data[19] << 16 | data[20] << 8 | data[21];
	s->heard++;
	s->from[from]++;
	s->late += n < s->next[from];
	s->next[from] = n + 1;
}

static inline void mirror(void *ctx, u32 port, const struct parqsim_partner *self)
{
	(void)ctx;
	parqsim_link(sim, port, self);
}

static const struct parqsim_host host = {
	.dma_read = no_read, .dma_write = no_write, .dma_write64 = no_write64,
	.irq = no_irq, .frame = hear, .link = mirror,
};

/* ---- the switch ---------------------------------------------------------- */

static inline void wr(u32 port, u32 off, u32 val)
{
	parqsim_write(sim, PARQ_PORT(port) + off, val);
}

static inline u32 sw(u32 off)
{
	return parqsim_read(sim, PARQ_SWITCH) + off;
}

static inline u64 stat(u32 port, enum parq_sw_stat n)
{
	return parqsim_read(sim, sw(PARQ_SW_PORT(port) + PARQ_SW_STAT_LO(n)));
}

/* All in one domain. @lossless: PRIO is; half of the buffer is headroom. */
static inline void port_up(u32 port, enum parq_speed speed, bool lossless)
{
	wr(port, PARQ_LINK_CTRL, PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
	   FIELD_PREP(PARQ_LINK_CTRL_SPEED, speed));
	wr(port, PARQ_PORT_CTRL, PARQ_PORT_CTRL_EN);
	wr(port, PARQ_RXB(0) + PARQ_RXB_XOFF, PARQSIM_RX_BUFFER_MIN / 2);
	wr(port, PARQ_RXB(0) + PARQ_RXB_XON, PARQSIM_RX_BUFFER_MIN / 4);
	wr(port, PARQ_RXB_APPLY, 1);
	wr(port, PARQ_FC_CTRL, lossless ? BIT(PRIO) : 0);
	parqsim_write(sim, sw(PARQ_SW_PORT(port) + PARQ_SW_CTRL),
		      FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 1) | PARQ_SW_CTRL_LEARN |
		      PARQ_SW_CTRL_FLOOD | FIELD_PREP(PARQ_SW_CTRL_STATE, PARQ_SW_FORWARDING));
}

/* @rx_buffer: of each port, bytes */
static inline void begin(u32 number, enum parq_speed speed, u32 rx_buffer, bool lossless)
{
	const struct parqsim_config cfg = {
		.ports = number, .txq = PARQ_NUM_PRIO, .rxq = 1, .depth = 32, .clk_ps = 1000,
		.speeds = BIT(PARQ_NUM_SPEEDS) - 1, .rx_buffer = rx_buffer,
		.addr = { 2, 0, 0, 0, 0, 1 }, .forward = true,
	};
	u32 port;

	ports = number;
	byte_ps = parqsim_byte_ps(speed);
	memset(station, 0, sizeof(station));
	sim = parqsim_init(calloc(1, parqsim_size(&cfg)), &cfg, &host, NULL, db);
	assert_non_null(sim);
	for (port = 0; port < ports; port++)
		port_up(port, speed, lossless);
	assert_int_equal(parqsim_read(sim, PARQ_ERR), 0);
}

static inline void end(void)
{
	assert_int_equal(parqsim_read(sim, PARQ_ERR), 0);
	free(sim);
}

static inline u64 now(void)
{
	return parqsim_clock(sim)->now;
}

/* The last bit of a frame arrives now. @len: bytes on the wire, with tag and FCS */
static inline void send(u32 from, u32 to, u32 len)
{
	u32 n = station[from].sent++;
	u8 data[PARQSIM_FRAME_MAX] = {
		2, 0, 0, 0, 1, to, 2, 0, 0, 0, 1, from, 0x81, 0, PRIO << 5, 0, 0x88, 0xb5,
		n >> 24, n >> 16, n >> 8, n,
	};

	parqsim_rx(sim, from, data, len - 4, true);
}

/* A station pauses the switch for @quanta; 0: no more. */
static inline void pause_station(u32 port, u32 quanta)
{
	u8 data[60] = { 0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 1, port, 0x88, 0x08, 1, 1, 0,
			BIT(PRIO) };

	data[18 + 2 * PRIO] = quanta >> 8;
	data[19 + 2 * PRIO] = quanta;
	parqsim_rx(sim, port, data, sizeof(data), true);
}

/* Frames for which there was no room. */
static inline u64 dropped(void)
{
	u64 sum = 0;
	u32 port;

	for (port = 0; port < ports; port++)
		sum += stat(port, PARQ_SW_RX_NO_ROOM) + stat(port, PARQ_SW_TX_DROP_FULL);
	return sum;
}

/* All stations send once, so that the switch knows where they are. */
static inline void meet(void)
{
	u32 port;

	for (port = 0; port < ports; port++)
		send(port, port ^ 1, 64);
	parqsim_run(sim, now() + SETTLE_PS);
	memset(station, 0, sizeof(station));
}

#endif /* _PARQSIM_TESTS_STATIONS_H */
