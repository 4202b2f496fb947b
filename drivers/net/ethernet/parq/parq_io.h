/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access to the device, its ports and queues. Only parq_io*.c, parq_reg.c and the inline
 * functions here access registers and doorbells.
 */
#ifndef _PARQ_IO_H
#define _PARQ_IO_H

#include <linux/io.h>
#include <linux/parq_hw_switch.h>

#include "parq.h"

struct parq_fdb;
struct parq_mdb;
struct parq_red_count;
struct parq_red_hw;
struct parq_vlan;
struct ptp_system_timestamp;

/* ---- parq_io.c --------------------------------------------------------- */

/* Device */
int parq_io_reset(struct parq_dev *pd);
int parq_io_caps(struct parq_dev *pd);
void parq_io_off(struct parq_dev *pd);
void parq_io_gone(struct parq_dev *pd);
bool parq_io_fatal(struct parq_dev *pd);
u32 parq_io_error_take(struct parq_dev *pd, u32 *addr);
bool parq_io_error_expected(u32 err, u32 addr);
void parq_io_wake(const struct parq_db *db);
int parq_io_events_start(struct parq_dev *pd, unsigned int order,
			 unsigned int vec);
void parq_io_events_stop(struct parq_dev *pd);
void parq_io_events_mask(struct parq_dev *pd, u32 mask);
void parq_io_events_ack(struct parq_dev *pd, u32 head);
u32 parq_io_events_lost(struct parq_dev *pd);
u64 parq_io_clock(struct parq_dev *pd);
u64 parq_io_ptp_time(struct parq_dev *pd, struct ptp_system_timestamp *sts);
void parq_io_ptp_cmd(struct parq_dev *pd, enum parq_ptp_op op, u64 val);
void parq_io_ptp_rate(struct parq_dev *pd, s32 rate);
void parq_io_vec_itr(struct parq_dev *pd, unsigned int vec, u32 ns);

/* Port */
void parq_io_port_init(struct parq_port *port);
u32 parq_io_port_speeds(struct parq_port *port);
void parq_io_port_ctrl(struct parq_port *port, u32 clear, u32 set);
void parq_io_status_set(struct parq_port *port);
u32 parq_io_launch_missed(struct parq_port *port);
void parq_io_stats_snap(struct parq_port *port, u32 seq);
void parq_io_max_frame(struct parq_port *port, unsigned int mtu);
void parq_io_link_set(struct parq_port *port, const struct parq_link *link);
void parq_io_link_get(struct parq_port *port, struct parq_link *state);

/* ---- parq_io_steer.c ---------------------------------------------------- */

void parq_io_rss_set(struct parq_port *port, unsigned int ctx);
void parq_io_rule_set(struct parq_port *port, unsigned int location, const struct parq_rule *rule);
void parq_io_steer_set(struct parq_port *port);
void parq_io_rule_count_clear(struct parq_port *port, unsigned int counter);
int parq_io_rule_count(struct parq_port *port, unsigned int counter, u64 *frames, u64 *bytes);

/* ---- parq_io.c, queues -------------------------------------------------- */

/*
 * Queues. Errors: -EIO (the device refused), -ENODEV (no device). After stop returns, the
 * device does not access the ring any more.
 */
int parq_io_txq_start(struct parq_txq *q);
void parq_io_txq_next(struct parq_txq *q, const struct parq_tx_ring *next);
void parq_io_txq_stop(struct parq_txq *q);
int parq_io_rxq_start(struct parq_rxq *q);
int parq_io_rxq_hold(struct parq_rxq *q);
int parq_io_rxq_release(struct parq_rxq *q);
void parq_io_rxq_stop(struct parq_rxq *q);
bool parq_io_txq_stopped(const struct parq_txq *q);
bool parq_io_rxq_stopped(const struct parq_rxq *q);
u32 parq_io_rxq_head(const struct parq_rxq *q);

/* The register write orders this after all writes to memory that the device will read. */
static inline void parq_db_tail(const struct parq_db *db, u32 tail)
{
	writel(tail, db->reg + PARQ_DB_TAIL);
	/* The tail is written before doze is read: see "Doorbells" in parq_hw.h. */
	mb();
	if (unlikely(READ_ONCE(db->status->doze)))
		parq_io_wake(db);
}

/* The caller must check for work once more, after a full barrier. */
static inline void parq_db_arm(const struct parq_db *db, u32 pos)
{
	writel_relaxed(pos, db->reg + PARQ_DB_ARM);
}

unsigned int parq_io_dump_len(const struct parq_port *port);
void parq_io_dump(struct parq_port *port, u32 *out);

/* ---- parq_io_addr.c ----------------------------------------------------- */

void parq_io_port_addr(struct parq_port *port, u8 addr[ETH_ALEN]);
void parq_io_mac_set(struct parq_port *port, const u8 addr[ETH_ALEN]);
void parq_io_filters_set(struct parq_port *port, const u8 *const *want,
			 unsigned int n);

/* ---- parq_io_dcb.c ----------------------------------------------------- */

/*
 * Scheduler and pause engine. Errors: -EIO (the device refused the values), -EBUSY (the
 * class is held; park queue only), -ENODEV (no device). On error nothing has changed.
 * Order 0 means no park queue.
 */
int parq_io_ets_set(struct parq_port *port, const struct parq_ets_hw *ets);
int parq_io_pfc_ctrl(struct parq_port *port, u8 en, bool offload);
int parq_io_park_set(struct parq_port *port, unsigned int prio,
		     dma_addr_t dma, unsigned int order);
void parq_io_pfc_cmd(struct parq_port *port, unsigned int prio,
		     enum parq_pfc_op op, u8 seq);
int parq_io_storm_set(struct parq_port *port, u16 limit_ms, u16 restore_ms, bool forward);
void parq_io_storm_obey(struct parq_port *port, u8 prios);
u32 parq_io_pfc_timer(struct parq_port *port, unsigned int prio);
u32 parq_io_park_head(struct parq_port *port, unsigned int prio);
u32 parq_io_park_tail(struct parq_port *port, unsigned int prio);

/*
 * Receive buffers and flow control. All buffers change at once, and no stored frame is
 * dropped. Errors: -EIO (the device refused the values), -ENODEV (no device).
 */
u32 parq_io_rxb_total(struct parq_port *port);
int parq_io_rxb_apply(struct parq_port *port, const struct parq_rxb *rxb);
int parq_io_fc_ctrl(struct parq_port *port, u32 ctrl);
u8 parq_io_fc_xoff(struct parq_port *port);
u32 parq_io_fc_status(struct parq_port *port);
int parq_io_fc_low(struct parq_port *port, u16 opcode, u8 prios);
int parq_io_fc_limit(struct parq_port *port, u16 limit_ms);
u32 parq_io_rxb_used(struct parq_port *port, unsigned int n);
u32 parq_io_rxb_high(struct parq_port *port, unsigned int n);
void parq_io_rxb_max_clear(struct parq_port *port, unsigned int n);

/*
 * Mapping of frames to priorities, and rewriting. @was: values in the device, NULL if
 * unknown. Errors: -EIO (the device refused the values), -ENODEV (no device).
 */
int parq_io_trust_set(struct parq_port *port, const struct parq_trust_hw *was,
		      const struct parq_trust_hw *hw);

/*
 * Requests one pause frame, PARQ_FC_SEND_*. Errors: -EBUSY (the device does not accept it
 * now, see PARQ_FC_SEND), -ENODEV (no device).
 */
int parq_io_fc_send(struct parq_port *port, u32 request);

/*
 * Levels word of a class, PARQ_LEVELS_*, all flags of the same moment. Read from the
 * status page, not from a register.
 */
static inline u64 parq_io_levels(const struct parq_port *port,
				 unsigned int prio)
{
	return le64_to_cpu(READ_ONCE(port->status->pfc[prio].levels));
}

/* Number of storms of a class so far, from the status page. */
static inline u64 parq_io_storms(const struct parq_port *port,
				 unsigned int prio)
{
	return le64_to_cpu(READ_ONCE(port->status->pfc[prio].storms));
}

/* ---- parq_io_switch.c -------------------------------------------------- */

/*
 * Of a device that forwards. A command of addresses or of VLANs needs several registers, and a
 * counter two: the callers serialize them.
 */
bool parq_io_switch_no_entry(struct parq_dev *pd);
bool parq_io_switch_vlans(struct parq_dev *pd);
bool parq_io_switch_groups(struct parq_dev *pd);
void parq_io_switch_domain(struct parq_dev *pd, unsigned int domain, u32 mode);
bool parq_io_switch_vlan(struct parq_dev *pd, const struct parq_vlan *v);
void parq_io_switch_pvid(const struct parq_port *port, u16 vid);
bool parq_io_switch_vifs(struct parq_dev *pd);
void parq_io_switch_vif(const struct parq_port *port, u16 vid, bool on);
bool parq_io_switch_vif_domains(struct parq_dev *pd);
int parq_io_switch_vif_ctrl(const struct parq_port *port, u32 ctrl);
int parq_io_switch_ctrl(const struct parq_port *port, u32 ctrl);
u64 parq_io_switch_stat(const struct parq_port *port, enum parq_sw_stat n);
enum parq_fdb_result parq_io_mdb_set(struct parq_dev *pd, const struct parq_mdb *e);
bool parq_io_switch_red(struct parq_dev *pd);
int parq_io_red_set(const struct parq_port *port, unsigned int tc, const struct parq_red_hw *hw);
void parq_io_red_count(const struct parq_port *port, unsigned int tc, struct parq_red_count *count);
bool parq_io_switch_pool(struct parq_dev *pd);
void parq_io_pool_size(struct parq_dev *pd, u32 size);
u32 parq_io_pool_used(struct parq_dev *pd);
u32 parq_io_pool_room(struct parq_dev *pd);
void parq_io_pool_limit(const struct parq_port *port, unsigned int n, u32 limit);
u32 parq_io_pool_port_used(const struct parq_port *port);
u32 parq_io_pool_high(const struct parq_port *port);
void parq_io_pool_max_clear(const struct parq_port *port);
bool parq_io_switch_egress(struct parq_dev *pd);
void parq_io_egress_limit(const struct parq_port *port, unsigned int tc, u32 bytes);
u32 parq_io_egress_used(const struct parq_port *port, unsigned int n);
u32 parq_io_egress_high(const struct parq_port *port, unsigned int n);
void parq_io_egress_max_clear(const struct parq_port *port, unsigned int n);
u32 parq_io_fdb_size(struct parq_dev *pd);
void parq_io_fdb_age(struct parq_dev *pd, u32 seconds);
enum parq_fdb_result parq_io_fdb_cmd(struct parq_dev *pd, enum parq_fdb_op op,
				     const struct parq_fdb *e);
bool parq_io_fdb_read(struct parq_dev *pd, u32 index, struct parq_fdb *e);
#if IS_ENABLED(CONFIG_NET_SWITCHDEV)
void parq_io_levels_hold(struct parq_dev *pd, bool on);
#else
static inline void parq_io_levels_hold(struct parq_dev *pd, bool on)
{
}
#endif

#endif /* _PARQ_IO_H */
