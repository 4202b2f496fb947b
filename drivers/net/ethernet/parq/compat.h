/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernels, and nothing else, for the driver and for parqsim. Both are
 * written for the newest kernel; this file supplies what older ones lack. compat_probe.sh
 * generates compat_gen.h.
 */
#ifndef _PARQ_COMPAT_H
#define _PARQ_COMPAT_H

#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/ethtool.h>
#include <linux/hrtimer.h>
#include <linux/if_bridge.h>
#include <linux/irq.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/dcbnl.h>
#include <net/devlink.h>
#include <net/pkt_cls.h>
#include <net/pkt_sched.h>
#include <net/xdp_sock_drv.h>

/* Each module has its own, so the directory of this file must not be searched first. */
#include <compat_gen.h>

#ifdef PARQ_HAVE_PAGE_POOL_HELPERS
#include <net/page_pool/helpers.h>
#else
#include <net/page_pool.h>
#endif

#ifdef PARQ_HAVE_NETDEV_QUEUES
#include <net/netdev_queues.h>
#endif

#ifdef PARQ_HAVE_OPS_LOCK
#include <net/netdev_lock.h>
#endif

#ifdef PARQ_HAVE_NET_GSO
#include <net/gso.h>
#endif

/* Names the lock of a member. clang checks it in kernels that enable the analysis. */
#ifndef __guarded_by
#define __guarded_by(...)
#define __pt_guarded_by(...)
#endif

/*
 * The lock that the stack holds around operations is rtnl. Macros, because some kernels have
 * a part of these as functions.
 */
#ifndef PARQ_HAVE_OPS_LOCK
#define netdev_lock_ops(dev)			((void)(dev))
#define netdev_unlock_ops(dev)			((void)(dev))
#define netdev_lock_ops_compat(dev)		((void)(dev), rtnl_lock())
#define netdev_unlock_ops_compat(dev)		((void)(dev), rtnl_unlock())
#define netdev_assert_locked_ops_compat(dev)				\
do {									\
	(void)(dev);							\
	ASSERT_RTNL();							\
} while (0)
#define netdev_ops_lock_dereference(p, dev)	((void)(dev), rtnl_dereference(p))
#endif

/*
 * The first takes rtnl for a context that is about to take the ops lock, and may not wait for
 * rtnl. Where the ops lock is rtnl, it takes nothing. Macros, for the KUnit suites have fakes of
 * the kernel's functions.
 */
#ifdef PARQ_HAVE_OPS_LOCK
#define parq_compat_trylock_rtnl()		rtnl_trylock()
#define parq_compat_unlock_rtnl()		rtnl_unlock()
#define parq_compat_trylock_ops(dev)		netdev_trylock(dev)
#else
#define parq_compat_trylock_rtnl()		true
#define parq_compat_unlock_rtnl()		do { } while (0)
#define parq_compat_trylock_ops(dev)		((void)(dev), rtnl_trylock())
#endif

/* Takes the ops lock, to be unlocked by netdev_unlock_ops(), in a context that holds rtnl. */
#ifdef PARQ_HAVE_OPS_LOCK
#define parq_compat_rtnl_trylock_ops(dev)	netdev_trylock(dev)
#else
#define parq_compat_rtnl_trylock_ops(dev)	((void)(dev), true)
#endif

/* Operations of ethtool that run under rtnl, too. Without the ops lock all do. */
#ifdef PARQ_HAVE_OPS_LOCK
#define PARQ_COMPAT_NEEDS_RTNL(ops)		.op_needs_rtnl = ops,
#else
#define PARQ_COMPAT_NEEDS_RTNL(ops)
#endif

/* Otherwise an interrupt of another affinity moves there when it comes, if its chip helps. */
static inline void parq_compat_irq_moves_at_once(unsigned int irq)
{
#ifdef PARQ_HAVE_IRQ_MOVE_PCNTXT
	irq_set_status_flags(irq, IRQ_MOVE_PCNTXT);
#endif
}

/* The stack keeps a configuration of a NAPI for each RX queue that a netdev may have. */
static inline unsigned int parq_compat_rx_queues(unsigned int queues, unsigned int napis)
{
#ifdef PARQ_HAVE_NAPI_CONFIG
	return napis;
#else
	return queues;
#endif
}

static inline void parq_compat_pool_params(struct page_pool_params *params,
					   struct net_device *dev,
					   struct napi_struct *napi)
{
#ifdef PARQ_HAVE_PAGE_POOL_NAPI
	params->napi = napi;
#endif
#ifdef PARQ_HAVE_PAGE_POOL_NETDEV
	params->slow.netdev = dev;
#endif
}

#ifndef PARQ_HAVE_PAGE_POOL_SYNC
static inline void page_pool_dma_sync_for_cpu(const struct page_pool *pool,
					      struct page *page, u32 offset,
					      u32 len)
{
	dma_sync_single_range_for_cpu(pool->p.dev,
				      page_pool_get_dma_addr(page),
				      offset + pool->p.offset, len,
				      pool->p.dma_dir);
}
#endif

/* Has XDP know the bytes in the buffers of a frame behind the first, each of @size. */
static inline void parq_compat_xdp_frags(struct skb_shared_info *shinfo,
					 u32 len, u32 size)
{
	shinfo->xdp_frags_size = len;
#ifdef PARQ_HAVE_XDP_FRAGS_TRUESIZE
	shinfo->xdp_frags_truesize = shinfo->nr_frags * size;
#endif
}

/* The skb's own value, which these may have overwritten. */
static inline void parq_compat_xdp_frags_end(struct skb_shared_info *shinfo)
{
#ifdef PARQ_HAVE_XDP_FRAGS_TRUESIZE
	shinfo->destructor_arg = NULL;
#endif
}

/* A pool of AF_XDP may have frames of several chunks. */
static inline bool parq_compat_xsk_frags(const struct xsk_buff_pool *pool)
{
#ifdef PARQ_HAVE_XSK_FRAGS
	return !!(pool->umem->flags & XDP_UMEM_SG_FLAG);
#else
	return false;
#endif
}

/* Invalid descriptors wait for the completion of those in front of them. */
static inline bool parq_compat_xsk_reclaims(const struct xsk_buff_pool *pool)
{
#ifdef PARQ_HAVE_XSK_RECLAIM
	return pool->reclaim_descs;
#else
	return false;
#endif
}

/* The frame continues in the next descriptor. */
static inline bool parq_compat_xsk_contd(const struct xdp_desc *desc)
{
#ifdef PARQ_HAVE_XSK_FRAGS
	return !xsk_is_eop_desc(desc);
#else
	return false;
#endif
}

static inline u32 parq_compat_xsk_frag_step(struct xsk_buff_pool *pool)
{
#ifdef PARQ_HAVE_XSK_FRAG_STEP
	return xsk_pool_get_rx_frag_step(pool);
#else
	return 0;
#endif
}

static inline void parq_compat_xsk_sync(struct xdp_buff *buff, struct xsk_buff_pool *pool)
{
#ifdef PARQ_HAVE_XSK_SYNC_POOL
	xsk_buff_dma_sync_for_cpu(buff, pool);
#else
	xsk_buff_dma_sync_for_cpu(buff);
#endif
}

/* Return: false if the frame has no room for another chunk. */
static inline bool parq_compat_xsk_add_frag(struct xdp_buff *frame, struct xdp_buff *buff)
{
#ifdef PARQ_HAVE_XSK_ADD_FRAG
	return xsk_buff_add_frag(frame, buff);
#else
#ifdef PARQ_HAVE_XSK_FRAGS
	struct skb_shared_info *shinfo = xdp_get_shared_info_from_buff(frame);
	u32 len = buff->data_end - buff->data, frags;

	if (!xdp_buff_has_frags(frame)) {
		shinfo->nr_frags = 0;
		shinfo->xdp_frags_size = 0;
		xdp_buff_set_frags_flag(frame);
	}
	/* User space can write to this memory. */
	frags = READ_ONCE(shinfo->nr_frags);
	if (frags >= MAX_SKB_FRAGS)
		return false;
	__skb_fill_page_desc_noacc(shinfo, frags, virt_to_page(buff->data),
				   offset_in_page(buff->data), len);
	shinfo->nr_frags = frags + 1;
	shinfo->xdp_frags_size += len;
	xsk_buff_add_frag(buff);
	return true;
#else
	return false;
#endif /* PARQ_HAVE_XSK_FRAGS */
#endif
}

#ifndef PARQ_HAVE_DMA_NEED_UNMAP
static inline bool dma_need_unmap(struct device *dev)
{
	return true;
}
#endif

#ifndef PARQ_HAVE_DMA_DEV_NEED_SYNC
static inline bool dma_dev_need_sync(const struct device *dev)
{
	return true;
}
#endif

/* Maps linear memory, if possible without a lookup of its page. */
static inline dma_addr_t parq_compat_dma_map(struct device *dev, void *data,
					     unsigned int len)
{
#ifdef PARQ_HAVE_DMA_MAP_PHYS
	return dma_map_phys(dev, virt_to_phys(data), len, DMA_TO_DEVICE, 0);
#else
	return dma_map_single(dev, data, len, DMA_TO_DEVICE);
#endif
}

/* Return: 0 if the queue was stopped; else there is room after all. */
#ifndef netif_txq_try_stop
#define netif_txq_try_stop(txq, get_desc, start_thrs)			\
({									\
	struct netdev_queue *_txq = (txq);				\
	bool _room;							\
									\
	netif_tx_stop_queue(_txq);					\
	/* The cleaner moves its position first, and then checks whether the queue stopped. */ \
	smp_mb__after_atomic();						\
	_room = (get_desc) >= (start_thrs);				\
	if (_room)							\
		netif_tx_start_queue(_txq);				\
	_room;								\
})
#endif

/* Without the ops lock these take the instance lock themselves, if there is one. */
#ifndef PARQ_HAVE_OPS_LOCK
#define napi_enable_locked(napi)		napi_enable(napi)
#define napi_disable_locked(napi)		napi_disable(napi)
#define netif_napi_del_locked(napi)		netif_napi_del(napi)
#ifdef PARQ_HAVE_NAPI_CONFIG
#define netif_napi_add_config_locked(dev, napi, poll, index)		\
	netif_napi_add_config(dev, napi, poll, index)
#else
#define netif_napi_add_config_locked(dev, napi, poll, index)		\
	((void)(index), netif_napi_add(dev, napi, poll))
#endif
#ifdef PARQ_HAVE_NAPI_SET_IRQ
#define netif_napi_set_irq_locked(napi, irq)	netif_napi_set_irq(napi, irq)
#else
#define netif_napi_set_irq_locked(napi, irq)	((void)(napi), (void)(irq))
#endif
#endif

#ifndef PARQ_HAVE_QUEUE_SET_NAPI
enum netdev_queue_type {
	NETDEV_QUEUE_TYPE_RX,
	NETDEV_QUEUE_TYPE_TX,
};

static inline void netif_queue_set_napi(struct net_device *dev,
					unsigned int index,
					enum netdev_queue_type type,
					struct napi_struct *napi)
{
}
#endif

#ifdef PARQ_HAVE_NETDEV_STAT_OPS
static inline void parq_compat_stats_stop(struct netdev_queue_stats_tx *stats,
					  u64 stops, u64 wakes)
{
#ifdef PARQ_HAVE_NETDEV_STAT_STOP
	stats->stop = stops;
	stats->wake = wakes;
#endif
}

static inline void parq_compat_stats_rx_csum(struct netdev_queue_stats_rx *stats,
					     u64 ok, u64 bad, u64 none)
{
#ifdef PARQ_HAVE_NETDEV_STAT_DROPS
	stats->csum_unnecessary = ok;
	stats->csum_bad = bad;
	stats->csum_none = none;
#endif
}

static inline void parq_compat_stats_rx_drops(struct netdev_queue_stats_rx *stats,
					      u64 drops, u64 overruns)
{
#ifdef PARQ_HAVE_NETDEV_STAT_DROPS
	stats->hw_drops = drops;
	stats->hw_drop_overruns = overruns;
#endif
}

static inline void parq_compat_stats_rx_gro(struct netdev_queue_stats_rx *stats,
					    u64 packets, u64 bytes,
					    u64 wire_packets, u64 wire_bytes)
{
#ifdef PARQ_HAVE_NETDEV_STAT_DROPS
	stats->hw_gro_packets = packets;
	stats->hw_gro_bytes = bytes;
	stats->hw_gro_wire_packets = wire_packets;
	stats->hw_gro_wire_bytes = wire_bytes;
#endif
}

static inline void parq_compat_stats_tx_csum(struct netdev_queue_stats_tx *stats,
					     u64 none, u64 needed)
{
#ifdef PARQ_HAVE_NETDEV_STAT_DROPS
	stats->csum_none = none;
	stats->needs_csum = needed;
#endif
}

static inline void parq_compat_stats_tx_gso(struct netdev_queue_stats_tx *stats,
					    u64 packets, u64 bytes,
					    u64 wire_packets, u64 wire_bytes)
{
#ifdef PARQ_HAVE_NETDEV_STAT_DROPS
	stats->hw_gso_packets = packets;
	stats->hw_gso_bytes = bytes;
	stats->hw_gso_wire_packets = wire_packets;
	stats->hw_gso_wire_bytes = wire_bytes;
#endif
}

static inline void parq_compat_stats_tx_drops(struct netdev_queue_stats_tx *stats,
					      u64 drops)
{
#ifdef PARQ_HAVE_NETDEV_STAT_DROPS
	stats->hw_drops = drops;
#endif
}

static inline void parq_compat_stats_tx_errors(struct netdev_queue_stats_tx *stats,
					       u64 errors)
{
#ifdef PARQ_HAVE_NETDEV_STAT_DROPS
	stats->hw_drop_errors = errors;
#endif
}
#endif

/*
 * PCP as a selector, trust and rewriting all appeared in 6.3. Before that, the code that
 * implements them is unused.
 */
#ifndef DCB_APP_SEL_PCP
#define DCB_APP_SEL_PCP	255
#endif

#ifdef PARQ_HAVE_DCB_APPTRUST
#define PARQ_COMPAT_DCB_APPTRUST(get, set)				\
	.dcbnl_getapptrust = get,					\
	.dcbnl_setapptrust = set,
#else
#define PARQ_COMPAT_DCB_APPTRUST(get, set)
#endif

#ifdef PARQ_HAVE_DCB_REWR
#define PARQ_COMPAT_DCB_REWR(set, del)					\
	.dcbnl_setrewr = set,						\
	.dcbnl_delrewr = del,
#else
#define PARQ_COMPAT_DCB_REWR(set, del)

static inline int dcb_setrewr(struct net_device *dev, struct dcb_app *app)
{
	return -EOPNOTSUPP;
}

static inline int dcb_delrewr(struct net_device *dev, struct dcb_app *app)
{
	return -EOPNOTSUPP;
}
#endif

/* Called before register_netdev() if the kernel wants it so, otherwise after it. */
static inline void parq_compat_devlink_port_set(struct net_device *dev,
						struct devlink_port *port)
{
#ifdef PARQ_HAVE_NETDEV_DEVLINK_PORT
	SET_NETDEV_DEVLINK_PORT(dev, port);
#endif
}

static inline void parq_compat_devlink_port_up(struct net_device *dev,
					       struct devlink_port *port)
{
#ifndef PARQ_HAVE_NETDEV_DEVLINK_PORT
	devlink_port_type_eth_set(port, dev);
#endif
}

static inline void parq_compat_devlink_port_down(struct devlink_port *port)
{
#ifndef PARQ_HAVE_NETDEV_DEVLINK_PORT
	devlink_port_type_clear(port);
#endif
}

/* The arguments of devlink parameter callbacks differ between kernels. */
#ifdef PARQ_HAVE_DEVLINK_GET_EXTACK
#define PARQ_DEVLINK_GET_ARGS(...)	__VA_ARGS__, struct netlink_ext_ack *extack
#else
#define PARQ_DEVLINK_GET_ARGS(...)	__VA_ARGS__
#endif
#ifdef PARQ_HAVE_DEVLINK_SET_EXTACK
#define PARQ_DEVLINK_SET_ARGS(...)	__VA_ARGS__, struct netlink_ext_ack *extack
#define PARQ_DEVLINK_SET_EXTACK		extack
#else
#define PARQ_DEVLINK_SET_ARGS(...)	__VA_ARGS__
#define PARQ_DEVLINK_SET_EXTACK		NULL
#endif
#ifdef PARQ_HAVE_DEVLINK_VALIDATE_PTR
#define PARQ_DEVLINK_VALUE		union devlink_param_value *
#define parq_devlink_string(val)	((val)->vstr)
#define parq_devlink_u16(val)		((val)->vu16)
#define parq_devlink_u32(val)		((val)->vu32)
#else
#define PARQ_DEVLINK_VALUE		union devlink_param_value
#define parq_devlink_string(val)	((val).vstr)
#define parq_devlink_u16(val)		((val).vu16)
#define parq_devlink_u32(val)		((val).vu32)
#endif

#ifndef PARQ_HAVE_KERNEL_TS_INFO
#define kernel_ethtool_ts_info	ethtool_ts_info
#endif

/* Settings of time stamps come by ioctl. */
#ifndef PARQ_HAVE_NDO_HWTSTAMP
struct kernel_hwtstamp_config {
	int flags;
	int tx_type;
	int rx_filter;
};
#endif

/* Creates a reporter without a graceful period. */
static inline struct devlink_health_reporter *
parq_compat_health_create(struct devlink_port *port,
			  const struct devlink_health_reporter_ops *ops,
			  void *priv)
{
#ifdef PARQ_HAVE_HEALTH_PERIOD
	return devlink_port_health_reporter_create(port, ops, 0, priv);
#else
	return devlink_port_health_reporter_create(port, ops, priv);
#endif
}

/* Older kernels do not show this counter. */
static inline void parq_compat_pause_storms(struct ethtool_pause_stats *stats,
					    u64 events)
{
#ifdef PARQ_HAVE_PAUSE_STORM_STAT
	stats->tx_pause_storm_events = events;
#endif
}

/* Reporters of ports once had their own destroy function. */
static inline void
parq_compat_health_destroy(struct devlink_health_reporter *reporter)
{
#ifdef PARQ_HAVE_PORT_HEALTH_DESTROY
	devlink_port_health_reporter_destroy(reporter);
#else
	devlink_health_reporter_destroy(reporter);
#endif
}

/* Newer kernels add the driver's name themselves. */
static inline void parq_compat_devlink_info_name(struct devlink_info_req *req,
						 const char *name)
{
#ifdef PARQ_HAVE_DEVLINK_INFO_NAME
	devlink_info_driver_name_put(req, name);
#endif
}

/* Asks the kernel to validate the queues, if it can. */
static inline void parq_compat_mqprio_caps(void *caps)
{
#ifdef PARQ_HAVE_MQPRIO_CAPS
	((struct tc_mqprio_caps *)caps)->validate_queue_counts = true;
#endif
}

static inline struct netlink_ext_ack *
parq_compat_mqprio_extack(const struct tc_mqprio_qopt_offload *mqprio)
{
#ifdef PARQ_HAVE_MQPRIO_EXTACK
	return mqprio->extack;
#else
	return NULL;
#endif
}

static inline struct netlink_ext_ack *
parq_compat_tbf_extack(const struct tc_tbf_qopt_offload *tbf)
{
#ifdef PARQ_HAVE_TBF_EXTACK
	return tbf->extack;
#else
	return NULL;
#endif
}

/* Return: the RX queue that the action of tc selects, or -1. */
static inline int parq_compat_flow_queue(const struct flow_action_entry *entry)
{
#ifdef PARQ_HAVE_RX_QUEUE_MAPPING
	return entry->id == FLOW_ACTION_RX_QUEUE_MAPPING ? entry->rx_queue : -1;
#else
	return -1;
#endif
}

/* Return type of a platform driver's remove(). Older kernels ignore the value. */
#ifdef PARQ_HAVE_PLATFORM_REMOVE_VOID
#define parq_compat_remove_t	void
#define PARQ_COMPAT_REMOVED
#else
#define parq_compat_remove_t	int
#define PARQ_COMPAT_REMOVED	0
#endif

/* Older bridges have no such flag. */
#ifndef BR_PORT_MAB
#define BR_PORT_MAB	0
#endif

/* For the KUnit suites. */
#ifndef FIELD_PREP_CONST
#define FIELD_PREP_CONST(mask, val)	((val) << __builtin_ctzl(mask))
#endif

#ifndef KUNIT_EXPECT_MEMEQ
#define KUNIT_EXPECT_MEMEQ(test, left, right, size)			\
	KUNIT_EXPECT_EQ(test, memcmp(left, right, size), 0)
#endif

#ifndef kzalloc_obj
#define kzalloc_obj(obj)	kzalloc(sizeof(obj), GFP_KERNEL)
#endif

/* Without it nobody can ask for the flow label. */
#ifndef RXH_IP6_FL
#define RXH_IP6_FL		0
#endif

#ifndef NETLINK_MAX_FMTMSG_LEN
#define NETLINK_MAX_FMTMSG_LEN	80
#endif

#ifndef NL_SET_ERR_MSG_FMT_MOD
/* If two devices refuse at the same time, both may show the same text. */
#define NL_SET_ERR_MSG_FMT_MOD(extack, fmt, args...)			\
do {									\
	struct netlink_ext_ack *_extack = (extack);			\
	static char _text[NETLINK_MAX_FMTMSG_LEN];			\
									\
	snprintf(_text, sizeof(_text), KBUILD_MODNAME ": " fmt, ##args);	\
	if (_extack)							\
		_extack->_msg = _text;					\
} while (0)
#endif

#ifndef PARQ_HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, const enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* Allocates a netdev that only carries a NAPI. */
static inline struct net_device *parq_compat_dummy_alloc(void)
{
#ifdef PARQ_HAVE_NETDEV_DUMMY
	return alloc_netdev_dummy(0);
#else
	struct net_device *dev = kvzalloc(sizeof(*dev), GFP_KERNEL);

	if (dev)
		init_dummy_netdev(dev);
	return dev;
#endif
}

static inline void parq_compat_dummy_free(struct net_device *dev)
{
#ifdef PARQ_HAVE_NETDEV_DUMMY
	free_netdev(dev);
#else
	kvfree(dev);
#endif
}

#endif /* _PARQ_COMPAT_H */
