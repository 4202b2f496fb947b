/* SPDX-License-Identifier: GPL-2.0 */
/* Sets the capture file of a port, in place of an older one. */
#ifndef _PARQ_NIC_TESTS_RECORD_TO_H
#define _PARQ_NIC_TESTS_RECORD_TO_H

#include <stdio.h>

#include "spec.h"

static inline void record_to(struct spec *s, u32 port, const char *path)
{
	char arg[SPEC_PATHS_SIZE];

	snprintf(arg, sizeof(arg), "p%u=%s", port, path);
	spec_unset(s, "record", port);
	assert_true(spec_set(s, "record", arg));
}

#endif /* _PARQ_NIC_TESTS_RECORD_TO_H */
