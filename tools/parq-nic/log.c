// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>

#include "log.h"

const char *const log_names[LOG_NUM_LEVELS] = {
	[LOG_ERROR] = "error",
	[LOG_WARN] = "warn",
	[LOG_INFO] = "info",
	[LOG_DEBUG] = "debug",
};

enum log_level log_level = LOG_WARN;

/**
 * log_print() - print one line on standard error
 * @level: importance
 * @fmt: as printf(), without a newline
 */
void log_print(enum log_level level, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	if (level > log_level)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fprintf(stderr, "parq-nic: %s: %s\n", log_names[level], line);
}
