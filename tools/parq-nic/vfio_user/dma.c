// SPDX-License-Identifier: GPL-2.0
#include <endian.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "dma.h"

/* First allocation; a machine without IOMMU has about ten maps. */
#define DMA_MIN_ROOM	16

/**
 * struct dma_entry - one map
 * @iova: first byte
 * @last: last byte, inclusive: the end of the topmost map would not fit in 64 bits
 * @va: address of @iova in this process, NULL without a file, or if that has shrunk
 * @prot: DMA_PROT_
 * @base: result of mmap(), or NULL
 * @base_len: length of that mapping
 */
struct dma_entry {
	u64 iova;
	u64 last;
	u8 *va;
	u32 prot;
	void *base;
	size_t base_len;
};

/**
 * struct dma_table - maps in ascending order
 * @maps: the maps, which do not overlap
 * @count: number of them
 * @hit: index of the map that was used last
 * @room: allocated length of @maps
 * @max: limit of @room
 * @stats: refused accesses
 */
struct dma_table {
	struct dma_entry *maps;
	u32 count;
	u32 hit;
	u32 room;
	u32 max;
	struct dma_stats stats;
};

/* Whose maps dma_sigbus() searches. */
static struct dma_table *dma_guarded;

/*
 * A file has shrunk, and a page of its map is missing. Other memory takes the place of the whole
 * map, so that the access can end. The signal comes from an access, so the table is not changing.
 */
static void dma_sigbus(int sig, siginfo_t *info, void *context)
{
	u32 i;

	(void)context;
	for (i = 0; dma_guarded && i < dma_guarded->count; i++) {
		struct dma_entry *map = &dma_guarded->maps[i];

		if (!map->va || (size_t)((u8 *)info->si_addr - (u8 *)map->base) >= map->base_len)
			continue;
		if (mmap(map->base, map->base_len, PROT_READ | PROT_WRITE,
			 MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			 0) == MAP_FAILED)
			break;
		map->va = NULL;
		dma_guarded->stats.torn++;
		return;
	}
	/* The access faults again, and ends the process. */
	signal(sig, SIG_DFL);
}

struct dma_table *dma_table_create(u32 max_maps)
{
	struct dma_table *table = calloc(1, sizeof(*table));

	if (table)
		table->max = max_maps;
	return table;
}

void dma_guard(struct dma_table *table)
{
	struct sigaction act = { .sa_sigaction = dma_sigbus, .sa_flags = SA_SIGINFO };

	dma_guarded = table;
	sigaction(SIGBUS, &act, NULL);
}

void dma_table_destroy(struct dma_table *table)
{
	dma_unmap_all(table);
	if (dma_guarded == table)
		dma_guarded = NULL;
	free(table->maps);
	free(table);
}

u32 dma_count(const struct dma_table *table)
{
	return table->count;
}

const struct dma_stats *dma_stats(const struct dma_table *table)
{
	return &table->stats;
}

/* Index of the first map that ends at or behind @iova; @count if none does. */
static u32 dma_search(const struct dma_table *table, u64 iova)
{
	u32 low = 0, high = table->count;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (table->maps[mid].last < iova)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool dma_holds(const struct dma_entry *map, u64 iova)
{
	return map->iova <= iova && iova <= map->last;
}

/*
 * Return: the map in which an access of @len bytes begins, if the whole access is allowed;
 * otherwise NULL.
 */
static const struct dma_entry *dma_check(struct dma_table *table, u64 iova,
					 size_t len, u32 prot)
{
	u64 last = iova + len - 1;
	u32 i = table->hit;

	if (i >= table->count || !dma_holds(&table->maps[i], iova))
		i = dma_search(table, iova);
	if (i == table->count || !dma_holds(&table->maps[i], iova) ||
	    last < iova)
		goto unmapped;
	table->hit = i;

	for (;;) {
		const struct dma_entry *map = &table->maps[i];

		if (!map->va) {
			table->stats.no_fd++;
			return NULL;
		}
		if (!(map->prot & prot)) {
			table->stats.protected++;
			return NULL;
		}
		if (last <= map->last)
			return &table->maps[table->hit];
		if (++i == table->count ||
		    table->maps[i].iova != map->last + 1)
			goto unmapped;
	}

unmapped:
	table->stats.unmapped++;
	return NULL;
}

/* Bytes of an access at @iova that fall into @map. */
static size_t dma_chunk(const struct dma_entry *map, u64 iova, size_t len)
{
	u64 left = map->last - iova;

	return len - 1 < left ? len : left + 1;
}

bool dma_read(struct dma_table *table, u64 iova, void *buf, size_t len)
{
	const struct dma_entry *map;
	u8 *to = buf;

	if (!len)
		return true;
	map = dma_check(table, iova, len, DMA_PROT_READ);
	if (!map)
		return false;

	for (; len; map++) {
		size_t n = dma_chunk(map, iova, len);

		memcpy(to, map->va + (iova - map->iova), n);
		iova += n;
		to += n;
		len -= n;
	}
	return true;
}

bool dma_write(struct dma_table *table, u64 iova, const void *buf, size_t len)
{
	const struct dma_entry *map;
	const u8 *from = buf;

	if (!len)
		return true;
	map = dma_check(table, iova, len, DMA_PROT_WRITE);
	if (!map)
		return false;

	for (; len; map++) {
		size_t n = dma_chunk(map, iova, len);

		memcpy(map->va + (iova - map->iova), from, n);
		iova += n;
		from += n;
		len -= n;
	}
	return true;
}

/* Address of a word. Maps consist of pages, so it is inside one map. */
static void *dma_word(struct dma_table *table, u64 iova, size_t size, u32 prot)
{
	const struct dma_entry *map;

	if (iova % size) {
		table->stats.misaligned++;
		return NULL;
	}
	map = dma_check(table, iova, size, prot);
	return map ? map->va + (iova - map->iova) : NULL;
}

bool dma_read32(struct dma_table *table, u64 iova, u32 *val)
{
	u32 *word = dma_word(table, iova, sizeof(*word), DMA_PROT_READ);

	if (!word)
		return false;
	*val = le32toh(__atomic_load_n(word, __ATOMIC_ACQUIRE));
	return true;
}

bool dma_read64(struct dma_table *table, u64 iova, u64 *val)
{
	u64 *word = dma_word(table, iova, sizeof(*word), DMA_PROT_READ);

	if (!word)
		return false;
	*val = le64toh(__atomic_load_n(word, __ATOMIC_ACQUIRE));
	return true;
}

bool dma_write32(struct dma_table *table, u64 iova, u32 val)
{
	u32 *word = dma_word(table, iova, sizeof(*word), DMA_PROT_WRITE);

	if (!word)
		return false;
	__atomic_store_n(word, htole32(val), __ATOMIC_RELEASE);
	return true;
}

bool dma_write64(struct dma_table *table, u64 iova, u64 val)
{
	u64 *word = dma_word(table, iova, sizeof(*word), DMA_PROT_WRITE);

	if (!word)
		return false;
	__atomic_store_n(word, htole64(val), __ATOMIC_RELEASE);
	return true;
}

/* Maps the file and sets @va, @base and @base_len. */
static int dma_mmap(struct dma_entry *map, u64 size, int fd, u64 offset)
{
	int prot = PROT_READ;
	struct stat st;
	u64 skew;

	if (fd < 0)
		return 0;

	if (fstat(fd, &st))
		return -errno;
	if (st.st_size < 0 || offset > (u64)st.st_size ||
	    size > (u64)st.st_size - offset || st.st_blksize < DMA_PAGE_SIZE)
		return -EINVAL;

	/* Files of huge pages map at multiples of these only. */
	skew = offset % (u64)st.st_blksize;
	map->base_len = size + skew;
	if (map->base_len % (u64)st.st_blksize)
		map->base_len += (u64)st.st_blksize -
				 map->base_len % (u64)st.st_blksize;

	if (map->prot & DMA_PROT_WRITE)
		prot |= PROT_WRITE;
	map->base = mmap(NULL, map->base_len, prot, MAP_SHARED, fd,
			 (off_t)(offset - skew));
	if (map->base == MAP_FAILED)
		return -errno;
	map->va = (u8 *)map->base + skew;
	return 0;
}

static int dma_make_room(struct dma_table *table)
{
	u32 room = table->room ? 2 * table->room : DMA_MIN_ROOM;
	struct dma_entry *maps;

	if (table->count >= table->max)
		return -ENOSPC;
	if (table->count < table->room)
		return 0;

	maps = realloc(table->maps, room * sizeof(*maps));
	if (!maps)
		return -ENOMEM;
	table->maps = maps;
	table->room = room;
	return 0;
}

int dma_map(struct dma_table *table, u64 iova, u64 size, u32 prot, int fd,
	    u64 offset)
{
	struct dma_entry map = {
		.iova = iova,
		.last = iova + size - 1,
		.prot = prot,
	};
	u32 i;
	int err;

	if (!size || map.last < iova || !prot ||
	    prot & ~(DMA_PROT_READ | DMA_PROT_WRITE) ||
	    (iova | size | offset) % DMA_PAGE_SIZE)
		return -EINVAL;

	i = dma_search(table, iova);
	if (i < table->count && table->maps[i].iova <= map.last)
		return -EEXIST;

	err = dma_make_room(table);
	if (err)
		return err;
	err = dma_mmap(&map, size, fd, offset);
	if (err)
		return err;

	memmove(&table->maps[i + 1], &table->maps[i],
		(table->count - i) * sizeof(map));
	table->maps[i] = map;
	table->count++;
	return 0;
}

/* Removes @n maps, starting at index @first. */
static void dma_remove(struct dma_table *table, u32 first, u32 n)
{
	u32 i;

	if (!n)
		return;
	for (i = first; i < first + n; i++) {
		if (table->maps[i].base)
			munmap(table->maps[i].base, table->maps[i].base_len);
	}
	table->count -= n;
	memmove(&table->maps[first], &table->maps[first + n],
		(table->count - first) * sizeof(*table->maps));
}

int dma_unmap(struct dma_table *table, u64 iova, u64 size)
{
	u64 last = iova + size - 1;
	u32 first, end;

	if (!size || last < iova)
		return -EINVAL;

	first = dma_search(table, iova);
	for (end = first; end < table->count; end++) {
		const struct dma_entry *map = &table->maps[end];

		if (map->iova > last)
			break;
		if (map->iova < iova || map->last > last)
			return -EINVAL;
	}
	dma_remove(table, first, end - first);
	return 0;
}

void dma_unmap_all(struct dma_table *table)
{
	dma_remove(table, 0, table->count);
}
