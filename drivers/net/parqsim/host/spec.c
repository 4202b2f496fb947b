// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/stdarg.h>
#include <linux/string.h>

#include "spec.h"

#define SPEC_MIN_CLK_PS		100
#define SPEC_MAX_CLK_PS		1000000
#define SPEC_MIN_SNAPLEN	60	/* a MAC control frame */
#define SPEC_IFNAME_SIZE	16	/* IFNAMSIZ */

static const char *const kind_names[WIRE_KINDS] = {
	[WIRE_PEER] = "peer:pN",
	[WIRE_NIC] = "peer:NIC:pN",
	[WIRE_LOOP] = "loop",
	[WIRE_TAP] = "tap:NAME",
	[WIRE_SOCKET] = "socket:PATH",
	[WIRE_NETDEV] = "netdev:NAME",
};

/**
 * spec_refuse() - store why an option is refused
 * @s: receives the reason
 * @fmt: as printf()
 */
void spec_refuse(struct spec *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->error, sizeof(s->error), fmt, ap);
	va_end(ap);
}

/* Evaluates to false, so that a parser can return it. */
#define refuse(s, ...)	(spec_refuse(s, __VA_ARGS__), false)

/* Accepts digits only, and no overflow. */
static bool parse_number(const char *arg, u64 *val)
{
	u64 n = 0;

	if (!*arg)
		return false;
	for (; *arg; arg++) {
		if (*arg < '0' || *arg > '9' || n > U32_MAX)
			return false;
		n = 10 * n + (u64)(*arg - '0');
	}
	*val = n;
	return true;
}

/**
 * spec_u32() - parse a number
 * @s: receives the reason if it is refused
 * @what: name of the option, without prefix
 * @arg: its value
 * @min: smallest number allowed
 * @max: largest number allowed
 * @val: receives the number
 *
 * Return: false if @arg is not such a number.
 */
bool spec_u32(struct spec *s, const char *what, const char *arg, u32 min, u32 max,
	      u32 *val)
{
	u64 n;

	if (!parse_number(arg, &n) || n < min || n > max)
		return refuse(s, "%s%s '%s': not a number from %u to %u",
			      s->prefix, what, arg, min, max);
	*val = (u32)n;
	return true;
}

/* Names separated by commas, for a message; cut if there are too many. */
struct name_list {
	char text[128];
};

static void list_add(struct name_list *l, const char *name)
{
	if (*l->text)
		strncat(l->text, ", ", sizeof(l->text) - strlen(l->text) - 1);
	strncat(l->text, name, sizeof(l->text) - strlen(l->text) - 1);
}

/**
 * spec_name() - parse a name
 * @s: receives the reason if it is refused
 * @what: name of the option, without prefix
 * @arg: its value
 * @names: allowed names
 * @num: number of names
 * @val: receives the index
 *
 * Return: false if @arg is not one of the names.
 */
bool spec_name(struct spec *s, const char *what, const char *arg,
	       const char *const *names, u32 num, u32 *val)
{
	struct name_list list = { "" };
	u32 i;

	for (i = 0; i < num; i++) {
		if (!strcmp(arg, names[i])) {
			*val = i;
			return true;
		}
		list_add(&list, names[i]);
	}
	return refuse(s, "%s%s '%s': not one of %s", s->prefix, what, arg, list.text);
}

/* Return: false if the text does not fit. */
static bool copy_text(char *to, size_t size, const char *text)
{
	size_t len = strlen(text) + 1;

	if (len > size)
		return false;
	memcpy(to, text, len);
	return true;
}

/* Returns the next item of a list; skips empty items. */
static char *next_item(char **rest)
{
	char *item;

	do
		item = strsep(rest, ",");
	while (item && !*item);
	return item;
}

/* Sets @bits for the names in a list. */
static bool parse_list(struct spec *s, const char *what, const char *arg,
		       const char *const *names, u32 num, u32 *bits)
{
	char copy[128], *rest = copy, *item;
	u32 bit;

	*bits = 0;
	if (!copy_text(copy, sizeof(copy), arg))
		return refuse(s, "%s%s: longer than %zu characters", s->prefix, what,
			      sizeof(copy) - 1);
	while ((item = next_item(&rest))) {
		if (!spec_name(s, what, item, names, num, &bit))
			return false;
		*bits |= BIT(bit);
	}
	return true;
}

static bool parse_speeds(struct spec *s, const char *arg)
{
	if (!*arg)
		return refuse(s, "%sspeeds '': not a list like 10G,100G", s->prefix);
	return parse_list(s, "speeds", arg, spec_speed_names, PARQ_NUM_SPEEDS,
			  &s->nic.speeds) &&
	       (s->nic.speeds || refuse(s, "%sspeeds '%s': names no speed", s->prefix, arg));
}

static bool parse_lacks(struct spec *s, const char *arg)
{
	return parse_list(s, "lacks", arg, spec_cap_names, SPEC_CAPS, &s->nic.lacks);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool parse_mac(struct spec *s, const char *arg)
{
	u8 *a = s->nic.addr;
	u32 i;

	if (strlen(arg) != 17)
		goto malformed;
	for (i = 0; i < 6; i++) {
		int hi = hex_digit(arg[3 * i]), lo = hex_digit(arg[3 * i + 1]);

		if (hi < 0 || lo < 0 || (i < 5 && arg[3 * i + 2] != ':'))
			goto malformed;
		a[i] = (u8)(hi << 4 | lo);
	}
	if (a[0] & 1)
		return refuse(s, "%smac '%s': is a multicast address", s->prefix, arg);
	if (!(a[0] | a[1] | a[2] | a[3] | a[4] | a[5]))
		return refuse(s, "%smac '%s': is all zeros", s->prefix, arg);
	return true;

malformed:
	return refuse(s, "%smac '%s': not like 02:00:00:00:00:01", s->prefix,
		      arg);
}

/* Parses the name of a port, as "p12". Return: what follows it; NULL if there is none. */
const char *spec_port(const char *arg, u32 *port)
{
	u32 n = 0, digits = 0;

	if (*arg++ != 'p')
		return NULL;
	for (; *arg >= '0' && *arg <= '9' && digits < 2; arg++, digits++)
		n = 10 * n + (u32)(*arg - '0');
	if (!digits || (digits == 2 && n < 10) || n >= PARQ_MAX_PORTS)
		return NULL;
	*port = n;
	return arg;
}

/* Parses "pN" up to @stop, a character or the end of the string. Return: its place, or NULL. */
static const char *parse_port(struct spec *s, const char *what, const char *arg,
			      char stop, u32 *port)
{
	const char *end = spec_port(arg, port);

	if (end && *end == stop)
		return end;
	spec_refuse(s, "%s%s '%s': a port is p0 to p%u", s->prefix, what, arg,
		    PARQ_MAX_PORTS - 1);
	return NULL;
}

static bool parse_wire_mods(struct spec *s, struct wire_spec *w, char *mods)
{
	char *item;

	while ((item = next_item(&mods))) {
		if (!strncmp(item, "length=", 7) && w->kind != WIRE_TAP &&
		    w->kind != WIRE_NETDEV) {
			if (!spec_u32(s, "wire length", item + 7, 0,
				      SPEC_MAX_LENGTH_M, &w->length_m))
				return false;
		} else if (!strcmp(item, "listen") && w->kind == WIRE_SOCKET) {
			w->listen = true;
		} else {
			return refuse(s, "%swire: '%s' does not apply here",
				      s->prefix, item);
		}
	}
	return true;
}

static bool parse_wire_name(struct spec *s, struct wire_spec *w,
			    const char *name, size_t size)
{
	return (*name && copy_text(w->name, size, name)) ||
	       refuse(s, "%swire '%s': a name has 1 to %zu characters",
		      s->prefix, name, size - 1);
}

static bool refuse_kind(struct spec *s, const char *arg)
{
	struct name_list list = { "" };
	u32 i;

	for (i = 0; i < WIRE_KINDS; i++)
		if (s->kinds & BIT(i))
			list_add(&list, kind_names[i]);
	return refuse(s, "%swire '%s': not one of %s", s->prefix, arg, list.text);
}

/* Parses "pN" of this NIC, or "NIC:pN" of another NIC if the host supports that. */
static bool parse_wire_peer(struct spec *s, struct wire_spec *w, char *arg)
{
	char *port = strchr(arg, ':');

	if (!port || !(s->kinds & BIT(WIRE_NIC)))
		return parse_port(s, "wire peer", arg, '\0', &w->peer);
	w->kind = WIRE_NIC;
	*port++ = '\0';
	return parse_wire_name(s, w, arg, sizeof(w->name)) &&
	       parse_port(s, "wire peer", port, '\0', &w->peer);
}

static bool parse_wire_kind(struct spec *s, struct wire_spec *w, char *arg)
{
	size_t len = strcspn(arg, ":");
	char *name = arg[len] ? arg + len + 1 : NULL;
	u32 i;

	for (i = 0; i < WIRE_KINDS; i++)
		if (s->kinds & BIT(i) && !strncmp(arg, kind_names[i], len) &&
		    strcspn(kind_names[i], ":") == len &&
		    !kind_names[i][len] == !name)
			break;
	if (i == WIRE_KINDS)
		return refuse_kind(s, arg);
	w->kind = i;
	switch (w->kind) {
	case WIRE_PEER:
		return parse_wire_peer(s, w, name);
	case WIRE_TAP:
	case WIRE_NETDEV:
		return parse_wire_name(s, w, name, SPEC_IFNAME_SIZE);
	case WIRE_SOCKET:
		return parse_wire_name(s, w, name, sizeof(w->name));
	default:
		return true;
	}
}

/* pA=KIND[:NAME][,MODIFIER]... */
static bool parse_wire(struct spec *s, const char *arg)
{
	struct wire_spec w = { .length_m = 1 };
	char copy[256], *mods;
	const char *val;
	u32 port;

	val = parse_port(s, "wire", arg, '=', &port);
	if (!val)
		return false;
	if (!copy_text(copy, sizeof(copy), val + 1))
		return refuse(s, "%swire p%u: longer than %zu characters",
			      s->prefix, port, sizeof(copy) - 1);
	mods = copy;
	strsep(&mods, ",");
	if (!parse_wire_kind(s, &w, copy))
		return false;
	if (mods && !parse_wire_mods(s, &w, mods))
		return false;
	if (w.kind == WIRE_PEER && w.peer == port)
		return refuse(s, "%swire '%s': use p%u=loop", s->prefix, arg,
			      port);
	if (s->wire[port].kind != WIRE_NONE)
		return refuse(s, "%swire '%s': p%u already has a wire",
			      s->prefix, arg, port);
	s->wire[port] = w;
	return true;
}

/* Other names move up. */
static void drop_record(struct spec *s, u32 port)
{
	u16 at = s->record[port], len = (u16)strlen(s->paths + at) + 1;
	u32 other;

	if (!at)
		return;
	s->record[port] = 0;
	s->paths_len -= len;
	memmove(s->paths + at, s->paths + at + len, 1U + s->paths_len - at);
	for (other = 0; other < PARQ_MAX_PORTS; other++)
		if (s->record[other] > at)
			s->record[other] -= len;
}

static bool parse_record(struct spec *s, const char *arg)
{
	const char *val;
	u32 port;
	u16 at;

	val = parse_port(s, "record", arg, '=', &port);
	if (!val++)
		return false;
	if (!*val)
		return refuse(s, "%srecord '%s': names no file", s->prefix, arg);
	if (s->record[port])
		return refuse(s, "%srecord '%s': p%u is recorded already",
			      s->prefix, arg, port);
	at = 1 + s->paths_len;
	if (!copy_text(s->paths + at, SPEC_PATHS_SIZE - at, val))
		return refuse(s, "%srecord p%u: the paths of all ports have %u characters at most",
			      s->prefix, port, SPEC_PATHS_SIZE - 2);
	s->record[port] = at;
	s->paths_len += (u16)strlen(val) + 1;
	return true;
}

/* Which names an interface may have the kernel decides: dev_valid_name(). */
static bool valid_ifname(const char *name)
{
	const char *c;

	for (c = name; *c; c++)
		if (*c <= ' ' || *c > '~' || *c == '/' || *c == ':' || *c == '%')
			return false;
	return c != name && c - name < SPEC_IFNAME_SIZE && strcmp(name, ".") &&
	       strcmp(name, "..");
}

static bool parse_name(struct spec *s, const char *arg)
{
	const char *val;
	u32 port, other;

	val = parse_port(s, "name", arg, '=', &port);
	if (!val++)
		return false;
	if (!valid_ifname(val))
		return refuse(s, "%sname '%s': an interface has 1 to %d letters and digits",
			      s->prefix, arg, SPEC_IFNAME_SIZE - 1);
	for (other = 0; other < PARQ_MAX_PORTS; other++)
		if (other != port && !strcmp(s->ifname[other], val))
			return refuse(s, "%sname '%s': p%u has this name", s->prefix, arg,
				      other);
	return copy_text(s->ifname[port], SPEC_IFNAME_SIZE, val);
}

/* seed=N and KIND=N, separated by commas. */
static bool parse_fault(struct spec *s, const char *arg)
{
	char copy[128], *rest = copy, *item, *val;
	u32 kind;

	if (!*arg || !copy_text(copy, sizeof(copy), arg))
		return refuse(s, "%sfault '%s': not a list like seed=1,dma=1000",
			      s->prefix, arg);
	while ((item = next_item(&rest))) {
		val = strchr(item, '=');
		if (!val)
			return refuse(s, "%sfault '%s': has no value", s->prefix,
				      item);
		*val++ = '\0';
		if (!strcmp(item, "seed")) {
			if (!spec_u32(s, "fault seed", val, 0, U32_MAX,
				      &s->fault.seed))
				return false;
			continue;
		}
		if (!spec_name(s, "fault", item, fault_names, FAULT_KINDS,
			       &kind) ||
		    !spec_u32(s, "fault", val, 1, U32_MAX,
			      &s->fault.one_in[kind]))
			return false;
	}
	return true;
}

/* Without a value the flag is set. */
static bool parse_flag(struct spec *s, const char *what, const char *arg, bool *flag)
{
	if (*arg && strcmp(arg, "0") && strcmp(arg, "1"))
		return refuse(s, "%s%s '%s': not 0 or 1", s->prefix, what, arg);
	*flag = *arg != '0';
	return true;
}

static bool parse_no_offload(struct spec *s, const char *arg)
{
	return parse_flag(s, "no-offload", arg, &s->nic.no_offload);
}

static bool parse_forward(struct spec *s, const char *arg)
{
	return parse_flag(s, "forward", arg, &s->nic.forward);
}

static bool parse_ports(struct spec *s, const char *arg)
{
	u32 n;

	if (!spec_u32(s, "ports", arg, 1, PARQ_MAX_PORTS, &n))
		return false;
	s->nic.ports = (u8)n;
	return true;
}

static bool parse_txq(struct spec *s, const char *arg)
{
	u32 n;

	if (!spec_u32(s, "txq", arg, 1, PARQ_MAX_TXQ, &n))
		return false;
	s->nic.txq = (u8)n;
	return true;
}

static bool parse_rxq(struct spec *s, const char *arg)
{
	u32 n;

	if (!spec_u32(s, "rxq", arg, 1, PARQ_MAX_RXQ, &n))
		return false;
	s->nic.rxq = (u8)n;
	return true;
}

static bool parse_depth(struct spec *s, const char *arg)
{
	u32 n;

	if (!spec_u32(s, "depth", arg, PARQSIM_DEPTH_MIN, PARQSIM_DEPTH_MAX, &n))
		return false;
	s->nic.depth = (u16)n;
	return true;
}

static bool parse_clk(struct spec *s, const char *arg)
{
	return spec_u32(s, "clk", arg, SPEC_MIN_CLK_PS, SPEC_MAX_CLK_PS,
			&s->nic.clk_ps);
}

static bool parse_fetch(struct spec *s, const char *arg)
{
	return spec_u32(s, "fetch", arg, 0, PARQSIM_FETCH_MAX_NS,
			&s->nic.fetch_ns);
}

static bool parse_rx_buffer(struct spec *s, const char *arg)
{
	/* Parameters and attributes have no dashes in their names. */
	return spec_u32(s, *s->prefix ? "rx-buffer" : "rx_buffer", arg, PARQSIM_RX_BUFFER_MIN,
			PARQSIM_RX_BUFFER_MAX, &s->nic.rx_buffer);
}

static bool parse_snaplen(struct spec *s, const char *arg)
{
	return spec_u32(s, "snaplen", arg, SPEC_MIN_SNAPLEN, PARQSIM_FRAME_MAX,
			&s->snaplen);
}

static const struct {
	const char *name;
	bool (*parse)(struct spec *s, const char *arg);
} spec_options[] = {
	{ "ports", parse_ports },
	{ "txq", parse_txq },
	{ "rxq", parse_rxq },
	{ "depth", parse_depth },
	{ "clk", parse_clk },
	{ "fetch", parse_fetch },
	{ "speeds", parse_speeds },
	{ "rx-buffer", parse_rx_buffer },
	{ "no-offload", parse_no_offload },
	{ "lacks", parse_lacks },
	{ "forward", parse_forward },
	{ "mac", parse_mac },
	{ "wire", parse_wire },
	{ "record", parse_record },
	{ "name", parse_name },
	{ "snaplen", parse_snaplen },
	{ "fault", parse_fault },
};

/**
 * spec_set() - set an option
 * @s: options; receives the reason if the option is refused
 * @name: name of the option
 * @arg: its value; empty for no value
 *
 * Return: false if the option is refused or unknown.
 */
bool spec_set(struct spec *s, const char *name, const char *arg)
{
	size_t i;

	for (i = 0; i < sizeof(spec_options) / sizeof(*spec_options); i++)
		if (!strcmp(name, spec_options[i].name))
			return spec_options[i].parse(s, arg);
	return refuse(s, "%s%s: no such option", s->prefix, name);
}

/**
 * spec_unset() - reset an option to its default
 * @s: options
 * @name: name of the option
 * @port: port of a wire, a recording or a name
 *
 * Return: false if the option always has a value.
 */
bool spec_unset(struct spec *s, const char *name, u32 port)
{
	if (!strcmp(name, "wire"))
		s->wire[port] = (struct wire_spec){ .kind = WIRE_NONE };
	else if (!strcmp(name, "record"))
		drop_record(s, port);
	else if (!strcmp(name, "name"))
		*s->ifname[port] = '\0';
	else if (!strcmp(name, "snaplen"))
		s->snaplen = 0;
	else if (!strcmp(name, "lacks"))
		s->nic.lacks = 0;
	else if (!strcmp(name, "fault"))
		s->fault = (struct fault_spec){ .seed = 0 };
	else
		return false;
	return true;
}

static u64 wire_ports(const struct wire_spec *w, u32 port)
{
	if (w->kind == WIRE_NONE)
		return 0;
	return BIT_ULL(port) | (w->kind == WIRE_PEER ? BIT_ULL(w->peer) : 0);
}

/* Ports and queues are as many as a device can have. */
static bool check_size(struct spec *s)
{
	struct parqsim_config nic = spec_nic(s);

	if (nic.ports > PARQ_NIC_PORTS && !nic.forward)
		return refuse(s, "%sports %u: without %sforward at most %u", s->prefix,
			      nic.ports, s->prefix, PARQ_NIC_PORTS);
	if (nic.ports * (nic.txq + nic.rxq) >= PARQ_MAX_VECTORS)
		return refuse(s, "%sports %u with %stxq %u and %srxq %u: more than %u queues",
			      s->prefix, nic.ports, s->prefix, nic.txq, s->prefix, nic.rxq,
			      PARQ_MAX_VECTORS - 1);
	return true;
}

/**
 * spec_check() - check that the options are consistent
 * @s: complete options; receives the reason if they are not
 *
 * Every port that is named must exist and have one end of one wire.
 *
 * Return: false if they are not consistent.
 */
bool spec_check(struct spec *s)
{
	u64 missing = ~(~0ULL >> (64 - s->nic.ports)), ports, wired = 0;
	u32 i;

	if (!check_size(s))
		return false;
	for (i = 0; i < PARQ_MAX_PORTS; i++) {
		ports = wire_ports(&s->wire[i], i);
		if (ports & wired)
			return refuse(s, "%swire p%u: p%d already has a wire",
				      s->prefix, i,
				      __builtin_ctzll(ports & wired));
		wired |= ports;
		ports |= s->record[i] || *s->ifname[i] ? BIT_ULL(i) : 0;
		if (ports & missing)
			return refuse(s, "p%d: with %sports %u there are p0 to p%u",
				      63 - __builtin_clzll(ports), s->prefix,
				      s->nic.ports, s->nic.ports - 1U);
	}
	/* Frames that wait on the NIC are not for the driver to release. */
	if (s->nic.forward && s->nic.no_offload)
		return refuse(s, "%sforward: not with %sno-offload", s->prefix, s->prefix);
	return true;
}

/**
 * spec_nic() - the NIC of complete options
 * @s: options
 *
 * The ports of a switch are many, and most of its frames go to no host.
 *
 * Return: its properties, with a default for each that is not set.
 */
struct parqsim_config spec_nic(const struct spec *s)
{
	bool many = s->nic.ports > PARQ_NIC_PORTS;
	struct parqsim_config nic = s->nic;

	if (!nic.txq)
		nic.txq = many ? PARQ_NUM_PRIO : PARQ_MAX_TXQ;
	if (!nic.rxq)
		nic.rxq = many ? 1 : 8;
	if (!nic.rx_buffer)
		nic.rx_buffer = many ? 1 << 20 : 4 << 20;
	return nic;
}

/**
 * spec_default_mac() - choose a MAC address, unless one is set
 * @s: the NIC
 * @seed: text that differs between the NICs of a machine
 * @machine: number that differs between machines
 *
 * The address is locally administered and derived from @seed and @machine, so that NICs of
 * several machines can share a network.
 */
void spec_default_mac(struct spec *s, const char *seed, u32 machine)
{
	u32 hash = 2166136261 ^ machine;	/* FNV-1a */
	u8 *a = s->nic.addr;

	if (a[0] | a[1] | a[2] | a[3] | a[4] | a[5])
		return;
	for (; *seed; seed++)
		hash = (hash ^ (u8)*seed) * 16777619;
	a[0] = 0x02;
	a[1] = 0x50;
	a[2] = (u8)(hash >> 24);
	a[3] = (u8)(hash >> 16);
	a[4] = (u8)(hash >> 8);
	a[5] = (u8)(hash & ~(PARQ_NIC_PORTS - 1U));
}
