/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TOOLS_ASM_BYTEORDER_H
#define _PARQ_TOOLS_ASM_BYTEORDER_H

#include_next <asm/byteorder.h>

#define cpu_to_le16	__cpu_to_le16
#define cpu_to_le32	__cpu_to_le32
#define cpu_to_le64	__cpu_to_le64
#define le16_to_cpu	__le16_to_cpu
#define le32_to_cpu	__le32_to_cpu
#define le64_to_cpu	__le64_to_cpu
#define cpu_to_be16	__cpu_to_be16
#define cpu_to_be32	__cpu_to_be32
#define be16_to_cpu	__be16_to_cpu
#define be32_to_cpu	__be32_to_cpu

#endif
