/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TOOLS_LINUX_BITFIELD_H
#define _PARQ_TOOLS_LINUX_BITFIELD_H

#define __bf_shf(mask)		(__builtin_ffsll(mask) - 1)
#define FIELD_MAX(mask)		((__typeof__(mask))((mask) >> __bf_shf(mask)))
#define FIELD_FIT(mask, val)	(!((((__typeof__(mask))(val)) << __bf_shf(mask)) & ~(mask)))
#define FIELD_PREP(mask, val)	((((__typeof__(mask))(val)) << __bf_shf(mask)) & (mask))
#define FIELD_GET(mask, reg)	((__typeof__(mask))(((reg) & (mask)) >> __bf_shf(mask)))

#endif
