// SPDX-License-Identifier: GPL-2.0
/* For insns-guest, which loads it. */
#include "mark.h"

void mark_begin(void);
void mark_end(void);

void mark_begin(void)
{
	mark(MARK_BEGIN);
}

void mark_end(void)
{
	mark(MARK_END);
}
