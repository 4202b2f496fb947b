// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "nic.h"

/*
 * The timer expires no sooner than this after a turn: a timer for each frame of a fast link
 * would cost more than the frame. In the device clock each event has the time at which it was
 * due.
 */
static unsigned int slack_ns = 1000;
module_param(slack_ns, uint, 0644);
MODULE_PARM_DESC(slack_ns, "least time from a turn of the NIC to its timer, ns (1000)");

/*
 * While doorbells cause turns before the timer expires, the timer is set later. What leaves
 * towards another netdev is late by as much, refreshed pauses included: so not for such NICs.
 */
static unsigned int late_ns = 100000;
module_param(late_ns, uint, 0644);
MODULE_PARM_DESC(late_ns, "most by which the timer of a busy NIC is late, ns (100000)");

/*
 * Events due within this time are handled at once, so the NIC is slightly ahead of the
 * clock. Otherwise most frames would need a timer for their way to the link partner.
 */
static unsigned int ahead_ns = TURN_REAL_TIME ? 20000 : 0;
module_param(ahead_ns, uint, 0644);
MODULE_PARM_DESC(ahead_ns, "most that the NIC is ahead of the clock, ns (20000; simulated time: 0)");

/* ---- time ---------------------------------------------------------------- */

/* Converts CLOCK_MONOTONIC, ns, to the NIC's device clock, ps. */
static u64 nic_ps(const struct nic *nic, u64 ns)
{
	return (ns - nic->ports.host.epoch_ns) * PARQSIM_PS_PER_NS;
}

/* Time of the next event, ps. Inline: it is asked for around each event. */
static inline u64 nic_next(const struct nic *nic)
{
	return clock_next(nic->ports.host.clock);
}

/* How long before @ns the next event is due, ps; negative if it is due later. */
static s64 nic_overdue(const struct nic *nic, u64 ns)
{
	u64 next = nic->running ? nic_next(nic) : PARQSIM_NEVER;

	return next == PARQSIM_NEVER ? S64_MIN : (s64)(nic_ps(nic, ns) - next);
}

/* Time of the next event, CLOCK_MONOTONIC, ns, or TURN_NEVER. */
static u64 nic_due_ns(const struct nic *nic)
{
	u64 epoch = nic->ports.host.epoch_ns, next = nic_next(nic);
	u64 due = TURN_NEVER;

	if (next != PARQSIM_NEVER)
		due = epoch + DIV_ROUND_UP_ULL(next, PARQSIM_PS_PER_NS);
	if (nic->fault.next_ns)
		due = min(due, epoch + nic->fault.next_ns);
	return due;
}

/* ---- busy and resting NICs ----------------------------------------------- */

static struct nic *to_resting(const struct rb_node *node)
{
	return rb_entry(node, struct nic, resting);
}

static bool nic_is_before(struct rb_node *a, const struct rb_node *b)
{
	return to_resting(a)->rest_ns < to_resting(b)->rest_ns;
}

static void nic_rest_end(struct nic *nic)
{
	if (RB_EMPTY_NODE(&nic->resting))
		return;
	rb_erase_cached(&nic->resting, &nic->group->resting);
	RB_CLEAR_NODE(&nic->resting);
}

static void nic_rest(struct nic *nic)
{
	list_del_init(&nic->busy);
	nic->rest_ns = nic->running ? nic_due_ns(nic) : TURN_NEVER;
	if (nic->rest_ns != TURN_NEVER)
		rb_add_cached(&nic->resting, &nic->group->resting, nic_is_before);
}

void nic_make_busy(struct nic *nic)
{
	if (!list_empty(&nic->busy))
		return;
	nic_rest_end(nic);
	list_add_tail(&nic->busy, &nic->group->busy);
}

/* The resting NIC with the earliest event, or NULL. */
static struct nic *group_resting(const struct nic_group *g)
{
	struct rb_node *first = rb_first_cached(&g->resting);

	return first ? to_resting(first) : NULL;
}

/* The rest of NICs ends that have an event until @ns. */
static void group_rise(struct nic_group *g, u64 ns)
{
	struct nic *nic;

	while ((nic = group_resting(g)) && nic->rest_ns <= ns)
		nic_make_busy(nic);
}

/* Pairs with nic_wake(): what was done before the NIC was woken is seen after this. */
static void nics_woken(struct llist_node *list)
{
	struct nic *nic, *next;

	llist_for_each_entry_safe(nic, next, list, wake) {
		/* The entry was read before another nic_wake() may write it. */
		smp_mb__before_atomic();
		clear_bit(0, &nic->woken);
		/* Pairs with the full barrier of test_and_set_bit() in nic_wake(). */
		smp_mb__after_atomic();
		nic_make_busy(nic);
	}
}

/* ---- turns --------------------------------------------------------------- */

/* The NIC with the earliest event, NULL if none is due until @ns. */
static struct nic *group_first(struct nic_group *g, u64 ns)
{
	struct nic *nic, *first = NULL;
	s64 overdue, most = -1;

	list_for_each_entry(nic, &g->busy, busy) {
		overdue = nic_overdue(nic, ns);
		if (overdue <= most)
			continue;
		most = overdue;
		first = nic;
	}
	return first;
}

/* What arrives at a NIC that is stopped waits. */
u64 nic_free_until(const struct nic *nic)
{
	u64 until = nic_ps(nic, nic->group->at_ns);
	const struct nic *other;
	s64 most = 0;

	list_for_each_entry(other, &nic->group->busy, busy) {
		if (other == nic)
			continue;
		if (!other->running)
			return 0;
		most = max(most, nic_overdue(other, nic->group->at_ns));
	}
	return until - min((u64)most, until);
}

/*
 * Handles all events due up to @at_ns in the order of time: the next event of one NIC may
 * be a frame sent by an event of another. The doorbells are read after that.
 */
static u32 group_events(struct nic_group *g, u32 left)
{
	struct nic *nic;
	u64 next;

	while (left) {
		nic = group_first(g, g->at_ns);
		if (!nic)
			break;
		next = max(nic_next(nic), nic->ports.host.clock->now);
		left -= parqsim_events(nic->sim, next, nic_ps(nic, g->at_ns), left);
	}
	return left;
}

/*
 * CLOCK_MONOTONIC, ns, up to which the events of all NICs have been handled. A NIC that went on to
 * the end of the step while others are behind would get their frames late: it would pause a sender
 * that has long since sent more than its buffers hold.
 */
static u64 group_front(struct nic_group *g)
{
	const struct nic *first = group_first(g, g->at_ns);

	return first ? first->ports.host.epoch_ns + div_u64(nic_next(first), PARQSIM_PS_PER_NS) :
		       g->at_ns;
}

/* Advances to @ns, if @left events suffice. Return: number of events left. */
static u32 group_step(struct nic_group *g, u64 ns, u32 left)
{
	struct nic *nic;
	u32 done;
	u64 to;

	g->at_ns = max(g->at_ns, ns);
	group_rise(g, g->at_ns);
	if (!list_is_singular(&g->nics))
		left = group_events(g, left);
	to = left ? g->at_ns : group_front(g);
	list_for_each_entry(nic, &g->busy, busy) {
		if (!nic->running)
			continue;
		/*
		 * It looks at its doorbells, even if the events were too many. Those that wait may
		 * be older than this NIC.
		 */
		done = parqsim_step(nic->sim, nic_ps(nic, max(to, nic->ports.host.epoch_ns)),
				    max(left, 1U));
		left -= min(done, left);
	}
	g->behind = !left;
	return left;
}

static void nic_count_run(struct nic *nic, u64 now)
{
	u64 at = nic->ports.host.epoch_ns +
		 div_u64(nic->ports.host.clock->now, PARQSIM_PS_PER_NS);

	nic->stats.runs++;
	if (!nic->group->behind)
		return;
	nic->stats.behind++;
	if (now > at)
		nic->stats.behind_ns = max(nic->stats.behind_ns, now - at);
}

static void group_run(struct nic_group *g)
{
	u64 now = ktime_get_ns();
	struct nic *nic;
	u32 left, vector;

	g->since = now;
	nics_woken(llist_del_all(&g->woken));
	group_rise(g, now);
	list_for_each_entry(nic, &g->busy, busy)
		while (nic->running &&
		       fault_irq_due(&nic->fault,
				     now - nic->ports.host.epoch_ns, &vector))
			nic->front->irq(nic, vector, 1);
	left = group_step(g, now, TURN_EVENTS);
	if (left && ahead_ns) {
		group_rise(g, now + ahead_ns);
		if (group_first(g, now + ahead_ns))
			group_step(g, now + ahead_ns, left);
	}
	list_for_each_entry(nic, &g->busy, busy)
		if (nic->running)
			nic_count_run(nic, now);
}

static void group_count_time(struct nic_group *g, u64 now)
{
	u64 held = now - g->since;

	g->busy_ns += held;
	g->held_ns = max(g->held_ns, held);
	g->long_holds += held > GROUP_LONG_NS;
}

/* Whether a NIC has nothing to do before its next event. It dozes then. */
static bool nic_may_rest(struct nic *nic)
{
	return !nic->running || (!nic->group->behind && parqsim_doze(nic->sim) &&
				 !nic->front->waiting(nic));
}

/* End of every turn: lets the NICs doze and sets the timer. */
static void group_rest(struct nic_group *g)
{
	struct nic *nic, *next;
	u64 now;

	list_for_each_entry_safe(nic, next, &g->busy, busy) {
		if (nic->rested)
			nic->rested(nic);
		if (nic_may_rest(nic))
			nic_rest(nic);
	}
	now = ktime_get_ns();
	group_count_time(g, now);
	nic = group_resting(g);
	if (!list_empty(&g->busy))
		turn_now(&g->turn);
	else if (nic)
		turn_at(&g->turn, max(nic->rest_ns, now + slack_ns),
			g->exact ? 0 : late_ns);
}

/* The NICs whose interrupts this turn raises form a separate list. */
static void group_turn(struct turn *turn)
{
	struct nic_group *g = container_of(turn, struct nic_group, turn);
	struct nic *nic, *raise = NULL;
	unsigned long flags;
	u32 n;

	turn_lock(&g->lock, flags);
	group_run(g);
	list_for_each_entry(nic, &g->busy, busy) {
		n = nic->running ? nic->front->collect(nic, &nic->due) : 0;
		if (!n)
			continue;
		nic->stats.irqs += n;
		nic->raise = raise;
		raise = nic;
	}
	group_rest(g);
	turn_unlock(&g->lock, flags);
	for (nic = raise; nic; nic = nic->raise)
		while (nic->due.words)
			nic->front->raise(nic, vectors_take(&nic->due));
}

/* ---- access -------------------------------------------------------------- */

/* The group of a NIC may change while this waits for the lock of the old group. */
void nic_lock(struct nic *nic, unsigned long *flags)
	__acquires(&nic->group->lock)
{
	struct nic_group *g;

	rcu_read_lock();
	for (;;) {
		g = READ_ONCE(nic->group);
		turn_lock(&g->lock, *flags);
		if (g == nic->group)
			break;
		turn_unlock(&g->lock, *flags);
	}
	rcu_read_unlock();
}

void nic_unlock(struct nic *nic, unsigned long flags)
	__releases(&nic->group->lock)
{
	turn_unlock(&nic->group->lock, flags);
}

void nic_enter_both(struct nic *nic, struct nic *other, unsigned long *flags)
	__acquires(&nic->group->lock)
{
	nic_lock(nic, flags);
	nic_make_busy(nic);
	nic_make_busy(other);
	group_run(nic->group);
}

void nic_enter(struct nic *nic, unsigned long *flags)
	__acquires(&nic->group->lock)
{
	nic_enter_both(nic, nic, flags);
}

void nic_leave(struct nic *nic, unsigned long flags)
	__releases(&nic->group->lock)
{
	group_rest(nic->group);
	nic_unlock(nic, flags);
}

/* A caller that finds the bit set relies on the other one, which ends soon: it is not preempted. */
void nic_wake(struct nic *nic)
{
	struct nic_group *g;

	rcu_read_lock();
	g = READ_ONCE(nic->group);
	preempt_disable();
	if (!test_and_set_bit(0, &nic->woken))
		llist_add(&nic->wake, &g->woken);
	preempt_enable();
	turn_now(&g->turn);
	rcu_read_unlock();
}

/* All NICs of the group share the timer. */
void nic_sync(struct nic *nic)
{
	turn_sync(&nic->group->turn);
	nic_wake(nic);
}

/* ---- construction -------------------------------------------------------- */

/* Creates a group with @nic alone. Return: 0 or a negative errno. */
int group_init(struct nic *nic)
{
	struct nic_group *g = kzalloc(sizeof(*g), GFP_KERNEL);
	int err;

	if (!g)
		return -ENOMEM;
	raw_spin_lock_init(&g->lock);
	INIT_LIST_HEAD(&g->nics);
	INIT_LIST_HEAD(&g->busy);
	g->resting = RB_ROOT_CACHED;
	g->exact = nic->exact;
	err = turn_init(&g->turn, group_turn);
	if (err) {
		kfree(g);
		return err;
	}
	list_add(&nic->member, &g->nics);
	INIT_LIST_HEAD(&nic->busy);
	RB_CLEAR_NODE(&nic->resting);
	nic->group = g;
	return 0;
}

static void group_free(struct nic_group *g)
{
	turn_fini(&g->turn);
	kfree(g);
}

/* The NIC has been stopped and is not used any more. Sleeps. */
void group_fini(struct nic *nic)
{
	struct nic_group *g = nic->group;
	unsigned long flags;
	bool last;

	nic_lock(nic, &flags);
	nics_woken(llist_del_all(&g->woken));
	nic_rest_end(nic);
	list_del(&nic->busy);
	list_del(&nic->member);
	g->exact -= nic->exact;
	last = list_empty(&g->nics);
	nic_unlock(nic, flags);
	turn_sync(&g->turn);
	if (last) {
		turn_stop(&g->turn);
		group_free(g);
	} else {
		turn_now(&g->turn);
	}
}

/**
 * group_join() - merge the groups of two NICs that a cable will join
 * @a: one NIC
 * @b: the other NIC; its group takes in that of @a
 *
 * Calls must not overlap. Sleeps.
 */
void group_join(struct nic *a, struct nic *b)
{
	struct nic_group *to = b->group, *from = a->group;
	unsigned long flags;
	struct nic *nic;

	if (to == from)
		return;
	/* Both turns would use the same NICs' lists of interrupts. */
	turn_stop(&from->turn);
	turn_lock(&to->lock, flags);
	raw_spin_lock_nested(&from->lock, SINGLE_DEPTH_NESTING);
	list_for_each_entry(nic, &from->nics, member) {
		nic_make_busy(nic);
		WRITE_ONCE(nic->group, to);
	}
	list_splice_init(&from->nics, &to->nics);
	list_splice_init(&from->busy, &to->busy);
	nics_woken(llist_del_all(&from->woken));
	to->exact += from->exact;
	to->at_ns = max(to->at_ns, from->at_ns);
	raw_spin_unlock(&from->lock);
	turn_unlock(&to->lock, flags);
	/* Waits for readers that have seen the old group. They may have woken NICs in it. */
	synchronize_rcu();
	nic_lock(a, &flags);
	nics_woken(llist_del_all(&from->woken));
	nic_unlock(a, flags);
	group_free(from);
	nic_wake(a);
}
