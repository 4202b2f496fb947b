/* SPDX-License-Identifier: GPL-2.0 */
/* Accesses of the suite's device, in place of the bus. See copies in Kbuild. */
#ifndef _PARQ_TESTS_IO_CALLS_H
#define _PARQ_TESTS_IO_CALLS_H

#include <linux/io.h>

u32 refuse_readl(const void __iomem *addr);
void refuse_writel(u32 val, void __iomem *addr);
#undef readl
#undef writel
#define readl	refuse_readl
#define writel	refuse_writel

#endif /* _PARQ_TESTS_IO_CALLS_H */
