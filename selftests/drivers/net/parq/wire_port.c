// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "wire_port.h"

#define MAX_SOURCES	16

/**
 * struct source - a MAC address
 * @addr: the address
 * @is_peer: pause frames come from it
 */
struct source {
	uint8_t addr[6];
	bool is_peer;
};

/**
 * struct survey - what an interface has
 * @frames: all
 * @pauses: pause frames received
 * @undirected: frames without direction
 * @has_addr: @addr is known
 * @addr: of the first frame sent
 * @source: of frames
 * @sources: how many, up to MAX_SOURCES
 */
struct survey {
	uint64_t frames;
	uint64_t pauses;
	uint64_t undirected;
	bool has_addr;
	uint8_t addr[6];
	struct source source[MAX_SOURCES];
	uint32_t sources;
};

static void note(struct survey *s, const struct wire_packet *p,
		 const struct wire_frame *f)
{
	uint32_t i;

	s->frames++;
	s->pauses += wire_frame_is_pause(f) && p->dir != WIRE_OUTBOUND;
	s->undirected += !p->dir;
	if (p->dir == WIRE_OUTBOUND && !s->has_addr) {
		s->has_addr = true;
		memcpy(s->addr, f->src, sizeof(s->addr));
	}
	for (i = 0; i < s->sources; i++)
		if (!memcmp(s->source[i].addr, f->src, 6))
			break;
	if (i == MAX_SOURCES)
		return;
	if (i == s->sources) {
		memcpy(s->source[i].addr, f->src, 6);
		s->sources++;
	}
	s->source[i].is_peer |= wire_frame_is_pause(f);
}

/* The interface of this name, else the one with most pauses, else with most frames. */
static uint32_t choose(const struct survey *all, const struct wire_file *w,
		       const char *name, const char *path)
{
	uint32_t i, best = 0;

	for (i = 0; i < w->names; i++)
		if (*name ? !strcmp(w->name[i], name) && all[i].frames :
		    all[i].pauses > all[best].pauses ||
		    (all[i].pauses == all[best].pauses &&
		     all[i].frames > all[best].frames))
			best = i;
	if (!w->names || !all[best].frames) {
		fprintf(stderr, "%s: %s\n", path,
			*w->trouble ? w->trouble : "has no frames");
		exit(OPTIONS_BAD_USAGE);
	}
	if (*name && strcmp(w->name[best], name)) {
		fprintf(stderr, "%s: --interface %s: no frames of it; there are",
			path, name);
		for (i = 0; i < w->names; i++)
			fprintf(stderr, "%s %s", i ? "," : "", w->name[i]);
		fputc('\n', stderr);
		exit(OPTIONS_BAD_USAGE);
	}
	return best;
}

/* The port is the only source that does not pause others. */
static void guess(struct wire_port *port, const struct survey *s,
		  const char *path)
{
	char addr[OPTIONS_ADDR_SIZE];
	uint32_t i, ports = 0;

	port->by_addr = true;
	for (i = 0; i < s->sources; i++)
		if (!s->source[i].is_peer) {
			memcpy(port->addr, s->source[i].addr, 6);
			ports++;
		}
	port->has_addr = ports;
	port->guessed = ports;
	if (ports < 2 && (ports || s->sources == 1))
		return;
	fprintf(stderr, "%s: frames have no direction: say with --addr ", path);
	fputs("which port is judged (frames come from", stderr);
	for (i = 0; i < s->sources; i++) {
		option_addr_text(addr, s->source[i].addr);
		fprintf(stderr, "%s %s", i ? "," : "", addr);
	}
	fputs(")\n", stderr);
	exit(OPTIONS_BAD_USAGE);
}

/**
 * wire_port_choose() - choose what is judged, or end the program with the reason why not
 * @port: what the user has said, completed with what the recording says
 * @w: the recording; it is read, and then again at its beginning
 * @path: its name
 */
void wire_port_choose(struct wire_port *port, struct wire_file *w,
		      const char *path)
{
	static struct survey all[WIRE_MAX_INTERFACES];
	const struct survey *s;
	struct wire_packet p;
	struct wire_frame f;
	uint32_t best;

	/* There is no choice. A large file is not read twice. */
	if (port->by_addr) {
		wire_file_next(w, &p);
		wire_file_rewind(w);
		if (w->names == 1 && (!*port->name || !strcmp(port->name, w->name[0]))) {
			strcpy(port->name, w->name[0]);
			return;
		}
	}
	while (wire_file_next(w, &p))
		if (wire_frame_parse(&f, NULL, p.data, p.caplen, p.len))
			note(&all[p.id], &p, &f);
	best = choose(all, w, port->name, path);
	s = &all[best];
	strcpy(port->name, w->name[best]);
	wire_file_rewind(w);
	if (port->by_addr)
		return;
	if (s->undirected) {
		guess(port, s, path);
		return;
	}
	port->has_addr = s->has_addr;
	memcpy(port->addr, s->addr, sizeof(port->addr));
}

bool wire_port_sends(const struct wire_port *port, const struct wire_packet *p,
		     const struct wire_frame *f)
{
	return port->by_addr ? port->has_addr && !memcmp(f->src, port->addr, 6) :
	       p->dir == WIRE_OUTBOUND;
}
