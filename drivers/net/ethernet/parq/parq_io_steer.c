// SPDX-License-Identifier: GPL-2.0
/* Access to the registers that select the RX queues of frames. */
#include <linux/etherdevice.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_reg.h"
#include "parq_rule.h"

/**
 * struct parq_io_ctx - registers of an RSS context, relative to the port's
 * @ctrl: PARQ_RSS_CTRL, or PARQ_CTX_CTRL
 * @key: PARQ_RSS_KEY(0), or PARQ_CTX_KEY(0), and so on
 * @indir: indirection table
 * @fields: fields that are hashed
 */
struct parq_io_ctx {
	u32 ctrl;
	u32 key;
	u32 indir;
	u32 fields;
};

static struct parq_io_ctx parq_io_ctx(unsigned int ctx)
{
	u32 base = PARQ_RSS_CTX(ctx);

	if (!ctx)
		return (struct parq_io_ctx) {
			.ctrl = PARQ_RSS_CTRL,
			.key = PARQ_RSS_KEY(0),
			.indir = PARQ_RSS_INDIR(0),
			.fields = PARQ_RSS_FIELDS(0),
		};
	return (struct parq_io_ctx) {
		.ctrl = base + PARQ_CTX_CTRL,
		.key = base + PARQ_CTX_KEY(0),
		.indir = base + PARQ_CTX_INDIR(0),
		.fields = base + PARQ_CTX_FIELDS(0),
	};
}

static u32 parq_io_rss_ctrl(const struct parq_rss *rss, bool fields)
{
	if (fields)
		return PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_FIELDS |
		       (rss->sym ? PARQ_RSS_CTRL_SYM : 0);
	return PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_IPV4 | PARQ_RSS_CTRL_IPV6 |
	       PARQ_RSS_CTRL_TCP | PARQ_RSS_CTRL_UDP;
}

/* @ctx: RSS context that exists, 0 for the port itself */
void parq_io_rss_set(struct parq_port *port, unsigned int ctx)
{
	bool fields = port->pd->caps.flags & PARQ_CAP_RSS_FIELDS;
	const struct parq_rss *rss = parq_port_rss(port, ctx);
	struct parq_io_ctx at = parq_io_ctx(ctx);
	unsigned int i;

	if (!(port->pd->caps.flags & PARQ_CAP_RSS))
		return;
	for (i = 0; i < PARQ_RSS_KEY_LEN; i += 4)
		parq_reg_port_wr(port, at.key + i, get_unaligned_le32(rss->key + i));
	for (i = 0; i < PARQ_RSS_INDIR_LEN; i += 4)
		parq_reg_port_wr(port, at.indir + i, get_unaligned_le32(rss->indir + i));
	for (i = 0; fields && i < PARQ_RSS_NUM_TYPES; i++)
		parq_reg_port_wr(port, at.fields + 4 * i, rss->fields[i]);
	parq_reg_port_wr(port, at.ctrl, parq_io_rss_ctrl(rss, fields));
}

/* Puts a rule, or none if @rule is NULL, into the device. */
void parq_io_rule_set(struct parq_port *port, unsigned int location, const struct parq_rule *rule)
{
	unsigned int i;

	for (i = 0; rule && i < PARQ_RULE_WORDS; i++) {
		parq_reg_port_wr(port, PARQ_RULE_KEY(i), rule->match.key[i]);
		parq_reg_port_wr(port, PARQ_RULE_MASK(i), rule->match.mask[i]);
	}
	parq_reg_port_wr(port, PARQ_RULE_ACTION, rule ? rule->action : 0);
	parq_reg_port_wr(port, PARQ_RULE_SET, location);
}

/* Sets the hash of all contexts, after a reset. */
void parq_io_steer_set(struct parq_port *port)
{
	unsigned int i;

	for (i = 0; i <= PARQ_NUM_RSS_CTX; i++)
		if (parq_port_rss(port, i))
			parq_io_rss_set(port, i);
}

void parq_io_rule_count_clear(struct parq_port *port, unsigned int counter)
{
	parq_reg_port_wr(port, PARQ_RULE_COUNT(counter) + PARQ_COUNT_FRAMES_LO, 0);
}

/* If the lower half wraps in between, the number has been the upper half and 0. */
static u64 parq_io_count(struct parq_port *port, u32 lo)
{
	u32 before = parq_reg_port_rd(port, lo + 4), low = parq_reg_port_rd(port, lo);
	u32 hi = parq_reg_port_rd(port, lo + 4);

	return (u64)hi << 32 | (hi == before ? low : 0);
}

/* Reads a counter of rules. Context: process. Return: 0, or -ENODEV. */
int parq_io_rule_count(struct parq_port *port, unsigned int counter, u64 *frames, u64 *bytes)
{
	u32 at = PARQ_RULE_COUNT(counter);

	*frames = parq_io_count(port, at + PARQ_COUNT_FRAMES_LO);
	*bytes = parq_io_count(port, at + PARQ_COUNT_BYTES_LO);
	return parq_dev_gone(port->pd) ? -ENODEV : 0;
}
