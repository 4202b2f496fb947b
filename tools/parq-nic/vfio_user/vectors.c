// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vectors.h"
#include "protocol.h"

/**
 * struct vfu_vector - one MSI-X vector
 * @fd: eventfd that signals the client, -1: none
 * @masked: the client has masked the vector
 * @pending: an interrupt was not signalled
 */
struct vfu_vector {
	int fd;
	bool masked;
	bool pending;
};

struct vfu_vectors {
	u32 count;
	struct vfu_vector vector[];
};

struct vfu_vectors *vfu_vectors_create(u32 count)
{
	struct vfu_vectors *vectors;
	u32 i;

	vectors = calloc(1, sizeof(*vectors) +
			 count * sizeof(vectors->vector[0]));
	if (!vectors)
		return NULL;
	vectors->count = count;
	for (i = 0; i < count; i++)
		vectors->vector[i].fd = -1;
	return vectors;
}

void vfu_vectors_destroy(struct vfu_vectors *vectors)
{
	vfu_vectors_release(vectors);
	free(vectors);
}

u32 vfu_vectors_count(const struct vfu_vectors *vectors)
{
	return vectors->count;
}

static void vfu_vector_assign(struct vfu_vector *vector, int fd)
{
	if (vector->fd >= 0)
		close(vector->fd);
	vector->fd = fd;
}

void vfu_vectors_release(struct vfu_vectors *vectors)
{
	u32 i;

	for (i = 0; i < vectors->count; i++) {
		vfu_vector_assign(&vectors->vector[i], -1);
		vectors->vector[i].masked = false;
		vectors->vector[i].pending = false;
	}
}

void vfu_vectors_clear_pending(struct vfu_vectors *vectors)
{
	u32 i;

	for (i = 0; i < vectors->count; i++)
		vectors->vector[i].pending = false;
}

bool vfu_vectors_pending(const struct vfu_vectors *vectors, u32 vector)
{
	return vector < vectors->count && vectors->vector[vector].pending;
}

static bool vfu_vector_signal(struct vfu_vector *vector)
{
	const u64 one = 1;

	vector->pending = true;
	if (vector->masked || vector->fd < 0)
		return false;

	/*
	 * A full counter means that the client has not read 2^64 - 2 earlier
	 * signals: another one adds no information.
	 */
	if (write(vector->fd, &one, sizeof(one)) < 0 && errno != EAGAIN)
		return false;
	vector->pending = false;
	return true;
}

bool vfu_vectors_signal(struct vfu_vectors *vectors, u32 vector)
{
	return vector < vectors->count &&
	       vfu_vector_signal(&vectors->vector[vector]);
}

/*
 * Only an eventfd accepts 8 bytes without blocking. Its files have no type, which tells
 * them from pipes and sockets: a hostile client could block this process with those.
 */
static bool vfu_is_eventfd(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat st;

	return flags >= 0 && !fstat(fd, &st) && !(st.st_mode & S_IFMT) &&
	       !fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

static int vfu_vectors_set_eventfds(struct vfu_vectors *vectors,
				    const struct vfio_user_irq_set *set,
				    int *fds, u32 nfds)
{
	u32 i;

	if ((set->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK) !=
	    VFIO_IRQ_SET_ACTION_TRIGGER)
		return -EOPNOTSUPP;
	if (nfds && nfds != set->count)
		return -EINVAL;
	for (i = 0; i < nfds; i++) {
		if (!vfu_is_eventfd(fds[i]))
			return -EINVAL;
	}

	for (i = 0; i < set->count; i++) {
		struct vfu_vector *vector = &vectors->vector[set->start + i];

		vfu_vector_assign(vector, nfds ? fds[i] : -1);
		if (!nfds)
			continue;
		fds[i] = -1;
		if (vector->pending)
			vfu_vector_signal(vector);
	}
	return 0;
}

static void vfu_vector_act(struct vfu_vector *vector, u32 action)
{
	switch (action) {
	case VFIO_IRQ_SET_ACTION_MASK:
		vector->masked = true;
		break;
	case VFIO_IRQ_SET_ACTION_UNMASK:
		vector->masked = false;
		if (vector->pending)
			vfu_vector_signal(vector);
		break;
	case VFIO_IRQ_SET_ACTION_TRIGGER:
		vfu_vector_signal(vector);
		break;
	}
}

/* Checks flags, range and length against each other and against the vectors. */
static bool vfu_vectors_set_valid(const struct vfu_vectors *vectors,
				  const struct vfio_user_irq_set *set,
				  size_t len, u32 nfds)
{
	u32 data = set->flags & VFIO_IRQ_SET_DATA_TYPE_MASK;
	u32 action = set->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK;
	size_t want = sizeof(*set);

	if (set->flags != (data | action) || set->argsz != len ||
	    __builtin_popcount(data) != 1 || __builtin_popcount(action) != 1 ||
	    set->start > vectors->count ||
	    set->count > vectors->count - set->start)
		return false;
	if (data == VFIO_IRQ_SET_DATA_BOOL)
		want += set->count;
	if (len != want || (nfds && data != VFIO_IRQ_SET_DATA_EVENTFD))
		return false;

	/* A request without vectors and data disables all of them; nothing else does. */
	return set->count || (!set->start && data == VFIO_IRQ_SET_DATA_NONE &&
			      action == VFIO_IRQ_SET_ACTION_TRIGGER);
}

int vfu_vectors_set(struct vfu_vectors *vectors,
		    const struct vfio_user_irq_set *set, size_t len, int *fds,
		    u32 nfds)
{
	u32 i;

	if (!vfu_vectors_set_valid(vectors, set, len, nfds))
		return -EINVAL;

	if (set->flags & VFIO_IRQ_SET_DATA_EVENTFD)
		return vfu_vectors_set_eventfds(vectors, set, fds, nfds);

	if (!set->count) {
		vfu_vectors_release(vectors);
		return 0;
	}
	for (i = 0; i < set->count; i++) {
		if (set->flags & VFIO_IRQ_SET_DATA_BOOL && !set->data[i])
			continue;
		vfu_vector_act(&vectors->vector[set->start + i],
			       set->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK);
	}
	return 0;
}
