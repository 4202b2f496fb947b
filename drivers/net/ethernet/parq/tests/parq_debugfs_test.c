// SPDX-License-Identifier: GPL-2.0
/* KUnit suite of what debugfs shows, word for word, and of requests of external pause. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/seq_file.h>
#include <net/sch_generic.h>

#include "../parq_dev.h"
#include "../parq_io.h"
#include "../parq_log.h"
#include "../parq_pause.h"
#include "../parq_port.h"
#include "parq_debugfs_calls.h"

#define PANE_SIZE	4096

/**
 * struct pane - a port, its files, and what the fakes do and have seen
 * @port: port
 * @pd: device
 * @status: status page
 * @fops: the file that the test looks for
 * @data: its data
 * @look: its name
 * @files: number of files
 * @dirs: number of directories
 * @text: what a file has shown
 * @fc_status: PARQ_FC_STATUS
 * @sent: last pause frame of a port
 * @prios: its priorities
 * @all: pause frames of all ports
 * @xoff: the last one stops the peer
 */
struct pane {
	struct parq_port *port;
	struct parq_dev pd;
	struct parq_status status;
	const struct file_operations *fops;
	void *data;
	const char *look;
	unsigned int files;
	unsigned int dirs;
	char text[PANE_SIZE];
	u32 fc_status;
	struct parq_port *sent;
	u8 prios;
	unsigned int all;
	bool xoff;
};

static struct pane *pane;
static const struct net_device_ops pane_ops;

/* ---- fakes -------------------------------------------------------------- */

struct dentry *pane_dir(const char *name)
{
	pane->dirs++;
	return NULL;
}

void pane_file(const char *name, void *data, const struct file_operations *fops)
{
	pane->files++;
	if (strcmp(name, pane->look))
		return;
	pane->fops = fops;
	pane->data = data;
}

void pane_remove(void)
{
	pane->dirs--;
}

u32 parq_io_pfc_timer(struct parq_port *port, unsigned int prio)
{
	return 1000 + prio;
}

u32 parq_io_park_head(struct parq_port *port, unsigned int prio)
{
	return 7;
}

u32 parq_io_park_tail(struct parq_port *port, unsigned int prio)
{
	return prio == 2 ? 20 : 9;
}

u8 parq_io_fc_xoff(struct parq_port *port)
{
	return 0x24;
}

u32 parq_io_rxb_used(struct parq_port *port, unsigned int n)
{
	return 30 + n;
}

u32 parq_io_rxb_high(struct parq_port *port, unsigned int n)
{
	return 40 + n;
}

u32 parq_io_fc_status(struct parq_port *port)
{
	return pane->fc_status;
}

int parq_pause_send(struct parq_port *port, u8 prios, bool xoff, char reason[PARQ_REASON_LEN])
{
	pane->sent = port;
	pane->prios = prios;
	pane->xoff = xoff;
	return 0;
}

int parq_pause_send_all(struct parq_dev *pd, bool xoff, char reason[PARQ_REASON_LEN])
{
	pane->all++;
	pane->xoff = xoff;
	return 0;
}

int parq_queue_restart(struct parq_port *port, unsigned int index)
{
	return 0;
}

const char *parq_refuse_reason(int err)
{
	return "refused";
}

/* ---- cases -------------------------------------------------------------- */

static int pane_init(struct kunit *test)
{
	struct net_device *dev = alloc_etherdev_mqs(sizeof(struct parq_port), 8, 1);

	pane = kunit_kzalloc(test, sizeof(*pane), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, pane);
	pane->port = netdev_priv(dev);
	dev->netdev_ops = &pane_ops;
	pane->port->netdev = dev;
	pane->port->pd = &pane->pd;
	pane->port->status = &pane->status;
	pane->pd.caps.ports = 2;
	pane->pd.port[1] = pane->port;
	pane->pd.dev = root_device_register("parq-pane");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, pane->pd.dev);
	mutex_init(&pane->port->pfc.lock);
	return 0;
}

static void pane_exit(struct kunit *test)
{
	root_device_unregister(pane->pd.dev);
	free_netdev(pane->port->netdev);
}

/* Return: as the file's show function. */
static int pane_show(struct kunit *test, const char *name)
{
	struct inode *inode = kunit_kzalloc(test, sizeof(*inode), GFP_KERNEL);
	struct file *file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);
	struct seq_file *s;
	int err;

	KUNIT_ASSERT_NOT_NULL(test, inode);
	KUNIT_ASSERT_NOT_NULL(test, file);
	pane->look = name;
	pane->fops = NULL;
	parq_debugfs_port_init(pane->port);
	KUNIT_ASSERT_NOT_NULL(test, pane->fops);
	inode->i_private = pane->data;
	KUNIT_ASSERT_EQ(test, pane->fops->open(inode, file), 0);
	s = file->private_data;
	s->buf = pane->text;
	s->size = PANE_SIZE;
	s->count = 0;
	err = s->op->show(s, NULL);
	pane->text[min_t(size_t, s->count, PANE_SIZE - 1)] = 0;
	s->buf = NULL;
	pane->fops->release(inode, file);
	return err;
}

/* Expects a line of what was shown last, the first of which is line 0. */
static void expect_line(struct kunit *test, unsigned int n, const char *expected)
{
	const char *line = pane->text;
	char copy[256];

	for (; n && *line; n--)
		line = strchrnul(line, '\n') + 1;
	strscpy(copy, line, min_t(size_t, sizeof(copy), strchrnul(line, '\n') - line + 1));
	KUNIT_EXPECT_STREQ(test, copy, expected);
}

static unsigned int pane_lines(void)
{
	unsigned int n = 0;
	const char *c;

	for (c = pane->text; *c; c++)
		n += *c == '\n';
	return n;
}

/* Registers of a device that is gone read as 0. */
static void shows_classes(struct kunit *test)
{
	struct parq_pfc *pfc = &pane->port->pfc;
	struct parq_fd fd[4] = {};

	pane->status.pfc[3].levels =
		cpu_to_le64(PARQ_LEVELS_PAUSE | PARQ_LEVELS_STORM | 2 << 8 | 9 << 16);
	pfc->en = 0x08;
	pfc->prio[3] = (struct parq_pfc_class){
		.park = { .fds = fd, .order = 2 }, .spare = { .fds = fd, .order = 3 }, .seq = 4,
		.state = PARQ_FSM_HALTING, .stuck = true, .commands = 5, .refused = 6, .stalls = 7,
	};
	KUNIT_EXPECT_EQ(test, pane_show(test, "pfc"), 0);
	expect_line(test, 0, "down, executor managed");
	expect_line(test, 1, "priority 0: pfc off, idle");
	expect_line(test, 2, "  levels -");
	expect_line(test, 3, "  quanta 1000");
	expect_line(test, 4, "  park queue entries 0 head 7 tail 9");
	expect_line(test, 5, "  commands 0 seq 0 ack 0 refused 0 stalls 0");
	expect_line(test, 16, "priority 3: pfc on, halting, stuck");
	expect_line(test, 17, "  levels PAUSE|STORM");
	expect_line(test, 18, "  quanta 1003");
	expect_line(test, 19, "  park queue entries 4 head 7 tail 9");
	expect_line(test, 20, "  to be replaced by one with 8");
	expect_line(test, 21, "  commands 5 seq 4 ack 9 refused 6 stalls 7");
	KUNIT_EXPECT_EQ(test, pane_lines(), 1 + 8 * 5 + 1U);
	pfc->up = true;
	pfc->offload = true;
	set_bit(PARQ_DEV_GONE, &pane->pd.flags);
	KUNIT_EXPECT_EQ(test, pane_show(test, "pfc"), -ENODEV);
	expect_line(test, 0, "up, executor offload");
	expect_line(test, 16, "priority 3: pfc on, parked, stuck");
}

/* A device that lies about positions: no more than the queue has. */
static void shows_parked_frames(struct kunit *test)
{
	struct parq_fd fd[8] = {
		[7] = {
			.port = 1, .prio = 3, .queue = 11, .flags = PARQ_FD_REC | PARQ_FD_DROP,
			.pos = cpu_to_le32(4), .ndesc = cpu_to_le16(5), .seg = cpu_to_le16(6),
			.len = cpu_to_le16(7), .epoch = cpu_to_le16(8), .order = cpu_to_le32(9),
			.time = cpu_to_le64(10),
		},
	};

	KUNIT_EXPECT_EQ(test, pane_show(test, "park"), 0);
	KUNIT_EXPECT_EQ(test, pane_lines(), 0U);
	pane->port->pfc.prio[3].park = (struct parq_park){ .fds = fd, .order = 3 };
	KUNIT_EXPECT_EQ(test, pane_show(test, "park"), 0);
	expect_line(test, 0, "priority 3: entries 8 head 7 tail 9");
	expect_line(test, 1,
		    "  7: port 1 prio 3 queue 11 pos 4 ndesc 5 seg 6 len 7 epoch 8 order 9 time 10 REC|DROP");
	expect_line(test, 2,
		    "  8: port 0 prio 0 queue 0 pos 0 ndesc 0 seg 0 len 0 epoch 0 order 0 time 0 -");
	KUNIT_EXPECT_EQ(test, pane_lines(), 3U);
	pane->port->pfc.prio[2].park = (struct parq_park){ .fds = fd, .order = 3 };
	pane->port->pfc.prio[3].park.fds = NULL;
	KUNIT_EXPECT_EQ(test, pane_show(test, "park"), 0);
	expect_line(test, 0, "priority 2: entries 8 head 7 tail 20");
	KUNIT_EXPECT_EQ(test, pane_lines(), 9U);
}

static void shows_status(struct kunit *test)
{
	pane->status.doze = cpu_to_le32(1);
	pane->status.pfc[7] = (struct parq_pfc_status){
		.levels = cpu_to_le64(0x10), .park_head = cpu_to_le32(2),
		.park_tail = cpu_to_le32(3), .parked = cpu_to_le64(4),
		.reinjected = cpu_to_le64(5), .passes = cpu_to_le64(6),
		.repauses = cpu_to_le64(7), .pause_ns = cpu_to_le64(8), .storms = cpu_to_le64(9),
	};
	KUNIT_EXPECT_EQ(test, pane_show(test, "status"), 0);
	expect_line(test, 0, "doze 1");
	expect_line(test, 8,
		    "priority 7: levels 0x10 park_head 2 park_tail 3 parked 4 reinjected 5 passes 6 repauses 7 pause_ns 8 storms 9");
	KUNIT_EXPECT_EQ(test, pane_lines(), 9U);
}

static void shows_buffers(struct kunit *test)
{
	struct parq_buf *buf = &pane->port->pfc.buf;

	buf->want = (struct parq_rxb_want){
		.total = 100000, .cable_m = 100, .delay = 5, .mtu = 1500, .lossless = 0x08,
		.speed = PARQ_SPEED_10G, .fastest = PARQ_SPEED_10G,
	};
	buf->rxb.prio = 0x00001000;
	buf->rxb.size[1] = 3000;
	buf->rxb.xoff[1] = 2000;
	buf->rxb.xon[1] = 1000;
	KUNIT_EXPECT_EQ(test, pane_show(test, "buffers"), 0);
	expect_line(test, 0,
		    "down, of the driver, 100000 bytes, cable 100 m, delay 5, mtu 1500, lossless 0x8, paused 0x24");
	/* Either number is the sum of those behind it. */
	expect_line(test, 1,
		    "headroom 9122: media 1 mac 10 pauses 588 wait 1534 ipg 12 pause 72 media 1 phy 4 reaction 3840 frame 1534 step 1526");
	expect_line(test, 2,
		    "restart 7588: mac 2 pauses 588 wait 1534 ipg 12 pause 72 media 1 phy 4 reaction 3840 frame 1534 media 1");
	expect_line(test, 3, "buffer 0: priorities 0xf7 size 0 xoff 0 xon 0 used 30 high 40");
	expect_line(test, 4,
		    "buffer 1: priorities 0x8 size 3000 xoff 2000 xon 1000 used 31 high 41");
	KUNIT_EXPECT_EQ(test, pane_lines(), 11U);
	buf->want.set = true;
	pane->port->pfc.up = true;
	set_bit(PARQ_DEV_GONE, &pane->pd.flags);
	KUNIT_EXPECT_EQ(test, pane_show(test, "buffers"), -ENODEV);
	expect_line(test, 0,
		    "up, of a user, 100000 bytes, cable 100 m, delay 5, mtu 1500, lossless 0x8, paused 0x24");
}

static void shows_selection(struct kunit *test)
{
	struct parq_ets *ets = &pane->port->ets;

	ets->hw = (struct parq_ets_hw){
		.prio_tc = 0x76543211, .tsa = 0x20000020, .bw_lo = 0x00003200, .bw_hi = 0x64000000,
	};
	ets->hw.maxrate[7] = 1234;
	ets->hw.port_rate = 4321;
	ets->slow = 0x80;
	KUNIT_EXPECT_EQ(test, pane_show(test, "sched"), 0);
	expect_line(test, 0, "map dcb, shares dcb, limits dcb, slow 0x80");
	expect_line(test, 1, "tc 0: priorities 0x0 strict weight 0 kbit/s 0");
	expect_line(test, 2, "tc 1: priorities 0x3 ets weight 50 kbit/s 0");
	expect_line(test, 8, "tc 7: priorities 0x80 ets weight 100 kbit/s 1234");
	expect_line(test, 9, "port: kbit/s 4321");
	KUNIT_EXPECT_EQ(test, pane_lines(), 10U);
	ets->tc[PARQ_ETS_USER_ETS] = (struct parq_tc){ .qdisc = "ets", .parts = PARQ_TC_SHARES };
	ets->tc[PARQ_ETS_USER_MQPRIO] = (struct parq_tc){
		.qdisc = "mqprio", .parts = PARQ_TC_RATES,
	};
	KUNIT_EXPECT_EQ(test, pane_show(test, "sched"), 0);
	expect_line(test, 0, "map dcb, shares ets, limits mqprio, slow 0x80");
	ets->tc[PARQ_ETS_USER_ETS].maxrate[2] = 1;
	KUNIT_EXPECT_EQ(test, pane_show(test, "sched"), 0);
	expect_line(test, 0, "map dcb, shares ets, limits tbf, slow 0x80");
}

static void shows_tx_rings(struct kunit *test)
{
	struct parq_txq_wb wb = { .head = cpu_to_le32(5), .state = cpu_to_le32(3 | 9 << 8) };
	struct parq_tx_desc desc[4] = {
		[1] = { .addr = cpu_to_le64(FIELD_PREP(PARQ_TXX_MSS, 400) |
					    FIELD_PREP(PARQ_TXX_HDR_LEN, 54)),
			.info = cpu_to_le64(PARQ_TX_EXT) },
		[2] = { .addr = cpu_to_le64(0x1000),
			.info = cpu_to_le64(60 | PARQ_TX_EOP | PARQ_TX_TSO6 |
					    FIELD_PREP(PARQ_TX_TCI, 0x2001) |
					    FIELD_PREP(PARQ_TX_CSUM_START, 34) |
					    FIELD_PREP(PARQ_TX_CSUM_OFFSET, 16)) },
	};
	struct parq_tx_ring old = { .desc = desc, .mask = 3, .head = 5, .tail = 7 };
	struct parq_tx_ring ring = { .desc = desc, .mask = 3, .head = 1, .tail = 20 };
	struct parq_txq q = {
		.index = 5, .prio = 5, .wb = &wb, .ring = &old, .clean = &old,
		.nq = netdev_get_tx_queue(pane->port->netdev, 5),
	};

	pane->port->txq[5] = &q;
	KUNIT_EXPECT_EQ(test, pane_show(test, "tx"), 0);
	expect_line(test, 0, "queue 5: prio 5 written back 5 of ring 3, drops 9");
	expect_line(test, 1, "  ring of 4: head 5 tail 7");
	expect_line(test, 2, "  5: extension mss 400 headers 54");
	expect_line(test, 3, "  6: addr 0x1000 len 60 tci 0x2001 csum 34+16 EOP|TSO6");
	KUNIT_EXPECT_EQ(test, pane_lines(), 4U);
	/* A replacement, whose positions make no sense. */
	q.ring = &ring;
	q.broken = true;
	netif_tx_stop_queue(q.nq);
	KUNIT_EXPECT_EQ(test, pane_show(test, "tx"), 0);
	expect_line(test, 0, "queue 5: prio 5 written back 5 of ring 3, drops 9 stopped broken");
	expect_line(test, 4, "  ring of 4: head 1 tail 20");
	KUNIT_EXPECT_EQ(test, pane_lines(), 9U);
	pane->port->txq[5] = NULL;
}

static void shows_rx_rings(struct kunit *test)
{
	__le64 fill[4] = { [3] = cpu_to_le64(0x2000) };
	struct parq_rx_comp comp[4] = {
		[3] = {
			.len = cpu_to_le16(60), .tci = cpu_to_le16(0x3001),
			.hash = cpu_to_le32(0x77), .time = cpu_to_le32(8),
			.flags = cpu_to_le32(PARQ_RX_GEN | PARQ_RX_FCS_ERR |
					     FIELD_PREP(PARQ_RX_PRIO, 5)),
		},
	};
	struct parq_rx_ring ring = {
		.comp = comp, .fill = fill, .mask = 3, .pos = 7, .tail = 9, .posted = 8,
	};
	struct parq_chan *chan = kunit_kzalloc(test, sizeof(*chan), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, chan);
	pane->port->chan[7] = chan;
	KUNIT_EXPECT_EQ(test, pane_show(test, "rx"), 0);
	KUNIT_EXPECT_EQ(test, pane_lines(), 0U);
	chan->rxq.index = 7;
	chan->rxq.ring = &ring;
	KUNIT_EXPECT_EQ(test, pane_show(test, "rx"), 0);
	expect_line(test, 0, "queue 7: entries 4 next 7 filled to 9 posted 8");
	expect_line(test, 1,
		    "  7: addr 0x2000 len 60 tci 0x3001 hash 0x77 prio 5 time 8 GEN|FCS_ERR");
	expect_line(test, 2, "  8: addr 0x0 len 0 tci 0x0 hash 0x0 prio 0 time 0 -");
	KUNIT_EXPECT_EQ(test, pane_lines(), 3U);
	ring.tail = 100;
	chan->rxq.starved = true;
	chan->rxq.broken = true;
	KUNIT_EXPECT_EQ(test, pane_show(test, "rx"), 0);
	expect_line(test, 0, "queue 7: entries 4 next 7 filled to 100 posted 8 starved broken");
	KUNIT_EXPECT_EQ(test, pane_lines(), 5U);
}

static void shows_link_pause(struct kunit *test)
{
	struct parq_pause *p = &pane->port->pfc.pause;

	KUNIT_EXPECT_EQ(test, pane_show(test, "pause"), 0);
	expect_line(test, 0, "set: autoneg off rx off tx off");
	expect_line(test, 1, "in force: rx off tx off");
	p->want.rx = true;
	p->fc = PARQ_FC_CTRL_PAUSE_TX;
	p->low_opcode = 514;
	p->low_prios = 0x81;
	pane->fc_status = PARQ_FC_STATUS_PAUSED;
	KUNIT_EXPECT_EQ(test, pane_show(test, "pause"), 0);
	KUNIT_EXPECT_STREQ(test, pane->text,
			   "set: autoneg off rx on tx off\nin force: rx off tx on\n"
			   "pause low: opcode 514 priorities 0x81\n"
			   "paused: 1\npaused low: 0\npfc seen: 0\npeer paused: 0\n");
	p->want.autoneg = true;
	p->want.rx = false;
	p->want.tx = true;
	p->fc = PARQ_FC_CTRL_PAUSE_RX;
	pane->fc_status = PARQ_FC_STATUS_PAUSED_LOW | PARQ_FC_STATUS_PFC_SEEN |
			  PARQ_FC_STATUS_LINK_XOFF;
	set_bit(PARQ_DEV_GONE, &pane->pd.flags);
	KUNIT_EXPECT_EQ(test, pane_show(test, "pause"), -ENODEV);
	KUNIT_EXPECT_STREQ(test, pane->text,
			   "set: autoneg on rx off tx on\nin force: rx on tx off\n"
			   "pause low: opcode 514 priorities 0x81\n"
			   "paused: 0\npaused low: 1\npfc seen: 1\npeer paused: 1\n");
}

/* Return: as the write of a request. */
static int pane_write(struct kunit *test, const char *text)
{
	struct file *file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);
	loff_t pos = 0;

	KUNIT_ASSERT_NOT_NULL(test, file);
	pane->sent = NULL;
	file->private_data = pane->data;
	return pane->fops->write(file, (const char __force __user *)text, strlen(text), &pos);
}

static void external_pause(struct kunit *test)
{
	static const struct {
		const char *text;
		int err;
		bool port;
		u8 prios;
		bool xoff;
	} requests[] = {
		{ "xoff 1 7", 0, true, 0x80, true },
		{ "xon 1 0\n", 0, true, 0x01, false },
		{ " xoff\t 1\n", 0, true, 0, true },
		{ "xoff                   1       7", -EINVAL },	/* 32 bytes */
		{ "xon                    1      7", 0, true, 0x80, false },
		{ "xoff 2", -EINVAL },
		{ "xoff 1 8", -EINVAL },
		{ "xoff -1", -EINVAL },
		{ "xoff 1 7 1", -EINVAL },
		{ "pause 1", -EINVAL },
		{ "", -EINVAL },
	};
	unsigned int i;
	int err;

	pane->look = "external_pause";
	parq_debugfs_init(&pane->pd);
	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		err = pane_write(test, requests[i].text);
		KUNIT_EXPECT_EQ_MSG(test, err, requests[i].err ?: (int)strlen(requests[i].text),
				    "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, !!pane->sent, requests[i].port, "%u", i);
		if (!requests[i].port)
			continue;
		KUNIT_EXPECT_PTR_EQ(test, pane->sent, pane->port);
		KUNIT_EXPECT_EQ_MSG(test, pane->prios, requests[i].prios, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, pane->xoff, requests[i].xoff, "%u", i);
	}
	KUNIT_EXPECT_EQ(test, pane_write(test, "xoff"), 4);
	KUNIT_EXPECT_EQ(test, pane->all, 1U);
	KUNIT_EXPECT_TRUE(test, pane->xoff);
}

static void files_come_and_go(struct kunit *test)
{
	pane->look = "restart_rx";
	parq_debugfs_create();
	parq_debugfs_init(&pane->pd);
	parq_debugfs_port_init(pane->port);
	KUNIT_EXPECT_EQ(test, pane->dirs, 3U);
	KUNIT_EXPECT_EQ(test, pane->files, 10U);
	KUNIT_EXPECT_NOT_NULL(test, pane->fops);
	parq_debugfs_port_fini(pane->port);
	parq_debugfs_fini(&pane->pd);
	parq_debugfs_destroy();
	KUNIT_EXPECT_EQ(test, pane->dirs, 0U);
}

static struct kunit_case pane_cases[] = {
	KUNIT_CASE(shows_classes),
	KUNIT_CASE(shows_parked_frames),
	KUNIT_CASE(shows_status),
	KUNIT_CASE(shows_buffers),
	KUNIT_CASE(shows_selection),
	KUNIT_CASE(shows_tx_rings),
	KUNIT_CASE(shows_rx_rings),
	KUNIT_CASE(shows_link_pause),
	KUNIT_CASE(external_pause),
	KUNIT_CASE(files_come_and_go),
	{}
};

static struct kunit_suite pane_suite = {
	.name = "parq_debugfs",
	.init = pane_init,
	.exit = pane_exit,
	.test_cases = pane_cases,
};

kunit_test_suite(pane_suite);

MODULE_DESCRIPTION("KUnit suite of debugfs");
MODULE_LICENSE("GPL");
