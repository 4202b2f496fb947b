// SPDX-License-Identifier: GPL-2.0
/* Configuration space, accessed as by firmware and Linux. */
#include <errno.h>
#include <linux/pci_regs.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pci_config.h"

#define VECTORS	1025
#define SERIAL	0x0211223344556677

struct rig {
	struct pci_config *cfg;
	u32 flrs;
	u32 pending;		/* pending vector; -1: none */
	u32 command_at_flr;
};

static u32 get(struct pci_config *cfg, u32 off, u32 len)
{
	u32 val = 0;

	assert_int_equal(pci_config_read(cfg, off, &val, len), 0);
	return val;
}

static void put(struct pci_config *cfg, u32 off, u32 len, u32 val)
{
	assert_int_equal(pci_config_write(cfg, off, &val, len), 0);
}

static void rig_flr(void *ctx)
{
	struct rig *rig = ctx;

	rig->flrs++;
	rig->command_at_flr = get(rig->cfg, PCI_COMMAND, 2);
}

static bool rig_pending(void *ctx, u32 vector)
{
	struct rig *rig = ctx;

	return vector == rig->pending;
}

static const struct pci_config_ops rig_ops = {
	.flr = rig_flr,
	.msix_pending = rig_pending,
};

static const struct pci_config_id rig_id = {
	.vendor = 0x5051,
	.device = 0x0bb1,
	.subsys_vendor = 0x1234,
	.subsys = 0x5678,
	.revision = 7,
	.class = 0x020000,
	.bar_size = { 0x40000, 0x10000 },
	.vectors = VECTORS,
	.serial = SERIAL,
};

static int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	rig->pending = -1;
	*state = rig;
	return pci_config_create(&rig->cfg, &rig_id, &rig_ops, rig);
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	pci_config_destroy(rig->cfg);
	free(rig);
	return 0;
}

/* Finds a capability in the list and returns its offset. */
static u32 find_cap(struct pci_config *cfg, u8 id)
{
	u32 pos = get(cfg, PCI_CAPABILITY_LIST, 1), n;

	for (n = 0; pos && n < 48; n++) {
		if (get(cfg, pos, 1) == id)
			return pos;
		pos = get(cfg, pos + 1, 1);
	}
	fail_msg("no capability %#x", id);
	return 0;
}

static u32 find_ext_cap(struct pci_config *cfg, u16 id)
{
	u32 pos = PCI_CFG_SPACE_SIZE, n;

	for (n = 0; pos && n < 48; n++) {
		u32 header = get(cfg, pos, 4);

		if (PCI_EXT_CAP_ID(header) == id)
			return pos;
		pos = PCI_EXT_CAP_NEXT(header);
	}
	return 0;
}

static void test_header(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(get(rig->cfg, PCI_VENDOR_ID, 4), 0x0bb15051);
	assert_int_equal(get(rig->cfg, PCI_CLASS_REVISION, 4), 0x02000007);
	assert_int_equal(get(rig->cfg, PCI_SUBSYSTEM_VENDOR_ID, 4), 0x56781234);
	assert_int_equal(get(rig->cfg, PCI_HEADER_TYPE, 1),
			 PCI_HEADER_TYPE_NORMAL);
	assert_int_equal(get(rig->cfg, PCI_STATUS, 2), PCI_STATUS_CAP_LIST);
	assert_int_equal(get(rig->cfg, PCI_INTERRUPT_PIN, 1), 0);

	/* Writes do not change the identity. */
	put(rig->cfg, PCI_VENDOR_ID, 4, 0);
	put(rig->cfg, PCI_CLASS_REVISION, 4, 0xffffffff);
	put(rig->cfg, PCI_STATUS, 2, 0xffff);
	assert_int_equal(get(rig->cfg, PCI_VENDOR_ID, 4), 0x0bb15051);
	assert_int_equal(get(rig->cfg, PCI_CLASS_REVISION, 4), 0x02000007);
	assert_int_equal(get(rig->cfg, PCI_STATUS, 2), PCI_STATUS_CAP_LIST);
}

static void test_bar_sizing(void **state)
{
	/* 1025 vectors: five pages of table and one of pending bits. */
	static const u32 want[] = { 0x40000, 0x10000, 0x8000 };
	struct rig *rig = *state;
	u32 i;

	for (i = 0; i < 3; i++) {
		u32 bar = PCI_BASE_ADDRESS_0 + 8 * i;

		assert_int_equal(get(rig->cfg, bar, 4),
				 PCI_BASE_ADDRESS_MEM_TYPE_64);
		put(rig->cfg, bar, 4, 0xffffffff);
		put(rig->cfg, bar + 4, 4, 0xffffffff);
		assert_int_equal(get(rig->cfg, bar, 4),
				 (-want[i]) | PCI_BASE_ADDRESS_MEM_TYPE_64);
		assert_int_equal(get(rig->cfg, bar + 4, 4), 0xffffffff);
		put(rig->cfg, bar, 4, 0xfe123456);
		put(rig->cfg, bar + 4, 4, 0x12);
		assert_int_equal(get(rig->cfg, bar, 4),
				 (0xfe123456 & -want[i]) |
				 PCI_BASE_ADDRESS_MEM_TYPE_64);
		assert_int_equal(get(rig->cfg, bar + 4, 4), 0x12);
		assert_int_equal(pci_config_bar_size(rig->cfg, 2 * i), want[i]);
		assert_int_equal(pci_config_bar_size(rig->cfg, 2 * i + 1), 0);
	}
	put(rig->cfg, PCI_ROM_ADDRESS, 4, 0xffffffff);
	assert_int_equal(get(rig->cfg, PCI_ROM_ADDRESS, 4), 0);
	assert_int_equal(pci_config_bar_size(rig->cfg, 6), 0);
}

static void test_command(void **state)
{
	struct rig *rig = *state;

	assert_false(pci_config_bus_master(rig->cfg));
	assert_false(pci_config_memory(rig->cfg));
	put(rig->cfg, PCI_COMMAND, 2, 0xffff);
	assert_true(pci_config_bus_master(rig->cfg));
	assert_true(pci_config_memory(rig->cfg));
	assert_int_equal(get(rig->cfg, PCI_COMMAND, 2),
			 PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |
			 PCI_COMMAND_PARITY | PCI_COMMAND_SERR |
			 PCI_COMMAND_INTX_DISABLE);
	/* A write of one byte leaves the other alone. */
	put(rig->cfg, PCI_COMMAND, 1, PCI_COMMAND_MEMORY);
	assert_false(pci_config_bus_master(rig->cfg));
	assert_int_equal(get(rig->cfg, PCI_COMMAND + 1, 1),
			 (PCI_COMMAND_SERR | PCI_COMMAND_INTX_DISABLE) >> 8);
}

static void test_power(void **state)
{
	struct rig *rig = *state;
	u32 pm = find_cap(rig->cfg, PCI_CAP_ID_PM) + PCI_PM_CTRL;

	assert_false(pci_config_d3hot(rig->cfg));
	put(rig->cfg, pm, 2, 3);
	assert_true(pci_config_d3hot(rig->cfg));
	/* D1 and D2 are not supported: nothing happens. */
	put(rig->cfg, pm, 2, 1);
	assert_true(pci_config_d3hot(rig->cfg));
	put(rig->cfg, pm, 2, 0);
	assert_false(pci_config_d3hot(rig->cfg));
	put(rig->cfg, pm, 2, 2);
	assert_int_equal(get(rig->cfg, pm, 2), PCI_PM_CTRL_NO_SOFT_RESET);
}

static void test_msix(void **state)
{
	struct rig *rig = *state;
	u32 msix = find_cap(rig->cfg, PCI_CAP_ID_MSIX);
	u32 pba = get(rig->cfg, msix + PCI_MSIX_PBA, 4);
	u64 word = 1;

	assert_int_equal(get(rig->cfg, msix + PCI_MSIX_FLAGS, 2), VECTORS - 1);
	assert_int_equal(get(rig->cfg, msix + PCI_MSIX_TABLE, 4), 4);
	assert_int_equal(pba & PCI_MSIX_PBA_BIR, 4);
	pba &= PCI_MSIX_PBA_OFFSET;
	assert_int_equal(pba, 5 * 4096);

	assert_false(pci_config_msix_enabled(rig->cfg));
	assert_false(pci_config_msix_masked(rig->cfg));
	put(rig->cfg, msix + PCI_MSIX_FLAGS, 2, 0xffff);
	assert_true(pci_config_msix_enabled(rig->cfg));
	assert_true(pci_config_msix_masked(rig->cfg));
	assert_int_equal(get(rig->cfg, msix + PCI_MSIX_FLAGS, 2),
			 PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL |
			 (VECTORS - 1));

	assert_int_equal(pci_config_msix_read(rig->cfg, pba, &word, 8), 0);
	assert_int_equal(word, 0);
	rig->pending = 1024;
	assert_int_equal(pci_config_msix_read(rig->cfg, pba + 128, &word, 8), 0);
	assert_int_equal(word, 1);
	rig->pending = 9;
	assert_int_equal(pci_config_msix_read(rig->cfg, pba, &word, 8), 0);
	assert_int_equal(word, 1 << 9);
	/* The byte before the pending bits is unused. */
	assert_int_equal(pci_config_msix_read(rig->cfg, pba - 1, &word, 8), 0);
	assert_int_equal(word, 1 << 17);

	assert_int_equal(pci_config_msix_read(rig->cfg, 0x8000 - 4, &word, 8),
			 -EINVAL);
	assert_int_equal(pci_config_msix_read(rig->cfg, -1, &word, 2), -EINVAL);
}

static void test_flr(void **state)
{
	struct rig *rig = *state;
	u32 exp = find_cap(rig->cfg, PCI_CAP_ID_EXP);
	u32 msix = find_cap(rig->cfg, PCI_CAP_ID_MSIX) + PCI_MSIX_FLAGS;
	u32 aer = find_ext_cap(rig->cfg, PCI_EXT_CAP_ID_ERR);
	u32 ctl = exp + PCI_EXP_DEVCTL;

	assert_true(get(rig->cfg, exp + PCI_EXP_DEVCAP, 4) & PCI_EXP_DEVCAP_FLR);
	put(rig->cfg, PCI_COMMAND, 2, 6);
	put(rig->cfg, PCI_BASE_ADDRESS_0, 4, 0xfe000000);
	put(rig->cfg, msix, 2, PCI_MSIX_FLAGS_ENABLE);
	put(rig->cfg, ctl, 2, PCI_EXP_DEVCTL_PAYLOAD_256B);
	put(rig->cfg, aer + PCI_ERR_UNCOR_MASK, 4, PCI_ERR_UNC_UNSUP);
	assert_int_equal(rig->flrs, 0);

	put(rig->cfg, ctl, 2, PCI_EXP_DEVCTL_PAYLOAD_256B |
	    PCI_EXP_DEVCTL_BCR_FLR);
	assert_int_equal(rig->flrs, 1);
	assert_int_equal(rig->command_at_flr, 0);
	assert_int_equal(get(rig->cfg, PCI_BASE_ADDRESS_0, 4), 4);
	assert_false(pci_config_msix_enabled(rig->cfg));
	/* The FLR bit reads as 0. Payload size and error masks survive the reset. */
	assert_int_equal(get(rig->cfg, ctl, 2) & (PCI_EXP_DEVCTL_BCR_FLR |
						  PCI_EXP_DEVCTL_PAYLOAD),
			 PCI_EXP_DEVCTL_PAYLOAD_256B);
	assert_int_equal(get(rig->cfg, aer + PCI_ERR_UNCOR_MASK, 4),
			 PCI_ERR_UNC_UNSUP);

	/* A write of that byte alone, or of a range with it, resets, too. */
	put(rig->cfg, ctl + 1, 1, PCI_EXP_DEVCTL_BCR_FLR >> 8);
	put(rig->cfg, ctl, 4, PCI_EXP_DEVCTL_BCR_FLR);
	assert_int_equal(rig->flrs, 3);
	put(rig->cfg, ctl, 1, 0xff);
	put(rig->cfg, ctl + 2, 2, 0xffff);
	assert_int_equal(rig->flrs, 3);
}

static void test_reset(void **state)
{
	struct rig *rig = *state;
	u8 before[PCI_CONFIG_SIZE], after[PCI_CONFIG_SIZE], ones[64];
	u32 off;

	assert_int_equal(pci_config_read(rig->cfg, 0, before, sizeof(before)),
			 0);
	memset(ones, 0xff, sizeof(ones));
	for (off = 0; off < PCI_CONFIG_SIZE; off += sizeof(ones))
		assert_int_equal(pci_config_write(rig->cfg, off, ones,
						  sizeof(ones)), 0);
	rig->flrs = 0;
	pci_config_reset(rig->cfg);
	assert_int_equal(pci_config_read(rig->cfg, 0, after, sizeof(after)), 0);
	assert_memory_equal(before, after, sizeof(before));
	assert_int_equal(rig->flrs, 0);
}

static void test_extended(void **state)
{
	struct pci_config_id id = rig_id;
	struct rig *rig = *state;
	struct pci_config *plain;
	u32 dsn;

	assert_true(find_ext_cap(rig->cfg, PCI_EXT_CAP_ID_ERR));
	dsn = find_ext_cap(rig->cfg, PCI_EXT_CAP_ID_DSN);
	assert_int_equal(get(rig->cfg, dsn + 4, 4), (u32)SERIAL);
	assert_int_equal(get(rig->cfg, dsn + 8, 4), SERIAL >> 32);

	id.serial = 0;
	assert_int_equal(pci_config_create(&plain, &id, &rig_ops, rig), 0);
	assert_true(find_ext_cap(plain, PCI_EXT_CAP_ID_ERR));
	assert_false(find_ext_cap(plain, PCI_EXT_CAP_ID_DSN));
	pci_config_destroy(plain);
}

static void test_bounds(void **state)
{
	struct rig *rig = *state;
	u8 buf[8] = {};

	assert_int_equal(pci_config_read(rig->cfg, 4092, buf, 4), 0);
	assert_int_equal(pci_config_read(rig->cfg, 4093, buf, 4), -EINVAL);
	assert_int_equal(pci_config_write(rig->cfg, 4096, buf, 1), -EINVAL);
	assert_int_equal(pci_config_write(rig->cfg, -1, buf, 2), -EINVAL);
	assert_int_equal(pci_config_read(rig->cfg, 1ULL << 63, buf, 8), -EINVAL);
}

static void test_bad_identity(void **state)
{
	struct pci_config_id id;
	struct pci_config *cfg;

	(void)state;
	id = rig_id;
	id.vectors = 0;
	assert_int_equal(pci_config_create(&cfg, &id, &rig_ops, NULL), -EINVAL);
	id.vectors = PCI_CONFIG_MAX_VECTORS + 1;
	assert_int_equal(pci_config_create(&cfg, &id, &rig_ops, NULL), -EINVAL);
	id = rig_id;
	id.class = 0x1000000;
	assert_int_equal(pci_config_create(&cfg, &id, &rig_ops, NULL), -EINVAL);
	id = rig_id;
	id.bar_size[0] = 0x30000;
	assert_int_equal(pci_config_create(&cfg, &id, &rig_ops, NULL), -EINVAL);
	id.bar_size[0] = 2048;
	assert_int_equal(pci_config_create(&cfg, &id, &rig_ops, NULL), -EINVAL);
	id = rig_id;
	id.vectors = PCI_CONFIG_MAX_VECTORS;
	assert_int_equal(pci_config_create(&cfg, &id, &rig_ops, NULL), 0);
	assert_int_equal(pci_config_bar_size(cfg, 4), 0x10000);
	pci_config_destroy(cfg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_header),
		TEST(test_bar_sizing),
		TEST(test_command),
		TEST(test_power),
		TEST(test_msix),
		TEST(test_flr),
		TEST(test_reset),
		TEST(test_extended),
		TEST(test_bounds),
		TEST(test_bad_identity),
	};

	return cmocka_run_group_tests_name("pci_config", tests, NULL, NULL);
}
