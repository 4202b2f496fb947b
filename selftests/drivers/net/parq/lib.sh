# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the tests of PARQ share; sourced, never run.
#
# All tests use one NIC of two ports that a cable joins, and the recordings of
# both ends of that cable:
#
#	parq-nic --wire p0=peer:p1,length=10 --record p0=p0.pcapng --record p1=p1.pcapng
#
# Tests of pauses need "--fetch 100000000" as well: the link is slow, and a NIC that fetches
# just in time has hardly ever a frame under way to park. Those that measure the
# transmission selection (SHARE_PROGS) need a NIC without it.
#
#	+------------------+        +-------------------+
#	| p0  192.0.2.1/24 |--------| p1  192.0.2.2/24  |
#	+------------------+  10 m  | namespace far     |
#	                            +-------------------+
#
# 192.0.2.99 has an address that no port listens to: frames sent there pass
# the wire and are recorded, and cost the receiver nothing.
#
# The topology is made once and stays; topology_up() brings it into a known state
# before each test program: 100 Mb/s, so that the link is slower than any
# processor, PFC off, one class for all priorities, offload.

parq_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
selftests=${parq_dir%/drivers/net/parq}

# shellcheck disable=SC1091
. "$selftests/kselftest/ktap_helpers.sh"
# shellcheck disable=SC1091
. "$selftests/net/lib.sh"

PATH=$parq_dir:$PATH

# What tools/vm calls the kernel: its version, or the name of a test kernel.
kernel_name()
{
	uname -r | sed -E 's/.*-parq-//; s/^([0-9]+\.[0-9]+).*/\1/'
}

# At least this one: kernel_from 6.3
kernel_from()
{
	[[ $(printf '%s\n' "$1" "$(uname -r)" | sort -V | head -n 1) == "$1" ]]
}

# Where the recordings are, and the module if it is not installed.
: "${PARQ_RECORDINGS:=/run/parq}"
build=${selftests%/linux/tools/testing/selftests}
: "${PARQ_KO:=$build/$(kernel_name)/drivers/net/ethernet/parq/parq.ko}"

SINK=192.0.2.99
# A link that the slowest machine fills, with datagrams of that size, for so many microseconds.
MEASURE_MBIT=10 MEASURE_SIZE=1400 MEASURE_USECS=4000000
: "${MBIT:=100}"
# How many times as long as usual everything takes: tests wait so much longer, look so much
# less often, and repeat what they repeat so many times less. Storms are so much slower.
: "${SLOWER:=1}"
# Not 0: of several tests that fail the first is enough.
: "${FAIL_FAST:=0}"

# ---- saying what is wrong -----------------------------------------------------

# The arithmetic holds, or the running test fails.
expect()
{
	local what=$1 expression=$2

	((expression)) && return
	# A * in it is not for the names of files.
	(set -f && ktap_print_msg "$what: not $expression")
	RET=1
	return 1
}

# The command succeeds, or the running test fails.
check()
{
	"$@" && return
	ktap_print_msg "failed: $*"
	RET=1
	return 1
}

# The command fails, or the running test does.
check_refused()
{
	"$@" >/dev/null 2>&1 || return 0
	ktap_print_msg "not refused: $*"
	RET=1
	return 1
}

# refused_with SENTENCE COMMAND...: with that reason of the driver, or one that begins so.
refused_with()
{
	local why=$1
	shift

	if "$@" >/dev/null 2>"$tmp/why"; then
		ktap_print_msg "not refused: $*"
	elif grep -qF "parq: $why" "$tmp/why"; then
		return
	else
		ktap_print_msg "'$*' is refused for another reason: $(<"$tmp/why")"
	fi
	RET=1
	return 1
}

same()
{
	[[ $2 == "$3" ]] && return
	ktap_print_msg "$1: '$2', not '$3'"
	RET=1
	return 1
}

# wait_for SECONDS WHAT CONDITION...: in this shell, so that what the condition has
# counted can be looked at.
wait_for()
{
	local seconds=$(($1 * SLOWER)) what=$2 end
	shift 2

	end=$((SECONDS + seconds))
	until "$@" >/dev/null; do
		if ((SECONDS > end)); then
			ktap_print_msg "not within $seconds s: $what"
			RET=1
			return 1
		fi
		sleep "${SLOWER}e-1"
	done
}

# ---- the machine --------------------------------------------------------------

# The command in the network of the namespace: all of that, as for "ip netns exec", takes
# several times as long. For what sysfs says, see ${sysfs[PORT]}.
far()
{
	case $1 in
	ip | tc | dcb) "$1" -n far "${@:2}" ;;
	*) nsenter --net=/run/netns/far "$@" ;;
	esac
}

# The command in the namespace of a port.
at()
{
	if [[ $1 == p1 ]]; then
		far "${@:2}"
	else
		"${@:2}"
	fi
}

# As at(); a shell in the background becomes it and passes its signals on.
exec_at()
{
	if [[ $1 == p1 ]]; then
		exec ip netns exec far "${@:2}"
	else
		exec "${@:2}"
	fi
}

find_pci()
{
	local dir

	for dir in /sys/bus/pci/devices/*; do
		[[ $(<"$dir/vendor") == 0x5051 && $(<"$dir/device") == 0x0bb1 ]] || continue
		echo "${dir##*/}"
		return
	done
	return 1
}

# Sets $nic_bus and $pci, the NIC's name there: on PCI, or inside the kernel.
find_nic()
{
	local dir

	nic_bus=pci
	pci=$(find_pci) && return
	nic_bus=platform
	for dir in /sys/bus/platform/devices/parqsim.*; do
		pci=${dir##*/}
		[[ ! -e $dir ]] || return 0
	done
	return 1
}

module_load()
{
	[[ -e /sys/module/parq ]] && return
	if [[ -e $PARQ_KO ]]; then
		insmod "$PARQ_KO"
	else
		modprobe parq
	fi
}

module_unload()
{
	rmmod parq
}

carrier()
{
	[[ $(<"${sysfs[$1]}/carrier") == "$2" ]] 2>/dev/null
}

link_up()
{
	wait_for 10 "carrier of p0" carrier p0 1 && wait_for 10 "carrier of p1" carrier p1 1
}

# The link is lost, and comes up again.
link_anew()
{
	far ip link set p1 down && wait_for 10 "no link" carrier p0 0 &&
		far ip link set p1 up && link_up && set_neighbours
}

# Both ends at a speed without negotiation.
set_speed()
{
	local port

	for port in p0 p1; do
		at $port ethtool -s $port autoneg off speed "$1" duplex full || return
	done
	wait_for 10 "$1 Mb/s" speed_is "$1" && link_up
}

speed_is()
{
	[[ $(<"${sysfs[p0]}/speed") == "$1" && $(<"${sysfs[p1]}/speed") == "$1" ]]
}

# A device that has just been plugged in is still being probed. Port 1 may be far
# away since an earlier test.
ports_there()
{
	local ports

	ports=("/sys/bus/$nic_bus/devices/$pci/net"/*/dev_port)
	[[ -e ${ports[0]} ]] || return
	((${#ports[@]} == 2)) || [[ -e ${sysfs[p1]} ]]
}

name_ports()
{
	local dir port

	wait_for 20 "two ports of $pci" ports_there || return
	for dir in "/sys/bus/$nic_bus/devices/$pci/net"/*; do
		port=p$(<"$dir/dev_port")
		[[ ${dir##*/} == "$port" ]] || ip link set "${dir##*/}" name "$port" || return
	done
	if [[ ! -e /run/netns/far ]]; then
		ip netns add far && mkdir -p "$far_sysfs" &&
			far mount -t sysfs sysfs "$far_sysfs" || return
	fi
	[[ ! -e /sys/class/net/p1 ]] || ip link set p1 netns far
}

# A neighbour entry that is permanent still goes when its interface goes down.
set_neighbours()
{
	local mac0 mac1

	mac0=$(<"${sysfs[p0]}/address")
	mac1=$(<"${sysfs[p1]}/address")
	ip neigh replace 192.0.2.2 lladdr "$mac1" dev p0 nud permanent &&
		ip neigh replace $SINK lladdr 02:00:00:00:00:99 dev p0 nud permanent &&
		far ip neigh replace 192.0.2.1 lladdr "$mac0" dev p1 nud permanent &&
		far ip neigh replace $SINK lladdr 02:00:00:00:00:99 dev p1 nud permanent
}

# Without IPv6 an interface says nothing that it is not asked to. The qdisc that
# Debian prefers drops what has waited for long, as frames of a paused class do.
ports_up()
{
	local port qdisc

	qdisc=$(sysctl -n net.core.default_qdisc)
	sysctl -qw net.core.default_qdisc=pfifo
	for port in p0 p1; do
		at $port sysctl -qw "net.ipv6.conf.$port.disable_ipv6=1"
		at $port tc qdisc replace dev $port root mq &&
			at $port ip link set $port mtu 1500 || return
	done
	sysctl -qw "net.core.default_qdisc=$qdisc"
	ip addr replace 192.0.2.1/24 dev p0 && far ip addr replace 192.0.2.2/24 dev p1 &&
		ip link set p0 up && far ip link set p1 up && set_neighbours
}

# Again after the module was loaded, or a port was down.
topology_up()
{
	find_nic || ktap_exit_fail_msg "no PARQ NIC in this machine"
	module_load && name_ports && ports_up && set_speed "$MBIT" && settings_default
}

# PFC and ETS of p0.
dcb_settings()
{
	dcb -j pfc show dev p0 prio-pfc && dcb -j ets show dev p0
}

settings_default()
{
	pause_set p0 on off off && pause_set p1 on off off &&
		pfc_set p0 all:off && pfc_set p1 all:off && ets_default p0 && ets_default p1 &&
		maxrate_set p0 all:0 && maxrate_set p1 all:0 &&
		dcb buffer set dev p0 buffer-size all:0 &&
		far dcb buffer set dev p1 buffer-size all:0 && cable_set 10 &&
		storm_default && executor_set offload
}

# All pauses are obeyed for ever.
storm_default()
{
	local port

	for port in p0 p1; do
		at $port ethtool --set-tunable $port pfc-prevention-tout 0 &&
			at $port ethtool --set-priv-flags $port pfc-storm-forward off || return
	done
}

# Metres, of all cables of the NIC.
cable_set()
{
	devlink dev param set "$nic_bus/$pci" name cable_length value "$1" cmode runtime
}

# Of RX and TX rings: "512 512".
ring_entries()
{
	at "$1" ethtool -g "$1" |
		awk '/^RX:/ { rx = $2 } /^TX:/ { tx = $2 } END { print rx, tx }'
}

channel_count()
{
	at "$1" ethtool -l "$1" | awk '/^Combined:/ { n = $2 } END { print n }'
}

rings_are()
{
	[[ $(ring_entries "$1") == "$2 $2" ]]
}

channels_are()
{
	[[ $(channel_count "$1") == "$2" ]]
}

rings_try()
{
	at "$1" ethtool -G "$1" rx "$2" tx "$2" 2>/dev/null
	rings_are "$@"
}

channels_try()
{
	at "$1" ethtool -L "$1" combined "$2" 2>/dev/null
	channels_are "$@"
}

# rings_set PORT ENTRIES, channels_set PORT NUMBER: refused while frames that an
# earlier change has left are still to be sent, and then tried again.
rings_set()
{
	wait_for 30 "rings of $2 at $1" rings_try "$@"
}

channels_set()
{
	wait_for 30 "$2 channels of $1" channels_try "$@"
}

# threaded_set PORT 0|1: whether threads take its frames, "napi/PORT-..."
threaded_set()
{
	echo "$2" >"${sysfs[$1]}/threaded"
}

# polls_deferred PORT MILLISECONDS: a slow host, which looks for frames no more often than that.
# With 0 it looks when an interrupt tells it, once the last of these times is over.
polls_deferred()
{
	echo $(($2 ? 1000000 : 0)) >"${sysfs[$1]}/napi_defer_hard_irqs" &&
		echo "$2"000000 >"${sysfs[$1]}/gro_flush_timeout"
}

# bql_least BYTES QUEUE...: what p0's queues may hold at least, by their byte limits, which
# otherwise keep rings from being full.
bql_least()
{
	local queue file

	for queue in "${@:2}"; do
		file=${sysfs[p0]}/queues/$queue/byte_queue_limits/limit_min
		[[ ! -e $file ]] || echo "$1" >"$file"
	done
}

# ---- DCB ----------------------------------------------------------------------

# For all priorities: pfc_set p0 all:on
pfc_set()
{
	at "$1" dcb pfc set dev "$1" prio-pfc "${@:2}"
}

ets_default()
{
	at "$1" dcb ets set dev "$1" tc-tsa all:strict tc-bw all:0 prio-tc all:0
}

# A traffic class for each priority, all strict.
ets_strict()
{
	at "$1" dcb ets set dev "$1" tc-tsa all:strict tc-bw all:0 \
		prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
}

# A traffic class for each priority, equal shares.
ets_equal()
{
	at "$1" dcb ets set dev "$1" tc-tsa all:ets \
		tc-bw 0:13 1:13 2:13 3:13 4:12 5:12 6:12 7:12 \
		prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
}

# The kernel's unit is kbit/s, older versions of dcb take it for bytes/s. What dcb shows of a
# limit of 1000 tells: with $maxrate_unit behind it, dcb sends the number that is typed.
maxrate_unit_find()
{
	local limits shown

	printf -v limits 'e803000000000000%.0s' {0..7}
	at p1 parq_dcbnl p1 IEEE_SET '13{' "7=x:$limits" '}' >/dev/null || return
	shown=$(at p1 dcb -j maxrate show dev p1 | jq '.tc_maxrate[0]')
	at p1 dcb maxrate set dev p1 tc-maxrate all:0 || return
	case $shown in
	1000) maxrate_unit=bps ;;
	125000) maxrate_unit=kbit ;;
	*) ktap_print_msg "dcb shows '$shown' for 1000 kbit/s" && return 1 ;;
	esac
}

# Limits of traffic classes, kbit/s: maxrate_set p0 all:0 3:20000
maxrate_set()
{
	local port=$1
	shift

	[[ $maxrate_unit || $* == all:0 ]] || maxrate_unit_find || return
	at "$port" dcb maxrate set dev "$port" tc-maxrate "${@/%/${maxrate_unit:-bit}}"
}

# What the NIC's scheduler has been told: sched p0 [TC]
sched()
{
	sed -n "/^${2:+tc $2: }/s///p" "/sys/kernel/debug/parq/$pci/port${1#p}/sched"
}

# measure PORT PRIORITIES: all of them send as much as they can, one flow each, and what
# each of them gets in that time is in ${wire[PORT_PRIORITY_free_kbit]}. PFC frames that
# pause nobody mark both ends of that time. The link is slow and nothing else runs
# meanwhile, so that any machine fills it; all else is as a user finds it.
measure()
{
	local port=$1 prios=$2 MBIT=$MBIT

	defer set_speed "$MBIT"
	MBIT=$MEASURE_MBIT
	check set_speed "$MBIT" && check record_anew || return
	check traffic_start "$port" "$prios" --size "$MEASURE_SIZE" || return
	check pfc "$port" once --quanta 0 --count 2 --every "$MEASURE_USECS"
	check traffic_stop "$port"
	check judge "$port"
}

# What a priority has had of the link's time then, kbit/s: frames have headers, and 24
# bytes of preamble, FCS and gap.
measured()
{
	echo $((${wire[${1}_${2}_free_kbit]} * (MEASURE_SIZE + 66) / (MEASURE_SIZE + 42)))
}

executor_set()
{
	devlink dev param set "$nic_bus/$pci" name pfc_executor value "$1" cmode runtime
}

# pause_set PORT AUTONEG RX TX: link pause, each of them on or off
pause_set()
{
	at "$1" ethtool -A "$1" autoneg "$2" rx "$3" tx "$4"
}

# pause_state PORT NAME, as debugfs has it
pause_state()
{
	sed -n "s/^$2: //p" "/sys/kernel/debug/parq/$pci/port${1#p}/pause"
}

# For one test: PFC for all priorities of p0, a traffic class each, equal shares,
# the FSM run by the executor; recordings and counts start here.
pfc_prepare()
{
	check executor_set "$1" || return
	defer executor_set offload
	check pfc_set p0 all:on || return
	defer pfc_set p0 all:off
	check ets_equal p0 || return
	defer ets_default p0
	check record_anew && check counters_begin
}

# ---- recordings ---------------------------------------------------------------

# ${header[PORT]} is the length of the two blocks in front of the first frame, see pcapng.
recording_header()
{
	local file=${recording[$1]} section interface

	section=$(od -An -tu4 -j4 -N4 "$file") &&
		interface=$(od -An -tu4 -j$((section + 4)) -N4 "$file") &&
		header[$1]=$((section + interface))
}

# The recorder appends: what is cut off here is not missed by it.
record_anew()
{
	local port

	wire=()
	for port in p0 p1; do
		[[ ${header[$port]:-} ]] || check recording_header $port || return
		check truncate -s "${header[$port]}" "${recording[$port]}" || return
	done
}

# The recorder is less than this long behind the wire.
recorded()
{
	local file=${recording[$1]} size

	size=$(stat -c %s "$file")
	sleep 0.1
	[[ $(stat -c %s "$file") == "$size" ]]
}

# Judges a port by its recording. Options of parq_wire may follow. The figures are then
# ${wire[PORT_PRIORITY_COLUMN]}; priority "all" is the sum.
judge()
{
	local port=$1 args=() status
	shift

	wait_for 10 "end of the recording of $port" recorded "$port"
	[[ ! -e $tmp/sent.$port ]] || args=(--sent "$tmp/sent.$port")
	parq_wire --addr "$(<"${sysfs[$port]}/address")" \
		--speed "$MBIT" "${args[@]}" "$@" "${recording[$port]}" >"$tmp/wire.$port"
	status=$?
	sed 's/^/# /' "$tmp/wire.$port"
	awk -v port="$port" '
		NR == 1 { split($0, column) }
		NR > 1 && NR < 10 {
			for (i = 2; i <= NF; i++) {
				printf "wire[%s_%s_%s]=%.0f\n", port, $1, column[i], $i
				sum[i] += $i
			}
		}
		END {
			for (i in sum)
				printf "wire[%s_all_%s]=%.0f\n", port, column[i], sum[i]
		}' "$tmp/wire.$port" >"$tmp/figures"
	# shellcheck source=/dev/null
	. "$tmp/figures"
	return $status
}

# ---- counters -----------------------------------------------------------------

counter()
{
	at "$1" ethtool -S "$1" | awk -v name="$2:" '$1 == name { print $2; found = 1 }
		END { exit !found }'
}

# Of p0's queues, as the kernel counts them.
tx_timeouts()
{
	cat "${sysfs[p0]}"/queues/tx-*/tx_timeout | awk '{ sum += $1 } END { print sum }'
}

# What has been counted between these two is ${counted[PORT_NAME]}.
counters_begin()
{
	local port

	counted=()
	for port in p0 p1; do
		at $port ethtool -S $port >"$tmp/before.$port" || return
	done
}

counters_end()
{
	local port

	for port in p0 p1; do
		at $port ethtool -S $port >"$tmp/after.$port" || return
		awk -F '[ :]+' -v port=$port '
			FNR == 1 { file++; next }
			file == 1 { before[$2] = $3 }
			file == 2 && $2 in before {
				printf "counted[%s_%s]=%.0f\n", port, $2, $3 - before[$2]
			}' "$tmp/before.$port" "$tmp/after.$port"
	done >"$tmp/figures"
	# shellcheck source=/dev/null
	. "$tmp/figures"
}

# The arithmetic holds of what has been counted so far: counts "counted[p0_rx_pause_frames] > 0"
counts()
{
	local expression=$1

	counters_end
	((expression))
}

# All that NIC and driver of a port have been given to send and have not sent.
dropped()
{
	local name sum=0

	for name in tx_flushed tx_drop_{desc,dma,purge,park,storm}; do
		((sum += ${counted[${1}_$name]}))
	done
	echo $sum
}

# ---- traffic ------------------------------------------------------------------

# traffic_start PORT PRIORITIES [OPTION]...: as much as goes, to nobody.
traffic_start()
{
	local port=$1 prios=$2
	shift 2

	exec_at "$port" parq_traffic send --dev "$port" --to $SINK --prios "$prios" \
		--drain 20000 "$@" >"$tmp/sent.$port" &
	traffic_pid[${port#p}]=$!
	defer kill_quietly $!
	wait_for 10 "traffic of priorities $prios at $port" flowing "$port" "$prios"
}

kill_quietly()
{
	kill "$1" 2>/dev/null && wait "$1" 2>/dev/null
	true
}

# Priorities that send, a mask.
sending()
{
	# The first half is printed before, the second after some time.
	{
		at "$1" ethtool -S "$1"
		sleep 0.1
		at "$1" ethtool -S "$1"
	} | awk '
		/^ *tx_prio[0-7]_packets:/ {
			prio = substr($1, 8, 1)
			if (prio in sent && sent[prio] != $2)
				mask += 2 ^ prio
			sent[prio] = $2
		}
		END { print mask + 0 }'
}

# Each of the priorities, a mask, sends; all by default.
flowing()
{
	local mask=$((${2:-0xff}))

	((($(sending "$1") & mask) == mask))
}

# None of the priorities, a mask, sends.
still()
{
	((($(sending "$1") & $2) == 0))
}

# starves PORT PRIORITIES SECONDS: none of the priorities, a mask, has sent for so long. The
# caller sets $since to the moment from which on that counts.
starves()
{
	still "$1" "$2" || since=$SECONDS
	((SECONDS - since >= $3))
}

# Ends the sender in good order. Succeeds when each of its frames has been sent,
# or dropped, and freed: then its sockets have no memory charged to them.
traffic_stop()
{
	local pid=${traffic_pid[${1#p}]}

	kill -TERM "$pid"
	wait "$pid"
}

# receive_start PORT: a receiver at this port, until receive_stop; what it has had is
# in $tmp/received.PORT.
receive_start()
{
	exec_at "$1" parq_traffic recv >"$tmp/received.$1" &
	receive_pid[${1#p}]=$!
	defer kill_quietly $!
	wait_for 10 "receiver at $1" grep -q ready "$tmp/received.$1"
}

receive_stop()
{
	local pid=${receive_pid[${1#p}]}

	kill -TERM "$pid"
	wait "$pid"
}

# ---- pauses -------------------------------------------------------------------

peer_of()
{
	[[ $1 == p0 ]] && echo p1 || echo p0
}

# What the peer of a port sends: pfc p0 once --quanta 100
pfc()
{
	local peer

	peer=$(peer_of "$1")
	at "$peer" parq_pfc --dev "$peer" "${@:2}"
}

# Priorities with frames in their park queues, a mask.
parking()
{
	at "$1" ethtool -S "$1" |
		awk '/^ *prio[0-7]_parked:/ { mask += ($2 > 0) * 2 ^ substr($1, 5, 1); n++ }
			END { if (n) print mask }'
}

# Each of the priorities, a mask, has frames in its park queue.
parked()
{
	((($(parking "$1") & $2) == $2))
}

# None of the priorities, a mask, has.
none_parked()
{
	((($(parking "$1") & $2) == 0))
}

# Within 0.1 seconds, far less than the pause.
parked_soon()
{
	local i

	for ((i = 0; i < 10; i++)); do
		parked "$1" "$2" && return
		sleep 0.01
	done
	return 1
}

# What a pause finds in the pipeline is parked a little later. It may find no frame of a
# priority. Then another one will, once they are sent again, but not at the same moment of
# their turns.
try_to_park()
{
	pfc "$1" once --prios "$2"
	parked_soon "$1" "$2" && return
	pfc "$1" once --prios "$2" --quanta 0
	flowing "$1" "$2"
	sleep "0.00$RANDOM"
	return 1
}

# pause_repeat PORT WORD...: its peer sends this again and again, until pause_end, or
# pause_pid is killed.
pause_repeat()
{
	local peer

	peer=$(peer_of "$1")
	exec_at "$peer" parq_pfc --dev "$peer" "${@:2}" --count 100000 2>"$tmp/pause" &
	pause_pid=$!
	defer kill_quietly $!
}

# pause_begin PORT PRIORITIES: pauses them, with frames parked, until pause_end. One after the
# other: that a pause finds frames of all of them under way is chance. One PFC frame pauses
# for 65535 quanta at most: 335 ms at 100 Mb/s.
pause_begin()
{
	local prio paused=0

	for prio in {0..7}; do
		(($2 >> prio & 1)) || continue
		wait_for 20 "priority $prio of $1 parks" try_to_park "$1" $((1 << prio)) || return
		((!paused)) || kill_quietly "$pause_pid"
		((paused |= 1 << prio))
		pause_repeat "$1" once --prios $paused --every 100000
	done
}

pause_end()
{
	kill_quietly "$pause_pid"
	pfc "$1" once --quanta 0
}

# storm_begin PORT [OPTION]...: random pauses of all its priorities, until storm_end.
storm_begin()
{
	local peer

	peer=$(peer_of "$1")
	exec_at "$peer" parq_pfc --dev "$peer" storm --speed "$MBIT" --pauses 0 \
		--on $((4000 * SLOWER)) --off $((8000 * SLOWER)) --seed "$SRANDOM" "${@:2}" \
		>"$tmp/storm" 2>&1 &
	storm_pid=$!
	defer kill_quietly $!
}

storm_end()
{
	kill_quietly "$storm_pid"
	pfc "$1" once --quanta 0
}

# pauses_afterwards NUMBER [OPTION OF SENDER]...: p0 parks and sends as ever, by a
# recording of its own.
pauses_afterwards()
{
	check record_anew && check traffic_start p0 0xff "${@:2}" || return
	check pfc p0 storm --speed "$MBIT" --pauses "$1" --seed "$SRANDOM" || return
	check traffic_stop p0
	check judge p0
	expect "pauses afterwards" "${wire[p0_all_pauses]} >= $1 * 8 / 10"
}

# vlan_up PORT MAP...: vp0 on p0, vp1 on p1; from priorities of sockets to those of tags.
vlan_up()
{
	local port=$1

	check at "$port" ip link add link "$port" name "v$port" type vlan id 10 \
		egress-qos-map "${@:2}" || return
	defer at "$port" ip link del "v$port"
	check at "$port" sysctl -qw "net.ipv6.conf.v$port.disable_ipv6=1" || return
	check at "$port" ip addr add "198.51.100.$((1 + ${port#p}))/24" dev "v$port" &&
		check at "$port" ip link set "v$port" up
}

# vlans_up MAP...: on both ports, which need not ask for each other.
vlans_up()
{
	local port peer

	for port in p0 p1; do
		vlan_up $port "$@" || return
	done
	for port in p0 p1; do
		peer=$(peer_of $port)
		check at $port ip neigh replace "198.51.100.$((1 + ${peer#p}))" dev v$port \
			lladdr "$(<"${sysfs[$peer]}/address")" \
			nud permanent || return
	done
}

# ---- faults -------------------------------------------------------------------

# What the NIC can be made to do, see parq-nic(8), SIGUSR2. Real ones cannot.
# shellcheck disable=SC2034 # used by tests
FAULT_DMA=1 FAULT_REGISTER=2 FAULT_LOST=4 FAULT_LATE=8 FAULT_TWICE=16 FAULT_REFUSED=32 \
	FAULT_STUCK=64 FAULT_FATAL=128

# Asks the host that runs the virtual machine, see tools/vm/control.sh.
host()
{
	/parq/tools/vm/ask "$@" >"$tmp/answer"
}

fault_begin()
{
	host nic 0 fault "$1" && defer fault_end
}

fault_end()
{
	host nic 0 fault 0
}

# ---- running ------------------------------------------------------------------

# Prints what the kernel must not have said since the mark, but for what a test expects, and
# fails if that is anything. A log that is too short for the mark is looked at as a whole.
kernel_is_quiet()
{
	dmesg | awk -v mark="$1" -v expected="${expected_complaint:-^$}" '
		index($0, mark) { n = 0 }
		/WARNING|BUG|cut here|Oops|UBSAN|blocked for more|NETDEV WATCHDOG|refcount|parq.*(no completion|reset)/ &&
			$0 !~ expected { line[n++] = $0 }
		END {
			for (i = 0; i < n; i++)
				print "# " line[i]
			exit n > 0
		}'
}

# Only a NIC at fault loses an interrupt; the driver recovers, and counts.
lost_interrupts()
{
	local port

	for port in p0 p1; do
		at $port ethtool -S $port 2>/dev/null
	done | awk '$1 == "lost_interrupts:" { sum += $2 } END { print sum + 0 }'
}

# Since the test before.
no_interrupt_lost()
{
	local before=$lost

	lost=$(lost_interrupts)
	expect "interrupts lost" "$lost <= $before"
}

run_one_test()
{
	local title=$1 mark
	shift

	mark="parq-selftest-$BASHPID-$SRANDOM"
	echo "$mark" >/dev/kmsg
	RET=0
	expected_complaint=
	in_defer_scope "$@" || RET=1
	((faulty)) || no_interrupt_lost
	kernel_is_quiet "$mark" || RET=1
	if ((RET)); then
		ktap_test_fail "$title"
	else
		ktap_test_pass "$title"
	fi
}

cleanup()
{
	defer_scopes_cleanup
	rm -rf "$tmp"
}

# run_tests TITLE COMMAND...: each COMMAND is one word, which may hold arguments.
run_tests()
{
	ktap_print_header
	ktap_set_plan $(($# / 2))
	topology_up || ktap_exit_fail_msg "the topology does not come up"
	lost=$(lost_interrupts)
	while (($#)); do
		# shellcheck disable=SC2086
		run_one_test "$1" $2
		((!RET || !FAIL_FAST)) || ktap_exit_fail_msg "no test after the first that fails"
		shift 2
	done
	ktap_finished
}

declare -a traffic_pid receive_pid
# Sysfs shows the interfaces of the namespace in which it was mounted.
far_sysfs=/run/parq-far
declare -A sysfs=([p0]=/sys/class/net/p0 [p1]=$far_sysfs/class/net/p1)
declare -A recording=([p0]=$PARQ_RECORDINGS/p0.pcapng [p1]=$PARQ_RECORDINGS/p1.pcapng)
# Of a recording: in bytes, it never changes.
declare -A header
declare -A counted wire
# Not 0: the NIC is made to fail.
faulty=0
# Interrupts, until now.
lost=0
# See maxrate_set().
maxrate_unit=
pause_pid='' storm_pid=
tmp=$(mktemp -d /tmp/parq.XXXXXX)
trap cleanup EXIT
trap 'exit 1' INT TERM
