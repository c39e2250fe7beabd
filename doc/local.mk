# SPDX-License-Identifier: BSD-3-Clause
# Documents, man pages, the site (`make html`), and the examples, which `make check` compiles and runs.

# What the site shows, at the same place in the tree.
site_files = \
	CONTRIBUTING.md \
	LICENSE \
	NEWS.md \
	README.md \
	SECURITY.md \
	data/README.md \
	doc/benchmarking.md \
	doc/channel.png \
	doc/colin27.png \
	doc/compress.png \
	doc/design.md \
	doc/dissipation.png \
	doc/energy_spectrum.png \
	doc/examples/applications.md \
	doc/examples/calls.c \
	doc/examples/calls.h \
	doc/examples/calls_files.c \
	doc/examples/calls_tune.c \
	doc/examples/filter.c \
	doc/examples/homogenise.c \
	doc/examples/make_signal.c \
	doc/examples/mri.png \
	doc/examples/mri.py \
	doc/examples/multiply.c \
	doc/examples/ocean.c \
	doc/examples/ocean.gp \
	doc/examples/ocean.png \
	doc/examples/ocean.sh \
	doc/examples/signal.gp \
	doc/examples/signal.md \
	doc/examples/signal.png \
	doc/examples/signal.sh \
	doc/examples/step1_slab.c \
	doc/examples/step2_layout.c \
	doc/examples/step3_compare.c \
	doc/examples/step4_poisson.c \
	doc/examples/step4_poisson.cpp \
	doc/examples/step4_poisson.f90 \
	doc/examples/step4_poisson.py \
	doc/examples/step5_taylor_green.c \
	doc/examples/step5_taylor_green.cpp \
	doc/examples/step5_taylor_green.f90 \
	doc/examples/step5_taylor_green.py \
	doc/examples/step6_picture.c \
	doc/examples/step6_picture.cpp \
	doc/examples/step6_picture.f90 \
	doc/examples/step6_picture.py \
	doc/examples/step7_lines.c \
	doc/examples/step7_lines.f90 \
	doc/examples/step7_lines.py \
	doc/faq.md \
	doc/features.md \
	doc/figures/overlap.svg \
	doc/figures/peers.svg \
	doc/figures/pencils.svg \
	doc/figures/row.svg \
	doc/figures/slabs.svg \
	doc/figures/speed.svg \
	doc/figures/strategies.svg \
	doc/figures/strong.svg \
	doc/figures/timeline.svg \
	doc/glossary.md \
	doc/guide.md \
	doc/head_filtered.png \
	doc/howto/analyse-a-field.md \
	doc/howto/choose-a-strategy.md \
	doc/howto/fortran.md \
	doc/howto/from-2decomp.md \
	doc/howto/from-fftw-mpi.md \
	doc/howto/from-heffte.md \
	doc/howto/from-mpi4py-fft.md \
	doc/howto/particles.md \
	doc/howto/python-tour.md \
	doc/howto/python.md \
	doc/howto/read-a-report.md \
	doc/howto/report-a-bug.md \
	doc/howto/slurm.md \
	doc/howto/turbulence.md \
	doc/howto/upgrade.md \
	doc/install.md \
	doc/kernels.md \
	doc/licences.md \
	doc/limits.md \
	doc/manual.md \
	doc/mpis.md \
	doc/particles.png \
	doc/pencil_times.png \
	doc/predictions.md \
	doc/quickstart.md \
	doc/reliability.md \
	doc/report.md \
	doc/scaling.md \
	doc/speed.md \
	doc/turbulence_scaling.png \
	doc/tutorial.md \
	doc/vorticity.png \
	jobs/README.md \
	tests/README.md \
	tests/cluster/README.md \
	tests/fuzz/README.md \
	tests/lib/README.md \
	tests/smpi/README.md

EXTRA_DIST += $(site_files) \
	doc/site/conf.py \
	doc/site/execute.py \
	doc/site/index.md \
	doc/site/pfft3d.css \
	doc/site/refresh.py

# Python takes the package of this tree and the library of this build.
package_here = PYTHONPATH='$(abs_srcdir)/src/python' PYTHONDONTWRITEBYTECODE=1 \
	PFFT3D_LIBRARY='$(abs_builddir)/.libs/libpfft3d.so'

# Sphinx as configure has found it, else one that has been installed since.
find_sphinx = sphinx='$(SPHINX)'; for python in /usr/bin/python3 python3; do \
	  if test -z "$$sphinx" && $$python -c 'import sphinx, myst_parser, furo' 2>/dev/null; then \
	    sphinx="$$python -m sphinx"; \
	  fi; \
	done

# The site, in html/.  The pages of options and of the library are made here.
reference_examples = doc/examples/calls.c doc/examples/calls_files.c doc/examples/calls_tune.c
html-local: doc/reference.awk $(include_HEADERS) $(reference_examples) $(site_program)
	$(AM_V_at)$(find_sphinx); test -n "$$sphinx" || { \
	  echo 'make html: no Sphinx with MyST and the theme furo; on Debian: sh jobs/packages.sh docs' >&2; exit 69; }
	$(AM_V_GEN)rm -rf site html && $(MKDIR_P) site
	$(AM_V_at)for f in $(site_files); do \
	    $(MKDIR_P) site/`dirname $$f` && cp $(srcdir)/$$f site/$$f || exit 1; \
	  done
	$(AM_V_at)cp $(srcdir)/doc/site/conf.py $(srcdir)/doc/site/index.md site
	$(AM_V_at)$(MKDIR_P) site/static && cp $(srcdir)/doc/site/pfft3d.css site/static
	$(AM_V_at)$(site_options) >site/doc/options.md
	$(AM_V_at)out=`pwd`/site/doc && cd $(srcdir) && \
	  $(AWK) -f doc/reference.awk -v format=markdown -v examples='$(reference_examples)' $(include_HEADERS) >$$out/library.md
	$(AM_V_at)python='$(PYTHON)'; : "$${python:=/usr/bin/python3}"; export $(package_here); \
	  if $$python -c 'import matplotlib, mpi4py, numpy, pfft3d; pfft3d.build()' 2>/dev/null; then \
	    $$python $(srcdir)/doc/site/execute.py site/doc/howto/python-tour.md; \
	  else echo 'without pictures, which need matplotlib, mpi4py and numpy: site/doc/howto/python-tour.md'; fi
	$(AM_V_at)$(find_sphinx); PFFT3D_VERSION=$(PACKAGE_VERSION) $$sphinx -q $(SPHINX_OPTIONS) -b html site html
	@echo "open html/index.html"

if RUN_PROGRAM
site_options = ./pfft3d$(EXEEXT) reference markdown
site_program = pfft3d$(EXEEXT)
else
site_program =
site_options = printf '%s Commands and options\n\nThis build has no program.\n' "`printf '\043'`"
endif

clean-local:
	rm -rf site html tests/device/pocl

# Man pages are made here: the options of pfft3d.1 are those of the program, and pfft3d.3 says what
# the installed headers say.
EXTRA_DIST += \
	doc/pfft3d.1.in \
	doc/pfft3d.3.in \
	doc/reference.awk

nodist_man_MANS += doc/pfft3d.3
CLEANFILES += doc/pfft3d.1 doc/pfft3d.3

doc/pfft3d.3: $(include_HEADERS) doc/reference.awk doc/pfft3d.3.in
	$(AM_V_GEN)$(MKDIR_P) doc
	$(AM_V_at)out=`pwd`/doc && cd $(srcdir) && \
	  $(AWK) -f doc/reference.awk -v frame=doc/pfft3d.3.in $(include_HEADERS) >$$out/pfft3d.3-t && \
	  mv $$out/pfft3d.3-t $$out/pfft3d.3

if RUN_PROGRAM
nodist_man_MANS += doc/pfft3d.1

doc/pfft3d.1: pfft3d$(EXEEXT) doc/pfft3d.1.in
	$(AM_V_GEN)$(MKDIR_P) doc
	$(AM_V_at)./pfft3d$(EXEEXT) reference man >doc/options-t
	$(AM_V_at)sed -e '/^@OPTIONS@$$/{r doc/options-t' -e 'd;}' $(srcdir)/doc/pfft3d.1.in >doc/pfft3d.1-t
	$(AM_V_at)rm -f doc/options-t && mv doc/pfft3d.1-t doc/pfft3d.1
endif

# Lessons: doc/examples/NAME.c each, with <pfft3d.h> only; and an example of each function.
examples = \
	doc/examples/calls \
	doc/examples/calls_tune \
	doc/examples/step1_slab \
	doc/examples/step2_layout \
	doc/examples/step3_compare \
	doc/examples/step4_poisson \
	doc/examples/step5_taylor_green \
	doc/examples/step7_lines

# With <pfft3d_hdf5.h>: parts of one lesson, doc/examples/signal.md, which tests/program/example_signal.sh
# runs, and one that the tests of other languages compare with.
if HAVE_HDF5
file_examples = \
	doc/examples/filter \
	doc/examples/make_signal \
	doc/examples/step6_picture
endif

# Of doc/examples/applications.md, which tests/program/examples.sh runs.
application_programs = doc/examples/homogenise
if HAVE_HDF5
application_programs += \
	doc/examples/multiply \
	doc/examples/ocean
examples += doc/examples/calls_files
endif

check_PROGRAMS += $(examples) $(file_examples) $(application_programs)
TESTS += $(examples)
