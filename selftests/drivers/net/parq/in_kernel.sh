#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The NIC is parqsim.ko in this kernel, and a module can go at any time.
#
# As with the driver's module, nothing may wait for a pause, and every frame of the
# sender is freed once. A NIC that cannot be as it is asked to be says why, and nothing
# of it is left. While no frame moves, the NIC takes no processor time.
#
#	p0 ==== data ====>  (nobody)
#	p0 <=== PFC ======  p1
. "$(dirname "$0")/lib.sh"

# What loads the NIC as it is in these tests, and its module.
: "${PARQ_NICS:=/run/parq/nics}"
: "${PARQSIM_KO:=$build/$(kernel_name)/drivers/net/parqsim/parqsim.ko}"
# Where README.md and the documentation are.
: "${PARQ_PAGES:=${build%/build}}"

nic_load()
{
	# shellcheck source=/dev/null
	. "$PARQ_NICS"
}

nic_unload()
{
	rmmod parqsim
}

driver_bind()
{
	echo "$pci" >"/sys/bus/platform/drivers/parq/bind"
}

driver_unbind()
{
	echo "$pci" >"/sys/bus/platform/drivers/parq/unbind"
}

# The carrier tells that the driver has noticed.
nic_kill()
{
	host nic 0 kill && wait_for 10 "p0 loses its carrier" carrier p0 0 && nic_unload
}

# refused WHY PARAMETER...: the kernel's log has the reason, and there is no NIC.
refused()
{
	local reason=$1 mark="parq-refused-$SRANDOM"
	shift

	echo "$mark" >/dev/kmsg
	check_refused insmod "$PARQSIM_KO" "$@" || return
	dmesg | sed "1,/$mark/d" | grep -qF "parqsim: $reason" ||
		check false "'$*' is refused for another reason"
	check_refused test -e /sys/module/parqsim -o -e /sys/kernel/debug/parqsim \
		-o -e /sys/bus/platform/devices/parqsim.0
}

# What the NIC is can be read back.
parameters()
{
	local file value

	while read -r file value; do
		same "parameter $file" "$(<"/sys/module/parqsim/parameters/$file")" "$value"
	done <<-EOF
		ports 2
		wire p0=peer:p1,length=10
		snaplen 128
		nics 1
		mac $(<"${sysfs[p0]}/address")
	EOF
}

bad_parameters()
{
	check nic_unload || return
	refused "ports '65': not a number from 1 to 64" ports=65
	refused "nic0: ports 5: without forward at most 4" ports=5
	refused "ports '': not a number from 1 to 64" ports=
	refused "nic0: p1: with ports 1 there are p0 to p0" ports=1 wire=p0=peer:p1
	refused "wire peer 'p64': a port is p0 to p63" wire=p0=peer:p64
	refused "wire 'tap:tap0': not one of" wire=p0=tap:tap0
	refused "nic0: wire p1: p1 already has a wire" "wire=p0=peer:p1;p1=loop"
	refused "speeds '3G': not one of" speeds=1G,3G
	refused "mac '01:00:00:00:00:01': is a multicast address" mac=01:00:00:00:00:01
	refused "rx_buffer '1': not a number from" rx_buffer=1
	refused "fault 'rain': not one of" fault=rain=1
	refused "no-offload 'perhaps': not 0 or 1" no_offload=perhaps
	refused "nics '2': not a number from 0 to 1" nics=2
	refused "record p0=/none/p0.pcapng: error -2" record=p0=/none/p0.pcapng
	check nic_load && check topology_up || return
	check ping -q -c 3 -i 0.2 192.0.2.2
}

# Turns of the NIC, ever.
turns()
{
	sed -n 's/^runs \([0-9]*\),.*/\1/p' /sys/kernel/debug/parqsim/nic0/stats
}

# The driver looks after the NIC once a second.
sleeps()
{
	local before after

	wait_for 10 "frames that are on their way" none_sending p0 0xff
	before=$(turns)
	sleep 5
	after=$(turns)
	expect "turns in 5 s" "$after - $before < 500"
}

# rx_interrupts PROCESSOR: of p1's RX queues so far.
rx_interrupts()
{
	awk -v column=$(($1 + 2)) '$NF ~ /^p1-rx-/ { sum += $column } END { print sum + 0 }' \
		/proc/interrupts
}

# All of them come on the processor that they are steered to.
steered()
{
	local cpu other irq irqs before=()

	mapfile -t irqs < <(awk '$NF ~ /^p1-rx-/ { sub(":", "", $1); print $1 }' /proc/interrupts)
	for ((cpu = $(nproc) - 1; cpu >= 0; cpu--)); do
		for irq in "${irqs[@]}"; do
			check affinity_set "$irq" "$(printf %x $((1 << cpu)))" || return
		done
		for ((other = 0; other < $(nproc); other++)); do
			before[other]=$(rx_interrupts $other)
		done
		check ping -q -f -c 500 192.0.2.2
		for ((other = 0; other < $(nproc); other++)); do
			expect "interrupts on processor $other, steered to $cpu" \
				"$(rx_interrupts $other) - before[other] $( ((other == cpu)) &&
					echo '>= 100' || echo '== 0')"
		done
	done
}

# modprobe MODULE: of a page's commands. The modules of the tests are not installed.
modprobe()
{
	case $1 in
	parqsim) insmod "$PARQSIM_KO" ;;
	parq) module_load ;;
	esac
}

# What a new user pastes: README's block, and those of the page on the NIC inside the kernel, in one
# shell. Both pings lose nothing; that of priority 3 alone waits for the pause.
pages()
{
	local wait_ms=250

	defer sysctl -qw "net.core.default_qdisc=$(sysctl -n net.core.default_qdisc)"
	check nic_unload && check module_unload && check ip netns del far || return
	awk '/^```/ { block = /^```sh$/; next } block' "$PARQ_PAGES/README.md" >"$tmp/page"
	awk '/^\.\. code-block:: sh/ { block = 1; next } /^[^ \t]/ { block = 0 } block' \
		"$PARQ_PAGES/Documentation/user/in-kernel.rst" >>"$tmp/page"
	expect "commands" "$(wc -l <"$tmp/page") >= 20"
	# shellcheck disable=SC1091
	(cd "$tmp" && . ./page) >"$tmp/printed" 2>"$tmp/complaints"
	sed 's/^/# /' "$tmp/printed" "$tmp/complaints"
	expect "complaints" "$(wc -l <"$tmp/complaints") == 0"
	expect "pings without loss" "$(grep -c ' 0% packet loss' "$tmp/printed") == 3"
	expect "longest time in priority 3, ms" "$(longest 3) >= $wait_ms"
	expect "longest time in priority 0, ms" "$(longest 0) < $(longest 3)"
	check grep -q '^priority 3: pfc on, parked' "$tmp/printed"
	check grep -qE 'rx_prio3_pause: 2$' "$tmp/printed"
	check module_unload && check rmmod parqsim && check ip netns del far || return
	check nic_load && check topology_up
}

# Of a priority's pings, in whole milliseconds.
longest()
{
	sed -n 's|^rtt .* = [^/]*/[^/]*/\([0-9]*\)\..*|\1|p' "$tmp/priority-$1"
}

if [[ ! -e /sys/bus/platform/devices/parqsim.0 || ! -e $PARQ_NICS ]]; then
	ktap_skip_all "the NIC is not parqsim.ko in this kernel"
	exit "$KSFT_SKIP"
fi
run_tests \
	"an idle NIC takes no processor time" sleeps \
	"interrupts come where they are steered to" steered \
	"NIC removed while all is parked, offload" "remove_parked 15000 offload nic_unload nic_load" \
	"NIC removed while all is parked, managed" "remove_parked 15000 managed nic_unload nic_load" \
	"driver unbound while all is parked" "remove_parked 15000 offload driver_unbind driver_bind" \
	"NIC killed and removed while all is parked" "remove_parked 15000 managed nic_kill nic_load" \
	"parameters can be read" parameters \
	"bad parameters are refused" bad_parameters \
	"commands of README and of the page on this NIC do what they say" pages
