#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sample of the faults in single calls that tests/long/calls.sh tries in full: an allocation or a
# call of MPI that fails, and what can happen to a process in one.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
SHIM=${builddir:?}/tests/faults/.libs/shim.so
export SHIM
if ! test -f "$SHIM"; then echo '1..0 # SKIP no shared object to put in front of MPI'; exit 0; fi
. "$srcdir/tests/lib/h5py.sh"

# Every function that pfft3d takes from MPI can be made to fail.
unlisted() {
  # Of objects, not of the program, which may have static libraries that call MPI by themselves.
  find "$builddir/src" -name "*.o" -exec nm -u {} + |
    sed -n 's/^ *U \(MPI_[A-Z][a-z][A-Za-z0-9_]*\).*/\1/p' | sort -u |
    grep -vE '^MPI_(Wtime|Wtick|Comm_f2c|Comm_c2f|Initialized|Finalized)$' >wanted
  test -s wanted || return 1
  sed -n 's/^CALL(\(MPI_[A-Za-z0-9_]*\),.*/\1/p' "$srcdir/tests/faults/mpi_list.h" | sort -u >listed
  comm -23 wanted listed | grep . && return 1
  return 0
}
check 'tests/faults/mpi_list.h has all functions of MPI that are called' unlisted

# faults COMMAND KIND ACTION RANK STEP FIRST
faults() {
  "$PYTHON" "$srcdir/tests/faults/calls.py" "$@"
}
check 'an allocation fails on rank 1' faults transform malloc error 1 50 4
check 'an allocation fails on rank 0' faults line malloc error 0 30 22
check 'an allocation of a filter fails on rank 1' faults filter malloc error 1 25 3
check 'an allocation of a flow fails on rank 2' faults turbulence malloc error 2 60 20
check 'a call of MPI fails on rank 1' faults back mpi error 1 250 8
check 'a call of MPI fails on rank 0 and is done' faults back mpi late 0 250 30
check 'a rank is killed in a call' faults back mpi kill 1 400 40
check 'rank 0 crashes in a call' faults back mpi segv 0 400 50
check 'a rank stops for ever in a call' faults back mpi stop 1 400 150
check 'a rank gets SIGTERM in a call' faults back mpi term 0 400 100

# A program that calls FFTW-MPI.
if test -x "$builddir/tests/faults/guest"; then
  check 'an allocation of the drop-in fails on rank 1' faults dropin malloc error 1 90 30
  check 'a call of MPI of the drop-in fails on rank 1' faults dropin mpi error 1 500 187
fi

# Programs that use the library, on ranks that would wait for ever for the one that has failed.
check 'a call of MPI fails on rank 1 of a program that looks at no status' faults careless mpi error 1 190 69
if "$PYTHON" -c 'import mpi4py, numpy' 2>/dev/null; then
  check 'a call of MPI fails on rank 1 of a program in Python' faults python mpi error 1 180 80
fi

# Multigrid has no memory for what hypre will ask for, which itself ends the program then, or for its
# matrix: sizes in src/apps/poisson/multigrid.c, of which there is one allocation each.
no_multigrid() { # BYTES
  limited "$limit" env LD_PRELOAD="$SHIM" PFFT3D_FAULT="size:$1:0:error" \
    "$PFFT3D" poisson --iterative --grid 63x63 --reps 1 --quiet --wisdom none >out.txt 2>err.txt </dev/null
  status=$?
  test $status = 71 && test "$(wc -l <err.txt)" = 1 && grep -q 'error: multigrid: cannot allocate' err.txt && return
  echo "status $status" && cat err.txt && return 1
}
if built_with HYPRE; then
  check 'multigrid has no memory for hypre' no_multigrid $((1048576 + 63 * 63 * 160))
  check 'multigrid has no memory for its matrix' no_multigrid $((63 * 63 * 5 * 8))
fi
echo "1..$number"
exit $bad
