# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the kernel of User Mode Linux lacks, for scripts of net/forwarding. BASH_ENV names this file.
# A script calls ip a thousand times: a program in place of each would take twice as long.

# Without CGROUP_BPF there is no "ip vrf exec": ping binds to the VRF itself, and other programs
# that the tests start so bind to an interface.
ip()
{
	local vrf=$3

	if [[ "$1 $2" != "vrf exec" ]]; then
		command ip "$@"
		return
	fi
	shift 3
	# A scope is an interface already.
	[[ $1 != ping* || "$*" == *%* ]] || set -- "$1" -I "$vrf" "${@:2}"
	# A shell in the background becomes the program, and passes its signals on.
	((BASHPID == $$)) || exec "$@"
	"$@"
}

# Without act_gact there is no "drop": another action counts the frames. They go on, to an
# interface that has another address.
tc()
{
	local word words=()

	for word; do
		if [[ $word == drop ]]; then
			words+=(skbedit priority 0)
		else
			words+=("$word")
		fi
	done
	# Hosts are NICs that take only groups they have joined, and tests count others there.
	[[ "${FUNCNAME[1]} $2" != "mcast_packet_test add" ]] || command ip link set dev "$4" promisc on
	command tc "${words[@]}"
}
