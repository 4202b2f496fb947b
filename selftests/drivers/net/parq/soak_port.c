// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "soak_port.h"

/* Of a message, and of an answer. */
#define MSG_SIZE	16384
#define INDIR_MAX	1024
#define REGS_MAX	65536

__attribute__((noreturn)) static void die(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static int request(struct port *p, unsigned long cmd, struct ifreq *ifr)
{
	strcpy(ifr->ifr_name, p->name);
	return ioctl(p->fd, cmd, ifr) ? -errno : 0;
}

static struct mnl_socket *netlink_open(int protocol)
{
	struct mnl_socket *nl = mnl_socket_open(protocol);

	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0)
		die("netlink");
	return nl;
}

/* For the frames of port_call(), which have an EtherType for experiments. */
static int raw_open(struct port *p)
{
	struct sockaddr_ll addr = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_802_EX1),
	};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	struct ifreq ifr;

	if (request(p, SIOCGIFINDEX, &ifr))
		die(p->name);
	addr.sll_ifindex = ifr.ifr_ifindex;
	if (fd < 0 || bind(fd, (const struct sockaddr *)&addr, sizeof(addr)))
		die("packet socket");
	return fd;
}

/**
 * port_open() - find an interface, or end the program
 * @p: to initialise
 * @name: of it
 * @netns: file of its network namespace
 */
void port_open(struct port *p, const char *name, const char *netns)
{
	int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);

	p->name = name;
	p->netns = open(netns, O_RDONLY | O_CLOEXEC);
	if (own < 0 || p->netns < 0 || setns(p->netns, CLONE_NEWNET))
		die(netns);
	p->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (p->fd < 0)
		die("socket");
	p->raw = raw_open(p);
	p->nl = netlink_open(NETLINK_ROUTE);
	if (setns(own, CLONE_NEWNET))
		die("namespace");
	close(own);
}

/* ---- frames -------------------------------------------------------------- */

/* Broadcasts a frame. Its source is not the port's own address, which the judge looks for. */
void port_call(struct port *p)
{
	static const uint8_t frame[ETH_ZLEN] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 0x98,
		ETH_P_802_EX1 >> 8, ETH_P_802_EX1 & 0xff,
	};

	send(p->raw, frame, sizeof(frame), MSG_DONTWAIT);
}

/* Return: such a frame has arrived since the last call. */
bool port_heard(struct port *p)
{
	uint8_t byte;
	bool heard = false;

	while (recv(p->raw, &byte, 1, MSG_DONTWAIT) > 0)
		heard = true;
	return heard;
}

/* ---- interface ----------------------------------------------------------- */

int port_up(struct port *p, bool up)
{
	struct ifreq ifr;
	int err = request(p, SIOCGIFFLAGS, &ifr);

	if (err)
		return err;
	ifr.ifr_flags = up ? ifr.ifr_flags | IFF_UP : ifr.ifr_flags & ~IFF_UP;
	return request(p, SIOCSIFFLAGS, &ifr);
}

bool port_is_running(struct port *p)
{
	struct ifreq ifr;

	return !request(p, SIOCGIFFLAGS, &ifr) && ifr.ifr_flags & IFF_RUNNING;
}

int port_mtu(struct port *p, uint32_t mtu)
{
	struct ifreq ifr = { .ifr_mtu = (int)mtu };

	return request(p, SIOCSIFMTU, &ifr);
}

void port_mac(struct port *p, uint8_t mac[6])
{
	struct ifreq ifr;

	if (request(p, SIOCGIFHWADDR, &ifr))
		die("MAC address");
	memcpy(mac, ifr.ifr_hwaddr.sa_data, 6);
}

/* Permanent; it goes when its interface goes down. */
int port_neighbour(struct port *p, const char *addr, const uint8_t mac[6])
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	struct arpreq arp = {
		.arp_ha.sa_family = ARPHRD_ETHER,
		.arp_flags = ATF_PERM | ATF_COM,
	};

	inet_pton(AF_INET, addr, &sin.sin_addr);
	memcpy(&arp.arp_pa, &sin, sizeof(sin));
	memcpy(arp.arp_ha.sa_data, mac, 6);
	strcpy(arp.arp_dev, p->name);
	return ioctl(p->fd, SIOCSARP, &arp) ? -errno : 0;
}

/* The answer is in @buf, where the request was. */
static int talk(struct mnl_socket *nl, char *buf)
{
	struct nlmsghdr *h = (struct nlmsghdr *)buf;

	if (mnl_socket_sendto(nl, h, h->nlmsg_len) < 0 ||
	    mnl_socket_recvfrom(nl, buf, MSG_SIZE) < 0)
		die("netlink");
	return h->nlmsg_type == NLMSG_ERROR ?
	       ((struct nlmsgerr *)mnl_nlmsg_get_payload(h))->error : 0;
}

/* The root qdisc: a new one of this kind, with its defaults. */
int port_qdisc(struct port *p, const char *kind)
{
	char buf[MSG_SIZE];
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct ifreq ifr;
	struct tcmsg *tc;
	int err = request(p, SIOCGIFINDEX, &ifr);

	if (err)
		return err;
	h->nlmsg_type = RTM_NEWQDISC;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE |
			 NLM_F_REPLACE;
	tc = mnl_nlmsg_put_extra_header(h, sizeof(*tc));
	tc->tcm_ifindex = ifr.ifr_ifindex;
	tc->tcm_parent = TC_H_ROOT;
	mnl_attr_put_strz(h, TCA_KIND, kind);
	return talk(p->nl, buf);
}

/* ---- ethtool ------------------------------------------------------------- */

int port_ethtool(struct port *p, void *cmd)
{
	struct ifreq ifr = { .ifr_data = cmd };

	return request(p, SIOCETHTOOL, &ifr);
}

int port_ethtool_value(struct port *p, uint32_t cmd, uint32_t value)
{
	struct ethtool_value v = { .cmd = cmd, .data = value };

	return port_ethtool(p, &v);
}

int port_rings(struct port *p, uint32_t rx, uint32_t tx)
{
	struct ethtool_ringparam r = { .cmd = ETHTOOL_GRINGPARAM };
	int err = port_ethtool(p, &r);

	if (err)
		return err;
	r.cmd = ETHTOOL_SRINGPARAM;
	r.rx_pending = rx ? rx : r.rx_pending;
	r.tx_pending = tx ? tx : r.tx_pending;
	return port_ethtool(p, &r);
}

int port_channels(struct port *p, uint32_t combined)
{
	struct ethtool_channels c = {
		.cmd = ETHTOOL_SCHANNELS, .combined_count = combined,
	};

	return port_ethtool(p, &c);
}

int port_coalesce(struct port *p, uint32_t rx_us, uint32_t tx_us)
{
	struct ethtool_coalesce c = { .cmd = ETHTOOL_GCOALESCE };
	int err = port_ethtool(p, &c);

	if (err)
		return err;
	c.cmd = ETHTOOL_SCOALESCE;
	c.rx_coalesce_usecs = rx_us;
	c.tx_coalesce_usecs = tx_us;
	return port_ethtool(p, &c);
}

int port_table(struct port *p, uint32_t queues)
{
	struct {
		struct ethtool_rxfh_indir head;
		uint32_t queue[INDIR_MAX];
	} t = { .head.cmd = ETHTOOL_GRXFHINDIR };
	uint32_t i;
	int err = port_ethtool(p, &t);

	if (err)
		return err;
	t.head.cmd = ETHTOOL_SRXFHINDIR;
	if (t.head.size > INDIR_MAX)
		return -E2BIG;
	if (!queues)
		t.head.size = 0;
	for (i = 0; i < t.head.size; i++)
		t.queue[i] = i % queues;
	return port_ethtool(p, &t);
}

int port_pause(struct port *p, bool rx, bool tx)
{
	struct ethtool_pauseparam pause = {
		.cmd = ETHTOOL_SPAUSEPARAM,
		.autoneg = AUTONEG_ENABLE,
		.rx_pause = rx,
		.tx_pause = tx,
	};

	return port_ethtool(p, &pause);
}

int port_reset(struct port *p)
{
	return port_ethtool_value(p, ETHTOOL_RESET, ETH_RESET_DMA |
				  ETH_RESET_FILTER | ETH_RESET_OFFLOAD |
				  ETH_RESET_MAC);
}

/* Everything that ethtool shows of the registers and the driver. */
void port_look(struct port *p)
{
	static struct {
		struct ethtool_regs head;
		uint8_t data[REGS_MAX];
	} regs;
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ethtool_ringparam rings = { .cmd = ETHTOOL_GRINGPARAM };
	struct ethtool_channels channels = { .cmd = ETHTOOL_GCHANNELS };

	regs.head = (struct ethtool_regs){
		.cmd = ETHTOOL_GREGS, .len = REGS_MAX,
	};
	port_ethtool(p, &regs);
	port_ethtool(p, &info);
	port_ethtool(p, &rings);
	port_ethtool(p, &channels);
	port_ethtool_value(p, ETHTOOL_GLINK, 0);
}

static int stat_names(struct port *p, struct port_stats *s)
{
	struct {
		struct ethtool_sset_info info;
		uint32_t num;
	} sset = {
		.info = {
			.cmd = ETHTOOL_GSSET_INFO,
			.sset_mask = 1ULL << ETH_SS_STATS,
		},
	};
	static struct {
		struct ethtool_gstrings head;
		char name[PORT_STATS_MAX][ETH_GSTRING_LEN];
	} names;
	int err = port_ethtool(p, &sset);

	if (err)
		return err;
	if (sset.num > PORT_STATS_MAX)
		return -E2BIG;
	names.head = (struct ethtool_gstrings){
		.cmd = ETHTOOL_GSTRINGS,
		.string_set = ETH_SS_STATS,
		.len = sset.num,
	};
	s->num = sset.num;
	err = port_ethtool(p, &names);
	memcpy(s->name, names.name, sizeof(s->name));
	return err;
}

int port_stats(struct port *p, struct port_stats *s)
{
	static struct {
		struct ethtool_stats head;
		uint64_t value[PORT_STATS_MAX];
	} stats;
	int err = stat_names(p, s);

	if (err)
		return err;
	stats.head = (struct ethtool_stats){
		.cmd = ETHTOOL_GSTATS, .n_stats = s->num,
	};
	err = port_ethtool(p, &stats);
	memcpy(s->value, stats.value, sizeof(s->value));
	return err;
}

/* A name that is not there ends the program. */
uint64_t port_stat(const struct port_stats *s, const char *name)
{
	uint32_t i;

	for (i = 0; i < s->num; i++)
		if (!strncmp(s->name[i], name, ETH_GSTRING_LEN))
			return s->value[i];
	fprintf(stderr, "no statistic '%s'\n", name);
	exit(EXIT_FAILURE);
}

/* ---- DCB ----------------------------------------------------------------- */

static struct nlmsghdr *dcb_message(struct port *p, char *buf, uint16_t type,
				    uint8_t cmd)
{
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct dcbmsg *dcb = mnl_nlmsg_put_extra_header(h, sizeof(*dcb));

	h->nlmsg_type = type;
	h->nlmsg_flags = NLM_F_REQUEST;
	dcb->cmd = cmd;
	mnl_attr_put_strz(h, DCB_ATTR_IFNAME, p->name);
	return h;
}

/* The kernel answers with an error in one of two places. */
static int dcb_set(struct port *p, uint16_t type, const void *data, size_t len)
{
	char buf[MSG_SIZE];
	struct nlmsghdr *h = dcb_message(p, buf, RTM_SETDCB, DCB_CMD_IEEE_SET);
	struct nlattr *nest = mnl_attr_nest_start(h, DCB_ATTR_IEEE), *attr;
	int err;

	mnl_attr_put(h, type, len, data);
	mnl_attr_nest_end(h, nest);
	err = talk(p->nl, buf);
	if (err)
		return err;
	mnl_attr_for_each(attr, h, sizeof(struct dcbmsg))
		if (mnl_attr_get_type(attr) == DCB_ATTR_IEEE)
			return (int8_t)mnl_attr_get_u8(attr);
	return -EPROTO;
}

int port_pfc(struct port *p, uint8_t prios, uint16_t delay)
{
	struct ieee_pfc pfc = { .pfc_en = prios, .delay = delay };

	return dcb_set(p, DCB_ATTR_IEEE_PFC, &pfc, sizeof(pfc));
}

int port_ets(struct port *p, const struct ieee_ets *ets)
{
	return dcb_set(p, DCB_ATTR_IEEE_ETS, ets, sizeof(*ets));
}

int port_maxrate_off(struct port *p)
{
	struct ieee_maxrate rate = { 0 };

	return dcb_set(p, DCB_ATTR_IEEE_MAXRATE, &rate, sizeof(rate));
}

int port_buffer(struct port *p, const struct dcbnl_buffer *b)
{
	return dcb_set(p, DCB_ATTR_DCB_BUFFER, b, sizeof(*b));
}

void port_dcb_look(struct port *p)
{
	char buf[MSG_SIZE];

	dcb_message(p, buf, RTM_GETDCB, DCB_CMD_IEEE_GET);
	talk(p->nl, buf);
}

/* ---- devlink ------------------------------------------------------------- */

static struct nlmsghdr *genl_message(char *buf, uint16_t family, uint8_t cmd)
{
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *g = mnl_nlmsg_put_extra_header(h, sizeof(*g));

	h->nlmsg_type = family;
	h->nlmsg_flags = NLM_F_REQUEST;
	g->cmd = cmd;
	g->version = 1;
	return h;
}

/**
 * nic_open() - find a NIC's devlink, or end the program
 * @n: to initialise
 * @bus: of the NIC
 * @dev: its name there
 */
void nic_open(struct nic *n, const char *bus, const char *dev)
{
	char buf[MSG_SIZE];
	struct nlattr *attr;
	struct nlmsghdr *h;

	*n = (struct nic){
		.bus = bus, .dev = dev, .nl = netlink_open(NETLINK_GENERIC),
	};
	h = genl_message(buf, GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
	mnl_attr_put_strz(h, CTRL_ATTR_FAMILY_NAME, DEVLINK_GENL_NAME);
	talk(n->nl, buf);
	mnl_attr_for_each(attr, h, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			n->family = mnl_attr_get_u16(attr);
	if (!n->family)
		die("devlink");
}

static struct nlmsghdr *devlink_message(struct nic *n, char *buf, uint8_t cmd)
{
	struct nlmsghdr *h = genl_message(buf, n->family, cmd);

	mnl_attr_put_strz(h, DEVLINK_ATTR_BUS_NAME, n->bus);
	mnl_attr_put_strz(h, DEVLINK_ATTR_DEV_NAME, n->dev);
	return h;
}

static int param_set(struct nic *n, const char *name, uint8_t type,
		     const void *value, size_t len)
{
	char buf[MSG_SIZE];
	struct nlmsghdr *h = devlink_message(n, buf, DEVLINK_CMD_PARAM_SET);

	h->nlmsg_flags |= NLM_F_ACK;
	mnl_attr_put_strz(h, DEVLINK_ATTR_PARAM_NAME, name);
	mnl_attr_put_u8(h, DEVLINK_ATTR_PARAM_TYPE, type);
	mnl_attr_put_u8(h, DEVLINK_ATTR_PARAM_VALUE_CMODE,
			DEVLINK_PARAM_CMODE_RUNTIME);
	mnl_attr_put(h, DEVLINK_ATTR_PARAM_VALUE_DATA, len, value);
	return talk(n->nl, buf);
}

int nic_executor(struct nic *n, const char *executor)
{
	return param_set(n, "pfc_executor", MNL_TYPE_STRING, executor,
			 strlen(executor) + 1);
}

int nic_cable(struct nic *n, uint32_t metres)
{
	return param_set(n, "cable_length", MNL_TYPE_U32, &metres,
			 sizeof(metres));
}

void nic_look(struct nic *n)
{
	char buf[MSG_SIZE];
	struct nlmsghdr *h;

	devlink_message(n, buf, DEVLINK_CMD_INFO_GET);
	talk(n->nl, buf);
	h = devlink_message(n, buf, DEVLINK_CMD_PARAM_GET);
	mnl_attr_put_strz(h, DEVLINK_ATTR_PARAM_NAME, "pfc_executor");
	talk(n->nl, buf);
	h = devlink_message(n, buf, DEVLINK_CMD_SB_OCC_SNAPSHOT);
	h->nlmsg_flags |= NLM_F_ACK;
	mnl_attr_put_u32(h, DEVLINK_ATTR_SB_INDEX, 0);
	talk(n->nl, buf);
}
