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

LDADD = tests/lib/libtests.la $(HDF5_LIBS) $(FFTW_LONG_LIBS) $(FFTW_LIBS) $(PF_LIBS)
archives = tests/lib/libcommon.la libpfft3d_hdf5_core.la libpfft3d_core.la $(FFTW_LONG_LIBS)
EXTRA_DIST += $(test_scripts) $(test_helpers) tests/README.md tests/mpirun.sh tests/run.sh

# What the programs share, and the archives of the library, as one shared library, which links four
# times as fast as the archives.  These are linked into programs whose own functions stand before those
# of the C library also in the library (--wrap), or that load a libpfft3d beside it.
check_LTLIBRARIES += tests/lib/libcommon.la tests/lib/libtests.la
tests_lib_libtests_la_SOURCES =
tests_lib_libtests_la_LIBADD = $(archives) $(PF_LIBS)
tests_lib_libtests_la_LDFLAGS = $(AM_LDFLAGS) -avoid-version -rpath /nowhere
tests_lib_libcommon_la_SOURCES = \
	tests/lib/cases.c \
	tests/lib/cases.h \
	tests/lib/cells.c \
	tests/lib/cells.h \
	tests/lib/check.c \
	tests/lib/check.h \
	tests/lib/line_trial.c \
	tests/lib/line_trial.h \
	tests/lib/no_hdf5.h \
	tests/lib/kinds.c \
	tests/lib/kinds.h \
	tests/lib/oracle.c \
	tests/lib/oracle.h \
	tests/lib/planes.c \
	tests/lib/planes.h \
	tests/lib/poison.c \
	tests/lib/poison.h \
	tests/lib/redist.c \
	tests/lib/redist.h \
	tests/lib/reference.c \
	tests/lib/reference.h \
	tests/lib/support.c \
	tests/lib/support.h \
	tests/lib/tiles.c \
	tests/lib/tiles.h \
	tests/lib/trial.c \
	tests/lib/trial.h
tests_lib_libcommon_la_LDFLAGS =
tests_lib_libcommon_la_LIBADD = $(PF_LIBS)
if HAVE_HDF5
tests_lib_libcommon_la_SOURCES += \
	tests/lib/files.c \
	tests/lib/files.h \
	tests/lib/files_move.c \
	tests/lib/files_move.h
endif
count_allocations = tests/lib/allocations.c tests/lib/allocations.h
count_messages = tests/lib/messages.c tests/lib/messages.h

# What the scripts call.
test_helpers = \
	tests/lib/analyze.sh \
	tests/lib/campaign.sh \
	tests/lib/count.py \
	tests/lib/coverage.sh \
	tests/lib/cppcheck.cfg \
	tests/lib/declarations.py \
	tests/abi/allowed \
	tests/abi/pfft3d.abi.gz \
	tests/abi/pfft3d_fftw3_mpi.symbols \
	tests/abi/pfft3d_fortran.symbols \
	tests/abi/pfft3d_hdf5.abi.gz \
	tests/abi/write.sh \
	tests/lib/examples.sh \
	tests/lib/spoilt.sh \
	tests/lib/functions.sh \
	tests/lib/environment.sh \
	tests/lib/h5py.sh \
	tests/lib/line_numpy.py \
	tests/lib/links.py \
	tests/lib/launcher.py \
	tests/lib/launch.sh \
	tests/lib/limited.sh \
	tests/lib/mpis.sh \
	tests/lib/mpi4py.sh \
	tests/lib/mpis_table.py \
	tests/lib/mutate.py \
	tests/lib/mutation.py \
	tests/lib/mutation.txt \
	tests/lib/names.sh \
	tests/lib/check.sh \
	tests/lib/served.py \
	tests/lib/served.sh \
	tests/lib/program.sh \
	tests/lib/sentences.py \
	tests/lib/summary.sh \
	tests/lib/times.sh \
	tests/lib/transform_numpy.py \
	tests/lib/transform_run.sh \
	tests/lib/turbulence_numpy.py \
	tests/lib/turbulence_vtk.py \
	tests/lib/verdict.sh \
	tests/lib/words.py \
	tests/fftw/mpi_bench_build.sh \
	tests/unit/cycles.py \
	tests/files/axes.py \
	tests/files/files_h5py.py \
	tests/files/netcdf.py \
	tests/fortran/cases.inc \
	tests/fortran/headers.py \
	tests/fortran/test_decomp_2d.f90 \
	tests/fortran/test_files.F90 \
	tests/fortran/test_module.F90 \
	tests/files/volume.py \
	tests/python/arguments.py \
	tests/python/arrays.py \
	tests/python/dimensions.py \
	tests/python/docstrings.py \
	tests/python/endings.py \
	tests/python/files.py \
	tests/python/formats.py \
	tests/python/headers.py \
	tests/python/mpi4py_fft_cases.py \
	tests/python/plugin.py \
	tests/python/random_cases.py \
	tests/python/trial.py \
	tests/python/with_pfft3d.py \
	tests/program/bad_lines.py \
	tests/program/bad_lines.txt \
	tests/program/compare.py \
	tests/program/case_list.py \
	tests/program/fields.py \
	tests/program/flow.sh \
	tests/program/compress.py \
	tests/program/line_reports.py \
	tests/program/poisson_terms.py \
	tests/program/progress.py \
	tests/program/reports.py \
	tests/program/slurm_lab.sh \
	tests/program/slurm_reports.py \
	tests/program/spectrum.py \
	tests/program/study_check.py \
	tests/program/timeline.py \
	tests/program/vectors.py \
	tests/faults/calls.py \
	tests/faults/disks.py \
	tests/faults/guest.py \
	tests/faults/inputs.py \
	tests/faults/job.py \
	tests/faults/memory.py \
	tests/faults/network.py \
	tests/faults/scene.py \
	tests/faults/signals.py \
	tests/faults/syscalls.py \
	tests/sanitize/build.sh \
	tests/sanitize/env.sh \
	tests/sanitize/keep.c \
	tests/sanitize/lsan.supp \
	tests/sanitize/plant.sh \
	tests/sanitize/test.sh \
	tests/sanitize/ubsan.supp \
	tests/sanitize/valgrind.sh \
	tests/sanitize/valgrind.supp \
	tests/program/objects.cpp \
	tests/program/page_commands.py \
	tests/program/page_commands.txt \
	tests/program/pages.py \
	tests/releases/1.0.0/README.md \
	tests/releases/1.0.0/compressed.h5 \
	tests/releases/1.0.0/machine \
	tests/releases/1.0.0/report.json \
	tests/releases/1.0.0/snapshot.csv \
	tests/releases/1.0.0/snapshot.h5 \
	tests/releases/1.0.0/wisdom \
	tests/smpi/README.md \
	tests/smpi/build.sh \
	tests/smpi/check.py \
	tests/smpi/ends.c \
	tests/smpi/platform.py \
	tests/smpi/run.sh \
	tests/smpi/scaling.py \
	tests/smpi/steps.py \
	tests/smpi/start.sh \
	tests/smpi/tables.py \
	tests/cluster/README.md \
	tests/cluster/cluster.sh \
	tests/cluster/delay.c

# Programs, tests/ROOM/NAME.c each.
test_programs = \
	tests/faults/test_memory \
	tests/unit/test_candidates \
	tests/unit/test_cells \
	tests/unit/test_engine \
	tests/unit/test_several \
	tests/unit/test_vectors \
	tests/unit/test_exchange \
	tests/unit/test_explain \
	tests/unit/test_geometry \
	tests/unit/test_layout \
	tests/unit/test_cgroup \
	tests/unit/test_little \
	tests/unit/test_locale \
	tests/unit/test_machine \
	tests/unit/test_misuse \
	tests/unit/test_refused \
	tests/unit/test_model \
	tests/unit/test_move \
	tests/unit/test_number \
	tests/unit/test_oracle \
	tests/unit/test_request \
	tests/unit/test_scheme \
	tests/unit/test_steps \
	tests/unit/test_barrier \
	tests/unit/test_transfers \
	tests/unit/test_text \
	tests/unit/test_twiddle \
	tests/unit/test_vector \
	tests/unit/test_view \
	tests/unit/test_wisdom \
	tests/unit/test_wisdom_text \
	tests/unit/test_wisdom_user \
	tests/fftw/test_kept \
	tests/transform/test_arrays \
	tests/transform/test_batch \
	tests/transform/test_bits \
	tests/transform/test_boxes \
	tests/transform/test_caps \
	tests/transform/test_cuts \
	tests/transform/test_cycles \
	tests/transform/test_ended \
	tests/transform/test_execute \
	tests/transform/test_exhaustive \
	tests/transform/test_family \
	tests/transform/test_finite \
	tests/transform/test_flat \
	tests/transform/test_join \
	tests/transform/test_keep \
	tests/transform/test_large \
	tests/transform/test_local \
	tests/transform/test_nd \
	tests/transform/test_plan \
	tests/transform/test_progress \
	tests/transform/test_random \
	tests/transform/test_redist \
	tests/transform/test_shared \
	tests/transform/test_threads \
	tests/transform/test_timeline \
	tests/transform/test_transpose \
	tests/transform/test_uneven \
	tests/transform/test_wire \
	tests/line/test_line \
	tests/line/test_line_batch \
	tests/line/test_line_bits \
	tests/line/test_line_counts \
	tests/line/test_line_errors \
	tests/line/test_line_kinds \
	tests/line/test_line_large \
	tests/line/test_line_random \
	tests/line/test_line_split \
	tests/files/test_beside \
	tests/files/test_files \
	tests/files/test_files_errors \
	tests/files/test_files_matrix \
	tests/files/test_files_misuse \
	tests/files/test_plugin \
	tests/files/test_probe \
	tests/files/test_swap \
	tests/device/test_device_kernels

# Those of parts of the program.
if PROGRAM
test_programs += \
	tests/unit/test_compare \
	tests/unit/test_kernels \
	tests/unit/test_nas \
	tests/unit/test_own_values \
	tests/unit/test_poisson
if HAVE_JANSSON
test_programs += tests/unit/test_values
endif
endif

# For tests/long/fuzz_probe.sh.
if HAVE_HDF5
check_PROGRAMS += tests/fuzz/fuzz_probe
endif

# Shell tests, the longest first.
test_scripts = \
	tests/smpi/smpi.sh \
	tests/faults/faults.sh \
	tests/program/study.sh \
	tests/program/slurm.sh \
	tests/files/transform_numpy.sh \
	tests/program/vectors.sh \
	tests/faults/unlike.sh \
	tests/faults/fault_calls.sh \
	tests/files/axes.sh \
	tests/python/package.sh \
	tests/program/commands.sh \
	tests/program/errors.sh \
	tests/fftw/mpi_bench.sh \
	tests/unit/api.sh \
	tests/unit/built.sh \
	tests/unit/check_code.sh \
	tests/unit/check_layers.sh \
	tests/unit/check_pages.sh \
	tests/unit/check_rings.sh \
	tests/unit/stopped.sh \
	tests/device/device.sh \
	tests/line/line_numpy.sh \
	tests/fftw/dropin.sh \
	tests/files/files_h5py.sh \
	tests/files/formats.sh \
	tests/files/mutants.sh \
	tests/files/netcdf.sh \
	tests/files/parts.sh \
	tests/files/plain.sh \
	tests/files/probe.sh \
	tests/files/store.sh \
	tests/files/volume.sh \
	tests/fortran/module.sh \
	tests/python/mpi4py_fft.sh \
	tests/python/builds.sh \
	tests/python/random.sh \
	tests/program/bad_lines.sh \
	tests/program/bench.sh \
	tests/program/cluster.sh \
	tests/program/columns.sh \
	tests/program/compare.sh \
	tests/program/environment.sh \
	tests/program/example_signal.sh \
	tests/program/fields.sh \
	tests/program/examples.sh \
	tests/program/install.sh \
	tests/program/limits.sh \
	tests/program/line.sh \
	tests/program/nas.sh \
	tests/program/other_mpi.sh \
	tests/program/page_commands.sh \
	tests/program/pages.sh \
	tests/program/compress.sh \
	tests/program/kernels.sh \
	tests/program/poisson.sh \
	tests/program/poisson_stretched.sh \
	tests/program/poisson_terms.sh \
	tests/program/predict.sh \
	tests/program/progress.sh \
	tests/program/reference.sh \
	tests/program/releases.sh \
	tests/program/reports.sh \
	tests/program/spectrum.sh \
	tests/program/timeline.sh \
	tests/program/tune.sh \
	tests/program/turbulence.sh \
	tests/program/turbulence_more.sh \
	tests/faults/killed.sh \
	tests/faults/mpi_check.sh

# tests/sanitize/plant does what the tools should find, and is no test.
check_PROGRAMS += $(test_programs) tests/sanitize/plant
# Programs last: none of them takes as long as some scripts.
TESTS += $(test_scripts) $(test_programs)

# What ranks load in tests.
check_LTLIBRARIES += tests/lib/patience.la
tests_lib_patience_la_SOURCES = tests/lib/patience.c
tests_lib_patience_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
tests_lib_patience_la_LIBADD = -ldl

# The binary interface of a release, with which later builds are compared.
abi: $(lib_LTLIBRARIES)
	$(AM_V_GEN)sh '$(srcdir)/tests/abi/write.sh' . '$(srcdir)/tests/abi' pfft3d pfft3d_hdf5 pfft3d_fortran pfft3d_fftw3_mpi

# Tests that take longer than `make check` may: shell scripts (not in TESTS), which run a program of
# check_PROGRAMS at more length with: sh "$srcdir/tests/mpirun.sh" "$builddir/tests/NAME" ARGUMENTS
CHECK_LONG += \
	tests/long/all.sh \
	tests/long/analyze.sh \
	tests/long/bad_lines.sh \
	tests/long/builds.sh \
	tests/long/calls.sh \
	tests/long/compress.sh \
	tests/long/cycles.sh \
	tests/long/debian.sh \
	tests/long/device.sh \
	tests/long/exhaustive.sh \
	tests/long/faults.sh \
	tests/long/fftw.sh \
	tests/long/fftw_mpich.sh \
	tests/long/files.sh \
	tests/long/fluidfft.sh \
	tests/long/fuzz_probe.sh \
	tests/long/layouts.sh \
	tests/long/line.sh \
	tests/long/mkl.sh \
	tests/long/mpb.sh \
	tests/long/mpi.sh \
	tests/long/mpi4py_fft.sh \
	tests/long/mpich.sh \
	tests/long/mpis.sh \
	tests/long/mutants.sh \
	tests/long/mutation.sh \
	tests/long/nas.sh \
	tests/long/petsc.sh \
	tests/long/plugins.sh \
	tests/long/python.sh \
	tests/long/random.sh \
	tests/long/release.sh \
	tests/long/sanitize.sh \
	tests/long/shenfun.sh \
	tests/long/smpi.sh \
	tests/long/spectrum.sh \
	tests/long/systems.sh \
	tests/long/threads.sh \
	tests/long/turbulence.sh \
	tests/long/user.sh \
	tests/long/valgrind.sh \
	tests/long/verify.sh \
	tests/long/wheel.sh
include tests/fuzz/local.mk
EXTRA_DIST += $(CHECK_LONG) tests/long/petsc.c tests/long/spectrum_pylians.py

# Lines and branches of src/ that `make check` runs, as text and HTML.
coverage:
	$(AM_V_at)sh '$(srcdir)/tests/lib/coverage.sh' '$(abs_top_builddir)/coverage'

# One test of each kind, on two numbers of ranks: builds no more than these need.
QUICK_TESTS = \
	tests/unit/check_layers.sh \
	tests/unit/check_rings.sh \
	tests/unit/test_cells \
	tests/unit/test_exchange \
	tests/unit/test_layout \
	tests/transform/test_plan \
	tests/transform/test_random \
	tests/transform/test_redist \
	tests/line/test_line_random \
	tests/files/test_files \
	tests/program/reference.sh \
	tests/program/reports.sh \
	tests/faults/killed.sh
check-quick: all
	$(AM_V_at)RANKS=$${RANKS-1 3} $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(QUICK_TESTS)'

# With HOURS=8: random cases, for so long.
check-long: all
	$(AM_V_at)TEST_TIMEOUT=$${TEST_TIMEOUT-7200} HOURS='$(HOURS)' $(MAKE) $(AM_MAKEFLAGS) check \
	  TESTS='$(if $(HOURS),tests/long/random.sh,$(CHECK_LONG))'; \
	status=$$?; sh '$(srcdir)/tests/lib/summary.sh' reliability.csv; exit $$status

# What FFTW-MPI does for the same arguments, if it is there.
if FFTW_MPI
with_fftw_mpi = -DPF_FFTW_MPI
endif
tests_transform_test_transpose_CPPFLAGS = $(AM_CPPFLAGS) $(with_fftw_mpi)
tests_transform_test_transpose_LDADD = $(LDADD) $(FFTW_MPI_LIBS) $(FFTW_LIBS)

# Those that count what leaves, and those that count allocations or let them fail.
tests_line_test_line_counts_SOURCES = tests/line/test_line_counts.c $(count_messages)
tests_transform_test_caps_SOURCES = tests/transform/test_caps.c $(count_messages)
tests_faults_test_memory_SOURCES = tests/faults/test_memory.c $(count_allocations)
tests_faults_test_memory_LDFLAGS = $(tests_transform_test_execute_LDFLAGS)
tests_faults_test_memory_LDADD = $(archives)
tests_transform_test_execute_SOURCES = tests/transform/test_execute.c $(count_allocations)
tests_transform_test_execute_LDADD = $(archives)
tests_transform_test_execute_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
	-Wl,--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=free
tests_transform_test_join_SOURCES = tests/transform/test_join.c $(count_allocations)
tests_transform_test_join_LDFLAGS = $(tests_transform_test_execute_LDFLAGS)
tests_transform_test_join_LDADD = $(archives)
tests_transform_test_timeline_SOURCES = tests/transform/test_timeline.c $(count_allocations)
tests_transform_test_timeline_LDFLAGS = $(tests_transform_test_execute_LDFLAGS)
tests_transform_test_timeline_LDADD = $(archives)
tests_transform_test_plan_SOURCES = tests/transform/test_plan.c $(count_allocations)
tests_transform_test_plan_LDFLAGS = $(tests_transform_test_execute_LDFLAGS)
tests_transform_test_plan_LDADD = $(archives)

# What tests load in front of MPI (LD_PRELOAD); -rpath makes libtool build shared objects of them.
check_LTLIBRARIES += tests/faults/mpi_check.la tests/faults/no_copies.la tests/faults/shim.la
tests_faults_no_copies_la_SOURCES = tests/faults/no_copies.c
tests_faults_no_copies_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
tests_faults_mpi_check_la_SOURCES = tests/faults/mpi_check.c tests/faults/own.h
tests_faults_mpi_check_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
tests_faults_shim_la_SOURCES = tests/faults/shim.c tests/faults/mpi_list.h tests/faults/own.h
tests_faults_shim_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere

# Devices that lack something or fail.
if HAVE_OPENCL
check_LTLIBRARIES += tests/device/sick.la
endif
tests_device_sick_la_SOURCES = tests/device/sick.c
tests_device_sick_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
tests_device_sick_la_LIBADD = -ldl

# A driver of CUDA in each precision.
if HAVE_CUDA
check_LTLIBRARIES += tests/device/cuda_double.la tests/device/cuda_single.la
endif
tests_device_cuda_double_la_SOURCES = tests/device/cuda_driver.c
tests_device_cuda_double_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
tests_device_cuda_double_la_LIBADD = -lm
tests_device_cuda_single_la_SOURCES = tests/device/cuda_driver.c
tests_device_cuda_single_la_CPPFLAGS = $(AM_CPPFLAGS) -DPF_SINGLE
tests_device_cuda_single_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
tests_device_cuda_single_la_LIBADD = -lm

# What makes the ranks' processors look unlike.
check_LTLIBRARIES += tests/faults/unlike.la
tests_faults_unlike_la_SOURCES = tests/faults/unlike.c
tests_faults_unlike_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
tests_faults_unlike_la_LIBADD = -ldl

# What crashes when all is over.
check_LTLIBRARIES += tests/faults/late.la
tests_faults_late_la_SOURCES = tests/faults/late.c
tests_faults_late_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
# Whose stack traces never end.
check_LTLIBRARIES += tests/faults/trace.la
tests_faults_trace_la_SOURCES = tests/faults/trace.c
tests_faults_trace_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere

# A program of others, which calls the library and looks at no status.
check_PROGRAMS += tests/faults/careless
tests_faults_careless_SOURCES = tests/faults/careless.c
tests_faults_careless_LDADD = libpfft3d.la $(PF_LIBS)

# Programs that call FFTW-MPI: as others build them, and linked with the drop-in before FFTW.
if FFTW_MPI
check_PROGRAMS += tests/faults/guest tests/fftw/test_dropin tests/fftw/test_relinked
endif
if FFTWF_MPI
check_PROGRAMS += tests/fftw/test_dropin_single
endif
tests_faults_guest_SOURCES = tests/faults/guest.c
tests_faults_guest_LDADD = $(FFTW_MPI_LIBS) $(FFTW_LIBS) $(PF_LIBS)
tests_fftw_test_dropin_SOURCES = tests/fftw/dropin_others.h tests/fftw/test_dropin.c
tests_fftw_test_dropin_LDADD = tests/lib/libcommon.la $(FFTW_MPI_LIBS) $(FFTW_LIBS)
tests_fftw_test_dropin_single_SOURCES = tests/fftw/test_dropin_single.c
tests_fftw_test_dropin_single_LDADD = tests/lib/libcommon.la -lfftw3f_mpi $(FFTW_LIBS)
tests_fftw_test_relinked_SOURCES = tests/fftw/test_dropin.c
tests_fftw_test_relinked_LDADD = tests/lib/libcommon.la libpfft3d_fftw3_mpi.la $(FFTW_MPI_LIBS) $(FFTW_LIBS)
# The drop-in's own plans, without FFTW.
tests_fftw_test_kept_SOURCES = tests/fftw/test_kept.c src/fftw3_mpi/cache.c src/fftw3_mpi/translate.c

# What says that it is another MPI.
check_LTLIBRARIES += tests/lib/other_mpi.la
tests_lib_other_mpi_la_SOURCES = tests/lib/other_mpi.c
tests_lib_other_mpi_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere

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
tests_faults_wrong_LDADD = $(PF_LIBS)

# What test_exchange sees, and the ranks that it makes up.
tests_unit_test_exchange_SOURCES = \
	tests/unit/exchange_calls.c \
	tests/unit/exchange_calls.h \
	tests/unit/exchange_ranks.c \
	tests/unit/exchange_ranks.h \
	tests/unit/test_exchange.c

# Those of parts of the program.
tests_unit_test_compare_LDADD = tests/lib/libcommon.la $(pfft3d_LDADD) $(FFTW_LONG_LIBS)
tests_unit_test_kernels_LDADD = $(tests_unit_test_compare_LDADD)
tests_unit_test_nas_LDADD = $(tests_unit_test_compare_LDADD)
tests_unit_test_poisson_LDADD = $(tests_unit_test_compare_LDADD)
tests_unit_test_values_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_values_LDADD = tests/lib/libcommon.la $(JANSSON_LIBS)
tests_unit_test_own_values_SOURCES = tests/unit/test_values.c $(own_jansson)
tests_unit_test_own_values_CPPFLAGS = $(AM_CPPFLAGS) -DOWN
tests_unit_test_own_values_LDADD = tests/lib/libcommon.la

tests_transform_test_threads_LDADD = $(LDADD) -lpthread
