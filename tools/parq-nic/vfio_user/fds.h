/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes over a UNIX socket, and open files with them (SCM_RIGHTS). */
#ifndef _VFIO_USER_FDS_H
#define _VFIO_USER_FDS_H

#include <linux/types.h>
#include <sys/types.h>

#define FDS_MAX		16	/* QEMU sends and accepts no more */
#define FDS_MAX_SEND	253	/* what Linux passes at a time */

/**
 * struct fds - files that came with something
 * @fd: who keeps one puts -1 in its place
 * @count: number of them
 * @lost: there were more, which have been closed
 */
struct fds {
	int fd[FDS_MAX];
	u32 count;
	bool lost;
};

/*
 * Both return the number of bytes or -errno, -EAGAIN rather than waiting.
 * Files go with the first byte; fds_recv() appends those that come to @fds.
 */
ssize_t fds_send(int sock, const void *buf, size_t len, const int *fd,
		 u32 count);
ssize_t fds_recv(int sock, void *buf, size_t len, struct fds *fds);

void fds_close(struct fds *fds);

#endif /* _VFIO_USER_FDS_H */
