// SPDX-License-Identifier: GPL-2.0
/* Prints options in the syntax of spec_set(). */
#include <linux/kernel.h>
#include <linux/stdarg.h>
#include <linux/string.h>

#include "spec.h"

/**
 * struct text - text that grows
 * @buf: buffer
 * @size: size of @buf
 * @len: length of the text, which may exceed @size
 */
struct text {
	char *buf;
	size_t size;
	size_t len;
};

__printf(2, 3)
static void add(struct text *t, const char *fmt, ...)
{
	bool full = t->len >= t->size;
	va_list ap;

	va_start(ap, fmt);
	t->len += (size_t)vsnprintf(full ? NULL : t->buf + t->len,
				    full ? 0 : t->size - t->len, fmt, ap);
	va_end(ap);
}

static const char *comma(const struct text *t)
{
	return t->len ? "," : "";
}

static bool show_number(const struct spec *s, const char *name, struct text *t)
{
	struct parqsim_config nic = spec_nic(s);
	const struct {
		const char *name;
		u32 val;
	} number[] = {
		{ "ports", nic.ports },
		{ "txq", nic.txq },
		{ "rxq", nic.rxq },
		{ "depth", s->nic.depth },
		{ "clk", s->nic.clk_ps },
		{ "fetch", s->nic.fetch_ns },
		{ "rx-buffer", nic.rx_buffer },
		{ "no-offload", s->nic.no_offload },
		{ "forward", s->nic.forward },
	};
	size_t i;

	for (i = 0; i < sizeof(number) / sizeof(*number); i++) {
		if (strcmp(name, number[i].name))
			continue;
		add(t, "%u", number[i].val);
		return true;
	}
	return false;
}

static void show_list(u32 bits, const char *const *names, u32 num, struct text *t)
{
	u32 bit;

	for (bit = 0; bit < num; bit++)
		if (bits & BIT(bit))
			add(t, "%s%s", comma(t), names[bit]);
}

static void show_mac(const struct spec *s, struct text *t)
{
	const u8 *a = s->nic.addr;

	add(t, "%02x:%02x:%02x:%02x:%02x:%02x", a[0], a[1], a[2], a[3], a[4],
	    a[5]);
}

static void show_wire(const struct wire_spec *w, struct text *t)
{
	switch (w->kind) {
	case WIRE_PEER:
		add(t, "peer:p%u,length=%u", w->peer, w->length_m);
		break;
	case WIRE_NIC:
		add(t, "peer:%s:p%u,length=%u", w->name, w->peer, w->length_m);
		break;
	case WIRE_LOOP:
		add(t, "loop,length=%u", w->length_m);
		break;
	case WIRE_TAP:
		add(t, "tap:%s", w->name);
		break;
	case WIRE_NETDEV:
		add(t, "netdev:%s", w->name);
		break;
	case WIRE_SOCKET:
		add(t, "socket:%s%s,length=%u", w->name,
		    w->listen ? ",listen" : "", w->length_m);
		break;
	default:
		break;
	}
}

static void show_fault(const struct fault_spec *f, struct text *t)
{
	u32 kind;

	if (f->seed)
		add(t, "seed=%u", f->seed);
	for (kind = 0; kind < FAULT_KINDS; kind++)
		if (f->one_in[kind])
			add(t, "%s%s=%u", comma(t), fault_names[kind],
			    f->one_in[kind]);
}

/**
 * spec_show() - print the value of an option in the syntax of spec_set()
 * @s: the NIC
 * @name: name of the option
 * @port: port of a wire, a recording or a name; the value is printed without the port
 * @buf: receives the text, empty if the option is unset
 * @size: size of @buf; a longer text is truncated
 */
void spec_show(const struct spec *s, const char *name, u32 port, char *buf,
	       size_t size)
{
	struct text t = { .buf = buf, .size = size };

	*buf = '\0';
	if (show_number(s, name, &t))
		return;
	if (!strcmp(name, "speeds"))
		show_list(s->nic.speeds, spec_speed_names, PARQ_NUM_SPEEDS, &t);
	else if (!strcmp(name, "lacks"))
		show_list(s->nic.lacks, spec_cap_names, SPEC_CAPS, &t);
	else if (!strcmp(name, "mac"))
		show_mac(s, &t);
	else if (!strcmp(name, "wire"))
		show_wire(&s->wire[port], &t);
	else if (!strcmp(name, "record"))
		add(&t, "%s", spec_record(s, port));
	else if (!strcmp(name, "name"))
		add(&t, "%s", s->ifname[port]);
	else if (!strcmp(name, "snaplen") && s->snaplen)
		add(&t, "%u", s->snaplen);
	else if (!strcmp(name, "fault"))
		show_fault(&s->fault, &t);
}
