/* SPDX-License-Identifier: GPL-2.0 */
/* Offload of the flower classifier of tc. */
#ifndef _PARQ_FLOWER_H
#define _PARQ_FLOWER_H

#include "parq_rule.h"

struct flow_action;
struct flow_block_offload;
struct flow_rule;

/* ---- parq_flower_calc.c ------------------------------------------------- */

int parq_flower_match(const struct flow_rule *rule, __be16 protocol, struct parq_match *m,
		      char reason[PARQ_REASON_LEN]);
int parq_flower_action(const struct flow_action *action, unsigned int queues, u32 *result,
		       char reason[PARQ_REASON_LEN]);

/* ---- parq_flower.c ------------------------------------------------------ */

int parq_flower_setup(struct parq_port *port, struct flow_block_offload *block);
bool parq_flower_offloaded(const struct parq_port *port);
int parq_flower_channels(struct parq_port *port, unsigned int num);
void parq_flower_down(struct parq_port *port);
void parq_flower_up(struct parq_port *port);

#endif /* _PARQ_FLOWER_H */
