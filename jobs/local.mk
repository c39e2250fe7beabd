# SPDX-License-Identifier: BSD-3-Clause
# The comparison with packaged peers, built by `make bench` only.

EXTRA_DIST += \
	jobs/bench.sh \
	jobs/bench/peer_mpi4py.py \
	jobs/bench/peer_python.py \
	jobs/bench/peer_turbulence.py \
	jobs/bench/plot_bench.gp \
	jobs/bench/turbulence.sh \
	jobs/bench/turbulence_table.py

EXTRA_PROGRAMS = bench_peers bench_dropin bench_solve bench_stretched
CLEANFILES += bench_peers$(EXEEXT) bench_dropin$(EXEEXT) bench_solve$(EXEEXT) bench_stretched$(EXEEXT)

bench_peers_CFLAGS = $(libpfft3d_app_a_CFLAGS)
bench_peers_CPPFLAGS = $(libpfft3d_app_a_CPPFLAGS) $(SPFFT_CFLAGS) $(MKL_CFLAGS)
bench_peers_LDFLAGS = $(pfft3d_LDFLAGS)
bench_peers_LDADD = $(pfft3d_LDADD) $(SPFFT_LIBS) $(FFTW_MPI_LIBS) $(FFTW_LIBS) $(MKL_CDFT_LIBS)
bench_peers_SOURCES = \
	jobs/bench/bench.h \
	jobs/bench/bench_peers.c \
	jobs/bench/compare.c \
	jobs/bench/limits.c \
	jobs/bench/overlap.c \
	jobs/bench/peer_fftw.c \
	jobs/bench/peer_list.h \
	jobs/bench/peer_mkl.c \
	jobs/bench/peer_pfft3d.c \
	jobs/bench/peer_spfft.c \
	jobs/bench/report.c \
	jobs/bench/summary.c \
	jobs/bench/tile.c \
	jobs/bench/verify.c

# Calls FFTW-MPI only, as programs of others do; of the program's code it has statistics.
bench_dropin_CFLAGS = $(bench_peers_CFLAGS)
bench_dropin_LDFLAGS = $(bench_peers_LDFLAGS)
bench_dropin_LDADD = libpfft3d_app.a $(FFTW_MPI_LIBS) $(FFTW_LIBS) $(PF_LIBS)
bench_dropin_SOURCES = jobs/bench/dropin.c jobs/bench/turns.c jobs/bench/turns.h

bench_solve_CFLAGS = $(bench_peers_CFLAGS)
bench_solve_LDFLAGS = $(bench_peers_LDFLAGS)
bench_solve_LDADD = libpfft3d_app.a libpfft3d_core.la $(FFTW_MPI_LIBS) $(FFTW_LIBS) $(JANSSON_LIBS)
bench_solve_SOURCES = jobs/bench/solve.c jobs/bench/turns.c jobs/bench/turns.h

bench_stretched_CFLAGS = $(bench_peers_CFLAGS)
bench_stretched_CPPFLAGS = $(libpfft3d_app_a_CPPFLAGS)
bench_stretched_LDFLAGS = $(bench_peers_LDFLAGS)
bench_stretched_LDADD = $(pfft3d_LDADD) $(FFTW_MPI_LIBS) $(FFTW_LIBS)
bench_stretched_SOURCES = jobs/bench/stretched.c jobs/bench/turns.c jobs/bench/turns.h

# Options of the program: make bench BENCH_OPTIONS='--sizes 256 --patient'; or --drop-in alone, with
# TURNS and the largest number of points;
# or --solve, --stretched or --turbulence with TURNS and sizes
if BENCH
bench: pfft3d$(EXEEXT) bench_peers$(EXEEXT) bench_dropin$(EXEEXT) bench_solve$(EXEEXT) bench_stretched$(EXEEXT) libpfft3d_fftw3_mpi.la
	@MPIRUN='$(MPIRUN)' GNUPLOT='$(GNUPLOT)' $(SHELL) '$(srcdir)/jobs/bench.sh' $(BENCH_OPTIONS)
else
bench:
	@echo 'make bench: configure found no FFTW-MPI, or was told --disable-program' >&2
	@echo '(Debian: apt-get install libfftw3-mpi-dev libjansson-dev, then configure again)' >&2
	@exit 1
endif

distclean-local:
	rm -rf bench-results

.PHONY: bench
