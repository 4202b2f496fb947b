/* SPDX-License-Identifier: GPL-2.0 */
/* The suite's files and user memory, in place of the kernel's. See copies in Kbuild. */
#ifndef _PARQ_TESTS_DEBUGFS_CALLS_H
#define _PARQ_TESTS_DEBUGFS_CALLS_H

#include <linux/debugfs.h>
#include <linux/uaccess.h>

struct dentry *pane_dir(const char *name);
void pane_file(const char *name, void *data, const struct file_operations *fops);
void pane_remove(void);
#undef debugfs_create_dir
#undef debugfs_create_file
#undef debugfs_create_file_unsafe
#undef debugfs_remove_recursive
#define debugfs_create_dir(name, parent)	((void)(parent), pane_dir(name))
#define debugfs_create_file(name, mode, parent, data, fops)	\
	((void)(mode), (void)(parent), pane_file(name, data, fops))
#define debugfs_create_file_unsafe	debugfs_create_file
#define debugfs_remove_recursive(dir)	((void)(dir), pane_remove())
#undef copy_from_user
#define copy_from_user(to, from, len)	(memcpy(to, (const void __force *)(from), len), 0)

#endif /* _PARQ_TESTS_DEBUGFS_CALLS_H */
