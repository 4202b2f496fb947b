/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers and MAC addresses of a command line. */
#ifndef _OPTIONS_H
#define _OPTIONS_H

#include <stdint.h>

#define OPTIONS_BAD_USAGE	2
#define OPTIONS_ADDR_SIZE	18	/* of the text of a MAC address */

uint64_t option_number(const char *what, const char *text, uint64_t min,
		       uint64_t max);
void option_addr(const char *what, const char *text, uint8_t addr[6]);
void option_addr_text(char text[OPTIONS_ADDR_SIZE], const uint8_t addr[6]);

#endif /* _OPTIONS_H */
