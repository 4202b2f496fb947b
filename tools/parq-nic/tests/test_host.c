// SPDX-License-Identifier: GPL-2.0
/*
 * The whole NIC behind its socket, in real time, with a guest in the same thread: requests of
 * QEMU reach their destination, and a frame travels from a descriptor in guest memory over
 * the wire to a buffer in guest memory.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include <asm/byteorder.h>
#include <linux/bitfield.h>
#include <linux/pci_regs.h>

#include "device_clock.h"
#include "guest.h"
#include "record_to.h"

#define CONFIG		VFIO_PCI_CONFIG_REGION_INDEX
#define D0		0	/* power state in PCI_PM_CTRL */
#define D3HOT		3
#define METRES		1000
#define FRAME_LEN	1000

struct fixture {
	struct loop loop;
	struct host host;
	struct guest guest;
	struct options o;
	char dir[32];
	char socket[48];
	char capture[48];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	strcpy(f->dir, "/tmp/test_host.XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->socket, sizeof(f->socket), "%s/nic", f->dir);
	snprintf(f->capture, sizeof(f->capture), "%s/capture", f->dir);
	f->o = (struct options){
		.spec = {
			.nic = {
				.ports = 2, .txq = 8, .rxq = 2, .depth = 8,
				.clk_ps = 1000,
				.speeds = BIT(PARQ_NUM_SPEEDS) - 1,
				.rx_buffer = PARQSIM_RX_BUFFER_MIN,
				.addr = { 2, 0, 0, 0, 0, 4 },
			},
			.wire = { {
				.kind = WIRE_PEER, .peer = 1,
				.length_m = METRES,
			} },
		},
		.socket = f->socket,
	};
	record_to(&f->o.spec, 0, f->capture);
	record_to(&f->o.spec, 1, f->capture);
	assert_int_equal(loop_init(&f->loop), 0);
	assert_int_equal(host_init(&f->host, &f->o, &f->loop), 0);
	guest_init(&f->guest, &f->host, &f->loop, f->socket);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	guest_fini(&f->guest);
	host_fini(&f->host);
	loop_fini(&f->loop);
	assert_int_not_equal(access(f->socket, F_OK), 0);
	unlink(f->capture);
	assert_int_equal(rmdir(f->dir), 0);
	free(f);
	return 0;
}

static void bar0_takes_words_only(void **state)
{
	struct fixture *f = *state;
	struct guest *g = &f->guest;
	u64 wide = ~0ULL;

	guest_enable(g);
	assert_int_equal(guest_reg(g, PARQ_MAGIC), PARQ_MAGIC_VALUE);
	assert_int_equal(guest_reg(g, PARQ_ERR), 0);
	assert_int_equal(guest_read(g, PARQ_BAR_REGS, 2, 2), 0);
	assert_int_equal(guest_read(g, PARQ_BAR_REGS, 6, 4), 0);
	guest_access(g, true, PARQ_BAR_REGS, PARQ_EVENT_BASE_LO, &wide, 8);
	guest_access(g, false, PARQ_BAR_REGS, PARQ_MAGIC, &wide, 8);
	assert_true(wide == 0);
	assert_int_equal(guest_reg(g, PARQ_EVENT_BASE_LO), 0);
	assert_int_equal(guest_reg(g, PARQ_ERR),
			 FIELD_PREP(PARQ_ERR_CAUSE, PARQ_ERR_ACCESS) |
			 FIELD_PREP(PARQ_ERR_COUNT, 4));
	assert_int_equal(guest_reg(g, PARQ_ERR_ADDR), 2);
}

static void bar2_is_the_same_trapped_or_mapped(void **state)
{
	struct fixture *f = *state;
	struct guest *g = &f->guest;

	guest_enable(g);
	guest_write(g, PARQ_BAR_DB, PARQ_DB_TX(1, 7), 0x12345678, 4);
	assert_int_equal(g->db[PARQ_DB_TX(1, 7) / 4], 0x12345678);
	guest_write(g, PARQ_BAR_DB, PARQ_DB_TX(1, 7) + 1, 0xff, 1);
	assert_int_equal(g->db[PARQ_DB_TX(1, 7) / 4], 0x1234ff78);
	g->db[PARQ_BAR_DB_SIZE / 4 - 1] = 77;
	assert_int_equal(guest_read(g, PARQ_BAR_DB, PARQ_BAR_DB_SIZE - 4, 4),
			 77);
}

/* A device that does not decode its BARs answers like an empty slot. */
static void bars_need_decoding_and_power(void **state)
{
	struct fixture *f = *state;
	struct guest *g = &f->guest;
	u32 pm;

	assert_int_equal(guest_reg(g, PARQ_MAGIC), ~0U);
	guest_enable(g);
	pm = guest_cap(g, PCI_CAP_ID_PM) + PCI_PM_CTRL;
	guest_write(g, CONFIG, pm, D3HOT, 2);
	assert_int_equal(guest_reg(g, PARQ_MAGIC), ~0U);
	guest_write(g, PARQ_BAR_DB, 0, 5, 4);
	assert_int_equal(g->db[0], 0);
	guest_write(g, CONFIG, pm, D0, 2);
	guest_write(g, CONFIG, PCI_COMMAND, PCI_COMMAND_MEMORY, 2);
	assert_int_equal(guest_reg(g, PARQ_MAGIC), PARQ_MAGIC_VALUE);
	assert_int_equal(guest_read(g, CONFIG, PCI_VENDOR_ID, 4),
			 PARQ_PCI_VENDOR | PARQ_PCI_DEVICE << 16);
}

static bool link_is_up(struct guest *g, u32 port)
{
	return guest_reg(g, PARQ_PORT(port) + PARQ_PORT_STATUS) &
	       PARQ_PORT_STATUS_LINK;
}

/* Each kind of reset turns the PHYs off and leaves no state behind. */
static void resets_reset(void **state)
{
	struct fixture *f = *state;
	struct guest *g = &f->guest;
	u32 i, exp;

	for (i = 0; i < 3; i++) {
		guest_enable(g);
		assert_true(link_is_up(g, 0) && link_is_up(g, 1));
		exp = guest_cap(g, PCI_CAP_ID_EXP) + PCI_EXP_DEVCTL;
		if (i == 0) {
			guest_write(g, CONFIG, exp, PCI_EXP_DEVCTL_BCR_FLR, 2);
		} else if (i == 1) {
			guest_reset(g);
		} else {
			guest_fini(g);
			guest_init(g, &f->host, &f->loop, f->socket);
		}
		assert_int_equal(guest_read(g, CONFIG, PCI_COMMAND, 2), 0);
		assert_int_equal(f->host.ports.wire[0]->speed, -1);
		assert_int_equal(f->host.ports.wire[1]->speed, -1);
		guest_write(g, CONFIG, PCI_COMMAND, PCI_COMMAND_MEMORY, 2);
		assert_false(link_is_up(g, 0) || link_is_up(g, 1));
	}
}

static void make_frame(u8 *data)
{
	u32 i;

	memset(data, 0xff, 6);
	for (i = 6; i < FRAME_LEN; i++)
		data[i] = (u8)(i * 31);
	data[12] = 0x88;
	data[13] = 0xb5;
}

static const volatile u32 *tx_head(struct guest *g)
{
	return (const volatile u32 *)(g->mem + GUEST_TX_WB);
}

static const volatile u32 *rx_flags(struct guest *g)
{
	return (const volatile u32 *)(g->mem + GUEST_RX_COMP +
				      offsetof(struct parq_rx_comp, flags));
}

static const volatile u32 *doze(struct guest *g, u32 port)
{
	return (const volatile u32 *)(g->mem + GUEST_STATUS +
				      PARQ_STATUS_PAGE_SIZE * port);
}

/* Reads the time stamps of the two packets of a capture. */
static void capture_times(const char *path, u64 *out, u64 *in)
{
	u32 block[1024], words, n = 0;
	FILE *file = fopen(path, "rb");
	u64 ns;

	assert_non_null(file);
	while (fread(block, 8, 1, file) == 1) {
		words = block[1] / 4 - 2;
		assert_int_equal(fread(block + 2, 4, words, file), words);
		if (block[0] != 6)
			continue;
		ns = (u64)block[3] << 32 | block[4];
		assert_int_equal(block[2], n);
		if (n++)
			*in = ns;
		else
			*out = ns;
	}
	fclose(file);
	assert_int_equal(n, 2);
}

/* Time on the wire: preamble, frame and FCS at 10 Gb/s, then the cable. */
static void check_capture(const char *path)
{
	u64 flight = (8 + FRAME_LEN + 4) * 8 / 10 + METRES * 5;
	u64 in, out;

	capture_times(path, &out, &in);
	assert_in_range(in - out, flight, flight + 1);
	assert_in_range(clock_ns(CLOCK_REALTIME) - out, 0, 60 * NS_PER_S);
}

static void frame_goes_through(void **state)
{
	struct fixture *f = *state;
	struct guest *g = &f->guest;
	const struct parq_rx_comp *comp;
	u8 data[FRAME_LEN];

	guest_enable(g);
	guest_up(g);
	make_frame(data);
	guest_post(g, data, sizeof(data));
	g->db[(PARQ_DB_TX(0, 0) + PARQ_DB_ARM) / 4] = 0;
	g->db[PARQ_DB_TX(0, 0) / 4] = 1;
	assert_true(guest_wait32(g, tx_head(g), cpu_to_le32(1)));
	assert_true(guest_wait32(g, rx_flags(g),
				 cpu_to_le32(PARQ_RX_GEN | PARQ_RX_EOP)));
	comp = (const void *)(g->mem + GUEST_RX_COMP);
	assert_int_equal(le16_to_cpu(comp->len), FRAME_LEN);
	assert_memory_equal(g->mem + GUEST_RX_BUF, data, FRAME_LEN);
	assert_true(guest_wait_idle(g));
	assert_int_equal(guest_irqs(g, 1), 1);
	assert_int_equal(guest_irqs(g, 2), 1);
	assert_int_equal(guest_irqs(g, 3), 0);
	check_capture(f->capture);
}

/* Without bus mastering there is neither DMA nor an interrupt. */
static void dma_needs_bus_master(void **state)
{
	struct fixture *f = *state;
	struct guest *g = &f->guest;
	u8 data[FRAME_LEN];

	guest_enable(g);
	guest_up(g);
	assert_true(guest_wait_idle(g));
	guest_write(g, CONFIG, PCI_COMMAND, PCI_COMMAND_MEMORY, 2);
	make_frame(data);
	guest_post(g, data, sizeof(data));
	g->db[(PARQ_DB_TX(0, 0) + PARQ_DB_ARM) / 4] = 0;
	g->db[PARQ_DB_TX(0, 0) / 4] = 1;
	guest_set_reg(g, PARQ_WAKE, 1);
	assert_true(guest_wait_idle(g));
	assert_int_equal(guest_reg(g, PARQ_PORT(0) + PARQ_TXQ(0) +
				   PARQ_TXQ_ERR), PARQ_ERR_DMA);
	assert_int_equal(*tx_head(g), 0);
	assert_int_equal(f->host.ports.wire[0]->stats.tx, 0);
	assert_int_equal(guest_irqs(g, 1), 0);
}

/* An idle NIC says that it sleeps. PARQ_WAKE makes it see a doorbell. */
static void dozes_and_wakes(void **state)
{
	struct fixture *f = *state;
	struct guest *g = &f->guest;
	u8 data[FRAME_LEN];

	guest_enable(g);
	guest_up(g);
	assert_true(guest_wait_idle(g));
	assert_int_equal(*doze(g, 0), cpu_to_le32(PARQ_DOZE_ASLEEP));
	assert_int_equal(*doze(g, 1), cpu_to_le32(PARQ_DOZE_ASLEEP));
	make_frame(data);
	guest_post(g, data, sizeof(data));
	g->db[PARQ_DB_TX(0, 0) / 4] = 1;
	guest_set_reg(g, PARQ_WAKE, 1);
	assert_int_equal(*doze(g, 0), 0);
	assert_true(guest_wait32(g, tx_head(g), cpu_to_le32(1)));
	assert_true(guest_wait_idle(g));
	assert_int_equal(*doze(g, 0), cpu_to_le32(PARQ_DOZE_ASLEEP));
}

/* A start that fails leaves no socket and truncates no capture file. */
static void failed_start_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	char other[64], wire[64], keep[64];
	struct options o = f->o;
	struct host h;
	struct stat st;
	FILE *file;

	snprintf(other, sizeof(other), "%s/other", f->dir);
	snprintf(wire, sizeof(wire), "%s/wire", f->dir);
	snprintf(keep, sizeof(keep), "%s/keep", f->dir);
	file = fopen(keep, "w");
	assert_non_null(file);
	assert_int_equal(fputc('x', file), 'x');
	fclose(file);

	record_to(&o.spec, 0, keep);
	assert_int_not_equal(host_init(&h, &o, &f->loop), 0);	/* socket in use */
	o.socket = other;
	record_to(&o.spec, 1, "/nowhere/capture");
	spec_unset(&o.spec, "record", 0);
	o.spec.wire[0] = (struct wire_spec){ .kind = WIRE_SOCKET, .listen = true };
	strcpy(o.spec.wire[0].name, wire);
	assert_int_not_equal(host_init(&h, &o, &f->loop), 0);	/* no such dir */
	record_to(&o.spec, 1, keep);
	o.spec.wire[1] = (struct wire_spec){ .kind = WIRE_TAP, .name = "lo" };
	assert_int_not_equal(host_init(&h, &o, &f->loop), 0);	/* no TAP */
	assert_int_not_equal(access(other, F_OK), 0);
	assert_int_not_equal(access(wire, F_OK), 0);
	assert_int_equal(stat(keep, &st), 0);
	assert_int_equal(st.st_size, 1);
	unlink(keep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(bar0_takes_words_only, setup,
						teardown),
		cmocka_unit_test_setup_teardown(bar2_is_the_same_trapped_or_mapped,
						setup, teardown),
		cmocka_unit_test_setup_teardown(bars_need_decoding_and_power,
						setup, teardown),
		cmocka_unit_test_setup_teardown(resets_reset, setup, teardown),
		cmocka_unit_test_setup_teardown(frame_goes_through, setup,
						teardown),
		cmocka_unit_test_setup_teardown(dma_needs_bus_master, setup,
						teardown),
		cmocka_unit_test_setup_teardown(dozes_and_wakes, setup,
						teardown),
		cmocka_unit_test_setup_teardown(failed_start_leaves_nothing,
						setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
