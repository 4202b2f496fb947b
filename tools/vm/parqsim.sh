# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# NICs inside the guest's kernel, by parqsim.ko; sourced by uml.sh and qemu.sh.

# shellcheck disable=SC2154 # boot sets these variables

# Prints options of parq-nic as parameters of parqsim.ko: names have "_" for "-", repeated
# options are joined by ";", recordings are written to the guest's run directory.
nic_parameters()
{
	local name value order=()
	local -A parameter=()

	while (($#)); do
		[[ $1 == --* ]] || die "--nic: '$1' is not an option"
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

# Prints the commands that the guest's first process runs first.
write_nics()
{
	local n args dir=$version

	# The directory that kmod builds in.
	[[ $test_kernel || ! $release =~ ^[0-9]+\.[0-9]+ ]] || dir=${BASH_REMATCH[0]}
	((${#nics[@]} <= 1)) || die "--nic: one inside the kernel"
	for n in "${!nics[@]}"; do
		eval "args=(${nics[n]})"
		# Test kernels have it built in.
		echo "modprobe -q configfs"
		echo "insmod /parq/build/$dir/parqsim.ko$(nic_parameters "${args[@]}")"
	done >"$run/nics"
}
