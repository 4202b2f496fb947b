/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that outlives the server to end its connection properly.
 *
 * When a process dies, the kernel closes its socket. If a request was still unread, QEMU
 * 11.1 sees ECONNRESET instead of an end of file, and aborts: a killed server would take
 * the virtual machine with it. So a small child also holds the connection, and hangs up
 * when its parent is gone.
 */
#ifndef _VFIO_USER_KEEPER_H
#define _VFIO_USER_KEEPER_H

#include <sys/types.h>

/**
 * struct keeper - the child process that holds a connection
 * @pid: its process id
 * @sock: channel on which it receives the connection to hold
 */
struct keeper {
	pid_t pid;
	int sock;
};

/* Forks; call it before threads are started. Return: 0 or -errno. */
int keeper_start(struct keeper *keeper);
void keeper_stop(struct keeper *keeper);

/* Holds this connection from now on, instead of any earlier one. -1: none. */
int keeper_hold(struct keeper *keeper, int conn);

#endif /* _VFIO_USER_KEEPER_H */
