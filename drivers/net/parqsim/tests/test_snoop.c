// SPDX-License-Identifier: GPL-2.0
/* Which frames tell of groups: types, tags, lengths that lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "snoop.h"

#define LEN	100
#define TAG	4

/* Parts of a frame. */
struct packet {
	u8 tag;		/* 0 or TAG bytes */
	u16 type;
	u8 version;	/* and length of an IPv4 header, in words */
	u8 proto;
	u8 next;	/* of the hop-by-hop header */
	u8 options;	/* length of the hop-by-hop header behind 8 bytes, in units of 8 */
	u8 message;
	u16 fragment;
};

static const struct packet report = {
	.type = 0x0800, .version = 0x46, .proto = 2, .message = 0x16,
};

static const struct packet mld = {
	.type = 0x86dd, .version = 0x60, .next = 58, .message = 143,
};

/* The frame ends in front of a page that must not be read. */
static enum snoop kind(const struct packet *p, u32 len)
{
	u8 data[LEN] = { 0 }, *ip = data + 14 + p->tag, *copy;
	enum snoop found;

	if (p->tag)
		memcpy(data + 12, (const u8[]){ 0x81, 0, 0, 5 }, 4);
	ip[-2] = p->type >> 8;
	ip[-1] = p->type & 0xff;
	ip[0] = p->version;
	if (p->type == 0x0800) {
		ip[6] = p->fragment >> 8;
		ip[7] = p->fragment & 0xff;
		ip[9] = p->proto;
		ip[4 * (p->version & 0xf)] = p->message;
	} else {
		ip[6] = p->proto;
		ip[40] = p->next;
		ip[41] = p->options;
		if (p->options < 3)
			ip[48 + 8 * p->options] = p->message;
	}
	copy = malloc(len);
	memcpy(copy, data, len);
	found = snoop(copy, len);
	free(copy);
	return found;
}

#define IS(what, like, ...) do {						\
	struct packet p_ = like;						\
										\
	__VA_ARGS__;								\
	assert_int_equal(kind(&p_, LEN), what);					\
	p_.tag = TAG;								\
	assert_int_equal(kind(&p_, LEN), what);					\
} while (0)

static void messages_of_igmp(void **state)
{
	(void)state;
	IS(SNOOP_TRAP, report, p_.message = 0x12);
	IS(SNOOP_TRAP, report, p_.message = 0x16);
	IS(SNOOP_TRAP, report, p_.message = 0x17);
	IS(SNOOP_TRAP, report, p_.message = 0x22);
	IS(SNOOP_COPY, report, p_.message = 0x11);
	IS(SNOOP_COPY, report, p_.message = 0x30);
	IS(SNOOP_COPY, report, p_.proto = 103);
	IS(SNOOP_NONE, report, p_.proto = 17);
	IS(SNOOP_TRAP, report, p_.version = 0x45);
	IS(SNOOP_TRAP, report, p_.version = 0x4f);
	IS(SNOOP_NONE, report, p_.version = 0x44);
	IS(SNOOP_NONE, report, p_.version = 0x66);
	IS(SNOOP_TRAP, report, p_.fragment = 0x4000);
	IS(SNOOP_NONE, report, p_.fragment = 1);
	IS(SNOOP_NONE, report, p_.type = 0x0806);
}

static void messages_of_mld(void **state)
{
	(void)state;
	IS(SNOOP_TRAP, mld, p_.message = 131);
	IS(SNOOP_TRAP, mld, p_.message = 132);
	IS(SNOOP_TRAP, mld, p_.message = 143);
	IS(SNOOP_COPY, mld, p_.message = 130);
	IS(SNOOP_COPY, mld, p_.message = 151);
	IS(SNOOP_NONE, mld, p_.message = 135);
	IS(SNOOP_TRAP, mld, p_.options = 2);
	IS(SNOOP_NONE, mld, p_.options = 255);
	IS(SNOOP_NONE, mld, p_.next = 17);
	IS(SNOOP_NONE, mld, p_.proto = 58);
	IS(SNOOP_COPY, mld, p_.proto = 103);
	IS(SNOOP_NONE, mld, p_.version = 0x40);
}

/* Nothing behind the end is read, whatever the headers say. */
static void short_frames(void **state)
{
	struct packet p;
	u32 len;

	(void)state;
	for (len = 60; len < LEN; len++) {
		for (p = report; p.version < 0x4f; p.version++) {
			p.tag = 0;
			kind(&p, len);
			p.tag = TAG;
			kind(&p, len);
		}
		for (p = mld; p.options < 10; p.options++) {
			p.tag = 0;
			kind(&p, len);
			p.tag = TAG;
			kind(&p, len);
		}
	}
	p = mld;
	assert_int_equal(kind(&p, 63), SNOOP_TRAP);
	assert_int_equal(kind(&p, 62), SNOOP_NONE);
	p = report;
	p.version = 0x4c;
	assert_int_equal(kind(&p, 63), SNOOP_TRAP);
	assert_int_equal(kind(&p, 62), SNOOP_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_of_igmp),
		cmocka_unit_test(messages_of_mld),
		cmocka_unit_test(short_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
