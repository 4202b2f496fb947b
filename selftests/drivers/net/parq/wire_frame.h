/* SPDX-License-Identifier: GPL-2.0 */
/* What a frame says of itself: the same frame on any wire gives the same. */
#ifndef _WIRE_FRAME_H
#define _WIRE_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "parq_frame.h"

#define WIRE_NUM_DSCP	64
#define WIRE_NO_PRIO	(-1)

enum wire_kind {
	WIRE_DATA,
	WIRE_PFC,
	WIRE_LINK_PAUSE,
	WIRE_OTHER_CTRL,	/* or cut short */
};

/**
 * struct wire_trust - how frames that are not the test's tell their priority
 * @order: 'p' for the VLAN tag, 'd' for DSCP; the first one that a frame has
 * @dscp_prio: as dcb app has them
 * @default_prio: of frames that tell none, or WIRE_NO_PRIO
 */
struct wire_trust {
	char order[3];
	uint8_t dscp_prio[WIRE_NUM_DSCP];
	int default_prio;
};

/**
 * struct wire_frame - a frame
 * @dst: destination
 * @src: source
 * @kind: what it is
 * @len: its bytes without FCS
 * @prio: of data, or WIRE_NO_PRIO
 * @pcp: priority in the VLAN tag, or WIRE_NO_PRIO
 * @is_test: @flow and @seq are known
 * @flow: number of the flow
 * @seq: number within the flow
 * @vector: priorities of a PFC frame, BIT(priority); all, of link pause
 * @quanta: time of each of them
 */
struct wire_frame {
	uint8_t dst[6];
	uint8_t src[6];
	enum wire_kind kind;
	uint32_t len;
	int prio;
	int pcp;
	bool is_test;
	uint32_t flow;
	uint32_t seq;
	uint8_t vector;
	uint16_t quanta[PARQ_NUM_PRIO];
};

static inline bool wire_frame_is_pause(const struct wire_frame *f)
{
	return f->kind == WIRE_PFC || f->kind == WIRE_LINK_PAUSE;
}

bool wire_frame_parse(struct wire_frame *f, const struct wire_trust *trust,
		      const uint8_t *data, uint32_t caplen, uint32_t len);

#endif /* _WIRE_FRAME_H */
