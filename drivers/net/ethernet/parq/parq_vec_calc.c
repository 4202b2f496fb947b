// SPDX-License-Identifier: GPL-2.0
/*
 * Pure: distribution of MSI-X vectors. As many channels as possible have a vector for each
 * queue. The others have one vector for all their queues. With fewer vectors than channels,
 * several channels, even of different ports, share an interrupt.
 */
#include <linux/minmax.h>

#include "parq.h"
#include "parq_chan.h"

/* Vectors of a port. */
static unsigned int parq_msix_quota(const struct parq_msix *m)
{
	return (m->vecs - 1) / m->ports;
}

/**
 * parq_msix_full() - number of channels with a vector for each queue
 * @m: vectors
 *
 * Return: the first so many channels of each port have PARQ_CHAN_VECS vectors, others one.
 */
unsigned int parq_msix_full(const struct parq_msix *m)
{
	unsigned int quota = parq_msix_quota(m);

	if (quota < m->chans)
		return 0;
	return min((quota - m->chans) / (PARQ_CHAN_VECS - 1), m->chans);
}

/**
 * parq_msix_first() - first vector of a channel
 * @m: vectors
 * @port: port
 * @chan: channel
 *
 * Return: 1 to @m->vecs - 1.
 */
unsigned int parq_msix_first(const struct parq_msix *m, unsigned int port,
			     unsigned int chan)
{
	unsigned int quota = parq_msix_quota(m), full = parq_msix_full(m);

	if (!quota)
		return 1 + (port + chan) % (m->vecs - 1);
	if (quota < m->chans)
		chan %= quota;
	return 1 + port * quota + chan + min(chan, full) * (PARQ_CHAN_VECS - 1);
}
