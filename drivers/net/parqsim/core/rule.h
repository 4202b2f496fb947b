/* SPDX-License-Identifier: GPL-2.0 */
/* Table of rules of a port: the first that matches a frame selects its queues. */
#ifndef _PARQSIM_RULE_H
#define _PARQSIM_RULE_H

#include <linux/parq_hw.h>

/**
 * struct rule - one rule
 * @key: values, 0 where @mask is
 * @mask: bits that are compared
 * @slot: RXQ_QUEUE(), RXQ_CTX() or RXQ_DROP
 * @counts: frames are counted
 * @counter: where
 */
struct rule {
	u32 key[PARQ_RULE_WORDS];
	u32 mask[PARQ_RULE_WORDS];
	u16 slot;
	bool counts;
	u8 counter;
};

/**
 * struct rule_count - PARQ_RULE_COUNT
 * @frames: received frames
 * @bytes: of them, without FCS
 */
struct rule_count {
	u64 frames;
	u64 bytes;
};

/**
 * struct rules - rules of a port
 * @used: BIT(location) of those that exist
 * @rule: by location
 * @count: counters that the rules name
 */
struct rules {
	u64 used;
	struct rule rule[PARQ_NUM_RULES];
	struct rule_count count[PARQ_NUM_RULE_COUNTERS];
};

static_assert(PARQ_NUM_RULES <= 64);

bool rule_valid(const struct rule *rule);
void rule_set(struct rules *rules, u32 location, const struct rule *rule);
const struct rule *rule_find(const struct rules *rules, const u32 *key);
void rule_count(struct rules *rules, const struct rule *rule, u32 frames, u32 bytes);
void rule_key(const u8 *frame, u32 len, u32 *key);
void rule_key_tag(u32 *key, u16 tci);

#endif /* _PARQSIM_RULE_H */
