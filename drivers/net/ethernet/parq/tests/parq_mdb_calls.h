/* SPDX-License-Identifier: GPL-2.0 */
/* What the suite's bridge says of itself, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_MDB_CALLS_H
#define _PARQ_TESTS_MDB_CALLS_H

#include <linux/module.h>
#include <linux/netdevice.h>

bool mdb_br_multicast_enabled(const struct net_device *dev);
bool mdb_br_multicast_router(const struct net_device *dev);
bool mdb_br_multicast_has_querier_anywhere(struct net_device *dev, int proto);
void mdb_put(void);
#undef symbol_get
#undef symbol_put
#define symbol_get(name)	(mdb_##name)
#define symbol_put(name)	((void)(mdb_##name), mdb_put())

#endif /* _PARQ_TESTS_MDB_CALLS_H */
