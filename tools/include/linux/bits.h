/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TOOLS_LINUX_BITS_H
#define _PARQ_TOOLS_LINUX_BITS_H

#define BIT(n)			(1U << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define GENMASK(h, l)		((~0U >> (31 - (h))) & (~0U << (l)))
#define GENMASK_ULL(h, l)	((~0ULL >> (63 - (h))) & (~0ULL << (l)))

#endif
