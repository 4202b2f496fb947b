/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_VEC_CALC_H
#define _PARQ_VEC_CALC_H

/**
 * struct parq_msix - MSI-X vectors, and who needs them
 * @vecs: vectors granted, PARQ_MIN_VECS at least; vector 0 is for events
 * @ports: ports
 * @chans: channels of each port
 */
struct parq_msix {
	unsigned int vecs;
	unsigned int ports;
	unsigned int chans;
};

unsigned int parq_msix_full(const struct parq_msix *m);
unsigned int parq_msix_first(const struct parq_msix *m, unsigned int port,
			     unsigned int chan);

#endif /* _PARQ_VEC_CALC_H */
