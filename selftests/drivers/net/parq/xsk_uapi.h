/* SPDX-License-Identifier: GPL-2.0 */
/* AF_XDP as of Linux 6.16: programs are built with older headers, too. */
#ifndef _XSK_UAPI_H
#define _XSK_UAPI_H

#include <stdint.h>

#include <linux/if_xdp.h>

#ifndef AF_XDP
#define AF_XDP	44
#endif
#ifndef SOL_XDP
#define SOL_XDP	283
#endif
#ifndef XDP_USE_SG
#define XDP_USE_SG	(1 << 4)
#endif
#ifndef XDP_PKT_CONTD
#define XDP_PKT_CONTD	(1 << 0)
#endif

#ifndef XDP_TXMD_FLAGS_LAUNCH_TIME
#define XDP_TXMD_FLAGS_LAUNCH_TIME	(1 << 2)
#endif
#ifndef XDP_UMEM_TX_METADATA_LEN
#define XDP_UMEM_TX_METADATA_LEN	(1 << 2)
#endif
#ifndef XDP_TX_METADATA
#define XDP_TX_METADATA			(1 << 1)
#endif
#ifndef XDP_TXMD_FLAGS_TIMESTAMP
#define XDP_TXMD_FLAGS_TIMESTAMP	(1 << 0)
#endif

/* struct xdp_umem_reg and struct xsk_tx_metadata of that kernel */
struct umem_reg {
	uint64_t addr;
	uint64_t len;
	uint32_t chunk_size;
	uint32_t headroom;
	uint32_t flags;
	uint32_t tx_metadata_len;
};

struct tx_metadata {
	uint64_t flags;
	union {
		struct {
			uint16_t csum_start;
			uint16_t csum_offset;
			uint32_t reserved;
			uint64_t launch_time;
		} request;
		uint64_t stamp;
	};
};

#endif
