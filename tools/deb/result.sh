# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Results of the test of packages. tools/deb/test numbers them.

# result TEXT COMMAND...: prints the result of a command; if it fails, its output first. $name is
# the release.
result()
{
	local text=$1 log
	shift

	if log=$("$@" 2>&1); then
		echo "ok - ${name:?}: $text"
	else
		echo "# ${log//$'\n'/$'\n# '}"
		echo "not ok - $name: $text"
		return 1
	fi
}
