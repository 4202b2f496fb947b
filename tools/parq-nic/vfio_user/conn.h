/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One end of a vfio-user connection: whole messages, and the files that go with
 * them, over a stream socket that may hand them over in pieces. Nothing blocks.
 */
#ifndef _VFIO_USER_CONN_H
#define _VFIO_USER_CONN_H

#include "fds.h"
#include "protocol.h"

/**
 * struct conn - a connection
 * @sock: the socket, or -1
 * @max: longest message in either direction
 * @rx: message that is arriving
 * @rx_len: bytes of it that are here
 * @rx_fds: files that came with it
 * @tx: message that is leaving
 * @tx_len: its length, 0: none
 * @tx_sent: bytes of it that are gone
 * @tx_fd: file to go with its first byte, or -1
 */
struct conn {
	int sock;
	size_t max;

	u8 *rx;
	size_t rx_len;
	struct fds rx_fds;

	u8 *tx;
	size_t tx_len;
	size_t tx_sent;
	int tx_fd;
};

/* Return: 0 or -ENOMEM. There is no socket at first: the owner sets @sock. */
int conn_init(struct conn *conn, size_t max);
void conn_fini(struct conn *conn);

/* Hangs up, closes all files, drops incomplete messages. */
void conn_close(struct conn *conn);

/*
 * Ends a connection so that the other end reads an end of file, even if it has sent bytes
 * that were not read: such bytes would make its next read fail with ECONNRESET, and QEMU
 * 11.1 aborts on any error of a read. The socket stays open.
 */
void conn_hang_up(int sock);

/*
 * Return: 1 when @rx has a whole message, 0 if it is incomplete, -ECONNRESET at the end,
 * -EPROTO if its size is impossible, or another -errno.
 */
int conn_receive(struct conn *conn);

/* Drops the message in @rx and closes its files, to make room for the next one. */
void conn_consume(struct conn *conn);

/*
 * Sends the first @len bytes of @tx, and @fd unless it is -1. conn_busy() must be false.
 * conn_flush() continues if bytes had to wait.
 */
int conn_send(struct conn *conn, size_t len, int fd);
int conn_flush(struct conn *conn);

static inline bool conn_busy(const struct conn *conn)
{
	return conn->tx_len;
}

#endif /* _VFIO_USER_CONN_H */
