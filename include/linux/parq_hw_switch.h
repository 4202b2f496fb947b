/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PARQ: forwarding between the ports of a device. Offsets are relative to the window that
 * PARQ_SWITCH names. Everything else about these ports is as in parq_hw.h. Access modes and errors
 * are those described there.
 *
 * Words: a transit frame comes from a port and leaves by ports. A host frame comes from a TX ring.
 *
 * A transit frame never enters host memory. It is stored once and charged to the receive buffer
 * (PARQ_RXB) of its priority at the port by which it came, from its arrival until its last copy
 * has left. So the watermarks of that buffer pause the sender of a frame that cannot leave. A
 * frame that does not fit is dropped and counted. So is one that may be dropped, because its
 * priority is not lossless where it came from, if what waits already for its (port, priority)
 * takes PARQ_SW_LOSSY_SHARE of that buffer: a slow port must not keep its senders from others.
 * PARQ_FC_LIMIT counts only while frames wait for the host.
 *
 * Each (port, priority) has one queue for transit frames, which its class serves as one more TX
 * queue: a paused class parks them on the device, in one order with the FDs of the host, and
 * reinjects them in that order.
 */
#ifndef _LINUX_PARQ_HW_SWITCH_H
#define _LINUX_PARQ_HW_SWITCH_H

#include <linux/parq_hw.h>

/* RO: offset of the window in BAR0; 0: the ports of this device do not forward. */
#define PARQ_SWITCH			0x0048

#define PARQ_SW_LOSSY_SHARE		4	/* one part in */

/*
 * RO: capabilities of the switch. A driver that does not know of it uses the ports that PARQ_CAP
 * names, as those of a NIC.
 */
#define PARQ_SW_CAP			0x000c
#define PARQ_SW_CAP_PORTS		GENMASK(5, 0)	/* ports - 1 */
#define PARQ_SW_CAP_VLAN		BIT(8)		/* has the registers of VLANs, see there */
#define PARQ_SW_CAP_MDB			BIT(9)		/* has the registers of groups, see there */
#define PARQ_SW_CAP_POOL		BIT(10)		/* has the shared pool, see there */
#define PARQ_SW_CAP_RED			BIT(11)		/* marks frames, see there */
#define PARQ_SW_CAP_VIF			BIT(12)		/* has VLAN interfaces, see there */
#define PARQ_SW_CAP_VIF_DOMAIN		BIT(13)		/* which join domains, see there */
#define PARQ_SW_CAP_EGRESS		BIT(14)		/* knows what waits, see Egress */
#define PARQ_SW_CAP_SNAPSHOT		BIT(15)		/* has PARQ_SW_SNAPSHOT */
#define PARQ_SW_CAP_NO_ENTRY		BIT(16)		/* counts PARQ_SW_RX_NO_ENTRY */

/* ---- Addresses ---------------------------------------------------------- */

/*
 * RO: entries of the table of addresses (FDB). Half of them can be used with any addresses. Beyond
 * that an address may find no place.
 */
#define PARQ_SW_FDB_SIZE		0x0000
#define PARQ_SW_FDB_USED		0x0004	/* RO: entries in use */
/* RW 300: time after which a dynamic entry whose address did not send is removed, s; 0: never. */
#define PARQ_SW_FDB_AGE			0x0008
#define PARQ_SW_FDB_AGE_MAX		1000000

/* The entry of a command. Byte 0 of the address is bits 7:0 of LO, byte 4 those of HI. */
#define PARQ_SW_FDB_ADDR_LO		0x0010	/* RW 0 */
#define PARQ_SW_FDB_ADDR_HI		0x0014	/* RW 0: bits 15:0 */
#define PARQ_SW_FDB_ENTRY		0x0018	/* RW 0 */
#define PARQ_SW_FDB_ENTRY_PORT		GENMASK(5, 0)
#define PARQ_SW_FDB_ENTRY_DOMAIN	GENMASK(14, 8)
#define PARQ_SW_FDB_ENTRY_KIND		GENMASK(17, 16)	/* enum parq_fdb_kind */
/*
 * With PARQ_SW_CAP_VLAN: VLAN of the domain, which uses the entry while it has
 * PARQ_SW_DOMAIN_VLAN. Entries without VLAN (0) are used while it has not.
 */
#define PARQ_SW_FDB_ENTRY_VID		GENMASK(31, 20)

enum parq_fdb_kind {
	PARQ_FDB_DYNAMIC,	/* learned: ages, and moves with its address */
	PARQ_FDB_EXTERN,	/* behind the host: as HOST, but moves to a port; does not age */
	PARQ_FDB_STATIC,	/* neither ages nor moves */
	PARQ_FDB_HOST,		/* as static; frames go to the host alone */
};

/* Whether addresses of this kind are behind the host: their entries have no port. */
static inline bool parq_fdb_at_host(enum parq_fdb_kind kind)
{
	return kind == PARQ_FDB_EXTERN || kind == PARQ_FDB_HOST;
}

#define PARQ_SW_FDB_CMD			0x001c	/* WO: enum parq_fdb_op */
/* RW 0: entry that PARQ_FDB_READ reads, 0 to PARQ_SW_FDB_SIZE - 1. */
#define PARQ_SW_FDB_INDEX		0x0020
/* RO 0: enum parq_fdb_result of the last command */
#define PARQ_SW_FDB_RESULT		0x0024

enum parq_fdb_op {
	PARQ_FDB_ADD,		/* adds the entry, or replaces that of its address; see below */
	PARQ_FDB_DELETE,	/* domain, VID, address and place match: port, or the host */
	PARQ_FDB_READ,		/* fills ADDR and ENTRY from the entry at INDEX */
	PARQ_FDB_FLUSH,		/* removes the dynamic entries of PORT in DOMAIN: of VID, or all */
	PARQ_NUM_FDB_OP
};

enum parq_fdb_result {
	PARQ_FDB_OK,
	PARQ_FDB_NONE,		/* there is no such entry; ADD: no such VLAN */
	PARQ_FDB_FULL,		/* there is no place for the entry */
};

/*
 * In a full table ADD of PARQ_FDB_STATIC or PARQ_FDB_HOST replaces the oldest dynamic entry, and
 * reports it as PARQ_FDB_AGED.
 *
 * PARQ_EV_FDB reports changes of dynamic entries by the device: index: domain; prio: enum
 * parq_fdb_change; a: ADDR_LO; b: ADDR_HI, and the VID in PARQ_SW_FDB_EVENT_VID. Port is the new
 * one. A full event ring loses some: a host that finds PARQ_EVENT_LOST changed reads all entries.
 */
#define PARQ_SW_FDB_EVENT_VID		GENMASK(27, 16)

enum parq_fdb_change {
	PARQ_FDB_LEARNED,
	PARQ_FDB_MOVED,		/* to another port, or from behind the host (PARQ_FDB_EXTERN) */
	PARQ_FDB_AGED,
};

/* ---- VLANs -------------------------------------------------------------- */

/*
 * All registers here, PARQ_SW_PVID, PARQ_SW_RX_NO_PVID and PARQ_SW_RX_NO_MEMBER exist with
 * PARQ_SW_CAP_VLAN.
 *
 * In a domain with PARQ_SW_DOMAIN_VLAN a frame belongs to the VLAN of its C-tag. One without
 * C-tag, or whose C-tag has VID 0, belongs to PARQ_SW_PVID of its port; it is dropped if that is 0.
 * So is a frame of a VLAN that its port is not a member of, before its address is learned. Others
 * are forwarded among the members of their VLAN, and go to the host, by the rules of
 * PARQ_SW_CTRL, if the host is a member, or the address is behind it.
 *
 * A copy leaves with the C-tag of its VLAN, or without, as its port has it. A tag that the frame
 * brought keeps PCP and DEI. The PCP of a new one is the priority of the frame, its DEI is 0. The
 * host gets its copy as received.
 *
 * What a change of VLANs forbids ends with that write for frames that arrive later. Copies that
 * wait already still leave, as they were to: nothing lossless is lost.
 */
#define PARQ_SW_VLAN_SIZE		0x0030	/* RO: VLANs that all domains together can have */
#define PARQ_SW_VLAN_USED		0x0034	/* RO: VLANs that there are */

/* RW 0: for PARQ_SW_VLAN_SET: BIT(port) that is a member, and that sends its frames without tag. */
#define PARQ_SW_VLAN_PORTS_LO		0x0038
#define PARQ_SW_VLAN_PORTS_HI		0x003c
#define PARQ_SW_VLAN_UNTAGGED_LO	0x0040
#define PARQ_SW_VLAN_UNTAGGED_HI	0x0044

/*
 * WO: sets the members of a VLAN at once. One without members ends; its entries in the table of
 * addresses go.
 */
#define PARQ_SW_VLAN_SET		0x0048
#define PARQ_SW_VLAN_SET_VID		GENMASK(11, 0)	/* 1 to PARQ_SW_VID_MAX */
#define PARQ_SW_VLAN_SET_DOMAIN		GENMASK(22, 16)
#define PARQ_SW_VLAN_SET_HOST		BIT(24)		/* the host is a member */
#define PARQ_SW_VID_MAX			4094

/* RO 0: of the last PARQ_SW_VLAN_SET: 1: there is no place for one more VLAN, 0: done */
#define PARQ_SW_VLAN_FULL		0x004c

/* RW 0; n: domain, from 1 on. The fields behind the first need PARQ_SW_CAP_MDB: see Groups. */
#define PARQ_SW_DOMAIN(n)		(0x0400 + 4 * (n))
#define PARQ_SW_DOMAIN_VLAN		BIT(0)	/* forwards by VLAN */
#define PARQ_SW_DOMAIN_SNOOP		BIT(1)	/* uses the table of groups; reports are trapped */
#define PARQ_SW_DOMAIN_IPV4		BIT(2)	/* a querier asks for the members of IPv4 groups */
#define PARQ_SW_DOMAIN_IPV6		BIT(3)	/* ... and of IPv6 groups */
#define PARQ_SW_DOMAIN_HOST		BIT(4)	/* the host gets the frames of all groups */
#define PARQ_SW_DOMAIN_FLOOD		BIT(5)	/* groups without an entry go to all ports */

/* ---- VLAN interfaces ----------------------------------------------------- */

/*
 * PARQ_SW_VIF_SET of each port exists with PARQ_SW_CAP_VIF, and PARQ_SW_VIF_CTRL with
 * PARQ_SW_CAP_VIF_DOMAIN, which has PARQ_SW_CAP_MDB, too.
 *
 * A port can have an interface for each VID. A frame with a C-tag of this VID that comes by the
 * port goes to the host as by a port in domain 0, if a filter of the port takes it (PARQ_FILTER).
 * It is not forwarded, no address is learned, and neither state nor VLANs of the port matter. In
 * domain 0 there is no difference.
 *
 * With PARQ_SW_CAP_VIF_DOMAIN an interface can join a domain, and its port another one, or none. It
 * does there as a port does. Its tag is not part of the frame: a copy that leaves by a port has
 * none, and one that leaves by another interface has the VID of that. A tag that takes the place of
 * another keeps PCP and DEI. The PCP of a new one is the priority of the frame. Copies for the host
 * are as received. VLANs of the domain do not concern interfaces.
 */

/* ---- Groups ------------------------------------------------------------- */

/*
 * All registers here, PARQ_SW_CTRL_ROUTER, and PARQ_SW_DOMAIN but for PARQ_SW_DOMAIN_VLAN exist
 * with PARQ_SW_CAP_MDB.
 *
 * In a domain with PARQ_SW_DOMAIN_SNOOP reports and leaves of IGMP and MLD go to the host alone,
 * without PARQ_RX_FORWARDED. The host gets a copy of all other messages of IGMP, of queries of MLD,
 * of PIM, and of advertisements of routers, in each VLAN. A group that has an entry goes to its
 * members and to ports with PARQ_SW_CTRL_ROUTER. A group without an entry goes to ports with
 * PARQ_SW_CTRL_MCAST_FLOOD and to the host. IP groups are different in two ways:
 * - without PARQ_SW_DOMAIN_IPV4 or _IPV6 their entries are not used: nobody asks for members, so
 *   that some may be unknown;
 * - with it a group without an entry goes to ports with PARQ_SW_CTRL_ROUTER only.
 * Not meant are those that nobody has to join: 01-00-5e-00-00-XX and 33-33-00-00-00-01. With an
 * entry these go to ports with PARQ_SW_CTRL_MCAST_FLOOD and to the host all the same.
 *
 * A change of a group acts on frames that arrive later, at once for all its members. Copies that
 * wait still leave.
 */
#define PARQ_SW_MDB_SIZE		0x0050	/* RO: groups that all domains together can have */
#define PARQ_SW_MDB_USED		0x0054	/* RO: groups that there are */

/* RW 0: for PARQ_SW_MDB_SET: BIT(port) that is a member; the group, as PARQ_SW_FDB_ADDR. */
#define PARQ_SW_MDB_PORTS_LO		0x0058
#define PARQ_SW_MDB_PORTS_HI		0x005c
#define PARQ_SW_MDB_ADDR_LO		0x0060
#define PARQ_SW_MDB_ADDR_HI		0x0064	/* bits 15:0 */

/*
 * WO: sets the members of a group at once. One without members has no entry. A VLAN that ends takes
 * its groups along.
 */
#define PARQ_SW_MDB_SET			0x0068
#define PARQ_SW_MDB_SET_VID		GENMASK(11, 0)	/* up to PARQ_SW_VID_MAX; 0: no VLAN */
#define PARQ_SW_MDB_SET_DOMAIN		GENMASK(22, 16)
#define PARQ_SW_MDB_SET_HOST		BIT(24)		/* the host is a member */
/* RO 0: enum parq_fdb_result of the last PARQ_SW_MDB_SET */
#define PARQ_SW_MDB_RESULT		0x006c

/* ---- Shared pool -------------------------------------------------------- */

/*
 * All registers here, PARQ_SW_POOL_LIMIT, PARQ_SW_POOL_PORT_USED and PARQ_SW_POOL_HIGH exist with
 * PARQ_SW_CAP_POOL.
 *
 * What the receive buffers (PARQ_RXB) of a port leave of PARQ_RXB_TOTAL, the port gives to a pool
 * that all ports share: nothing before it, or a VLAN interface of it, has joined a domain, it has
 * had a lossless priority, or has held an RX queue (PARQ_RXQ_CTRL_HOLD). The pool has
 * PARQ_SW_POOL_SIZE bytes, at most PARQ_SW_POOL_ROOM.
 *
 * PARQ_RXB_XOFF of a buffer is its reserved memory, and PARQ_RXB_SIZE - PARQ_RXB_XOFF its
 * headroom. A frame is charged to the reserved memory; what does not fit there to the pool; and
 * what the pool does not take to the headroom. Without room there it is dropped. When frames leave,
 * headroom becomes free first, then memory of the pool, reserved memory last.
 *
 * A buffer may hold up to its limit T of the pool, PARQ_SW_POOL_LIMIT: a number of bytes, or alpha
 * times what is free of the pool once the frame in question is in it. It requests XOFF when it uses
 * headroom, and XON once its headroom is empty and it holds at most PARQ_RXB_XON + T. T moves with
 * what others hold. It is computed when a frame comes to the buffer or leaves it, and before
 * each refresh of an XOFF (PARQ_FC_REFRESH). Without a pool all this is what PARQ_RXB says.
 *
 * For a frame that may be dropped, PARQ_SW_LOSSY_SHARE counts the buffer and T.
 */

/* RW 0: bytes, up to PARQ_RXB_TOTAL of all ports; 0: none. More may be in use for a while. */
#define PARQ_SW_POOL_SIZE		0x0070
#define PARQ_SW_POOL_USED		0x0074	/* RO 0: bytes in use */
/*
 * RO 0: bytes that the ports give. PARQ_RXB_APPLY is refused (PARQ_ERR_STATE) if less would be left
 * than is in use then. What does not fit into a smaller buffer is in use.
 */
#define PARQ_SW_POOL_ROOM		0x0078

/* ---- Levels of one instant ----------------------------------------------- */

/*
 * RW 0, with PARQ_SW_CAP_SNAPSHOT. While this is 1, PARQ_SW_POOL_PORT_USED, PARQ_SW_POOL_HIGH,
 * PARQ_SW_EGR_PORT_USED, PARQ_SW_EGR_PORT_HIGH, PARQ_SW_EGR_USED and PARQ_SW_EGR_HIGH of all ports
 * read as they were when it was written last. Writes of these registers act as ever. PARQ_RXB_USED
 * and PARQ_SW_POOL_USED are not held: who changes settings waits for them.
 */
#define PARQ_SW_SNAPSHOT		0x007c

/* ---- RED and ECN --------------------------------------------------------- */

/*
 * All registers here and the counter PARQ_SW_TX_DROP_RED exist with PARQ_SW_CAP_RED. They are of a
 * traffic class (PARQ_ETS_PRIO_TC) of the port by which frames leave, and keep their values while
 * the port is disabled.
 *
 * RED decides when a copy is queued for its class, from the length of the queue at that instant:
 * bytes without FCS, as they leave, of the copies of transit frames that have not left, in all
 * priorities of the class. The copy itself does not count, nor do host frames. Below MIN nothing
 * happens. From MIN to MAX the probability rises from 0 to PROB. From MAX on it is 1.
 *
 * With ECN a copy of an ECN-capable IPv4 or IPv6 packet, behind no tag, a C-tag, an S-tag, or both,
 * leaves with congestion experienced (CE, RFC 3168). A copy that has CE already counts as marked,
 * too. Any other is dropped, unless NODROP is set, or its priority is lossless where it came from:
 * RED takes nothing from a lossless priority. Other copies of the same frame and host frames are
 * not affected.
 */
#define PARQ_SW_RED(port, tc)		(0x5000 + 0x100 * (port) + 0x20 * (tc))

/* Offsets from PARQ_SW_RED. RW 0: puts MIN, MAX and PROB in force, at once. */
#define PARQ_SW_RED_CTRL		0x0000
#define PARQ_SW_RED_CTRL_EN		BIT(0)	/* needs 0 < MIN < MAX */
#define PARQ_SW_RED_CTRL_ECN		BIT(1)	/* marks what can be marked */
#define PARQ_SW_RED_CTRL_NODROP		BIT(2)	/* drops nothing */
#define PARQ_SW_RED_MIN			0x0004	/* RW 0: bytes */
#define PARQ_SW_RED_MAX			0x0008	/* RW 0: bytes */
#define PARQ_SW_RED_PROB		0x000c	/* RW 0: probability just below MAX, 1/2^32 */
/*
 * RO 0: copies that have come to the class with a mark, and that were dropped. A read of LO latches
 * HI. Only a reset of the device decreases them.
 */
#define PARQ_SW_RED_MARKED_LO		0x0010
#define PARQ_SW_RED_MARKED_HI		0x0014
#define PARQ_SW_RED_DROPPED_LO		0x0018	/* RO 0 */
#define PARQ_SW_RED_DROPPED_HI		0x001c	/* RO 0 */

/* ---- Egress -------------------------------------------------------------- */

/*
 * All registers here, PARQ_SW_EGR_PORT_USED and PARQ_SW_EGR_PORT_HIGH exist with
 * PARQ_SW_CAP_EGRESS. Those of PARQ_SW_EGR are of a traffic class of the port by which frames
 * leave. What waits is counted as RED counts it. Each copy of a frame counts with all its bytes,
 * though copies share memory. LIMIT and HIGH are kept while the port is disabled; nothing waits
 * then.
 */
#define PARQ_SW_EGR(port, tc)		(0x9000 + 0x100 * (port) + 0x20 * (tc))

/*
 * Offsets from PARQ_SW_EGR. RW PARQ_SW_EGR_UNLIMITED: bytes. A copy that may be dropped is dropped
 * (PARQ_SW_TX_DROP_FULL) if more would wait in its class with it. Lossless priorities count, but
 * lose nothing. RED does not see what is dropped.
 */
#define PARQ_SW_EGR_LIMIT		0x0000
#define PARQ_SW_EGR_UNLIMITED		0xffffffff
#define PARQ_SW_EGR_USED		0x0004	/* RO 0: bytes that wait */
/* RW 0: highest value of it since the last write, of whatever value. */
#define PARQ_SW_EGR_HIGH		0x0008

/* ---- Ports -------------------------------------------------------------- */

#define PARQ_SW_PORT(port)		(0x1000 + 0x100 * (port))
#define PARQ_SW_PORT_SIZE		0x100

/*
 * RW 0. Ports of one domain forward to each other. In domain 0 a port is on its own, and what it
 * receives goes to its host as in a NIC. In any other, filters of addresses (PARQ_FILTER) do not
 * matter: the table decides. Link-local groups (01-80-c2-00-00-0X) go to the host and are not
 * forwarded, in each state. Group addresses go to the host, too. Clearing PARQ_PORT_CTRL_EN clears
 * this register. The dynamic entries of a port that leaves its domain or is disabled are removed.
 *
 * A port that leaves its domain or the state FORWARDING sends no more transit frames of it: those
 * that wait, in its queues, in the pipeline or parked, are dropped and counted once a later read
 * of a register has returned. Frames that came by it still leave elsewhere.
 */
#define PARQ_SW_CTRL			0x0000
#define PARQ_SW_CTRL_DOMAIN		GENMASK(6, 0)
#define PARQ_SW_CTRL_STATE		GENMASK(9, 8)	/* enum parq_sw_state */
#define PARQ_SW_CTRL_LEARN		BIT(10)	/* learns source addresses */
#define PARQ_SW_CTRL_FLOOD		BIT(11)	/* sends frames to unknown addresses */
#define PARQ_SW_CTRL_MCAST_FLOOD	BIT(12)	/* ... to group addresses */
#define PARQ_SW_CTRL_BCAST_FLOOD	BIT(13)	/* ... to the broadcast address */
#define PARQ_SW_CTRL_ISOLATED		BIT(14)	/* forwards to ports without this bit only */
#define PARQ_SW_CTRL_HOST_FLOOD		BIT(15)	/* the host gets frames to unknown addresses, too */
#define PARQ_SW_CTRL_ROUTER		BIT(16)	/* gets frames to all groups, see Groups */

enum parq_sw_state {
	PARQ_SW_BLOCKING,	/* takes link-local groups only */
	PARQ_SW_LEARNING,	/* ... and learns */
	PARQ_SW_FORWARDING,
};

/* RW 0: VLAN of frames without one, up to PARQ_SW_VID_MAX; 0: there is none. See VLANs. */
#define PARQ_SW_PVID			0x0004

/*
 * WO: see VLAN interfaces. The port has an interface for VID, or has none from now on. They are
 * kept while the port is disabled, and in domain 0.
 */
#define PARQ_SW_VIF_SET			0x0010
#define PARQ_SW_VIF_SET_VID		GENMASK(11, 0)	/* 1 to PARQ_SW_VID_MAX */
#define PARQ_SW_VIF_SET_EN		BIT(16)
/*
 * RW 0: with PARQ_SW_CAP_VIF_DOMAIN: the fields of PARQ_SW_CTRL, for the next PARQ_SW_VIF_SET with
 * EN. A domain has one member of a port at most: SET and PARQ_SW_CTRL refuse a second one
 * (PARQ_ERR_STATE). Copies that wait for an interface that leaves its domain or the state
 * FORWARDING are dropped, as with a port.
 */
#define PARQ_SW_VIF_CTRL		0x0014

/* The shared pool, see there. RO 0: bytes that the buffers of the port hold of it. */
#define PARQ_SW_POOL_PORT_USED		0x0008
/* RW 0: highest value of it since the last write, of whatever value. */
#define PARQ_SW_POOL_HIGH		0x000c
/* What waits to leave by the port, see Egress. RO 0: bytes, in all classes. */
#define PARQ_SW_EGR_PORT_USED		0x0018
/* RW 0: highest value of it since the last write, of whatever value. */
#define PARQ_SW_EGR_PORT_HIGH		0x001c
/* RW 0; n: buffer. Bytes, up to 2^31 - 1, or with DYNAMIC a threshold. */
#define PARQ_SW_POOL_LIMIT(n)		(0x0020 + 4 * (n))
#define PARQ_SW_POOL_LIMIT_DYNAMIC	BIT(31)
#define PARQ_SW_POOL_LIMIT_VALUE	GENMASK(30, 0)
/* Thresholds: alpha is 2^(threshold - PARQ_SW_POOL_ALPHA_1), 1/128 to 64. */
#define PARQ_SW_POOL_ALPHA_MIN		3
#define PARQ_SW_POOL_ALPHA_1		10
#define PARQ_SW_POOL_ALPHA_MAX		16

/*
 * RO: counters of 64 bits, n: enum parq_sw_stat. A read of LO latches HI. Only a reset of the
 * device decreases them.
 */
#define PARQ_SW_STAT_LO(n)		(0x0040 + 8 * (n))
#define PARQ_SW_STAT_HI(n)		(0x0044 + 8 * (n))

enum parq_sw_stat {
	PARQ_SW_RX_FRAMES,	/* taken for at least one other port */
	PARQ_SW_RX_BLOCKED,	/* the port does not forward */
	PARQ_SW_RX_NOWHERE,	/* no port to send it to, and not for the host */
	PARQ_SW_RX_NO_ROOM,	/* does not fit into its receive buffer */
	PARQ_SW_TX_FRAMES,	/* copies sent */
	PARQ_SW_TX_DROP_LONG,	/* would leave longer than PARQ_MAX_FRAME of this port */
	PARQ_SW_TX_DROP_LINK,	/* the link is down, or the port is disabled */
	PARQ_SW_TX_DROP_PURGE,	/* the port, or its VLAN interface, stopped forwarding */
	PARQ_SW_TX_DROP_STORM,	/* during a storm of their priority */
	PARQ_SW_TX_DROP_FULL,	/* too many wait for the port and may be dropped; no descriptor */
	PARQ_SW_RX_NO_PVID,	/* without VLAN, and the port has no PVID */
	PARQ_SW_RX_NO_MEMBER,	/* of a VLAN that the port is not a member of */
	PARQ_SW_TX_DROP_RED,	/* too many wait, see RED and ECN */
	PARQ_SW_RX_NO_ENTRY,	/* from an address that a full table does not learn */
	PARQ_NUM_SW_STAT
};

#endif /* _LINUX_PARQ_HW_SWITCH_H */
