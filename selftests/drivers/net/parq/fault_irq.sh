#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Interrupts are lost, late, or come twice, under traffic both ways and pauses.
#
# Nothing that is sent may get lost or out of order by that, in either executor,
# and all goes on when it is over. A driver that waits for an interrupt which was lost
# notices within seconds, and counts it. An event that comes late speaks of a queue that
# no longer exists.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# interrupts KINDS EXECUTOR
interrupts()
{
	local kinds=$1 before

	pfc_prepare "$2" || return
	before=$(lost_interrupts)
	check traffic_start p0 0xff --flows 2 || return
	check pause_begin p0 0xff || return
	check fault_begin "$kinds" || return
	check pause_end p0
	check pfc p0 storm --speed "$MBIT" --pauses 1000 --on 4000 --off 6000 --seed "$SRANDOM" ||
		return
	# Long enough for the watch.
	pfc p0 once --count 10 --every 300000
	pfc p0 once --quanta 0
	check fault_end
	wait_for 20 "all priorities send again" flowing p0 || return
	check traffic_stop p0
	check judge p0
	ktap_print_msg "interrupts found lost: $(($(lost_interrupts) - before))"
	[[ $kinds != "$FAULT_LOST" ]] ||
		expect "interrupts found lost" "$(lost_interrupts) > $before"
}

# Something more important keeps the thread that reads events from running.
late_event()
{
	local before irq fair=/sys/kernel/debug/sched/fair_server/cpu1/runtime hog mark

	expected_complaint='parq.*(reset|no completion)|NETDEV WATCHDOG'
	before=$(channel_count p0)
	defer channels_set p0 "$before"
	channels_set p0 1 || return
	irq=$(awk -v pci="$pci" '$NF == pci { sub(":", "", $1); print $1 }' /proc/interrupts)
	defer eval "echo $(<"/proc/irq/$irq/smp_affinity") >/proc/irq/$irq/smp_affinity"
	check eval "echo 2 >/proc/irq/$irq/smp_affinity" || return
	# The thread follows when it runs.
	link_anew || return
	wait_for 5 "the thread on processor 1" thread_on "$(pgrep "^irq/$irq-")" 1 || return
	defer sysctl -qw kernel.sched_rt_runtime_us="$(sysctl -n kernel.sched_rt_runtime_us)"
	check sysctl -qw kernel.sched_rt_runtime_us=-1 || return
	if [[ -e $fair ]]; then
		defer eval "echo $(<"$fair") >$fair"
		check eval "echo 0 >$fair" || return
	fi
	check traffic_start p0 0xff || return
	chrt -f 99 taskset -c 1 sh -c 'while :; do :; done' &
	hog=$!
	defer kill_quietly $hog
	check fault_begin "$FAULT_REFUSED" || return
	wait_for 20 "a queue stops" queue_stops
	check fault_end
	check ip link set p0 down && check ip link set p0 up && link_up && set_neighbours
	# What has been reset until now had stopped.
	mark="late-event-$SRANDOM"
	echo "$mark" >/dev/kmsg
	kill_quietly $hog
	wait_for 10 "its event" said_since "$mark" 'TX queue [0-7] .*error'
	wait_for 10 "all priorities send again" flowing p0 || return
	expect "resets" "$(since "$mark" | grep -c 'queue.*reset') == 0"
	check traffic_stop p0
}

thread_on()
{
	taskset -cp "$1" | grep -q ": $2\$"
}

since()
{
	dmesg | sed "1,/$1/d"
}

said_since()
{
	since "$1" | grep -qE "$2"
}

queue_stops()
{
	(($(sending p0) != 0xff))
}

faulty=1
run_tests \
	"interrupts lost, offload" "interrupts $FAULT_LOST offload" \
	"interrupts lost, managed" "interrupts $FAULT_LOST managed" \
	"interrupts late and twice, offload" "interrupts $((FAULT_LATE | FAULT_TWICE)) offload" \
	"interrupts late and twice, managed" "interrupts $((FAULT_LATE | FAULT_TWICE)) managed" \
	"an event later than the interface goes down and up" late_event
