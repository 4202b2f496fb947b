#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# parq-lab makes labs in this kernel, runs its scenarios, and leaves nothing behind: neither NIC
# nor namespace nor file, whatever ends it.
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

: "${PARQ_LAB:=${build%/build}/tools/lab/lab}" "${PARQ_TOP:=${build%/build}/tools/top/top}"

# What a lab makes: namespaces, NICs of configfs, directories.
there()
{
	compgen -G '/run/netns/*'
	compgen -G '/sys/kernel/config/parqsim/*'
	compgen -G '/run/parq-lab/*'
}

# said COMMAND...: its status is in $status, what it prints in $tmp/said.
said()
{
	"$@" 2>&1 | tee "$tmp/said" | sed -u 's/^/# /'
	status=${PIPESTATUS[0]}
}

# scenario NAME: all that has to hold does.
scenario()
{
	local before status

	before=$(there)
	said "$PARQ_LAB" run "$1" --speed "${MBIT}M"
	expect "exit status of $1" "$status == 0"
	expect "lines of a verdict" "$(grep -c '^  yes  ' "$tmp/said") >= 6"
	same "what is left" "$(there)" "$before"
}

# contrast NAME SENTENCE...: without PFC the same traffic is dropped, and the verdict says so.
contrast()
{
	local before sentence status

	before=$(there)
	said "$PARQ_LAB" run "$1" --no-pfc --speed "${MBIT}M"
	expect "exit status" "$status == 1"
	for sentence in "${@:2}"; do
		check grep -q "^  NO   $sentence" "$tmp/said"
	done
	same "what is left" "$(there)" "$before"
}

pair_without_pfc()
{
	contrast pair "host-b dropped no frame of priority 3" "a0 was paused"
}

incast_without_pfc()
{
	contrast incast "every frame of priority 3 that a0 and b0 sent reached c0"
}

# As JSON, and the recordings are kept.
pair()
{
	local before

	before=$(there)
	"$PARQ_LAB" run pair --json --speed "${MBIT}M" -o "$tmp/kept" >"$tmp/json"
	expect "exit status" "$? == 0"
	jq -r '.holds[] | "\(.holds) \(.what) \(.found)"' "$tmp/json" | sed 's/^/# /'
	expect "lines of the verdict" "$(jq '.holds | length' "$tmp/json") >= 6"
	same "verdict" "$(jq -r .verdict "$tmp/json")" pass
	expect "pauses" "$(jq '.wire["host-a a0"].priorities[3].pauses' "$tmp/json") > 0"
	expect "rows" "$(jq '.rows | length' "$tmp/json") == 4"
	check parq_wire --pfc 0x08 "$tmp/kept/a0.pcapng" >/dev/null
	same "what is left" "$(there)" "$before"
}

# ---- a file of the user's ----------------------------------------------------------

# Whether the process is in a network namespace of its own.
apart()
{
	[[ $(readlink "/proc/$1/ns/net") != "$(readlink /proc/$$/ns/net)" ]]
}

# A host of its own, and the network namespace of a process, as a container has one.
my_file()
{
	unshare -n sleep 1000 &
	pid=$!
	defer kill_quietly "$pid"
	wait_for 10 "a namespace" apart "$pid"
	cat >"$tmp/my.yaml" <<-FILE
		parq-lab: 1
		hosts:
		  host-a:
		    nics:
		      left: {ports: {eth0: {addresses: [10.0.0.1/24], pfc: [3, 4], mtu: 9000,
		        ets: {tc-tsa: {3: ets, 4: ets}, tc-bw: {3: 60, 4: 40}, prio-tc: {3: 3, 4: 4}}}}}
		  box:
		    pid: $pid
		    nics:
		      right: {ports: {eth0: {addresses: [10.0.0.2/24], dscp-prio: {26: 3}}, eth1: {}}}
		cables:
		  - {ends: [host-a eth0, box eth0], length: 300, speed: ${MBIT}M}
	FILE
}

up_and_down()
{
	local before pid status

	my_file || return
	before=$(there)
	said "$PARQ_LAB" up -v "$tmp/my.yaml"
	expect "exit status of up" "$status == 0" || return
	defer eval "'$PARQ_LAB' down my >/dev/null 2>&1 || true"
	check "$PARQ_LAB" shell host-a ping -q -c 3 -i 0.2 10.0.0.2
	check nsenter -t "$pid" -n ip link show dev eth1
	same "MTU" "$("$PARQ_LAB" shell host-a cat /sys/class/net/eth0/mtu)" 9000
	check eval "dcb -n host-a ets show dev eth0 tc-bw | grep -q 3:60"
	# Each command is one that a shell runs as well.
	check grep -q '^dcb -n host-a pfc set dev eth0 prio-pfc all:off 3:on 4:on$' "$tmp/said"
	said "$PARQ_LAB" up "$tmp/my.yaml"
	expect "exit status of a second up" "$status == 2"
	check grep -q "lab 'my' is up already: parq-lab down my" "$tmp/said"
	check "$PARQ_LAB" down
	same "what is left" "$(there)" "$before"
	same "interfaces of the container" "$(nsenter -t "$pid" -n ls /proc/sys/net/ipv4/conf | xargs)" \
		"all default lo"
}

# One host pauses a priority of the other.
watched()
{
	local prio

	cat >"$tmp/two.yaml" <<-FILE
		parq-lab: 1
		defaults: {port: {pfc: [3]}}
		hosts:
		  host-a: {nics: {left: {ports: {eth0: {}}}}}
		  host-b: {nics: {right: {ports: {eth0: {}}}}}
		cables:
		  - {ends: [host-a eth0, host-b eth0], speed: ${MBIT}M}
	FILE
	defer eval "'$PARQ_LAB' down two >/dev/null 2>&1 || true"
	check "$PARQ_LAB" up "$tmp/two.yaml" >/dev/null || return
	ip netns exec host-b parq_pfc --dev eth0 hold --prios 0x08 --speed "$MBIT" &
	check "$PARQ_TOP" --json -n 2 >"$tmp/top"
	kill $!
	check wait $!
	same "ports" "$(jq -r '.ports[] | select(.netns | startswith("host-")) | "\(.netns)/\(.port)"' "$tmp/top" | tail -n 2 | xargs)" \
		"host-a/eth0 host-b/eth0"
	prio=$(tail -n 1 "$tmp/top" | jq -c '[.ports[] | select(.netns | startswith("host-")) | .priorities[3]]')
	ktap_print_msg "$prio"
	check jq -e '.[0].paused > 80 and .[1].pausing == 0 and .[0].pfc' <<<"$prio" >/dev/null
	check jq -e '.[0].pfc_rx > 0 and .[0].paused <= 100' <<<"$prio" >/dev/null
}

# refused REASON SED...: the file that sed makes of a good one.
refused()
{
	local before status

	before=$(there)
	sed "${@:2}" "$tmp/my.yaml" >"$tmp/bad.yaml"
	said "$PARQ_LAB" up "$tmp/bad.yaml"
	expect "exit status" "$status == 2"
	check grep -qF "parq-lab: $1" "$tmp/said"
	same "what is left" "$(there)" "$before"
}

# By the parser, by the look at the machine, by the kernel in the middle.
bad_files()
{
	local pid

	my_file || return
	refused "$tmp/bad.yaml: hosts.host-a.nics.left.ports.eth0.pfc[0]: '9': a priority is 0 to 7" \
		's/\[3, 4\]/[9, 4]/'
	refused "$tmp/bad.yaml: hosts.box.pid: '4194304': no such process" 's/pid: .*/pid: 4194304/'
	check ip netns add host-a && defer eval "ip netns del host-a 2>/dev/null || true"
	refused "there is a network namespace host-a already" ''
	check ip netns del host-a
	refused "ip -n box addr add 10.0.0.999/24 dev eth0: " 's/10.0.0.2/10.0.0.999/'
}

# interrupted SIGNAL: in the middle of the traffic, and sooner.
interrupted()
{
	local before pid seconds

	before=$(there)
	for seconds in 1 4; do
		"$PARQ_LAB" run pair --speed "${MBIT}M" >/dev/null 2>&1 &
		pid=$!
		wait_for 60 "the lab" test -e /run/netns/host-a
		sleep $seconds
		kill "-$1" $pid
		wait $pid
		expect "exit status" "$? == 130"
		same "what is left" "$(there)" "$before"
		check eval "! pgrep parq_traffic"
	done
}

# What a killed parq-lab leaves "down" removes.
killed()
{
	local before pid

	before=$(there)
	"$PARQ_LAB" run pair --speed "${MBIT}M" >/dev/null 2>&1 &
	pid=$!
	wait_for 60 "traffic" pgrep parq_traffic
	kill -KILL $pid
	wait $pid
	check "$PARQ_LAB" down pair
	wait_for 10 "the traffic ends" eval "! pgrep parq_traffic"
	same "what is left" "$(there)" "$before"
}

# ---- RoCE ---------------------------------------------------------------------------

# Soft-RoCE knows network namespaces since 7.0. On older kernels the lab says so and leaves.
roce()
{
	local before status

	(($(uname -r | cut -d . -f 1) < 7)) || { scenario roce; return; }
	before=$(there)
	said "$PARQ_LAB" run roce
	expect "exit status of roce" "$status == 2"
	check grep -q "^parq-lab: needs Linux 7.0 or later" "$tmp/said"
	same "what is left" "$(there)" "$before"
}

# A machine that is late: events of 50 ms are due at once, more than a turn of the NICs handles. Each
# pauses its senders in time all the same, because none gets ahead of the others.
late_victim()
{
	local slack=/sys/module/parqsim/parameters/slack_ns

	defer eval "echo $(<$slack) >$slack"
	echo 50000000 >$slack
	scenario victim
}

run_tests \
	"pair: a slow host loses nothing in a priority with PFC" pair \
	"pair without PFC loses frames" pair_without_pfc \
	"a file of the user's: up, shell, down" up_and_down \
	"parq-top shows who is paused" watched \
	"bad files are refused, and nothing is left" bad_files \
	"interrupted" "interrupted INT" \
	"killed" killed \
	"storm: the frames of one priority are dropped until it is over" "scenario storm" \
	"RoCE repeats nothing across pauses, or is refused on an older kernel" roce \
	"two lldpad agree" "scenario dcbx" \
	"a switch pauses two senders, and nothing is lost" "scenario incast" \
	"the switch without PFC loses frames" incast_without_pfc \
	"congestion spreads over two switches to a victim, on a machine that is late" late_victim
