// SPDX-License-Identifier: GPL-2.0
/*
 * Trust arithmetic: checks APP entries, the order of trust and rewriting, and converts
 * them to register values. Pure: no lock, no device, no memory but the arguments.
 */
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/if_ether.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "compat.h" /* <net/dcbnl.h> */
#include "parq_prio.h"

#define PCP_DEI		BIT(3)	/* in the protocol field of an entry */
#define PCP_PRIO_PLAIN	0x76543210

static_assert(PARQ_REWR_DSCP + 1 == PARQ_NUM_DSCP);

/* ---- What is permitted --------------------------------------------------- */

static int check_range(const char *name, unsigned int val, unsigned int max,
		       char *reason)
{
	if (val <= max)
		return 0;
	snprintf(reason, PARQ_REASON_LEN, "%s %u is not in 0..%u", name, val, max);
	return -EINVAL;
}

static int check_ethertype(unsigned int type, char *reason)
{
	if (!type || type >= ETH_P_802_3_MIN)
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "EtherType %#x is neither 0 (default priority) nor in %#x..0xffff",
		 type, ETH_P_802_3_MIN);
	return -EINVAL;
}

static int check_port(unsigned int port, char *reason)
{
	if (port)
		return 0;
	snprintf(reason, PARQ_REASON_LEN, "port 0 is not in 1..65535");
	return -EINVAL;
}

/**
 * parq_trust_app_check() - check an APP entry
 * @app: entry of a user
 * @reason: receives the value and the permitted range if it is refused
 *
 * Entries of ports and EtherTypes are for applications that query them. They do not affect
 * a frame's priority, except EtherType 0, the default of IEEE 802.1Qaz D.2.11.3.
 *
 * Return: 0 or -EINVAL.
 */
int parq_trust_app_check(const struct dcb_app *app, char reason[PARQ_REASON_LEN])
{
	int err = check_range("priority", app->priority, PARQ_NUM_PRIO - 1, reason);

	if (err)
		return err;
	switch (app->selector) {
	case IEEE_8021QAZ_APP_SEL_ETHERTYPE:
		return check_ethertype(app->protocol, reason);
	case IEEE_8021QAZ_APP_SEL_STREAM:
	case IEEE_8021QAZ_APP_SEL_DGRAM:
	case IEEE_8021QAZ_APP_SEL_ANY:
		return check_port(app->protocol, reason);
	case IEEE_8021QAZ_APP_SEL_DSCP:
		return check_range("DSCP", app->protocol, PARQ_NUM_DSCP - 1, reason);
	case DCB_APP_SEL_PCP:
		return check_range("PCP", app->protocol, PARQ_NUM_PCP - 1, reason);
	}
	snprintf(reason, PARQ_REASON_LEN, "selector %u is not in 1..5 or %u",
		 app->selector, DCB_APP_SEL_PCP);
	return -EINVAL;
}

static int check_trustable(u8 selector, char *reason)
{
	if (selector == IEEE_8021QAZ_APP_SEL_DSCP || selector == DCB_APP_SEL_PCP)
		return 0;
	snprintf(reason, PARQ_REASON_LEN,
		 "selector %u is neither dscp (%u) nor pcp (%u)", selector,
		 IEEE_8021QAZ_APP_SEL_DSCP, DCB_APP_SEL_PCP);
	return -EOPNOTSUPP;
}

/**
 * parq_trust_rewr_check() - check a rewrite entry
 * @app: entry of a user
 * @reason: receives the value and the permitted range if it is refused
 *
 * Return: 0, -EINVAL, or -EOPNOTSUPP if the device cannot rewrite that.
 */
int parq_trust_rewr_check(const struct dcb_app *app, char reason[PARQ_REASON_LEN])
{
	int err = check_trustable(app->selector, reason);

	return err ?: parq_trust_app_check(app, reason);
}

/**
 * parq_trust_order_check() - check an order of trust
 * @order: selectors of a user
 * @num: number of selectors; with 0 all frames get the default priority
 * @reason: receives the value and the permitted range if it is refused
 *
 * Return: 0, -EINVAL for a selector that appears twice, or -EOPNOTSUPP for a selector that
 * the device lacks.
 */
int parq_trust_order_check(const u8 *order, unsigned int num,
			   char reason[PARQ_REASON_LEN])
{
	unsigned int i;
	int err;

	for (i = 0; i < num; i++) {
		err = check_trustable(order[i], reason);
		if (err)
			return err;
		if (memchr(order, order[i], i)) {
			snprintf(reason, PARQ_REASON_LEN, "selector %u comes twice",
				 order[i]);
			return -EINVAL;
		}
	}
	return 0;
}

/* ---- Settings ------------------------------------------------------------ */

static void set_bits8(u8 *mask, unsigned int bit, bool add)
{
	*mask = add ? *mask | BIT(bit) : *mask & ~BIT(bit);
}

/**
 * parq_trust_app() - add or remove an APP entry
 * @t: settings to change
 * @app: entry that parq_trust_app_check() accepted
 * @add: add it
 */
void parq_trust_app(struct parq_trust *t, const struct dcb_app *app, bool add)
{
	switch (app->selector) {
	case IEEE_8021QAZ_APP_SEL_ETHERTYPE:
		if (!app->protocol)
			set_bits8(&t->dflt, app->priority, add);
		break;
	case IEEE_8021QAZ_APP_SEL_DSCP:
		set_bits8(&t->dscp[app->protocol], app->priority, add);
		break;
	case DCB_APP_SEL_PCP:
		set_bits8(&t->pcp[app->protocol], app->priority, add);
		break;
	}
}

/**
 * parq_trust_rewr() - add or remove a rewrite entry
 * @t: settings to change
 * @app: entry that parq_trust_rewr_check() accepted
 * @add: add it
 */
void parq_trust_rewr(struct parq_trust *t, const struct dcb_app *app, bool add)
{
	u64 bit = BIT_ULL(app->protocol);

	if (app->selector == DCB_APP_SEL_PCP) {
		t->rewr_pcp[app->priority] &= ~bit;
		t->rewr_pcp[app->priority] |= add ? bit : 0;
	} else {
		t->rewr_dscp[app->priority] &= ~bit;
		t->rewr_dscp[app->priority] |= add ? bit : 0;
	}
}

/**
 * parq_trust_order() - set the order of trust
 * @t: settings to change
 * @order: selectors that parq_trust_order_check() accepted
 * @num: number of selectors
 */
void parq_trust_order(struct parq_trust *t, const u8 *order, unsigned int num)
{
	memset(t->order, 0, sizeof(t->order));
	memcpy(t->order, order, num);
	t->num = num;
	t->ordered = true;
}

/**
 * parq_trust_order_get() - order of trust in force
 * @t: settings
 * @order: filled
 *
 * If no user has set it, DSCP comes before PCP if it has entries, and is not trusted if it
 * has none. So DSCP entries need no second command; kernels before 6.3 do not have one.
 *
 * Return: number of selectors.
 */
unsigned int parq_trust_order_get(const struct parq_trust *t,
				  u8 order[PARQ_TRUST_SELS])
{
	unsigned int num = 0;

	if (t->ordered) {
		memcpy(order, t->order, t->num);
		return t->num;
	}
	if (memchr_inv(t->dscp, 0, sizeof(t->dscp)))
		order[num++] = IEEE_8021QAZ_APP_SEL_DSCP;
	order[num++] = DCB_APP_SEL_PCP;
	return num;
}

/* ---- For the device ------------------------------------------------------ */

static u32 trust_sel(const u8 *order, unsigned int num, unsigned int i)
{
	if (i >= num)
		return PARQ_TRUST_NONE;
	return order[i] == DCB_APP_SEL_PCP ? PARQ_TRUST_PCP : PARQ_TRUST_DSCP;
}

/* Entries have four bits. */
static void fit_map(u32 *map, unsigned int i, u8 prios, u32 none)
{
	u32 prio = prios ? __fls(prios) : none;

	map[i / 8] |= prio << (4 * (i % 8));
}

static u32 fit_rewr(u64 dscp, u16 pcp)
{
	unsigned int code;
	u32 rewr = 0;

	if (dscp)
		rewr |= PARQ_REWR_DSCP_EN |
			FIELD_PREP(PARQ_REWR_DSCP, fls64(dscp) - 1);
	if (pcp) {
		code = __fls(pcp);
		rewr |= PARQ_REWR_PCP_EN | FIELD_PREP(PARQ_REWR_PCP, code % 8);
		if (code & PCP_DEI)
			rewr |= PARQ_REWR_DEI;
	}
	return rewr;
}

/**
 * parq_trust_fit() - convert the settings to register values
 * @t: settings
 *
 * A PCP without an entry is its own priority (IEEE 802.1Q table 6-3, 8P0D).
 *
 * Return: values of the registers.
 */
struct parq_trust_hw parq_trust_fit(const struct parq_trust *t)
{
	struct parq_trust_hw hw = {};
	u8 order[PARQ_TRUST_SELS];
	unsigned int i, num;

	num = parq_trust_order_get(t, order);
	hw.trust = FIELD_PREP(PARQ_TRUST_FIRST, trust_sel(order, num, 0)) |
		   FIELD_PREP(PARQ_TRUST_SECOND, trust_sel(order, num, 1)) |
		   FIELD_PREP(PARQ_TRUST_DEFAULT, t->dflt ? __fls(t->dflt) : 0);
	for (i = 0; i < PARQ_NUM_PCP; i++)
		fit_map(hw.pcp, i, t->pcp[i], i % 8);
	for (i = 0; i < PARQ_NUM_DSCP; i++)
		fit_map(hw.dscp, i, t->dscp[i], PARQ_DSCP_PRIO_NONE);
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		hw.rewr[i] = fit_rewr(t->rewr_dscp[i], t->rewr_pcp[i]);
	return hw;
}

/**
 * parq_trust_plain() - tell whether the sender can ignore the trust settings
 * @hw: settings
 *
 * Return: true if a frame's priority is that of its tag, or without a tag that of its
 * socket, or 0.
 */
bool parq_trust_plain(const struct parq_trust_hw *hw)
{
	return hw->trust == FIELD_PREP(PARQ_TRUST_FIRST, PARQ_TRUST_PCP) &&
	       hw->pcp[0] == PCP_PRIO_PLAIN && hw->pcp[1] == PCP_PRIO_PLAIN;
}
