#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory runs out while NICs are made: each allocation of parqsim.ko fails in turn, for a
# directory, its files, a NIC that becomes live with any kind of wire, and the module.
#
# The request fails and nothing is half made, or it succeeds without the memory. Nothing is
# leaked, and afterwards everything can be made. The driver is not loaded. The kernel
# needs KASAN and "slab_debug=U": kmemleak cannot scan User Mode Linux.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/alloc.sh
. "$(dirname "$0")/lib/alloc.sh"

: "${PARQSIM_KO:=$build/$(kernel_name)/drivers/net/parqsim/parqsim.ko}"
# How this machine loads its NIC.
: "${PARQ_NICS:=/run/parq/nics}"
configfs=/sys/kernel/config/parqsim
debugfs=/sys/kernel/debug/parqsim
# See objects().
objects=0 before=0

# set_to FILE VALUE
set_to()
{
	check eval "echo '$2' >$configfs/$1"
}

# reads FILE VALUE
reads()
{
	same "$1" "$(<"$configfs/$1")" "$2"
}

# A small NIC, which is made soon.
nic_make()
{
	check mkdir "$configfs/$1" && defer rmdir "$configfs/$1" || return
	set_to "$1/txq" 1 && set_to "$1/rxq" 1 && set_to "$1/ports" 2
}

# objects: to $objects, how many the module has, of the slab allocator and of vmalloc, and to
# $tmp/objects, of which function. What KASAN still keeps from being used again has been freed.
# Cached names of files are not the module's.
objects()
{
	local cache

	echo 2 >/proc/sys/vm/drop_caches
	for cache in /sys/kernel/slab/*; do
		echo 1 >"$cache/shrink"
	done
	# Freed areas keep their vmap_area for a while.
	awk 'FILENAME ~ "/vmap_area/" { next }
		/^ *[0-9]+ / { n = $1 }
		/^0x/ { n = 1 }
		/\[parqsim\]/ {
			match($0, /[a-z0-9_.]+\+0x/)
			sum[substr($0, RSTART, RLENGTH - 3)] += n
			n = 0
		}
		END { for (name in sum) print sum[name], name }' \
		/sys/kernel/debug/slab/*/alloc_traces /proc/vmallocinfo |
		sort -k 2 >"$tmp/objects"
	objects=$(awk '{ sum += $1 } END { print sum + 0 }' "$tmp/objects")
}

# RCU frees some of them a little later.
nothing_left()
{
	objects
	((objects <= before))
}

# The kernel does not survive a PCI device that it could not add: it attaches a driver to it.
prepare()
{
	check module_unload && check rmmod parqsim && check insmod "$PARQSIM_KO" nics=0 &&
		check inject_prepare parqsim pci_rescan_bus || return
	# What is made once is made here.
	nic_make left && set_to left/live 1 && set_to left/live 0 && objects && before=$objects &&
		cp "$tmp/objects" "$tmp/before" &&
		set_to left/live 1 && objects || return
	expect "objects of a live NIC" "$objects > $before" && set_to left/live 0
	wait_for 10 "a NIC leaves nothing" nothing_left
}

no_directory()
{
	[[ ! -e $configfs/left && ! -e $debugfs/left ]]
}

directory()
{
	each_step no_directory "rmdir $configfs/left" mkdir "$configfs/left"
}

# store FILE BEFORE AFTER
store()
{
	each_step "reads $1 $2" "set_to $1 $2" sh -c "echo $3 >$configfs/$1"
}

# What they hold is in the NIC's own memory: the text alone is allocated.
files()
{
	nic_make left && set_to left/mac 02:ab:00:00:00:10 && store left/ports 2 3 &&
		store left/mac 02:ab:00:00:00:10 02:ab:00:00:00:20 && set_to left/p0/wire loop &&
		store left/p0/wire loop,length=1 peer:right:p0,length=1
}

not_live()
{
	[[ $(<$configfs/left/live) == 0 && $(<$configfs/left/dev_name) == none ]]
}

goes_live()
{
	each_step not_live "set_to left/live 0" sh -c "echo 1 >$configfs/left/live"
}

# live WIRE: left, with this at its p0, and a recording.
live()
{
	defer rm -f "$tmp/left"
	nic_make left && set_to left/p0/record "$tmp/left" && set_to left/p0/wire "$1" && goes_live
}

# The other NIC is there already: two groups of NICs become one.
live_peer()
{
	nic_make right && set_to right/live 1 && live peer:right:p0 && reads right/live 1
}

live_netdev()
{
	check ip link add v0 type veth peer name v1 && defer ip link del v0 || return
	live netdev:v0
	same "promiscuity" "$(ip -d -j link show v0 | jq '.[0].promiscuity')" 0
}

# It must not fail: nobody could do anything about it.
goes_down()
{
	local n status=0

	nic_make right && set_to right/live 1 && nic_make left &&
		set_to left/p0/wire peer:right:p0 || return
	for ((n = 1; status != 3; n++)); do
		status=0
		set_to left/live 1 || return
		parq_fail $n sh -c "echo 0 >$configfs/left/live" || status=$?
		expect "status with allocation $n failing" "$status == 0 || $status == 3" || return
		check not_live || return
	done
	ktap_print_msg "$((n - 2)) allocations"
}

no_module()
{
	[[ ! -e /sys/module/parqsim && ! -e $debugfs ]]
}

# Where it will be nobody knows, but no other module is loaded.
module()
{
	local dir low

	low=$(awk '$4 == "[parqsim]" { print $1 }' /proc/kallsyms | sort | head -n 1)
	check rmmod parqsim && check no_module || return
	for dir in /sys/kernel/debug/fail*; do
		printf '%#x' $((0x$low - (64 << 20))) >"$dir/require-start"
		printf '%#x' $((0x$low + (64 << 20))) >"$dir/require-end"
	done
	each_step no_module "rmmod parqsim" insmod "$PARQSIM_KO" ports=1 txq=1 rxq=1 wire=p0=loop
}

leaks()
{
	nic_make left && wait_for 10 "nothing is leaked" nothing_left && return
	ktap_print_msg "objects $objects, before $before:" \
		"$(diff "$tmp/before" "$tmp/objects" | grep '^[<>]')"
	return 1
}

afterwards()
{
	# shellcheck source=/dev/null
	check . "$PARQ_NICS" && check find_nic && check topology_up &&
		check ping -q -c 3 -i 0.2 192.0.2.2
}

[[ -e $configfs ]] || mount -t configfs configfs /sys/kernel/config
# The NIC is another one in the end.
sums_known=0
faulty=1
run_tests \
	"allocations can fail" prepare \
	"a directory survives each failed allocation" directory \
	"files survive each failed allocation" files \
	"a NIC on a cable to itself survives each failed allocation" "live peer:p1" \
	"a NIC on a cable to another NIC survives each failed allocation" live_peer \
	"a NIC on an interface survives each failed allocation" live_netdev \
	"a NIC can be taken down whatever fails" goes_down \
	"nothing is leaked" leaks \
	"the module survives each failed allocation" module \
	"a NIC works afterwards" afterwards
