// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../log.h"
#include "capture.h"

/* @pcapng is the first member. */
static bool capture_full(struct pcapng *p)
{
	struct capture *c = (struct capture *)p;

	capture_flush(c);
	return !c->err;
}

/**
 * capture_open() - start a capture file
 * @c: to initialise
 * @path: created, or emptied
 * @snaplen: bytes kept of a packet, 0: all
 *
 * Return: 0 or a negative errno.
 */
int capture_open(struct capture *c, const char *path, u32 snaplen)
{
	int err;

	*c = (struct capture){
		.pcapng = {
			.buf = malloc(CAPTURE_BUF_SIZE),
			.size = CAPTURE_BUF_SIZE,
			.snaplen = snaplen,
			.full = capture_full,
		},
		.fd = -1,
	};
	if (!c->pcapng.buf)
		return -ENOMEM;
	/* Appends, so that a reader may cut off what it has seen. */
	c->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
		     0644);
	if (c->fd < 0) {
		err = -errno;
		free(c->pcapng.buf);
		c->pcapng.buf = NULL;
		return err;
	}
	pcapng_section(&c->pcapng, "parq-nic");
	return 0;
}

void capture_close(struct capture *c)
{
	if (c->fd < 0)
		return;
	capture_flush(c);
	close(c->fd);
	c->fd = -1;
	free(c->pcapng.buf);
}

/**
 * capture_flush() - bring the file up to date
 * @c: the file
 *
 * After a failed write the file ends where it does: half a block would make
 * what follows unreadable.
 */
void capture_flush(struct capture *c)
{
	struct pcapng *p = &c->pcapng;
	size_t done = 0;
	ssize_t n;

	while (!c->err && done < p->len) {
		n = write(c->fd, p->buf + done, p->len - done);
		if (n >= 0) {
			done += (size_t)n;
		} else if (errno != EINTR) {
			c->err = errno;
			log_error("recording ends: %s", strerror(errno));
		}
	}
	/* Stays full after a failure, so that what is not written is counted. */
	if (c->err)
		p->lost += p->packets;
	p->packets = 0;
	p->len = c->err ? p->size : 0;
}

static int captures_add(void *ctx, u32 port, const char *path,
			struct pcapng **file)
{
	struct captures *c = ctx;
	struct capture *f = &c->file[c->files];
	int err;

	err = capture_open(f, path, c->snaplen);
	if (err) {
		log_error("--record p%u=%s: %s", port, path, strerror(-err));
		return err;
	}
	c->files++;
	*file = &f->pcapng;
	return 0;
}

static const struct record_ops captures_ops = { .open = captures_add };

/**
 * captures_open() - begin to record
 * @c: to initialise
 * @r: to initialise
 * @spec: which ports go to which files
 * @epoch_ns: wall-clock time when the device clock was 0, ns since 1970
 *
 * Return: 0 or a negative errno, which has been logged.
 */
int captures_open(struct captures *c, struct record *r, const struct spec *spec,
		  u64 epoch_ns)
{
	int err;

	c->snaplen = spec->snaplen;
	c->files = 0;
	err = record_open(r, spec, epoch_ns, &captures_ops, c);
	if (err)
		captures_close(c);
	else
		captures_flush(c);
	return err;
}

void captures_close(struct captures *c)
{
	while (c->files)
		capture_close(&c->file[--c->files]);
}

void captures_flush(struct captures *c)
{
	u32 i;

	for (i = 0; i < c->files; i++)
		capture_flush(&c->file[i]);
}
