# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# NICs that the guest has inside its own kernel, parqsim.ko; sourced by uml.sh and
# qemu.sh.

# shellcheck disable=SC2154 # what it uses comes from boot

# Options of parq-nic as parameters of parqsim.ko: the same names with "_", repeated ones
# joined by ";", recordings where the guest sees them.
nic_parameters()
{
	local name value order=()
	local -A parameter=()

	while (($#)); do
		[[ $1 == --* ]] || die "--nic: '$1' is no option"
		name=${1#--} value=1
		name=${name//-/_}
		shift
		[[ $# -eq 0 || $1 == --* ]] || { value=$1 && shift; }
		[[ $name != record ]] || value=${value%%=*}=/run/parq/${value#*=}
		[[ ${parameter[$name]:-} ]] || order+=("$name")
		parameter[$name]+=${parameter[$name]:+;}$value
	done
	for name in "${order[@]}"; do
		printf ' %q' "$name=${parameter[$name]}"
	done
}

# What the guest's first process runs before the command.
write_nics()
{
	local n args dir=$version

	# As kmod calls it.
	[[ $test_kernel || ! $release =~ ^[0-9]+\.[0-9]+ ]] || dir=${BASH_REMATCH[0]}
	((${#nics[@]} <= 1)) || die "--nic: one inside the kernel"
	for n in "${!nics[@]}"; do
		eval "args=(${nics[n]})"
		# Built into test kernels.
		echo "modprobe -q configfs"
		echo "insmod /parq/build/$dir/parqsim.ko$(nic_parameters "${args[@]}")"
	done >"$run/nics"
}
