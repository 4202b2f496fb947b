/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes over a UNIX socket, and open files with them (SCM_RIGHTS). */
#ifndef _VFIO_USER_FDS_H
#define _VFIO_USER_FDS_H

#include <linux/types.h>
#include <sys/types.h>

#define FDS_MAX		16	/* QEMU sends and accepts no more */
#define FDS_MAX_SEND	253	/* what Linux passes at a time */

/**
 * struct fds - files received with bytes
 * @fd: a caller that keeps a file sets its entry to -1
 * @count: number of files
 * @lost: there were more files, which have been closed
 */
struct fds {
	int fd[FDS_MAX];
	u32 count;
	bool lost;
};

/*
 * Both return the number of bytes or -errno; -EAGAIN instead of waiting. Files are sent
 * with the first byte; fds_recv() appends received files to @fds.
 */
ssize_t fds_send(int sock, const void *buf, size_t len, const int *fd,
		 u32 count);
ssize_t fds_recv(int sock, void *buf, size_t len, struct fds *fds);

void fds_close(struct fds *fds);

#endif /* _VFIO_USER_FDS_H */
