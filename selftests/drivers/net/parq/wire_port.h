/* SPDX-License-Identifier: GPL-2.0 */
/* Which port of a recording is judged, and which frames it sends. */
#ifndef _WIRE_PORT_H
#define _WIRE_PORT_H

#include "wire_file.h"
#include "wire_frame.h"

/**
 * struct wire_port - the end of a wire
 * @name: of its interface
 * @has_addr: @addr is known
 * @addr: MAC address
 * @by_addr: the port sends what comes from @addr; otherwise the file has directions
 * @guessed: @by_addr, and nobody has said so
 */
struct wire_port {
	char name[WIRE_NAME_SIZE];
	bool has_addr;
	uint8_t addr[6];
	bool by_addr;
	bool guessed;
};

void wire_port_choose(struct wire_port *port, struct wire_file *w,
		      const char *path);
bool wire_port_sends(const struct wire_port *port, const struct wire_packet *p,
		     const struct wire_frame *f);

#endif /* _WIRE_PORT_H */
