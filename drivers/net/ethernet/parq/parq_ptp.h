/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PTP_H
#define _PARQ_PTP_H

#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/net_tstamp.h>
#include <linux/ptp_clock_kernel.h>

#include "parq.h"

/* Scales of the clock that completions distinguish, PARQ_RX_STEPS. */
#define PARQ_PTP_SCALES		4

/**
 * struct parq_ptp - PTP clock of a device
 * @info: what the kernel calls
 * @clock: the kernel's clock
 * @pd: device
 * @lock: serializes access to the clock's registers, and the members below
 * @offset: time of the clock without that since boot, ns, as last read
 * @rate: PARQ_PTP_RATE
 * @steps: commands since the last reset
 * @valid: the device has the clock's time: it has not been reset since that was set
 * @hi: bits 63:32 of a time of the clock, by PARQ_RX_STEPS; read without the lock
 */
struct parq_ptp {
	struct ptp_clock_info info;
	struct ptp_clock *clock;
	struct parq_dev *pd;
	struct mutex lock; /* no other lock is taken within it */
	s64 offset;
	s32 rate;
	unsigned int steps;
	bool valid;
	u32 hi[PARQ_PTP_SCALES];
};

/* Return: frames can have launch times, which are those of the clock. */
static inline bool parq_ptp_launches(const struct parq_dev *pd)
{
	return pd->ptp && pd->caps.flags & PARQ_CAP_LAUNCH;
}

/* Return: PARQ_PTP_RATE for a frequency of the kernel, 2^-16 ppm, to the nearest. */
static inline s32 parq_ptp_rate(long scaled_ppm)
{
	s64 rate = (s64)scaled_ppm << (PARQ_PTP_RATE_SHIFT - 16);

	return div_s64(rate + (rate < 0 ? -500000 : 500000), 1000000);
}

/*
 * Extends a stamp of 48 bits, its upper 16 @stamp_hi, to the one closest to a time whose bits
 * 63:32 are @hi.
 */
static inline u64 parq_ptp_extend(u32 hi, u16 stamp_hi, u32 lo)
{
	return (u64)(hi + sign_extend32(stamp_hi - hi, 15)) << 32 | lo;
}

/*
 * Time stamp of a received frame with PARQ_RX_STAMP. The device wrote it, so the result may be any
 * time. Return: false if nobody asked for it.
 */
static inline bool parq_ptp_rx_stamp(const struct parq_port *port, u32 flags, u32 time,
				     u64 *ns)
{
	BUILD_BUG_ON(FIELD_MAX(PARQ_RX_STEPS) != PARQ_PTP_SCALES - 1);
	if (!READ_ONCE(port->rx_stamps) || flags & PARQ_RX_GRO)
		return false;
	*ns = parq_ptp_extend(READ_ONCE(port->pd->ptp->hi[FIELD_GET(PARQ_RX_STEPS, flags)]),
			      FIELD_GET(PARQ_RX_STAMP_HI, flags), time);
	return true;
}

/* Life of the clock; save and restore bracket a reset of the device. */
void parq_ptp_init(struct parq_dev *pd);
void parq_ptp_fini(struct parq_dev *pd);
void parq_ptp_save(struct parq_dev *pd);
void parq_ptp_restore(struct parq_dev *pd);

/* net_device_ops and ethtool_ops */
int parq_ptp_hwtstamp_get(struct net_device *dev, struct kernel_hwtstamp_config *cfg);
int parq_ptp_hwtstamp_set(struct net_device *dev, struct kernel_hwtstamp_config *cfg,
			  struct netlink_ext_ack *extack);
#ifndef PARQ_HAVE_NDO_HWTSTAMP
int parq_ptp_ioctl(struct net_device *dev, struct ifreq *ifr, int cmd);
#endif
int parq_ptp_ts_info(struct net_device *dev, struct kernel_ethtool_ts_info *info);
#ifdef PARQ_HAVE_TS_STATS
void parq_ptp_ts_stats(struct net_device *dev, struct ethtool_ts_stats *stats);
#endif

/* Of the cleaner. */
bool parq_tx_stamp_read(struct parq_txq *q, const struct parq_tx_ring *ring, u32 pos, u64 *ns);
void parq_tx_stamp(struct parq_txq *q, const struct parq_tx_ring *ring, u32 pos);
void parq_tx_stamp_lost(struct parq_txq *q);

#endif /* _PARQ_PTP_H */
