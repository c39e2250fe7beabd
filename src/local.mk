# SPDX-License-Identifier: BSD-3-Clause
# The library and the program.  All library code goes into one convenience archive: the shared
# library exports its pfft3d_ functions only, while the program and the tests are linked with the
# archive itself, so that mpirun starts real programs, never libtool's wrapper scripts.

noinst_LTLIBRARIES += libpfft3d_core.la libpfft3d_single.la
lib_LTLIBRARIES += libpfft3d.la

libpfft3d_la_SOURCES =
libpfft3d_la_LIBADD = libpfft3d_core.la
# current:revision:age, see "Updating version info" in libtool's manual
libpfft3d_la_LDFLAGS = $(PF_LINK_FLAGS) $(OPENMP_CFLAGS) -version-info 0:0:0 -no-undefined \
	-export-symbols-regex '^pfft3d_'

# The kernels of engine simd are compiled once for each precision.
simd_kernels = \
	src/local/simd_avx2.c \
	src/local/simd_avx512.c \
	src/local/simd_base.c \
	src/local/simd_dft.h \
	src/local/simd_kernel.h \
	src/local/simd_real.h \
	src/local/simd_rows.h \
	src/local/simd_vector.h
libpfft3d_single_la_SOURCES = $(simd_kernels)
libpfft3d_single_la_CPPFLAGS = $(AM_CPPFLAGS) -DPF_SINGLE

libpfft3d_core_la_LDFLAGS =
libpfft3d_core_la_LIBADD = libpfft3d_single.la $(FFTW_LIBS) $(HDF5_LIBS)
libpfft3d_core_la_SOURCES = \
	include/pfft3d.h \
	src/base/build.c \
	src/base/hash.h \
	src/base/memory.c \
	src/base/memory.h \
	src/base/progress.c \
	src/base/progress.h \
	src/base/simulate.h \
	src/base/status.c \
	src/base/status.h \
	src/base/unfinished.c \
	src/base/unfinished.h \
	src/base/window.c \
	src/base/window.h \
	src/exchange/alltoallw.c \
	src/exchange/exchange.c \
	src/exchange/exchange.h \
	src/exchange/exchange_list.h \
	src/exchange/node.c \
	src/exchange/packed.c \
	src/exchange/pairwise.c \
	src/exchange/pairwise.h \
	src/exchange/persistent.c \
	src/exchange/rma.c \
	src/exchange/rows.c \
	src/exchange/rows.h \
	src/exchange/shared.c \
	src/io/attributes.c \
	src/io/beside.c \
	src/io/beside.h \
	src/io/boxes.c \
	src/io/child.c \
	src/io/child.h \
	src/io/dataset.c \
	src/io/decode.c \
	src/io/hdf5_common.c \
	src/io/hdf5_common.h \
	src/io/io.h \
	src/io/look.c \
	src/io/look.h \
	src/io/none.c \
	src/io/output.c \
	src/io/probe.c \
	src/io/probe.h \
	src/io/raw.c \
	src/io/raw.h \
	src/io/rounds.c \
	src/io/rounds.h \
	src/layout/layout.c \
	src/layout/layout.h \
	src/layout/mates.c \
	src/layout/mates.h \
	src/layout/vector.c \
	src/layout/vector.h \
	src/layout/view.c \
	src/layout/view.h \
	src/local/chirp.c \
	src/local/copy.c \
	src/local/engine.c \
	src/local/engine.h \
	src/local/engine_list.h \
	src/local/move.c \
	src/local/move.h \
	src/local/naive.c \
	src/local/real.c \
	src/local/simd.c \
	src/local/simd.h \
	$(simd_kernels) \
	src/local/stage.c \
	src/local/stage.h \
	src/local/sweep.h \
	src/local/twiddle.c \
	src/local/twiddle.h \
	src/plan/candidates.c \
	src/plan/candidates.h \
	src/plan/decide.c \
	src/plan/decide.h \
	src/plan/execute.c \
	src/plan/explain.c \
	src/plan/ffts.c \
	src/plan/line.c \
	src/plan/line.h \
	src/plan/line_butterfly.c \
	src/plan/line_chirp.c \
	src/plan/line_real.c \
	src/plan/line_real.h \
	src/plan/line_run.c \
	src/plan/line_split.c \
	src/plan/line_work.h \
	src/plan/machine.c \
	src/plan/machine.h \
	src/plan/matrix.c \
	src/plan/matrix.h \
	src/plan/matrix_outline.c \
	src/plan/matrix_run.c \
	src/plan/matrix_way.c \
	src/plan/measure.c \
	src/plan/model.c \
	src/plan/model.h \
	src/plan/nodes.c \
	src/plan/outline.c \
	src/plan/outline.h \
	src/plan/plan.c \
	src/plan/plan.h \
	src/plan/probe.c \
	src/plan/reason.c \
	src/plan/reason.h \
	src/plan/settle.c \
	src/plan/settle.h \
	src/plan/text.c \
	src/plan/text.h \
	src/plan/tune.c \
	src/plan/way.c \
	src/plan/wisdom.c \
	src/plan/wisdom.h \
	src/plan/wisdom_file.c \
	src/plan/wisdom_text.c \
	src/plan/windows.c \
	src/scheme/pencil.c \
	src/scheme/scheme.c \
	src/scheme/scheme.h \
	src/scheme/scheme_list.h \
	src/scheme/slab.c

if HAVE_FFTW
libpfft3d_core_la_SOURCES += src/local/fftw.c
endif

if PROGRAM
bin_PROGRAMS += pfft3d
# What the library starts to look at a file that may be hostile.
libpfft3d_core_la_CPPFLAGS = $(AM_CPPFLAGS) -DPF_PROBE='"$(bindir)/pfft3d$(EXEEXT)"'
endif

pfft3d_CFLAGS = $(AM_CFLAGS) $(PF_PIE_CFLAGS)
pfft3d_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
pfft3d_LDFLAGS = $(AM_LDFLAGS) $(PF_PIE_LDFLAGS)
pfft3d_LDADD = libpfft3d_core.la $(JANSSON_LIBS)
pfft3d_SOURCES = \
	src/app/advice.c \
	src/app/advice.h \
	src/app/app.h \
	src/app/bench.h \
	src/app/check.c \
	src/app/check.h \
	src/app/cmd_bench.c \
	src/app/cmd_compare.c \
	src/app/cmd_explain.c \
	src/app/cmd_info.c \
	src/app/cmd_line.c \
	src/app/cmd_nas.c \
	src/app/cmd_transform.c \
	src/app/cmd_tune.c \
	src/app/cmd_verify.c \
	src/app/command_list.h \
	src/app/compare.h \
	src/app/compare_judge.c \
	src/app/compare_match.c \
	src/app/compare_read.c \
	src/app/compare_text.c \
	src/app/energy.c \
	src/app/energy.h \
	src/app/explain.h \
	src/app/explain_map.c \
	src/app/field.c \
	src/app/field.h \
	src/app/file_job.c \
	src/app/file_job.h \
	src/app/hpcc.c \
	src/app/line.c \
	src/app/line.h \
	src/app/line_file.c \
	src/app/main.c \
	src/app/message.c \
	src/app/message.h \
	src/app/nas.c \
	src/app/nas.h \
	src/app/nas_class.c \
	src/app/nas_class.h \
	src/app/nas_field.c \
	src/app/nas_field.h \
	src/app/nas_original.c \
	src/app/nas_text.c \
	src/app/option_check.c \
	src/app/option_value.c \
	src/app/option_value.h \
	src/app/options.c \
	src/app/options.h \
	src/app/report.c \
	src/app/report.h \
	src/app/report_text.c \
	src/app/run.c \
	src/app/run.h \
	src/app/statistics.c \
	src/app/statistics.h \
	src/app/watch.c \
	src/app/watch.h \
	src/app/wisdom.c \
	src/app/wisdom.h

# The checksums of NAS FT are kept once, as data.
nodist_pfft3d_SOURCES = nas_checksums.h
BUILT_SOURCES += nas_checksums.h
CLEANFILES += nas_checksums.h
nas_checksums.h: data/nas_ft_checksums.csv
	$(AM_V_GEN)$(SED) -n 's/^[A-Z],.*/NAS_CHECKSUM(&)/p' '$(srcdir)/data/nas_ft_checksums.csv' > $@-t && \
	mv $@-t $@
