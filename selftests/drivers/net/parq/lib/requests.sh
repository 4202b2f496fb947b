# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Requests to the driver at random, right and wrong ones, as RANDOM says; sourced by
# tests that have lib.sh. None of them may cost a frame.
# shellcheck disable=SC2154 # what lib.sh has found

# One of its arguments.
one_of()
{
	local n=$((RANDOM % $# + 1))

	echo "${!n}"
}

on_off()
{
	local prio

	for prio in {0..7}; do
		echo "$prio:$(one_of on off)"
	done
}

# Shares that make 100 in most cases. A class without a share would starve, and its
# queues would look stuck.
request_ets()
{
	local tc left=60 share tsa=() bw=() map=()

	for tc in {0..7}; do
		share=$((tc == 7 ? left : RANDOM % (left + 1)))
		tsa+=("$tc:ets") bw+=("$tc:$((share + 5))")
		((left -= share))
		map+=("$tc:$((RANDOM % 8))")
	done
	((RANDOM % 8)) || bw[0]=0:101
	dcb ets set dev p0 tc-tsa "${tsa[@]}" tc-bw "${bw[@]}" prio-tc "${map[@]}"
}

request_dcb()
{
	local prios

	case $((RANDOM % 6)) in
	0)
		mapfile -t prios < <(on_off)
		dcb pfc set dev p0 prio-pfc "${prios[@]}"
		;;
	1) request_ets ;;
	2) dcb pfc set dev p0 delay $((RANDOM * 3)) ;;
	3) dcb -s pfc show dev p0; dcb ets show dev p0; dcb buffer show dev p0 ;;
	4)
		dcb buffer set dev p0 prio-buffer "$((RANDOM % 8)):$((RANDOM % 8))" \
			buffer-size "$((RANDOM % 8)):$(one_of 0 1K 64K 256K 1M 9M)"
		;;
	5) dcb buffer set dev p0 buffer-size all:0 ;;
	esac
}

request_ethtool()
{
	local port how

	port=$(one_of p0 p1)
	case $((RANDOM % 10)) in
	0) at "$port" ethtool -G "$port" tx "$(one_of 0 63 64 100 256 512 1024 99999)" ;;
	1) at "$port" ethtool -G "$port" rx "$(one_of 0 64 256 512 1024 99999)" ;;
	2) at "$port" ethtool -L "$port" combined "$(one_of 0 1 2 3 4 9)" ;;
	3) at "$port" ethtool -C "$port" rx-usecs "$(one_of 0 10 100 99999999)" ;;
	4) at "$port" ethtool -K "$port" "$(one_of tx-checksumming tso sg rxvlan gro)" "$(one_of on off)" ;;
	5)
		read -ra how < <(one_of default 'equal 1' 'equal 2' 'equal 77')
		at "$port" ethtool -X "$port" "${how[@]}"
		;;
	6) at "$port" ethtool -d "$port" ;;
	7) at "$port" ethtool -S "$port" ;;
	8) at "$port" ethtool -k "$port"; at "$port" ethtool -x "$port" ;;
	9) at "$port" ethtool "$port"; at "$port" ethtool -i "$port" ;;
	esac
}

request_devlink()
{
	case $((RANDOM % 5)) in
	0) executor_set "$(one_of offload managed nobody)" ;;
	1) devlink dev info ;;
	2) devlink dev param show; cat /sys/kernel/debug/parq/*/port*/* ;;
	3) cable_set "$(one_of 0 1 10 100 2000 100000 999999)" ;;
	4) devlink sb pool show; devlink sb occupancy snapshot "$nic_bus/$pci" ;;
	esac
}

# At the far end: a qdisc that goes takes what it holds with it.
request_tc()
{
	case $((RANDOM % 4)) in
	0) far tc qdisc replace dev p1 root "$(one_of mq pfifo fq_codel)" ;;
	1) far tc -s qdisc show dev p1 ;;
	2) far ip link set p1 mtu "$(one_of 60 1400 1500 10240 10999)" ;;
	3) ip -s link show p0 ;;
	esac
}
