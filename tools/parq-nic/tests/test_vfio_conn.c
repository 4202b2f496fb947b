// SPDX-License-Identifier: GPL-2.0
/*
 * Connections to the vfio-user server: messages that arrive in pieces or many at once, of
 * invalid size or type, with too many files; clients that disconnect within a message,
 * reconnect, or do not read; a server that is killed; and the socket itself.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "vfio_user/dma.h"
#include "vfu_rig.h"

/* ---- framing ----------------------------------------------------------- */

static void test_byte_by_byte(void **state)
{
	struct vfio_user_dma_map map = {
		.argsz = sizeof(map),
		.flags = 3,
		.iova = 0x10000,
		.size = RIG_PAGE,
	};
	struct vfio_user_header header = {
		.id = 1,
		.command = VFIO_USER_DMA_MAP,
		.size = RIG_HDR + sizeof(map),
	};
	struct rig *rig = *state;
	u8 buf[RIG_HDR + sizeof(map)];
	struct reply reply;
	size_t i;

	memcpy(buf, &header, RIG_HDR);
	memcpy(buf + RIG_HDR, &map, sizeof(map));
	for (i = 0; i < sizeof(buf); i++) {
		assert_false(rig_reply(rig, &reply));
		/* The descriptor may arrive with any byte of the message. */
		rig_send(rig, buf + i, 1, &rig->shared, i == 20);
		rig_pump(rig);
	}
	assert_true(rig_reply(rig, &reply));
	assert_int_equal(reply.header.flags, VFIO_USER_F_TYPE_REPLY);
	assert_int_equal(dma_count(vfu_dma(rig->vfu)), 1);
}

static void test_many_at_once(void **state)
{
	struct vfio_user_header header = {
		.command = VFIO_USER_DEVICE_RESET,
		.size = RIG_HDR,
	};
	struct vfio_user_header all[100];
	struct rig *rig = *state;
	struct reply reply;
	u32 i;

	for (i = 0; i < 100; i++) {
		all[i] = header;
		all[i].id = i;
	}
	rig_send(rig, all, sizeof(all), NULL, 0);
	/* Other work of the loop runs in between. */
	assert_in_range(vfu_process(rig->vfu), 1, 32);
	rig_pump(rig);
	assert_int_equal(rig->resets, 100);
	for (i = 0; i < 100; i++) {
		assert_true(rig_reply(rig, &reply));
		assert_int_equal(reply.header.id, i);
	}
}

static void test_impossible_size(void **state)
{
	static const u32 sizes[] = { 0, 1, 15, 16 + 16 + (1 << 20) + 1, -1 };
	struct vfio_user_header header = { .command = VFIO_USER_REGION_WRITE };
	struct rig *rig = *state;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		header.size = sizes[i];
		rig_send(rig, &header, sizeof(header), &rig->shared, 1);
		/* End of file, and no error, although the rest is never read. */
		rig_send(rig, &header, sizeof(header), &rig->shared, 1);
		rig_pump(rig);
		assert_true(rig_hung_up(rig));
		rig_leave(rig);
		assert_int_equal(rig->resets, i + 1);
		rig_connect(rig);
		assert_int_equal(rig_hello(rig, 0, NULL, 0, NULL), 0);
	}
}

static void test_unknown(void **state)
{
	static const u16 unsupported[] = {
		VFIO_USER_DEVICE_GET_REGION_IO_FDS,
		VFIO_USER_DEVICE_FEATURE,
		VFIO_USER_MIG_DATA_READ,
		VFIO_USER_MIG_DATA_WRITE,
	};
	static const u16 unknown[] = {
		0, VFIO_USER_DMA_READ, VFIO_USER_DMA_WRITE, 14, 19, 0xffff,
	};
	struct rig *rig = *state;
	struct reply reply;
	size_t i;

	for (i = 0; i < sizeof(unsupported) / sizeof(unsupported[0]); i++)
		assert_int_equal(rig_call(rig, unsupported[i], (u8[16]) {}, 16,
					  NULL),
				 EOPNOTSUPP);
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_int_equal(rig_call_fds(rig, unknown[i], (u8[16]) {}, 16,
					      &rig->shared, 1, NULL),
				 ENOSYS);

	/* Types other than command and reply; replies without a command. */
	rig_command(rig, VFIO_USER_DEVICE_RESET, 2, NULL, 0, NULL, 0);
	assert_true(rig_reply(rig, &reply));
	assert_int_equal(reply.header.error, EINVAL);
	rig_command(rig, VFIO_USER_DMA_READ, VFIO_USER_F_TYPE_REPLY, (u8[32]) {},
		    32, &rig->shared, 1);
	rig_command(rig, VFIO_USER_DEVICE_RESET, VFIO_USER_F_TYPE_REPLY, NULL,
		    0, NULL, 0);
	assert_false(rig_reply(rig, &reply));
	assert_int_equal(rig->resets, 0);
	assert_int_equal(rig_write_region(rig, 0, 0, 4, 4), 0);
}

static void test_too_many_files(void **state)
{
	struct vfio_user_irq_set set = {
		.argsz = sizeof(set),
		.flags = RIG_ASSIGN,
		.index = VFIO_PCI_MSIX_IRQ_INDEX,
		.count = 8,
	};
	struct rig *rig = *state;
	int fds[32], i;

	fds[0] = eventfd(0, EFD_CLOEXEC);
	for (i = 1; i < 32; i++)
		fds[i] = fds[0];
	assert_int_equal(RIG_CALL_FDS(rig, DEVICE_SET_IRQS, set, fds, 17, NULL),
			 EINVAL);
	assert_int_equal(RIG_CALL_FDS(rig, DEVICE_SET_IRQS, set, fds, 32, NULL),
			 EINVAL);
	assert_int_equal(RIG_CALL_FDS(rig, DEVICE_SET_IRQS, set, fds, 8, NULL),
			 0);
	/* Three reads, each with as many files as one read can carry. */
	set.count = 1;
	for (i = 0; i < 3; i++) {
		struct vfio_user_header header = {
			.command = VFIO_USER_DEVICE_SET_IRQS,
			.size = RIG_HDR + sizeof(set),
		};
		u8 buf[RIG_HDR + sizeof(set)];

		memcpy(buf, &header, RIG_HDR);
		memcpy(buf + RIG_HDR, &set, sizeof(set));
		rig_send(rig, buf + i * 12, 12, fds, 16);
		rig_pump(rig);
	}
	close(fds[0]);
}

/* ---- connect and disconnect -------------------------------------------- */

static void test_gone_half_way(void **state)
{
	struct vfio_user_dma_map map = {
		.argsz = sizeof(map),
		.flags = 3,
		.iova = 0x10000,
		.size = RIG_PAGE,
	};
	struct vfio_user_header header = {
		.command = VFIO_USER_DMA_MAP,
		.size = RIG_HDR + sizeof(map),
	};
	struct rig *rig = *state;
	int fd = eventfd(0, EFD_CLOEXEC);

	assert_int_equal(RIG_CALL_FDS(rig, DMA_MAP, map, &rig->shared, 1, NULL),
			 0);
	assert_int_equal(rig_set_irqs(rig, RIG_ASSIGN, 0, 1, NULL, 0, &fd, 1),
			 0);
	rig_send(rig, &header, sizeof(header), &rig->shared, 1);
	rig_pump(rig);
	rig_leave(rig);
	assert_false(vfu_connected(rig->vfu));
	assert_int_equal(rig->resets, 1);
	assert_int_equal(rig->reason, VFU_RESET_CLIENT_GONE);
	assert_int_equal(rig->maps_at_reset, 0);
	vfu_irq_raise(rig->vfu, 0);
	assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(rig_take(fd), 0);
	vfu_irq_clear(rig->vfu);

	/* The next client starts with VERSION again. */
	rig_connect(rig);
	assert_int_equal(rig_hello_qemu(rig, NULL), 0);
	assert_int_equal(dma_count(vfu_dma(rig->vfu)), 0);
	assert_int_equal(rig_write_region(rig, 0, 0, 4, 4), 0);
	assert_int_equal(rig->resets, 1);
	close(fd);
}

static void test_reads_no_replies(void **state)
{
	struct vfio_user_region_rw rw = { .count = 60000 };
	struct vfio_user_header header = {
		.command = VFIO_USER_REGION_READ,
		.size = RIG_HDR + sizeof(rw),
	};
	struct rig *rig = *state;
	u8 buf[RIG_HDR + sizeof(rw)];
	struct reply reply;
	u32 sent, got = 0;
	u64 handled;

	memcpy(buf, &header, RIG_HDR);
	memcpy(buf + RIG_HDR, &rw, sizeof(rw));
	for (sent = 0; sent < 100; sent++)
		rig_send(rig, buf, sizeof(buf), NULL, 0);
	rig_pump(rig);

	/* With a full socket the server stops reading and does not spin. */
	handled = vfu_stats(rig->vfu)->messages;
	assert_true(handled < 50);
	assert_int_equal(vfu_process(rig->vfu), 0);
	while (rig_reply(rig, &reply)) {
		assert_int_equal(reply.len, sizeof(rw) + 60000);
		got++;
		rig_pump(rig);
	}
	assert_int_equal(got, sent);
	assert_true(vfu_connected(rig->vfu));
}

static int connect_path(struct rig *rig)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	strcpy(addr.sun_path, rig->path);
	rig->client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return connect(rig->client, (struct sockaddr *)&addr, sizeof(addr));
}

static void use_path(struct rig *rig)
{
	rig_leave(rig);
	rig->resets = 0;
	strcpy(rig->dir, "/tmp/test_vfio_user.XXXXXX");
	assert_non_null(mkdtemp(rig->dir));
	snprintf(rig->path, sizeof(rig->path), "%s/sock", rig->dir);
}

static void listen_at_path(struct rig *rig)
{
	vfu_destroy(rig->vfu);
	assert_int_equal(rig_create_at(rig, rig->path, &rig->vfu), 0);
}

static void test_clients_in_turn(void **state)
{
	struct rig *rig = *state;
	int first;
	u32 i;

	use_path(rig);
	listen_at_path(rig);
	for (i = 0; i < 5; i++) {
		assert_int_equal(connect_path(rig), 0);
		assert_int_equal(rig_hello(rig, 0, NULL, 0, NULL), 0);
		assert_int_equal(rig_write_region(rig, 0, 0, 4, 4), 0);

		/* While a client is connected, another one is rejected. */
		first = rig->client;
		assert_int_equal(connect_path(rig), 0);
		rig_pump(rig);
		assert_true(rig_hung_up(rig));
		close(rig->client);
		rig->client = first;
		assert_int_equal(rig_write_region(rig, 0, 0, 4, 4), 0);

		/* It disconnects and the next one connects before the server sees either. */
		close(rig->client);
		assert_int_equal(rig->resets, i);
	}
	rig->client = -1;
	rig_pump(rig);
	assert_int_equal(rig->resets, 5);
	assert_int_equal(vfu_stats(rig->vfu)->clients, 5);
}

/* Starts a server for rig->path in a process of its own. Returns when it listens. */
static pid_t serve_in_child(struct rig *rig)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		struct pollfd pfd = { .events = POLLIN };
		struct vfu *vfu;

		if (rig_create_at(rig, rig->path, &vfu))
			_exit(1);
		rig->vfu = vfu;
		pfd.fd = vfu_fd(vfu);
		(void)!write(ready[1], "", 1);
		while (poll(&pfd, 1, -1) >= 0 && vfu_process(vfu) >= 0)
			continue;
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void wait_readable(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	assert_int_equal(poll(&pfd, 1, 10000), 1);
}

/* The server is killed before it read a request: end of file, no error. */
static void test_killed(void **state)
{
	struct vfio_user_version version = { .major = VFIO_USER_MAJOR };
	struct rig *rig = *state;
	struct reply reply;
	int status;
	pid_t pid;

	use_path(rig);
	pid = serve_in_child(rig);
	assert_int_equal(connect_path(rig), 0);
	rig_command(rig, VFIO_USER_VERSION, 0, &version, sizeof(version), NULL,
		    0);
	wait_readable(rig->client);
	assert_true(rig_reply(rig, &reply));
	assert_int_equal(reply.header.flags, VFIO_USER_F_TYPE_REPLY);

	assert_int_equal(kill(pid, SIGSTOP), 0);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	rig_command(rig, VFIO_USER_DEVICE_RESET, 0, NULL, 0, &rig->shared, 1);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	wait_readable(rig->client);
	assert_true(rig_hung_up(rig));
}

static void test_socket_file(void **state)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct rig *rig = *state;
	struct vfu *other;
	char name[200];
	int fd;

	use_path(rig);
	listen_at_path(rig);
	assert_int_equal(rig_create_at(rig, rig->path, &other), -EADDRINUSE);
	vfu_destroy(rig->vfu);
	assert_int_equal(access(rig->path, F_OK), -1);

	/* The socket file of a dead process is replaced. */
	strcpy(addr.sun_path, rig->path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	close(fd);
	assert_int_equal(rig_create_at(rig, rig->path, &rig->vfu), 0);
	vfu_destroy(rig->vfu);

	/* Another file is not. */
	fd = open(rig->path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	close(fd);
	assert_int_equal(rig_create_at(rig, rig->path, &other), -EADDRINUSE);
	assert_int_equal(access(rig->path, F_OK), 0);
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = 0;
	assert_int_equal(rig_create_at(rig, name, &other), -ENAMETOOLONG);
	assert_int_equal(rig_create_at(rig, "/nowhere/sock", &other), -ENOENT);

	assert_int_equal(rig_create_at(rig, NULL, &rig->vfu), 0);
}

static void test_bad_regions(void **state)
{
	struct vfu_region good[VFU_NUM_REGIONS], regions[VFU_NUM_REGIONS];
	struct rig *rig = *state;
	struct vfu *vfu;

	rig_regions(rig, good);
#define BAD(change)                                                           \
	do {                                                                  \
		memcpy(regions, good, sizeof(good));                          \
		change;                                                       \
		assert_int_equal(vfu_create(&vfu, NULL, regions, RIG_VECTORS, \
					    &rig_ops, rig),                   \
				 -EINVAL);                                    \
	} while (0)
	BAD(regions[0].flags = 4);
	BAD(regions[2].nr_areas = VFU_MAX_AREAS + 1);
	BAD(regions[2].areas[0].offset = 1);
	BAD(regions[2].areas[0].size = 0);
	BAD(regions[2].areas[1].offset = 0);
	BAD(regions[2].areas[1].size = 3 * RIG_PAGE);
	BAD(regions[2].areas[1].offset = -(u64)RIG_PAGE);
	BAD(regions[2].mmap_fd = -1);
	BAD(regions[2].size = 16 * RIG_PAGE;
	    regions[2].areas[1].size = 4 * RIG_PAGE);
	assert_int_equal(vfu_create(&vfu, NULL, good, VFU_MAX_VECTORS + 1,
				    &rig_ops, rig),
			 -EINVAL);
	assert_int_equal(vfu_attach(rig->vfu, rig->shared), -EBUSY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIG_TEST_AGREED(test_byte_by_byte),
		RIG_TEST_AGREED(test_many_at_once),
		RIG_TEST_AGREED(test_impossible_size),
		RIG_TEST_AGREED(test_unknown),
		RIG_TEST_AGREED(test_too_many_files),
		RIG_TEST_AGREED(test_gone_half_way),
		RIG_TEST_AGREED(test_reads_no_replies),
		RIG_TEST_AGREED(test_clients_in_turn),
		RIG_TEST_AGREED(test_killed),
		RIG_TEST_AGREED(test_socket_file),
		RIG_TEST_AGREED(test_bad_regions),
	};

	return cmocka_run_group_tests_name("vfio_conn", tests, NULL, NULL);
}
