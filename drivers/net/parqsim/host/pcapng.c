// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>

#include "pcapng.h"

/* Blocks have the writer's byte order; readers detect it. */
#define PCAPNG_SHB		0x0a0d0d0a
#define PCAPNG_BYTE_ORDER	0x1a2b3c4d
#define PCAPNG_IDB		1
#define PCAPNG_EPB		6

#define PCAPNG_LINKTYPE_ETHERNET	1

#define PCAPNG_OPT_END		0
#define PCAPNG_SHB_USERAPPL	4
#define PCAPNG_IF_NAME		2
#define PCAPNG_IF_TSRESOL	9
#define PCAPNG_IF_FCSLEN	13
#define PCAPNG_EPB_FLAGS	2
/*
 * Speed of the link, Mb/s, 32 bits. Codes from 0x8000 are for local use. if_speed, of the
 * interface, is written before there is a link, whose speed may change with every frame.
 */
#define PCAPNG_EPB_MBIT		0x8001

#define PCAPNG_TSRESOL_NS	9	/* 10^-9 s */

/* Type and length before the contents, the length again after them. */
#define PCAPNG_FRAME_SIZE	12

struct pcapng_shb {
	u32 byte_order;
	u16 major;
	u16 minor;
	s64 section_len;
};

struct pcapng_idb {
	u16 linktype;
	u16 rsvd;
	u32 snaplen;
};

struct pcapng_epb {
	u32 interface;
	u32 time_hi;
	u32 time_lo;
	u32 captured;
	u32 original;
};

struct pcapng_opt {
	u16 code;
	u16 len;
};

/* Follows the data of a packet. */
struct pcapng_epb_end {
	struct pcapng_opt flags;
	u32 dir;
	struct pcapng_opt speed;
	u32 mbit;
	struct pcapng_opt end;
};

static size_t pcapng_pad(size_t len)
{
	return -len & 3;
}

static void pcapng_put(struct pcapng *p, const void *data, size_t len)
{
	memcpy(p->buf + p->len, data, len);
	p->len += len;
	memset(p->buf + p->len, 0, pcapng_pad(len));
	p->len += pcapng_pad(len);
}

static void pcapng_opt(struct pcapng *p, u16 code, const void *data, u16 len)
{
	struct pcapng_opt opt = { .code = code, .len = len };

	pcapng_put(p, &opt, sizeof(opt));
	pcapng_put(p, data, len);
}

static void pcapng_opt_end(struct pcapng *p)
{
	const struct pcapng_opt opt = { .code = PCAPNG_OPT_END };

	pcapng_put(p, &opt, sizeof(opt));
}

static size_t pcapng_begin(struct pcapng *p, u32 type)
{
	u32 head[2] = { type, 0 };
	size_t at = p->len;

	pcapng_put(p, head, sizeof(head));
	return at;
}

static void pcapng_end(struct pcapng *p, size_t at)
{
	u32 len = (u32)(p->len - at + sizeof(len));

	memcpy(p->buf + at + sizeof(u32), &len, sizeof(len));
	pcapng_put(p, &len, sizeof(len));
}

/**
 * pcapng_section() - start the capture
 * @p: the empty capture
 * @writer: name of the program that writes it
 */
void pcapng_section(struct pcapng *p, const char *writer)
{
	const struct pcapng_shb shb = {
		.byte_order = PCAPNG_BYTE_ORDER,
		.major = 1,
		.section_len = -1,	/* not known yet */
	};
	size_t at = pcapng_begin(p, PCAPNG_SHB);

	pcapng_put(p, &shb, sizeof(shb));
	pcapng_opt(p, PCAPNG_SHB_USERAPPL, writer, (u16)strlen(writer));
	pcapng_opt_end(p);
	pcapng_end(p, at);
}

/**
 * pcapng_interface() - declare the next interface
 * @p: the capture
 * @name: name of the interface
 *
 * Interfaces are numbered from 0 in the order of their declaration. Each must be declared
 * before its first packet.
 */
void pcapng_interface(struct pcapng *p, const char *name)
{
	const struct pcapng_idb idb = {
		.linktype = PCAPNG_LINKTYPE_ETHERNET,
		.snaplen = p->snaplen,
	};
	const u8 tsresol = PCAPNG_TSRESOL_NS;
	const u8 fcslen = 0;
	size_t at = pcapng_begin(p, PCAPNG_IDB);

	pcapng_put(p, &idb, sizeof(idb));
	pcapng_opt(p, PCAPNG_IF_NAME, name, (u16)strlen(name));
	pcapng_opt(p, PCAPNG_IF_TSRESOL, &tsresol, sizeof(tsresol));
	pcapng_opt(p, PCAPNG_IF_FCSLEN, &fcslen, sizeof(fcslen));
	pcapng_opt_end(p);
	pcapng_end(p, at);
}

/**
 * pcapng_packet() - record a packet
 * @p: the capture
 * @interface: number of the interface
 * @dir: direction
 * @mbit: speed of the link, Mb/s, 0 while it is down
 * @ns: time, ns since 1970
 * @data: the packet
 * @len: its bytes, far less than the buffer's size
 */
void pcapng_packet(struct pcapng *p, u32 interface, enum pcapng_dir dir,
		   u32 mbit, u64 ns, const void *data, u32 len)
{
	const struct pcapng_epb_end tail = {
		.flags = { .code = PCAPNG_EPB_FLAGS, .len = sizeof(tail.dir) },
		.dir = dir,
		.speed = { .code = PCAPNG_EPB_MBIT, .len = sizeof(tail.mbit) },
		.mbit = mbit,
	};
	const u32 captured = p->snaplen && len > p->snaplen ? p->snaplen : len;
	const struct pcapng_epb epb = {
		.interface = interface,
		.time_hi = (u32)(ns >> 32),
		.time_lo = (u32)ns,
		.captured = captured,
		.original = len,
	};
	size_t at = PCAPNG_FRAME_SIZE + sizeof(epb) + captured +
		    pcapng_pad(captured) + sizeof(tail);

	if (p->len + at > p->size && !p->full(p)) {
		p->lost++;
		return;
	}
	at = pcapng_begin(p, PCAPNG_EPB);
	pcapng_put(p, &epb, sizeof(epb));
	pcapng_put(p, data, captured);
	pcapng_put(p, &tail, sizeof(tail));
	pcapng_end(p, at);
	p->packets++;
}
