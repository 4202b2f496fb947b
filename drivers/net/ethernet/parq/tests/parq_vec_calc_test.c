// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of MSI-X vectors: all grants to all devices. */
#include <kunit/test.h>

#include "../parq.h"
#include "../parq_chan.h"

static unsigned int msix_num(const struct parq_msix *m, unsigned int chan)
{
	return chan < parq_msix_full(m) ? PARQ_CHAN_VECS : 1;
}

/* As many channels as possible have all vectors, but each channel has one. */
static void msix_full(struct kunit *test, const struct parq_msix *m)
{
	unsigned int full = parq_msix_full(m), left = (m->vecs - 1) / m->ports;

	KUNIT_ASSERT_LE(test, full, m->chans);
	if (left < m->chans) {
		KUNIT_ASSERT_EQ(test, full, 0U);
		return;
	}
	left -= m->chans + full * (PARQ_CHAN_VECS - 1);
	KUNIT_ASSERT_LE(test, left, m->vecs);
	if (full < m->chans)
		KUNIT_ASSERT_LT(test, left, PARQ_CHAN_VECS - 1U);
}

/* No vector has more users than it must have. */
static void msix_users(struct kunit *test, const struct parq_msix *m)
{
	unsigned int all = m->ports * m->chans, quota = (m->vecs - 1) / m->ports;
	static u16 users[PARQ_MAX_VECTORS];
	unsigned int port, chan, i, most = 1, lacks;

	memset(users, 0, sizeof(users));
	if (!quota)
		most = all;
	else if (quota < m->chans)
		most = DIV_ROUND_UP(m->chans, quota);
	for (port = 0; port < m->ports; port++) {
		for (chan = 0; chan < m->chans; chan++) {
			unsigned int first = parq_msix_first(m, port, chan);

			KUNIT_ASSERT_GE(test, first, 1U);
			KUNIT_ASSERT_LE(test, first + msix_num(m, chan), m->vecs);
			for (i = 0; i < msix_num(m, chan); i++)
				KUNIT_ASSERT_LE(test, ++users[first + i], most);
		}
	}
	/* Those that share with other ports take turns too. Of a switch, one may lack a user. */
	lacks = m->ports > PARQ_NIC_PORTS;
	for (i = 1; i < m->vecs && !quota && m->chans >= m->vecs - 1; i++)
		KUNIT_ASSERT_GE(test, users[i] + lacks, all / (m->vecs - 1));
}

static void msix_all(struct kunit *test)
{
	struct parq_msix m;

	/* Those of NICs, 16 and 64. */
	for (m.ports = 1; m.ports <= PARQ_MAX_PORTS;
	     m.ports = m.ports < PARQ_NIC_PORTS ? m.ports + 1 : 4 * m.ports)
		for (m.chans = 1; m.chans <= PARQ_MAX_CHANS; m.chans++)
			for (m.vecs = PARQ_MIN_VECS; m.vecs <= PARQ_MAX_VECTORS; m.vecs++) {
				msix_full(test, &m);
				msix_users(test, &m);
			}
}

static struct kunit_case parq_msix_tests[] = {
	KUNIT_CASE(msix_all),
	{}
};

static struct kunit_suite parq_msix_suite = {
	.name = "parq_vec_calc",
	.test_cases = parq_msix_tests,
};

kunit_test_suite(parq_msix_suite);
