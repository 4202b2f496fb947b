/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TOOLS_LINUX_LIMITS_H
#define _PARQ_TOOLS_LINUX_LIMITS_H

#include_next <linux/limits.h>

#define U32_MAX		(~0U)

#endif
