# SPDX-License-Identifier: GPL-2.0
#
# arm64 syscall entry selftests. The two that matter:
#
#   make run_tests    build, run on a kernel, give a verdict
#   make check        the suite's own tests
#
# make help lists the rest. The test directories' Makefiles are those of a
# kernel tree: lists for the kernel's lib.mk.

O ?= build
override O := $(abspath $(O))
TOPICS := ptrace singlestep sud seccomp rseq mte
MACHINE := $(shell uname -m)
SHELL := /bin/bash
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := all

# On an arm64 machine the suite is native and runs on the running kernel;
# elsewhere it is cross-built and runs in a VM. KERNEL= asks for a VM anywhere.
ifeq ($(MACHINE),aarch64)
RUNS_IN_VM := $(KERNEL)
else
CROSS_COMPILE ?= aarch64-linux-gnu-
RUNS_IN_VM := $(or $(KERNEL),debian)
LIBSECCOMP := $(O)/libseccomp
endif

# The harness is that of the kernel tree KSRC, else of Debian's linux-source.
ifeq ($(KSRC),)
KSRC := $(O)/ksrc
KSRC_STAMP := $(O)/ksrc/.complete
else
override KSRC := $(abspath $(KSRC))
ifeq ($(wildcard $(KSRC)/tools/testing/selftests/lib.mk),)
$(error KSRC=$(KSRC) is no kernel source tree: it has no tools/testing/selftests/lib.mk)
endif
endif

SUBMAKE := $(MAKE) ARCH=arm64 CROSS_COMPILE=$(CROSS_COMPILE) KSRC=$(KSRC) \
	KSFT_DIR=$(KSRC)/tools/testing/selftests LIBSECCOMP=$(LIBSECCOMP)
CC_TARGET := $(if $(LLVM),clang $(if $(CROSS_COMPILE),--target=aarch64-linux-gnu),$(CROSS_COMPILE)gcc)
TOOL_CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra
SUITE := $(O)/suite
export CACHE NO_INSTALL LLVM O

# Objects of one compiler and harness are useless to another.
FLAVOUR := $(CC_TARGET) $(KSRC)
$(shell mkdir -p $(O) 2>/dev/null; [ "$$(cat $(O)/flavour 2>/dev/null)" = "$(FLAVOUR)" ] || \
	{ rm -rf $(addprefix $(O)/,lib $(TOPICS) target); echo "$(FLAVOUR)" >$(O)/flavour; } 2>/dev/null)

.PHONY: all need run_tests check install suite clean help lib $(TOPICS)

all: $(TOPICS) $(O)/host/ktap $(O)/host/supervise $(O)/target/ktap $(O)/target/supervise

need:
	@tools/need $(O) build $(if $(RUNS_IN_VM),vm)

$(KSRC_STAMP): tools/kernel-harness | need
	@tools/kernel-harness $(O)/ksrc
	@touch $@

$(O)/libseccomp/.complete: tools/debian-package | need
	@dir=$$(tools/debian-package libseccomp-dev) && mkdir -p $(O)/libseccomp/lib && \
	cp -r $$dir/usr/include $(O)/libseccomp/ && \
	cp $$dir/usr/lib/aarch64-linux-gnu/libseccomp.a $(O)/libseccomp/lib/
	@touch $@

lib: $(KSRC_STAMP) | need
	@mkdir -p $(O)/lib
	+@$(SUBMAKE) -C lib OUTPUT=$(O)/lib all

$(TOPICS): lib $(if $(LIBSECCOMP),$(O)/libseccomp/.complete)
	@mkdir -p $(O)/$@
	+@$(SUBMAKE) -C $@ OUTPUT=$(O)/$@ all

# "topic:program" lines, as in the kernel's kselftest-list.txt.
$(O)/%/list: %/Makefile lib/entry.mk | lib
	@mkdir -p $(@D)
	+@$(SUBMAKE) -s -C $* OUTPUT=$(@D) COLLECTION=$* emit_tests >$@

$(O)/host/%: tools/%.c | need
	@mkdir -p $(@D)
	$(or $(HOSTCC),gcc) $(TOOL_CFLAGS) $< -o $@

$(O)/target/%: tools/%.c | need
	@mkdir -p $(@D)
	$(CC_TARGET) $(TOOL_CFLAGS) -static $< -o $@

# What a machine needs to run the suite, and nothing else.
install: all $(TOPICS:%=$(O)/%/list)
	@[ -n "$(INSTALL_PATH)" ] || \
		{ echo "make install: say where to with INSTALL_PATH=DIR" >&2; exit 2; }
	@mkdir -p $(INSTALL_PATH)
	@cp run_tests.sh settings $(O)/lib/entry_info $(O)/target/ktap $(O)/target/supervise \
		$(INSTALL_PATH)/
	@cat $(TOPICS:%=$(O)/%/list) >$(INSTALL_PATH)/kselftest-list.txt
	@while IFS=: read -r topic prog; do \
		mkdir -p $(INSTALL_PATH)/$$topic && \
		$(CROSS_COMPILE)strip -o $(INSTALL_PATH)/$$topic/$$prog $(O)/$$topic/$$prog || exit; \
	done <$(INSTALL_PATH)/kselftest-list.txt

suite:
	@rm -rf $(SUITE)
	@$(MAKE) -s -j$(shell nproc) install INSTALL_PATH=$(SUITE) >&2

ifneq ($(RUNS_IN_VM),)
run_tests: suite
	@set -o pipefail; tty=; [ ! -t 1 ] || tty=--tty; \
	vm/run '$(RUNS_IN_VM)' --suite $(SUITE) $(VMFLAGS) -- $(TESTS) | \
		$(O)/host/ktap summary $$tty --log $(O)/results.ktap \
			--rerun "make run_tests KERNEL=$(RUNS_IN_VM) TESTS="
else
run_tests: suite
	@$(SUITE)/run_tests.sh --log $(O)/results.ktap $(TESTS)
endif

check:
	@tools/need $(O) build vm check
	@$(MAKE) suite
	@KSRC=$(KSRC) tests/run.sh $(addsuffix _test.sh,$(CHECKS))

clean:
	rm -rf $(addprefix $(O)/,lib $(TOPICS) host target suite ksrc libseccomp \
		flavour results.ktap)

help:
	@sed -n 's/^#h //p' Makefile

#h make                      build the suite
#h make run_tests            build it and run it: here on arm64, else on Debian's newest kernel in a VM
#h      KERNEL=debian:7.3    ... on that kernel in a VM: debian:SERIES or the path of an Image
#h      TESTS="ptrace x7_*"  ... only these directories, programs, cases or globs; other options of run_tests.sh
#h      VMFLAGS="--smp 4"    ... options of vm/run
#h make check                the suite's own tests; CHECKS="vm lint" for some
#h make install INSTALL_PATH=DIR    what a board needs: copy DIR there, start DIR/run_tests.sh
#h make clean
#h For all: O=DIR, KSRC=/path/to/linux, LLVM=1, CROSS_COMPILE=..., NO_INSTALL=1, CACHE=DIR
