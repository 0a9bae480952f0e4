# SPDX-License-Identifier: GPL-2.0
#
# What every test directory's Makefile ends with. All programs of a directory are one
# binary, "programs", with a link for each: they share the pages of the library and of
# libc, which an emulator then translates once. lib/main.c goes by the link's name.
#
# TEST_GEN_PROGS: the programs, each of the source with its name. SHARED: objects that
# they share, from sources here or in the vpath.

OBJECTS := $(addprefix $(OUTPUT)/,$(TEST_GEN_PROGS:=.o) $(SHARED))
TEST_GEN_FILES += programs

# The harness has functions and variables that are global: each program keeps its own.
$(OUTPUT)/%_test.o: %_test.c $(LOCAL_HDRS)
	$(CC) $(CFLAGS) -fvisibility=hidden -c $< -o $@
	@$(CROSS_COMPILE)objcopy --localize-hidden $@ || { rm -f $@; exit 1; }

# Before those of lib.mk, which have no CFLAGS.
$(OUTPUT)/%.o: %.c $(LOCAL_HDRS)
	$(CC) $(CFLAGS) -c $< -o $@

$(OUTPUT)/%.o: %.S $(LOCAL_HDRS)
	$(CC) $(CFLAGS) -c $< -o $@

include $(KSFT_DIR)/lib.mk

$(OUTPUT)/programs: $(OBJECTS) $(ENTRY_LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(TEST_GEN_PROGS): $(OUTPUT)/programs
	@ln -sf programs $@

EXTRA_CLEAN += $(OBJECTS)
