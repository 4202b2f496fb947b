// SPDX-License-Identifier: GPL-2.0
/*
 * A cable to a port of another process of this kind, through a UNIX socket that
 * keeps message boundaries. One end listens, the other one tries until it
 * is there; either may go and come again.
 *
 * Both ends tell each other their link settings whenever they change. Frames
 * carry the time at which their last bit arrives, on CLOCK_MONOTONIC, which the
 * two processes share; so their clocks agree although they started apart.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "../listener.h"
#include "../log.h"
#include "inlet.h"
#include "outside.h"

#define SOCKET_PS_PER_NS	1000ULL
#define SOCKET_PS_PER_MS	(1000 * 1000 * SOCKET_PS_PER_NS)

#define SOCKET_RETRY_PS		(250 * SOCKET_PS_PER_MS)
#define SOCKET_SNDBUF		(8 << 20)
#define SOCKET_BURST		64	/* messages before others have their turn */

/* No frame and no cable is longer: who says so has another clock. */
#define SOCKET_FUTURE_PS	(20 * SOCKET_PS_PER_MS)

#define SOCKET_VERSION		1

/* What can be advertised. */
#define SOCKET_ADV		((BIT(PARQ_NUM_SPEEDS) - 1) | \
				 PARQ_LINK_ADV_PAUSE | PARQ_LINK_ADV_ASYM)

enum socket_type {
	SOCKET_LINK = 0x4c515241,
	SOCKET_FRAME = 0x46515241,
};

/* Settings of the sender's port. */
struct socket_link {
	u32 type;
	u32 version;
	u32 adv;
	u8 en;
	u8 an;
	u8 full_duplex;
	u8 speed;
};

/* The frame follows, without FCS. */
struct socket_frame {
	u32 type;
	u32 ps;		/* below 1000 */
	u64 ns;
};

union socket_msg {
	u32 type;
	struct socket_link link;
	struct {
		struct socket_frame head;
		u8 data[PARQSIM_FRAME_MAX + 1];
	} frame;
};

/**
 * struct socket_wire - a port's end
 * @wire: of the port
 * @addr: where to meet
 * @listener: waits for the other end, -1 if this one connects
 * @conn: the other end, -1 while it is away
 * @retry: when to try to connect again
 * @in: what was received
 * @delay: of the cable, ps
 * @far: the other end's settings
 * @link: our settings
 * @link_due: they are still to be sent
 */
struct socket_wire {
	struct wire wire;
	struct sockaddr_un addr;
	struct loop_fd listener;
	struct loop_fd conn;
	struct timer retry;
	struct inlet in;
	u64 delay;
	struct parqsim_partner far;
	struct socket_link link;
	bool link_due;
};

static struct socket_wire *to_socket(struct wire *w)
{
	return (struct socket_wire *)((char *)w -
				      offsetof(struct socket_wire, wire));
}

static struct loop *socket_loop(const struct socket_wire *s)
{
	return s->wire.host->loop;
}

static u32 socket_events(const struct socket_wire *s)
{
	return EPOLLIN | (s->link_due ? EPOLLOUT : 0);
}

static void socket_flow(struct inlet *in, bool go)
{
	struct socket_wire *s = to_socket(in->wire);

	if (s->conn.fd < 0)
		return;
	if (go)
		loop_add(socket_loop(s), &s->conn, socket_events(s));
	else
		loop_del(socket_loop(s), &s->conn);
}

/* What does not fit stays due until the socket is writable. */
static void socket_send_link(struct socket_wire *s)
{
	ssize_t n = send(s->conn.fd, &s->link, sizeof(s->link),
			 MSG_DONTWAIT | MSG_NOSIGNAL);

	s->link_due = n < 0 && (errno == EAGAIN || errno == EINTR);
	if (!s->in.stopped)
		loop_mod(socket_loop(s), &s->conn, socket_events(s));
}

static bool socket_frame(struct wire *w, const u8 *data, u32 len, u64 end)
{
	struct socket_wire *s = to_socket(w);
	u64 at = end + s->delay;
	struct socket_frame head = {
		.type = SOCKET_FRAME,
		.ps = (u32)(at % SOCKET_PS_PER_NS),
		.ns = w->host->epoch_ns + at / SOCKET_PS_PER_NS,
	};
	struct iovec iov[] = {
		{ .iov_base = &head, .iov_len = sizeof(head) },
		{ .iov_base = (void *)data, .iov_len = len },
	};
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };

	return s->conn.fd >= 0 &&
	       sendmsg(s->conn.fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

/* Either end's settings have changed. */
static void socket_settle(struct socket_wire *s)
{
	wire_partner(&s->wire, &s->far);
	if (s->wire.speed < 0)
		inlet_cut(&s->in);
}

static void socket_link(struct wire *w, const struct parqsim_partner *self)
{
	struct socket_wire *s = to_socket(w);

	s->link = (struct socket_link){
		.type = SOCKET_LINK,
		.version = SOCKET_VERSION,
		.adv = self->adv,
		.en = self->en,
		.an = self->an,
		.full_duplex = self->full_duplex,
		.speed = self->speed,
	};
	if (s->conn.fd >= 0)
		socket_send_link(s);
	socket_settle(s);
}

/* The other end is gone: nothing is plugged in. */
static void socket_gone(struct socket_wire *s, const char *reason)
{
	struct wire *w = &s->wire;

	log_info("p%u: %s: %s", w->port, s->addr.sun_path, reason);
	loop_close(socket_loop(s), &s->conn);
	s->link_due = false;
	s->far = (struct parqsim_partner){ .present = false };
	socket_settle(s);
	if (s->listener.fd < 0)
		timer_set(w->host->clock, &s->retry,
			  w->host->now(w->host->ctx) + SOCKET_RETRY_PS);
}

static bool socket_rx_link(struct socket_wire *s, const struct socket_link *m)
{
	if (m->version != SOCKET_VERSION || m->speed >= PARQ_NUM_SPEEDS ||
	    (m->adv & ~SOCKET_ADV))
		return false;
	s->far = (struct parqsim_partner){
		.present = true,
		.en = m->en,
		.an = m->an,
		.full_duplex = m->full_duplex,
		.speed = m->speed,
		.adv = m->adv,
	};
	socket_settle(s);
	return true;
}

static bool socket_rx_frame(struct socket_wire *s, const union socket_msg *m,
			    size_t len)
{
	const struct wire_host *host = s->wire.host;
	u64 now = host->now(host->ctx);
	u64 at = 0;

	len -= sizeof(m->frame.head);
	if (len < WIRE_HEADER || len > PARQSIM_FRAME_MAX ||
	    m->frame.head.ps >= SOCKET_PS_PER_NS)
		return false;
	if (m->frame.head.ns >= host->epoch_ns)
		at = (m->frame.head.ns - host->epoch_ns) * SOCKET_PS_PER_NS +
		     m->frame.head.ps;
	if (at > now + SOCKET_FUTURE_PS)
		at = now;
	inlet_frame(&s->in, m->frame.data, (u32)len, at);
	return true;
}

static bool socket_rx(struct socket_wire *s, const union socket_msg *m,
		      size_t len)
{
	if (len == sizeof(m->link) && m->type == SOCKET_LINK)
		return socket_rx_link(s, &m->link);
	if (len >= sizeof(m->frame.head) && m->type == SOCKET_FRAME)
		return socket_rx_frame(s, m, len);
	return false;
}

static void socket_ready(void *ctx, u32 events)
{
	struct socket_wire *s = ctx;
	union socket_msg msg;
	ssize_t len;
	int i;

	if ((events & EPOLLOUT) && s->link_due)
		socket_send_link(s);
	for (i = 0; i < SOCKET_BURST && inlet_room(&s->in); i++) {
		len = recv(s->conn.fd, &msg, sizeof(msg), MSG_DONTWAIT);
		if (len < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (len < 0)
			return socket_gone(s, strerror(errno));
		if (!len)
			return socket_gone(s, "the other end is gone");
		if (!socket_rx(s, &msg, (size_t)len))
			return socket_gone(s, "not a message of parq-nic");
	}
}

static int socket_new(void)
{
	return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC,
		      0);
}

/* Only root gets more than the system's limit; more is better, less is legal. */
static void socket_sndbuf(int fd)
{
	int size = SOCKET_SNDBUF;

	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)) &&
	    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size)))
		log_debug("SO_SNDBUF: %s", strerror(errno));
}

/* Takes @fd over. */
static void socket_connected(struct socket_wire *s, int fd)
{
	socket_sndbuf(fd);
	s->conn.fd = fd;
	s->in.stopped = false;
	if (loop_add(socket_loop(s), &s->conn, EPOLLIN))
		return socket_gone(s, "cannot wait for it");
	log_info("p%u: %s: connected", s->wire.port, s->addr.sun_path);
	socket_send_link(s);
}

/* One cable has one other end; who comes second is sent away. */
static void socket_accept(void *ctx, u32 events)
{
	struct socket_wire *s = ctx;
	int fd;

	(void)events;
	fd = accept4(s->listener.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd < 0)
		return;
	if (s->conn.fd >= 0) {
		log_warn("p%u: %s: a second peer is sent away", s->wire.port,
			 s->addr.sun_path);
		close(fd);
		return;
	}
	socket_connected(s, fd);
}

static void socket_connect(void *ctx)
{
	const struct wire_host *host;
	struct socket_wire *s = ctx;
	int fd;

	host = s->wire.host;
	fd = socket_new();
	if (fd >= 0 && !connect(fd, (const struct sockaddr *)&s->addr,
				sizeof(s->addr)))
		return socket_connected(s, fd);
	if (fd >= 0)
		close(fd);
	timer_set(host->clock, &s->retry,
		  host->now(host->ctx) + SOCKET_RETRY_PS);
}

static void socket_close(struct wire *w)
{
	struct socket_wire *s = to_socket(w);

	timer_cancel(w->host->clock, &s->retry);
	loop_close(socket_loop(s), &s->conn);
	if (s->listener.fd >= 0) {
		loop_del(socket_loop(s), &s->listener);
		listener_close(s->listener.fd, s->addr.sun_path);
	}
	inlet_fini(&s->in);
	free(s);
}

static const struct wire_ops socket_ops = {
	.frame = socket_frame,
	.link = socket_link,
	.close = socket_close,
};

static int socket_listen(struct socket_wire *s)
{
	int err, fd;

	fd = listener_open(s->addr.sun_path, SOCK_SEQPACKET);
	if (fd < 0)
		return fd;
	s->listener.fd = fd;
	err = loop_add(socket_loop(s), &s->listener, EPOLLIN);
	if (err) {
		s->listener.fd = -1;
		listener_close(fd, s->addr.sun_path);
	}
	return err;
}

/**
 * socket_open() - join a port with one of another process
 * @host: the NIC
 * @port: the port
 * @path: of the UNIX socket, shorter than sun_path
 * @listen: wait there for the other end, else connect to it
 * @length_m: of the cable, metres; each end delays what it sends
 * @out: the wire
 *
 * Return: 0 or a negative errno.
 */
int socket_open(const struct wire_host *host, u32 port, const char *path,
		bool listen, u32 length_m, struct wire **out)
{
	struct socket_wire *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	if (!s)
		goto err_log;
	wire_init(&s->wire, &socket_ops, host, port);
	s->addr.sun_family = AF_UNIX;
	snprintf(s->addr.sun_path, sizeof(s->addr.sun_path), "%s", path);
	s->delay = (u64)length_m * CABLE_PS_PER_M;
	s->listener = (struct loop_fd){ -1, socket_accept, s };
	s->conn = (struct loop_fd){ -1, socket_ready, s };
	timer_init(&s->retry, socket_connect, s);
	err = inlet_init(&s->in, &s->wire, socket_flow);
	if (err)
		goto err_free;
	if (listen)
		err = socket_listen(s);
	else
		timer_set(host->clock, &s->retry, host->now(host->ctx));
	if (err)
		goto err_inlet;
	*out = &s->wire;
	return 0;

err_inlet:
	inlet_fini(&s->in);
err_free:
	free(s);
err_log:
	log_error("--wire p%u=socket:%s: %s", port, path, strerror(-err));
	return err;
}
