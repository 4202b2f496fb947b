/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TOOLS_LINUX_KERNEL_H
#define _PARQ_TOOLS_LINUX_KERNEL_H

#include_next <linux/kernel.h>
#include <stdio.h>

#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))

#endif
