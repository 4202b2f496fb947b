// SPDX-License-Identifier: GPL-2.0
/*
 * DCB netlink messages, byte by byte: what tools never send, and many in a second.
 */
#include <errno.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "options.h"

#define MSG_MAX		8192
#define REPLY_MAX	32768
#define DEPTH_MAX	4
#define WORDS_MAX	256

static const char usage[] =
	"usage: parq_dcbnl DEV COMMAND [WORD]...\n"
	"       parq_dcbnl DEV - <MESSAGES\n"
	"\n"
	"COMMAND is one of enum dcbnl_commands, as IEEE_SET; from MESSAGES it is read\n"
	"with its words, a line each. WORDs make attributes, in their order; types are\n"
	"numbers, and all there is behind the interface's name:\n"
	"\n"
	"  TYPE=N           one byte\n"
	"  TYPE=N/16        two bytes; /32: four\n"
	"  TYPE=x:HEX       these bytes\n"
	"  TYPE{ WORD... }  attributes in an attribute\n"
	"  ?PATH            print the bytes of an attribute of the answer: 6.2 is 2 in 6\n"
	"  ?PATH=N[,N]...   or expect them\n"
	"\n"
	"A message that the kernel refuses as a whole prints its errno.\n";

#define COMMAND(name)	{ #name, DCB_CMD_##name }

static const struct {
	const char *name;
	uint8_t cmd;
} commands[] = {
	COMMAND(GSTATE), COMMAND(SSTATE), COMMAND(PGTX_GCFG), COMMAND(PGTX_SCFG),
	COMMAND(PGRX_GCFG), COMMAND(PGRX_SCFG), COMMAND(PFC_GCFG),
	COMMAND(PFC_SCFG), COMMAND(SET_ALL), COMMAND(GPERM_HWADDR), COMMAND(GCAP),
	COMMAND(GNUMTCS), COMMAND(SNUMTCS), COMMAND(PFC_GSTATE),
	COMMAND(PFC_SSTATE), COMMAND(BCN_GCFG), COMMAND(BCN_SCFG), COMMAND(GAPP),
	COMMAND(SAPP), COMMAND(IEEE_SET), COMMAND(IEEE_GET), COMMAND(GDCBX),
	COMMAND(SDCBX), COMMAND(GFEATCFG), COMMAND(SFEATCFG), COMMAND(CEE_GET),
	COMMAND(IEEE_DEL),
};

/**
 * struct message - a request being built
 * @b: its bytes
 * @len: how many
 * @open: nests that are open, where they begin
 * @depth: how many
 */
struct message {
	uint8_t b[MSG_MAX];
	uint32_t len;
	uint32_t open[DEPTH_MAX];
	uint32_t depth;
};

__attribute__((noreturn)) static void bad_word(const char *word)
{
	fprintf(stderr, "'%s' is not understood\n\n%s", word, usage);
	exit(OPTIONS_BAD_USAGE);
}

/* ---- building ------------------------------------------------------------ */

static uint32_t put_attr(struct message *m, uint16_t type, const void *data,
			 uint32_t len)
{
	struct rtattr rta = { .rta_type = type, .rta_len = RTA_LENGTH(len) };
	uint32_t at = m->len;

	if (at + RTA_SPACE(len) > sizeof(m->b)) {
		fputs("the message is too long\n", stderr);
		exit(OPTIONS_BAD_USAGE);
	}
	memset(m->b + at, 0, RTA_SPACE(len));
	memcpy(m->b + at, &rta, sizeof(rta));
	if (len)
		memcpy(m->b + at + RTA_LENGTH(0), data, len);
	m->len += RTA_SPACE(len);
	return at;
}

static void put_hex(struct message *m, uint16_t type, const char *hex,
		    const char *word)
{
	uint8_t data[MSG_MAX];
	uint32_t len = 0;

	for (; *hex; hex += 2, len++)
		if (sscanf(hex, "%2hhx", &data[len]) != 1 || !hex[1])
			bad_word(word);
	put_attr(m, type, data, len);
}

static void put_number(struct message *m, uint16_t type, char *text,
		       const char *word)
{
	char *slash = strchr(text, '/');
	uint32_t bits = 8, n32;
	uint16_t n16;
	uint8_t n8;

	if (slash) {
		*slash = '\0';
		bits = option_number(word, slash + 1, 16, 32);
	}
	n32 = option_number(word, text, 0, bits == 32 ? UINT32_MAX :
			    (1U << bits) - 1);
	n16 = n32;
	n8 = n32;
	if (bits == 32)
		put_attr(m, type, &n32, sizeof(n32));
	else if (bits == 16)
		put_attr(m, type, &n16, sizeof(n16));
	else
		put_attr(m, type, &n8, sizeof(n8));
}

static void close_nest(struct message *m, const char *word)
{
	struct rtattr rta;
	uint32_t at;

	if (!m->depth)
		bad_word(word);
	at = m->open[--m->depth];
	memcpy(&rta, m->b + at, sizeof(rta));
	rta.rta_len = m->len - at;
	memcpy(m->b + at, &rta, sizeof(rta));
}

static void put_word(struct message *m, const char *word)
{
	char text[MSG_MAX], *rest;
	uint16_t type;

	if (!strcmp(word, "}")) {
		close_nest(m, word);
		return;
	}
	if (strlen(word) >= sizeof(text))
		bad_word(word);
	strcpy(text, word);
	rest = strpbrk(text, "={");
	if (!rest)
		bad_word(word);
	if (*rest == '{' && !rest[1] && m->depth < DEPTH_MAX) {
		*rest = '\0';
		type = option_number(word, text, 0, UINT16_MAX);
		m->open[m->depth++] = put_attr(m, type, NULL, 0);
	} else if (*rest == '=') {
		*rest++ = '\0';
		type = option_number(word, text, 0, UINT16_MAX);
		if (!strncmp(rest, "x:", 2))
			put_hex(m, type, rest + 2, word);
		else
			put_number(m, type, rest, word);
	} else {
		bad_word(word);
	}
}

static uint8_t command(const char *name)
{
	uint32_t i;

	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(name, commands[i].name))
			return commands[i].cmd;
	bad_word(name);
}

static void build(struct message *m, const char *dev, char **word, int num)
{
	struct nlmsghdr nlh = {
		.nlmsg_type = RTM_SETDCB, .nlmsg_flags = NLM_F_REQUEST,
	};
	struct dcbmsg dcb = { .cmd = command(word[0]) };
	int i;

	m->len = NLMSG_SPACE(sizeof(dcb));
	m->depth = 0;
	memset(m->b, 0, m->len);
	memcpy(m->b + NLMSG_HDRLEN, &dcb, sizeof(dcb));
	put_attr(m, DCB_ATTR_IFNAME, dev, strlen(dev) + 1);
	for (i = 1; i < num; i++)
		if (*word[i] != '?')
			put_word(m, word[i]);
	if (m->depth)
		bad_word("{ without }");
	nlh.nlmsg_len = m->len;
	memcpy(m->b, &nlh, sizeof(nlh));
}

/* ---- the answer ---------------------------------------------------------- */

static const struct rtattr *find(const struct rtattr *rta, int len, const char *path)
{
	char *end;
	unsigned long type = strtoul(path, &end, 10);

	for (; RTA_OK(rta, len); rta = RTA_NEXT(rta, len)) {
		if ((rta->rta_type & NLA_TYPE_MASK) != type)
			continue;
		return *end == '.' ? find(RTA_DATA(rta), RTA_PAYLOAD(rta),
					  end + 1) : rta;
	}
	return NULL;
}

/* As "1,2,3"; what is not there is as if it had no bytes. */
static void bytes_of(const struct rtattr *rta, char *text, size_t room)
{
	const uint8_t *b = rta ? RTA_DATA(rta) : NULL;
	uint32_t i, num = rta ? RTA_PAYLOAD(rta) : 0;
	size_t at = 0;

	*text = '\0';
	for (i = 0; i < num && at < room; i++)
		at += snprintf(text + at, room - at, "%s%u", i ? "," : "", b[i]);
}

static bool look(const struct nlmsghdr *nlh, const char *word)
{
	const struct rtattr *rta = (const void *)((const char *)NLMSG_DATA(nlh) +
						  NLMSG_ALIGN(sizeof(struct dcbmsg)));
	int len = NLMSG_PAYLOAD(nlh, NLMSG_ALIGN(sizeof(struct dcbmsg)));
	const char *want = strchr(word, '=');
	char text[REPLY_MAX];

	bytes_of(find(rta, len, word + 1), text, sizeof(text));
	if (!want) {
		puts(text);
		return true;
	}
	if (!strcmp(text, want + 1))
		return true;
	fprintf(stderr, "%s: the answer has '%s'\n", word, text);
	return false;
}

static bool answered(int fd, char **word, int num)
{
	static uint8_t reply[REPLY_MAX] __attribute__((aligned(NLMSG_ALIGNTO)));
	const struct nlmsghdr *nlh = (const void *)reply;
	struct nlmsgerr err;
	ssize_t len;
	bool ok = true;
	int i;

	len = recv(fd, reply, sizeof(reply), 0);
	if (len < 0 || !NLMSG_OK(nlh, (size_t)len)) {
		perror("recv");
		exit(EXIT_FAILURE);
	}
	if (nlh->nlmsg_type == NLMSG_ERROR) {
		memcpy(&err, NLMSG_DATA(nlh), sizeof(err));
		printf("%d\n", -err.error);
		return !err.error;
	}
	for (i = 1; i < num; i++)
		if (*word[i] == '?')
			ok &= look(nlh, word[i]);
	return ok;
}

static bool talk(int fd, const char *dev, char **word, int num)
{
	static struct message m;

	build(&m, dev, word, num);
	if (send(fd, m.b, m.len, 0) != (ssize_t)m.len) {
		perror("send");
		exit(EXIT_FAILURE);
	}
	return answered(fd, word, num);
}

/* Until one is refused, or not answered as expected. */
static bool talk_lines(int fd, const char *dev)
{
	char line[MSG_MAX], *word[WORDS_MAX];
	unsigned long done = 0;
	int num;

	for (; fgets(line, sizeof(line), stdin); done++) {
		num = 0;
		for (word[0] = strtok(line, "\n "); word[num];
		     word[num] = strtok(NULL, "\n "))
			if (++num == WORDS_MAX)
				bad_word(line);
		if (num && !talk(fd, dev, word, num)) {
			fprintf(stderr, "message %lu, %s\n", done + 1, word[0]);
			return false;
		}
	}
	return true;
}

int main(int argc, char **argv)
{
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK };
	bool ok;
	int fd;

	if (argc < 3) {
		fputs(usage, stderr);
		return OPTIONS_BAD_USAGE;
	}
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	if (fd < 0 || bind(fd, (const struct sockaddr *)&nl, sizeof(nl))) {
		perror("netlink");
		return EXIT_FAILURE;
	}
	if (strcmp(argv[2], "-"))
		ok = talk(fd, argv[1], argv + 2, argc - 2);
	else
		ok = talk_lines(fd, argv[1]);
	close(fd);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
