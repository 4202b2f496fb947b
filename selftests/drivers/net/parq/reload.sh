#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module is loaded and unloaded a hundred times, with its interfaces up.
#
# No round may fail, the kernel may complain of nothing, and no memory may be left
# behind. After the first rounds, no cache of small objects may grow by as much
# as an object a round. Pages cannot be counted so: loading any module costs
# some that the kernel gives back late. So the driver is also unbound from the NIC and
# bound again, in three batches; a leak of a page a round would show in each
# of them.
#
#	p0 ---- 10 m ---- p1
. "$(dirname "$0")/lib.sh"

ROUNDS=100
WARM_UP=10
BATCH=20

interfaces_up()
{
	local dir

	for dir in "/sys/bus/pci/devices/$pci/net"/*; do
		ip link set "${dir##*/}" up || return
	done
}

load_round()
{
	module_load && interfaces_up && module_unload
}

bind_round()
{
	echo "$pci" >/sys/bus/pci/drivers/parq/bind && interfaces_up &&
		echo "$pci" >/sys/bus/pci/drivers/parq/unbind
}

rounds()
{
	local i

	for ((i = 0; i < $2; i++)); do
		check "$1" || return
	done
}

# What the kernel keeps for later it gives back now.
shrink()
{
	local file

	sync
	echo 3 >/proc/sys/vm/drop_caches
	for file in /sys/kernel/slab/*/shrink; do
		echo 1 >"$file"
	done
}

# "cache objects" a line
objects()
{
	shrink
	awk '/^(kmalloc|skbuff|page_pool|net_device)/ { print $1, $2 }' /proc/slabinfo
}

free_pages()
{
	shrink
	awk '$1 == "MemFree:" { print int($2 / 4) }' /proc/meminfo
}

loads()
{
	check module_unload || return
	rounds load_round $WARM_UP || return
	objects >"$tmp/before"
	rounds load_round $((ROUNDS - WARM_UP)) || return
	objects >"$tmp/after"
	same "caches that grew" "$(awk -v limit=$((ROUNDS - WARM_UP)) '
		NR == FNR { n[$1] = $2; next }
		$2 - n[$1] >= limit { print $1, $2 - n[$1] }' "$tmp/before" "$tmp/after")" ""
	check topology_up
}

binds()
{
	local batch before after least=

	check eval "echo $pci >/sys/bus/pci/drivers/parq/unbind" || return
	rounds bind_round $WARM_UP || return
	after=$(free_pages)
	for batch in 1 2 3; do
		before=$after
		rounds bind_round $BATCH || return
		after=$(free_pages)
		ktap_print_msg "batch $batch: free pages $before, then $after"
		((${least:-before - after + 1} <= before - after)) || least=$((before - after))
	done
	expect "pages left behind in each batch" "$least < $BATCH"
	check eval "echo $pci >/sys/bus/pci/drivers/parq/bind" && check topology_up
}

run_tests \
	"loaded and unloaded a hundred times" loads \
	"bound and unbound" binds
