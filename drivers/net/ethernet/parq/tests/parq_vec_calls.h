/* SPDX-License-Identifier: GPL-2.0 */
/* The vector suite's time and NAPI, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_VEC_CALLS_H
#define _PARQ_TESTS_VEC_CALLS_H

#include <linux/interrupt.h>
#include <linux/netdevice.h>

#include "../compat.h"

extern unsigned long poll_now;
void poll_schedule(void);
bool poll_complete(void);
bool poll_timer(void);

#define jiffies				poll_now
#define napi_schedule(napi)		((void)(napi), poll_schedule())
#define napi_complete_done(napi, work)	((void)(napi), (void)(work), poll_complete())
#define hrtimer_active(timer)		((void)(timer), poll_timer())

#endif /* _PARQ_TESTS_VEC_CALLS_H */
