// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "loop.h"

#define LOOP_NS_PER_S	1000000000ULL

/**
 * loop_init() - an empty set
 * @loop: to initialise
 *
 * Return: 0 or a negative errno.
 */
int loop_init(struct loop *loop)
{
	loop->epfd = epoll_create1(EPOLL_CLOEXEC);
	return loop->epfd < 0 ? -errno : 0;
}

void loop_fini(struct loop *loop)
{
	close(loop->epfd);
}

static int loop_ctl(struct loop *loop, int op, struct loop_fd *f, u32 events)
{
	struct epoll_event ev = { .events = events, .data.ptr = f };

	return epoll_ctl(loop->epfd, op, f->fd, &ev) ? -errno : 0;
}

/**
 * loop_add() - wait for a descriptor
 * @loop: the set
 * @f: stays where it is until loop_del()
 * @events: EPOLL* bits, level triggered
 *
 * Return: 0 or a negative errno.
 */
int loop_add(struct loop *loop, struct loop_fd *f, u32 events)
{
	return loop_ctl(loop, EPOLL_CTL_ADD, f, events);
}

int loop_mod(struct loop *loop, struct loop_fd *f, u32 events)
{
	return loop_ctl(loop, EPOLL_CTL_MOD, f, events);
}

void loop_del(struct loop *loop, struct loop_fd *f)
{
	loop_ctl(loop, EPOLL_CTL_DEL, f, 0);
}

/* For a descriptor that was added or not, open or not. */
void loop_close(struct loop *loop, struct loop_fd *f)
{
	if (f->fd < 0)
		return;
	loop_del(loop, f);
	close(f->fd);
	f->fd = -1;
}

/**
 * loop_wait() - wait until a descriptor is ready
 * @loop: the set
 * @timeout_ns: how long; 0 just looks, LOOP_FOREVER waits
 * @events: EPOLL* bits of the one that is ready
 *
 * One at a time, so that serving it may close any other; epoll takes care
 * that each has its turn.
 *
 * Return: it, to be served by its ready(), or NULL: time or a signal came.
 */
struct loop_fd *loop_wait(struct loop *loop, u64 timeout_ns, u32 *events)
{
	struct timespec ts = {
		.tv_sec = (time_t)(timeout_ns / LOOP_NS_PER_S),
		.tv_nsec = (long)(timeout_ns % LOOP_NS_PER_S),
	};
	struct epoll_event ev;

	if (epoll_pwait2(loop->epfd, &ev, 1,
			 timeout_ns == LOOP_FOREVER ? NULL : &ts, NULL) <= 0)
		return NULL;
	*events = ev.events;
	return ev.data.ptr;
}
