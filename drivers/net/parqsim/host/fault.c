// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "fault.h"

const char *const fault_names[FAULT_KINDS] = {
	[FAULT_DMA] = "dma",
	[FAULT_LOST] = "lost",
	[FAULT_LATE] = "late",
	[FAULT_TWICE] = "twice",
	[FAULT_REFUSED] = "refused",
	[FAULT_STUCK] = "stuck",
	[FAULT_FATAL] = "fatal",
};

/* xorshift64*; the upper half of its output is good. */
static u32 fault_random(struct fault *f)
{
	f->rng ^= f->rng >> 12;
	f->rng ^= f->rng << 25;
	f->rng ^= f->rng >> 27;
	return (u32)(f->rng * 0x2545f4914f6cdd1dULL >> 32);
}

static bool fault_happens(struct fault *f, enum fault_kind kind)
{
	u32 n = f->spec.one_in[kind];

	if (!(f->on & BIT(kind)) || !n || fault_random(f) % n)
		return false;
	f->count[kind]++;
	return true;
}

/* A value close to the right one is more likely to pass a check than noise. */
static u32 fault_word(struct fault *f, u32 val)
{
	switch (fault_random(f) % 6) {
	case 0:
		return val + 1;
	case 1:
		return val - 1;
	case 2:
		return val ^ 1U << fault_random(f) % 32;
	case 3:
		return 0;
	case 4:
		return ~0U;
	default:
		return fault_random(f);
	}
}

int fault_init(struct fault *f, const struct fault_spec *spec, u32 vectors)
{
	*f = (struct fault){
		.spec = *spec,
		.rng = spec->seed + 1ULL,
		.vectors = vectors,
		.late_ns = kcalloc(vectors, sizeof(*f->late_ns), GFP_KERNEL),
	};
	return f->late_ns ? 0 : -ENOMEM;
}

void fault_fini(struct fault *f)
{
	kfree(f->late_ns);
}

/* Enables these kinds only, BIT(kind), at the rates that the user has set. */
void fault_set(struct fault *f, u32 kinds)
{
	f->on = kinds & FAULT_ALL;
	f->stuck = false;
	f->fatal = false;
}

/**
 * fault_dma() - corrupt a word of a write to host memory
 * @f: faults
 * @buf: data to be written
 * @len: bytes of @buf
 *
 * Return: a word was changed.
 */
bool fault_dma(struct fault *f, void *buf, u32 len)
{
	u32 word, at;

	if (len < sizeof(word) || len > FAULT_MAX_LEN ||
	    !fault_happens(f, FAULT_DMA))
		return false;
	at = fault_random(f) % (len / sizeof(word)) * sizeof(word);
	memcpy(&word, (u8 *)buf + at, sizeof(word));
	word = fault_word(f, word);
	memcpy((u8 *)buf + at, &word, sizeof(word));
	return true;
}

/* Return: this access to host memory hits an unmapped address. */
bool fault_refused(struct fault *f)
{
	return fault_happens(f, FAULT_REFUSED);
}

/* Return: the TX queue that is about to fetch a frame gets stuck. */
bool fault_stuck(struct fault *f)
{
	if (f->stuck || !fault_happens(f, FAULT_STUCK))
		return false;
	f->stuck = true;
	return true;
}

/* Called before each read of a register. Return: true if the NIC must stop. */
bool fault_fatal(struct fault *f)
{
	if (f->fatal || !fault_happens(f, FAULT_FATAL))
		return false;
	f->fatal = true;
	return true;
}

/**
 * fault_irq() - how often an interrupt is sent now
 * @f: faults
 * @vector: below the number given to fault_init()
 * @now_ns: device clock
 *
 * Return: 0 to 2. fault_irq_due() sends a late interrupt.
 */
u32 fault_irq(struct fault *f, u32 vector, u64 now_ns)
{
	if (fault_happens(f, FAULT_LOST))
		return 0;
	if (fault_happens(f, FAULT_LATE)) {
		f->late_ns[vector] = now_ns + 1 +
				     fault_random(f) % FAULT_LATE_MAX_NS;
		if (!f->next_ns || f->late_ns[vector] < f->next_ns)
			f->next_ns = f->late_ns[vector];
		return 0;
	}
	return fault_happens(f, FAULT_TWICE) ? 2 : 1;
}

/* Return: a late interrupt is due now; @vector is its vector. */
bool fault_irq_due(struct fault *f, u64 now_ns, u32 *vector)
{
	u64 next = 0;
	u32 i;

	if (!f->next_ns || now_ns < f->next_ns)
		return false;
	for (i = 0; i < f->vectors; i++) {
		if (!f->late_ns[i])
			continue;
		if (f->late_ns[i] <= now_ns) {
			f->late_ns[i] = 0;
			*vector = i;
			return true;
		}
		if (!next || f->late_ns[i] < next)
			next = f->late_ns[i];
	}
	f->next_ns = next;
	return false;
}
