/* SPDX-License-Identifier: GPL-2.0 */
/* The command line. */
#ifndef _PARQ_NIC_OPTIONS_H
#define _PARQ_NIC_OPTIONS_H

#include <stdio.h>
#include <sys/un.h>

#include "../../drivers/net/parqsim/core/parqsim.h"
#include "fault.h"
#include "log.h"

#define OPTIONS_VERSION		"1.0"
#define OPTIONS_PATH_SIZE	sizeof(((struct sockaddr_un *)0)->sun_path)
#define OPTIONS_MAX_LENGTH_M	100000

enum wire_kind {
	WIRE_NONE,
	WIRE_PEER,
	WIRE_LOOP,
	WIRE_TAP,
	WIRE_SOCKET,
};

/**
 * struct wire_spec - what is plugged into a port
 * @kind: of wire; a peer wire is in the lower port's entry alone
 * @peer: WIRE_PEER: the other port
 * @length_m: of the cable, metres
 * @listen: WIRE_SOCKET: wait for the other end
 * @name: TAP interface, or path of the UNIX socket
 */
struct wire_spec {
	enum wire_kind kind;
	u32 peer;
	u32 length_m;
	bool listen;
	char name[OPTIONS_PATH_SIZE];
};

/**
 * struct options - what the user wants
 * @nic: the NIC
 * @socket: where QEMU will connect
 * @wire: by port
 * @record: capture file of a port, NULL: not recorded
 * @snaplen: bytes recorded of a frame, 0: all
 * @fault: what goes wrong, once it is switched on
 * @log: what to print
 * @error: why options_parse() refused
 */
struct options {
	struct parqsim_config nic;
	const char *socket;
	struct wire_spec wire[PARQ_MAX_PORTS];
	const char *record[PARQ_MAX_PORTS];
	u32 snaplen;
	struct fault_spec fault;
	enum log_level log;
	char error[256];
};

enum options_action {
	OPTIONS_RUN,
	OPTIONS_HELP,
	OPTIONS_SHOW_VERSION,
	OPTIONS_BAD,
};

enum options_action options_parse(struct options *o, int argc, char **argv);
void options_help(FILE *out);

#endif /* _PARQ_NIC_OPTIONS_H */
