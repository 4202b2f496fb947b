/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Forwarding, the ingress half of a switch: decides by which ports a received frame leaves, stores
 * it once in the receive buffers of its port, and hands a descriptor for each copy to the QMAN.
 */
#ifndef _PARQSIM_FWD_H
#define _PARQSIM_FWD_H

#include <linux/parq_hw_switch.h>

#include "mdb.h"
#include "nti.h"
#include "red.h"
#include "rxbuf.h"
#include "transit.h"
#include "vlan.h"

struct fdb;
struct qman;
struct steer;

/**
 * struct fwd_port - one port
 * @ctrl: PARQ_SW_CTRL
 * @pvid: PARQ_SW_PVID
 * @vlan: it forwards by VLAN, as its domain does
 * @red: BIT(traffic class) with PARQ_SW_RED_CTRL_EN
 * @tc: RED of the traffic classes
 * @queued: bytes of copies that have not left, by priority
 * @purge: counter of transit frames that are purged now
 * @stat: by enum parq_sw_stat
 */
struct fwd_port {
	u32 ctrl;
	u16 pvid;
	bool vlan;
	u8 red;
	struct red_class *tc;
	u32 queued[PARQ_NUM_PRIO];
	enum parq_sw_stat purge;
	u64 stat[PARQ_NUM_SW_STAT];
};

/**
 * struct fwd_up - what the rest of the NIC does for the forwarder
 * @ctx: first argument of each callback
 * @fate: PARQ_SW_TX_FRAMES if a frame can leave by a port in a priority, else the counter of the
 *	drop
 * @accept: the MAC of a port passes on all frames, whatever their destination
 * @purge: drops the copies that wait for a port
 * @to_host: a frame goes to the host of a port, @forwarded if the domain has it
 */
struct fwd_up {
	void *ctx;
	enum parq_sw_stat (*fate)(void *ctx, u32 port, u32 prio, const u8 *data, u32 len);
	void (*accept)(void *ctx, u32 port, bool on);
	void (*purge)(void *ctx, u32 port);
	void (*to_host)(void *ctx, u32 port, const u8 *data, u32 len, bool forwarded);
};

struct fwd {
	struct fdb *fdb;
	struct vlans *vlans;
	struct mdb *mdb;
	struct steer *steer;
	struct rxbuf *rxbuf;
	struct qman *qman;
	struct transit *transit;
	struct red *red;
	struct fwd_up up;
	u64 forwarding;		/* BIT_ULL(port) of a domain, in the state FORWARDING */
	u8 mode[PARQ_MAX_PORTS + 1];	/* PARQ_SW_DOMAIN, by domain */
	u8 ports;
	struct fwd_port *port;
};

void fwd_reset(struct fwd *f);

/* Called by the registers and by the link. */
void fwd_ctrl(struct fwd *f, u32 port, u32 ctrl);
void fwd_domain(struct fwd *f, u32 domain, u32 mode);
void fwd_port_down(struct fwd *f, u32 port);

/* Called by the wire. */
void fwd_receive(struct fwd *f, u32 port, const u8 *data, u32 len);

/* Called when a copy leaves. */
void fwd_load(const struct fwd *f, const struct fd *fd, u8 *data);
void fwd_done(struct fwd *f, const struct fd *fd, enum nti_end end);

/* Whether the port forwards what it receives, or is on its own. */
static inline bool fwd_joined(const struct fwd *f, u32 port)
{
	return f->port[port].ctrl & PARQ_SW_CTRL_DOMAIN;
}

#endif /* _PARQSIM_FWD_H */
