// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "caps.h"
#include "commands.h"
#include "dma.h"
#include "vectors.h"

static int vfu_version(struct vfu_function *fn, struct vfu_msg *msg)
{
	static const struct caps_limits limits = {
		.max_msg_fds = FDS_MAX,
		.max_xfer = VFU_MAX_XFER,
		.max_maps = VFU_MAX_MAPS,
		.pgsizes = DMA_PAGE_SIZE,
	};
	const struct vfio_user_version *in = msg->data;
	size_t text_len = msg->len - sizeof(*in);
	struct vfio_user_version *out = msg->reply;
	const size_t room = VFU_MAX_XFER;
	u32 proposed = 0;

	if (fn->negotiated)
		return -EINVAL;
	if (in->major != VFIO_USER_MAJOR)
		return -EPROTONOSUPPORT;
	if (text_len) {
		/* One NUL, at the end. */
		if (memchr(in->data, 0, text_len) != in->data + text_len - 1 ||
		    caps_parse(in->data, &proposed))
			return -EINVAL;
	}

	out->major = VFIO_USER_MAJOR;
	out->minor = VFIO_USER_MINOR;
	msg->reply_len = sizeof(*out) + 1 +
			 caps_print(out->data, room, proposed, &limits);
	fn->negotiated = true;
	return 0;
}

static int vfu_dma_map(struct vfu_function *fn, struct vfu_msg *msg)
{
	int fd = msg->fds->count ? msg->fds->fd[0] : -1;
	const struct vfio_user_dma_map *in = msg->data;
	u32 prot = 0;

	if (in->argsz != sizeof(*in) ||
	    in->flags & ~(VFIO_USER_DMA_F_READ | VFIO_USER_DMA_F_WRITE))
		return -EINVAL;
	if (in->flags & VFIO_USER_DMA_F_READ)
		prot |= DMA_PROT_READ;
	if (in->flags & VFIO_USER_DMA_F_WRITE)
		prot |= DMA_PROT_WRITE;

	return dma_map(fn->dma, in->iova, in->size, prot, fd, in->offset);
}

static int vfu_dma_unmap(struct vfu_function *fn, struct vfu_msg *msg)
{
	const struct vfio_user_dma_unmap *in = msg->data;
	int err;

	if (in->argsz < sizeof(*in) || in->flags & ~VFIO_DMA_UNMAP_FLAG_ALL)
		return -EINVAL;

	if (in->flags & VFIO_DMA_UNMAP_FLAG_ALL) {
		if (in->iova || in->size)
			return -EINVAL;
		dma_unmap_all(fn->dma);
	} else {
		err = dma_unmap(fn->dma, in->iova, in->size);
		if (err)
			return err;
	}

	memcpy(msg->reply, in, sizeof(*in));
	msg->reply_len = sizeof(*in);
	return 0;
}

static int vfu_device_info(struct vfu_function *fn, struct vfu_msg *msg)
{
	const struct vfio_user_device_info *in = msg->data;
	struct vfio_user_device_info *out = msg->reply;

	(void)fn;
	if (in->argsz < sizeof(*out))
		return -EINVAL;

	out->argsz = sizeof(*out);
	out->flags = VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI;
	out->num_regions = VFU_NUM_REGIONS;
	out->num_irqs = VFIO_PCI_NUM_IRQS;
	msg->reply_len = sizeof(*out);
	return 0;
}

/* Appends the list of mappable areas. Returns its length. */
static size_t vfu_sparse_areas(const struct vfu_region *region, void *buf)
{
	struct vfio_user_cap_sparse *cap = buf;
	struct vfio_user_sparse_area *area = (void *)(cap + 1);
	u32 i;

	memset(cap, 0, sizeof(*cap));
	cap->id = VFIO_REGION_INFO_CAP_SPARSE_MMAP;
	cap->version = 1;
	cap->nr_areas = region->nr_areas;
	for (i = 0; i < region->nr_areas; i++) {
		area[i].offset = region->areas[i].offset;
		area[i].size = region->areas[i].size;
	}
	return sizeof(*cap) + region->nr_areas * sizeof(*area);
}

static int vfu_region_info(struct vfu_function *fn, struct vfu_msg *msg)
{
	const struct vfio_user_region_info *in = msg->data;
	struct vfio_user_region_info *out = msg->reply;
	const struct vfu_region *region;

	if (in->argsz < sizeof(*out) || in->index >= VFU_NUM_REGIONS)
		return -EINVAL;

	region = &fn->regions[in->index];
	memset(out, 0, sizeof(*out));
	out->argsz = sizeof(*out);
	out->flags = region->flags;
	out->index = in->index;
	out->size = region->size;
	if (region->nr_areas) {
		/* QEMU checks cap_offset even where the list was cut off. */
		out->flags |= VFIO_REGION_INFO_FLAG_MMAP |
			      VFIO_REGION_INFO_FLAG_CAPS;
		out->cap_offset = sizeof(*out);
		out->argsz += vfu_sparse_areas(region, out + 1);
		msg->reply_fd = region->mmap_fd;
	}
	msg->reply_len = in->argsz < out->argsz ? sizeof(*out) : out->argsz;
	return 0;
}

static int vfu_irq_info(struct vfu_function *fn, struct vfu_msg *msg)
{
	const struct vfio_user_irq_info *in = msg->data;
	struct vfio_user_irq_info *out = msg->reply;

	if (in->argsz < sizeof(*out) || in->index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;

	memset(out, 0, sizeof(*out));
	out->argsz = sizeof(*out);
	out->index = in->index;
	if (in->index == VFIO_PCI_MSIX_IRQ_INDEX) {
		out->flags = VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_MASKABLE;
		out->count = vfu_vectors_count(fn->vectors);
	}
	msg->reply_len = sizeof(*out);
	return 0;
}

static int vfu_set_irqs(struct vfu_function *fn, struct vfu_msg *msg)
{
	const struct vfio_user_irq_set *in = msg->data;

	if (in->index != VFIO_PCI_MSIX_IRQ_INDEX)
		return -EINVAL;
	return vfu_vectors_set(fn->vectors, in, msg->len, msg->fds->fd,
			       msg->fds->count);
}

/* 0 if the region exists, allows the access, and holds all of it. */
static int vfu_check_access(const struct vfu_function *fn, u32 index, u64 off,
			    u32 count, u32 flag)
{
	const struct vfu_region *region;

	if (index >= VFU_NUM_REGIONS || !count || count > VFU_MAX_XFER)
		return -EINVAL;
	region = &fn->regions[index];
	if (off > region->size || count > region->size - off)
		return -EINVAL;
	return region->flags & flag ? 0 : -EPERM;
}

static int vfu_region_read(struct vfu_function *fn, struct vfu_msg *msg)
{
	const struct vfio_user_region_rw *in = msg->data;
	struct vfio_user_region_rw *out = msg->reply;
	int err;

	err = vfu_check_access(fn, in->region, in->offset, in->count,
			       VFIO_REGION_INFO_FLAG_READ);
	if (err)
		return err;

	memcpy(out, in, sizeof(*out));
	msg->reply_len = sizeof(*out) + in->count;
	return fn->ops->read(fn->ctx, in->region, in->offset, out->data,
			      in->count);
}

static int vfu_region_write(struct vfu_function *fn, struct vfu_msg *msg)
{
	const struct vfio_user_region_rw *in = msg->data;
	int err;

	if (in->count != msg->len - sizeof(*in))
		return -EINVAL;
	err = vfu_check_access(fn, in->region, in->offset, in->count,
			       VFIO_REGION_INFO_FLAG_WRITE);
	if (err)
		return err;

	memcpy(msg->reply, in, sizeof(*in));
	msg->reply_len = sizeof(*in);
	return fn->ops->write(fn->ctx, in->region, in->offset, in->data,
			       in->count);
}

/* All writes are looked at before the first is done. */
static int vfu_write_multi(struct vfu_function *fn, struct vfu_msg *msg)
{
	const struct vfio_user_write_multi *in = msg->data;
	size_t room = msg->len - sizeof(*in);
	const struct vfio_user_write_one *one;
	u64 i;
	int err;

	if (in->count > room / sizeof(*one) ||
	    in->count * sizeof(*one) != room)
		return -EINVAL;
	for (i = 0; i < in->count; i++) {
		one = &in->writes[i];
		if (one->count > sizeof(one->data))
			return -EINVAL;
		err = vfu_check_access(fn, one->region, one->offset,
				       one->count, VFIO_REGION_INFO_FLAG_WRITE);
		if (err)
			return err;
	}

	for (i = 0; i < in->count; i++) {
		one = &in->writes[i];
		err = fn->ops->write(fn->ctx, one->region, one->offset,
				      one->data, one->count);
		if (err)
			return err;
	}

	memcpy(msg->reply, in, sizeof(*in));
	msg->reply_len = sizeof(*in);
	return 0;
}

static int vfu_device_reset(struct vfu_function *fn, struct vfu_msg *msg)
{
	(void)msg;
	vfu_vectors_clear_pending(fn->vectors);
	fn->ops->reset(fn->ctx, VFU_RESET_REQUEST);
	return 0;
}

static int vfu_unsupported(struct vfu_function *fn, struct vfu_msg *msg)
{
	(void)fn;
	(void)msg;
	return -EOPNOTSUPP;
}

/**
 * struct vfu_command - what a command may look like
 * @handle: 0 or -errno; the reply is sent by the caller
 * @min: shortest payload
 * @max: longest payload
 * @fds: most files
 */
static const struct vfu_command {
	int (*handle)(struct vfu_function *fn, struct vfu_msg *msg);
	size_t min;
	size_t max;
	u32 fds;
} vfu_commands[] = {
	[VFIO_USER_VERSION] = {
		vfu_version, sizeof(struct vfio_user_version), 4096, 0 },
	[VFIO_USER_DMA_MAP] = {
		vfu_dma_map, sizeof(struct vfio_user_dma_map),
		sizeof(struct vfio_user_dma_map), 1 },
	[VFIO_USER_DMA_UNMAP] = {
		vfu_dma_unmap, sizeof(struct vfio_user_dma_unmap),
		sizeof(struct vfio_user_dma_unmap), 0 },
	[VFIO_USER_DEVICE_GET_INFO] = {
		vfu_device_info, sizeof(struct vfio_user_device_info),
		sizeof(struct vfio_user_device_info), 0 },
	[VFIO_USER_DEVICE_GET_REGION_INFO] = {
		vfu_region_info, sizeof(struct vfio_user_region_info),
		sizeof(struct vfio_user_region_info), 0 },
	[VFIO_USER_DEVICE_GET_REGION_IO_FDS] = {
		vfu_unsupported, 0, VFU_MAX_MSG, 0 },
	[VFIO_USER_DEVICE_GET_IRQ_INFO] = {
		vfu_irq_info, sizeof(struct vfio_user_irq_info),
		sizeof(struct vfio_user_irq_info), 0 },
	[VFIO_USER_DEVICE_SET_IRQS] = {
		vfu_set_irqs, sizeof(struct vfio_user_irq_set), VFU_MAX_MSG,
		FDS_MAX },
	[VFIO_USER_REGION_READ] = {
		vfu_region_read, sizeof(struct vfio_user_region_rw),
		sizeof(struct vfio_user_region_rw), 0 },
	[VFIO_USER_REGION_WRITE] = {
		vfu_region_write, sizeof(struct vfio_user_region_rw),
		VFU_MAX_MSG, 0 },
	[VFIO_USER_DEVICE_RESET] = { vfu_device_reset, 0, 0, 0 },
	[VFIO_USER_REGION_WRITE_MULTI] = {
		vfu_write_multi, sizeof(struct vfio_user_write_multi),
		VFU_MAX_MSG, 0 },
	[VFIO_USER_DEVICE_FEATURE] = { vfu_unsupported, 0, VFU_MAX_MSG, 0 },
	[VFIO_USER_MIG_DATA_READ] = { vfu_unsupported, 0, VFU_MAX_MSG, 0 },
	[VFIO_USER_MIG_DATA_WRITE] = { vfu_unsupported, 0, VFU_MAX_MSG, 0 },
};

int vfu_execute(struct vfu_function *fn, const struct vfio_user_header *header,
		struct vfu_msg *msg)
{
	const struct vfu_command *command;

	if ((header->flags & VFIO_USER_F_TYPE) != VFIO_USER_F_TYPE_COMMAND)
		return -EINVAL;
	if (header->command >= sizeof(vfu_commands) / sizeof(vfu_commands[0]) ||
	    !vfu_commands[header->command].handle)
		return -ENOSYS;
	if (!fn->negotiated && header->command != VFIO_USER_VERSION)
		return -EINVAL;

	command = &vfu_commands[header->command];
	if (msg->len < command->min || msg->len > command->max ||
	    msg->fds->count > command->fds || msg->fds->lost)
		return -EINVAL;
	return command->handle(fn, msg);
}
