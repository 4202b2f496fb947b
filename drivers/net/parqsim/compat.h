/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernels, and nothing else. compat_gen.h comes from
 * compat_probe.sh.
 */
#ifndef _PARQSIM_COMPAT_H
#define _PARQSIM_COMPAT_H

#include <linux/hrtimer.h>

#include "compat_gen.h"

#ifndef PARQSIM_HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, const enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#endif /* _PARQSIM_COMPAT_H */
