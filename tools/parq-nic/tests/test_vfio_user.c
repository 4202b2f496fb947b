// SPDX-License-Identifier: GPL-2.0
/* Commands of the vfio-user protocol: effects and refusals. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "vfio_user/dma.h"
#include "vfu_rig.h"

/* ---- version ----------------------------------------------------------- */

static void test_version(void **state)
{
	struct rig *rig = *state;
	struct reply reply;

	assert_int_equal(rig_hello_qemu(rig, &reply), 0);
	assert_int_equal(reply.data[reply.len - 1], 0);
	assert_memory_equal(reply.data, "\0\0\0\0", 4);
	assert_string_equal(reply.data + 4,
			    "{\"capabilities\":{"
			    "\"max_msg_fds\":16,\"max_data_xfer_size\":1048576,"
			    "\"max_dma_maps\":32768,\"pgsizes\":4096,"
			    "\"write_multiple\":true}}");
	/* QEMU rejects a reply longer than its request. */
	assert_true(reply.len - 4 <= sizeof(RIG_QEMU_CAPS));
	/* A second VERSION is refused. */
	assert_int_equal(rig_hello_qemu(rig, NULL), EINVAL);
	assert_true(vfu_connected(rig->vfu));
}

static void test_version_subset(void **state)
{
	static const struct {
		const char *in, *out;
	} texts[] = {
		{ "{}", "{\"capabilities\":{}}" },
		{ " { } ", "{\"capabilities\":{}}" },
		{ "{\"capabilities\":{}}", "{\"capabilities\":{}}" },
		{ "{\"capabilities\":{\"pgsizes\":1}}",
		  "{\"capabilities\":{\"pgsizes\":4096}}" },
		/* A capability outside of "capabilities", or deeper in it, is not proposed. */
		{ "{\"x\":{\"pgsizes\":1},\"pgsizes\":[1,2]}",
		  "{\"capabilities\":{}}" },
		{ "{\"capabilities\":{\"a\":{\"pgsizes\":1},\"b\":null,"
		  "\"c\":\"\\\"pgsizes\\\"\",\"write_multiple\":true}}",
		  "{\"capabilities\":{\"write_multiple\":true}}" },
	};
	struct rig *rig = *state;
	struct reply reply;
	size_t i;

	assert_int_equal(rig_hello(rig, 0, NULL, 0, &reply), 0);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		rig_leave(rig);
		rig_connect(rig);
		assert_int_equal(rig_hello(rig, 0, texts[i].in,
					   strlen(texts[i].in) + 1, &reply),
				 0);
		assert_string_equal(reply.data + 4, texts[i].out);
	}
}

static void test_version_refused(void **state)
{
	static const char * const texts[] = {
		"", " ", "{", "}", "[]", "1", "null", "\"{}\"", "{}{}", "{} x",
		"{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a:1}",
		"{\"a\":[1,2}", "{\"a\":\"\\", "{\"a\":\"\n\"}", "{\"a\":1]",
		"{\"a\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}",
	};
	struct rig *rig = *state;
	char deep[4000];
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(rig_hello(rig, 0, texts[i],
					   strlen(texts[i]) + 1, NULL),
				 EINVAL);
		assert_true(rig_hung_up(rig));
		assert_false(vfu_connected(rig->vfu));
		rig_leave(rig);
		rig_connect(rig);
	}
	memset(deep, '[', sizeof(deep));
	memcpy(deep, "{\"a\":", 5);
	deep[sizeof(deep) - 1] = 0;
	assert_int_equal(rig_hello(rig, 0, deep, sizeof(deep), NULL), EINVAL);
	rig_leave(rig);

	/* No NUL, two NULs, too long, another major version, too short. */
	rig_connect(rig);
	assert_int_equal(rig_hello(rig, 0, "{}", 2, NULL), EINVAL);
	rig_leave(rig);
	rig_connect(rig);
	assert_int_equal(rig_hello(rig, 0, "{}\0", 4, NULL), EINVAL);
	rig_leave(rig);
	rig_connect(rig);
	memset(deep, ' ', sizeof(deep));
	assert_int_equal(rig_call(rig, VFIO_USER_VERSION, (u8[4097]) {}, 4097,
				  NULL),
			 EINVAL);
	rig_leave(rig);
	rig_connect(rig);
	assert_int_equal(rig_hello(rig, 1, RIG_QEMU_CAPS, sizeof(RIG_QEMU_CAPS),
				   NULL),
			 EPROTONOSUPPORT);
	rig_leave(rig);
	rig_connect(rig);
	assert_int_equal(rig_call(rig, VFIO_USER_VERSION, "abc", 3, NULL),
			 EINVAL);
}

static void test_version_comes_first(void **state)
{
	struct vfio_user_device_info info = { .argsz = sizeof(info) };
	struct rig *rig = *state;

	assert_int_equal(RIG_CALL(rig, DEVICE_GET_INFO, info, NULL), EINVAL);
	assert_true(rig_hung_up(rig));
}

/* ---- information ------------------------------------------------------- */

static void test_device_info(void **state)
{
	struct vfio_user_device_info info = { .argsz = sizeof(info) };
	struct rig *rig = *state;
	struct reply reply;

	assert_int_equal(RIG_CALL(rig, DEVICE_GET_INFO, info, &reply), 0);
	memcpy(&info, reply.data, sizeof(info));
	assert_int_equal(reply.len, sizeof(info));
	assert_int_equal(info.flags,
			 VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI);
	assert_int_equal(info.num_regions, 9);
	assert_int_equal(info.num_irqs, 5);

	info.argsz = sizeof(info) - 1;
	assert_int_equal(RIG_CALL(rig, DEVICE_GET_INFO, info, NULL), EINVAL);
	info.argsz = sizeof(info);
	assert_int_equal(rig_call(rig, VFIO_USER_DEVICE_GET_INFO, &info,
				  sizeof(info) - 1, NULL),
			 EINVAL);
	assert_int_equal(RIG_CALL_FDS(rig, DEVICE_GET_INFO, info, &rig->shared,
				      1, NULL),
			 EINVAL);
}

static void test_region_info(void **state)
{
	struct vfio_user_region_info info = { .argsz = 32 };
	struct vfio_user_sparse_area areas[2];
	struct vfio_user_cap_sparse cap;
	struct rig *rig = *state;
	struct stat here, there;
	struct reply reply;

	assert_int_equal(RIG_CALL(rig, DEVICE_GET_REGION_INFO, info, &reply),
			 0);
	memcpy(&info, reply.data, sizeof(info));
	assert_int_equal(info.size, RIG_REGS_SIZE);
	assert_int_equal(info.argsz, 32);
	assert_int_equal(info.flags, VFIO_REGION_INFO_FLAG_READ |
					     VFIO_REGION_INFO_FLAG_WRITE);
	assert_int_equal(reply.fd, -1);

	/* With too little room for the areas, the reply has the size needed. */
	info = (struct vfio_user_region_info){ .argsz = 32, .index = 2 };
	assert_int_equal(RIG_CALL(rig, DEVICE_GET_REGION_INFO, info, &reply),
			 0);
	memcpy(&info, reply.data, sizeof(info));
	assert_int_equal(reply.len, 32);
	assert_int_equal(info.argsz, 80);
	assert_int_equal(info.cap_offset, 32);
	close(reply.fd);

	info = (struct vfio_user_region_info){ .argsz = 80, .index = 2 };
	assert_int_equal(RIG_CALL(rig, DEVICE_GET_REGION_INFO, info, &reply),
			 0);
	assert_int_equal(reply.len, 80);
	memcpy(&info, reply.data, sizeof(info));
	memcpy(&cap, reply.data + 32, sizeof(cap));
	memcpy(areas, reply.data + 48, sizeof(areas));
	assert_true(info.flags & VFIO_REGION_INFO_FLAG_MMAP);
	assert_int_equal(cap.id, VFIO_REGION_INFO_CAP_SPARSE_MMAP);
	assert_int_equal(cap.next, 0);
	assert_int_equal(cap.nr_areas, 2);
	assert_int_equal(areas[1].offset, 2 * RIG_PAGE);
	assert_int_equal(areas[1].size, RIG_PAGE);
	assert_int_equal(fstat(reply.fd, &there), 0);
	assert_int_equal(fstat(rig->shared, &here), 0);
	assert_int_equal(here.st_ino, there.st_ino);
	close(reply.fd);

	info = (struct vfio_user_region_info){ .argsz = 32, .index = 9 };
	assert_int_equal(RIG_CALL(rig, DEVICE_GET_REGION_INFO, info, NULL),
			 EINVAL);
	info = (struct vfio_user_region_info){ .argsz = 31 };
	assert_int_equal(RIG_CALL(rig, DEVICE_GET_REGION_INFO, info, NULL),
			 EINVAL);
}

static void test_irq_info(void **state)
{
	struct rig *rig = *state;
	struct reply reply;
	u32 i;

	for (i = 0; i < 5; i++) {
		struct vfio_user_irq_info info = { .argsz = 16, .index = i };

		assert_int_equal(
			RIG_CALL(rig, DEVICE_GET_IRQ_INFO, info, &reply), 0);
		memcpy(&info, reply.data, sizeof(info));
		assert_int_equal(info.count, i == VFIO_PCI_MSIX_IRQ_INDEX ?
				 RIG_VECTORS : 0);
	}
	assert_int_equal(rig_call(rig, VFIO_USER_DEVICE_GET_IRQ_INFO,
				  (u32[]){ 16, 0, 5, 0 }, 16, NULL),
			 EINVAL);
	assert_int_equal(rig_call(rig, VFIO_USER_DEVICE_GET_IRQ_INFO,
				  (u32[]){ 15, 0, 0, 0 }, 16, NULL),
			 EINVAL);
}

/* ---- regions ----------------------------------------------------------- */

static void test_region_access(void **state)
{
	struct rig *rig = *state;
	struct reply reply;

	assert_int_equal(rig_write_region(rig, 0, 8, 4, 4), 0);
	assert_int_equal(rig_write_region(rig, 0, RIG_REGS_SIZE - 3, 3, 3), 0);
	assert_int_equal(rig->writes, 2);
	assert_int_equal(rig_read_region(rig, 0, 7, 6, &reply), 0);
	assert_int_equal(reply.len, sizeof(struct vfio_user_region_rw) + 6);
	assert_memory_equal(reply.data + 16, "\0ZZZZ\0", 6);
	/* Mappable parts are accessible by message, too. */
	assert_int_equal(rig_read_region(rig, 2, 0, 4, &reply), 0);
	assert_memory_equal(reply.data + 16, "\2\2\2\2", 4);
}

static void test_region_out_of_range(void **state)
{
	static const struct {
		u64 off;
		u32 region, count;
	} bad[] = {
		{ 0, 1, 4 }, /* no such BAR */
		{ 0, 9, 4 },
		{ 0, -1, 4 },
		{ 0, 0, 0 },
		{ RIG_REGS_SIZE, 0, 1 },
		{ RIG_REGS_SIZE - 3, 0, 4 },
		{ -1, 0, 4 },
		{ -4, 0, 4 },
		{ 0, VFIO_PCI_CONFIG_REGION_INDEX, RIG_PAGE + 1 },
		{ 0, 0, (1 << 20) + 1 }, /* more than agreed */
		{ 0, 0, -1 },
	};
	struct rig *rig = *state;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(rig_read_region(rig, bad[i].region, bad[i].off,
						 bad[i].count, NULL),
				 EINVAL);
		if (bad[i].count <= 64)
			assert_int_equal(
				rig_write_region(rig, bad[i].region, bad[i].off,
						 bad[i].count, bad[i].count),
				EINVAL);
	}
	assert_int_equal(rig_write_region(rig, 3, 0, 4, 4), EPERM);
	assert_int_equal(rig_read_region(rig, 3, 0, 4, NULL), 0);
	/* The count differs from the length of the data. */
	assert_int_equal(rig_write_region(rig, 0, 0, 4, 3), EINVAL);
	assert_int_equal(rig_write_region(rig, 0, 0, 4, 8), EINVAL);
	assert_int_equal(rig_write_region(rig, 0, 0, -1, 8), EINVAL);
	assert_int_equal(rig->writes, 0);
	assert_true(vfu_connected(rig->vfu));

	rig->fail = -EIO;
	assert_int_equal(rig_write_region(rig, 0, 0, 4, 4), EIO);
	assert_int_equal(rig_read_region(rig, 0, 0, 4, NULL), EIO);
}

static void test_longest_read(void **state)
{
	const size_t count = 1 << 20;
	struct vfio_user_region_rw rw = { .count = count };
	size_t want = RIG_HDR + sizeof(rw) + count, got = 0;
	struct rig *rig = *state;
	u8 *buf = malloc(want);
	size_t i;

	for (i = 0; i < count; i++)
		rig->regs[i] = i * 13 >> 3;
	/* The socket does not accept all of it at once. The server must not block. */
	rig_command(rig, VFIO_USER_REGION_READ, 0, &rw, sizeof(rw), NULL, 0);
	while (got < want) {
		ssize_t n =
			recv(rig->client, buf + got, want - got, MSG_DONTWAIT);

		if (n > 0)
			got += n;
		rig_pump(rig);
	}
	assert_memory_equal(buf + RIG_HDR + sizeof(rw), rig->regs, count);
	free(buf);
}

static void test_no_reply(void **state)
{
	u8 buf[sizeof(struct vfio_user_region_rw) + 4] = {};
	struct vfio_user_region_rw rw = { .count = 4 };
	struct rig *rig = *state;
	struct reply reply;

	memcpy(buf, &rw, sizeof(rw));
	rig_command(rig, VFIO_USER_REGION_WRITE, VFIO_USER_F_NO_REPLY, buf,
		    sizeof(buf), NULL, 0);
	assert_false(rig_reply(rig, &reply));
	assert_int_equal(rig->writes, 1);
	/* No reply, not even for an error. */
	rig_command(rig, VFIO_USER_REGION_WRITE, VFIO_USER_F_NO_REPLY, buf,
		    sizeof(buf) - 1, NULL, 0);
	rig_command(rig, 99, VFIO_USER_F_NO_REPLY, NULL, 0, NULL, 0);
	assert_false(rig_reply(rig, &reply));
	assert_int_equal(vfu_stats(rig->vfu)->errors, 2);
}

static void test_write_multi(void **state)
{
	struct {
		u64 count;
		struct vfio_user_write_one one[3];
	} multi = {
		.count = 3,
		.one = {
			{ 0, 0, 4, "aaaa" }, { 8, 0, 8, "bbbbbbbb" },
			{ 4, 0, 1, "c" },
		},
	};
	struct rig *rig = *state;
	struct reply reply;

	assert_int_equal(RIG_CALL(rig, REGION_WRITE_MULTI, multi, &reply), 0);
	assert_memory_equal(rig->regs, "aaaac\0\0\0bbbbbbbb", 16);
	assert_int_equal(reply.len, 8);
	assert_memory_equal(reply.data, "\3\0\0\0\0\0\0\0", 8);

	/* If one write is bad, none is carried out. */
	rig->writes = 0;
	multi.one[2].count = 9;
	assert_int_equal(RIG_CALL(rig, REGION_WRITE_MULTI, multi, NULL),
			 EINVAL);
	multi.one[2].count = 8;
	multi.one[2].offset = RIG_REGS_SIZE - 4;
	assert_int_equal(RIG_CALL(rig, REGION_WRITE_MULTI, multi, NULL),
			 EINVAL);
	multi.one[2].offset = 0;
	multi.count = 4;
	assert_int_equal(RIG_CALL(rig, REGION_WRITE_MULTI, multi, NULL),
			 EINVAL);
	multi.count = (1ULL << 61) + 3;
	assert_int_equal(RIG_CALL(rig, REGION_WRITE_MULTI, multi, NULL),
			 EINVAL);
	multi.count = 2;
	assert_int_equal(RIG_CALL(rig, REGION_WRITE_MULTI, multi, NULL),
			 EINVAL);
	assert_int_equal(rig->writes, 0);
	multi.count = 0;
	assert_int_equal(rig_call(rig, VFIO_USER_REGION_WRITE_MULTI, &multi, 8,
				  NULL),
			 0);
}

/* ---- memory ------------------------------------------------------------ */

static void test_dma(void **state)
{
	struct vfio_user_dma_map map = {
		.argsz = sizeof(map),
		.flags = 3,
		.offset = RIG_PAGE,
		.iova = 0x10000,
		.size = 2 * RIG_PAGE,
	};
	struct vfio_user_dma_unmap unmap = {
		.argsz = sizeof(unmap),
		.iova = 0x10000,
		.size = 2 * RIG_PAGE,
	};
	struct rig *rig = *state;
	struct dma_table *dma = vfu_dma(rig->vfu);
	struct reply reply;
	u32 word = 0;

	assert_int_equal(
		RIG_CALL_FDS(rig, DMA_MAP, map, &rig->shared, 1, &reply), 0);
	assert_int_equal(reply.len, 0);
	assert_int_equal(pwrite(rig->shared, "abcd", 4, 2 * RIG_PAGE), 4);
	assert_true(dma_read(dma, 0x10000 + RIG_PAGE, &word, 4));
	assert_memory_equal(&word, "abcd", 4);

	/* A read-only mapping, and one without a file. */
	map.iova = 0x20000;
	map.flags = 1;
	assert_int_equal(RIG_CALL_FDS(rig, DMA_MAP, map, &rig->shared, 1, NULL),
			 0);
	assert_false(dma_write(dma, 0x20000, &word, 4));
	map.iova = 0x30000;
	map.flags = 3;
	map.offset = 0;
	assert_int_equal(RIG_CALL(rig, DMA_MAP, map, NULL), 0);
	assert_false(dma_read(dma, 0x30000, &word, 4));
	assert_int_equal(dma_stats(dma)->no_fd, 1);

	assert_int_equal(RIG_CALL(rig, DMA_UNMAP, unmap, &reply), 0);
	assert_int_equal(reply.len, sizeof(unmap));
	assert_memory_equal(reply.data, &unmap, sizeof(unmap));
	assert_false(dma_read(dma, 0x10000, &word, 4));
	assert_int_equal(dma_count(dma), 2);

	unmap = (struct vfio_user_dma_unmap){
		.argsz = sizeof(unmap),
		.flags = VFIO_DMA_UNMAP_FLAG_ALL,
	};
	assert_int_equal(RIG_CALL(rig, DMA_UNMAP, unmap, NULL), 0);
	assert_int_equal(dma_count(dma), 0);
}

static void test_dma_refused(void **state)
{
	const struct vfio_user_dma_map good = {
		.argsz = sizeof(good),
		.flags = 3,
		.iova = 0x10000,
		.size = RIG_PAGE,
	};
	struct vfio_user_dma_unmap unmap = {
		.argsz = sizeof(unmap),
		.iova = 0x10000,
		.size = RIG_PAGE,
	};
	struct rig *rig = *state;
	struct vfio_user_dma_map map;
	int two[2] = { rig->shared, rig->shared };

	assert_int_equal(RIG_CALL_FDS(rig, DMA_MAP, good, two, 2, NULL),
			 EINVAL);
	assert_int_equal(rig_call_fds(rig, VFIO_USER_DMA_MAP, &good,
				      sizeof(good) - 8, two, 1, NULL),
			 EINVAL);
#define REFUSE(field, value, err)                                            \
	do {                                                                 \
		map = good;                                                  \
		map.field = value;                                           \
		assert_int_equal(                                            \
			RIG_CALL_FDS(rig, DMA_MAP, map, two, 1, NULL), err); \
	} while (0)
	REFUSE(argsz, 31, EINVAL);
	REFUSE(argsz, 33, EINVAL);
	REFUSE(flags, 0, EINVAL);
	REFUSE(flags, 7, EINVAL);
	REFUSE(size, 0, EINVAL);
	REFUSE(size, 5 * RIG_PAGE, EINVAL);
	REFUSE(size, -0x1000ULL, EINVAL);
	REFUSE(offset, 4 * RIG_PAGE, EINVAL);
	REFUSE(offset, 12, EINVAL);
	REFUSE(iova, 0x10800, EINVAL);
	assert_int_equal(dma_count(vfu_dma(rig->vfu)), 0);

	assert_int_equal(RIG_CALL_FDS(rig, DMA_MAP, good, two, 1, NULL), 0);
	REFUSE(size, RIG_PAGE, EEXIST);
	unmap.argsz = 23;
	assert_int_equal(RIG_CALL(rig, DMA_UNMAP, unmap, NULL), EINVAL);
	unmap.argsz = 24;
	unmap.flags = 1;
	assert_int_equal(RIG_CALL(rig, DMA_UNMAP, unmap, NULL), EINVAL);
	unmap.flags = VFIO_DMA_UNMAP_FLAG_ALL;
	assert_int_equal(RIG_CALL(rig, DMA_UNMAP, unmap, NULL), EINVAL);
	unmap.flags = 0;
	unmap.size = RIG_PAGE / 2;
	assert_int_equal(RIG_CALL(rig, DMA_UNMAP, unmap, NULL), EINVAL);
	unmap.size = 0;
	assert_int_equal(RIG_CALL(rig, DMA_UNMAP, unmap, NULL), EINVAL);
	assert_int_equal(dma_count(vfu_dma(rig->vfu)), 1);
}

/* ---- interrupts -------------------------------------------------------- */

#define TRIGGER VFIO_IRQ_SET_ACTION_TRIGGER
#define EVENTFD VFIO_IRQ_SET_DATA_EVENTFD
#define NONE VFIO_IRQ_SET_DATA_NONE
#define BOOL VFIO_IRQ_SET_DATA_BOOL

static void test_irqs(void **state)
{
	struct rig *rig = *state;
	int fd[3], i;

	for (i = 0; i < 3; i++)
		fd[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	/* An interrupt raised before an eventfd is set is signalled once it is. */
	vfu_irq_raise(rig->vfu, 2);
	assert_true(vfu_irq_pending(rig->vfu, 2));
	assert_int_equal(rig_set_irqs(rig, RIG_ASSIGN, 1, 3, NULL, 0, fd, 3),
			 0);
	assert_int_equal(rig_take(fd[0]), 0);
	assert_int_equal(rig_take(fd[1]), 1);
	assert_false(vfu_irq_pending(rig->vfu, 2));

	vfu_irq_raise(rig->vfu, 1);
	vfu_irq_raise(rig->vfu, 1);
	vfu_irq_raise(rig->vfu, 3);
	assert_int_equal(rig_take(fd[0]), 2);
	assert_int_equal(rig_take(fd[2]), 1);
	assert_int_equal(vfu_stats(rig->vfu)->irqs, 3);

	/* While masked, many interrupts are one pending interrupt. */
	assert_int_equal(rig_set_irqs(rig, NONE | VFIO_IRQ_SET_ACTION_MASK, 1,
				      1, NULL, 0, NULL, 0),
			 0);
	vfu_irq_raise(rig->vfu, 1);
	vfu_irq_raise(rig->vfu, 1);
	assert_int_equal(rig_take(fd[0]), 0);
	assert_int_equal(rig_set_irqs(rig, NONE | VFIO_IRQ_SET_ACTION_UNMASK, 1,
				      1, NULL, 0, NULL, 0),
			 0);
	assert_int_equal(rig_take(fd[0]), 1);

	/* The client triggers. */
	assert_int_equal(rig_set_irqs(rig, BOOL | TRIGGER, 1, 3, "\1\0\2", 3,
				      NULL, 0),
			 0);
	assert_int_equal(rig_take(fd[0]), 1);
	assert_int_equal(rig_take(fd[1]), 0);
	assert_int_equal(rig_take(fd[2]), 1);

	/* Without files: eventfds are removed. */
	assert_int_equal(rig_set_irqs(rig, RIG_ASSIGN, 1, 1, NULL, 0, NULL, 0),
			 0);
	vfu_irq_raise(rig->vfu, 1);
	assert_int_equal(rig_take(fd[0]), 0);
	assert_true(vfu_irq_pending(rig->vfu, 1));
	vfu_irq_clear(rig->vfu);
	assert_false(vfu_irq_pending(rig->vfu, 1));

	/* All off. */
	assert_int_equal(
		rig_set_irqs(rig, NONE | TRIGGER, 0, 0, NULL, 0, NULL, 0), 0);
	vfu_irq_raise(rig->vfu, 3);
	assert_int_equal(rig_take(fd[2]), 0);

	vfu_irq_raise(rig->vfu, RIG_VECTORS);
	assert_false(vfu_irq_pending(rig->vfu, RIG_VECTORS));
	for (i = 0; i < 3; i++)
		close(fd[i]);
}

static void test_irqs_refused(void **state)
{
	struct vfio_user_irq_set set = {
		.argsz = sizeof(set),
		.flags = NONE | TRIGGER,
		.index = 0,
	};
	struct rig *rig = *state;
	int fd[2], pipes[2];

	fd[0] = eventfd(0, EFD_CLOEXEC);
	fd[1] = rig->shared;
	assert_int_equal(pipe(pipes), 0);

#define REFUSED(flags, start, count, data, len, fds, nfds)                 \
	assert_int_equal(rig_set_irqs(rig, flags, start, count, data, len, \
				      fds, nfds),                          \
			 EINVAL)
	REFUSED(0, 0, 1, NULL, 0, NULL, 0);
	REFUSED(NONE, 0, 1, NULL, 0, NULL, 0);
	REFUSED(TRIGGER, 0, 1, NULL, 0, NULL, 0);
	REFUSED(NONE | BOOL | TRIGGER, 0, 1, "\1", 1, NULL, 0);
	REFUSED(NONE | TRIGGER | VFIO_IRQ_SET_ACTION_MASK, 0, 1, NULL, 0, NULL,
		0);
	REFUSED(NONE | TRIGGER | 0x40, 0, 1, NULL, 0, NULL, 0);
	REFUSED(NONE | TRIGGER, RIG_VECTORS, 1, NULL, 0, NULL, 0);
	REFUSED(NONE | TRIGGER, 1, RIG_VECTORS, NULL, 0, NULL, 0);
	REFUSED(NONE | TRIGGER, -1, 2, NULL, 0, NULL, 0);
	REFUSED(NONE | TRIGGER, 2, -1, NULL, 0, NULL, 0);
	REFUSED(NONE | TRIGGER, 1, 0, NULL, 0, NULL, 0);
	REFUSED(NONE | VFIO_IRQ_SET_ACTION_MASK, 0, 0, NULL, 0, NULL, 0);
	REFUSED(NONE | TRIGGER, 0, 1, "x", 1, NULL, 0);
	REFUSED(NONE | TRIGGER, 0, 1, NULL, 0, fd, 1);
	REFUSED(BOOL | TRIGGER, 0, 2, "x", 1, NULL, 0);
	REFUSED(RIG_ASSIGN, 0, 2, NULL, 0, fd, 1);
	REFUSED(RIG_ASSIGN, 0, 1, NULL, 0, fd, 2);
	/* Of a good and a bad eventfd in one message, neither is kept. */
	REFUSED(RIG_ASSIGN, 0, 2, NULL, 0, fd, 2);
	REFUSED(RIG_ASSIGN, 0, 1, NULL, 0, &pipes[1], 1);
	vfu_irq_raise(rig->vfu, 0);
	assert_true(vfu_irq_pending(rig->vfu, 0));

	assert_int_equal(rig_set_irqs(rig, EVENTFD | VFIO_IRQ_SET_ACTION_MASK,
				      0, 1, NULL, 0, fd, 1),
			 EOPNOTSUPP);
	/* INTx is not supported. A wrong argsz is refused. */
	assert_int_equal(RIG_CALL(rig, DEVICE_SET_IRQS, set, NULL), EINVAL);
	set.index = VFIO_PCI_MSIX_IRQ_INDEX;
	set.argsz = 21;
	assert_int_equal(RIG_CALL(rig, DEVICE_SET_IRQS, set, NULL), EINVAL);
	close(fd[0]);
	close(pipes[0]);
	close(pipes[1]);
}

/* A client that fills the counter of its eventfd cannot stop the server. */
static void test_irq_never_blocks(void **state)
{
	const u64 full = UINT64_MAX - 1;
	struct rig *rig = *state;
	int fd = eventfd(0, EFD_CLOEXEC);

	assert_int_equal(rig_set_irqs(rig, RIG_ASSIGN, 0, 1, NULL, 0, &fd, 1),
			 0);
	assert_int_equal(write(fd, &full, sizeof(full)), sizeof(full));
	vfu_irq_raise(rig->vfu, 0);
	assert_false(vfu_irq_pending(rig->vfu, 0));
	close(fd);
}

/* ---- reset ------------------------------------------------------------- */

static void test_reset(void **state)
{
	struct rig *rig = *state;
	struct reply reply;

	vfu_irq_raise(rig->vfu, 1);
	assert_int_equal(rig_call(rig, VFIO_USER_DEVICE_RESET, NULL, 0, &reply),
			 0);
	assert_int_equal(reply.len, 0);
	assert_int_equal(rig->resets, 1);
	assert_int_equal(rig->reason, VFU_RESET_REQUEST);
	assert_false(vfu_irq_pending(rig->vfu, 1));
	assert_int_equal(rig_call(rig, VFIO_USER_DEVICE_RESET, "x", 1, NULL),
			 EINVAL);
	assert_int_equal(rig->resets, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST(test_version),
		RIG_TEST(test_version_subset),
		RIG_TEST(test_version_refused),
		RIG_TEST(test_version_comes_first),
		RIG_TEST_AGREED(test_device_info),
		RIG_TEST_AGREED(test_region_info),
		RIG_TEST_AGREED(test_irq_info),
		RIG_TEST_AGREED(test_region_access),
		RIG_TEST_AGREED(test_region_out_of_range),
		RIG_TEST_AGREED(test_longest_read),
		RIG_TEST_AGREED(test_no_reply),
		RIG_TEST_AGREED(test_write_multi),
		RIG_TEST_AGREED(test_dma),
		RIG_TEST_AGREED(test_dma_refused),
		RIG_TEST_AGREED(test_irqs),
		RIG_TEST_AGREED(test_irqs_refused),
		RIG_TEST_AGREED(test_irq_never_blocks),
		RIG_TEST_AGREED(test_reset),
	};

	return cmocka_run_group_tests_name("vfio_user", tests, NULL, NULL);
}
