/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Capabilities of the VERSION message: JSON text. A reply may contain only what
 * the client proposed; what it did not propose has its default.
 */
#ifndef _VFIO_USER_CAPS_H
#define _VFIO_USER_CAPS_H

#include <linux/bits.h>
#include <linux/types.h>

#define CAPS_MAX_MSG_FDS	BIT(0)
#define CAPS_MAX_XFER		BIT(1)
#define CAPS_MAX_MAPS		BIT(2)
#define CAPS_PGSIZES		BIT(3)
#define CAPS_WRITE_MULTIPLE	BIT(4)

/* What a server can do, in the units of the protocol. */
struct caps_limits {
	u32 max_msg_fds;
	u32 max_xfer;
	u32 max_maps;
	u32 pgsizes;
};

/* Sets in @proposed which CAPS_ the text names. -EINVAL: no JSON object. */
int caps_parse(const char *text, u32 *proposed);

/* Writes the reply's text with its NUL. Returns its length without it. */
size_t caps_print(char *buf, size_t size, u32 proposed,
		  const struct caps_limits *limits);

#endif /* _VFIO_USER_CAPS_H */
