// SPDX-License-Identifier: GPL-2.0
/* Settings of ports in their bridges, and of VLAN interfaces. */
#include <linux/bitfield.h>
#include <linux/rtnetlink.h>

#include "parq.h"
#include "parq_io.h"
#include "parq_switch.h"
#include "parq_switch_domain.h"

static void parq_member_write_port(struct parq_port *port)
{
	struct parq_switch *sw = port->pd->sw;
	u32 ctrl;

	lockdep_assert_held(&sw->lock);
	/* A port that is down gets it when it comes up. */
	if (!parq_port_is_up(port))
		return;
	ctrl = parq_switch_member_ctrl(sw, parq_switch_port_domain(sw, port->index), port->index);
	if (parq_io_switch_ctrl(port, ctrl) == -EIO && net_ratelimit())
		netdev_err(port->netdev, "settings %#x of the bridge port refused by the device\n",
			   ctrl);
}

static void parq_member_write(const struct parq_member *m)
{
	struct parq_switch *sw = m->port->pd->sw;

	if (m->vif)
		parq_switch_vif_write(m->port, m->vif, parq_switch_member_ctrl(sw, m->domain,
									       m->port->index));
	else
		parq_member_write_port(m->port);
}

void parq_switch_set(const struct parq_member *m, u32 clear, u32 set)
{
	struct parq_switch *sw = m->port->pd->sw;
	u32 *at = m->vif ? &m->vif->ctrl : &sw->ctrl[m->port->index];
	u32 ctrl;

	mutex_lock(&sw->lock);
	ctrl = (*at & ~clear) | set;
	if (ctrl != *at) {
		WRITE_ONCE(*at, ctrl);
		parq_member_write(m);
	}
	mutex_unlock(&sw->lock);
}

void parq_switch_update(struct parq_switch *sw, unsigned int domain)
{
	struct parq_member m = { .domain = domain };
	unsigned int i;

	mutex_lock(&sw->lock);
	for (i = 0; i < sw->pd->caps.ports; i++) {
		if (!parq_switch_wish(sw, domain, i))
			continue;
		m.port = sw->pd->port[i];
		m.vif = parq_switch_vif(sw, domain, i);
		parq_member_write(&m);
	}
	mutex_unlock(&sw->lock);
	/* Of their VLANs, what the host gets. */
	parq_switch_vlan_update(sw, domain);
}

/* VLAN interfaces keep their settings. */
void parq_switch_port_up(struct parq_port *port)
{
	struct parq_switch *sw = port->pd->sw;

	if (!sw)
		return;
	mutex_lock(&sw->lock);
	if (sw->ctrl[port->index])
		parq_member_write_port(port);
	mutex_unlock(&sw->lock);
}
