// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>

#include "options.h"
#include "wire_json.h"

static const struct wire_seen *seen;
static const char *separator = "";

/* A text without a character that JSON would have to escape, and only ASCII. */
static void quote(const char *before, const char *text)
{
	unsigned char c;

	printf("%s\"", before);
	for (; (c = *text); text++)
		putchar(c < ' ' || c > '~' || c == '"' || c == '\\' ? '?' : c);
	printf("\"");
}

static void number(const char *name, uint64_t n)
{
	printf(", \"%s\": %" PRIu64, name, n);
}

static void time_of(const char *name, bool known, uint64_t ns)
{
	if (known)
		printf(", \"%s\": %" PRId64, name, (int64_t)(ns - seen->begin));
	else
		printf(", \"%s\": null", name);
}

static void tell_pause(void *ctx, uint32_t class, const struct wire_pause *p)
{
	static const char * const by[] = {
		[WIRE_END_XON] = "xon", [WIRE_END_TIME] = "time",
		[WIRE_END_RECORDING] = "end",
	};

	(void)ctx;
	if (class == WIRE_LINK)
		printf("%s{\"pause\": \"link\"", separator);
	else
		printf("%s{\"pause\": %u", separator, class);
	time_of("begin", true, p->begin);
	time_of("end", true, p->end);
	printf(", \"end_by\": \"%s\"", by[p->end_by]);
	number("reloads", p->reloads);
	number("leaks", p->leaks);
	time_of("resumed", p->has_resumed, p->resumed);
	printf("}");
	separator = ",\n";
}

/**
 * wire_json_begin() - begin the output
 * @j: the judge, which will tell its pauses
 * @s: as it is when the others are called
 */
void wire_json_begin(struct wire_judge *j, const struct wire_seen *s)
{
	seen = s;
	j->tell_pause = tell_pause;
	printf("{\"events\": [\n");
}

static void json_control(const struct wire_frame *f)
{
	const char *comma = "";
	uint32_t i;

	printf(", \"kind\": \"%s\", \"quanta\": {",
	       f->kind == WIRE_PFC ? "pfc" : "link");
	for (i = 0; i < PARQ_NUM_PRIO; i++) {
		if (!(f->vector & 1 << i))
			continue;
		printf("%s\"%u\": %u", comma, i, f->quanta[i]);
		comma = ", ";
	}
	printf("}}");
}

/**
 * wire_json_frame() - tell of data that the port sends, or of a pause frame that it receives
 * @p: from the recording
 * @f: the frame
 * @sent: the port sends it
 * @found: what the judge says
 */
void wire_json_frame(const struct wire_packet *p, const struct wire_frame *f,
		     bool sent, enum wire_finding found)
{
	static const char * const name[] = {
		[WIRE_FREE] = "free", [WIRE_ALLOWED] = "allowed",
		[WIRE_LEAKED] = "leaked", [WIRE_STORMED] = "stormed",
	};

	if (sent ? f->kind != WIRE_DATA : !wire_frame_is_pause(f))
		return;
	printf("%s{\"t\": %" PRId64, separator, (int64_t)(p->ns - seen->begin));
	separator = ",\n";
	if (!sent) {
		json_control(f);
		return;
	}
	if (f->prio == WIRE_NO_PRIO)
		printf(", \"prio\": null");
	else
		printf(", \"prio\": %d", f->prio);
	printf(", \"len\": %u, \"found\": \"%s\"}", f->len, name[found]);
}

static void json_class(const struct wire_judge *j, uint32_t prio)
{
	const struct wire_class *c = &j->cls[prio];
	struct wire_sums s = wire_judge_sums(j, prio);

	printf("%s{\"prio\": %u", prio ? ",\n" : "", prio);
	number("frames", c->frames);
	number("bytes", c->bytes);
	number("pfc", c->pfc);
	number("pauses", c->pauses);
	number("reloads", c->reloads);
	number("repauses", c->repauses);
	number("paused_ns", c->paused_ns);
	number("allowed", c->found[WIRE_ALLOWED]);
	number("leaks", c->found[WIRE_LEAKED]);
	number("stormed", c->found[WIRE_STORMED]);
	time_of("first_leak", c->found[WIRE_LEAKED], c->first_leak);
	number("response_ns", c->response_ns);
	number("lost", s.lost);
	number("twice", s.twice);
	number("late", s.late);
	printf("}");
}

/**
 * wire_json_end() - the sums
 * @j: the judge
 * @w: the recording
 * @port: the port
 */
void wire_json_end(const struct wire_judge *j, const struct wire_file *w,
		   const struct wire_port *port)
{
	char addr[OPTIONS_ADDR_SIZE] = "";
	uint32_t i;

	printf("\n], \"priorities\": [\n");
	for (i = 0; i < PARQ_NUM_PRIO; i++)
		json_class(j, i);
	printf("\n], \"interfaces\": [");
	for (i = 0; i < w->names; i++)
		quote(i ? ", " : "", w->name[i]);
	quote("], \"interface\": ", port->name);
	quote(", \"trouble\": ", w->trouble);
	if (port->has_addr)
		option_addr_text(addr, port->addr);
	quote(", \"addr\": ", addr);
	printf(", \"guessed\": %s", port->guessed ? "true" : "false");
	number("mbit", j->mbit);
	number("allowance", j->allowance);
	printf(", \"allowance_named\": %s", seen->named ? "true" : "false");
	number("begin_ns", seen->begin);
	number("length_ns", seen->end - seen->begin);
	number("frames", seen->frames);
	number("sent", seen->sent);
	number("others", j->others);
	number("own_ctrl", j->own_ctrl);
	number("bad_ctrl", j->bad_ctrl);
	number("link_pause", j->pause_frames);
	number("backwards", j->backwards);
	number("overlaps", j->overlaps);
	number("mislabelled", j->mislabelled);
	number("unannounced", j->unannounced);
	number("violations", wire_judge_violations(j));
	printf("}\n");
}
