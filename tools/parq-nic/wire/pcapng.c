// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../log.h"
#include "pcapng.h"

/* Blocks are in the byte order of the writer; the reader finds out. */
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

#define PCAPNG_TSRESOL_NS	9	/* 10^-9 s */

/* Type and length in front, the length once more behind. */
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

/* What follows the data of a packet. */
struct pcapng_epb_end {
	struct pcapng_opt flags;
	u32 dir;
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

static void pcapng_section(struct pcapng *p)
{
	static const char appl[] = "parq-nic";
	const struct pcapng_shb shb = {
		.byte_order = PCAPNG_BYTE_ORDER,
		.major = 1,
		.section_len = -1,	/* not known yet */
	};
	size_t at = pcapng_begin(p, PCAPNG_SHB);

	pcapng_put(p, &shb, sizeof(shb));
	pcapng_opt(p, PCAPNG_SHB_USERAPPL, appl, sizeof(appl) - 1);
	pcapng_opt_end(p);
	pcapng_end(p, at);
}

/**
 * pcapng_open() - start a capture file
 * @p: to initialise
 * @path: created, or emptied
 *
 * Return: 0 or a negative errno.
 */
int pcapng_open(struct pcapng *p, const char *path)
{
	int err;

	*p = (struct pcapng){ .fd = -1 };
	p->buf = malloc(PCAPNG_BUF_SIZE);
	if (!p->buf)
		return -ENOMEM;
	/* Appends, so that a reader may cut off what it has seen. */
	p->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
		     0644);
	if (p->fd < 0) {
		err = -errno;
		free(p->buf);
		p->buf = NULL;
		return err;
	}
	pcapng_section(p);
	return 0;
}

void pcapng_close(struct pcapng *p)
{
	if (p->fd < 0)
		return;
	pcapng_flush(p);
	close(p->fd);
	p->fd = -1;
	free(p->buf);
}

/**
 * pcapng_interface() - declare the next interface
 * @p: the file
 * @name: of the interface
 *
 * Interfaces count from 0 in the order of their declaration, each before its
 * first packet.
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
 * @p: the file
 * @interface: number of the interface
 * @dir: which way it went
 * @ns: since 1970
 * @data: the packet
 * @len: of it, far below PCAPNG_BUF_SIZE
 *
 * It reaches the file when the buffer is full or with pcapng_flush().
 */
void pcapng_packet(struct pcapng *p, u32 interface, enum pcapng_dir dir, u64 ns,
		   const void *data, u32 len)
{
	const struct pcapng_epb_end tail = {
		.flags = { .code = PCAPNG_EPB_FLAGS, .len = sizeof(tail.dir) },
		.dir = dir,
	};
	const u32 captured = p->snaplen && len > p->snaplen ? p->snaplen : len;
	const struct pcapng_epb epb = {
		.interface = interface,
		.time_hi = (u32)(ns >> 32),
		.time_lo = (u32)ns,
		.captured = captured,
		.original = len,
	};
	size_t at;

	if (p->len + PCAPNG_FRAME_SIZE + sizeof(epb) + captured +
	    pcapng_pad(captured) +
	    sizeof(tail) > PCAPNG_BUF_SIZE)
		pcapng_flush(p);
	if (p->err) {
		p->lost++;
		return;
	}
	at = pcapng_begin(p, PCAPNG_EPB);
	pcapng_put(p, &epb, sizeof(epb));
	pcapng_put(p, data, captured);
	pcapng_put(p, &tail, sizeof(tail));
	pcapng_end(p, at);
}

/**
 * pcapng_flush() - bring the file up to date
 * @p: the file
 *
 * After a failed write the file ends where it does: half a block would make
 * what follows unreadable.
 */
void pcapng_flush(struct pcapng *p)
{
	size_t done = 0;
	ssize_t n;

	while (!p->err && done < p->len) {
		n = write(p->fd, p->buf + done, p->len - done);
		if (n >= 0) {
			done += (size_t)n;
		} else if (errno != EINTR) {
			p->err = errno;
			log_error("recording ends: %s", strerror(errno));
		}
	}
	p->len = 0;
}
