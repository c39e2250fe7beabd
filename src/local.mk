# SPDX-License-Identifier: BSD-3-Clause
# The libraries and the program.  The code of each library is in a convenience archive: the shared
# library exports its pfft3d_ functions only, while the program and the tests are linked with the
# archives, so that mpirun starts real programs, never libtool's wrapper scripts.
#
# What both libraries need of src/base, and what has no state, is in an archive that is linked into
# each; the rest of src/base is in libpfft3d only.

noinst_LTLIBRARIES += libpfft3d_base.la libpfft3d_core.la libpfft3d_double.la libpfft3d_single.la
lib_LTLIBRARIES += libpfft3d.la

libpfft3d_la_SOURCES =
libpfft3d_la_LIBADD = libpfft3d_core.la
# current:revision:age, see "Updating version info" in libtool's manual
libpfft3d_la_LDFLAGS = $(PF_LINK_FLAGS) $(OPENMP_CFLAGS) -version-info 1:0:1 -no-undefined \
	$(export_flags)
EXTRA_DIST += src/pfft3d.map
if VERSION_SCRIPT
export_flags = -Wl,--version-script='$(srcdir)/src/pfft3d.map'
EXTRA_libpfft3d_la_DEPENDENCIES = src/pfft3d.map
EXTRA_libpfft3d_hdf5_la_DEPENDENCIES = src/pfft3d.map
else
export_flags = -export-symbols-regex '^pfft3d_'
endif

# The kernels of engine simd are compiled once for each precision, without MPI.
simd_kernels = \
	src/local/simd_avx2.c \
	src/local/simd_avx512.c \
	src/local/simd_base.c \
	src/local/simd_dft.h \
	src/local/simd_fetch.h \
	src/local/simd_four_step.h src/local/simd_four_step_real.h \
	src/local/simd_kernel.h \
	src/local/simd_columns.h src/local/simd_finish.h \
	src/local/simd_real.h \
	src/local/simd_rows.h \
	src/local/simd_short.h src/local/simd_short_real.h \
	src/local/simd_vector.h \
	src/local/simd_whole.h
# The textbooks' FFTs, likewise once for each precision.
textbook_kernels = \
	src/kernels/dft.c \
	src/kernels/dif.c \
	src/kernels/dit.c \
	src/kernels/kernel.h \
	src/kernels/kernel_list.h \
	src/kernels/multistage.c \
	src/kernels/natural.c \
	src/kernels/number.h \
	src/kernels/radix2.c \
	src/kernels/recursive.c \
	src/kernels/roots.c \
	src/kernels/spmd1.c \
	src/kernels/spmd2.c \
	src/kernels/stockham2.c \
	src/kernels/stockham4.c
libpfft3d_double_la_SOURCES = $(simd_kernels) $(textbook_kernels) src/local/without_mpi/mpi.h
libpfft3d_double_la_CPPFLAGS = -I$(srcdir)/src/local/without_mpi $(core_cppflags)
libpfft3d_double_la_CFLAGS = $(kernel_cflags)
libpfft3d_single_la_SOURCES = $(libpfft3d_double_la_SOURCES)
libpfft3d_single_la_CFLAGS = $(kernel_cflags)
libpfft3d_single_la_CPPFLAGS = $(libpfft3d_double_la_CPPFLAGS) -DPF_SINGLE

# Without the flags of HDF5: only src/hdf5 may include its headers.
core_cppflags = -I$(top_srcdir)/include -I$(top_srcdir)/src $(MPI_CFLAGS) $(FFTW_CFLAGS) $(MKL_CFLAGS)

libpfft3d_base_la_CPPFLAGS = $(core_cppflags)
libpfft3d_base_la_SOURCES = \
	src/base/cgroup.c \
	src/base/cgroup.h \
	src/base/hooks.c \
	src/base/hooks.h \
	src/base/memory.c \
	src/base/memory.h \
	src/base/mpi.c \
	src/base/mpi.h \
	src/base/status.c \
	src/base/status.h

libpfft3d_core_la_CPPFLAGS = $(core_cppflags)
libpfft3d_core_la_LDFLAGS =
libpfft3d_core_la_LIBADD = libpfft3d_base.la libpfft3d_double.la libpfft3d_single.la $(FFTW_LIBS) $(MKL_LIBS) $(OPENCL_LIBS) $(DL_LIBS) $(PF_LIBS)
libpfft3d_core_la_SOURCES = \
	include/pfft3d.h \
	include/pfft3d_begin.h \
	include/pfft3d_f.h \
	include/pfft3d_nd.h \
	include/pfft3d_redist.h \
	include/pfft3d_tune.h \
	src/base/cache.c \
	src/base/clock.c \
	src/base/clock.h \
	src/base/flags.h \
	src/base/grace.c \
	src/base/grace.h \
	src/base/hash.h \
	src/base/locale.c \
	src/base/locale.h \
	src/base/nodes.c \
	src/base/nodes.h \
	src/base/progress.c \
	src/base/progress.h \
	src/base/shared.c \
	src/base/shared.h \
	src/base/simulate.h \
	src/base/temporary.c \
	src/base/temporary.h \
	src/base/timeline.c \
	src/base/timeline.h \
	src/base/transport.c \
	src/device/device.c \
	src/device/device.h \
	src/device/driver.c \
	src/device/driver.h \
	src/device/library.h \
	src/device/load.c \
	src/device/load.h \
	src/exchange/alltoallw.c \
	src/exchange/blocks.c \
	src/exchange/exchange.c \
	src/exchange/exchange.h \
	src/exchange/exchange_list.h \
	src/exchange/large.h \
	src/exchange/memory.c \
	src/exchange/memory.h \
	src/exchange/node.c \
	src/exchange/packed.c \
	src/exchange/pairwise.c \
	src/exchange/parcels.c \
	src/exchange/parcels.h \
	src/exchange/peers.c \
	src/exchange/peers.h \
	src/exchange/puts.c \
	src/exchange/puts.h \
	src/exchange/raw.c \
	src/exchange/raw.h \
	src/exchange/registry.c \
	src/exchange/rows.c \
	src/exchange/run.c \
	src/exchange/shared.c \
	src/geometry/decision.h \
	src/geometry/field.c \
	src/geometry/field.h \
	src/geometry/geometry.c \
	src/geometry/geometry.h \
	src/geometry/matrix.h \
	src/geometry/matrix_geometry.c \
	src/geometry/matrix_half.c \
	src/geometry/pencil.c \
	src/geometry/route.c \
	src/geometry/scheme.c \
	src/geometry/scheme.h \
	src/geometry/slab.c \
	src/kernels/kernel.c \
	src/kernels/remote.c \
	src/kernels/remote.h \
	src/kernels/remote_list.c \
	src/layout/cuts.c \
	src/layout/cuts.h \
	src/layout/layout.c \
	src/layout/layout.h \
	src/layout/node_map.c \
	src/layout/node_map.h \
	src/layout/pieces.c \
	src/layout/pieces.h \
	src/layout/vector.c \
	src/layout/vector.h \
	src/layout/view.c \
	src/layout/view.h \
	src/line/butterfly.c \
	src/line/chirp.c \
	src/line/fold.c \
	src/line/fold.h \
	src/line/half.c \
	src/line/kinds.c \
	src/line/kinds.h \
	src/line/kinds_map.c \
	src/line/kinds_run.c \
	src/line/kinds_twiddle.c \
	src/line/line.c \
	src/line/line.h \
	src/line/method.c \
	src/line/mirror.c \
	src/line/mirror.h \
	src/line/real.c \
	src/line/run.c \
	src/line/split.c \
	src/line/work.h \
	src/local/address.c \
	src/local/ahead.c \
	src/local/chirp.c \
	src/local/copy.c \
	src/local/engine.c \
	src/local/engine.h \
	src/local/engine_list.h \
	src/local/fft.c \
	src/local/kind.c \
	src/local/kind.h \
	src/local/kind_fft.c \
	src/local/late.c \
	src/local/move.c \
	src/local/move.h \
	src/local/move_box.c \
	src/local/move_box.h \
	src/local/multiply.c \
	src/local/naive.c \
	src/local/pairs.c \
	src/local/plain.c \
	src/local/planes.h \
	src/local/rader.c \
	src/local/real.c \
	src/local/real_columns.c \
	src/local/reflect.c \
	src/local/registry.c \
	src/local/simd.c \
	src/local/simd.h \
	src/local/simd_isa.c \
	src/local/simd_plan.c \
	src/local/simd_radices.c \
	src/local/stage.c \
	src/local/stage.h \
	src/local/sweep.h \
	src/local/textbook.c \
	src/local/twiddle.c \
	src/local/twiddle.h \
	src/nd/nd.c \
	src/pipeline/arrays.c \
	src/pipeline/describe.c \
	src/pipeline/edges.c \
	src/pipeline/execute.c \
	src/pipeline/ffts.c \
	src/pipeline/field_views.c \
	src/pipeline/matrix_views.c \
	src/pipeline/pipeline.c \
	src/pipeline/pipelines.c \
	src/pipeline/pipelines.h \
	src/pipeline/reach.c \
	src/pipeline/stores.c \
	src/pipeline/views.h \
	src/plan/access.c \
	src/plan/boxed.c \
	src/plan/build.c \
	src/plan/calls.c \
	src/plan/join.c \
	src/plan/plan.c \
	src/plan/plan.h \
	src/plan/record.c \
	src/plan/steps.c \
	src/planner/candidates.c \
	src/planner/complete.c \
	src/planner/contest.c \
	src/planner/contest.h \
	src/planner/create.c \
	src/planner/explain.c \
	src/planner/machine.c \
	src/planner/make.c \
	src/planner/measure_machine.c \
	src/planner/model.c \
	src/planner/planner.h \
	src/planner/planning.c \
	src/planner/reason.c \
	src/planner/resolve.c \
	src/planner/runner.c \
	src/planner/runner.h \
	src/planner/timed.c \
	src/planner/timed.h \
	src/planner/tune.c \
	src/planner/wisdom.c \
	src/planner/wisdom.h \
	src/planner/wisdom_file.c \
	src/planner/wisdom_text.c \
	src/planner/wisdom_user.c \
	src/redist/boxed.c \
	src/redist/boxed.h \
	src/redist/halo.c \
	src/redist/moves.c \
	src/redist/moves.h \
	src/redist/redist.c \
	src/redist/redist.h \
	src/redist/transpose.c \
	src/request/axes.c \
	src/request/axes.h \
	src/request/boxes.c \
	src/request/boxes.h \
	src/request/check.c \
	src/request/check.h \
	src/request/cut_wish.c \
	src/request/cut_wish.h \
	src/request/keys.c \
	src/request/keys.h \
	src/request/names.c \
	src/request/names.h \
	src/request/number.c \
	src/request/problem.c \
	src/request/problem.h \
	src/request/problem_text.c \
	src/request/request.c \
	src/request/request.h \
	src/request/request_text.c \
	src/request/scheme_list.h \
	src/request/text.c \
	src/request/text.h \
	src/request/tiles.c \
	src/request/tiles.h \
	src/timeline/clocks.c \
	src/timeline/json.c \
	src/timeline/panels.c \
	src/timeline/profile.c \
	src/timeline/record.c \
	src/timeline/svg.c \
	src/timeline/timeline.c \
	src/timeline/timeline.h \
	src/timeline/travels.c

if HAVE_FFTW
libpfft3d_core_la_SOURCES += src/local/fftw.c
endif
if HAVE_MKL
libpfft3d_core_la_SOURCES += src/local/mkl.c
endif

# Devices.  The texts of their kernels are C's only as strings, or as what nvcc makes of them.
if HAVE_OPENCL
libpfft3d_core_la_SOURCES += \
	src/device/opencl.c \
	src/device/opencl.h \
	src/device/opencl_commands.c \
	src/device/vkfft.c \
	src/device/vkfft.h \
	src/local/opencl.c \
	src/local/planes.c
else
libpfft3d_core_la_SOURCES += src/local/no_planes.c
endif
if HAVE_CLFFT
libpfft3d_core_la_SOURCES += src/device/clfft.c
endif
if HAVE_CUDA
libpfft3d_core_la_SOURCES += src/device/cuda.c src/device/cuda.h src/device/cufft.c
libpfft3d_core_la_CPPFLAGS += $(CUDA_CPPFLAGS)
BUILT_SOURCES += fft_cuda.h
endif
if HAVE_OPENGL
libpfft3d_core_la_SOURCES += src/device/opengl.c
endif
nodist_libpfft3d_core_la_SOURCES = fft_cl.h fft_comp.h
EXTRA_DIST += src/kernels/fft.cl src/kernels/fft.comp
BUILT_SOURCES += fft_cl.h fft_comp.h
CLEANFILES += fft_cl.h fft_comp.h fft_cuda.h
text_as_string = $(SED) -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/"&\\n"/'
fft_cl.h: src/kernels/fft.cl
	$(AM_V_GEN)$(text_as_string) '$(srcdir)/src/kernels/fft.cl' > $@-t && mv $@-t $@
fft_comp.h: src/kernels/fft.comp
	$(AM_V_GEN)$(text_as_string) '$(srcdir)/src/kernels/fft.comp' > $@-t && mv $@-t $@
# Number k of pf_device_text.cuda: bit 0 single precision, bit 1 short counts.
fft_cuda.h: src/kernels/fft.cl
	$(AM_V_GEN)for k in 0 1 2 3; do \
	  flags=; case $$k in 1|3) flags=-DPF_SINGLE;; esac; case $$k in 2|3) flags="$$flags -DPF_SHORT";; esac; \
	  $(NVCC) $(NVCCFLAGS) $$flags -x cu -fatbin -o $@-f '$(srcdir)/src/kernels/fft.cl' || exit 1; \
	  echo "static const _Alignas(16) unsigned char fft_cuda_$$k[] = {"; \
	  od -An -v -tx1 $@-f | $(SED) 's/ \(..\)/0x\1,/g'; \
	  echo '};'; \
	done > $@-t && rm $@-f && mv $@-t $@

# The library for files is installed with HDF5 only.  Without it the program has files of numpy, and of numbers only.
noinst_LTLIBRARIES += libpfft3d_hdf5_core.la
if HAVE_HDF5
lib_LTLIBRARIES += libpfft3d_hdf5.la
include_HEADERS += include/pfft3d_hdf5.h
pkgconfig_DATA += pfft3d_hdf5.pc
else
EXTRA_DIST += include/pfft3d_hdf5.h
endif

libpfft3d_hdf5_la_SOURCES =
libpfft3d_hdf5_la_LIBADD = libpfft3d_hdf5_core.la libpfft3d_base.la libpfft3d.la
libpfft3d_hdf5_la_LDFLAGS = $(PF_LINK_FLAGS) -version-info 0:0:0 -no-undefined \
	$(export_flags)

libpfft3d_hdf5_core_la_CPPFLAGS = $(AM_CPPFLAGS) $(probe_cppflags)
libpfft3d_hdf5_core_la_LDFLAGS =
libpfft3d_hdf5_core_la_LIBADD = $(HDF5_LIBS) $(PF_LIBS)
libpfft3d_hdf5_core_la_SOURCES = \
	src/hdf5/common.c \
	src/hdf5/common.h \
	src/hdf5/dataset.c \
	src/hdf5/dataset.h \
	src/hdf5/hooks.h \
	src/hdf5/input.c \
	src/hdf5/input.h \
	src/hdf5/npy.c \
	src/hdf5/npy.h \
	src/hdf5/number.c \
	src/hdf5/number.h \
	src/hdf5/output.c \
	src/hdf5/output.h \
	src/hdf5/output_file.c \
	src/hdf5/output_npy.c \
	src/hdf5/packing.c \
	src/hdf5/packing.h \
	src/hdf5/probe.h \
	src/hdf5/raw.c \
	src/hdf5/raw.h \
	src/hdf5/rounds.c \
	src/hdf5/rounds.h \
	src/hdf5/selection.c \
	src/hdf5/selection.h \
	src/hdf5/sidecar.c \
	src/hdf5/sidecar.h
if HAVE_HDF5
libpfft3d_hdf5_core_la_SOURCES += \
	src/hdf5/attributes.c \
	src/hdf5/child.c \
	src/hdf5/child.h \
	src/hdf5/conventions.c \
	src/hdf5/decode.c \
	src/hdf5/image.c \
	src/hdf5/inspect.c \
	src/hdf5/inspect.h \
	src/hdf5/library.c \
	src/hdf5/library.h \
	src/hdf5/output_hdf5.c \
	src/hdf5/probe.c \
	src/hdf5/scales.c \
	src/hdf5/scales.h \
	src/hdf5/storage.c \
	src/hdf5/write.c
else
libpfft3d_hdf5_core_la_SOURCES += src/hdf5/no_hdf5.c
endif

# The drop-in for FFTW-MPI: it stands before FFTW's libraries, which it opens where it needs them.
lib_LTLIBRARIES += libpfft3d_fftw3_mpi.la
pkgconfig_DATA += pfft3d_fftw3_mpi.pc
libpfft3d_fftw3_mpi_la_CPPFLAGS = -I$(top_srcdir)/include -I$(top_srcdir)/src $(MPI_CFLAGS)
libpfft3d_fftw3_mpi_la_LIBADD = libpfft3d.la $(PF_LIBS)
libpfft3d_fftw3_mpi_la_LDFLAGS = $(PF_LINK_FLAGS) -version-info 0:0:0 -no-undefined \
	$(fftw_export_flags)
EXTRA_DIST += src/fftw3_mpi.map
if VERSION_SCRIPT
fftw_export_flags = -Wl,--version-script='$(srcdir)/src/fftw3_mpi.map'
EXTRA_libpfft3d_fftw3_mpi_la_DEPENDENCIES = src/fftw3_mpi.map
else
fftw_export_flags = -export-symbols-regex '^[ds]?fftwf?_'
endif
libpfft3d_fftw3_mpi_la_SOURCES = \
	src/fftw3_mpi/cache.c \
	src/fftw3_mpi/call.c \
	src/fftw3_mpi/call.h \
	src/fftw3_mpi/exports.h \
	src/fftw3_mpi/exports_double.c \
	src/fftw3_mpi/exports_single.c \
	src/fftw3_mpi/handle.c \
	src/fftw3_mpi/original.c \
	src/fftw3_mpi/translate.c

include src/python/local.mk
include src/fortran/local.mk

if PROGRAM
bin_PROGRAMS += pfft3d
noinst_LIBRARIES += libpfft3d_app.a
# The program that the library starts to inspect a file.
probe_cppflags = -DPF_PROBE='"$(bindir)/pfft3d$(EXEEXT)"'
endif

pfft3d_CFLAGS = $(libpfft3d_app_a_CFLAGS)
pfft3d_CPPFLAGS = $(libpfft3d_app_a_CPPFLAGS)
pfft3d_LDFLAGS = $(PF_LINK_FLAGS) $(OPENMP_CFLAGS) $(PF_PIE_LDFLAGS)
pfft3d_LDADD = libpfft3d_app.a libpfft3d_hdf5_core.la libpfft3d_core.la $(HYPRE_LIBS) $(JANSSON_LIBS) $(PF_LIBS)
pfft3d_SOURCES = src/app/cli/main.c

# All of the program but main(), for the program and the tests of its parts: an archive of plain
# objects, since libtool would compile them as those of a shared library.
libpfft3d_app_a_CFLAGS = $(AM_CFLAGS) $(PF_PIE_CFLAGS) $(PF_SUMS_CFLAGS)
libpfft3d_app_a_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(HYPRE_CFLAGS) -DPF_LIBDIR='"$(libdir)"'
libpfft3d_app_a_AR = $(AR) cr
libpfft3d_app_a_SOURCES = \
	src/app/bench/bench.h \
	src/app/bench/cmd_bench.c \
	src/app/bench/cmd_line.c \
	src/app/bench/cmd_tune.c \
	src/app/bench/hpcc.c \
	src/app/bench/hpcc.h \
	src/app/check/check.c \
	src/app/check/check.h \
	src/app/check/cmd_verify.c \
	src/app/check/energy.c \
	src/app/check/energy.h \
	src/app/check/factors.c \
	src/app/check/factors.h \
	src/app/check/field.c \
	src/app/check/field.h \
	src/app/cli/cmd_fftw.c \
	src/app/cli/cmd_info.c \
	src/app/cli/command_list.h \
	src/app/cli/help.c \
	src/app/cli/help.h \
	src/app/cli/option_check.c \
	src/app/cli/option_table.c \
	src/app/cli/option_value.c \
	src/app/cli/option_value.h \
	src/app/cli/options.c \
	src/app/cli/options.h \
	src/app/cli/preload.h \
	src/app/cli/threads.c \
	src/app/cli/threads.h \
	src/app/common/app.h \
	src/app/common/columns.c \
	src/app/common/columns.h \
	src/app/common/field_file.c \
	src/app/common/field_file.h \
	src/app/common/message.c \
	src/app/common/message.h \
	src/app/common/number.h \
	src/app/common/options.c \
	src/app/common/options.h \
	src/app/common/picture.c \
	src/app/common/picture.h \
	src/app/common/progress.c \
	src/app/common/progress.h \
	src/app/common/request.c \
	src/app/common/request.h \
	src/app/common/rows.c \
	src/app/common/rows.h \
	src/app/common/statistics.c \
	src/app/common/statistics.h \
	src/app/common/timeline.c \
	src/app/common/timeline.h \
	src/app/common/vector.c \
	src/app/common/vector.h \
	src/app/common/vector_file.c \
	src/app/common/vector_file.h \
	src/app/common/watch.c \
	src/app/common/watch.h \
	src/app/common/wisdom.c \
	src/app/common/wisdom.h \
	src/app/compare/cmd_compare.c \
	src/app/compare/compare.h \
	src/app/compare/compare_judge.c \
	src/app/compare/compare_key.c \
	src/app/compare/compare_match.c \
	src/app/compare/compare_read.c \
	src/app/compare/compare_text.c \
	src/app/explain/cmd_explain.c \
	src/app/explain/explain.h \
	src/app/explain/explain_item.c \
	src/app/explain/explain_line.c \
	src/app/explain/explain_map.c \
	src/app/files/array_job.c \
	src/app/files/array_problem.c \
	src/app/files/array_work.h \
	src/app/files/cmd_transform.c \
	src/app/files/file_job.c \
	src/app/files/file_job.h \
	src/app/files/file_problem.c \
	src/app/files/file_work.h \
	src/app/files/line_file.c \
	src/app/files/line_file.h \
	src/app/report/advice.c \
	src/app/report/advice.h \
	src/app/report/fields.c \
	src/app/report/fields.h \
	src/app/report/report.c \
	src/app/report/report.h \
	src/app/report/report_csv.c \
	src/app/report/report_file.c \
	src/app/report/report_places.c \
	src/app/report/report_sweep.c \
	src/app/report/report_text.c \
	src/app/report/value.c \
	src/app/run/field_run.c \
	src/app/run/field_run.h \
	src/app/run/figures.c \
	src/app/run/line.c \
	src/app/run/line.h \
	src/app/run/run.c \
	src/app/run/run.h

if HAVE_JANSSON
libpfft3d_app_a_SOURCES += src/app/report/report_json.c
else
libpfft3d_app_a_SOURCES += src/app/report/no_json.c $(own_jansson)
endif
own_jansson = src/app/report/without_jansson/jansson.c src/app/report/without_jansson/jansson.h

include src/apps/local.mk
