// SPDX-License-Identifier: GPL-2.0
/* Register access, for devices that may vanish, be powered off, or refuse. */
#include <linux/bitfield.h>
#include <linux/io.h>

#include "parq_reg.h"

/*
 * Only registers may go through bus operations, because they are slow anyway. Doorbells
 * are mapped memory on each bus, so that writing one stays cheap.
 */
u32 parq_reg_bus_rd(struct parq_dev *pd, u32 reg)
{
	return pd->regs ? readl(pd->regs + reg) : pd->bus->read(pd, reg);
}

void parq_reg_bus_wr(struct parq_dev *pd, u32 reg, u32 val)
{
	if (pd->regs)
		writel(val, pd->regs + reg);
	else
		pd->bus->write(pd, reg, val);
}

/* Checks for a device that is gone: only PARQ_MAGIC is never all ones. */
u32 parq_reg_rd(struct parq_dev *pd, u32 reg)
{
	u32 val;

	if (!parq_dev_ready(pd))
		return 0;
	val = parq_reg_bus_rd(pd, reg);
	if (unlikely(val == ~0U) &&
	    (!parq_reg_alive(pd) || !parq_dev_ready(pd)))
		return 0;
	return val;
}

void parq_reg_wr(struct parq_dev *pd, u32 reg, u32 val)
{
	if (parq_dev_ready(pd))
		parq_reg_bus_wr(pd, reg, val);
}

u32 parq_reg_port_rd(const struct parq_port *port, u32 reg)
{
	return parq_reg_rd(port->pd, PARQ_PORT(port->index) + reg);
}

void parq_reg_port_wr(const struct parq_port *port, u32 reg, u32 val)
{
	parq_reg_wr(port->pd, PARQ_PORT(port->index) + reg, val);
}

/* Writes a pair of LO and HI registers. */
void parq_reg_port_wr64(const struct parq_port *port, u32 lo, u64 val)
{
	parq_reg_port_wr(port, lo, lower_32_bits(val));
	parq_reg_port_wr(port, lo + 4, upper_32_bits(val));
}

/* Whether a control register accepted a write. The read also flushes the write. */
int parq_reg_verify(struct parq_dev *pd, u32 reg, u32 val)
{
	u32 is = parq_reg_rd(pd, reg);

	if (!parq_dev_ready(pd))
		return -ENODEV;
	return is == val ? 0 : -EIO;
}

int parq_reg_port_verify(const struct parq_port *port, u32 reg, u32 val)
{
	return parq_reg_verify(port->pd, PARQ_PORT(port->index) + reg, val);
}

/**
 * parq_reg_ready() - enable register access
 * @pd: device that has been reset, and has answered
 *
 * Also clears PARQ_DEV_GONE, which may have been set while its slot was frozen.
 */
void parq_reg_ready(struct parq_dev *pd)
{
	unsigned long flags, old = READ_ONCE(pd->flags);

	do {
		flags = old + BIT(__bf_shf(PARQ_DEV_RESETS));
		flags &= ~BIT(PARQ_DEV_GONE);
		flags |= BIT(PARQ_DEV_READY);
	} while (!try_cmpxchg(&pd->flags, &old, flags));
}

/* Disables register access. */
void parq_reg_off(struct parq_dev *pd)
{
	clear_bit(PARQ_DEV_READY, &pd->flags);
}

/**
 * parq_reg_alive() - check whether the device is still there
 * @pd: device
 *
 * A device in reset reads as all ones, too. So the result is ignored if a reset has begun
 * or ended during the read.
 *
 * Context: any.
 * Return: false once the device is gone, until a reset brings it back; true while it is
 * merely quiesced.
 */
bool parq_reg_alive(struct parq_dev *pd)
{
	unsigned long gone, flags = READ_ONCE(pd->flags);

	if (flags & BIT(PARQ_DEV_GONE))
		return false;
	if (!(flags & BIT(PARQ_DEV_READY)))
		return true;
	if (parq_reg_bus_rd(pd, PARQ_MAGIC) == PARQ_MAGIC_VALUE)
		return true;
	gone = (flags & ~BIT(PARQ_DEV_READY)) | BIT(PARQ_DEV_GONE);
	/* Only the first to notice reports it. */
	if (cmpxchg(&pd->flags, flags, gone) != flags)
		return !parq_dev_gone(pd);
	dev_err(pd->dev, "the device has gone\n");
	if (pd->wq)
		queue_work(pd->wq, &pd->recover);
	return false;
}

u32 parq_reg_error_take(struct parq_dev *pd, u32 *addr)
{
	u32 err = parq_reg_rd(pd, PARQ_ERR);

	*addr = parq_reg_rd(pd, PARQ_ERR_ADDR);
	if (err)
		parq_reg_wr(pd, PARQ_ERR, 0);
	return err;
}

/**
 * parq_reg_request() - write registers and find out whether a write was refused
 * @port: port
 * @write: writes them; may be called again
 * @what: argument of @write
 * @ours: whether @write writes a register
 * @tries: maximum number of calls of @write
 *
 * PARQ_ERR names the first refusal only, so a refusal of another user may hide one of
 * ours. Only a count of one, for a register that is not ours, proves that ours were
 * accepted. In doubt the request is repeated.
 *
 * Return: 0; -EIO if a write was refused, or may have been; -ENODEV.
 */
int parq_reg_request(struct parq_port *port,
		     void (*write)(struct parq_port *port,
				   const void *what),
		     const void *what, bool (*ours)(u32 reg),
		     unsigned int tries)
{
	struct parq_dev *pd = port->pd;
	bool refused;
	u32 err, reg;

	mutex_lock(&pd->err_lock);
	do {
		parq_reg_error_take(pd, &reg);
		write(port, what);
		err = parq_reg_error_take(pd, &reg);
		refused = err && ours(reg - PARQ_PORT(port->index));
	} while (!refused && FIELD_GET(PARQ_ERR_COUNT, err) > 1 && --tries);
	mutex_unlock(&pd->err_lock);
	if (!parq_dev_ready(pd))
		return -ENODEV;
	return refused || !tries ? -EIO : 0;
}

/* Clears EN of a control register and waits until the device has stopped its DMA. */
void parq_reg_disable(struct parq_dev *pd, u32 reg)
{
	parq_reg_wr(pd, reg, 0);
	parq_reg_rd(pd, reg);
}
