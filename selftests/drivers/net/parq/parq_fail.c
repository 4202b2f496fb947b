// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a program with one allocation failing, and tells whether it came to that. Who
 * has ended still has its number; when a shell hears of it, it is gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "options.h"

#define NTH_MAX		0x7fffffff

enum verdict {
	SUCCEEDED,	/* with the allocation failing */
	FAILED,
	/* OPTIONS_BAD_USAGE */
	SUCCEEDED_BEFORE = 3,	/* with fewer allocations than that */
	FAILED_BEFORE,
	NOT_RUN,
};

static const char usage[] =
	"usage: parq_fail N PROGRAM [ARGUMENT]...\n"
	"\n"
	"Runs the program with its Nth allocation failing, of those that the filters of\n"
	"/sys/kernel/debug/fail* let fail. Exits with 0 if the program succeeded all the\n"
	"same, with 1 if it failed; with 3 and 4 if there were less than N.\n";

static int not_run(const char *what)
{
	fprintf(stderr, "parq_fail: %s: %s\n", what, strerror(errno));
	return NOT_RUN;
}

/* The file that holds how many allocations are still to go. */
static int nth_open(pid_t pid, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fail-nth", pid);
	return open(path, flags);
}

static int run(const char *nth, char **program)
{
	int fd = nth_open(getpid(), O_WRONLY);

	if (fd < 0 || write(fd, nth, strlen(nth)) < 0)
		return not_run("fail-nth");
	close(fd);
	execvp(*program, program);
	return not_run(*program);
}

int main(int argc, char **argv)
{
	char left[16] = "";
	siginfo_t info;
	int fd, failed;
	pid_t pid;

	if (argc < 3) {
		fputs(usage, stderr);
		return OPTIONS_BAD_USAGE;
	}
	option_number("N", argv[1], 1, NTH_MAX);
	pid = fork();
	if (pid < 0)
		return not_run("fork");
	if (!pid)
		_exit(run(argv[1], argv + 2));
	if (waitid(P_PID, pid, &info, WEXITED | WNOWAIT))
		return not_run("waitid");
	fd = nth_open(pid, O_RDONLY);
	if (fd < 0 || read(fd, left, sizeof(left) - 1) < 0)
		return not_run("fail-nth");
	if (info.si_code != CLD_EXITED || info.si_status == NOT_RUN)
		return NOT_RUN;
	failed = info.si_status != 0;
	if (atoi(left))
		return failed ? FAILED_BEFORE : SUCCEEDED_BEFORE;
	return failed ? FAILED : SUCCEEDED;
}
