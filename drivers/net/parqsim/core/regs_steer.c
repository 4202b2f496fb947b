// SPDX-License-Identifier: GPL-2.0
/* Registers of spreading. */
#include "reg_table.h"

static struct offload_rss *rss_of(const struct access *a)
{
	return &a->sim->steer.port[a->port].rss;
}

/* Segments that have been received are delivered as what they were. */
static void hash_changed(const struct access *a)
{
	gro_end(&a->sim->gro, a->port);
	offload_rss_update(rss_of(a));
	rxbuf_steer(&a->sim->rxbuf, a->port);
}

static enum parq_err write_rss_ctrl(const struct access *a)
{
	rss_of(a)->ctrl = a->val;
	hash_changed(a);
	return PARQ_ERR_NONE;
}

static enum parq_err write_rss_key(const struct access *a)
{
	u32 b;

	for (b = 0; b < 4; b++)
		rss_of(a)->key[4 * a->i + b] = a->val >> (8 * b);
	hash_changed(a);
	return PARQ_ERR_NONE;
}

static enum parq_err write_rss_indir(const struct access *a)
{
	u8 *indir = &a->sim->rxqs.port[a->port].indir[4 * a->i];
	u32 b;

	for (b = 0; b < 4; b++)
		if ((a->val >> (8 * b) & 0xff) >= a->sim->cfg.rxq)
			return PARQ_ERR_RANGE;
	for (b = 0; b < 4; b++)
		indir[b] = a->val >> (8 * b);
	rxbuf_retry(&a->sim->rxbuf, a->port);
	return PARQ_ERR_NONE;
}

static enum parq_err write_rss_fields(const struct access *a)
{
	if (!offload_rss_valid(a->i, a->val))
		return PARQ_ERR_RANGE;
	rss_of(a)->set[a->i] = a->val;
	hash_changed(a);
	return PARQ_ERR_NONE;
}

const struct reg steer_regs[] = {
	{ PARQ_RSS_CTRL, 1, 4, GENMASK(6, 0), write_rss_ctrl, NULL },
	{ PARQ_RSS_KEY(0), PARQ_RSS_KEY_LEN / 4, 4, REG_ALL, write_rss_key, NULL },
	{ PARQ_RSS_INDIR(0), PARQ_RSS_INDIR_LEN / 4, 4, REG_ALL, write_rss_indir, NULL },
	{ PARQ_RSS_FIELDS(0), PARQ_RSS_NUM_TYPES, 4, GENMASK(4, 0), write_rss_fields, NULL },
	{ .count = 0 },
};
