/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the guest tells count.c where a measurement begins and ends: mark.c executes
 * a NOP with one of these operands, which no compiler emits.
 */
#ifndef MARK_H
#define MARK_H

#define MARK_BEGIN	0x50415251
#define MARK_END	0x50415252

void mark_begin(void);
void mark_end(void);

#endif
