/* SPDX-License-Identifier: GPL-2.0 */
/*
 * vfio-user server: gives one PCI function to one client (QEMU) at a time.
 *
 * The server owns the socket, the interrupts' eventfds and the table of guest memory. The
 * function is implemented by the user of the server, through struct vfu_ops. All work is
 * done inside vfu_process(), which never blocks: a client that sends half a message or
 * reads no reply delays only itself.
 *
 * When a client is gone, its memory and interrupts are released and the function is reset
 * for the next client.
 *
 * Not thread safe. Callbacks may call everything but vfu_process(),
 * vfu_attach() and vfu_destroy().
 */
#ifndef _VFIO_USER_SERVER_H
#define _VFIO_USER_SERVER_H

#include <linux/types.h>
#include <linux/vfio.h>

#define VFU_NUM_REGIONS		VFIO_PCI_NUM_REGIONS
#define VFU_MAX_VECTORS		2048	/* MSI-X, by its specification */
#define VFU_MAX_AREAS		8

/* A part of a region that the client may map. Whole pages. */
struct vfu_area {
	u64 offset;
	u64 size;
};

/**
 * struct vfu_region - one of VFIO_PCI_BAR0_REGION_INDEX to _CONFIG_REGION_INDEX
 * @size: bytes; 0: the function does not have it
 * @flags: VFIO_REGION_INFO_FLAG_READ and _WRITE
 * @nr_areas: number of @areas, 0: every access comes to @read and @write
 * @areas: what the client may map instead
 * @mmap_fd: the file behind @areas, at the same offsets; stays the caller's
 */
struct vfu_region {
	u64 size;
	u32 flags;
	u32 nr_areas;
	struct vfu_area areas[VFU_MAX_AREAS];
	int mmap_fd;
};

enum vfu_reset {
	VFU_RESET_REQUEST,	/* by message: power-on, machine reset */
	VFU_RESET_CLIENT_GONE,	/* its memory is unmapped already */
};

/**
 * struct vfu_ops - the function
 * @read: reads @len bytes at @off of a region; returns 0 or -errno
 * @write: writes @len bytes; returns 0 or -errno
 * @reset: brings the whole function, configuration space included, to the state
 *	after power-on; no DMA and no interrupt afterwards until software enables it
 * @log: one line about the connection, without newline; may be NULL
 *
 * Regions, offsets, lengths and permissions have been checked. @len is 1 to
 * 1 MiB and need be neither a power of two nor aligned. A client may access by
 * @read and @write even what it could map.
 */
struct vfu_ops {
	int (*read)(void *ctx, u32 region, u64 off, void *buf, u32 len);
	int (*write)(void *ctx, u32 region, u64 off, const void *buf, u32 len);
	void (*reset)(void *ctx, enum vfu_reset reason);
	void (*log)(void *ctx, const char *line);
};

/**
 * struct vfu_stats - counters since vfu_create()
 * @messages: complete messages received
 * @errors: messages refused
 * @clients: connections accepted
 * @irqs: interrupts signalled
 */
struct vfu_stats {
	u64 messages;
	u64 errors;
	u64 clients;
	u64 irqs;
};

struct vfu;
struct dma_table;

/**
 * vfu_create - start to serve a function
 * @out: the new server
 * @path: UNIX socket to listen at; a stale socket file is replaced. NULL: do
 *	not listen, connections come through vfu_attach()
 * @regions: VFU_NUM_REGIONS of them, copied
 * @vectors: MSI-X vectors, 0 to VFU_MAX_VECTORS
 * @ops: the function; must stay
 * @ctx: handed to it
 *
 * A server that listens has a child process (keeper.h): call it before threads
 * are started.
 *
 * Return: 0, -EINVAL for regions or vectors out of range, -EADDRINUSE if
 * another process listens at @path or it is not a socket, -ENAMETOOLONG, or
 * another -errno.
 */
int vfu_create(struct vfu **out, const char *path,
	       const struct vfu_region regions[VFU_NUM_REGIONS], u32 vectors,
	       const struct vfu_ops *ops, void *ctx);

/* Disconnects without calling @reset and removes the socket file. */
void vfu_destroy(struct vfu *vfu);

/*
 * Serves a connected stream socket and takes ownership of it. -EBUSY: there is a client
 * already; the caller keeps the socket.
 */
int vfu_attach(struct vfu *vfu, int fd);

/* Readable (poll(), epoll) when vfu_process() has something to do. */
int vfu_fd(const struct vfu *vfu);

/*
 * Handles pending messages without waiting, but only a few at a time, so that a busy
 * client does not keep the caller from its other work.
 * Return: number of messages handled, or -errno if the server cannot continue.
 */
int vfu_process(struct vfu *vfu);

bool vfu_connected(const struct vfu *vfu);

/* The memory of the client; empty without one. */
struct dma_table *vfu_dma(struct vfu *vfu);

/*
 * Signals an MSI-X vector. If it is masked or has no eventfd yet, it stays pending and is
 * signalled later. The caller checks whether MSI-X is enabled.
 */
void vfu_irq_raise(struct vfu *vfu, u32 vector);
bool vfu_irq_pending(const struct vfu *vfu, u32 vector);

/* Clears pending interrupts when the function is reset. */
void vfu_irq_clear(struct vfu *vfu);

const struct vfu_stats *vfu_stats(const struct vfu *vfu);

#endif /* _VFIO_USER_SERVER_H */
