// SPDX-License-Identifier: GPL-2.0
/* Connects the stages to each other and to the host. */
#include <linux/bitfield.h>
#include <linux/build_bug.h>
#include <linux/string.h>

#include "sim.h"

/*
 * Interval of looks at the doorbells while drivers cannot be told that the device sleeps, and
 * the number of looks: a page that refuses for longer belongs to no driver that is there.
 */
#define NAP_PS		1000000000ULL
#define MAX_NAPS	32

/* Sets of ports are 64 bits. */
static_assert(PARQ_MAX_PORTS <= 64);

/* ---- construction ------------------------------------------------------- */

static u32 vectors_of(const struct parqsim_config *cfg)
{
	return cfg->ports * (cfg->txq + cfg->rxq) + 1;
}

static bool config_is_sane(const struct parqsim_config *cfg)
{
	return cfg->ports >= 1 &&
	       cfg->ports <= (cfg->forward ? PARQ_MAX_PORTS : PARQ_NIC_PORTS) &&
	       cfg->txq >= 1 && cfg->txq <= PARQ_MAX_TXQ &&
	       cfg->rxq >= 1 && cfg->rxq <= PARQ_MAX_RXQ &&
	       cfg->depth >= PARQSIM_DEPTH_MIN &&
	       cfg->depth <= PARQSIM_DEPTH_MAX && cfg->clk_ps &&
	       cfg->fetch_ns <= PARQSIM_FETCH_MAX_NS &&
	       cfg->speeds && !(cfg->speeds >> PARQ_NUM_SPEEDS) &&
	       cfg->rx_buffer >= PARQSIM_RX_BUFFER_MIN &&
	       cfg->rx_buffer <= PARQSIM_RX_BUFFER_MAX &&
	       vectors_of(cfg) <= PARQ_MAX_VECTORS && !(cfg->addr[0] & 1);
}

static u32 pipes_of(const struct parqsim_config *cfg)
{
	return (cfg->ports + PARQSIM_PIPE_PORTS - 1) / PARQSIM_PIPE_PORTS;
}

/* Ports of the first pipe. No other one has more. */
static u32 pipe_ports(const struct parqsim_config *cfg)
{
	return cfg->ports < PARQSIM_PIPE_PORTS ? cfg->ports : PARQSIM_PIPE_PORTS;
}

/* Credits and the number of markers limit what is in a pipeline. */
static u32 slots_of(const struct parqsim_config *cfg)
{
	return pipe_ports(cfg) * (cfg->depth + BMI_MARKERS);
}

/* What an array has one entry for. */
enum part_unit {
	PART_PORT,
	PART_PIPE,
	PART_VECTOR,
	PART_SLOT,
	PART_REG,
	PART_FWD_PORT,
	PART_DOMAIN,
	PART_FDB,
	PART_VLAN,
	PART_GROUP,
	PART_COPY,
};

/**
 * struct part - an array that follows the core in memory
 * @at: offset of the pointer to it in struct parqsim
 * @size: bytes of an entry; 0 ends the table
 * @unit: what it has an entry for
 */
struct part {
	size_t at;
	size_t size;
	enum part_unit unit;
};

static const struct part parts[] = {
	{ offsetof(struct parqsim, stats), sizeof(struct parq_stats), PART_PORT },
	{ offsetof(struct parqsim, qman.port), sizeof(struct qman_port), PART_PORT },
	{ offsetof(struct parqsim, qman.pipe), sizeof(struct qman_pipe), PART_PIPE },
	{ offsetof(struct parqsim, qmi.port), sizeof(struct qmi_port), PART_PORT },
	{ offsetof(struct parqsim, nti.port), sizeof(struct nti_port), PART_PORT },
	{ offsetof(struct parqsim, mac.port), sizeof(struct mac_port), PART_PORT },
	{ offsetof(struct parqsim, storm.port), sizeof(struct storm_port), PART_PORT },
	{ offsetof(struct parqsim, gro.port), sizeof(struct gro_port), PART_PORT },
	{ offsetof(struct parqsim, steer.port), sizeof(struct steer_port), PART_PORT },
	{ offsetof(struct parqsim, rxbuf.port), sizeof(struct rxbuf_port), PART_PORT },
	{ offsetof(struct parqsim, rxbuf.part), sizeof(struct cells_part), PART_PORT },
	{ offsetof(struct parqsim, rxbuf.pool.port), sizeof(struct pool_port), PART_FWD_PORT },
	{ offsetof(struct parqsim, rxqs.port), sizeof(struct rxq_port), PART_PORT },
	{ offsetof(struct parqsim, fc.port), sizeof(struct fc_port), PART_PORT },
	{ offsetof(struct parqsim, irq.vec), sizeof(struct irq_vec), PART_VECTOR },
	{ offsetof(struct parqsim, bmi), sizeof(struct bmi), PART_PIPE },
	{ offsetof(struct parqsim, slot), sizeof(struct bmi_slot), PART_SLOT },
	{ offsetof(struct parqsim, regs.val), sizeof(u32), PART_REG },
	{ offsetof(struct parqsim, fwd.port), sizeof(struct fwd_port), PART_FWD_PORT },
	{ offsetof(struct parqsim, fwd.domain), sizeof(struct fwd_domain), PART_DOMAIN },
	{ offsetof(struct parqsim, red.port), sizeof(struct red_port), PART_FWD_PORT },
	{ offsetof(struct parqsim, fdb.entry), sizeof(struct fdb_entry), PART_FDB },
	{ offsetof(struct parqsim, fdb.bucket), sizeof(u16), PART_FDB },
	{ offsetof(struct parqsim, vlans.entry), sizeof(struct vlan), PART_VLAN },
	{ offsetof(struct parqsim, vlans.bucket), sizeof(u16), PART_VLAN },
	{ offsetof(struct parqsim, mdb.entry), sizeof(struct mdb_group), PART_GROUP },
	{ offsetof(struct parqsim, mdb.bucket), sizeof(u16), PART_GROUP },
	{ offsetof(struct parqsim, transit.desc), sizeof(struct transit_desc), PART_COPY },
	{ 0 }
};

/* Transit frames that the receive buffers of all ports can store. */
static u32 frames_of(const struct parqsim_config *cfg)
{
	return cfg->forward ? cfg->ports * rxbuf_frames(cfg->rx_buffer) : 0;
}

/* The end of the registers that have a value. */
static u32 regs_end(const struct parqsim_config *cfg)
{
	if (cfg->forward)
		return sim_window(cfg) + PARQ_SW_EGR(cfg->ports, 0);
	return PARQ_PORT(cfg->ports);
}

static size_t units(const struct parqsim_config *cfg, enum part_unit unit)
{
	switch (unit) {
	case PART_PORT:
		return cfg->ports + SIM_SPARE_PORTS;
	case PART_VECTOR:
		return vectors_of(cfg);
	case PART_PIPE:
		return pipes_of(cfg);
	case PART_SLOT:
		return pipes_of(cfg) * slots_of(cfg);
	case PART_FWD_PORT:
		return cfg->forward ? cfg->ports + SIM_SPARE_PORTS : 0;
	case PART_DOMAIN:
		return cfg->forward ? FWD_DOMAINS : 0;
	case PART_FDB:
		return cfg->forward ? FDB_SIZE : 0;
	case PART_VLAN:
		return cfg->forward ? VLAN_SIZE : 0;
	case PART_GROUP:
		return cfg->forward ? MDB_SIZE : 0;
	case PART_COPY:
		return transit_count(frames_of(cfg));
	default:
		return regs_end(cfg) / sizeof(u32);
	}
}

static size_t rounded(size_t size)
{
	return (size + 63) & ~(size_t)63;
}

static size_t part_size(const struct parqsim_config *cfg, const struct part *part)
{
	return rounded(part->size * units(cfg, part->unit));
}

static size_t parts_size(const struct parqsim_config *cfg)
{
	size_t size = rounded(sizeof(struct parqsim));
	const struct part *p;

	for (p = parts; p->size; p++)
		size += part_size(cfg, p);
	return size;
}

size_t parqsim_rx_size(const struct parqsim_config *cfg)
{
	return rxbuf_size(cfg->rx_buffer);
}

/* Receive buffers follow the parts in memory. */
size_t parqsim_size(const struct parqsim_config *cfg)
{
	if (!config_is_sane(cfg))
		return 0;
	return parts_size(cfg) + (cfg->rx_later ? 0 : cfg->ports * parqsim_rx_size(cfg));
}

/* Sets the pointers to the parts. */
static void place_parts(struct parqsim *sim)
{
	u8 *mem = (u8 *)sim + rounded(sizeof(*sim));
	const struct part *p;

	for (p = parts; p->size; p++) {
		memcpy((u8 *)sim + p->at, &mem, sizeof(mem));
		mem += part_size(&sim->cfg, p);
	}
}

void parqsim_rx_memory(struct parqsim *sim, u32 port, void *mem)
{
	rxbuf_memory(&sim->rxbuf, port, mem);
}

static void place_rx_buffers(struct parqsim *sim)
{
	u8 *mem = (u8 *)sim + parts_size(&sim->cfg);
	u32 port;

	for (port = 0; port < sim->cfg.ports; port++, mem += parqsim_rx_size(&sim->cfg))
		parqsim_rx_memory(sim, port, mem);
}

/*
 * Longest time from the QMAN's decision to the gate: fetch, pipeline, and the clocks
 * that an FD may wait for FDs of other ports and for a marker.
 */
static u64 fetch_lead(const struct parqsim_config *cfg)
{
	return cfg->fetch_ns * PARQSIM_PS_PER_NS +
	       (u64)cfg->clk_ps * (cfg->depth + pipe_ports(cfg) + 1);
}

static void connect_pipes(struct parqsim *sim)
{
	const struct parqsim_config *cfg = &sim->cfg;
	struct bmi *b;
	u32 i;

	for (i = 0; i < pipes_of(cfg); i++) {
		b = &sim->bmi[i];
		b->clock = &sim->clock;
		b->nti = &sim->nti;
		b->clk_ps = cfg->clk_ps;
		b->depth = cfg->depth;
		b->slots = slots_of(cfg);
		b->slot = sim->slot + i * slots_of(cfg);
	}
}

static void connect_forwarding(struct parqsim *sim)
{
	sim->qman.transit = &sim->transit;
	sim->qmi.transit = &sim->transit;
	sim->fwd.transit = &sim->transit;
	sim->fwd.fdb = &sim->fdb;
	sim->fwd.vlans = &sim->vlans;
	sim->fwd.mdb = &sim->mdb;
	sim->fwd.red = &sim->red;
	sim->fwd.steer = &sim->steer;
	sim->fwd.rxbuf = &sim->rxbuf;
	sim->fwd.qman = &sim->qman;
	sim->fwd.ports = sim->cfg.ports;
	sim->fdb.clock = &sim->clock;
	sim->fdb.vlans = &sim->vlans;
}

static void connect_stages(struct parqsim *sim)
{
	const struct parqsim_config *cfg = &sim->cfg;
	struct bus *bus = &sim->bus;

	sim->irq.vectors = vectors_of(cfg);
	sim->qman.bus = bus;
	sim->qman.clock = &sim->clock;
	sim->qman.ptp = &sim->ptp;
	sim->qman.irq = &sim->irq;
	sim->qman.events = &sim->events;
	sim->qman.qmi = &sim->qmi;
	sim->qman.stats = sim->stats;
	sim->qman.db = sim->db;
	sim->qman.rings = cfg->rings;
	sim->qman.clk_ps = cfg->clk_ps;
	sim->qman.lead_ps = fetch_lead(cfg);
	sim->qman.pipe_ps = (u64)cfg->clk_ps * cfg->depth;
	sim->qman.depth = cfg->depth;
	sim->qman.ports = cfg->ports;
	sim->qmi.bus = bus;
	sim->qmi.clock = &sim->clock;
	sim->qmi.events = &sim->events;
	sim->qmi.stats = sim->stats;
	sim->qmi.bmi = sim->bmi;
	sim->qmi.ports = cfg->ports;
	sim->nti.bus = bus;
	sim->nti.mac = &sim->mac;
	sim->nti.ports = cfg->ports;
	sim->mac.bus = bus;
	sim->mac.clock = &sim->clock;
	sim->mac.ptp = &sim->ptp;
	sim->mac.stats = sim->stats;
	sim->mac.speeds = cfg->speeds;
	sim->mac.ports = cfg->ports;
	sim->storm.clock = &sim->clock;
	sim->storm.ports = cfg->ports;
	sim->gro.clock = &sim->clock;
	sim->gro.mac = &sim->mac;
	sim->gro.steer = &sim->steer;
	sim->gro.rxbuf = &sim->rxbuf;
	sim->gro.ports = cfg->ports;
	sim->steer.clock = &sim->clock;
	sim->steer.ptp = &sim->ptp;
	sim->steer.stats = sim->stats;
	sim->steer.rxbuf = &sim->rxbuf;
	sim->steer.ports = cfg->ports;
	sim->rxbuf.stats = sim->stats;
	sim->rxbuf.rxqs = &sim->rxqs;
	sim->rxqs.bus = bus;
	sim->rxqs.irq = &sim->irq;
	sim->rxqs.events = &sim->events;
	sim->rxqs.stats = sim->stats;
	sim->rxqs.db = sim->db;
	sim->rxqs.ports = cfg->ports;
	sim->fc.clock = &sim->clock;
	sim->fc.stats = sim->stats;
	sim->fc.mac = &sim->mac;
	sim->fc.ports = cfg->ports;
	connect_pipes(sim);
	connect_forwarding(sim);
}

/* The port number is added to the last three bytes, which wrap. */
static void set_addresses(struct parqsim *sim)
{
	const u8 *a = sim->cfg.addr;
	u32 port, nic;

	for (port = 0; port < sim->cfg.ports; port++) {
		nic = (((u32)a[3] << 16 | a[4] << 8 | a[5]) + port) & 0xffffff;
		sim->mac.port[port].perm = a[0] | a[1] << 8 | a[2] << 16 |
					   (u64)(nic >> 16) << 24 |
					   (u64)(nic >> 8 & 0xff) << 32 |
					   (u64)(nic & 0xff) << 40;
	}
}

/* @max: longest frame with FCS, without tags. */
void sim_max_frame(struct parqsim *sim, u32 port, u32 max)
{
	sim->mac.port[port].max_frame = max;
	sim->qman.port[port].max_len = max - 4 + PARQ_MAX_TAGS;
}

/* Sets registers whose reset value is not 0, and the state that they control. */
static void reset_regs(struct parqsim *sim)
{
	u32 port, i, *val = sim->regs.val;

	memset(val, 0, regs_end(&sim->cfg));
	sim->regs = (struct regs){ .val = val };
	for (port = 0; port < sim->cfg.ports; port++) {
		val = reg_val(sim, PARQ_PORT(port));
		val[PARQ_MAC_ADDR_LO / 4] = sim->mac.port[port].perm;
		val[PARQ_MAC_ADDR_HI / 4] = sim->mac.port[port].perm >> 32;
		for (i = 0; i < PARQ_MAX_RXQ; i++)
			val[(PARQ_RXQ(i) + PARQ_RXQ_BUF) / 4] = 2048;
		val[PARQ_FC_TIME / 4] = sim->fc.port[port].time;
		val[PARQ_FC_REFRESH / 4] = sim->fc.port[port].refresh;
		val[(PARQ_RXB(0) + PARQ_RXB_SIZE) / 4] = sim->cfg.rx_buffer;
		val[(PARQ_RXB(0) + PARQ_RXB_XOFF) / 4] = sim->cfg.rx_buffer;
		val[(PARQ_RXB(0) + PARQ_RXB_XON) / 4] = sim->cfg.rx_buffer;
		sim_max_frame(sim, port, 1518);
	}
}

static void set_status_page(struct parqsim *sim, u32 port, u64 addr)
{
	sim->qmi.port[port].status = addr;
	if (addr)
		sim->paged |= BIT_ULL(port);
	else
		sim->paged &= ~BIT_ULL(port);
}

/* DMA ends first: nothing that a stopping stage writes may reach the host. */
static void reset_stages(struct parqsim *sim)
{
	u32 port;

	event_reset(&sim->events);
	for (port = 0; port < sim->cfg.ports; port++)
		set_status_page(sim, port, 0);
	irq_reset(&sim->irq);
	ptp_reset(&sim->ptp, sim->clock.now);
	gro_reset(&sim->gro);
	mac_reset(&sim->mac);
	storm_reset(&sim->storm);
	for (port = 0; port < sim->cfg.ports; port += PARQSIM_PIPE_PORTS)
		bmi_reset(bmi_of(sim->bmi, port));
	nti_reset(&sim->nti);
	qmi_reset(&sim->qmi);
	qman_reset(&sim->qman);
	steer_reset(&sim->steer);
	rxbuf_reset(&sim->rxbuf);
	rxq_reset(&sim->rxqs);
	fc_reset(&sim->fc);
	if (sim->cfg.forward) {
		fwd_reset(&sim->fwd);
		transit_reset(&sim->transit, frames_of(&sim->cfg));
		fdb_reset(&sim->fdb);
		vlan_reset(&sim->vlans);
		mdb_reset(&sim->mdb);
		red_reset(&sim->red, sim->cfg.ports, sim->cfg.seed);
	}
	memset(sim->stats, 0, sim->cfg.ports * sizeof(sim->stats[0]));
	sim->dozing = false;
	sim->naps = 0;
	sim->untold = 0;
	sim->fatal = false;
	reset_regs(sim);
}

/* The timer only ends a sleep: parqsim_step() reads the doorbells. */
static void nap_end(void *ctx)
{
	(void)ctx;
}

struct parqsim *parqsim_init(void *mem, const struct parqsim_config *cfg,
			     const struct parqsim_host *host, void *ctx,
			     void *db)
{
	struct parqsim *sim = mem;
	u32 port;

	if (!config_is_sane(cfg))
		return NULL;
	sim->cfg = *cfg;
	place_parts(sim);
	sim->bus = (struct bus){ .host = host, .ctx = ctx };
	sim->db = db;
	connect_stages(sim);
	sim_upstream_connect(sim);
	set_addresses(sim);
	event_init(&sim->events, &sim->bus, &sim->irq);
	irq_init(&sim->irq, &sim->bus, &sim->clock);
	timer_init(&sim->nap, nap_end, sim);
	qman_init(&sim->qman);
	for (port = 0; port < cfg->ports; port += PARQSIM_PIPE_PORTS)
		bmi_init(bmi_of(sim->bmi, port));
	mac_init(&sim->mac);
	storm_init(&sim->storm);
	fc_init(&sim->fc);
	fdb_init(&sim->fdb, cfg->seed);
	mdb_init(&sim->mdb, cfg->seed);
	rxbuf_init(&sim->rxbuf, cfg->rx_buffer, cfg->ports, cfg->forward);
	if (!cfg->rx_later)
		place_rx_buffers(sim);
	reset_stages(sim);
	return sim;
}

/* ---- stopping ----------------------------------------------------------- */

static void txq_disable(struct parqsim *sim, u32 port, u32 queue)
{
	nti_settle(&sim->nti, port, queue);
	qman_txq_disable(&sim->qman, port, queue);
}

/*
 * The queue is disabled first: FDs purged after that have a stale epoch and do not
 * complete.
 */
void sim_txq_stop(struct parqsim *sim, u32 port, u32 queue)
{
	txq_disable(sim, port, queue);
	bmi_purge(bmi_of(sim->bmi, port), port, queue, FD_ANY_DOMAIN);
	nti_purge(&sim->nti, port, queue, FD_ANY_DOMAIN);
}

/* Pauses, and storms, of other priorities than @prios end. */
void sim_pfc_enable(struct parqsim *sim, u32 port, u8 prios)
{
	mac_pfc_enable(&sim->mac, port, prios);
	storm_obey(&sim->storm, port, ~prios);
}

/* PARQ_PORT_CTRL_EN has been cleared. */
void sim_port_stop(struct parqsim *sim, u32 port)
{
	u32 i;

	gro_end(&sim->gro, port);
	set_status_page(sim, port, 0);
	if (sim->cfg.forward) {
		fwd_port_down(&sim->fwd, port);
		fwd_ctrl(&sim->fwd, port, 0);
		fdb_flush(&sim->fdb, FDB_ANY_DOMAIN, 0, port);
	}
	qman_port_enable(&sim->qman, port, false);
	for (i = 0; i < sim->cfg.txq; i++)
		if (sim->qman.port[port].txq[i].en)
			txq_disable(sim, port, i);
	for (i = 0; i < sim->cfg.rxq; i++)
		rxq_disable(&sim->rxqs, port, i);
	fc_port_reset(&sim->fc, port);
	rxbuf_empty(&sim->rxbuf, port);
	bmi_purge(bmi_of(sim->bmi, port), port, FD_ANY_QUEUE, FD_ANY_DOMAIN);
	nti_purge(&sim->nti, port, FD_ANY_QUEUE, FD_ANY_DOMAIN);
	qmi_port_purge(&sim->qmi, port);
	qman_port_purge(&sim->qman, port);
	sim_pfc_enable(sim, port, 0);
	mac_link_pause_end(&sim->mac, port);
}

/* A reset turns all PHYs off. The link partners must be told. */
void parqsim_reset(struct parqsim *sim)
{
	struct parqsim_partner self;
	u32 port;

	reset_stages(sim);
	for (port = 0; port < sim->cfg.ports; port++) {
		mac_self(&sim->mac, port, &self);
		sim->bus.host->link(sim->bus.ctx, port, &self);
	}
}

void parqsim_fail(struct parqsim *sim)
{
	parqsim_reset(sim);
	sim->fatal = true;
}

/* ---- time and doorbells ------------------------------------------------- */

static bool write_doze(struct parqsim *sim, u32 port)
{
	u64 page = sim->qmi.port[port].status;

	return !page || bus_write64(&sim->bus, page,
				    sim->dozing || sim->cfg.rings ?
				    PARQ_DOZE_ASLEEP : 0);
}

/* Return: false if there is a page that refuses the write. */
static bool tell_to_ring(struct parqsim *sim)
{
	u64 ports;
	u32 port;

	for (ports = sim->untold; ports; ports &= ports - 1) {
		port = __builtin_ctzll(ports);
		if (write_doze(sim, port))
			sim->untold &= ~BIT_ULL(port);
	}
	return !sim->untold;
}

/* Return: false if a page refused the write. */
static bool set_doze(struct parqsim *sim, bool on)
{
	bool written = true;
	u64 ports;

	if (sim->cfg.rings)
		return tell_to_ring(sim);
	if (sim->dozing == on)
		return true;
	sim->dozing = on;
	for (ports = sim->paged; ports; ports &= ports - 1)
		written &= write_doze(sim, __builtin_ctzll(ports));
	return written;
}

void sim_wake(struct parqsim *sim)
{
	set_doze(sim, false);
}

static bool poll_doorbells(struct parqsim *sim)
{
	u64 ports;
	bool rang;

	for (ports = sim->untold; ports; ports &= ports - 1)
		qman_ring(&sim->qman, __builtin_ctzll(ports), ~0ULL);
	rang = qman_poll(&sim->qman);
	return (sim->rxbuf.waiting && rxbuf_poll(&sim->rxbuf)) || rang;
}

static bool ring_any(struct parqsim *sim)
{
	u32 port;

	for (port = 0; port < sim->cfg.ports; port++)
		qman_ring(&sim->qman, port, ~0ULL);
	return true;
}

bool parqsim_ring(struct parqsim *sim, u32 off)
{
	u32 port = off / PARQ_DB_TX(1, 0), reg = off % PARQ_DB_TX(1, 0);

	if (port >= sim->cfg.ports || reg % PARQ_DB_TX(0, 1))
		return ring_any(sim);
	if (reg < PARQ_DB_TX(0, PARQ_MAX_TXQ))
		return qman_ring(&sim->qman, port, BIT_ULL(reg / PARQ_DB_TX(0, 1)));
	/* Pairs with the barrier in parqsim_doze(), after which that reads the tail. */
	return __atomic_load_n(&sim->rxbuf.waiting, __ATOMIC_RELAXED);
}

bool parqsim_doze(struct parqsim *sim)
{
	bool told = set_doze(sim, true), rang;

	/* Pairs with the barrier between doorbell and doze in the driver. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	sim->rxbuf.left = RXBUF_SOME;
	rang = poll_doorbells(sim);
	sim->rxbuf.left = RXBUF_ALL;
	if (rang) {
		set_doze(sim, false);
		return false;
	}
	if (told) {
		sim->naps = 0;
		return true;
	}
	/* A driver that was not told does not wake the device. */
	set_doze(sim, false);
	if (sim->naps < MAX_NAPS) {
		sim->naps++;
		timer_set(&sim->clock, &sim->nap, sim->clock.now + NAP_PS);
	}
	return true;
}

static u32 step(struct parqsim *sim, u64 now, u32 most)
{
	u32 done = clock_step(&sim->clock, now, most);

	if (!poll_doorbells(sim))
		return done;
	set_doze(sim, false);
	if (done == most)
		return done;
	/* The doorbell counts as one event. */
	return done + 1 + clock_step(&sim->clock, now, most - done - 1);
}

/* Each waiting frame that was delivered is an event beside the @done ones. */
static u32 events_done(struct parqsim *sim, u32 done, u32 most)
{
	done += most - sim->rxbuf.left;
	sim->rxbuf.left = RXBUF_ALL;
	return done < most ? done : most;
}

u32 parqsim_step(struct parqsim *sim, u64 now, u32 most)
{
	sim->rxbuf.left = most;
	return events_done(sim, step(sim, now, most), most);
}

u32 parqsim_events(struct parqsim *sim, u64 now, u64 until, u32 most)
{
	sim->rxbuf.left = most;
	return events_done(sim, clock_events(&sim->clock, now, until, most), most);
}

bool parqsim_run(struct parqsim *sim, u64 now)
{
	return parqsim_step(sim, now, ~0U);
}

u64 parqsim_next(const struct parqsim *sim)
{
	return clock_next(&sim->clock);
}

struct clock *parqsim_clock(struct parqsim *sim)
{
	return &sim->clock;
}

/* ---- the wire's side ---------------------------------------------------- */

void parqsim_rx(struct parqsim *sim, u32 port, const u8 *data, u32 len,
		bool fcs_ok)
{
	mac_rx(&sim->mac, port, data, len, fcs_ok);
}

void parqsim_rx_train(struct parqsim *sim, u32 port, const struct train *t, u32 i, bool end)
{
	if (i < t->n)
		gro_segment(&sim->gro, port, t, i);
	if (end)
		gro_end(&sim->gro, port);
}

u32 parqsim_rx_joins(struct parqsim *sim, u32 port, const struct train *t, u32 i, u32 n)
{
	return gro_joins(&sim->gro, port, t, i, n);
}

void parqsim_rx_joined(struct parqsim *sim, u32 port, u32 n, u64 at)
{
	gro_joined(&sim->gro, port, n, at);
}

bool parqsim_merges(const struct parqsim *sim, u32 port)
{
	return (sim->mac.port[port].ctrl & (PARQ_PORT_CTRL_RX_GRO | PARQ_PORT_CTRL_RX_STAMP)) ==
	       PARQ_PORT_CTRL_RX_GRO;
}

int parqsim_link(struct parqsim *sim, u32 port,
		 const struct parqsim_partner *partner)
{
	u32 st;

	mac_partner(&sim->mac, port, partner);
	st = sim->mac.port[port].status;
	return st & PARQ_PORT_STATUS_LINK ?
	       (int)FIELD_GET(PARQ_PORT_STATUS_SPEED, st) : -1;
}

void parqsim_link_self(const struct parqsim *sim, u32 port,
		       struct parqsim_partner *self)
{
	mac_self(&sim->mac, port, self);
}

/* ---- status page -------------------------------------------------------- */

void sim_status_page(struct parqsim *sim, u32 port, u64 addr)
{
	u32 prio;

	set_status_page(sim, port, addr);
	sim->naps = 0;
	sim->untold &= ~BIT_ULL(port);
	if (!write_doze(sim, port)) {
		if (sim->cfg.rings)
			sim->untold |= BIT_ULL(port);
		sim_wake(sim);
	}
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
		qmi_publish(&sim->qmi, port, prio);
}
