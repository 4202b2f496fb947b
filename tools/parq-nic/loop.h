/* SPDX-License-Identifier: GPL-2.0 */
/* File descriptors that the process waits for, and who looks after them. */
#ifndef _PARQ_NIC_LOOP_H
#define _PARQ_NIC_LOOP_H

#include <linux/types.h>

#define LOOP_FOREVER	(~0ULL)

/**
 * struct loop_fd - one file descriptor
 * @fd: file descriptor, -1 while there is none
 * @ready: called with EPOLL* bits; may add and delete any descriptor
 * @ctx: its argument
 */
struct loop_fd {
	int fd;
	void (*ready)(void *ctx, u32 events);
	void *ctx;
};

struct loop {
	int epfd;
};

int loop_init(struct loop *loop);
void loop_fini(struct loop *loop);
int loop_add(struct loop *loop, struct loop_fd *f, u32 events);
int loop_mod(struct loop *loop, struct loop_fd *f, u32 events);
void loop_del(struct loop *loop, struct loop_fd *f);
void loop_close(struct loop *loop, struct loop_fd *f);
struct loop_fd *loop_wait(struct loop *loop, u64 timeout_ns, u32 *events);

#endif /* _PARQ_NIC_LOOP_H */
