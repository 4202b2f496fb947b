// SPDX-License-Identifier: GPL-2.0
/*
 * A hostile vfio-user client. The input is a program: it connects, sends messages whole or
 * in pieces, with all sorts of files, reads replies or not, disconnects, and makes the
 * function do DMA and raise interrupts. The server must survive, answer in well-formed
 * messages, and close every file by the end.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pci_config.h"
#include "vfio_user/dma.h"
#include "vfio_user/fds.h"
#include "vfio_user/protocol.h"
#include "vfio_user/server.h"

#define VECTORS		8
#define NUM_FILES	4
#define MAX_FDS		20
#define HDR		sizeof(struct vfio_user_header)

struct input {
	const u8 *pos;
	size_t left;
};

struct fuzz {
	struct vfu *vfu;
	struct pci_config *cfg;
	int client;
	int files[NUM_FILES];
	u8 regs[4096];
	size_t want;		/* bytes missing from the reply being read */
};

static u8 take8(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->pos++;
}

static size_t take(struct input *in, void *buf, size_t len)
{
	if (len > in->left)
		len = in->left;
	memcpy(buf, in->pos, len);
	in->pos += len;
	in->left -= len;
	return len;
}

static int fuzz_read(void *ctx, u32 region, u64 off, void *buf, u32 len)
{
	struct fuzz *f = ctx;

	memset(buf, 0, len);
	switch (region) {
	case 0:
		memcpy(buf, f->regs + off, len);
		return 0;
	case PCI_CONFIG_MSIX_BAR:
		return pci_config_msix_read(f->cfg, off, buf, len);
	case VFIO_PCI_CONFIG_REGION_INDEX:
		return pci_config_read(f->cfg, off, buf, len);
	}
	return 0;
}

static int fuzz_write(void *ctx, u32 region, u64 off, const void *buf, u32 len)
{
	struct fuzz *f = ctx;

	if (region == 0)
		memcpy(f->regs + off, buf, len);
	if (region == VFIO_PCI_CONFIG_REGION_INDEX)
		return pci_config_write(f->cfg, off, buf, len);
	return 0;
}

static void fuzz_reset(void *ctx, enum vfu_reset reason)
{
	struct fuzz *f = ctx;

	assert(reason != VFU_RESET_CLIENT_GONE || !dma_count(vfu_dma(f->vfu)));
	pci_config_reset(f->cfg);
}

static void fuzz_flr(void *ctx)
{
	struct fuzz *f = ctx;

	vfu_irq_clear(f->vfu);
}

static bool fuzz_pending(void *ctx, u32 vector)
{
	struct fuzz *f = ctx;

	return vfu_irq_pending(f->vfu, vector);
}

static const struct vfu_ops fuzz_ops = {
	.read = fuzz_read,
	.write = fuzz_write,
	.reset = fuzz_reset,
};

static const struct pci_config_ops fuzz_pci_ops = {
	.flr = fuzz_flr,
	.msix_pending = fuzz_pending,
};

static void fuzz_command(struct fuzz *f, u16 command, const void *data,
			 size_t len, u32 flags, const int *fds, u32 nfds)
{
	u8 buf[HDR + 512];
	struct vfio_user_header header = {
		.command = command, .size = HDR + len, .flags = flags,
	};

	memcpy(buf, &header, HDR);
	memcpy(buf + HDR, data, len);
	fds_send(f->client, buf, HDR + len, fds, nfds);
}

/* Reads all that has arrived, which must be complete replies. */
static void fuzz_drain(struct fuzz *f)
{
	struct vfio_user_header header;
	u8 buf[4096];
	ssize_t n;

	for (;;) {
		while (f->want) {
			n = recv(f->client, buf, f->want < sizeof(buf) ?
				 f->want : sizeof(buf), MSG_DONTWAIT);
			if (n <= 0)
				return;
			f->want -= n;
		}
		n = recv(f->client, &header, HDR, MSG_DONTWAIT);
		if (n <= 0)
			return;
		assert(n == HDR);
		assert((header.flags & VFIO_USER_F_TYPE) ==
		       VFIO_USER_F_TYPE_REPLY);
		assert(header.size >= HDR);
		assert(!(header.flags & VFIO_USER_F_ERROR) ||
		       (header.size == HDR && header.error));
		f->want = header.size - HDR;
	}
}

static void fuzz_connect(struct fuzz *f, bool handshake)
{
	static const char version[] = "\0\0\0\0{\"capabilities\":"
				      "{\"write_multiple\":true}}";
	const int small = 1;	/* Linux raises it to its minimum, 4.5 KiB */
	int fds[2];

	if (f->client >= 0)
		close(f->client);
	while (vfu_connected(f->vfu))
		assert(vfu_process(f->vfu) >= 0);
	assert(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
	assert(!setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &small,
			   sizeof(small)));
	assert(!vfu_attach(f->vfu, fds[0]));
	f->client = fds[1];
	f->want = 0;
	if (handshake)
		fuzz_command(f, VFIO_USER_VERSION, version, sizeof(version), 0,
			     NULL, 0);
}

/* VERSION has the only text of the protocol. */
static void fuzz_version(struct fuzz *f, struct input *in)
{
	u8 data[256] = {};

	fuzz_connect(f, false);
	fuzz_command(f, VFIO_USER_VERSION, data,
		     5 + take(in, data + 4, take8(in) % 250), 0, NULL, 0);
}

/* A message that mostly passes the first checks. */
static void fuzz_message(struct fuzz *f, struct input *in)
{
	u8 command = take8(in), len = take8(in), files = take8(in), data[255];
	int fds[MAX_FDS];
	u32 i, nfds = files & 0x80 ? files % (MAX_FDS + 1) : files & 1;
	u32 flags = files & 0x40 ? VFIO_USER_F_NO_REPLY : 0;

	for (i = 0; i < nfds; i++)
		fds[i] = f->files[(files >> 1) % NUM_FILES];
	memset(data, 0, sizeof(data));
	take(in, data, len);
	fuzz_command(f, command % 20, data, len, flags, fds, nfds);
}

/* Maps one or more pages of the file, at an address from the input. */
static void fuzz_map(struct fuzz *f, struct input *in)
{
	struct vfio_user_dma_map map = {
		.argsz = sizeof(map),
		.flags = take8(in) & 3,
		.offset = (take8(in) & 3) * DMA_PAGE_SIZE,
		.iova = (u64)(s64)(int8_t)take8(in) * DMA_PAGE_SIZE,
		.size = (take8(in) & 7) * DMA_PAGE_SIZE,
	};

	fuzz_command(f, VFIO_USER_DMA_MAP, &map, sizeof(map), 0, f->files,
		     map.size != 5 * DMA_PAGE_SIZE);
}

static void fuzz_unmap(struct fuzz *f, struct input *in)
{
	struct vfio_user_dma_unmap unmap = {
		.argsz = sizeof(unmap),
		.iova = (u64)(s64)(int8_t)take8(in) * DMA_PAGE_SIZE,
		.size = take8(in) * DMA_PAGE_SIZE,
	};

	if (!unmap.iova && !unmap.size)
		unmap.flags = VFIO_DMA_UNMAP_FLAG_ALL;
	fuzz_command(f, VFIO_USER_DMA_UNMAP, &unmap, sizeof(unmap), 0, NULL, 0);
}

/* Regions 0, 2, 4 and configuration space, sometimes out of range. */
static void fuzz_access(struct fuzz *f, struct input *in)
{
	static const u8 regions[] = { 0, 2, 4, 7, 7, 7, 3, 9 };
	u8 how = take8(in), buf[sizeof(struct vfio_user_region_rw) + 8];
	struct vfio_user_region_rw rw = {
		.region = regions[how & 7],
		.offset = take8(in),
		.count = how >> 4 & 7,
	};

	rw.offset |= (u64)take8(in) << 8;
	if (rw.region == VFIO_PCI_CONFIG_REGION_INDEX)
		rw.offset &= 0x3ff;
	if (how & 0x80) {
		rw.count += take8(in) * 16;
		fuzz_command(f, VFIO_USER_REGION_READ, &rw, sizeof(rw), 0,
			     NULL, 0);
		return;
	}
	memset(buf, 0, sizeof(buf));
	memcpy(buf, &rw, sizeof(rw));
	take(in, buf + sizeof(rw), rw.count);
	fuzz_command(f, VFIO_USER_REGION_WRITE, buf, sizeof(rw) + rw.count, 0,
		     NULL, 0);
}

static void fuzz_multi(struct fuzz *f, struct input *in)
{
	struct {
		u64 count;
		struct vfio_user_write_one one[4];
	} multi = { .count = take8(in) % 5 };
	u32 i;

	for (i = 0; i < 4; i++) {
		multi.one[i].region = i & 1 ? VFIO_PCI_CONFIG_REGION_INDEX : 0;
		multi.one[i].offset = take8(in) * 17;
		multi.one[i].count = take8(in) % 10;
		multi.one[i].data[1] = take8(in);
	}
	fuzz_command(f, VFIO_USER_REGION_WRITE_MULTI, &multi,
		     8 + multi.count * sizeof(multi.one[0]), 0, NULL, 0);
}

static void fuzz_query(struct fuzz *f, struct input *in)
{
	u8 how = take8(in);
	u32 words[8] = { take8(in), 0, how >> 4 };

	switch (how & 3) {
	case 0:
		fuzz_command(f, VFIO_USER_DEVICE_GET_INFO, words, 16, 0, NULL,
			     0);
		break;
	case 1:
		fuzz_command(f, VFIO_USER_DEVICE_GET_IRQ_INFO, words, 16, 0,
			     NULL, 0);
		break;
	default:
		fuzz_command(f, VFIO_USER_DEVICE_GET_REGION_INFO, words, 32, 0,
			     NULL, 0);
		break;
	}
}

static void fuzz_irqs(struct fuzz *f, struct input *in)
{
	u8 how = take8(in), range = take8(in), buf[64] = {};
	struct vfio_user_irq_set set = {
		.argsz = sizeof(set), .flags = how & 0x3f,
		.index = VFIO_PCI_MSIX_IRQ_INDEX,
		.start = range & 7, .count = range >> 4,
	};
	u32 i, nfds = 0;
	int fds[16];

	if (how & VFIO_IRQ_SET_DATA_EVENTFD && !(how & 0x40))
		nfds = set.count;
	for (i = 0; i < nfds; i++)
		fds[i] = f->files[how & 0x80 ? i % NUM_FILES : 1];
	if (how & VFIO_IRQ_SET_DATA_BOOL)
		set.argsz += set.count;
	memcpy(buf, &set, sizeof(set));
	take(in, buf + sizeof(set), set.argsz - sizeof(set));
	fuzz_command(f, VFIO_USER_DEVICE_SET_IRQS, buf, set.argsz, 0, fds,
		     nfds);
}

static void fuzz_dma(struct fuzz *f, struct input *in)
{
	u8 how = take8(in), buf[3 * DMA_PAGE_SIZE] = {};
	u64 iova = (u64)(s64)(int8_t)take8(in) * DMA_PAGE_SIZE - take8(in);
	size_t len = take8(in) * 48;
	u64 val;

	switch (how % 4) {
	case 0:
		dma_read(vfu_dma(f->vfu), iova, buf, len);
		break;
	case 1:
		dma_write(vfu_dma(f->vfu), iova, buf, len);
		break;
	case 2:
		dma_read64(vfu_dma(f->vfu), iova, &val);
		break;
	case 3:
		dma_write64(vfu_dma(f->vfu), iova, len);
		break;
	}
}

static void fuzz_step(struct fuzz *f, struct input *in)
{
	u8 what = take8(in), raw[256];

	switch (what & 15) {
	case 0:
		fds_send(f->client, raw, take(in, raw, what), f->files,
			 what >> 7);
		break;
	case 1:
		fuzz_connect(f, what & 0x10);
		break;
	case 2:
		fuzz_drain(f);
		break;
	case 3:
		vfu_irq_raise(f->vfu, what >> 4);
		break;
	case 4:
		fuzz_map(f, in);
		break;
	case 5:
		fuzz_query(f, in);
		break;
	case 6:
		fuzz_unmap(f, in);
		break;
	case 7:
		fuzz_dma(f, in);
		break;
	case 8:
		fuzz_multi(f, in);
		break;
	case 9:
	case 10:
		fuzz_access(f, in);
		break;
	case 11:
	case 12:
		fuzz_irqs(f, in);
		break;
	case 13:
		fuzz_version(f, in);
		break;
	default:
		fuzz_message(f, in);
		break;
	}
	/* Sometimes let messages pile up. */
	if (!(what & 0x80))
		assert(vfu_process(f->vfu) >= 0);
}

static void fuzz_init(struct fuzz *f)
{
	static const struct pci_config_id id = {
		.class = 0x020000, .bar_size = { 4096, 4096 },
		.vectors = VECTORS,
	};
	const u32 rw = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	struct vfu_region regions[VFU_NUM_REGIONS] = {
		[0] = { .size = sizeof(f->regs), .flags = rw },
		[2] = { .size = 4096, .flags = rw, .nr_areas = 1,
			.areas = { { 0, 4096 } } },
		[VFIO_PCI_CONFIG_REGION_INDEX] = {
			.size = PCI_CONFIG_SIZE, .flags = rw },
	};

	memset(f, 0, sizeof(*f));
	f->client = -1;
	f->files[0] = memfd_create("guest", MFD_CLOEXEC);
	assert(!ftruncate(f->files[0], 8 * DMA_PAGE_SIZE));
	f->files[1] = eventfd(0, EFD_CLOEXEC);
	f->files[2] = open("/dev/null", O_RDWR | O_CLOEXEC);
	f->files[3] = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	assert(!pci_config_create(&f->cfg, &id, &fuzz_pci_ops, f));
	regions[2].mmap_fd = f->files[0];
	regions[PCI_CONFIG_MSIX_BAR].size = pci_config_bar_size(f->cfg, 4);
	regions[PCI_CONFIG_MSIX_BAR].flags = rw;
	assert(!vfu_create(&f->vfu, NULL, regions, VECTORS, &fuzz_ops, f));
	fuzz_connect(f, true);
}

static void fuzz_fini(struct fuzz *f)
{
	int i;

	close(f->client);
	vfu_destroy(f->vfu);
	pci_config_destroy(f->cfg);
	for (i = 0; i < NUM_FILES; i++)
		close(f->files[i]);
}

/* The lowest free descriptor. It rises if a file was left open. */
static int fuzz_lowest_fd(void)
{
	int fd = dup(STDERR_FILENO);

	close(fd);
	return fd;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	int lowest = fuzz_lowest_fd();
	struct fuzz f;

	fuzz_init(&f);
	while (in.left)
		fuzz_step(&f, &in);
	fuzz_fini(&f);
	assert(fuzz_lowest_fd() == lowest);
	return 0;
}
