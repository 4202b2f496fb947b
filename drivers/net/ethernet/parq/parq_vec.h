/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_VEC_H
#define _PARQ_VEC_H

#include "parq.h"

/* Process context. del undoes add, down undoes up. */
void parq_vec_add(struct parq_vec *vec);
void parq_vec_del(struct parq_vec *vec);
int parq_vec_up(struct parq_vec *vec);
void parq_vec_down(struct parq_vec *vec);
void parq_vec_pause(struct parq_vec *vec);
void parq_vec_kick(struct parq_vec *vec);
void parq_vec_watch(struct parq_vec *vec);
void parq_vec_itr(struct parq_vec *vec);

#endif /* _PARQ_VEC_H */
