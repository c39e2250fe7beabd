#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Python package as a wheel has it, with a build for each family of MPIs: which one is taken, by the MPI
# of mpi4py and by the launcher, and what is said where none can be.  The build for the MPI of these
# tests is the real one; those for others need libraries that are not there.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/mpi4py.sh"
case $(sed -n 's/^mpi_vendor = //p' "$builddir/Makefile") in
  openmpi) mine=openmpi variable=OMPI_COMM_WORLD_SIZE ;;
  mpich) mine=mpich variable=PMI_SIZE ;;
  abi) mine=abi variable=PMI_SIZE ;;
  *) echo '1..0 # SKIP an MPI that wheels are not made for' && exit 0 ;;
esac
unset PFFT3D_LIBRARY
cp -r "$srcdir/src/python/pfft3d" pfft3d
PYTHONPATH=$work
export PYTHONPATH
compiler=$(sed -n 's/^CC = //p' "$builddir/Makefile")
echo 'int nothing;' >nothing.c
for family in abi:libmpi_abi.so.1 mpich:libmpi.so.12 openmpi:libmpi.so.40; do
  folder=pfft3d/builds/${family%:*} needs=${family#*:}
  mkdir -p "$folder"
  printf '#!/bin/sh\necho "the program of %s: $*"\n' "${family%:*}" >"$folder/pfft3d"
  chmod +x "$folder/pfft3d"
  # shellcheck disable=SC2086  # a command with options
  ${compiler%% *} -shared -fPIC -Wl,-soname,other-$needs nothing.c -o other.so &&
    ${compiler%% *} -shared -fPIC -Wl,--no-as-needed nothing.c ./other.so -o "$folder/libpfft3d.so.0"
done
rm -f other.so
cp "$builddir/.libs/libpfft3d.so.0" "pfft3d/builds/$mine/"

check 'the library that goes with mpi4py' ranks 1 -m pfft3d info
check 'it is in the package' grep -q "^file .*/pfft3d/builds/$mine/libpfft3d.so.0$" out.txt
cat >right.py <<'END'
import numpy as np, pfft3d
plan = pfft3d.Plan((8, 6, 5))
u = plan.empty("space")
u[...] = 1
whole = plan.gather(plan.forward(u), "spectrum")
if whole is not None:
    assert abs(whole[0, 0, 0] - 240) < 1e-12 and np.abs(whole).sum() - 240 < 1e-10, whole
END
check 'transforms on two ranks' ranks 2 right.py
program() { env "$1" "$PYTHON" -m pfft3d --grid 64 >out.txt 2>err.txt; }
check 'other words are for the program' program NONE=
check 'that of the MPI that is there' grep -qx "the program of $mine: --grid 64" out.txt
check 'its launcher names it, too' program "$variable=2"
check 'it is the same' grep -qx "the program of $mine: --grid 64" out.txt
other=$(if test "$variable" = PMI_SIZE; then echo OMPI_COMM_WORLD; else echo PMI; fi)
warned() {
  env "${other}_SIZE=2" "${other}_RANK=$1" "$PYTHON" right.py >out.txt 2>err.txt || return
  test "$(grep -c 'RuntimeWarning: the launcher of .* has started 2 ranks, each of them alone' err.txt)" = "$2"
}
case $mine in
  openmpi) # the others end in MPI_Init
    check 'the launcher of another MPI' warned 0 1
    check 'which one rank says' warned 1 0
    ;;
esac
refuses() {
  "$PYTHON" -c 'import pfft3d; pfft3d.Dataset("f.h5")' >out.txt 2>err.txt
  grep -q 'this wheel reads and writes no files' err.txt
}
check 'files need another build' refuses
rm "pfft3d/builds/$mine/libpfft3d.so.0"
cp "pfft3d/builds/$(if test $mine = abi; then echo mpich; else echo abi; fi)/libpfft3d.so.0" "pfft3d/builds/$mine/"
nothing() {
  program NONE=
  test $? = 69 && grep -q '^pfft3d: error: MPI: no library of MPI was found' err.txt && test "$(wc -l <err.txt)" = 1
}
check 'no MPI for the program' nothing
unloaded() {
  "$PYTHON" -c 'import pfft3d; pfft3d.Plan((4, 4))' >out.txt 2>err.txt
  tail -n 1 err.txt | grep -q 'Error: .*libpfft3d'
}
check 'nor for the library' unloaded
echo "1..$number"
exit $bad
