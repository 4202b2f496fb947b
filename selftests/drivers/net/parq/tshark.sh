#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Wireshark knows what the recordings of the wire hold.
#
# p1 pauses priorities of p0 with PFC frames; tshark reads both ends of the cable, and names
# the same classes and times in the same order, at each end in its direction. What a NIC whose
# buffers are full sends of them is read in roce.sh.
#
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# Mask of the priorities and time, in quanta.
PAUSES=(
	"0x01 1" "0x02 100" "0x04 65535" "0x08 65535" "0x10 1000" "0x20 7" "0x40 300" "0x80 9"
	"0x18 4660" "0xff 20000" "0xff 0"
)

# fields PORT FIELD...: of MAC control frames, one a line.
fields()
{
	local port=$1 args=() field
	shift

	for field; do
		args+=(-e "$field")
	done
	wait_for 10 "end of the recording of $port" recorded "$port"
	tshark -n -r "${recording[$port]}" -Y "eth.type == 0x8808" -T fields "${args[@]}" \
		2>"$tmp/tshark"
}

# What must be there of the frames above.
expected()
{
	local pause prio mask quanta

	for pause in "${PAUSES[@]}"; do
		read -r mask quanta <<<"$pause"
		printf '0x0101\t0x00%02x' $((mask))
		for prio in {0..7}; do
			printf '\t%d' $((mask >> prio & 1 ? quanta : 0))
		done
		echo
	done
}

named()
{
	local port pause mask quanta directions

	check record_restart || return
	for pause in "${PAUSES[@]}"; do
		read -r mask quanta <<<"$pause"
		check pfc p0 once --prios "$mask" --quanta "$quanta" || return
	done
	expected >"$tmp/expected"
	for port in p0 p1; do
		check fields $port macc.opcode macc.cbfc.enbv \
			macc.cbfc.pause_time.c{0..7} >"$tmp/named"
		check diff "$tmp/expected" "$tmp/named" || return
	done
	# In and out, as pcapng numbers them.
	for port in p0 p1; do
		directions=$(fields $port eth.src frame.packet_flags_direction _ws.malformed |
			sort -u)
		same "at $port" "$directions" "$(printf '%s\t0x%08x\t' \
			"$(<"${sysfs[p1]}/address")" $((1 + ${port#p})))"
	done
}

run_tests \
	"tshark shows the classes and times of PFC frames" named
