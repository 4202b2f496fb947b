#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A DCBX lab: two lldpad, one at each end of a cable, agree on PFC and ETS by LLDP (IEEE
# 802.1Qaz). host-b is willing, and adopts what host-a has; then it is not.
#
#	host-a                       host-b
#	 lldpad - a0 ------------- b0 - lldpad
#	          <===  LLDP  ===>
set -euo pipefail

# shellcheck source=examples/lib.sh
. "$(dirname "$0")/lib.sh"

files=$(mktemp -d)
ETS='tsa=0:ets,1:ets,2:strict,3:ets,4:ets
	up2tc=0:0,1:1,2:2,3:3,4:4,5:5,6:6,7:7 tcbw=10,10,0,40,40,0,0,0'

# Every lldpad has a /dev/shm of its own, where it keeps its state.
agent()
{
	exec_in_ns "$1" sh -c \
		"mount -t tmpfs tmpfs /dev/shm && exec lldpad -t -p -f $files/$1.conf" \
		>"$files/$1.log" 2>&1 &
	child $!
	until_true 20 "lldpad of $1" in_ns "$1" lldptool ping
	in_ns "$1" lldptool set-lldp -i "$2" adminStatus=rxtx >/dev/null
}

build()
{
	two_hosts "" ""
	agent host-a a0
	agent host-b b0
}

# tell NAMESPACE INTERFACE TLV SETTING...
tell()
{
	echo "  $1: lldptool -T -i $2 -V ${*:3}"
	# shellcheck disable=SC2068
	in_ns "$1" lldptool -T -i "$2" -V ${@:3} >/dev/null
}

# Priorities with PFC, as "34".
pfc()
{
	dcb -n "$1" pfc show dev "$2" prio-pfc | grep -o '[0-7]:on' | cut -c 1 | paste -sd ''
}

# Bandwidths of traffic classes.
ets()
{
	dcb -n "$1" ets show dev "$2" tc-bw | grep -o '[0-7]:[0-9]*' | xargs
}

pfc_is()
{
	[[ $(pfc "$1" "$2") == "$3" ]]
}

ets_agree()
{
	[[ $(ets host-a a0) == "$(ets host-b b0)" && $(ets host-b b0) == *3:40* ]]
}

# What host-a's lldpad has been told by the other one.
hears()
{
	in_ns host-a lldptool -t -n -i a0 -V PFC | grep -q "PFC enabled: $1 *$"
}

row()
{
	printf '    a0: PFC for %-6s b0: PFC for %-6s tc-bw of b0: %s\n' "$(pfc host-a a0)" \
		"$(pfc host-b b0)" "$(ets host-b b0)"
}

# seen CONDITION...: 1 if it holds within 30 s.
seen()
{
	if within 30 "$@"; then echo 1; else echo 0; fi
}

modules
need lldpad lldpad
need lldptool lldpad
trap 'cleanup; rm -rf "$files"' EXIT
build
row
tell host-a a0 PFC willing=no enabled=3,4
adopts=$(seen pfc_is host-b b0 34)
row
tell host-a a0 ETS-CFG willing=no "$ETS"
tell host-a a0 ETS-REC enableTx=yes "$ETS"
shares=$(seen ets_agree)
row
tell host-a a0 PFC enabled=3,4,5
follows=$(seen pfc_is host-b b0 345)
row
tell host-b b0 PFC willing=no enabled=3
refuses=$(seen pfc_is host-b b0 3)
hears=$(seen hears 3)
row

echo
echo "Two lldpad negotiated:"
holds "host-b, willing, adopted PFC for 3 and 4" "$adopts"
holds "it adopted the bandwidths that host-a recommends" "$shares"
holds "it followed a change to 3, 4 and 5" "$follows"
holds "unwilling, it kept its own PFC, for 3" "$refuses"
holds "and host-a was told so: a mismatch" "$hears"
holds "PFC of host-a did not change: $(pfc host-a a0)" "$(pfc host-a a0) == 345"
exit "$verdict"
