// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fds.h"

ssize_t fds_send(int sock, const void *buf, size_t len, const int *fd,
		 u32 count)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(FDS_MAX_SEND * sizeof(int))];
	} control;
	struct iovec iov = { .iov_base = (void *)buf, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;
	ssize_t n;

	if (count > FDS_MAX_SEND)
		return -EINVAL;
	if (count) {
		memset(&control, 0, sizeof(control));
		msg.msg_control = control.buf;
		msg.msg_controllen = CMSG_SPACE(count * sizeof(int));
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(cmsg), fd, count * sizeof(int));
	}

	do {
		n = sendmsg(sock, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static void fds_append(struct fds *fds, const struct cmsghdr *cmsg)
{
	size_t i, count = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	int fd;

	for (i = 0; i < count; i++) {
		memcpy(&fd, CMSG_DATA(cmsg) + i * sizeof(fd), sizeof(fd));
		if (fds->count < FDS_MAX) {
			fds->fd[fds->count++] = fd;
		} else {
			close(fd);
			fds->lost = true;
		}
	}
}

ssize_t fds_recv(int sock, void *buf, size_t len, struct fds *fds)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(FDS_MAX * sizeof(int))];
	} control;
	struct iovec iov = { .iov_base = buf, .iov_len = len };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.buf,
		.msg_controllen = sizeof(control.buf),
	};
	struct cmsghdr *cmsg;
	ssize_t n;

	do {
		n = recvmsg(sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;

	for (cmsg = CMSG_FIRSTHDR(&msg); cmsg; cmsg = CMSG_NXTHDR(&msg, cmsg)) {
		if (cmsg->cmsg_level == SOL_SOCKET &&
		    cmsg->cmsg_type == SCM_RIGHTS)
			fds_append(fds, cmsg);
	}
	if (msg.msg_flags & MSG_CTRUNC)
		fds->lost = true;
	return n;
}

void fds_close(struct fds *fds)
{
	u32 i;

	for (i = 0; i < fds->count; i++) {
		if (fds->fd[i] >= 0)
			close(fds->fd[i]);
	}
	fds->count = 0;
	fds->lost = false;
}
