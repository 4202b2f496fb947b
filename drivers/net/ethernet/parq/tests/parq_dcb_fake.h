/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ports under DCB netlink: fakes of what sets and shows their settings, and dcbnl's lists. The
 * fakes note their calls.
 */
#ifndef _PARQ_TESTS_DCB_FAKE_H
#define _PARQ_TESTS_DCB_FAKE_H

#include <kunit/test.h>

#include "../parq.h"
#include "../parq_stats.h"
#include "parq_call_log.h"

#define QUAY_PORTS	3
#define QUAY_INDEX	7	/* interface index of the first two ports */
#define QUAY_OTHER	8	/* that of the last one */
#define QUAY_ENTRIES	16

/**
 * struct quay_entry - entry of one of dcbnl's lists
 * @ifindex: whose it is
 * @rewr: it is in the list of rewrite entries
 * @app: entry
 */
struct quay_entry {
	int ifindex;
	bool rewr;
	struct dcb_app app;
};

/**
 * struct quay - ports, and what the fakes do and have seen
 * @port: ports
 * @ops: operations of the first port
 * @pd: device
 * @log: calls of the fakes; an expected text begins with a space
 * @entry: dcbnl's lists
 * @entries: number of entries in them
 * @room: entries for which they have room
 * @lists: attempts to add an entry
 * @unlists: attempts to remove one
 * @stats: statistics
 * @buffer: receive buffers
 * @watches: notifiers that are registered
 * @watch_err: what a registration returns
 * @what: what was refused
 * @reason: why
 * @err: the error
 */
struct quay {
	struct parq_port *port[QUAY_PORTS];
	const struct dcbnl_rtnl_ops *ops;
	struct parq_dev pd;
	struct parq_call_log log;
	struct quay_entry entry[QUAY_ENTRIES];
	unsigned int entries;
	unsigned int room;
	unsigned int lists;
	unsigned int unlists;
	struct parq_stats stats;
	struct dcbnl_buffer buffer;
	unsigned int watches;
	int watch_err;
	char what[16];
	char reason[PARQ_REASON_LEN];
	int err;
};

extern struct quay *quay;

/* Takes rtnl until quay_exit(). */
int quay_init(struct kunit *test);
void quay_exit(struct kunit *test);

static inline struct net_device *quay_dev(unsigned int port)
{
	return quay->port[port]->netdev;
}

static inline void quay_expect(struct kunit *test, const char *calls)
{
	parq_call_log_expect(test, &quay->log, calls);
}

/* Compares the last refusal, of which there was one since the last time. */
void quay_refused(struct kunit *test, const char *what, const char *reason, int err);

/* Compares what dcbnl lists for an index: " SELECTOR:PROTOCOL=PRIORITY", rewriting: " r...". */
void quay_lists(struct kunit *test, int ifindex, const char *entries);

#endif /* _PARQ_TESTS_DCB_FAKE_H */
