/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of a suite's fakes, in their order. One of the fakes can be made to fail. */
#ifndef _PARQ_TESTS_CALL_LOG_H
#define _PARQ_TESTS_CALL_LOG_H

#include <kunit/test.h>
#include <linux/string.h>

/**
 * struct parq_call_log - what was called
 * @text: names of the fakes in the order in which they were called, each after a separator
 * @fails: name of the fake that fails, or NULL
 * @skip: times that it succeeds before
 */
struct parq_call_log {
	char text[600];
	const char *fails;
	unsigned int skip;
};

/* Return: 0, or -EIO if this call of the fake fails. */
static inline int parq_call_log_add(struct parq_call_log *log, const char *separator,
				    const char *name)
{
	strlcat(log->text, separator, sizeof(log->text));
	strlcat(log->text, name, sizeof(log->text));
	if (!log->fails || strcmp(name, log->fails))
		return 0;
	return log->skip && log->skip-- ? 0 : -EIO;
}

/* As parq_call_log_add(). What the fake is called with can be in its name. */
static inline __printf(3, 4)
int parq_call_log_addf(struct parq_call_log *log, const char *separator, const char *fmt, ...)
{
	char name[32];
	va_list args;

	va_start(args, fmt);
	vsnprintf(name, sizeof(name), fmt, args);
	va_end(args);
	return parq_call_log_add(log, separator, name);
}

/* Compares the calls since the last time. */
static inline void parq_call_log_expect(struct kunit *test, struct parq_call_log *log,
					const char *calls)
{
	KUNIT_EXPECT_STREQ(test, log->text, calls);
	log->text[0] = 0;
}

#endif /* _PARQ_TESTS_CALL_LOG_H */
