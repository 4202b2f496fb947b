// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"

/**
 * option_number() - read a number, or end the program with what is wrong
 * @what: name of the option
 * @text: its value, decimal or with 0x in front
 * @min: smallest value allowed
 * @max: largest value allowed
 *
 * Return: the number.
 */
uint64_t option_number(const char *what, const char *text, uint64_t min,
		       uint64_t max)
{
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 0);
	if (!isdigit((unsigned char)*text) || *end || errno || n < min ||
	    n > max) {
		fprintf(stderr, "%s '%s': not a number from %" PRIu64 " to %"
			PRIu64 "\n", what, text, min, max);
		exit(OPTIONS_BAD_USAGE);
	}
	return n;
}

/**
 * option_addr() - read a MAC address, or end the program with what is wrong
 * @what: name of the option
 * @text: its value
 * @addr: result
 */
void option_addr(const char *what, const char *text, uint8_t addr[6])
{
	char rest;

	if (sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%c", &addr[0],
		   &addr[1], &addr[2], &addr[3], &addr[4], &addr[5],
		   &rest) == 6)
		return;
	fprintf(stderr, "%s '%s': not like 02:00:00:00:00:01\n", what, text);
	exit(OPTIONS_BAD_USAGE);
}

/**
 * option_addr_text() - write a MAC address as option_addr() reads it
 * @text: result
 * @addr: the address
 */
void option_addr_text(char text[OPTIONS_ADDR_SIZE], const uint8_t addr[6])
{
	snprintf(text, OPTIONS_ADDR_SIZE, "%02x:%02x:%02x:%02x:%02x:%02x", addr[0],
		 addr[1], addr[2], addr[3], addr[4], addr[5]);
}
