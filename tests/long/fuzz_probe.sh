#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The look at a file, EXECS (1000000) times on damaged files from SEED (1), in parts; then for
# AFL_SECONDS (600; 0: not) by AFL++.  libhdf5 may die there, our code may not; where it dies in memory
# that libhdf5 has spoiled, valgrind says so (tests/fuzz/whose.sh).  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/h5py.sh"
program=no
. "$srcdir/tests/lib/campaign.sh"
scratch=/dev/shm
test -w $scratch || scratch=${TMPDIR:-/tmp}
work=$(mktemp -d "$scratch/pfft3d-fuzz-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
mkdir "$work/seeds" && "$PYTHON" "$srcdir/tests/lib/mutate.py" write 1 0 0 "$work/seeds" || exit 99

looks=$builddir/tests/fuzz/fuzz_probe
# is_ours FILE: and then a copy is kept, and the line that repeats it is said
is_ours() {
  if sh "$srcdir/tests/fuzz/whose.sh" "$looks" --one "$1"; then return 1; fi
  kept=$builddir/crash-$(cksum <"$1" | cut -d' ' -f1).h5
  cp "$1" "$kept"
  echo "wrong: fuzz_probe --one $kept"
}

# by_mutants SEED COUNT
by_mutants() {
  "$looks" "$2" "$1" "$work" "$work"/seeds/*.h5 >"$work/mutants.log" 2>&1
  status=$?
  cat "$work/mutants.log"
  wrong=0
  # shellcheck disable=SC2013  # numbers
  for mutant in $(sed -n 's/^wrong: fuzz_probe --mutant [0-9]* //p' "$work/mutants.log"); do
    "$looks" --mutant "$1" "$mutant" "$work/mutant.h5" "$work"/seeds/*.h5 || return 1
    if is_ours "$work/mutant.h5"; then wrong=$((wrong + 1)); fi
  done
  if test $status -gt 1; then return 1; fi
  echo "tried $2 wrong $wrong"
}

execs=${EXECS:-1000000} seed=${SEED:-1} done=0
each=100000
if test $each -gt "$execs"; then each=$execs; fi
while test $done -lt "$execs"; do
  part "seed $((seed + done)) mutants $each" by_mutants $((seed + done)) "$each"
  done=$((done + each))
done

# of NAME: what the build has for it
of() { sed -n "s/^$1 = //p" "$builddir/Makefile" | head -n 1; }

# with_afl: our part of it, compiled anew
with_afl() {
  export OMPI_CC=afl-clang-fast MPICH_CC=afl-clang-fast
  # shellcheck disable=SC2046,SC2086  # lists of words
  $(of CC) -std=gnu11 -O1 -g -DHAVE_CONFIG_H -I"$builddir" -I"$srcdir/include" -I"$srcdir/src" \
    -I"$srcdir/tests/lib" \
    $(of HDF5_CFLAGS) -o "$work/fuzz_probe_afl" "$srcdir/tests/fuzz/fuzz_probe.c" \
    "$srcdir"/src/hdf5/*.c "$srcdir"/src/base/*.c $(of HDF5_LIBS) $(of FFTW_LIBS) -lm -ldl
}

# by_afl SECONDS: crashes that AFL++ finds are judged by the program above, one by one
by_afl() {
  AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1 \
    afl-fuzz -V "$1" -t 5000 -m none -i "$work/seeds" -o "$work/afl" \
    -- "$work/fuzz_probe_afl" "$work/afl.h5" >"$work/afl.log" 2>&1
  tried=$(sed -n 's/^execs_done *: *//p' "$work/afl/default/fuzzer_stats" 2>/dev/null)
  if test -z "$tried"; then
    tail -n 20 "$work/afl.log"
    return 1
  fi
  wrong=0
  for file in "$work"/afl/default/crashes/id*; do
    test -f "$file" || continue
    "$looks" --judge "$file" && continue
    if is_ours "$file"; then wrong=$((wrong + 1)); fi
  done
  echo "tried $tried wrong $wrong"
}
seconds=${AFL_SECONDS:-600}
if test "$seconds" = 0 || ! command -v afl-clang-fast >/dev/null; then
  number=$((number + 1))
  echo "ok $number - AFL++ # SKIP no afl-clang-fast (Debian: afl++), or no time for it"
elif ! with_afl >"$work/afl.log" 2>&1; then
  number=$((number + 1)) bad=1
  echo "not ok $number - AFL++: the harness cannot be compiled"
  tail -n 30 "$work/afl.log" | sed 's/^/# /'
else
  part "AFL++ for $seconds s" by_afl "$seconds"
fi
campaign_end
