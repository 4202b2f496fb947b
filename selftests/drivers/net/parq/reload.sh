#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module is loaded and unloaded, a hundred times if nothing is SLOWER, with its
# interfaces up and an entry in each table of DCB.
#
# No round may fail, the kernel may complain of nothing, and no memory may be left
# behind. The rest of the kernel allocates as well, and gives back late; so after
# the first rounds there are three batches, and a leak shows in each of them: a
# cache of small objects that grows by an object a round. Pages cannot be
# counted so, for loading any module costs some. Therefore the driver is also
# unbound from the NIC and bound again, after a dump, and no page a round may be missing.
#
#	p0 ---- 10 m ---- p1
. "$(dirname "$0")/lib.sh"

WARM_UP=$((10 / SLOWER)) LOADS=$((30 / SLOWER)) BINDS=$((20 / SLOWER))

interfaces_up()
{
	local dir

	for dir in "/sys/bus/pci/devices/$pci/net"/*; do
		ip link set "${dir##*/}" up || return
	done
}

# Of one port. Linux keeps them by interface; they go with it. Before 6.3 there is no
# rewriting.
entries_add()
{
	local ports=("/sys/bus/pci/devices/$pci/net"/*)

	dcb app add dev "${ports[0]##*/}" dscp-prio 26:3 || return
	! kernel_from 6.3 || dcb rewr add dev "${ports[0]##*/}" prio-dscp 3:26
}

load_round()
{
	module_load && interfaces_up && entries_add && module_unload
}

bind_round()
{
	echo "$pci" >/sys/bus/pci/drivers/parq/bind && interfaces_up &&
		devlink health dump show "$nic_bus/$pci/0" reporter pfc >/dev/null &&
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
		[[ ! -e $file ]] || echo 1 >"$file"
	done
}

# "cache objects" a line. A kernel that does not count objects shows only what loses a page a round.
objects()
{
	shrink
	if [[ -e /proc/slabinfo ]]; then
		awk '/^(kmalloc|skbuff|page_pool|net_device)/ { print $1, $2 }' /proc/slabinfo
	else
		awk '$1 == "SUnreclaim:" { print "pages", $2 / 4 }' /proc/meminfo
	fi
}

# Those that processors keep at hand are free, too; MemFree leaves them out.
free_pages()
{
	shrink
	awk '$1 == "pages" && $2 == "free" { sum += $3 } $1 == "count:" { sum += $2 }
		END { print sum }' /proc/zoneinfo
}

loads()
{
	local batch

	check module_unload || return
	rounds load_round "$WARM_UP" || return
	objects >"$tmp/objects.0"
	for batch in 1 2 3; do
		rounds load_round "$LOADS" || return
		objects >"$tmp/objects.$batch"
	done
	same "caches that grew in each batch" "$(awk -v limit="$LOADS" '
		FILENAME != ARGV[1] && $2 - n[$1] >= limit { grew[$1]++ }
		{ n[$1] = $2 }
		END { for (cache in grew) if (grew[cache] == 3) print cache }' \
			"$tmp"/objects.{0..3})" ""
	check topology_up
}

binds()
{
	local batch before after least=

	check eval "echo $pci >/sys/bus/pci/drivers/parq/unbind" || return
	rounds bind_round "$WARM_UP" || return
	after=$(free_pages)
	for batch in 1 2 3; do
		before=$after
		rounds bind_round "$BINDS" || return
		after=$(free_pages)
		ktap_print_msg "batch $batch: free pages $before, then $after"
		((${least:-before - after + 1} <= before - after)) || least=$((before - after))
	done
	expect "pages left behind in each batch" "$least < $BINDS"
	check eval "echo $pci >/sys/bus/pci/drivers/parq/bind" && check topology_up
}

run_tests \
	"$((WARM_UP + 3 * LOADS)) loads leave no memory behind" loads \
	"$((WARM_UP + 3 * BINDS)) binds leave no memory behind" binds
