/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Forwarding, the ingress half of a switch: decides by which ports a received frame leaves, stores
 * it once in the receive buffers of its port, and hands a descriptor for each copy to the QMAN.
 */
#ifndef _PARQSIM_FWD_H
#define _PARQSIM_FWD_H

#include <linux/parq_hw_switch.h>

#include "egress.h"
#include "mdb.h"
#include "nti.h"
#include "red.h"
#include "rxbuf.h"
#include "transit.h"
#include "vlan.h"

struct fdb;
struct qman;
struct steer;

/* In place of a domain: the host alone has the frames of the VLAN interface. */
#define FWD_VIF_HOST	0xff

/**
 * struct fwd_member - a port in a domain, or one of its VLAN interfaces
 * @ctrl: PARQ_SW_CTRL, or what PARQ_SW_VIF_CTRL was; 0: the port has no part in the domain
 * @vid: of the VLAN interface; 0: it is the port
 */
struct fwd_member {
	u32 ctrl;
	u16 vid;
};

/**
 * struct fwd_domain - a domain
 * @forwarding: BIT_ULL(port) of members in the state FORWARDING
 * @tagged: BIT_ULL(port) whose member is a VLAN interface
 * @mode: PARQ_SW_DOMAIN
 * @member: by port
 */
struct fwd_domain {
	u64 forwarding;
	u64 tagged;
	u8 mode;
	struct fwd_member member[PARQ_MAX_PORTS];
};

/**
 * struct fwd_port - one port
 * @ctrl: PARQ_SW_CTRL
 * @pvid: PARQ_SW_PVID
 * @vlan: it forwards by VLAN, as its domain does
 * @joined: it, or one of its VLAN interfaces, is in a domain
 * @vifs: number of VLAN interfaces
 * @red: BIT(traffic class) with PARQ_SW_RED_CTRL_EN
 * @tc: RED of the traffic classes
 * @egress: what waits to leave by it
 * @purge: counter of transit frames that are purged now
 * @stat: by enum parq_sw_stat
 * @vif: by VID: domain of the VLAN interface, FWD_VIF_HOST, or 0: there is none
 */
struct fwd_port {
	u32 ctrl;
	u16 pvid;
	bool vlan;
	bool joined;
	u16 vifs;
	u8 red;
	struct red_class *tc;
	struct egress egress;
	enum parq_sw_stat purge;
	u64 stat[PARQ_NUM_SW_STAT];
	u8 vif[VLAN_VIDS];
};

/**
 * struct fwd_up - what the rest of the NIC does for the forwarder
 * @ctx: first argument of each callback
 * @fate: PARQ_SW_TX_FRAMES if a frame can leave by a port in a priority, else the counter of the
 *	drop
 * @accept: the MAC of a port passes on all frames, whatever their destination
 * @purge: drops the copies that wait for a port
 * @to_host: a frame goes to the host of a port, @forwarded if the domain has it
 * @alone: a frame that belongs to no domain, or to a VLAN interface of the host, has come by a port
 *	that accepts all
 */
struct fwd_up {
	void *ctx;
	enum parq_sw_stat (*fate)(void *ctx, u32 port, u32 prio, const u8 *data, u32 len);
	void (*accept)(void *ctx, u32 port, bool on);
	void (*purge)(void *ctx, u32 port, u32 domain);
	void (*to_host)(void *ctx, u32 port, const u8 *data, u32 len, bool forwarded);
	void (*alone)(void *ctx, u32 port, const u8 *data, u32 len);
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
	u8 ports;
	struct fwd_port *port;
	struct fwd_domain *domain;	/* FWD_DOMAINS of them; 0 is not used */
};

#define FWD_DOMAINS	(PARQ_MAX_PORTS + 1)

void fwd_reset(struct fwd *f);

/* Called by the registers and by the link. */
void fwd_ctrl(struct fwd *f, u32 port, u32 ctrl);
void fwd_domain(struct fwd *f, u32 domain, u32 mode);
void fwd_port_down(struct fwd *f, u32 port);
bool fwd_can_join(const struct fwd *f, u32 port, u32 vid, u32 domain);
void fwd_vif(struct fwd *f, u32 port, u32 vid, bool on, u32 ctrl);

/* Called by the wire. */
void fwd_receive(struct fwd *f, u32 port, const u8 *data, u32 len);

/* Called when a copy leaves. */
void fwd_load(const struct fwd *f, const struct fd *fd, u8 *data);
void fwd_done(struct fwd *f, const struct fd *fd, enum nti_end end);

/* Whether the port forwards some of what it receives, or is on its own. */
static inline bool fwd_joined(const struct fwd *f, u32 port)
{
	return f->port[port].joined;
}

#endif /* _PARQSIM_FWD_H */
