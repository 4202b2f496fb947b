// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../listener.h"
#include "commands.h"
#include "conn.h"
#include "dma.h"
#include "keeper.h"
#include "server.h"
#include "vectors.h"

/* Maximum number of messages that one vfu_process() handles. */
#define VFU_BUDGET	16

/**
 * struct vfu - the server
 * @fn: the function
 * @stats: result of vfu_stats()
 * @path: socket file, NULL if there is none
 * @listen_fd: listening socket, or -1
 * @keeper: hangs up if this process dies; only with @listen_fd
 * @epoll_fd: result of vfu_fd()
 * @conn: the client
 * @events: events of @conn that @epoll_fd waits for
 */
struct vfu {
	struct vfu_function fn;
	struct vfu_stats stats;

	char *path;
	int listen_fd;
	struct keeper keeper;
	int epoll_fd;

	struct conn conn;
	u32 events;
};

bool vfu_connected(const struct vfu *vfu)
{
	return vfu->conn.sock >= 0;
}

static void vfu_log(struct vfu *vfu, const char *line)
{
	if (vfu->fn.ops->log)
		vfu->fn.ops->log(vfu->fn.ctx, line);
}

/* ---- Connection -------------------------------------------------------- */

/* Closes the connection and releases everything that the client passed. */
static void vfu_drop_client(struct vfu *vfu)
{
	conn_close(&vfu->conn);
	if (vfu->listen_fd >= 0)
		keeper_hold(&vfu->keeper, -1);
	vfu->fn.negotiated = false;
	vfu_vectors_release(vfu->fn.vectors);
	dma_unmap_all(vfu->fn.dma);
}

static void vfu_disconnect(struct vfu *vfu, const char *reason)
{
	vfu_drop_client(vfu);
	vfu_log(vfu, reason);
	vfu->fn.ops->reset(vfu->fn.ctx, VFU_RESET_CLIENT_GONE);
}

/* Handles the received message and sends its reply. */
static int vfu_dispatch(struct vfu *vfu)
{
	const struct vfio_user_header *in = (const void *)vfu->conn.rx;
	struct vfio_user_header *out = (void *)vfu->conn.tx;
	struct vfu_msg msg = {
		.data = in + 1,
		.len = in->size - sizeof(*in),
		.fds = &vfu->conn.rx_fds,
		.reply = out + 1,
		.reply_fd = -1,
	};
	int err;

	vfu->stats.messages++;
	err = vfu_execute(&vfu->fn, in, &msg);
	conn_consume(&vfu->conn);
	if (err)
		vfu->stats.errors++;

	/* The server sends no commands, so a reply is unexpected and gets no answer. */
	if ((in->flags & VFIO_USER_F_TYPE) == VFIO_USER_F_TYPE_REPLY ||
	    in->flags & VFIO_USER_F_NO_REPLY)
		return 0;

	out->id = in->id;
	out->command = in->command;
	out->size = sizeof(*out) + (err ? 0 : msg.reply_len);
	out->flags = VFIO_USER_F_TYPE_REPLY | (err ? VFIO_USER_F_ERROR : 0);
	out->error = -err;
	err = conn_send(&vfu->conn, out->size, err ? -1 : msg.reply_fd);

	/* Before the version is negotiated, no other command is valid. */
	return vfu->fn.negotiated ? err : -EPROTONOSUPPORT;
}

/* Handles one message. Return: 1 done, 0 incomplete, -errno: drop the client. */
static int vfu_step(struct vfu *vfu)
{
	int ret;

	if (conn_busy(&vfu->conn)) {
		ret = conn_flush(&vfu->conn);
		if (ret || conn_busy(&vfu->conn))
			return ret;
	}
	ret = conn_receive(&vfu->conn);
	if (ret <= 0)
		return ret;
	ret = vfu_dispatch(vfu);
	return ret ? ret : 1;
}

static int vfu_watch(struct vfu *vfu)
{
	struct epoll_event event = {
		.events = conn_busy(&vfu->conn) ? EPOLLOUT : EPOLLIN,
	};

	if (event.events == vfu->events)
		return 0;
	vfu->events = event.events;
	if (epoll_ctl(vfu->epoll_fd, EPOLL_CTL_MOD, vfu->conn.sock, &event))
		return -errno;
	return 0;
}

/* Returns the number of messages handled. */
static int vfu_serve(struct vfu *vfu)
{
	int done = 0, ret;

	do {
		ret = vfu_step(vfu);
	} while (ret > 0 && ++done < VFU_BUDGET);
	if (ret >= 0)
		ret = vfu_watch(vfu);

	if (ret == -ECONNRESET || ret == -EPIPE)
		vfu_disconnect(vfu, "client has gone");
	else if (ret == -EPROTONOSUPPORT)
		vfu_disconnect(vfu, "client dropped: no common protocol");
	else if (ret == -EPROTO)
		vfu_disconnect(vfu, "client dropped: impossible message size");
	else if (ret)
		vfu_disconnect(vfu, "client dropped: connection failed");
	return done;
}

int vfu_attach(struct vfu *vfu, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (vfu_connected(vfu))
		return -EBUSY;
	if (epoll_ctl(vfu->epoll_fd, EPOLL_CTL_ADD, fd, &event))
		return -errno;
	vfu->conn.sock = fd;
	vfu->events = event.events;
	vfu->stats.clients++;
	vfu_log(vfu, "client connected");
	return 0;
}

static int vfu_accept(struct vfu *vfu)
{
	int fd, err = 0;

	fd = accept4(vfu->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0) {
		if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)
			return 0;
		return -errno;
	}
	if (vfu_connected(vfu)) {
		vfu_log(vfu, "second client turned away");
		goto hang_up;
	}
	err = vfu_attach(vfu, fd);
	if (err)
		goto hang_up;
	if (keeper_hold(&vfu->keeper, fd))
		vfu_log(vfu, "keeper has gone: QEMU may abort if we die");
	return 0;

hang_up:
	conn_hang_up(fd);
	close(fd);
	return err;
}

int vfu_process(struct vfu *vfu)
{
	int done = 0, err;

	/* First find out whether the old client is gone, then accept a new one. */
	if (vfu_connected(vfu))
		done = vfu_serve(vfu);
	if (vfu->listen_fd >= 0) {
		err = vfu_accept(vfu);
		if (err)
			return err;
	}
	return done;
}

/* ---- Life and death ---------------------------------------------------- */

static bool vfu_region_valid(const struct vfu_region *region)
{
	u64 end = 0;
	struct stat st;
	u32 i;

	if (region->flags & ~(VFIO_REGION_INFO_FLAG_READ |
			      VFIO_REGION_INFO_FLAG_WRITE) ||
	    region->nr_areas > VFU_MAX_AREAS)
		return false;
	for (i = 0; i < region->nr_areas; i++) {
		const struct vfu_area *area = &region->areas[i];

		if ((area->offset | area->size) % DMA_PAGE_SIZE ||
		    !area->size || area->offset < end ||
		    area->offset > region->size ||
		    area->size > region->size - area->offset)
			return false;
		end = area->offset + area->size;
	}
	return !end || (!fstat(region->mmap_fd, &st) && (u64)st.st_size >= end);
}

static int vfu_listen(struct vfu *vfu, const char *path)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd, err;

	vfu->path = strdup(path);
	if (!vfu->path)
		return -ENOMEM;
	err = keeper_start(&vfu->keeper);
	if (err)
		goto err_path;
	fd = listener_open(path, SOCK_STREAM);
	if (fd < 0) {
		err = fd;
		goto err_keeper;
	}
	if (epoll_ctl(vfu->epoll_fd, EPOLL_CTL_ADD, fd, &event)) {
		err = -errno;
		goto err_listener;
	}
	vfu->listen_fd = fd;
	return 0;

err_listener:
	listener_close(fd, path);
err_keeper:
	keeper_stop(&vfu->keeper);
err_path:
	free(vfu->path);
	return err;
}

static void vfu_unlisten(struct vfu *vfu)
{
	listener_close(vfu->listen_fd, vfu->path);
	keeper_stop(&vfu->keeper);
	free(vfu->path);
}

int vfu_create(struct vfu **out, const char *path,
	       const struct vfu_region regions[VFU_NUM_REGIONS], u32 vectors,
	       const struct vfu_ops *ops, void *ctx)
{
	struct vfu *vfu;
	int err, i;

	if (vectors > VFU_MAX_VECTORS)
		return -EINVAL;
	for (i = 0; i < VFU_NUM_REGIONS; i++) {
		if (!vfu_region_valid(&regions[i]))
			return -EINVAL;
	}

	vfu = calloc(1, sizeof(*vfu));
	if (!vfu)
		return -ENOMEM;
	vfu->fn.ops = ops;
	vfu->fn.ctx = ctx;
	memcpy(vfu->fn.regions, regions, sizeof(vfu->fn.regions));
	vfu->listen_fd = -1;
	vfu->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (vfu->epoll_fd < 0) {
		err = -errno;
		goto err_free;
	}

	err = conn_init(&vfu->conn, VFU_MAX_MSG);
	if (err)
		goto err_epoll;
	err = -ENOMEM;
	vfu->fn.vectors = vfu_vectors_create(vectors);
	if (!vfu->fn.vectors)
		goto err_conn;
	vfu->fn.dma = dma_table_create(VFU_MAX_MAPS);
	if (!vfu->fn.dma)
		goto err_vectors;
	dma_guard(vfu->fn.dma);

	err = path ? vfu_listen(vfu, path) : 0;
	if (err)
		goto err_dma;
	*out = vfu;
	return 0;

err_dma:
	dma_table_destroy(vfu->fn.dma);
err_vectors:
	vfu_vectors_destroy(vfu->fn.vectors);
err_conn:
	conn_fini(&vfu->conn);
err_epoll:
	close(vfu->epoll_fd);
err_free:
	free(vfu);
	return err;
}

void vfu_destroy(struct vfu *vfu)
{
	vfu_drop_client(vfu);
	if (vfu->listen_fd >= 0)
		vfu_unlisten(vfu);
	dma_table_destroy(vfu->fn.dma);
	vfu_vectors_destroy(vfu->fn.vectors);
	conn_fini(&vfu->conn);
	close(vfu->epoll_fd);
	free(vfu);
}

int vfu_fd(const struct vfu *vfu)
{
	return vfu->epoll_fd;
}

struct dma_table *vfu_dma(struct vfu *vfu)
{
	return vfu->fn.dma;
}

const struct vfu_stats *vfu_stats(const struct vfu *vfu)
{
	return &vfu->stats;
}

void vfu_irq_raise(struct vfu *vfu, u32 vector)
{
	if (vfu_vectors_signal(vfu->fn.vectors, vector))
		vfu->stats.irqs++;
}

bool vfu_irq_pending(const struct vfu *vfu, u32 vector)
{
	return vfu_vectors_pending(vfu->fn.vectors, vector);
}

void vfu_irq_clear(struct vfu *vfu)
{
	vfu_vectors_clear_pending(vfu->fn.vectors);
}
