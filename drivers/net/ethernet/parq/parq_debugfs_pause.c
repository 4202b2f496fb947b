// SPDX-License-Identifier: GPL-2.0
/*
 * debugfs: link pause as it is, and external pause, which sends a pause frame for
 * whoever writes to the file.
 */
#include <linux/bitfield.h>
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "parq.h"
#include "parq_faces.h"
#include "parq_io.h"

/* "xoff 3 7" is the longest that is right. */
#define PARQ_EXT_LEN	32
#define PARQ_EXT_WORDS	3

/* ---- link pause --------------------------------------------------------- */

static const char *parq_on(bool on)
{
	return on ? "on" : "off";
}

static int parq_dbg_pause_show(struct seq_file *s, void *v)
{
	struct parq_port *port = s->private;
	const struct parq_pause *p = &port->pfc.pause;
	u32 status;

	mutex_lock(&port->pfc.lock);
	status = parq_io_fc_status(port);
	seq_printf(s, "set: autoneg %s rx %s tx %s\n", parq_on(p->want.autoneg),
		   parq_on(p->want.rx), parq_on(p->want.tx));
	seq_printf(s, "in force: rx %s tx %s\n",
		   parq_on(p->fc & PARQ_FC_CTRL_PAUSE_RX),
		   parq_on(p->fc & PARQ_FC_CTRL_PAUSE_TX));
	seq_printf(s, "pause low: opcode %u priorities %#x\n", p->low_opcode,
		   p->low_prios);
	seq_printf(s, "paused: %u\npaused low: %u\npfc seen: %u\n",
		   !!(status & PARQ_FC_STATUS_PAUSED),
		   !!(status & PARQ_FC_STATUS_PAUSED_LOW),
		   !!(status & PARQ_FC_STATUS_PFC_SEEN));
	seq_printf(s, "peer paused: %u\n",
		   !!(status & PARQ_FC_STATUS_LINK_XOFF));
	mutex_unlock(&port->pfc.lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(parq_dbg_pause);

/* ---- external pause ----------------------------------------------------- */

static int parq_ext_number(const char *what, const char *word, unsigned int end,
			   unsigned int *n, char *why)
{
	if (!kstrtouint(word, 10, n) && *n < end)
		return 0;
	snprintf(why, PARQ_DCB_WHY_LEN, "%s \"%s\" is not in 0..%u", what, word,
		 end - 1);
	return -EINVAL;
}

static int parq_ext_send(struct parq_dev *pd, char *const word[],
			 unsigned int num, char *why)
{
	unsigned int index, prio;
	bool xoff;
	int err;

	xoff = !strcmp(word[0], "xoff");
	if (!xoff && strcmp(word[0], "xon")) {
		snprintf(why, PARQ_DCB_WHY_LEN,
			 "\"%s\" is neither xoff nor xon", word[0]);
		return -EINVAL;
	}
	if (num == 1)
		return parq_pause_send_all(pd, xoff, why);
	err = parq_ext_number("port", word[1], pd->caps.ports, &index, why);
	if (err)
		return err;
	if (num == 2)
		return parq_pause_send(pd->port[index], 0, xoff, why);
	err = parq_ext_number("priority", word[2], PARQ_NUM_PRIO, &prio, why);
	if (err)
		return err;
	return parq_pause_send(pd->port[index], BIT(prio), xoff, why);
}

/* xoff|xon [PORT [PRIORITY]] */
static int parq_ext_request(struct parq_dev *pd, char *text, char *why)
{
	char *word[PARQ_EXT_WORDS];
	unsigned int num = 0;
	char *next;

	text = strim(text);
	while ((next = strsep(&text, " \t\n"))) {
		if (!*next && num)
			continue;
		if (num == PARQ_EXT_WORDS) {
			snprintf(why, PARQ_DCB_WHY_LEN, "\"%s\" is too much",
				 next);
			return -EINVAL;
		}
		word[num++] = next;
	}
	return parq_ext_send(pd, word, num, why);
}

static ssize_t parq_dbg_ext_write(struct file *file, const char __user *data,
				  size_t len, loff_t *pos)
{
	struct parq_dev *pd = file->private_data;
	char why[PARQ_DCB_WHY_LEN];
	char text[PARQ_EXT_LEN];
	int err;

	if (len >= sizeof(text)) {
		snprintf(why, sizeof(why), "%zu bytes are too many", len);
		err = -EINVAL;
		goto refuse;
	}
	if (copy_from_user(text, data, len))
		return -EFAULT;
	text[len] = '\0';
	err = parq_ext_request(pd, text, why);
	if (!err)
		return len;
refuse:
	if (net_ratelimit())
		dev_err(pd->dev, "external pause refused: %s\n", why);
	return err;
}

static const struct file_operations parq_dbg_ext_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = parq_dbg_ext_write,
	.llseek = noop_llseek,
};

/* ---- life --------------------------------------------------------------- */

/**
 * parq_debugfs_pause_port() - file of a port, in its directory
 * @port: port
 */
void parq_debugfs_pause_port(struct parq_port *port)
{
	debugfs_create_file("pause", 0400, port->debugfs, port,
			    &parq_dbg_pause_fops);
}

/**
 * parq_debugfs_pause_dev() - file of a device, in its directory
 * @pd: device
 */
void parq_debugfs_pause_dev(struct parq_dev *pd)
{
	debugfs_create_file("external_pause", 0200, pd->debugfs, pd,
			    &parq_dbg_ext_fops);
}
