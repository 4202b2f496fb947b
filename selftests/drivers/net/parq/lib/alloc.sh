# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Allocations that fail, one at a time; sourced by tests that have lib.sh. The kernel needs fault
# injection with a stack filter: only allocations that a module asks for fail.
# shellcheck disable=SC2034,SC2154 # variables of the other files

# Whose allocations fail.
alloc_module=
exec {kmsg}</dev/kmsg

# Allocations of a request at most, and of what is known from one to the next.
MOST=4000 STRIDE=16

# "ADDRESS NAME [MODULE]" of the kernel's functions, in the order of their addresses.
functions()
{
	awk '$2 ~ /[tT]/ { print $1, $3, $4 }' /proc/kallsyms | sort
}

# inject_prepare MODULE FUNCTION: its allocations can fail, except those of FUNCTION, which is
# the kernel's.
#
# When the slab allocator needs another page is chance, and the allocation that needs it has
# failed already.
inject_prepare()
{
	local dir low high not_low not_high
	local -A reject=([failslab]=$2 [fail_page_alloc]=allocate_slab)

	alloc_module=$1
	functions >"$tmp/functions"
	# Compilers make one of the two.
	grep -q " allocate_slab " "$tmp/functions" || reject[fail_page_alloc]=new_slab
	read -r low high < <(awk -v module="[$1]" '$3 == module { print $1 }' "$tmp/functions" |
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
		read -r not_low not_high < <(grep -m 1 -A 1 " ${reject[$dir]} " "$tmp/functions" |
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
# the module that led to it are in $where: "unsaid" if it is one of which the kernel does not
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
		s/.*[; ]\([a-z0-9_.]*+0x[^ ]*\) \['"$alloc_module"'\].*/\1/p
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
	expect "allocations that fail" "$failed > 0"
	expect "the last allocation" "$n < $MOST"
}
