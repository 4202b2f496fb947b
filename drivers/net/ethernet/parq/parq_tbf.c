// SPDX-License-Identifier: GPL-2.0
/* Tbf qdiscs of ports that forward. */
#include <linux/errno.h>
#include <linux/string.h>
#include <net/pkt_sched.h>

#include "parq.h"
#include "parq_ets.h"
#include "parq_tbf.h"

/* Return: the qdisc's slot if the driver has it, or NULL. */
static struct parq_tbf_slot *parq_tbf_find(struct parq_port *port, u32 handle)
{
	unsigned int i;

	for (i = 0; i < PARQ_TBF_SLOTS; i++)
		if (handle && port->tbf.slot[i].handle == handle)
			return &port->tbf.slot[i];
	return NULL;
}

/* Whose limits the qdisc of a slot is about: those of the port, or of the ets or prio qdisc. */
static enum parq_ets_user parq_tbf_user(unsigned int slot)
{
	return slot >= PARQ_TBF_ROOT ? PARQ_ETS_USER_TBF : PARQ_ETS_USER_ETS;
}

/* Settings with the limits of all tbf qdiscs. */
static struct parq_tc parq_tbf_wants(const struct parq_port *port, enum parq_ets_user user)
{
	struct parq_tc tc = port->ets.tc[user];

	if (user == PARQ_ETS_USER_TBF)
		tc.port_rate = min_not_zero(port->tbf.slot[PARQ_TBF_ROOT].kbit,
					    port->tbf.slot[PARQ_TBF_NESTED].kbit);
	else
		parq_tbf_limits(&port->tbf, port->ets_handle, port->ets_bands, tc.maxrate);
	return tc;
}

static void parq_tbf_force(struct parq_port *port, unsigned int slot)
{
	enum parq_ets_user user = parq_tbf_user(slot);
	struct parq_tc tc = parq_tbf_wants(port, user);

	parq_ets_tc_force(port, user, &tc);
}

static int parq_tbf_set(struct parq_port *port, const struct tc_tbf_qopt_offload *qopt,
			bool nested, char *reason)
{
	struct parq_tbf was = port->tbf;
	enum parq_ets_user user;
	struct parq_tc tc;
	unsigned int slot;
	int err;

	err = parq_tbf_check(qopt, port->ets_handle,
			     port->pd->caps.flags & PARQ_CAP_PORT_RATE, reason);
	if (err)
		return err;
	slot = parq_tbf_slot_of(qopt->parent, nested);
	if (was.slot[slot].handle != qopt->handle)
		port->tbf.prev[slot] = was.slot[slot];
	port->tbf.slot[slot] = parq_tbf_fit(qopt);
	user = parq_tbf_user(slot);
	tc = parq_tbf_wants(port, user);
	err = parq_ets_tc_set(port, user, &tc);
	if (err)
		port->tbf = was;
	return err;
}

/* The qdisc ignores an error: it then works in software and is not shown as offloaded. */
static int parq_tbf_replace(struct parq_port *port, const struct tc_tbf_qopt_offload *qopt,
			    bool nested)
{
	char what[sizeof("offload of qdisc tbf ffff")];
	char reason[PARQ_REASON_LEN] = "";
	struct parq_tbf_slot *slot;
	int err;

	err = parq_tbf_set(port, qopt, nested, reason);
	if (!err)
		return 0;
	/* It may have been offloaded with another rate before. Stop that. */
	slot = parq_tbf_find(port, qopt->handle);
	if (slot) {
		slot->kbit = 0;
		parq_tbf_force(port, slot - port->tbf.slot);
	}
	snprintf(what, sizeof(what), "offload of qdisc tbf %x", TC_H_MAJ(qopt->handle) >> 16);
	return parq_refuse(port->netdev, parq_compat_tbf_extack(qopt), what, reason, err);
}

/* Return: the device has the limit of a qdisc. */
static bool parq_tbf_works(const struct parq_port *port, const struct parq_tbf_slot *slot)
{
	return parq_tbf_limit(&port->tbf, slot - port->tbf.slot, port->ets_handle,
			      port->ets_bands);
}

/*
 * One that ends before it is in place leaves the limit to the one before: tc has refused the rest
 * of the request.
 */
static int parq_tbf_destroy(struct parq_port *port, u32 handle)
{
	struct parq_tbf *tbf = &port->tbf;
	unsigned int i;

	for (i = 0; i < PARQ_TBF_SLOTS; i++) {
		if (tbf->prev[i].handle == handle) {
			tbf->prev[i] = (struct parq_tbf_slot){};
			return 0;
		}
		if (tbf->slot[i].handle == handle) {
			tbf->slot[i] = tbf->prev[i];
			tbf->prev[i] = (struct parq_tbf_slot){};
			parq_tbf_force(port, i);
			return 0;
		}
	}
	return -EOPNOTSUPP;
}

/**
 * parq_tbf_setup() - do what a tbf qdisc asks for, apart from its child
 * @port: port
 * @qopt: request, with its place as the parent
 * @nested: there is another tbf above it, at the root
 *
 * Packets, bytes and the backlog are those of the host's frames: the qdisc counts them itself.
 *
 * Context: rtnl and ops lock.
 * Return: 0, or an error: the qdisc then works in software.
 */
int parq_tbf_setup(struct parq_port *port, struct tc_tbf_qopt_offload *qopt, bool nested)
{
	struct parq_tbf_slot *slot;

	/* For the host's frames alone there is the qdisc. */
	if (!port->pd->sw)
		return -EOPNOTSUPP;
	switch (qopt->command) {
	case TC_TBF_REPLACE:
		return parq_tbf_replace(port, qopt, nested);
	case TC_TBF_DESTROY:
		return parq_tbf_destroy(port, qopt->handle);
	case TC_TBF_STATS:
		slot = parq_tbf_find(port, qopt->handle);
		return slot && parq_tbf_works(port, slot) ? 0 : -EOPNOTSUPP;
	default:
		return -EOPNOTSUPP;
	}
}

/* What is above the qdisc of a slot gets another child, possibly not a tbf qdisc. */
void parq_tbf_graft(struct parq_port *port, unsigned int slot, u32 child)
{
	struct parq_tbf *tbf = &port->tbf;

	tbf->prev[slot] = (struct parq_tbf_slot){};
	if (!tbf->slot[slot].handle || tbf->slot[slot].handle == child)
		return;
	tbf->slot[slot] = (struct parq_tbf_slot){};
	parq_tbf_force(port, slot);
}

/*
 * Offload has been switched off: the stack does not report the end of qdiscs any more. The limits
 * of bands end with the offload of the ets or prio qdisc.
 */
void parq_tbf_clear(struct parq_port *port)
{
	memset(&port->tbf, 0, sizeof(port->tbf));
	parq_tbf_force(port, PARQ_TBF_ROOT);
}
