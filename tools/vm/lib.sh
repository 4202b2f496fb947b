# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the scripts of tools/vm share; sourced, never run.

# shellcheck disable=SC2034 # used by the scripts that source this file
vm_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
repo=$(cd "$vm_dir/../.." && pwd -P)
cache=${PARQ_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/parq}

# The NIC of the tests: both ports on one cable of 10 m, whose ends are recorded.
# Links are slow here. Frames are fetched early, so that pauses find some to park.
fetch_early='--fetch 100000000'
nic_pair='--ports 2 --wire p0=peer:p1,length=10 --record p0=p0.pcapng --record p1=p1.pcapng --snaplen 128'

# Where the guest sees the built tests.
guest_tests=/parq/build/linux/tools/testing/selftests/drivers/net/parq

# chroot, mkfs and modprobe are not on everyone's path.
PATH=$PATH:/usr/sbin:/sbin

die()
{
	echo "${0##*/}: $*" >&2
	exit "${die_status:-1}"
}

# The file with the seconds that a step lasted the last time.
step_file()
{
	local name=${1//[^a-zA-Z0-9.]/-}

	echo "$cache/.seconds-${name:0:100}"
}

# The seconds that a step lasts: those of the last time, else about those of two processors.
step_seconds()
{
	local usual=20

	case $1 in
	"Debian tree "*) usual=150 ;;
	kernel*) usual=600 ;;
	packages*) usual=60 ;;
	esac
	cat "$(step_file "$1")" 2>/dev/null || echo "$usual"
}

# Shows how long a step has been going on, until it is killed or its shell has ended.
step_clock()
{
	local title=$1 start=$SECONDS usual

	usual=$(step_seconds "$title")
	while sleep 1 && kill -0 $$ 2>/dev/null; do
		printf '\r  %-44s%5d s of about %d s\033[K' "${title:0:44}" \
			$((SECONDS - start)) "$usual" >&2
	done
}

# step TITLE LOG CMD...: one line with the duration, which at a terminal counts; on failure
# the log's tail and what to do. CMD may be a function: it ends at the first command that fails,
# as long as step itself is not part of a condition.
step()
{
	local title=$1 log=$2 start=$EPOCHREALTIME status clock=''
	shift 2

	printf '  %-44s' "$title" >&2
	[[ ! -t 2 ]] || { step_clock "$title" & clock=$!; }
	set +e
	(set -e && "$@") >"$log" 2>&1 </dev/null
	status=$?
	if [[ $clock ]]; then
		kill "$clock"
		wait "$clock" 2>/dev/null
		printf '\r\033[K  %-44s' "$title" >&2
	fi
	set -e
	awk -v a="$start" -v b="$EPOCHREALTIME" -v s="$status" \
		'BEGIN { printf "%7.1f s%s\n", b - a, s ? "  FAILED" : "" }' >&2
	if ((status)); then
		tail -n 40 "$log" | sed 's/^/    /' >&2
		echo "    whole log: $log" >&2
		echo "    The same command goes on from here once the cause is gone." >&2
	elif ((${EPOCHREALTIME%.*} - ${start%.*} >= 5)); then
		# A shorter one had little to do.
		echo $((${EPOCHREALTIME%.*} - ${start%.*})) 2>/dev/null >"$(step_file "$title")" || true
	fi
	return "$status"
}

# Before a command, these words make it root over every id of a Debian tree, and
# what it mounts vanishes with it. Without root the kernel's user namespaces
# and the caller's ranges in /etc/subuid and /etc/subgid give the same.
in_namespace=(unshare --mount --propagation private)
((EUID == 0)) || in_namespace+=(--user --map-root-user --map-auto)

# Removes what nothing has used for a week of what the cache has by this name.
prune()
{
	find "$cache" -maxdepth 1 -type d -name "$1-*" -mtime +7 \
		-exec "${in_namespace[@]}" rm -rf --one-file-system {} +
}

# The kernels of the trees that are there, as "X.Y RELEASE TREE", oldest first.
kernels()
{
	local name path

	for name in bookworm trixie; do
		for path in "$("$vm_dir/tree" --path "$name")"/usr/lib/modules/*; do
			[[ $path =~ /(([0-9]+\.[0-9]+)\.[^/]*-amd64)$ ]] || continue
			echo "${BASH_REMATCH[2]} ${BASH_REMATCH[1]} $name"
		done
	done | sort -V
}

# The release and the tree of a kernel, and its directory if it is a test kernel.
# Named by its version alone, as "newest", as tools/vm/kernel has it, or by a tree with just one.
find_kernel()
{
	local line tree=trixie dir

	if [[ $1 == plain-* ]]; then
		dir=$("$vm_dir/tree" "$1")/usr/lib/modules || exit
		echo "$(ls "$dir") $1"
		return
	fi

	if [[ $1 =~ ^[a-z]+$ && $1 != newest ]]; then
		dir=$("$vm_dir/kernel" "$1") || exit
		echo "$(<"$dir/release") trixie $dir"
		return
	fi
	[[ $1 != 6.1 ]] || tree=bookworm
	"$vm_dir/tree" "$tree" >/dev/null
	line=$(kernels | awk -v v="$1" 'v == "newest" || $1 == v { last = $2 " " $3 } END { print last }')
	[[ $line ]] || die "no kernel $1: there are $(kernels | awk '{ print $1 }' | xargs)"
	echo "$line"
}
