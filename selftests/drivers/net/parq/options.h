/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of a command line. */
#ifndef _OPTIONS_H
#define _OPTIONS_H

#include <stdint.h>

#define OPTIONS_BAD_USAGE	2

uint64_t option_number(const char *what, const char *text, uint64_t min,
		       uint64_t max);
void option_addr(const char *what, const char *text, uint8_t addr[6]);

#endif /* _OPTIONS_H */
