// SPDX-License-Identifier: GPL-2.0
/* Memory of rings. Their contents belong to parq_tx.c and parq_rx.c. */
#include <linux/dma-mapping.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include "parq.h"
#include "parq_ring.h"
#include "parq_xsk.h"

static size_t parq_tx_ring_bytes(u32 size)
{
	return size * sizeof(struct parq_tx_desc);
}

/* Tells the sender whether it has to look for launch times. */
void parq_ring_tx_need(const struct parq_txq *q, struct parq_tx_ring *ring)
{
	ring->need = test_bit(q->index, q->port->launch) ? PARQ_TX_LAUNCH :
							   PARQ_TX_FRAME_DESC + 1;
}

struct parq_tx_ring *parq_ring_tx_alloc(const struct parq_txq *q, u32 size)
{
	struct parq_tx_ring *ring = kzalloc_obj(*ring);

	if (!ring)
		return NULL;
	ring->buf = kvcalloc(size, sizeof(*ring->buf), GFP_KERNEL);
	if (!ring->buf)
		goto free_ring;
	ring->desc = dma_alloc_coherent(q->dev, parq_tx_ring_bytes(size),
					&ring->dma, GFP_KERNEL);
	if (!ring->desc)
		goto free_buf;
	ring->mask = size - 1;
	ring->limit = size;
	parq_ring_tx_need(q, ring);
	return ring;

free_buf:
	kvfree(ring->buf);
free_ring:
	kfree(ring);
	return NULL;
}

/* The caller has removed the frames. */
void parq_ring_tx_free(struct parq_port *port, struct parq_tx_ring *ring)
{
	dma_free_coherent(port->pd->dev, parq_tx_ring_bytes(ring->mask + 1),
			  ring->desc, ring->dma);
	kvfree(ring->buf);
	kfree(ring);
}

static struct page_pool *parq_rx_pool_create(struct parq_rxq *q, u32 size)
{
	struct page_pool_params params = {
		.flags = PP_FLAG_DMA_MAP | PP_FLAG_DMA_SYNC_DEV,
		.pool_size = size,
		.nid = NUMA_NO_NODE,
		.dev = q->port->pd->dev,
		/* A program may have a frame sent from its buffer. */
		.dma_dir = DMA_BIDIRECTIONAL,
		.max_len = PARQ_RX_BUF,
		.offset = PARQ_RX_HEADROOM,
	};

	parq_compat_pool_params(&params, q->port->netdev, &q->vec->napi);
	return page_pool_create(&params);
}

/**
 * parq_ring_rx_reg() - let XDP know the ring
 * @q: its queue
 * @ring: the ring
 *
 * Apart from parq_ring_rx_alloc(): after an error the caller frees the ring with its NAPI disabled,
 * as the page pool requires.
 *
 * Return: 0 or -ENOMEM.
 */
int parq_ring_rx_reg(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	int err;

	/* Chunks of AF_XDP refer to what their pool has registered. */
	if (ring->xsk)
		return 0;
	err = __xdp_rxq_info_reg(&ring->xdp, q->port->netdev, q->index,
				 q->vec->napi.napi_id, PAGE_SIZE);
	if (err)
		return err;
	err = xdp_rxq_info_reg_mem_model(&ring->xdp, MEM_TYPE_PAGE_POOL,
					 ring->pool);
	if (err)
		xdp_rxq_info_unreg(&ring->xdp);
	return err;
}

struct parq_rx_ring *parq_ring_rx_alloc(struct parq_rxq *q, u32 size)
{
	struct device *dev = q->port->pd->dev;
	struct parq_rx_ring *ring;

	ring = kzalloc_obj(*ring);
	if (!ring)
		return NULL;
	ring->mask = size - 1;
	ring->order = ilog2(size);
	ring->page = kvcalloc(size, sizeof(*ring->page), GFP_KERNEL);
	if (!ring->page)
		goto free_ring;
	ring->fill = dma_alloc_coherent(dev, size * sizeof(*ring->fill),
					&ring->fill_dma, GFP_KERNEL);
	if (!ring->fill)
		goto free_page;
	ring->comp = dma_alloc_coherent(dev, size * sizeof(*ring->comp),
					&ring->comp_dma, GFP_KERNEL);
	if (!ring->comp)
		goto free_fill;
	ring->xsk = parq_xsk_of(q->port, q->index);
	if (ring->xsk) {
		ring->buf = ring->xsk->buf;
		return ring;
	}
	ring->buf = PARQ_RX_BUF;
	ring->pool = parq_rx_pool_create(q, size);
	if (IS_ERR(ring->pool))
		goto free_comp;
	return ring;

free_comp:
	dma_free_coherent(dev, size * sizeof(*ring->comp), ring->comp,
			  ring->comp_dma);
free_fill:
	dma_free_coherent(dev, size * sizeof(*ring->fill), ring->fill,
			  ring->fill_dma);
free_page:
	kvfree(ring->page);
free_ring:
	kfree(ring);
	return NULL;
}

/* The caller has disabled the NAPI, as the page pool requires. */
void parq_ring_rx_free(struct parq_rxq *q, struct parq_rx_ring *ring)
{
	struct device *dev = q->port->pd->dev;
	u32 i, size = ring->mask + 1;

	if (ring->xsk)
		parq_xsk_empty(ring);
	for (i = 0; i < size; i++)
		if (ring->page[i])
			page_pool_put_full_page(ring->pool, ring->page[i],
						false);
	if (xdp_rxq_info_is_reg(&ring->xdp))
		xdp_rxq_info_unreg(&ring->xdp);
	page_pool_destroy(ring->pool);
	dma_free_coherent(dev, size * sizeof(*ring->comp), ring->comp,
			  ring->comp_dma);
	dma_free_coherent(dev, size * sizeof(*ring->fill), ring->fill,
			  ring->fill_dma);
	kvfree(ring->page);
	kfree(ring);
}

/**
 * parq_ring_tx_entries() - number of descriptors that one priority can hold
 * @port: port
 *
 * Counts all TX rings of the class: rings in use, draining rings, and replacements. Park
 * queues are sized by the result.
 *
 * Context: ops lock.
 * Return: number of descriptors.
 */
unsigned int parq_ring_tx_entries(const struct parq_port *port)
{
	unsigned int prio, i, sum, most = 0;

	if (!port->chan[0])
		return port->num_chans * port->tx_size;
	for (prio = 0; prio < PARQ_NUM_PRIO; prio++) {
		sum = 0;
		for (i = 0; i < PARQ_MAX_CHANS; i++) {
			const struct parq_txq *q;

			if (!port->chan[i])
				continue;
			q = &port->chan[i]->txq[prio];
			sum += q->ring->mask + 1;
			if (READ_ONCE(q->clean) != q->ring)
				sum += READ_ONCE(q->clean)->mask + 1;
		}
		most = max(most, sum);
	}
	return most + port->pending;
}
