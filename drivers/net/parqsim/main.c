// SPDX-License-Identifier: GPL-2.0
/*
 * parqsim: PARQ network cards in software, inside the kernel.
 *
 * Module parameters are the options of parq-nic, and make the first NIC. Where
 * parq-nic takes an option several times, the values are separated by ";":
 * wire='p0=peer:p1,length=10;p2=loop'.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "configfs.h"
#include "control.h"
#include "slot.h"

#define FIRST_NAME	"nic0"

static struct spec first_spec = SPEC_DEFAULTS("", SLOT_WIRES);
static struct slot *first;
static u32 nics = 1;

/* ---- module parameters --------------------------------------------------- */

static int param_refused(void)
{
	pr_err("parqsim: %s\n", first_spec.error);
	return -EINVAL;
}

/* Parameters have no dashes in their names, and ";" between several values. */
static int param_set(const char *val, const struct kernel_param *kp)
{
	char name[16], *rest, *item;

	strscpy(name, kp->name, sizeof(name));
	strreplace(name, '_', '-');
	/* A flag. */
	if (!val)
		return spec_set(&first_spec, name, "") ? 0 : param_refused();
	/* The text is the module's own, as for arrays of parameters. */
	rest = (char *)val;
	while ((item = strsep(&rest, ";")))
		if (!spec_set(&first_spec, name, item))
			return param_refused();
	return 0;
}

static bool param_of_port(const char *name)
{
	return !strcmp(name, "wire") || !strcmp(name, "record") || !strcmp(name, "name");
}

/* In the syntax of param_set(), with the defaults of the first NIC. */
static int param_get(char *buf, const struct kernel_param *kp)
{
	char name[16], *value;
	int len = 0;
	u32 port;

	value = kmalloc(PAGE_SIZE, GFP_KERNEL);
	if (!value)
		return -ENOMEM;
	strscpy(name, kp->name, sizeof(name));
	strreplace(name, '_', '-');
	for (port = 0; port < PARQ_MAX_PORTS; port++) {
		spec_show(&first_spec, name, port, value, PAGE_SIZE);
		if (!param_of_port(name)) {
			len = scnprintf(buf, PAGE_SIZE, "%s", value);
			break;
		}
		if (*value)
			len += scnprintf(buf + len, PAGE_SIZE - len, "%sp%u=%s",
					 len ? ";" : "", port, value);
	}
	len += scnprintf(buf + len, PAGE_SIZE - len, "\n");
	kfree(value);
	return len;
}

static int param_set_nics(const char *val, const struct kernel_param *kp)
{
	return spec_u32(&first_spec, kp->name, val, 0, 1, &nics) ? 0 :
	       param_refused();
}

static int param_get_nics(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%u\n", nics);
}

static const struct kernel_param_ops param_ops = {
	.set = param_set,
	.get = param_get,
};

static const struct kernel_param_ops param_flag_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = param_set,
	.get = param_get,
};

static const struct kernel_param_ops param_nics_ops = {
	.set = param_set_nics,
	.get = param_get_nics,
};

module_param_cb(nics, &param_nics_ops, NULL, 0444);
MODULE_PARM_DESC(nics, "NICs with these parameters, 0 or 1 (1); configfs makes more");
module_param_cb(ports, &param_ops, NULL, 0444);
MODULE_PARM_DESC(ports, "1 to 4, with forward 64 (2)");
module_param_cb(txq, &param_ops, NULL, 0444);
MODULE_PARM_DESC(txq, "TX queues per port, 1 to 64 (64; with more than 4 ports: 8)");
module_param_cb(rxq, &param_ops, NULL, 0444);
MODULE_PARM_DESC(rxq, "RX queues per port, 1 to 64 (8; with more than 4 ports: 1)");
module_param_cb(depth, &param_ops, NULL, 0444);
MODULE_PARM_DESC(depth, "frames of a port in the pipeline, 4 to 1024 (32)");
module_param_cb(clk, &param_ops, NULL, 0444);
MODULE_PARM_DESC(clk, "clock period of the pipeline, 100 to 1000000 ps (1000)");
module_param_cb(fetch, &param_ops, NULL, 0444);
MODULE_PARM_DESC(fetch, "time allowed for the fetch of a frame, 0 to 1000000000 ns (0)");
module_param_cb(speeds, &param_ops, NULL, 0444);
MODULE_PARM_DESC(speeds,
		 "of 10M,100M,1G,2.5G,5G,10G,25G,40G,50G,100G,200G,400G (all)");
module_param_cb(rx_buffer, &param_ops, NULL, 0444);
MODULE_PARM_DESC(rx_buffer,
		 "receive buffers per port, 65536 to 16777216 bytes (4194304; with more than 4 ports: 1048576)");
module_param_cb(no_offload, &param_flag_ops, NULL, 0444);
MODULE_PARM_DESC(no_offload, "the driver must run the pause state machine");
module_param_cb(lacks, &param_ops, NULL, 0444);
MODULE_PARM_DESC(lacks,
		 "capabilities left out, of csum,tso,vlan,rss,trace,gro,ptp,rss-fields,rules,unpad,rule-count,launch,port-rate,restore");
module_param_cb(forward, &param_flag_ops, NULL, 0444);
MODULE_PARM_DESC(forward, "the ports can forward frames to each other, under a bridge");
module_param_cb(mac, &param_ops, NULL, 0444);
MODULE_PARM_DESC(mac, "permanent address of p0, the other ports count up");
module_param_cb(wire, &param_ops, NULL, 0444);
MODULE_PARM_DESC(wire,
		 "pA=peer:pB[,length=M] or pA=loop[,length=M]; by default p0=peer:p1");
module_param_cb(record, &param_ops, NULL, 0444);
MODULE_PARM_DESC(record, "pA=FILE: record the frames of port A in a pcapng file");
module_param_cb(name, &param_ops, NULL, 0444);
MODULE_PARM_DESC(name, "pA=NAME: name of the interface of port A");
module_param_cb(snaplen, &param_ops, NULL, 0444);
MODULE_PARM_DESC(snaplen, "bytes recorded of each frame, 60 to 10266 (all)");
module_param_cb(fault, &param_ops, NULL, 0444);
MODULE_PARM_DESC(fault,
		 "faults, each one in N on average: seed=N, dma=N, lost=N, late=N, twice=N, refused=N, stuck=N, fatal=N");

/* ---- the first NIC ------------------------------------------------------- */

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

static int first_create(void)
{
	int err;

	if (!nics)
		return 0;
	first = slot_create(FIRST_NAME);
	if (IS_ERR(first))
		return PTR_ERR(first);
	spec_default_wires(&first_spec);
	slots_lock();
	first->spec = first_spec;
	err = slot_up(first);
	/* Its address has been chosen. */
	first_spec = first->spec;
	slots_unlock();
	if (err)
		slot_destroy(first);
	return err;
}

static void first_destroy(void)
{
	if (first)
		slot_destroy(first);
}

/* ---- the module ---------------------------------------------------------- */

static int __init parqsim_module_init(void)
{
	int err;

	slots_init();
	control_init();
	err = first_create();
	if (err)
		goto err_slots;
	err = parqsim_configfs_init();
	if (err)
		goto err_first;
	return 0;

err_first:
	first_destroy();
err_slots:
	slots_fini();
	/* insmod reads ENOENT, of a file to record to, as a symbol that is unknown. */
	return err == -ENOENT ? -EINVAL : err;
}

static void __exit parqsim_module_exit(void)
{
	parqsim_configfs_fini();
	first_destroy();
	slots_fini();
}

module_init(parqsim_module_init);
module_exit(parqsim_module_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("PARQ network cards in software");
