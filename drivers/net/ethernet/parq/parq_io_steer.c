// SPDX-License-Identifier: GPL-2.0
/* Access to the registers that select the RX queues of frames. */
#include <linux/etherdevice.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_reg.h"

static u32 parq_io_rss_ctrl(const struct parq_rss *rss, bool fields)
{
	if (fields)
		return PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_FIELDS |
		       (rss->sym ? PARQ_RSS_CTRL_SYM : 0);
	return PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_IPV4 | PARQ_RSS_CTRL_IPV6 |
	       PARQ_RSS_CTRL_TCP | PARQ_RSS_CTRL_UDP;
}

void parq_io_rss_set(struct parq_port *port)
{
	bool fields = port->pd->caps.flags & PARQ_CAP_RSS_FIELDS;
	const struct parq_rss *rss = &port->rss;
	unsigned int i;

	if (!(port->pd->caps.flags & PARQ_CAP_RSS))
		return;
	for (i = 0; i < PARQ_RSS_KEY_LEN / 4; i++)
		parq_reg_port_wr(port, PARQ_RSS_KEY(i), get_unaligned_le32(rss->key + 4 * i));
	for (i = 0; i < PARQ_RSS_INDIR_LEN / 4; i++)
		parq_reg_port_wr(port, PARQ_RSS_INDIR(i), get_unaligned_le32(rss->indir + 4 * i));
	for (i = 0; fields && i < PARQ_RSS_NUM_TYPES; i++)
		parq_reg_port_wr(port, PARQ_RSS_FIELDS(i), rss->fields[i]);
	parq_reg_port_wr(port, PARQ_RSS_CTRL, parq_io_rss_ctrl(rss, fields));
}
