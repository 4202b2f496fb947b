// SPDX-License-Identifier: GPL-2.0
/* Forwarding between ports. See parq_hw_switch.h for what each register means. */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>

#include "parq_egress.h"
#include "parq_io.h"
#include "parq_red.h"
#include "parq_reg.h"
#include "parq_switch.h"

/* Return: the device has the capability, PARQ_SW_CAP_X. */
static bool parq_io_switch_has(struct parq_dev *pd, u32 cap)
{
	return parq_reg_rd(pd, pd->caps.window + PARQ_SW_CAP) & cap;
}

static u32 parq_io_switch_port(const struct parq_port *port, u32 reg)
{
	return port->pd->caps.window + PARQ_SW_PORT(port->index) + reg;
}

/* Frames that the port must not send any more have been dropped on return. */
int parq_io_switch_ctrl(const struct parq_port *port, u32 ctrl)
{
	u32 reg = parq_io_switch_port(port, PARQ_SW_CTRL);

	parq_reg_wr(port->pd, reg, ctrl);
	return parq_reg_verify(port->pd, reg, ctrl);
}

/*
 * A counter whose high half is the register behind @lo. The caller serializes: a read of the low
 * half latches the high one, for all readers.
 */
static u64 parq_io_switch_counter(struct parq_dev *pd, u32 lo)
{
	u32 low = parq_reg_rd(pd, lo);

	return (u64)parq_reg_rd(pd, lo + 4) << 32 | low;
}

u64 parq_io_switch_stat(const struct parq_port *port, enum parq_sw_stat n)
{
	return parq_io_switch_counter(port->pd, parq_io_switch_port(port, PARQ_SW_STAT_LO(n)));
}

/* Return: the device counts PARQ_SW_RX_NO_ENTRY. */
bool parq_io_switch_no_entry(struct parq_dev *pd)
{
	return parq_io_switch_has(pd, PARQ_SW_CAP_NO_ENTRY);
}

/* ---- VLANs -------------------------------------------------------------- */

/* Return: the device forwards by VLAN, if it is told to. */
bool parq_io_switch_vlans(struct parq_dev *pd)
{
	return parq_io_switch_has(pd, PARQ_SW_CAP_VLAN);
}

/* @mode: PARQ_SW_DOMAIN */
void parq_io_switch_domain(struct parq_dev *pd, unsigned int domain, u32 mode)
{
	parq_reg_wr(pd, pd->caps.window + PARQ_SW_DOMAIN(domain), mode);
}

/* Sets the members of a VLAN. Return: false if the device has no place for it. */
bool parq_io_switch_vlan(struct parq_dev *pd, const struct parq_vlan *v)
{
	u32 window = pd->caps.window;

	parq_reg_wr(pd, window + PARQ_SW_VLAN_PORTS_LO, lower_32_bits(v->ports));
	parq_reg_wr(pd, window + PARQ_SW_VLAN_PORTS_HI, upper_32_bits(v->ports));
	parq_reg_wr(pd, window + PARQ_SW_VLAN_UNTAGGED_LO, lower_32_bits(v->untagged));
	parq_reg_wr(pd, window + PARQ_SW_VLAN_UNTAGGED_HI, upper_32_bits(v->untagged));
	parq_reg_wr(pd, window + PARQ_SW_VLAN_SET,
		    FIELD_PREP(PARQ_SW_VLAN_SET_VID, v->vid) |
		    FIELD_PREP(PARQ_SW_VLAN_SET_DOMAIN, v->domain) |
		    (v->host ? PARQ_SW_VLAN_SET_HOST : 0));
	return !parq_reg_rd(pd, window + PARQ_SW_VLAN_FULL);
}

void parq_io_switch_pvid(const struct parq_port *port, u16 vid)
{
	parq_reg_wr(port->pd, parq_io_switch_port(port, PARQ_SW_PVID), vid);
}

/* Return: a port of the device can forward and have VLAN interfaces. */
bool parq_io_switch_vifs(struct parq_dev *pd)
{
	return parq_io_switch_has(pd, PARQ_SW_CAP_VIF);
}

/* The port has a VLAN interface, or has none any more. */
void parq_io_switch_vif(const struct parq_port *port, u16 vid, bool on)
{
	parq_reg_wr(port->pd, parq_io_switch_port(port, PARQ_SW_VIF_SET),
		    FIELD_PREP(PARQ_SW_VIF_SET_VID, vid) | (on ? PARQ_SW_VIF_SET_EN : 0));
}

/* Return: VLAN interfaces of the device can be members of domains. */
bool parq_io_switch_vif_domains(struct parq_dev *pd)
{
	return parq_io_switch_has(pd, PARQ_SW_CAP_VIF_DOMAIN);
}

/*
 * What the next parq_io_switch_vif() puts in force. Not for a device without domains for them.
 * Return: 0, -EIO if the device has refused it, -ENODEV.
 */
int parq_io_switch_vif_ctrl(const struct parq_port *port, u32 ctrl)
{
	u32 reg = parq_io_switch_port(port, PARQ_SW_VIF_CTRL);

	parq_reg_wr(port->pd, reg, ctrl);
	return parq_reg_verify(port->pd, reg, ctrl);
}

/* ---- Groups ------------------------------------------------------------- */

/* Return: the device has a table of groups. */
bool parq_io_switch_groups(struct parq_dev *pd)
{
	return parq_io_switch_has(pd, PARQ_SW_CAP_MDB);
}

/*
 * Sets the members of a group. A device that is gone does nothing, and says that it has. Return: a
 * value of the enum, whatever the device says.
 */
enum parq_fdb_result parq_io_mdb_set(struct parq_dev *pd, const struct parq_mdb *e)
{
	u32 result, window = pd->caps.window;

	parq_reg_wr(pd, window + PARQ_SW_MDB_PORTS_LO, lower_32_bits(e->ports));
	parq_reg_wr(pd, window + PARQ_SW_MDB_PORTS_HI, upper_32_bits(e->ports));
	parq_reg_wr(pd, window + PARQ_SW_MDB_ADDR_LO, get_unaligned_le32(e->addr));
	parq_reg_wr(pd, window + PARQ_SW_MDB_ADDR_HI, get_unaligned_le16(e->addr + 4));
	parq_reg_wr(pd, window + PARQ_SW_MDB_SET, FIELD_PREP(PARQ_SW_MDB_SET_VID, e->vid) |
		    FIELD_PREP(PARQ_SW_MDB_SET_DOMAIN, e->domain) |
		    (e->host ? PARQ_SW_MDB_SET_HOST : 0));
	result = parq_reg_rd(pd, window + PARQ_SW_MDB_RESULT);
	return result <= PARQ_FDB_FULL ? result : PARQ_FDB_FULL;
}

/* ---- Marks -------------------------------------------------------------- */

/* Return: the device marks frames between its ports. */
bool parq_io_switch_red(struct parq_dev *pd)
{
	return parq_io_switch_has(pd, PARQ_SW_CAP_RED);
}

static u32 parq_io_red_reg(const struct parq_port *port, unsigned int tc, u32 reg)
{
	return port->pd->caps.window + PARQ_SW_RED(port->index, tc) + reg;
}

int parq_io_red_set(const struct parq_port *port, unsigned int tc, const struct parq_red_hw *hw)
{
	struct parq_dev *pd = port->pd;

	parq_reg_wr(pd, parq_io_red_reg(port, tc, PARQ_SW_RED_MIN), hw->min);
	parq_reg_wr(pd, parq_io_red_reg(port, tc, PARQ_SW_RED_MAX), hw->max);
	parq_reg_wr(pd, parq_io_red_reg(port, tc, PARQ_SW_RED_PROB), hw->prob);
	parq_reg_wr(pd, parq_io_red_reg(port, tc, PARQ_SW_RED_CTRL), hw->ctrl);
	return parq_reg_verify(pd, parq_io_red_reg(port, tc, PARQ_SW_RED_CTRL), hw->ctrl);
}

void parq_io_red_count(const struct parq_port *port, unsigned int tc, struct parq_red_count *count)
{
	u32 marked = parq_io_red_reg(port, tc, PARQ_SW_RED_MARKED_LO);
	u32 dropped = parq_io_red_reg(port, tc, PARQ_SW_RED_DROPPED_LO);

	count->marked = parq_io_switch_counter(port->pd, marked);
	count->dropped = parq_io_switch_counter(port->pd, dropped);
}

/* ---- Shared pool -------------------------------------------------------- */

/* Return: the device has a pool that receive buffers share. */
bool parq_io_switch_pool(struct parq_dev *pd)
{
	return parq_io_switch_has(pd, PARQ_SW_CAP_POOL);
}

void parq_io_pool_size(struct parq_dev *pd, u32 size)
{
	parq_reg_wr(pd, pd->caps.window + PARQ_SW_POOL_SIZE, size);
}

u32 parq_io_pool_used(struct parq_dev *pd)
{
	return parq_reg_rd(pd, pd->caps.window + PARQ_SW_POOL_USED);
}

u32 parq_io_pool_room(struct parq_dev *pd)
{
	return parq_reg_rd(pd, pd->caps.window + PARQ_SW_POOL_ROOM);
}

/* @n: buffer */
void parq_io_pool_limit(const struct parq_port *port, unsigned int n, u32 limit)
{
	parq_reg_wr(port->pd, parq_io_switch_port(port, PARQ_SW_POOL_LIMIT(n)), limit);
}

u32 parq_io_pool_port_used(const struct parq_port *port)
{
	return parq_reg_rd(port->pd, parq_io_switch_port(port, PARQ_SW_POOL_PORT_USED));
}

u32 parq_io_pool_high(const struct parq_port *port)
{
	return parq_reg_rd(port->pd, parq_io_switch_port(port, PARQ_SW_POOL_HIGH));
}

void parq_io_pool_max_clear(const struct parq_port *port)
{
	parq_reg_wr(port->pd, parq_io_switch_port(port, PARQ_SW_POOL_HIGH), 0);
}

/* ---- Egress ------------------------------------------------------------- */

/* Return: the device tells and limits what waits to leave its ports. */
bool parq_io_switch_egress(struct parq_dev *pd)
{
	return parq_io_switch_has(pd, PARQ_SW_CAP_EGRESS);
}

void parq_io_egress_limit(const struct parq_port *port, unsigned int tc, u32 bytes)
{
	parq_reg_wr(port->pd, port->pd->caps.window + PARQ_SW_EGR(port->index, tc) +
		    PARQ_SW_EGR_LIMIT, bytes);
}

/* Return: @of_tc of a traffic class, or @of_port. @n, here and below: class or PARQ_EGRESS_PORT */
static u32 parq_io_egress_reg(const struct parq_port *port, unsigned int n, u32 of_tc, u32 of_port)
{
	return n == PARQ_EGRESS_PORT ? parq_io_switch_port(port, of_port) :
		port->pd->caps.window + PARQ_SW_EGR(port->index, n) + of_tc;
}

u32 parq_io_egress_used(const struct parq_port *port, unsigned int n)
{
	return parq_reg_rd(port->pd, parq_io_egress_reg(port, n, PARQ_SW_EGR_USED,
							PARQ_SW_EGR_PORT_USED));
}

u32 parq_io_egress_high(const struct parq_port *port, unsigned int n)
{
	return parq_reg_rd(port->pd, parq_io_egress_reg(port, n, PARQ_SW_EGR_HIGH,
							PARQ_SW_EGR_PORT_HIGH));
}

void parq_io_egress_max_clear(const struct parq_port *port, unsigned int n)
{
	parq_reg_wr(port->pd, parq_io_egress_reg(port, n, PARQ_SW_EGR_HIGH, PARQ_SW_EGR_PORT_HIGH),
		    0);
}

/*
 * With @on, what ports have of the pool and what waits to leave read as at this instant from now
 * on; of a device without PARQ_SW_CAP_SNAPSHOT as ever.
 */
void parq_io_levels_hold(struct parq_dev *pd, bool on)
{
	if (parq_io_switch_has(pd, PARQ_SW_CAP_SNAPSHOT))
		parq_reg_wr(pd, pd->caps.window + PARQ_SW_SNAPSHOT, on);
}

/* ---- Addresses ---------------------------------------------------------- */

u32 parq_io_fdb_size(struct parq_dev *pd)
{
	return parq_reg_rd(pd, pd->caps.window + PARQ_SW_FDB_SIZE);
}

void parq_io_fdb_age(struct parq_dev *pd, u32 seconds)
{
	parq_reg_wr(pd, pd->caps.window + PARQ_SW_FDB_AGE, seconds);
}

static enum parq_fdb_result parq_io_fdb_run(struct parq_dev *pd, enum parq_fdb_op op)
{
	parq_reg_wr(pd, pd->caps.window + PARQ_SW_FDB_CMD, op);
	return parq_reg_rd(pd, pd->caps.window + PARQ_SW_FDB_RESULT);
}

/*
 * Performs PARQ_FDB_ADD, DELETE or FLUSH. A device that is gone does nothing, and says that it
 * has.
 */
enum parq_fdb_result parq_io_fdb_cmd(struct parq_dev *pd, enum parq_fdb_op op,
				     const struct parq_fdb *e)
{
	u32 window = pd->caps.window;

	parq_reg_wr(pd, window + PARQ_SW_FDB_ADDR_LO, get_unaligned_le32(e->addr));
	parq_reg_wr(pd, window + PARQ_SW_FDB_ADDR_HI, get_unaligned_le16(e->addr + 4));
	parq_reg_wr(pd, window + PARQ_SW_FDB_ENTRY,
		    FIELD_PREP(PARQ_SW_FDB_ENTRY_PORT, e->port) |
		    FIELD_PREP(PARQ_SW_FDB_ENTRY_DOMAIN, e->domain) |
		    FIELD_PREP(PARQ_SW_FDB_ENTRY_KIND, e->kind) |
		    FIELD_PREP(PARQ_SW_FDB_ENTRY_VID, e->vid));
	return parq_io_fdb_run(pd, op);
}

/* Return: false if there is no entry at @index. */
bool parq_io_fdb_read(struct parq_dev *pd, u32 index, struct parq_fdb *e)
{
	u32 window = pd->caps.window;
	u32 entry;

	parq_reg_wr(pd, window + PARQ_SW_FDB_INDEX, index);
	if (parq_io_fdb_run(pd, PARQ_FDB_READ) != PARQ_FDB_OK)
		return false;
	put_unaligned_le32(parq_reg_rd(pd, window + PARQ_SW_FDB_ADDR_LO), e->addr);
	put_unaligned_le16(parq_reg_rd(pd, window + PARQ_SW_FDB_ADDR_HI), e->addr + 4);
	entry = parq_reg_rd(pd, window + PARQ_SW_FDB_ENTRY);
	e->port = FIELD_GET(PARQ_SW_FDB_ENTRY_PORT, entry);
	e->domain = FIELD_GET(PARQ_SW_FDB_ENTRY_DOMAIN, entry);
	e->kind = FIELD_GET(PARQ_SW_FDB_ENTRY_KIND, entry);
	e->vid = FIELD_GET(PARQ_SW_FDB_ENTRY_VID, entry);
	return parq_dev_ready(pd);
}
