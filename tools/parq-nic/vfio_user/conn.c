// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conn.h"

int conn_init(struct conn *conn, size_t max)
{
	memset(conn, 0, sizeof(*conn));
	conn->sock = -1;
	conn->max = max;
	conn->rx = malloc(max);
	conn->tx = malloc(max);
	if (conn->rx && conn->tx)
		return 0;
	conn_fini(conn);
	return -ENOMEM;
}

void conn_fini(struct conn *conn)
{
	conn_close(conn);
	free(conn->rx);
	free(conn->tx);
}

void conn_consume(struct conn *conn)
{
	fds_close(&conn->rx_fds);
	conn->rx_len = 0;
}

void conn_hang_up(int sock)
{
	char rest[4096];

	/* No more bytes can arrive; the kernel drops files in flight. */
	shutdown(sock, SHUT_RDWR);
	while (recv(sock, rest, sizeof(rest), MSG_DONTWAIT) > 0)
		continue;
}

void conn_close(struct conn *conn)
{
	if (conn->sock >= 0) {
		conn_hang_up(conn->sock);
		close(conn->sock);
	}
	conn->sock = -1;
	conn->tx_len = 0;
	conn_consume(conn);
}

/*
 * Bytes that the arriving message still lacks, -EPROTO if its size is impossible. Never
 * reads beyond one message, because files received with the bytes of two messages could
 * not be assigned to one of them.
 */
static ssize_t conn_missing(const struct conn *conn)
{
	const struct vfio_user_header *header = (const void *)conn->rx;

	if (conn->rx_len < sizeof(*header))
		return sizeof(*header) - conn->rx_len;
	if (header->size < sizeof(*header) || header->size > conn->max)
		return -EPROTO;
	return header->size - conn->rx_len;
}

int conn_receive(struct conn *conn)
{
	ssize_t n, missing;

	while ((missing = conn_missing(conn)) > 0) {
		n = fds_recv(conn->sock, conn->rx + conn->rx_len, missing,
			     &conn->rx_fds);
		if (n < 0)
			return n == -EAGAIN ? 0 : n;
		if (!n)
			return -ECONNRESET;
		conn->rx_len += n;
	}
	return missing < 0 ? missing : 1;
}

int conn_flush(struct conn *conn)
{
	ssize_t n;

	while (conn->tx_sent < conn->tx_len) {
		n = fds_send(conn->sock, conn->tx + conn->tx_sent,
			     conn->tx_len - conn->tx_sent, &conn->tx_fd,
			     conn->tx_fd >= 0 && !conn->tx_sent);
		if (n < 0)
			return n == -EAGAIN ? 0 : n;
		conn->tx_sent += n;
	}
	conn->tx_len = 0;
	return 0;
}

int conn_send(struct conn *conn, size_t len, int fd)
{
	conn->tx_len = len;
	conn->tx_sent = 0;
	conn->tx_fd = fd;
	return conn_flush(conn);
}
