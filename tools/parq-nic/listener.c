// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "listener.h"

static int listener_socket(int type)
{
	return socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* A socket file at which nobody listens is left by a crash. Other files refuse, too. */
static bool listener_is_stale(const struct sockaddr_un *addr, int type)
{
	struct stat st;
	bool stale;
	int fd;

	if (lstat(addr->sun_path, &st) || !S_ISSOCK(st.st_mode))
		return false;
	fd = listener_socket(type);
	if (fd < 0)
		return false;
	stale = connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) &&
		errno == ECONNREFUSED;
	close(fd);
	return stale;
}

static int listener_bind(int fd, const char *path, int type)
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
	if (!listener_is_stale(&addr, type))
		return -EADDRINUSE;
	if (unlink(path) || bind(fd, sa, sizeof(addr)))
		return -errno;
	return 0;
}

int listener_open(const char *path, int type)
{
	int fd, err;

	fd = listener_socket(type);
	if (fd < 0)
		return -errno;
	err = listener_bind(fd, path, type);
	if (err)
		goto err_close;
	if (listen(fd, 1)) {
		err = -errno;
		goto err_unlink;
	}
	return fd;

err_unlink:
	unlink(path);
err_close:
	close(fd);
	return err;
}

void listener_close(int fd, const char *path)
{
	unlink(path);
	close(fd);
}
