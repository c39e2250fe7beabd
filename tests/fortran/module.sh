#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Fortran module: its declarations of C are those of the headers; as users build it: from its source with all warnings as errors, with mpi_f08 and
# without; its test, files, the examples, the calls of 2DECOMP&FFT, and the programs of the page on
# Fortran.  Answers in TAP.
set -u
: "${srcdir:?run by make check}" "${builddir:?}" "${MPIRUN:?}"
files=
value() { sed -n "s/^$1 = //p" "$builddir/Makefile" | head -n 1; }
if test "$(value have_fortran)" != yes; then
  echo 'no Fortran compiler with MPI when this was configured (Debian: apt-get install gfortran)'
  exit 77
fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 99
. "$srcdir/tests/lib/check.sh"
. "$srcdir/tests/lib/examples.sh"
. "$srcdir/tests/lib/spoilt.sh"

fc=$(value FC)
# Flags of gfortran, which other compilers do not know; sanitizers as in the library.
words=$(value FCFLAGS)
if $fc --version 2>/dev/null | grep -q 'GNU Fortran'; then
  words="$words -O1 -std=f2008ts -pedantic -Wall -Wextra -Werror"
fi
define=$(value PF_FCFLAGS)

# shellcheck disable=SC2086  # lists of words
compile() { $fc $words $define -I. -I"$srcdir/tests/fortran" -c "$1" -o "$2"; }
# shellcheck disable=SC2086
link() {
  program=$1
  shift
  sh "$builddir/libtool" --quiet --mode=link --tag=FC $fc $words -no-install "$@" pfft3d.o $files -o "$program" \
    "$builddir/libpfft3d.la"
}
# shellcheck disable=SC2086
run() { limited 120 $MPIRUN -n "$@" >out.txt 2>err.txt </dev/null; }

# suite NAME RANKS: the module and its test
suite() {
  check "$1: the module compiles" compile "$srcdir/src/fortran/pfft3d.F90" pfft3d.o
  check "$1: its test compiles" compile "$srcdir/tests/fortran/test_module.F90" test.o
  check "$1: its test is linked" link ./test test.o
  for ranks in $2; do check "$1: on $ranks ranks" run "$ranks" ./test; done
}
if "${PYTHON:=/usr/bin/python3}" -c '' 2>/dev/null; then
  check 'structs, functions and constants are those of the headers' "$PYTHON" -B "$srcdir/tests/fortran/headers.py"
else
  skip 'structs, functions and constants are those of the headers' 'no Python 3'
fi
given=$define
define=-DPFFT3D_NO_MPI_F08
suite 'communicators are integers' 2
define=$given
if test -n "$define"; then
  skip 'mpi_f08' 'this compiler has no such module'
else
  rm -f ./*.mod ./*.o
  suite mpi_f08 '1 2 3 4 6'

  examples='step4_poisson step5_taylor_green step7_lines' files=
  if test -e "$builddir/libpfft3d_hdf5.la"; then
    examples="$examples step6_picture"
    check 'files: the module compiles' compile "$srcdir/src/fortran/pfft3d_hdf5.F90" hdf5.o
    files="hdf5.o $builddir/libpfft3d_hdf5.la"
    check 'files: their test compiles' compile "$srcdir/tests/fortran/test_files.F90" files.o
    check 'files: it is linked' link ./files files.o
    for ranks in 1 3; do check "files: on $ranks ranks" run "$ranks" ./files; done
  else
    skip files 'a build without parallel HDF5'
  fi
  for example in $examples; do
    check "$example: compiles" compile "$srcdir/doc/examples/$example.f90" "$example.o"
    check "$example: is linked" link "./$example" "$example.o"
    check "$example: the same as in C" like_c "$example" 3 "./$example"
  done
  # The job ends if a call of MPI fails in the library on one rank, for which the others wait.
  shim=$builddir/tests/faults/.libs/shim.so
  # shellcheck disable=SC2086
  fault() {
    limited 120 $MPIRUN -n 3 env LD_PRELOAD="$shim" PFFT3D_FAULT_IN=library PFFT3D_FAULT="mpi:$1:1:error" \
      ./hasty >out.txt 2>err.txt </dev/null
    status=$?
    test $status = 0 || { test $status -lt 124 && grep -q 'pfft3d: ' err.txt; }
  }
  if test -f "$shim"; then
    sed 's/^ *call MPI_Init.*/&\n  call pfft3d_grace(1d0)/' "$srcdir/doc/examples/step4_poisson.f90" >hasty.f90
    check 'a program that does not wait for long: compiles' compile hasty.f90 hasty.o
    check 'it is linked' link ./hasty hasty.o
    for call in 50 100 150; do check "it ends if call $call of MPI fails" fault "$call"; done
  fi
  check_spoilt step4_poisson 1 ./step4_poisson
  check_spoilt step7_lines 1 ./step7_lines

  check '2DECOMP: its calls compile' compile "$srcdir/src/fortran/pfft3d_decomp_2d.f90" decomp_2d.o
  check '2DECOMP: a program compiles' compile "$srcdir/tests/fortran/test_decomp_2d.f90" program.o
  check '2DECOMP: is linked' link ./program program.o decomp_2d.o
  for ranks in 1 2 3 4 6; do check "2DECOMP: on $ranks ranks" run "$ranks" ./program; done

  # Programs of the page, page1.f90 ..., and what the block of text behind each says that it prints.
  awk '/^```/ { if (inside) inside = 0
                else if ($0 == "```fortran") { inside = 1; file = "page" ++n ".f90" }
                else if ($0 == "```text" && n) { inside = 1; file = "page" n ".expected" }
                next }
       inside && !/^\$/ { print > file }' "$srcdir/doc/howto/fortran.md"
  for source in page*.f90; do
    page=${source%.f90}
    check "$page: compiles" compile "$source" "$page.o"
    if ! grep -q '^ *program ' "$source"; then continue; fi
    check "$page: is linked" link "./$page" "$page.o"
    check "$page: runs on 2 ranks" run 2 "./$page"
    if test -f "$page.expected"; then
      check "$page: prints what the page says" cmp out.txt "$page.expected"
    fi
    if grep -q wrong "$source"; then
      check_spoilt "$page" 0 "./$page"
      check "$page: and says so" grep -qx F out.txt
    fi
  done
fi
echo "1..$number"
exit $bad
