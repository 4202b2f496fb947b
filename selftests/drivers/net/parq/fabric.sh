#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Random fabrics, each as its seed says: hosts and switches, traffic in lossless and in other
# priorities, pauses, changes of settings, faults. parq-lab draws them, makes them of parqsim's NICs
# in this kernel, and accounts for every frame. FABRIC_SEED is the first of FABRIC_SEEDS.
#
# The NIC of the machine has no part in it. Of UML's eight PCI slots it has one.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/nics.sh
. "$(dirname "$0")/lib/nics.sh"

: "${FABRIC_SEED:=1}" "${FABRIC_SEEDS:=5}"
: "${FABRIC_NICS:=$([[ $(kernel_name) == um* ]] && echo 7 || echo 20)}"
: "${PARQ_LAB:=${build%/build}/tools/lab/lab}"

# fabric SEED: the verdict of its file.
fabric()
{
	local file=$tmp/fabric-$1.yaml before

	before=$(ls "$configfs" /run/netns)
	check eval "'$PARQ_LAB' draw $1 --nics $FABRIC_NICS >$file" || return
	"$PARQ_LAB" run "$file" >"$tmp/said" 2>&1
	expect "exit status" "$? == 0"
	sed 's/^/# /' "$tmp/said"
	same "what is left" "$(ls "$configfs" /run/netns)" "$before"
	((RET == 0)) || ktap_print_msg "again: FABRIC_SEED=$1 FABRIC_SEEDS=1 tools/check fabric;" \
		"the file: parq-lab draw $1 --nics $FABRIC_NICS"
}

nics_begin
tests=()
for ((seed = FABRIC_SEED; seed < FABRIC_SEED + FABRIC_SEEDS; seed++)); do
	tests+=("fabric of seed $seed" "fabric $seed")
done
run_tests "${tests[@]}"
