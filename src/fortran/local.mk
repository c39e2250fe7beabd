# SPDX-License-Identifier: BSD-3-Clause
# The Fortran module.  Its source is installed in any case, for compilers that cannot read the .mod file
# of the configured one, which is made together with the library.

fortran_source = \
	src/fortran/pfft3d.F90 \
	src/fortran/pfft3d_arrays.inc \
	src/fortran/pfft3d_c.inc \
	src/fortran/pfft3d_errors.inc \
	src/fortran/pfft3d_execute.inc \
	src/fortran/pfft3d_plans.inc \
	src/fortran/pfft3d_redist.inc \
	src/fortran/pfft3d_requests.inc \
	src/fortran/pfft3d_tune.inc
fortrandir = $(includedir)
dist_fortran_DATA = \
	$(fortran_source) \
	src/fortran/pfft3d_decomp_2d.f90 \
	src/fortran/pfft3d_decomp_2d_halo.inc \
	src/fortran/pfft3d_files.inc \
	src/fortran/pfft3d_hdf5.F90

if FORTRAN
lib_LTLIBRARIES += libpfft3d_fortran.la
fortran_moddir = $(libdir)/fortran/pfft3d
nodist_fortran_mod_DATA = pfft3d.mod
fortran_pcdir = $(pkgconfigdir)
fortran_pc_DATA = pfft3d_fortran.pc
endif
CLEANFILES += pfft3d.mod
libpfft3d_fortran_la_SOURCES = $(fortran_source)
libpfft3d_fortran_la_FCFLAGS = $(PF_FCFLAGS) $(FCFLAGS)
libpfft3d_fortran_la_LIBADD = libpfft3d.la $(PF_LIBS)
libpfft3d_fortran_la_LDFLAGS = $(PF_LINK_FLAGS) -version-info 0:0:0 -no-undefined $(fortran_export_flags)
EXTRA_DIST += src/fortran/pfft3d.map
if VERSION_SCRIPT
fortran_export_flags = -Wl,--version-script='$(srcdir)/src/fortran/pfft3d.map'
EXTRA_libpfft3d_fortran_la_DEPENDENCIES = src/fortran/pfft3d.map
endif

# One compilation writes both.
pfft3d.mod: libpfft3d_fortran.la
	@test -f $@ || { rm -f $(libpfft3d_fortran_la_OBJECTS); $(MAKE) $(AM_MAKEFLAGS) $(libpfft3d_fortran_la_OBJECTS); }
$(libpfft3d_fortran_la_OBJECTS): $(fortran_source)
