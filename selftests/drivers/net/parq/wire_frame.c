// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <string.h>

#include "wire_frame.h"

#define ETH_HDR_LEN	14
#define VLAN_TAG_LEN	4
#define IPV4_HDR_LEN	20
#define UDP_HDR_LEN	8
#define ETHERTYPE_IPV4	0x0800
#define ETHERTYPE_IPV6	0x86dd
#define ETHERTYPE_VLAN	0x8100
#define PROTO_UDP	17

static uint32_t get_be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

/* @at: of what follows the Ethertype of MAC control. */
static void parse_ctrl(struct wire_frame *f, const uint8_t *data,
		       uint32_t caplen, uint32_t at)
{
	uint32_t opcode = caplen >= at + 4 ? get_be16(data + at) : 0;
	uint32_t i;

	f->kind = WIRE_OTHER_CTRL;
	if (opcode == PAUSE_OPCODE) {
		f->kind = WIRE_LINK_PAUSE;
		f->vector = 0xff;
	} else if (opcode == PFC_OPCODE &&
		   caplen >= at + 4 + 2 * PARQ_NUM_PRIO) {
		f->kind = WIRE_PFC;
		f->vector = data[at + 3];
	}
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		if (f->kind == WIRE_PFC)
			f->quanta[i] = get_be16(data + at + 4 + 2 * i);
		else if (f->kind == WIRE_LINK_PAUSE)
			f->quanta[i] = get_be16(data + at + 2);
}

/* The tag of a test frame. @at: of the IP header. */
static void parse_tag(struct wire_frame *f, const uint8_t *data,
		      uint32_t caplen, uint32_t at)
{
	struct parq_tag tag;

	if (data[at + 9] != PROTO_UDP)
		return;
	at += (data[at] & 0xf) * 4;
	if (caplen < at + UDP_HDR_LEN + sizeof(tag) ||
	    get_be16(data + at + 2) != PARQ_UDP_PORT)
		return;
	memcpy(&tag, data + at + UDP_HDR_LEN, sizeof(tag));
	if (ntohl(tag.magic) != PARQ_TAG_MAGIC ||
	    ntohs(tag.flow) >= PARQ_MAX_FLOWS)
		return;
	f->is_test = true;
	f->flow = ntohs(tag.flow);
	f->seq = ntohl(tag.seq);
	f->prio = f->flow % PARQ_NUM_PRIO;
}

static int trusted_prio(const struct wire_trust *trust, int pcp, int dscp)
{
	const char *c;

	for (c = trust->order; *c; c++) {
		if (*c == 'p' && pcp >= 0)
			return pcp;
		if (*c == 'd' && dscp >= 0)
			return trust->dscp_prio[dscp];
	}
	return trust->default_prio;
}

/**
 * wire_frame_parse() - read a frame
 * @f: result
 * @trust: how it tells its priority; NULL: only frames of the test have one
 * @data: the frame
 * @caplen: bytes of it that were recorded
 * @len: its bytes without FCS
 *
 * Return: false if not even its header was recorded.
 */
bool wire_frame_parse(struct wire_frame *f, const struct wire_trust *trust,
		      const uint8_t *data, uint32_t caplen, uint32_t len)
{
	uint32_t at = ETH_HDR_LEN, type;
	int dscp = -1;

	if (caplen < ETH_HDR_LEN)
		return false;
	*f = (struct wire_frame){
		.len = len, .prio = WIRE_NO_PRIO, .pcp = WIRE_NO_PRIO,
	};
	memcpy(f->dst, data, sizeof(f->dst));
	memcpy(f->src, data + 6, sizeof(f->src));
	type = get_be16(data + 12);
	if (type == ETHERTYPE_VLAN && caplen >= at + VLAN_TAG_LEN) {
		f->pcp = data[at] >> 5;
		type = get_be16(data + at + 2);
		at += VLAN_TAG_LEN;
	}
	if (type == PFC_ETHERTYPE) {
		parse_ctrl(f, data, caplen, at);
		return true;
	}
	if (type == ETHERTYPE_IPV4 && caplen >= at + IPV4_HDR_LEN) {
		dscp = data[at + 1] >> 2;
		parse_tag(f, data, caplen, at);
	} else if (type == ETHERTYPE_IPV6 && caplen >= at + 2) {
		dscp = get_be16(data + at) >> 6 & 0x3f;
	}
	if (!f->is_test && trust)
		f->prio = trusted_prio(trust, f->pcp, dscp);
	return true;
}
