// SPDX-License-Identifier: GPL-2.0
/*
 * A TAP interface of this machine at the other end of the cable. It agrees
 * with whatever the port wants, and its carrier follows the port's link.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../log.h"
#include "inlet.h"
#include "outside.h"

#define TAP_DEVICE	"/dev/net/tun"
#define TAP_BURST	64	/* frames read before others have their turn */

/**
 * struct tap - a port's end
 * @wire: of the port
 * @fd: the interface
 * @in: what was read from it
 */
struct tap {
	struct wire wire;
	struct loop_fd fd;
	struct inlet in;
};

static struct tap *to_tap(struct wire *w)
{
	return (struct tap *)((char *)w - offsetof(struct tap, wire));
}

static void tap_flow(struct inlet *in, bool go)
{
	struct tap *t = to_tap(in->wire);

	if (t->fd.fd < 0)
		return;
	if (go)
		loop_add(in->wire->host->loop, &t->fd, EPOLLIN);
	else
		loop_del(in->wire->host->loop, &t->fd);
}

static bool tap_frame(struct wire *w, const u8 *data, u32 len, u64 end)
{
	(void)end;
	return write(to_tap(w)->fd.fd, data, len) == (ssize_t)len;
}

static void tap_link(struct wire *w, const struct parqsim_partner *self)
{
	struct parqsim_partner far = *self;
	struct tap *t = to_tap(w);
	int up;

	far.present = t->fd.fd >= 0;
	/* Nobody behind it would obey a pause frame. */
	far.adv &= ~(PARQ_LINK_ADV_PAUSE | PARQ_LINK_ADV_ASYM);
	wire_partner(w, &far);
	up = w->speed >= 0;
	if (!up)
		inlet_cut(&t->in);
	if (t->fd.fd >= 0 && ioctl(t->fd.fd, TUNSETCARRIER, &up))
		log_debug("p%u: TAP carrier: %s", w->port, strerror(errno));
}

/* Somebody has deleted the interface: the cable hangs in the air. */
static void tap_gone(struct tap *t)
{
	struct parqsim_partner self;
	struct wire *w = &t->wire;

	log_warn("p%u: TAP: %s", w->port, strerror(errno));
	loop_close(w->host->loop, &t->fd);
	w->host->self(w->host->ctx, w->port, &self);
	tap_link(w, &self);
}

/* The host's stack leaves padding to its drivers. */
static void tap_arrived(struct tap *t, u8 *buf, u32 len)
{
	struct wire *w = &t->wire;

	if (len < WIRE_HEADER || len > PARQSIM_FRAME_MAX) {
		wire_rx_lost(w);
		return;
	}
	if (len < WIRE_MIN_FRAME) {
		memset(buf + len, 0, WIRE_MIN_FRAME - len);
		len = WIRE_MIN_FRAME;
	}
	inlet_frame(&t->in, buf, len, w->host->now(w->host->ctx));
}

static void tap_ready(void *ctx, u32 events)
{
	u8 buf[PARQSIM_FRAME_MAX + 1];
	struct tap *t = ctx;
	ssize_t len;
	int i;

	(void)events;
	for (i = 0; i < TAP_BURST && inlet_room(&t->in); i++) {
		len = read(t->fd.fd, buf, sizeof(buf));
		if (len >= 0)
			tap_arrived(t, buf, (u32)len);
		else if (errno == EAGAIN || errno == EINTR)
			return;
		else
			return tap_gone(t);
	}
}

static void tap_close(struct wire *w)
{
	struct tap *t = to_tap(w);

	loop_close(w->host->loop, &t->fd);
	inlet_fini(&t->in);
	free(t);
}

static const struct wire_ops tap_ops = {
	.frame = tap_frame,
	.link = tap_link,
	.close = tap_close,
};

static int tap_attach(const char *ifname)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	int err, fd;

	fd = open(TAP_DEVICE, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", ifname);
	if (ioctl(fd, TUNSETIFF, &ifr)) {
		err = -errno;
		close(fd);
		return err;
	}
	return fd;
}

/**
 * tap_open() - plug a TAP interface into a port
 * @host: the NIC
 * @port: the port
 * @ifname: created unless it is there; shorter than IFNAMSIZ
 * @out: the wire
 *
 * Return: 0 or a negative errno.
 */
int tap_open(const struct wire_host *host, u32 port, const char *ifname,
	     struct wire **out)
{
	struct tap *t = calloc(1, sizeof(*t));
	int err = -ENOMEM;

	if (!t)
		goto err_log;
	wire_init(&t->wire, &tap_ops, host, port);
	t->fd = (struct loop_fd){ .ready = tap_ready, .ctx = t };
	t->fd.fd = tap_attach(ifname);
	if (t->fd.fd < 0) {
		err = t->fd.fd;
		goto err_free;
	}
	err = inlet_init(&t->in, &t->wire, tap_flow);
	if (err)
		goto err_close;
	err = loop_add(host->loop, &t->fd, EPOLLIN);
	if (err)
		goto err_inlet;
	*out = &t->wire;
	return 0;

err_inlet:
	inlet_fini(&t->in);
err_close:
	close(t->fd.fd);
err_free:
	free(t);
err_log:
	log_error("--wire p%u=tap:%s: %s", port, ifname, strerror(-err));
	return err;
}
