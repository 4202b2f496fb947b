/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interrupts of the vfio-user server: one eventfd per MSI-X vector, passed by the client,
 * with mask and pending bit.
 */
#ifndef _VFIO_USER_VECTORS_H
#define _VFIO_USER_VECTORS_H

#include <linux/types.h>

struct vfu_vectors;
struct vfio_user_irq_set;

/* Returns NULL when out of memory. @count: vectors. */
struct vfu_vectors *vfu_vectors_create(u32 count);
void vfu_vectors_destroy(struct vfu_vectors *vectors);

/* Closes all eventfds; nothing is masked or pending any more. */
void vfu_vectors_release(struct vfu_vectors *vectors);

u32 vfu_vectors_count(const struct vfu_vectors *vectors);

/**
 * vfu_vectors_set - execute DEVICE_SET_IRQS for MSI-X
 * @vectors: the vectors
 * @set: the message
 * @len: its bytes
 * @fds: eventfds that came with it; those that are kept become -1
 * @nfds: number of them
 *
 * Return: 0, -EINVAL if the message violates the protocol, -EOPNOTSUPP for eventfds that
 * report masking. On error nothing has changed.
 */
int vfu_vectors_set(struct vfu_vectors *vectors,
		    const struct vfio_user_irq_set *set, size_t len, int *fds,
		    u32 nfds);

/* Return: whether the client was signalled at once. */
bool vfu_vectors_signal(struct vfu_vectors *vectors, u32 vector);
bool vfu_vectors_pending(const struct vfu_vectors *vectors, u32 vector);
void vfu_vectors_clear_pending(struct vfu_vectors *vectors);

#endif /* _VFIO_USER_VECTORS_H */
