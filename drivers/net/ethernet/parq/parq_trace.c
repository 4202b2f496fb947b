// SPDX-License-Identifier: GPL-2.0
/*
 * Turns events of the device into tracepoints. The device logs only traced events: the
 * callbacks of the tracepoints set PARQ_EVENT_MASK of every device.
 */
#include <linux/list.h>
#include <linux/mutex.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_pause.h"

#define CREATE_TRACE_POINTS
#include "parq_trace.h"

static DEFINE_MUTEX(parq_trace_lock);
static LIST_HEAD(parq_trace_devs);
static u32 parq_traced;		/* BIT(enum parq_event_type) */

/* Return: traced events that the device can log, BIT(enum parq_event_type). */
static u32 parq_trace_events(const struct parq_dev *pd)
{
	return pd->caps.flags & PARQ_CAP_TRACE ? READ_ONCE(parq_traced) : 0;
}

/**
 * parq_trace_mask_update() - select the events that the device writes
 * @pd: device
 *
 * Enables the events that the driver needs, and those that are traced.
 *
 * Context: may sleep.
 */
void parq_trace_mask_update(struct parq_dev *pd)
{
	u32 mask = BIT(PARQ_EV_LINK) | BIT(PARQ_EV_ERROR) | BIT(PARQ_EV_QUEUE) |
		   BIT(PARQ_EV_STORM);

	/* A NIC may not know the bit. */
	if (pd->sw)
		mask |= BIT(PARQ_EV_FDB);
	mutex_lock(&pd->mask_lock);
	if (pd->ev.irq)
		parq_io_events_mask(pd, mask | parq_trace_events(pd));
	mutex_unlock(&pd->mask_lock);
}

/**
 * parq_trace_add() - make a device follow the enabled tracepoints
 * @pd: device, whose registers may be used
 */
void parq_trace_add(struct parq_dev *pd)
{
	mutex_lock(&parq_trace_lock);
	list_add_tail(&pd->trace_node, &parq_trace_devs);
	parq_trace_mask_update(pd);
	mutex_unlock(&parq_trace_lock);
}

/**
 * parq_trace_del() - undo parq_trace_add()
 * @pd: device
 */
void parq_trace_del(struct parq_dev *pd)
{
	mutex_lock(&parq_trace_lock);
	list_del(&pd->trace_node);
	mutex_unlock(&parq_trace_lock);
}

static void parq_trace_switch(enum parq_event_type type, bool on)
{
	struct parq_dev *pd;
	u32 events;

	mutex_lock(&parq_trace_lock);
	events = parq_traced & ~BIT(type);
	if (on)
		events |= BIT(type);
	WRITE_ONCE(parq_traced, events);
	list_for_each_entry(pd, &parq_trace_devs, trace_node)
		parq_trace_mask_update(pd);
	mutex_unlock(&parq_trace_lock);
}

int parq_trace_pause_on(void)
{
	parq_trace_switch(PARQ_EV_PAUSE, true);
	return 0;
}

void parq_trace_pause_off(void)
{
	parq_trace_switch(PARQ_EV_PAUSE, false);
}

int parq_trace_fsm_on(void)
{
	parq_trace_switch(PARQ_EV_FSM, true);
	return 0;
}

void parq_trace_fsm_off(void)
{
	parq_trace_switch(PARQ_EV_FSM, false);
}

int parq_trace_park_on(void)
{
	parq_trace_switch(PARQ_EV_PARK, true);
	return 0;
}

void parq_trace_park_off(void)
{
	parq_trace_switch(PARQ_EV_PARK, false);
}

int parq_trace_reinject_on(void)
{
	parq_trace_switch(PARQ_EV_REINJECT, true);
	return 0;
}

void parq_trace_reinject_off(void)
{
	parq_trace_switch(PARQ_EV_REINJECT, false);
}

int parq_trace_pass_on(void)
{
	parq_trace_switch(PARQ_EV_PASS, true);
	return 0;
}

void parq_trace_pass_off(void)
{
	parq_trace_switch(PARQ_EV_PASS, false);
}

int parq_trace_xoff_on(void)
{
	parq_trace_switch(PARQ_EV_XOFF, true);
	return 0;
}

void parq_trace_xoff_off(void)
{
	parq_trace_switch(PARQ_EV_XOFF, false);
}

/**
 * parq_trace_event() - turn an entry of the event ring into a tracepoint
 * @pd: device
 * @ev: entry, copied out of the ring; not yet checked
 */
void parq_trace_event(struct parq_dev *pd, const struct parq_event *ev)
{
	const struct net_device *netdev;
	u64 time = le64_to_cpu(ev->time);
	u32 a = le32_to_cpu(ev->a);
	u32 b = le32_to_cpu(ev->b);

	if (ev->port >= pd->caps.ports || !pd->port[ev->port])
		return;
	netdev = pd->port[ev->port]->netdev;

	switch (ev->type) {
	case PARQ_EV_PAUSE:
		trace_parq_pause(netdev, time, ev->prio, a, b);
		break;
	case PARQ_EV_FSM:
		trace_parq_fsm(netdev, time, ev->prio, b, a, 0, true);
		break;
	case PARQ_EV_PARK:
		trace_parq_park(netdev, time, ev->prio, ev->index, a, b);
		break;
	case PARQ_EV_REINJECT:
		trace_parq_reinject(netdev, time, ev->prio, ev->index, a, b);
		break;
	case PARQ_EV_PASS:
		trace_parq_pass(netdev, time, ev->prio, a, b);
		break;
	case PARQ_EV_XOFF:
		trace_parq_xoff(netdev, time, ev->prio, ev->index, a, b);
		break;
	case PARQ_EV_STORM:
		trace_parq_storm(netdev, time, ev->prio, a, b);
		break;
	default:
		break;
	}
}
