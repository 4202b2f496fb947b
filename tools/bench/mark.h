/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the guest tells count.c where a measurement begins and ends: it executes one of these,
 * a NOP with an operand that no compiler emits.
 */
#ifndef MARK_H
#define MARK_H

#define MARK_BEGIN	0x50415251
#define MARK_END	0x50415252

#define mark(operand)	__asm__ volatile(".byte 0x0f, 0x1f, 0x80\n\t.long %c0" : : "i" (operand))

#endif
