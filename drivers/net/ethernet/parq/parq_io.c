// SPDX-License-Identifier: GPL-2.0
/* Registers. See parq_hw.h for what each of them means. */
#include <linux/bitfield.h>
#include <linux/etherdevice.h>
#include <linux/iopoll.h>

#include "parq_io.h"

/* A single read can fail: so many have to agree on what has consequences. */
#define PARQ_READS	4

/* Reads after which a register that never says the same PARQ_READS times says nothing. */
#define PARQ_READS_MOST	(4 * PARQ_READS)

/* Times that a request is made of which nobody knows whether it was refused. */
#define PARQ_TRIES	4

/*
 * Registers are slow wherever they are. Doorbells are memory of some kind on each
 * bus, and writing them must stay as cheap as that.
 */
static u32 parq_bus_rd(struct parq_dev *pd, u32 reg)
{
	return pd->regs ? readl(pd->regs + reg) : pd->bus->read(pd, reg);
}

static void parq_bus_wr(struct parq_dev *pd, u32 reg, u32 val)
{
	if (pd->regs)
		writel(val, pd->regs + reg);
	else
		pd->bus->write(pd, reg, val);
}

/* Reads a device that may have gone: only PARQ_MAGIC is never all ones. */
static u32 parq_rd(struct parq_dev *pd, u32 reg)
{
	u32 val;

	if (!test_bit(PARQ_DEV_READY, &pd->flags))
		return 0;
	val = parq_bus_rd(pd, reg);
	if (unlikely(val == ~0U) && !parq_io_alive(pd))
		return 0;
	return val;
}

static void parq_wr(struct parq_dev *pd, u32 reg, u32 val)
{
	if (test_bit(PARQ_DEV_READY, &pd->flags))
		parq_bus_wr(pd, reg, val);
}

static u32 parq_port_rd(const struct parq_port *port, u32 reg)
{
	return parq_rd(port->pd, PARQ_PORT(port->index) + reg);
}

static void parq_port_wr(const struct parq_port *port, u32 reg, u32 val)
{
	parq_wr(port->pd, PARQ_PORT(port->index) + reg, val);
}

/* A LO and HI pair. */
static void parq_port_wr64(const struct parq_port *port, u32 lo, u64 val)
{
	parq_port_wr(port, lo, lower_32_bits(val));
	parq_port_wr(port, lo + 4, upper_32_bits(val));
}

/* Whether a control register took what was written; the read also flushes. */
static int parq_took(struct parq_dev *pd, u32 reg, u32 val)
{
	unsigned int i;

	for (i = 0; i < PARQ_READS; i++)
		if (parq_rd(pd, reg) == val)
			break;
	if (!test_bit(PARQ_DEV_READY, &pd->flags))
		return -ENODEV;
	return i < PARQ_READS ? 0 : -EIO;
}

static int parq_port_took(const struct parq_port *port, u32 reg, u32 val)
{
	return parq_took(port->pd, PARQ_PORT(port->index) + reg, val);
}

/*
 * A register that decides something, and may be read wrongly.
 * Return: 0, PARQ_READS reads in a row were the same; -EAGAIN; -ENODEV.
 */
static int parq_port_agreed(const struct parq_port *port, u32 reg, u32 *val)
{
	unsigned int i, same = 0;
	u32 last = 0;

	for (i = 0; i < PARQ_READS_MOST && same < PARQ_READS; i++) {
		*val = parq_port_rd(port, reg);
		same = same && *val == last ? same + 1 : 1;
		last = *val;
	}
	if (!test_bit(PARQ_DEV_READY, &port->pd->flags))
		return -ENODEV;
	return same == PARQ_READS ? 0 : -EAGAIN;
}

/* ---- Device ------------------------------------------------------------- */

/**
 * parq_io_caps() - learn what the device can do
 * @pd: device, after parq_io_reset()
 *
 * Once in the life of a device: what it says later counts for nothing, because
 * memory has been allocated by what it said first.
 *
 * Return: 0, or -EOPNOTSUPP for a device that is too small.
 */
int parq_io_caps(struct parq_dev *pd)
{
	struct parq_caps *caps = &pd->caps;
	u32 limits = parq_rd(pd, PARQ_LIMITS);
	u32 cap = parq_rd(pd, PARQ_CAP);

	caps->flags = cap;
	caps->ports = FIELD_GET(PARQ_CAP_PORTS, cap) + 1;
	caps->txq = FIELD_GET(PARQ_CAP_TXQ, cap) + 1;
	caps->rxq = FIELD_GET(PARQ_CAP_RXQ, cap) + 1;
	caps->chans = min3(caps->txq / PARQ_NUM_PRIO, caps->rxq,
			   (unsigned int)PARQ_MAX_CHANS);
	caps->ring_order = min_t(u32, FIELD_GET(PARQ_LIMITS_RING, limits),
				 ilog2(PARQ_RING_MAX));
	caps->park_order = FIELD_GET(PARQ_LIMITS_PARK, limits);
	caps->vectors = FIELD_GET(PARQ_LIMITS_VECTORS, limits);
	caps->pipe_depth = parq_rd(pd, PARQ_PIPE_DEPTH);

	if (!caps->chans) {
		dev_err(pd->dev, "%u TX queues a port, at least %u needed\n",
			caps->txq, PARQ_NUM_PRIO);
		return -EOPNOTSUPP;
	}
	if (caps->ring_order < ilog2(PARQ_RING_MIN)) {
		dev_err(pd->dev, "rings of 2^%u entries, at least 2^%u needed\n",
			caps->ring_order, ilog2(PARQ_RING_MIN));
		return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * parq_io_reset() - reset the device
 * @pd: device, whose BARs are mapped if it has some
 *
 * Registers are in their reset state afterwards and may be used.
 *
 * Context: may sleep, up to PARQ_RESET_TIMEOUT_MS.
 * Return: 0; -ENODEV, no PARQ device answers; -EOPNOTSUPP, one this driver
 * does not know; -ETIMEDOUT, it does not get ready.
 */
int parq_io_reset(struct parq_dev *pd)
{
	u32 magic = parq_bus_rd(pd, PARQ_MAGIC);
	u32 major, status;
	int err;

	if (magic != PARQ_MAGIC_VALUE) {
		dev_err(pd->dev, "magic number %#x, not %#x\n", magic,
			PARQ_MAGIC_VALUE);
		return -ENODEV;
	}
	major = FIELD_GET(PARQ_VERSION_MAJOR, parq_bus_rd(pd, PARQ_VERSION));
	if (major != PARQ_VERSION_MAJOR_VALUE) {
		dev_err(pd->dev, "major version %u, not %u\n", major,
			PARQ_VERSION_MAJOR_VALUE);
		return -EOPNOTSUPP;
	}

	parq_bus_wr(pd, PARQ_CTRL, PARQ_CTRL_RESET);
	err = read_poll_timeout(parq_bus_rd, status, status & PARQ_STATUS_READY,
				1000, PARQ_RESET_TIMEOUT_MS * 1000, false, pd,
				PARQ_STATUS);
	if (!err && status == ~0U)
		err = -ENODEV;
	if (err) {
		dev_err(pd->dev, "not ready after reset, status %#x\n", status);
		return err;
	}
	set_bit(PARQ_DEV_READY, &pd->flags);
	return 0;
}

/**
 * parq_io_off() - end all use of the registers
 * @pd: device
 *
 * Until the next parq_io_reset(): before power is cut, a reset from outside,
 * or the end.
 */
void parq_io_off(struct parq_dev *pd)
{
	if (test_bit(PARQ_DEV_READY, &pd->flags))
		parq_bus_wr(pd, PARQ_CTRL, PARQ_CTRL_RESET);
	clear_bit(PARQ_DEV_READY, &pd->flags);
}

/* The first to notice tells the others. Context: any. */
static void parq_io_lost(struct parq_dev *pd)
{
	if (test_and_set_bit(PARQ_DEV_GONE, &pd->flags))
		return;
	dev_err(pd->dev, "the device has gone\n");
	if (pd->wq)
		queue_work(pd->wq, &pd->recover);
}

/**
 * parq_io_alive() - look whether the device still is there
 * @pd: device
 *
 * Context: any.
 * Return: false once the device is gone (sticky); true while it is merely quiesced.
 */
bool parq_io_alive(struct parq_dev *pd)
{
	unsigned int i;

	if (parq_dev_gone(pd))
		return false;
	if (!test_bit(PARQ_DEV_READY, &pd->flags))
		return true;
	for (i = 0; i < PARQ_READS; i++)
		if (parq_bus_rd(pd, PARQ_MAGIC) == PARQ_MAGIC_VALUE)
			return true;
	clear_bit(PARQ_DEV_READY, &pd->flags);
	parq_io_lost(pd);
	return false;
}

/* Return: PARQ_VERSION, 0 while there is no device. */
u32 parq_io_version(struct parq_dev *pd)
{
	return parq_rd(pd, PARQ_VERSION);
}

bool parq_io_fatal(struct parq_dev *pd)
{
	return parq_rd(pd, PARQ_STATUS) & PARQ_STATUS_FATAL;
}

static u32 parq_error_take(struct parq_dev *pd, u32 *addr)
{
	u32 err = parq_rd(pd, PARQ_ERR);

	*addr = parq_rd(pd, PARQ_ERR_ADDR);
	if (err)
		parq_wr(pd, PARQ_ERR, 0);
	return err;
}

/**
 * parq_port_request() - write registers and find out whether one was refused
 * @port: port
 * @write: writes them; once more if it has to
 * @what: for @write
 * @ours: registers of the port that matter
 * @tries: how often @write may be called
 *
 * PARQ_ERR has the first refusal only. Another user's, in between, hides ours: so only
 * one refusal, which is not ours, is none. The request is repeated in doubt.
 *
 * Return: 0; -EIO, it was refused, or may have been; -ENODEV.
 */
static int parq_port_request(struct parq_port *port,
			     void (*write)(struct parq_port *port,
					   const void *what),
			     const void *what, bool (*ours)(u32 reg),
			     unsigned int tries)
{
	struct parq_dev *pd = port->pd;
	bool refused;
	u32 err, reg;

	mutex_lock(&pd->err_lock);
	do {
		parq_error_take(pd, &reg);
		write(port, what);
		err = parq_error_take(pd, &reg);
		refused = err && ours(reg - PARQ_PORT(port->index));
	} while (!refused && FIELD_GET(PARQ_ERR_COUNT, err) > 1 && --tries);
	mutex_unlock(&pd->err_lock);
	if (!test_bit(PARQ_DEV_READY, &pd->flags))
		return -ENODEV;
	return refused || !tries ? -EIO : 0;
}

/* Return: PARQ_ERR, which is cleared. Context: may sleep. */
u32 parq_io_error_take(struct parq_dev *pd, u32 *addr)
{
	u32 err;

	mutex_lock(&pd->err_lock);
	err = parq_error_take(pd, addr);
	mutex_unlock(&pd->err_lock);
	return err;
}

/**
 * parq_io_error_expected() - is an illegal access no defect of the driver
 * @err: PARQ_ERR
 * @addr: PARQ_ERR_ADDR
 *
 * A pause may overtake parq_io_park_set(), and the link's end
 * parq_io_fc_send(); they say so by themselves.
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

void parq_io_wake(struct parq_dev *pd)
{
	parq_wr(pd, PARQ_WAKE, 1);
}

int parq_io_events_start(struct parq_dev *pd, unsigned int order,
			 unsigned int vec)
{
	u32 ctrl = PARQ_EVENT_CTRL_EN |
		   FIELD_PREP(PARQ_EVENT_CTRL_SIZE, order) |
		   FIELD_PREP(PARQ_EVENT_CTRL_VEC, vec);

	parq_wr(pd, PARQ_EVENT_BASE_LO, lower_32_bits(pd->ev.dma));
	parq_wr(pd, PARQ_EVENT_BASE_HI, upper_32_bits(pd->ev.dma));
	parq_wr(pd, PARQ_EVENT_CTRL, ctrl);
	return parq_took(pd, PARQ_EVENT_CTRL, ctrl);
}

/* Ends what EN of a control register has started, and waits for it. */
static void parq_io_disable(struct parq_dev *pd, u32 reg)
{
	parq_wr(pd, reg, 0);
	parq_rd(pd, reg);
}

void parq_io_events_stop(struct parq_dev *pd)
{
	parq_io_disable(pd, PARQ_EVENT_CTRL);
}

void parq_io_events_mask(struct parq_dev *pd, u32 mask)
{
	parq_wr(pd, PARQ_EVENT_MASK, mask);
}

void parq_io_events_ack(struct parq_dev *pd, u32 head)
{
	parq_wr(pd, PARQ_EVENT_HEAD, head);
}

/* Of events that the device could not write, since its reset; modulo 2^32. */
u32 parq_io_events_lost(struct parq_dev *pd)
{
	return parq_rd(pd, PARQ_EVENT_LOST);
}

void parq_io_vec_itr(struct parq_dev *pd, unsigned int vec, u32 ns)
{
	parq_wr(pd, PARQ_VEC_ITR(vec), ns);
}

/* ---- Port --------------------------------------------------------------- */

/**
 * parq_io_port_init() - begin with a port that has just been reset
 * @port: port
 */
void parq_io_port_init(struct parq_port *port)
{
	spin_lock_bh(&port->ctrl_lock);
	port->ctrl = 0;
	memset(port->filter, 0, sizeof(port->filter));
	spin_unlock_bh(&port->ctrl_lock);
	parq_port_wr64(port, PARQ_STATS_BASE_LO, port->hw_stats_dma);
}

/* Return: BIT(enum parq_speed) that it can do. As parq_io_caps(), once. */
u32 parq_io_port_speeds(struct parq_port *port)
{
	return parq_port_rd(port, PARQ_LINK_CAP) & (BIT(PARQ_NUM_SPEEDS) - 1);
}

void parq_io_port_addr(struct parq_port *port, u8 addr[ETH_ALEN])
{
	put_unaligned_le32(parq_port_rd(port, PARQ_PERM_ADDR_LO), addr);
	put_unaligned_le16(parq_port_rd(port, PARQ_PERM_ADDR_HI), addr + 4);
}

/* Clearing EN returns when the device has let go of the port's memory. */
void parq_io_port_ctrl(struct parq_port *port, u32 clear, u32 set)
{
	u32 ctrl;

	spin_lock_bh(&port->ctrl_lock);
	ctrl = (port->ctrl & ~clear) | set;
	if (ctrl != port->ctrl)
		parq_port_wr(port, PARQ_PORT_CTRL, ctrl);
	port->ctrl = ctrl;
	spin_unlock_bh(&port->ctrl_lock);
	if (clear & PARQ_PORT_CTRL_EN)
		parq_port_rd(port, PARQ_PORT_CTRL);
}

void parq_io_status_set(struct parq_port *port)
{
	parq_port_wr64(port, PARQ_STATUS_BASE_LO, port->status_dma);
}

void parq_io_stats_snap(struct parq_port *port, u32 seq)
{
	parq_port_wr(port, PARQ_STATS_SNAP, seq);
}

void parq_io_max_frame(struct parq_port *port, unsigned int mtu)
{
	parq_port_wr(port, PARQ_MAX_FRAME, mtu + ETH_HLEN + ETH_FCS_LEN);
}

void parq_io_mac_set(struct parq_port *port, const u8 addr[ETH_ALEN])
{
	parq_port_wr(port, PARQ_MAC_ADDR_LO, get_unaligned_le32(addr));
	parq_port_wr(port, PARQ_MAC_ADDR_HI, get_unaligned_le16(addr + 4));
}

static u64 parq_filter_val(const u8 *addr)
{
	return get_unaligned_le32(addr) |
	       (u64)get_unaligned_le16(addr + 4) << 32 |
	       (u64)PARQ_FILTER_HI_VALID << 32;
}

/* Return: the filter that has this value, or PARQ_NUM_FILTERS. */
static unsigned int parq_filter_find(const struct parq_port *port, u64 val)
{
	unsigned int i;

	for (i = 0; i < PARQ_NUM_FILTERS; i++)
		if (port->filter[i] == val)
			break;
	return i;
}

static void parq_filter_write(struct parq_port *port, unsigned int i, u64 val)
{
	if (port->filter[i] == val)
		return;
	parq_port_wr64(port, PARQ_FILTER_LO(i), val);
	port->filter[i] = val;
}

/**
 * parq_io_filters_set() - receive these addresses, besides the station's
 * @port: port
 * @want: addresses
 * @n: how many, up to PARQ_NUM_FILTERS
 *
 * What the device has already is not written again, so that an address that stays is
 * received all the time.
 *
 * Context: any.
 */
void parq_io_filters_set(struct parq_port *port, const u8 *const *want,
			 unsigned int n)
{
	DECLARE_BITMAP(used, PARQ_NUM_FILTERS) = {};
	unsigned int i, slot;

	spin_lock_bh(&port->ctrl_lock);
	for (i = 0; i < n; i++) {
		slot = parq_filter_find(port, parq_filter_val(want[i]));
		if (slot < PARQ_NUM_FILTERS)
			__set_bit(slot, used);
	}
	for (i = 0; i < n; i++) {
		u64 val = parq_filter_val(want[i]);

		if (parq_filter_find(port, val) < PARQ_NUM_FILTERS)
			continue;
		slot = find_first_zero_bit(used, PARQ_NUM_FILTERS);
		__set_bit(slot, used);
		parq_filter_write(port, slot, val);
	}
	for_each_clear_bit(slot, used, PARQ_NUM_FILTERS)
		parq_filter_write(port, slot, 0);
	spin_unlock_bh(&port->ctrl_lock);
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
	parq_port_wr(port, PARQ_LINK_ADV, link->adv | link->adv_pause);
	parq_port_wr(port, PARQ_LINK_CTRL, ctrl);
}

/* Context: parq_port.link_lock is held. */
void parq_io_link_get(struct parq_port *port, struct parq_link *state)
{
	u32 status;

	lockdep_assert_held(&port->link_lock);
	status = parq_port_rd(port, PARQ_PORT_STATUS);
	*state = port->link;
	state->up = status & PARQ_PORT_STATUS_LINK;
	state->present = status & PARQ_PORT_STATUS_PRESENT;
	state->full = status & PARQ_PORT_STATUS_FULL_DUPLEX;
	state->speed = FIELD_GET(PARQ_PORT_STATUS_SPEED, status);
	state->partner = parq_port_rd(port, PARQ_LINK_PARTNER);
}

void parq_io_rss_set(struct parq_port *port)
{
	unsigned int i;

	if (!(port->pd->caps.flags & PARQ_CAP_RSS))
		return;
	for (i = 0; i < PARQ_RSS_KEY_LEN / 4; i++)
		parq_port_wr(port, PARQ_RSS_KEY(i),
			     get_unaligned_le32(port->rss_key + 4 * i));
	for (i = 0; i < PARQ_RSS_INDIR_LEN / 4; i++)
		parq_port_wr(port, PARQ_RSS_INDIR(i),
			     get_unaligned_le32(port->rss_indir + 4 * i));
	parq_port_wr(port, PARQ_RSS_CTRL,
		     PARQ_RSS_CTRL_EN | PARQ_RSS_CTRL_IPV4 |
		     PARQ_RSS_CTRL_IPV6 | PARQ_RSS_CTRL_TCP |
		     PARQ_RSS_CTRL_UDP);
}

/* ---- Scheduler and pause engine ----------------------------------------- */

static bool parq_io_ets_reg(u32 reg)
{
	return (reg >= PARQ_ETS_PRIO_TC && reg <= PARQ_ETS_APPLY) ||
	       (reg >= PARQ_ETS_MAXRATE(0) && reg < PARQ_ETS_MAXRATE(PARQ_NUM_TC));
}

static void parq_io_ets_write(struct parq_port *port, const void *what)
{
	const struct parq_ets *ets = what;
	unsigned int tc;

	parq_port_wr(port, PARQ_ETS_PRIO_TC, ets->prio_tc);
	parq_port_wr(port, PARQ_ETS_TSA, ets->tsa);
	parq_port_wr(port, PARQ_ETS_BW_LO, ets->bw_lo);
	parq_port_wr(port, PARQ_ETS_BW_HI, ets->bw_hi);
	for (tc = 0; tc < PARQ_NUM_TC; tc++)
		parq_port_wr(port, PARQ_ETS_MAXRATE(tc), ets->maxrate[tc]);
	parq_port_wr(port, PARQ_ETS_APPLY, 1);
}

int parq_io_ets_set(struct parq_port *port, const struct parq_ets *ets)
{
	return parq_port_request(port, parq_io_ets_write, ets, parq_io_ets_reg,
				 PARQ_TRIES);
}

int parq_io_pfc_ctrl(struct parq_port *port, u8 en, bool offload)
{
	u32 ctrl = FIELD_PREP(PARQ_PFC_CTRL_EN, en);

	if (offload)
		ctrl |= PARQ_PFC_CTRL_OFFLOAD;
	parq_port_wr(port, PARQ_PFC_CTRL, ctrl);
	return parq_port_took(port, PARQ_PFC_CTRL, ctrl);
}

int parq_io_park_set(struct parq_port *port, unsigned int prio,
		     dma_addr_t dma, unsigned int order)
{
	u32 base = PARQ_PFC(prio);
	u32 ctrl = 0;
	int err;

	if (order)
		ctrl = PARQ_PARK_CTRL_EN |
		       FIELD_PREP(PARQ_PARK_CTRL_SIZE, order);
	parq_port_wr64(port, base + PARQ_PARK_BASE_LO, dma);
	parq_port_wr(port, base + PARQ_PARK_CTRL, ctrl);
	err = parq_port_took(port, base + PARQ_PARK_CTRL, ctrl);
	if (err == -EIO &&
	    (parq_port_rd(port, base + PARQ_PFC_LEVELS) & PARQ_LEVELS_HOLD))
		err = -EBUSY;
	return err;
}

void parq_io_pfc_cmd(struct parq_port *port, unsigned int prio,
		     enum parq_pfc_op op, u8 seq)
{
	parq_port_wr(port, PARQ_PFC(prio) + PARQ_PFC_CMD,
		     FIELD_PREP(PARQ_PFC_CMD_OP, op) |
		     FIELD_PREP(PARQ_PFC_CMD_SEQ, seq));
}

int parq_io_storm_set(struct parq_port *port, u16 limit_ms, bool forward)
{
	u32 storm = FIELD_PREP(PARQ_PFC_STORM_LIMIT, limit_ms);

	if (forward)
		storm |= PARQ_PFC_STORM_FORWARD;
	parq_port_wr(port, PARQ_PFC_STORM, storm);
	return parq_port_took(port, PARQ_PFC_STORM, storm);
}

void parq_io_storm_obey(struct parq_port *port, u8 prios)
{
	parq_port_wr(port, PARQ_PFC_OBEY,
		     FIELD_PREP(PARQ_PFC_OBEY_PRIOS, prios));
	/* The status page says what has come of it. */
	parq_port_rd(port, PARQ_PFC_OBEY);
}

/* Return: quanta that are left of the pause. */
u32 parq_io_pfc_timer(struct parq_port *port, unsigned int prio)
{
	return parq_port_rd(port, PARQ_PFC(prio) + PARQ_PFC_TIMER);
}

u32 parq_io_park_head(struct parq_port *port, unsigned int prio)
{
	return parq_port_rd(port, PARQ_PFC(prio) + PARQ_PARK_HEAD);
}

u32 parq_io_park_tail(struct parq_port *port, unsigned int prio)
{
	return parq_port_rd(port, PARQ_PFC(prio) + PARQ_PARK_TAIL);
}

/* ---- Receive buffers ---------------------------------------------------- */

/* Return: bytes. As parq_io_caps(), once. */
u32 parq_io_rxb_total(struct parq_port *port)
{
	return parq_port_rd(port, PARQ_RXB_TOTAL);
}

static bool parq_io_rxb_reg(u32 reg)
{
	return reg == PARQ_RXB_PRIO || reg == PARQ_RXB_APPLY ||
	       (reg >= PARQ_RXB(0) && reg < PARQ_RXB(PARQ_NUM_RXB));
}

static void parq_io_rxb_write(struct parq_port *port, const void *what)
{
	const struct parq_rxb *rxb = what;
	unsigned int n;

	parq_port_wr(port, PARQ_RXB_PRIO, rxb->prio);
	for (n = 0; n < PARQ_NUM_RXB; n++) {
		parq_port_wr(port, PARQ_RXB(n) + PARQ_RXB_SIZE, rxb->size[n]);
		parq_port_wr(port, PARQ_RXB(n) + PARQ_RXB_XOFF, rxb->xoff[n]);
		parq_port_wr(port, PARQ_RXB(n) + PARQ_RXB_XON, rxb->xon[n]);
	}
	parq_port_wr(port, PARQ_RXB_APPLY, 1);
}

int parq_io_rxb_apply(struct parq_port *port, const struct parq_rxb *rxb)
{
	return parq_port_request(port, parq_io_rxb_write, rxb, parq_io_rxb_reg,
				 PARQ_TRIES);
}

/* @ctrl: PARQ_FC_CTRL_* */
int parq_io_fc_ctrl(struct parq_port *port, u32 ctrl)
{
	parq_port_wr(port, PARQ_FC_CTRL, ctrl);
	return parq_port_took(port, PARQ_FC_CTRL, ctrl);
}

int parq_io_fc_limit(struct parq_port *port, u16 limit_ms)
{
	parq_port_wr(port, PARQ_FC_LIMIT, limit_ms);
	return parq_port_took(port, PARQ_FC_LIMIT, limit_ms);
}

/* Return: priorities for which the peer is kept paused, BIT(priority). */
u8 parq_io_fc_xoff(struct parq_port *port)
{
	return FIELD_GET(PARQ_FC_STATUS_XOFF,
			 parq_port_rd(port, PARQ_FC_STATUS));
}

/* Return: PARQ_FC_STATUS_*. Context: any. */
u32 parq_io_fc_status(struct parq_port *port)
{
	return parq_port_rd(port, PARQ_FC_STATUS);
}

int parq_io_fc_low(struct parq_port *port, u16 opcode, u8 prios)
{
	u32 low = FIELD_PREP(PARQ_FC_LOW_OPCODE, opcode) |
		  FIELD_PREP(PARQ_FC_LOW_PRIOS, prios);

	parq_port_wr(port, PARQ_FC_LOW, low);
	return parq_port_took(port, PARQ_FC_LOW, low);
}

static bool parq_io_fc_send_reg(u32 reg)
{
	return reg == PARQ_FC_SEND;
}

static void parq_io_fc_send_write(struct parq_port *port, const void *what)
{
	parq_port_wr(port, PARQ_FC_SEND, *(const u32 *)what);
}

/* A second try could send a second frame. */
int parq_io_fc_send(struct parq_port *port, u32 request)
{
	int err = parq_port_request(port, parq_io_fc_send_write, &request,
				    parq_io_fc_send_reg, 1);

	return err == -EIO ? -EBUSY : err;
}

/* Return: bytes in a buffer. */
u32 parq_io_rxb_used(struct parq_port *port, unsigned int n)
{
	return parq_port_rd(port, PARQ_RXB(n) + PARQ_RXB_USED);
}

/* Return: most bytes in it since parq_io_rxb_forget(). */
u32 parq_io_rxb_high(struct parq_port *port, unsigned int n)
{
	return parq_port_rd(port, PARQ_RXB(n) + PARQ_RXB_HIGH);
}

void parq_io_rxb_forget(struct parq_port *port, unsigned int n)
{
	parq_port_wr(port, PARQ_RXB(n) + PARQ_RXB_HIGH, 0);
}

/* ---- Priority of frames -------------------------------------------------- */

static void parq_io_trust_words(struct parq_port *port, u32 reg, const u32 *was,
				const u32 *is, unsigned int num)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		if (!was || was[i] != is[i])
			parq_port_wr(port, reg + 4 * i, is[i]);
}

struct parq_trust_change {
	const struct parq_trust_hw *was;
	const struct parq_trust_hw *is;
};

static bool parq_io_trust_reg(u32 reg)
{
	return reg >= PARQ_TRUST && reg <= PARQ_REWR(PARQ_NUM_PRIO - 1);
}

/* Tables first: the order of trust may be what lets them count. */
static void parq_io_trust_write(struct parq_port *port, const void *what)
{
	const struct parq_trust_change *change = what;
	const struct parq_trust_hw *was = change->was, *hw = change->is;

	parq_io_trust_words(port, PARQ_PCP_PRIO(0), was ? was->pcp : NULL,
			    hw->pcp, ARRAY_SIZE(hw->pcp));
	parq_io_trust_words(port, PARQ_DSCP_PRIO(0), was ? was->dscp : NULL,
			    hw->dscp, ARRAY_SIZE(hw->dscp));
	parq_io_trust_words(port, PARQ_REWR(0), was ? was->rewr : NULL,
			    hw->rewr, ARRAY_SIZE(hw->rewr));
	parq_io_trust_words(port, PARQ_TRUST, was ? &was->trust : NULL,
			    &hw->trust, 1);
}

int parq_io_trust_set(struct parq_port *port, const struct parq_trust_hw *was,
		      const struct parq_trust_hw *hw)
{
	const struct parq_trust_change change = { was, hw }, back = { hw, was };
	int err;

	err = parq_port_request(port, parq_io_trust_write, &change,
				parq_io_trust_reg, PARQ_TRIES);
	if (err == -EIO && was)
		parq_io_trust_write(port, &back);
	return err;
}

/* ---- Queues ------------------------------------------------------------- */

int parq_io_txq_start(struct parq_txq *q)
{
	u32 base = PARQ_TXQ(q->index);
	u32 ctrl;

	ctrl = PARQ_TXQ_CTRL_EN | FIELD_PREP(PARQ_TXQ_CTRL_PRIO, q->prio) |
	       FIELD_PREP(PARQ_TXQ_CTRL_SIZE, ilog2(q->ring->mask + 1)) |
	       FIELD_PREP(PARQ_TXQ_CTRL_VEC, q->vec->hw);
	parq_port_wr64(q->port, base + PARQ_TXQ_BASE_LO, q->ring->dma);
	parq_port_wr64(q->port, base + PARQ_TXQ_WB_LO, q->wb_dma);
	parq_port_wr(q->port, base + PARQ_TXQ_CTRL, ctrl);
	/* The device also sets the doorbells; they may be written after this. */
	return parq_port_took(q->port, base + PARQ_TXQ_CTRL, ctrl);
}

void parq_io_txq_next(struct parq_txq *q, const struct parq_tx_ring *next)
{
	u32 base = PARQ_TXQ(q->index);

	parq_port_wr64(q->port, base + PARQ_TXQ_NEXT_LO, next->dma);
	parq_port_wr(q->port, base + PARQ_TXQ_NEXT_CTRL,
		     PARQ_TXQ_NEXT_CTRL_VALID |
		     FIELD_PREP(PARQ_TXQ_NEXT_CTRL_SIZE,
				ilog2(next->mask + 1)));
	/* As above: the doorbells speak of the new ring from here on. */
	parq_port_rd(q->port, base + PARQ_TXQ_NEXT_CTRL);
}

void parq_io_txq_stop(struct parq_txq *q)
{
	parq_io_disable(q->port->pd, PARQ_PORT(q->port->index) +
			PARQ_TXQ(q->index) + PARQ_TXQ_CTRL);
}

/*
 * Starts the queue at position 0 of its ring, on hold. A queue that is on hold already
 * loses nothing of what waits for it.
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
	parq_port_wr(q->port, base + PARQ_RXQ_CTRL, PARQ_RXQ_CTRL_HOLD);
	parq_port_wr64(q->port, base + PARQ_RXQ_FILL_LO, ring->fill_dma);
	parq_port_wr64(q->port, base + PARQ_RXQ_COMP_LO, ring->comp_dma);
	parq_port_wr(q->port, base + PARQ_RXQ_BUF, PARQ_RX_BUF);
	parq_port_wr(q->port, base + PARQ_RXQ_CTRL, ctrl | PARQ_RXQ_CTRL_HOLD);
	err = parq_port_took(q->port, base + PARQ_RXQ_CTRL,
			     ctrl | PARQ_RXQ_CTRL_HOLD);
	if (!err)
		q->ctrl = ctrl;
	return err;
}

static int parq_io_rxq_ctrl(struct parq_rxq *q, u32 ctrl)
{
	u32 reg = PARQ_RXQ(q->index) + PARQ_RXQ_CTRL;

	parq_port_wr(q->port, reg, ctrl);
	return parq_port_took(q->port, reg, ctrl);
}

/*
 * Frames wait in the device until parq_io_rxq_release(). On success it has written all
 * that it will write to the ring.
 */
int parq_io_rxq_hold(struct parq_rxq *q)
{
	return parq_io_rxq_ctrl(q, q->ctrl | PARQ_RXQ_CTRL_HOLD);
}

/* A queue that did not start stays on hold. */
int parq_io_rxq_release(struct parq_rxq *q)
{
	return q->ctrl ? parq_io_rxq_ctrl(q, q->ctrl) : -EIO;
}

void parq_io_rxq_stop(struct parq_rxq *q)
{
	q->ctrl = 0;
	parq_io_disable(q->port->pd, PARQ_PORT(q->port->index) +
			PARQ_RXQ(q->index) + PARQ_RXQ_CTRL);
}

static int parq_io_queue_stopped(const struct parq_port *port, u32 reg)
{
	u32 val;
	int err = parq_port_agreed(port, reg, &val);

	return err ?: val != PARQ_ERR_NONE;
}

int parq_io_txq_stopped(const struct parq_txq *q)
{
	return parq_io_queue_stopped(q->port, PARQ_TXQ(q->index) + PARQ_TXQ_ERR);
}

int parq_io_rxq_stopped(const struct parq_rxq *q)
{
	return parq_io_queue_stopped(q->port, PARQ_RXQ(q->index) + PARQ_RXQ_ERR);
}

/* ---- Register dump ------------------------------------------------------ */

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

/* Of each object, relative to the first of its kind. */
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
		*out++ = parq_rd(pd, reg);
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
