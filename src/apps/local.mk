# SPDX-License-Identifier: BSD-3-Clause
# The applications: commands that solve problems of their own with the public functions.

libpfft3d_app_a_SOURCES += \
	src/apps/compress/cmd_compress.c \
	src/apps/compress/components.c \
	src/apps/compress/components.h \
	src/apps/compress/compress.c \
	src/apps/compress/compress.h \
	src/apps/compress/expand.c \
	src/apps/compress/owners.c \
	src/apps/compress/owners.h \
	src/apps/compress/select.c \
	src/apps/compress/select.h \
	src/apps/filter/cmd_convolve.c \
	src/apps/filter/cmd_filter.c \
	src/apps/filter/padding.c \
	src/apps/filter/padding.h \
	src/apps/filter/response.c \
	src/apps/filter/response.h \
	src/apps/kernels/cmd_kernels.c \
	src/apps/kernels/contender.c \
	src/apps/kernels/contender.h \
	src/apps/kernels/fftw_lines.c \
	src/apps/kernels/fftw_lines.h \
	src/apps/kernels/reference.c \
	src/apps/kernels/reference.h \
	src/apps/nas/cmd_nas.c \
	src/apps/nas/nas.c \
	src/apps/nas/nas.h \
	src/apps/nas/nas_class.c \
	src/apps/nas/nas_class.h \
	src/apps/nas/nas_field.c \
	src/apps/nas/nas_field.h \
	src/apps/nas/nas_original.c \
	src/apps/nas/nas_text.c \
	src/apps/poisson/cmd_poisson.c \
	src/apps/poisson/compare_methods.c \
	src/apps/poisson/coordinates.c \
	src/apps/poisson/domain.c \
	src/apps/poisson/domain.h \
	src/apps/poisson/exact.c \
	src/apps/poisson/exact.h \
	src/apps/poisson/file.c \
	src/apps/poisson/free.c \
	src/apps/poisson/free.h \
	src/apps/poisson/grid.c \
	src/apps/poisson/grid.h \
	src/apps/poisson/iterative.c \
	src/apps/poisson/iterative.h \
	src/apps/poisson/manufactured.c \
	src/apps/poisson/poisson.c \
	src/apps/poisson/poisson.h \
	src/apps/poisson/solve.c \
	src/apps/poisson/solve.h \
	src/apps/poisson/solver.c \
	src/apps/poisson/solver.h \
	src/apps/poisson/stretched.c \
	src/apps/poisson/stretched.h \
	src/apps/poisson/walls.c \
	src/apps/poisson/walls.h \
	src/apps/spectrum/cmd_spectrum.c \
	src/apps/spectrum/correlation.c \
	src/apps/spectrum/deposit.c \
	src/apps/spectrum/deposit.h \
	src/apps/spectrum/modes.c \
	src/apps/spectrum/modes.h \
	src/apps/spectrum/output.c \
	src/apps/spectrum/samples.c \
	src/apps/spectrum/samples.h \
	src/apps/spectrum/show.c \
	src/apps/spectrum/spectrum.h \
	src/apps/spectrum/spline.c \
	src/apps/spectrum/spline.h \
	src/apps/spectrum/tables.c \
	src/apps/turbulence/cmd_turbulence.c \
	src/apps/turbulence/flow.c \
	src/apps/turbulence/flow.h \
	src/apps/turbulence/initial.c \
	src/apps/turbulence/loops.h \
	src/apps/turbulence/loops_double.c \
	src/apps/turbulence/loops_of.h \
	src/apps/turbulence/loops_single.c \
	src/apps/turbulence/march.c \
	src/apps/turbulence/march.h \
	src/apps/turbulence/modes.c \
	src/apps/turbulence/slice.c \
	src/apps/turbulence/slice.h \
	src/apps/turbulence/snapshot.c \
	src/apps/turbulence/snapshot.h \
	src/apps/turbulence/snapshot_name.c \
	src/apps/turbulence/statistics.c \
	src/apps/turbulence/statistics.h \
	src/apps/turbulence/sums.c \
	src/apps/turbulence/table.c \
	src/apps/turbulence/table.h \
	src/apps/turbulence/xdmf.c

if HAVE_HYPRE
libpfft3d_app_a_SOURCES += src/apps/poisson/multigrid.c
endif

# The checksums of NAS FT are kept once, as data.
nodist_libpfft3d_app_a_SOURCES = nas_checksums.h
BUILT_SOURCES += nas_checksums.h
CLEANFILES += nas_checksums.h
nas_checksums.h: data/nas_ft_checksums.csv
	$(AM_V_GEN)$(SED) -n 's/^[A-Z],.*/NAS_CHECKSUM(&)/p' '$(srcdir)/data/nas_ft_checksums.csv' > $@-t && \
	mv $@-t $@
