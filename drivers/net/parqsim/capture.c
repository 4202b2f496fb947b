// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "nic.h"

/* The work makes room. Frames that do not fit until it has run are counted as lost. */
static bool capture_full(struct pcapng *p)
{
	return false;
}

static void capture_write(struct capture *c, const u8 *data, size_t len)
{
	ssize_t n;

	while (len && !c->err) {
		n = kernel_write(c->file, data, len, &c->file->f_pos);
		if (n <= 0) {
			c->err = n ?: -EIO;
			pr_err("parqsim: recording to %pD ends: error %d\n", c->file, c->err);
			return;
		}
		data += n;
		len -= n;
	}
}

static void capture_work(struct captures *c, struct capture *f)
{
	unsigned long flags;
	size_t len;
	u32 packets;

	nic_lock(c->nic, &flags);
	swap(f->pcapng.buf, f->spare);
	len = f->pcapng.len;
	packets = f->pcapng.packets;
	f->pcapng.len = 0;
	f->pcapng.packets = 0;
	nic_unlock(c->nic, flags);
	capture_write(f, f->spare, len);
	if (!f->err)
		return;
	nic_lock(c->nic, &flags);
	f->pcapng.lost += packets;
	nic_unlock(c->nic, flags);
}

static void captures_work(struct work_struct *work)
{
	struct captures *c = container_of(work, struct captures, work);
	u32 i;

	for (i = 0; i < c->files; i++)
		capture_work(c, &c->file[i]);
}

static void capture_close(struct capture *f)
{
	filp_close(f->file, NULL);
	kvfree(f->pcapng.buf);
	kvfree(f->spare);
}

/* Whether kernel_write() can write there. Files in configfs would take the caller's lock. */
static bool capture_possible(const struct file *file)
{
	return file->f_op->write_iter && !file->f_op->write &&
	       strcmp(file_inode(file)->i_sb->s_type->name, "configfs");
}

static int captures_add(void *ctx, u32 port, const char *path,
			struct pcapng **file)
{
	struct captures *c = ctx;
	struct capture *f = &c->file[c->files];
	int err = -ENOMEM;

	*f = (struct capture){
		.pcapng = {
			.buf = kvmalloc(CAPTURE_BUF_SIZE, GFP_KERNEL),
			.size = CAPTURE_BUF_SIZE,
			.snaplen = c->snaplen,
			.full = capture_full,
		},
		.spare = kvmalloc(CAPTURE_BUF_SIZE, GFP_KERNEL),
	};
	if (!f->pcapng.buf || !f->spare)
		goto err_free;
	/*
	 * O_APPEND: a reader may truncate the part that it has read. O_NONBLOCK: if the reader
	 * of a FIFO stops, end the recording. Removal waits for this work.
	 */
	f->file = filp_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND |
			    O_NONBLOCK | O_LARGEFILE, 0644);
	if (IS_ERR(f->file)) {
		err = PTR_ERR(f->file);
		pr_err("parqsim: record p%u=%s: error %d\n", port, path, err);
		goto err_free;
	}
	if (!capture_possible(f->file)) {
		pr_err("parqsim: record p%u=%s: not a file to record to\n", port, path);
		err = -EINVAL;
		goto err_close;
	}
	pcapng_section(&f->pcapng, "parqsim");
	c->files++;
	*file = &f->pcapng;
	return 0;

err_close:
	filp_close(f->file, NULL);
err_free:
	kvfree(f->pcapng.buf);
	kvfree(f->spare);
	return err;
}

static const struct record_ops captures_ops = { .open = captures_add };

/**
 * captures_open() - start recording
 * @c: to initialise
 * @r: to initialise
 * @spec: files of the ports
 * @epoch_ns: wall-clock time when the device clock was 0, ns since 1970
 * @nic: frames are recorded with its lock held
 *
 * Return: 0 or a negative errno, which has been logged.
 */
int captures_open(struct captures *c, struct record *r, const struct spec *spec,
		  u64 epoch_ns, struct nic *nic)
{
	int err;

	c->snaplen = spec->snaplen;
	c->files = 0;
	c->nic = nic;
	INIT_WORK(&c->work, captures_work);
	err = record_open(r, spec, epoch_ns, &captures_ops, c);
	if (err)
		captures_close(c);
	else
		captures_work(&c->work);
	return err;
}

/* Frames must not be recorded any more. */
void captures_close(struct captures *c)
{
	captures_sync(c);
	while (c->files)
		capture_close(&c->file[--c->files]);
}

/**
 * captures_sync() - write all recorded frames
 * @c: recordings
 *
 * On return the files have every frame that passed before the call.
 */
void captures_sync(struct captures *c)
{
	queue_work(system_highpri_wq, &c->work);
	flush_work(&c->work);
}

/* Has the work item write what has been recorded. The lock of the NIC is held. */
void captures_kick(struct captures *c)
{
	u32 i;

	for (i = 0; i < c->files; i++) {
		if (!c->file[i].pcapng.len)
			continue;
		queue_work(system_highpri_wq, &c->work);
		return;
	}
}
