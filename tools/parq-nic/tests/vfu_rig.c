// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <dirent.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "vfio_user/dma.h"
#include "vfio_user/fds.h"
#include "vfu_rig.h"

static int count_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static int rig_read(void *ctx, u32 region, u64 off, void *buf, u32 len)
{
	struct rig *rig = ctx;

	if (region == 0)
		memcpy(buf, rig->regs + off, len);
	else
		memset(buf, region, len);
	return rig->fail;
}

static int rig_write(void *ctx, u32 region, u64 off, const void *buf, u32 len)
{
	struct rig *rig = ctx;

	rig->writes++;
	if (region == 0 && !rig->fail)
		memcpy(rig->regs + off, buf, len);
	return rig->fail;
}

static void rig_reset(void *ctx, enum vfu_reset reason)
{
	struct rig *rig = ctx;

	rig->resets++;
	rig->reason = reason;
	rig->maps_at_reset = dma_count(vfu_dma(rig->vfu));
}

const struct vfu_ops rig_ops = {
	.read = rig_read,
	.write = rig_write,
	.reset = rig_reset,
};

void rig_regions(const struct rig *rig, struct vfu_region *regions)
{
	const u32 rw = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;

	memset(regions, 0, VFU_NUM_REGIONS * sizeof(*regions));
	regions[0] = (struct vfu_region){ .size = RIG_REGS_SIZE, .flags = rw };
	regions[2] = (struct vfu_region){
		.size = 4 * RIG_PAGE,
		.flags = rw,
		.mmap_fd = rig->shared,
		.nr_areas = 2,
		.areas = { { 0, RIG_PAGE }, { 2 * RIG_PAGE, RIG_PAGE } },
	};
	regions[3] = (struct vfu_region){
		.size = RIG_PAGE,
		.flags = VFIO_REGION_INFO_FLAG_READ,
	};
	regions[VFIO_PCI_CONFIG_REGION_INDEX] = (struct vfu_region){
		.size = RIG_PAGE,
		.flags = rw,
	};
}

void rig_pump(struct rig *rig)
{
	struct pollfd pfd = { .fd = vfu_fd(rig->vfu), .events = POLLIN };

	while (poll(&pfd, 1, 0) > 0)
		assert_true(vfu_process(rig->vfu) >= 0);
}

void rig_send(struct rig *rig, const void *buf, size_t len, const int *fds,
	      u32 nfds)
{
	assert_int_equal(fds_send(rig->client, buf, len, fds, nfds), len);
}

bool rig_reply(struct rig *rig, struct reply *reply)
{
	struct fds fds = {};
	size_t got = 0;
	ssize_t n;

	n = fds_recv(rig->client, &reply->header, RIG_HDR, &fds);
	if (n <= 0)
		return false;
	/* QEMU disconnects if a header arrives in pieces. */
	assert_int_equal(n, RIG_HDR);
	assert_true(fds.count <= 1);
	reply->fd = fds.count ? fds.fd[0] : -1;
	reply->len = reply->header.size - RIG_HDR;
	assert_true(reply->len <= sizeof(reply->data));
	while (got < reply->len) {
		n = recv(rig->client, reply->data + got, reply->len - got,
			 MSG_DONTWAIT);
		assert_true(n > 0);
		got += n;
		rig_pump(rig);
	}
	return true;
}

void rig_command(struct rig *rig, u16 command, u32 flags, const void *data,
		 size_t len, const int *fds, u32 nfds)
{
	u8 buf[8192];
	struct vfio_user_header header = {
		.id = command * 3,
		.command = command,
		.size = RIG_HDR + len,
		.flags = flags,
	};

	assert_true(RIG_HDR + len <= sizeof(buf));
	memcpy(buf, &header, RIG_HDR);
	if (len)
		memcpy(buf + RIG_HDR, data, len);
	rig_send(rig, buf, RIG_HDR + len, fds, nfds);
	rig_pump(rig);
}

int rig_call_fds(struct rig *rig, u16 command, const void *data, size_t len,
		 const int *fds, u32 nfds, struct reply *reply)
{
	static struct reply scratch;

	if (!reply)
		reply = &scratch;
	rig_command(rig, command, 0, data, len, fds, nfds);
	assert_true(rig_reply(rig, reply));
	assert_int_equal(reply->header.id, (u16)(command * 3));
	assert_int_equal(reply->header.command, command);
	if (reply->header.flags == VFIO_USER_F_TYPE_REPLY) {
		assert_int_equal(reply->header.error, 0);
		return 0;
	}
	assert_int_equal(reply->header.flags,
			 VFIO_USER_F_TYPE_REPLY | VFIO_USER_F_ERROR);
	assert_int_not_equal(reply->header.error, 0);
	assert_int_equal(reply->len, 0);
	assert_int_equal(reply->fd, -1);
	return reply->header.error;
}

int rig_call(struct rig *rig, u16 command, const void *data, size_t len,
	     struct reply *reply)
{
	return rig_call_fds(rig, command, data, len, NULL, 0, reply);
}

int rig_hello(struct rig *rig, u16 major, const char *caps, size_t len,
	      struct reply *reply)
{
	u8 buf[8192] = {};
	struct vfio_user_version version = { .major = major, .minor = 5 };

	memcpy(buf, &version, sizeof(version));
	if (len)
		memcpy(buf + sizeof(version), caps, len);
	return rig_call(rig, VFIO_USER_VERSION, buf, sizeof(version) + len,
			reply);
}

int rig_hello_qemu(struct rig *rig, struct reply *reply)
{
	return rig_hello(rig, 0, RIG_QEMU_CAPS, sizeof(RIG_QEMU_CAPS), reply);
}

void rig_connect(struct rig *rig)
{
	int fds[2];

	assert_int_equal(
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	assert_int_equal(vfu_attach(rig->vfu, fds[0]), 0);
	rig->client = fds[1];
}

void rig_leave(struct rig *rig)
{
	close(rig->client);
	rig->client = -1;
	rig_pump(rig);
}

bool rig_hung_up(struct rig *rig)
{
	char byte;

	return recv(rig->client, &byte, 1, MSG_DONTWAIT) == 0;
}

int rig_write_region(struct rig *rig, u32 region, u64 off, u32 count,
		     size_t len)
{
	u8 buf[sizeof(struct vfio_user_region_rw) + 64];
	struct vfio_user_region_rw rw = {
		.offset = off,
		.region = region,
		.count = count,
	};

	memcpy(buf, &rw, sizeof(rw));
	memset(buf + sizeof(rw), 0x5a, 64);
	return rig_call(rig, VFIO_USER_REGION_WRITE, buf, sizeof(rw) + len,
			NULL);
}

int rig_read_region(struct rig *rig, u32 region, u64 off, u32 count,
		    struct reply *reply)
{
	struct vfio_user_region_rw rw = {
		.offset = off,
		.region = region,
		.count = count,
	};

	return rig_call(rig, VFIO_USER_REGION_READ, &rw, sizeof(rw), reply);
}

int rig_set_irqs(struct rig *rig, u32 flags, u32 start, u32 count,
		 const void *data, size_t len, const int *fds, u32 nfds)
{
	u8 buf[64];
	struct vfio_user_irq_set set = {
		.argsz = sizeof(set) + len,
		.flags = flags,
		.index = VFIO_PCI_MSIX_IRQ_INDEX,
		.start = start,
		.count = count,
	};

	memcpy(buf, &set, sizeof(set));
	if (len)
		memcpy(buf + sizeof(set), data, len);
	return rig_call_fds(rig, VFIO_USER_DEVICE_SET_IRQS, buf,
			    sizeof(set) + len, fds, nfds, NULL);
}

u64 rig_take(int fd)
{
	u64 n = 0;

	return read(fd, &n, sizeof(n)) < 0 ? 0 : n;
}

int rig_create_at(struct rig *rig, const char *path, struct vfu **vfu)
{
	struct vfu_region regions[VFU_NUM_REGIONS];

	rig_regions(rig, regions);
	return vfu_create(vfu, path, regions, RIG_VECTORS, &rig_ops, rig);
}

int rig_setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	rig->files = count_files();
	rig->regs = calloc(1, RIG_REGS_SIZE);
	rig->shared = memfd_create("shared", MFD_CLOEXEC);
	assert_int_equal(ftruncate(rig->shared, 4 * RIG_PAGE), 0);
	assert_int_equal(rig_create_at(rig, NULL, &rig->vfu), 0);
	rig_connect(rig);
	*state = rig;
	return 0;
}

int rig_setup_agreed(void **state)
{
	rig_setup(state);
	return rig_hello_qemu(*state, NULL);
}

int rig_teardown(void **state)
{
	struct rig *rig = *state;
	int files;

	if (rig->client >= 0)
		close(rig->client);
	vfu_destroy(rig->vfu);
	close(rig->shared);
	if (rig->dir[0]) {
		unlink(rig->path);
		rmdir(rig->dir);
	}
	files = rig->files;
	free(rig->regs);
	free(rig);
	assert_int_equal(count_files(), files);
	return 0;
}
