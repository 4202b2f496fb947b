/* SPDX-License-Identifier: GPL-2.0 */
/* What the suite registers, in place of the kernel's devlink. See copies in Kbuild. */
#ifndef _PARQ_TESTS_DEVLINK_CALLS_H
#define _PARQ_TESTS_DEVLINK_CALLS_H

#include <net/devlink.h>

void *knob_alloc(const struct devlink_ops *ops, size_t size);
int knob_register(const char *what, unsigned int num);
void knob_params(const struct devlink_param *params);
void knob_unregister(const char *what);
#undef devlink_params_register
#define devlink_alloc(ops, size, dev)	((void)(dev), knob_alloc(ops, size))
#define devlink_free(devlink)		((void)(devlink), knob_unregister("free"))
#define devlink_priv(devlink)		((void *)(devlink))
#define priv_to_devlink(priv)		((struct devlink *)(priv))
#define devlink_params_register(devlink, params, num)	\
	((void)(devlink), knob_params(params), knob_register("params", num))
#define devlink_params_unregister(devlink, params, num)	\
	((void)(devlink), (void)(params), (void)(num), knob_unregister("params"))
#define devlink_sb_register(devlink, index, size, pools, egress, tcs, egress_tcs)	\
	((void)(devlink), (void)(index),	\
	 knob_register("sb", (size) + 1000 * (pools) + 10000 * (egress) + (tcs) +	\
		       20 * (egress_tcs)))
#define devlink_sb_unregister(devlink, index)	\
	((void)(devlink), (void)(index), knob_unregister("sb"))
#define devlink_register(devlink)	((void)(devlink), (void)knob_register("devlink", 0))
#define devlink_unregister(devlink)	((void)(devlink), knob_unregister("devlink"))

#endif /* _PARQ_TESTS_DEVLINK_CALLS_H */
