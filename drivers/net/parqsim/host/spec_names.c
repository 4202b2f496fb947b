// SPDX-License-Identifier: GPL-2.0
/* Names in settings of a NIC: of speeds, and of capabilities that it may lack. */
#include <linux/kernel.h>

#include "spec.h"

const char *const spec_speed_names[PARQ_NUM_SPEEDS] = {
	[PARQ_SPEED_10M] = "10M",
	[PARQ_SPEED_100M] = "100M",
	[PARQ_SPEED_1G] = "1G",
	[PARQ_SPEED_2500M] = "2.5G",
	[PARQ_SPEED_5G] = "5G",
	[PARQ_SPEED_10G] = "10G",
	[PARQ_SPEED_25G] = "25G",
	[PARQ_SPEED_40G] = "40G",
	[PARQ_SPEED_50G] = "50G",
	[PARQ_SPEED_100G] = "100G",
	[PARQ_SPEED_200G] = "200G",
	[PARQ_SPEED_400G] = "400G",
};

/* By bit of struct parqsim_config.lacks. */
const char *const spec_cap_names[SPEC_CAPS] = {
	"csum", "tso", "vlan", "rss", "trace", "gro", "ptp", "rss-fields", "rules", "unpad",
	"rule-count", "launch", "port-rate", "restore",
};
