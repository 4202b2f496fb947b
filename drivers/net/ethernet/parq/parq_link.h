/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_LINK_H
#define _PARQ_LINK_H

#include "parq.h"

void parq_link_check(struct parq_port *port);
void parq_link_store(struct parq_port *port, const struct parq_link *link);
void parq_link_phy(struct parq_port *port, bool on);
void parq_link_apply(struct parq_port *port, bool renegotiate);

#endif /* _PARQ_LINK_H */
