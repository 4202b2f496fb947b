/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A NIC inside the kernel: the core with its time, lock, wires, recordings and injected
 * faults. The front end connects it to a driver.
 *
 * Time is CLOCK_MONOTONIC. The core has a turn when an event is due, see turn.h. An access
 * to a register runs the core first. After every turn the NIC dozes: a driver wakes it by
 * PARQ_WAKE, and nothing polls.
 *
 * If the machine cannot keep up, the device clock is behind. Events of the device time t
 * then happen later, pauses included, but in the same order and at the same distances. The
 * NIC counts how often and how far it was behind.
 *
 * The lock of its group protects the core and the front end's state, see group.h. Turns
 * raise interrupts after dropping the lock. The access that caused an interrupt never
 * raises it: the access may come from within the interrupt's handling.
 */
#ifndef _PARQSIM_NIC_H
#define _PARQSIM_NIC_H

#include <linux/seq_file.h>

#include "capture.h"
#include "fault.h"
#include "group.h"
#include "ports.h"
#include "vectors.h"

struct device;
struct nic;

/**
 * struct nic_front - front end, by which a driver reaches a NIC
 * @name: name for messages
 * @rings: it calls parqsim_ring()
 * @create: creates the device; calls nic_start() before the driver may be probed
 * @destroy: removes the device; on return the driver is gone
 * @memory: returns @len bytes of host memory at a bus address; NULL if there are none, or
 *	the NIC may not access them
 * @irq: the NIC sends the interrupt of a vector, @times times
 * @collect: adds the vectors whose interrupts can be raised now, which count as raised; returns
 *	their number
 * @waiting: whether @collect would return some
 * @raise: raises one interrupt
 * @print: prints the device's name into @buf; returns its length
 *
 * All but @create, @destroy, @raise and @print are called with the group's lock held.
 */
struct nic_front {
	const char *name;
	bool rings;
	int (*create)(struct nic *nic);
	void (*destroy)(struct nic *nic);
	void *(*memory)(struct nic *nic, u64 addr, u32 len);
	void (*irq)(struct nic *nic, u32 vector, u32 times);
	bool (*waiting)(struct nic *nic);
	u32 (*collect)(struct nic *nic, struct vectors *due);
	void (*raise)(struct nic *nic, u32 vector);
	int (*print)(const struct nic *nic, char *buf, size_t size);
};

/**
 * struct nic_stats - counters
 * @runs: runs of the core
 * @irqs: interrupts raised
 * @refused: refused accesses to host memory
 * @behind: runs after which the device clock was behind
 * @behind_ns: largest lag of the device clock, ns
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
 * @name: name for messages
 * @group: its lock and its turns
 * @member: entry in the list of @group
 * @busy: entry in the list of busy NICs of @group, or empty
 * @resting: entry in the tree of resting NICs of @group, or empty
 * @rest_ns: when @resting ends, CLOCK_MONOTONIC, ns
 * @wake: entry in the list of woken NICs of @group
 * @woken: bit 0: @wake is in the list
 * @due: vectors whose interrupts are raised after a turn; used by the turn only
 * @raise: the next NIC with such vectors
 * @front: front end
 * @priv: private data of the front end
 * @sim: the core
 * @mem: memory of the core
 * @rx_mem: memory of the receive buffers of each port, or NULL; written with the lock held
 * @rx_size: its size, bytes
 * @db: memory behind the doorbell BAR
 * @vectors: number of MSI-X vectors
 * @addr: permanent MAC address of its first port
 * @ifname: names for the interfaces of its ports, or empty
 * @ports: wires
 * @captures: files of recordings
 * @rested: called at the end of every turn, with the lock held; NULL if nothing is recorded
 * @fault: injected faults
 * @stats: counters
 * @running: time advances, and accesses are answered
 * @missed: there was an access to the NIC while @running was false, and nothing ends its DMA
 * @dead: @running will not become true again
 * @exact: a wire ends at a netdev, so its timer must not be late
 */
struct nic {
	const char *name;
	struct nic_group *group;
	struct list_head member;
	struct list_head busy;
	struct rb_node resting;
	u64 rest_ns;
	struct llist_node wake;
	unsigned long woken;
	struct vectors due;
	struct nic *raise;
	const struct nic_front *front;
	void *priv;
	struct parqsim *sim;
	void *mem;
	void *rx_mem[PARQ_MAX_PORTS];
	size_t rx_size;
	void *db;
	u32 vectors;
	u8 addr[6];
	char ifname[PARQ_MAX_PORTS][SPEC_IFNAME_SIZE];
	struct ports ports;
	struct captures captures;
	void (*rested)(struct nic *nic);
	struct fault fault;
	struct nic_stats stats;
	bool running;
	bool missed;
	bool dead;
	bool exact;
};

/*
 * Whether the NIC answers an access. The one that it misses is noted, see nic_stop(). Called
 * between nic_enter() and nic_leave().
 */
static inline bool nic_answers(struct nic *nic)
{
	if (!nic->running)
		nic->missed = true;
	return nic->running;
}

struct nic *nic_create(const char *name, const struct spec *spec,
		       const struct nic_front *front);
int nic_plug(struct nic *nic);
int nic_name_ports(const struct nic *nic, struct device *dev);
void nic_start(struct nic *nic);
int nic_join(struct nic *a, u32 port_a, struct nic *b, u32 port_b,
	     u32 length_m);
void nic_discard(struct nic *nic);
void nic_destroy(struct nic *nic);
void nic_kill(struct nic *nic);
int nic_stop(struct nic *nic, bool stop);
int nic_fault(struct nic *nic, u32 kinds);
void nic_print(struct nic *nic, struct seq_file *m);
void nic_reg_prepare(struct nic *nic, u32 off, u32 val);

/* Called between nic_enter() and nic_leave(). */
u32 nic_reg_read(struct nic *nic, u32 off);
void nic_reg_write(struct nic *nic, u32 off, u32 val);
void nic_reset(struct nic *nic);

/* Front end of this kernel: UML's PCI, or a platform device. */
extern const struct nic_front nic_front;

#endif /* _PARQSIM_NIC_H */
