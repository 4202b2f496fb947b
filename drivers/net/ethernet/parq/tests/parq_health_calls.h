/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's reporter and messages, in place of devlink's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_HEALTH_CALLS_H
#define _PARQ_TESTS_HEALTH_CALLS_H

#include <linux/workqueue.h>
#include <net/devlink.h>

struct devlink_health_reporter *ward_create(const struct devlink_health_reporter_ops *ops);
void *ward_priv(void);
int ward_report(const char *text, void *ctx);
void ward_note(const char *what);
void ward_recovered(void);
void ward_put(const char *name, u64 val);
void ward_text(const char *name, const char *text);
void ward_binary(const void *data, unsigned int len);
#define devlink_port_health_reporter_create(port, ops, ...)	((void)(port), ward_create(ops))
#define devlink_health_reporter_destroy(reporter)	((void)(reporter), ward_note("destroy"))
#define devlink_port_health_reporter_destroy	devlink_health_reporter_destroy
#define devlink_health_reporter_priv(reporter)	((void)(reporter), ward_priv())
#define devlink_health_report(reporter, text, ctx)	((void)(reporter), ward_report(text, ctx))
#define devlink_health_reporter_recovery_done(reporter)	\
	((void)(reporter), ward_recovered())
#define devlink_health_reporter_state_update(reporter, state)	\
	((void)(reporter), (void)(state), ward_note("healthy"))
#define devlink_fmsg_obj_nest_start(fmsg)	((void)(fmsg), ward_note("{"))
#define devlink_fmsg_obj_nest_end(fmsg)		((void)(fmsg), ward_note("}"))
#define devlink_fmsg_arr_pair_nest_start(fmsg, name)	((void)(fmsg), ward_note(name))
#define devlink_fmsg_arr_pair_nest_end(fmsg)	((void)(fmsg), ward_note("."))
#define devlink_fmsg_u32_pair_put(fmsg, name, val)	((void)(fmsg), ward_put(name, val))
#define devlink_fmsg_u64_pair_put(fmsg, name, val)	((void)(fmsg), ward_put(name, val))
#define devlink_fmsg_bool_pair_put(fmsg, name, val)	((void)(fmsg), ward_put(name, !!(val)))
#define devlink_fmsg_string_pair_put(fmsg, name, text)	((void)(fmsg), ward_text(name, text))
#define devlink_fmsg_binary_pair_put(fmsg, name, data, len)	\
	((void)(fmsg), (void)(name), ward_binary(data, len))
#undef queue_work
#define queue_work(wq, work)	((void)(wq), (void)(work), ward_note("work"))

#endif /* _PARQ_TESTS_HEALTH_CALLS_H */
