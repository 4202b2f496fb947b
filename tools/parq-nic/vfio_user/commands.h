/* SPDX-License-Identifier: GPL-2.0 */
/* Commands of the vfio-user protocol, one message and its reply at a time. */
#ifndef _VFIO_USER_COMMANDS_H
#define _VFIO_USER_COMMANDS_H

#include "fds.h"
#include "protocol.h"
#include "server.h"

#define VFU_MAX_XFER	VFIO_USER_DEFAULT_MAX_XFER

/* Longest message in either direction: a region access of VFU_MAX_XFER. */
#define VFU_MAX_MSG	(sizeof(struct vfio_user_header) + \
			 sizeof(struct vfio_user_region_rw) + VFU_MAX_XFER)

/* Memory areas that a client may map for DMA: half of what Linux allows a process. */
#define VFU_MAX_MAPS	32768

struct vfu_vectors;

/**
 * struct vfu_function - the function that is served, as its client sees it
 * @ops: the function
 * @ctx: its context
 * @regions: its regions
 * @vectors: its interrupts
 * @dma: memory of the client
 * @negotiated: VERSION is done
 */
struct vfu_function {
	const struct vfu_ops *ops;
	void *ctx;
	struct vfu_region regions[VFU_NUM_REGIONS];
	struct vfu_vectors *vectors;
	struct dma_table *dma;
	bool negotiated;
};

/**
 * struct vfu_msg - a command and its reply
 * @data: payload of the command
 * @len: bytes of it
 * @fds: files of the message; the handler sets a file that it keeps to -1
 * @reply: room for the reply's payload, VFU_MAX_MSG less a header
 * @reply_len: bytes of it, filled in by the handler
 * @reply_fd: to go with the reply, or -1; stays its owner's
 */
struct vfu_msg {
	const void *data;
	size_t len;
	struct fds *fds;
	void *reply;
	size_t reply_len;
	int reply_fd;
};

/* Checks and executes a command. Return: 0 or -errno; the caller sends the reply. */
int vfu_execute(struct vfu_function *fn, const struct vfio_user_header *header,
		struct vfu_msg *msg);

#endif /* _VFIO_USER_COMMANDS_H */
