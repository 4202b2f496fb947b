// SPDX-License-Identifier: GPL-2.0
/* Where tbf and red qdiscs are. Pure: no lock, no device, no memory but the arguments. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/pkt_sched.h>

#include "parq_qtree.h"

/* Return: the number of a qdisc's node, -1 if there is none. A free one has the handle 0. */
static int parq_qtree_find(const struct parq_qtree *tree, u32 handle)
{
	int i;

	for (i = 0; i < PARQ_QTREE_NODES; i++)
		if (tree->node[i].handle == handle)
			return i;
	return -1;
}

/**
 * parq_qtree_walk() - find the way up to a place
 * @tree: qdiscs of the port
 * @parent: parent of any qdisc
 *
 * It ends after as many steps as there are nodes, whatever parents they have.
 *
 * Return: the way. If @parent is of no qdisc of the tree, it is the place itself.
 */
struct parq_qtree_way parq_qtree_walk(const struct parq_qtree *tree, u32 parent)
{
	struct parq_qtree_way way = { .place = parent };
	unsigned int steps;
	int i;

	for (steps = 0; steps < PARQ_QTREE_NODES; steps++) {
		if (way.place == TC_H_ROOT || !TC_H_MAJ(way.place))
			break;
		i = parq_qtree_find(tree, TC_H_MAJ(way.place));
		if (i < 0)
			break;
		way.place = tree->node[i].parent;
		if (tree->node[i].kind == PARQ_QTREE_TBF)
			way.tbfs++;
		else
			way.reds++;
	}
	return way;
}

/**
 * parq_qtree_add() - add a qdisc, or tell its parent again
 * @tree: qdiscs of the port
 * @kind: what it is
 * @handle: its handle, not 0
 * @parent: its parent
 *
 * Return: 0, or -ENOSPC.
 */
int parq_qtree_add(struct parq_qtree *tree, enum parq_qtree_kind kind, u32 handle, u32 parent)
{
	int i = parq_qtree_find(tree, handle);

	if (i < 0)
		i = parq_qtree_find(tree, 0);
	if (i < 0)
		return -ENOSPC;
	tree->node[i] = (struct parq_qtree_node){ handle, parent, kind };
	return 0;
}

/**
 * parq_qtree_remove() - remove a qdisc if it is there
 * @tree: qdiscs of the port
 * @handle: its handle, not 0
 *
 * What is below it has no place any more.
 */
void parq_qtree_remove(struct parq_qtree *tree, u32 handle)
{
	int i = parq_qtree_find(tree, handle);

	if (i >= 0)
		tree->node[i] = (struct parq_qtree_node){};
}
