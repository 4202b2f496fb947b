/* SPDX-License-Identifier: GPL-2.0 */
/* UNIX sockets that the process listens at: for QEMU, and for wires. */
#ifndef _PARQ_NIC_LISTENER_H
#define _PARQ_NIC_LISTENER_H

/*
 * Listens for one connection at a time, of @type: SOCK_STREAM or SOCK_SEQPACKET. A socket file
 * whose process is gone is replaced. Return: file descriptor, which does not block, or a negative
 * errno: -EADDRINUSE if another process listens at @path or it is not a socket.
 */
int listener_open(const char *path, int type);
void listener_close(int fd, const char *path);

#endif /* _PARQ_NIC_LISTENER_H */
