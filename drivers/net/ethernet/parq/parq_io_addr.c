// SPDX-License-Identifier: GPL-2.0
/* Addresses of a port. See parq_hw.h for what each register means. */
#include <linux/etherdevice.h>

#include "parq_io.h"
#include "parq_reg.h"

void parq_io_port_addr(struct parq_port *port, u8 addr[ETH_ALEN])
{
	put_unaligned_le32(parq_reg_port_rd(port, PARQ_PERM_ADDR_LO), addr);
	put_unaligned_le16(parq_reg_port_rd(port, PARQ_PERM_ADDR_HI), addr + 4);
}

void parq_io_mac_set(struct parq_port *port, const u8 addr[ETH_ALEN])
{
	parq_reg_port_wr(port, PARQ_MAC_ADDR_LO, get_unaligned_le32(addr));
	parq_reg_port_wr(port, PARQ_MAC_ADDR_HI, get_unaligned_le16(addr + 4));
}

static u64 parq_filter_val(const u8 *addr)
{
	return get_unaligned_le32(addr) |
	       (u64)get_unaligned_le16(addr + 4) << 32 |
	       (u64)PARQ_FILTER_HI_VALID << 32;
}

/* Return: index of the filter with this value, or PARQ_NUM_FILTERS. */
static unsigned int parq_filter_find(const struct parq_port *port, u64 val)
{
	unsigned int i;

	lockdep_assert_held(&port->ctrl_lock);
	for (i = 0; i < PARQ_NUM_FILTERS; i++)
		if (port->filter[i] == val)
			break;
	return i;
}

static void parq_filter_write(struct parq_port *port, unsigned int i, u64 val)
{
	lockdep_assert_held(&port->ctrl_lock);
	if (port->filter[i] == val)
		return;
	parq_reg_port_wr64(port, PARQ_FILTER_LO(i), val);
	port->filter[i] = val;
}

/**
 * parq_io_filters_set() - set the addresses received besides the station's
 * @port: port
 * @want: addresses
 * @n: number of addresses, up to PARQ_NUM_FILTERS
 *
 * Filters that do not change are not written, so their addresses are received without
 * interruption.
 *
 * Context: any.
 */
void parq_io_filters_set(struct parq_port *port, const u8 *const *want,
			 unsigned int n)
{
	DECLARE_BITMAP(used, PARQ_NUM_FILTERS) = {};
	unsigned int i, slot;

	spin_lock_bh(&port->ctrl_lock);
	for (i = 0; i < n; i++) {
		slot = parq_filter_find(port, parq_filter_val(want[i]));
		if (slot < PARQ_NUM_FILTERS)
			__set_bit(slot, used);
	}
	for (i = 0; i < n; i++) {
		u64 val = parq_filter_val(want[i]);

		if (parq_filter_find(port, val) < PARQ_NUM_FILTERS)
			continue;
		slot = find_first_zero_bit(used, PARQ_NUM_FILTERS);
		__set_bit(slot, used);
		parq_filter_write(port, slot, val);
	}
	for_each_clear_bit(slot, used, PARQ_NUM_FILTERS)
		parq_filter_write(port, slot, 0);
	spin_unlock_bh(&port->ctrl_lock);
}
