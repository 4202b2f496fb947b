// SPDX-License-Identifier: GPL-2.0
/* For insns-guest and nic-guest, which load it. */
#include "mark.h"

void mark_begin(void)
{
	__asm__ volatile(".byte 0x0f, 0x1f, 0x80\n\t.long %c0" : : "i" (MARK_BEGIN));
}

void mark_end(void)
{
	__asm__ volatile(".byte 0x0f, 0x1f, 0x80\n\t.long %c0" : : "i" (MARK_END));
}
