/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TOOLS_LINUX_BITOPS_H
#define _PARQ_TOOLS_LINUX_BITOPS_H

#include <linux/bits.h>

#define BITS_PER_BYTE		8

#define __ffs(word)		((unsigned long)__builtin_ctzl(word))
#define hweight8(byte)		((unsigned int)__builtin_popcount((u8)(byte)))
#define hweight64(n)		((unsigned int)__builtin_popcountll(n))

#endif
