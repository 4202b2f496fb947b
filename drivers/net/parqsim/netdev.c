// SPDX-License-Identifier: GPL-2.0
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/kfifo.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "compat.h" /* <net/gso.h> */
#include "inlet.h"
#include "netdev.h"
#include "nic.h"

/* Buffer for frames to be sent, bytes, a power of two. */
#define NETDEV_OUT_SIZE		SZ_1M

/* Most packets of an interface that wait for the NAPI. */
#define NETDEV_ARRIVED		1024

/* Frames that are passed to the NIC between taking and dropping its lock. */
#define NETDEV_BATCH		64

/**
 * struct netdev_wire - a port's end
 * @wire: wire of the port
 * @nic: NIC of the port
 * @dev: the interface, NULL once it is gone; written under RTNL and the NIC's lock
 * @tracker: tracks the reference to @dev
 * @events: notifier of all interfaces
 * @up: frames of @dev are accepted; under the NIC's lock
 * @arrived: what @dev has received, as its driver left it
 * @control: MAC control frames of that, which do not wait for the others
 * @in: frames received
 * @out: frames to be sent; written under the NIC's lock, read by @napi
 * @out_buf: memory of @out
 * @napi: sends, as a NIC's turn may run where the stack must not be entered; receives, so that
 *	many frames take the NIC's lock once
 * @napi_dev: carries @napi
 */
struct netdev_wire {
	struct wire wire;
	struct nic *nic;
	struct net_device __rcu *dev;
	netdevice_tracker tracker;
	struct notifier_block events;
	bool up;
	struct sk_buff_head arrived;
	struct sk_buff_head control;
	struct inlet in;
	struct kfifo_rec_ptr_2 out;
	void *out_buf;
	struct napi_struct napi;
	struct net_device *napi_dev;
};

static struct netdev_wire *to_netdev(struct wire *w)
{
	return container_of(w, struct netdev_wire, wire);
}

/* ---- from the port ------------------------------------------------------- */

/* Called with the NIC's lock held, which also protects @dev. */
static bool netdev_frame(struct wire *w, const u8 *data, u32 len, u64 end)
{
	struct netdev_wire *n = to_netdev(w);
	struct net_device *dev = rcu_dereference_protected(n->dev, true);

	if (!dev || len > READ_ONCE(dev->mtu) + VLAN_ETH_HLEN ||
	    !kfifo_in(&n->out, data, len))
		return false;
	napi_schedule(&n->napi);
	return true;
}

/* Takes the next frame. Return: NULL if there is no memory; the frame is lost. */
static struct sk_buff *netdev_skb(struct netdev_wire *n, struct net_device *dev)
{
	unsigned int len = kfifo_peek_len(&n->out);
	struct sk_buff *skb = NULL;

	if (dev)
		skb = alloc_skb(LL_RESERVED_SPACE(dev) + len +
				dev->needed_tailroom, GFP_ATOMIC);
	if (!skb) {
		kfifo_skip(&n->out);
		return NULL;
	}
	skb_reserve(skb, LL_RESERVED_SPACE(dev));
	if (WARN_ON_ONCE(kfifo_out(&n->out, skb_put(skb, len), len) != len)) {
		kfree_skb(skb);
		return NULL;
	}
	skb->dev = dev;
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb->protocol = eth_hdr(skb)->h_proto;
	if (skb->protocol == htons(ETH_P_PAUSE))
		skb->priority = TC_PRIO_CONTROL;
	return skb;
}

/* Return: the number of frames taken. */
static int netdev_send(struct netdev_wire *n, int budget)
{
	struct net_device *dev = rcu_dereference(n->dev);
	unsigned long flags;
	struct sk_buff *skb;
	int done, err;
	u32 lost = 0;

	/* kfifo_peek_len() of an empty FIFO returns what an old frame left behind. */
	for (done = 0; done < budget && !kfifo_is_empty(&n->out); done++) {
		skb = netdev_skb(n, dev);
		err = skb ? dev_queue_xmit(skb) : -ENOMEM;
		lost += net_xmit_eval(err) != 0;
	}
	if (lost) {
		nic_lock(n->nic, &flags);
		wire_tx_lost(&n->wire, lost);
		nic_unlock(n->nic, flags);
	}
	return done;
}

/* ---- to the port --------------------------------------------------------- */

/* A packet of the interface is freed before it reaches the port. */
static void netdev_lost(struct netdev_wire *n)
{
	unsigned long flags;

	nic_lock(n->nic, &flags);
	wire_rx_lost(&n->wire);
	nic_unlock(n->nic, flags);
}

/*
 * Completes what a sender has left to its interface. Not every checksum is the Internet's: that
 * of SCTP is a CRC.
 */
static bool netdev_checksum(struct sk_buff *skb)
{
	return skb->ip_summed != CHECKSUM_PARTIAL || !skb_csum_hwoffload_help(skb, 0);
}

/* Brings a frame into its form on the wire: checksummed and padded. */
static bool netdev_finish(struct sk_buff *skb)
{
	return skb->len >= WIRE_HEADER && skb->len <= PARQSIM_FRAME_MAX &&
	       netdev_checksum(skb) && !skb_linearize(skb) &&
	       !__skb_put_padto(skb, WIRE_MIN_FRAME, false);
}

/* Passes frames to the port. */
static void netdev_deliver(struct netdev_wire *n, struct sk_buff_head *frames)
{
	struct wire *w = &n->wire;
	unsigned long flags;
	struct sk_buff *skb;
	u64 now;

	nic_enter(n->nic, &flags);
	now = w->host->now(w->host->ctx);
	skb_queue_walk(frames, skb) {
		if (n->up && n->nic->running)
			inlet_frame(&n->in, skb->data, skb->len, now);
		else
			wire_rx_lost(w);
	}
	nic_leave(n->nic, flags);
	__skb_queue_purge(frames);
}

static void netdev_arrived(struct netdev_wire *n, struct sk_buff_head *frames, struct sk_buff *skb)
{
	if (!netdev_finish(skb)) {
		netdev_lost(n);
		kfree_skb(skb);
		return;
	}
	__skb_queue_tail(frames, skb);
	if (skb_queue_len(frames) == NETDEV_BATCH)
		netdev_deliver(n, frames);
}

/* A frame that GRO has joined, or that the stack has not segmented yet. */
static void netdev_arrived_joined(struct netdev_wire *n, struct sk_buff_head *frames,
				  struct sk_buff *skb)
{
	struct sk_buff *parts = skb_gso_segment(skb, 0), *next;

	if (IS_ERR_OR_NULL(parts)) {
		netdev_lost(n);
		kfree_skb(skb);
		return;
	}
	consume_skb(skb);
	skb_list_walk_safe(parts, skb, next) {
		skb_mark_not_on_list(skb);
		netdev_arrived(n, frames, skb);
	}
}

/* Return: the number of packets taken. */
static int netdev_receive(struct netdev_wire *n, int budget)
{
	struct sk_buff_head frames;
	struct sk_buff *skb;
	int done;

	__skb_queue_head_init(&frames);
	for (done = 0; done < budget; done++) {
		skb = skb_dequeue(&n->control) ?: skb_dequeue(&n->arrived);
		if (!skb)
			break;
		if (skb_is_gso(skb))
			netdev_arrived_joined(n, &frames, skb);
		else
			netdev_arrived(n, &frames, skb);
	}
	if (!skb_queue_empty(&frames))
		netdev_deliver(n, &frames);
	return done;
}

static void netdev_queue(struct netdev_wire *n, struct sk_buff *skb)
{
	struct sk_buff_head *queue = &n->arrived;

	if (skb->protocol == htons(ETH_P_PAUSE))
		queue = &n->control;
	if (skb_queue_len_lockless(queue) < NETDEV_ARRIVED) {
		skb_queue_tail(queue, skb);
		napi_schedule(&n->napi);
		return;
	}
	netdev_lost(n);
	kfree_skb(skb);
}

/* Of an interface that sends nothing more. A NAPI that was scheduled before may take some, too. */
static void netdev_lose_all(struct netdev_wire *n)
{
	struct sk_buff *skb;

	while ((skb = skb_dequeue(&n->control) ?: skb_dequeue(&n->arrived))) {
		netdev_lost(n);
		kfree_skb(skb);
	}
}

static rx_handler_result_t netdev_rx(struct sk_buff **pskb)
{
	struct sk_buff *skb = *pskb;
	struct netdev_wire *n;

	if (skb->pkt_type == PACKET_LOOPBACK)
		return RX_HANDLER_PASS;
	n = rcu_dereference(skb->dev->rx_handler_data);
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (skb)
		skb_push(skb, skb->data - skb_mac_header(skb));
	if (skb && skb_vlan_tag_present(skb))
		skb = __vlan_hwaccel_push_inside(skb);
	if (!skb)
		netdev_lost(n);
	else
		netdev_queue(n, skb);
	return RX_HANDLER_CONSUMED;
}

static int netdev_poll(struct napi_struct *napi, int budget)
{
	struct netdev_wire *n = container_of(napi, struct netdev_wire, napi);
	int sent, received;

	rcu_read_lock();
	sent = netdev_send(n, budget);
	received = netdev_receive(n, budget);
	rcu_read_unlock();
	if (sent == budget || received == budget)
		return budget;
	napi_complete_done(napi, max(sent, received));
	return max(sent, received);
}

/* ---- the link ------------------------------------------------------------ */

static void netdev_link(struct wire *w, const struct parqsim_partner *self)
{
	struct netdev_wire *n = to_netdev(w);
	struct parqsim_partner far = *self;

	far.present = n->up;
	/* It is unknown whether a device behind the interface would obey a pause frame. */
	far.adv &= ~(PARQ_LINK_ADV_PAUSE | PARQ_LINK_ADV_ASYM);
	wire_partner(w, &far);
	if (w->speed < 0)
		inlet_cut(&n->in);
}

/* A NIC that is not running yet reads the state when it starts. */
static void netdev_settle(struct netdev_wire *n, struct net_device *dev)
{
	unsigned long flags;

	nic_enter(n->nic, &flags);
	n->up = dev && netif_running(dev) && netif_carrier_ok(dev);
	rcu_assign_pointer(n->dev, dev);
	if (n->nic->running)
		ports_tell(&n->nic->ports, n->wire.port);
	nic_leave(n->nic, flags);
}

/* ---- the interface ------------------------------------------------------- */

static const char *netdev_unfit(const struct net_device *dev)
{
	if (!dev)
		return "no such interface here";
	if (dev->flags & IFF_LOOPBACK)
		return "it is a loopback interface";
	if (dev->type != ARPHRD_ETHER)
		return "not an Ethernet interface";
	if (netdev_is_rx_handler_busy((struct net_device *)dev))
		return "something else takes its frames, as a bridge does";
	return NULL;
}

/* The port's end that takes the frames of an interface, NULL if there is none. */
static const struct netdev_wire *netdev_user(const struct net_device *dev)
{
	if (rtnl_dereference(dev->rx_handler) != netdev_rx)
		return NULL;
	return rtnl_dereference(dev->rx_handler_data);
}

/* Return: 0, or a negative errno that has been logged. */
static int netdev_check(const struct netdev_wire *n, const struct net_device *dev,
			const char *name)
{
	const struct netdev_wire *user = dev ? netdev_user(dev) : NULL;
	const char *reason = netdev_unfit(dev);

	if (user)
		pr_err("parqsim: %s: wire p%u=netdev:%s: it is the wire of %s:p%u\n",
		       n->nic->name, n->wire.port, name, user->nic->name,
		       user->wire.port);
	else if (reason)
		pr_err("parqsim: %s: wire p%u=netdev:%s: %s\n", n->nic->name,
		       n->wire.port, name, reason);
	else
		return 0;
	return dev ? -EINVAL : -ENODEV;
}

static void netdev_detach(struct netdev_wire *n)
{
	struct net_device *dev = rtnl_dereference(n->dev);

	if (!dev)
		return;
	netdev_settle(n, NULL);
	/* Waits for readers that have seen @dev, the NAPI among them. */
	netdev_rx_handler_unregister(dev);
	netdev_lose_all(n);
	dev_set_promiscuity(dev, -1);
	netdev_put(dev, &n->tracker);
}

static int netdev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct netdev_wire *n = container_of(nb, struct netdev_wire, events);
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);

	if (dev != rtnl_dereference(n->dev))
		return NOTIFY_DONE;
	switch (event) {
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
		netdev_settle(n, dev);
		break;
	case NETDEV_UNREGISTER:
		/* It moves to another namespace, and keeps its wire. */
		if (dev->reg_state != NETREG_UNREGISTERING)
			break;
		pr_info("parqsim: %s: p%u: %s is gone\n", n->nic->name,
			n->wire.port, dev->name);
		netdev_detach(n);
		break;
	}
	return NOTIFY_DONE;
}

static int netdev_attach(struct netdev_wire *n, const char *name)
{
	struct net_device *dev;
	int err;

	ASSERT_RTNL();
	dev = __dev_get_by_name(current->nsproxy->net_ns, name);
	err = netdev_check(n, dev, name);
	if (err)
		return err;
	err = dev_set_promiscuity(dev, 1);
	if (err)
		return err;
	netdev_hold(dev, &n->tracker, GFP_KERNEL);
	netdev_settle(n, dev);
	err = netdev_rx_handler_register(dev, netdev_rx, n);
	if (err) {
		netdev_settle(n, NULL);
		netdev_put(dev, &n->tracker);
		dev_set_promiscuity(dev, -1);
	}
	return err;
}

/* ---- construction -------------------------------------------------------- */

static void netdev_free(struct netdev_wire *n)
{
	if (n->napi_dev) {
		napi_disable(&n->napi);
		netif_napi_del(&n->napi);
		parq_compat_dummy_free(n->napi_dev);
	}
	if (n->in.cable.buf)
		inlet_fini(&n->in);
	kvfree(n->out_buf);
	kfree(n);
}

static void netdev_close(struct wire *w)
{
	struct netdev_wire *n = to_netdev(w);

	rtnl_lock();
	netdev_detach(n);
	rtnl_unlock();
	unregister_netdevice_notifier(&n->events);
	netdev_free(n);
}

static const struct wire_ops netdev_ops = {
	.frame = netdev_frame,
	.link = netdev_link,
	.close = netdev_close,
};

static struct netdev_wire *netdev_alloc(struct ports *p, u32 port)
{
	struct netdev_wire *n = kzalloc(sizeof(*n), GFP_KERNEL);

	if (!n)
		return NULL;
	wire_init(&n->wire, &netdev_ops, &p->host, port);
	n->nic = container_of(p, struct nic, ports);
	n->events.notifier_call = netdev_event;
	skb_queue_head_init(&n->arrived);
	skb_queue_head_init(&n->control);
	n->out_buf = kvmalloc(NETDEV_OUT_SIZE, GFP_KERNEL);
	if (!n->out_buf || kfifo_init(&n->out, n->out_buf, NETDEV_OUT_SIZE) ||
	    inlet_init(&n->in, &n->wire, NULL))
		goto err_free;
	n->napi_dev = parq_compat_dummy_alloc();
	if (!n->napi_dev)
		goto err_free;
	netif_napi_add(n->napi_dev, &n->napi, netdev_poll);
	napi_enable(&n->napi);
	return n;

err_free:
	netdev_free(n);
	return NULL;
}

int netdev_open(struct ports *p, u32 port, const struct wire_spec *w,
		struct wire **out)
{
	struct netdev_wire *n = netdev_alloc(p, port);
	int err;

	if (!n)
		return -ENOMEM;
	rtnl_lock();
	err = netdev_attach(n, w->name);
	rtnl_unlock();
	if (err) {
		netdev_free(n);
		return err;
	}
	/* The notifier is called at once for all existing interfaces. */
	err = register_netdevice_notifier(&n->events);
	if (err) {
		netdev_close(&n->wire);
		return err;
	}
	*out = &n->wire;
	return 0;
}
