/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A NIC inside the kernel: the core with its time, its lock, its wires, its
 * recordings and what goes wrong on purpose. How a driver reaches it is the
 * front end's affair.
 *
 * Time is CLOCK_MONOTONIC. The core has a turn when something is due, see turn.h, and
 * an access to a register runs it first. After every turn the NIC dozes: a
 * driver wakes it by PARQ_WAKE, and nothing polls.
 *
 * A machine that cannot keep up has a NIC whose clock is behind: what happens at the
 * time t of the device clock happens later than that, pauses included, but in the same
 * order and with the same distances. The NIC counts how often and how far.
 *
 * The lock of its group protects the core and the front end's state, see group.h.
 * Interrupts are raised by turns after the lock was dropped, never by the access that
 * caused them: it may come from the middle of the interrupt's own handling.
 */
#ifndef _PARQSIM_NIC_H
#define _PARQSIM_NIC_H

#include <linux/bitmap.h>
#include <linux/seq_file.h>

#include "capture.h"
#include "fault.h"
#include "group.h"
#include "ports.h"

struct nic;

/**
 * struct nic_front - how a driver reaches a NIC
 * @name: of it, for people
 * @create: make the device; calls nic_start() before the driver may be probed
 * @destroy: the driver is gone when this returns
 * @memory: @len bytes of host memory at a bus address; NULL if there are none, or
 *	the NIC may not access them
 * @irq: the NIC sends the interrupt of a vector, @times times
 * @collect: vectors whose interrupts can be raised now; they count as raised
 * @waiting: @collect would find some
 * @raise: raise one
 * @print: the device's name into @buf; its length
 *
 * All but @create, @destroy, @raise and @print are called with the group's lock held.
 */
struct nic_front {
	const char *name;
	int (*create)(struct nic *nic);
	void (*destroy)(struct nic *nic);
	void *(*memory)(struct nic *nic, u64 addr, u32 len);
	void (*irq)(struct nic *nic, u32 vector, u32 times);
	bool (*waiting)(struct nic *nic);
	void (*collect)(struct nic *nic, unsigned long *vectors);
	void (*raise)(struct nic *nic, u32 vector);
	int (*print)(const struct nic *nic, char *buf, size_t size);
};

/**
 * struct nic_stats - what has happened
 * @runs: of the core
 * @irqs: raised
 * @refused: accesses to host memory
 * @behind: runs after which the device clock was behind
 * @behind_ns: the most that it ever was
 */
struct nic_stats {
	u64 runs;
	u64 irqs;
	u64 refused;
	u64 behind;
	u64 behind_ns;
};

/**
 * struct nic - a NIC
 * @name: for people
 * @group: its lock and its turns
 * @member: of @group
 * @due: vectors whose interrupts are raised after a turn; the turn's alone
 * @raise: the next NIC that has some
 * @front: how its driver reaches it
 * @priv: of the front end
 * @sim: the core
 * @mem: its memory
 * @db: behind the doorbell BAR
 * @vectors: how many it has
 * @addr: permanent MAC address of its first port
 * @ports: wires
 * @captures: files of recordings
 * @fault: what goes wrong on purpose
 * @stats: counters
 * @running: time goes on, and accesses are answered
 * @missed: registers were accessed while it was not, and the bus does not end DMA
 * @dead: neither will ever be so again
 */
struct nic {
	const char *name;
	struct nic_group *group;
	struct list_head member;
	DECLARE_BITMAP(due, PARQ_MAX_VECTORS);
	struct nic *raise;
	const struct nic_front *front;
	void *priv;
	struct parqsim *sim;
	void *mem;
	void *db;
	u32 vectors;
	u8 addr[6];
	struct ports ports;
	struct captures captures;
	struct fault fault;
	struct nic_stats stats;
	bool running;
	bool missed;
	bool dead;
};

struct nic *nic_create(const char *name, const struct spec *spec,
		       const struct nic_front *front);
int nic_plug(struct nic *nic);
void nic_start(struct nic *nic);
int nic_join(struct nic *a, u32 port_a, struct nic *b, u32 port_b,
	     u32 length_m);
void nic_discard(struct nic *nic);
void nic_destroy(struct nic *nic);
void nic_kill(struct nic *nic);
int nic_stop(struct nic *nic, bool stop);
int nic_fault(struct nic *nic, u32 kinds);
void nic_print(struct nic *nic, struct seq_file *m);

/* Between nic_enter() and nic_leave(). */
u32 nic_reg_read(struct nic *nic, u32 off);
void nic_reg_write(struct nic *nic, u32 off, u32 val);
void nic_reset(struct nic *nic);

/* The one that this kernel has: UML's PCI, or a platform device. */
extern const struct nic_front nic_front;

#endif /* _PARQSIM_NIC_H */
