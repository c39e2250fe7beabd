# SPDX-License-Identifier: BSD-3-Clause
# Documents, man pages, and the examples, which are compiled and run by `make check`.

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

dist_man_MANS += \
	doc/pfft3d.1 \
	doc/pfft3d.3

# Lessons: doc/examples/NAME.c each, with <pfft3d.h> only.
examples = \
	doc/examples/step1_slab \
	doc/examples/step2_layout \
	doc/examples/step3_compare \
	doc/examples/step4_poisson

# Parts of one lesson, doc/examples/signal.md, which tests/program/example_signal.sh runs; with
# <pfft3d_hdf5.h>.
if HAVE_HDF5
signal_programs = \
	doc/examples/filter \
	doc/examples/make_signal
endif

check_PROGRAMS += $(examples) $(signal_programs)
TESTS += $(examples)
