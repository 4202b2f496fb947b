// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "caps.h"
#include "conn.h"
#include "dma.h"
#include "keeper.h"
#include "protocol.h"
#include "server.h"
#include "vectors.h"

#define VFU_MAX_XFER	VFIO_USER_DEFAULT_MAX_XFER

/* Half of the mappings that Linux allows a process by default. */
#define VFU_MAX_MAPS	32768

/* Longest message in either direction: a region access of VFU_MAX_XFER. */
#define VFU_MAX_MSG	(sizeof(struct vfio_user_header) + \
			 sizeof(struct vfio_user_region_rw) + VFU_MAX_XFER)

/* Messages that one vfu_process() handles at most. */
#define VFU_BUDGET	16

/**
 * struct vfu_msg - a command and its reply
 * @data: payload of the command
 * @len: bytes of it
 * @reply: room for the reply's payload, VFU_MAX_MSG less a header
 * @reply_len: bytes of it, filled in by the handler
 * @reply_fd: to go with the reply, or -1; stays its owner's
 */
struct vfu_msg {
	const void *data;
	size_t len;
	void *reply;
	size_t reply_len;
	int reply_fd;
};

/**
 * struct vfu - the server
 * @ops: the function that is served
 * @ctx: its context
 * @regions: its regions
 * @vectors: its interrupts
 * @dma: memory of the client
 * @stats: for vfu_stats()
 * @path: socket file, NULL if there is none
 * @listen_fd: socket to accept at, or -1
 * @keeper: hangs up should this process die; only where it listens
 * @epoll_fd: what vfu_fd() gives out
 * @conn: the client
 * @events: what @epoll_fd waits for on it
 * @negotiated: VERSION is done
 */
struct vfu {
	const struct vfu_ops *ops;
	void *ctx;
	struct vfu_region regions[VFU_NUM_REGIONS];
	struct vfu_vectors *vectors;
	struct dma_table *dma;
	struct vfu_stats stats;

	char *path;
	int listen_fd;
	struct keeper keeper;
	int epoll_fd;

	struct conn conn;
	u32 events;
	bool negotiated;
};

bool vfu_connected(const struct vfu *vfu)
{
	return vfu->conn.sock >= 0;
}

static void vfu_log(struct vfu *vfu, const char *line)
{
	if (vfu->ops->log)
		vfu->ops->log(vfu->ctx, line);
}

/* ---- Commands ---------------------------------------------------------- */

static int vfu_version(struct vfu *vfu, struct vfu_msg *msg)
{
	static const struct caps_limits limits = {
		.max_msg_fds = FDS_MAX,
		.max_xfer = VFU_MAX_XFER,
		.max_maps = VFU_MAX_MAPS,
		.pgsizes = DMA_PAGE_SIZE,
	};
	const struct vfio_user_version *in = msg->data;
	size_t text_len = msg->len - sizeof(*in);
	struct vfio_user_version *out = msg->reply;
	const size_t room = VFU_MAX_XFER;
	u32 proposed = 0;

	if (vfu->negotiated)
		return -EINVAL;
	if (in->major != VFIO_USER_MAJOR)
		return -EPROTONOSUPPORT;
	if (text_len) {
		/* One NUL, at the end. */
		if (memchr(in->data, 0, text_len) != in->data + text_len - 1 ||
		    caps_parse(in->data, &proposed))
			return -EINVAL;
	}

	out->major = VFIO_USER_MAJOR;
	out->minor = VFIO_USER_MINOR;
	msg->reply_len = sizeof(*out) + 1 +
			 caps_print(out->data, room, proposed, &limits);
	vfu->negotiated = true;
	return 0;
}

static int vfu_dma_map(struct vfu *vfu, struct vfu_msg *msg)
{
	int fd = vfu->conn.rx_fds.count ? vfu->conn.rx_fds.fd[0] : -1;
	const struct vfio_user_dma_map *in = msg->data;
	u32 prot = 0;

	if (in->argsz != sizeof(*in) ||
	    in->flags & ~(VFIO_USER_DMA_F_READ | VFIO_USER_DMA_F_WRITE))
		return -EINVAL;
	if (in->flags & VFIO_USER_DMA_F_READ)
		prot |= DMA_PROT_READ;
	if (in->flags & VFIO_USER_DMA_F_WRITE)
		prot |= DMA_PROT_WRITE;

	return dma_map(vfu->dma, in->iova, in->size, prot, fd, in->offset);
}

static int vfu_dma_unmap(struct vfu *vfu, struct vfu_msg *msg)
{
	const struct vfio_user_dma_unmap *in = msg->data;
	int err;

	if (in->argsz < sizeof(*in) || in->flags & ~VFIO_DMA_UNMAP_FLAG_ALL)
		return -EINVAL;

	if (in->flags & VFIO_DMA_UNMAP_FLAG_ALL) {
		if (in->iova || in->size)
			return -EINVAL;
		dma_unmap_all(vfu->dma);
	} else {
		err = dma_unmap(vfu->dma, in->iova, in->size);
		if (err)
			return err;
	}

	memcpy(msg->reply, in, sizeof(*in));
	msg->reply_len = sizeof(*in);
	return 0;
}

static int vfu_device_info(struct vfu *vfu, struct vfu_msg *msg)
{
	const struct vfio_user_device_info *in = msg->data;
	struct vfio_user_device_info *out = msg->reply;

	(void)vfu;
	if (in->argsz < sizeof(*out))
		return -EINVAL;

	out->argsz = sizeof(*out);
	out->flags = VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI;
	out->num_regions = VFU_NUM_REGIONS;
	out->num_irqs = VFIO_PCI_NUM_IRQS;
	msg->reply_len = sizeof(*out);
	return 0;
}

/* Appends the list of mappable areas. Returns its length. */
static size_t vfu_sparse_areas(const struct vfu_region *region, void *buf)
{
	struct vfio_user_cap_sparse *cap = buf;
	struct vfio_user_sparse_area *area = (void *)(cap + 1);
	u32 i;

	memset(cap, 0, sizeof(*cap));
	cap->id = VFIO_REGION_INFO_CAP_SPARSE_MMAP;
	cap->version = 1;
	cap->nr_areas = region->nr_areas;
	for (i = 0; i < region->nr_areas; i++) {
		area[i].offset = region->areas[i].offset;
		area[i].size = region->areas[i].size;
	}
	return sizeof(*cap) + region->nr_areas * sizeof(*area);
}

static int vfu_region_info(struct vfu *vfu, struct vfu_msg *msg)
{
	const struct vfio_user_region_info *in = msg->data;
	struct vfio_user_region_info *out = msg->reply;
	const struct vfu_region *region;

	if (in->argsz < sizeof(*out) || in->index >= VFU_NUM_REGIONS)
		return -EINVAL;

	region = &vfu->regions[in->index];
	memset(out, 0, sizeof(*out));
	out->argsz = sizeof(*out);
	out->flags = region->flags;
	out->index = in->index;
	out->size = region->size;
	if (region->nr_areas) {
		/* QEMU checks cap_offset even where the list was cut off. */
		out->flags |= VFIO_REGION_INFO_FLAG_MMAP |
			      VFIO_REGION_INFO_FLAG_CAPS;
		out->cap_offset = sizeof(*out);
		out->argsz += vfu_sparse_areas(region, out + 1);
		msg->reply_fd = region->mmap_fd;
	}
	msg->reply_len = in->argsz < out->argsz ? sizeof(*out) : out->argsz;
	return 0;
}

static int vfu_irq_info(struct vfu *vfu, struct vfu_msg *msg)
{
	const struct vfio_user_irq_info *in = msg->data;
	struct vfio_user_irq_info *out = msg->reply;

	if (in->argsz < sizeof(*out) || in->index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;

	memset(out, 0, sizeof(*out));
	out->argsz = sizeof(*out);
	out->index = in->index;
	if (in->index == VFIO_PCI_MSIX_IRQ_INDEX) {
		out->flags = VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_MASKABLE;
		out->count = vfu_vectors_count(vfu->vectors);
	}
	msg->reply_len = sizeof(*out);
	return 0;
}

static int vfu_set_irqs(struct vfu *vfu, struct vfu_msg *msg)
{
	const struct vfio_user_irq_set *in = msg->data;

	if (in->index != VFIO_PCI_MSIX_IRQ_INDEX)
		return -EINVAL;
	return vfu_vectors_set(vfu->vectors, in, msg->len, vfu->conn.rx_fds.fd,
			       vfu->conn.rx_fds.count);
}

/* 0 if the region exists, allows the access, and holds all of it. */
static int vfu_check_access(const struct vfu *vfu, u32 index, u64 off,
			    u32 count, u32 flag)
{
	const struct vfu_region *region;

	if (index >= VFU_NUM_REGIONS || !count || count > VFU_MAX_XFER)
		return -EINVAL;
	region = &vfu->regions[index];
	if (off > region->size || count > region->size - off)
		return -EINVAL;
	return region->flags & flag ? 0 : -EPERM;
}

static int vfu_region_read(struct vfu *vfu, struct vfu_msg *msg)
{
	const struct vfio_user_region_rw *in = msg->data;
	struct vfio_user_region_rw *out = msg->reply;
	int err;

	err = vfu_check_access(vfu, in->region, in->offset, in->count,
			       VFIO_REGION_INFO_FLAG_READ);
	if (err)
		return err;

	memcpy(out, in, sizeof(*out));
	msg->reply_len = sizeof(*out) + in->count;
	return vfu->ops->read(vfu->ctx, in->region, in->offset, out->data,
			      in->count);
}

static int vfu_region_write(struct vfu *vfu, struct vfu_msg *msg)
{
	const struct vfio_user_region_rw *in = msg->data;
	int err;

	if (in->count != msg->len - sizeof(*in))
		return -EINVAL;
	err = vfu_check_access(vfu, in->region, in->offset, in->count,
			       VFIO_REGION_INFO_FLAG_WRITE);
	if (err)
		return err;

	memcpy(msg->reply, in, sizeof(*in));
	msg->reply_len = sizeof(*in);
	return vfu->ops->write(vfu->ctx, in->region, in->offset, in->data,
			       in->count);
}

/* All writes are looked at before the first is done. */
static int vfu_write_multi(struct vfu *vfu, struct vfu_msg *msg)
{
	const struct vfio_user_write_multi *in = msg->data;
	size_t room = msg->len - sizeof(*in);
	const struct vfio_user_write_one *one;
	u64 i;
	int err;

	if (in->count > room / sizeof(*one) ||
	    in->count * sizeof(*one) != room)
		return -EINVAL;
	for (i = 0; i < in->count; i++) {
		one = &in->writes[i];
		if (one->count > sizeof(one->data))
			return -EINVAL;
		err = vfu_check_access(vfu, one->region, one->offset,
				       one->count, VFIO_REGION_INFO_FLAG_WRITE);
		if (err)
			return err;
	}

	for (i = 0; i < in->count; i++) {
		one = &in->writes[i];
		err = vfu->ops->write(vfu->ctx, one->region, one->offset,
				      one->data, one->count);
		if (err)
			return err;
	}

	memcpy(msg->reply, in, sizeof(*in));
	msg->reply_len = sizeof(*in);
	return 0;
}

static int vfu_device_reset(struct vfu *vfu, struct vfu_msg *msg)
{
	(void)msg;
	vfu_vectors_forget(vfu->vectors);
	vfu->ops->reset(vfu->ctx, VFU_RESET_REQUEST);
	return 0;
}

static int vfu_unsupported(struct vfu *vfu, struct vfu_msg *msg)
{
	(void)vfu;
	(void)msg;
	return -EOPNOTSUPP;
}

/**
 * struct vfu_command - what a command may look like
 * @handle: 0 or -errno; the reply is sent by the caller
 * @min: shortest payload
 * @max: longest payload
 * @fds: most files
 */
static const struct vfu_command {
	int (*handle)(struct vfu *vfu, struct vfu_msg *msg);
	size_t min;
	size_t max;
	u32 fds;
} vfu_commands[] = {
	[VFIO_USER_VERSION] = {
		vfu_version, sizeof(struct vfio_user_version), 4096, 0 },
	[VFIO_USER_DMA_MAP] = {
		vfu_dma_map, sizeof(struct vfio_user_dma_map),
		sizeof(struct vfio_user_dma_map), 1 },
	[VFIO_USER_DMA_UNMAP] = {
		vfu_dma_unmap, sizeof(struct vfio_user_dma_unmap),
		sizeof(struct vfio_user_dma_unmap), 0 },
	[VFIO_USER_DEVICE_GET_INFO] = {
		vfu_device_info, sizeof(struct vfio_user_device_info),
		sizeof(struct vfio_user_device_info), 0 },
	[VFIO_USER_DEVICE_GET_REGION_INFO] = {
		vfu_region_info, sizeof(struct vfio_user_region_info),
		sizeof(struct vfio_user_region_info), 0 },
	[VFIO_USER_DEVICE_GET_REGION_IO_FDS] = {
		vfu_unsupported, 0, VFU_MAX_MSG, 0 },
	[VFIO_USER_DEVICE_GET_IRQ_INFO] = {
		vfu_irq_info, sizeof(struct vfio_user_irq_info),
		sizeof(struct vfio_user_irq_info), 0 },
	[VFIO_USER_DEVICE_SET_IRQS] = {
		vfu_set_irqs, sizeof(struct vfio_user_irq_set), VFU_MAX_MSG,
		FDS_MAX },
	[VFIO_USER_REGION_READ] = {
		vfu_region_read, sizeof(struct vfio_user_region_rw),
		sizeof(struct vfio_user_region_rw), 0 },
	[VFIO_USER_REGION_WRITE] = {
		vfu_region_write, sizeof(struct vfio_user_region_rw),
		VFU_MAX_MSG, 0 },
	[VFIO_USER_DEVICE_RESET] = { vfu_device_reset, 0, 0, 0 },
	[VFIO_USER_REGION_WRITE_MULTI] = {
		vfu_write_multi, sizeof(struct vfio_user_write_multi),
		VFU_MAX_MSG, 0 },
	[VFIO_USER_DEVICE_FEATURE] = { vfu_unsupported, 0, VFU_MAX_MSG, 0 },
	[VFIO_USER_MIG_DATA_READ] = { vfu_unsupported, 0, VFU_MAX_MSG, 0 },
	[VFIO_USER_MIG_DATA_WRITE] = { vfu_unsupported, 0, VFU_MAX_MSG, 0 },
};

/* ---- Connection -------------------------------------------------------- */

/* The connection and all that the client gave us. */
static void vfu_drop_client(struct vfu *vfu)
{
	conn_close(&vfu->conn);
	if (vfu->listen_fd >= 0)
		keeper_hold(&vfu->keeper, -1);
	vfu->negotiated = false;
	vfu_vectors_release(vfu->vectors);
	dma_unmap_all(vfu->dma);
}

static void vfu_disconnect(struct vfu *vfu, const char *why)
{
	vfu_drop_client(vfu);
	vfu_log(vfu, why);
	vfu->ops->reset(vfu->ctx, VFU_RESET_CLIENT_GONE);
}

static int vfu_execute(struct vfu *vfu, const struct vfio_user_header *header,
		       struct vfu_msg *msg)
{
	const struct vfu_command *command;

	if ((header->flags & VFIO_USER_F_TYPE) != VFIO_USER_F_TYPE_COMMAND)
		return -EINVAL;
	if (header->command >= sizeof(vfu_commands) / sizeof(vfu_commands[0]) ||
	    !vfu_commands[header->command].handle)
		return -ENOSYS;
	if (!vfu->negotiated && header->command != VFIO_USER_VERSION)
		return -EINVAL;

	command = &vfu_commands[header->command];
	if (msg->len < command->min || msg->len > command->max ||
	    vfu->conn.rx_fds.count > command->fds || vfu->conn.rx_fds.lost)
		return -EINVAL;
	return command->handle(vfu, msg);
}

/* Handles the message that has come and sends its reply. */
static int vfu_dispatch(struct vfu *vfu)
{
	const struct vfio_user_header *in = (const void *)vfu->conn.rx;
	struct vfio_user_header *out = (void *)vfu->conn.tx;
	struct vfu_msg msg = {
		.data = in + 1,
		.len = in->size - sizeof(*in),
		.reply = out + 1,
		.reply_fd = -1,
	};
	int err;

	vfu->stats.messages++;
	err = vfu_execute(vfu, in, &msg);
	conn_consume(&vfu->conn);
	if (err)
		vfu->stats.errors++;

	/* We never ask, so a reply answers nothing, and none goes back. */
	if ((in->flags & VFIO_USER_F_TYPE) == VFIO_USER_F_TYPE_REPLY ||
	    in->flags & VFIO_USER_F_NO_REPLY)
		return 0;

	out->id = in->id;
	out->command = in->command;
	out->size = sizeof(*out) + (err ? 0 : msg.reply_len);
	out->flags = VFIO_USER_F_TYPE_REPLY | (err ? VFIO_USER_F_ERROR : 0);
	out->error = -err;
	err = conn_send(&vfu->conn, out->size, err ? -1 : msg.reply_fd);

	/* Without agreement on the version there is nothing to talk about. */
	return vfu->negotiated ? err : -EPROTONOSUPPORT;
}

/* One message: 1 done, 0 not there yet, -errno: give up the client. */
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

	/* First see whether the old client has gone, then let in a new one. */
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

/*
 * The socket file of a process that is no more may be taken away. Files of
 * other kinds refuse connections too.
 */
static bool vfu_is_stale(const struct sockaddr_un *addr)
{
	struct stat st;
	bool stale;
	int fd;

	if (lstat(addr->sun_path, &st) || !S_ISSOCK(st.st_mode))
		return false;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return false;
	stale = connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) &&
		errno == ECONNREFUSED;
	close(fd);
	return stale;
}

static int vfu_bind(int fd, const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	const struct sockaddr *sa = (const struct sockaddr *)&addr;

	if (strlen(path) >= sizeof(addr.sun_path))
		return -ENAMETOOLONG;
	strcpy(addr.sun_path, path);

	if (!bind(fd, sa, sizeof(addr)))
		return 0;
	if (errno != EADDRINUSE)
		return -errno;
	if (!vfu_is_stale(&addr))
		return -EADDRINUSE;
	if (unlink(path) || bind(fd, sa, sizeof(addr)))
		return -errno;
	return 0;
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
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0) {
		err = -errno;
		goto err_keeper;
	}
	err = vfu_bind(fd, path);
	if (err)
		goto err_close;
	if (listen(fd, 1) ||
	    epoll_ctl(vfu->epoll_fd, EPOLL_CTL_ADD, fd, &event)) {
		err = -errno;
		goto err_unlink;
	}
	vfu->listen_fd = fd;
	return 0;

err_unlink:
	unlink(path);
err_close:
	close(fd);
err_keeper:
	keeper_stop(&vfu->keeper);
err_path:
	free(vfu->path);
	return err;
}

static void vfu_unlisten(struct vfu *vfu)
{
	unlink(vfu->path);
	close(vfu->listen_fd);
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
	vfu->ops = ops;
	vfu->ctx = ctx;
	memcpy(vfu->regions, regions, sizeof(vfu->regions));
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
	vfu->vectors = vfu_vectors_create(vectors);
	if (!vfu->vectors)
		goto err_conn;
	vfu->dma = dma_table_create(VFU_MAX_MAPS);
	if (!vfu->dma)
		goto err_vectors;

	err = path ? vfu_listen(vfu, path) : 0;
	if (err)
		goto err_dma;
	*out = vfu;
	return 0;

err_dma:
	dma_table_destroy(vfu->dma);
err_vectors:
	vfu_vectors_destroy(vfu->vectors);
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
	dma_table_destroy(vfu->dma);
	vfu_vectors_destroy(vfu->vectors);
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
	return vfu->dma;
}

const struct vfu_stats *vfu_stats(const struct vfu *vfu)
{
	return &vfu->stats;
}

void vfu_irq_raise(struct vfu *vfu, u32 vector)
{
	if (vfu_vectors_signal(vfu->vectors, vector))
		vfu->stats.irqs++;
}

bool vfu_irq_pending(const struct vfu *vfu, u32 vector)
{
	return vfu_vectors_pending(vfu->vectors, vector);
}

void vfu_irq_clear(struct vfu *vfu)
{
	vfu_vectors_forget(vfu->vectors);
}
