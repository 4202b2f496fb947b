/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TOOLS_LINUX_BUILD_BUG_H
#define _PARQ_TOOLS_LINUX_BUILD_BUG_H

#include <assert.h>

/* The message is optional in the kernel and in C23, not in C11. */
#undef static_assert
#define static_assert(expr, ...)	_Static_assert(expr, "" #expr)

#endif
