# SPDX-License-Identifier: GPL-2.0
#
# For the Makefile of a directory with programs that include work.h, between entry.mk
# and programs.mk. LIBAUDIT: a directory with include/ and lib/ of libaudit and libcap-ng for
# arm64; empty where the system's own are for arm64.

ifneq ($(LIBAUDIT),)
CFLAGS += -isystem $(LIBAUDIT)/include
LDFLAGS += -L$(LIBAUDIT)/lib
endif
LDLIBS += -laudit -lcap-ng
