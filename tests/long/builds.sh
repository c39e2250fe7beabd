#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds other than configure's own choice: by other compilers, and without what may be left out.  Each is built
# without a warning and passes the short tests (make check-quick), and those of the built files and the program's
# words.  COMPILERS: these only; by default each of gcc 12 to 15 and clang 14 to 21 that is there.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
# shellcheck disable=SC2046  # those that are there
COMPILERS=${COMPILERS-$(for name in gcc-$(seq -s ' gcc-' 12 15) clang-$(seq -s ' clang-' 14 21); do command -v "$name"; done)}
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS TEST_LOGS MPI_CFLAGS MPI_LIBS HDF5_CFLAGS HDF5_LIBS OMPI_CC
RANKS='1 3'
export RANKS

# tested FOLDER OPTION...: configured with the options, built, and what its tests say
tested() {
  folder=$builddir/builds/$1
  shift
  mkdir -p "$folder" && cd "$folder" || return
  { test -f Makefile || "$srcdir/configure" --quiet "$@"; } &&
    make -s -j "$(nproc 2>/dev/null || echo 2)" all >>make.log 2>&1 || { tail -n 30 make.log && return 1; }
  ! grep 'warning: .*\[-W' make.log || return
  # shellcheck disable=SC2016  # for make
  make -s check-TESTS TESTS='$(QUICK_TESTS) tests/unit/built.sh tests/program/commands.sh'
  find . -name '*.trs' -exec cat {} + | awk '
    /^:test-result: *(PASS|XFAIL)/ { passed++ }
    /^:test-result: *(FAIL|XPASS|ERROR)/ { failed++; print }
    END { if (!passed) failed++; print "tried " passed + failed " wrong " failed + 0 }'
}
for compiler in $COMPILERS; do part "${compiler##*/}" tested "${compiler##*/}" "CC=$compiler" --without-fortran; done
# What is too old is told so, before anything else.
too_old() {
  mkdir -p "$builddir/builds/old" && cd "$builddir/builds/old" && ! "$srcdir/configure" --quiet CC=gcc-11 >out 2>&1 &&
    grep '^configure: error: this needs gcc 12' out
}
if command -v gcc-11 >/dev/null; then part gcc-11 too_old; fi
# A compiler like Cray's, which has MPI and does not say how, is not given another one.
# shellcheck disable=SC2016  # for the script
silent() {
  mkdir -p "$builddir/builds/silent" && cd "$builddir/builds/silent" &&
    printf '#!/bin/sh\ncase "$*" in *-show*) exit 1 ;; esac\nexec %s "$@"\n' "$(sed -n 's/^CC = //p' "$builddir/Makefile")" >cc &&
    chmod +x cc && "$srcdir/configure" --quiet CC="$PWD/cc" --without-fortran && grep -x 'PC_MPI_LIBS = *' Makefile
}
part 'a compiler that does not say which MPI it has' silent
# Other options matter here, not speed.
for left_out in --without-hdf5 --without-fftw --without-jansson --disable-program --without-fortran \
  '--without-opencl --without-cuda --without-opengl --without-hypre' \
  '--without-hdf5 --without-fftw --disable-program --without-fortran --without-opencl'; do
  # shellcheck disable=SC2086  # words
  part "$left_out" tested "$(echo "$left_out" | tr -d ' ')" $left_out CFLAGS='-O1 -g0'
done
campaign_end
