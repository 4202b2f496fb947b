# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Rings, channels, NAPI and byte queue limits of a port.
# shellcheck disable=SC2154 # variables of the other files

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

# rings_set PORT ENTRIES, channels_set PORT NUMBER: the driver refuses a change while paused
# frames of an earlier one are unsent. Then they try again.
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

# poll_interval_set PORT MICROSECONDS: a slow host, which polls for frames no more often than
# that. 0 goes back to interrupts, when the last interval is over.
poll_interval_set()
{
	echo $(($2 ? 1000000 : 0)) >"${sysfs[$1]}/napi_defer_hard_irqs" &&
		echo $(($2 * 1000)) >"${sysfs[$1]}/gro_flush_timeout"
}

# bql_limit BYTES QUEUE...: the byte limit of queues of p0. 0 leaves it to byte queue limits, which
# may keep a ring from filling, or never stop a sender.
bql_limit()
{
	local limits queue

	for queue in "${@:2}"; do
		limits=${sysfs[p0]}/queues/$queue/byte_queue_limits
		[[ -e $limits ]] || continue
		echo "$1" >"$limits/limit_min"
		echo "${1/#0/max}" >"$limits/limit_max"
	done
}
