// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "wire_file.h"

#define BLOCK_SECTION		0x0a0d0d0a
#define BLOCK_INTERFACE		1
#define BLOCK_PACKET		6	/* "enhanced" */
#define BYTE_ORDER_MAGIC	0x1a2b3c4d
#define LINKTYPE_ETHERNET	1

#define OPT_END			0
#define OPT_IF_NAME		2
#define OPT_IF_SPEED		8
#define OPT_IF_TSRESOL		9
#define OPT_EPB_FLAGS		2
#define OPT_EPB_MBIT		0x8001	/* drivers/net/parqsim/host/pcapng.c */

#define NS_PER_S		1000000000ULL
#define BLOCK_MAX		(1 << 24)
#define READ_SIZE		(1 << 20)

/* An option, as it is found in a block. */
struct opt {
	uint32_t code;
	uint32_t len;
	const uint8_t *val;
};

static uint32_t get16(const struct wire_file *w, const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return w->swap ? __builtin_bswap16(v) : v;
}

static uint32_t get32(const struct wire_file *w, const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return w->swap ? __builtin_bswap32(v) : v;
}

static uint64_t get64(const struct wire_file *w, const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return w->swap ? __builtin_bswap64(v) : v;
}

/* The option at *@at of the block, which then is the next one's. */
static bool next_opt(const struct wire_file *w, uint32_t *at, struct opt *o)
{
	if (*at + 4 > w->size)
		return false;
	o->code = get16(w, w->buf + *at);
	o->len = get16(w, w->buf + *at + 2);
	o->val = w->buf + *at + 4;
	*at += 4 + ((o->len + 3) & ~3U);
	return o->code != OPT_END && *at <= w->size;
}

/* Powers of 10, or of 2 with the high bit. */
static uint64_t units_of(uint8_t resolution)
{
	uint64_t n = 1;
	uint32_t i;

	for (i = 0; i < (resolution & 0x7fU) && n < UINT64_MAX / 10; i++)
		n *= resolution & 0x80 ? 2 : 10;
	return n;
}

static uint64_t to_ns(uint64_t stamp, uint64_t units)
{
	uint64_t rest = stamp % units;

	return stamp / units * NS_PER_S +
	       (units > NS_PER_S ? (uint64_t)(rest * (1e9 / units)) :
		rest * NS_PER_S / units);
}

/* Return: false if there is no room for another name. */
static bool find_id(struct wire_file *w, const char *name, uint32_t *id)
{
	for (*id = 0; *id < w->names; ++*id)
		if (!strcmp(w->name[*id], name))
			return true;
	if (w->names == WIRE_MAX_INTERFACES)
		return false;
	strcpy(w->name[w->names++], name);
	return true;
}

static bool read_interface(struct wire_file *w)
{
	char name[WIRE_NAME_SIZE];
	struct wire_interface *i;
	uint32_t at = 8;
	struct opt o;

	if (w->size < at || get16(w, w->buf) != LINKTYPE_ETHERNET) {
		w->trouble = "not of Ethernet";
		return false;
	}
	w->trouble = "too many interfaces";
	if (w->count == WIRE_MAX_INTERFACES)
		return false;
	snprintf(name, sizeof(name), "interface %u", w->count);
	i = &w->interface[w->count++];
	*i = (struct wire_interface){ .units = 1000000 };
	while (next_opt(w, &at, &o))
		if (o.code == OPT_IF_NAME)
			snprintf(name, sizeof(name), "%.*s", (int)o.len,
				 (const char *)o.val);
		else if (o.code == OPT_IF_SPEED && o.len == 8)
			i->mbit = get64(w, o.val) / 1000000;
		else if (o.code == OPT_IF_TSRESOL && o.len == 1)
			i->units = units_of(*o.val);
	if (!find_id(w, name, &i->id))
		return false;
	w->trouble = "";
	return true;
}

static bool read_packet(struct wire_file *w, struct wire_packet *p)
{
	const struct wire_interface *i;
	uint64_t stamp;
	uint32_t at;
	struct opt o;

	if (w->size < 20 || get32(w, w->buf) >= w->count ||
	    get32(w, w->buf + 12) > w->size - 20) {
		w->trouble = "a packet is broken";
		return false;
	}
	i = &w->interface[get32(w, w->buf)];
	stamp = (uint64_t)get32(w, w->buf + 4) << 32 | get32(w, w->buf + 8);
	*p = (struct wire_packet){
		.id = i->id, .mbit = i->mbit,
		.ns = to_ns(stamp, i->units),
		.caplen = get32(w, w->buf + 12),
		.len = get32(w, w->buf + 16), .data = w->buf + 20,
	};
	at = 20 + ((p->caplen + 3) & ~3U);
	while (next_opt(w, &at, &o))
		if (o.code == OPT_EPB_FLAGS && o.len == 4)
			p->dir = get32(w, o.val) & 3;
		else if (o.code == OPT_EPB_MBIT && o.len == 4)
			p->mbit = get32(w, o.val);
	return true;
}

/* Leaves the contents of the next block in @buf. Return: its type, or 0. */
static uint32_t read_block(struct wire_file *w)
{
	uint32_t head[3], type, len;
	size_t n = fread(head, 1, sizeof(head), w->f);

	if (!n) {
		if (ferror(w->f))
			w->trouble = "cannot be read";
		return 0;
	}
	w->trouble = "cut short in the middle of a packet";
	if (n < sizeof(head))
		return 0;
	if (head[0] == BLOCK_SECTION) {
		w->swap = head[2] != BYTE_ORDER_MAGIC;
		w->count = 0;
	}
	type = get32(w, &head[0]);
	len = get32(w, &head[1]);
	if (len < 12 || len % 4 || len > BLOCK_MAX ||
	    (type == BLOCK_SECTION && get32(w, &head[2]) != BYTE_ORDER_MAGIC)) {
		w->trouble = "not pcapng";
		return 0;
	}
	/* The length again ends a block. */
	memcpy(w->buf, &head[2], 4);
	if (fread(w->buf + 4, 1, len - 12, w->f) < len - 12)
		return 0;
	w->size = len - 12;
	w->trouble = "";
	return type;
}

/**
 * wire_file_open() - begin to read a recording, or end the program with what is wrong
 * @w: to initialise
 * @path: of the file
 */
void wire_file_open(struct wire_file *w, const char *path)
{
	/* The file may be on the other side of a VM: ask rarely, for much. */
	static char buf[READ_SIZE];

	*w = (struct wire_file){ .f = fopen(path, "r"), .trouble = "" };
	w->buf = malloc(BLOCK_MAX);
	if (!w->f || !w->buf || setvbuf(w->f, buf, _IOFBF, sizeof(buf))) {
		perror(path);
		exit(OPTIONS_BAD_USAGE);
	}
	if (read_block(w) != BLOCK_SECTION) {
		fprintf(stderr, "%s: not pcapng\n", path);
		exit(OPTIONS_BAD_USAGE);
	}
}

/**
 * wire_file_next() - read the next packet
 * @w: the recording
 * @p: result
 *
 * Return: false if there is none, or for the reason in @trouble.
 */
bool wire_file_next(struct wire_file *w, struct wire_packet *p)
{
	for (;;) {
		switch (read_block(w)) {
		case 0:
			return false;
		case BLOCK_INTERFACE:
			if (!read_interface(w))
				return false;
			break;
		case BLOCK_PACKET:
			return read_packet(w, p);
		}
	}
}

/* Ends the program if the file is a pipe. */
void wire_file_rewind(struct wire_file *w)
{
	if (fseek(w->f, 0, SEEK_SET)) {
		perror("a recording is read twice");
		exit(OPTIONS_BAD_USAGE);
	}
	w->trouble = "";
}

void wire_file_close(struct wire_file *w)
{
	fclose(w->f);
	free(w->buf);
}
