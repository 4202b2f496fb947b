/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A guest of the NIC: QEMU's end of the socket, some guest memory, and a minimal driver.
 * It shares a thread with the NIC, which runs whenever the guest waits.
 */
#ifndef _PARQ_NIC_GUEST_H
#define _PARQ_NIC_GUEST_H

#include "../host.h"

#define GUEST_IOVA	0x100000000ULL	/* address of guest memory, as the NIC sees it */
#define GUEST_MEM	(1 << 20)
#define GUEST_VECTORS	4

/* Layout of guest memory. */
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
 * @loop: event loop of the NIC
 * @fd: socket to the NIC
 * @id: ID of the last message
 * @mem: guest memory
 * @mem_fd: file of @mem
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
/* Disconnects. When it returns, the NIC has noticed. */
void guest_fini(struct guest *g);
/* Resets the device, as a reset of the machine does. */
void guest_reset(struct guest *g);

void guest_access(struct guest *g, bool write, u32 region, u64 off, void *buf,
		  u32 len);
u32 guest_read(struct guest *g, u32 region, u64 off, u32 len);
void guest_write(struct guest *g, u32 region, u64 off, u32 val, u32 len);
u32 guest_reg(struct guest *g, u32 off);
void guest_set_reg(struct guest *g, u32 off, u32 val);
/* Offset of a capability in configuration space. */
u32 guest_cap(struct guest *g, u8 id);

/* Runs the NIC until *@val is @want. False: not within some seconds. */
bool guest_wait32(struct guest *g, const volatile u32 *val, u32 want);
/* Runs the NIC until nothing is due. */
bool guest_wait_idle(struct guest *g);
/* Returns the number of interrupts of vector @n since the last call. */
u64 guest_irqs(struct guest *g, u32 n);

/* Memory decoding, bus mastering and MSI-X on; both PHYs on, link up at 10G. */
void guest_enable(struct guest *g);
/* TX queue 0 of port 0, vector 1; RX queue 0 of port 1, vector 2, all buffers. */
void guest_up(struct guest *g);
/* Puts a frame into the empty ring. The caller rings the doorbell. */
void guest_post(struct guest *g, const u8 *data, u32 len);

#endif /* _PARQ_NIC_GUEST_H */
