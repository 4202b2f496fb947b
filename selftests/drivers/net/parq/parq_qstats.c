// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of queues as the kernel's netdev family has them, by name: what ynl
 * shows, for machines without it.
 */
#include <err.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netdev.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static const char usage[] =
	"usage: parq_qstats DEV [queue]\n"
	"\n"
	"Prints \"all NAME VALUE\" of the interface, or \"rx N NAME VALUE\" and \"tx N NAME\n"
	"VALUE\" of its queues.\n";

static const char * const names[NETDEV_A_QSTATS_MAX + 1] = {
	[NETDEV_A_QSTATS_RX_PACKETS] = "rx-packets",
	[NETDEV_A_QSTATS_RX_BYTES] = "rx-bytes",
	[NETDEV_A_QSTATS_RX_ALLOC_FAIL] = "rx-alloc-fail",
	[NETDEV_A_QSTATS_RX_HW_DROPS] = "rx-hw-drops",
	[NETDEV_A_QSTATS_RX_HW_DROP_OVERRUNS] = "rx-hw-drop-overruns",
	[NETDEV_A_QSTATS_RX_CSUM_UNNECESSARY] = "rx-csum-unnecessary",
	[NETDEV_A_QSTATS_RX_CSUM_NONE] = "rx-csum-none",
	[NETDEV_A_QSTATS_RX_CSUM_BAD] = "rx-csum-bad",
	[NETDEV_A_QSTATS_RX_HW_GRO_PACKETS] = "rx-hw-gro-packets",
	[NETDEV_A_QSTATS_RX_HW_GRO_BYTES] = "rx-hw-gro-bytes",
	[NETDEV_A_QSTATS_RX_HW_GRO_WIRE_PACKETS] = "rx-hw-gro-wire-packets",
	[NETDEV_A_QSTATS_RX_HW_GRO_WIRE_BYTES] = "rx-hw-gro-wire-bytes",
	[NETDEV_A_QSTATS_TX_PACKETS] = "tx-packets",
	[NETDEV_A_QSTATS_TX_BYTES] = "tx-bytes",
	[NETDEV_A_QSTATS_TX_HW_DROPS] = "tx-hw-drops",
	[NETDEV_A_QSTATS_TX_HW_DROP_ERRORS] = "tx-hw-drop-errors",
	[NETDEV_A_QSTATS_TX_CSUM_NONE] = "tx-csum-none",
	[NETDEV_A_QSTATS_TX_NEEDS_CSUM] = "tx-needs-csum",
	[NETDEV_A_QSTATS_TX_HW_GSO_PACKETS] = "tx-hw-gso-packets",
	[NETDEV_A_QSTATS_TX_HW_GSO_BYTES] = "tx-hw-gso-bytes",
	[NETDEV_A_QSTATS_TX_HW_GSO_WIRE_PACKETS] = "tx-hw-gso-wire-packets",
	[NETDEV_A_QSTATS_TX_HW_GSO_WIRE_BYTES] = "tx-hw-gso-wire-bytes",
	[NETDEV_A_QSTATS_TX_STOP] = "tx-stop",
	[NETDEV_A_QSTATS_TX_WAKE] = "tx-wake",
};

/**
 * struct channel - to the kernel
 * @nl: socket
 * @seq: of the last request
 * @family: number of the netdev family
 */
struct channel {
	struct mnl_socket *nl;
	unsigned int seq;
	uint16_t family;
};

static struct nlmsghdr *request(struct channel *ch, char *buf, uint16_t type,
				uint16_t flags, uint8_t cmd)
{
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *g = mnl_nlmsg_put_extra_header(h, sizeof(*g));

	h->nlmsg_type = type;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	h->nlmsg_seq = ++ch->seq;
	g->cmd = cmd;
	g->version = 1;
	return h;
}

static void talk(struct channel *ch, struct nlmsghdr *h, mnl_cb_t cb)
{
	static char buf[32768];
	int n;

	if (mnl_socket_sendto(ch->nl, h, h->nlmsg_len) < 0)
		err(EXIT_FAILURE, "send");
	do {
		n = mnl_socket_recvfrom(ch->nl, buf, sizeof(buf));
		if (n < 0)
			err(EXIT_FAILURE, "receive");
		n = mnl_cb_run(buf, n, ch->seq, mnl_socket_get_portid(ch->nl),
			       cb, ch);
	} while (n > 0);
	if (n < 0)
		err(EXIT_FAILURE, "kernel");
}

static int take_family(const struct nlmsghdr *h, void *data)
{
	struct channel *ch = data;
	struct nlattr *attr;

	mnl_attr_for_each(attr, h, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			ch->family = mnl_attr_get_u16(attr);
	return MNL_CB_OK;
}

/* Numbers of 32 bits where they suffice. */
static uint64_t number(const struct nlattr *attr)
{
	if (mnl_attr_get_payload_len(attr) == sizeof(uint64_t))
		return mnl_attr_get_u64(attr);
	return mnl_attr_get_u32(attr);
}

static int show(const struct nlmsghdr *h, void *data)
{
	char whose[32] = "all";
	struct nlattr *attr;
	uint32_t tx = 0;

	(void)data;
	mnl_attr_for_each(attr, h, sizeof(struct genlmsghdr)) {
		uint16_t type = mnl_attr_get_type(attr);

		if (type == NETDEV_A_QSTATS_QUEUE_TYPE)
			tx = mnl_attr_get_u32(attr) == NETDEV_QUEUE_TYPE_TX;
	}
	mnl_attr_for_each(attr, h, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == NETDEV_A_QSTATS_QUEUE_ID)
			snprintf(whose, sizeof(whose), "%s %u",
				 tx ? "tx" : "rx", mnl_attr_get_u32(attr));
	}
	mnl_attr_for_each(attr, h, sizeof(struct genlmsghdr)) {
		uint16_t type = mnl_attr_get_type(attr);

		if (type <= NETDEV_A_QSTATS_MAX && names[type])
			printf("%s %s %llu\n", whose, names[type],
			       (unsigned long long)number(attr));
	}
	return MNL_CB_OK;
}

int main(int argc, char **argv)
{
	static char buf[4096];
	struct channel ch = {};
	struct nlmsghdr *h;
	uint32_t ifindex;

	if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "queue"))) {
		fputs(usage, stderr);
		return OPTIONS_BAD_USAGE;
	}
	ifindex = if_nametoindex(argv[1]);
	if (!ifindex)
		err(EXIT_FAILURE, "%s", argv[1]);
	ch.nl = mnl_socket_open(NETLINK_GENERIC);
	if (!ch.nl || mnl_socket_bind(ch.nl, 0, MNL_SOCKET_AUTOPID) < 0)
		err(EXIT_FAILURE, "netlink");

	h = request(&ch, buf, GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY);
	mnl_attr_put_strz(h, CTRL_ATTR_FAMILY_NAME, NETDEV_FAMILY_NAME);
	talk(&ch, h, take_family);

	h = request(&ch, buf, ch.family, NLM_F_DUMP, NETDEV_CMD_QSTATS_GET);
	mnl_attr_put_u32(h, NETDEV_A_QSTATS_IFINDEX, ifindex);
	if (argc == 3)
		mnl_attr_put_u32(h, NETDEV_A_QSTATS_SCOPE,
				 NETDEV_QSTATS_SCOPE_QUEUE);
	talk(&ch, h, show);
	mnl_socket_close(ch.nl);
	return 0;
}
