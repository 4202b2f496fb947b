#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# An event is so late that its queue no longer exists.
#
# The NIC stops a TX queue of p0 and writes an event. A real-time process keeps the thread that
# reads events off its processor, until p0 has gone down and up. When the driver reads the event,
# the new queue goes on.
#
#	p0 ==== data ====>  (nobody)
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

# The queue that stops is gone before its event is read. The driver may wait for work that the
# real-time process keeps from its processor, too: then that ends first, and this has failed.
queue_goes_first()
{
	local hog

	wait_for 20 "all priorities send" flowing p0 || return
	chrt -f 99 taskset -c 1 bash -c 'while ((SECONDS < 120)); do :; done' &
	hog=$!
	defer kill_quietly $hog
	check fault_begin "$FAULT_REFUSED"
	wait_for 20 "a queue stops" queue_stops
	check fault_end
	check ip link set p0 down && check ip link set p0 up && link_up && set_neighbours
	# What has been reset until now had stopped.
	mark="late-event-$SRANDOM"
	echo "$mark" >/dev/kmsg
	kill -0 $hog 2>/dev/null && kill_quietly $hog
}

late_event()
{
	local before irq fair=/sys/kernel/debug/sched/fair_server/cpu1/runtime mark try

	expected_complaint='parq.*(reset|no completion)|NETDEV WATCHDOG'
	before=$(channel_count p0)
	defer channels_set p0 "$before"
	channels_set p0 1 || return
	irq=$(awk -v pci="$pci" '$NF == pci { sub(":", "", $1); print $1 }' /proc/interrupts)
	defer eval "echo $(<"/proc/irq/$irq/smp_affinity") >/proc/irq/$irq/smp_affinity"
	check eval "echo 2 >/proc/irq/$irq/smp_affinity" || return
	# The thread follows when it runs.
	link_flap || return
	wait_for 5 "the thread on processor 1" thread_on "$(pgrep "^irq/$irq-")" 1 || return
	defer sysctl -qw kernel.sched_rt_runtime_us="$(sysctl -n kernel.sched_rt_runtime_us)"
	check sysctl -qw kernel.sched_rt_runtime_us=-1 || return
	if [[ -e $fair ]]; then
		defer eval "echo $(<"$fair") >$fair"
		check eval "echo 0 >$fair" || return
	fi
	check traffic_start p0 0xff || return
	for try in 1 2 3; do
		queue_goes_first && break
		ktap_print_msg "try $try: the driver had to wait"
	done
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
	! flowing p0
}

# The driver cannot know of a frame whose completion is refused that it was sent.
sums_known=0
faulty=1
run_tests \
	"an event of a queue that is gone is ignored" late_event
