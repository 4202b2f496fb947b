/* SPDX-License-Identifier: GPL-2.0 */
/* Structures shared by the files of the driver: device, ports, channels. */
#ifndef _PARQ_H
#define _PARQ_H

#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/parq_hw.h>
#include <net/devlink.h>

#include "compat.h" /* <linux/ethtool.h> <linux/rtnetlink.h> <linux/slab.h> <net/netdev_lock.h> */
#include "parq_backoff.h"
#include "parq_dcbnl.h"
#include "parq_ets.h"
#include "parq_pause.h"
#include "parq_prio.h"
#include "parq_qtree.h"
#include "parq_ring.h"
#include "parq_rule.h"
#include "parq_tbf.h"

#define PARQ_DRV_NAME		"parq"
#define PARQ_MAX_CHANS		8
#define PARQ_CHAN_VECS		(PARQ_NUM_PRIO + 1)
/* At least one vector for events and one for queues. */
#define PARQ_MIN_VECS		2
#define PARQ_MTU_MAX		(PARQ_MAX_FRAME_MAX - ETH_HLEN - ETH_FCS_LEN)

struct parq_dev;
struct parq_port;
struct parq_ptp;
struct parq_switch;

/**
 * struct parq_bus_ops - services of the bus that the device is on
 * @irq: returns the Linux interrupt of vector @vec, which is below parq_dev.num_vecs
 * @name: returns the name of the device on its bus, for messages
 * @reset: performs a function level reset; sleeps. Calls parq_dev_quiesce() before and
 *	parq_dev_restart() after it. Returns -EAGAIN if the bus is busy with the
 *	device for another reason.
 * @dma: lets the device access memory, or stops it; NULL if the bus cannot
 * @read: reads a register of a device whose parq_dev.regs is NULL
 * @write: writes a register of a device whose parq_dev.regs is NULL
 */
struct parq_bus_ops {
	int (*irq)(struct parq_dev *pd, unsigned int vec);
	const char *(*name)(struct parq_dev *pd);
	int (*reset)(struct parq_dev *pd);
	void (*dma)(struct parq_dev *pd, bool on);
	u32 (*read)(struct parq_dev *pd, u32 reg);
	void (*write)(struct parq_dev *pd, u32 reg, u32 val);
};

/**
 * struct parq_caps - capabilities of the device, read once
 * @version: PARQ_VERSION
 * @flags: PARQ_CAP_*
 * @ports: 1 to PARQ_MAX_PORTS
 * @txq: TX queues per port
 * @rxq: RX queues per port
 * @chans: channels per port that the driver makes of these queues
 * @ring_order: log2 of the largest ring
 * @park_order: log2 of the largest park queue
 * @vectors: MSI-X vectors
 * @pipe_depth: FDs of a port between fetch and wire
 * @window: PARQ_SWITCH: offset of the registers for forwarding; 0 for a NIC
 */
struct parq_caps {
	u32 version;
	u32 flags;
	unsigned int ports;
	unsigned int txq;
	unsigned int rxq;
	unsigned int chans;
	unsigned int ring_order;
	unsigned int park_order;
	unsigned int vectors;
	unsigned int pipe_depth;
	u32 window;
};

/**
 * struct parq_events - event ring of a device
 * @ring: entries, written by the device
 * @order: log2 of their number
 * @dma: address of @ring
 * @pos: next entry
 * @acked: position that the device knows
 * @irq: Linux interrupt, 0 while there is none
 */
struct parq_events {
	struct parq_event *ring;
	unsigned int order;
	dma_addr_t dma;
	u32 pos;
	u32 acked;
	int irq;
};

/* Bits of parq_dev.flags */
enum parq_dev_flag {
	PARQ_DEV_GONE,		/* registers read as all ones; until parq_reg_ready() */
	PARQ_DEV_READY,		/* registers may be used */
};

/* Number of resets, in the same word as the flags so that all change in one step. */
#define PARQ_DEV_RESETS		GENMASK(BITS_PER_LONG - 1, 8)

/**
 * struct parq_dev - a PARQ function
 * @dev: device for DMA and messages
 * @regs: BAR0; NULL: @bus reads and writes registers
 * @db: BAR2
 * @max_ports: ports for which @regs and @db have room: PARQ_NIC_PORTS or PARQ_MAX_PORTS
 * @bus: services of the bus
 * @bus_priv: private data of @bus
 * @caps: capabilities
 * @num_vecs: MSI-X vectors granted, at most PARQ_MAX_VECTORS
 * @rx_memory: receive memory of all ports, bytes
 * @port: its ports; NULL until they exist
 * @sw: forwarding between the ports; NULL for a NIC
 * @ptp: PTP clock; NULL for none
 * @wq: workqueue for all works of the device and its ports
 * @debugfs: directory of this device
 * @flags: BIT(enum parq_dev_flag), PARQ_DEV_RESETS
 * @placed: vectors whose affinity the driver has set; it sets each only once
 * @watch: checks whether the device is still there
 * @recover: resets a device that has stopped, or detaches one that is gone
 * @restarts: number of failed resets in a row; if not 0, the device is down
 * @backoff: resets of a device that had stopped
 * @mask_lock: serializes writes of PARQ_EVENT_MASK with start and stop of @ev
 * @ev: event ring
 * @err_lock: held from reading PARQ_ERR to clearing it
 * @trace_node: entry in the list of traced devices, under the list's lock
 */
struct parq_dev {
	/* Written by probe and remove only. */
	struct device *dev;
	void __iomem *regs;
	void __iomem *db;
	unsigned int max_ports;
	const struct parq_bus_ops *bus;
	void *bus_priv;
	struct parq_caps caps;
	unsigned int num_vecs;
	u64 rx_memory;
	struct parq_port *port[PARQ_MAX_PORTS];
	struct parq_switch *sw;
	struct parq_ptp *ptp;
	struct workqueue_struct *wq;
	struct dentry *debugfs;

	/* Atomic bits. */
	unsigned long flags;
	DECLARE_BITMAP(placed, PARQ_MAX_VECTORS);

	/* Written by the watch, and by a reset while the watch is off. */
	struct delayed_work watch;
	struct work_struct recover;
	unsigned int restarts;
	struct parq_backoff backoff;

	struct mutex mask_lock; /* PARQ_EVENT_MASK */
	struct parq_events ev;

	struct mutex err_lock; /* PARQ_ERR */

	struct list_head trace_node;
};

/**
 * struct parq_vec - an interrupt and its NAPI
 * @napi: polls the queues
 * @port: port
 * @rxq: its RX queue, or NULL
 * @txq: the first of its TX queues; @num_txq of them are adjacent
 * @num_txq: 0, 1 or 8
 * @index: number in the port, of the stack's configuration of this NAPI
 * @hw: MSI-X vector; several parq_vec share one when the bus grants few
 * @irq: Linux interrupt
 * @polls: number of polls
 * @watch_at: time of the service work's last check, jiffies
 * @watch_pos: sum of its queues' positions at that check
 * @watch_pending: there was work at that check
 * @name: in /proc/interrupts
 */
struct parq_vec {
	struct napi_struct napi;
	struct parq_port *port;
	struct parq_rxq *rxq;
	struct parq_txq *txq;
	unsigned int num_txq;
	unsigned int index;
	unsigned int hw;
	int irq;
	u32 polls;
	unsigned long watch_at;
	u32 watch_pos;
	bool watch_pending;
	char name[IFNAMSIZ + 16];
};

/**
 * struct parq_chan - one RX queue and one TX queue per priority
 * @rxq: RX queue
 * @txq: TX queues by priority
 * @vec: vectors: one per queue, or one for all queues
 * @num_vecs: 1 or PARQ_CHAN_VECS
 * @index: 0 to 7
 * @draining: removed; it lives on until its TX queues are empty
 * @wb: head write-back of the TX queues, by priority
 * @wb_dma: address of @wb
 */
struct parq_chan {
	struct parq_rxq rxq;
	struct parq_txq txq[PARQ_NUM_PRIO];
	struct parq_vec vec[PARQ_CHAN_VECS];
	unsigned int num_vecs;
	unsigned int index;
	bool draining;
	void *wb;
	dma_addr_t wb_dma;
};

/**
 * struct parq_link - link settings, or the state of the link
 * @up: state: the link is up; settings: the PHY is on
 * @present: a cable or a module is plugged in
 * @autoneg: negotiation is enabled
 * @full: full duplex
 * @speed: enum parq_speed
 * @adv: speeds advertised, BIT(enum parq_speed)
 * @adv_pause: link pause advertised, PARQ_LINK_ADV_PAUSE and _ASYM
 * @partner: advertised by the link partner, PARQ_LINK_PARTNER
 */
struct parq_link {
	bool up;
	bool present;
	bool autoneg;
	bool full;
	unsigned int speed;
	u32 adv;
	u32 adv_pause;
	u32 partner;
};

/**
 * struct parq_health - devlink health of a port
 * @reporter: "pfc"
 * @work: reports storms to devlink
 * @logged: BIT(priority) whose storm is in the log
 * @lasting: number of errors that stay until a user recovers them
 * @passing: number of errors that are over when no storm is active
 */
struct parq_health {
	struct devlink_health_reporter *reporter;
	struct work_struct work;
	u8 logged;
	atomic_t lasting;
	atomic_t passing;
};

/* Bits of parq_port.flags */
enum parq_port_flag {
	PARQ_PORT_UP,		/* rings exist and the device uses them */
	PARQ_PORT_LAUNCHES,	/* a qdisc etf or a socket of AF_XDP has been there */
};

/**
 * struct parq_rss - distribution of received frames over queues; under the ops lock
 * @key: Toeplitz key
 * @indir: indirection table
 * @fields: PARQ_RSS_FIELDS_*, by enum parq_rss_type
 * @sym: the hash is the same in both directions
 */
struct parq_rss {
	u8 key[PARQ_RSS_KEY_LEN];
	u8 indir[PARQ_RSS_INDIR_LEN];
	u8 fields[PARQ_RSS_NUM_TYPES];
	bool sym;
};

/* The table of a user who has not set one: as ethtool_rxfh_indir_default(). */
static inline void parq_rss_spread(struct parq_rss *rss, unsigned int chans)
{
	unsigned int i;

	for (i = 0; i < PARQ_RSS_INDIR_LEN; i++)
		rss->indir[i] = i % chans;
}

/**
 * struct parq_itr - interrupt moderation; under the ops lock
 * @rx_usecs: shortest time between two RX interrupts
 * @tx_usecs: shortest time between two TX interrupts
 */
struct parq_itr {
	u32 rx_usecs;
	u32 tx_usecs;
};

/**
 * struct parq_port_stats - counters of the device
 * @lock: protects members with __guarded_by() it
 * @block: statistics block, written by the device
 * @dma: address of @block
 * @base: counters from before the last reset of the device
 * @sum: sum of @block and @base, the result of parq_stats_get()
 * @seq: last value written to PARQ_STATS_SNAP
 * @folded: a reset of the device is due, and @base has all its counters
 * @missed_seen: PARQ_LAUNCH_MISSED as last read since the reset
 * @missed: frames that did not wait for their launch time, as last read; written under @lock
 * @rx_missed: frames for which the device had no room, as last read
 * @rx_disabled: frames for a stopped queue, as last read
 * @rx_length: frames too short or too long, as last read
 * @rx_crc: frames with a bad FCS, as last read
 * @rx_multicast: good frames to a group address other than broadcast, as last read
 * @own_storms: pauses of the peer that the device ended (PARQ_FC_LIMIT), as last read
 *
 * The last six are written under @lock and read where sleeping is not allowed.
 */
struct parq_port_stats {
	struct mutex lock; /* no other lock is taken within it */
	struct parq_stats *block __pt_guarded_by(&lock);
	dma_addr_t dma;
	struct parq_stats *base __pt_guarded_by(&lock);
	struct parq_stats *sum __pt_guarded_by(&lock);
	u64 seq __guarded_by(&lock);
	bool folded __guarded_by(&lock);
	u32 missed_seen __guarded_by(&lock);
	u64 missed;
	atomic64_t rx_missed;
	atomic64_t rx_disabled;
	atomic64_t rx_length;
	atomic64_t rx_crc;
	atomic64_t rx_multicast;
	atomic64_t own_storms;
};

/* A port and its netdev; lives in netdev_priv(). */
struct parq_port {
	/* Hot path, read by the sender; written under the ops lock. */
	struct parq_txq *txq[PARQ_MAX_TXQ];	/* by index; NULL: no such queue */
	struct net_device *netdev;
	struct parq_dev *pd;
	struct parq_status *status;	/* page written by the device */
	unsigned int num_chans;		/* selected for new frames */
	unsigned int index;		/* in parq_dev.port */
	bool trusting;			/* the sender must call parq_prio_tx() */
	bool tx_stamps;			/* frames that ask for one get a time stamp */
	bool rx_stamps;			/* received frames do; only with parq_dev.ptp */
	struct bpf_prog *xdp_prog;	/* NULL for none */

	/* Written by probe and remove only. */
	dma_addr_t status_dma;
	u32 speeds;			/* supported, BIT(enum parq_speed) */
	struct parq_tx_stats *tx_stats;	/* by queue */
	struct parq_rx_stats *rx_stats;	/* by queue */
	struct notifier_block dcb_nb;	/* an interface leaves its network namespace */
	struct list_head app_node;	/* in the list of all ports of this driver */
	struct devlink_port devlink_port;
	struct parq_health health;
	struct dentry *debugfs;

	/* Under the ops lock, unless their own structs say otherwise. */
	struct parq_chan *chan[PARQ_MAX_CHANS];	/* with rings; draining from num_chans on */
	struct parq_xsk *xsk[PARQ_MAX_CHANS];	/* pools of AF_XDP, by channel; NULL for none */
	u32 tx_size;			/* entries of a ring */
	u32 rx_size;
	u32 pending;			/* descriptors per priority that a change will add */
	struct parq_itr itr;
	unsigned int mru;		/* MTU in the device; at least that of the netdev */
	bool rx_macctrl;		/* the host receives MAC control frames */
	struct parq_rss rss;
	struct parq_rss *ctx[PARQ_NUM_RSS_CTX];	/* contexts from 1 on; NULL for none */
	struct parq_prio prio;
	struct list_head app_entries;	/* APP and rewrite entries, oldest first */
	struct parq_cee cee;
	struct parq_ets ets;
	unsigned int mqprios;		/* offloaded; two while one replaces the other */
	u32 ets_handle;			/* of the offloaded ets or prio qdisc, 0 for none */
	u8 ets_bands;			/* its bands */
	struct gnet_stats_queue *ets_qstats;	/* its own, until the offload ends; or NULL */
	struct parq_qtree qtree;
	struct parq_tbf tbf;
	u32 ets_changes;		/* of transmission selection in the device */
	u64 ets_drops;			/* of the device, as last reported to that qdisc */
	DECLARE_BITMAP(launch, PARQ_MAX_TXQ);	/* TX queues with an offloaded etf qdisc */

	/* Atomic bits: enum parq_port_flag; queues by index. */
	unsigned long flags;
	DECLARE_BITMAP(stuck_tx, PARQ_MAX_TXQ);		/* the service work must reset them */
	DECLARE_BITMAP(stuck_rx, PARQ_MAX_RXQ);
	/* no time left on the wire, or the first frame waits for its launch time */
	DECLARE_BITMAP(waits_tx, PARQ_MAX_TXQ);
	DECLARE_BITMAP(queue_events, PARQ_MAX_TXQ + PARQ_MAX_RXQ);	/* stopped: TX, RX */

	struct delayed_work service;
	unsigned long service_at;	/* it next does what needs no ops lock, jiffies */

	/* Written by the service work only, under the ops lock. */
	u32 events_lost;		/* PARQ_EVENT_LOST as last read */
	u32 watch_kbit;			/* speed at the last look at the TX queues */
	u32 watch_changes;		/* and @ets_changes */
	u64 lost_irqs;			/* see parq_vec_watch() */

	spinlock_t ctrl_lock;		/* may be taken in any context */

	u32 ctrl __guarded_by(&ctrl_lock);	/* PARQ_PORT_CTRL */

	/* PARQ_FILTER; 0: the entry is unused */
	u64 filter[PARQ_NUM_FILTERS] __guarded_by(&ctrl_lock);

	struct mutex link_lock;		/* taken within the ops lock; the carrier, too */
	struct parq_link link;		/* written under both locks, read under either */
	struct parq_link state __guarded_by(&link_lock);	/* as last read */

	struct parq_rules rules;	/* has its own lock */
	struct parq_port_stats stats;
	struct parq_pfc pfc;		/* has its own lock */
};

static inline bool parq_dev_gone(const struct parq_dev *pd)
{
	return test_bit(PARQ_DEV_GONE, &pd->flags);
}

static inline bool parq_port_is_up(const struct parq_port *port)
{
	return test_bit(PARQ_PORT_UP, &port->flags);
}

/* Settings of an RSS context; 0 is the port itself. Return: NULL if there is no such context. */
static inline struct parq_rss *parq_port_rss(struct parq_port *port, u32 ctx)
{
	if (ctx > PARQ_NUM_RSS_CTX)
		return NULL;
	return ctx ? port->ctx[ctx - 1] : &port->rss;
}

/* Return: receive memory of all ports, bytes. */
static inline u32 parq_buf_total(const struct parq_dev *pd)
{
	return min_t(u64, pd->rx_memory, U32_MAX);
}

/* Return: registers can be read. */
static inline bool parq_dev_ready(const struct parq_dev *pd)
{
	return test_bit(PARQ_DEV_READY, &pd->flags);
}

/* Runs the service work in @msecs milliseconds. Context: any, as for the two below. */
static inline void parq_kick_service(struct parq_port *port, unsigned int msecs)
{
	if (parq_port_is_up(port))
		mod_delayed_work(port->pd->wq, &port->service,
				 msecs_to_jiffies(msecs));
}

/* Has the service work reset a queue. */
static inline void parq_kick_stuck(struct parq_port *port, bool rx,
				   unsigned int index)
{
	set_bit(index, rx ? port->stuck_rx : port->stuck_tx);
	parq_kick_service(port, 0);
}

/* Has the service work check the queue that an event names; @index as in the event. */
static inline void parq_kick_event(struct parq_port *port, unsigned int index)
{
	set_bit(index, port->queue_events);
	parq_kick_service(port, 0);
}

#endif /* _PARQ_H */
