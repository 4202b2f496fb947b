/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the driver share: the device, its ports, their channels. */
#ifndef _PARQ_H
#define _PARQ_H

#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/parq_hw.h>
#include <net/devlink.h>

#include "compat.h"
#include "parq_cee.h"
#include "parq_pfc.h"
#include "parq_prio.h"
#include "parq_ring.h"
#include "parq_sched.h"
#include "parq_starve.h"

#define PARQ_DRV_NAME		"parq"
#define PARQ_MAX_CHANS		8
#define PARQ_CHAN_VECS		(PARQ_NUM_PRIO + 1)
/* One for events and one for queues, at the least. */
#define PARQ_MIN_VECS		2
#define PARQ_MAX_VECS		\
	(1 + PARQ_MAX_PORTS * PARQ_MAX_CHANS * PARQ_CHAN_VECS)
#define PARQ_MTU_MAX		(PARQ_MAX_FRAME_MAX - ETH_HLEN - ETH_FCS_LEN)

struct parq_dev;
struct parq_port;

/**
 * struct parq_bus_ops - what the driver needs of the bus the device sits on
 * @irq: Linux interrupt of vector @vec, which is below parq_dev.num_vecs
 * @name: of the device on its bus, for people
 * @reset: function level reset; sleeps. It calls parq_dev_quiesce() and
 *	parq_dev_restart() on its way. -EAGAIN when the bus is busy with the
 *	device for another reason.
 * @read: read a register of a device whose parq_dev.regs is NULL
 * @write: write a register of a device whose parq_dev.regs is NULL
 */
struct parq_bus_ops {
	int (*irq)(struct parq_dev *pd, unsigned int vec);
	const char *(*name)(struct parq_dev *pd);
	int (*reset)(struct parq_dev *pd);
	u32 (*read)(struct parq_dev *pd, u32 reg);
	void (*write)(struct parq_dev *pd, u32 reg, u32 val);
};

/**
 * struct parq_caps - what the device can do, read once
 * @flags: PARQ_CAP_*
 * @ports: 1 to 4
 * @txq: TX queues a port
 * @rxq: RX queues a port
 * @chans: channels a port that the driver makes of them
 * @ring_order: log2 of the largest ring
 * @park_order: log2 of the largest park queue
 * @vectors: MSI-X vectors
 * @pipe_depth: FDs of a port between fetch and wire
 */
struct parq_caps {
	u32 flags;
	unsigned int ports;
	unsigned int txq;
	unsigned int rxq;
	unsigned int chans;
	unsigned int ring_order;
	unsigned int park_order;
	unsigned int vectors;
	unsigned int pipe_depth;
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
	PARQ_DEV_GONE,		/* reads as all ones; until parq_reg_ready() */
	PARQ_DEV_READY,		/* registers may be used */
};

/* In the same word, so that all of them change at once: resets so far. */
#define PARQ_DEV_RESETS		GENMASK(BITS_PER_LONG - 1, 8)

/**
 * struct parq_dev - a PARQ function
 * @dev: device for DMA and messages
 * @regs: BAR0; NULL: registers are read and written by @bus
 * @db: BAR2
 * @bus: the bus it sits on
 * @bus_priv: for @bus
 * @caps: what it can do
 * @num_vecs: MSI-X vectors granted, at most PARQ_MAX_VECS
 * @port: its ports; NULL until they exist
 * @wq: for all works of the device and its ports
 * @debugfs: directory of this device
 * @flags: BIT(enum parq_dev_flag), PARQ_DEV_RESETS
 * @placed: vectors whose affinity the driver has set, once
 * @watch: looks whether the device still is there
 * @recover: resets a device that has stopped, or detaches one that has gone
 * @restarts: resets in a row that have failed; not 0: the device is down
 * @mask_lock: serializes writes of PARQ_EVENT_MASK with the start and end of @ev
 * @ev: event ring
 * @err_lock: held from reading PARQ_ERR to clearing it
 * @trace_node: in the list of devices that are traced, under its lock
 */
struct parq_dev {
	/* Written by probe and remove only. */
	struct device *dev;
	void __iomem *regs;
	void __iomem *db;
	const struct parq_bus_ops *bus;
	void *bus_priv;
	struct parq_caps caps;
	unsigned int num_vecs;
	struct parq_port *port[PARQ_MAX_PORTS];
	struct workqueue_struct *wq;
	struct dentry *debugfs;

	/* Atomic bits. */
	unsigned long flags;
	DECLARE_BITMAP(placed, PARQ_MAX_VECS);

	/* The watch, and a reset while the watch is off. */
	struct delayed_work watch;
	struct work_struct recover;
	unsigned int restarts;

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
 * @txq: its TX queues, @num_txq in a row
 * @num_txq: 0, 1 or 8
 * @hw: MSI-X vector; several parq_vec share one when the bus has few
 * @irq: Linux interrupt
 * @polls: times it was polled
 * @watch_at: when the service work last looked, in jiffies
 * @watch_pos: sum of its queues' positions then
 * @watch_pending: there was work then
 * @name: in /proc/interrupts
 */
struct parq_vec {
	struct napi_struct napi;
	struct parq_port *port;
	struct parq_rxq *rxq;
	struct parq_txq *txq;
	unsigned int num_txq;
	unsigned int hw;
	int irq;
	u32 polls;
	unsigned long watch_at;
	u32 watch_pos;
	bool watch_pending;
	char name[IFNAMSIZ + 16];
};

/**
 * struct parq_chan - one RX queue and one TX queue a priority
 * @rxq: RX queue
 * @txq: TX queues by priority
 * @vec: one for each queue, or one for all of them
 * @num_vecs: 1 or PARQ_CHAN_VECS
 * @index: 0 to 7
 * @draining: not selected any more; lives until its TX queues are empty
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
 * @up: there is a link (state), the PHY is on (settings)
 * @present: something is plugged in
 * @autoneg: as it says
 * @full: full duplex
 * @speed: enum parq_speed
 * @adv: speeds advertised, BIT(enum parq_speed)
 * @adv_pause: link pause advertised, PARQ_LINK_ADV_PAUSE and _ASYM
 * @partner: what the partner advertises, PARQ_LINK_PARTNER
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
 * @work: reports
 * @logged: priorities of which the log says that they storm, BIT(priority)
 * @recovers: devlink waits for the storm's end
 */
struct parq_health {
	struct devlink_health_reporter *reporter;
	struct work_struct work;
	u8 logged;
	bool recovers;
};

/* Bits of parq_port.flags */
enum parq_port_flag {
	PARQ_PORT_UP,		/* rings exist and the device uses them */
};

/**
 * struct parq_qdisc_count - what the device has done for a qdisc
 * @frames: sent
 * @bytes: in them, without FCS
 * @drops: frames not sent
 */
struct parq_qdisc_count {
	u64 frames;
	u64 bytes;
	u64 drops;
};

/**
 * struct parq_port - a port and its netdev; lives in netdev_priv()
 * @txq: by index; NULL where no queue is
 * @netdev: netdev
 * @pd: device
 * @status: status page, written by the device
 * @num_chans: channels that are selected for new frames
 * @index: 0 to 3
 * @trusting: the sender has to ask parq_prio_tx()
 * @status_dma: address of @status
 * @speeds: BIT(enum parq_speed) that the port can do
 * @tx_stats: by queue
 * @rx_stats: by queue
 * @hw_stats_dma: address of @hw_stats
 * @dcb_nb: sees the port leave its namespace
 * @devlink_port: devlink port
 * @health: devlink health reporter and its state
 * @debugfs: directory of this port
 * @chan: channels that have rings; draining ones from @num_chans on
 * @tx_size: entries of a TX ring
 * @rx_size: entries of an RX ring
 * @pending: descriptors a priority that a reconfiguration is about to add
 * @rx_usecs: shortest time between two interrupts for RX
 * @tx_usecs: shortest time between two interrupts for TX
 * @mru: MTU that the device has; not below that of the netdev
 * @rx_macctrl: MAC control frames are for the host, too
 * @rss_key: Toeplitz key
 * @rss_indir: indirection table
 * @prio: what decides the priority of frames
 * @cee: what CEE DCBX has staged
 * @sched: transmission selection
 * @mqprios: qdiscs that are offloaded; two while one replaces the other
 * @ets_handle: of the ets qdisc that is offloaded, 0 for none
 * @ets_base: counters when the ets qdisc came; drops: as last reported to it
 * @flags: BIT(enum parq_port_flag)
 * @stuck_tx: TX queues to be reset
 * @stuck_rx: RX queues to be reset
 * @queue_events: queues that have stopped according to events: TX, then RX
 * @service: frees, retries, resets queues, keeps the TX watchdog informed
 * @events_lost: events that the device could not write, when that was looked at
 * @starve: priorities that wait for stricter classes
 * @lost_irqs: interrupts that did not come, see parq_vec_watch()
 * @ctrl_lock: of what is __guarded_by() it
 * @ctrl: PARQ_PORT_CTRL
 * @filter: what the device has in PARQ_FILTER
 * @link_lock: of what is __guarded_by() it, and of the carrier
 * @link: settings of the link; written under rtnl and @link_lock, read under either
 * @state: of the link, as last read
 * @stats_lock: of what is __guarded_by() it
 * @hw_stats: statistics block, written by the device
 * @hw_base: counters from before the last reset of the device
 * @hw_sum: @hw_stats and @hw_base added, what parq_stats_get() returns
 * @hw_seq: last value written to PARQ_STATS_SNAP
 * @hw_folded: the device is to be reset, @hw_base has all that it counted
 * @rx_missed: frames that the device had no room for, as of the last reading
 * @rx_disabled: frames for a queue that was stopped, as of the last reading
 * @rx_length: frames too short or too long, as of the last reading
 * @rx_crc: frames with a bad FCS, as of the last reading
 * @own_storms: pauses of the peer that the device has ended, as of the last reading
 * @pfc: the PFC engine's
 */
struct parq_port {
	/* Hot path, read by the sender; written under rtnl. */
	struct parq_txq *txq[PARQ_MAX_TXQ];
	struct net_device *netdev;
	struct parq_dev *pd;
	struct parq_status *status;
	unsigned int num_chans;
	unsigned int index;
	bool trusting;

	/* Written by probe and remove only. */
	dma_addr_t status_dma;
	u32 speeds;
	struct parq_tx_stats *tx_stats;
	struct parq_rx_stats *rx_stats;
	dma_addr_t hw_stats_dma;
	struct notifier_block dcb_nb;
	struct devlink_port devlink_port;
	struct parq_health health;
	struct dentry *debugfs;

	/* Under rtnl, but for what their own structs except. */
	struct parq_chan *chan[PARQ_MAX_CHANS];
	u32 tx_size;
	u32 rx_size;
	u32 pending;
	u32 rx_usecs;
	u32 tx_usecs;
	unsigned int mru;
	bool rx_macctrl;
	u8 rss_key[PARQ_RSS_KEY_LEN];
	u8 rss_indir[PARQ_RSS_INDIR_LEN];
	struct parq_prio prio;
	struct parq_cee cee;
	struct parq_sched sched;
	unsigned int mqprios;
	u32 ets_handle;
	struct parq_qdisc_count ets_base;

	/* Atomic bits. */
	unsigned long flags;
	DECLARE_BITMAP(stuck_tx, PARQ_MAX_TXQ);
	DECLARE_BITMAP(stuck_rx, PARQ_MAX_RXQ);
	DECLARE_BITMAP(queue_events, PARQ_MAX_TXQ + PARQ_MAX_RXQ);

	/* Written by the service work only, under rtnl. */
	struct delayed_work service;
	u32 events_lost;
	struct parq_starve starve;
	u64 lost_irqs;

	spinlock_t ctrl_lock; /* taken in any context */

	u32 ctrl __guarded_by(&ctrl_lock);

	/* 0 where there is none */
	u64 filter[PARQ_NUM_FILTERS] __guarded_by(&ctrl_lock);

	struct mutex link_lock; /* taken within rtnl, never around it */
	struct parq_link link;
	struct parq_link state __guarded_by(&link_lock);

	struct mutex stats_lock; /* nothing else is taken within it */
	struct parq_stats *hw_stats __pt_guarded_by(&stats_lock);
	struct parq_stats *hw_base __pt_guarded_by(&stats_lock);
	struct parq_stats *hw_sum __pt_guarded_by(&stats_lock);
	u64 hw_seq __guarded_by(&stats_lock);
	bool hw_folded __guarded_by(&stats_lock);

	/* Written with stats_lock, read where nothing may sleep. */
	atomic64_t rx_missed;
	atomic64_t rx_disabled;
	atomic64_t rx_length;
	atomic64_t rx_crc;
	atomic64_t own_storms;

	struct parq_pfc pfc; /* has a lock of its own */
};

static inline bool parq_dev_gone(const struct parq_dev *pd)
{
	return test_bit(PARQ_DEV_GONE, &pd->flags);
}

static inline bool parq_port_is_up(const struct parq_port *port)
{
	return test_bit(PARQ_PORT_UP, &port->flags);
}

#endif /* _PARQ_H */
