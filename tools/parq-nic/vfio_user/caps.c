// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "caps.h"

/* Known clients nest three objects. */
#define JSON_MAX_DEPTH	16

static const char * const caps_names[] = {
	"max_msg_fds",
	"max_data_xfer_size",
	"max_dma_maps",
	"pgsizes",
	"write_multiple",
};

/**
 * struct caps_parser - the way through a text
 * @pos: what comes next; the text ends with NUL
 * @depth: objects and arrays that are open
 * @in_caps: inside of the member "capabilities" of the outermost object
 * @found: CAPS_ that were seen there
 */
struct caps_parser {
	const char *pos;
	u32 depth;
	bool in_caps;
	u32 found;
};

/* Skips white space and then @c, if it is there. */
static bool json_accept(struct caps_parser *p, char c)
{
	p->pos += strspn(p->pos, " \t\r\n");
	if (*p->pos != c)
		return false;
	p->pos++;
	return true;
}

/* A string that has been opened. @len: bytes between the quotes. */
static const char *json_string(struct caps_parser *p, size_t *len)
{
	const char *start = p->pos;

	for (; *p->pos != '"'; p->pos++) {
		if ((u8)*p->pos < ' ')
			return NULL;
		if (*p->pos == '\\' && (u8)*++p->pos < ' ')
			return NULL;
	}
	*len = p->pos++ - start;
	return start;
}

/* A number or a literal; nothing here depends on its value. */
static bool json_scalar(struct caps_parser *p)
{
	size_t len = strspn(p->pos, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");

	p->pos += len;
	return len;
}

static u32 caps_lookup(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(caps_names) / sizeof(caps_names[0]); i++) {
		if (strlen(caps_names[i]) == len &&
		    !memcmp(caps_names[i], name, len))
			return BIT(i);
	}
	return 0;
}

/* Name and colon of a member; notes what it means for the value behind it. */
static bool caps_member(struct caps_parser *p)
{
	const char *name;
	size_t len;

	if (!json_accept(p, '"'))
		return false;
	name = json_string(p, &len);
	if (!name || !json_accept(p, ':'))
		return false;

	if (p->depth == 1)
		p->in_caps = len == strlen("capabilities") &&
			     !memcmp(name, "capabilities", len);
	else if (p->depth == 2 && p->in_caps)
		p->found |= caps_lookup(name, len);
	return true;
}

static bool caps_value(struct caps_parser *p)
{
	bool object = json_accept(p, '{');
	char close = object ? '}' : ']';
	size_t len;

	if (!object && json_accept(p, '"'))
		return json_string(p, &len);
	if (!object && !json_accept(p, '['))
		return json_scalar(p);

	if (++p->depth > JSON_MAX_DEPTH)
		return false;
	if (!json_accept(p, close)) {
		do {
			if (object && !caps_member(p))
				return false;
			if (!caps_value(p))
				return false;
		} while (json_accept(p, ','));
		if (!json_accept(p, close))
			return false;
	}
	p->depth--;
	return true;
}

int caps_parse(const char *text, u32 *proposed)
{
	struct caps_parser p = { .pos = text };

	p.pos += strspn(p.pos, " \t\r\n");
	if (*p.pos != '{' || !caps_value(&p) || !json_accept(&p, '\0'))
		return -EINVAL;
	*proposed = p.found;
	return 0;
}

size_t caps_print(char *buf, size_t size, u32 proposed,
		  const struct caps_limits *limits)
{
	u32 values[] = {
		limits->max_msg_fds,
		limits->max_xfer,
		limits->max_maps,
		limits->pgsizes,
	};
	const char *comma = "";
	size_t len;
	u32 i;

	len = snprintf(buf, size, "{\"capabilities\":{");
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (!(proposed & BIT(i)))
			continue;
		len += snprintf(buf + len, size - len, "%s\"%s\":%u", comma,
				caps_names[i], values[i]);
		comma = ",";
	}
	if (proposed & CAPS_WRITE_MULTIPLE)
		len += snprintf(buf + len, size - len, "%s\"%s\":true", comma,
				"write_multiple");
	return len + snprintf(buf + len, size - len, "}}");
}
