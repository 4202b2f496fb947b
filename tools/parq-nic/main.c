// SPDX-License-Identifier: GPL-2.0
/*
 * parq-nic: a PARQ network card in software, for QEMU. One thread, which does
 * what is due and sleeps until something else is.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "host_time.h"

/**
 * struct nic - the process
 * @loop: what it waits for
 * @host: the card
 * @sig: signals
 * @stop: one of them ends it
 */
struct nic {
	struct loop loop;
	struct host host;
	struct loop_fd sig;
	bool stop;
};

static void nic_signal(void *ctx, u32 events)
{
	struct signalfd_siginfo info;
	struct nic *nic = ctx;

	(void)events;
	if (read(nic->sig.fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGUSR1)
		host_print(&nic->host, stdout);
	else if (info.ssi_signo == SIGUSR2)
		host_fault(&nic->host, info.ssi_code == SI_QUEUE ?
			   (u32)info.ssi_int :
			   nic->host.fault.on ? 0 : FAULT_ALL);
	else
		nic->stop = true;
}

static int nic_signals(struct nic *nic)
{
	sigset_t set;
	int err;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	nic->sig = (struct loop_fd){
		.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK),
		.ready = nic_signal,
		.ctx = nic,
	};
	if (nic->sig.fd < 0)
		return -errno;
	err = loop_add(&nic->loop, &nic->sig, EPOLLIN);
	if (err)
		close(nic->sig.fd);
	return err;
}

static void nic_run(struct nic *nic)
{
	struct host *h = &nic->host;
	struct loop_fd *f;
	u32 events;
	u64 ns;

	while (!nic->stop && !h->err) {
		ns = host_run(h) ? host_sleep_ns(h) : 0;
		f = loop_wait(&nic->loop, ns, &events);
		if (!f)
			continue;
		host_run(h);
		f->ready(f->ctx, events);
	}
}

static void nic_serve(struct nic *nic, const struct options *o)
{
	printf("parq-nic: listening on %s, ports %u, TX queues %u, RX queues %u\n",
	       o->socket, o->spec.nic.ports, o->spec.nic.txq, o->spec.nic.rxq);
	fflush(stdout);
	nic_run(nic);
	if (nic->host.err)
		log_error("%s: %s", o->socket, strerror(-nic->host.err));
	host_print(&nic->host, stdout);
}

static int nic_main(const struct options *o)
{
	struct nic nic = { .stop = false };
	int err;

	log_level = o->log;
	signal(SIGPIPE, SIG_IGN);
	/* Else short naps end 50 us late. */
	prctl(PR_SET_TIMERSLACK, 1);
	err = loop_init(&nic.loop);
	if (err) {
		log_error("epoll: %s", strerror(-err));
		return err;
	}
	err = nic_signals(&nic);
	if (err) {
		log_error("signalfd: %s", strerror(-err));
		goto err_loop;
	}
	err = host_init(&nic.host, o, &nic.loop);
	if (err)
		goto err_signals;
	nic_serve(&nic, o);
	err = nic.host.err;
	host_fini(&nic.host);
err_signals:
	loop_close(&nic.loop, &nic.sig);
err_loop:
	loop_fini(&nic.loop);
	return err;
}

int main(int argc, char **argv)
{
	struct options o;

	switch (options_parse(&o, argc, argv)) {
	case OPTIONS_RUN:
		return nic_main(&o) ? EXIT_FAILURE : EXIT_SUCCESS;
	case OPTIONS_HELP:
		options_help(stdout);
		return EXIT_SUCCESS;
	case OPTIONS_SHOW_VERSION:
		printf("parq-nic %s (contract %u)\n", OPTIONS_VERSION,
		       PARQ_VERSION_MAJOR_VALUE);
		return EXIT_SUCCESS;
	default:
		fprintf(stderr, "parq-nic: %s\nTry 'parq-nic --help'.\n",
			o.spec.error);
		return 2;
	}
}
