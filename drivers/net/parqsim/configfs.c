// SPDX-License-Identifier: GPL-2.0
/*
 * configfs: a directory is a slot, its files are options, and "live" creates the NIC. Each
 * directory holds a reference to the module.
 */
#include <linux/configfs.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "configfs.h"
#include "slot.h"

/**
 * struct port_dir - directory of a port
 * @group: configfs group
 * @dir: directory of the NIC
 * @port: number of the port
 */
struct port_dir {
	struct config_group group;
	struct nic_dir *dir;
	u32 port;
};

/**
 * struct nic_dir - directory of a NIC
 * @group: configfs group
 * @slot: slot of the NIC
 * @port: directories of the ports that every NIC can have; those of others are made by mkdir
 */
struct nic_dir {
	struct config_group group;
	struct slot *slot;
	struct port_dir port[PARQ_NIC_PORTS];
};

/* Otherwise configfs would allocate memory for the name and ignore a failure. */
static_assert(SLOT_NAME_SIZE <= CONFIGFS_ITEM_NAME_LEN);

static struct nic_dir *to_nic_dir(struct config_item *item)
{
	return container_of(to_config_group(item), struct nic_dir, group);
}

static struct port_dir *to_port_dir(struct config_item *item)
{
	return container_of(to_config_group(item), struct port_dir, group);
}

/* ---- options ------------------------------------------------------------- */

/* File names have "_" where option names have "-". */
static void option_name(char *option, size_t size, const char *file)
{
	strscpy(option, file, size);
	strreplace(option, '_', '-');
}

static ssize_t option_show(struct slot *slot, const char *file, u32 port,
			   char *page)
{
	char option[16];

	option_name(option, sizeof(option), file);
	slots_lock();
	spec_show(&slot->spec, option, port, page, PAGE_SIZE - 1);
	slots_unlock();
	strcat(page, "\n");
	return strlen(page);
}

/* @prefix precedes the value in spec_set(), unless it is empty. */
static ssize_t option_store(struct slot *slot, const char *file, u32 port,
			    const char *prefix, const char *page, size_t len)
{
	char *val = kasprintf(GFP_KERNEL, "%s%s", prefix, page);
	char option[16];
	int err;

	if (!val)
		return -ENOMEM;
	strim(val);
	if (!strcmp(val, prefix))
		*val = '\0';
	option_name(option, sizeof(option), file);
	slots_lock();
	err = slot_set(slot, option, port, val);
	slots_unlock();
	kfree(val);
	return err ?: len;
}

/* An option of a NIC. */
#define NIC_OPTION(_name)						\
static ssize_t nic_##_name##_show(struct config_item *item, char *page)	\
{									\
	return option_show(to_nic_dir(item)->slot, #_name, 0, page);	\
}									\
									\
static ssize_t nic_##_name##_store(struct config_item *item,		\
				   const char *page, size_t len)	\
{									\
	return option_store(to_nic_dir(item)->slot, #_name, 0, "",	\
			    page, len);					\
}									\
									\
CONFIGFS_ATTR(nic_, _name)

NIC_OPTION(ports);
NIC_OPTION(txq);
NIC_OPTION(rxq);
NIC_OPTION(depth);
NIC_OPTION(clk);
NIC_OPTION(fetch);
NIC_OPTION(speeds);
NIC_OPTION(rx_buffer);
NIC_OPTION(no_offload);
NIC_OPTION(lacks);
NIC_OPTION(forward);
NIC_OPTION(mac);
NIC_OPTION(snaplen);
NIC_OPTION(fault);

static ssize_t port_store(struct config_item *item, const char *option,
			  const char *page, size_t len)
{
	struct port_dir *d = to_port_dir(item);
	char prefix[sizeof("p4294967295=")];

	snprintf(prefix, sizeof(prefix), "p%u=", d->port);
	return option_store(d->dir->slot, option, d->port, prefix, page, len);
}

/* An option of a port. */
#define PORT_OPTION(_name)						\
static ssize_t port_##_name##_show(struct config_item *item, char *page)	\
{									\
	struct port_dir *d = to_port_dir(item);				\
									\
	return option_show(d->dir->slot, #_name, d->port, page);	\
}									\
									\
static ssize_t port_##_name##_store(struct config_item *item,		\
				    const char *page, size_t len)	\
{									\
	return port_store(item, #_name, page, len);			\
}									\
									\
CONFIGFS_ATTR(port_, _name)

PORT_OPTION(wire);
PORT_OPTION(record);
PORT_OPTION(name);

/* ---- life ---------------------------------------------------------------- */

static ssize_t nic_live_show(struct config_item *item, char *page)
{
	return sprintf(page, "%d\n", !!READ_ONCE(to_nic_dir(item)->slot->nic));
}

static ssize_t nic_live_store(struct config_item *item, const char *page,
			      size_t len)
{
	struct slot *slot = to_nic_dir(item)->slot;
	int err = 0;
	bool live;

	live = sysfs_streq(page, "1");
	if (!live && !sysfs_streq(page, "0")) {
		pr_err("parqsim: %s: live '%.*s': not 0 or 1\n", slot->name,
		       (int)strcspn(page, "\n"), page);
		return -EINVAL;
	}
	slots_lock();
	if (!live)
		slot_down(slot);
	else if (!slot->nic)
		err = slot_up(slot);
	slots_unlock();
	return err ?: len;
}

CONFIGFS_ATTR(nic_, live);

/* Name of the device in devlink and sysfs. */
static ssize_t nic_dev_name_show(struct config_item *item, char *page)
{
	struct slot *slot = to_nic_dir(item)->slot;
	int len;

	slots_lock();
	len = slot->nic ? slot->nic->front->print(slot->nic, page, PAGE_SIZE - 1) :
			  sprintf(page, "none");
	slots_unlock();
	return len + sprintf(page + len, "\n");
}

CONFIGFS_ATTR_RO(nic_, dev_name);

/* ---- directories --------------------------------------------------------- */

static struct configfs_attribute *port_attrs[] = {
	&port_attr_wire,
	&port_attr_record,
	&port_attr_name,
	NULL
};

static const struct config_item_type port_type = {
	.ct_attrs = port_attrs,
	.ct_owner = THIS_MODULE,
};

static void port_dir_release(struct config_item *item)
{
	kfree(to_port_dir(item));
}

/* Not const: kernels before 7.0 take a pointer to non-const. */
static struct configfs_item_operations more_port_ops = {
	.release = port_dir_release,
};

static const struct config_item_type more_port_type = {
	.ct_item_ops = &more_port_ops,
	.ct_attrs = port_attrs,
	.ct_owner = THIS_MODULE,
};

static void port_dir_init(struct port_dir *p, struct nic_dir *d, u32 port,
			  const struct config_item_type *type)
{
	char name[sizeof("p4294967295")];

	p->dir = d;
	p->port = port;
	snprintf(name, sizeof(name), "p%u", port);
	config_group_init_type_name(&p->group, name, type);
}

/* A port behind those that every NIC can have. */
static struct config_group *port_make(struct config_group *parent, const char *name)
{
	struct nic_dir *d = to_nic_dir(&parent->cg_item);
	const char *end;
	struct port_dir *p;
	u32 port;

	end = spec_port(name, &port);
	if (!end || *end) {
		pr_err("parqsim: %s: '%s': a port is p0 to p%u\n", d->slot->name, name,
		       PARQ_MAX_PORTS - 1);
		return ERR_PTR(-EINVAL);
	}
	p = kzalloc(sizeof(*p), GFP_KERNEL);
	if (!p)
		return ERR_PTR(-ENOMEM);
	port_dir_init(p, d, port, &more_port_type);
	return &p->group;
}

/* Its options go with the directory. */
static void port_drop(struct config_group *parent, struct config_item *item)
{
	struct port_dir *p = to_port_dir(item);

	slots_lock();
	slot_reset_port(p->dir->slot, p->port);
	slots_unlock();
	config_item_put(item);
}

static struct configfs_group_operations port_group_ops = {
	.make_group = port_make,
	.drop_item = port_drop,
};

static struct configfs_attribute *nic_attrs[] = {
	&nic_attr_ports,
	&nic_attr_txq,
	&nic_attr_rxq,
	&nic_attr_depth,
	&nic_attr_clk,
	&nic_attr_fetch,
	&nic_attr_speeds,
	&nic_attr_rx_buffer,
	&nic_attr_no_offload,
	&nic_attr_lacks,
	&nic_attr_forward,
	&nic_attr_mac,
	&nic_attr_snaplen,
	&nic_attr_fault,
	&nic_attr_live,
	&nic_attr_dev_name,
	NULL
};

static void nic_dir_release(struct config_item *item)
{
	struct nic_dir *d = to_nic_dir(item);

	slot_destroy(d->slot);
	kfree(d);
}

/* Not const: kernels before 7.0 take a pointer to non-const. */
static struct configfs_item_operations nic_ops = {
	.release = nic_dir_release,
};

static const struct config_item_type nic_type = {
	.ct_item_ops = &nic_ops,
	.ct_group_ops = &port_group_ops,
	.ct_attrs = nic_attrs,
	.ct_owner = THIS_MODULE,
};

static struct config_group *nic_make(struct config_group *parent,
				     const char *name)
{
	struct nic_dir *d = kzalloc(sizeof(*d), GFP_KERNEL);
	u32 port;

	if (!d)
		return ERR_PTR(-ENOMEM);
	d->slot = slot_create(name);
	if (IS_ERR(d->slot)) {
		struct slot *none = d->slot;

		kfree(d);
		return ERR_CAST(none);
	}
	config_group_init_type_name(&d->group, name, &nic_type);
	for (port = 0; port < PARQ_NIC_PORTS; port++) {
		port_dir_init(&d->port[port], d, port, &port_type);
		configfs_add_default_group(&d->port[port].group, &d->group);
	}
	return &d->group;
}

/* Not const: kernels before 7.0 take a pointer to non-const. */
static struct configfs_group_operations top_ops = {
	.make_group = nic_make,
};

static const struct config_item_type top_type = {
	.ct_group_ops = &top_ops,
	.ct_owner = THIS_MODULE,
};

static struct configfs_subsystem top = {
	.su_group = {
		.cg_item = {
			.ci_namebuf = "parqsim",
			.ci_type = &top_type,
		},
	},
	.su_mutex = __MUTEX_INITIALIZER(top.su_mutex),
};

int parqsim_configfs_init(void)
{
	config_group_init(&top.su_group);
	return configfs_register_subsystem(&top);
}

/* No directory exists any more: each holds a reference to the module. */
void parqsim_configfs_fini(void)
{
	configfs_unregister_subsystem(&top);
}
