/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_TX_CLEAN_H
#define _PARQ_TX_CLEAN_H

#include "parq_ring.h"

void parq_tx_clean(struct parq_txq *q, int budget);
bool parq_tx_pending(const struct parq_txq *q);
bool parq_tx_empty(const struct parq_txq *q);
void parq_tx_arm(const struct parq_txq *q);
bool parq_tx_wake(struct parq_txq *q);
void parq_tx_flush(struct parq_txq *q);
void parq_tx_reap(struct parq_txq *q);
void parq_tx_replace(struct parq_txq *q, struct parq_tx_ring *next);
void parq_tx_close(struct parq_txq *q);

#endif /* _PARQ_TX_CLEAN_H */
