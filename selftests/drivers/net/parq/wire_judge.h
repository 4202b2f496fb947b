/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules that a port must keep towards a peer that pauses it, judged by
 * nothing but what passed on its wire. This is the only judge: selftests, soak
 * and parq-timeline ask it by parq_wire, tools/bench/pfc calls it.
 *
 * A judge is of one end of one wire. A frame says by itself which one it is
 * (wire_frame.h), so that judges of several wires can be asked for the same frame.
 */
#ifndef _WIRE_JUDGE_H
#define _WIRE_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire_frame.h"

/* A pause that begins so soon after the last one is a repause. */
#define WIRE_REPAUSE_NS		1000000

/* Who is paused, as one class sees it. */
enum wire_window {
	WIRE_ALL_FREE,
	WIRE_OTHERS_PAUSED,
	WIRE_SELF_PAUSED,
	WIRE_NUM_WINDOWS
};

/* The class that link pause pauses, obeyed or not. It sends nothing. */
#define WIRE_LINK	PARQ_NUM_PRIO

/* How a frame that is sent relates to the pause of its class. */
enum wire_finding {
	WIRE_FREE,
	WIRE_ALLOWED,
	WIRE_LEAKED,
	WIRE_STORMED,
	WIRE_NUM_FINDINGS
};

enum wire_end {
	WIRE_END_XON,
	WIRE_END_TIME,
	WIRE_END_RECORDING,
};

/**
 * struct wire_pause - one pause
 * @begin: time
 * @end: time
 * @end_by: what has ended it
 * @reloads: control frames with a time for the class in it
 * @leaks: frames that started in it
 * @leak_bytes: in them, without FCS
 * @late: from its beginning to the last of them
 * @has_resumed: a frame followed before the next pause
 * @resumed: it started then
 */
struct wire_pause {
	uint64_t begin;
	uint64_t end;
	enum wire_end end_by;
	uint64_t reloads;
	uint64_t leaks;
	uint64_t leak_bytes;
	uint64_t late;
	bool has_resumed;
	uint64_t resumed;
};

/**
 * struct wire_rate - what a class sent in one kind of window
 * @ns: length of all windows of the kind
 * @bytes: frames without FCS that started in them
 */
struct wire_rate {
	uint64_t ns;
	uint64_t bytes;
};

/**
 * struct wire_class - one priority
 * @frames: sent
 * @bytes: in them, without FCS
 * @pfc: PFC frames that paused the priority
 * @pauses: times it became paused
 * @reloads: PFC frames with a time for it while it was paused
 * @repauses: pauses that began within WIRE_REPAUSE_NS after the last one
 * @paused_ns: time paused
 * @found: frames, by enum wire_finding
 * @first_leak: when the first of them did, ns
 * @response_ns: longest time from a pause to the end of the frame being sent
 * @ended: a pause has ended, and no frame has followed
 * @until: when the pause will end, ns; or ended
 * @pause: the present or last one
 * @rate: by enum wire_window, from the first PFC frame to the last
 * @pending: by enum wire_window, since the last PFC frame
 */
struct wire_class {
	uint64_t frames;
	uint64_t bytes;
	uint64_t pfc;
	uint64_t pauses;
	uint64_t reloads;
	uint64_t repauses;
	uint64_t paused_ns;
	uint64_t found[WIRE_NUM_FINDINGS];
	uint64_t first_leak;
	uint64_t response_ns;
	bool ended;
	uint64_t until;
	struct wire_pause pause;
	struct wire_rate rate[WIRE_NUM_WINDOWS];
	struct wire_rate pending[WIRE_NUM_WINDOWS];
};

/**
 * struct wire_flow - one flow
 * @next: highest sequence number seen, plus 1
 * @sent: how many the sender says it sent
 * @announced: @sent is known
 * @frames: sent, without those sent again
 * @twice: frames that had been sent already
 * @late: frames after one with a higher number
 * @seen: a bit for each number, or NULL
 */
struct wire_flow {
	uint64_t next;
	uint64_t sent;
	bool announced;
	uint64_t frames;
	uint64_t twice;
	uint64_t late;
	uint8_t *seen;
};

/**
 * struct wire_judge - one port
 * @addr: its MAC address
 * @mbit: speed of the link, Mb/s
 * @per_us: units of time in a microsecond: all that is ns here is of this unit
 * @pfc_en: priorities with PFC, BIT(priority)
 * @link_pause: IEEE 802.3x frames pause all classes, until @pfc_seen
 * @storm_ns: how long a pause has to be obeyed
 * @allowance: frames may start for so long after a pause has begun, quanta
 * @tell_pause: called for each pause, once its first frame or the next pause is seen
 * @ctx: argument of @tell_pause
 * @paused: classes that are, BIT(class)
 * @now: time of the latest frame, ns
 * @wire_free: earliest start of the next frame that the port sends, ns
 * @last: class of the frame that the port has sent last
 * @pfc_seen: a PFC frame has come
 * @pause_frames: IEEE 802.3x frames received, if they are obeyed
 * @others: frames sent that have no class
 * @own_ctrl: MAC control frames sent
 * @bad_ctrl: MAC control frames received that are neither PFC nor @pause_frames
 * @backwards: frames older than the one before
 * @overlaps: frames that started before the one before had ended
 * @mislabelled: frames whose tag has another priority than their class
 * @unannounced: frames that the sender says it did not send
 * @cls: by priority, and WIRE_LINK
 * @flow: by number
 */
struct wire_judge {
	uint8_t addr[6];
	uint32_t mbit;
	uint32_t per_us;
	uint8_t pfc_en;
	bool link_pause;
	uint64_t storm_ns;
	uint32_t allowance;
	void (*tell_pause)(void *ctx, uint32_t class, const struct wire_pause *p);
	void *ctx;
	uint32_t paused;
	uint64_t now;
	uint64_t wire_free;
	struct wire_class *last;
	bool pfc_seen;
	uint64_t pause_frames;
	uint64_t others;
	uint64_t own_ctrl;
	uint64_t bad_ctrl;
	uint64_t backwards;
	uint64_t overlaps;
	uint64_t mislabelled;
	uint64_t unannounced;
	struct wire_class cls[PARQ_NUM_PRIO + 1];
	struct wire_flow flow[PARQ_MAX_FLOWS];
};

/**
 * struct wire_sums - all flows of a class, or of all classes
 * @lost: numbers that were skipped, up to the last one sent
 * @twice: frames sent twice
 * @late: frames sent out of order
 */
struct wire_sums {
	uint64_t lost;
	uint64_t twice;
	uint64_t late;
};

void wire_judge_init(struct wire_judge *j, const uint8_t addr[6],
		     uint32_t mbit, uint8_t pfc_en);
void wire_judge_fini(struct wire_judge *j);
void wire_judge_sent(struct wire_judge *j, uint32_t flow, uint64_t sent);
enum wire_finding wire_judge_frame(struct wire_judge *j, uint64_t ns, bool sent,
				   const struct wire_frame *f);
void wire_judge_time(struct wire_judge *j, uint64_t ns);
void wire_judge_end(struct wire_judge *j);
struct wire_sums wire_judge_sums(const struct wire_judge *j, uint32_t prio);
uint64_t wire_judge_violations(const struct wire_judge *j);
uint32_t wire_response_quanta(uint32_t mbit, bool *named);

#endif /* _WIRE_JUDGE_H */
