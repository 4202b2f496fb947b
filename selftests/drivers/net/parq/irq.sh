#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Interrupts come when the stack wants them, and where the user wants them.
#
# The stack can defer interrupts and poll by a timer instead. Then a receiver of steady traffic
# has nearly no interrupts, and still receives the first frame after a silence. The affinity
# that the user has set survives when the driver frees the interrupt and requests it again.
#
#	p0 ==== data ====>  p1
. "$(dirname "$0")/lib.sh"

FRAMES=$((4000 / SLOWER))

# Linux's number of an interrupt, by its name.
irq_of()
{
	awk -v name="$1" '$NF == name { sub(":", "", $1); print $1; found = 1 }
		END { exit !found }' /proc/interrupts
}

# Interrupts so far of p1's RX queues.
rx_interrupts()
{
	awk '$NF ~ /^p1-rx(tx)?-/ {
			for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++)
				sum += $i
		}
		END { print sum + 0 }' /proc/interrupts
}

# Interrupts while p1 receives so many frames, in $interrupts.
interrupts_of_traffic()
{
	local before

	check traffic_start p0 0xff --to 192.0.2.2 || return
	check counters_begin
	before=$(rx_interrupts)
	wait_for 30 "$FRAMES frames" counts "counted[p1_rx_prio0_packets] >= FRAMES" || return
	interrupts=$(($(rx_interrupts) - before))
	check traffic_stop p0
}

deferred()
{
	local usual

	check receive_start p1 || return
	interrupts_of_traffic || return
	usual=$interrupts
	# Polled every 5 ms until nothing has come 100 times.
	defer eval "echo 0 >${sysfs[p1]}/napi_defer_hard_irqs; echo 0 >${sysfs[p1]}/gro_flush_timeout"
	check eval "echo 100 >${sysfs[p1]}/napi_defer_hard_irqs" || return
	check eval "echo 5000000 >${sysfs[p1]}/gro_flush_timeout" || return
	interrupts_of_traffic || return
	ktap_print_msg "interrupts for $FRAMES frames: $usual, deferred $interrupts"
	expect "deferred interrupts" "interrupts * 10 < $usual"
	wait_for 10 "the stack no longer polls" silent || return
	check ping -q -c 3 -i 1.5 192.0.2.2 >"$tmp/ping"
	check receive_stop p1
}

# The timers of all NAPIs have ended.
silent()
{
	! grep -q napi_watchdog /proc/timer_list
}

affinity_stays()
{
	local irq name old

	old=$(channel_count p0)
	defer channels_set p0 "$old"
	channels_set p0 4 || return
	for name in p0-rx-0 p0-rx-3 p0-tx-26; do
		irq=$(irq_of $name) && check affinity_set "$irq" 3 || return
	done
	check ip link set p0 down && check ip link set p0 up && link_up
	affinities_are "after down and up" || return
	channels_set p0 1 && channels_set p0 4 || return
	affinities_are "after a change of channels" || return
	check eval "echo 1 >/sys/bus/pci/devices/$pci/reset" && link_up
	affinities_are "after a reset" || return
	check set_neighbours
}

affinities_are()
{
	local name irq

	for name in p0-rx-0 p0-rx-3 p0-tx-26; do
		irq=$(irq_of $name)
		same "affinity of $name $1" $((0x$(<"/proc/irq/$irq/smp_affinity"))) 3
	done
}

interrupts=0
run_tests \
	"the stack defers interrupts" deferred \
	"the affinity that the user has set is kept" affinity_stays
