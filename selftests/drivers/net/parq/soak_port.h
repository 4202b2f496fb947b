/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to a port and to its NIC by ioctl and netlink, hundreds of them in the time that a
 * program like ethtool takes to start.
 *
 * Functions that return an int return 0 or a negative errno.
 */
#ifndef _SOAK_PORT_H
#define _SOAK_PORT_H

#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/ethtool.h>
#include <stdbool.h>
#include <stdint.h>

#define PORT_STATS_MAX	512

/**
 * struct port - an interface
 * @name: of it
 * @netns: its network namespace, a descriptor
 * @fd: for ioctl
 * @raw: sends and receives the frames of port_call()
 * @nl: NETLINK_ROUTE
 */
struct port {
	const char *name;
	int netns;
	int fd;
	int raw;
	struct mnl_socket *nl;
};

/**
 * struct port_stats - statistics; how many depends on the channels
 * @num: how many
 * @name: of them
 * @value: of them
 */
struct port_stats {
	uint32_t num;
	char name[PORT_STATS_MAX][ETH_GSTRING_LEN];
	uint64_t value[PORT_STATS_MAX];
};

void port_open(struct port *p, const char *name, const char *netns);

/* ---- frames ---- */
void port_call(struct port *p);
bool port_heard(struct port *p);

/* ---- interface ---- */
int port_up(struct port *p, bool up);
bool port_is_running(struct port *p);
int port_mtu(struct port *p, uint32_t mtu);
void port_mac(struct port *p, uint8_t mac[6]);
int port_neighbour(struct port *p, const char *addr, const uint8_t mac[6]);
int port_qdisc(struct port *p, const char *kind);

/* ---- ethtool ---- */
int port_ethtool(struct port *p, void *cmd);
int port_ethtool_value(struct port *p, uint32_t cmd, uint32_t value);
/* 0 leaves a ring as it is. */
int port_rings(struct port *p, uint32_t rx, uint32_t tx);
int port_channels(struct port *p, uint32_t combined);
int port_coalesce(struct port *p, uint32_t rx_us, uint32_t tx_us);
/* All RX queues for 0. */
int port_table(struct port *p, uint32_t queues);
int port_pause(struct port *p, bool rx, bool tx);
int port_reset(struct port *p);
void port_look(struct port *p);
int port_stats(struct port *p, struct port_stats *s);
uint64_t port_stat(const struct port_stats *s, const char *name);

/* ---- DCB ---- */
int port_pfc(struct port *p, uint8_t prios, uint16_t delay);
int port_ets(struct port *p, const struct ieee_ets *ets);
int port_maxrate_off(struct port *p);
int port_buffer(struct port *p, const struct dcbnl_buffer *b);
void port_dcb_look(struct port *p);

/* ---- devlink ---- */

/**
 * struct nic - the NIC of the ports
 * @bus: its bus
 * @dev: its name there
 * @nl: NETLINK_GENERIC
 * @family: number of devlink
 */
struct nic {
	const char *bus;
	const char *dev;
	struct mnl_socket *nl;
	uint16_t family;
};

void nic_open(struct nic *n, const char *bus, const char *dev);
int nic_executor(struct nic *n, const char *executor);
int nic_cable(struct nic *n, uint32_t metres);
void nic_look(struct nic *n);

#endif /* _SOAK_PORT_H */
