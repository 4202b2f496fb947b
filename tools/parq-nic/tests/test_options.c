// SPDX-License-Identifier: GPL-2.0
/*
 * The command line: valid options are stored. Invalid ones are refused with a message that
 * names the value and the permitted range.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/bitfield.h>

#include "../options.h"

#define MAX_ARGS	32

/* Splits both lines at blanks. Strings in @o are valid until the next call. */
static enum options_action parse2(struct options *o, const char *line,
				  const char *more)
{
	static char copy[512];
	char *argv[MAX_ARGS + 1];
	char *save, *s;
	int argc = 0;

	snprintf(copy, sizeof(copy), "parq-nic %s %s", line, more);
	for (s = strtok_r(copy, " ", &save); s; s = strtok_r(NULL, " ", &save)) {
		assert_true(argc < MAX_ARGS);
		argv[argc++] = s;
	}
	argv[argc] = NULL;
	return options_parse(o, argc, argv);
}

static enum options_action parse(struct options *o, const char *line)
{
	return parse2(o, line, "");
}

static void test_fault(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse(&o, "--socket /s --fault seed=7,dma=1000,twice=3"),
			 OPTIONS_RUN);
	assert_int_equal(o.spec.fault.seed, 7);
	assert_int_equal(o.spec.fault.one_in[FAULT_DMA], 1000);
	assert_int_equal(o.spec.fault.one_in[FAULT_TWICE], 3);
	assert_int_equal(o.spec.fault.one_in[FAULT_LOST], 0);
}

static void test_defaults(void **state)
{
	struct parqsim_config nic;
	struct options o;

	(void)state;
	assert_int_equal(parse(&o, "--socket /s"), OPTIONS_RUN);
	assert_string_equal(o.socket, "/s");
	nic = spec_nic(&o.spec);
	assert_int_equal(nic.ports, 2);
	assert_int_equal(nic.txq, 64);
	assert_int_equal(nic.rxq, 8);
	assert_int_equal(nic.depth, 32);
	assert_int_equal(nic.clk_ps, 1000);
	assert_int_equal(nic.fetch_ns, 0);
	assert_int_equal(nic.speeds, BIT(PARQ_NUM_SPEEDS) - 1);
	assert_int_equal(nic.rx_buffer, 4 << 20);
	assert_false(nic.no_offload);
	assert_false(nic.forward);
	assert_int_equal(o.log, LOG_WARN);
	assert_int_equal(o.spec.wire[0].kind, WIRE_NONE);
	assert_string_equal(spec_record(&o.spec, 0), "");
	assert_int_equal(o.spec.snaplen, 0);
	assert_int_not_equal(parqsim_size(&nic), 0);
}

/* Ports of a switch are many, with few queues and a smaller buffer each, unless told otherwise. */
static void test_switch(void **state)
{
	struct parqsim_config nic;
	struct options o;

	(void)state;
	assert_int_equal(parse(&o, "--socket /s --ports 64 --forward --wire p9=peer:p63"),
			 OPTIONS_RUN);
	nic = spec_nic(&o.spec);
	assert_int_equal(nic.ports, 64);
	assert_int_equal(nic.txq, 8);
	assert_int_equal(nic.rxq, 1);
	assert_int_equal(nic.rx_buffer, 1 << 20);
	assert_int_equal(o.spec.wire[9].kind, WIRE_PEER);
	assert_int_equal(o.spec.wire[9].peer, 63);
	assert_int_not_equal(parqsim_size(&nic), 0);
	assert_int_equal(parse(&o, "--socket /s --ports 16 --forward --txq 64 --rxq 4"),
			 OPTIONS_RUN);
	nic = spec_nic(&o.spec);
	assert_int_equal(nic.txq, 64);
	assert_int_equal(nic.rxq, 4);
}

/* The names of all capture files share a place. Each may change. */
static void test_record(void **state)
{
	char name[SPEC_PATHS_SIZE + 8] = "p1=";
	struct spec s = SPEC_DEFAULTS("", 0);

	(void)state;
	assert_true(spec_set(&s, "record", "p0=/first"));
	assert_true(spec_set(&s, "record", "p12=/second"));
	assert_true(spec_set(&s, "record", "p63=/first"));
	assert_true(spec_unset(&s, "record", 0));
	assert_string_equal(spec_record(&s, 0), "");
	assert_string_equal(spec_record(&s, 12), "/second");
	assert_string_equal(spec_record(&s, 63), "/first");
	assert_true(spec_set(&s, "record", "p0=/third"));
	assert_true(spec_unset(&s, "record", 63));
	assert_true(spec_unset(&s, "record", 12));
	assert_string_equal(spec_record(&s, 0), "/third");
	assert_true(spec_unset(&s, "record", 0));
	/* As long as they may be, and one longer. */
	memset(name + 3, 'x', SPEC_PATHS_SIZE - 1);
	assert_false(spec_set(&s, "record", name));
	assert_string_equal(s.error,
			    "record p1: the paths of all ports have 4094 characters at most");
	name[3 + SPEC_PATHS_SIZE - 2] = '\0';
	assert_true(spec_set(&s, "record", name));
	assert_string_equal(spec_record(&s, 1), name + 3);
	assert_false(spec_set(&s, "record", "p2=x"));
}

/* Unicast, locally administered, derived from socket and machine, with room for four ports. */
static void test_default_mac(void **state)
{
	struct spec here = SPEC_DEFAULTS("", 0), there = here;
	struct options a, b, c;

	(void)state;
	assert_int_equal(parse(&a, "--socket /tmp/a"), OPTIONS_RUN);
	assert_int_equal(parse(&b, "--socket /tmp/b"), OPTIONS_RUN);
	assert_int_equal(parse(&c, "--socket /tmp/a"), OPTIONS_RUN);
	assert_int_equal(a.spec.nic.addr[0] & 3, 2);
	assert_int_equal(a.spec.nic.addr[5] & 3, 0);
	assert_memory_equal(a.spec.nic.addr, c.spec.nic.addr, 6);
	assert_memory_not_equal(a.spec.nic.addr, b.spec.nic.addr, 6);
	spec_default_mac(&here, "/tmp/a", 1);
	spec_default_mac(&there, "/tmp/a", 2);
	assert_memory_not_equal(here.nic.addr, there.nic.addr, 6);
}

static void test_nic(void **state)
{
	static const u8 mac[6] = { 0x02, 0xab, 0, 0, 0, 0x10 };
	enum options_action action;
	struct options o;

	(void)state;
	action = parse2(&o,
			"--socket /s --ports 4 --txq 1 --rxq 64 --depth 1024",
			"--clk 250 --fetch 1000 --speeds 10M,2.5G,400G --rx-buffer 65536 --no-offload --lacks ptp,launch --mac 02:AB:00:00:00:10 --log debug");
	assert_int_equal(action, OPTIONS_RUN);
	assert_int_equal(o.spec.nic.ports, 4);
	assert_int_equal(o.spec.nic.txq, 1);
	assert_int_equal(o.spec.nic.rxq, 64);
	assert_int_equal(o.spec.nic.depth, 1024);
	assert_int_equal(o.spec.nic.clk_ps, 250);
	assert_int_equal(o.spec.nic.fetch_ns, 1000);
	assert_int_equal(o.spec.nic.speeds, BIT(PARQ_SPEED_10M) |
			 BIT(PARQ_SPEED_2500M) | BIT(PARQ_SPEED_400G));
	assert_int_equal(o.spec.nic.rx_buffer, 65536);
	assert_true(o.spec.nic.no_offload);
	assert_int_equal(FIELD_PREP(PARQSIM_LACKS, o.spec.nic.lacks),
			 PARQ_CAP_PTP | PARQ_CAP_LAUNCH);
	assert_memory_equal(o.spec.nic.addr, mac, 6);
	assert_int_equal(o.log, LOG_DEBUG);
	assert_int_equal(parse(&o, "--socket /s --forward"), OPTIONS_RUN);
	assert_true(o.spec.nic.forward);
}

static void test_wires(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse2(&o,
				"--socket /s --wire p2=peer:p0,length=300 --ports 4 --wire p1=tap:tap0",
				"--wire p3=socket:/w,listen --record p0=/a "
				"--record p1=/a --snaplen 96"),
			 OPTIONS_RUN);
	assert_int_equal(o.spec.wire[2].kind, WIRE_PEER);
	assert_int_equal(o.spec.wire[2].peer, 0);
	assert_int_equal(o.spec.wire[2].length_m, 300);
	assert_int_equal(o.spec.wire[0].kind, WIRE_NONE);
	assert_int_equal(o.spec.wire[1].kind, WIRE_TAP);
	assert_string_equal(o.spec.wire[1].name, "tap0");
	assert_int_equal(o.spec.wire[3].kind, WIRE_SOCKET);
	assert_true(o.spec.wire[3].listen);
	assert_int_equal(o.spec.wire[3].length_m, 1);
	assert_string_equal(o.spec.wire[3].name, "/w");
	assert_string_equal(spec_record(&o.spec, 0), "/a");
	assert_string_equal(spec_record(&o.spec, 1), "/a");
	assert_string_equal(spec_record(&o.spec, 2), "");
	assert_int_equal(o.spec.snaplen, 96);

	assert_int_equal(parse2(&o, "--socket /s --wire p0=loop,length=0",
				"--wire p1=socket:w,length=100000"),
			 OPTIONS_RUN);
	assert_int_equal(o.spec.wire[0].kind, WIRE_LOOP);
	assert_int_equal(o.spec.wire[0].length_m, 0);
	assert_false(o.spec.wire[1].listen);
	assert_int_equal(o.spec.wire[1].length_m, 100000);
}

static void test_actions(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse(&o, "--help"), OPTIONS_HELP);
	assert_int_equal(parse(&o, "-h"), OPTIONS_HELP);
	assert_int_equal(parse(&o, "--version"), OPTIONS_SHOW_VERSION);
}

static const struct {
	const char *line;
	const char *value;	/* as named by the message */
	const char *range;	/* permitted range in the message */
} bad[] = {
	{ "", "--socket", "missing" },
	{ "--socket", "--socket", "needs a value" },
	{ "--bogus", "--bogus", "no such option" },
	{ "-x", "-x", "no such option" },
	{ "--no-offload=1", "--no-offload", "takes no value" },
	{ "--socket /s --forward --no-offload", "--forward", "not with --no-offload" },
	{ "--socket /s extra", "extra", "not an option" },
	{ "--ports 0", "'0'", "1 to 64" },
	{ "--ports 65", "'65'", "1 to 64" },
	{ "--ports two", "'two'", "1 to 64" },
	{ "--ports -1", "'-1'", "1 to 64" },
	{ "--ports 2x", "'2x'", "1 to 64" },
	{ "--ports=", "''", "1 to 64" },
	{ "--ports 4294967297", "'4294967297'", "1 to 64" },
	{ "--ports 99999999999999999999", "'99999999999999999999'", "1 to 64" },
	{ "--txq 0", "'0'", "1 to 64" },
	{ "--txq 65", "'65'", "1 to 64" },
	{ "--rxq 65", "'65'", "1 to 64" },
	{ "--depth 3", "'3'", "4 to 1024" },
	{ "--depth 1025", "'1025'", "4 to 1024" },
	{ "--clk 99", "'99'", "100 to 1000000" },
	{ "--clk 1000001", "'1000001'", "100 to 1000000" },
	{ "--fetch 1000000001", "'1000000001'", "0 to 1000000000" },
	{ "--rx-buffer 65535", "'65535'", "65536 to 16777216" },
	{ "--rx-buffer 16777217", "'16777217'", "65536 to 16777216" },
	{ "--rx-buffer 4M", "'4M'", "65536 to 16777216" },
	{ "--speeds 3G", "'3G'", "10M, 100M, 1G" },
	{ "--lacks offload", "'offload'", "csum, tso, vlan" },
	{ "--speeds ,", "','", "no speed" },
	{ "--speeds=", "--speeds", "like 10G,100G" },
	{ "--mac 01:00:00:00:00:01", "01:00:00:00:00:01", "multicast" },
	{ "--mac 00:00:00:00:00:00", "00:00:00:00:00:00", "zero" },
	{ "--mac 02:00:00:00:00", "'02:00:00:00:00'", "not like" },
	{ "--mac 02:00:00:00:00:01:02", "02:00:00:00:00:01:02", "not like" },
	{ "--mac 2:0:0:0:0:1", "'2:0:0:0:0:1'", "not like" },
	{ "--log loud", "'loud'", "error, warn, info, debug" },
	{ "--wire p64=loop", "'p64", "p0 to p63" },
	{ "--wire p01=loop", "'p01", "p0 to p63" },
	{ "--wire p111=loop", "'p111", "p0 to p63" },
	{ "--wire p=loop", "'p=", "p0 to p63" },
	{ "--socket /s --ports 3 --wire p12=loop", "p12", "p0 to p2" },
	{ "--wire q0=loop", "'q0", "p0 to p63" },
	{ "--wire p0", "'p0'", "p0 to p63" },
	{ "--wire p0=string", "'string'", "not one of peer:pN" },
	{ "--wire p0=peer", "'peer'", "not one of peer:pN" },
	{ "--wire p0=peer:p99", "'p99'", "p0 to p63" },
	{ "--wire p0=peer:p0", "p0=peer:p0", "use p0=loop" },
	{ "--wire p0=peer:p1,length=100001", "'100001'", "0 to 100000" },
	{ "--wire p0=peer:p1,length=", "''", "0 to 100000" },
	{ "--wire p0=peer:p1,listen", "'listen'", "does not apply" },
	{ "--wire p0=tap:t,length=1", "'length=1'", "does not apply" },
	{ "--wire p0=tap:", "''", "1 to 15" },
	{ "--wire p0=tap:sixteen-letters-", "'sixteen-letters-'", "1 to 15" },
	{ "--wire p0=loop --wire p0=loop", "p0=loop", "already" },
	{ "--socket /s --wire p0=peer:p1 --wire p1=loop", "p1", "already" },
	{ "--socket /s --wire p0=peer:p1 --wire p1=peer:p0", "p1", "already" },
	{ "--socket /s --wire p0=loop --wire p1=peer:p0", "p0", "already" },
	{ "--socket /s --ports 3 --wire p0=peer:p2 --wire p1=peer:p2", "p2", "already" },
	{ "--socket /s --ports 2 --wire p2=loop", "p2", "p0 to p1" },
	{ "--socket /s --ports 2 --wire p0=peer:p3", "p3", "p0 to p1" },
	{ "--socket /s --ports 1 --record p1=/f", "p1", "p0 to p0" },
	{ "--socket /s --ports 5", "ports 5", "without --forward at most 4" },
	{ "--socket /s --ports 65 --forward", "'65'", "1 to 64" },
	{ "--socket /s --ports 64 --forward --txq 31", "--txq 31", "more than 2046 queues" },
	{ "--socket /s --ports 64 --forward --wire p63=peer:p63", "p63=peer:p63", "p63=loop" },
	{ "--record p0=", "'p0='", "no file" },
	{ "--record p0=/f --record p0=/g", "p0=/g", "already" },
	{ "--record /f", "'/f'", "p0 to p63" },
	{ "--snaplen 59", "'59'", "60 to" },
	{ "--fault=", "''", "like seed=1,dma=1000" },
	{ "--fault dma", "'dma'", "no value" },
	{ "--fault dma=0", "'0'", "1 to 4294967295" },
	{ "--fault frames=2", "'frames'", "dma, lost, late, twice, refused, stuck" },
	{ "--fault seed=-1", "'-1'", "0 to 4294967295" },
};

static void test_bad(void **state)
{
	struct options o;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		enum options_action action = parse(&o, bad[i].line);

		if (action != OPTIONS_BAD || !strstr(o.spec.error, bad[i].value) ||
		    !strstr(o.spec.error, bad[i].range))
			fail_msg("'%s': action %d, message '%s'", bad[i].line,
				 action, o.spec.error);
	}
}

/* Names up to the limit are accepted, longer ones are refused. */
static void test_long_names(void **state)
{
	char path[OPTIONS_PATH_SIZE + 1];
	char *argv[4] = { "parq-nic", "--socket", path };
	char wire[400] = "p0=socket:";
	struct options o;

	(void)state;
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(options_parse(&o, 3, argv), OPTIONS_BAD);
	path[sizeof(path) - 2] = '\0';
	assert_int_equal(options_parse(&o, 3, argv), OPTIONS_RUN);

	argv[1] = "--wire";
	argv[2] = wire;
	memset(wire + 10, 'x', 108);
	assert_int_equal(options_parse(&o, 3, argv), OPTIONS_BAD);
	assert_non_null(strstr(o.spec.error, "1 to 107"));
	memset(wire + 10, 'x', sizeof(wire) - 11);
	assert_int_equal(options_parse(&o, 3, argv), OPTIONS_BAD);
	assert_non_null(strstr(o.spec.error, "255 characters"));
}

/* A host without these kinds of wires, and without dashes before options. */
static void test_kinds(void **state)
{
	struct spec s = SPEC_DEFAULTS("", BIT(WIRE_PEER) | BIT(WIRE_LOOP));

	(void)state;
	assert_true(spec_set(&s, "wire", "p0=loop"));
	assert_false(spec_set(&s, "wire", "p1=tap:t"));
	assert_string_equal(s.error,
			    "wire 'tap:t': not one of peer:pN, loop");
	assert_false(spec_set(&s, "socket", "/s"));
	assert_string_equal(s.error, "socket: no such option");
	assert_true(spec_check(&s));

	s.kinds = BIT(WIRE_PEER) | BIT(WIRE_NIC);
	assert_true(spec_set(&s, "wire", "p1=peer:left:p3,length=7"));
	assert_int_equal(s.wire[1].kind, WIRE_NIC);
	assert_string_equal(s.wire[1].name, "left");
	assert_int_equal(s.wire[1].peer, 3);
	assert_int_equal(s.wire[1].length_m, 7);
	assert_true(spec_check(&s));
	assert_false(spec_set(&s, "wire", "p2=peer:left:p64"));
	assert_string_equal(s.error, "wire peer 'p64': a port is p0 to p63");
	assert_false(spec_set(&s, "wire", "p2=peer::p1"));
	assert_string_equal(s.error,
			    "wire '': a name has 1 to 107 characters");
	assert_false(spec_set(&s, "wire", "p2=loop"));
	assert_string_equal(s.error,
			    "wire 'loop': not one of peer:pN, peer:NIC:pN");
}

/* Printed options are accepted as input. Removed ones return to the default. */
static void test_show(void **state)
{
	static const struct {
		const char *name, *value;
	} shown[] = {
		{ "ports", "4" },
		{ "txq", "3" },
		{ "rxq", "64" },
		{ "depth", "1024" },
		{ "clk", "250" },
		{ "fetch", "1000000000" },
		{ "speeds", "10M,2.5G,400G" },
		{ "rx-buffer", "65536" },
		{ "no-offload", "1" },
		{ "no-offload", "0" },
		{ "lacks", "csum,rss-fields,launch" },
		{ "lacks", "" },
		{ "forward", "1" },
		{ "forward", "0" },
		{ "mac", "02:ab:00:00:00:10" },
		{ "wire", "p1=peer:p3,length=300" },
		{ "wire", "p2=peer:p1:p0,length=1" },
		{ "wire", "p3=peer:p63,length=1" },
		{ "record", "p1=/a" },
		{ "snaplen", "96" },
		{ "fault", "seed=7,dma=1000,twice=3" },
	};
	struct spec s = SPEC_DEFAULTS("", BIT(WIRE_PEER) | BIT(WIRE_NIC));
	char buf[64];
	size_t i;
	u32 port;

	(void)state;
	for (i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		const char *val = shown[i].value;

		assert_true(spec_set(&s, shown[i].name, val));
		port = *val == 'p' ? (u32)(val[1] - '0') : 0;
		spec_show(&s, shown[i].name, port, buf, sizeof(buf));
		assert_string_equal(buf, *val == 'p' ? val + 3 : val);
	}
	spec_show(&s, "speeds", 0, buf, 8);
	assert_string_equal(buf, "10M,2.5");
	for (i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		if (!spec_unset(&s, shown[i].name, 1))
			continue;
		spec_show(&s, shown[i].name, 1, buf, sizeof(buf));
		assert_string_equal(buf, "");
	}
	assert_int_equal(s.wire[1].kind, WIRE_NONE);
	assert_false(spec_unset(&s, "ports", 0));
	assert_false(spec_set(&s, "no-offload", "2"));
	assert_string_equal(s.error, "no-offload '2': not 0 or 1");
	assert_false(spec_set(&s, "forward", "yes"));
	assert_string_equal(s.error, "forward 'yes': not 0 or 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_switch),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_default_mac),
		cmocka_unit_test(test_nic),
		cmocka_unit_test(test_wires),
		cmocka_unit_test(test_fault),
		cmocka_unit_test(test_actions),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_show),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
