#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Time stamps and the PTP clock, with linuxptp.
#
# Two NICs have a clock each. ptp4l sets one by the other, and phc2sys a third by the second, while
# another priority is paused again and again: the clocks differ by less than 10 ns, in simulated
# time.
#
#	left (grandmaster) ==== cable ====  right (in the namespace far)
#
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/drivers/net/parq/lib/nics.sh
. "$(dirname "$0")/lib/nics.sh"

# ---- settings ------------------------------------------------------------------------

shown()
{
	local info

	pair_up || return
	info=$(ethtool -T left)
	for word in hardware-transmit hardware-receive hardware-raw-clock on all; do
		grep -qw -- "$word" <<<"$info" || check false "ethtool -T shows no $word"
	done
	expect "clocks" "$(clock_of left | wc -l) == 1"
	check test "$(clock_of left)" != "$(clock_of right far)"
	check grep -qx parq "/sys/class/ptp/$(basename "$(clock_of left)")/clock_name"
}

# What is refused changes nothing. A filter for some frames becomes one for all.
refusals()
{
	pair_up || return
	check hwstamp_ctl -i left -t 1 -r 12 >/dev/null || return
	check_refused hwstamp_ctl -i left -t 2 -r 1
	check_refused hwstamp_ctl -i left -t 3 -r 0
	check_refused hwstamp_ctl -i left -t 1 -r 2
	same "settings" "$(hwstamp_ctl -i left | tr -s '\n' ' ')" \
		"current settings: tx_type 1 rx_filter 1 "
	check hwstamp_ctl -i left -t 0 -r 0 >/dev/null
	same "settings" "$(hwstamp_ctl -i left | tr -s '\n' ' ')" \
		"current settings: tx_type 0 rx_filter 0 "
}

clock_is_set()
{
	local clock

	pair_up && clock=$(clock_of left) || return
	check phc_ctl -q "$clock" -- set 1000.5 adj -0.25 freq 100000 >/dev/null || return
	# No condition: the clock advances by this second.
	sleep 1
	same "time" "$(phc_ctl "$clock" get | sed -n 's/.*clock time is \([0-9]*\)\..*/\1/p')" 1001
}

# ---- linuxptp ------------------------------------------------------------------------

# settled FILE: the last 10 offsets are below 10 ns.
settled()
{
	sed -n 's/.*\(master\|phc\) offset *\(-*[0-9]*\) .*/\2/p' "$1" | tail -n 10 |
		awk '$1 > -10 && $1 < 10 { n++ } END { exit n < 10 }'
}

ptp_start()
{
	printf '[global]\nnetwork_transport L2\nsummary_interval -4\nstep_threshold 0.00001\ntx_timestamp_timeout 100\n' \
		>"$tmp/ptp.conf"
	exec_ptp "$tmp/ptp.left" ptp4l -f "$tmp/ptp.conf" -i left -m --serverOnly 1 &&
		exec_ptp "$tmp/ptp.right" nsenter --net=/run/netns/far \
			ptp4l -f "$tmp/ptp.conf" -i right -s -m \
			--uds_address "$tmp/right.uds" --uds_ro_address "$tmp/right.uds.ro"
}

# exec_ptp LOG COMMAND...
exec_ptp()
{
	"${@:2}" >"$1" 2>&1 &
	defer kill_quietly $!
}

# Frames of priority 3 are paused half of the time.
disturb()
{
	check dcb pfc set dev left prio-pfc 3:on && check ip addr add 198.18.7.1/24 dev left &&
		check ip neigh add 198.18.7.2 lladdr 02:00:00:00:99:01 dev left || return
	parq_traffic send --dev left --to 198.18.7.2 --prios 8 >/dev/null &
	defer kill_quietly $!
	nsenter --net=/run/netns/far parq_pfc --dev right storm --speed "$MBIT" --pauses 1000000 \
		--on 4000 --off 6000 --repause 0 --prios 8 >/dev/null &
	defer kill_quietly $!
}

# stamps COUNTER: of the sender's.
stamps()
{
	ethtool -I -T left | awk -v name="$1:" '$1 == name { print $2 }'
}

synchronized()
{
	pair_up || return
	check phc_ctl -q "$(clock_of right far)" -- adj 0.0012345 freq 50000 >/dev/null || return
	ptp_start || return
	[[ $1 != paused ]] || disturb || return
	wait_for 200 "offsets below 10 ns" settled "$tmp/ptp.right" ||
		{ tail -n 5 "$tmp/ptp.left" "$tmp/ptp.right" | sed 's/^/# /'; return 1; }
	exec_ptp "$tmp/phc2sys" phc2sys -s "$(clock_of right far)" -c "$(clock_of p0)" -O 0 -m
	wait_for 200 "offsets of phc2sys below 10 ns" settled "$tmp/phc2sys" ||
		{ tail -n 5 "$tmp/phc2sys" | sed 's/^/# /'; return 1; }
	if [[ $1 == paused ]]; then
		expect "parked" "$(ethtool -S left | awk '$1 == "prio3_parked_total:" { print $2 }') > 0"
	fi
	expect "stamps" "$(stamps tx_pkts) > 10"
	expect "stamps lost" "$(stamps tx_lost) + $(stamps tx_err) == 0"
}

# ---- traffic -------------------------------------------------------------------------

change_all()
{
	local round

	for ((round = 0; round < OFTEN; round++)); do
		check hwstamp_ctl -i p0 -t $((round & 1)) -r $((round >> 1 & 1)) >/dev/null || return
	done
}

nics_begin
topology_up || ktap_exit_fail_msg "the topology does not come up"
run_tests "ethtool -T shows clock and stamps" shown \
	"what is not supported is refused" refusals \
	"the clock is set, stepped and slewed" clock_is_set \
	"ptp4l and phc2sys: below 10 ns" "synchronized idle" \
	"the same while another priority is paused" "synchronized paused" \
	"changes of the settings lose no frame" "undisturbed 0xff change_all"
