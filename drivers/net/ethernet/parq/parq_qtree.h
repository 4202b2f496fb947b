/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where tbf and red qdiscs are. They have one child each, which may be one of them again: their
 * place is the root, or the class of another qdisc, above all of them.
 */
#ifndef _PARQ_QTREE_H
#define _PARQ_QTREE_H

#include <linux/types.h>

/* One of each kind in eight bands, three at the root, and those that replace some of them. */
#define PARQ_QTREE_NODES	36

enum parq_qtree_kind {
	PARQ_QTREE_TBF,
	PARQ_QTREE_RED,
};

/**
 * struct parq_qtree_node - a qdisc that the driver has accepted
 * @handle: its handle; 0: the node is free
 * @parent: its parent
 * @kind: what it is
 */
struct parq_qtree_node {
	u32 handle;
	u32 parent;
	enum parq_qtree_kind kind;
};

/**
 * struct parq_qtree - tbf and red qdiscs of a port
 * @node: in any order
 *
 * Context: rtnl and ops lock.
 */
struct parq_qtree {
	struct parq_qtree_node node[PARQ_QTREE_NODES];
};

/**
 * struct parq_qtree_way - the way from a qdisc up to its place
 * @place: TC_H_ROOT, or a class of a qdisc that is neither tbf nor red
 * @tbfs: tbf qdiscs on the way
 * @reds: red qdiscs
 */
struct parq_qtree_way {
	u32 place;
	unsigned int tbfs;
	unsigned int reds;
};

struct parq_qtree_way parq_qtree_walk(const struct parq_qtree *tree, u32 parent);
int parq_qtree_add(struct parq_qtree *tree, enum parq_qtree_kind kind, u32 handle, u32 parent);
void parq_qtree_remove(struct parq_qtree *tree, u32 handle);

#endif /* _PARQ_QTREE_H */
