/* SPDX-License-Identifier: GPL-2.0 */
/*
 * vfio-user messages, as QEMU's docs/interop/vfio-user.rst describes them.
 *
 * All numbers are in the byte order of the machine: both ends run on it. Where
 * the protocol borrows a structure or a constant from the VFIO ioctl interface
 * (argsz, flags of regions and interrupts), <linux/vfio.h> has its meaning;
 * what is named VFIO_ and not VFIO_USER_ below is defined there.
 */
#ifndef _VFIO_USER_PROTOCOL_H
#define _VFIO_USER_PROTOCOL_H

#include <linux/build_bug.h>
#include <linux/types.h>

#define VFIO_USER_MAJOR			0
#define VFIO_USER_MINOR			0

/* What holds for a peer that does not negotiate it. */
#define VFIO_USER_DEFAULT_MAX_XFER	(1024 * 1024)
#define VFIO_USER_DEFAULT_MAX_MAPS	65535
#define VFIO_USER_DEFAULT_PGSIZE	4096

enum vfio_user_command {
	VFIO_USER_VERSION = 1,
	VFIO_USER_DMA_MAP,
	VFIO_USER_DMA_UNMAP,
	VFIO_USER_DEVICE_GET_INFO,
	VFIO_USER_DEVICE_GET_REGION_INFO,
	VFIO_USER_DEVICE_GET_REGION_IO_FDS,
	VFIO_USER_DEVICE_GET_IRQ_INFO,
	VFIO_USER_DEVICE_SET_IRQS,
	VFIO_USER_REGION_READ,
	VFIO_USER_REGION_WRITE,
	VFIO_USER_DMA_READ,		/* server to client */
	VFIO_USER_DMA_WRITE,		/* server to client */
	VFIO_USER_DEVICE_RESET,
	VFIO_USER_REGION_WRITE_MULTI = 15,
	VFIO_USER_DEVICE_FEATURE,
	VFIO_USER_MIG_DATA_READ,
	VFIO_USER_MIG_DATA_WRITE,
};

#define VFIO_USER_F_TYPE		0xf
#define VFIO_USER_F_TYPE_COMMAND	0
#define VFIO_USER_F_TYPE_REPLY		1
#define VFIO_USER_F_NO_REPLY		0x10
#define VFIO_USER_F_ERROR		0x20

/* Every message begins with it; @size counts it too. */
struct vfio_user_header {
	u16 id;
	u16 command;
	u32 size;
	u32 flags;
	u32 error;		/* errno, in a reply with F_ERROR */
};

static_assert(sizeof(struct vfio_user_header) == 16);

/* A NUL-terminated JSON object may follow. */
struct vfio_user_version {
	u16 major;
	u16 minor;
	char data[];
};

static_assert(sizeof(struct vfio_user_version) == 4);

#define VFIO_USER_DMA_F_READ		0x1
#define VFIO_USER_DMA_F_WRITE		0x2

struct vfio_user_dma_map {
	u32 argsz;
	u32 flags;
	u64 offset;		/* into the file that comes with the message */
	u64 iova;
	u64 size;
};

static_assert(sizeof(struct vfio_user_dma_map) == 32);

struct vfio_user_dma_unmap {
	u32 argsz;
	u32 flags;		/* VFIO_DMA_UNMAP_FLAG_ALL */
	u64 iova;
	u64 size;
};

static_assert(sizeof(struct vfio_user_dma_unmap) == 24);

struct vfio_user_device_info {
	u32 argsz;
	u32 flags;		/* VFIO_DEVICE_FLAGS_ */
	u32 num_regions;
	u32 num_irqs;
};

static_assert(sizeof(struct vfio_user_device_info) == 16);

struct vfio_user_region_info {
	u32 argsz;
	u32 flags;		/* VFIO_REGION_INFO_FLAG_ */
	u32 index;
	u32 cap_offset;
	u64 size;
	u64 offset;		/* into the file that comes with the reply */
};

static_assert(sizeof(struct vfio_user_region_info) == 32);

/* Offsets count from the start of struct vfio_user_region_info. */
struct vfio_user_cap_sparse {
	u16 id;			/* VFIO_REGION_INFO_CAP_SPARSE_MMAP */
	u16 version;
	u32 next;
	u32 nr_areas;
	u32 reserved;
};

static_assert(sizeof(struct vfio_user_cap_sparse) == 16);

struct vfio_user_sparse_area {
	u64 offset;
	u64 size;
};

static_assert(sizeof(struct vfio_user_sparse_area) == 16);

struct vfio_user_irq_info {
	u32 argsz;
	u32 flags;		/* VFIO_IRQ_INFO_ */
	u32 index;
	u32 count;
};

static_assert(sizeof(struct vfio_user_irq_info) == 16);

struct vfio_user_irq_set {
	u32 argsz;
	u32 flags;		/* VFIO_IRQ_SET_ */
	u32 index;
	u32 start;
	u32 count;
	u8 data[];		/* booleans with VFIO_IRQ_SET_DATA_BOOL */
};

static_assert(sizeof(struct vfio_user_irq_set) == 20);

struct vfio_user_region_rw {
	u64 offset;
	u32 region;
	u32 count;
	u8 data[];
};

static_assert(sizeof(struct vfio_user_region_rw) == 16);

#define VFIO_USER_MULTI_DATA		8

struct vfio_user_write_one {
	u64 offset;
	u32 region;
	u32 count;
	u8 data[VFIO_USER_MULTI_DATA];
};

static_assert(sizeof(struct vfio_user_write_one) == 24);

struct vfio_user_write_multi {
	u64 count;
	struct vfio_user_write_one writes[];
};

static_assert(sizeof(struct vfio_user_write_multi) == 8);

#endif /* _VFIO_USER_PROTOCOL_H */
