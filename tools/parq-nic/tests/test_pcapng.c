// SPDX-License-Identifier: GPL-2.0
/*
 * Capture files, checked against the format: every block has its length at both ends, options
 * are terminated, and packets hold the recorded bytes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../wire/capture.h"
#include "record_to.h"

#define MAX_FILE	(1 << 20)
#define MBIT		25000

struct fixture {
	char path[2][32];
	u8 *data;
	size_t len;
};

static u32 get32(const u8 *p)
{
	u32 val;

	memcpy(&val, p, sizeof(val));
	return val;
}

static u16 get16(const u8 *p)
{
	u16 val;

	memcpy(&val, p, sizeof(val));
	return val;
}

static void load(struct fixture *f, const char *path)
{
	FILE *in = fopen(path, "rb");

	assert_non_null(in);
	f->len = fread(f->data, 1, MAX_FILE, in);
	assert_true(f->len < MAX_FILE);
	fclose(in);
}

/* Checks that the block at @off has this type. Returns the offset of the next one. */
static size_t block(const struct fixture *f, size_t off, u32 type)
{
	u32 len;

	assert_true(off + 12 <= f->len);
	assert_int_equal(get32(f->data + off), type);
	len = get32(f->data + off + 4);
	assert_int_equal(len % 4, 0);
	assert_true(off + len <= f->len);
	assert_int_equal(get32(f->data + off + len - 4), len);
	return off + len;
}

/* Returns the value of an option. The options fill the range from @off to @end. */
static const u8 *option(const struct fixture *f, size_t off, size_t end,
			u16 code, u16 len)
{
	const u8 *found = NULL;
	u16 c, l;

	do {
		assert_true(off + 4 <= end);
		c = get16(f->data + off);
		l = get16(f->data + off + 2);
		if (c == code) {
			assert_int_equal(l, len);
			found = f->data + off + 4;
		}
		off += 4 + (l + 3u) / 4 * 4;
	} while (c);
	assert_int_equal(off, end);
	assert_non_null(found);
	return found;
}

static size_t section(const struct fixture *f)
{
	size_t next = block(f, 0, 0x0a0d0d0a);

	assert_int_equal(get32(f->data + 8), 0x1a2b3c4d);
	assert_int_equal(get16(f->data + 12), 1);
	assert_int_equal(get16(f->data + 14), 0);
	assert_memory_equal(option(f, 24, next - 4, 4, 8), "parq-nic", 8);
	return next;
}

static size_t interface(const struct fixture *f, size_t off, const char *name)
{
	size_t next = block(f, off, 1);

	assert_int_equal(get16(f->data + off + 8), 1);
	assert_int_equal(get32(f->data + off + 12), 0);
	assert_memory_equal(option(f, off + 16, next - 4, 2, strlen(name)),
			    name, strlen(name));
	assert_int_equal(*option(f, off + 16, next - 4, 9, 1), 9);
	assert_int_equal(*option(f, off + 16, next - 4, 13, 1), 0);
	return next;
}

static size_t packet(const struct fixture *f, size_t off, u32 interface,
		     u32 dir, u64 ns, const u8 *data, u32 len)
{
	size_t next = block(f, off, 6);
	size_t end = off + 28 + (len + 3) / 4 * 4;

	assert_int_equal(get32(f->data + off + 8), interface);
	assert_int_equal(get32(f->data + off + 12), ns >> 32);
	assert_int_equal(get32(f->data + off + 16), ns & 0xffffffff);
	assert_int_equal(get32(f->data + off + 20), len);
	assert_int_equal(get32(f->data + off + 24), len);
	assert_memory_equal(f->data + off + 28, data, len);
	assert_int_equal(get32(option(f, end, next - 4, 2, 4)), dir);
	assert_int_equal(get32(option(f, end, next - 4, 0x8001, 4)), MBIT);
	return next;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	int i, fd;

	assert_non_null(f);
	f->data = malloc(MAX_FILE);
	assert_non_null(f->data);
	for (i = 0; i < 2; i++) {
		strcpy(f->path[i], "/tmp/test_pcapng.XXXXXX");
		fd = mkstemp(f->path[i]);
		assert_true(fd >= 0);
		close(fd);
	}
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	unlink(f->path[0]);
	unlink(f->path[1]);
	free(f->data);
	free(f);
	return 0;
}

/* All remainders of the length modulo 4, an empty interface name, times above 32 bits. */
static void test_packets(void **state)
{
	const u64 ns = 0x18a00000000ULL * 1000000;
	struct fixture *f = *state;
	struct capture c;
	u8 data[70];
	size_t off;
	u32 i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = (u8)(i * 7 + 1);
	assert_int_equal(capture_open(&c, f->path[0], 0), 0);
	pcapng_interface(&c.pcapng, "p0");
	pcapng_interface(&c.pcapng, "port1");
	for (i = 60; i <= sizeof(data); i++)
		pcapng_packet(&c.pcapng, i & 1, PCAPNG_OUTBOUND, MBIT, ns + i, data, i);
	capture_close(&c);

	load(f, f->path[0]);
	off = section(f);
	off = interface(f, off, "p0");
	off = interface(f, off, "port1");
	for (i = 60; i <= sizeof(data); i++)
		off = packet(f, off, i & 1, 2, ns + i, data, i);
	assert_int_equal(off, f->len);
}

/* A long packet is cut. Its original length is recorded. */
static void test_snaplen(void **state)
{
	u8 data[100] = { 1, 2, 3, [63] = 4, 5 };
	struct fixture *f = *state;
	struct capture c;
	size_t off;

	assert_int_equal(capture_open(&c, f->path[0], 64), 0);
	pcapng_interface(&c.pcapng, "p0");
	pcapng_packet(&c.pcapng, 0, PCAPNG_INBOUND, MBIT, 1, data, sizeof(data));
	pcapng_packet(&c.pcapng, 0, PCAPNG_INBOUND, MBIT, 2, data, 60);
	capture_close(&c);

	load(f, f->path[0]);
	off = section(f);
	assert_int_equal(get32(f->data + off + 12), 64);
	off = block(f, off, 1);
	assert_int_equal(get32(f->data + off + 20), 64);
	assert_int_equal(get32(f->data + off + 24), sizeof(data));
	assert_memory_equal(f->data + off + 28, data, 64);
	off = block(f, off, 6);
	assert_int_equal(packet(f, off, 0, 1, 2, data, 60), f->len);
}

/* The file is empty before a flush and complete after it, also with full buffers. */
static void test_flush(void **state)
{
	struct fixture *f = *state;
	u8 data[9000] = { 1, 2, 3 };
	struct capture c;
	size_t off;
	u32 i;

	assert_int_equal(capture_open(&c, f->path[0], 0), 0);
	pcapng_interface(&c.pcapng, "p0");
	pcapng_packet(&c.pcapng, 0, PCAPNG_INBOUND, MBIT, 1, data, 60);
	load(f, f->path[0]);
	assert_int_equal(f->len, 0);
	capture_flush(&c);
	load(f, f->path[0]);
	off = interface(f, section(f), "p0");
	assert_int_equal(packet(f, off, 0, 1, 1, data, 60), f->len);

	for (i = 0; i < 60; i++)
		pcapng_packet(&c.pcapng, 0, PCAPNG_INBOUND, MBIT, i, data, sizeof(data));
	capture_close(&c);
	load(f, f->path[0]);
	off = packet(f, off, 0, 1, 1, data, 60);
	for (i = 0; i < 60; i++)
		off = packet(f, off, 0, 1, i, data, sizeof(data));
	assert_int_equal(off, f->len);
}

/* A full disk ends the recording. Missing packets are counted. */
static void test_full(void **state)
{
	struct capture c;
	u8 data[60] = { 0 };

	(void)state;
	assert_int_equal(capture_open(&c, "/dev/full", 0), 0);
	pcapng_packet(&c.pcapng, 0, PCAPNG_INBOUND, MBIT, 1, data, sizeof(data));
	assert_int_equal(c.pcapng.lost, 0);
	capture_flush(&c);
	assert_int_not_equal(c.err, 0);
	assert_int_equal(c.pcapng.lost, 1);
	pcapng_packet(&c.pcapng, 0, PCAPNG_INBOUND, MBIT, 1, data, sizeof(data));
	assert_int_equal(c.pcapng.lost, 2);
	capture_flush(&c);
	assert_int_equal(c.pcapng.lost, 2);
	capture_close(&c);
}

static void test_no_file(void **state)
{
	struct capture c;

	(void)state;
	assert_int_not_equal(capture_open(&c, "/nowhere/file", 0), 0);
	capture_close(&c);
}

/* p0 and p2 share a file, p1 has its own, p3 is not recorded. */
static void test_record(void **state)
{
	struct fixture *f = *state;
	struct spec spec = SPEC_DEFAULTS("", 0);
	const u64 epoch = 1700000000000000000ULL;
	u8 data[60] = { 0 };
	struct captures c;
	struct record r;
	size_t off;
	u32 i;

	record_to(&spec, 0, f->path[0]);
	record_to(&spec, 1, f->path[1]);
	record_to(&spec, 2, f->path[0]);
	assert_int_equal(captures_open(&c, &r, &spec, epoch), 0);
	assert_int_equal(c.files, 2);
	for (i = 0; i < 3; i++) {
		data[0] = (u8)i;
		record_frame(&r, i, PCAPNG_OUTBOUND, PARQ_SPEED_25G, 1999 + 1000 * i, data,
			     sizeof(data));
	}
	captures_close(&c);

	load(f, f->path[0]);
	off = interface(f, section(f), "p0");
	off = interface(f, off, "p2");
	data[0] = 0;
	off = packet(f, off, 0, 2, epoch + 1, data, sizeof(data));
	data[0] = 2;
	off = packet(f, off, 1, 2, epoch + 3, data, sizeof(data));
	assert_int_equal(off, f->len);

	load(f, f->path[1]);
	off = interface(f, section(f), "p1");
	data[0] = 1;
	off = packet(f, off, 0, 2, epoch + 2, data, sizeof(data));
	assert_int_equal(off, f->len);
}

/* If one file cannot be created, none is left open. */
static void test_record_refused(void **state)
{
	struct fixture *f = *state;
	struct spec spec = SPEC_DEFAULTS("", 0);
	struct captures c;
	struct record r;

	record_to(&spec, 0, f->path[0]);
	record_to(&spec, 1, "/nowhere/file");
	assert_int_not_equal(captures_open(&c, &r, &spec, 0), 0);
	assert_int_equal(c.files, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_packets, setup, teardown),
		cmocka_unit_test_setup_teardown(test_snaplen, setup, teardown),
		cmocka_unit_test_setup_teardown(test_flush, setup, teardown),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test_setup_teardown(test_record, setup, teardown),
		cmocka_unit_test_setup_teardown(test_record_refused, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
