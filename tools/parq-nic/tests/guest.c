// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include <asm/byteorder.h>
#include <linux/bitfield.h>
#include <linux/pci_regs.h>

#include "../device_clock.h"
#include "../host_time.h"
#include "../vfio_user/protocol.h"
#include "guest.h"

#define GUEST_WAIT_NS	(5 * NS_PER_S)
#define GUEST_MAX_MSG	512
#define GUEST_CONFIG	VFIO_PCI_CONFIG_REGION_INDEX

/* One turn of the NIC's loop, without waiting. */
static u64 guest_step(struct guest *g)
{
	u64 ns = host_run(g->host) ? host_sleep_ns(g->host) : 0;
	struct loop_fd *f;
	u32 events;

	while ((f = loop_wait(g->loop, 0, &events)))
		f->ready(f->ctx, events);
	assert_int_equal(g->host->err, 0);
	return ns;
}

static void guest_send(struct guest *g, u16 command, const void *data,
		       size_t len, const int *fds, u32 nfds)
{
	struct vfio_user_header head = {
		.id = ++g->id,
		.command = command,
		.size = (u32)(sizeof(head) + len),
	};
	struct iovec iov[] = {
		{ .iov_base = &head, .iov_len = sizeof(head) },
		{ .iov_base = (void *)data, .iov_len = len },
	};
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(GUEST_VECTORS * sizeof(int))];
	} control = { .buf = { 0 } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };
	struct cmsghdr *c = &control.align;

	if (nfds) {
		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(nfds * sizeof(int));
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(nfds * sizeof(int));
		memcpy(CMSG_DATA(c), fds, nfds * sizeof(int));
	}
	assert_int_equal(sendmsg(g->fd, &msg, 0), head.size);
}

/* Waits for the reply. Returns the descriptor that it carried, or -1. */
static int guest_reply(struct guest *g, u8 *buf, size_t size)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = { .iov_base = buf, .iov_len = size };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	struct pollfd p = { .fd = g->fd, .events = POLLIN };
	u64 end = clock_ns(CLOCK_MONOTONIC) + GUEST_WAIT_NS;
	struct vfio_user_header *head = (void *)buf;
	ssize_t n;
	int fd = -1;

	while (!poll(&p, 1, 0)) {
		guest_step(g);
		assert_true(clock_ns(CLOCK_MONOTONIC) < end);
	}
	n = recvmsg(g->fd, &msg, MSG_CMSG_CLOEXEC);
	assert_true(n >= (ssize_t)sizeof(*head));
	assert_int_equal(head->size, n);
	assert_int_equal(head->id, g->id);
	assert_int_equal(head->flags, VFIO_USER_F_TYPE_REPLY);
	if (msg.msg_controllen)
		memcpy(&fd, CMSG_DATA(&control.align), sizeof(fd));
	return fd;
}

static int guest_call(struct guest *g, u16 command, const void *data,
		      size_t len, const int *fds, u32 nfds)
{
	u8 buf[GUEST_MAX_MSG];

	guest_send(g, command, data, len, fds, nfds);
	return guest_reply(g, buf, sizeof(buf));
}

void guest_reset(struct guest *g)
{
	guest_call(g, VFIO_USER_DEVICE_RESET, NULL, 0, NULL, 0);
}

void guest_access(struct guest *g, bool write, u32 region, u64 off, void *buf,
		  u32 len)
{
	struct {
		struct vfio_user_region_rw rw;
		u8 data[64];
	} msg = { .rw = { .offset = off, .region = region, .count = len } };
	u8 reply[GUEST_MAX_MSG];

	assert_true(len <= sizeof(msg.data));
	if (write)
		memcpy(msg.data, buf, len);
	guest_send(g, write ? VFIO_USER_REGION_WRITE : VFIO_USER_REGION_READ,
		   &msg, sizeof(msg.rw) + (write ? len : 0), NULL, 0);
	guest_reply(g, reply, sizeof(reply));
	if (!write)
		memcpy(buf, reply + sizeof(struct vfio_user_header) +
		       sizeof(msg.rw), len);
}

u32 guest_read(struct guest *g, u32 region, u64 off, u32 len)
{
	u32 val = 0;

	guest_access(g, false, region, off, &val, len);
	return val;
}

void guest_write(struct guest *g, u32 region, u64 off, u32 val, u32 len)
{
	guest_access(g, true, region, off, &val, len);
}

u32 guest_reg(struct guest *g, u32 off)
{
	return guest_read(g, PARQ_BAR_REGS, off, sizeof(u32));
}

void guest_set_reg(struct guest *g, u32 off, u32 val)
{
	guest_write(g, PARQ_BAR_REGS, off, val, sizeof(u32));
}

u32 guest_cap(struct guest *g, u8 id)
{
	u32 at = guest_read(g, GUEST_CONFIG, PCI_CAPABILITY_LIST, 1);

	while (at && guest_read(g, GUEST_CONFIG, at, 1) != id)
		at = guest_read(g, GUEST_CONFIG, at + 1, 1);
	assert_int_not_equal(at, 0);
	return at;
}

bool guest_wait32(struct guest *g, const volatile u32 *val, u32 want)
{
	u64 end = clock_ns(CLOCK_MONOTONIC) + GUEST_WAIT_NS;

	while (*val != want) {
		guest_step(g);
		if (clock_ns(CLOCK_MONOTONIC) > end)
			return false;
	}
	return true;
}

bool guest_wait_idle(struct guest *g)
{
	u64 end = clock_ns(CLOCK_MONOTONIC) + GUEST_WAIT_NS;

	while (guest_step(g) != LOOP_FOREVER)
		if (clock_ns(CLOCK_MONOTONIC) > end)
			return false;
	return true;
}

u64 guest_irqs(struct guest *g, u32 n)
{
	u64 count = 0;

	return read(g->irq[n], &count, sizeof(count)) < 0 ? 0 : count;
}

static void guest_negotiate(struct guest *g)
{
	struct {
		struct vfio_user_version v;
		char caps[sizeof("{\"capabilities\":{}}")];
	} __attribute__((packed)) msg = {
		.v = { .major = VFIO_USER_MAJOR, .minor = VFIO_USER_MINOR },
		.caps = "{\"capabilities\":{}}",
	};

	guest_call(g, VFIO_USER_VERSION, &msg, sizeof(msg), NULL, 0);
}

static void guest_map_memory(struct guest *g)
{
	const struct vfio_user_dma_map map = {
		.argsz = sizeof(map),
		.flags = VFIO_USER_DMA_F_READ | VFIO_USER_DMA_F_WRITE,
		.iova = GUEST_IOVA,
		.size = GUEST_MEM,
	};

	g->mem_fd = memfd_create("guest", MFD_CLOEXEC);
	assert_true(g->mem_fd >= 0);
	assert_int_equal(ftruncate(g->mem_fd, GUEST_MEM), 0);
	g->mem = mmap(NULL, GUEST_MEM, PROT_READ | PROT_WRITE, MAP_SHARED,
		      g->mem_fd, 0);
	assert_ptr_not_equal(g->mem, MAP_FAILED);
	guest_call(g, VFIO_USER_DMA_MAP, &map, sizeof(map), &g->mem_fd, 1);
}

static void guest_map_doorbells(struct guest *g)
{
	const struct vfio_user_region_info info = {
		.argsz = GUEST_MAX_MSG - sizeof(struct vfio_user_header),
		.index = PARQ_BAR_DB,
	};
	void *db;
	int fd;

	fd = guest_call(g, VFIO_USER_DEVICE_GET_REGION_INFO, &info,
			sizeof(info), NULL, 0);
	assert_true(fd >= 0);
	db = mmap(NULL, PARQ_BAR_DB_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
		  fd, 0);
	assert_ptr_not_equal(db, MAP_FAILED);
	close(fd);
	g->db = db;
}

static void guest_set_irqs(struct guest *g)
{
	const struct vfio_user_irq_set set = {
		.argsz = sizeof(set),
		.flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
		.index = VFIO_PCI_MSIX_IRQ_INDEX,
		.count = GUEST_VECTORS,
	};
	int i;

	for (i = 0; i < GUEST_VECTORS; i++) {
		g->irq[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		assert_true(g->irq[i] >= 0);
	}
	guest_call(g, VFIO_USER_DEVICE_SET_IRQS, &set, sizeof(set), g->irq,
		   GUEST_VECTORS);
}

void guest_init(struct guest *g, struct host *host, struct loop *loop,
		const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	*g = (struct guest){ .host = host, .loop = loop };
	strcpy(addr.sun_path, path);
	g->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(g->fd >= 0);
	assert_int_equal(connect(g->fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	guest_negotiate(g);
	guest_map_memory(g);
	guest_map_doorbells(g);
	guest_set_irqs(g);
}

void guest_fini(struct guest *g)
{
	int i;

	close(g->fd);
	do
		guest_step(g);
	while (vfu_connected(g->host->vfu));
	munmap((void *)g->db, PARQ_BAR_DB_SIZE);
	munmap(g->mem, GUEST_MEM);
	close(g->mem_fd);
	for (i = 0; i < GUEST_VECTORS; i++)
		close(g->irq[i]);
}

void guest_enable(struct guest *g)
{
	const u32 link = PARQ_LINK_CTRL_EN | PARQ_LINK_CTRL_FULL_DUPLEX |
			 FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_10G);

	guest_write(g, GUEST_CONFIG, PCI_COMMAND,
		    PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER, 2);
	guest_write(g, GUEST_CONFIG, guest_cap(g, PCI_CAP_ID_MSIX) +
		    PCI_MSIX_FLAGS, PCI_MSIX_FLAGS_ENABLE, 2);
	guest_set_reg(g, PARQ_PORT(0) + PARQ_LINK_CTRL, link);
	guest_set_reg(g, PARQ_PORT(1) + PARQ_LINK_CTRL, link);
}

static void guest_set_base(struct guest *g, u32 off, u32 at)
{
	guest_set_reg(g, off, (u32)(GUEST_IOVA + at));
	guest_set_reg(g, off + 4, (u32)((GUEST_IOVA + at) >> 32));
}

void guest_up(struct guest *g)
{
	__le64 *fill = (__le64 *)(g->mem + GUEST_RX_FILL);
	const u32 rxq = PARQ_PORT(1) + PARQ_RXQ(0);
	const u32 txq = PARQ_PORT(0) + PARQ_TXQ(0);
	u32 i;

	for (i = 0; i < 2; i++) {
		guest_set_base(g, PARQ_PORT(i) + PARQ_STATUS_BASE_LO,
			       GUEST_STATUS + PARQ_STATUS_PAGE_SIZE * i);
		guest_set_reg(g, PARQ_PORT(i) + PARQ_PORT_CTRL,
			      PARQ_PORT_CTRL_EN | PARQ_PORT_CTRL_PROMISC);
	}
	guest_set_base(g, txq + PARQ_TXQ_BASE_LO, GUEST_TX_RING);
	guest_set_base(g, txq + PARQ_TXQ_WB_LO, GUEST_TX_WB);
	guest_set_reg(g, txq + PARQ_TXQ_CTRL, PARQ_TXQ_CTRL_EN |
		      FIELD_PREP(PARQ_TXQ_CTRL_SIZE, GUEST_LOG2_RING) |
		      FIELD_PREP(PARQ_TXQ_CTRL_VEC, 1));
	guest_set_base(g, rxq + PARQ_RXQ_FILL_LO, GUEST_RX_FILL);
	guest_set_base(g, rxq + PARQ_RXQ_COMP_LO, GUEST_RX_COMP);
	guest_set_reg(g, rxq + PARQ_RXQ_CTRL, PARQ_RXQ_CTRL_EN |
		      FIELD_PREP(PARQ_RXQ_CTRL_SIZE, GUEST_LOG2_RING) |
		      FIELD_PREP(PARQ_RXQ_CTRL_VEC, 2));
	for (i = 0; i < BIT(GUEST_LOG2_RING); i++)
		fill[i] = cpu_to_le64(GUEST_IOVA + GUEST_RX_BUF + 2048 * i);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	g->db[(PARQ_DB_RX(1, 0) + PARQ_DB_ARM) / 4] = 0;
	g->db[(PARQ_DB_RX(1, 0) + PARQ_DB_TAIL) / 4] = BIT(GUEST_LOG2_RING);
}

void guest_post(struct guest *g, const u8 *data, u32 len)
{
	const struct parq_tx_desc desc = {
		.addr = cpu_to_le64(GUEST_IOVA + GUEST_TX_BUF),
		.info = cpu_to_le64(FIELD_PREP(PARQ_TX_LEN, len) | PARQ_TX_EOP),
	};

	memcpy(g->mem + GUEST_TX_BUF, data, len);
	memcpy(g->mem + GUEST_TX_RING, &desc, sizeof(desc));
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}
