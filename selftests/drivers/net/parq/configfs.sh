#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# NICs that are made in configfs: what they are asked to be they are, or the kernel's log says why
# not and nothing has changed. They come and go in any order, whatever is parked.
#
#	nic0  p0 ---- p1		the usual one, which stays
#	left  p0 ---- p0  right		by turns, with all kinds of wires
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/nics.sh
. "$(dirname "$0")/lib/nics.sh"

values()
{
	local file

	nic_make left || return
	reads left/live 0
	reads left/dev_name none
	reads left/ports 2
	reads left/p0/wire ""
	for file in ports:1 txq:1 rxq:64 depth:4 clk:250 fetch:1000 speeds:10M,1G rx_buffer:65536 \
		no_offload:1 lacks:ptp,launch forward:1 mac:02:ab:00:00:00:10 snaplen:96 \
		fault:seed=7,dma=1000 \
		p0/wire:loop,length=300 p3/wire:peer:p2,length=1 p0/record:/tmp/p0.pcapng \
		p2/name:lab; do
		set_to "left/${file%%:*}" "${file#*:}"
		reads "left/${file%%:*}" "${file#*:}"
	done
	for file in lacks snaplen fault p0/wire p3/wire p0/record p2/name; do
		set_to "left/$file" ""
		reads "left/$file" ""
	done
	for file in no_offload forward; do
		set_to left/$file 0
		reads left/$file 0
	done
}

bad_values()
{
	local file

	nic_make left || return
	refused_value "ports '65': not a number from 1 to 64" left/ports 65
	refused_value "ports '0': not a number from 1 to 64" left/ports 0
	refused_value "ports '': not a number from 1 to 64" left/ports ""
	refused_value "ports '2 3': not a number from 1 to 64" left/ports "2 3"
	refused_value "txq '65': not a number from 1 to 64" left/txq 65
	refused_value "rxq '-1': not a number from 1 to 64" left/rxq -1
	refused_value "depth '3': not a number from 4 to 1024" left/depth 3
	refused_value "clk '99': not a number from 100 to 1000000" left/clk 99
	refused_value "fetch '1000000001': not a number from 0 to" left/fetch 1000000001
	refused_value "speeds '3G': not one of 10M, 100M" left/speeds 1G,3G
	refused_value "rx_buffer '4M': not a number from 65536 to" left/rx_buffer 4M
	refused_value "no-offload 'perhaps': not 0 or 1" left/no_offload perhaps
	refused_value "lacks 'offload': not one of csum, tso" left/lacks ptp,offload
	refused_value "forward 'to nobody': not 0 or 1" left/forward "to nobody"
	refused_value "mac '01:00:00:00:00:01': is a multicast address" left/mac 01:00:00:00:00:01
	refused_value "mac '': not like" left/mac ""
	refused_value "snaplen '59': not a number from 60 to" left/snaplen 59
	refused_value "fault 'rain': not one of" left/fault dma=1,rain=1
	refused_value "wire 'tap:tap0': not one of" left/p0/wire tap:tap0
	refused_value "wire peer 'p64': a port is p0 to p63" left/p0/wire peer:p64
	refused_value "wire length '100001': not a number from 0 to 100000" \
		left/p0/wire peer:p1,length=100001
	refused_value "wire 'p0=peer:p0': use p0=loop" left/p0/wire peer:p0
	refused_value "record p0 'p0.pcapng': not an absolute name" left/p0/record p0.pcapng
	refused_value "name 'p0=a/b': an interface has 1 to 15" left/p0/name a/b
	refused_value "name 'p0=sixteen-letters-': an interface has 1 to 15" left/p0/name sixteen-letters-
	refused_value "live 'maybe': not 0 or 1" left/live maybe
	refused_value "live '1e3': not 0 or 1" left/live 1e3
	check set_to left/p1/wire loop && check set_to left/ports 1 || return
	refused_value "p1: with ports 1 there are p0 to p0" left/live 1
	check set_to left/ports 2 && check set_to left/forward 1 && check set_to left/no_offload 1 ||
		return
	refused_value "forward: not with no-offload" left/live 1
	check set_to left/forward 0 && check set_to left/no_offload 0 || return
	check set_to left/p0/wire peer:p1 || return
	refused_value "wire p1: p1 already has a wire" left/live 1
	check set_to left/p1/wire "" && check set_to left/p0/record /none/p0.pcapng || return
	refused "record p0=/none/p0.pcapng: error -2" eval "echo 1 >$configfs/left/live"
	for file in /dev/null "$configfs/left/fault"; do
		check set_to left/p0/record "$file" || return
		refused "record p0=$file: not a file to record to" eval "echo 1 >$configfs/left/live"
	done
	check mkfifo "$tmp/nobody" && check set_to left/p0/record "$tmp/nobody" || return
	refused "record p0=$tmp/nobody: error -6" eval "echo 1 >$configfs/left/live"
	reads left/live 0
	reads left/dev_name none
}

bad_names()
{
	refused "'nic0': there is a NIC of this name" mkdir "$configfs/nic0"
	refused "'control': not a name for a NIC" mkdir "$configfs/control"
	refused "'a b': a name is 1 to" mkdir "$configfs/a b"
	refused "'a:b': a name is 1 to" mkdir "$configfs/a:b"
	refused "'twenty-letters-too-m': a name is 1 to" mkdir "$configfs/twenty-letters-too-m"
	check mkdir "$configfs/nineteen-letters-ok" && check rmdir "$configfs/nineteen-letters-ok"
	same "what is left" "$(ls "$configfs")" ""
}

# All is as it was asked for, and cannot be changed.
live()
{
	local file reason

	nic_make left || return
	set_to left/ports 3 && set_to left/mac 02:ab:00:00:00:10 && set_to left/p0/wire loop || return
	set_to left/p0/name p0 && set_to left/p2/name lab || return
	set_to left/live 1 || return
	set_to left/live 1
	reads left/live 1
	wait_for 10 "three ports" netdev left 2 || return
	same "ports" "$(find "$(device left)/net" -mindepth 1 -maxdepth 1 | wc -l)" 3
	same "address" "$(<"/sys/class/net/$(netdev left 1)/address")" 02:ab:00:00:00:11
	same "name of port 2" "$(netdev left 2)" lab
	# There is a p0 already.
	[[ $(netdev left 0) == eth* ]] || check false "name of port 0: $(netdev left 0)"
	for file in ports txq rxq depth clk fetch speeds rx_buffer no_offload lacks forward mac \
		snaplen fault p0/wire p1/wire p0/record p1/name; do
		reason="${file//_/-} '1'"
		[[ $file != */* ]] || reason="${file#*/} '${file%/*}=1'"
		refused_value "$reason: the NIC is live" "left/$file" 1
		(! echo 1 >"$configfs/left/$file") 2>&1 | grep -q busy ||
			check false "$file of a live NIC is refused for another reason"
	done
	check_refused rmmod parqsim
	set_to left/live 0
	reads left/dev_name none
	check_refused netdev left 0
	set_to left/p2/name ""
	check set_to left/ports 1 && set_to left/live 1 && set_to left/live 0
}

# loop_works NIC [PORT]: traffic from the port back to it.
loop_works()
{
	local dev port=${2:-0}

	wait_for 10 "port $port of $1" netdev "$1" "$port" || return
	dev=$(netdev "$1" "$port")
	check sysctl -qw "net.ipv6.conf.$dev.disable_ipv6=1" &&
		check ip link set "$dev" up || return
	wait_for 10 "link of $dev" eval "[[ \$(</sys/class/net/$dev/carrier) == 1 ]]" || return
	check parq_pfc --dev "$dev" once --quanta 0
	wait_for 10 "a PFC frame of $1" eval "(( \$(counter $dev rx_pfc_frames) > 0 ))"
}

several()
{
	local n

	for n in 1 2 3; do
		nic_make "nic$n" && set_to "nic$n/p0/wire" loop && set_to "nic$n/live" 1 || return
	done
	for n in 3 1 2; do
		loop_works "nic$n" || return
	done
	check ping -q -c 3 -i 0.2 192.0.2.2
	check host nic 2 kill
	wait_for 10 "nic2 is dead" grep -q dead /sys/kernel/debug/parqsim/nic2/stats
	check host nic nic1 sync && loop_works nic1
	check_refused host nic nic7 kill
	check_refused host nic left kill
	check rmdir "$configfs/nic1" && loop_works nic3
	check rmdir "$configfs/nic2" && check rmdir "$configfs/nic3" || return
	check ping -q -c 3 -i 0.2 192.0.2.2
	same "what is left" "$(ls "$configfs")" ""
}

# Opened before, used after: configfs answers.
open_file()
{
	nic_make left || return
	exec {file}<"$configfs/left/ports" || return
	check rmdir "$configfs/left"
	check_refused cat <&"$file"
	exec {file}<&-
}

# ---- cables to other NICs -----------------------------------------------------

# pair LENGTH: left and right on a cable of so many metres, which is left's.
pair()
{
	nic_make left && nic_make right || return
	set_to left/p0/wire "peer:right:p0,length=$1" && set_to left/live 1 && port_up left &&
		set_to right/live 1 && port_up right && link_is 1 left right
}

# send_from PORT [FLOWS]: frames of all priorities, to nobody.
send_from()
{
	check ip addr replace 198.18.0.1/24 dev "$1" && check ip neigh replace 198.18.0.99 \
		lladdr 02:00:00:00:00:99 dev "$1" nud permanent || return
	parq_traffic send --dev "$1" --to 198.18.0.99 --prios 0xff --flows "${2:-2}" >"$tmp/sent" &
	sender=$!
	defer kill_quietly "$sender"
	wait_for 10 "traffic of $1" flowing "$1" 0xff
}

# park PORT: it sends, and its peer pauses it until frames are parked.
park()
{
	check pfc_set "$1" all:on && check ets_equal "$1" && send_from "$1" || return
	wait_for 20 "$1 parks" try_to_park "$1" 0xff some_parked || return
	pause_repeat "$1" once --every 50000
}

unpark()
{
	check pause_end "$1"
	wait_for 10 "nothing of $1 is parked" none_parked "$1" 0xff
	wait_for 10 "traffic of $1" flowing "$1" 0xff
}

cable()
{
	nic_make left && nic_make right || return
	set_to left/p0/wire peer:right:p0,length=1000 && reads left/p0/wire peer:right:p0,length=1000
	set_to left/live 1 && port_up left || return
	expect "carrier without the other NIC" "$(<"/sys/class/net/left/carrier") == 0"
	check eval "ethtool left | grep -q 'no (No cable)'"
	check grep -q "^p0: cable waits for p0 of right, which is not live" \
		/sys/kernel/debug/parqsim/left/stats
	set_to right/live 1 && port_up right && link_is 1 left right || return
	park left && unpark left || return
	kill_quietly "$sender"
	park right && unpark right || return
	kill_quietly "$sender"
	check ping -q -c 3 -i 0.2 192.0.2.2

	# Either end goes, and comes again.
	set_to right/live 0 && link_is 0 left || return
	set_to right/live 1 && port_up right && link_is 1 left right || return
	set_to left/live 0 && link_is 0 right || return
	set_to left/live 1 && port_up left && link_is 1 left right || return
	check host nic right kill && link_is 0 left
}

# card OPTION=VALUE...: a NIC of this size parks and reinjects, and all its ports are there.
card()
{
	local option port count=2

	nic_make left && nic_make right || return
	for option; do
		set_to "left/${option%=*}" "${option#*=}" || return
		[[ $option != ports=* ]] || count=${option#*=}
	done
	set_to left/p0/wire peer:right:p0 || return
	for ((port = 1; port < count; port++)); do
		set_to "left/p$port/wire" loop || return
	done
	set_to left/live 1 && set_to right/live 1 || return
	wait_for 10 "port $((count - 1)) of left" netdev left $((count - 1)) || return
	for ((port = 1; port < count; port++)); do
		loop_works left $port || return
	done
	port_up left && port_up right && link_is 1 left right || return
	park left && unpark left
}

# feature NAME VALUE: of port 0 of left.
feature()
{
	same "$1" "$(ethtool -k "$(netdev left 0)" | sed -n "s/^$1: //p")" "$2"
}

# A queue has a qdisc etf, without the NIC; with it, the request is refused.
without_launch()
{
	local dev

	card lacks=launch && dev=$(netdev left 0) || return
	check tc qdisc replace dev "$dev" root handle 1: mq || return
	logs "offload of qdisc etf, TX queue 3 refused: the NIC has no launch times" \
		check_refused tc qdisc replace dev "$dev" parent 1:4 etf clockid CLOCK_TAI \
		delta 500000 offload
	check tc qdisc replace dev "$dev" parent 1:4 etf clockid CLOCK_TAI delta 500000
	check grep -q hardware-transmit <(ethtool -T "$dev")
}

without_clock()
{
	local dev

	card lacks=ptp && dev=$(netdev left 0) || return
	check_refused grep -q hardware-transmit <(ethtool -T "$dev")
	check_refused hwstamp_ctl -i "$dev" -t 1
	check tc qdisc replace dev "$dev" root handle 1: mq || return
	check_refused tc qdisc replace dev "$dev" parent 1:4 etf clockid CLOCK_TAI delta 500000 \
		offload
}

# The rest of what a driver can do without.
without_steering()
{
	local dev

	card lacks=csum,tso,vlan,rss,trace,gro,unpad,port-rate,restore && dev=$(netdev left 0) || return
	feature tx-checksumming "off"
	feature tcp-segmentation-offload "off"
	feature rx-vlan-offload "off [fixed]"
	feature receive-hashing "off [fixed]"
	feature ntuple-filters "off [fixed]"
	check_refused ethtool -N "$dev" flow-type udp4 dst-port 1 action 0
	check_refused ethtool -X "$dev" equal 1
}

without_rules()
{
	local dev

	card lacks=rules && dev=$(netdev left 0) || return
	feature receive-hashing "on"
	feature ntuple-filters "off [fixed]"
	check_refused ethtool -N "$dev" flow-type udp4 dst-port 1 action 0
	check_refused ethtool -X "$dev" context new equal 1
	check ethtool -N "$dev" rx-flow-hash udp4 sdfn
}

# Vectors of left.
granted()
{
	local vectors=("$(device left)"/msi_irqs/*)

	echo ${#vectors[@]}
}

# Queues of which the driver makes no channel need none: these NICs have eight TX queues a port for
# their one channel, and one RX queue too many.
vectors_needed()
{
	nic_make left && set_to left/ports 2 && set_to left/live 1 || return
	wait_for 10 "port 1 of left" netdev left 1 || return
	same "vectors" "$(granted)" $((1 + 2 * 9))
}

# used tx|rx QUEUES: all of left's channels, each of so many such queues, have had frames. Kernels
# before 6.9 have no statistics of queues.
used()
{
	local dir

	dir=/sys/kernel/debug/parq/$(basename "$(device left)")/port0
	(($(awk -v queues="$2" -F '[ :]+' '
		/^queue/ { queue = $2 }
		/ (next|tail) [1-9]/ && !had[int(queue / queues)]++ { n++ }
		END { print n + 0 }' "$dir/$1") == 8))
}

# fillers NAME:PORTS:TXQ:RXQ...: NICs that do nothing but have vectors.
fillers()
{
	local filler name ports txq rxq

	for filler; do
		IFS=: read -r name ports txq rxq <<<"$filler"
		nic_make "$name" && set_to "$name/ports" "$ports" && set_to "$name/txq" "$txq" &&
			set_to "$name/rxq" "$rxq" && set_to "$name/live" 1 || return
		wait_for 10 "the last port of $name" netdev "$name" $((ports - 1)) || return
	done
}

# vectors_shared MIN MAX: left is granted so many vectors. All of its queues send, receive and pause,
# and no interrupt is lost.
vectors_shared()
{
	set_to left/live 1 && port_up left && link_is 1 left right || return
	expect "vectors" "$(granted) >= $1 && $(granted) <= $2"
	check ethtool -L left combined 8 || return
	check_refused ethtool -C left rx-usecs 10 tx-usecs 20
	check ethtool -C left rx-usecs 10 tx-usecs 10
	send_from left 32 || return
	wait_for 20 "all channels send" used tx 8 || return
	kill_quietly "$sender"
	check ip link set left promisc on && send_from right 32 || return
	wait_for 20 "all channels receive" used rx 1 || return
	kill_quietly "$sender"
	park left && unpark left || return
	kill_quietly "$sender"
	same "interrupts lost" "$(counter left lost_interrupts)" 0
}

# This machine has 1024 vectors for all devices. left wants 289: one for events, and nine for each of
# eight channels of four ports.
few_vectors()
{
	nic_make right && nic_make left && fillers a:4:64:8 b:4:64:8 || return
	set_to left/ports 4 && set_to left/txq 64 && set_to left/rxq 8 &&
		set_to left/p0/wire peer:right:p0 && set_to right/live 1 && port_up right || return
	# The last channel of each port has one vector for all of its queues.
	vectors_shared 258 288 || return
	check grep -qw left-rx-6 /proc/interrupts && check grep -qw left-rxtx-7 /proc/interrupts
	set_to left/live 0 && fillers c:3:64:8 d:1:48:6 || return
	# Channels share vectors.
	vectors_shared 3 31
}

refusal_logged()
{
	dmesg | grep -q "parq .*: 7 TX queues per port, at least 8 needed"
}

card_too_small()
{
	expected_complaint='parq .*: 7 TX queues per port'
	nic_make left && set_to left/txq 7 && set_to left/live 1 || return
	wait_for 10 "the driver's reason" refusal_logged
	check_refused netdev left 0
}

# Three NICs in a row: two groups of NICs become one while both have traffic.
row()
{
	pair 10 || return
	nic_make last && set_to last/ports 1 && set_to last/p0/wire peer:middle:p1 &&
		set_to last/live 1 && port_up last || return
	park left || return
	nic_make middle && set_to middle/p0/wire peer:right:p1 && set_to middle/live 1 || return
	link_is 1 left right
	unpark left || return
	check host nic middle stop && check host nic middle cont
	set_to middle/live 0
	wait_for 10 "traffic of left" flowing left 0xff
}

recording_ended()
{
	dmesg | grep -q "parqsim: recording to fifo ends: error -11"
}

# Frames of left.
not_written()
{
	check host nic left sync
	sed -n 's/^recording 0: not written //p' /sys/kernel/debug/parqsim/left/stats
}

more_not_written()
{
	(($(not_written) > $1))
}

# A recording that nobody reads blocks nothing. What it does not get is counted.
fifo()
{
	local reader before

	nic_make left && nic_make right && check mkfifo "$tmp/fifo" || return
	exec {reader}<>"$tmp/fifo"
	set_to left/p0/wire peer:right:p0 && set_to left/p0/record "$tmp/fifo" &&
		set_to left/live 1 && port_up left && set_to right/live 1 && port_up right &&
		link_is 1 left right && send_from left || return
	wait_for 10 "the recording ends" recording_ended || return
	check host nic left sync
	before=$(not_written)
	expect "frames not written" "$before > 0"
	wait_for 10 "more frames, not written" more_not_written "$before"
	check set_to left/live 0
	exec {reader}<&-
}

bad_cables()
{
	nic_make left && nic_make right && nic_make third || return
	refused_value "wire peer 'p100': a port is p0 to p63" left/p0/wire peer:right:p100
	refused_value "wire '': a name has 1 to" left/p0/wire peer::p0
	refused_value "wire 'right:p0': not one of peer:pN, peer:NIC:pN" left/p0/wire right:p0
	set_to left/p0/wire peer:left:p1
	refused_value "wire p0: 'left' is this NIC: use peer:p1" left/live 1
	set_to left/p0/wire peer:left:p0
	refused_value "wire p0: 'left:p0' is this port: use loop" left/live 1
	set_to left/p0/wire peer:right:p1 && set_to left/p1/wire peer:right:p1
	refused_value "wire p1: p0 already leads to right:p1" left/live 1
	set_to left/p1/wire peer:right:p3 && set_to right/live 1
	refused_value "wire p1: right has 2 ports, there is no p3" left/live 1
	set_to left/p1/wire "" && set_to right/live 0 && set_to right/p0/wire peer:p1
	set_to right/live 1
	refused_value "wire p0: right:p1 already has a wire, from right" left/live 1
	set_to right/live 0 && set_to left/live 1
	refused_value "p1: left:p0 leads here, but there is a wire of right" right/live 1
	set_to right/p0/wire "" && set_to right/ports 1
	refused_value "p1: left:p0 leads here, but there are p0 to p0" right/live 1
	set_to right/ports 2 && set_to right/live 1 && set_to third/p0/wire peer:right:p1
	refused_value "wire p0: right:p1 already has a wire, from left" third/live 1
	set_to third/p0/wire peer:nic0:p1
	refused_value "wire p0: nic0:p1 already has a wire, from nic0" third/live 1
	set_to left/live 0 && set_to right/live 0 && set_to left/p0/wire peer:right:p1,length=2 &&
		set_to right/p1/wire peer:left:p0,length=3 && set_to left/live 1
	refused_value "wire p1: length=3, but left:p0 says length=2" right/live 1
}

# A cable that both of its ends name, in either order.
named_twice()
{
	local order

	nic_make left && nic_make right && set_to left/p0/wire peer:right:p0,length=2 &&
		set_to right/p0/wire peer:left:p0,length=2 || return
	for order in "left right" "right left"; do
		set_to "${order% *}/live" 1 && port_up "${order% *}" || return
		same "cables that wait" "$(grep -c "cable waits" \
			"/sys/kernel/debug/parqsim/${order% *}/stats")" 1
		set_to "${order#* }/live" 1 && port_up "${order#* }" && link_is 1 left right &&
			set_to left/live 0 && set_to right/live 0 || return
	done
}

# removed HOW...: in this order, while left has frames parked. What right sends for that would be
# parked as well, if left paused it.
removed()
{
	local step

	pair 10 && park left || return
	for step; do
		case $step in
		rmdir:*) check rmdir "$configfs/${step#*:}" ;;
		down:*) set_to "${step#*:}/live" 0 ;;
		kill:*) check host nic "${step#*:}" kill ;;
		unbind:*) check eval "basename '$(device "${step#*:}")' >/sys/bus/$nic_bus/drivers/parq/unbind" ;;
		esac || return
	done
	check ping -q -c 3 -i 0.2 192.0.2.2
}

gone_logged()
{
	dmesg | grep -q "parq .*: the device has gone"
}

# Its driver gives up and frees the rings while the NIC hangs. When it goes on it must not know
# them any more: it is reset, and its link with it.
hangs()
{
	expected_complaint='parq .*: the device has gone'
	local before dir

	pair 10 && park left || return
	dir=/sys/kernel/debug/parq/$(<"$configfs/left/dev_name")
	before=$(dcb_counters) || return
	dmesg -C
	check host nic left stop || return
	logs 'external pause refused: the device is gone' \
		check_refused eval "echo xoff 0 >$dir/external_pause"
	wait_for 10 "the driver gives up" gone_logged || return
	# What cannot be read any more is as last read, or refused.
	counters_kept "$before" "$(dcb_counters)"
	check devlink dev info "$nic_bus/${dir##*/}" >"$tmp/info"
	check grep -q contract "$tmp/info"
	check_refused devlink sb occupancy snapshot "$nic_bus/${dir##*/}"
	check_refused cat "$dir/port0/pfc"
	link_is 1 right
	check host nic left cont
	link_is 0 right
}

# PFC frames that left has received, by priority.
dcb_counters()
{
	dcb -j -s pfc show dev left | jq -r '.indications | join(" ")'
}

# counters_kept BEFORE AFTER
counters_kept()
{
	local before after prio

	read -ra before <<<"$1"
	read -ra after <<<"$2"
	for prio in {0..7}; do
		expect "PFC frames of $prio" "${before[prio]} > 0 && ${after[prio]} >= ${before[prio]}"
	done
}

# Nanoseconds of a capture's frames of PFC.
times()
{
	tshark -r "$1" -Y 'macc.opcode == 0x0101' -T fields -e frame.time_epoch 2>/dev/null | tr -d .
}

# The first bit of each leaves one end, and the last reaches the other so much later: 72 bytes
# with preamble and FCS, and 5 ns a metre.
arrival()
{
	local sent received i delay

	nic_make left && nic_make right || return
	set_to left/p0/wire peer:right:p0,length=1000 && set_to left/p0/record "$tmp/left" &&
		set_to right/p0/record "$tmp/right" || return
	set_to left/live 1 && port_up left && set_to right/live 1 && port_up right &&
		link_is 1 left right || return
	check parq_pfc --dev left once --quanta 0 --count 50 --every 1000
	wait_for 10 "50 PFC frames" eval "(( \$(counter right rx_pfc_frames) >= 50 ))" || return
	check parq_pfc --dev right once --quanta 0 --count 50 --every 1000
	wait_for 10 "50 PFC frames" eval "(( \$(counter left rx_pfc_frames) >= 50 ))" || return
	check host nic left sync && check host nic right sync
	times "$tmp/left" >"$tmp/left.ns" && times "$tmp/right" >"$tmp/right.ns"
	mapfile -t sent <"$tmp/left.ns"
	mapfile -t received <"$tmp/right.ns"
	same "frames at both ends" "${#sent[@]} ${#received[@]}" "100 100"
	for ((i = 0; i < 100; i++)); do
		delay=$((i < 50 ? received[i] - sent[i] : sent[i] - received[i]))
		expect "delay of frame $i, ns" "$delay == 72 * 8000 / MBIT + 5000" || return
	done
}

# ---- cables to interfaces -----------------------------------------------------

# Both ends of a veth are cables: PFC parks either way, and what it says passes.
veth_pfc()
{
	veth_make && netdev_up left v0 && netdev_up right v1 && link_is 1 left right || return
	same "promiscuity" "$(ip -d -j link show v0 | jq '.[0].promiscuity')" 1
	park left && unpark left || return
	kill_quietly "$sender"
	park right && unpark right || return
	kill_quietly "$sender"
	# A link that goes, at either side.
	check ip link set v1 down && link_is 0 left right || return
	check ip link set v1 up && link_is 1 left right || return
	set_to right/live 0
	same "promiscuity" "$(ip -d -j link show v1 | jq '.[0].promiscuity')" 0
	link_is 1 left
}

# An ordinary stack at the other end, which leaves checksums and tags to its interface.
veth_stack()
{
	local tx lost rx rx_lost

	veth_stack_up || return
	check ping -q -c 3 -i 0.2 198.18.0.2
	far ip link add link v1 name v1.7 type vlan id 7
	check far ip link set v1.7 up && check far ip addr add 198.19.0.2/24 dev v1.7 || return
	check ip link add link left name left.7 type vlan id 7 && check ip link set left.7 up &&
		check ip addr add 198.19.0.1/24 dev left.7 || return
	check ping -q -c 3 -i 0.2 198.19.0.2
	# More bytes than the NIC keeps for the interface, so that its memory is used again.
	check ping -q -f -c 2000 -s 1400 198.18.0.2
	read -r tx lost rx rx_lost <<<"$(wire_stats left)"
	expect "frames each way" "$tx > 2000 && $rx > 2000"
	same "frames lost" "$lost $rx_lost" "0 0"
}

# The interface goes while frames are parked behind it; its end does not wait for anything.
veth_removed()
{
	veth_make && netdev_up left v0 && netdev_up right v1 && link_is 1 left right || return
	park left || return
	check ip link del v0
	link_is 0 left right || return
	check_refused ip link show v0
	# It comes again under the same name, and the NIC when it is made live again.
	veth_make && set_to left/live 0 && set_to right/live 0 && set_to left/live 1 &&
		set_to right/live 1 && port_up left && port_up right && link_is 1 left right
}

# It keeps its wire in another namespace. There it is down, as each interface that moves.
veth_moves()
{
	veth_make && netdev_up left v0 && netdev_up right v1 && link_is 1 left right || return
	check ip link set v0 netns far && link_is 0 left right || return
	check far ip link set v0 up && link_is 1 left right || return
	same "promiscuity" "$(far ip -d -j link show v0 | jq '.[0].promiscuity')" 1
	park left && unpark left
}

namespace_removed()
{
	check ip netns add parqsim && defer eval 'ip netns del parqsim 2>/dev/null; true'
	nic_make left && set_to left/p0/wire netdev:v0 || return
	check ip -n parqsim link add v0 type veth peer name v1 && check ip -n parqsim link set v0 up &&
		check ip -n parqsim link set v1 up || return
	refused "left: wire p0=netdev:v0: no such interface here" \
		eval "echo 1 >$configfs/left/live"
	check nsenter --net=/run/netns/parqsim sh -c "echo 1 >$configfs/left/live" || return
	port_up left && link_is 1 left || return
	check ip netns del parqsim
	link_is 0 left
}

bad_netdevs()
{
	nic_make left && nic_make right && veth_make || return
	refused_value "wire 'sixteen-letters-': a name has 1 to 15" left/p0/wire netdev:sixteen-letters-
	refused_value "wire '': a name has 1 to 15" left/p0/wire netdev:
	refused_value "wire: 'length=1' does not apply here" left/p0/wire netdev:v0,length=1
	set_to left/p0/wire netdev:lo
	refused_value "wire p0=netdev:lo: it is a loopback interface" left/live 1
	set_to left/p0/wire netdev:none
	refused_value "wire p0=netdev:none: no such interface here" left/live 1
	# Its frames go elsewhere: to another port of this NIC, or of another one, or to a bond.
	set_to left/p0/wire netdev:v0 && set_to left/p1/wire netdev:v0
	refused_value "wire p1=netdev:v0: it is the wire of left:p0" left/live 1
	same "promiscuity" "$(ip -d -j link show v0 | jq '.[0].promiscuity')" 0
	set_to right/p1/wire netdev:v0 && set_to right/live 1 && set_to left/p1/wire ""
	refused_value "wire p0=netdev:v0: it is the wire of right:p1" left/live 1
	set_to right/live 0
	check ip link add b0 type bond && defer ip link del b0 && check ip link set v0 down &&
		check ip link set v0 master b0 || return
	refused_value "wire p0=netdev:v0: something else takes its frames, as a bridge does" left/live 1
	check ip link set v0 nomaster && check ip link set v0 up || return
	# Its own port is not there when its wires are plugged in.
	set_to left/p1/wire "" && set_to left/live 1 && port_up left
	set_to left/live 0 && set_to left/p0/wire netdev:left
	refused_value "wire p0=netdev:left: no such interface here" left/live 1
}

nics_begin
tests=(
	"options and their values" values
	"bad values are refused" bad_values
	"bad names are refused" bad_names
	"a live NIC" live
	"several NICs" several
	"a file that outlives its directory" open_file
	"a cable to another NIC" cable
	"frames arrive at their time" arrival
	"a card with one port, one RX queue" "card ports=1 txq=8 rxq=1"
	"a card with three ports" "card ports=3 txq=16 rxq=3"
	"a card with four ports, all queues, a short pipeline" "card ports=4 txq=64 rxq=64 depth=4"
	"the driver refuses a card with fewer TX queues than priorities" card_too_small
	"a card that leaves the FSM to the driver" "card no_offload=1"
	"a card without launch times" without_launch
	"a card without a clock" without_clock
	"a card without checksums, tags and hashes" without_steering
	"a card without rules" without_rules
	"NICs in a row" row
	"bad cables are refused" bad_cables
	"a cable that both ends name" named_twice
	"a recording to a FIFO that nobody reads ends" fifo
	"NICs removed while parked, left first" "removed rmdir:left rmdir:right"
	"NICs removed while parked, right first" "removed rmdir:right rmdir:left"
	"NICs taken down while parked" "removed down:left down:right rmdir:left rmdir:right"
	"a NIC works again after its driver gave up" hangs
	"a NIC killed while parked" "removed kill:right rmdir:left rmdir:right"
	"PFC both ways through a veth" veth_pfc
	"a stack behind a veth" veth_stack
	"an interface removed while parked" veth_removed
	"an interface that moves to another namespace" veth_moves
	"a namespace removed" namespace_removed
	"bad interfaces are refused" bad_netdevs
	"driver unbound while parked" "removed unbind:left rmdir:right rmdir:left"
)
# On the platform bus each vector is there.
[[ -e /sys/bus/platform/devices/parqsim.0 ]] ||
	tests+=("no more vectors than channels need" vectors_needed
		"a machine with too few vectors" few_vectors)
run_tests "${tests[@]}"
