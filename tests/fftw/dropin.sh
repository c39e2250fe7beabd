#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that call FFTW-MPI, with the drop-in: loaded before their libraries, linked before them,
# and by the command `pfft3d fftw`.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${builddir:?}"
library=$builddir/.libs/libpfft3d_fftw3_mpi.so
program=$builddir/tests/fftw/test_dropin
if ! test -x "$program"; then echo '1..0 # SKIP no FFTW-MPI in this build'; exit 0; fi
if ! test -f "$library"; then echo "1..0 # SKIP no shared library in $builddir/.libs"; exit 0; fi
before=${LD_PRELOAD:+$LD_PRELOAD:} # under sanitizers
# libtool's wrapper scripts set the paths of libraries; what is beneath them needs them too.
LD_LIBRARY_PATH=$builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
if test -x "$builddir/tests/fftw/.libs/test_relinked"; then
  relinked=$builddir/tests/fftw/.libs/test_relinked
else
  relinked=$builddir/tests/fftw/test_relinked
fi

# start RANKS COMMAND...: output in out.txt, errors in err.txt
start() {
  ranks=$1
  shift
  # shellcheck disable=SC2086  # MPIRUN is a command with options
  limited 600 $MPIRUN -n "$ranks" "$@" >out.txt 2>err.txt </dev/null
}
# loaded RANKS PROGRAM...: with the drop-in before its libraries, which takes all that it can
loaded() {
  ranks=$1
  shift
  start "$ranks" env LD_PRELOAD="$before$library" PFFT3D_FFTW="${mode-all}" "$@"
}
# plans FEW: how many plans of pfft3d the program counted is FEW or more
plans() { test "$(sed -n 's/^# [0-9]* plans, \([0-9]*\) of pfft3d$/\1/p' out.txt)" -ge "$1"; }
none() { grep -q '^# [0-9]* plans, 0 of pfft3d$' out.txt; }

for ranks in 1 2 3 4 6; do
  check "random problems on $ranks ranks" loaded $ranks "$program" $ranks 0 60
  check 'nine of ten plans are of pfft3d' plans 54
done
for ranks in 1 3; do
  test -x "${program}_single" || break # FFTW-MPI is there in double precision only
  check "in single precision on $ranks ranks" loaded $ranks "${program}_single" $ranks 0 60
  check 'nine of ten plans are of pfft3d' plans 54
done
PFFT3D_FFTW=all
export PFFT3D_FFTW
check 'a program that was linked with it' start 3 "$relinked" 5 0 40
check 'nine of ten plans are of pfft3d' plans 36

# Who makes a plan, and why, in one line of rank 0.
told() { grep -q "^pfft3d: fftw_mpi_plan_.*: $1" err.txt; }
mode=verbose
check 'small problems' loaded 2 "$program" 2 0 40
check 'are left to FFTW' told 'FFTW: too small to gain$'
check 'all of them' none
check 'batches of planes too' told 'FFTW: no gain is known$'
for n in 3000 10000 30000; do
  check "scrambled lines of $n points are all of one library" loaded 2 "$program" scrambled $n
done
mode=all,verbose
check 'scrambled lines, all' loaded 2 "$program" scrambled 10000
check 'are of pfft3d' plans 8
check 'all that is possible' loaded 2 "$program" 1 0 40
check 'says what the plans are' told 'pfft3d, .*decomp=slab .* work memory'
check 'transpositions, too' grep -q '^pfft3d: fftw_mpi_plan_many_transpose .*: pfft3d, redistribution' err.txt
mode=off,verbose
check 'off' loaded 2 "$program" 1 0 40
check 'leaves everything to FFTW' none
check 'without a word' sh -c '! grep pfft3d: err.txt'
mode=nonsense
check 'another word' loaded 1 "$program" 1 0 4
check 'is named' grep -q "PFFT3D_FFTW: 'nonsense' is none of off, all, verbose" err.txt
mode=all
other_mpi=$builddir/tests/lib/.libs/other_mpi.so
check 'in a program of another MPI' start 2 env LD_PRELOAD="$before$other_mpi:$library" "$program" 1 0 10
check 'FFTW does all' none
check 'and it says so once' \
  sh -c 'test "$(grep -c "this program uses Other MPI 1.0, and libpfft3d_fftw3_mpi was" err.txt)" = 1'

check 'the command fftw' start 2 "$PFFT3D" fftw "$program" 1 0 20
check 'after two dashes' start 2 "$PFFT3D" fftw -- "$program" 1 0 20
check 'no such program' sh -c '"$1" fftw -- ./none argument 2>/dev/null; test $? = 66' sh "$PFFT3D"
cp "$(command -v env)" here
check 'a program of this folder that is not in PATH' \
  sh -c '"$0" fftw here 2>err.txt; test $? = 66 && grep -q "here: not found in PATH; a program of this folder is ./NAME" err.txt' "$PFFT3D"
check 'loads the drop-in' plans 18
check 'it refuses a program that is not there' \
  sh -c '"$0" fftw ./nosuch 2>err.txt; test $? = 66 && grep -q "./nosuch: No such file" err.txt' "$PFFT3D"
check 'it needs a program' \
  sh -c '"$0" fftw 2>err.txt; test $? = 64 && grep -q "a program is needed" err.txt' "$PFFT3D"
check 'one message for all ranks' \
  sh -c '! "$@" && test "$(grep -c "No such file" err.txt)" = 1' sh \
  sh -c '$0 -n 3 "$1" fftw ./nosuch 2>err.txt' "$MPIRUN" "$PFFT3D"

# A program with the rights of another user loads nothing that its caller names.
mkdir -p shared && chmod 755 . shared && cp "$(command -v cat)" shared/plain && cp shared/plain shared/suid &&
  cp -L "$library" "$builddir/.libs/libpfft3d.so.0" shared && chmod 755 shared/* && chmod 4755 shared/suid
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups env LD_LIBRARY_PATH="$work/shared" \
  LD_PRELOAD="$work/shared/libpfft3d_fftw3_mpi.so" "shared/$1" /proc/self/maps 2>err.txt; }
if as_nobody plain | grep -q libpfft3d && ! findmnt -no OPTIONS -T shared | grep -q nosuid; then
  check 'a set-uid program does not load it' sh -c '! grep pfft3d maps.txt && grep -q "shared/suid" maps.txt' \
    "$(as_nobody suid >maps.txt)"
else
  number=$((number + 1))
  echo "ok $number - a set-uid program does not load it # SKIP root only, where set-uid counts"
fi
echo "1..$number"
exit $bad
