# SPDX-License-Identifier: GPL-2.0
#
# For the Makefile of a directory with programs that include work.h, between entry.mk
# and lib.mk. LIBAUDIT: a directory with include/ and lib/ of libaudit and libcap-ng for
# arm64; empty where the system's own are for arm64. libaudit looks up users and groups,
# which nobody here asks it to: the linker's warnings about that are no use.

ifneq ($(LIBAUDIT),)
CFLAGS += -isystem $(LIBAUDIT)/include
LDFLAGS += -L$(LIBAUDIT)/lib
endif
LDFLAGS += -Wl,--no-warnings
LDLIBS += -laudit -lcap-ng
