/* SPDX-License-Identifier: GPL-2.0 */
/* What a schedule draws, and the requests that it makes of it. */
#ifndef _SOAK_DRAW_H
#define _SOAK_DRAW_H

#include "soak_port.h"

/* ETHTOOL_SFLAGS sets all flags, and that of rules cannot be cleared. */
#define SOAK_FLAGS	(ETH_FLAG_RXVLAN | ETH_FLAG_NTUPLE)

/**
 * struct schedule - one seed
 * @random: state of its random numbers
 * @nic: the NIC
 * @port: p0, and p1 at the far end
 * @lossless: priorities of p0 that keep PFC, and are paused
 */
struct schedule {
	uint64_t random;
	struct nic *nic;
	struct port *port;
	uint8_t lossless;
};

/* One of the values. */
#define choose(_s, ...) ({						\
	static const uint32_t _of[] = { __VA_ARGS__ };			\
	_of[draw(_s, sizeof(_of) / sizeof(*_of))]; })

void draw_begin(struct schedule *s, uint64_t seed);
uint32_t draw(struct schedule *s, uint32_t range);
void pace(struct schedule *s);
int equal_shares(struct port *p);
void change(struct schedule *s);
void any_request(struct schedule *s);

#endif /* _SOAK_DRAW_H */
