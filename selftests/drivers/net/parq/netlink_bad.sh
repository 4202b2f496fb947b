#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Bad values in DCB messages are refused and change nothing.
#
# dcb and lldpad refuse most of them themselves, and the core of the kernel checks little:
# so messages are built byte by byte. An answer has one byte for an error, minus an errno or,
# from operations of CEE, an errno: both below 128. After each message all settings are read
# and must be the old ones.

# Braces are words of parq_dcbnl.
# shellcheck disable=SC1083
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

STATE=2 PFC_CFG=4 PFC_STATE=3 PG_CFG=6 ALL=7 NUMTCS=10 APP=12 IEEE=13 DCBX=14 FEATCFG=15
# In IEEE, and bytes of their structures.
ETS=1 PFC=2 APPS=3 MAXRATE=7 BUFFER=10 TRUST=11 REWR=12
ETS_LEN=59 PFC_LEN=136 MAXRATE_LEN=64 BUFFER_LEN=44

# All that there is to be asked.
snapshot()
{
	parq_dcbnl p0 - <<-END
		IEEE_GET ?$IEEE
		CEE_GET ?16
		GDCBX ?$DCBX
		GSTATE ?$STATE
		PFC_GSTATE ?$PFC_STATE
	END
}

# bytes LENGTH [OFFSET=VALUE]...: prints an argument of parq_dcbnl: zeroes, except for these bytes.
bytes()
{
	local out at byte

	printf -v out '%*s' $((2 * $1)) ''
	out=${out// /0}
	for at in "${@:2}"; do
		printf -v byte %02x $((${at#*=}))
		out=${out:0:2 * ${at%=*}}$byte${out:2 * ${at%=*} + 2}
	done
	echo "x:$out"
}

unchanged()
{
	same "settings after $*" "$(snapshot)" "$settings"
}

begin()
{
	settings=$(snapshot) || check false "to ask for the settings"
}

# bad COMMAND WORD...: status in IEEE, minus an errno.
bad()
{
	local status

	status=$(parq_dcbnl p0 "$@" "?$IEEE") || { check false "$*"; return 1; }
	expect "answer to $* is $status, an error" "$status > 128 && $status < 256" &&
		unchanged "$@"
}

bad_ieee()
{
	bad IEEE_SET "$IEEE{" "$@" }
}

# An answer that says nothing.
bad_whole()
{
	local errno

	errno=$(parq_dcbnl p0 "$@") && { check false "$*"; return 1; }
	expect "errno for $*" "${errno:-0} > 0 && ${errno:-0} < 128" && unchanged "$@"
}

ets()
{
	local at

	# Each value alone: willing, cap, cbs, prio_tc, tsa, the three bandwidths, the
	# recommendation's.
	for at in 0=2 0=255 1=9 1=255 2=1 2=255 27=8 34=255 19=1 26=3 19=255 3=101 10=255 \
		11=101 18=255 35=101 42=255 43=3 50=254 51=8 58=255; do
		bad_ieee $ETS="$(bytes $ETS_LEN $at)"
	done
	# Sums of the classes that share.
	logs "p0: ETS refused: tc-bw of the ets traffic classes adds up to 99%, not 0% or 100%" \
		bad_ieee $ETS="$(bytes $ETS_LEN 19=2 20=2 3=50 4=49)"
	bad_ieee $ETS="$(bytes $ETS_LEN 19=2 20=2 3=100 4=100)"
	bad_ieee $ETS="$(bytes $ETS_LEN 19=2 3=50 4=50)"
	bad_whole IEEE_SET $IEEE{ $ETS="$(bytes 20)" }
}

# The message has PFC for priority 3, which would have changed something.
pfc()
{
	bad_ieee $PFC="$(bytes $PFC_LEN 1=8 2=2)"
	bad_ieee $PFC="$(bytes $PFC_LEN 1=8 2=255)"
	bad_whole IEEE_SET $IEEE{ $PFC="$(bytes 8 1=8)" }
}

# Eight bytes for each class. TC 3 gets a limit that is legal, which would have changed
# something; the first or the last class gets more than 32 bits of kbit/s.
maxrate()
{
	bad_ieee $MAXRATE="$(bytes $MAXRATE_LEN 27=1 {0..7}=255)"
	bad_ieee $MAXRATE="$(bytes $MAXRATE_LEN 27=1 {56..63}=255)"
	bad_ieee $MAXRATE="$(bytes $MAXRATE_LEN 27=1 7=128)"
	bad_ieee $MAXRATE="$(bytes $MAXRATE_LEN 27=1 63=128)"
	bad_ieee $MAXRATE="$(bytes $MAXRATE_LEN 27=1 4=1)"
	bad_ieee $MAXRATE="$(bytes $MAXRATE_LEN 27=1 60=1)"
	bad_whole IEEE_SET $IEEE{ $MAXRATE="$(bytes 56 27=1)" }
	bad_whole IEEE_SET $IEEE{ $MAXRATE="$(bytes 0)" }
}

buffer()
{
	bad_ieee $BUFFER="$(bytes $BUFFER_LEN 0=8)"
	bad_ieee $BUFFER="$(bytes $BUFFER_LEN 7=255)"
	bad_ieee $BUFFER="$(bytes $BUFFER_LEN 0=1 10=1)"
	bad_ieee $BUFFER="$(bytes $BUFFER_LEN 8=255 9=255 10=255 11=255)"
	bad_ieee $BUFFER="$(bytes $BUFFER_LEN 8=100)"
	bad_whole IEEE_SET $IEEE{ $BUFFER="$(bytes 12)" }
}

# Selector, priority, two bytes of protocol.
app()
{
	local entry

	for entry in 00000100 06000100 07000100 fe000100 01000100 0100ff05 02000000 03000000 \
		04000000 05004000 0500ffff 05080000 05ff1a00 01080000 010800ff 02ff1300; do
		bad_ieee $APPS{ 1=x:$entry }
	done
	bad_ieee $APPS{ 1=x:0500 }
	# What is not there cannot be deleted, whatever it is.
	for entry in 05031a00 05004000 00000100 01080000 05ff1a00; do
		bad IEEE_DEL $IEEE{ $APPS{ 1=x:$entry } }
	done
}

trust()
{
	bad_ieee $TRUST{ 1=1 }
	bad_ieee $TRUST{ 1=5 1=2 }
	bad_ieee $TRUST{ 1=5 1=5 }
	bad_ieee $TRUST{ 2=255 1=5 2=255 }
	bad_ieee $TRUST{ 1=0 }
	bad_ieee $TRUST{ 1=5/16 }
}

pcp()
{
	bad_ieee $APPS{ 2=x:ff001000 }
	bad_ieee $APPS{ 2=x:ff00ffff }
	bad_ieee $APPS{ 2=x:ff080000 }
	bad_ieee $APPS{ 1=x:ff000000 }
}

rewr()
{
	local entry

	for entry in 01030000 01031589 02030001 05034000 05080000 0503ffff; do
		bad_ieee $REWR{ 1=x:$entry }
	done
	bad_ieee $REWR{ 2=x:ff031000 }
	bad_ieee $REWR{ 2=x:ff080000 }
	bad IEEE_DEL $IEEE{ $REWR{ 1=x:05031a00 } }
}

# CEE's operations: the answer is as they say it themselves.
cee_says()
{
	local want=$1
	shift

	check parq_dcbnl p0 "$@" "$want" && unchanged "$@"
}

# Features remember an error until the next commit that succeeds.
cee_forgives()
{
	check parq_dcbnl p0 PFC_SSTATE $PFC_STATE=0 && check parq_dcbnl p0 SET_ALL $ALL=1 "?$ALL=1"
}

# Staged, and refused by the commit, with an errno.
cee_refuses()
{
	local errno=$1
	shift

	check parq_dcbnl p0 "$@" && check parq_dcbnl p0 SET_ALL $ALL=1 "?$ALL=$errno" &&
		cee_forgives && unchanged "$@"
}

modes()
{
	local n

	for n in 0 1 2 4 6 8 13 16 255; do
		cee_says "?$DCBX=1" SDCBX $DCBX=$n
	done
	logs "p0: DCB state refused: 2 is not 0 or 1" cee_says "?$STATE=22" SSTATE $STATE=2
	cee_says "?$STATE=22" SSTATE $STATE=255
	cee_says "?$NUMTCS=1" SNUMTCS $NUMTCS{ 2=4 }
	cee_says "?$NUMTCS=1" SNUMTCS $NUMTCS{ 3=0 }
	cee_says "?$FEATCFG=22" SFEATCFG $FEATCFG{ 2=0x80 }
	cee_says "?$FEATCFG=95" SFEATCFG $FEATCFG{ 2=0 }
	bad_whole SAPP $APP{ 1=2 2=3260/16 3=1 }
	bad_whole SAPP $APP{ 1=1 2=0/16 3=1 }
	bad_whole SAPP $APP{ 1=0 2=5/16 3=1 }
	bad_whole SAPP $APP{ 1=0 2=0/16 3=1 }
	bad_whole BCN_GCFG 11{ }
}

# The flags of an attribute's type reach the driver as part of the priority.
commits()
{
	cee_refuses 22 PFC_SCFG $PFC_CFG{ 0x8001=1 }
	cee_refuses 22 PFC_SCFG $PFC_CFG{ 0x4008=1 }
	logs "p0: CEE refused: PFC 4 of priority 3 is not 0 or 1" \
		cee_refuses 22 PFC_SCFG $PFC_CFG{ 4=4 }
	cee_refuses 95 PFC_SCFG $PFC_CFG{ 4=2 }
	cee_refuses 22 PFC_SSTATE $PFC_STATE=2
	for dir in TX RX; do
		cee_refuses 22 PG${dir}_SCFG $PG_CFG{ 1{ 1=8 2=1 3=0 } }
		cee_refuses 22 PG${dir}_SCFG $PG_CFG{ 1{ 1=0 2=1 3=3 } }
		cee_refuses 22 PG${dir}_SCFG $PG_CFG{ 1{ 1=0 3=0 4=101 } }
		cee_refuses 22 PG${dir}_SCFG $PG_CFG{ 1{ 1=0 3=0 } 11=101 }
		cee_refuses 22 PG${dir}_SCFG $PG_CFG{ 1{ 2=3 } 2{ 2=2 } }
		cee_refuses 22 PG${dir}_SCFG $PG_CFG{ 1{ 2=255 } 2{ 2=255 } }
		cee_refuses 95 PG${dir}_SCFG $PG_CFG{ 1{ 1=0 2=1 3=1 } 2{ 1=0 2=0xfe 3=1 } }
	done
}

all_ieee()
{
	begin || return
	"$1"
}

all_cee()
{
	defer settings_default
	defer parq_dcbnl p0 SDCBX $DCBX=9
	check parq_dcbnl p0 SDCBX $DCBX=5 && cee_forgives && begin || return
	"$1"
}

settings=
tests=(
	"bad ETS requests change nothing" "all_ieee ets"
	"bad PFC requests change nothing" "all_ieee pfc"
	"bad rate limits change nothing" "all_ieee maxrate"
	"bad receive buffers change nothing" "all_ieee buffer"
	"bad APP entries change nothing" "all_ieee app"
	"bad CEE requests change nothing, at once" "all_cee modes"
	"bad CEE requests change nothing, at the commit" "all_cee commits"
)
# Linux before that looks at none of these attributes.
! kernel_from 6.3 || tests+=(
	"bad APP entries of PCP change nothing" "all_ieee pcp"
	"bad trust requests change nothing" "all_ieee trust"
	"bad rewriting requests change nothing" "all_ieee rewr"
)
run_tests "${tests[@]}"
