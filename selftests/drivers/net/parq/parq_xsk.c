// SPDX-License-Identifier: GPL-2.0
/* An AF_XDP socket in copy mode, bound to a queue of an interface until SIGTERM. */
#include <err.h>
#include <linux/if_xdp.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "options.h"

#ifndef AF_XDP
#define AF_XDP	44
#endif
#ifndef SOL_XDP
#define SOL_XDP	283
#endif

#define CHUNK	4096
#define CHUNKS	16

static void set(int fd, int option, const void *value, socklen_t len)
{
	if (setsockopt(fd, SOL_XDP, option, value, len))
		err(1, "option %d", option);
}

int main(int argc, char **argv)
{
	const int rings[] = {
		XDP_UMEM_FILL_RING, XDP_UMEM_COMPLETION_RING, XDP_TX_RING,
	};
	struct sockaddr_xdp addr = {
		.sxdp_family = AF_XDP,
		.sxdp_flags = XDP_COPY,
	};
	struct xdp_umem_reg umem = {
		.len = CHUNKS * CHUNK,
		.chunk_size = CHUNK,
	};
	const int entries = CHUNKS;
	void *mem;
	size_t i;
	int fd;

	if (argc != 3) {
		fprintf(stderr, "usage: parq_xsk DEV QUEUE\n");
		return OPTIONS_BAD_USAGE;
	}
	addr.sxdp_ifindex = if_nametoindex(argv[1]);
	addr.sxdp_queue_id = option_number("QUEUE", argv[2], 0, 63);
	mem = mmap(NULL, umem.len, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (mem == MAP_FAILED)
		err(1, "mmap");
	umem.addr = (uintptr_t)mem;
	fd = socket(AF_XDP, SOCK_RAW, 0);
	if (fd < 0)
		err(1, "socket");
	set(fd, XDP_UMEM_REG, &umem, sizeof(umem));
	for (i = 0; i < sizeof(rings) / sizeof(rings[0]); i++)
		set(fd, rings[i], &entries, sizeof(entries));
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)))
		err(1, "bind to queue %u of %s", addr.sxdp_queue_id, argv[1]);
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
