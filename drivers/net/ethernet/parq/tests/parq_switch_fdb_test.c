// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of the table of addresses, over a fake device and a fake bridge. */
#include <kunit/test.h>
#include <net/switchdev.h>

#include "../parq_io.h"
#include "../parq_switch.h"
#include "../parq_switch_domain.h"
#include "parq_switch_calls.h"

#define FDB_SIZE	8
#define FDB_TOLD	8
#define FDB_ADDRS	16
#define FDB_JOBS	4096U	/* changes that may wait */

/**
 * struct fdb_told - what the bridge was told
 * @type: of the notification
 * @port: port of the address
 * @last: last byte of the address
 */
struct fdb_told {
	unsigned long type;
	unsigned int port;
	u8 last;
};

/**
 * struct fdb_fake - the device and the bridge
 * @entry: entries of the device
 * @used: entries in use
 * @learns_after: index; when it is read, the device learns one more address; 0: never
 * @lost: events that the device has lost
 * @num_cmds: commands that it has executed
 * @told: notifications
 * @num_told: their number
 * @bridged: addresses that the bridge has of a port, by their last byte
 * @dev: netdevs of the ports, and of a VLAN interface
 * @bridge: a bridge
 * @foreign: member of the bridge that is no port of the device
 * @port: ports
 * @pd: device
 * @sw: the part of it that forwards
 */
struct fdb_fake {
	struct parq_fdb entry[FDB_SIZE];
	bool used[FDB_SIZE];
	u32 learns_after;
	u32 lost;
	unsigned int num_cmds;
	struct fdb_told told[FDB_TOLD];
	unsigned int num_told;
	DECLARE_BITMAP(bridged[3], FDB_ADDRS);
	struct net_device dev[3];
	struct net_device bridge;
	struct net_device foreign;
	struct parq_port port[2];
	struct parq_dev pd;
	struct parq_switch sw;
};

static struct fdb_fake *fake;

/* ---- fakes -------------------------------------------------------------- */

/* Addresses differ in their last byte. */
static const u8 *fdb_addr(u8 last)
{
	static u8 addr[ETH_ALEN];

	addr[0] = 0x02;
	addr[5] = last;
	return addr;
}

static struct parq_fdb *fdb_find(const u8 *addr)
{
	unsigned int i;

	for (i = 0; i < FDB_SIZE; i++)
		if (fake->used[i] && ether_addr_equal_unaligned(fake->entry[i].addr, addr))
			return &fake->entry[i];
	return NULL;
}

static enum parq_fdb_result fdb_add(const struct parq_fdb *e)
{
	struct parq_fdb *is = fdb_find(e->addr);
	unsigned int i;

	for (i = 0; i < FDB_SIZE; i++)
		if (is ? is == &fake->entry[i] : !fake->used[i])
			break;
	if (i == FDB_SIZE)
		return PARQ_FDB_FULL;
	fake->entry[i] = *e;
	fake->used[i] = true;
	return PARQ_FDB_OK;
}

enum parq_fdb_result parq_io_fdb_cmd(struct parq_dev *pd, enum parq_fdb_op op,
				     const struct parq_fdb *e)
{
	const struct parq_fdb *is, *found = fdb_find(e->addr);
	unsigned int i;
	bool match;

	fake->num_cmds++;
	if (op == PARQ_FDB_ADD)
		return fdb_add(e);
	if (op == PARQ_FDB_DELETE && found &&
	    (parq_fdb_at_host(found->kind) != parq_fdb_at_host(e->kind) ||
	     (!parq_fdb_at_host(e->kind) && found->port != e->port)))
		return PARQ_FDB_NONE;
	for (i = 0; i < FDB_SIZE; i++) {
		is = &fake->entry[i];
		match = is == found;
		if (op == PARQ_FDB_FLUSH)
			match = is->port == e->port && is->kind == PARQ_FDB_DYNAMIC;
		if (match)
			fake->used[i] = false;
	}
	return PARQ_FDB_OK;
}

/* The device learns, without a word. */
static void fdb_learns(unsigned int port, u8 last)
{
	struct parq_fdb e = { .port = port, .domain = 1, .kind = PARQ_FDB_DYNAMIC };

	ether_addr_copy(e.addr, fdb_addr(last));
	fdb_add(&e);
}

bool parq_io_fdb_read(struct parq_dev *pd, u32 index, struct parq_fdb *e)
{
	if (fake->learns_after && index == fake->learns_after)
		fdb_learns(1, FDB_ADDRS - 1);
	*e = fake->entry[index];
	return fake->used[index];
}

static unsigned int fdb_used(void)
{
	unsigned int i, used = 0;

	for (i = 0; i < FDB_SIZE; i++)
		used += fake->used[i];
	return used;
}

u32 parq_io_fdb_size(struct parq_dev *pd)
{
	return FDB_SIZE;
}

u32 parq_io_events_lost(struct parq_dev *pd)
{
	return fake->lost;
}

int fdb_tell(unsigned long type, struct net_device *dev, struct switchdev_notifier_info *info)
{
	const struct switchdev_notifier_fdb_info *fdb = (const void *)info;
	unsigned int port = dev - fake->dev;

	if (type == SWITCHDEV_FDB_FLUSH_TO_BRIDGE) {
		bitmap_zero(fake->bridged[port], FDB_ADDRS);
	} else if (type != SWITCHDEV_FDB_OFFLOADED) {
		clear_bit(fdb->addr[5], fake->bridged[0]);
		clear_bit(fdb->addr[5], fake->bridged[1]);
		clear_bit(fdb->addr[5], fake->bridged[2]);
		if (type == SWITCHDEV_FDB_ADD_TO_BRIDGE)
			set_bit(fdb->addr[5], fake->bridged[port]);
	}
	if (fake->num_told < FDB_TOLD)
		fake->told[fake->num_told] = (struct fdb_told){
			type, port, fdb->addr[5],
		};
	fake->num_told++;
	return NOTIFY_DONE;
}

struct net_device *fdb_master(struct net_device *dev)
{
	return dev == &fake->foreign ? &fake->bridge : NULL;
}

/* ---- what happens ------------------------------------------------------- */

/* The device tells of a change, which waits. */
static void fdb_event_queue(unsigned int port, u8 last, enum parq_fdb_change change)
{
	struct parq_event ev = {
		.type = PARQ_EV_FDB,
		.port = port,
		.prio = change,
		.index = 1,
		.a = cpu_to_le32(get_unaligned_le32(fdb_addr(last))),
		.b = cpu_to_le32(get_unaligned_le16(fdb_addr(last) + 4)),
	};

	parq_switch_fdb_event(&fake->pd, &ev);
}

static void fdb_event(unsigned int port, u8 last, enum parq_fdb_change change)
{
	fdb_event_queue(port, last, change);
	flush_work(&fake->sw.fdb.work);
}

/* The bridge tells of a change, which waits. */
static void fdb_bridge_queue(unsigned long event, struct net_device *dev, u8 last, bool user)
{
	struct switchdev_notifier_fdb_info info = {
		.info.dev = dev,
		.addr = fdb_addr(last),
		.added_by_user = user,
		.is_local = dev == &fake->bridge,
	};

	parq_switch_fdb_notify(&fake->sw, event, &info);
}

static void fdb_bridge(unsigned long event, struct net_device *dev, u8 last, bool user)
{
	fdb_bridge_queue(event, dev, last, user);
	flush_work(&fake->sw.fdb.work);
}

/* A port is in the bridge, and forwards. */
static void fdb_joins(unsigned int port)
{
	fake->sw.ctrl[port] = FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 1) |
			      FIELD_PREP(PARQ_SW_CTRL_STATE, PARQ_SW_FORWARDING) |
			      PARQ_SW_CTRL_LEARN;
}

/* Return: kind of the device's entry, -1 for none. */
static int fdb_kind(u8 last)
{
	const struct parq_fdb *e = fdb_find(fdb_addr(last));

	return e ? e->kind : -1;
}

/* The last notification is this one, and they are so many. */
static void fdb_expect(struct kunit *test, unsigned int num, unsigned long type,
		       unsigned int port, u8 last)
{
	const struct fdb_told *told = &fake->told[num - 1];

	KUNIT_ASSERT_EQ(test, fake->num_told, num);
	KUNIT_EXPECT_EQ(test, told->type, type);
	KUNIT_EXPECT_EQ(test, told->port, port);
	KUNIT_EXPECT_EQ(test, told->last, last);
}

/* ---- cases -------------------------------------------------------------- */

static void fdb_learned(struct kunit *test)
{
	fdb_learns(0, 1);
	fdb_event(0, 1, PARQ_FDB_LEARNED);
	fdb_expect(test, 1, SWITCHDEV_FDB_ADD_TO_BRIDGE, 0, 1);
	/* The bridge deletes the old entry. It must not cost the new one. */
	fdb_learns(1, 1);
	fdb_event(1, 1, PARQ_FDB_MOVED);
	fdb_expect(test, 2, SWITCHDEV_FDB_ADD_TO_BRIDGE, 1, 1);
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->dev[0], 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_DYNAMIC);
	fdb_event(1, 1, PARQ_FDB_AGED);
	fdb_expect(test, 3, SWITCHDEV_FDB_DEL_TO_BRIDGE, 1, 1);
	/* Now from a port that has left the bridge in the meantime. */
	fake->sw.ctrl[0] = 0;
	fdb_event(0, 2, PARQ_FDB_LEARNED);
	KUNIT_EXPECT_EQ(test, fake->num_told, 3U);
}

static void fdb_flushed(struct kunit *test)
{
	fdb_learns(0, 1);
	fdb_event(0, 1, PARQ_FDB_LEARNED);
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->dev[0], 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), -1);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 0U);
}

/* The device has seen it at another port, and tells of it after the bridge. */
static void fdb_moved_late(struct kunit *test)
{
	fdb_learns(0, 1);
	fdb_event(0, 1, PARQ_FDB_LEARNED);
	fdb_learns(1, 1);
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->dev[0], 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_DYNAMIC);
	fdb_event(1, 1, PARQ_FDB_MOVED);
	fdb_expect(test, 3, SWITCHDEV_FDB_ADD_TO_BRIDGE, 1, 1);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(fake->bridged[0], FDB_ADDRS));
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 1U);
}

/* The bridge flushes, and gets what was learned before that. */
static void fdb_flushed_early(struct kunit *test)
{
	mutex_lock(&fake->sw.fdb.lock);
	fdb_learns(0, 1);
	fdb_event_queue(0, 1, PARQ_FDB_LEARNED);
	fdb_bridge_queue(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->dev[0], 1, false);
	mutex_unlock(&fake->sw.fdb.lock);
	flush_work(&fake->sw.fdb.work);
	fdb_expect(test, 2, SWITCHDEV_FDB_DEL_TO_BRIDGE, 0, 1);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), -1);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 0U);
}

/* A full table: what the bridge wants waits for a place. */
static void fdb_full(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < FDB_SIZE; i++) {
		fdb_learns(0, i);
		fdb_event(0, i, PARQ_FDB_LEARNED);
	}
	fake->num_told = 0;
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[1], 8, true);
	parq_switch_fdb_watch(&fake->pd);
	KUNIT_EXPECT_EQ(test, fake->num_told, 0U);
	fake->used[0] = false;
	fdb_event(0, 0, PARQ_FDB_AGED);
	parq_switch_fdb_watch(&fake->pd);
	fdb_expect(test, 2, SWITCHDEV_FDB_OFFLOADED, 1, 8);
	KUNIT_EXPECT_EQ(test, fdb_kind(8), PARQ_FDB_STATIC);
}

static void fdb_wanted(struct kunit *test)
{
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[1], 1, true);
	fdb_expect(test, 1, SWITCHDEV_FDB_OFFLOADED, 1, 1);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->bridge, 2, false);
	/* What the bridge has learned the device learns by itself. */
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[1], 3, false);
	/* An event from before the user's entry. */
	fdb_event(0, 1, PARQ_FDB_LEARNED);
	fdb_event(0, 1, PARQ_FDB_AGED);
	KUNIT_EXPECT_EQ(test, fake->num_told, 1U);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_STATIC);
	KUNIT_EXPECT_EQ(test, fdb_kind(2), PARQ_FDB_HOST);
	KUNIT_EXPECT_EQ(test, fdb_kind(3), -1);
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->dev[1], 1, true);
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->bridge, 2, false);
	KUNIT_EXPECT_EQ(test, fdb_used(), 0U);
}

/* A station behind another member of the bridge moves to a port, and back. */
static void fdb_foreign(struct kunit *test)
{
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_EXTERN);
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->foreign, 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), -1);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, 1, false);
	KUNIT_EXPECT_EQ(test, fake->num_told, 0U);
	fdb_learns(0, 1);
	fdb_event(0, 1, PARQ_FDB_MOVED);
	fdb_expect(test, 1, SWITCHDEV_FDB_ADD_TO_BRIDGE, 0, 1);
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->foreign, 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_DYNAMIC);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 1U);
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->dev[0], 1, false);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_EXTERN);
	/* A user's entry does not move. */
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, 2, true);
	KUNIT_EXPECT_EQ(test, fdb_kind(2), PARQ_FDB_HOST);
	fdb_event(0, 2, PARQ_FDB_LEARNED);
	KUNIT_EXPECT_EQ(test, fake->num_told, 2U);
	/* Not before all ports have left. */
	fake->sw.ctrl[0] = 0;
	parq_switch_fdb_leave(&fake->sw, 0, 1);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_EXTERN);
	fake->sw.ctrl[1] = 0;
	parq_switch_fdb_leave(&fake->sw, 1, 1);
	KUNIT_EXPECT_EQ(test, fdb_used(), 0U);
}

/* Another device of the bridge has learned it, and told the bridge alone. */
static void fdb_foreign_device(struct kunit *test)
{
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_BRIDGE, &fake->foreign, 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_EXTERN);
	/* It moves to this one, and back. */
	fdb_learns(0, 1);
	fdb_event(0, 1, PARQ_FDB_MOVED);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_BRIDGE, &fake->dev[0], 1, false);
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_BRIDGE, &fake->foreign, 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_DYNAMIC);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_BRIDGE, &fake->foreign, 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_EXTERN);
	/* What this device tells is no news to it. */
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_BRIDGE, &fake->dev[0], 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_EXTERN);
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_BRIDGE, &fake->foreign, 1, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), -1);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 0U);
}

/* It has moved to the port whose number its entry has, and the event was lost. */
static void fdb_foreign_lost(struct kunit *test)
{
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, 1, false);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, 2, false);
	fdb_learns(0, 1);
	parq_switch_fdb_lost(&fake->pd);
	flush_work(&fake->sw.fdb.work);
	fdb_expect(test, 1, SWITCHDEV_FDB_ADD_TO_BRIDGE, 0, 1);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_DYNAMIC);
	KUNIT_EXPECT_EQ(test, fdb_kind(2), PARQ_FDB_EXTERN);
	/* The device has lost it. */
	memset(fake->used, 0, sizeof(fake->used));
	parq_switch_fdb_restart(&fake->sw);
	KUNIT_EXPECT_EQ(test, fdb_kind(2), PARQ_FDB_EXTERN);
}

/* They get a quarter of the table. */
static void fdb_foreign_many(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < FDB_SIZE / 2; i++)
		fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, i, false);
	KUNIT_EXPECT_EQ(test, fdb_used(), FDB_SIZE / 4U);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, FDB_SIZE / 4U);
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->foreign, 0, false);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, FDB_SIZE, false);
	KUNIT_EXPECT_EQ(test, fdb_kind(FDB_SIZE), PARQ_FDB_EXTERN);
	/* The device has lost them, and has learned others. */
	memset(fake->used, 0, sizeof(fake->used));
	for (i = 0; i < FDB_SIZE; i++)
		fdb_learns(0, FDB_ADDRS - 1 - i);
	parq_switch_fdb_restart(&fake->sw);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.externs, 0U);
}

/*
 * Addresses of the bridge itself get a quarter, so the device still learns. Others are known: no
 * station gets their frames.
 */
static void fdb_host_many(struct kunit *test)
{
	unsigned int i;

	/* A station was there before. */
	fdb_learns(0, FDB_SIZE - 2);
	fdb_event(0, FDB_SIZE - 2, PARQ_FDB_LEARNED);
	fake->num_told = 0;
	for (i = 0; i < FDB_SIZE; i++)
		fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->bridge, i, false);
	KUNIT_EXPECT_EQ(test, fdb_used(), FDB_SIZE / 4U);
	KUNIT_EXPECT_EQ(test, atomic64_read(&fake->sw.fdb_refused), FDB_SIZE * 3 / 4);
	fdb_learns(0, FDB_SIZE);
	fdb_event(0, FDB_SIZE, PARQ_FDB_LEARNED);
	fdb_expect(test, 1, SWITCHDEV_FDB_ADD_TO_BRIDGE, 0, FDB_SIZE);
	/* A station with an address of the bridge. */
	fdb_learns(0, FDB_SIZE - 1);
	fdb_event(0, FDB_SIZE - 1, PARQ_FDB_LEARNED);
	KUNIT_EXPECT_EQ(test, fake->num_told, 1U);
	KUNIT_EXPECT_EQ(test, fdb_kind(FDB_SIZE - 1), -1);
	/* The same, and the event is lost. */
	fdb_learns(0, FDB_SIZE - 1);
	parq_switch_fdb_lost(&fake->pd);
	flush_work(&fake->sw.fdb.work);
	KUNIT_EXPECT_EQ(test, fake->num_told, 1U);
	KUNIT_EXPECT_EQ(test, fdb_kind(FDB_SIZE - 1), -1);
	/* A place for one of them, which is not counted again. */
	fdb_bridge(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->bridge, 0, false);
	parq_switch_fdb_watch(&fake->pd);
	KUNIT_EXPECT_EQ(test, fdb_used(), FDB_SIZE / 4U + 1);
	KUNIT_EXPECT_EQ(test, fdb_kind(0), -1);
	KUNIT_EXPECT_EQ(test, atomic64_read(&fake->sw.fdb_refused), FDB_SIZE * 3 / 4);
	/* The share is the same after a reset. */
	memset(fake->used, 0, sizeof(fake->used));
	parq_switch_fdb_restart(&fake->sw);
	KUNIT_EXPECT_EQ(test, fdb_used(), FDB_SIZE / 4U);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.placed, FDB_SIZE / 4U);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.hosts, FDB_SIZE - 1U);
}

/* It finds no place, which is not tried again. */
static void fdb_foreign_full(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < FDB_SIZE; i++)
		fdb_learns(0, i);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, FDB_SIZE, false);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 0U);
	fake->used[0] = false;
	parq_switch_fdb_watch(&fake->pd);
	KUNIT_EXPECT_EQ(test, fdb_kind(FDB_SIZE), -1);
}

/* The user adds what the device has just learned elsewhere. The work has other things to do. */
static void fdb_superseded(struct kunit *test)
{
	mutex_lock(&fake->sw.fdb.lock);
	fdb_event_queue(1, 9, PARQ_FDB_AGED);
	queue_work(fake->pd.wq, &fake->sw.fdb.work);
	fdb_learns(0, 1);
	fdb_event_queue(0, 1, PARQ_FDB_LEARNED);
	fdb_bridge_queue(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[1], 1, true);
	mutex_unlock(&fake->sw.fdb.lock);
	flush_work(&fake->sw.fdb.work);
	fdb_expect(test, 1, SWITCHDEV_FDB_OFFLOADED, 1, 1);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_STATIC);
}

/* The device tells of one more address of many. The driver does not know them. */
static void fdb_event_other(u32 n)
{
	struct parq_event ev = {
		.type = PARQ_EV_FDB,
		.prio = PARQ_FDB_AGED,
		.index = 1,
		.a = cpu_to_le32(n),
	};

	parq_switch_fdb_event(&fake->pd, &ev);
}

/* Many stations come and go. What the bridge wants is not lost among the events. */
static void fdb_flood(struct kunit *test)
{
	unsigned int i;

	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, 4, false);
	mutex_lock(&fake->sw.fdb.lock);
	for (i = 0; i < 2 * FDB_JOBS; i++)
		fdb_event_other(i);
	KUNIT_EXPECT_LE(test, READ_ONCE(fake->sw.fdb.queued), FDB_JOBS);
	fdb_bridge_queue(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[1], 2, true);
	fdb_bridge_queue(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->dev[1], 3, false);
	fdb_learns(0, 1);
	fdb_learns(1, 3);
	/* Too many. The device floods what it does not get, and must not keep what is gone. */
	fdb_bridge_queue(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, 5, false);
	fdb_bridge_queue(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->foreign, 4, false);
	mutex_unlock(&fake->sw.fdb.lock);
	flush_work(&fake->sw.fdb.work);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.queued, 0U);
	KUNIT_EXPECT_EQ(test, fdb_kind(4), -1);
	KUNIT_EXPECT_EQ(test, fdb_kind(5), -1);
	KUNIT_EXPECT_EQ(test, fdb_kind(2), PARQ_FDB_STATIC);
	/* A deletion was lost: nothing that was learned can be trusted. */
	KUNIT_EXPECT_EQ(test, fdb_kind(1), -1);
	KUNIT_EXPECT_EQ(test, fdb_kind(3), -1);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(fake->bridged[0], FDB_ADDRS));
	KUNIT_EXPECT_TRUE(test, bitmap_empty(fake->bridged[1], FDB_ADDRS));
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 1U);
}

/* Changes of an address that wait cost the memory of one, and its last state counts. */
static void fdb_changes(struct kunit *test)
{
	unsigned int i;

	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[0], 2, true);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->foreign, 4, true);
	mutex_lock(&fake->sw.fdb.lock);
	for (i = 0; i < 10 * FDB_JOBS; i++) {
		fdb_event_queue(i % 2, 9, PARQ_FDB_MOVED);
		fdb_bridge_queue(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[i % 2], 1, true);
		fdb_bridge_queue(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->dev[i % 2], 1, true);
	}
	fdb_bridge_queue(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[1], 1, true);
	/* One that the device has, at another port and gone again. */
	fdb_bridge_queue(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->dev[0], 2, true);
	fdb_bridge_queue(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[1], 2, true);
	fdb_bridge_queue(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->dev[1], 2, true);
	/* One from behind the host to a port. */
	fdb_bridge_queue(SWITCHDEV_FDB_DEL_TO_DEVICE, &fake->foreign, 4, true);
	fdb_bridge_queue(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[1], 4, true);
	KUNIT_EXPECT_LE(test, READ_ONCE(fake->sw.fdb.queued), 4U);
	mutex_unlock(&fake->sw.fdb.lock);
	flush_work(&fake->sw.fdb.work);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), PARQ_FDB_STATIC);
	KUNIT_EXPECT_EQ(test, fdb_find(fdb_addr(1))->port, 1);
	KUNIT_EXPECT_EQ(test, fdb_kind(2), -1);
	KUNIT_EXPECT_EQ(test, fdb_kind(4), PARQ_FDB_STATIC);
	/* Of the moves the last one is told. */
	KUNIT_EXPECT_TRUE(test, test_bit(9, fake->bridged[1]));
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.queued, 0U);
}

/* A device that lies, or does not forward. */
static void fdb_events_bad(struct kunit *test)
{
	struct parq_event ev = { .type = PARQ_EV_FDB, .port = 1, .index = PARQ_NUM_DOMAINS };

	parq_switch_fdb_event(&fake->pd, &ev);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.queued, 0U);
	ev.index = PARQ_NUM_DOMAINS - 1;
	ev.port = fake->pd.caps.ports;
	parq_switch_fdb_event(&fake->pd, &ev);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.queued, 0U);
	ev.port--;
	fake->pd.sw = NULL;
	parq_switch_fdb_event(&fake->pd, &ev);
	parq_switch_fdb_lost(&fake->pd);
	fake->pd.sw = &fake->sw;
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.queued, 0U);
	KUNIT_EXPECT_FALSE(test, fake->sw.fdb.compare);
	flush_work(&fake->sw.fdb.work);
	KUNIT_EXPECT_EQ(test, fake->num_told, 0U);
}

static void fdb_events_lost(struct kunit *test)
{
	fdb_learns(0, 1);
	fdb_event(0, 1, PARQ_FDB_LEARNED);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[1], 2, true);
	fake->num_told = 0;
	parq_switch_fdb_watch(&fake->pd);
	flush_work(&fake->sw.fdb.work);
	KUNIT_EXPECT_EQ(test, fake->num_told, 0U);
	/* One has aged, another was learned. */
	fake->used[0] = false;
	fdb_learns(1, 3);
	fake->lost = 2;
	parq_switch_fdb_watch(&fake->pd);
	flush_work(&fake->sw.fdb.work);
	fdb_expect(test, 2, SWITCHDEV_FDB_DEL_TO_BRIDGE, 0, 1);
	KUNIT_EXPECT_EQ(test, fake->told[0].type, SWITCHDEV_FDB_ADD_TO_BRIDGE);
	KUNIT_EXPECT_EQ(test, fake->told[0].last, 3);
	KUNIT_EXPECT_EQ(test, fdb_kind(2), PARQ_FDB_STATIC);
}

/* What is learned while the table is read costs no other entry. */
static void fdb_compared(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < FDB_SIZE; i++) {
		fdb_learns(0, i);
		fdb_event(0, i, PARQ_FDB_LEARNED);
	}
	fake->used[3] = false;
	fake->learns_after = 2;
	fake->num_told = 0;
	parq_switch_fdb_lost(&fake->pd);
	flush_work(&fake->sw.fdb.work);
	fdb_expect(test, 2, SWITCHDEV_FDB_DEL_TO_BRIDGE, 0, 3);
	KUNIT_EXPECT_EQ(test, fake->told[0].type, SWITCHDEV_FDB_ADD_TO_BRIDGE);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, FDB_SIZE);
}

static void fdb_reset(struct kunit *test)
{
	fdb_learns(0, 1);
	fdb_event(0, 1, PARQ_FDB_LEARNED);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[1], 2, true);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->bridge, 3, false);
	memset(fake->used, 0, sizeof(fake->used));
	parq_switch_fdb_restart(&fake->sw);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), -1);
	KUNIT_EXPECT_EQ(test, fdb_kind(2), PARQ_FDB_STATIC);
	KUNIT_EXPECT_EQ(test, fdb_kind(3), PARQ_FDB_HOST);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 2U);
}

static void fdb_leaves(struct kunit *test)
{
	fdb_learns(0, 1);
	fdb_event(0, 1, PARQ_FDB_LEARNED);
	fdb_learns(1, 2);
	fdb_event(1, 2, PARQ_FDB_LEARNED);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[0], 3, true);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->bridge, 4, false);
	fake->sw.ctrl[0] = 0;
	parq_switch_fdb_leave(&fake->sw, 0, 1);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), -1);
	KUNIT_EXPECT_EQ(test, fdb_kind(2), PARQ_FDB_DYNAMIC);
	KUNIT_EXPECT_EQ(test, fdb_kind(3), -1);
	KUNIT_EXPECT_EQ(test, fdb_kind(4), PARQ_FDB_HOST);
	fake->sw.ctrl[1] = 0;
	parq_switch_fdb_leave(&fake->sw, 1, 1);
	KUNIT_EXPECT_EQ(test, fdb_used(), 0U);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 0U);
}

/* The device learns until its port has left. The bridge flushes before that. */
static void fdb_leaves_late(struct kunit *test)
{
	fdb_learns(0, 1);
	fdb_event(0, 1, PARQ_FDB_LEARNED);
	bitmap_zero(fake->bridged[0], FDB_ADDRS);
	fdb_learns(0, 2);
	fdb_event(0, 2, PARQ_FDB_LEARNED);
	KUNIT_EXPECT_TRUE(test, test_bit(2, fake->bridged[0]));
	fake->sw.ctrl[0] = 0;
	parq_switch_fdb_leave(&fake->sw, 0, 1);
	fdb_event(0, 3, PARQ_FDB_LEARNED);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(fake->bridged[0], FDB_ADDRS));
	KUNIT_EXPECT_EQ(test, fdb_used(), 0U);
}

/* What is told of a port that has just stopped learning. */
static void fdb_stops(struct kunit *test)
{
	fdb_learns(0, 1);
	fdb_event(0, 1, PARQ_FDB_LEARNED);
	fake->sw.ctrl[0] &= ~PARQ_SW_CTRL_STATE;
	parq_switch_fdb_flush(&fake->sw, 1, 0);
	fdb_expect(test, 2, SWITCHDEV_FDB_DEL_TO_BRIDGE, 0, 1);
	KUNIT_EXPECT_EQ(test, fdb_kind(1), -1);
	fdb_event(0, 2, PARQ_FDB_LEARNED);
	fdb_joins(0);
	fake->sw.age[1] = 0;
	fdb_event(0, 2, PARQ_FDB_LEARNED);
	fake->sw.age[1] = 300;
	fake->sw.ctrl[0] &= ~PARQ_SW_CTRL_LEARN;
	fdb_event(0, 2, PARQ_FDB_LEARNED);
	KUNIT_EXPECT_EQ(test, fake->num_told, 2U);
}

/* A VLAN interface of port 1 is in the bridge, and the port is not. */
static void fdb_vif(struct kunit *test)
{
	struct parq_vif vif = { .dev = &fake->dev[2], .ctrl = fake->sw.ctrl[1], .port = 1 };

	fake->sw.ctrl[1] = 0;
	KUNIT_ASSERT_NULL(test, xa_store(&fake->sw.vifs, parq_vif_index(1, 1), &vif, GFP_KERNEL));
	fdb_learns(1, 1);
	fdb_event(1, 1, PARQ_FDB_LEARNED);
	fdb_expect(test, 1, SWITCHDEV_FDB_ADD_TO_BRIDGE, 2, 1);
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[2], 2, true);
	fdb_expect(test, 2, SWITCHDEV_FDB_OFFLOADED, 2, 2);
	KUNIT_EXPECT_EQ(test, fdb_kind(2), PARQ_FDB_STATIC);
	KUNIT_EXPECT_EQ(test, fdb_find(fdb_addr(2))->port, 1);
	/* What comes of the port itself, and of another domain, does not count. */
	fdb_bridge(SWITCHDEV_FDB_ADD_TO_DEVICE, &fake->dev[1], 3, true);
	KUNIT_EXPECT_EQ(test, fdb_kind(3), -1);
	fake->sw.ctrl[1] = FIELD_PREP(PARQ_SW_CTRL_DOMAIN, 2);
	parq_switch_fdb_flush(&fake->sw, 2, 1);
	KUNIT_EXPECT_EQ(test, fake->num_told, 2U);
	fake->sw.ctrl[1] = 0;
	parq_switch_fdb_flush(&fake->sw, 1, 1);
	fdb_expect(test, 3, SWITCHDEV_FDB_DEL_TO_BRIDGE, 2, 1);
	fdb_learns(1, 1);
	fdb_event(1, 1, PARQ_FDB_LEARNED);
	parq_switch_port_down(&fake->port[0]);
	KUNIT_EXPECT_EQ(test, fake->num_told, 4U);
	parq_switch_port_down(&fake->port[1]);
	fdb_expect(test, 5, SWITCHDEV_FDB_DEL_TO_BRIDGE, 2, 1);
	vif.ctrl = 0;
	fdb_event(1, 4, PARQ_FDB_LEARNED);
	KUNIT_EXPECT_EQ(test, fake->num_told, 5U);
	parq_switch_fdb_leave(&fake->sw, 1, 1);
	fdb_expect(test, 6, SWITCHDEV_FDB_FLUSH_TO_BRIDGE, 2, 0);
	KUNIT_EXPECT_EQ(test, fdb_used(), 0U);
	xa_erase(&fake->sw.vifs, parq_vif_index(1, 1));
}

static void fdb_vlan_event(unsigned int port, u8 last, u16 vid)
{
	struct parq_event ev = {
		.type = PARQ_EV_FDB,
		.port = port,
		.prio = PARQ_FDB_LEARNED,
		.index = 1,
		.a = cpu_to_le32(get_unaligned_le32(fdb_addr(last))),
		.b = cpu_to_le32(get_unaligned_le16(fdb_addr(last) + 4) |
				 FIELD_PREP(PARQ_SW_FDB_EVENT_VID, vid)),
	};

	parq_switch_fdb_event(&fake->pd, &ev);
	flush_work(&fake->sw.fdb.work);
}

/* An address in two VLANs is two. What is told of a VLAN that the port has left is old. */
static void fdb_vlans(struct kunit *test)
{
	struct parq_vlan ten = { .ports = 3, .vid = 10, .domain = 1 }, twenty = ten;
	struct switchdev_notifier_fdb_info user = {
		.info.dev = &fake->dev[1], .vid = 10, .added_by_user = true,
	};
	unsigned int i;

	fdb_vlan_event(0, 1, 10);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 1U);	/* the device has no VLANs */
	fake->sw.has_vlans = true;
	xa_store(&fake->sw.vlans, parq_vlan_index(1, 10), &ten, GFP_KERNEL);
	xa_store(&fake->sw.vlans, parq_vlan_index(1, 20), &twenty, GFP_KERNEL);
	fdb_vlan_event(0, 1, 10);
	fdb_vlan_event(1, 1, 20);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 3U);
	ten.ports = 2;
	fdb_vlan_event(0, 2, 10);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 3U);
	/* However many VLANs the port has left, the entries are looked at once. */
	fake->num_cmds = 0;
	for (i = 0; i < 4000; i++)
		parq_switch_fdb_left(&fake->sw, 1);
	KUNIT_EXPECT_EQ(test, fake->num_cmds, 0U);
	parq_switch_fdb_watch(&fake->pd);
	KUNIT_EXPECT_EQ(test, fake->num_cmds, 1U);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 2U);
	parq_switch_fdb_watch(&fake->pd);
	KUNIT_EXPECT_EQ(test, fake->num_cmds, 1U);
	/* The user's entry waits for its VLAN to return. What was learned does not. */
	user.addr = fdb_addr(5);
	parq_switch_fdb_notify(&fake->sw, SWITCHDEV_FDB_ADD_TO_DEVICE, &user);
	fdb_vlan_event(1, 3, 10);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 4U);
	memset(fake->used, 0, sizeof(fake->used));
	xa_erase(&fake->sw.vlans, parq_vlan_index(1, 10));
	parq_switch_fdb_left(&fake->sw, 1);
	parq_switch_fdb_leave_vlans(&fake->sw);
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 3U);
	parq_switch_fdb_watch(&fake->pd);
	KUNIT_EXPECT_EQ(test, fdb_kind(5), PARQ_FDB_STATIC);
	KUNIT_EXPECT_EQ(test, fdb_used(), 1U);
}

/* A port leaves and joins faster than events are read. */
static void fdb_stale(struct kunit *test)
{
	fake->sw.ctrl[0] = 0;
	parq_switch_fdb_leave(&fake->sw, 0, 1);
	fdb_joins(0);
	fdb_event(0, 1, PARQ_FDB_LEARNED);
	KUNIT_EXPECT_TRUE(test, test_bit(1, fake->bridged[0]));
	parq_switch_fdb_watch(&fake->pd);
	parq_switch_fdb_watch(&fake->pd);
	flush_work(&fake->sw.fdb.work);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(fake->bridged[0], FDB_ADDRS));
	KUNIT_EXPECT_EQ(test, fake->sw.fdb.num, 0U);
}

static int fdb_init(struct kunit *test)
{
	unsigned int i;

	fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fake);
	fake->pd.wq = alloc_workqueue("parq-fdb-test", WQ_UNBOUND, 0);
	KUNIT_ASSERT_NOT_NULL(test, fake->pd.wq);
	fake->pd.caps.ports = 2;
	fake->pd.sw = &fake->sw;
	fake->sw.pd = &fake->pd;
	fake->bridge.priv_flags = IFF_EBRIDGE;
	fake->sw.bridge[1] = &fake->bridge;
	for (i = 0; i < 2; i++) {
		fake->port[i].netdev = &fake->dev[i];
		fake->port[i].pd = &fake->pd;
		fake->port[i].index = i;
		set_bit(PARQ_PORT_UP, &fake->port[i].flags);
		fake->pd.port[i] = &fake->port[i];
		fdb_joins(i);
	}
	fake->sw.age[1] = 300;
	xa_init(&fake->sw.vifs);
	xa_init(&fake->sw.vlans);
	parq_switch_fdb_init(&fake->sw);
	return 0;
}

static void fdb_exit(struct kunit *test)
{
	unsigned int i;

	if (!fake || !fake->pd.wq)
		return;
	for (i = 0; i < 2; i++) {
		fake->sw.ctrl[i] = 0;
		parq_switch_fdb_leave(&fake->sw, i, 1);
	}
	parq_switch_fdb_fini(&fake->sw);
	xa_destroy(&fake->sw.vlans);
	xa_destroy(&fake->sw.vifs);
	destroy_workqueue(fake->pd.wq);
}

static struct kunit_case fdb_cases[] = {
	KUNIT_CASE(fdb_learned),
	KUNIT_CASE(fdb_moved_late),
	KUNIT_CASE(fdb_flushed),
	KUNIT_CASE(fdb_flushed_early),
	KUNIT_CASE(fdb_full),
	KUNIT_CASE(fdb_wanted),
	KUNIT_CASE(fdb_foreign),
	KUNIT_CASE(fdb_foreign_device),
	KUNIT_CASE(fdb_foreign_lost),
	KUNIT_CASE(fdb_foreign_full),
	KUNIT_CASE(fdb_foreign_many),
	KUNIT_CASE(fdb_host_many),
	KUNIT_CASE(fdb_superseded),
	KUNIT_CASE(fdb_flood),
	KUNIT_CASE(fdb_changes),
	KUNIT_CASE(fdb_events_bad),
	KUNIT_CASE(fdb_events_lost),
	KUNIT_CASE(fdb_compared),
	KUNIT_CASE(fdb_reset),
	KUNIT_CASE(fdb_leaves),
	KUNIT_CASE(fdb_leaves_late),
	KUNIT_CASE(fdb_stops),
	KUNIT_CASE(fdb_vif),
	KUNIT_CASE(fdb_vlans),
	KUNIT_CASE(fdb_stale),
	{}
};

static struct kunit_suite fdb_suite = {
	.name = "parq_switch_fdb",
	.init = fdb_init,
	.exit = fdb_exit,
	.test_cases = fdb_cases,
};

kunit_test_suite(fdb_suite);
