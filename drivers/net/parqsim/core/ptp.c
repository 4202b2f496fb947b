// SPDX-License-Identifier: GPL-2.0
#include "ptp.h"

#define FRAC_MASK	(BIT_ULL(PARQ_PTP_RATE_SHIFT) - 1)
/* ps of a rate times 2^32, beyond which there are fractions */
#define HIGH_SHIFT	(PARQ_PTP_RATE_SHIFT - 32)

/*
 * @ps times @rate / 2^40. The product has 95 bits, so the halves of @ps are multiplied by
 * themselves.
 * Return: whole ps; @frac: the rest, 2^-40 ps.
 */
static u64 gain(u64 ps, u32 rate, u64 *frac)
{
	u64 high = (ps >> 32) * rate;
	u64 low = (u64)(u32)ps * rate + ((high & (BIT_ULL(HIGH_SHIFT) - 1)) << 32);

	*frac = low & FRAC_MASK;
	return (high >> HIGH_SHIFT) + (low >> PARQ_PTP_RATE_SHIFT);
}

static u32 magnitude(const struct ptp *p)
{
	return p->rate < 0 ? -(u32)p->rate : (u32)p->rate;
}

/* Moves the clock by @ps of the device clock, forwards. */
static void forward(struct ptp *p, u64 ps)
{
	u64 frac, more = gain(ps, magnitude(p), &frac);

	if (p->rate >= 0) {
		p->frac += frac;
		ps += more + (p->frac >> PARQ_PTP_RATE_SHIFT);
	} else {
		p->frac -= frac;
		ps -= more + (p->frac >> 63);
	}
	p->frac &= FRAC_MASK;
	ps += p->ps;
	p->ns += ps / PARQSIM_PS_PER_NS;
	p->ps = ps % PARQSIM_PS_PER_NS;
}

/**
 * ptp_time() - time of the clock
 * @p: the clock
 * @at: device clock, ps. Before the last adjustment it is as if the clock had always run as now
 *
 * Return: ns.
 */
u64 ptp_time(const struct ptp *p, u64 at)
{
	u64 ps = p->at - at, more, frac;
	struct ptp then = *p;

	if (at >= p->at) {
		forward(&then, at - p->at);
		return then.ns;
	}
	more = gain(ps, magnitude(p), &frac);
	ps = p->rate < 0 ? ps - more : ps + more;
	return p->ns - (ps + PARQSIM_PS_PER_NS - 1 - p->ps) / PARQSIM_PS_PER_NS;
}

static void catch_up(struct ptp *p, u64 now)
{
	forward(p, now - p->at);
	p->at = now;
}

/**
 * ptp_when() - when the clock will show a time
 * @p: the clock
 * @at: device clock, ps; not before the last adjustment
 * @ns: the time, less than an hour after that at @at
 *
 * Each step goes almost as far as the time is ahead, and never beyond it.
 *
 * Return: device clock, ps, at @at or later.
 */
u64 ptp_when(const struct ptp *p, u64 at, u64 ns)
{
	struct ptp then = *p;
	u64 left, more, frac;

	catch_up(&then, at);
	while ((s64)(ns - then.ns) > 0) {
		left = (ns - then.ns) * PARQSIM_PS_PER_NS - then.ps;
		more = gain(left, magnitude(p), &frac);
		catch_up(&then, then.at + (p->rate < 0 ? left + more : left - more));
	}
	return then.at;
}

/* Sets PARQ_PTP_RATE. */
void ptp_rate(struct ptp *p, u64 now, s32 rate)
{
	catch_up(p, now);
	p->rate = rate;
}

/* Carries out PARQ_PTP_CMD; @val: PARQ_PTP_VAL. */
void ptp_command(struct ptp *p, u64 now, enum parq_ptp_op op, u64 val)
{
	catch_up(p, now);
	p->steps++;
	if (op == PARQ_PTP_STEP) {
		p->ns += val;
		return;
	}
	p->ns = val;
	p->ps = 0;
	p->frac = 0;
}

void ptp_reset(struct ptp *p, u64 now)
{
	*p = (struct ptp){ .at = now };
}
