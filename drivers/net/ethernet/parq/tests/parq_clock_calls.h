/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's time, and registration of clocks, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_CLOCK_CALLS_H
#define _PARQ_TESTS_CLOCK_CALLS_H

#include <linux/ptp_clock_kernel.h>
#include <linux/skbuff.h>
#include <linux/timekeeping.h>

u64 chime_boottime(void);
u64 chime_real(void);
struct ptp_clock *chime_register(struct ptp_clock_info *info);
void chime_unregister(void);
void chime_stamp(struct sk_buff *skb, const struct skb_shared_hwtstamps *stamp);
#define ktime_get_boottime_ns()			chime_boottime()
#define ktime_get_real_ns()			chime_real()
#define ptp_clock_register(info, dev)		((void)(dev), chime_register(info))
#define ptp_clock_unregister(clock)		((void)(clock), chime_unregister())
#define ptp_schedule_worker(clock, delay)	((void)(clock), (void)(delay))
#define ptp_clock_index(clock)			((void)(clock), 5)
#define skb_tstamp_tx(skb, stamp)		chime_stamp(skb, stamp)

#endif /* _PARQ_TESTS_CLOCK_CALLS_H */
