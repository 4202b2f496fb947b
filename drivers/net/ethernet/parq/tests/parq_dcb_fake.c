// SPDX-License-Identifier: GPL-2.0
/* Fakes of what DCB netlink calls. See parq_dcb_fake.h. */
#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "../parq_buf.h"
#include "parq_dcb_calls.h"
#include "parq_dcb_fake.h"

struct quay *quay;

static int quay_call(const char *name)
{
	return parq_call_log_add(&quay->log, " ", name);
}

/* ---- dcbnl and the stack -------------------------------------------------- */

static struct quay_entry *quay_find(int ifindex, bool rewr, const struct dcb_app *app)
{
	unsigned int i;

	for (i = 0; i < quay->entries; i++) {
		struct quay_entry *e = &quay->entry[i];

		if (e->ifindex == ifindex && e->rewr == rewr &&
		    e->app.selector == app->selector && e->app.protocol == app->protocol &&
		    e->app.priority == app->priority)
			return e;
	}
	return NULL;
}

int quay_list(const struct net_device *dev, bool rewr, const struct dcb_app *app)
{
	quay->lists++;
	if (quay_find(dev->ifindex, rewr, app))
		return -EEXIST;
	if (quay->entries == quay->room)
		return -ENOMEM;
	quay->entry[quay->entries++] = (struct quay_entry){
		.ifindex = dev->ifindex, .rewr = rewr, .app = *app };
	return 0;
}

int quay_unlist(const struct net_device *dev, bool rewr, const struct dcb_app *app)
{
	struct quay_entry *e = quay_find(dev->ifindex, rewr, app);

	quay->unlists++;
	if (!e)
		return -ENOENT;
	memmove(e, e + 1, (void *)&quay->entry[quay->entries] - (void *)(e + 1));
	quay->entries--;
	return 0;
}

int quay_watch(struct notifier_block *nb)
{
	if (quay->watch_err)
		return quay->watch_err;
	quay->watches++;
	return 0;
}

int quay_unwatch(struct notifier_block *nb)
{
	quay->watches--;
	return 0;
}

void quay_lock(const struct net_device *dev, bool lock)
{
	quay_call(lock ? "(" : ")");
}

/* ---- the driver ----------------------------------------------------------- */

int parq_prio_set(struct parq_port *port, const struct parq_trust *want)
{
	int err = quay_call("prio");

	if (!err)
		port->prio.want = *want;
	return err;
}

void parq_prio_reset(struct parq_port *port)
{
	quay_call("reset");
	port->prio.want = (struct parq_trust){};
}

int parq_ets_set(struct parq_port *port, const struct ieee_ets *ets,
		 char reason[PARQ_REASON_LEN])
{
	int err = quay_call("ets");

	if (err)
		strscpy(reason, "no ets", PARQ_REASON_LEN);
	else
		port->ets.dcb = *ets;
	return err;
}

int parq_ets_maxrate_set(struct parq_port *port, const u64 maxrate[PARQ_NUM_TC],
			 char reason[PARQ_REASON_LEN])
{
	int err = quay_call("maxrate");

	if (err)
		strscpy(reason, "no maxrate", PARQ_REASON_LEN);
	else
		memcpy(port->ets.maxrate, maxrate, sizeof(port->ets.maxrate));
	return err;
}

int parq_pfc_set(struct parq_port *port, const struct ieee_pfc *pfc,
		 char reason[PARQ_REASON_LEN])
{
	char text[32];
	int err;

	snprintf(text, sizeof(text), "pfc=%02x,%u,%u", pfc->pfc_en, pfc->mbc, pfc->delay);
	err = quay_call(text);
	if (err) {
		strscpy(reason, "no pfc", PARQ_REASON_LEN);
		return err;
	}
	port->pfc.en = pfc->pfc_en;
	port->pfc.mbc = pfc->mbc;
	port->pfc.delay = pfc->delay;
	return 0;
}

int parq_buf_set(struct parq_port *port, const struct dcbnl_buffer *user,
		 char reason[PARQ_REASON_LEN])
{
	int err = quay_call("buffers");

	if (err)
		strscpy(reason, "no buffers", PARQ_REASON_LEN);
	else
		quay->buffer = *user;
	return err;
}

void parq_buf_get(struct parq_port *port, struct dcbnl_buffer *user)
{
	*user = quay->buffer;
}

const struct parq_stats *parq_stats_last(struct parq_port *port)
{
	quay_call("stats");
	return &quay->stats;
}

void parq_stats_put(struct parq_port *port)
{
	quay_call("put");
}

int parq_refuse(struct net_device *dev, struct netlink_ext_ack *extack, const char *what,
		const char *reason, int err)
{
	strscpy(quay->what, what, sizeof(quay->what));
	strscpy(quay->reason, reason, sizeof(quay->reason));
	quay->err = err;
	return err;
}

void parq_changed_pfc(struct net_device *dev, u8 was, u8 is, const char *by)
{
	char text[32];

	snprintf(text, sizeof(text), "%s:%02x>%02x", by, was, is);
	quay_call(text);
}

/* Priority 0 and class 0 are enough to tell the old settings from the new ones. */
void parq_changed_ets(struct net_device *dev, const struct ieee_ets *was,
		      const struct ieee_ets *is, const char *by)
{
	char text[32];

	snprintf(text, sizeof(text), "%s:%u,%u>%u,%u", by, was->prio_tc[0], was->tc_tx_bw[0],
		 is->prio_tc[0], is->tc_tx_bw[0]);
	quay_call(text);
}

/* ---- for the cases -------------------------------------------------------- */

void quay_refused(struct kunit *test, const char *what, const char *reason, int err)
{
	KUNIT_EXPECT_STREQ(test, quay->what, what);
	KUNIT_EXPECT_STREQ(test, quay->reason, reason);
	KUNIT_EXPECT_EQ(test, quay->err, err);
	quay->what[0] = 0;
	quay->err = 0;
}

void quay_lists(struct kunit *test, int ifindex, const char *entries)
{
	char text[200] = "";
	unsigned int i;
	int n = 0;

	for (i = 0; i < quay->entries; i++) {
		const struct quay_entry *e = &quay->entry[i];

		if (e->ifindex == ifindex)
			n += scnprintf(text + n, sizeof(text) - n, " %s%u:%u=%u",
				       e->rewr ? "r" : "", e->app.selector, e->app.protocol,
				       e->app.priority);
	}
	KUNIT_EXPECT_STREQ(test, text, entries);
}

static void quay_port(struct kunit *test, unsigned int i)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct parq_port));
	struct parq_port *port = netdev_priv(dev);

	KUNIT_ASSERT_NOT_NULL(test, dev);
	quay->port[i] = port;
	port->netdev = dev;
	port->pd = &quay->pd;
	port->index = i;
	dev->ifindex = i < 2 ? QUAY_INDEX : QUAY_OTHER;
	parq_ets_default(&port->ets.dcb);
	parq_dcbnl_init(port);
	KUNIT_ASSERT_EQ(test, parq_dcbnl_app_register(port), 0);
}

int quay_init(struct kunit *test)
{
	unsigned int i;

	quay = kunit_kzalloc(test, sizeof(*quay), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, quay);
	quay->room = QUAY_ENTRIES;
	for (i = 0; i < QUAY_PORTS; i++)
		quay_port(test, i);
	quay->ops = quay->port[0]->netdev->dcbnl_ops;
	rtnl_lock();
	return 0;
}

/* A port that goes tells so itself, and drops its entries. */
void quay_exit(struct kunit *test)
{
	struct netdev_notifier_info info = {};
	struct parq_port *port;
	unsigned int i;

	for (i = 0; i < QUAY_PORTS; i++) {
		port = quay->port[i];
		info.dev = port->netdev;
		port->dcb_nb.notifier_call(&port->dcb_nb, NETDEV_UNREGISTER, &info);
		KUNIT_EXPECT_TRUE(test, list_empty(&port->app_entries));
	}
	rtnl_unlock();
	for (i = 0; i < QUAY_PORTS; i++) {
		parq_dcbnl_app_unregister(quay->port[i]);
		free_netdev(quay->port[i]->netdev);
	}
	KUNIT_EXPECT_EQ(test, quay->watches, 0U);
}
