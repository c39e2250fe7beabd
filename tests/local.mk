# SPDX-License-Identifier: BSD-3-Clause
# Tests.  Programs are started by tests/mpirun.sh once for each number of ranks named in the first
# comment of their source; shell tests are started once.  Both answer in TAP.

TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/mpirun.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = $(LOG_COMPILER)
AM_TESTS_ENVIRONMENT = \
	builddir='$(abs_top_builddir)'; export builddir; \
	srcdir='$(abs_top_srcdir)'; export srcdir; \
	MPIRUN='$(MPIRUN)'; export MPIRUN; \
	PFFT3D='$(abs_top_builddir)/pfft3d$(EXEEXT)'; export PFFT3D; \
	PYTHON='$(PYTHON)'; export PYTHON;

LDADD = $(files_libs) libpfft3d_core.la $(FFTW_LONG_LIBS)
EXTRA_DIST += $(test_headers) $(test_scripts) $(test_helpers) tests/mpirun.sh tests/run.sh

# What the programs include, and what the scripts call.
test_headers = \
	tests/allocations.h \
	tests/cases.h \
	tests/check.h \
	tests/files.h \
	tests/files_move.h \
	tests/line.h \
	tests/messages.h \
	tests/no_hdf5.h \
	tests/oracle.h \
	tests/poison.h \
	tests/reference.h \
	tests/redist.h \
	tests/support.h \
	tests/trial.h
test_helpers = \
	tests/analyze.sh \
	tests/bad_lines.py \
	tests/bad_lines.txt \
	tests/campaign.sh \
	tests/coverage.sh \
	tests/faults/calls.py \
	tests/faults/disks.py \
	tests/faults/inputs.py \
	tests/sanitize/build.sh \
	tests/sanitize/env.sh \
	tests/sanitize/keep.c \
	tests/sanitize/lsan.supp \
	tests/sanitize/plant.sh \
	tests/sanitize/test.sh \
	tests/sanitize/ubsan.supp \
	tests/sanitize/valgrind.sh \
	tests/sanitize/valgrind.supp \
	tests/faults/job.py \
	tests/faults/memory.py \
	tests/faults/network.py \
	tests/faults/scene.py \
	tests/faults/signals.py \
	tests/faults/syscalls.py \
	tests/cluster/README.md \
	tests/cluster/cluster.sh \
	tests/cluster/delay.c \
	tests/compare.py \
	tests/cppcheck.cfg \
	tests/files_h5py.py \
	tests/h5py.sh \
	tests/line_numpy.py \
	tests/line_reports.py \
	tests/mutate.py \
	tests/program.sh \
	tests/reports.py \
	tests/slurm_lab.sh \
	tests/slurm_reports.py \
	tests/smpi/README.md \
	tests/smpi/build.sh \
	tests/smpi/check.py \
	tests/smpi/ends.c \
	tests/smpi/platform.py \
	tests/smpi/run.sh \
	tests/smpi/scaling.py \
	tests/smpi/start.sh \
	tests/smpi/tables.py \
	tests/study_check.py \
	tests/summary.sh \
	tests/transform_numpy.py \
	tests/transform_run.sh \
	tests/verdict.sh \
	tests/volume.py

# Programs, tests/NAME.c each.
test_programs = \
	tests/test_arrays \
	tests/test_batch \
	tests/test_beside \
	tests/test_bits \
	tests/test_caps \
	tests/test_compare \
	tests/test_cycles \
	tests/test_engine \
	tests/test_exchange \
	tests/test_execute \
	tests/test_exhaustive \
	tests/test_explain \
	tests/test_family \
	tests/test_files \
	tests/test_files_errors \
	tests/test_files_matrix \
	tests/test_files_misuse \
	tests/test_layout \
	tests/test_layouts \
	tests/test_line \
	tests/test_line_bits \
	tests/test_line_counts \
	tests/test_line_errors \
	tests/test_line_large \
	tests/test_line_random \
	tests/test_line_split \
	tests/test_machine \
	tests/test_memory \
	tests/test_model \
	tests/test_move \
	tests/test_nas \
	tests/test_oracle \
	tests/test_plan \
	tests/test_probe \
	tests/test_plugin \
	tests/test_progress \
	tests/test_random \
	tests/test_scheme \
	tests/test_shared \
	tests/test_single \
	tests/test_swap \
	tests/test_text \
	tests/test_twiddle \
	tests/test_uneven \
	tests/test_vector \
	tests/test_view \
	tests/test_wire \
	tests/test_wisdom \
	tests/test_wisdom_text

# With serial FFTW as oracle.
if HAVE_FFTW
oracle_programs = \
	tests/test_transform \
	tests/test_wide
endif

# For tests/long_fuzz_probe.sh.
if HAVE_HDF5
check_PROGRAMS += tests/fuzz/fuzz_probe
endif

# Shell tests.
test_scripts = \
	tests/bad_lines.sh \
	tests/check_code.sh \
	tests/check_layers.sh \
	tests/cluster.sh \
	tests/commands.sh \
	tests/compare.sh \
	tests/environment.sh \
	tests/errors.sh \
	tests/example_signal.sh \
	tests/fault_calls.sh \
	tests/faults.sh \
	tests/files_h5py.sh \
	tests/killed.sh \
	tests/line.sh \
	tests/line_numpy.sh \
	tests/mpi_check.sh \
	tests/unlike.sh \
	tests/mutants.sh \
	tests/nas.sh \
	tests/predict.sh \
	tests/probe.sh \
	tests/reports.sh \
	tests/slurm.sh \
	tests/smpi.sh \
	tests/study.sh \
	tests/transform_numpy.sh \
	tests/tune.sh \
	tests/volume.sh

# tests/sanitize/plant does what the tools should find, and is no test.
check_PROGRAMS += $(test_programs) $(oracle_programs) tests/sanitize/plant
TESTS += $(oracle_programs) $(test_programs) $(test_scripts)

# What ranks of MPICH load in tests.
if MPICH
check_LTLIBRARIES += tests/patience.la
endif
tests_patience_la_SOURCES = tests/patience.c
tests_patience_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
tests_patience_la_LIBADD = -ldl

# Tests that take longer than `make check` may: shell scripts (not in TESTS), which run a program of
# check_PROGRAMS at more length with: sh "$srcdir/tests/mpirun.sh" "$builddir/tests/NAME" ARGUMENTS
CHECK_LONG += \
	tests/long_all.sh \
	tests/long_analyze.sh \
	tests/long_bad_lines.sh \
	tests/long_calls.sh \
	tests/long_cycles.sh \
	tests/long_exhaustive.sh \
	tests/long_faults.sh \
	tests/long_files.sh \
	tests/long_fuzz_probe.sh \
	tests/long_layouts.sh \
	tests/long_line.sh \
	tests/long_mpi.sh \
	tests/long_mpich.sh \
	tests/long_mutants.sh \
	tests/long_nas.sh \
	tests/long_random.sh \
	tests/long_sanitize.sh \
	tests/long_smpi.sh \
	tests/long_valgrind.sh \
	tests/long_verify.sh
include tests/fuzz/local.mk
EXTRA_DIST += $(CHECK_LONG)

# Lines and branches of src/ that `make check` runs, as text and HTML.
coverage:
	$(AM_V_at)sh '$(srcdir)/tests/coverage.sh' '$(abs_top_builddir)/coverage'

check-long: all
	$(AM_V_at)TEST_TIMEOUT=$${TEST_TIMEOUT-7200} $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(CHECK_LONG)'; \
	status=$$?; sh '$(srcdir)/tests/summary.sh' reliability.csv; exit $$status

# test_execute counts the allocations that the library makes while it transforms.
tests_test_execute_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
	-Wl,--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=free

# test_memory lets them fail; test_plan looks for pieces that nobody frees.
tests_test_memory_LDFLAGS = $(tests_test_execute_LDFLAGS)
tests_test_plan_LDFLAGS = $(tests_test_execute_LDFLAGS)

# What tests load in front of MPI (LD_PRELOAD); -rpath makes libtool build shared objects of them.
check_LTLIBRARIES += tests/faults/mpi_check.la tests/faults/shim.la
tests_faults_mpi_check_la_SOURCES = tests/faults/mpi_check.c tests/faults/own.h
tests_faults_mpi_check_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
tests_faults_shim_la_SOURCES = tests/faults/shim.c tests/faults/mpi_list.h tests/faults/own.h
tests_faults_shim_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere

# What makes the ranks' processors look unlike.
check_LTLIBRARIES += tests/faults/unlike.la
tests_faults_unlike_la_SOURCES = tests/faults/unlike.c
tests_faults_unlike_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
tests_faults_unlike_la_LIBADD = -ldl

# What crashes when all is over.
check_LTLIBRARIES += tests/faults/late.la
tests_faults_late_la_SOURCES = tests/faults/late.c
tests_faults_late_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere

# What makes results wrong, for the program to find.
if HAVE_FFTW
check_LTLIBRARIES += tests/faults/spoil.la
tests_faults_spoil_la_SOURCES = tests/faults/spoil.c
tests_faults_spoil_la_CPPFLAGS = $(AM_CPPFLAGS) $(FFTW_CFLAGS)
tests_faults_spoil_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
tests_faults_spoil_la_LIBADD = -ldl
endif

# What HDF5 must not load, what loses data, and what stops the process that looks at files.
if HAVE_HDF5
check_LTLIBRARIES += tests/faults/halt.la tests/faults/lose.la tests/faults/plugin.la
tests_faults_lose_la_SOURCES = tests/faults/lose.c
tests_faults_lose_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
tests_faults_lose_la_LIBADD = -ldl
tests_faults_halt_la_SOURCES = tests/faults/halt.c
tests_faults_halt_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
tests_faults_halt_la_LIBADD = -ldl
tests_faults_plugin_la_SOURCES = tests/faults/plugin.c
tests_faults_plugin_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
endif

# What uses MPI wrongly, for the checker to find.
check_PROGRAMS += tests/faults/wrong
tests_faults_wrong_LDADD =

# test_nas looks into a part of the program.
tests_test_nas_SOURCES = \
	src/app/nas/nas_class.c \
	src/app/nas/nas_class.h \
	src/app/nas/nas_field.c \
	src/app/nas/nas_field.h \
	tests/test_nas.c

# The statistics of the program's command compare.
tests_test_compare_SOURCES = tests/test_compare.c src/app/compare/statistics.c src/app/compare/statistics.h
