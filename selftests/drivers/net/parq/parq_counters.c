// SPDX-License-Identifier: GPL-2.0
/*
 * All counters of ports, by name: those of the driver, of link pause, of the MAC, of the interface
 * and of its queues. ethtool, ip and ynl show the same, but to start five programs for each port
 * would take most of a test's time.
 */
#define _GNU_SOURCE	/* setns() */
#include <err.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netdev.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "options.h"

static const char usage[] =
	"usage: parq_counters [NETNS/]DEV...\n"
	"\n"
	"Prints \"DEV_NAME: VALUE\" for each counter. Those of a queue are called as in\n"
	"rx_queue_3_packets, sums as in rx_queues_packets; older kernels have none. From the\n"
	"first device with a namespace on, all are in that one.\n";

static const char * const queue_names[NETDEV_A_QSTATS_MAX + 1] = {
	[NETDEV_A_QSTATS_RX_PACKETS] = "rx_packets",
	[NETDEV_A_QSTATS_RX_BYTES] = "rx_bytes",
	[NETDEV_A_QSTATS_RX_ALLOC_FAIL] = "rx_alloc_fail",
	[NETDEV_A_QSTATS_RX_HW_DROPS] = "rx_hw_drops",
	[NETDEV_A_QSTATS_RX_HW_DROP_OVERRUNS] = "rx_hw_drop_overruns",
	[NETDEV_A_QSTATS_RX_CSUM_UNNECESSARY] = "rx_csum_unnecessary",
	[NETDEV_A_QSTATS_RX_CSUM_NONE] = "rx_csum_none",
	[NETDEV_A_QSTATS_RX_CSUM_BAD] = "rx_csum_bad",
	[NETDEV_A_QSTATS_RX_HW_GRO_PACKETS] = "rx_hw_gro_packets",
	[NETDEV_A_QSTATS_RX_HW_GRO_BYTES] = "rx_hw_gro_bytes",
	[NETDEV_A_QSTATS_RX_HW_GRO_WIRE_PACKETS] = "rx_hw_gro_wire_packets",
	[NETDEV_A_QSTATS_RX_HW_GRO_WIRE_BYTES] = "rx_hw_gro_wire_bytes",
	[NETDEV_A_QSTATS_TX_PACKETS] = "tx_packets",
	[NETDEV_A_QSTATS_TX_BYTES] = "tx_bytes",
	[NETDEV_A_QSTATS_TX_HW_DROPS] = "tx_hw_drops",
	[NETDEV_A_QSTATS_TX_HW_DROP_ERRORS] = "tx_hw_drop_errors",
	[NETDEV_A_QSTATS_TX_CSUM_NONE] = "tx_csum_none",
	[NETDEV_A_QSTATS_TX_NEEDS_CSUM] = "tx_needs_csum",
	[NETDEV_A_QSTATS_TX_HW_GSO_PACKETS] = "tx_hw_gso_packets",
	[NETDEV_A_QSTATS_TX_HW_GSO_BYTES] = "tx_hw_gso_bytes",
	[NETDEV_A_QSTATS_TX_HW_GSO_WIRE_PACKETS] = "tx_hw_gso_wire_packets",
	[NETDEV_A_QSTATS_TX_HW_GSO_WIRE_BYTES] = "tx_hw_gso_wire_bytes",
	[NETDEV_A_QSTATS_TX_STOP] = "tx_stop",
	[NETDEV_A_QSTATS_TX_WAKE] = "tx_wake",
};

/**
 * struct channel - to the kernel
 * @nl: socket
 * @seq: of the last request
 * @family: number of the family that was last asked for
 * @dev: the device
 */
struct channel {
	struct mnl_socket *nl;
	unsigned int seq;
	uint16_t family;
	const char *dev;
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

/* Return: whether the kernel has answered. */
static bool talk(struct channel *ch, struct nlmsghdr *h, mnl_cb_t cb)
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
	return !n;
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

/* Return: whether the kernel has the family. */
static bool find_family(struct channel *ch, const char *name)
{
	static char buf[4096];
	struct nlmsghdr *h = request(ch, buf, GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY);

	mnl_attr_put_strz(h, CTRL_ATTR_FAMILY_NAME, name);
	return talk(ch, h, take_family);
}

static void print(const struct channel *ch, const char *name, uint64_t val)
{
	printf("%s_%s: %llu\n", ch->dev, name, (unsigned long long)val);
}

/* Numbers of 32 bits where they suffice. */
static uint64_t number(const struct nlattr *attr)
{
	if (mnl_attr_get_payload_len(attr) == sizeof(uint64_t))
		return mnl_attr_get_u64(attr);
	return mnl_attr_get_u32(attr);
}

/* ---- of queues ------------------------------------------------------------- */

/* "rx_packets" of queue 3 becomes "rx_queue_3_packets"; that of all, "rx_queues_packets". */
static void print_queue(const struct channel *ch, const char *name, const struct nlattr *queue,
			const struct nlattr *val)
{
	char text[64], which[16] = "s";

	if (queue)
		snprintf(which, sizeof(which), "_%u", mnl_attr_get_u32(queue));
	snprintf(text, sizeof(text), "%.2s_queue%s%s", name, which, name + 2);
	print(ch, text, number(val));
}

static int show_queue(const struct nlmsghdr *h, void *data)
{
	const struct channel *ch = data;
	const struct nlattr *queue = NULL;
	struct nlattr *attr;

	mnl_attr_for_each(attr, h, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == NETDEV_A_QSTATS_QUEUE_ID)
			queue = attr;
	mnl_attr_for_each(attr, h, sizeof(struct genlmsghdr)) {
		uint16_t type = mnl_attr_get_type(attr);

		if (type <= NETDEV_A_QSTATS_MAX && queue_names[type])
			print_queue(ch, queue_names[type], queue, attr);
	}
	return MNL_CB_OK;
}

/* @scope: NETDEV_QSTATS_SCOPE_QUEUE, or 0 for all queues together, those that are gone included */
static void queues(struct channel *ch, uint32_t scope)
{
	static char buf[4096];
	struct nlmsghdr *h = request(ch, buf, ch->family, NLM_F_DUMP, NETDEV_CMD_QSTATS_GET);

	mnl_attr_put_u32(h, NETDEV_A_QSTATS_IFINDEX, if_nametoindex(ch->dev));
	if (scope)
		mnl_attr_put_u32(h, NETDEV_A_QSTATS_SCOPE, scope);
	talk(ch, h, show_queue);
}

/* ---- of ethtool ------------------------------------------------------------ */

static int show_pause(const struct nlmsghdr *h, void *data)
{
	struct nlattr *attr, *stat;

	mnl_attr_for_each(attr, h, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != ETHTOOL_A_PAUSE_STATS)
			continue;
		mnl_attr_for_each_nested(stat, attr) {
			if (mnl_attr_get_type(stat) == ETHTOOL_A_PAUSE_STAT_TX_FRAMES)
				print(data, "tx_pause_frames", number(stat));
			if (mnl_attr_get_type(stat) == ETHTOOL_A_PAUSE_STAT_RX_FRAMES)
				print(data, "rx_pause_frames", number(stat));
		}
	}
	return MNL_CB_OK;
}

static int show_mac(const struct nlmsghdr *h, void *data)
{
	struct nlattr *group, *stats, *stat;

	mnl_attr_for_each(group, h, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(group) != ETHTOOL_A_STATS_GRP)
			continue;
		mnl_attr_for_each_nested(stats, group) {
			if (mnl_attr_get_type(stats) != ETHTOOL_A_STATS_GRP_STAT)
				continue;
			mnl_attr_for_each_nested(stat, stats)
				if (mnl_attr_get_type(stat) == ETHTOOL_A_STATS_ETH_MAC_5_RX_PKT)
					print(data, "mac_FramesReceivedOK", number(stat));
		}
	}
	return MNL_CB_OK;
}

/* @header: its type in this request */
static struct nlmsghdr *ethtool_request(struct channel *ch, char *buf, uint8_t cmd,
					uint16_t header, uint32_t flags)
{
	struct nlmsghdr *h = request(ch, buf, ch->family, 0, cmd);
	struct nlattr *nest = mnl_attr_nest_start(h, header);

	mnl_attr_put_strz(h, ETHTOOL_A_HEADER_DEV_NAME, ch->dev);
	mnl_attr_put_u32(h, ETHTOOL_A_HEADER_FLAGS, flags);
	mnl_attr_nest_end(h, nest);
	return h;
}

static void pause_frames(struct channel *ch)
{
	static char buf[4096];
	struct nlmsghdr *h = ethtool_request(ch, buf, ETHTOOL_MSG_PAUSE_GET,
					     ETHTOOL_A_PAUSE_HEADER, ETHTOOL_FLAG_STATS);

	if (!talk(ch, h, show_pause))
		err(EXIT_FAILURE, "%s: link pause", ch->dev);
}

static void mac(struct channel *ch)
{
	static char buf[4096];
	struct nlmsghdr *h = ethtool_request(ch, buf, ETHTOOL_MSG_STATS_GET,
					     ETHTOOL_A_STATS_HEADER, 0);
	struct nlattr *groups = mnl_attr_nest_start(h, ETHTOOL_A_STATS_GROUPS);

	mnl_attr_put(h, ETHTOOL_A_BITSET_NOMASK, 0, NULL);
	mnl_attr_put_u32(h, ETHTOOL_A_BITSET_SIZE, ETHTOOL_STATS_ETH_MAC + 1);
	mnl_attr_put_u32(h, ETHTOOL_A_BITSET_VALUE, 1 << ETHTOOL_STATS_ETH_MAC);
	mnl_attr_nest_end(h, groups);
	if (!talk(ch, h, show_mac))
		err(EXIT_FAILURE, "%s: MAC", ch->dev);
}

static void ethtool_ioctl(const struct channel *ch, int fd, void *cmd)
{
	struct ifreq ifr = { .ifr_data = cmd };

	snprintf(ifr.ifr_name, IFNAMSIZ, "%s", ch->dev);
	if (ioctl(fd, SIOCETHTOOL, &ifr) < 0)
		err(EXIT_FAILURE, "%s: ethtool", ch->dev);
}

/* How many the driver has does not change. */
static void driver(const struct channel *ch)
{
	struct {
		struct ethtool_sset_info info;
		uint32_t n;
	} set = { .info = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1 << ETH_SS_STATS } };
	struct ethtool_gstrings *strings;
	struct ethtool_stats *stats;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	uint32_t i;

	ethtool_ioctl(ch, fd, &set);
	strings = calloc(1, sizeof(*strings) + (size_t)set.n * ETH_GSTRING_LEN);
	stats = calloc(1, sizeof(*stats) + (size_t)set.n * sizeof(uint64_t));
	if (!strings || !stats)
		err(EXIT_FAILURE, "memory");
	strings->cmd = ETHTOOL_GSTRINGS;
	strings->string_set = ETH_SS_STATS;
	strings->len = set.n;
	ethtool_ioctl(ch, fd, strings);
	stats->cmd = ETHTOOL_GSTATS;
	stats->n_stats = set.n;
	ethtool_ioctl(ch, fd, stats);
	for (i = 0; i < set.n; i++)
		print(ch, (char *)strings->data + i * ETH_GSTRING_LEN, stats->data[i]);
	free(strings);
	free(stats);
	close(fd);
}

/* ---- of the interface ------------------------------------------------------ */

static void interface(const struct channel *ch)
{
	FILE *file = fopen("/proc/thread-self/net/dev", "r");
	char line[512], name[IFNAMSIZ + 1];
	unsigned long long sent;

	if (!file)
		err(EXIT_FAILURE, "/proc/thread-self/net/dev");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, " %16[^:]: %*u %*u %*u %*u %*u %*u %*u %*u %*u %llu", name,
			   &sent) == 2 && !strcmp(name, ch->dev))
			print(ch, "link_tx_packets", sent);
	fclose(file);
}

static void enter(const char *netns)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	fd = open(path, O_RDONLY);
	if (fd < 0 || setns(fd, CLONE_NEWNET) < 0)
		err(EXIT_FAILURE, "%s", path);
	close(fd);
}

static void port(const char *dev)
{
	struct channel ch = { .nl = mnl_socket_open(NETLINK_GENERIC), .dev = dev };

	if (!ch.nl || mnl_socket_bind(ch.nl, 0, MNL_SOCKET_AUTOPID) < 0)
		err(EXIT_FAILURE, "netlink");
	if (!if_nametoindex(dev))
		err(EXIT_FAILURE, "%s", dev);
	driver(&ch);
	if (!find_family(&ch, ETHTOOL_GENL_NAME))
		err(EXIT_FAILURE, "%s", ETHTOOL_GENL_NAME);
	pause_frames(&ch);
	mac(&ch);
	interface(&ch);
	if (find_family(&ch, NETDEV_FAMILY_NAME)) {
		queues(&ch, 0);
		queues(&ch, NETDEV_QSTATS_SCOPE_QUEUE);
	}
	mnl_socket_close(ch.nl);
}

int main(int argc, char **argv)
{
	char *slash;
	int i;

	if (argc < 2 || *argv[1] == '-') {
		fputs(usage, stderr);
		return OPTIONS_BAD_USAGE;
	}
	for (i = 1; i < argc; i++) {
		slash = strchr(argv[i], '/');
		if (slash) {
			*slash = '\0';
			enter(argv[i]);
		}
		port(slash ? slash + 1 : argv[i]);
	}
	return 0;
}
