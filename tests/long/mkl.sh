#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Engine mkl: a build with the oneMKL of PyPI, or of the folder MKL, in mkl/ of the build folder: engines on
# tiles, random cases, transforms by the program.  Answers in TAP.
: "${srcdir:?run by make check-long}" "${builddir:?}"
case $(uname -m) in
  x86_64) ;;
  *) echo "1..0 # SKIP oneMKL is for x86-64" && exit 0 ;;
esac
folder=$builddir/mkl
mkdir -p "$folder"
if test -z "${MKL-}"; then
  MKL=$folder/oneapi
  if ! test -e "$folder/complete"; then
    { "${PYTHON:-python3}" -m venv "$MKL" && "$MKL/bin/pip" -q install 'mkl>=2026' 'mkl-devel>=2026'; } >"$folder/log" 2>&1 || {
      echo "1..0 # SKIP oneMKL cannot be installed: $(tail -n 1 "$folder/log" | tr -d '#')"
      exit 0
    }
    touch "$folder/complete"
  fi
fi
. "$srcdir/tests/lib/campaign.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS TEST_LOGS

built() {
  mkdir -p "$folder/build" && cd "$folder/build" || return
  { test -f Makefile || "$srcdir/configure" --quiet --with-mkl="$MKL" --without-fortran; } &&
    make -s -j "$(nproc 2>/dev/null || echo 2)" all && # a second make beside this one would make the same files
    make -s tests/unit/test_engine tests/transform/test_random tests/line/test_line_random &&
    ./pfft3d info | grep '^mkl  *oneMKL' && ./pfft3d info | grep '^  mkl  *oneMKL'
}
# tested RANKS TEST
tested() {
  cd "$folder/build" && RANKS=$1 PFFT3D_TEST_ENGINE=mkl sh "$srcdir/tests/mpirun.sh" "$2" >"$folder/tested" 2>&1
  cat "$folder/tested"
  grep -q '^ok ' "$folder/tested" && ! grep -q '^not ok' "$folder/tested"
}
# transformed RANKS ARGUMENT...
transformed() {
  ranks=$1
  shift
  # shellcheck disable=SC2086  # a command with options
  cd "$folder/build" && limited 600 $MPIRUN -n "$ranks" ./pfft3d "$@" --engine mkl
}
# compared TYPE: its cluster FFT is right, and in the comparison
compared() {
  # shellcheck disable=SC2086
  cd "$folder/build" && make -s bench_peers && limited 600 $MPIRUN -n 2 ./bench_peers --sizes 16,33x20x18 --type "$1" \
    --algo packed --reps 3 --peers mkl >"$folder/tested" && ! grep WRONG "$folder/tested" &&
    test "$(grep -c '^oneMKL, in place' "$folder/tested")" = 4
}
part built built
for type in c2c r2c; do part "peer of make bench, $type" compared $type; done
part 'tiles of all engines' tested 1 tests/unit/test_engine
for ranks in 1 2 4; do
  part "random fields on $ranks ranks" tested "$ranks" tests/transform/test_random
  part "random lines on $ranks ranks" tested "$ranks" tests/line/test_line_random
  part "combinations of 24^3 on $ranks ranks" transformed "$ranks" verify --grid 24
  part "63x60x44 on $ranks ranks" transformed "$ranks" --grid 63x60x44 --type r2c --exchange all
done
campaign_end
