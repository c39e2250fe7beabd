# SPDX-License-Identifier: BSD-3-Clause
# Fuzz targets.  Here they are linked with replay.c, which calls them with the inputs of
# tests/fuzz/corpus (tests/fuzz/fuzz.sh); tests/fuzz/build.sh makes real fuzzers of them.

fuzz_programs = \
	tests/fuzz/fuzz_fftw \
	tests/fuzz/fuzz_layout \
	tests/fuzz/fuzz_text \
	tests/fuzz/fuzz_wisdom

if HAVE_HDF5
fuzz_programs += tests/fuzz/fuzz_arrays
endif

if PROGRAM
fuzz_programs += tests/fuzz/fuzz_options
if HAVE_JANSSON
fuzz_programs += tests/fuzz/fuzz_files tests/fuzz/fuzz_timeline
endif
if HAVE_HDF5
fuzz_programs += tests/fuzz/fuzz_attributes
endif
endif

fuzz_common = tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_attributes_SOURCES = tests/fuzz/fuzz_attributes.c $(fuzz_common)
tests_fuzz_fuzz_arrays_SOURCES = tests/fuzz/fuzz_arrays.c $(fuzz_common)
tests_fuzz_fuzz_files_SOURCES = tests/fuzz/fuzz_files.c $(fuzz_common)
tests_fuzz_fuzz_fftw_SOURCES = tests/fuzz/fuzz_fftw.c src/fftw3_mpi/translate.c $(fuzz_common)
tests_fuzz_fuzz_layout_SOURCES = tests/fuzz/fuzz_layout.c $(fuzz_common)
tests_fuzz_fuzz_options_SOURCES = tests/fuzz/fuzz_options.c $(fuzz_common)
tests_fuzz_fuzz_text_SOURCES = tests/fuzz/fuzz_text.c $(fuzz_common)
tests_fuzz_fuzz_timeline_SOURCES = tests/fuzz/fuzz_timeline.c $(fuzz_common)
tests_fuzz_fuzz_wisdom_SOURCES = tests/fuzz/fuzz_wisdom.c $(fuzz_common)

tests_fuzz_fuzz_arrays_CPPFLAGS = $(AM_CPPFLAGS) $(HDF5_CFLAGS)

# Parts of the program.
tests_fuzz_fuzz_files_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_fuzz_fuzz_files_LDADD = $(pfft3d_LDADD)
tests_fuzz_fuzz_attributes_CPPFLAGS = $(AM_CPPFLAGS) $(HDF5_CFLAGS) $(JANSSON_CFLAGS)
tests_fuzz_fuzz_attributes_LDADD = $(pfft3d_LDADD)
tests_fuzz_fuzz_timeline_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_fuzz_fuzz_timeline_LDADD = $(pfft3d_LDADD)
tests_fuzz_fuzz_options_LDADD = $(pfft3d_LDADD)

check_PROGRAMS += $(fuzz_programs)
TESTS += tests/fuzz/fuzz.sh
CHECK_LONG += tests/long/fuzz.sh
EXTRA_DIST += tests/fuzz/fuzz.sh tests/fuzz/build.sh tests/fuzz/whose.sh tests/fuzz/corpus tests/fuzz/README.md
