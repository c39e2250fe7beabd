#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program with what belongs to another MPI: its library in place of that of the build, and its
# launcher, which starts ranks that are each alone.  One message each.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${builddir:?}"
vendor=$(sed -n 's/^mpi_vendor = //p' "$builddir/Makefile")
other_mpi=$builddir/tests/lib/.libs/other_mpi.so
case $vendor in
  openmpi) theirs='MPICH Version:      5.0.2' other=PMI launcher='MPICH or Intel MPI' ;;
  mpich | abi) theirs='Open MPI v5.0.11, package: a test' other=OMPI_COMM_WORLD launcher='Open MPI' ;;
  *)
    echo "1..0 # SKIP neither Open MPI nor MPICH nor the ABI of MPI 5"
    exit 0
    ;;
esac

# with VARIABLE=VALUE... -- ARGUMENTS...: one process with these variables
with() {
  limited 60 env "$@" >out.txt 2>err.txt </dev/null
  status=$?
  own err.txt
}
one() { test "$(grep -c '^pfft3d: error: ' err.txt)" = 1 && test ! -s out.txt; }
unlike() {
  with LD_PRELOAD="${LD_PRELOAD:+$LD_PRELOAD:}$other_mpi" OTHER_MPI="$theirs" "$PFFT3D" --grid 8
  test "$status" = 69 && one && grep -q "error: MPI: this process uses ${theirs%%,*}.* was built for " err.txt
}
check 'the library of another MPI' unlike
unknown() {
  with LD_PRELOAD="${LD_PRELOAD:+$LD_PRELOAD:}$other_mpi" "$PFFT3D" --grid 8
  test "$status" = 0
}
check 'one that nobody knows may be a relative' unknown
# alone NAME WORDS VARIABLE=VALUE...: a run of one rank, with one warning in these words; "": with none
alone() {
  check "$1" warned "$@"
}
warned() {
  words=$2
  shift 2
  with -u OMPI_COMM_WORLD_SIZE -u PMI_SIZE "$@" "$PFFT3D" --grid 8 --reps 1
  test "$status" = 0 && grep -q PASS out.txt || return
  if test -z "$words"; then ! grep -q warning err.txt; else
    test "$(grep -c '^pfft3d: warning: ' err.txt)" = 1 && grep -q "warning: $words has started 2 ranks, each of them alone" err.txt
  fi
}
if test $vendor = openmpi; then
  alone 'the launcher of another MPI' "the launcher of $launcher" ${other}_SIZE=2 ${other}_RANK=0
  alone 'its other ranks leave the message to the first' '' ${other}_SIZE=2 ${other}_RANK=1
  alone 'one that has started the right one' '' ${other}_SIZE=2 ${other}_RANK=0 OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0
else # MPICH and its relatives do not start there
  apart() {
    with ${other}_SIZE=2 ${other}_RANK=0 "$PFFT3D" --grid 8
    test "$status" = 69 && one && grep -q "launcher of $launcher has started this program" err.txt
  }
  check 'the launcher of another MPI' apart
  silent() {
    with ${other}_SIZE=2 ${other}_RANK=1 "$PFFT3D" --grid 8
    test "$status" = 69 && test ! -s err.txt && test ! -s out.txt
  }
  check 'its other ranks leave the message to the first' silent
fi
alone 'one rank is no loss' '' PMI_SIZE=1 PMI_RANK=0
alone 'srun without a plugin' srun SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0 SLURM_NTASKS=2
alone 'its second task' '' SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1 SLURM_NTASKS=2
alone 'a batch script for several tasks' '' SLURM_JOB_ID=7 SLURM_NTASKS=2 SLURM_PROCID=0

# Both of two such ranks write a file: it is whole, and that of one of them.
together() {
  for rank in 0 1; do
    env ${other}_SIZE=2 ${other}_RANK=$rank "$PFFT3D" --grid 8 --reps 1 --direction forward --csv r.csv --quiet 2>err.$rank </dev/null &
  done
  wait
  grep -q 'each of them alone' err.0 && test ! -s err.1 && test "$(wc -l <r.csv)" = 2 && test -z "$(find . -name '.r.csv*')"
}
if test $vendor = openmpi; then check 'a file of both' together; fi
check 'two ranks of the right launcher' run 2 --grid 8
echo "1..$number"
exit $bad
