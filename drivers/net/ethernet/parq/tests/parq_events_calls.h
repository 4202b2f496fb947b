/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's interrupt and memory, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_EVENTS_CALLS_H
#define _PARQ_TESTS_EVENTS_CALLS_H

#include <linux/dma-mapping.h>
#include <linux/interrupt.h>

void *bell_alloc(size_t size, dma_addr_t *dma);
void bell_free(size_t size, void *mem, dma_addr_t dma);
int bell_request(int irq, irq_handler_t thread, unsigned long flags, const char *name, void *data);
void bell_free_irq(int irq, void *data);

#define dma_alloc_coherent(dev, size, dma, gfp) \
	((void)(dev), (void)(gfp), bell_alloc(size, dma))
#define dma_free_coherent(dev, size, mem, dma)	((void)(dev), bell_free(size, mem, dma))
#define request_threaded_irq(irq, handler, thread, flags, name, data) \
	((void)(handler), bell_request(irq, thread, flags, name, data))
#define free_irq(irq, data)			bell_free_irq(irq, data)

#endif /* _PARQ_TESTS_EVENTS_CALLS_H */
