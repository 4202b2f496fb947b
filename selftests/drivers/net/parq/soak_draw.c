// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include <time.h>

#include "parq_frame.h"
#include "soak_draw.h"

#define BUFFER_SIZE	(64 << 10)

/* Steele's splitmix64: neighbouring seeds have nothing in common. */
static uint64_t next_random(struct schedule *s)
{
	uint64_t z = s->random += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

void draw_begin(struct schedule *s, uint64_t seed)
{
	s->random = seed;
}

/* 0 to @range - 1 */
uint32_t draw(struct schedule *s, uint32_t range)
{
	return (uint32_t)(next_random(s) % range);
}

/* Computing takes no simulated time. */
void pace(struct schedule *s)
{
	const struct timespec ts = {
		.tv_nsec = 1 + (long)draw(s, 12000000),
	};

	nanosleep(&ts, NULL);
}

/* A traffic class for each priority. */
int equal_shares(struct port *p)
{
	struct ieee_ets ets = { 0 };
	uint32_t i;

	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		ets.prio_tc[i] = (uint8_t)i;
		ets.tc_tsa[i] = IEEE_8021QAZ_TSA_ETS;
		ets.tc_tx_bw[i] = i < 4 ? 13 : 12;
	}
	return port_ets(p, &ets);
}

/*
 * Shares that make 100 in most cases. A class without a share would starve, and its queues
 * would look stuck.
 */
static void request_ets(struct schedule *s)
{
	struct ieee_ets ets = { 0 };
	uint32_t i, left = 60, share;

	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		share = i == PARQ_NUM_PRIO - 1 ? left : draw(s, left + 1);
		left -= share;
		ets.tc_tx_bw[i] = (uint8_t)(share + 5);
		ets.tc_tsa[i] = IEEE_8021QAZ_TSA_ETS;
		ets.prio_tc[i] = (uint8_t)draw(s, PARQ_NUM_PRIO);
	}
	if (!draw(s, 8))
		ets.tc_tx_bw[0] = 101;
	port_ets(s->port, &ets);
}

static void request_feature(struct schedule *s, struct port *p, bool on)
{
	switch (draw(s, 5)) {
	case 0:
		port_ethtool_value(p, ETHTOOL_STXCSUM, on);
		break;
	case 1:
		port_ethtool_value(p, ETHTOOL_STSO, on);
		break;
	case 2:
		port_ethtool_value(p, ETHTOOL_SSG, on);
		break;
	case 3:
		port_ethtool_value(p, ETHTOOL_SFLAGS,
				   on ? SOAK_FLAGS : SOAK_FLAGS & ~ETH_FLAG_RXVLAN);
		break;
	case 4:
		port_ethtool_value(p, ETHTOOL_SGRO, on);
		break;
	}
}

/* ---- while pauses are judged ---------------------------------------------- */

static void change_buffer(struct schedule *s)
{
	struct dcbnl_buffer b = {
		.buffer_size = { BUFFER_SIZE, BUFFER_SIZE },
	};

	b.prio2buffer[draw(s, PARQ_NUM_PRIO)] = 1;
	port_buffer(s->port, &b);
	port_buffer(s->port, &(struct dcbnl_buffer){ 0 });
}

static void change_pfc(struct schedule *s)
{
	uint8_t more = (uint8_t)draw(s, 256);

	port_pfc(s->port, s->lossless | more, (uint16_t)draw(s, 65536));
	port_pfc(s->port, s->lossless, 0);
}

static void change_feature(struct schedule *s)
{
	struct schedule same = *s;

	request_feature(s, s->port, false);
	request_feature(&same, s->port, true);
}

static void look(struct schedule *s, struct port *p)
{
	static struct port_stats stats;

	port_stats(p, &stats);
	port_look(p);
	port_dcb_look(p);
	nic_look(s->nic);
}

/* What may change without a frame of p0 lost, late or sent while it is paused. */
void change(struct schedule *s)
{
	struct port *p0 = &s->port[0];

	switch (draw(s, 9)) {
	case 0:
		request_ets(s);
		break;
	case 1:
		change_pfc(s);
		break;
	case 2:
		change_buffer(s);
		break;
	case 3:
		port_rings(p0, 0, choose(s, 64, 128, 256, 512, 1024));
		break;
	case 4:
		change_feature(s);
		break;
	case 5:
		port_coalesce(p0, draw(s, 200), draw(s, 200));
		break;
	case 6:
		port_table(p0, 1);
		port_table(p0, 0);
		break;
	case 7:
		look(s, p0);
		break;
	case 8:
		nic_cable(s->nic, draw(s, 2000));
		break;
	}
}

/* ---- while anything may happen --------------------------------------------- */

static void request_dcb(struct schedule *s)
{
	struct dcbnl_buffer b = { 0 };

	switch (draw(s, 5)) {
	case 0:
		port_pfc(s->port, (uint8_t)draw(s, 256), (uint16_t)draw(s, 65536));
		break;
	case 1:
		request_ets(s);
		break;
	case 2:
		look(s, &s->port[0]);
		break;
	case 3:
		b.prio2buffer[draw(s, 8)] = (uint8_t)draw(s, 8);
		b.buffer_size[draw(s, 8)] = choose(s, 0, 1 << 10, 64 << 10,
						   256 << 10, 1 << 20, 9 << 20);
		port_buffer(s->port, &b);
		break;
	case 4:
		port_buffer(s->port, &b);
		break;
	}
}

static void request_ethtool(struct schedule *s)
{
	struct port *p = &s->port[draw(s, 2)];

	switch (draw(s, 7)) {
	case 0:
		port_rings(p, 0, choose(s, 63, 64, 100, 256, 512, 1024, 99999));
		break;
	case 1:
		port_rings(p, choose(s, 64, 256, 512, 1024, 99999), 0);
		break;
	case 2:
		port_channels(p, choose(s, 0, 1, 2, 3, 4, 9));
		break;
	case 3:
		port_coalesce(p, choose(s, 0, 10, 100, 99999999), 0);
		break;
	case 4:
		request_feature(s, p, draw(s, 2));
		break;
	case 5:
		port_table(p, choose(s, 0, 1, 2, 77));
		break;
	case 6:
		look(s, p);
		break;
	}
}

static void request_devlink(struct schedule *s)
{
	static const char * const executor[] = { "offload", "managed", "nobody" };

	if (draw(s, 2))
		nic_executor(s->nic, executor[draw(s, 3)]);
	else
		nic_cable(s->nic, choose(s, 0, 1, 10, 100, 2000, 100000, 999999));
}

/* At the far end: a qdisc that goes takes what it holds with it. */
static void request_stack(struct schedule *s)
{
	static const char * const kind[] = { "mq", "pfifo", "fq_codel" };

	if (draw(s, 2))
		port_qdisc(&s->port[1], kind[draw(s, 3)]);
	else
		port_mtu(&s->port[1], choose(s, 60, 1400, 1500, 10240, 10999));
}

/* What costs frames. */
static void request_loss(struct schedule *s)
{
	struct port *p = &s->port[draw(s, 2)];

	switch (draw(s, 3)) {
	case 0:
		port_up(p, false);
		pace(s);
		port_up(p, true);
		break;
	case 1:
		port_reset(p);
		break;
	case 2:
		port_pause(&s->port[1], true, true);
		pace(s);
		port_pause(&s->port[1], false, false);
		break;
	}
}

void any_request(struct schedule *s)
{
	switch (draw(s, 9)) {
	case 0 ... 1:
		request_dcb(s);
		break;
	case 2 ... 3:
		request_ethtool(s);
		break;
	case 4 ... 5:
		request_devlink(s);
		break;
	case 6 ... 7:
		request_stack(s);
		break;
	case 8:
		request_loss(s);
		break;
	}
}
