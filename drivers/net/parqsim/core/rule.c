// SPDX-License-Identifier: GPL-2.0
#include <linux/build_bug.h>

#include "ip.h"
#include "rule.h"

/* Return: false if the key has bits that are not compared: no frame could have it. */
bool rule_valid(const struct rule *rule)
{
	u32 i;

	for (i = 0; i < PARQ_RULE_WORDS; i++)
		if (rule->key[i] & ~rule->mask[i])
			return false;
	return true;
}

/**
 * rule_set() - put a rule at a location, in place of one that may be there
 * @rules: rules of the port
 * @location: below PARQ_NUM_RULES
 * @rule: the rule; NULL for none
 */
void rule_set(struct rules *rules, u32 location, const struct rule *rule)
{
	rules->used &= ~BIT_ULL(location);
	if (!rule)
		return;
	rules->rule[location] = *rule;
	rules->used |= BIT_ULL(location);
}

static bool matches(const struct rule *rule, const u32 *key)
{
	u32 i;

	for (i = 0; i < PARQ_RULE_WORDS; i++)
		if ((key[i] & rule->mask[i]) != rule->key[i])
			return false;
	return true;
}

/* Return: the rule that decides about a frame with this key, or NULL. */
const struct rule *rule_find(const struct rules *rules, const u32 *key)
{
	u64 left = rules->used;
	const struct rule *rule;

	for (; left; left &= left - 1) {
		rule = &rules->rule[__builtin_ctzll(left)];
		if (matches(rule, key))
			return rule;
	}
	return NULL;
}

/* Charges frames to the counter of a rule; @rule: NULL for none. */
void rule_count(struct rules *rules, const struct rule *rule, u32 frames, u32 bytes)
{
	if (!rule || !rule->counts)
		return;
	rules->count[rule->counter].frames += frames;
	rules->count[rule->counter].bytes += bytes;
}

static void ip_key(const u8 *frame, u32 len, const struct ip *ip, u32 *key)
{
	u32 words = ip->addr_len / 2 / sizeof(u32), i;

	key[PARQ_RULE_PROTO] |= (is_ipv6(ip) ? PARQ_RULE_PROTO_IPV6 : PARQ_RULE_PROTO_IPV4) |
				FIELD_PREP(PARQ_RULE_PROTO_IP, ip->proto) |
				FIELD_PREP(PARQ_RULE_PROTO_DS, ip_ds(frame, ip));
	for (i = 0; i < words; i++) {
		key[PARQ_RULE_IP_SRC + i] = get_be32(ip->addr + 4 * i);
		key[PARQ_RULE_IP_DST + i] = get_be32(ip->addr + 4 * (words + i));
	}
	if (ip->proto != IPPROTO_TCP && ip->proto != IPPROTO_UDP && ip->proto != IPPROTO_SCTP)
		return;
	if (l4_len(ip, len) < PORTS_LEN)
		return;
	key[PARQ_RULE_PROTO] |= PARQ_RULE_PROTO_PORTS;
	key[PARQ_RULE_PORTS] = get_be32(frame + ip->l4);
}

/* Adds the outer tag, a C-tag, to the key of a frame. */
void rule_key_tag(u32 *key, u16 tci)
{
	key[PARQ_RULE_TYPES] |= FIELD_PREP(PARQ_RULE_TYPES_TCI, tci);
	key[PARQ_RULE_PROTO] |= PARQ_RULE_PROTO_TAG;
	key[PARQ_RULE_PROTO] &= ~PARQ_RULE_PROTO_S_TAG;
}

/**
 * rule_key() - make the key of a frame
 * @frame: the frame
 * @len: its bytes without FCS
 * @key: result, PARQ_RULE_WORDS
 */
void rule_key(const u8 *frame, u32 len, u32 *key)
{
	struct ip ip;
	u16 type;

	memset(key, 0, PARQ_RULE_WORDS * sizeof(*key));
	if (len < ETH_HLEN)
		return;
	key[PARQ_RULE_DST_LO] = get_addr(frame);
	key[PARQ_RULE_DST_HI] = get_addr(frame) >> 32;
	key[PARQ_RULE_SRC_LO] = get_addr(frame + ETH_ALEN);
	key[PARQ_RULE_SRC_HI] = get_addr(frame + ETH_ALEN) >> 32;
	eth_parse(frame, len, &type);
	key[PARQ_RULE_TYPES] = type;
	if (get_be16(frame + TAG_AT) == ETH_S_TAG)
		key[PARQ_RULE_PROTO] |= PARQ_RULE_PROTO_S_TAG;
	if (has_c_tag(frame, len))
		rule_key_tag(key, get_be16(frame + ETH_HLEN));
	if (ip_parse(frame, len, &ip))
		ip_key(frame, len, &ip, key);
}
