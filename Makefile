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

# A blank would split a path into two, for make and for the shell.
$(foreach v,O KSRC INSTALL_PATH,$(if $(word 2,x$($(v))x),$(error \
	$(v)='$($(v))': a path with blanks does not work here; give another one)))
$(if $(word 2,x$(CURDIR)x),$(error this clone is in '$(CURDIR)': \
	a path with blanks does not work here; move it))

override O := $(abspath $(or $(O),build))
# What switches audit on comes last: see lib/work.h.
TOPICS := ptrace singlestep sud seccomp rseq mte work
BUILT := lib $(TOPICS) host target suite ksrc libseccomp libaudit mutants

# These are removed there: never where another made them, such as in O=. or O=/usr.
ifeq ($(wildcard $(O)/flavour),)
$(foreach d,$(wildcard $(BUILT:%=$(O)/%)),$(error \
	O=$(O) is no build directory of this suite, but has a $(notdir $(d)); give another one))
endif

MACHINE := $(shell uname -m)
KERNEL_SOURCE := $(KSRC)
SHELL := /bin/bash
MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

# On an arm64 machine the suite is native and runs on the running kernel;
# elsewhere it is cross-built and runs in a VM. KERNEL= asks for a VM anywhere.
ifeq ($(MACHINE),aarch64)
RUNS_IN_VM := $(KERNEL)
else
CROSS_COMPILE ?= aarch64-linux-gnu-
RUNS_IN_VM := $(or $(KERNEL),debian)
LIBSECCOMP := $(O)/libseccomp
LIBAUDIT := $(O)/libaudit
endif

# The harness is that of the kernel tree KSRC, else of Debian's linux-source.
ifeq ($(KSRC),)
override KSRC := $(O)/ksrc
KSRC_STAMP := $(O)/ksrc/.complete
else
override KSRC := $(abspath $(KSRC))
ifeq ($(wildcard $(KSRC)/tools/testing/selftests/lib.mk),)
$(error KSRC=$(KSRC) is no kernel source tree: it has no tools/testing/selftests/lib.mk)
endif
endif

SUBMAKE := $(MAKE) ARCH=arm64 CROSS_COMPILE=$(CROSS_COMPILE) KSRC=$(KSRC) \
	KSFT_DIR=$(KSRC)/tools/testing/selftests LIBSECCOMP=$(LIBSECCOMP) LIBAUDIT=$(LIBAUDIT)
CC_TARGET := $(if $(LLVM),clang $(if $(CROSS_COMPILE),--target=aarch64-linux-gnu),$(CROSS_COMPILE)gcc)
TOOL_CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra
SUITE := $(O)/suite
export CACHE NO_INSTALL LLVM O VMFLAGS

# Objects of one compiler, harness and set of libraries are useless to another.
FLAVOUR := $(strip $(CC_TARGET) $(KSRC) $(LIBSECCOMP) $(LIBAUDIT))
ifneq ($(filter-out help clean kernel coverage,$(or $(MAKECMDGOALS),all)),)
$(shell mkdir -p $(O) 2>/dev/null; [ "$$(cat $(O)/flavour 2>/dev/null)" = "$(FLAVOUR)" ] || \
	{ rm -rf $(addprefix $(O)/,lib $(TOPICS) target); echo "$(FLAVOUR)" >$(O)/flavour; } 2>/dev/null)
endif

.PHONY: all need run_tests check install suite kernel mutants coverage clean help lib $(TOPICS)

all: $(TOPICS) $(O)/host/ktap $(O)/host/supervise $(O)/target/ktap $(O)/target/supervise

need:
	@tools/need $(O) build $(if $(RUNS_IN_VM),vm)

$(KSRC_STAMP): tools/kernel-harness | need
	@tools/kernel-harness $(O)/ksrc
	@touch $@

$(O)/libseccomp/.complete: tools/debian-package | need $(KSRC_STAMP)
	@dir=$$(tools/debian-package libseccomp-dev) && mkdir -p $(O)/libseccomp/lib && \
	cp -r $$dir/usr/include $(O)/libseccomp/ && \
	cp $$dir/usr/lib/aarch64-linux-gnu/libseccomp.a $(O)/libseccomp/lib/
	@touch $@

$(O)/libaudit/.complete: tools/debian-package | need $(KSRC_STAMP)
	@mkdir -p $(O)/libaudit/lib
	@for package in libaudit-dev libcap-ng-dev; do \
		dir=$$(tools/debian-package $$package) && \
		cp -r $$dir/usr/include $(O)/libaudit/ && \
		cp $$dir/usr/lib/aarch64-linux-gnu/lib*.a $(O)/libaudit/lib/ || exit; \
	done
	@touch $@

lib: $(KSRC_STAMP) $(if $(LIBAUDIT),$(O)/libaudit/.complete) | need
	@mkdir -p $(O)/lib
	+@$(SUBMAKE) -C lib OUTPUT=$(O)/lib all

$(TOPICS): lib $(if $(LIBSECCOMP),$(O)/libseccomp/.complete)
	@mkdir -p $(O)/$@
	+@$(SUBMAKE) -C $@ OUTPUT=$(O)/$@ all

# "topic:program" lines, as in the kernel's kselftest-list.txt.
$(O)/%/list: %/Makefile lib/entry.mk lib/programs.mk | lib
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
	@for topic in $(TOPICS); do \
		[ -s $(O)/$$topic/list ] || { rm -f $(O)/$$topic/list; \
			echo "make install: $$topic/Makefile lists no programs" >&2; exit 2; }; \
	done
	@mkdir -p $(INSTALL_PATH)
	@cp run_tests.sh settings $(O)/lib/entry_info $(O)/target/ktap $(O)/target/supervise \
		$(INSTALL_PATH)/
	@cat $(TOPICS:%=$(O)/%/list) >$(INSTALL_PATH)/kselftest-list.txt
	@for topic in $(TOPICS); do \
		mkdir -p $(INSTALL_PATH)/$$topic && \
		$(CROSS_COMPILE)strip -o $(INSTALL_PATH)/$$topic/programs $(O)/$$topic/programs || exit; \
	done
	@while IFS=: read -r topic prog; do \
		ln -sf programs $(INSTALL_PATH)/$$topic/$$prog || exit; \
	done <$(INSTALL_PATH)/kselftest-list.txt

suite: need
	@rm -rf $(SUITE)
	@$(MAKE) -s -j$(shell nproc) install INSTALL_PATH=$(SUITE) >&2

# What prints something else than results is not for ktap to read.
ifneq ($(filter --help -h,$(TESTS)),)
run_tests:
	@./run_tests.sh --help
else ifneq ($(RUNS_IN_VM),)
VM_RUN = vm/run '$(RUNS_IN_VM)' --suite $(SUITE) $(VMFLAGS) -- $(TESTS)
ifneq ($(filter --list,$(TESTS)),)
run_tests: suite
	@$(VM_RUN)
else
run_tests: suite
	@set -o pipefail; tty=; [ ! -t 1 ] || tty=--tty; \
	$(VM_RUN) | \
		$(O)/host/ktap summary $$tty --log $(O)/results.ktap \
			--rerun "make run_tests KERNEL=$(RUNS_IN_VM) $${VMFLAGS:+VMFLAGS='$$VMFLAGS' }TESTS="
endif
else
run_tests: suite
	@$(SUITE)/run_tests.sh --log $(O)/results.ktap $(TESTS)
endif

check:
	@tools/need $(O) build vm check
	@$(MAKE) suite
	@KSRC=$(KSRC) tests/run.sh $(addsuffix _test.sh,$(CHECKS))

# Without the suite's O= and make's own variables; KSRC is here what to build.
kernel:
	@[ -n "$(NAME)" ] || { echo "make kernel: say which with NAME=:" $$(kernels/build --names) >&2; exit 2; }
	@tools/need $(O) kernel
	@KSRC=$(KERNEL_SOURCE) kernels/build $(NAME)

# Of all mutants the table is kept; of some it is only shown.
mutants: suite $(O)/host/ktap
	@tools/need $(O) vm kernel
	@set -f; KSRC=$(KERNEL_SOURCE) kernels/mutants/run $(if $(ONLY),$(ONLY),--table kernels/mutants/RESULTS.md)

coverage:
	@tools/coverage

clean:
	rm -rf $(addprefix $(O)/,$(BUILT) results.ktap flavour)

help:
	@sed -n 's/^#h //p' Makefile

#h make                      build the suite
#h make run_tests            build it and run it: here on arm64, else on Debian's newest kernel in a VM
#h      KERNEL=debian:7.3    ... on that kernel in a VM: debian:SERIES, the path of an Image, or of our own (below)
#h      TESTS="ptrace x7_*"  ... only these directories, programs, cases or globs; other options of run_tests.sh
#h      VMFLAGS="--smp 4"    ... options of vm/run
#h make check                the suite's own tests; CHECKS="vm lint" for some
#h make suite                what vm/run boots: all that runs, in build/suite
#h make install INSTALL_PATH=DIR    what a board needs: copy DIR there, start DIR/run_tests.sh
#h make mutants              can every test fail? The suite on kernels with one fault each, a table; ONLY="sud-* mte-*" for some
#h make coverage             which behaviour (docs/behaviours.md) has which cases; fails if one has none
#h make kernel NAME=generic  build a kernel of our own, for KERNEL=generic; from Debian's source, or KSRC=
#h make clean
#h For all: O=DIR, KSRC=/path/to/linux, LLVM=1, CROSS_COMPILE=..., NO_INSTALL=1, CACHE=DIR
