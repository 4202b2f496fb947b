/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that outlives the server to end its connection properly.
 *
 * When a process dies, the kernel closes its socket. If a request was waiting
 * there unread, QEMU 11.1 does not see an end of file but ECONNRESET, and
 * aborts: a killed server would take the virtual machine with it. So a small
 * child holds the connection too, and hangs up when its parent is gone.
 */
#ifndef _VFIO_USER_KEEPER_H
#define _VFIO_USER_KEEPER_H

#include <sys/types.h>

/**
 * struct keeper - the child
 * @pid: its process id
 * @sock: how to tell it what to hold
 */
struct keeper {
	pid_t pid;
	int sock;
};

/* Forks; call it before threads are started. Return: 0 or -errno. */
int keeper_start(struct keeper *keeper);
void keeper_stop(struct keeper *keeper);

/* From now on hold this connection, instead of any earlier one. -1: none. */
int keeper_hold(struct keeper *keeper, int conn);

#endif /* _VFIO_USER_KEEPER_H */
