/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_DCBNL_H
#define _PARQ_DCBNL_H

struct parq_port;

/* Called before register_netdev(). */
void parq_dcbnl_init(struct parq_port *port);

#endif /* _PARQ_DCBNL_H */
