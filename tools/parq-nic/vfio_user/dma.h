/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Guest memory, as the vfio-user client makes it known: I/O virtual addresses
 * (IOVA) to files mapped into this process.
 *
 * This is the NIC's data path and its only way to host memory. Every access is
 * checked as a whole before a byte moves: it stays inside maps that allow it,
 * neighbouring maps count as one, and it does not wrap around 2^64. An access
 * that fails moves nothing and is counted. Pointers into guest memory never
 * leave this file, so that an unmap takes effect when it returns.
 *
 * Not thread safe: one thread, or one lock around all of it.
 */
#ifndef _VFIO_USER_DMA_H
#define _VFIO_USER_DMA_H

#include <linux/types.h>

#define DMA_PAGE_SIZE	4096

#define DMA_PROT_READ	0x1	/* the device may read */
#define DMA_PROT_WRITE	0x2	/* the device may write */

/**
 * struct dma_stats - refused accesses
 * @unmapped: a byte belongs to no map
 * @protected: a map does not allow this direction
 * @no_fd: a map has no file, or none any more
 * @misaligned: the address of a word is not a multiple of its size
 * @torn: maps whose file has shrunk
 */
struct dma_stats {
	u64 unmapped;
	u64 protected;
	u64 no_fd;
	u64 misaligned;
	u64 torn;
};

struct dma_table;

/* Returns NULL when out of memory. @max_maps: maps at the same time. */
struct dma_table *dma_table_create(u32 max_maps);
void dma_table_destroy(struct dma_table *table);

/* Handles SIGBUS, for this table: a file that shrinks does not end the process. */
void dma_guard(struct dma_table *table);

/**
 * dma_map - make a range of guest memory accessible
 * @table: the table
 * @iova: its address for the device, a multiple of DMA_PAGE_SIZE
 * @size: bytes, a multiple of DMA_PAGE_SIZE, not 0
 * @prot: DMA_PROT_READ, DMA_PROT_WRITE or both
 * @fd: the file that backs it; stays the caller's. -1: none, every access fails
 * @offset: where in the file, a multiple of DMA_PAGE_SIZE
 *
 * A file that ends before @offset + @size is refused. Files of sealed size, as QEMU's
 * memory-backend-memfd makes them, cannot shrink later on. If another file does, the access
 * that finds a page missing reads or writes memory that nobody sees, and all later ones to
 * this map fail.
 *
 * Return: 0, -EINVAL for a bad range or file, -EEXIST if it overlaps a map,
 * -ENOSPC if there are @max_maps already, -ENOMEM, or what mmap() says.
 */
int dma_map(struct dma_table *table, u64 iova, u64 size, u32 prot, int fd,
	    u64 offset);

/**
 * dma_unmap - remove all maps inside a range
 * @table: the table
 * @iova: start of the range
 * @size: its bytes, not 0
 *
 * As with VFIO's type 1 IOMMU there may be many maps in the range, or none:
 * clients take back whole address spaces.
 *
 * Return: 0, or -EINVAL if the range would cut a map in two or wraps around;
 * then nothing has changed.
 */
int dma_unmap(struct dma_table *table, u64 iova, u64 size);
void dma_unmap_all(struct dma_table *table);

/* Number of maps, with and without file. */
u32 dma_count(const struct dma_table *table);
const struct dma_stats *dma_stats(const struct dma_table *table);

/* Copy @len bytes; true for 0 bytes. False: refused, @buf is as it was. */
bool dma_read(struct dma_table *table, u64 iova, void *buf, size_t len);
bool dma_write(struct dma_table *table, u64 iova, const void *buf, size_t len);

/*
 * Access naturally aligned little-endian words, each in one piece. Loads have acquire
 * semantics, stores have release semantics.
 */
bool dma_read32(struct dma_table *table, u64 iova, u32 *val);
bool dma_read64(struct dma_table *table, u64 iova, u64 *val);
bool dma_write32(struct dma_table *table, u64 iova, u32 val);
bool dma_write64(struct dma_table *table, u64 iova, u64 val);

#endif /* _VFIO_USER_DMA_H */
