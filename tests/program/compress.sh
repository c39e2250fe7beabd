#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compress as a user types it, against numpy's own selection; what it refuses, files that are not as
# it writes them above all.  TAP.  With LONG=1 more of each (tests/long/compress.sh).
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"

"$PYTHON" "$srcdir/tests/program/compress.py" make || exit 99
# alone ARGUMENTS...: on one rank
alone() { run 1 compress --wisdom none "$@"; }

# ---- kept components, and the field of them ----
number_of_case=0
# kept RANKS PATH SHARE RANKS-OF-EXPAND OPTIONS...
kept() {
  ranks=$1 path=$2 share=$3 others=$4
  shift 4
  number_of_case=$((number_of_case + 1))
  c=case$number_of_case
  echo "$c $path $share $*" >>cases.txt
  set -- compress -i "in.h5:/$path" -o "$c.h5" --share "$share%" --json "$c.json" --wisdom none "$@"
  if test "$ranks" = 1; then
    shift
    check "$share % of $path" alone "$@"
  else
    check "$share % of $path on $ranks ranks" run "$ranks" "$@"
  fi
  if test "$others" = 1; then
    check 'expanded' alone --expand -i "$c.h5" -o "$c-field.h5"
  else
    check "expanded on $others ranks" run "$others" compress --expand -i "$c.h5" -o "$c-field.h5" --wisdom none
  fi
}
kept 2 plane 10 3
kept 3 complex 33 1 --precision single
kept 4 volume 2.5 1 --decomp pencil
kept 6 volume 41 1 --pgrid 2x3 --threads 2
kept 1 volume 100 1
kept 1 ties 30 1
kept 1 line 1 1
kept 1 plane 0.5 1
kept 1 tiny 50 1
if test -n "${LONG-}"; then
  for ranks in 1 2 3 4 6; do
    for share in 0 0.6 3 29.5 50 99 100; do
      for path in plane complex volume ties tiny huge zero; do
        kept $ranks $path $share $((ranks == 6 ? 4 : 3))
      done
    done
  done
fi
check 'numpy keeps the same' "$PYTHON" "$srcdir/tests/program/compress.py" check
check 'in groups' alone -i in.h5:/plane -o groups.h5:/a/b --share 10%
check 'says what was kept' says '^kept 18 of 192 components, 9 of them stored, mirror images once'
check 'the energy' says '^energy kept [0-9.]* %, PSNR [0-9.]* dB'
check 'and that it was checked' says '^Parseval: error .*: PASS'
check 'found again' alone --expand -i groups.h5:/a/b -o again.h5:/elsewhere
check 'in another dataset' "$PYTHON" -c 'import h5py; assert h5py.File("again.h5")["elsewhere"].attrs["unit"] in ("V", b"V")'

# ---- what is refused ----
# fails STATUS WORDS ARGUMENTS...: one message, nothing is written
fails() {
  want=$1 words=$2
  shift 2
  alone "$@"
  status=$?
  test "$status" = "$want" && test "$(grep -c 'error:' err.txt)" = 1 && grep -q -e "$words" err.txt &&
    test "$(wc -l <err.txt)" -le 2 && ! test -e new.h5
}
mkdir disk
if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
  cleanup() { umount disk 2>/dev/null; cd / && rm -rf "$work"; }
  check 'a full disk' fails 73 'No space left' -i in.h5:/plane -o disk/c.h5 --share 90%
  check 'holds nothing' sh -c 'test -z "$(ls disk)"'
  head -c 16k /dev/zero >disk/filler 2>/dev/null
  check 'a full disk for the field' fails 73 'No space left' --expand -i case1.h5 -o disk/again.h5
  check 'holds no part of it' test "$(ls -A disk)" = filler
  umount disk
else
  skip 'a full disk' 'only root may mount one, and not everywhere'
fi
# A disk that is full in the middle: writes fail from the third one, of the head, or the sixth, of the
# field.  MPI and HDF5 add words of their own.
full_later() { # full_later WRITE STATUS
  limited $limit strace -qq -o /dev/null -e trace=pwrite64 -e "inject=pwrite64:error=ENOSPC:when=$1+" \
    "$PFFT3D" compress --expand -i case1.h5 -o new.h5 --quiet --wisdom none >out.txt 2>err.txt </dev/null
  test $? = "$2" && test "$(grep -c '^pfft3d: error:' err.txt)" = 1 && test -z "$(find . -name '*new.h5*')"
}
# The file of before is still there, and a run after it is none the worse.
killed() {
  cp case1.h5 old.h5
  cp old.h5 before.h5
  limited $limit strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=3 \
    "$PFFT3D" compress -i in.h5:/plane -o old.h5 --share 1% --force --quiet --wisdom none >out.txt 2>err.txt </dev/null
  test $? = 137 && cmp old.h5 before.h5 && alone -i in.h5:/plane -o old.h5 --share 1% --force
}
if test -z "${ASAN_OPTIONS-}" && strace -qq -o /dev/null -e inject=pwrite64:error=ENOSPC true 2>/dev/null; then
  check 'a disk that is full at the head' full_later 3 73
  check 'a disk that is full at the field' full_later 6 74
  check 'killed while it writes' killed
else
  skip 'a disk that is full in the middle' 'no strace (Debian: strace), or under sanitizers'
fi
check 'an output that exists' fails 73 'it exists' -i in.h5:/plane -o case1.h5 --share 1%
check 'the input as output' fails 64 'that is the input' -i in.h5:/plane -o in.h5 --share 1% --force
check 'values that are not finite' fails 65 'not finite: 2 of them' -i in.h5:/nan -o new.h5 --share 1%
constant() {
  run 1 compress -i in.h5:/flat -o flat.h5 --share 0.1% --wisdom none
  test $? = 0 && grep -q 'energy kept 0.000000 %, PSNR undefined (rms error 3, range 0)' out.txt
}
check 'a constant field of which nothing is kept' constant
beyond() { # beyond RANKS: expand writes nothing
  run "$1" compress --expand -i big.h5 -o new.h5 --precision single --wisdom none
  test $? = 76 && grep -q 'the result has values that are not finite: 36 of them' err.txt && ! test -e new.h5
}
check 'all components of large numbers' alone -i in.h5:/huge -o big.h5 --share 100%
for ranks in 1 3; do check "are beyond single precision on $ranks ranks" beyond $ranks; done
check 'a field in place of components' fails 65 "indices" --expand -i in.h5 -o new.h5
few='large twice mirror nan count2 schema overflow path'
more='path2 negative descending fraction float nocount plane2 real noschema numbers precision shape shape0 overflow2 many text'
for wrong in $few ${LONG:+$more}; do
  check "a file with wrong components: $wrong" fails 65 'wrong' --expand -i "wrong.h5:/$wrong" -o new.h5
done
echo "1..$number"
exit $bad
