// SPDX-License-Identifier: GPL-2.0
/*
 * devlink: device information, ports, and parameters (executor of the pause FSM, length of the
 * cables, Pause Low, end of storms). The shared buffer is in parq_sb.c.
 */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/string.h>
#include <net/devlink.h>

#include "parq.h"
#include "parq_dev.h"
#include "parq_io.h"
#include "parq_log.h"
#include "parq_pause.h"
#include "parq_sb.h"

enum parq_devlink_param {
	PARQ_DEVLINK_EXECUTOR = DEVLINK_PARAM_GENERIC_ID_MAX + 1,
	PARQ_DEVLINK_CABLE,
	PARQ_DEVLINK_LOW_OPCODE,
	PARQ_DEVLINK_LOW_PRIOS,
	PARQ_DEVLINK_RESTORE,
};

/* ---- parameters ---------------------------------------------------------- */

/* Sets all ports to @val, or none, and tells the user why. @old: what all of them have. */
static int parq_devlink_set_ports(struct parq_dev *pd, const char *name,
				  int (*set)(struct parq_port *port, u32 val, char *reason),
				  u32 val, u32 old, struct netlink_ext_ack *extack)
{
	char reason[PARQ_REASON_LEN] = "";
	unsigned int i;
	int err;

	for (i = 0; i < pd->caps.ports; i++) {
		err = set(pd->port[i], val, reason);
		if (err)
			goto err_back;
	}
	return 0;

err_back:
	parq_refuse(pd->port[i]->netdev, extack, name, reason, err);
	while (i--)
		set(pd->port[i], old, reason);
	return err;
}

/* ---- parameter pfc_executor --------------------------------------------- */

static const char parq_offload[] = "offload";
static const char parq_managed[] = "managed";

static int parq_executor_get(PARQ_DEVLINK_GET_ARGS(struct devlink *devlink,
						   u32 id,
						   struct devlink_param_gset_ctx *ctx))
{
	struct parq_dev *pd = devlink_priv(devlink);

	strscpy(ctx->val.vstr,
		pd->port[0]->pfc.offload ? parq_offload : parq_managed,
		sizeof(ctx->val.vstr));
	return 0;
}

static int parq_executor_check(struct devlink *devlink, u32 id,
			       PARQ_DEVLINK_VALUE val,
			       struct netlink_ext_ack *extack)
{
	struct parq_dev *pd = devlink_priv(devlink);
	const char *name = parq_devlink_string(val);

	if (!strcmp(name, parq_managed)) {
		if (!pd->sw)
			return 0;
		NL_SET_ERR_MSG_MOD(extack,
				   "the ports forward, only offload is possible");
		return -EOPNOTSUPP;
	}
	if (strcmp(name, parq_offload)) {
		NL_SET_ERR_MSG_FMT_MOD(extack,
				       "\"%s\" is neither offload nor managed",
				       name);
		return -EINVAL;
	}
	if (!(pd->caps.flags & PARQ_CAP_OFFLOAD)) {
		NL_SET_ERR_MSG_MOD(extack,
				   "the device cannot run the pause FSM, only managed is possible");
		return -EOPNOTSUPP;
	}
	return 0;
}

static int parq_executor_set_port(struct parq_port *port, u32 offload, char *reason)
{
	return parq_pfc_executor_set(port, offload);
}

static int parq_executor_set(PARQ_DEVLINK_SET_ARGS(struct devlink *devlink,
						   u32 id,
						   struct devlink_param_gset_ctx *ctx))
{
	bool offload = !strcmp(ctx->val.vstr, parq_offload);

	return parq_devlink_set_ports(devlink_priv(devlink), "pfc_executor",
				      parq_executor_set_port, offload, !offload,
				      PARQ_DEVLINK_SET_EXTACK);
}

/* ---- parameter cable_length --------------------------------------------- */

/* All ports have the same value. */
static int parq_cable_get(PARQ_DEVLINK_GET_ARGS(struct devlink *devlink,
						u32 id,
						struct devlink_param_gset_ctx *ctx))
{
	struct parq_dev *pd = devlink_priv(devlink);

	ctx->val.vu32 = parq_buf_cable_get(pd->port[0]);
	return 0;
}

static int parq_cable_check(struct devlink *devlink, u32 id,
			    PARQ_DEVLINK_VALUE val,
			    struct netlink_ext_ack *extack)
{
	struct parq_dev *pd = devlink_priv(devlink);
	char reason[PARQ_REASON_LEN] = "";
	unsigned int i;
	int err = 0;

	for (i = 0; i < pd->caps.ports && !err; i++)
		err = parq_buf_cable_check(pd->port[i],
					   parq_devlink_u32(val), reason);
	return err ? parq_refuse(pd->port[0]->netdev, extack, "cable_length",
				 reason, err) : 0;
}

static int parq_cable_set(PARQ_DEVLINK_SET_ARGS(struct devlink *devlink,
						u32 id,
						struct devlink_param_gset_ctx *ctx))
{
	struct parq_dev *pd = devlink_priv(devlink);

	return parq_devlink_set_ports(pd, "cable_length", parq_buf_cable_set, ctx->val.vu32,
				      parq_buf_cable_get(pd->port[0]), PARQ_DEVLINK_SET_EXTACK);
}

/* ---- parameters pause_low_opcode, pause_low_prios ----------------------- */

/* All ports have the same value. */
static int parq_low_set(struct parq_dev *pd, u16 opcode, u8 prios,
			struct netlink_ext_ack *extack)
{
	unsigned int i;
	u16 old_opcode;
	u8 old_prios;
	int err;

	parq_pause_low_get(pd->port[0], &old_opcode, &old_prios);
	for (i = 0; i < pd->caps.ports; i++) {
		err = parq_pause_low_set(pd->port[i], opcode, prios);
		if (err)
			goto err_back;
	}
	return 0;

err_back:
	parq_refuse(pd->port[i]->netdev, extack, "Pause Low", "", err);
	while (i--)
		parq_pause_low_set(pd->port[i], old_opcode, old_prios);
	return err;
}

static int parq_low_opcode_get(PARQ_DEVLINK_GET_ARGS(struct devlink *devlink,
						     u32 id,
						     struct devlink_param_gset_ctx *ctx))
{
	struct parq_dev *pd = devlink_priv(devlink);
	u8 prios;

	parq_pause_low_get(pd->port[0], &ctx->val.vu16, &prios);
	return 0;
}

static int parq_low_opcode_check(struct devlink *devlink, u32 id,
				 PARQ_DEVLINK_VALUE val,
				 struct netlink_ext_ack *extack)
{
	struct parq_dev *pd = devlink_priv(devlink);
	char reason[PARQ_REASON_LEN] = "";
	int err;

	err = parq_pause_low_check(parq_devlink_u16(val), reason);
	return err ? parq_refuse(pd->port[0]->netdev, extack, "pause_low_opcode",
				 reason, err) : 0;
}

static int parq_low_opcode_set(PARQ_DEVLINK_SET_ARGS(struct devlink *devlink,
						     u32 id,
						     struct devlink_param_gset_ctx *ctx))
{
	struct parq_dev *pd = devlink_priv(devlink);
	u16 opcode;
	u8 prios;

	parq_pause_low_get(pd->port[0], &opcode, &prios);
	return parq_low_set(pd, ctx->val.vu16, prios, PARQ_DEVLINK_SET_EXTACK);
}

static int parq_low_prios_get(PARQ_DEVLINK_GET_ARGS(struct devlink *devlink,
						    u32 id,
						    struct devlink_param_gset_ctx *ctx))
{
	struct parq_dev *pd = devlink_priv(devlink);
	u16 opcode;

	parq_pause_low_get(pd->port[0], &opcode, &ctx->val.vu8);
	return 0;
}

static int parq_low_prios_set(PARQ_DEVLINK_SET_ARGS(struct devlink *devlink,
						    u32 id,
						    struct devlink_param_gset_ctx *ctx))
{
	struct parq_dev *pd = devlink_priv(devlink);
	u16 opcode;
	u8 prios;

	parq_pause_low_get(pd->port[0], &opcode, &prios);
	return parq_low_set(pd, opcode, ctx->val.vu8, PARQ_DEVLINK_SET_EXTACK);
}

/* ---- parameter pfc_storm_restore ----------------------------------------- */

/* All ports have the same value. */
static int parq_restore_get(PARQ_DEVLINK_GET_ARGS(struct devlink *devlink,
						  u32 id,
						  struct devlink_param_gset_ctx *ctx))
{
	struct parq_dev *pd = devlink_priv(devlink);

	ctx->val.vu16 = parq_storm_restore_get(pd->port[0]);
	return 0;
}

static int parq_restore_check(struct devlink *devlink, u32 id,
			      PARQ_DEVLINK_VALUE val,
			      struct netlink_ext_ack *extack)
{
	const u32 most = FIELD_MAX(PARQ_PFC_STORM_RESTORE);
	struct parq_dev *pd = devlink_priv(devlink);
	u16 ms = parq_devlink_u16(val);

	if (ms > most) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "%u ms is longer than %u ms", ms, most);
		return -ERANGE;
	}
	if (ms && !(pd->caps.flags & PARQ_CAP_RESTORE)) {
		NL_SET_ERR_MSG_FMT_MOD(extack,
				       "%u ms: a storm ends with its pause on this device, only 0 is possible",
				       ms);
		return -EOPNOTSUPP;
	}
	return 0;
}

static int parq_restore_set_port(struct parq_port *port, u32 ms, char *reason)
{
	return parq_storm_restore_set(port, ms);
}

static int parq_restore_set(PARQ_DEVLINK_SET_ARGS(struct devlink *devlink,
						  u32 id,
						  struct devlink_param_gset_ctx *ctx))
{
	struct parq_dev *pd = devlink_priv(devlink);

	return parq_devlink_set_ports(pd, "pfc_storm_restore", parq_restore_set_port,
				      ctx->val.vu16, parq_storm_restore_get(pd->port[0]),
				      PARQ_DEVLINK_SET_EXTACK);
}

static const struct devlink_param parq_devlink_params[] = {
	DEVLINK_PARAM_DRIVER(PARQ_DEVLINK_EXECUTOR, "pfc_executor",
			     DEVLINK_PARAM_TYPE_STRING,
			     BIT(DEVLINK_PARAM_CMODE_RUNTIME),
			     parq_executor_get, parq_executor_set,
			     parq_executor_check),
	DEVLINK_PARAM_DRIVER(PARQ_DEVLINK_CABLE, "cable_length",
			     DEVLINK_PARAM_TYPE_U32,
			     BIT(DEVLINK_PARAM_CMODE_RUNTIME),
			     parq_cable_get, parq_cable_set,
			     parq_cable_check),
	DEVLINK_PARAM_DRIVER(PARQ_DEVLINK_LOW_OPCODE, "pause_low_opcode",
			     DEVLINK_PARAM_TYPE_U16,
			     BIT(DEVLINK_PARAM_CMODE_RUNTIME),
			     parq_low_opcode_get, parq_low_opcode_set,
			     parq_low_opcode_check),
	DEVLINK_PARAM_DRIVER(PARQ_DEVLINK_LOW_PRIOS, "pause_low_prios",
			     DEVLINK_PARAM_TYPE_U8,
			     BIT(DEVLINK_PARAM_CMODE_RUNTIME),
			     parq_low_prios_get, parq_low_prios_set, NULL),
	DEVLINK_PARAM_DRIVER(PARQ_DEVLINK_RESTORE, "pfc_storm_restore",
			     DEVLINK_PARAM_TYPE_U16,
			     BIT(DEVLINK_PARAM_CMODE_RUNTIME),
			     parq_restore_get, parq_restore_set,
			     parq_restore_check),
};

/* ---- info --------------------------------------------------------------- */

/* The device has no firmware, so the version of the contract is reported. */
static int parq_devlink_info(struct devlink *devlink,
			     struct devlink_info_req *req,
			     struct netlink_ext_ack *extack)
{
	struct parq_dev *pd = devlink_priv(devlink);
	u32 version = pd->caps.version;
	char text[16];

	parq_compat_devlink_info_name(req, PARQ_DRV_NAME);
	snprintf(text, sizeof(text), "%u.%u",
		 (u32)FIELD_GET(PARQ_VERSION_MAJOR, version),
		 (u32)FIELD_GET(PARQ_VERSION_MINOR, version));
	return devlink_info_version_fixed_put(req, "contract", text);
}

static const struct devlink_ops parq_devlink_ops = {
	.info_get = parq_devlink_info,
	.sb_pool_get = parq_sb_pool_get,
	.sb_pool_set = parq_sb_pool_set,
	.sb_port_pool_get = parq_sb_port_pool_get,
	.sb_tc_pool_bind_get = parq_sb_tc_pool_bind_get,
	.sb_tc_pool_bind_set = parq_sb_tc_pool_bind_set,
	.sb_occ_snapshot = parq_sb_occ_snapshot,
	.sb_occ_max_clear = parq_sb_occ_max_clear,
	.sb_occ_port_pool_get = parq_sb_occ_port_pool_get,
	.sb_occ_tc_port_bind_get = parq_sb_occ_tc_port_bind_get,
};

/* ---- life --------------------------------------------------------------- */

/**
 * parq_devlink_alloc() - allocate a device
 * @dev: device on the bus
 *
 * Return: the device, zeroed, or NULL.
 */
struct parq_dev *parq_devlink_alloc(struct device *dev)
{
	struct devlink *devlink;

	devlink = devlink_alloc(&parq_devlink_ops, sizeof(struct parq_dev),
				dev);
	return devlink ? devlink_priv(devlink) : NULL;
}

/**
 * parq_devlink_free() - undo parq_devlink_alloc()
 * @pd: device, without devlink ports
 */
void parq_devlink_free(struct parq_dev *pd)
{
	devlink_free(priv_to_devlink(pd));
}

static int parq_devlink_health(struct parq_dev *pd)
{
	unsigned int i;
	int err;

	for (i = 0; i < pd->caps.ports; i++) {
		err = parq_health_init(pd->port[i]);
		if (err)
			goto fini;
	}
	return 0;

fini:
	while (i--)
		parq_health_fini(pd->port[i]);
	return err;
}

/**
 * parq_devlink_register() - register with devlink
 * @pd: device whose netdevs are registered
 *
 * Return: 0 or an error.
 */
int parq_devlink_register(struct parq_dev *pd)
{
	struct devlink *devlink = priv_to_devlink(pd);
	int err;

	err = devlink_params_register(devlink, parq_devlink_params,
				      ARRAY_SIZE(parq_devlink_params));
	if (err)
		return err;
	err = parq_sb_register(pd);
	if (err)
		goto unregister_params;
	devlink_register(devlink);
	/* Reports need a registered device. */
	err = parq_devlink_health(pd);
	if (err)
		goto unregister;
	return 0;

unregister:
	devlink_unregister(devlink);
	parq_sb_unregister(pd);
unregister_params:
	devlink_params_unregister(devlink, parq_devlink_params,
				  ARRAY_SIZE(parq_devlink_params));
	return err;
}

/**
 * parq_devlink_unregister() - undo parq_devlink_register()
 * @pd: device whose netdevs are still registered
 */
void parq_devlink_unregister(struct parq_dev *pd)
{
	struct devlink *devlink = priv_to_devlink(pd);
	unsigned int i;

	for (i = pd->caps.ports; i-- > 0;)
		parq_health_fini(pd->port[i]);
	devlink_unregister(devlink);
	parq_sb_unregister(pd);
	devlink_params_unregister(devlink, parq_devlink_params,
				  ARRAY_SIZE(parq_devlink_params));
}

/**
 * parq_devlink_port_register() - give a port its devlink port
 * @port: port whose netdev is not registered yet
 *
 * Return: 0 or an error.
 */
int parq_devlink_port_register(struct parq_port *port)
{
	struct devlink_port_attrs attrs = {
		.flavour = DEVLINK_PORT_FLAVOUR_PHYSICAL,
		.phys.port_number = port->index,
	};

	/* Bridges tell by it which ports forward to each other. */
	if (port->pd->sw) {
		attrs.switch_id.id_len = ETH_ALEN;
		parq_io_port_addr(port->pd->port[0], attrs.switch_id.id);
	}
	devlink_port_attrs_set(&port->devlink_port, &attrs);
	return devlink_port_register(priv_to_devlink(port->pd),
				     &port->devlink_port, port->index);
}

/**
 * parq_devlink_port_unregister() - undo parq_devlink_port_register()
 * @port: port whose netdev is no longer registered
 */
void parq_devlink_port_unregister(struct parq_port *port)
{
	devlink_port_unregister(&port->devlink_port);
}
