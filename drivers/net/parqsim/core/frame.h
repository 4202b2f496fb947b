/* SPDX-License-Identifier: GPL-2.0 */
/* Layout of frames: addresses, types, MAC control (IEEE 802.3 annex 31). */
#ifndef _PARQSIM_FRAME_H
#define _PARQSIM_FRAME_H

#include <linux/bits.h>
#include <linux/types.h>

#define FCS_LEN			4
#define FRAME_MIN		60	/* without FCS */
#define FRAME_PREAMBLE		8	/* with the start-of-frame delimiter */

#define ADDR_BROADCAST		0xffffffffffffULL
#define ADDR_GROUP		1ULL
/* 01:80:c2:00:00:01; byte 0 is the lowest byte, as in all addresses here. */
#define ADDR_PAUSE		0x010000c28001ULL

/* A C-tag follows the addresses: type and TCI. */
#define ETH_C_TAG		0x8100
#define ETH_S_TAG		0x88a8
#define TAG_AT			12
#define TAG_LEN			4
#define TCI_PCP			GENMASK(15, 13)
#define TCI_DEI			BIT(12)
#define TCI_VID			GENMASK(11, 0)

#define ETH_MAC_CONTROL		0x8808
#define OPCODE_PAUSE		0x0001	/* IEEE 802.3x: annex 31B */
#define OPCODE_PFC		0x0101	/* IEEE 802.1Qbb */
#define QUANTUM_BYTES		64	/* 512 bit times */

/* Offsets in a MAC control frame. In PFC, eight times follow the class-enable vector. */
#define CTRL_OPCODE		14
#define CTRL_PAUSE_TIME		16
#define CTRL_PFC_VECTOR		16
#define CTRL_PFC_TIME(prio)	(18 + 2 * (prio))

static inline u64 get_addr(const u8 *p)
{
	return p[0] | (u64)p[1] << 8 | (u64)p[2] << 16 | (u64)p[3] << 24 |
	       (u64)p[4] << 32 | (u64)p[5] << 40;
}

static inline u32 get_be16(const u8 *p)
{
	return p[0] << 8 | p[1];
}

static inline void put_be16(u8 *p, u32 val)
{
	p[0] = val >> 8;
	p[1] = val & 0xff;
}

static inline void put_addr(u8 *p, u64 addr)
{
	u32 i;

	for (i = 0; i < 6; i++)
		p[i] = addr >> (8 * i);
}

/* MAC control frames that a station can obey. */
enum frame_control {
	FRAME_CONTROL_UNKNOWN,
	FRAME_PFC,
	FRAME_PAUSE,
	FRAME_PAUSE_LOW,
};

/**
 * frame_control() - classify a MAC control frame
 * @data: the frame
 * @to_station: it is addressed to the receiving station
 * @low_opcode: opcode of Pause Low, 0 for none
 *
 * Return: FRAME_CONTROL_UNKNOWN if no station has to obey the frame.
 */
static inline enum frame_control frame_control(const u8 *data, bool to_station, u16 low_opcode)
{
	u32 opcode = get_be16(data + CTRL_OPCODE);

	if (!to_station && get_addr(data) != ADDR_PAUSE)
		return FRAME_CONTROL_UNKNOWN;
	if (opcode == OPCODE_PFC)
		return FRAME_PFC;
	if (opcode == OPCODE_PAUSE)
		return FRAME_PAUSE;
	return opcode && opcode == low_opcode ? FRAME_PAUSE_LOW : FRAME_CONTROL_UNKNOWN;
}

#endif /* _PARQSIM_FRAME_H */
