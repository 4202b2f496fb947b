// SPDX-License-Identifier: GPL-2.0
#include <linux/ctype.h>
#include <linux/debugfs.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "slot.h"

static DEFINE_MUTEX(slots_mutex);
static LIST_HEAD(slots);
struct dentry *slots_debugfs;

void slots_init(void)
{
	slots_debugfs = debugfs_create_dir("parqsim", NULL);
}

void slots_fini(void)
{
	debugfs_remove(slots_debugfs);
}

void slots_lock(void)
{
	mutex_lock(&slots_mutex);
}

void slots_unlock(void)
{
	mutex_unlock(&slots_mutex);
}

/* ---- statistics ---------------------------------------------------------- */

static int stats_show(struct seq_file *m, void *unused)
{
	struct slot *slot = m->private;

	slots_lock();
	if (slot->nic)
		nic_print(slot->nic, m);
	else
		seq_puts(m, "state: not live\n");
	slots_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

/* ---- names --------------------------------------------------------------- */

/* Between slots_lock() and slots_unlock(). */
struct slot *slot_find(const char *name)
{
	struct slot *slot;

	list_for_each_entry(slot, &slots, list)
		if (!strcmp(slot->name, name))
			return slot;
	return NULL;
}

/* Requests and wires are text in which a name must end, and a file has this one. */
static int slot_name_check(const char *name)
{
	const char *c;

	for (c = name; *c; c++)
		if (!isascii(*c) || (!isalnum(*c) && !strchr("_-.", *c)))
			break;
	if (*c || c == name || c - name >= SLOT_NAME_SIZE) {
		pr_err("parqsim: '%s': a name is 1 to %d letters, digits, '_', '-' and '.'\n",
		       name, SLOT_NAME_SIZE - 1);
		return -EINVAL;
	}
	if (!strcmp(name, "control")) {
		pr_err("parqsim: '%s': not a name for a NIC\n", name);
		return -EINVAL;
	}
	if (slot_find(name)) {
		pr_err("parqsim: '%s': there is a NIC of this name\n", name);
		return -EEXIST;
	}
	return 0;
}

/**
 * slot_create() - make a place for a NIC
 * @name: of the NIC
 *
 * It is not live, and has the defaults of all options and no wires.
 *
 * Return: the slot or an error pointer; the reason has been logged.
 */
struct slot *slot_create(const char *name)
{
	struct slot *slot = kvzalloc(sizeof(*slot), GFP_KERNEL);
	int err;

	if (!slot)
		return ERR_PTR(-ENOMEM);
	slots_lock();
	err = slot_name_check(name);
	if (err)
		goto err_free;
	strscpy(slot->name, name, sizeof(slot->name));
	slot->spec = (struct spec)SPEC_DEFAULTS("", SLOT_WIRES);
	spec_default_mac(&slot->spec, name);
	list_add_tail(&slot->list, &slots);
	slots_unlock();
	slot->debugfs = debugfs_create_dir(name, slots_debugfs);
	debugfs_create_file("stats", 0400, slot->debugfs, slot, &stats_fops);
	return slot;

err_free:
	slots_unlock();
	kvfree(slot);
	return ERR_PTR(err);
}

/* Takes its NIC down. */
void slot_destroy(struct slot *slot)
{
	/* Waits for readers, which take the mutex. */
	debugfs_remove(slot->debugfs);
	slots_lock();
	slot_down(slot);
	list_del(&slot->list);
	slots_unlock();
	kvfree(slot);
}

/* ---- what it shall be ---------------------------------------------------- */

static int slot_refused(const struct slot *slot, const struct spec *s)
{
	pr_err("parqsim: %s: %s\n", slot->name, s->error);
	return -EINVAL;
}

/**
 * slot_set() - change an option
 * @slot: not live
 * @option: its name as spec_set() has it
 * @port: of a wire or a recording
 * @val: its value; an empty one takes an option back that need not have a value
 *
 * Return: 0 or a negative errno; nothing has changed then, and the reason has been
 * logged.
 */
int slot_set(struct slot *slot, const char *option, u32 port, const char *val)
{
	struct spec *s;
	int err = 0;

	if (slot->nic) {
		pr_err("parqsim: %s: %s '%s': the NIC is live\n", slot->name,
		       option, val);
		return -EBUSY;
	}
	s = kmemdup(&slot->spec, sizeof(*s), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	/* What was there before is replaced. */
	if (!(spec_unset(s, option, port) && !*val) && !spec_set(s, option, val))
		err = slot_refused(slot, s);
	else
		slot->spec = *s;
	kfree(s);
	return err;
}

/* ---- its NIC ------------------------------------------------------------- */

static struct nic *slot_nic(struct slot *slot)
{
	struct nic *nic;

	spec_default_mac(&slot->spec, slot->name);
	nic = nic_create(&slot->spec, &nic_front);
	if (IS_ERR(nic))
		pr_err("parqsim: cannot build %s: error %ld\n", slot->name,
		       PTR_ERR(nic));
	return nic;
}

/**
 * slot_up() - make a slot live
 * @slot: not live
 *
 * Return: 0 or a negative errno; the slot is not live then, and the reason has been
 * logged.
 */
int slot_up(struct slot *slot)
{
	struct nic *nic;

	if (!spec_check(&slot->spec))
		return slot_refused(slot, &slot->spec);
	nic = slot_nic(slot);
	if (IS_ERR(nic))
		return PTR_ERR(nic);
	slot->nic = nic;
	return 0;
}

/* Its NIC is removed, if there is one. */
void slot_down(struct slot *slot)
{
	if (slot->old)
		nic_destroy(slot->old);
	if (slot->nic)
		nic_destroy(slot->nic);
	slot->old = NULL;
	slot->nic = NULL;
}

/**
 * slot_replace() - another NIC of the same options
 * @slot: live
 *
 * The old one is dead, but stays as long as the slot is live: its driver may use it.
 *
 * Return: 0 or a negative errno, -EBUSY if the NIC was replaced before.
 */
int slot_replace(struct slot *slot)
{
	struct nic *nic;

	if (slot->old)
		return -EBUSY;
	nic_kill(slot->nic);
	nic = slot_nic(slot);
	if (IS_ERR(nic))
		return PTR_ERR(nic);
	slot->old = slot->nic;
	slot->nic = nic;
	return 0;
}
