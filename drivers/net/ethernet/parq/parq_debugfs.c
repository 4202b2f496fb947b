// SPDX-License-Identifier: GPL-2.0
/*
 * debugfs: shows the memory shared by device and driver in readable form. Each device
 * has a directory, with one below it for each port. Files belong to root and are
 * read-only, except external pause and restart_rx: each write sends a pause frame, or restarts
 * an RX queue.
 *
 * Memory that the device writes is copied before it is decoded, and its values are checked
 * before they are used as indices.
 */
#include <linux/bitfield.h>
#include <linux/debugfs.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "parq.h"
#include "parq_dev.h"
#include "parq_io.h"
#include "parq_log.h"
#include "parq_pause.h"
#include "parq_port.h"

#define PARQ_DEBUGFS_MODE	0400

/* Longest valid request: "xoff 3 7". */
#define PARQ_EXT_LEN	32
#define PARQ_EXT_WORDS	3

static struct dentry *parq_debugfs_root;

/**
 * struct parq_bit_name - name of a flag
 * @bit: mask of the flag, or of several
 * @name: text to show
 */
struct parq_bit_name {
	u64 bit;
	const char *name;
};

static const struct parq_bit_name parq_level_names[] = {
	{ PARQ_LEVELS_PAUSE, "PAUSE" },
	{ PARQ_LEVELS_HOLD, "HOLD" },
	{ PARQ_LEVELS_HALT, "HALT" },
	{ PARQ_LEVELS_HALT_ACK, "HALT_ACK" },
	{ PARQ_LEVELS_FLUSHING, "FLUSHING" },
	{ PARQ_LEVELS_REPAUSED, "REPAUSED" },
	{ PARQ_LEVELS_PARKED, "PARKED" },
	{ PARQ_LEVELS_STORM, "STORM" },
	{}
};

static const struct parq_bit_name parq_fd_names[] = {
	{ PARQ_FD_REC, "REC" },
	{ PARQ_FD_FLUSH, "FLUSH" },
	{ PARQ_FD_MARKER, "MARKER" },
	{ PARQ_FD_LAST, "LAST" },
	{ PARQ_FD_DROP, "DROP" },
	{}
};

static const struct parq_bit_name parq_tx_names[] = {
	{ PARQ_TX_EOP, "EOP" },
	{ PARQ_TX_VLAN, "VLAN" },
	{ PARQ_TX_CSUM, "CSUM" },
	{ PARQ_TX_TSO4, "TSO4" },
	{ PARQ_TX_TSO6, "TSO6" },
	{}
};

static const struct parq_bit_name parq_rx_names[] = {
	{ PARQ_RX_GEN, "GEN" },
	{ PARQ_RX_EOP, "EOP" },
	{ PARQ_RX_VLAN, "VLAN" },
	{ PARQ_RX_HASH_L3, "HASH_L3" },
	{ PARQ_RX_HASH_L4, "HASH_L4" },
	{ PARQ_RX_CSUM_OK, "CSUM_OK" },
	{ PARQ_RX_CSUM_BAD, "CSUM_BAD" },
	{ PARQ_RX_FCS_ERR, "FCS_ERR" },
	{}
};

static void parq_show_bits(struct seq_file *s, u64 val,
			   const struct parq_bit_name *names)
{
	const char *sep = " ";

	for (; names->name; names++) {
		if (!(val & names->bit))
			continue;
		seq_printf(s, "%s%s", sep, names->name);
		sep = "|";
	}
	seq_puts(s, *sep == '|' ? "\n" : " -\n");
}

/* For files that show registers, which read as 0 once the device is gone. */
static int parq_show_end(const struct parq_port *port)
{
	return parq_dev_gone(port->pd) ? -ENODEV : 0;
}

/* ---- pause engine ------------------------------------------------------- */

static void parq_show_class(struct seq_file *s, struct parq_port *port,
			    unsigned int prio)
{
	const struct parq_pfc_class *c = &port->pfc.prio[prio];
	u64 levels = parq_io_levels(port, prio);
	enum parq_fsm_state state = c->state;

	if (port->pfc.offload)
		state = FIELD_GET(PARQ_LEVELS_STATE, levels);
	seq_printf(s, "priority %u: pfc %s, %s%s\n", prio,
		   port->pfc.en & BIT(prio) ? "on" : "off",
		   parq_fsm_name(state), c->stuck ? ", stuck" : "");
	seq_puts(s, "  levels");
	parq_show_bits(s, levels, parq_level_names);
	seq_printf(s, "  quanta %u\n", parq_io_pfc_timer(port, prio));
	seq_printf(s, "  park queue entries %lu head %u tail %u\n",
		   c->park.fds ? BIT(c->park.order) : 0,
		   parq_io_park_head(port, prio),
		   parq_io_park_tail(port, prio));
	if (c->spare.fds)
		seq_printf(s, "  to be replaced by one with %lu\n",
			   BIT(c->spare.order));
	seq_printf(s, "  commands %llu seq %u ack %u refused %llu stalls %llu\n",
		   c->commands, c->seq,
		   (u32)FIELD_GET(PARQ_LEVELS_ACK, levels), c->refused,
		   c->stalls);
}

static int parq_dbg_pfc_show(struct seq_file *s, void *v)
{
	struct parq_port *port = s->private;
	struct parq_pfc *pfc = &port->pfc;
	unsigned int prio;

	mutex_lock(&pfc->lock);
	seq_printf(s, "%s, executor %s\n", pfc->up ? "up" : "down",
		   pfc->offload ? "offload" : "managed");
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		parq_show_class(s, port, prio);
	mutex_unlock(&pfc->lock);
	return parq_show_end(port);
}
DEFINE_SHOW_ATTRIBUTE(parq_dbg_pfc);

static void parq_show_fd(struct seq_file *s, u32 pos, const struct parq_fd *fd)
{
	seq_printf(s,
		   "  %u: port %u prio %u queue %u pos %u ndesc %u seg %u len %u epoch %u order %u time %llu",
		   pos, fd->port, fd->prio, fd->queue, le32_to_cpu(fd->pos),
		   le16_to_cpu(fd->ndesc), le16_to_cpu(fd->seg),
		   le16_to_cpu(fd->len), le16_to_cpu(fd->epoch),
		   le32_to_cpu(fd->order), le64_to_cpu(fd->time));
	parq_show_bits(s, fd->flags, parq_fd_names);
}

static void parq_show_park(struct seq_file *s, struct parq_port *port,
			   unsigned int prio)
{
	const struct parq_park *park = &port->pfc.prio[prio].park;
	u32 tail = parq_io_park_tail(port, prio);
	u32 pos = parq_io_park_head(port, prio);
	u32 left;

	if (!park->fds)
		return;
	seq_printf(s, "priority %u: entries %lu head %u tail %u\n", prio,
		   BIT(park->order), pos, tail);
	for (left = min_t(u32, tail - pos, BIT(park->order)); left; left--) {
		struct parq_fd fd = park->fds[pos & (BIT(park->order) - 1)];

		parq_show_fd(s, pos++, &fd);
	}
}

/* Not a snapshot: frames may be parked and reinjected while this runs. */
static int parq_dbg_park_show(struct seq_file *s, void *v)
{
	struct parq_port *port = s->private;
	unsigned int prio;

	mutex_lock(&port->pfc.lock);
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		parq_show_park(s, port, prio);
	mutex_unlock(&port->pfc.lock);
	return parq_show_end(port);
}
DEFINE_SHOW_ATTRIBUTE(parq_dbg_park);

static int parq_dbg_status_show(struct seq_file *s, void *v)
{
	struct parq_port *port = s->private;
	unsigned int prio;

	seq_printf(s, "doze %u\n", le32_to_cpu(READ_ONCE(port->status->doze)));
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		struct parq_pfc_status st = port->status->pfc[prio];

		seq_printf(s,
			   "priority %u: levels %#llx park_head %u park_tail %u parked %llu reinjected %llu passes %llu repauses %llu pause_ns %llu storms %llu\n",
			   prio, le64_to_cpu(st.levels),
			   le32_to_cpu(st.park_head), le32_to_cpu(st.park_tail),
			   le64_to_cpu(st.parked), le64_to_cpu(st.reinjected),
			   le64_to_cpu(st.passes), le64_to_cpu(st.repauses),
			   le64_to_cpu(st.pause_ns),
			   le64_to_cpu(st.storms));
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(parq_dbg_status);

/* ---- receive buffers ---------------------------------------------------- */

static void parq_show_path(struct seq_file *s, const struct parq_rxb_want *want)
{
	struct parq_path path = parq_rxb_path(want, want->speed);
	struct parq_headroom h = parq_headroom_overflow(&path);

	seq_printf(s,
		   "headroom %u: media %u mac %u pauses %u wait %u ipg %u pause %u media %u phy %u reaction %u frame %u step %u\n",
		   parq_headroom_sum(&h), h.media_delay, h.mac_latency,
		   h.pauses, h.wait_to_transmit, h.ipg, h.pause_packet,
		   h.media_delay2, h.phy_latency, h.reaction, h.packet_delay,
		   h.step);
	h = parq_headroom_underflow(&path);
	seq_printf(s,
		   "restart %u: mac %u pauses %u wait %u ipg %u pause %u media %u phy %u reaction %u frame %u media %u\n",
		   parq_headroom_sum(&h) + h.media_delay, h.mac_latency,
		   h.pauses, h.wait_to_transmit, h.ipg, h.pause_packet,
		   h.media_delay, h.phy_latency, h.reaction, h.media_delay2,
		   h.media_delay);
}

static int parq_dbg_buffers_show(struct seq_file *s, void *v)
{
	struct parq_port *port = s->private;
	const struct parq_buf *buf = &port->pfc.buf;
	const struct parq_rxb *rxb = &buf->rxb;
	unsigned int n;

	mutex_lock(&port->pfc.lock);
	seq_printf(s, "%s, %s, %u bytes, cable %u m, delay %u, mtu %u, lossless %#x, paused %#x\n",
		   port->pfc.up ? "up" : "down",
		   buf->want.set ? "of a user" : "of the driver",
		   buf->want.total, buf->want.cable_m, buf->want.delay,
		   buf->want.mtu, buf->want.lossless, parq_io_fc_xoff(port));
	parq_show_path(s, &buf->want);
	for (n = 0; n < PARQ_NUM_RXB; n++)
		seq_printf(s,
			   "buffer %u: priorities %#x size %u xoff %u xon %u used %u high %u\n",
			   n, parq_rxb_prios(rxb, n), rxb->size[n],
			   rxb->xoff[n], rxb->xon[n],
			   parq_io_rxb_used(port, n),
			   parq_io_rxb_high(port, n));
	mutex_unlock(&port->pfc.lock);
	return parq_show_end(port);
}
DEFINE_SHOW_ATTRIBUTE(parq_dbg_buffers);

/* ---- transmission selection --------------------------------------------- */

static const char *parq_ets_decider(const struct parq_ets *sched, u8 part)
{
	if (sched->tc[PARQ_ETS_USER_ETS].parts & part)
		return sched->tc[PARQ_ETS_USER_ETS].qdisc;
	if (sched->tc[PARQ_ETS_USER_MQPRIO].parts & part)
		return sched->tc[PARQ_ETS_USER_MQPRIO].qdisc;
	return "dcb";
}

/* Bands of ets and prio have limits if they have tbf qdiscs, beside those of DCB. */
static const char *parq_limits_decider(const struct parq_ets *sched)
{
	const struct parq_tc *bands = &sched->tc[PARQ_ETS_USER_ETS];

	if (memchr_inv(bands->maxrate, 0, sizeof(bands->maxrate)))
		return memchr_inv(sched->maxrate, 0, sizeof(sched->maxrate)) ?
			"dcb and tbf" : "tbf";
	return parq_ets_decider(sched, PARQ_TC_RATES);
}

/* Values in the device, whether DCB or a qdisc set them. */
static int parq_dbg_sched_show(struct seq_file *s, void *v)
{
	struct parq_port *port = s->private;
	const struct parq_ets_hw *hw = &port->ets.hw;
	unsigned int tc, prio;
	u64 bw;
	u8 prios;

	netdev_lock_ops_compat(port->netdev);
	seq_printf(s, "map %s, shares %s, limits %s, slow %#x\n",
		   parq_ets_decider(&port->ets, PARQ_TC_MAP),
		   parq_ets_decider(&port->ets, PARQ_TC_SHARES),
		   parq_limits_decider(&port->ets),
		   port->ets.slow);
	bw = hw->bw_lo | (u64)hw->bw_hi << 32;
	for (tc = 0; tc < PARQ_NUM_TC; tc++) {
		prios = 0;
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			if ((hw->prio_tc >> (4 * prio) & 0xf) == tc)
				prios |= BIT(prio);
		seq_printf(s, "tc %u: priorities %#x %s weight %u kbit/s %u\n",
			   tc, prios,
			   (hw->tsa >> (4 * tc) & 0xf) == PARQ_TSA_ETS ?
			   "ets" : "strict", (u8)(bw >> (8 * tc)),
			   hw->maxrate[tc]);
	}
	seq_printf(s, "port: kbit/s %u\n", hw->port_rate);
	netdev_unlock_ops_compat(port->netdev);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(parq_dbg_sched);

/* ---- rings -------------------------------------------------------------- */

static void parq_show_tx_desc(struct seq_file *s, u32 pos,
			      const struct parq_tx_desc *desc)
{
	u64 info = le64_to_cpu(desc->info);
	u64 addr = le64_to_cpu(desc->addr);

	if (info & PARQ_TX_EXT) {
		seq_printf(s, "  %u: extension mss %llu headers %llu\n", pos,
			   FIELD_GET(PARQ_TXX_MSS, addr),
			   FIELD_GET(PARQ_TXX_HDR_LEN, addr));
		return;
	}
	seq_printf(s, "  %u: addr %#llx len %llu tci %#llx csum %llu+%llu",
		   pos, addr, FIELD_GET(PARQ_TX_LEN, info),
		   FIELD_GET(PARQ_TX_TCI, info),
		   FIELD_GET(PARQ_TX_CSUM_START, info),
		   FIELD_GET(PARQ_TX_CSUM_OFFSET, info));
	parq_show_bits(s, info, parq_tx_names);
}

/* Shows the frames that have not completed. */
static void parq_show_tx_ring(struct seq_file *s,
			      const struct parq_tx_ring *ring)
{
	u32 tail = READ_ONCE(ring->tail);
	u32 pos = READ_ONCE(ring->head);
	u32 left;

	seq_printf(s, "  ring of %u: head %u tail %u\n", ring->mask + 1, pos,
		   tail);
	for (left = min(tail - pos, ring->mask + 1); left; left--, pos++)
		parq_show_tx_desc(s, pos, &ring->desc[pos & ring->mask]);
}

static void parq_show_txq(struct seq_file *s, const struct parq_txq *q)
{
	u32 state = le32_to_cpu(READ_ONCE(q->wb->state));
	const struct parq_tx_ring *clean = READ_ONCE(q->clean);

	seq_printf(s, "queue %u: prio %u written back %u of ring %lu, drops %lu%s%s\n",
		   q->index, q->prio,
		   le32_to_cpu(READ_ONCE(q->wb->head)),
		   FIELD_GET(PARQ_TXW_RING, state),
		   FIELD_GET(PARQ_TXW_DROPS, state),
		   netif_tx_queue_stopped(q->nq) ? " stopped" : "",
		   q->broken ? " broken" : "");
	if (clean != q->ring)
		parq_show_tx_ring(s, clean);
	parq_show_tx_ring(s, q->ring);
}

static int parq_dbg_tx_show(struct seq_file *s, void *v)
{
	struct parq_port *port = s->private;
	unsigned int i;

	netdev_lock_ops_compat(port->netdev);
	for (i = 0; i < PARQ_MAX_TXQ; i++)
		if (port->txq[i])
			parq_show_txq(s, port->txq[i]);
	netdev_unlock_ops_compat(port->netdev);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(parq_dbg_tx);

static void parq_show_rxq(struct seq_file *s, const struct parq_rxq *q)
{
	const struct parq_rx_ring *ring = q->ring;
	u32 tail = READ_ONCE(ring->tail);
	u32 pos = READ_ONCE(ring->pos);
	u32 left;

	seq_printf(s, "queue %u: entries %u next %u filled to %u posted %u%s%s\n",
		   q->index, ring->mask + 1, pos, tail,
		   READ_ONCE(ring->posted), q->starved ? " starved" : "",
		   q->broken ? " broken" : "");
	for (left = min(tail - pos, ring->mask + 1); left; left--, pos++) {
		struct parq_rx_comp comp = ring->comp[pos & ring->mask];

		seq_printf(s,
			   "  %u: addr %#llx len %u tci %#x hash %#x prio %lu time %u",
			   pos, le64_to_cpu(ring->fill[pos & ring->mask]),
			   le16_to_cpu(comp.len), le16_to_cpu(comp.tci),
			   le32_to_cpu(comp.hash),
			   FIELD_GET(PARQ_RX_PRIO, le32_to_cpu(comp.flags)),
			   le32_to_cpu(comp.time));
		parq_show_bits(s, le32_to_cpu(comp.flags), parq_rx_names);
	}
}

static int parq_dbg_rx_show(struct seq_file *s, void *v)
{
	struct parq_port *port = s->private;
	unsigned int i;

	netdev_lock_ops_compat(port->netdev);
	for (i = 0; i < PARQ_MAX_CHANS; i++)
		if (port->chan[i] && port->chan[i]->rxq.ring)
			parq_show_rxq(s, &port->chan[i]->rxq);
	netdev_unlock_ops_compat(port->netdev);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(parq_dbg_rx);

/* The number of a queue. The stack restarts it as for its own purposes. */
static int parq_dbg_restart_rx_set(void *data, u64 index)
{
	return parq_queue_restart(data, min_t(u64, index, U32_MAX));
}
DEFINE_DEBUGFS_ATTRIBUTE(parq_dbg_restart_rx_fops, NULL, parq_dbg_restart_rx_set, "%llu\n");

/* ---- link pause --------------------------------------------------------- */

static const char *parq_on(bool on)
{
	return on ? "on" : "off";
}

static int parq_dbg_pause_show(struct seq_file *s, void *v)
{
	struct parq_port *port = s->private;
	const struct parq_pause *p = &port->pfc.pause;
	u32 status;

	mutex_lock(&port->pfc.lock);
	status = parq_io_fc_status(port);
	seq_printf(s, "set: autoneg %s rx %s tx %s\n", parq_on(p->want.autoneg),
		   parq_on(p->want.rx), parq_on(p->want.tx));
	seq_printf(s, "in force: rx %s tx %s\n",
		   parq_on(p->fc & PARQ_FC_CTRL_PAUSE_RX),
		   parq_on(p->fc & PARQ_FC_CTRL_PAUSE_TX));
	seq_printf(s, "pause low: opcode %u priorities %#x\n", p->low_opcode,
		   p->low_prios);
	seq_printf(s, "paused: %u\npaused low: %u\npfc seen: %u\n",
		   !!(status & PARQ_FC_STATUS_PAUSED),
		   !!(status & PARQ_FC_STATUS_PAUSED_LOW),
		   !!(status & PARQ_FC_STATUS_PFC_SEEN));
	seq_printf(s, "peer paused: %u\n",
		   !!(status & PARQ_FC_STATUS_LINK_XOFF));
	mutex_unlock(&port->pfc.lock);
	return parq_show_end(port);
}
DEFINE_SHOW_ATTRIBUTE(parq_dbg_pause);

/* ---- external pause ----------------------------------------------------- */

static int parq_ext_number(const char *what, const char *word, unsigned int end,
			   unsigned int *n, char *reason)
{
	if (!kstrtouint(word, 10, n) && *n < end)
		return 0;
	snprintf(reason, PARQ_REASON_LEN, "%s \"%s\" is not in 0..%u", what, word,
		 end - 1);
	return -EINVAL;
}

static int parq_ext_send(struct parq_dev *pd, char *const word[],
			 unsigned int num, char *reason)
{
	unsigned int index, prio;
	bool xoff;
	int err;

	xoff = !strcmp(word[0], "xoff");
	if (!xoff && strcmp(word[0], "xon")) {
		snprintf(reason, PARQ_REASON_LEN,
			 "\"%s\" is neither xoff nor xon", word[0]);
		return -EINVAL;
	}
	if (num == 1)
		return parq_pause_send_all(pd, xoff, reason);
	err = parq_ext_number("port", word[1], pd->caps.ports, &index, reason);
	if (err)
		return err;
	if (num == 2)
		return parq_pause_send(pd->port[index], 0, xoff, reason);
	err = parq_ext_number("priority", word[2], PARQ_NUM_PRIO, &prio, reason);
	if (err)
		return err;
	return parq_pause_send(pd->port[index], BIT(prio), xoff, reason);
}

/* Syntax: xoff|xon [PORT [PRIORITY]] */
static int parq_ext_request(struct parq_dev *pd, char *text, char *reason)
{
	char *word[PARQ_EXT_WORDS];
	unsigned int num = 0;
	char *next;

	text = strim(text);
	while ((next = strsep(&text, " \t\n"))) {
		if (!*next && num)
			continue;
		if (num == PARQ_EXT_WORDS) {
			snprintf(reason, PARQ_REASON_LEN, "unexpected word \"%s\"",
				 next);
			return -EINVAL;
		}
		word[num++] = next;
	}
	return parq_ext_send(pd, word, num, reason);
}

static ssize_t parq_dbg_ext_write(struct file *file, const char __user *data,
				  size_t len, loff_t *pos)
{
	struct parq_dev *pd = file->private_data;
	char reason[PARQ_REASON_LEN] = "";
	char text[PARQ_EXT_LEN];
	int err;

	if (len >= sizeof(text)) {
		snprintf(reason, sizeof(reason), "a request of %zu bytes is too long", len);
		err = -EINVAL;
		goto refuse;
	}
	if (copy_from_user(text, data, len))
		return -EFAULT;
	text[len] = '\0';
	err = parq_ext_request(pd, text, reason);
	if (!err)
		return len;
refuse:
	if (net_ratelimit())
		dev_err(pd->dev, "external pause refused: %s\n",
			*reason ? reason : parq_refuse_reason(err));
	return err;
}

static const struct file_operations parq_dbg_ext_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = parq_dbg_ext_write,
	.llseek = noop_llseek,
};

/* ---- life --------------------------------------------------------------- */

/**
 * parq_debugfs_port_init() - create the files of a port
 * @port: port of a device that has its directory
 */
void parq_debugfs_port_init(struct parq_port *port)
{
	char name[16];

	snprintf(name, sizeof(name), "port%u", port->index);
	port->debugfs = debugfs_create_dir(name, port->pd->debugfs);
	debugfs_create_file("pfc", PARQ_DEBUGFS_MODE, port->debugfs, port,
			    &parq_dbg_pfc_fops);
	debugfs_create_file("buffers", PARQ_DEBUGFS_MODE, port->debugfs, port,
			    &parq_dbg_buffers_fops);
	debugfs_create_file("sched", PARQ_DEBUGFS_MODE, port->debugfs, port,
			    &parq_dbg_sched_fops);
	debugfs_create_file("park", PARQ_DEBUGFS_MODE, port->debugfs, port,
			    &parq_dbg_park_fops);
	debugfs_create_file("status", PARQ_DEBUGFS_MODE, port->debugfs, port,
			    &parq_dbg_status_fops);
	debugfs_create_file("tx", PARQ_DEBUGFS_MODE, port->debugfs, port,
			    &parq_dbg_tx_fops);
	debugfs_create_file("rx", PARQ_DEBUGFS_MODE, port->debugfs, port,
			    &parq_dbg_rx_fops);
	debugfs_create_file_unsafe("restart_rx", 0200, port->debugfs, port,
				   &parq_dbg_restart_rx_fops);
	debugfs_create_file("pause", PARQ_DEBUGFS_MODE, port->debugfs, port,
			    &parq_dbg_pause_fops);
}

/**
 * parq_debugfs_port_fini() - undo parq_debugfs_port_init()
 * @port: port
 *
 * Waits for readers, which take the ops lock, so it must be called without that lock.
 */
void parq_debugfs_port_fini(struct parq_port *port)
{
	debugfs_remove_recursive(port->debugfs);
}

/**
 * parq_debugfs_init() - create the directory of a device
 * @pd: device
 */
void parq_debugfs_init(struct parq_dev *pd)
{
	pd->debugfs = debugfs_create_dir(dev_name(pd->dev), parq_debugfs_root);
	debugfs_create_file("external_pause", 0200, pd->debugfs, pd,
			    &parq_dbg_ext_fops);
}

/**
 * parq_debugfs_fini() - undo parq_debugfs_init()
 * @pd: device
 */
void parq_debugfs_fini(struct parq_dev *pd)
{
	debugfs_remove_recursive(pd->debugfs);
}

/* Directory of the module. */
void parq_debugfs_create(void)
{
	parq_debugfs_root = debugfs_create_dir(PARQ_DRV_NAME, NULL);
}

void parq_debugfs_destroy(void)
{
	debugfs_remove_recursive(parq_debugfs_root);
}
