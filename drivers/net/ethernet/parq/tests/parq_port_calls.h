/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The suite's memory, firmware, log and registration, in place of the kernel's, and operations that
 * it does not call. See copies in Kbuild.
 */
#ifndef _PARQ_TESTS_PORT_CALLS_H
#define _PARQ_TESTS_PORT_CALLS_H

#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/property.h>
#include <linux/slab.h>

#include "../compat.h"
#include "../parq_ets.h"
#include "../parq_port.h"
#include "../parq_ptp.h"
#include "../parq_tx.h"
#include "../parq_xdp.h"
#include "../parq_xsk.h"

struct net_device *keel_netdev(int size, unsigned int tx, unsigned int rx);
void keel_netdev_free(struct net_device *dev);
void *keel_alloc(size_t size);
void *keel_dma_alloc(size_t size, dma_addr_t *dma);
void keel_free(const void *mem);
void keel_dma_free(size_t size, const void *mem, dma_addr_t dma);
int keel_names(const char *property, const char **names, size_t num);
void keel_warn(const char *fmt, ...) __printf(1, 2);
void keel_cancel(struct delayed_work *work);
int keel_queues(unsigned int tx, unsigned int rx);
int keel_register(const struct net_device *dev);
void keel_unregister(void);
int keel_cpus(void);
#undef alloc_etherdev_mqs
#undef kcalloc
#undef kzalloc_obj
#undef dev_warn
#define alloc_etherdev_mqs(size, tx, rx)		keel_netdev(size, tx, rx)
#define free_netdev(dev)				keel_netdev_free(dev)
#define kcalloc(num, size, gfp)				((void)(gfp), keel_alloc((num) * (size)))
#define kzalloc_obj(obj)				keel_alloc(sizeof(obj))
#define kfree(mem)					keel_free(mem)
#define dma_alloc_coherent(dev, size, dma, gfp)	\
	((void)(dev), (void)(gfp), keel_dma_alloc(size, dma))
#define dma_free_coherent(dev, size, mem, dma)		((void)(dev), keel_dma_free(size, mem, dma))
#define device_property_read_string_array(dev, property, names, num)	\
	((void)(dev), keel_names(property, names, num))
#define dev_warn(dev, ...)				((void)(dev), keel_warn(__VA_ARGS__))
#define cancel_delayed_work_sync(work)			keel_cancel(work)
#define netif_get_num_default_rss_queues()		keel_cpus()
#define netif_set_real_num_queues(dev, tx, rx)		((void)(dev), keel_queues(tx, rx))
#define register_netdev(dev)				keel_register(dev)
#define unregister_netdev(dev)				((void)(dev), keel_unregister())

#define parq_netdev_open				NULL
#define parq_netdev_stop				NULL
#define parq_netdev_set_rx_mode_async			NULL
#define parq_netdev_set_rx_mode				NULL
#define parq_netdev_set_mac_address			NULL
#define parq_netdev_change_mtu				NULL
#define parq_netdev_get_stats64				NULL
#define parq_netdev_tx_timeout				NULL
#define parq_netdev_bpf					NULL
#define parq_tx_xmit					NULL
#define parq_tx_select_queue				NULL
#define parq_tx_features_check				NULL
#define parq_tc_setup					NULL
#define parq_ptp_hwtstamp_get				NULL
#define parq_ptp_hwtstamp_set				NULL
#define parq_ptp_ioctl					NULL
#define parq_xdp_xmit					NULL
#define parq_xsk_wakeup					NULL

#endif /* _PARQ_TESTS_PORT_CALLS_H */
