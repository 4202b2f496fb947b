#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory runs out: allocations that the driver makes on behalf of the user fail, one at a
# time, wherever it makes any; those that it makes to receive, many at a time.
#
# The request fails, changes nothing and leaks nothing; or it succeeds without the memory.
# Traffic and pauses go on. Frames that could not be received are counted, and later ones
# arrive once there is memory. The kernel needs fault injection with a stack filter: only
# allocations of the driver fail.
#
#	p0 ==== data ====>  (nobody, or p1)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# Allocations of a request at most, and of what is known from one to the next.
MOST=4000 STRIDE=16

# "ADDRESS NAME [MODULE]" of the kernel's functions, in the order of their addresses.
functions()
{
	awk '$2 ~ /[tT]/ { print $1, $3, $4 }' /proc/kallsyms | sort
}

# A file of /proc/irq that could not be made warns when it is removed: that is the
# kernel's own business. When the slab allocator needs another page is chance, and the
# allocation that needs it has failed already.
inject_prepare()
{
	local dir low high not_low not_high
	local -A reject=([failslab]=register_irq_proc [fail_page_alloc]=allocate_slab)

	functions >"$tmp/functions"
	read -r low high < <(awk '$3 == "[parq]" { print $1 }' "$tmp/functions" |
		sed -n '1p;$p' | xargs)
	# Other memory than these may fail too, and what starts a program asks for it.
	for dir in /sys/kernel/debug/fail*; do
		echo -1 >"$dir/times"
		echo 2 >"$dir/verbose"
		echo 32 >"$dir/stacktrace-depth"
		echo "0x$low" >"$dir/require-start"
		echo "0x$high" >"$dir/require-end"
	done
	for dir in "${!reject[@]}"; do
		read -r not_low not_high < <(grep -A 1 " ${reject[$dir]} " "$tmp/functions" |
			cut -d ' ' -f 1 | xargs)
		dir=/sys/kernel/debug/$dir
		check test -e "$dir" -a -n "$not_high" || return
		echo N >"$dir/ignore-gfp-wait"
		echo "0x$not_low" >"$dir/reject-start"
		echo "0x$not_high" >"$dir/reject-end"
	done
	echo 0 >/sys/kernel/debug/fail_page_alloc/min-order
}

# What the kernel has said since the last time.
kernel_says()
{
	dd bs=8k iflag=nonblock <&"$kmsg" 2>/dev/null
}

# Not refused for another reason: an earlier change may still wait for frames.
attempt()
{
	status=0
	parq_fail "$@" 2>/dev/null || status=$?
	((status != 4))
}

# fail N UNCHANGED UNDO COMMAND...: the program, with its Nth allocation failing. The calls of
# the driver that led to it are in $where: "unsaid" if it is one of which the kernel does not
# tell, nothing if there were fewer. UNCHANGED has to hold when the program fails, UNDO
# takes back what it does.
fail()
{
	local n=$1 unchanged=$2 undo=$3 status
	shift 3

	kernel_says >/dev/null
	wait_for 30 "'$*' is not refused" attempt "$n" "$@" || return
	# Not what is found on the stack, but is nobody's frame.
	where=$(kernel_says | sed -n '/FAULT_INJECTION/,$ {
		/ ? /d
		s/.*[; ]\([a-z0-9_.]*+0x[^ ]*\) \[parq\].*/\1/p
	}')
	where=${where:-unsaid}
	case $status in
	0 | 3)
		((status == 0)) || where=
		# shellcheck disable=SC2086 # a command with its arguments
		check $undo
		;;
	1)
		((failed += 1))
		# shellcheck disable=SC2086 # a command with its arguments
		check $unchanged
		;;
	*) expect "status of parq_fail" "$status < 2" ;;
	esac || { ktap_print_msg "after allocation $n of: $*"; return 1; }
}

# Where allocations fail is for the log: a serial line is slow, and has warnings only.
warnings_only()
{
	local printk

	read -r printk </proc/sys/kernel/printk
	defer eval "echo '$printk' >/proc/sys/kernel/printk"
	echo 5 5 >/proc/sys/kernel/printk
}

# each_step UNCHANGED UNDO COMMAND...: until no allocation is left that could fail.
#
# The kernel makes hundreds of them for one call of the driver, and the driver pages for a
# whole ring. Where one has failed before, some are passed over, unless something new comes
# after them.
each_step()
{
	local n stride=1 last=0 resume=0 failed=0 where
	local -A seen=()

	# Who holds a network device the kernel notes, too, and says so once if it can't.
	expected_complaint='ref_tracker: memory allocation failure'
	warnings_only
	for ((n = 1; n <= MOST; n += stride)); do
		fail $n "$@" || return
		if ((stride > 1)) && [[ ! ${where:+${seen[$where]:-}} ]]; then
			# New, or the end: nothing in front of that is to be passed over.
			resume=$n n=$last stride=1
			continue
		fi
		[[ $where ]] || break
		if [[ ${seen[$where]:-} ]] && ((n >= resume)); then
			((stride = stride < STRIDE ? 2 * stride : STRIDE))
		fi
		seen[$where]=1 last=$n
	done
	shift 2
	ktap_print_msg "$*: $((n - 1)) allocations in ${#seen[@]} places, $failed tries failed"
	expect "allocations that fail" "$failed > 1"
	expect "the last allocation" "$n < $MOST"
}

bind()
{
	echo "$pci" >/sys/bus/pci/drivers/parq/bind
}

unbind()
{
	echo "$pci" >/sys/bus/pci/drivers/parq/unbind
}

unbound()
{
	[[ ! -e /sys/bus/pci/devices/$pci/driver && ! -e /sys/bus/pci/devices/$pci/net ]]
}

probe()
{
	check unbind || return
	each_step unbound unbind sh -c "echo $pci >/sys/bus/pci/drivers/parq/bind"
	check bind && check topology_up && check ping -q -c 3 -i 0.2 192.0.2.2
}

is_down()
{
	[[ $(<"${sysfs[p0]}/flags") =~ [02468ace]$ ]]
}

open()
{
	check ip link set p0 down || return
	each_step is_down "ip link set p0 down" ip link set p0 up
	check topology_up && check ping -q -c 3 -i 0.2 192.0.2.2
}

pfc_is_off()
{
	[[ $(dcb -j pfc show dev p0 prio-pfc | jq -c '.prio_pfc | unique') == "[false]" ]]
}

# Under traffic and pauses.
busy()
{
	pfc_prepare offload || return
	check traffic_start p0 0xff || return
	storm_begin p0
	"$@"
	storm_end p0
	wait_for 20 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	# Flows may move when the number of channels changes.
	judge p0
	expect "lost" "${wire[p0_all_lost]} == 0"
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "leaks" "${wire[p0_all_leaks]} == 0"
}

change_rings()
{
	each_step "rings_are p0 512" "rings_set p0 512" \
		ethtool -G p0 rx 256 tx 256
}

change_channels()
{
	check channels_set p0 1 || return
	each_step "channels_are p0 1" "channels_set p0 1" \
		ethtool -L p0 combined 2
	check channels_set p0 2
}

# A park queue for each priority.
pfc_on()
{
	pfc_set p0 all:off
	each_step pfc_is_off "pfc_set p0 all:off" \
		dcb pfc set dev p0 prio-pfc all:on
	check pfc_set p0 all:off
}

# short failslab|fail_page_alloc PERCENT: so many of the driver's allocations fail, on behalf
# of any process, without a warning.
short()
{
	local dir=/sys/kernel/debug/$1

	echo $(($2 ? 0 : 2)) >"$dir/verbose" && echo "$2" >"$dir/probability"
}

# In NAPI nobody is there to be told. The pages of what a program does not read are not to be
# had again.
receiving()
{
	defer rings_set p1 512
	check rings_set p1 64 && check receive_start p1 && check counters_begin || return
	exec_at p0 parq_traffic send --dev p0 --to 192.0.2.2 --flows 2 >"$tmp/sent" &
	defer kill_quietly $!
	wait_for 10 "p1 receives" counts "counted[p1_rx_csum_ok] > 100"

	defer short failslab 0
	check short failslab 50
	wait_for 20 "frames without an skb" counts "counted[p1_rx_no_skb] > 10"
	check short failslab 0

	kill -STOP "${receive_pid[1]}"
	defer short fail_page_alloc 0
	check short fail_page_alloc 100
	wait_for 20 "a ring without pages" counts \
		"counted[p1_rx_no_page] > 0 && counted[p1_rx_drop_nobuf] > 0"
	check short fail_page_alloc 0
	kill -CONT "${receive_pid[1]}"
	ktap_print_msg "no skb ${counted[p1_rx_no_skb]}, no page ${counted[p1_rx_no_page]}," \
		"no buffer ${counted[p1_rx_drop_nobuf]}"
	check counters_begin
	wait_for 10 "p1 receives again" counts "counted[p1_rx_csum_ok] > 1000"
}

faulty=1
exec {kmsg}</dev/kmsg
run_tests \
	"allocations can fail" inject_prepare \
	"probe survives each failed allocation" probe \
	"open survives each failed allocation" open \
	"changes of rings survive each failed allocation, under pauses" "busy change_rings" \
	"changes of channels survive each failed allocation, under pauses" "busy change_channels" \
	"turning PFC on survives each failed allocation" pfc_on \
	"a receiver short of memory recovers" receiving
