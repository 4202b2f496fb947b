# SPDX-License-Identifier: GPL-2.0
#
# "make help" lists the targets.

KERNEL ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KERNEL)/build

.PHONY: all help headers module nic install run check check-all check-debug soak verify bench \
	bench-pfc fuzz html deb lab lint in-tree clean

all: module nic

define help
make run          build everything, show PARQ at work in a VM, leave a shell in it
make check        what everyone runs; STEPS names some of tools/check besides
make check-all    the rest on stock kernels
make check-debug  more of them, on a kernel with KASAN, lockdep and their kind
make soak         random schedules of the core and of whole machines, and requests
                  of all kinds at once, for SOAK_SECONDS each: tools/soak

make              the modules for the running kernel, or for KERNEL, and parq-nic
make install      install the modules
make deb          Debian packages, in build/deb
make lab          build/parq-lab.uml: kernel, NIC and labs in one file, which runs
                  anywhere and needs no root
make verify       check the model of the pause protocol exhaustively
make bench        what a frame costs, beside other drivers: build/bench/costs.html
make bench-pfc    PARQ against other ways to obey a pause: build/bench/pfc.html
make fuzz         run the fuzzers for FUZZ_SECONDS each
make html         the documentation, in build/html
make lint         checkpatch, sparse and all warnings, on all kernels
make in-tree      the newest kernel's source with PARQ merged, in build/in-tree
make clean        remove what was built
endef

help:
	$(info $(help))
	@:

headers:
	@[ -e $(KDIR)/Makefile ] || { \
		echo "No headers of kernel $(KERNEL) in $(KDIR). On Debian:" && \
		echo "  sudo apt install linux-headers-$(KERNEL)" && \
		echo "If apt does not know that package, start the newest kernel, or choose one: make KERNEL=..." && \
		exit 1; } >&2

module: headers
	$(MAKE) -C $(KDIR) M=$(CURDIR) W=1 modules

nic:
	@$(MAKE) -s -C tools/parq-nic

install: module
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules_install
	depmod $(KERNEL)

run:
	@tools/vm/deps run
	@$(MAKE) -s nic
	@tools/vm/run

check check-all check-debug soak:
	@tools/vm/deps $@
	@tools/check $@ $(STEPS)

verify:
	@tools/vm/deps verify
	@tools/verify/run

bench:
	@tools/vm/deps bench
	@$(MAKE) -s nic
	@tools/bench/native
	@tools/bench/nic
	@tools/bench/insns --html --native build/bench/native.json --nic build/bench/nic.json

bench-pfc:
	@tools/vm/deps bench-pfc
	@$(MAKE) -s -C tools/bench/pfc
	@tools/bench/pfc/bench-pfc

fuzz:
	@tools/vm/deps fuzz
	@$(MAKE) -C drivers/net/parqsim/tests fuzz
	@$(MAKE) -C tools/parq-nic fuzz

html:
	@tools/vm/deps html
	@Documentation/make-html

deb:
	@tools/vm/deps deb
	@tools/deb/build

lab:
	@tools/vm/deps lab
	@tools/lab-uml/build

lint:
	@tools/vm/lint

in-tree:
	@tools/vm/deps in-tree
	@tools/verify/in-tree --write

clean:
	rm -rf build
	[ ! -d $(KDIR) ] || $(MAKE) -C $(KDIR) M=$(CURDIR) clean
