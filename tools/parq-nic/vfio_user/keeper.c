// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conn.h"
#include "keeper.h"

/* Receives the connection to hold from the parent. False: the parent is gone. */
static bool keeper_listen(int parent, struct fds *held)
{
	struct pollfd pfd = { .fd = parent, .events = POLLIN };
	struct fds next = {};
	char byte;
	ssize_t n;

	while (poll(&pfd, 1, -1) < 0 && errno == EINTR)
		continue;
	n = fds_recv(parent, &byte, sizeof(byte), &next);
	if (n == -EAGAIN)
		return true;
	if (n <= 0)
		return false;
	fds_close(held);
	*held = next;
	return true;
}

static _Noreturn void keeper_main(int parent)
{
	struct fds held = {};

	/* A signal from the parent's terminal must not end the keeper first. */
	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_NAME, "vfio-keeper");

	/* The keeper must not hold the parent's files open. */
	dup2(parent, STDIN_FILENO);
	close_range(STDIN_FILENO + 1, ~0U, 0);

	while (keeper_listen(STDIN_FILENO, &held))
		continue;
	if (held.count)
		conn_hang_up(held.fd[0]);
	_exit(0);
}

int keeper_start(struct keeper *keeper)
{
	int socks[2], err;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socks))
		return -errno;
	keeper->pid = fork();
	if (!keeper->pid)
		keeper_main(socks[1]);
	err = keeper->pid < 0 ? -errno : 0;
	close(socks[1]);
	if (err)
		close(socks[0]);
	keeper->sock = socks[0];
	return err;
}

void keeper_stop(struct keeper *keeper)
{
	close(keeper->sock);
	while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}

int keeper_hold(struct keeper *keeper, int conn)
{
	ssize_t n = fds_send(keeper->sock, "", 1, &conn, conn >= 0);

	return n < 0 ? n : 0;
}
