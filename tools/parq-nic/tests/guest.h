/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A guest of the NIC: QEMU's end of the socket, a piece of guest memory, and
 * the smallest possible driver on top. It lives in the NIC's own thread and
 * lets it run whenever it waits.
 */
#ifndef _PARQ_NIC_GUEST_H
#define _PARQ_NIC_GUEST_H

#include "../host.h"

#define GUEST_IOVA	0x100000000ULL	/* of guest memory, for the NIC */
#define GUEST_MEM	(1 << 20)
#define GUEST_VECTORS	4

/* Where the driver has its things in guest memory. */
#define GUEST_TX_RING	0x00000
#define GUEST_TX_WB	0x01000
#define GUEST_TX_BUF	0x02000
#define GUEST_RX_FILL	0x10000
#define GUEST_RX_COMP	0x11000
#define GUEST_RX_BUF	0x20000
#define GUEST_STATUS	0x40000	/* one page a port */

#define GUEST_LOG2_RING	6

/**
 * struct guest - the guest
 * @host: the NIC
 * @loop: of the NIC
 * @fd: socket to the NIC
 * @id: of the last message
 * @mem: guest memory
 * @mem_fd: the same
 * @db: doorbells, as mapped by the guest
 * @irq: eventfds of the first vectors
 */
struct guest {
	struct host *host;
	struct loop *loop;
	int fd;
	u16 id;
	u8 *mem;
	int mem_fd;
	volatile u32 *db;
	int irq[GUEST_VECTORS];
};

/* Connects to the NIC, negotiates, maps memory and doorbells, sets eventfds. */
void guest_init(struct guest *g, struct host *host, struct loop *loop,
		const char *path);
/* The client is gone; the NIC has noticed when it returns. */
void guest_fini(struct guest *g);
/* Asks for a reset of the device, as a reset of the machine does. */
void guest_reset(struct guest *g);

void guest_access(struct guest *g, bool write, u32 region, u64 off, void *buf,
		  u32 len);
u32 guest_read(struct guest *g, u32 region, u64 off, u32 len);
void guest_write(struct guest *g, u32 region, u64 off, u32 val, u32 len);
u32 guest_reg(struct guest *g, u32 off);
void guest_set_reg(struct guest *g, u32 off, u32 val);
/* Offset of a capability in configuration space. */
u32 guest_cap(struct guest *g, u8 id);

/* Lets the NIC run until *@val is @want. False: not within some seconds. */
bool guest_wait32(struct guest *g, const volatile u32 *val, u32 want);
/* Lets the NIC run until nothing is due any more. */
bool guest_wait_idle(struct guest *g);
/* How often vector @n has interrupted since the last call. */
u64 guest_irqs(struct guest *g, u32 n);

/* Memory decoding, bus mastering and MSI-X on; both PHYs on, link up at 10G. */
void guest_enable(struct guest *g);
/* TX queue 0 of port 0, vector 1; RX queue 0 of port 1, vector 2, all buffers. */
void guest_up(struct guest *g);
/* Puts the only frame ever sent into the ring; the doorbell is to be rung. */
void guest_post(struct guest *g, const u8 *data, u32 len);

#endif /* _PARQ_NIC_GUEST_H */
