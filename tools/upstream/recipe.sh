# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the kernel's own tests, and tests with programs of others, need and the trixie tree lacks.
# tools/vm/tree sources this file: the tree "upstream" has the files of these packages, for an
# image of the trixie tree with them. A change here does not rebuild the trixie tree.

# shellcheck disable=SC2034 # used by tools/vm/tree
upstream_packages=(
	# ynl, which builds and reads netlink messages
	python3-yaml python3-jsonschema
	# installs the tests
	rsync
	# programs that the tests start; mausezahn is in netsniff-ng
	socat bpftrace bpftool netsniff-ng tcpdump dc
	# programs of others that use XDP and AF_XDP; testpmd is in dpdk-dev
	xdp-tools dpdk-dev librte-net-af-xdp25
)
