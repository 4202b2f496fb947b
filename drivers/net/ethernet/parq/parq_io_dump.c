// SPDX-License-Identifier: GPL-2.0
/* Register dump, for ethtool -d and devlink health. */
#include "parq_io_dump.h"
#include "parq_reg.h"

struct parq_io_range {
	u32 first;
	u32 last;
};

/* Write-only registers and per-vector moderation are left out. */
static const struct parq_io_range parq_dev_ranges[] = {
	{ PARQ_MAGIC, PARQ_PIPE_DEPTH },
	{ PARQ_STATUS, PARQ_TIME_HI },
	{ PARQ_EVENT_BASE_LO, PARQ_EVENT_HEAD },
};

static const struct parq_io_range parq_port_ranges[] = {
	{ PARQ_PORT_CTRL, PARQ_MAX_FRAME },
	{ PARQ_MAC_ADDR_LO, PARQ_STATS_BASE_HI },
	{ PARQ_ETS_PRIO_TC, PARQ_ETS_BW_HI },
	{ PARQ_PFC_CTRL, PARQ_PFC_STORM },
	{ PARQ_FC_CTRL, PARQ_FC_LOW },
	{ PARQ_FC_STATUS, PARQ_RXB_PRIO },
	{ PARQ_TRUST, PARQ_PCP_PRIO(PARQ_NUM_PCP / 8 - 1) },
	{ PARQ_DSCP_PRIO(0), PARQ_REWR(PARQ_NUM_PRIO - 1) },
	{ PARQ_RSS_KEY(0), PARQ_RSS_KEY(PARQ_RSS_KEY_LEN / 4 - 1) },
	{ PARQ_RSS_INDIR(0), PARQ_RSS_INDIR(PARQ_RSS_INDIR_LEN / 4 - 1) },
	{ PARQ_FILTER_LO(0), PARQ_FILTER_HI(PARQ_NUM_FILTERS - 1) },
	{ PARQ_ETS_MAXRATE(0), PARQ_ETS_MAXRATE(PARQ_NUM_TC - 1) },
};

/* Offsets are relative to the first object of a kind. */
static const struct parq_io_range parq_pfc_ranges[] = {
	{ PARQ_PARK_BASE_LO, PARQ_PARK_CTRL },
	{ PARQ_PFC_LEVELS, PARQ_PARK_TAIL },
};

static const struct parq_io_range parq_rxb_range = {
	PARQ_RXB_SIZE, PARQ_RXB_HIGH,
};

static const struct parq_io_range parq_txq_range = {
	PARQ_TXQ_BASE_LO, PARQ_TXQ_ERR,
};

static const struct parq_io_range parq_rxq_range = {
	PARQ_RXQ_FILL_LO, PARQ_RXQ_ERR,
};

static u32 *parq_io_dump_range(struct parq_dev *pd, u32 base,
			       const struct parq_io_range *range, u32 *out)
{
	u32 reg;

	for (reg = base + range->first; reg <= base + range->last; reg += 4) {
		*out++ = reg;
		*out++ = parq_reg_rd(pd, reg);
	}
	return out;
}

static unsigned int parq_io_range_len(const struct parq_io_range *range)
{
	return ((range->last - range->first) / 4 + 1) * 2 * sizeof(u32);
}

/* Return: bytes that parq_io_dump() writes. */
unsigned int parq_io_dump_len(const struct parq_port *port)
{
	unsigned int i, len = 0;

	for (i = 0; i < ARRAY_SIZE(parq_dev_ranges); i++)
		len += parq_io_range_len(&parq_dev_ranges[i]);
	for (i = 0; i < ARRAY_SIZE(parq_port_ranges); i++)
		len += parq_io_range_len(&parq_port_ranges[i]);
	for (i = 0; i < ARRAY_SIZE(parq_pfc_ranges); i++)
		len += parq_io_range_len(&parq_pfc_ranges[i]) * PARQ_NUM_PRIO;
	len += parq_io_range_len(&parq_rxb_range) * PARQ_NUM_RXB;
	len += parq_io_range_len(&parq_txq_range) * port->pd->caps.chans *
	       PARQ_NUM_PRIO;
	return len + parq_io_range_len(&parq_rxq_range) * port->pd->caps.chans;
}

void parq_io_dump(struct parq_port *port, u32 *out)
{
	u32 base = PARQ_PORT(port->index);
	struct parq_dev *pd = port->pd;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(parq_dev_ranges); i++)
		out = parq_io_dump_range(pd, 0, &parq_dev_ranges[i], out);
	for (i = 0; i < ARRAY_SIZE(parq_port_ranges); i++)
		out = parq_io_dump_range(pd, base, &parq_port_ranges[i], out);
	for (n = 0; n < PARQ_NUM_PRIO; n++)
		for (i = 0; i < ARRAY_SIZE(parq_pfc_ranges); i++)
			out = parq_io_dump_range(pd, base + PARQ_PFC(n),
						 &parq_pfc_ranges[i], out);
	for (n = 0; n < PARQ_NUM_RXB; n++)
		out = parq_io_dump_range(pd, base + PARQ_RXB(n),
					 &parq_rxb_range, out);
	for (n = 0; n < pd->caps.chans * PARQ_NUM_PRIO; n++)
		out = parq_io_dump_range(pd, base + PARQ_TXQ(n),
					 &parq_txq_range, out);
	for (n = 0; n < pd->caps.chans; n++)
		out = parq_io_dump_range(pd, base + PARQ_RXQ(n),
					 &parq_rxq_range, out);
}
