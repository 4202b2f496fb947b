/* SPDX-License-Identifier: GPL-2.0 */
/* The system's <linux/string.h> has nothing. */
#include <string.h>
