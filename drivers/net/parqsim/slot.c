// SPDX-License-Identifier: GPL-2.0
#include <linux/ctype.h>
#include <linux/debugfs.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "slot.h"

static DEFINE_MUTEX(slots_mutex);
static LIST_HEAD(slots);
struct dentry *slots_debugfs;
/* For default MAC addresses. */
static u32 slots_machine;

void slots_init(void)
{
	/* Runs of User Mode Linux can be repeated to the byte. */
	if (!IS_ENABLED(CONFIG_UML))
		slots_machine = get_random_u32();
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

/* Called between slots_lock() and slots_unlock(). */
struct slot *slot_find(const char *name)
{
	struct slot *slot;

	list_for_each_entry(slot, &slots, list)
		if (!strcmp(slot->name, name))
			return slot;
	return NULL;
}

/* Returns the wire of @from's port, if it leads to the other port. */
static const struct wire_spec *slot_cable(const struct slot *from, u32 from_port,
					  const struct slot *to)
{
	const struct wire_spec *w = &from->spec.wire[from_port];

	return w->kind == WIRE_NIC && !strcmp(w->name, to->name) ? w : NULL;
}

/* Whether @from's port names this cable, too, which @to's port does. */
static bool slot_names_too(const struct slot *from, u32 from_port,
			   const struct slot *to, u32 to_port)
{
	const struct wire_spec *w = slot_cable(from, from_port, to);

	return w && w->peer == to_port;
}

/* ---- statistics ---------------------------------------------------------- */

/* A cable without its other NIC is the usual reason for "no cable". */
static void stats_waiting(const struct slot *slot, struct seq_file *m)
{
	const struct slot *other;
	u32 port;

	for (port = 0; port < PARQ_MAX_PORTS; port++) {
		const struct wire_spec *w = &slot->spec.wire[port];

		if (w->kind != WIRE_NIC)
			continue;
		other = slot_find(w->name);
		if (!other || !other->nic)
			seq_printf(m, "p%u: cable waits for p%u of %s, which is not live\n",
				   port, w->peer, w->name);
	}
	list_for_each_entry(other, &slots, list) {
		if (other->nic)
			continue;
		for (port = 0; port < PARQ_MAX_PORTS; port++) {
			const struct wire_spec *w = slot_cable(other, port, slot);

			if (w && !slot_names_too(slot, w->peer, other, port))
				seq_printf(m, "p%u: cable waits for p%u of %s, which is not live\n",
					   w->peer, port, other->name);
		}
	}
}

static int stats_show(struct seq_file *m, void *unused)
{
	struct slot *slot = m->private;

	slots_lock();
	if (slot->nic) {
		nic_print(slot->nic, m);
		stats_waiting(slot, m);
	} else {
		seq_puts(m, "state: not live\n");
	}
	slots_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

/* ---- names --------------------------------------------------------------- */

/* The name must be a file name, and a delimiter must end it in requests and wires. */
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
 * slot_create() - create a slot for a NIC
 * @name: name of the NIC
 *
 * The slot is not live. It has the default of each option, and no wires.
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
	spec_default_mac(&slot->spec, name, slots_machine);
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

/* Also removes its NIC. */
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

/* ---- options ------------------------------------------------------------- */

static int slot_refused(const struct slot *slot, const struct spec *s)
{
	pr_err("parqsim: %s: %s\n", slot->name, s->error);
	return -EINVAL;
}

/* Names that are relative could lead into configfs, whose locks the caller holds. */
static bool slot_record_absolute(struct spec *s, u32 port)
{
	const char *name = spec_record(s, port);

	if (!*name || *name == '/')
		return true;
	spec_refuse(s, "record p%u '%s': not an absolute name", port, name);
	return false;
}

/**
 * slot_set() - change an option
 * @slot: slot that is not live
 * @option: name of the option in spec_set()
 * @port: port of a wire or a recording
 * @val: value; an empty one resets an option that may be unset
 *
 * Return: 0, or a negative errno and nothing has changed; the reason has been
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
	/* The old value is replaced. */
	if (!(spec_unset(s, option, port) && !*val) &&
	    !(spec_set(s, option, val) && slot_record_absolute(s, port)))
		err = slot_refused(slot, s);
	else
		slot->spec = *s;
	kfree(s);
	return err;
}

static void slot_reset_ports(struct slot *slot)
{
	u32 port;

	for (; slot->to_reset; slot->to_reset &= slot->to_reset - 1) {
		port = __ffs64(slot->to_reset);
		spec_unset(&slot->spec, "wire", port);
		spec_unset(&slot->spec, "record", port);
		spec_unset(&slot->spec, "name", port);
	}
}

/* Resets the options of a port, as soon as no NIC uses them. */
void slot_reset_port(struct slot *slot, u32 port)
{
	slot->to_reset |= BIT_ULL(port);
	if (!slot->nic)
		slot_reset_ports(slot);
}

/* ---- cables to other NICs ------------------------------------------------ */

/* The slot that has a cable plugged into a port; NULL if there is none. */
static const struct slot *port_user(const struct slot *slot, u32 port,
				    const struct slot *but)
{
	const struct slot *other;
	const struct wire_spec *w;
	u32 i;

	for (i = 0; i < PARQ_MAX_PORTS; i++) {
		w = &slot->spec.wire[i];
		if ((i == port && w->kind != WIRE_NONE) ||
		    (w->kind == WIRE_PEER && w->peer == port))
			return slot;
	}
	list_for_each_entry(other, &slots, list) {
		if (!other->nic || other == but)
			continue;
		for (i = 0; i < PARQ_MAX_PORTS; i++) {
			w = slot_cable(other, i, slot);
			if (w && w->peer == port)
				return other;
		}
	}
	return NULL;
}

__printf(2, 3)
static bool cables_refused(struct slot *slot, const char *fmt, ...)
{
	struct va_format vaf;
	va_list ap;

	va_start(ap, fmt);
	vaf.fmt = fmt;
	vaf.va = &ap;
	spec_refuse(&slot->spec, "%pV", &vaf);
	va_end(ap);
	return false;
}

/* The two ends of a cable that both name it must agree. */
static bool cable_agrees(struct slot *slot, u32 port, const struct slot *to)
{
	const struct wire_spec *w = &slot->spec.wire[port];
	const struct wire_spec *far = &to->spec.wire[w->peer];

	if (w->length_m == far->length_m)
		return true;
	return cables_refused(slot, "wire p%u: length=%u, but %s:p%u says length=%u",
			      port, w->length_m, to->name, w->peer, far->length_m);
}

/* Checks that a cable of a slot that becomes live leads to a port that exists and is free. */
static bool cable_check(struct slot *slot, u32 port)
{
	const struct wire_spec *w = &slot->spec.wire[port];
	const struct slot *user;
	struct slot *to;
	u32 i;

	if (w->kind != WIRE_NIC)
		return true;
	if (!strcmp(w->name, slot->name))
		return cables_refused(slot, w->peer == port ?
				      "wire p%u: '%s:p%u' is this port: use loop" :
				      "wire p%u: '%s' is this NIC: use peer:p%u",
				      port, w->name, w->peer);
	for (i = 0; i < port; i++)
		if (slot->spec.wire[i].kind == WIRE_NIC &&
		    slot->spec.wire[i].peer == w->peer &&
		    !strcmp(slot->spec.wire[i].name, w->name))
			return cables_refused(slot, "wire p%u: p%u already leads to %s:p%u",
					      port, i, w->name, w->peer);
	to = slot_find(w->name);
	if (!to || !to->nic)
		return true;
	if (w->peer >= to->spec.nic.ports)
		return cables_refused(slot, "wire p%u: %s has %u ports, there is no p%u",
				      port, to->name, to->spec.nic.ports,
				      w->peer);
	if (slot_names_too(to, w->peer, slot, port))
		return cable_agrees(slot, port, to);
	user = port_user(to, w->peer, slot);
	if (user)
		return cables_refused(slot, "wire p%u: %s:p%u already has a wire, from %s",
				      port, to->name, w->peer, user->name);
	return true;
}

/* Checks cables of live slots to this one: the port must exist and be free. */
static bool cable_end_check(struct slot *slot, const struct slot *from,
			    u32 from_port)
{
	const struct wire_spec *w = slot_cable(from, from_port, slot);
	const struct slot *user;

	if (!w)
		return true;
	if (w->peer >= slot->spec.nic.ports)
		return cables_refused(slot, "p%u: %s:p%u leads here, but there are p0 to p%u",
				      w->peer, from->name, from_port,
				      slot->spec.nic.ports - 1);
	if (slot_names_too(slot, w->peer, from, from_port))
		return true;
	user = port_user(slot, w->peer, from);
	if (user)
		return cables_refused(slot, "p%u: %s:p%u leads here, but there is a wire of %s",
				      w->peer, from->name, from_port,
				      user->name);
	return true;
}

static bool slot_cables_check(struct slot *slot)
{
	struct slot *other;
	u32 port;

	for (port = 0; port < PARQ_MAX_PORTS; port++)
		if (!cable_check(slot, port))
			return false;
	list_for_each_entry(other, &slots, list) {
		if (!other->nic)
			continue;
		for (port = 0; port < PARQ_MAX_PORTS; port++)
			if (!cable_end_check(slot, other, port))
				return false;
	}
	return true;
}

/* Plugs the cables between a NIC and a live one, whichever of the two names them. */
static int cables_join(const struct slot *slot, struct nic *nic, const struct slot *other)
{
	const struct wire_spec *w;
	u32 port;
	int err;

	for (port = 0; port < PARQ_MAX_PORTS; port++) {
		w = slot_cable(slot, port, other);
		err = w ? nic_join(nic, port, other->nic, w->peer, w->length_m) : 0;
		if (err)
			return err;
		w = slot_cable(other, port, slot);
		if (!w || slot_names_too(slot, w->peer, other, port))
			continue;
		err = nic_join(other->nic, port, nic, w->peer, w->length_m);
		if (err)
			return err;
	}
	return 0;
}

/* Plugs all cables whose other end is live. */
static int slot_join(struct slot *slot, struct nic *nic)
{
	struct slot *other;
	int err;

	list_for_each_entry(other, &slots, list) {
		if (!other->nic || other == slot)
			continue;
		err = cables_join(slot, nic, other);
		if (err)
			return err;
	}
	return 0;
}

/* ---- the NIC ------------------------------------------------------------- */

static struct nic *slot_nic(struct slot *slot)
{
	struct nic *nic;
	int err;

	spec_default_mac(&slot->spec, slot->name, slots_machine);
	nic = nic_create(slot->name, &slot->spec, &nic_front);
	if (IS_ERR(nic)) {
		err = PTR_ERR(nic);
		goto err_tell;
	}
	err = slot_join(slot, nic);
	if (!err)
		err = nic_plug(nic);
	if (!err)
		return nic;
	nic_discard(nic);
err_tell:
	pr_err("parqsim: cannot build %s: error %d\n", slot->name, err);
	return ERR_PTR(err);
}

/**
 * slot_up() - make a slot live
 * @slot: slot that is not live
 *
 * A cable to a NIC that is not live waits for that NIC.
 *
 * Return: 0, or a negative errno and the slot is not live; the reason has been
 * logged.
 */
int slot_up(struct slot *slot)
{
	struct nic *nic;

	if (!spec_check(&slot->spec) || !slot_cables_check(slot))
		return slot_refused(slot, &slot->spec);
	nic = slot_nic(slot);
	if (IS_ERR(nic))
		return PTR_ERR(nic);
	slot->nic = nic;
	return 0;
}

/* Removes its NIC, if there is one. */
void slot_down(struct slot *slot)
{
	if (slot->old)
		nic_destroy(slot->old);
	if (slot->nic)
		nic_destroy(slot->nic);
	slot->old = NULL;
	slot->nic = NULL;
	slot_reset_ports(slot);
}

/**
 * slot_replace() - replace the NIC by one with the same options
 * @slot: live slot
 *
 * The old NIC is dead, but exists as long as the slot is live: its driver may use it.
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
