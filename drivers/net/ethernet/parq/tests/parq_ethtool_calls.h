/* SPDX-License-Identifier: GPL-2.0 */
/* Operations of other files, which the suite does not call, and its pools. See copies in Kbuild. */
#ifndef _PARQ_TESTS_ETHTOOL_CALLS_H
#define _PARQ_TESTS_ETHTOOL_CALLS_H

#include <net/xdp_sock_drv.h>

#include "../parq_ethtool.h"
#include "../parq_ptp.h"

struct xsk_buff_pool *desk_pool(unsigned int queue);
#define xsk_get_pool_from_qid(dev, queue)	((void)(dev), desk_pool(queue))

#define parq_ethtool_link_get			NULL
#define parq_ethtool_link_set			NULL
#define parq_ethtool_link_ext_state		NULL
#define parq_ethtool_link_nway_reset		NULL
#define parq_ethtool_link_get_pause		NULL
#define parq_ethtool_link_set_pause		NULL
#define parq_ethtool_link_get_pause_stats	NULL
#define parq_ethtool_rss_key_size		NULL
#define parq_ethtool_rss_indir_size		NULL
#define parq_ethtool_rss_get			NULL
#define parq_ethtool_rss_set			NULL
#define parq_ethtool_rss_fields			NULL
#define parq_ethtool_rss_set_fields		NULL
#define parq_ethtool_rss_ring_count		NULL
#define parq_ethtool_ctx_create			NULL
#define parq_ethtool_ctx_modify			NULL
#define parq_ethtool_ctx_remove			NULL
#define parq_ethtool_get_nfc			NULL
#define parq_ethtool_set_nfc			NULL
#define parq_ptp_ts_info			NULL
#define parq_ptp_ts_stats			NULL

#endif /* _PARQ_TESTS_ETHTOOL_CALLS_H */
