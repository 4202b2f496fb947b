#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module is loaded and unloaded a hundred times, with its interfaces up.
#
# No round may fail, the kernel may complain of nothing, and no memory may be left
# behind: after the first rounds the number of objects in each kmalloc cache and
# the free memory must not have moved by as much as one object, or one page, a
# round.
#
#	p0 ---- 10 m ---- p1
. "$(dirname "$0")/lib.sh"

ROUNDS=100
WARM_UP=10

round()
{
	local dir

	module_load || return
	for dir in "/sys/bus/pci/devices/$pci/net"/*; do
		ip link set "${dir##*/}" up || return
	done
	module_unload
}

rounds()
{
	local i

	for ((i = 0; i < $1; i++)); do
		check round || return
	done
}

# "cache objects" a line; what can be given back has been.
objects()
{
	local file

	sync
	echo 3 >/proc/sys/vm/drop_caches
	for file in /sys/kernel/slab/*/shrink; do
		echo 1 >"$file"
	done
	awk '/^(kmalloc|skbuff|page_pool|net_device)/ { print $1, $2 }' /proc/slabinfo
}

free_pages()
{
	awk '$1 == "MemFree:" { print int($2 / 4) }' /proc/meminfo
}

leaks()
{
	local before after grown

	check module_unload || return
	rounds $WARM_UP || return
	objects >"$tmp/objects.before"
	before=$(free_pages)
	rounds $((ROUNDS - WARM_UP)) || return
	objects >"$tmp/objects.after"
	after=$(free_pages)
	grown=$(awk -v limit=$((ROUNDS - WARM_UP)) '
		NR == FNR { n[$1] = $2; next }
		$2 - n[$1] >= limit { print $1 " grew by " $2 - n[$1] }' \
		"$tmp/objects.before" "$tmp/objects.after")
	same "caches" "$grown" ""
	ktap_print_msg "free pages: $before before, $after after"
	expect "pages left behind" "$before - $after < $ROUNDS - $WARM_UP"
	check topology_up
}

run_tests "a hundred times" leaks
