#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# CEE: setters stage, one message commits, and what is in force is shown both ways.
#
# Messages are those of lldpad, one by one: traffic classes with priorities and a
# group, groups with bandwidth, PFC by priority. Nothing changes before the
# commit. Its answer tells whether the hardware changed, and never reports a link reset.
# dcb (IEEE) and CEE show the same settings.

# Braces are words of parq_dcbnl.
# shellcheck disable=SC1083
# shellcheck source=selftests/drivers/net/parq/lib.sh
. "$(dirname "$0")/lib.sh"

IEEE=9 CEE=5
UNCHANGED=1 CHANGED=2
# Attributes, see linux/dcbnl.h: top level, and what is in them.
STATE=2 PFC_STATE=3 PFC_CFG=4 PG_CFG=6 ALL=7 CAP=9 NUMTCS=10 APP=12 DCBX=14 FEATCFG=15

cee()
{
	parq_dcbnl p0 "$@"
}

# What is left of a message without an answer's value.
say()
{
	check cee "$@"
}

mode()
{
	say SDCBX $DCBX="$1" "?$DCBX=0"
}

# class NUMBER STRICT GROUP PERCENT MAP, in a message to which groups may follow.
class()
{
	echo "$(($1 + 1)){ 1=$3 2=$5 3=$2 4=$4 }"
}

# bw PERCENT...: of the groups from 0 on
bw()
{
	local n=11 pct

	for pct; do
		echo "$n=$pct"
		((n++))
	done
}

# pg WORD...: priority groups for both directions, as an agent does.
pg()
{
	local dir

	for dir in PGTX_SCFG PGRX_SCFG; do
		# shellcheck disable=SC2048,SC2086
		say $dir $PG_CFG{ $* } "?$PG_CFG=0" || return
	done
}

# pfc_up MASK: for these priorities
pfc_up()
{
	local prio words=''

	for prio in {0..7}; do
		words+=" $((prio + 1))=$(($1 >> prio & 1))"
	done
	# shellcheck disable=SC2086
	say PFC_SCFG $PFC_CFG{ $words } "?$PFC_CFG=0" &&
		say PFC_SSTATE $PFC_STATE=1 "?$PFC_STATE=0"
}

commit()
{
	say SET_ALL $ALL=1 "?$ALL=$1"
}

ets_of()
{
	dcb -j ets show dev p0 | jq -c "$1"
}

pfc_of()
{
	dcb -j pfc show dev p0 prio-pfc | jq -c .prio_pfc
}

cee_begin()
{
	defer settings_default
	defer mode $IEEE
	mode $CEE
}

OFF="[false,false,false,false,false,false,false,false]"
ON_3="[false,false,false,true,false,false,false,false]"
ON_34="[false,false,false,true,true,false,false,false]"
ON_35="[false,false,false,true,false,true,false,false]"

capabilities()
{
	say GCAP $CAP{ 1=x: } "?$CAP.2=1" "?$CAP.3=1" "?$CAP.4=1" "?$CAP.5=128" "?$CAP.6=128" \
		"?$CAP.7=0" "?$CAP.8=0" "?$CAP.9=13"
	say GNUMTCS $NUMTCS{ 1=x: } "?$NUMTCS.2=8" "?$NUMTCS.3=8"
	say GSTATE "?$STATE=1"
	say GDCBX "?$DCBX=$IEEE"
	cee_begin && say GDCBX "?$DCBX=$CEE"
}

# Only of an interface that is down.
address_set()
{
	ip link set p0 down && ip link set p0 address "$1" && ip link set p0 up &&
		set_neighbours && link_up
}

# The one that the NIC came with, whichever it has now.
permanent_address()
{
	local addr

	addr=$(<"${sysfs[p0]}/address")
	say GPERM_HWADDR "?8=$(hwaddr "$addr")"
	defer address_set "$addr"
	check address_set 02:00:00:00:00:77 || return
	same "address" "$(<"${sysfs[p0]}/address")" 02:00:00:00:00:77
	say GPERM_HWADDR "?8=$(hwaddr "$addr")"
}

# Six bytes and 26 zeroes.
hwaddr()
{
	local byte addr out=''

	IFS=: read -ra addr <<<"$1"
	for byte in "${addr[@]}"; do
		out+=$((0x$byte)),
	done
	printf '%s%s0\n' "$out" "$(printf '0,%.0s' {1..25})"
}

stages_and_commits()
{
	local dir

	cee_begin || return
	commit $UNCHANGED
	pg "$(class 0 0 0 100 0x07)" "$(class 1 0 1 100 0x18)" "$(class 2 0 15 0 0xe0)" \
		"$(class 3 9 99 250 0)" "$(bw 40 60 0 0 0 0 0 0)" && pfc_up 0x18 || return
	same "map before the commit" "$(ets_of .prio_tc)" "[0,0,0,0,0,0,0,0]"
	same "PFC before the commit" "$(pfc_of)" "$OFF"
	commit $CHANGED
	same "map" "$(ets_of .prio_tc)" "[0,0,0,1,1,2,2,2]"
	same "bandwidth" "$(ets_of .tc_bw)" "[40,60,0,0,0,0,0,0]"
	same "algorithms" "$(ets_of '.tc_tsa[0:3]')" '["ets","ets","strict"]'
	same "PFC" "$(pfc_of)" "$ON_34"
	# As it was given, garbage on an unused class, too.
	for dir in PGTX_GCFG PGRX_GCFG; do
		say $dir "$PG_CFG{" 10{ 5=x: } 20=x: } "?$PG_CFG.2.1=1" "?$PG_CFG.2.2=24" \
			"?$PG_CFG.3.1=15" "?$PG_CFG.4.1=99" "?$PG_CFG.11=40" "?$PG_CFG.12=60"
	done
	say PFC_GCFG "$PFC_CFG{" 9=x: } "?$PFC_CFG.4=1" "?$PFC_CFG.5=1" "?$PFC_CFG.6=0"
	say PFC_GSTATE "?$PFC_STATE=1"
}

# Receive has groups of its own, which nothing follows from.
directions()
{
	cee_begin || return
	pg "$(class 0 0 0 100 0x0f)" "$(class 1 0 1 100 0xf0)" "$(bw 30 70)" || return
	# shellcheck disable=SC2046
	say PGRX_SCFG $PG_CFG{ $(class 0 0 0 100 0x3f) $(class 1 0 1 100 0xc0) $(bw 80 20) } \
		"?$PG_CFG=0" || return
	commit $CHANGED
	same "map" "$(ets_of .prio_tc)" "[0,0,0,0,1,1,1,1]"
	same "bandwidth" "$(ets_of .tc_bw)" "[30,70,0,0,0,0,0,0]"
	say PGTX_GCFG "$PG_CFG{" 10{ 5=x: } 20=x: } "?$PG_CFG.1.2=15" "?$PG_CFG.2.2=240" \
		"?$PG_CFG.11=30" "?$PG_CFG.12=70"
	say PGRX_GCFG "$PG_CFG{" 10{ 5=x: } 20=x: } "?$PG_CFG.1.2=63" "?$PG_CFG.2.2=192" \
		"?$PG_CFG.11=80" "?$PG_CFG.12=20"
}

same_again()
{
	local round

	cee_begin || return
	for ((round = 0; round < 5; round++)); do
		pg "$(class 0 0 0 100 0x0f)" "$(class 1 0 1 100 0xf0)" "$(bw 50 50)" && pfc_up 0x18 ||
			return
		commit $((round ? UNCHANGED : CHANGED)) || return
		commit $UNCHANGED || return
	done
}

zeroes()
{
	local n words=''

	for n in {0..7}; do
		words+=" $(class "$n" 0 0 0 0)"
	done
	pg "$words" "$(bw 0 0 0 0 0 0 0 0)"
}

# What an agent sends that speaks IEEE: all zeroes, and the commit.
ieee_is_left_alone()
{
	defer settings_default
	check ets_equal p0 && check pfc_set p0 all:off 3:on 4:on || return
	mode $IEEE || return
	zeroes && pfc_up 0 || return
	commit $UNCHANGED
	cee_begin || return
	commit $UNCHANGED
	zeroes || return
	commit $UNCHANGED
	same "map" "$(ets_of .prio_tc)" "[0,1,2,3,4,5,6,7]"
	same "PFC" "$(pfc_of)" "$ON_34"
}

# And what was set by dcb is shown to it.
ieee_is_shown()
{
	local dir

	defer settings_default
	check ets_equal p0 && check pfc_set p0 all:off 3:on 4:on || return
	for dir in PGTX_GCFG PGRX_GCFG; do
		say $dir "$PG_CFG{" 10{ 5=x: } 20=x: } "?$PG_CFG.1.2=1" "?$PG_CFG.8.2=128" \
			"?$PG_CFG.8.1=7" "?$PG_CFG.11=13" "?$PG_CFG.18=12"
	done
	say CEE_GET "?16.6.4=1" "?16.6.3=0" "?16.4.4.2=8" "?$DCBX=$IEEE"
}

refused()
{
	cee_begin || return
	pg "$(class 0 0 0 100 0x0f)" "$(class 1 0 1 100 0xf8)" "$(bw 50 50)" && pfc_up 0x18 || return
	commit 22	# EINVAL
	same "PFC" "$(pfc_of)" "$OFF"
	same "map" "$(ets_of .prio_tc)" "[0,0,0,0,0,0,0,0]"
	say GFEATCFG "$FEATCFG{" 1=x: } "?$FEATCFG.2=3" "?$FEATCFG.3=0"
	# Nothing of it is left.
	commit $UNCHANGED
	# PFC is refused, and so are the groups.
	defer dcb buffer set dev p0 buffer-size all:0
	check pfc_set p0 all:off 3:on &&
		check dcb buffer set dev p0 prio-buffer all:0 3:1 buffer-size all:0 0:64K 1:16K ||
		return
	pg "$(class 0 0 0 100 0x0f)" "$(class 1 0 1 100 0xf0)" "$(bw 50 50)" && pfc_up 0x18 || return
	commit 22
	same "map" "$(ets_of .prio_tc)" "[0,0,0,0,0,0,0,0]"
	say GFEATCFG "$FEATCFG{" 1=x: } "?$FEATCFG.2=3" "?$FEATCFG.3=3"
}

leaves_dcb()
{
	cee_begin || return
	pg "$(class 0 0 0 100 0x0f)" "$(class 1 0 1 100 0xf0)" "$(bw 50 50)" && pfc_up 0x18 || return
	commit $CHANGED || return
	say SSTATE $STATE=0 "?$STATE=0"
	defer say SSTATE $STATE=1 "?$STATE=0"
	say GSTATE "?$STATE=0"
	same "PFC" "$(pfc_of)" "$OFF"
	same "map" "$(ets_of .prio_tc)" "[0,0,0,0,0,0,0,0]"
	same "algorithms" "$(ets_of '[.tc_tsa[] == "strict"] | all')" true
	say SSTATE $STATE=0 "?$STATE=0"
	# Staged without DCB, it waits.
	pfc_up 0x08 && commit $UNCHANGED
	same "PFC" "$(pfc_of)" "$OFF"
	# What was in force is so again.
	say SSTATE $STATE=1 "?$STATE=0" && say GSTATE "?$STATE=1"
	same "PFC" "$(pfc_of)" "$ON_34"
	same "map" "$(ets_of .prio_tc)" "[0,0,0,0,1,1,1,1]"
	commit $CHANGED
	same "PFC" "$(pfc_of)" "$ON_3"
	# What is staged without DCB adds to what comes back with it.
	say SSTATE $STATE=0 "?$STATE=0" && say PFC_SCFG $PFC_CFG{ 6=1 } "?$PFC_CFG=0"
	say SSTATE $STATE=1 "?$STATE=0" && commit $CHANGED
	same "PFC" "$(pfc_of)" "$ON_35"
	same "map" "$(ets_of .prio_tc)" "[0,0,0,0,1,1,1,1]"
	# Setting something enters DCB.
	say SSTATE $STATE=0 "?$STATE=0" && check pfc_set p0 3:on && say GSTATE "?$STATE=1"
}

# A bitmap of priorities; 0 deletes.
applications()
{
	cee_begin || return
	say SAPP $APP{ 1=0 2=0x8906/16 3=0x08 } "?$APP=0"
	say SAPP $APP{ 1=1 2=3260/16 3=0x10 } "?$APP=0"
	say GAPP $APP{ 1=0 2=0x8906/16 } "?$APP.3=8"
	say GAPP $APP{ 1=1 2=3260/16 } "?$APP.3=16"
	say SAPP $APP{ 1=0 2=0x8906/16 3=0 } "?$APP=0"
	say SAPP $APP{ 1=1 2=3260/16 3=0 } "?$APP=0"
	say GAPP $APP{ 1=0 2=0x8906/16 } "?$APP.3=0"
	say GAPP $APP{ 1=1 2=3260/16 } "?$APP.3=0"
	# None of that is anything to trust.
	! kernel_from 6.3 || say IEEE_GET "?13.11.2=255"
}

run_tests \
	"capabilities and modes are reported" capabilities \
	"the permanent address is reported" permanent_address \
	"setters stage, setall commits" stages_and_commits \
	"groups for receive are kept, those for transmit are in force" directions \
	"setting the same values again changes nothing" same_again \
	"an agent that speaks IEEE is left alone" ieee_is_left_alone \
	"settings made by IEEE are shown" ieee_is_shown \
	"a bad setting refuses the whole commit" refused \
	"DCB off restores the defaults, DCB on the settings" leaves_dcb \
	"APP entries are kept" applications
