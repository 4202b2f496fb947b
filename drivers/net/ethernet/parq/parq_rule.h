/* SPDX-License-Identifier: GPL-2.0 */
/* Rules that select the RX queues of frames. */
#ifndef _PARQ_RULE_H
#define _PARQ_RULE_H

#include <linux/ethtool.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/parq_hw.h>

#include "parq_log.h"

struct flow_action;
struct flow_block_offload;
struct flow_rule;
struct parq_port;

/**
 * struct parq_match - what a rule compares, as the device has it
 * @key: values, 0 where @mask is
 * @mask: bits that are compared
 */
struct parq_match {
	u32 key[PARQ_RULE_WORDS];
	u32 mask[PARQ_RULE_WORDS];
};

/**
 * struct parq_rule - a rule, as the device has it
 * @id: no other rule of the port had or will have it; not 0
 * @match: which frames
 * @action: PARQ_RULE_ACTION
 */
struct parq_rule {
	u64 id;
	struct parq_match match;
	u32 action;
};

/**
 * struct parq_ntuple - a rule of ethtool; under the ops lock
 * @rule: for the device
 * @fs: as the user set it
 * @ctx: RSS context, if @fs has FLOW_RSS
 */
struct parq_ntuple {
	struct parq_rule rule;
	struct ethtool_rx_flow_spec fs;
	u32 ctx;
};

/**
 * struct parq_rule_count - what a filter has counted
 * @frames: received frames
 * @bytes: of them, without FCS
 */
struct parq_rule_count {
	u64 frames;
	u64 bytes;
};

/**
 * struct parq_filter - a filter of tc; under parq_rules.lock
 * @node: in parq_rules.filters
 * @rule: for the device
 * @cookie: the stack's name for it
 * @pref: preference, lowest first
 * @counter: PARQ_RULE_COUNT
 * @seen: value of the counter as last read
 * @unread: what has been counted, and not been reported to the stack
 * @used: when a frame was last seen to be counted, jiffies
 */
struct parq_filter {
	struct list_head node;
	struct parq_rule rule;
	unsigned long cookie;
	u32 pref;
	u32 counter;
	struct parq_rule_count seen;
	struct parq_rule_count unread;
	unsigned long used;
};

/**
 * struct parq_rules - rules of a port
 * @lock: within the ops lock
 * @ntuple: rules of ethtool, by location; NULL for none. Written under the ops lock and @lock, read
 *	under either
 * @filters: of tc, in the order in which they apply. Written under rtnl and @lock, read under
 *	either
 * @num_filters: their number
 * @stale: the device does not have them yet; under @lock
 * @next: PARQ_RULE_COUNT of the next filter, if no other one has it; under @lock
 * @last: the id that was given last; under @lock
 * @hw: rules in the device, by location: their ids, 0 for none. Under the ops lock and @lock
 */
struct parq_rules {
	struct mutex lock;	/* within the ops lock */
	struct parq_ntuple *ntuple[PARQ_NUM_RULES];
	struct list_head filters;
	unsigned int num_filters;
	bool stale;
	u32 next;
	u64 last;
	u64 hw[PARQ_NUM_RULES];
};

/* ---- parq_rule_calc.c --------------------------------------------------- */

int parq_rule_match(const struct ethtool_rx_flow_spec *fs, struct parq_match *m,
		    char reason[PARQ_REASON_LEN]);

int parq_rule_queue(u32 action);

/* Parts of a match. Bits of a value that are not in its mask do not count. */
void parq_match_word(struct parq_match *m, unsigned int word, u32 val, u32 mask);
void parq_match_mac(struct parq_match *m, unsigned int word, const u8 *addr, const u8 *mask);
void parq_match_ip(struct parq_match *m, unsigned int word, const __be32 *addr,
		   const __be32 *mask, unsigned int num);
void parq_match_ports(struct parq_match *m, u32 val, u32 mask);
void parq_match_proto(struct parq_match *m, u32 version, u8 proto, u8 mask);
void parq_match_ds(struct parq_match *m, u8 ds, u8 mask);
void parq_match_tci(struct parq_match *m, u16 tci, u16 mask);

/* ---- parq_rule.c -------------------------------------------------------- */

void parq_rules_init(struct parq_port *port);
void parq_rules_fini(struct parq_port *port);
unsigned int parq_rules_ntuple(const struct parq_port *port);
int parq_rules_room(const struct parq_port *port, char reason[PARQ_REASON_LEN]);
int parq_rules_put(struct parq_port *port, unsigned int location, struct parq_ntuple *ntuple,
		   char reason[PARQ_REASON_LEN]);
void parq_rules_sync(struct parq_port *port);
void parq_rules_restore(struct parq_port *port);

/* ---- parq_flower_calc.c ------------------------------------------------- */

int parq_flower_match(const struct flow_rule *rule, __be16 protocol, struct parq_match *m,
		      char reason[PARQ_REASON_LEN]);
int parq_flower_action(const struct flow_action *action, unsigned int queues, u32 *result,
		       char reason[PARQ_REASON_LEN]);

/* ---- parq_flower.c ------------------------------------------------------ */

int parq_flower_setup(struct parq_port *port, struct flow_block_offload *block);
bool parq_flower_offloaded(const struct parq_port *port);
int parq_flower_channels(struct parq_port *port, unsigned int num);
void parq_flower_down(struct parq_port *port);
void parq_flower_up(struct parq_port *port);

#endif /* _PARQ_RULE_H */
