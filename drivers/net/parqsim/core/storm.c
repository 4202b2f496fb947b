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

/* Whether the pause is obeyed follows from its state, its beginning and the limit. */
static void look(struct storm_class *c)
{
	struct storm *s = c->storm;
	u32 limit_ms = s->port[c->port].limit_ms;
	u64 end = c->since + limit_ms * PS_PER_MS;

	timer_cancel(s->clock, &c->limit);
	if (!c->paused) {
		tell(c, QMI_PAUSE_NONE);
	} else if (limit_ms && s->clock->now >= end) {
		tell(c, QMI_PAUSE_STORM);
	} else {
		if (limit_ms)
			timer_set(s->clock, &c->limit, end);
		tell(c, QMI_PAUSE_OBEYED);
	}
}

static void limit_over(void *ctx)
{
	look(ctx);
}

void storm_pause(struct storm *s, u32 port, u32 prio, bool on, u32 quanta)
{
	struct storm_class *c = &s->port[port].cls[prio];

	c->paused = on;
	c->quanta = quanta;
	c->since = s->clock->now;
	look(c);
}

/**
 * storm_set_limit() - limit how long a pause is obeyed
 * @s: the stage
 * @port: a port
 * @ms: the limit; 0 is none
 *
 * The limit also applies to running pauses, from their beginning. A pause that is shorter
 * than the new limit is obeyed, even if it was a storm before.
 */
void storm_set_limit(struct storm *s, u32 port, u32 ms)
{
	u32 prio;

	s->port[port].limit_ms = ms;
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
			timer_init(&c->limit, limit_over, c);
		}
}

/* The MAC has ended all pauses already. */
void storm_reset(struct storm *s)
{
	u32 port;

	for (port = 0; port < s->ports; port++)
		storm_set_limit(s, port, 0);
}
