// SPDX-License-Identifier: GPL-2.0
/* Registers of the window at PARQ_SWITCH: addresses, VLANs, groups, and how ports forward. */
#include "frame.h"
#include "reg_table.h"

static_assert(PARQ_SW_PORT(PARQ_MAX_PORTS) <= PARQ_SW_RED(0, 0));
static_assert(PARQ_SW_RED(PARQ_MAX_PORTS, 0) <= PARQ_SW_EGR(0, 0));
static_assert(PARQ_PORT(PARQ_NIC_PORTS) + PARQ_SW_EGR(PARQ_NIC_PORTS, 0) <=
	      PARQ_BAR_REGS_SIZE);
static_assert(PARQ_PORT(PARQ_MAX_PORTS) + PARQ_SW_EGR(PARQ_MAX_PORTS, 0) <=
	      PARQ_BAR_REGS_MANY);
static_assert(PARQ_DB_TX(PARQ_MAX_PORTS, 0) <= PARQ_BAR_DB_MANY);

/* Each port can have a domain of its own. */
static bool domain_exists(u32 domain)
{
	return domain <= PARQ_MAX_PORTS;
}

static u32 read_switch_cap(const struct access *a)
{
	return FIELD_PREP(PARQ_SW_CAP_PORTS, a->sim->cfg.ports - 1) | PARQ_SW_CAP_VLAN |
	       PARQ_SW_CAP_MDB | PARQ_SW_CAP_POOL | PARQ_SW_CAP_RED | PARQ_SW_CAP_VIF |
	       PARQ_SW_CAP_VIF_DOMAIN | PARQ_SW_CAP_EGRESS | PARQ_SW_CAP_SNAPSHOT |
	       PARQ_SW_CAP_NO_ENTRY;
}

/* ---- addresses ---------------------------------------------------------- */

static u32 read_fdb_size(const struct access *a)
{
	(void)a;
	return FDB_SIZE;
}

static u32 read_fdb_used(const struct access *a)
{
	return a->sim->fdb.used;
}

static enum parq_err write_fdb_age(const struct access *a)
{
	if (a->val > PARQ_SW_FDB_AGE_MAX)
		return PARQ_ERR_RANGE;
	fdb_set_age(&a->sim->fdb, a->val);
	return PARQ_ERR_NONE;
}

static u32 read_fdb_age(const struct access *a)
{
	return a->sim->fdb.age_s;
}

static enum parq_err write_fdb_entry(const struct access *a)
{
	if (!domain_exists(FIELD_GET(PARQ_SW_FDB_ENTRY_DOMAIN, a->val)) ||
	    FIELD_GET(PARQ_SW_FDB_ENTRY_PORT, a->val) >= a->sim->cfg.ports ||
	    FIELD_GET(PARQ_SW_FDB_ENTRY_VID, a->val) > PARQ_SW_VID_MAX)
		return PARQ_ERR_RANGE;
	return PARQ_ERR_NONE;
}

static enum parq_err write_fdb_index(const struct access *a)
{
	return a->val < FDB_SIZE ? PARQ_ERR_NONE : PARQ_ERR_RANGE;
}

static enum parq_fdb_result read_entry(struct parqsim *sim)
{
	const struct fdb_entry *e = fdb_read(&sim->fdb, *switch_val(sim, PARQ_SW_FDB_INDEX));
	u32 fid;

	if (!e)
		return PARQ_FDB_NONE;
	fid = fdb_fid(e);
	*switch_val(sim, PARQ_SW_FDB_ADDR_LO) = fdb_addr(e);
	*switch_val(sim, PARQ_SW_FDB_ADDR_HI) = fdb_addr(e) >> 32;
	*switch_val(sim, PARQ_SW_FDB_ENTRY) =
		FIELD_PREP(PARQ_SW_FDB_ENTRY_PORT, e->port) |
		FIELD_PREP(PARQ_SW_FDB_ENTRY_DOMAIN, vlan_domain(&sim->vlans, fid)) |
		FIELD_PREP(PARQ_SW_FDB_ENTRY_VID, vlan_vid(&sim->vlans, fid)) |
		FIELD_PREP(PARQ_SW_FDB_ENTRY_KIND, e->kind);
	return PARQ_FDB_OK;
}

/* Return: 0 if there is no such VLAN. */
static u32 find_fid(const struct parqsim *sim, u32 domain, u32 vid)
{
	const struct vlan *v;

	if (!vid)
		return domain;
	v = vlan_find(&sim->vlans, domain, vid);
	return v ? vlan_fid(&sim->vlans, v) : 0;
}

static enum parq_fdb_result do_command(struct parqsim *sim, enum parq_fdb_op op, u64 addr)
{
	u32 entry = *switch_val(sim, PARQ_SW_FDB_ENTRY);
	u32 domain = FIELD_GET(PARQ_SW_FDB_ENTRY_DOMAIN, entry);
	u32 port = FIELD_GET(PARQ_SW_FDB_ENTRY_PORT, entry);
	u32 kind = FIELD_GET(PARQ_SW_FDB_ENTRY_KIND, entry);
	u32 vid = FIELD_GET(PARQ_SW_FDB_ENTRY_VID, entry);
	u32 fid = find_fid(sim, domain, vid);

	switch (op) {
	case PARQ_FDB_ADD:
		if (!fid)
			return PARQ_FDB_NONE;
		return fdb_add(&sim->fdb, fid, addr, port, kind) ? PARQ_FDB_OK : PARQ_FDB_FULL;
	case PARQ_FDB_DELETE:
		return fid && fdb_delete(&sim->fdb, fid, addr, port, kind) ? PARQ_FDB_OK :
									     PARQ_FDB_NONE;
	case PARQ_FDB_READ:
		return read_entry(sim);
	default:
		fdb_flush(&sim->fdb, domain, vid, port);
		return PARQ_FDB_OK;
	}
}

static enum parq_err write_fdb_cmd(const struct access *a)
{
	u64 addr = *switch_val(a->sim, PARQ_SW_FDB_ADDR_LO) |
		   (u64)*switch_val(a->sim, PARQ_SW_FDB_ADDR_HI) << 32;
	u32 entry = *switch_val(a->sim, PARQ_SW_FDB_ENTRY);

	if (a->val >= PARQ_NUM_FDB_OP)
		return PARQ_ERR_RANGE;
	if (a->val != PARQ_FDB_READ && !FIELD_GET(PARQ_SW_FDB_ENTRY_DOMAIN, entry))
		return PARQ_ERR_RANGE;
	if (a->val == PARQ_FDB_ADD && (addr & 1))
		return PARQ_ERR_RANGE;
	*switch_val(a->sim, PARQ_SW_FDB_RESULT) = do_command(a->sim, a->val, addr);
	return PARQ_ERR_NONE;
}

/* ---- VLANs -------------------------------------------------------------- */

static u32 read_vlan_size(const struct access *a)
{
	(void)a;
	return VLAN_SIZE;
}

static u32 read_vlan_used(const struct access *a)
{
	return a->sim->vlans.used;
}

/* A map of ports, in two registers. */
static enum parq_err write_ports(const struct access *a, u32 shift)
{
	u64 ports = GENMASK_ULL(a->sim->cfg.ports - 1, 0);

	return (u64)a->val << shift & ~ports ? PARQ_ERR_RANGE : PARQ_ERR_NONE;
}

static enum parq_err write_ports_lo(const struct access *a)
{
	return write_ports(a, 0);
}

static enum parq_err write_ports_hi(const struct access *a)
{
	return write_ports(a, 32);
}

static u64 switch_pair(struct parqsim *sim, u32 lo)
{
	return *switch_val(sim, lo) | (u64)*switch_val(sim, lo + 4) << 32;
}

/* Return: false if there is no place for the VLAN. */
static bool set_vlan(struct parqsim *sim, const struct vlan *v)
{
	u32 fid;

	if (v->ports || v->host)
		return vlan_set(&sim->vlans, v);
	fid = find_fid(sim, v->domain, v->vid);
	if (fid) {
		fdb_purge(&sim->fdb, fid);
		mdb_purge(&sim->mdb, fid);
	}
	vlan_remove(&sim->vlans, v->domain, v->vid);
	return true;
}

static enum parq_err write_vlan_set(const struct access *a)
{
	const struct vlan v = {
		.ports = switch_pair(a->sim, PARQ_SW_VLAN_PORTS_LO),
		.untagged = switch_pair(a->sim, PARQ_SW_VLAN_UNTAGGED_LO),
		.vid = FIELD_GET(PARQ_SW_VLAN_SET_VID, a->val),
		.domain = FIELD_GET(PARQ_SW_VLAN_SET_DOMAIN, a->val),
		.host = a->val & PARQ_SW_VLAN_SET_HOST,
	};

	if (!v.domain || !domain_exists(v.domain) || !v.vid || v.vid > PARQ_SW_VID_MAX)
		return PARQ_ERR_RANGE;
	*switch_val(a->sim, PARQ_SW_VLAN_FULL) = !set_vlan(a->sim, &v);
	return PARQ_ERR_NONE;
}

static enum parq_err write_domain(const struct access *a)
{
	fwd_domain(&a->sim->fwd, a->i + 1, a->val);
	return PARQ_ERR_NONE;
}

/* ---- groups ------------------------------------------------------------- */

static u32 read_mdb_size(const struct access *a)
{
	(void)a;
	return MDB_SIZE;
}

static u32 read_mdb_used(const struct access *a)
{
	return a->sim->mdb.used;
}

static enum parq_err write_mdb_set(const struct access *a)
{
	u32 domain = FIELD_GET(PARQ_SW_MDB_SET_DOMAIN, a->val);
	u32 vid = FIELD_GET(PARQ_SW_MDB_SET_VID, a->val), fid;
	u64 addr = switch_pair(a->sim, PARQ_SW_MDB_ADDR_LO);
	enum parq_fdb_result result = PARQ_FDB_OK;

	if (!domain || !domain_exists(domain) || vid > PARQ_SW_VID_MAX || !(addr & ADDR_GROUP) ||
	    addr == ADDR_BROADCAST)
		return PARQ_ERR_RANGE;
	fid = find_fid(a->sim, domain, vid);
	if (!fid)
		result = PARQ_FDB_NONE;
	else if (!mdb_set(&a->sim->mdb, fid, addr, switch_pair(a->sim, PARQ_SW_MDB_PORTS_LO),
			  a->val & PARQ_SW_MDB_SET_HOST))
		result = PARQ_FDB_FULL;
	*switch_val(a->sim, PARQ_SW_MDB_RESULT) = result;
	return PARQ_ERR_NONE;
}

/* ---- shared pool -------------------------------------------------------- */

static struct pool_port *pool_port(const struct access *a)
{
	return &a->sim->rxbuf.pool.port[a->port];
}

static enum parq_err write_pool_size(const struct access *a)
{
	if (a->val > (u64)a->sim->cfg.ports * a->sim->rxbuf.total)
		return PARQ_ERR_RANGE;
	a->sim->rxbuf.pool.size = a->val;
	return PARQ_ERR_NONE;
}

static u32 read_pool_used(const struct access *a)
{
	return a->sim->rxbuf.pool.used;
}

static u32 read_pool_room(const struct access *a)
{
	return a->sim->rxbuf.pool.room;
}

static enum parq_err write_pool_limit(const struct access *a)
{
	u32 threshold = FIELD_GET(PARQ_SW_POOL_LIMIT_VALUE, a->val);

	if ((a->val & PARQ_SW_POOL_LIMIT_DYNAMIC) &&
	    (threshold < PARQ_SW_POOL_ALPHA_MIN || threshold > PARQ_SW_POOL_ALPHA_MAX))
		return PARQ_ERR_RANGE;
	pool_port(a)->buf[a->i].limit = a->val;
	return PARQ_ERR_NONE;
}

static u32 read_port_used(const struct access *a)
{
	return pool_port(a)->used;
}

static u32 read_egress_used(const struct access *a)
{
	return a->sim->fwd.port[a->port].egress.waits;
}

static u32 read_egress_high(const struct access *a)
{
	return a->sim->fwd.port[a->port].egress.most;
}

static enum parq_err write_egress_high(const struct access *a)
{
	a->sim->fwd.port[a->port].egress.most = read_egress_used(a);
	return PARQ_ERR_NONE;
}

static u32 read_pool_high(const struct access *a)
{
	return pool_port(a)->high;
}

static enum parq_err write_pool_high(const struct access *a)
{
	pool_port(a)->high = pool_port(a)->used;
	return PARQ_ERR_NONE;
}

/* Stores what the registers of a table read now. @at: where the table begins */
static void hold_levels(struct access *a, const struct reg *r, u32 at)
{
	for (; r->count; r++)
		for (a->i = 0; a->i < r->count; a->i++)
			*reg_val(a->sim, at + r->off + a->i * r->stride) = r->read(a);
}

static enum parq_err write_snapshot(const struct access *a)
{
	u32 window = sim_window(&a->sim->cfg);
	struct access each = *a;

	for (each.port = 0; a->val && each.port < a->sim->cfg.ports; each.port++) {
		hold_levels(&each, switch_port_levels, window + PARQ_SW_PORT(each.port));
		hold_levels(&each, egress_levels, window + PARQ_SW_EGR(each.port, 0));
	}
	return PARQ_ERR_NONE;
}

const struct reg switch_regs[] = {
	{ PARQ_SW_FDB_SIZE, 1, 4, 0, NULL, read_fdb_size },
	{ PARQ_SW_FDB_USED, 1, 4, 0, NULL, read_fdb_used },
	{ PARQ_SW_CAP, 1, 4, 0, NULL, read_switch_cap },
	{ PARQ_SW_FDB_AGE, 1, 4, REG_ALL, write_fdb_age, read_fdb_age },
	{ PARQ_SW_FDB_ADDR_LO, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_SW_FDB_ADDR_HI, 1, 4, GENMASK(15, 0), NULL, NULL },
	{ PARQ_SW_FDB_ENTRY, 1, 4, PARQ_SW_FDB_ENTRY_PORT | PARQ_SW_FDB_ENTRY_DOMAIN |
	  PARQ_SW_FDB_ENTRY_KIND | PARQ_SW_FDB_ENTRY_VID, write_fdb_entry, NULL },
	{ PARQ_SW_FDB_CMD, 1, 4, REG_ALL, write_fdb_cmd, reg_read_zero },
	{ PARQ_SW_FDB_INDEX, 1, 4, REG_ALL, write_fdb_index, NULL },
	{ PARQ_SW_FDB_RESULT, 1, 4, 0, NULL, NULL },
	{ PARQ_SW_VLAN_SIZE, 1, 4, 0, NULL, read_vlan_size },
	{ PARQ_SW_VLAN_USED, 1, 4, 0, NULL, read_vlan_used },
	{ PARQ_SW_VLAN_PORTS_LO, 1, 4, REG_ALL, write_ports_lo, NULL },
	{ PARQ_SW_VLAN_PORTS_HI, 1, 4, REG_ALL, write_ports_hi, NULL },
	{ PARQ_SW_VLAN_UNTAGGED_LO, 1, 4, REG_ALL, write_ports_lo, NULL },
	{ PARQ_SW_VLAN_UNTAGGED_HI, 1, 4, REG_ALL, write_ports_hi, NULL },
	{ PARQ_SW_VLAN_SET, 1, 4, PARQ_SW_VLAN_SET_VID | PARQ_SW_VLAN_SET_DOMAIN |
	  PARQ_SW_VLAN_SET_HOST, write_vlan_set, reg_read_zero },
	{ PARQ_SW_VLAN_FULL, 1, 4, 0, NULL, NULL },
	{ PARQ_SW_DOMAIN(1), PARQ_MAX_PORTS, 4, GENMASK(5, 0), write_domain, NULL },
	{ PARQ_SW_MDB_SIZE, 1, 4, 0, NULL, read_mdb_size },
	{ PARQ_SW_MDB_USED, 1, 4, 0, NULL, read_mdb_used },
	{ PARQ_SW_MDB_PORTS_LO, 1, 4, REG_ALL, write_ports_lo, NULL },
	{ PARQ_SW_MDB_PORTS_HI, 1, 4, REG_ALL, write_ports_hi, NULL },
	{ PARQ_SW_MDB_ADDR_LO, 1, 4, REG_ALL, NULL, NULL },
	{ PARQ_SW_MDB_ADDR_HI, 1, 4, GENMASK(15, 0), NULL, NULL },
	{ PARQ_SW_MDB_SET, 1, 4, PARQ_SW_MDB_SET_VID | PARQ_SW_MDB_SET_DOMAIN |
	  PARQ_SW_MDB_SET_HOST, write_mdb_set, reg_read_zero },
	{ PARQ_SW_MDB_RESULT, 1, 4, 0, NULL, NULL },
	{ PARQ_SW_POOL_SIZE, 1, 4, REG_ALL, write_pool_size, NULL },
	{ PARQ_SW_POOL_USED, 1, 4, 0, NULL, read_pool_used },
	{ PARQ_SW_POOL_ROOM, 1, 4, 0, NULL, read_pool_room },
	{ PARQ_SW_SNAPSHOT, 1, 4, BIT(0), write_snapshot, NULL },
	{ .count = 0 },
};

/* ---- ports -------------------------------------------------------------- */

static bool ctrl_is_valid(const struct access *a)
{
	return domain_exists(FIELD_GET(PARQ_SW_CTRL_DOMAIN, a->val)) &&
	       FIELD_GET(PARQ_SW_CTRL_STATE, a->val) <= PARQ_SW_FORWARDING;
}

static enum parq_err write_switch_ctrl(const struct access *a)
{
	if (!ctrl_is_valid(a))
		return PARQ_ERR_RANGE;
	if (!fwd_can_join(&a->sim->fwd, a->port, 0, FIELD_GET(PARQ_SW_CTRL_DOMAIN, a->val)))
		return PARQ_ERR_STATE;
	fwd_ctrl(&a->sim->fwd, a->port, a->val);
	return PARQ_ERR_NONE;
}

static enum parq_err write_pvid(const struct access *a)
{
	if (a->val > PARQ_SW_VID_MAX)
		return PARQ_ERR_RANGE;
	a->sim->fwd.port[a->port].pvid = a->val;
	return PARQ_ERR_NONE;
}

static enum parq_err write_vif_ctrl(const struct access *a)
{
	return ctrl_is_valid(a) ? PARQ_ERR_NONE : PARQ_ERR_RANGE;
}

static enum parq_err write_vif_set(const struct access *a)
{
	u32 ctrl = *switch_val(a->sim, PARQ_SW_PORT(a->port) + PARQ_SW_VIF_CTRL);
	u32 vid = FIELD_GET(PARQ_SW_VIF_SET_VID, a->val);
	bool on = a->val & PARQ_SW_VIF_SET_EN;

	if (!vid || vid > PARQ_SW_VID_MAX)
		return PARQ_ERR_RANGE;
	if (on && !fwd_can_join(&a->sim->fwd, a->port, vid, FIELD_GET(PARQ_SW_CTRL_DOMAIN, ctrl)))
		return PARQ_ERR_STATE;
	fwd_vif(&a->sim->fwd, a->port, vid, on, ctrl);
	return PARQ_ERR_NONE;
}

static u32 read_stat_lo(const struct access *a)
{
	u64 count = a->sim->fwd.port[a->port].stat[a->i];

	*switch_val(a->sim, PARQ_SW_PORT(a->port) + PARQ_SW_STAT_HI(a->i)) = count >> 32;
	return count;
}

#define CTRL_BITS	(GENMASK(16, 8) | PARQ_SW_CTRL_DOMAIN)

const struct reg switch_port_regs[] = {
	{ PARQ_SW_CTRL, 1, 4, CTRL_BITS, write_switch_ctrl, NULL },
	{ PARQ_SW_PVID, 1, 4, GENMASK(11, 0), write_pvid, NULL },
	{ PARQ_SW_VIF_SET, 1, 4, PARQ_SW_VIF_SET_VID | PARQ_SW_VIF_SET_EN, write_vif_set,
	  reg_read_zero },
	{ PARQ_SW_VIF_CTRL, 1, 4, CTRL_BITS, write_vif_ctrl, NULL },
	{ PARQ_SW_POOL_LIMIT(0), PARQ_NUM_RXB, 4, REG_ALL, write_pool_limit, NULL },
	{ PARQ_SW_STAT_LO(0), PARQ_NUM_SW_STAT, 8, 0, NULL, read_stat_lo },
	{ PARQ_SW_STAT_HI(0), PARQ_NUM_SW_STAT, 8, 0, NULL, NULL },
	{ .count = 0 },
};

const struct reg switch_port_levels[] = {
	{ PARQ_SW_POOL_PORT_USED, 1, 4, 0, NULL, read_port_used },
	{ PARQ_SW_POOL_HIGH, 1, 4, REG_ALL, write_pool_high, read_pool_high },
	{ PARQ_SW_EGR_PORT_USED, 1, 4, 0, NULL, read_egress_used },
	{ PARQ_SW_EGR_PORT_HIGH, 1, 4, REG_ALL, write_egress_high, read_egress_high },
	{ .count = 0 },
};
