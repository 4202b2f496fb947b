// SPDX-License-Identifier: GPL-2.0
/* What a buffer needs above XOFF, term by term, by the driver's own arithmetic: JSON. */
#include <stdio.h>

#include "parq_buf_calc.h"

static const enum parq_speed speeds[] = {
	PARQ_SPEED_10G, PARQ_SPEED_25G, PARQ_SPEED_100G, PARQ_SPEED_400G,
};

static const u32 metres[] = { 10, 50, 100, 300, 500, 1000, 2000 };
static const u32 mtus[] = { 1500, 9000 };

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static void print(enum parq_speed speed, u32 cable_m, u32 mtu)
{
	struct parq_rxb_want want = { .cable_m = cable_m, .mtu = mtu };
	struct parq_path path = parq_rxb_path(&want, speed);
	struct parq_headroom h = parq_headroom_overflow(&path);

	printf("{\"gbps\": %u, \"metres\": %u, \"mtu\": %u, \"reaction\": %u, \"sum\": %u}\n",
	       parq_headroom_mbps(speed) / 1000, cable_m, mtu, h.reaction,
	       parq_headroom_sum(&h));
}

int main(void)
{
	u32 s, l, m;

	for (s = 0; s < COUNT(speeds); s++)
		for (l = 0; l < COUNT(metres); l++)
			for (m = 0; m < COUNT(mtus); m++)
				print(speeds[s], metres[l], mtus[m]);
	return 0;
}
