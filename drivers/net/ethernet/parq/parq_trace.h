/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints of the pause engine. The device logs an event only while its tracepoint is
 * enabled, so an event that nobody traces costs nothing.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM parq

#if !defined(_PARQ_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _PARQ_TRACE_H

#include <linux/if.h>
#include <linux/netdevice.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "parq_pause_fsm.h"

struct parq_dev;
struct parq_event;

void parq_trace_event(struct parq_dev *pd, const struct parq_event *ev);
void parq_trace_mask_update(struct parq_dev *pd);
void parq_trace_add(struct parq_dev *pd);
void parq_trace_del(struct parq_dev *pd);

/* Called when a tracepoint is enabled or disabled. */
int parq_trace_pause_on(void);
void parq_trace_pause_off(void);
int parq_trace_fsm_on(void);
void parq_trace_fsm_off(void);
int parq_trace_park_on(void);
void parq_trace_park_off(void);
int parq_trace_reinject_on(void);
void parq_trace_reinject_off(void);
int parq_trace_pass_on(void);
void parq_trace_pass_off(void);
int parq_trace_xoff_on(void);
void parq_trace_xoff_off(void);

TRACE_DEFINE_ENUM(PARQ_FSM_IDLE);
TRACE_DEFINE_ENUM(PARQ_FSM_HALTING);
TRACE_DEFINE_ENUM(PARQ_FSM_PARKED);
TRACE_DEFINE_ENUM(PARQ_FSM_FLUSHING);
TRACE_DEFINE_ENUM(PARQ_FSM_RELEASING);

#define parq_trace_state(val)						\
	__print_symbolic(val,						\
			 { PARQ_FSM_IDLE, "idle" },			\
			 { PARQ_FSM_HALTING, "halting" },		\
			 { PARQ_FSM_PARKED, "parked" },			\
			 { PARQ_FSM_FLUSHING, "flushing" },		\
			 { PARQ_FSM_RELEASING, "releasing" })

/* Times are in nanoseconds of the device clock. */

TRACE_EVENT_FN(parq_pause,
	       TP_PROTO(const struct net_device *netdev, u64 time, u8 prio, bool on,
			u32 quanta),
	       TP_ARGS(netdev, time, prio, on, quanta),
	       TP_STRUCT__entry(__array(char, name, IFNAMSIZ)
				__field(u64, time)
				__field(u32, quanta)
				__field(u8, prio)
				__field(bool, on)
	       ),
	       TP_fast_assign(strscpy(__entry->name, netdev->name, IFNAMSIZ);
			      __entry->time = time;
			      __entry->quanta = quanta;
			      __entry->prio = prio;
			      __entry->on = on;
	       ),
	       TP_printk("%s prio %u %s quanta %u time %llu", __entry->name,
			 __entry->prio, __entry->on ? "on" : "off", __entry->quanta,
			 __entry->time),
	       parq_trace_pause_on, parq_trace_pause_off
);

/*
 * One edge of a pause FSM, in either executor. Managed: levels are those that the driver
 * decided upon, the time is 0. Offload: the time is the device's, the levels are 0.
 */
TRACE_EVENT_FN(parq_fsm,
	       TP_PROTO(const struct net_device *netdev, u64 time, u8 prio,
			u32 old_state, u32 new_state, u64 levels, bool offload),
	       TP_ARGS(netdev, time, prio, old_state, new_state, levels, offload),
	       TP_STRUCT__entry(__array(char, name, IFNAMSIZ)
				__field(u64, time)
				__field(u64, levels)
				__field(u32, old_state)
				__field(u32, new_state)
				__field(u8, prio)
				__field(bool, offload)
	       ),
	       TP_fast_assign(strscpy(__entry->name, netdev->name, IFNAMSIZ);
			      __entry->time = time;
			      __entry->levels = levels;
			      __entry->old_state = old_state;
			      __entry->new_state = new_state;
			      __entry->prio = prio;
			      __entry->offload = offload;
	       ),
	       TP_printk("%s prio %u %s -> %s %s levels %#llx time %llu",
			 __entry->name, __entry->prio,
			 parq_trace_state(__entry->old_state),
			 parq_trace_state(__entry->new_state),
			 __entry->offload ? "offload" : "managed",
			 __entry->levels, __entry->time),
	       parq_trace_fsm_on, parq_trace_fsm_off
);

DECLARE_EVENT_CLASS(parq_fd,
		    TP_PROTO(const struct net_device *netdev, u64 time, u8 prio, u8 queue,
			     u32 order, u32 depth),
		    TP_ARGS(netdev, time, prio, queue, order, depth),
		    TP_STRUCT__entry(__array(char, name, IFNAMSIZ)
				     __field(u64, time)
				     __field(u32, order)
				     __field(u32, depth)
				     __field(u8, prio)
				     __field(u8, queue)
		    ),
		    TP_fast_assign(strscpy(__entry->name, netdev->name, IFNAMSIZ);
				   __entry->time = time;
				   __entry->order = order;
				   __entry->depth = depth;
				   __entry->prio = prio;
				   __entry->queue = queue;
		    ),
		    TP_printk("%s prio %u queue %u order %u depth %u time %llu",
			      __entry->name, __entry->prio, __entry->queue, __entry->order,
			      __entry->depth, __entry->time)
);

DEFINE_EVENT_FN(parq_fd, parq_park,
		TP_PROTO(const struct net_device *netdev, u64 time, u8 prio, u8 queue,
			 u32 order, u32 depth),
		TP_ARGS(netdev, time, prio, queue, order, depth),
		parq_trace_park_on, parq_trace_park_off
);

DEFINE_EVENT_FN(parq_fd, parq_reinject,
		TP_PROTO(const struct net_device *netdev, u64 time, u8 prio, u8 queue,
			 u32 order, u32 depth),
		TP_ARGS(netdev, time, prio, queue, order, depth),
		parq_trace_reinject_on, parq_trace_reinject_off
);

TRACE_EVENT_FN(parq_pass,
	       TP_PROTO(const struct net_device *netdev, u64 time, u8 prio, u32 fds,
			u32 what),
	       TP_ARGS(netdev, time, prio, fds, what),
	       TP_STRUCT__entry(__array(char, name, IFNAMSIZ)
				__field(u64, time)
				__field(u32, fds)
				__field(u32, what)
				__field(u8, prio)
	       ),
	       TP_fast_assign(strscpy(__entry->name, netdev->name, IFNAMSIZ);
			      __entry->time = time;
			      __entry->fds = fds;
			      __entry->what = what;
			      __entry->prio = prio;
	       ),
	       TP_printk("%s prio %u %s fds %u time %llu", __entry->name,
			 __entry->prio,
			 __print_symbolic(__entry->what, { 0, "ended" },
					  { 1, "begun" }, { 2, "turned-back" }),
			 __entry->fds, __entry->time),
	       parq_trace_pass_on, parq_trace_pass_off
);

/* XOFF or XON is sent, for a priority or, as link pause, for all. */
TRACE_EVENT_FN(parq_xoff,
	       TP_PROTO(const struct net_device *netdev, u64 time, u8 prio, bool link,
			u32 what, u32 bytes),
	       TP_ARGS(netdev, time, prio, link, what, bytes),
	       TP_STRUCT__entry(__array(char, name, IFNAMSIZ)
				__field(u64, time)
				__field(u32, what)
				__field(u32, bytes)
				__field(u8, prio)
				__field(bool, link)
	       ),
	       TP_fast_assign(strscpy(__entry->name, netdev->name, IFNAMSIZ);
			      __entry->time = time;
			      __entry->what = what;
			      __entry->bytes = bytes;
			      __entry->prio = prio;
			      __entry->link = link;
	       ),
	       TP_printk("%s %s %u %s bytes %u time %llu", __entry->name,
			 __entry->link ? "link" : "prio", __entry->prio,
			 __print_symbolic(__entry->what, { 0, "xon" },
					  { 1, "xoff" }, { 2, "bounded" }),
			 __entry->bytes, __entry->time),
	       parq_trace_xoff_on, parq_trace_xoff_off
);

/* The device always reports storms to the driver, so enabling this needs no callback. */
TRACE_EVENT(parq_storm,
	    TP_PROTO(const struct net_device *netdev, u64 time, u8 prio, bool on,
		     u32 depth),
	    TP_ARGS(netdev, time, prio, on, depth),
	    TP_STRUCT__entry(__array(char, name, IFNAMSIZ)
			     __field(u64, time)
			     __field(u32, depth)
			     __field(u8, prio)
			     __field(bool, on)
	    ),
	    TP_fast_assign(strscpy(__entry->name, netdev->name, IFNAMSIZ);
			   __entry->time = time;
			   __entry->depth = depth;
			   __entry->prio = prio;
			   __entry->on = on;
	    ),
	    TP_printk("%s prio %u %s depth %u time %llu", __entry->name,
		      __entry->prio, __entry->on ? "begins" : "ends",
		      __entry->depth, __entry->time)
);

/* Supervision: a class is held without a pause and makes no progress. */
TRACE_EVENT(parq_stall,
	    TP_PROTO(const struct net_device *netdev, u8 prio, u64 levels),
	    TP_ARGS(netdev, prio, levels),
	    TP_STRUCT__entry(__array(char, name, IFNAMSIZ)
			     __field(u64, levels)
			     __field(u8, prio)
	    ),
	    TP_fast_assign(strscpy(__entry->name, netdev->name, IFNAMSIZ);
			   __entry->levels = levels;
			   __entry->prio = prio;
	    ),
	    TP_printk("%s prio %u levels %#llx", __entry->name, __entry->prio,
		      __entry->levels)
);

#endif /* _PARQ_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE parq_trace
#include <trace/define_trace.h>
