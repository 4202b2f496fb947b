/* SPDX-License-Identifier: GPL-2.0 */
/* What the test frames look like that one program sends and another judges. */
#ifndef _PARQ_FRAME_H
#define _PARQ_FRAME_H

#include <stdint.h>

#define PARQ_NUM_PRIO		8
#define PARQ_MAX_FLOWS		256
#define PARQ_UDP_PORT		5051
#define PARQ_TAG_MAGIC		0x50415251	/* "PARQ" */

/**
 * struct parq_tag - what a datagram starts with, big endian
 * @magic: PARQ_TAG_MAGIC
 * @seq: counts the datagrams of a flow from 0
 * @flow: number of the flow; its priority is @flow % PARQ_NUM_PRIO
 * @rsvd: 0
 */
struct parq_tag {
	uint32_t magic;
	uint32_t seq;
	uint16_t flow;
	uint16_t rsvd;
};

/* IEEE 802.1Q clause 36, IEEE 802.3 annex 31D */
#define PFC_ETHERTYPE		0x8808
#define PFC_OPCODE		0x0101
#define PAUSE_OPCODE		0x0001	/* IEEE 802.3x, annex 31B */
#define PFC_QUANTUM_BITS	512
#define PFC_MAX_QUANTA		0xffff
#define PFC_DST			{ 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 }

/**
 * struct pfc_frame - a priority-based flow control frame, big endian
 * @dst: PFC_DST or the address of the station
 * @src: of the sender
 * @type: PFC_ETHERTYPE
 * @opcode: PFC_OPCODE
 * @vector: BIT(priority): named, its time counts
 * @time: pause in quanta, 0 ends it
 * @pad: 0, to the least length of a frame
 */
struct pfc_frame {
	uint8_t dst[6];
	uint8_t src[6];
	uint16_t type;
	uint16_t opcode;
	uint16_t vector;
	uint16_t time[PARQ_NUM_PRIO];
	uint8_t pad[26];
};

_Static_assert(sizeof(struct pfc_frame) == 60, "least length without FCS");

#endif /* _PARQ_FRAME_H */
