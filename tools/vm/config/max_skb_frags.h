/* SPDX-License-Identifier: GPL-2.0 */
/* A kernel's configuration, but for this. Behind kconfig.h, which every file includes. */
#undef CONFIG_MAX_SKB_FRAGS
#define CONFIG_MAX_SKB_FRAGS 45
