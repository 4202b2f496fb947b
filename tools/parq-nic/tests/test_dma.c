// SPDX-License-Identifier: GPL-2.0
/*
 * The table of guest memory: mappings that it accepts and refuses. A refused access moves
 * no byte.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "vfio_user/dma.h"

#define PAGE	DMA_PAGE_SIZE
#define RW	(DMA_PROT_READ | DMA_PROT_WRITE)

struct rig {
	struct dma_table *table;
	int fd;
	u8 *mem;		/* 16 pages behind fd */
};

static int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	rig->fd = memfd_create("guest", MFD_CLOEXEC);
	assert_int_equal(ftruncate(rig->fd, 16 * PAGE), 0);
	rig->mem = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
			rig->fd, 0);
	assert_ptr_not_equal(rig->mem, MAP_FAILED);
	rig->table = dma_table_create(64);
	assert_non_null(rig->table);
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	dma_table_destroy(rig->table);
	munmap(rig->mem, 16 * PAGE);
	close(rig->fd);
	free(rig);
	return 0;
}

static void test_copy_both_ways(void **state)
{
	struct rig *rig = *state;
	u8 out[100], in[100];

	memset(out, 0xa5, sizeof(out));
	assert_int_equal(dma_map(rig->table, 0x100000, 2 * PAGE, RW, rig->fd,
				 3 * PAGE), 0);
	assert_true(dma_write(rig->table, 0x100000 + PAGE - 50, out, 100));
	assert_memory_equal(rig->mem + 4 * PAGE - 50, out, 100);
	rig->mem[3 * PAGE] = 0x11;
	assert_true(dma_read(rig->table, 0x100000, in, 1));
	assert_int_equal(in[0], 0x11);
	assert_true(dma_read(rig->table, 0xdead, in, 0));
	assert_int_equal(dma_count(rig->table), 1);
}

static void test_bad_maps_change_nothing(void **state)
{
	static const struct {
		u64 iova, size, offset;
		u32 prot;
		int err;
	} bad[] = {
		{ 0, 0, 0, RW, -EINVAL },
		{ 1, PAGE, 0, RW, -EINVAL },
		{ 0, PAGE + 1, 0, RW, -EINVAL },
		{ 0, PAGE, 8, RW, -EINVAL },
		{ 0, PAGE, 0, 0, -EINVAL },
		{ 0, PAGE, 0, 4, -EINVAL },
		{ -2 * PAGE, 3 * PAGE, 0, RW, -EINVAL },
		{ 0, 17 * PAGE, 0, RW, -EINVAL },
		{ 0, PAGE, 16 * PAGE, RW, -EINVAL },
		{ 0, PAGE, 17 * PAGE, RW, -EINVAL },
		{ 0, 2 * PAGE, -PAGE, RW, -EINVAL },
		{ 0x100000, PAGE, 0, RW, -EEXIST },
		{ 0xff000, 2 * PAGE, 0, RW, -EEXIST },
		{ 0x101000, PAGE, 0, RW, -EEXIST },
		{ 0xff000, 4 * PAGE, 0, RW, -EEXIST },
	};
	struct rig *rig = *state;
	size_t i;

	assert_int_equal(dma_map(rig->table, 0x100000, 2 * PAGE, RW, rig->fd,
				 0), 0);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(dma_map(rig->table, bad[i].iova, bad[i].size,
					 bad[i].prot, rig->fd, bad[i].offset),
				 bad[i].err);
	assert_int_equal(dma_count(rig->table), 1);
}

static void test_not_a_file(void **state)
{
	struct rig *rig = *state;
	int pipes[2];

	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(dma_map(rig->table, 0, PAGE, RW, pipes[0], 0), -EINVAL);
	close(pipes[0]);
	close(pipes[1]);
	assert_int_equal(dma_map(rig->table, 0, PAGE, RW, pipes[0], 0), -EBADF);
	assert_int_equal(dma_count(rig->table), 0);
}

static void test_limit(void **state)
{
	struct rig *rig = *state;
	u64 i;

	for (i = 0; i < 64; i++)
		assert_int_equal(dma_map(rig->table, i * 2 * PAGE, PAGE, RW,
					 rig->fd, 0), 0);
	assert_int_equal(dma_map(rig->table, 0x10000000, PAGE, RW, rig->fd, 0),
			 -ENOSPC);
	assert_int_equal(dma_count(rig->table), 64);
}

static void test_span_of_neighbours(void **state)
{
	struct rig *rig = *state;
	u8 out[3 * PAGE], in[3 * PAGE];
	size_t i;

	for (i = 0; i < sizeof(out); i++)
		out[i] = i * 7 + i / PAGE;

	/* Guest pages 0, 1, 2 are file pages 9, 2, 5, mapped out of order. */
	assert_int_equal(dma_map(rig->table, 2 * PAGE, PAGE, RW, rig->fd,
				 5 * PAGE), 0);
	assert_int_equal(dma_map(rig->table, 0, PAGE, RW, rig->fd, 9 * PAGE), 0);
	assert_int_equal(dma_map(rig->table, PAGE, PAGE, RW, rig->fd, 2 * PAGE),
			 0);
	assert_true(dma_write(rig->table, 0, out, sizeof(out)));
	assert_memory_equal(rig->mem + 9 * PAGE, out, PAGE);
	assert_memory_equal(rig->mem + 2 * PAGE, out + PAGE, PAGE);
	assert_memory_equal(rig->mem + 5 * PAGE, out + 2 * PAGE, PAGE);
	assert_true(dma_read(rig->table, 5, in, sizeof(in) - 10));
	assert_memory_equal(in, out + 5, sizeof(in) - 10);
}

static void test_refused_moves_nothing(void **state)
{
	struct rig *rig = *state;
	u8 buf[2 * PAGE], want[2 * PAGE];

	memset(buf, 0x77, sizeof(buf));
	memset(want, 0x77, sizeof(want));
	assert_int_equal(dma_map(rig->table, 0x10000, PAGE, RW, rig->fd, 0), 0);
	assert_int_equal(dma_map(rig->table, 0x11000, PAGE, DMA_PROT_READ,
				 rig->fd, PAGE), 0);
	assert_int_equal(dma_map(rig->table, 0x12000, PAGE, DMA_PROT_WRITE,
				 rig->fd, 2 * PAGE), 0);
	assert_int_equal(dma_map(rig->table, 0x13000, PAGE, RW, -1, 0), 0);

	/* Accesses into holes before, behind and between mappings; protection; no file. */
	assert_false(dma_write(rig->table, 0xffff, buf, 2));
	assert_false(dma_write(rig->table, 0x14000, buf, 1));
	assert_false(dma_read(rig->table, 0, buf, 1));
	assert_int_equal(dma_stats(rig->table)->unmapped, 3);
	assert_false(dma_write(rig->table, 0x10ff0, buf, 32));
	assert_false(dma_read(rig->table, 0x11ff0, buf, 32));
	assert_int_equal(dma_stats(rig->table)->protected, 2);
	assert_false(dma_write(rig->table, 0x12ff0, buf, 32));
	assert_false(dma_read(rig->table, 0x13000, buf, 1));
	assert_false(dma_write(rig->table, 0x13000, buf, 1));
	assert_int_equal(dma_stats(rig->table)->no_fd, 3);

	assert_memory_equal(buf, want, sizeof(buf));
	memset(want, 0, sizeof(want));
	assert_memory_equal(rig->mem, want, sizeof(want));
	assert_memory_equal(rig->mem + 2 * PAGE, want, PAGE);
}

static void test_end_of_address_space(void **state)
{
	struct rig *rig = *state;
	u8 buf[16];
	u64 val;

	assert_int_equal(dma_map(rig->table, -PAGE, PAGE, RW, rig->fd, 0), 0);
	assert_int_equal(dma_map(rig->table, 0, PAGE, RW, rig->fd, PAGE), 0);
	assert_true(dma_read(rig->table, -16, buf, 16));
	assert_true(dma_write64(rig->table, -8, 1));
	/* Even if both ends of the address space are mapped. */
	assert_false(dma_read(rig->table, -8, buf, 16));
	assert_false(dma_read(rig->table, -1, buf, 2));
	assert_false(dma_read(rig->table, 8, buf, SIZE_MAX));
	assert_true(dma_read64(rig->table, -8, &val));
	assert_int_equal(val, 1);
	assert_int_equal(dma_unmap(rig->table, -PAGE, PAGE), 0);
	assert_int_equal(dma_count(rig->table), 1);
}

static void test_words(void **state)
{
	struct rig *rig = *state;
	u64 v64;
	u32 v32;

	assert_int_equal(dma_map(rig->table, 0, PAGE, RW, rig->fd, 0), 0);
	assert_true(dma_write64(rig->table, 8, 0x1122334455667788));
	assert_int_equal(rig->mem[8], 0x88);
	assert_int_equal(rig->mem[15], 0x11);
	assert_true(dma_write32(rig->table, 12, 0xaabbccdd));
	assert_true(dma_read64(rig->table, 8, &v64));
	assert_true(v64 == 0xaabbccdd55667788);
	assert_true(dma_read32(rig->table, 8, &v32));
	assert_int_equal(v32, 0x55667788);

	assert_false(dma_write64(rig->table, 4, 0));
	assert_false(dma_write32(rig->table, 2, 0));
	assert_false(dma_read64(rig->table, 1, &v64));
	assert_false(dma_read32(rig->table, 1, &v32));
	assert_int_equal(dma_stats(rig->table)->misaligned, 4);
	assert_false(dma_read64(rig->table, PAGE, &v64));
	assert_false(dma_write32(rig->table, PAGE, 0));
	assert_int_equal(dma_stats(rig->table)->unmapped, 2);
}

static void test_unmap(void **state)
{
	struct rig *rig = *state;
	u8 byte;
	u64 i;

	for (i = 0; i < 8; i++)
		assert_int_equal(dma_map(rig->table, i * 2 * PAGE, 2 * PAGE, RW,
					 rig->fd, 0), 0);

	/* An unmap that would split a mapping is refused. */
	assert_int_equal(dma_unmap(rig->table, 0, PAGE), -EINVAL);
	assert_int_equal(dma_unmap(rig->table, PAGE, 3 * PAGE), -EINVAL);
	assert_int_equal(dma_unmap(rig->table, 0, 3 * PAGE), -EINVAL);
	assert_int_equal(dma_unmap(rig->table, 0, 0), -EINVAL);
	assert_int_equal(dma_unmap(rig->table, -PAGE, 2 * PAGE), -EINVAL);
	assert_int_equal(dma_count(rig->table), 8);

	/* Fill the cache with the mapping that is removed next. */
	assert_true(dma_read(rig->table, 4 * PAGE, &byte, 1));
	assert_int_equal(dma_unmap(rig->table, 4 * PAGE, 4 * PAGE), 0);
	assert_int_equal(dma_count(rig->table), 6);
	assert_false(dma_read(rig->table, 4 * PAGE, &byte, 1));
	assert_true(dma_read(rig->table, 4 * PAGE - 1, &byte, 1));
	assert_true(dma_read(rig->table, 8 * PAGE, &byte, 1));

	assert_int_equal(dma_unmap(rig->table, 4 * PAGE, 4 * PAGE), 0);
	assert_int_equal(dma_map(rig->table, 4 * PAGE, 4 * PAGE, DMA_PROT_READ,
				 rig->fd, 0), 0);
	assert_false(dma_write(rig->table, 4 * PAGE, &byte, 1));

	dma_unmap_all(rig->table);
	assert_int_equal(dma_count(rig->table), 0);
	assert_false(dma_read(rig->table, 0, &byte, 1));
}

/* Compared with a plain array that has the file page of each guest page. */
static void test_random_against_model(void **state)
{
	struct rig *rig = *state;
	int model[32];			/* file page; -1: none */
	u8 buf[3 * PAGE];
	u32 seed = 1, i, j;

	memset(model, 0xff, sizeof(model));
	for (i = 0; i < 16; i++)
		memset(rig->mem + i * PAGE, i, PAGE);

	for (i = 0; i < 20000; i++) {
		u32 page, n, off;
		bool ok = true;

		seed = seed * 1664525 + 1013904223;
		page = seed >> 8 & 31;
		n = 1 + (seed >> 16) % 3;
		off = seed >> 20;
		switch (seed >> 29) {
		case 0:
			if (model[page] < 0) {
				model[page] = off & 15;
				assert_int_equal(dma_map(rig->table, page * PAGE,
							 PAGE, RW, rig->fd,
							 model[page] * PAGE), 0);
			} else {
				assert_int_equal(dma_map(rig->table, page * PAGE,
							 PAGE, RW, rig->fd, 0),
						 -EEXIST);
			}
			break;
		case 1:
			assert_int_equal(dma_unmap(rig->table, page * PAGE,
						   PAGE), 0);
			model[page] = -1;
			break;
		default:
			for (j = page; j < page + n; j++)
				ok &= j < 32 && model[j] >= 0;
			assert_int_equal(dma_read(rig->table, page * PAGE, buf,
						  n * PAGE), ok);
			for (j = 0; ok && j < n; j++) {
				assert_int_equal(buf[j * PAGE], model[page + j]);
				assert_int_equal(buf[j * PAGE + PAGE - 1],
						 model[page + j]);
			}
		}
	}
}

/* A client that breaks its word harms its own DMA only. Other maps go on. */
static void test_file_shrinks(void **state)
{
	struct rig *rig = *state;
	u8 buf[PAGE] = { 0x77 };
	int other;

	dma_guard(rig->table);
	other = memfd_create("other", MFD_CLOEXEC);
	assert_int_equal(ftruncate(other, 4 * PAGE), 0);
	assert_int_equal(dma_map(rig->table, 0x10000, PAGE, RW, rig->fd, 0), 0);
	assert_int_equal(dma_map(rig->table, 0x20000, 4 * PAGE, RW, other, 0), 0);
	assert_true(dma_write(rig->table, 0x22000, buf, PAGE));
	assert_int_equal(ftruncate(other, PAGE), 0);
	dma_write(rig->table, 0x22000, buf, PAGE);
	assert_int_equal(dma_stats(rig->table)->torn, 1);
	assert_false(dma_write(rig->table, 0x20000, buf, PAGE));
	assert_false(dma_read(rig->table, 0x23000, buf, 1));
	assert_int_equal(dma_stats(rig->table)->no_fd, 2);
	assert_true(dma_write(rig->table, 0x10000, buf, PAGE));
	assert_int_equal(dma_unmap(rig->table, 0x20000, 4 * PAGE), 0);
	assert_int_equal(dma_map(rig->table, 0x20000, PAGE, RW, other, 0), 0);
	assert_true(dma_write(rig->table, 0x20000, buf, PAGE));
	close(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_copy_both_ways),
		TEST(test_bad_maps_change_nothing),
		TEST(test_not_a_file),
		TEST(test_limit),
		TEST(test_span_of_neighbours),
		TEST(test_refused_moves_nothing),
		TEST(test_end_of_address_space),
		TEST(test_words),
		TEST(test_unmap),
		TEST(test_random_against_model),
		TEST(test_file_shrinks),
	};

	return cmocka_run_group_tests_name("dma", tests, NULL, NULL);
}
