/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A vfio-user server and its client in one process, for tests. The served function records
 * accesses, the client uses a real socket, and the server runs only in rig_pump(). An error
 * in here fails the calling test.
 */
#ifndef _TESTS_VFU_RIG_H
#define _TESTS_VFU_RIG_H

#include "vfio_user/protocol.h"
#include "vfio_user/server.h"

#define RIG_PAGE	4096
#define RIG_VECTORS	8
#define RIG_REGS_SIZE	(2 << 20)
#define RIG_HDR		sizeof(struct vfio_user_header)

/* rig_set_irqs(): these eventfds signal those vectors. */
#define RIG_ASSIGN	(VFIO_IRQ_SET_DATA_EVENTFD | \
			 VFIO_IRQ_SET_ACTION_TRIGGER)

/* What QEMU 11.1 proposes. */
#define RIG_QEMU_CAPS "{\"capabilities\": {\"pgsizes\": 4096, " \
	"\"max_data_xfer_size\": 1048576, \"max_msg_fds\": 16, " \
	"\"migration\": {\"max_bitmap_size\": 268435456, \"pgsize\": 4096}, " \
	"\"max_dma_maps\": 65535, \"write_multiple\": true}}"

/**
 * struct rig - server, function and client
 * @vfu: the server
 * @client: the client's end of the connection, or -1
 * @shared: file behind region 2, four pages
 * @files: number of open files at the start
 * @dir: directory for a socket that a test listens at; empty: none
 * @path: the socket in it
 * @regs: contents of region 0
 * @writes: calls of the function's write
 * @resets: calls of its reset
 * @reason: reason of the last reset
 * @maps_at_reset: mappings of the client's memory at the last reset
 * @fail: return value of the function for accesses
 */
struct rig {
	struct vfu *vfu;
	int client;
	int shared;
	int files;
	char dir[32];
	char path[64];
	u8 *regs;
	u32 writes;
	u32 resets;
	enum vfu_reset reason;
	u32 maps_at_reset;
	int fail;
};

/* A message from the server. @len: bytes of @data; @fd: its file, or -1. */
struct reply {
	struct vfio_user_header header;
	u8 data[1 << 16];
	size_t len;
	int fd;
};

/* Fixtures: connected; or version negotiated, too. The teardown counts open files. */
int rig_setup(void **state);
int rig_setup_agreed(void **state);
int rig_teardown(void **state);
#define RIG_TEST(name) \
	cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
#define RIG_TEST_AGREED(name) \
	cmocka_unit_test_setup_teardown(name, rig_setup_agreed, rig_teardown)

/* The function's regions: 0 registers, 2 mappable, 3 read only, 7 config. */
void rig_regions(const struct rig *rig, struct vfu_region *regions);
extern const struct vfu_ops rig_ops;
/* Another server of the same function. */
int rig_create_at(struct rig *rig, const char *path, struct vfu **vfu);

void rig_connect(struct rig *rig);
void rig_leave(struct rig *rig);
bool rig_hung_up(struct rig *rig);
/* Runs the server until it is idle. */
void rig_pump(struct rig *rig);

void rig_send(struct rig *rig, const void *buf, size_t len, const int *fds,
	      u32 nfds);
/* Sends a whole message and runs the server. */
void rig_command(struct rig *rig, u16 command, u32 flags, const void *data,
		 size_t len, const int *fds, u32 nfds);
/* False: no message. */
bool rig_reply(struct rig *rig, struct reply *reply);

/* Sends a command and receives its reply. Returns the reply's error, 0: none. */
int rig_call_fds(struct rig *rig, u16 command, const void *data, size_t len,
		 const int *fds, u32 nfds, struct reply *reply);
int rig_call(struct rig *rig, u16 command, const void *data, size_t len,
	     struct reply *reply);
/* The same with an object as payload. */
#define RIG_CALL(rig, command, msg, reply) \
	rig_call(rig, VFIO_USER_##command, &(msg), sizeof(msg), reply)
#define RIG_CALL_FDS(rig, command, msg, fds, nfds, reply) \
	rig_call_fds(rig, VFIO_USER_##command, &(msg), sizeof(msg), fds, nfds, \
		     reply)
int rig_hello(struct rig *rig, u16 major, const char *caps, size_t len,
	      struct reply *reply);
int rig_hello_qemu(struct rig *rig, struct reply *reply);
int rig_write_region(struct rig *rig, u32 region, u64 off, u32 count,
		     size_t len);
int rig_read_region(struct rig *rig, u32 region, u64 off, u32 count,
		    struct reply *reply);
int rig_set_irqs(struct rig *rig, u32 flags, u32 start, u32 count,
		 const void *data, size_t len, const int *fds, u32 nfds);

/* Returns and clears the count of an eventfd. */
u64 rig_take(int fd);

#endif /* _TESTS_VFU_RIG_H */
