# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The NIC processes of a VM, and the channel over which the guest asks the host to act
# on them; sourced by qemu.sh.
#
# The guest writes one request a line to the virtio-serial port "control" and
# reads one line back, "ok" or "error: REASON" (tools/vm/ask does both):
#
#	nic N kill	kill the process: the device is gone without notice
#	nic N replace	kill the process if it runs, start a new one with the same
#			arguments, and plug its device into the NIC's spare slot
#	nic N stop	stop the process: the device hangs
#	nic N cont	continue the process
#	nic N fault KINDS	from now on, inject only these faults: parq-nic(8), SIGUSR2
#	monitor LINE	pass a line to QEMU's monitor; its answer follows "ok"

# shellcheck disable=SC2154 # repo comes from lib.sh, the rest from boot
# Limit in seconds for a NIC to open its socket, and for QEMU to answer.
socket_limit=10
qmp_limit=10

# n NICs have slots 0 to n - 1, and spare slots n to 2n - 1.
nic_device()
{
	local slot=${nic_slot[$1]}

	printf '{"driver":"vfio-user-pci","id":"nic%d","bus":"slot%d",' "$slot" "$slot"
	printf '"socket":{"type":"unix","path":"/run/vm/nic%d.sock"}}' "$slot"
}

nic_alive()
{
	[[ ${nic_pid[$1]:-} ]] && kill -0 "${nic_pid[$1]}" 2>/dev/null
}

nic_start()
{
	local n=$1 socket=$tmp/nic${nic_slot[$1]}.sock end=$((SECONDS + socket_limit)) args

	[[ -x $repo/build/host/parq-nic ]] || { echo "no parq-nic: make nic"; return 1; }
	eval "args=(${nics[n]})"
	(cd "$run" && exec setpriv --pdeathsig KILL "$repo/build/host/parq-nic" \
		--socket "$socket" "${args[@]}" </dev/null >>"nic$n.log" 2>&1) &
	nic_pid[n]=$!
	until [[ -S $socket ]]; do
		nic_alive "$n" || { echo "nic $n has ended, see $run/nic$n.log"; return 1; }
		((SECONDS < end)) || { echo "nic $n opens no socket"; return 1; }
		sleep 0.02
	done
}

# nic_signal N SIGNAL [OPTION OF KILL]...
nic_signal()
{
	nic_alive "$1" || { echo "nic $1 does not run"; return 1; }
	env kill -s "$2" "${@:3}" "${nic_pid[$1]}"
}

nic_fault()
{
	[[ $2 =~ ^[0-9]+$ ]] || { echo "fault: a number, not '$2'"; return 1; }
	nic_signal "$1" USR2 -q "$2"
}

nic_end()
{
	nic_signal "$1" "$2" || return
	wait "${nic_pid[$1]}" 2>/dev/null || true
}

# One QMP command, its answer on stdout.
qmp()
{
	local line

	echo "$1" >&"$qmp_in"
	while read -r -t "$qmp_limit" line <&"$qmp_out"; do
		case $line in
		'{"return"'*) echo "$line" && return ;;
		'{"error"'*) echo "$line" && return 1 ;;
		esac
	done
	echo "QEMU does not answer"
	return 1
}

monitor()
{
	local line=${1//\\/\\\\}

	qmp "{\"execute\":\"human-monitor-command\",\"arguments\":{\"command-line\":\"${line//\"/\\\"}\"}}"
}

# QEMU 11.1 aborts when a vfio-user device is unplugged. So the new device gets another
# slot, like a second card.
nic_replace()
{
	local n=$1

	((nic_slot[n] == n)) || { echo "the spare slot of nic $n is taken"; return 1; }
	! nic_alive "$n" || nic_end "$n" KILL
	nic_slot[n]=$((n + ${#nics[@]}))
	nic_start "$n" &&
		qmp "{\"execute\":\"device_add\",\"arguments\":$(nic_device "$n")}"
}

nic_request()
{
	local n=${1:-} verb=${2:-}

	if [[ ! $n =~ ^[0-9]$ ]] || ((n >= ${#nics[@]})); then
		echo "no nic '$n', there are ${#nics[@]}"
		return 1
	fi
	case $verb in
	kill) nic_end "$n" KILL ;;
	stop) nic_signal "$n" STOP ;;
	cont) nic_signal "$n" CONT ;;
	fault) nic_fault "$n" "${3:-}" ;;
	replace) nic_replace "$n" ;;
	*) echo "nic: kill, replace, stop, cont or fault, not '$verb'" && return 1 ;;
	esac
}

# The monitor answers once QEMU has opened all its files.
qmp_greet()
{
	local line

	exec {qmp_in}<>"$tmp/qmp.in" {qmp_out}<>"$tmp/qmp.out"
	until read -r -t 0.2 line <&"$qmp_out"; do
		kill -0 "$vm_pid" 2>/dev/null || return 1
	done
	qmp '{"execute":"qmp_capabilities"}' >/dev/null
}

# Answers the guest until QEMU, the only writer, closes its end.
control_serve()
{
	local verb rest hold control answers args status

	# Without a writer open() would block: keep one until QEMU has opened its end.
	exec {hold}<>"$tmp/control.out"
	exec {control}<"$tmp/control.out"
	exec {hold}>&-
	exec {answers}<>"$tmp/control.in"
	while read -r verb rest <&"$control"; do
		status=0
		read -ra args <<<"$rest"
		case $verb in
		nic) nic_request "${args[@]}" ;;
		monitor) monitor "$rest" ;;
		*) echo "nic or monitor, not '$verb'" && false ;;
		esac >"$tmp/answer" 2>&1 || status=$?
		if ((status)); then
			echo "error: $(<"$tmp/answer")"
		else
			echo "ok $(<"$tmp/answer")"
		fi
	done >&"$answers"
}
