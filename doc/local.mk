# SPDX-License-Identifier: BSD-3-Clause
# Documents, man pages, the site (`make html`), and the examples, which `make check` compiles and runs.

EXTRA_DIST += \
	doc/benchmarking.md \
	doc/design.md \
	doc/manual.md \
	doc/predictions.md \
	doc/reliability.csv \
	doc/reliability.md \
	doc/scaling.md \
	doc/colin27.png \
	doc/examples/signal.gp \
	doc/examples/signal.md \
	doc/examples/signal.png \
	doc/examples/signal.sh

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

# Lessons: doc/examples/NAME.c each, with <pfft3d.h> only.
examples = \
	doc/examples/step1_slab \
	doc/examples/step2_layout \
	doc/examples/step3_compare \
	doc/examples/step4_poisson

# Parts of one lesson, doc/examples/signal.md, which tests/program/example_signal.sh runs.
signal_programs = \
	doc/examples/filter \
	doc/examples/make_signal

check_PROGRAMS += $(examples) $(signal_programs)
TESTS += $(examples)
