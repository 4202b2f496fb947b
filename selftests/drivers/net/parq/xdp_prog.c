// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "xdp_prog.h"

int xdp_bpf(int cmd, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

int xdp_load(enum bpf_prog_type type, const struct bpf_insn *insn, unsigned int num,
	     uint32_t flags)
{
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = type,
		.insns = (uintptr_t)insn,
		.insn_cnt = num,
		.license = (uintptr_t)"GPL",
		.prog_flags = flags,
		.log_buf = (uintptr_t)log,
		.log_size = sizeof(log),
		.log_level = 1,
	};
	int fd;

	fd = xdp_bpf(BPF_PROG_LOAD, &attr);
	if (fd < 0)
		err(EXIT_FAILURE, "load: %s", log);
	return fd;
}

static void complain(const struct nlmsghdr *h)
{
	const struct nlmsgerr *e = mnl_nlmsg_get_payload(h);
	const struct nlattr *attr;
	size_t skip = sizeof(*e);

	if (!(h->nlmsg_flags & NLM_F_CAPPED))
		skip += e->msg.nlmsg_len - sizeof(e->msg);
	if (h->nlmsg_flags & NLM_F_ACK_TLVS)
		mnl_attr_for_each(attr, h, skip)
			if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
				fprintf(stderr, "%s\n", mnl_attr_get_str(attr));
	errno = -e->error;
	err(EXIT_FAILURE, "attach");
}

void xdp_attach(struct mnl_socket *nl, unsigned int dev, int fd)
{
	char buf[4096];
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *ifi;
	struct nlattr *nest;

	h->nlmsg_type = RTM_SETLINK;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	ifi = mnl_nlmsg_put_extra_header(h, sizeof(*ifi));
	ifi->ifi_index = (int)dev;
	nest = mnl_attr_nest_start(h, IFLA_XDP);
	mnl_attr_put_u32(h, IFLA_XDP_FD, (uint32_t)fd);
	mnl_attr_put_u32(h, IFLA_XDP_FLAGS, XDP_FLAGS_DRV_MODE);
	mnl_attr_nest_end(h, nest);
	if (mnl_socket_sendto(nl, h, h->nlmsg_len) < 0 ||
	    mnl_socket_recvfrom(nl, buf, sizeof(buf)) < 0)
		err(EXIT_FAILURE, "netlink");
	if (((const struct nlmsgerr *)mnl_nlmsg_get_payload(h))->error)
		complain(h);
}

struct mnl_socket *xdp_netlink(void)
{
	struct mnl_socket *nl = mnl_socket_open(NETLINK_ROUTE);
	int on = 1;

	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) ||
	    mnl_socket_setsockopt(nl, NETLINK_EXT_ACK, &on, sizeof(on)))
		err(EXIT_FAILURE, "netlink");
	return nl;
}
