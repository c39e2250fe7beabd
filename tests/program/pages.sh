#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pages are true: each example in C compiles without warnings against the installed headers, whole
# programs run on 2 ranks, examples in Python run after the commands of the quick start, and the site
# is built without a warning, thus without a broken link.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${builddir:?}"
. "$srcdir/tests/lib/spoilt.sh"
: "${PYTHON:=/usr/bin/python3}"
cc=$(sed -n 's/^CC = //p' "$builddir/Makefile")

# build SOURCE PROGRAM: as a user does, from the library in the build directory
build() {
  # shellcheck disable=SC2046,SC2086  # lists of words
  sh "$builddir/libtool" --quiet --mode=link --tag=CC $cc -std=c11 -Wall -Wextra -Werror -no-install \
    -I"$srcdir/include" "$1" -o "$2" "$builddir/libpfft3d.la" $(libraries "$1") -lm
}
# Other libraries that an example includes.
libraries() {
  if grep -q 'pfft3d_hdf5\.h' "$1"; then echo "$builddir/libpfft3d_hdf5.la"; fi
  if grep -q 'fftw3-mpi\.h' "$1"; then echo '-lfftw3_mpi -lfftw3'; fi
}
echo '#include <fftw3-mpi.h>' >peer.c
has_fftw_mpi() { test -z "${HYDRA-}" && $cc -E peer.c >/dev/null 2>&1; } # Debian's is for Open MPI
runs() {
  # shellcheck disable=SC2086
  limited $limit $MPIRUN -n 2 "$1" >out.txt 2>err.txt </dev/null
}

pages=$(cd "$srcdir" && ls README.md doc/*.md doc/howto/*.md)
for page in $pages; do
  "$PYTHON" "$srcdir/tests/program/pages.py" "$srcdir/$page" "$work" >found.txt || exit 99
  while read -r kind file; do
    example=$(basename "$file")
    case $kind in
      python) continue ;; # below
      cpp)
        if command -v g++ >/dev/null; then
          check "$page: $example compiles" $cc -x c++ -std=c++17 -Wall -Wextra -Werror -I"$srcdir/include" -c "$file" -o part.o
        fi
        ;;
      part) check "$page: $example compiles" $cc -std=c11 -Wall -Wextra -Werror -I"$srcdir/include" -c "$file" -o part.o ;;
      program)
        if grep -q fftw3-mpi "$file" && ! has_fftw_mpi; then
          number=$((number + 1))
          echo "ok $number - $page: $example # SKIP no FFTW-MPI"
          continue
        fi
        check "$page: $example compiles" build "$file" ./program
        check "$page: $example runs on 2 ranks" runs ./program
        if test -f "$file.expected"; then
          check "$page: it prints what the page says" cmp out.txt "$file.expected"
        fi
        if grep -q '!(worst' "$file"; then check_spoilt "$page: $example" 1 ./program; fi
        ;;
    esac
  done <found.txt
done
check 'there were examples' test "$number" -gt 8

# Lessons and applications that look for the largest error.
for example in step2_layout step4_poisson step7_lines; do
  check "$example compiles" build "$srcdir/doc/examples/$example.c" ./program
  check_spoilt "$example" 1 ./program
done
if command -v g++ >/dev/null; then
  # shellcheck disable=SC2086
  check 'step4_poisson in C++ compiles' sh "$builddir/libtool" --quiet --mode=link --tag=CC $cc -x c++ -std=c++17 -no-install \
    -I"$srcdir/include" "$srcdir/doc/examples/step4_poisson.cpp" -x none -o ./program "$builddir/libpfft3d.la" -lm -lstdc++
  check_spoilt 'step4_poisson in C++' 1 ./program
fi

# The quick start: its field, its commands, its checks.
if "$PYTHON" -c 'import h5py, numpy' 2>/dev/null && ! "$PFFT3D" info | grep -q '^hdf5 *no'; then
  "$PYTHON" "$srcdir/tests/program/pages.py" "$srcdir/doc/quickstart.md" "$work" | sed -n 's/^python //p' >python.txt
  check 'quick start: the field' "$PYTHON" "$(sed -n 2p python.txt)"
  check 'quick start: forward' run 4 transform --input field.h5 --output spectrum.h5
  check 'quick start: backward' \
    run 4 transform --input spectrum.h5 --output back.h5 --direction backward
  "$PYTHON" "$(sed -n 3p python.txt)" >out.txt 2>err.txt
  check 'quick start: both are right' sh -c 'test "$(cat out.txt)" = "True
True"'
  "$PYTHON" -c 'import h5py, numpy; h5py.File("digits.h5", "w")["digits"] = numpy.arange(1000)'
  check 'multiply compiles' build "$srcdir/doc/examples/multiply.c" ./program
  check_spoilt multiply 76 ./program digits.h5 digits.h5 product.h5 10000
fi

# follow PAGE COUNT: its commands, COUNT of them, one after the other
follow() {
  from=$1 count=$2
  sed -n 's/^\$ mpirun -n 2 pfft3d //p' "$srcdir/doc/howto/$from" >commands.txt
  command -v gnuplot >/dev/null || sed -i 's/ --png [^ ]*//' commands.txt
  while read -r line; do
    eval "set -- $line"
    check "$from: $line" run 2 "$@" </dev/null
  done <commands.txt
  check "all commands of $from" test "$(grep -c . commands.txt)" = "$count"
}
# block NUMBER PAGE: the block of Python of this number
block() { "$PYTHON" "$srcdir/tests/program/pages.py" "$srcdir/doc/howto/$2" "$work" | sed -n 's/^python //p' | sed -n "$1p"; }

if "$PYTHON" -c 'import h5py, numpy' 2>/dev/null && ! "$PFFT3D" info | grep -q '^hdf5 *no'; then
  # "I have a field"
  page=analyse-a-field.md
  follow $page 9
  check 'a field: the divergence is rounding' "$PYTHON" -c 'import numpy as n; assert abs(n.load("divergence.npy")).max() < 1e-12'
  check 'a field: a plane' "$PYTHON" "$(block 1 $page)"
  if command -v gnuplot >/dev/null; then check 'a field: the picture' sh -c "$(sed -n 's/^\$ \(gnuplot .*\)/\1/p' "$srcdir/doc/howto/$page") && test -s plane.png"; fi
  # "From particles to P(k)"
  page=particles.md
  check 'particles: the file' "$PYTHON" "$(block 1 $page)"
  follow $page 4
  "$PYTHON" "$(block 2 $page)" >out.txt 2>err.txt
  check 'particles: the quadrupole is near that of linear theory' \
    awk '/over monopole/ { found = $NF > 0.4 && $NF < 0.75 } END { exit !found }' out.txt
fi

if grep -q '^SPHINX = .' "$builddir/Makefile"; then
  check 'the site is built without warnings' \
    make -C "$builddir" html SPHINX_OPTIONS='-W --keep-going' V=0
  check 'and has the pages that are made' \
    grep -q 'pfft3d_plan_create' "$builddir/html/doc/library.html"
else
  number=$((number + 1))
  echo "ok $number - the site # SKIP no Sphinx"
fi
# The charts are those of their data; the program predicts some of their lines.
if "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
  check 'the charts are drawn' sh "$srcdir/jobs/charts.sh" --out charts
  for chart in charts/*.svg; do check "doc/figures/$(basename "$chart") is this one" cmp "$chart" "$srcdir/doc/figures/$(basename "$chart")"; done
fi
echo "1..$number"
exit $bad
