#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program with what belongs to another MPI: its library in place of that of the build, and its
# launcher, which starts ranks that are each alone.  One message, and no transform.  Answers in TAP.
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
apart() {
  with ${other}_SIZE=2 ${other}_RANK=0 "$PFFT3D" --grid 8
  test "$status" = 69 && one && grep -q "launcher of $launcher has started 2 ranks, each of them alone" err.txt
}
check 'the launcher of another MPI' apart
silent() {
  with ${other}_SIZE=2 ${other}_RANK=1 "$PFFT3D" --grid 8
  test "$status" = 69 && test ! -s err.txt && test ! -s out.txt
}
check 'its other ranks leave the message to the first' silent
single() {
  with ${other}_SIZE=1 ${other}_RANK=0 "$PFFT3D" --grid 8
  test "$status" = 0
}
check 'one rank is no loss' single
check 'two ranks of the right launcher' run 2 --grid 8
echo "1..$number"
exit $bad
