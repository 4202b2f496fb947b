# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by the scripts of tools/vm, which source it.

# shellcheck disable=SC2034 # used by the scripts that source this file
vm_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
repo=$(cd "$vm_dir/../.." && pwd -P)
cache=${PARQ_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/parq}

# The NIC of the tests: both ports on one cable of 10 m, recorded at both ends. Links are slow
# in tests. So frames are fetched early: otherwise a pause would find none to park.
fetch_early='--fetch 100000000'
nic_pair='--ports 2 --wire p0=peer:p1,length=10 --record p0=p0.pcapng --record p1=p1.pcapng --snaplen 128'

# The built tests, as the guest sees them.
guest_tests=/parq/build/linux/tools/testing/selftests/drivers/net/parq

# chroot, mkfs and modprobe are not on everyone's path.
PATH=$PATH:/usr/sbin:/sbin

die()
{
	echo "${0##*/}: $*" >&2
	exit "${die_status:-1}"
}

[[ $cache == /* ]] || die "PARQ_CACHE: an absolute path, not '$cache'"

# unknown WHAT NAME: for an argument; usage is a function of the script.
unknown()
{
	echo "${0##*/}: unknown $1 '$2'" >&2
	usage >&2
	exit "${die_status:-2}"
}

# writable DIRECTORY REMEDY: it is made if it is not there.
writable()
{
	mkdir -p "$1" 2>/dev/null && [[ -w $1 ]] || die "$1 cannot be written to: $2"
}

# lock FD WHAT: waits for another command that has the lock, and says so.
lock()
{
	flock -n "$1" && return
	echo "  waiting for another command, which makes $2" >&2
	flock "$1"
}

# Prints the file that holds the duration of a step's last run, in seconds.
step_file()
{
	local name=${1//[^a-zA-Z0-9.]/-}

	echo "$cache/.seconds-${name:0:100}"
}

# Prints how long a step takes, in seconds: its last run, or an estimate for two processors.
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

# Shows the time that a step has taken so far, until it is killed or its shell ends.
step_clock()
{
	local title=$1 start=$SECONDS usual

	usual=$(step_seconds "$title")
	while sleep 1 && kill -0 $$ 2>/dev/null; do
		printf '\r  %-44s%5d s of about %d s\033[K' "${title:0:44}" \
			$((SECONDS - start)) "$usual" >&2
	done
}

unreachable='Temporary failure resolving|Could not (resolve|connect)|Unable to connect|Failed to fetch'
unreachable+='|Connection (timed out|refused)'

# Shows why a step failed, by its log, and what to do.
explain()
{
	if grep -qE "$unreachable" "$1"; then
		grep -E "$unreachable" "$1" | tail -n 4
		echo "whole log: $1"
		echo "Debian's archive cannot be reached. On this machine \"apt-get update\" has to work:"
		echo "check the network, and the sources and proxies of apt. Then repeat the command."
	elif grep -E 'No space left on device|enough free space' "$1" | tail -n 4 | grep .; then
		echo "whole log: $1"
		echo "A disk is full. PARQ_CACHE names another place than $cache."
		echo "With more room the same command continues here."
	else
		tail -n 40 "$1"
		echo "whole log: $1"
		echo "Once the cause is mended, the same command continues here."
	fi
}

# step TITLE LOG CMD...: prints one line with the duration, which counts up at a terminal; on
# failure also why, and what to do. CMD may be a function. It ends at the first
# command that fails, unless step itself is part of a condition.
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
		explain "$log" | cut -c -200 | sed 's/^/    /' >&2
	elif ((${EPOCHREALTIME%.*} - ${start%.*} >= 5)); then
		# A shorter run found most of it done.
		echo $((${EPOCHREALTIME%.*} - ${start%.*})) 2>/dev/null >"$(step_file "$title")" || true
	fi
	return "$status"
}

# A prefix for a command: it runs as root over all ids of a Debian tree, and its mounts vanish
# when it ends. Without root this needs user namespaces and the caller's ranges in
# /etc/subuid and /etc/subgid.
in_namespace=(unshare --mount --propagation private)
((EUID == 0)) || in_namespace+=(--user --map-root-user --map-auto)

# code FILE...: prints shell scripts and configurations without comments, to be hashed: a new
# comment rebuilds nothing.
code()
{
	grep -hv '^[[:space:]]*#' "$@"
}

# Removes entries of the cache with this name that were not used for a week.
prune()
{
	find "$cache" -maxdepth 1 -type d -name "$1-*" -mtime +7 \
		-exec "${in_namespace[@]}" rm -rf --one-file-system {} +
}

# Prints the kernels of the existing trees as "X.Y RELEASE TREE", oldest first.
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

# Prints release and tree of a kernel, and its directory if it is a test kernel. The name of the
# kernel is a version, "newest", a test kernel of tools/vm/kernel, or a tree with one kernel.
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
