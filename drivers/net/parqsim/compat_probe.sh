#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Prints a header that says what the kernel at hand offers, found by compiling
# with the flags of the build.
#
# usage: <this script> compiler flags... > compat_gen.h

set -u

# probe NAME compiler flags...: PARQSIM_HAVE_NAME, if standard input compiles
probe()
{
	name=$1
	shift
	if "$@" "-DKBUILD_MODNAME=\"$name\"" -w -fsyntax-only -x c - \
	   >/dev/null 2>&1; then
		echo "#define PARQSIM_HAVE_$name 1"
	fi
}

# Nothing at all compiles with wrong flags: then say so instead of guessing.
if ! echo '#include <linux/hrtimer.h>' |
   "$@" '-DKBUILD_MODNAME="parqsim"' -w -fsyntax-only -x c -; then
	echo "$0: the compiler refuses the kernel's headers" >&2
	exit 1
fi

echo '/* Generated: what this kernel offers. */'

probe HRTIMER_SETUP "$@" <<END
#include <linux/hrtimer.h>
void *f(void) { return hrtimer_setup; }
END

probe NETDEV_DUMMY "$@" <<END
#include <linux/netdevice.h>
void *f(void) { return alloc_netdev_dummy; }
END

probe NET_GSO "$@" <<END
#include <net/gso.h>
END
