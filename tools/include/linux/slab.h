/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TOOLS_LINUX_SLAB_H
#define _PARQ_TOOLS_LINUX_SLAB_H

#include <stdlib.h>

#define GFP_KERNEL		0

#define kcalloc(n, size, gfp)	((void)(gfp), calloc(n, size))
#define kzalloc(size, gfp)	((void)(gfp), calloc(1, size))
#define kfree(p)		free(p)
#define kvzalloc(size, gfp)	((void)(gfp), calloc(1, size))
#define kvmalloc(size, gfp)	((void)(gfp), malloc(size))
#define kvfree(p)		free(p)

#endif
