# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What is in the root of parq-lab.uml. tools/vm/tree sources this file: the tree "lab" has the
# files of these packages and of those that they depend on, none of them configured.

# shellcheck disable=SC2034 # used by tools/vm/tree and build
lab_packages=(
	base-files bash dash coreutils grep sed util-linux mount procps kmod less ncurses-base
	# parq-lab and parq-top
	python3 python3-yaml
	# what scenarios and people start
	iproute2 iputils-ping ethtool lldpad iperf3 jq perftest ibverbs-providers
)

# What nothing of these needs at run time.
lab_excludes=(
	./usr/share/{doc,man,info,locale,zoneinfo,perl5,bash-completion,common-licenses}
	./usr/lib/x86_64-linux-gnu/{gconv,perl-base} ./usr/bin/perl'*'
	./usr/lib/python3.'*'/{ensurepip,pydoc_data} ./etc/{init.d,rc'?'.d,apt,dpkg} ./var ./dev/'*'
)
