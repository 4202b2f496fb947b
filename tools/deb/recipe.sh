# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What is in the Debian trees in which packages are built, installed and tested: the release
# alone, with its own kernel. tools/vm/tree sources this file, and a tree is rebuilt
# whenever the file changes.

# shellcheck disable=SC2034 # used by tools/vm/tree
plain_trixie_suites=(trixie trixie-updates)
plain_trixie_security=(trixie-security)
plain_trixie_pin=
plain_packages=(
	# the machine: a kernel, its headers, and what tools/vm/bootfiles needs
	linux-image-amd64 linux-headers-amd64 tiny-initramfs busybox-static erofs-utils xz-utils
	systemd systemd-sysv udev kmod procps iproute2 iputils-ping ethtool man-db
	# what the packages depend on: the test has no network
	dkms python3-matplotlib python3-yaml tshark
	# what builds and checks them
	build-essential debhelper dh-dkms dh-python python3-sphinx lintian ccache
)

plain_excludes=(
	'/usr/share/doc/*' '/usr/share/man/*' '/usr/share/info/*' '/usr/share/locale/*'
)
