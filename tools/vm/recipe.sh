# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The packages of the Debian trees. tools/vm/tree sources this file and rebuilds a
# tree when the file changes. Comments do not count.

# shellcheck disable=SC2034 # used by tools/vm/tree
# trixie with its backports: QEMU, the newest kernel and the guest's user space.
trixie_suites=(trixie trixie-updates trixie-backports)
trixie_security=(trixie-security)
trixie_packages=(
	# the machine
	qemu-system-x86 linux-image-amd64 tiny-initramfs busybox-static
	erofs-utils
	# building and checking the module
	linux-headers-amd64 gcc clang ccache make sparse libc6-dev shellcheck
	# building a kernel
	bc bison flex libelf-dev xz-utils
	# checkpatch is Perl, kernel-doc is Python
	perl python3
	# coverage
	gcovr
	# programs for the guest
	bash coreutils mount procps kmod pciutils iproute2 iputils-ping ethtool
	lldpad linuxptp iperf3 jq less libpcap0.8 libpcap-dev libcmocka-dev libmnl-dev
	# RoCE in software, and tshark to dissect its frames
	rdma-core ibverbs-providers ibverbs-utils rdmacm-utils perftest tshark
	# the domain of examples/libvirt
	libvirt-daemon libvirt-daemon-driver-qemu libvirt-clients libxml2-utils qemu-utils
)

# bookworm: the oldest supported kernel and the compiler of its release.
bookworm_suites=(bookworm bookworm-updates)
bookworm_security=(bookworm-security)
bookworm_packages=(
	linux-image-amd64 tiny-initramfs busybox-static kmod erofs-utils
	linux-headers-amd64
	gcc clang ccache make sparse libc6-dev
)

# Leaves out manuals and the distribution's initramfs, which takes half a minute a
# kernel to build. The VM boots from a far smaller one, see bootfiles.
common_excludes=(
	'/usr/share/doc/*' '/usr/share/man/*' '/usr/share/info/*'
	'/usr/share/locale/*' '/usr/share/lintian/*'
	'/etc/kernel/postinst.d/*'
)

# Packages from backports take precedence. Otherwise QEMU's firmware packages conflict.
trixie_pin='Package: *
Pin: release n=trixie-backports
Pin-Priority: 990
'
bookworm_pin=

# The guest's root is an image of the trixie tree without what only the host needs.
guest_excludes=(
	'^(boot|srv|usr/(src|include)|usr/lib(exec)?/(modules|gcc|llvm.*)|usr/share/(qemu|seabios))/.'
	'^var/(cache|log|lib/(apt|dpkg))/.'
	'^usr/s?bin/(qemu-.*|shellcheck|.*clang.*|virt.*|virsh|libvirtd)$'
	'^usr/lib/x86_64-linux-gnu/(libLLVM.*|libclang.*|libz3.*|libvirt.*|qemu.*|.*[.]a)$'
)
