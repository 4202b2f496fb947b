#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# PCI Express errors under traffic, while frames are parked, injected where the root
# port reports them.
#
# A corrected error changes nothing. After a non-fatal error, and after a fatal error, which
# resets the link, the driver sets up the NIC as before: interfaces stay, traffic goes on by
# itself, no frame is sent twice or out of order. The same holds if the slot was frozen, and
# registers read as ones, until the driver gave the NIC up.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# Bits of the status registers, PCI Express base specification, 7.8.4.
UNCOR_DATA_LINK=0x10		# fatal
UNCOR_COMPLETION_TIMEOUT=0x4000	# not fatal
COR_BAD_TLP=0x40

le32()
{
	local i

	for i in 0 8 16 24; do
		printf '\\x%02x' $((($1 >> i) & 0xff))
	done
}

# inject UNCORRECTABLE CORRECTABLE, see struct aer_error_inj of the kernel.
inject()
{
	local bus device function record

	IFS=:. read -r _ bus device function <<<"$pci"
	record=$(printf '\\x%02x' "0x$bus" "0x$device" "0x$function" 0)
	record+=$(le32 "$1")$(le32 "$2")$(le32 0)$(le32 0)$(le32 0)$(le32 0)$(le32 0)
	printf '%b' "$record" >/dev/aer_inject
}

inject_prepare()
{
	[[ -e /dev/aer_inject ]] || check modprobe aer_inject
}

# Errors of a kind that the device, or its port, was seen to have.
reported()
{
	dmesg | sed "1,/$1/d" | grep -qE "$2"
}

carries_on()
{
	link_up || return
	wait_for 20 "all priorities send again" flowing p0
}

# aer EXECUTOR UNCORRECTABLE CORRECTABLE LOG
aer()
{
	local mark=parq-aer-$SRANDOM

	expected_complaint='AER'
	pfc_prepare "$1" || return
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	echo "$mark" >/dev/kmsg
	check inject "$2" "$3" || return
	wait_for 20 "the kernel sees the error" reported "$mark" "$4" || return
	check pause_end p0
	carries_on || return
	check set_neighbours
	check pfc p0 storm --speed "$MBIT" --pauses 100 --seed "$SRANDOM" || return
	check traffic_stop p0
	check ping -q -c 3 -i 0.2 192.0.2.2
	judge p0
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "late" "${wire[p0_all_late]} == 0"
	expect "pauses afterwards" "${wire[p0_all_pauses]} >= 80"
	((!$3)) || expect "lost" "${wire[p0_all_lost]} == 0"
}

# Without memory space and bus mastering the NIC neither answers nor writes.
frozen()
{
	local mark=parq-aer-$SRANDOM

	expected_complaint='AER'
	pfc_prepare offload || return
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	echo "$mark" >/dev/kmsg
	check setpci -s "$pci" COMMAND=0:6 || return
	wait_for 20 "the driver gives the NIC up" reported "$mark" "device has gone" || return
	check_refused dcb pfc set dev p0 prio-pfc all:off
	check inject "$UNCOR_DATA_LINK" 0 || return
	wait_for 20 "the slot is back" reported "$mark" recovery.successful || return
	check pause_end p0
	carries_on || return
	check dcb pfc set dev p0 prio-pfc all:off
	check pfc_set p0 all:on
	check traffic_stop p0
	check set_neighbours
	check ping -q -c 3 -i 0.2 192.0.2.2
	judge p0
	expect "sent twice" "${wire[p0_all_twice]} == 0"
	expect "late" "${wire[p0_all_late]} == 0"
}

# A NIC that is gone does not say what it sent since the driver last asked.
sums_known=0
# frozen comes first: once there has been an error, lockdep dislikes what aer_inject
# does in the configuration space when setpci asks for it.
run_tests \
	"the kernel can inject errors" inject_prepare \
	"a NIC that was lost recovers from a fatal error" frozen \
	"the port survives a corrected error" "aer offload 0 $COR_BAD_TLP severity=Correctable" \
	"the port survives a non-fatal error, offload" "aer offload $UNCOR_COMPLETION_TIMEOUT 0 recovery.successful" \
	"the port survives a non-fatal error, managed" "aer managed $UNCOR_COMPLETION_TIMEOUT 0 recovery.successful" \
	"the port recovers from a fatal error, offload" "aer offload $UNCOR_DATA_LINK 0 recovery.successful" \
	"the port recovers from a fatal error, managed" "aer managed $UNCOR_DATA_LINK 0 recovery.successful"
