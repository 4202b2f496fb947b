// SPDX-License-Identifier: GPL-2.0
/* Registers that select the queues of frames: hash, tables, contexts, rules. */
#include "reg_table.h"

/* Context 0 is the port's own. */
static struct offload_rss *rss_of(const struct access *a, u32 ctx)
{
	return &a->sim->steer.port[a->port].rss[ctx];
}

/* Called before a change. Segments that have been received are delivered as what they were. */
static void changes(const struct access *a)
{
	gro_end(&a->sim->gro, a->port);
}

static void changed(const struct access *a)
{
	rxbuf_steer(&a->sim->rxbuf, a->port);
}

static void set_ctrl(const struct access *a, u32 ctx)
{
	changes(a);
	rss_of(a, ctx)->ctrl = a->val;
	offload_rss_update(rss_of(a, ctx));
	changed(a);
}

static void set_key(const struct access *a, u32 ctx, u32 n)
{
	u32 b;

	changes(a);
	for (b = 0; b < 4; b++)
		rss_of(a, ctx)->key[4 * n + b] = a->val >> (8 * b);
	offload_rss_update(rss_of(a, ctx));
	changed(a);
}

static enum parq_err set_indir(const struct access *a, u32 ctx, u32 n)
{
	u8 *indir = &a->sim->rxqs.port[a->port].indir[RXQ_CTX(ctx) + 4 * n];
	u32 b;

	for (b = 0; b < 4; b++)
		if ((a->val >> (8 * b) & 0xff) >= a->sim->cfg.rxq)
			return PARQ_ERR_RANGE;
	for (b = 0; b < 4; b++)
		indir[b] = a->val >> (8 * b);
	rxbuf_retry(&a->sim->rxbuf, a->port);
	return PARQ_ERR_NONE;
}

static enum parq_err set_fields(const struct access *a, u32 ctx, u32 type)
{
	if (a->val & ~offload_rss_fields(type))
		return PARQ_ERR_RANGE;
	changes(a);
	rss_of(a, ctx)->set[type] = a->val;
	offload_rss_update(rss_of(a, ctx));
	changed(a);
	return PARQ_ERR_NONE;
}

/* ---- the port's own ------------------------------------------------------- */

static enum parq_err write_rss_ctrl(const struct access *a)
{
	set_ctrl(a, 0);
	return PARQ_ERR_NONE;
}

static enum parq_err write_rss_key(const struct access *a)
{
	set_key(a, 0, a->i);
	return PARQ_ERR_NONE;
}

static enum parq_err write_rss_indir(const struct access *a)
{
	return set_indir(a, 0, a->i);
}

static enum parq_err write_rss_fields(const struct access *a)
{
	return set_fields(a, 0, a->i);
}

/* ---- contexts -------------------------------------------------------------- */

#define CTX_WORDS	((PARQ_RSS_CTX(1) - PARQ_RSS_CTX(0)) / 4)

static bool within(u32 off, u32 reg, u32 count)
{
	return off >= reg && off < reg + 4 * count;
}

static enum parq_err write_ctx(const struct access *a)
{
	u32 ctx = 1 + a->i / CTX_WORDS, off = a->i % CTX_WORDS * 4;

	if (within(off, PARQ_CTX_INDIR(0), PARQ_RSS_INDIR_LEN / 4))
		return set_indir(a, ctx, (off - PARQ_CTX_INDIR(0)) / 4);
	if (within(off, PARQ_CTX_FIELDS(0), PARQ_RSS_NUM_TYPES))
		return set_fields(a, ctx, (off - PARQ_CTX_FIELDS(0)) / 4);
	if (within(off, PARQ_CTX_KEY(0), PARQ_RSS_KEY_LEN / 4))
		set_key(a, ctx, (off - PARQ_CTX_KEY(0)) / 4);
	else if (off == PARQ_CTX_CTRL && !(a->val & ~GENMASK(6, 0)))
		set_ctrl(a, ctx);
	else
		return off == PARQ_CTX_CTRL ? PARQ_ERR_RESERVED : PARQ_ERR_ACCESS;
	return PARQ_ERR_NONE;
}

/* ---- rules ------------------------------------------------------------------ */

/* Return: RXQ_QUEUE(), RXQ_CTX() or RXQ_DROP; -1 if the argument is outside its range. */
static int slot_of(const struct access *a, u32 action)
{
	u32 arg = FIELD_GET(PARQ_RULE_ACTION_ARG, action);

	switch (FIELD_GET(PARQ_RULE_ACTION_OP, action)) {
	case PARQ_RULE_QUEUE:
		return arg < a->sim->cfg.rxq ? (int)RXQ_QUEUE(arg) : -1;
	case PARQ_RULE_CTX:
		return arg <= PARQ_NUM_RSS_CTX ? (int)RXQ_CTX(arg) : -1;
	default:
		return arg ? -1 : RXQ_DROP;
	}
}

static enum parq_err write_rule_set(const struct access *a)
{
	u32 action = port_reg(a->sim, a->port, PARQ_RULE_ACTION), i;
	struct rules *rules = &a->sim->steer.port[a->port].rules;
	struct rule rule;
	int slot = slot_of(a, action);

	if (a->val >= PARQ_NUM_RULES || slot < 0)
		return PARQ_ERR_RANGE;
	rule.slot = slot;
	rule.counts = action & PARQ_RULE_ACTION_COUNTS;
	rule.counter = FIELD_GET(PARQ_RULE_ACTION_COUNTER, action);
	for (i = 0; i < PARQ_RULE_WORDS; i++) {
		rule.key[i] = port_reg(a->sim, a->port, PARQ_RULE_KEY(i));
		rule.mask[i] = port_reg(a->sim, a->port, PARQ_RULE_MASK(i));
	}
	if (!rule_valid(&rule))
		return PARQ_ERR_RANGE;
	changes(a);
	rule_set(rules, a->val,
		 FIELD_GET(PARQ_RULE_ACTION_OP, action) == PARQ_RULE_NONE ? NULL : &rule);
	changed(a);
	return PARQ_ERR_NONE;
}

#define COUNT_WORDS	((PARQ_RULE_COUNT(1) - PARQ_RULE_COUNT(0)) / 4)

static struct rule_count *count_of(const struct access *a)
{
	return &a->sim->steer.port[a->port].rules.count[a->i / COUNT_WORDS];
}

static enum parq_err write_count(const struct access *a)
{
	*count_of(a) = (struct rule_count){ .frames = 0 };
	return PARQ_ERR_NONE;
}

static u32 read_count(const struct access *a)
{
	const struct rule_count *count = count_of(a);
	u32 off = a->i % COUNT_WORDS * 4;
	u64 val = off < PARQ_COUNT_BYTES_LO ? count->frames : count->bytes;

	return val >> (off % 8 * 8);
}

const struct reg steer_regs[] = {
	{ PARQ_RSS_CTRL, 1, 4, GENMASK(6, 0), write_rss_ctrl, NULL },
	{ PARQ_RSS_KEY(0), PARQ_RSS_KEY_LEN / 4, 4, REG_ALL, write_rss_key, NULL },
	{ PARQ_RSS_INDIR(0), PARQ_RSS_INDIR_LEN / 4, 4, REG_ALL, write_rss_indir, NULL },
	{ PARQ_RSS_FIELDS(0), PARQ_RSS_NUM_TYPES, 4, GENMASK(4, 0), write_rss_fields, NULL },
	{ PARQ_RSS_CTX(1), PARQ_NUM_RSS_CTX * CTX_WORDS, 4, REG_ALL, write_ctx, NULL },
	{ PARQ_RULE_KEY(0), PARQ_RULE_WORDS, 4, REG_ALL, NULL, NULL },
	{ PARQ_RULE_MASK(0), PARQ_RULE_WORDS, 4, REG_ALL, NULL, NULL },
	{ PARQ_RULE_ACTION, 1, 4, PARQ_RULE_ACTION_ARG | PARQ_RULE_ACTION_OP |
	  PARQ_RULE_ACTION_COUNTS | PARQ_RULE_ACTION_COUNTER, NULL, NULL },
	{ PARQ_RULE_SET, 1, 4, REG_ALL, write_rule_set, reg_read_zero },
	{ PARQ_RULE_COUNT(0), PARQ_NUM_RULE_COUNTERS * COUNT_WORDS, 4, REG_ALL, write_count,
	  read_count },
	{ .count = 0 },
};
