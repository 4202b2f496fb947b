# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# User Mode Linux: a kernel that is a process of this host, in simulated time. Computing takes
# no time, sleeping ends at once, and the same seed gives the same run. Its NICs are
# parqsim.ko behind its PCI emulation. Sourced by boot.

# shellcheck disable=SC2034,SC2154 # variables shared with boot
. "$vm_dir/parqsim.sh"

machine_log=$run/console.log

# Start of the simulated clock. Only certificates and file times depend on it.
uml_start_ns=1700000000000000000

# Input of the consoles: a pipe without data. /dev/null does not support epoll, and User Mode
# Linux reports that by allocating memory in atomic context.
uml_args()
{
	local -A mode=([seccomp]=on [ptrace]=off)
	local words

	args=(
		umid=parq uml_dir=/tmp/uml/ "mem=$memory" "seccomp=${mode[$accel]}"
		root=none rootfstype=hostfs rootflags=/ init=/srv/parq/tools/vm/uml-init
		con=null console=tty1 "con1=fd:$never1,fd:2"
		norandmaps no_hash_pointers "seed=$seed"
	)
	[[ $real_time ]] ||
		args+=(time-travel=inf-cpu "time-travel-start=$uml_start_ns")
	if [[ $shell ]]; then
		args+=("con0=fd:0,fd:1" parq.shell)
	else
		args+=("con0=fd:$never0,fd:1")
	fi
	# kmemleak scans memory that User Mode Linux has not mapped, and crashes. Even unused it
	# stores the stack of each allocation, which doubles the run time.
	[[ $kernel != umdebug ]] || args+=(kmemleak=off)
	read -ra words <<<"$oops$append"
	args+=("${words[@]}")
}

machine_begin()
{
	[[ ! $iommu ]] || die "--iommu is not supported with User Mode Linux"
	((${#qemu_words[@]} == 0)) || die "--qemu is not supported with User Mode Linux"
	[[ ! $shell ]] || real_time=1
	accel=${accel:-$("$vm_dir/uml-probe" "$test_kernel")}
	[[ $accel =~ ^(seccomp|ptrace|none)$ ]] || die "--accel: seccomp or ptrace, not '$accel'"
	[[ $accel != none ]] || die "User Mode Linux does not start here: neither seccomp nor ptrace"
	write_nics
	told="$accel, $([[ $real_time ]] && echo "real time" || echo "simulated time"), seed $seed"
}

# Pins the machine to one processor, if possible one without another machine: its kernel and
# its programs are processes that take turns, and waking one on another processor is slow.
choose_cpu()
{
	local cpus

	mapfile -t cpus < <(taskset -cp $$ | sed 's/.*: //' | tr , '\n' |
		awk -F- '{ for (cpu = $1; cpu <= ($2 == "" ? $1 : $2); cpu++) print cpu }')
	for cpu in "${cpus[@]}"; do
		exec {cpu_lock}>"$cache/.cpu-$cpu.lock"
		! flock -n "$cpu_lock" || break
		exec {cpu_lock}>&-
	done
}

# start_uml OUTPUT
start_uml()
{
	local mounts=()

	[[ ! $guest ]] || mounts=(--ro "$guest:/srv/guest")
	exec {stdin}<&0
	setpriv --pdeathsig KILL timeout --foreground -s KILL "$timeout" \
		taskset -c "$cpu" "$vm_dir/enter" trixie \
		--ro "$test_kernel:/srv/kernel" --rw "$run:/srv/run" --ro "$repo:/srv/parq" \
		"${mounts[@]}" -- env TMPDIR=/tmp /srv/kernel/linux "${args[@]}" \
		<&"$stdin" >"$1" 2>"$run/console.log" &
	vm_pid=$!
}

# Runs the machine to its end. Output of the command goes to standard output, that of the
# kernel to standard error.
machine_run()
{
	exec {never0}<> <(:) {never1}<> <(:)
	uml_args
	choose_cpu
	if [[ $shell ]]; then
		start_uml /dev/stdout
		wait "$vm_pid" || true
	else
		mkfifo "$tmp/output"
		start_uml "$tmp/output"
		tee "$run/output.log" <"$tmp/output"
	fi
}

# Sets $status, the exit status of boot.
machine_end()
{
	[[ ! $vm_pid ]] || kill -KILL "$vm_pid"
	[[ $status == 0 || $real_time ]] || again >&2
}

# The command that repeats the run.
again()
{
	[[ " ${asked[*]} " == *" --seed "* ]] || asked=(--seed "$seed" "${asked[@]}")
	echo "    again:$(printf ' %q' "$vm_dir/boot" "${asked[@]}")"
}
