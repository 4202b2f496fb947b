/* SPDX-License-Identifier: GPL-2.0 */
/* Register dump: pairs of offset and value. */
#ifndef _PARQ_IO_DUMP_H
#define _PARQ_IO_DUMP_H

#include "parq.h"

unsigned int parq_io_dump_len(const struct parq_port *port);
void parq_io_dump(struct parq_port *port, u32 *out);

#endif /* _PARQ_IO_DUMP_H */
