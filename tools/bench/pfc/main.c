// SPDX-License-Identifier: GPL-2.0
/* bench-WAY NAME=VALUE...: one run, and its result as one line of JSON, all of it integers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define DRAIN_STEPS	100000
#define DRAIN_STEP_PS	10000000

static const struct option {
	const char *name;
	size_t offset;
	u32 min, max;
} options[] = {
	{ "gbps", offsetof(struct options, gbps), 1, 400 },
	{ "ports", offsetof(struct options, ports), 1, PARQ_NIC_PORTS },
	{ "depth", offsetof(struct options, depth), PARQSIM_DEPTH_MIN, 512 },
	{ "frames", offsetof(struct options, frames), FRAMES_64, FRAMES_MIXED },
	{ "bursty", offsetof(struct options, bursty), 0, 1 },
	{ "fetch_ns", offsetof(struct options, fetch_ns), 0, PARQSIM_FETCH_MAX_NS },
	{ "read_ns", offsetof(struct options, read_ns), 0, 1000000 },
	{ "host_ns", offsetof(struct options, host_ns), 0, 1000000 },
	{ "quanta", offsetof(struct options, quanta), 1000, 10000000 },
	{ "seed", offsetof(struct options, seed), 1, 0x7fffffff },
};

#define NUM_OPTIONS	(sizeof(options) / sizeof(options[0]))

static u32 *option_val(struct options *o, const struct option *opt)
{
	return (u32 *)((char *)o + opt->offset);
}

static bool set(struct options *o, const char *arg)
{
	const struct option *opt;
	size_t len;
	char *end;
	u64 val;

	for (opt = options; opt < options + NUM_OPTIONS; opt++) {
		len = strlen(opt->name);
		if (strncmp(arg, opt->name, len) || arg[len] != '=')
			continue;
		val = strtoull(arg + len + 1, &end, 10);
		if (!arg[len + 1] || *end || val < opt->min || val > opt->max) {
			fprintf(stderr, "bench-%s: %s: not in %u..%u\n", policy_name, arg,
				opt->min, opt->max);
			return false;
		}
		*option_val(o, opt) = val;
		return true;
	}
	fprintf(stderr, "bench-%s: no option '%s'\n", policy_name, arg);
	return false;
}

static int compare(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void show(const char *name, u64 val)
{
	printf(", \"%s\": %llu", name, (unsigned long long)val);
}

static void show_ppm(const char *name, u64 part, u64 all)
{
	if (all)
		show(name, part * 1000000 / all);
	else
		printf(", \"%s\": null", name);
}

/* Nearest rank. */
static void show_resume(struct result *r)
{
	static const struct { const char *name; u32 percent; } rank[] = {
		{ "resume_median_ps", 50 }, { "resume_p99_ps", 99 }, { "resume_max_ps", 100 },
	};
	u32 i, at;

	qsort(r->resume_ps, r->resumes, sizeof(r->resume_ps[0]), compare);
	show("resumes", r->resumes);
	for (i = 0; i < 3; i++) {
		at = (r->resumes * rank[i].percent + 99) / 100;
		if (at)
			show(rank[i].name, r->resume_ps[at - 1]);
		else
			printf(", \"%s\": null", rank[i].name);
	}
}

static void show_order(const struct bench *b)
{
	u64 frames = 0, lost = 0, disorder = 0;
	u32 port, prio;

	for (port = 0; port < b->o.ports; port++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
			const struct wire_judge *j = &b->port[port].judge;
			struct wire_sums s = wire_judge_sums(j, prio);

			frames += j->cls[prio].frames;
			lost += s.lost;
			disorder += s.late + s.twice;
		}
	show("frames_sent", frames);
	show("lost", lost);
	show("disorder", disorder);
}

static u64 pauses(const struct bench *b)
{
	u32 port, prio;
	u64 n = 0;

	for (port = 0; port < b->o.ports; port++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++)
			n += b->port[port].judge.cls[prio].pauses;
	return n;
}

static void show_time(const struct bench *b)
{
	struct port sum = { .paused_ps = 0 };
	u32 port;

	for (port = 0; port < b->o.ports; port++) {
		const struct port *p = &b->port[port];

		sum.paused_ps += p->paused_ps;
		sum.others_ps += p->others_ps;
		sum.busy_ps += p->busy_ps;
		sum.calm_ps += p->calm_ps;
		sum.calm_busy_ps += p->calm_busy_ps;
	}
	show_ppm("others_ppm", sum.others_ps, sum.paused_ps);
	show_ppm("idle_ppm", sum.paused_ps - sum.busy_ps, sum.paused_ps);
	show_ppm("other_ports_ppm", sum.calm_busy_ps, sum.calm_ps);
}

static void print(struct bench *b)
{
	struct policy_need need = policy_need();
	struct result *r = &b->res;
	size_t i;

	printf("{\"way\": \"%s\"", policy_name);
	for (i = 0; i < NUM_OPTIONS; i++)
		show(options[i].name, *option_val(&b->o, &options[i]));
	show("pauses", pauses(b));
	show("leak_frames", r->leak_frames);
	show("leak_bytes", r->leak_bytes);
	show("leak_max_frames", r->leak_max_frames);
	show("leak_max_bytes", r->leak_max_bytes);
	show("late_quanta", (r->late_ps + 64 * b->byte_ps - 1) / (64 * b->byte_ps));
	show("chip_bytes", need.bytes);
	show("chip_class_bytes", need.class_bytes);
	show("chip_class_fds", need.class_fds);
	show_time(b);
	show_resume(r);
	show("park_writes", r->park_writes);
	show("park_reads", r->park_reads);
	show("status_bytes", r->status_bytes);
	show("park_queue_bytes", b->park_end - b->park);
	show("commands", r->commands);
	show("irqs", r->irqs);
	show("pcie_bytes", (r->park_writes + r->park_reads) * sizeof(struct parq_fd) +
	     r->status_bytes + r->commands * 4 + r->irqs * 4 + r->tlps * TLP_BYTES);
	show("wire_bytes", r->wire_bytes);
	show("own_bytes", r->own_bytes);
	show_order(b);
	printf("}\n");
}

static bool is_out(const struct bench *b)
{
	u32 port, prio;

	for (port = 0; port < b->o.ports; port++)
		for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
			const struct port *p = &b->port[port];

			if (p->judge.cls[prio].frames != p->cls[prio].queue.posted)
				return false;
		}
	return true;
}

int main(int argc, char **argv)
{
	static struct bench b = {
		.o = { .gbps = 100, .ports = 1, .depth = 32, .frames = FRAMES_1518,
		       .quanta = 100000, .seed = 1 },
	};
	u64 now;
	int i;

	for (i = 1; i < argc; i++)
		if (!set(&b.o, argv[i]))
			return 2;
	judge_init(&b);
	host_init(&b);
	peer_init(&b);
	parqsim_run(b.sim, 0);
	parqsim_run(b.sim, (u64)b.o.quanta * 64 * b.byte_ps);
	judge_time(&b);
	peer_stop(&b);
	b.stopping = true;
	for (i = 0, now = bench_now(&b); i < DRAIN_STEPS && !is_out(&b); i++)
		parqsim_run(b.sim, now += DRAIN_STEP_PS);
	judge_end(&b);
	print(&b);
	return 0;
}
