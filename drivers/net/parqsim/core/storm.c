// SPDX-License-Identifier: GPL-2.0
#include "storm.h"

#define PS_PER_MS	(1000000 * PARQSIM_PS_PER_NS)

static void tell(struct storm_class *c, enum qmi_pause what)
{
	struct storm *s = c->storm;

	if (c->told == what)
		return;
	c->told = what;
	s->up.pause(s->up.ctx, c->port, c->prio, what, c->quanta);
}

/*
 * Whether the pause is obeyed follows from its state, its beginning and the limit. A storm that was
 * told outlasts its pause by the time to restore.
 */
static void look(struct storm_class *c)
{
	const struct storm_port *p = &c->storm->port[c->port];
	u64 limit = c->since + p->limit_ms * PS_PER_MS, over = c->ended + p->restore_ms * PS_PER_MS;
	struct clock *clock = c->storm->clock;
	bool storm = p->limit_ms && clock->now >= limit;

	timer_cancel(clock, &c->look);
	if (c->paused) {
		if (p->limit_ms && !storm)
			timer_set(clock, &c->look, limit);
		tell(c, storm ? QMI_PAUSE_STORM : QMI_PAUSE_OBEYED);
	} else if (storm && c->told == QMI_PAUSE_STORM && clock->now < over) {
		timer_set(clock, &c->look, over);
	} else {
		tell(c, QMI_PAUSE_NONE);
	}
}

static void time_over(void *ctx)
{
	look(ctx);
}

/* A pause that begins in a storm belongs to it: only without a storm its time counts. */
void storm_pause(struct storm *s, u32 port, u32 prio, bool on, u32 quanta)
{
	struct storm_class *c = &s->port[port].cls[prio];

	c->paused = on;
	c->quanta = quanta;
	if (!on)
		c->ended = s->clock->now;
	else if (c->told != QMI_PAUSE_STORM)
		c->since = s->clock->now;
	look(c);
}

/**
 * storm_set() - set what a storm is
 * @s: the stage
 * @port: a port
 * @limit_ms: how long a pause is obeyed; 0 is without limit
 * @restore_ms: how long there must be no pause before a storm is over
 *
 * The limit also applies to running pauses, from their beginning. A pause that is shorter
 * than the new limit is obeyed, even if it was a storm before.
 */
void storm_set(struct storm *s, u32 port, u32 limit_ms, u32 restore_ms)
{
	u32 prio;

	s->port[port].limit_ms = limit_ms;
	s->port[port].restore_ms = restore_ms;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		look(&s->port[port].cls[prio]);
}

/* Ends the storms of @prios: their pauses are obeyed as if they began now. */
void storm_obey(struct storm *s, u32 port, u8 prios)
{
	for (; prios; prios &= prios - 1) {
		struct storm_class *c = &s->port[port].cls[__builtin_ctz(prios)];

		c->since = s->clock->now;
		look(c);
	}
}

void storm_init(struct storm *s)
{
	u32 port, prio;

	for (port = 0; port < s->ports; port++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
			struct storm_class *c = &s->port[port].cls[prio];

			*c = (struct storm_class){
				.storm = s, .port = port, .prio = prio,
			};
			timer_init(&c->look, time_over, c);
		}
}

/* The MAC has ended all pauses already. */
void storm_reset(struct storm *s)
{
	u32 port;

	for (port = 0; port < s->ports; port++)
		storm_set(s, port, 0, 0);
}
