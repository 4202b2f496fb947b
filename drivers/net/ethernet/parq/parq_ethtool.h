/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_ETHTOOL_H
#define _PARQ_ETHTOOL_H

#include <linux/ethtool.h>

extern const struct ethtool_ops parq_ethtool_ops;

#endif /* _PARQ_ETHTOOL_H */
