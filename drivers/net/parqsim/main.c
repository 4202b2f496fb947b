// SPDX-License-Identifier: GPL-2.0
/*
 * parqsim: a PARQ network card in software, inside the kernel.
 *
 * Module parameters are the options of parq-nic, and make the first NIC. Where
 * parq-nic takes an option several times, the values are separated by ";":
 * wire='p0=peer:p1,length=10;p2=loop'.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "nic.h"

#define PARQSIM_WIRES	(BIT(WIRE_PEER) | BIT(WIRE_LOOP))

/**
 * struct slot - a place for a NIC
 * @spec: what it shall be
 * @nic: the NIC that is there
 * @old: the one that was, which is dead, or NULL
 * @lock: one request at a time, protects @nic and @old
 */
struct slot {
	struct spec spec;
	struct nic *nic;
	struct nic *old;
	struct mutex lock;	/* of requests */
};

static struct slot first = {
	.spec = SPEC_DEFAULTS("", PARQSIM_WIRES),
	.lock = __MUTEX_INITIALIZER(first.lock),
};

static struct dentry *parqsim_debugfs;

/* ---- module parameters --------------------------------------------------- */

/* Parameters have no dashes in their names, and ";" between several values. */
static int param_set(const char *val, const struct kernel_param *kp)
{
	struct spec *s = &first.spec;
	char name[16], *rest, *item;

	strscpy(name, kp->name, sizeof(name));
	strreplace(name, '_', '-');
	/* The text is the module's own, as for arrays of parameters. */
	rest = (char *)val;
	while ((item = strsep(&rest, ";"))) {
		if (spec_set(s, name, item))
			continue;
		pr_err("parqsim: %s\n", s->error);
		return -EINVAL;
	}
	return 0;
}

static int param_set_flag(const char *val, const struct kernel_param *kp)
{
	bool on = true;

	if (val && kstrtobool(val, &on)) {
		pr_err("parqsim: %s '%s': not 0 or 1\n", kp->name, val);
		return -EINVAL;
	}
	first.spec.nic.no_offload = on;
	return 0;
}

static const struct kernel_param_ops param_ops = { .set = param_set };
static const struct kernel_param_ops param_flag_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = param_set_flag,
};

module_param_cb(ports, &param_ops, NULL, 0);
MODULE_PARM_DESC(ports, "1 to 4 (2)");
module_param_cb(txq, &param_ops, NULL, 0);
MODULE_PARM_DESC(txq, "TX queues a port, 1 to 64 (64)");
module_param_cb(rxq, &param_ops, NULL, 0);
MODULE_PARM_DESC(rxq, "RX queues a port, 1 to 64 (8)");
module_param_cb(depth, &param_ops, NULL, 0);
MODULE_PARM_DESC(depth, "frames of a port in the pipeline, 4 to 1024 (32)");
module_param_cb(clk, &param_ops, NULL, 0);
MODULE_PARM_DESC(clk, "clock period of the pipeline, 100 to 1000000 ps (1000)");
module_param_cb(fetch, &param_ops, NULL, 0);
MODULE_PARM_DESC(fetch, "time allowed for the fetch of a frame, 0 to 1000000000 ns (0)");
module_param_cb(speeds, &param_ops, NULL, 0);
MODULE_PARM_DESC(speeds,
		 "of 10M,100M,1G,2.5G,5G,10G,25G,40G,50G,100G,200G,400G (all)");
module_param_cb(rx_buffer, &param_ops, NULL, 0);
MODULE_PARM_DESC(rx_buffer,
		 "receive buffers a port, 65536 to 16777216 bytes (4194304)");
module_param_cb(no_offload, &param_flag_ops, NULL, 0);
MODULE_PARM_DESC(no_offload, "the driver has to run the pause state machine");
module_param_cb(mac, &param_ops, NULL, 0);
MODULE_PARM_DESC(mac, "permanent address of p0, the other ports count up");
module_param_cb(wire, &param_ops, NULL, 0);
MODULE_PARM_DESC(wire,
		 "pA=peer:pB[,length=M] or pA=loop[,length=M]; by default p0=peer:p1");
module_param_cb(record, &param_ops, NULL, 0);
MODULE_PARM_DESC(record, "pA=FILE: record what passes port A to a pcapng file");
module_param_cb(snaplen, &param_ops, NULL, 0);
MODULE_PARM_DESC(snaplen, "record no more of a frame, 60 to 9242 bytes (all)");
module_param_cb(fault, &param_ops, NULL, 0);
MODULE_PARM_DESC(fault,
		 "one in so many goes wrong: seed=N, dma=N, register=N, lost=N, late=N, twice=N, refused=N, stuck=N, fatal=N");

/* Unless told otherwise, neighbours are on a cable. */
static void spec_default_wires(struct spec *s)
{
	u32 port;

	for (port = 0; port < PARQ_MAX_PORTS; port++)
		if (s->wire[port].kind != WIRE_NONE)
			return;
	for (port = 0; port + 1 < s->nic.ports; port += 2)
		s->wire[port] = (struct wire_spec){
			.kind = WIRE_PEER, .peer = port + 1, .length_m = 1,
		};
}

/* ---- requests, for tests ------------------------------------------------- */

/* The dead one stays until the module goes: its driver may use it. */
static int slot_replace(struct slot *slot)
{
	struct nic *nic;

	if (slot->old)
		return -EBUSY;
	nic_kill(slot->nic);
	nic = nic_create(&slot->spec, &nic_front);
	if (IS_ERR(nic))
		return PTR_ERR(nic);
	slot->old = slot->nic;
	slot->nic = nic;
	return 0;
}

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

/* nic N VERB [ARGUMENT] */
static int control_request(char *line)
{
	const char *nic = strsep(&line, " "), *number = strsep(&line, " ");
	const char *verb = strsep(&line, " ");
	int err;

	if (strcmp(nic, "nic") || !verb)
		return -EINVAL;
	if (strcmp(number, "0"))
		return -ENODEV;
	mutex_lock(&first.lock);
	err = slot_request(&first, verb, line);
	mutex_unlock(&first.lock);
	return err;
}

static ssize_t control_write(struct file *file, const char __user *from,
			     size_t len, loff_t *pos)
{
	char line[32];

	if (len >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, from, len))
		return -EFAULT;
	line[len] = '\0';
	return control_request(strim(line)) ?: len;
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = control_write,
};

static int stats_show(struct seq_file *m, void *unused)
{
	struct slot *slot = m->private;

	mutex_lock(&slot->lock);
	nic_print(slot->nic, m);
	mutex_unlock(&slot->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

/* ---- the module ---------------------------------------------------------- */

static int slot_fill(struct slot *slot, const char *name)
{
	struct nic *nic;

	spec_default_wires(&slot->spec);
	if (!spec_check(&slot->spec)) {
		pr_err("parqsim: %s\n", slot->spec.error);
		return -EINVAL;
	}
	spec_default_mac(&slot->spec, name);
	nic = nic_create(&slot->spec, &nic_front);
	if (IS_ERR(nic)) {
		pr_err("parqsim: cannot build %s: error %ld\n", name,
		       PTR_ERR(nic));
		return PTR_ERR(nic);
	}
	slot->nic = nic;
	debugfs_create_file("stats", 0400,
			    debugfs_create_dir(name, parqsim_debugfs), slot,
			    &stats_fops);
	return 0;
}

static void slot_empty(struct slot *slot)
{
	if (slot->old)
		nic_destroy(slot->old);
	nic_destroy(slot->nic);
}

static int __init parqsim_module_init(void)
{
	int err;

	parqsim_debugfs = debugfs_create_dir("parqsim", NULL);
	err = slot_fill(&first, "nic0");
	if (err) {
		debugfs_remove(parqsim_debugfs);
		return err;
	}
	debugfs_create_file("control", 0200, parqsim_debugfs, NULL,
			    &control_fops);
	return 0;
}

static void __exit parqsim_module_exit(void)
{
	debugfs_remove(parqsim_debugfs);
	slot_empty(&first);
}

module_init(parqsim_module_init);
module_exit(parqsim_module_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("PARQ network card in software");
