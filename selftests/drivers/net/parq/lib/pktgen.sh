# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# pktgen, the kernel's packet generator, on p0.

pktgen=/proc/net/pktgen

# pktgen_add [SETTING]...
pktgen_add()
{
	local setting

	[[ -e $pktgen ]] || check modprobe pktgen || return
	pktgen_thread rem_device_all
	check pktgen_thread "add_device p0" || return
	for setting; do
		check pktgen_set "$setting" || return
	done
}

# Of the last processor.
pktgen_thread()
{
	echo "$1" >$pktgen/kpktgend_$(($(nproc) - 1))
}

pktgen_set()
{
	echo "$1" >$pktgen/p0
}
