// SPDX-License-Identifier: GPL-2.0
/* Device, ports and queues. See parq_hw.h for what each register means. */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/iopoll.h>
#include <linux/parq_hw_switch.h>
#include <linux/ptp_clock_kernel.h>

#include "parq_ets.h"
#include "parq_io.h"
#include "parq_reg.h"

/* ---- Device ------------------------------------------------------------- */

/* These values size allocations and bound indices. */
static int parq_io_caps_check(const struct parq_dev *pd)
{
	const struct parq_caps *caps = &pd->caps;

	if (!caps->chans)
		dev_err(pd->dev, "%u TX queues per port, at least %u needed\n",
			caps->txq, PARQ_NUM_PRIO);
	else if (caps->ring_order < ilog2(PARQ_RING_MIN))
		dev_err(pd->dev, "rings of 2^%u entries, at least 2^%u needed\n",
			caps->ring_order, ilog2(PARQ_RING_MIN));
	else if (caps->vectors < PARQ_MIN_VECS)
		dev_err(pd->dev, "%u interrupt vectors, at least %u needed\n",
			caps->vectors, PARQ_MIN_VECS);
	else if (caps->pipe_depth > PARQ_PIPE_DEPTH_MAX)
		dev_err(pd->dev, "a pipeline of %u frames, at most %u supported\n",
			caps->pipe_depth, PARQ_PIPE_DEPTH_MAX);
	else if (caps->park_order < order_base_2(caps->pipe_depth) ||
		 caps->park_order < PARQ_PARK_MIN_ORDER)
		dev_err(pd->dev, "park queues of 2^%u entries, too small for %u frames\n",
			caps->park_order, caps->pipe_depth);
	else
		return 0;
	return -EOPNOTSUPP;
}

/* Return: bytes of the window of a device whose ports forward. @cap: PARQ_SW_CAP */
static u32 parq_io_window_size(u32 cap, unsigned int ports)
{
	if (cap & PARQ_SW_CAP_EGRESS)
		return PARQ_SW_EGR(ports, 0);
	if (cap & PARQ_SW_CAP_RED)
		return PARQ_SW_RED(ports, 0);
	return PARQ_SW_PORT(ports);
}

/* A device whose ports forward has a window of its own, which tells their number. */
static int parq_io_caps_switch(struct parq_dev *pd)
{
	u32 cap, size = parq_bar_regs_size(pd->max_ports);
	struct parq_caps *caps = &pd->caps;

	if (!caps->window)
		return 0;
	if (caps->window % 4 || caps->window > size - PARQ_SW_PORT(0))
		goto outside;
	cap = parq_reg_rd(pd, caps->window + PARQ_SW_CAP);
	caps->ports = 1 + FIELD_GET(PARQ_SW_CAP_PORTS, cap);
	if (caps->ports <= pd->max_ports &&
	    caps->window <= size - parq_io_window_size(cap, caps->ports))
		return 0;
outside:
	dev_err(pd->dev, "registers for forwarding at %#x, of %u ports: beyond the BAR\n",
		caps->window, caps->ports);
	return -EOPNOTSUPP;
}

static u32 parq_io_cap_flags(u32 cap)
{
	/* Each of these needs another one. */
	if (!(cap & PARQ_CAP_RSS))
		cap &= ~PARQ_CAP_RSS_FIELDS;
	if (!(cap & PARQ_CAP_RSS_FIELDS))
		cap &= ~PARQ_CAP_RULES;
	if (!(cap & PARQ_CAP_RULES))
		cap &= ~PARQ_CAP_RULE_COUNT;
	if (!(cap & PARQ_CAP_PTP))
		cap &= ~PARQ_CAP_LAUNCH;
	return cap;
}

/**
 * parq_io_caps() - read the capabilities of the device
 * @pd: device, after parq_io_reset()
 *
 * Called once in the life of a device. Later reads are not used, because memory has been
 * allocated by the first ones.
 *
 * Return: 0; -EOPNOTSUPP if the driver does not support the device; -ENODEV if it is gone.
 */
int parq_io_caps(struct parq_dev *pd)
{
	struct parq_caps *caps = &pd->caps;
	u32 version = parq_reg_rd(pd, PARQ_VERSION);
	u32 limits = parq_reg_rd(pd, PARQ_LIMITS);
	u32 depth = parq_reg_rd(pd, PARQ_PIPE_DEPTH);
	u32 window = parq_reg_rd(pd, PARQ_SWITCH);
	u32 cap = parq_reg_rd(pd, PARQ_CAP);
	int err;

	if (!parq_dev_ready(pd))
		return -ENODEV;
	caps->version = version;
	caps->flags = parq_io_cap_flags(cap);
	caps->ports = FIELD_GET(PARQ_CAP_PORTS, cap) + 1;
	caps->txq = FIELD_GET(PARQ_CAP_TXQ, cap) + 1;
	caps->rxq = FIELD_GET(PARQ_CAP_RXQ, cap) + 1;
	caps->chans = min3(caps->txq / PARQ_NUM_PRIO, caps->rxq,
			   (unsigned int)PARQ_MAX_CHANS);
	caps->ring_order = min_t(u32, FIELD_GET(PARQ_LIMITS_RING, limits),
				 ilog2(PARQ_RING_MAX));
	caps->park_order = FIELD_GET(PARQ_LIMITS_PARK, limits);
	caps->vectors = FIELD_GET(PARQ_LIMITS_VECTORS, limits);
	caps->pipe_depth = depth;
	caps->window = window;
	err = parq_io_caps_switch(pd);
	return err ?: parq_io_caps_check(pd);
}

/* When READY is set again, all DMA and all interrupts have ended. */
static int parq_io_reset_wait(struct parq_dev *pd)
{
	u32 status;
	int err;

	parq_reg_bus_wr(pd, PARQ_CTRL, PARQ_CTRL_RESET);
	err = read_poll_timeout(parq_reg_bus_rd, status, status & PARQ_STATUS_READY,
				1000, PARQ_RESET_TIMEOUT_MS * 1000, false, pd,
				PARQ_STATUS);
	if (!err && status == ~0U)
		err = -ENODEV;
	if (err)
		dev_err(pd->dev, "not ready after reset, status %#x\n", status);
	return err;
}

/* A device that is gone and its return by a reset: either has DMA as it leaves the other. */
static DEFINE_MUTEX(parq_io_dma_lock);

static void parq_io_dma(struct parq_dev *pd, bool on)
{
	if (pd->bus->dma)
		pd->bus->dma(pd, on);
}

/**
 * parq_io_reset() - reset the device
 * @pd: device; its BARs are mapped, if it has BARs
 *
 * Registers have their reset values afterwards and may be used. PARQ_DEV_GONE is
 * cleared.
 *
 * Context: may sleep, up to PARQ_RESET_TIMEOUT_MS.
 * Return: 0; -ENODEV, no PARQ device answers; -EOPNOTSUPP, its contract has an unknown
 * version; -ETIMEDOUT, it does not become ready.
 */
int parq_io_reset(struct parq_dev *pd)
{
	u32 magic = parq_reg_bus_rd(pd, PARQ_MAGIC);
	u32 major;
	int err;

	if (magic != PARQ_MAGIC_VALUE) {
		dev_err(pd->dev, "magic number is %#x, expected %#x\n", magic,
			PARQ_MAGIC_VALUE);
		return -ENODEV;
	}
	major = FIELD_GET(PARQ_VERSION_MAJOR, parq_reg_bus_rd(pd, PARQ_VERSION));
	if (major != PARQ_VERSION_MAJOR_VALUE) {
		dev_err(pd->dev, "major version is %u, expected %u\n", major,
			PARQ_VERSION_MAJOR_VALUE);
		return -EOPNOTSUPP;
	}

	err = parq_io_reset_wait(pd);
	if (err)
		return err;
	mutex_lock(&parq_io_dma_lock);
	parq_io_dma(pd, true);
	parq_reg_ready(pd);
	mutex_unlock(&parq_io_dma_lock);
	return 0;
}

/**
 * parq_io_off() - end all use of the registers
 * @pd: device
 *
 * Called before power is cut, before a reset by the bus, and at removal. On return the device
 * does not access memory any more: the reset has ended all DMA, or the bus stops it.
 * parq_io_reset() enables register access and DMA again.
 *
 * Context: may sleep, up to PARQ_RESET_TIMEOUT_MS.
 */
void parq_io_off(struct parq_dev *pd)
{
	if (parq_dev_ready(pd))
		parq_io_reset_wait(pd);
	parq_io_dma(pd, false);
	parq_reg_off(pd);
}

/**
 * parq_io_gone() - end DMA of a device that does not answer
 * @pd: device; nothing happens if a reset has brought it back
 *
 * It may be there all the same, and no register can stop it any more. Called before the memory
 * that it knows is freed.
 *
 * Context: may sleep.
 */
void parq_io_gone(struct parq_dev *pd)
{
	mutex_lock(&parq_io_dma_lock);
	if (parq_dev_gone(pd))
		parq_io_dma(pd, false);
	mutex_unlock(&parq_io_dma_lock);
}

bool parq_io_fatal(struct parq_dev *pd)
{
	return parq_reg_rd(pd, PARQ_STATUS) & PARQ_STATUS_FATAL;
}

/* Reads and clears PARQ_ERR. Return: its value. Context: may sleep. */
u32 parq_io_error_take(struct parq_dev *pd, u32 *addr)
{
	u32 err;

	mutex_lock(&pd->err_lock);
	err = parq_reg_error_take(pd, addr);
	mutex_unlock(&pd->err_lock);
	return err;
}

/**
 * parq_io_error_expected() - tell a race with the peer from a defect of the driver
 * @err: PARQ_ERR
 * @addr: PARQ_ERR_ADDR
 *
 * A pause may overtake parq_io_park_set(), and a loss of link may overtake
 * parq_io_fc_send(). Both functions report that themselves.
 *
 * Return: true if there is nothing to report.
 */
bool parq_io_error_expected(u32 err, u32 addr)
{
	u32 reg = addr % PARQ_PORT_SIZE;

	if (FIELD_GET(PARQ_ERR_CAUSE, err) != PARQ_ERR_STATE ||
	    addr < PARQ_PORT(0))
		return false;
	return reg == PARQ_FC_SEND ||
	       (reg >= PARQ_PFC(0) && reg < PARQ_PFC(PARQ_NUM_PRIO) &&
		reg % (PARQ_PFC(1) - PARQ_PFC(0)) == PARQ_PARK_CTRL);
}

/* The doorbell has been written. */
void parq_io_wake(const struct parq_db *db)
{
	parq_reg_wr(db->pd, PARQ_WAKE, db->reg - db->pd->db);
}

int parq_io_events_start(struct parq_dev *pd, unsigned int order,
			 unsigned int vec)
{
	u32 ctrl = PARQ_EVENT_CTRL_EN |
		   FIELD_PREP(PARQ_EVENT_CTRL_SIZE, order) |
		   FIELD_PREP(PARQ_EVENT_CTRL_VEC, vec);

	parq_reg_wr(pd, PARQ_EVENT_BASE_LO, lower_32_bits(pd->ev.dma));
	parq_reg_wr(pd, PARQ_EVENT_BASE_HI, upper_32_bits(pd->ev.dma));
	parq_reg_wr(pd, PARQ_EVENT_CTRL, ctrl);
	return parq_reg_verify(pd, PARQ_EVENT_CTRL, ctrl);
}

void parq_io_events_stop(struct parq_dev *pd)
{
	parq_reg_disable(pd, PARQ_EVENT_CTRL);
}

void parq_io_events_mask(struct parq_dev *pd, u32 mask)
{
	parq_reg_wr(pd, PARQ_EVENT_MASK, mask);
}

void parq_io_events_ack(struct parq_dev *pd, u32 head)
{
	parq_reg_wr(pd, PARQ_EVENT_HEAD, head);
}

/* Number of events that the device could not write since its reset, modulo 2^32. */
u32 parq_io_events_lost(struct parq_dev *pd)
{
	return parq_reg_rd(pd, PARQ_EVENT_LOST);
}

u32 parq_io_launch_missed(struct parq_port *port)
{
	return parq_reg_port_rd(port, PARQ_LAUNCH_MISSED);
}

/*
 * The device's clock, ns. A read of the low half latches the high one, for all readers. If a
 * second read of the low half gives less, it has wrapped, and the high half may be that of
 * another reader.
 */
u64 parq_io_clock(struct parq_dev *pd)
{
	u32 lo = parq_reg_rd(pd, PARQ_TIME_LO);
	u32 hi = parq_reg_rd(pd, PARQ_TIME_HI);

	if (parq_reg_rd(pd, PARQ_TIME_LO) < lo) {
		lo = parq_reg_rd(pd, PARQ_TIME_LO);
		hi = parq_reg_rd(pd, PARQ_TIME_HI);
	}
	return (u64)hi << 32 | lo;
}

/*
 * PTP clock; the caller serializes. @sts: the system's time before and after the read; may be NULL.
 * Return: ns.
 */
u64 parq_io_ptp_time(struct parq_dev *pd, struct ptp_system_timestamp *sts)
{
	u32 lo;

	ptp_read_system_prets(sts);
	lo = parq_reg_rd(pd, PARQ_PTP_TIME_LO);
	ptp_read_system_postts(sts);
	return (u64)parq_reg_rd(pd, PARQ_PTP_TIME_HI) << 32 | lo;
}

void parq_io_ptp_cmd(struct parq_dev *pd, enum parq_ptp_op op, u64 val)
{
	parq_reg_wr(pd, PARQ_PTP_VAL_LO, lower_32_bits(val));
	parq_reg_wr(pd, PARQ_PTP_VAL_HI, upper_32_bits(val));
	parq_reg_wr(pd, PARQ_PTP_CMD, op);
}

void parq_io_ptp_rate(struct parq_dev *pd, s32 rate)
{
	parq_reg_wr(pd, PARQ_PTP_RATE, rate);
}

void parq_io_vec_itr(struct parq_dev *pd, unsigned int vec, u32 ns)
{
	parq_reg_wr(pd, PARQ_VEC_ITR(vec), ns);
}

/* ---- Port --------------------------------------------------------------- */

/**
 * parq_io_port_init() - initialise the register state of a port after a reset
 * @port: port
 */
void parq_io_port_init(struct parq_port *port)
{
	spin_lock_bh(&port->ctrl_lock);
	port->ctrl = 0;
	memset(port->filter, 0, sizeof(port->filter));
	spin_unlock_bh(&port->ctrl_lock);
	parq_reg_port_wr64(port, PARQ_STATS_BASE_LO, port->stats.dma);
}

/* Return: BIT(enum parq_speed) that the port supports. Read once, when the device is probed. */
u32 parq_io_port_speeds(struct parq_port *port)
{
	return parq_reg_port_rd(port, PARQ_LINK_CAP) & (BIT(PARQ_NUM_SPEEDS) - 1);
}

/* If EN is cleared, the device does not access the port's memory any more on return. */
void parq_io_port_ctrl(struct parq_port *port, u32 clear, u32 set)
{
	u32 ctrl;

	spin_lock_bh(&port->ctrl_lock);
	ctrl = (port->ctrl & ~clear) | set;
	if (ctrl != port->ctrl)
		parq_reg_port_wr(port, PARQ_PORT_CTRL, ctrl);
	port->ctrl = ctrl;
	spin_unlock_bh(&port->ctrl_lock);
	if (clear & PARQ_PORT_CTRL_EN)
		parq_reg_port_rd(port, PARQ_PORT_CTRL);
}

void parq_io_status_set(struct parq_port *port)
{
	parq_reg_port_wr64(port, PARQ_STATUS_BASE_LO, port->status_dma);
}

void parq_io_stats_snap(struct parq_port *port, u32 seq)
{
	parq_reg_port_wr(port, PARQ_STATS_SNAP, seq);
}

void parq_io_max_frame(struct parq_port *port, unsigned int mtu)
{
	parq_reg_port_wr(port, PARQ_MAX_FRAME, mtu + ETH_HLEN + ETH_FCS_LEN);
}

void parq_io_link_set(struct parq_port *port, const struct parq_link *link)
{
	u32 ctrl = FIELD_PREP(PARQ_LINK_CTRL_SPEED, link->speed);

	if (link->up)
		ctrl |= PARQ_LINK_CTRL_EN;
	if (link->autoneg)
		ctrl |= PARQ_LINK_CTRL_AN;
	if (link->full)
		ctrl |= PARQ_LINK_CTRL_FULL_DUPLEX;
	parq_reg_port_wr(port, PARQ_LINK_ADV, link->adv | link->adv_pause);
	parq_reg_port_wr(port, PARQ_LINK_CTRL, ctrl);
}

/* Context: parq_port.link_lock is held. */
void parq_io_link_get(struct parq_port *port, struct parq_link *state)
{
	u32 status;

	lockdep_assert_held(&port->link_lock);
	status = parq_reg_port_rd(port, PARQ_PORT_STATUS);
	*state = port->link;
	state->up = status & PARQ_PORT_STATUS_LINK;
	state->present = status & PARQ_PORT_STATUS_PRESENT;
	state->full = status & PARQ_PORT_STATUS_FULL_DUPLEX;
	state->speed = FIELD_GET(PARQ_PORT_STATUS_SPEED, status);
	state->partner = parq_reg_port_rd(port, PARQ_LINK_PARTNER);
}

/* ---- Queues ------------------------------------------------------------- */

int parq_io_txq_start(struct parq_txq *q)
{
	u32 base = PARQ_TXQ(q->index);
	u32 ctrl;

	ctrl = PARQ_TXQ_CTRL_EN | FIELD_PREP(PARQ_TXQ_CTRL_PRIO, q->prio) |
	       FIELD_PREP(PARQ_TXQ_CTRL_SIZE, ilog2(q->ring->mask + 1)) |
	       FIELD_PREP(PARQ_TXQ_CTRL_VEC, q->vec->hw);
	parq_reg_port_wr64(q->port, base + PARQ_TXQ_BASE_LO, q->ring->dma);
	parq_reg_port_wr64(q->port, base + PARQ_TXQ_WB_LO, q->wb_dma);
	parq_reg_port_wr(q->port, base + PARQ_TXQ_CTRL, ctrl);
	/* The device also clears the doorbells. They may be written after this read. */
	return parq_reg_port_verify(q->port, base + PARQ_TXQ_CTRL, ctrl);
}

void parq_io_txq_next(struct parq_txq *q, const struct parq_tx_ring *next)
{
	u32 base = PARQ_TXQ(q->index);

	parq_reg_port_wr64(q->port, base + PARQ_TXQ_NEXT_LO, next->dma);
	parq_reg_port_wr(q->port, base + PARQ_TXQ_NEXT_CTRL,
			 PARQ_TXQ_NEXT_CTRL_VALID |
			 FIELD_PREP(PARQ_TXQ_NEXT_CTRL_SIZE,
				    ilog2(next->mask + 1)));
	/* As above: from here on the doorbells refer to the new ring. */
	parq_reg_port_rd(q->port, base + PARQ_TXQ_NEXT_CTRL);
}

void parq_io_txq_stop(struct parq_txq *q)
{
	parq_reg_disable(q->port->pd, PARQ_PORT(q->port->index) +
			 PARQ_TXQ(q->index) + PARQ_TXQ_CTRL);
}

/*
 * Starts the queue on hold, at position 0 of its ring. If it was on hold before, waiting
 * frames are not lost.
 */
int parq_io_rxq_start(struct parq_rxq *q)
{
	const struct parq_rx_ring *ring = q->ring;
	u32 base = PARQ_RXQ(q->index);
	u32 ctrl;
	int err;

	ctrl = PARQ_RXQ_CTRL_EN | FIELD_PREP(PARQ_RXQ_CTRL_SIZE, ring->order) |
	       FIELD_PREP(PARQ_RXQ_CTRL_VEC, q->vec->hw);
	q->ctrl = 0;
	parq_reg_port_wr(q->port, base + PARQ_RXQ_CTRL, PARQ_RXQ_CTRL_HOLD);
	parq_reg_port_wr64(q->port, base + PARQ_RXQ_FILL_LO, ring->fill_dma);
	parq_reg_port_wr64(q->port, base + PARQ_RXQ_COMP_LO, ring->comp_dma);
	parq_reg_port_wr(q->port, base + PARQ_RXQ_BUF, ring->buf);
	parq_reg_port_wr(q->port, base + PARQ_RXQ_CTRL, ctrl | PARQ_RXQ_CTRL_HOLD);
	err = parq_reg_port_verify(q->port, base + PARQ_RXQ_CTRL,
				   ctrl | PARQ_RXQ_CTRL_HOLD);
	if (!err)
		q->ctrl = ctrl;
	return err;
}

static int parq_io_rxq_ctrl(struct parq_rxq *q, u32 ctrl)
{
	u32 reg = PARQ_RXQ(q->index) + PARQ_RXQ_CTRL;

	parq_reg_port_wr(q->port, reg, ctrl);
	return parq_reg_port_verify(q->port, reg, ctrl);
}

/*
 * Frames wait in the device until parq_io_rxq_release(). After success the device does
 * not write to the ring any more.
 */
int parq_io_rxq_hold(struct parq_rxq *q)
{
	return parq_io_rxq_ctrl(q, q->ctrl | PARQ_RXQ_CTRL_HOLD);
}

/* A queue that did not start is not released. */
int parq_io_rxq_release(struct parq_rxq *q)
{
	return q->ctrl ? parq_io_rxq_ctrl(q, q->ctrl) : -EIO;
}

void parq_io_rxq_stop(struct parq_rxq *q)
{
	q->ctrl = 0;
	parq_reg_disable(q->port->pd, PARQ_PORT(q->port->index) +
			 PARQ_RXQ(q->index) + PARQ_RXQ_CTRL);
}

/* Return: the device has stopped the queue; false if the device is gone. */
bool parq_io_txq_stopped(const struct parq_txq *q)
{
	return parq_reg_port_rd(q->port, PARQ_TXQ(q->index) + PARQ_TXQ_ERR) !=
	       PARQ_ERR_NONE;
}

bool parq_io_rxq_stopped(const struct parq_rxq *q)
{
	return parq_reg_port_rd(q->port, PARQ_RXQ(q->index) + PARQ_RXQ_ERR) !=
	       PARQ_ERR_NONE;
}

/* Return: the position that the device fills next; 0 if the device is gone. */
u32 parq_io_rxq_head(const struct parq_rxq *q)
{
	return parq_reg_port_rd(q->port, PARQ_RXQ(q->index) + PARQ_RXQ_HEAD);
}

/* ---- Register dump, for ethtool -d and devlink health -------------------- */

struct parq_io_range {
	u32 first;
	u32 last;
};

/* Write-only registers and per-vector moderation are left out. */
static const struct parq_io_range parq_dev_ranges[] = {
	{ PARQ_MAGIC, PARQ_PIPE_DEPTH },
	{ PARQ_STATUS, PARQ_TIME_HI },
	{ PARQ_EVENT_BASE_LO, PARQ_EVENT_HEAD },
};

static const struct parq_io_range parq_port_ranges[] = {
	{ PARQ_PORT_CTRL, PARQ_MAX_FRAME },
	{ PARQ_MAC_ADDR_LO, PARQ_STATS_BASE_HI },
	{ PARQ_ETS_PRIO_TC, PARQ_ETS_BW_HI },
	{ PARQ_PFC_CTRL, PARQ_PFC_STORM },
	{ PARQ_FC_CTRL, PARQ_FC_LOW },
	{ PARQ_FC_STATUS, PARQ_RXB_PRIO },
	{ PARQ_TRUST, PARQ_PCP_PRIO(PARQ_NUM_PCP / 8 - 1) },
	{ PARQ_DSCP_PRIO(0), PARQ_REWR(PARQ_NUM_PRIO - 1) },
	{ PARQ_RSS_KEY(0), PARQ_RSS_KEY(PARQ_RSS_KEY_LEN / 4 - 1) },
	{ PARQ_RSS_INDIR(0), PARQ_RSS_INDIR(PARQ_RSS_INDIR_LEN / 4 - 1) },
	{ PARQ_FILTER_LO(0), PARQ_FILTER_HI(PARQ_NUM_FILTERS - 1) },
	{ PARQ_ETS_MAXRATE(0), PARQ_ETS_MAXRATE(PARQ_NUM_TC - 1) },
};

/* Offsets are relative to the first object of a kind. */
static const struct parq_io_range parq_pfc_ranges[] = {
	{ PARQ_PARK_BASE_LO, PARQ_PARK_CTRL },
	{ PARQ_PFC_LEVELS, PARQ_PARK_TAIL },
};

static const struct parq_io_range parq_rxb_range = {
	PARQ_RXB_SIZE, PARQ_RXB_HIGH,
};

static const struct parq_io_range parq_txq_range = {
	PARQ_TXQ_BASE_LO, PARQ_TXQ_ERR,
};

static const struct parq_io_range parq_rxq_range = {
	PARQ_RXQ_FILL_LO, PARQ_RXQ_ERR,
};

static u32 *parq_io_dump_range(struct parq_dev *pd, u32 base,
			       const struct parq_io_range *range, u32 *out)
{
	u32 reg;

	for (reg = base + range->first; reg <= base + range->last; reg += 4) {
		*out++ = reg;
		*out++ = parq_reg_rd(pd, reg);
	}
	return out;
}

static unsigned int parq_io_range_len(const struct parq_io_range *range)
{
	return ((range->last - range->first) / 4 + 1) * 2 * sizeof(u32);
}

/* Return: bytes that parq_io_dump() writes. */
unsigned int parq_io_dump_len(const struct parq_port *port)
{
	unsigned int i, len = 0;

	for (i = 0; i < ARRAY_SIZE(parq_dev_ranges); i++)
		len += parq_io_range_len(&parq_dev_ranges[i]);
	for (i = 0; i < ARRAY_SIZE(parq_port_ranges); i++)
		len += parq_io_range_len(&parq_port_ranges[i]);
	for (i = 0; i < ARRAY_SIZE(parq_pfc_ranges); i++)
		len += parq_io_range_len(&parq_pfc_ranges[i]) * PARQ_NUM_PRIO;
	len += parq_io_range_len(&parq_rxb_range) * PARQ_NUM_RXB;
	len += parq_io_range_len(&parq_txq_range) * port->pd->caps.chans *
	       PARQ_NUM_PRIO;
	return len + parq_io_range_len(&parq_rxq_range) * port->pd->caps.chans;
}

void parq_io_dump(struct parq_port *port, u32 *out)
{
	u32 base = PARQ_PORT(port->index);
	struct parq_dev *pd = port->pd;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(parq_dev_ranges); i++)
		out = parq_io_dump_range(pd, 0, &parq_dev_ranges[i], out);
	for (i = 0; i < ARRAY_SIZE(parq_port_ranges); i++)
		out = parq_io_dump_range(pd, base, &parq_port_ranges[i], out);
	for (n = 0; n < PARQ_NUM_PRIO; n++)
		for (i = 0; i < ARRAY_SIZE(parq_pfc_ranges); i++)
			out = parq_io_dump_range(pd, base + PARQ_PFC(n),
						 &parq_pfc_ranges[i], out);
	for (n = 0; n < PARQ_NUM_RXB; n++)
		out = parq_io_dump_range(pd, base + PARQ_RXB(n),
					 &parq_rxb_range, out);
	for (n = 0; n < pd->caps.chans * PARQ_NUM_PRIO; n++)
		out = parq_io_dump_range(pd, base + PARQ_TXQ(n),
					 &parq_txq_range, out);
	for (n = 0; n < pd->caps.chans; n++)
		out = parq_io_dump_range(pd, base + PARQ_RXQ(n),
					 &parq_rxq_range, out);
}
