#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Prints a header that says what the kernel at hand offers. Each snippet is
# compiled with the flags of the build: versions lie where distributions
# backport, compilers do not. One run compiles them all, and the errors name the
# snippets that did not compile: to read the kernel's headers takes most of the time.
#
# usage: <this script> compiler flags... > compat_gen.h

set -u

if [ $# -lt 2 ]; then
	echo "usage: $0 compiler flags..." >&2
	exit 2
fi

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
names=''

# probe NAME: PARQ_HAVE_NAME, if standard input compiles. Its functions are f to i.
probe()
{
	names="$names $1"
	echo "#line 1 \"PARQ_HAVE_$1\"" >>"$tmp/snippets"
	while IFS= read -r line; do
		header=${line#"#include "}
		if [ "$header" = "$line" ]; then
			echo "$line"
		else
			printf '#if __has_include(%s)\n#include %s\n#endif\n' \
			       "$header" "$header" >>"$tmp/headers"
			printf '#if !__has_include(%s)\n#error\n#endif\n' "$header"
		fi
	done | sed "s/\([ *]\)\([f-i]\)(/\1\2_$1(/" >>"$tmp/snippets"
}

# <net/page_pool/helpers.h> instead of <net/page_pool.h>
probe PAGE_POOL_HELPERS <<END
#include <net/page_pool/helpers.h>
END

probe PAGE_POOL_NAPI <<END
#include <net/page_pool/helpers.h>
void *f(struct page_pool_params *p) { return &p->napi; }
END

probe PAGE_POOL_NETDEV <<END
#include <net/page_pool/helpers.h>
void *f(struct page_pool_params *p) { return &p->slow.netdev; }
END

probe PAGE_POOL_SYNC <<END
#include <net/page_pool/helpers.h>
void *f(void) { return page_pool_dma_sync_for_cpu; }
END

probe DMA_MAP_PHYS <<END
#include <linux/dma-mapping.h>
void *f(void) { return dma_map_phys; }
END

probe DMA_NEED_UNMAP <<END
#include <linux/dma-mapping.h>
void *f(void) { return dma_need_unmap; }
END

probe DMA_DEV_NEED_SYNC <<END
#include <linux/dma-mapping.h>
void *f(void) { return dma_dev_need_sync; }
END

# The netdev's instance lock around all operations; ethtool_ops tell which need rtnl, too. It comes
# with queue management, which replaces the memory of one RX queue.
probe OPS_LOCK <<END
#include <linux/ethtool.h>
#include <net/netdev_lock.h>
#include <net/netdev_queues.h>
void *f(void) { return netdev_lock_ops_compat; }
void *g(void) { return netdev_assert_locked_ops_compat; }
void *h(struct ethtool_ops *ops) { return &ops->op_needs_rtnl; }
int i(struct netdev_queue_mgmt_ops *ops, struct netdev_queue_config *qcfg)
{ return ops->ndo_queue_mem_alloc(NULL, qcfg, NULL, 0); }
END

probe RX_MODE_ASYNC <<END
#include <linux/netdevice.h>
void *f(struct net_device_ops *ops) { return &ops->ndo_set_rx_mode_async; }
END

# netif_txq_try_stop() and its kind
probe NETDEV_QUEUES <<END
#include <net/netdev_queues.h>
END

probe NETDEV_STAT_OPS <<END
#include <net/netdev_queues.h>
void *f(struct net_device *dev) { return &dev->stat_ops; }
END

# stop and wake in struct netdev_queue_stats_tx
probe NETDEV_STAT_STOP <<END
#include <net/netdev_queues.h>
void *f(struct netdev_queue_stats_tx *s) { return &s->wake; }
END

# Drops, checksums and segmentation, which came together
probe NETDEV_STAT_DROPS <<END
#include <net/netdev_queues.h>
void *f(struct netdev_queue_stats_rx *s) { return &s->hw_drops; }
void *g(struct netdev_queue_stats_tx *s) { return &s->needs_csum; }
END

probe QUEUE_SET_NAPI <<END
#include <linux/netdevice.h>
void *f(void) { return netif_queue_set_napi; }
END

probe NAPI_SET_IRQ <<END
#include <linux/netdevice.h>
void *f(void) { return netif_napi_set_irq; }
END

probe NAPI_CONFIG <<END
#include <linux/netdevice.h>
void *f(void) { return netif_napi_add_config; }
END

probe NETDEV_DEVLINK_PORT <<END
#include <linux/netdevice.h>
#ifndef SET_NETDEV_DEVLINK_PORT
#error
#endif
END

# RX queues as actions of tc
probe RX_QUEUE_MAPPING <<END
#include <net/flow_offload.h>
int f(void) { return FLOW_ACTION_RX_QUEUE_MAPPING; }
END

probe DCB_APPTRUST <<END
#include <net/dcbnl.h>
void *f(struct dcbnl_rtnl_ops *ops) { return &ops->dcbnl_setapptrust; }
END

probe DCB_REWR <<END
#include <net/dcbnl.h>
void *f(void) { return dcb_setrewr; }
END

probe RXFH_PARAM <<END
#include <linux/ethtool.h>
void *f(struct ethtool_rxfh_param *p) { return &p->indir; }
END

probe RXFH_FIELDS <<END
#include <linux/ethtool.h>
void *f(struct ethtool_ops *ops) { return &ops->get_rxfh_fields; }
END

# RSS contexts with keys and fields of their own
probe RXFH_CONTEXTS <<END
#include <linux/ethtool.h>
int f(struct ethtool_ops *ops) { return ops->rxfh_per_ctx_fields + ops->rxfh_max_num_contexts; }
END

probe INPUT_XFRM <<END
#include <linux/ethtool.h>
int f(struct ethtool_ops *ops) { return ops->supported_input_xfrm; }
END

probe RX_RING_COUNT <<END
#include <linux/ethtool.h>
void *f(struct ethtool_ops *ops) { return &ops->get_rx_ring_count; }
END

# struct ethtool_ts_info is that of user space
probe KERNEL_TS_INFO <<END
#include <linux/ethtool.h>
void *f(struct kernel_ethtool_ts_info *info) { return &info->phc_index; }
END

probe TS_STATS <<END
#include <linux/ethtool.h>
void *f(struct ethtool_ops *ops) { return &ops->get_ts_stats; }
END

# Operations in place of an ioctl
probe NDO_HWTSTAMP <<END
#include <linux/netdevice.h>
void *f(struct net_device_ops *ops) { return &ops->ndo_hwtstamp_set; }
END

# Callbacks of struct devlink_param
probe DEVLINK_GET_EXTACK <<END
#include <net/devlink.h>
int f(struct devlink_param *p, struct netlink_ext_ack *e)
{ return p->get(NULL, 0, NULL, e); }
END

probe DEVLINK_SET_EXTACK <<END
#include <net/devlink.h>
int f(struct devlink_param *p, struct netlink_ext_ack *e)
{ return p->set(NULL, 0, NULL, e); }
END

probe DEVLINK_VALIDATE_PTR <<END
#include <net/devlink.h>
int f(struct devlink_param *p, union devlink_param_value *v)
{ return p->validate(NULL, 0, v, NULL); }
END

probe XDP_FEATURES <<END
#include <linux/netdevice.h>
void *f(struct net_device *dev) { return &dev->xdp_features; }
END

# What programs can ask a driver about a frame
probe XDP_METADATA <<END
#include <net/xdp.h>
void *f(struct xdp_metadata_ops *ops) { return &ops->xmo_rx_vlan_tag; }
END

# Frames of several chunks of AF_XDP
probe XSK_FRAGS <<END
#include <net/xdp_sock_drv.h>
void *f(struct xsk_buff_pool *pool) { return &pool->xskb_list; }
int g(struct net_device *dev) { return dev->xdp_zc_max_segs; }
bool h(const struct xdp_desc *desc) { return xsk_is_eop_desc(desc); }
END

# A function that adds such a chunk, and tells whether there is room
probe XSK_ADD_FRAG <<END
#include <net/xdp_sock_drv.h>
_Static_assert(__builtin_types_compatible_p(typeof(xsk_buff_add_frag),
					    bool (struct xdp_buff *, struct xdp_buff *)), "");
END

probe XSK_FRAG_STEP <<END
#include <net/xdp_sock_drv.h>
void *f(void) { return xsk_pool_get_rx_frag_step; }
END

probe XSK_SYNC_POOL <<END
#include <net/xdp_sock_drv.h>
_Static_assert(__builtin_types_compatible_p(typeof(xsk_buff_dma_sync_for_cpu),
					    void (struct xdp_buff *, struct xsk_buff_pool *)), "");
END

probe XSK_RECLAIM <<END
#include <net/xdp_sock_drv.h>
int f(struct xsk_buff_pool *pool) { return pool->reclaim_descs; }
END

# What sockets can ask for a frame that they send, told by its descriptor
probe XSK_TX_METADATA <<END
#include <net/xdp_sock_drv.h>
_Static_assert(__builtin_types_compatible_p(typeof(xsk_tx_metadata_request),
	       void (const struct xsk_buff_pool *, struct xsk_tx_metadata **,
		     const struct xsk_tx_metadata_ops *, void *)), "");
void *f(void) { return xsk_buff_get_metadata(NULL, 0, 0); }
void *g(struct net_device *dev) { return &dev->xsk_tx_metadata_ops; }
END

# An estimate of what the buffers of a frame cost, in the place of the skb's destructor_arg
probe XDP_FRAGS_TRUESIZE <<END
#include <linux/skbuff.h>
void *f(struct skb_shared_info *s) { return &s->xdp_frags_truesize; }
END

probe DEVLINK_INFO_NAME <<END
#include <net/devlink.h>
void *f(void) { return devlink_info_driver_name_put; }
END

# graceful_period, an argument that has become a member of the ops
probe HEALTH_PERIOD <<END
#include <net/devlink.h>
void *f(void) { return devlink_port_health_reporter_create(NULL, NULL, 0, NULL); }
END

# an end of their own for reporters of ports
probe PORT_HEALTH_DESTROY <<END
#include <net/devlink.h>
void *f(void) { return devlink_port_health_reporter_destroy; }
END

probe PAUSE_STORM_STAT <<END
#include <linux/ethtool.h>
void *f(struct ethtool_pause_stats *s) { return &s->tx_pause_storm_events; }
END

probe MQPRIO_CAPS <<END
#include <net/pkt_sched.h>
void f(struct tc_mqprio_caps *caps) { caps->validate_queue_counts = 1; }
END

probe MQPRIO_EXTACK <<END
#include <net/pkt_sched.h>
void *f(struct tc_mqprio_qopt_offload *mqprio) { return mqprio->extack; }
END

probe TBF_EXTACK <<END
#include <net/pkt_cls.h>
void *f(struct tc_tbf_qopt_offload *tbf) { return tbf->extack; }
END

probe PLATFORM_REMOVE_VOID <<END
#include <linux/platform_device.h>
void f(struct platform_driver *drv, struct platform_device *pdev)
{
	_Static_assert(__builtin_types_compatible_p(typeof(drv->remove(pdev)), void), "");
}
END

probe HRTIMER_SETUP <<END
#include <linux/hrtimer.h>
void *f(void) { return hrtimer_setup; }
END

probe IRQ_MOVE_PCNTXT <<END
#include <linux/irq.h>
int f(void) { return IRQ_MOVE_PCNTXT; }
END

probe NETDEV_DUMMY <<END
#include <linux/netdevice.h>
void *f(void) { return alloc_netdev_dummy; }
END

probe NET_GSO <<END
#include <net/gso.h>
END

cat "$tmp/headers" "$tmp/snippets" >"$tmp/probe.c"
# clang gives up after some errors. gcc says that an error is where NULL is defined.
option=-ftrack-macro-expansion=0
"$@" --version | grep -q clang && option=-ferror-limit=0
LC_ALL=C "$@" '-DKBUILD_MODNAME="parq"' -w $option -fsyntax-only "$tmp/probe.c" >"$tmp/log" 2>&1
status=$?
sed -n 's/^\([^:]*\):.*error:.*/\1/p' "$tmp/log" | sort -u >"$tmp/failed"

# Nothing at all compiles with wrong flags: then say so instead of guessing.
if grep -qv '^PARQ_HAVE_' "$tmp/failed" || { [ $status -ne 0 ] && [ ! -s "$tmp/failed" ]; }; then
	cat "$tmp/log" >&2
	echo "$0: the compiler refuses the kernel's headers" >&2
	exit 1
fi
echo '/* Generated: what this kernel offers. */'
for name in $names; do
	grep -qx "PARQ_HAVE_$name" "$tmp/failed" || echo "#define PARQ_HAVE_$name 1"
done
