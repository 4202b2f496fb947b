/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TOOLS_LINUX_COMPILER_H
#define _PARQ_TOOLS_LINUX_COMPILER_H

#define __printf(fmt, args)	__attribute__((format(printf, fmt, args)))
#define __packed		__attribute__((packed))
#define noinline		__attribute__((noinline))

#endif
