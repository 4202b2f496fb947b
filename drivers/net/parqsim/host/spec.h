/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of a NIC: names and values in text. They come from a command line, from module
 * parameters, or from attributes in configfs.
 */
#ifndef _PARQSIM_SPEC_H
#define _PARQSIM_SPEC_H

#include <linux/bits.h>
#include <linux/compiler.h>

#include "fault.h"
#include "parqsim.h"

#define SPEC_MAX_LENGTH_M	100000
#define SPEC_PATHS_SIZE		4096	/* of all capture files */
#define SPEC_NAME_SIZE		108	/* size of a UNIX socket's path */
#define SPEC_IFNAME_SIZE	16	/* IFNAMSIZ */

enum wire_kind {
	WIRE_NONE,
	WIRE_PEER,
	WIRE_NIC,
	WIRE_LOOP,
	WIRE_TAP,
	WIRE_SOCKET,
	WIRE_NETDEV,
	WIRE_KINDS,
};

/**
 * struct wire_spec - wire of a port
 * @kind: kind of wire; a peer wire is in the lower port's entry only
 * @peer: WIRE_PEER, WIRE_NIC: the other port
 * @length_m: length of the cable, metres
 * @listen: WIRE_SOCKET: wait for the other end to connect
 * @name: other NIC, interface, or path of the UNIX socket
 */
struct wire_spec {
	enum wire_kind kind;
	u32 peer;
	u32 length_m;
	bool listen;
	char name[SPEC_NAME_SIZE];
};

/**
 * struct spec - a NIC and its surroundings
 * @nic: the NIC; 0 queues or bytes: the default for its ports, see spec_nic()
 * @wire: by port
 * @record: of a port, where in @paths the name of its capture file is; ports may share a file
 * @paths: such names, one after the other, behind an empty one: not recorded
 * @paths_len: bytes of these names
 * @ifname: name for the interface of a port, empty: the driver's choice
 * @snaplen: bytes recorded of each frame, 0: all
 * @fault: faults, once they are switched on
 * @prefix: prefix of option names in @error
 * @kinds: BIT(enum wire_kind) that the host supports
 * @error: why spec_set() or spec_check() failed
 */
struct spec {
	struct parqsim_config nic;
	struct wire_spec wire[PARQ_MAX_PORTS];
	u16 record[PARQ_MAX_PORTS];
	char paths[SPEC_PATHS_SIZE];
	u16 paths_len;
	char ifname[PARQ_MAX_PORTS][SPEC_IFNAME_SIZE];
	u32 snaplen;
	struct fault_spec fault;
	const char *prefix;
	u32 kinds;
	char error[256];
};

/* Initial value, before any option is set. */
#define SPEC_DEFAULTS(_prefix, _kinds)			\
	{						\
		.nic = {				\
			.ports = 2,			\
			.depth = 32,			\
			.clk_ps = 1000,			\
			.speeds = BIT(PARQ_NUM_SPEEDS) - 1,	\
		},					\
		.prefix = (_prefix),			\
		.kinds = (_kinds),			\
	}

/* Capabilities that a NIC may lack. */
#define SPEC_CAPS		14

extern const char *const spec_speed_names[PARQ_NUM_SPEEDS];
extern const char *const spec_cap_names[SPEC_CAPS];

bool spec_set(struct spec *s, const char *name, const char *arg);
bool spec_unset(struct spec *s, const char *name, u32 port);
bool spec_check(struct spec *s);
struct parqsim_config spec_nic(const struct spec *s);
/* Name of the capture file of a port; empty: none. */
static inline const char *spec_record(const struct spec *s, u32 port)
{
	return s->paths + s->record[port];
}

void spec_default_mac(struct spec *s, const char *seed, u32 machine);

const char *spec_port(const char *arg, u32 *port);
void spec_show(const struct spec *s, const char *name, u32 port, char *buf,
	       size_t size);

__printf(2, 3)
void spec_refuse(struct spec *s, const char *fmt, ...);
bool spec_u32(struct spec *s, const char *what, const char *arg, u32 min, u32 max,
	      u32 *val);
bool spec_name(struct spec *s, const char *what, const char *arg,
	       const char *const *names, u32 num, u32 *val);

#endif /* _PARQSIM_SPEC_H */
