/* SPDX-License-Identifier: GPL-2.0 */
/* The command line. */
#ifndef _PARQ_NIC_OPTIONS_H
#define _PARQ_NIC_OPTIONS_H

#include <stdio.h>
#include <sys/un.h>

#include "log.h"
#include "spec.h"

#define OPTIONS_PATH_SIZE	sizeof(((struct sockaddr_un *)0)->sun_path)

/**
 * struct options - what the user wants
 * @spec: the NIC
 * @socket: where QEMU will connect
 * @log: what to print
 */
struct options {
	struct spec spec;
	const char *socket;
	enum log_level log;
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
