/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interrupts of the vfio-user server: one eventfd a MSI-X vector, given by the
 * client, with mask and pending bit.
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
 * vfu_vectors_set - carry out DEVICE_SET_IRQS for MSI-X
 * @vectors: the vectors
 * @set: the message
 * @len: its bytes
 * @fds: eventfds that came with it; those that are kept become -1
 * @nfds: number of them
 *
 * Return: 0, -EINVAL if something about it is not as the protocol has it,
 * -EOPNOTSUPP for eventfds that tell of masking; then nothing has changed.
 */
int vfu_vectors_set(struct vfu_vectors *vectors,
		    const struct vfio_user_irq_set *set, size_t len, int *fds,
		    u32 nfds);

/* Returns whether the client was told at once. */
bool vfu_vectors_signal(struct vfu_vectors *vectors, u32 vector);
bool vfu_vectors_pending(const struct vfu_vectors *vectors, u32 vector);
void vfu_vectors_clear_pending(struct vfu_vectors *vectors);

#endif /* _VFIO_USER_VECTORS_H */
