# SPDX-License-Identifier: GPL-2.0
#
# What every test directory's Makefile includes before $(KSFT_DIR)/lib.mk: where
# the kernel's harness is, the library, the flags. The top Makefile sets them; the
# defaults here serve `make -C ptrace` after it has run once.

ENTRY_TOP := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)

# In a kernel tree the harness is the tree's.
ifneq ($(wildcard $(ENTRY_TOP)/../../lib.mk),)
KSFT_DIR ?= $(abspath $(ENTRY_TOP)/../..)
endif
KSRC ?= $(ENTRY_TOP)/build/ksrc
KSFT_DIR ?= $(KSRC)/tools/testing/selftests
ifeq ($(wildcard $(KSFT_DIR)/lib.mk),)
$(error $(KSFT_DIR) has no lib.mk: run make in $(ENTRY_TOP), or give KSRC=/path/to/linux)
endif

ifeq ($(OUTPUT),)
OUTPUT := $(ENTRY_TOP)/build/$(notdir $(CURDIR))
$(shell mkdir -p $(OUTPUT))
endif

# As the lib.mk of newer kernels defines it; that of 6.1 does not.
CFLAGS += -D_GNU_SOURCE=
CFLAGS += -std=gnu11 -O2 -g -Wall -Wextra -isystem $(KSFT_DIR) -iquote $(ENTRY_TOP)/lib
LDFLAGS += -static
# Not only headers: what all objects depend on.
LOCAL_HDRS += $(wildcard $(ENTRY_TOP)/lib/*.h $(ENTRY_TOP)/lib/*.mk) Makefile
ENTRY_LIB := $(abspath $(OUTPUT)/../lib/entry.a)
