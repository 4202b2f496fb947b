// SPDX-License-Identifier: GPL-2.0
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "control.h"
#include "slot.h"

#define CONTROL_SIZE	(SLOT_NAME_SIZE + 32)

static int slot_request(struct slot *slot, const char *verb, const char *arg)
{
	u32 kinds;

	if (!strcmp(verb, "fault"))
		return !arg || kstrtou32(arg, 10, &kinds) ? -EINVAL :
		       nic_fault(slot->nic, kinds);
	if (arg)
		return -EINVAL;
	if (!strcmp(verb, "kill")) {
		nic_kill(slot->nic);
		return 0;
	}
	if (!strcmp(verb, "sync")) {
		captures_sync(&slot->nic->captures);
		return 0;
	}
	if (!strcmp(verb, "replace"))
		return slot_replace(slot);
	if (!strcmp(verb, "stop") || !strcmp(verb, "cont"))
		return nic_stop(slot->nic, !strcmp(verb, "stop"));
	return -EINVAL;
}

/* Finds a NIC by its name; N finds "nicN" (NICs of QEMU have numbers only). */
static struct slot *control_find(const char *name)
{
	char numbered[CONTROL_SIZE];
	struct slot *slot = slot_find(name);

	snprintf(numbered, sizeof(numbered), "nic%s", name);
	return slot ?: slot_find(numbered);
}

/* nic NAME VERB [ARGUMENT] */
static int control_request(char *line)
{
	const char *nic = strsep(&line, " "), *name = strsep(&line, " ");
	const char *verb = strsep(&line, " ");
	struct slot *slot;
	int err = -ENODEV;

	if (strcmp(nic, "nic") || !verb)
		return -EINVAL;
	slots_lock();
	slot = control_find(name);
	if (slot && slot->nic)
		err = slot_request(slot, verb, line);
	slots_unlock();
	return err;
}

static const char *control_reason(int err)
{
	switch (err) {
	case -ENODEV:
		return "no such NIC, or it is not live";
	case -EINVAL:
		return "expected: nic NAME kill, sync, replace, stop, cont, or fault KINDS";
	default:
		return "the NIC refuses it";
	}
}

static ssize_t control_write(struct file *file, const char __user *from,
			     size_t len, loff_t *pos)
{
	char line[CONTROL_SIZE], said[CONTROL_SIZE];
	int err;

	if (len >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, from, len))
		return -EFAULT;
	line[len] = '\0';
	strscpy(said, strim(line), sizeof(said));
	err = control_request(strim(line));
	if (err)
		pr_err("parqsim: control: \"%s\": %s\n", said, control_reason(err));
	return err ?: len;
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = control_write,
};

void control_init(void)
{
	debugfs_create_file("control", 0200, slots_debugfs, NULL,
			    &control_fops);
}
