#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds and installs pfft3d without root, with the software that is there (modules of a cluster, packages):
#   sh jobs/user.sh [PREFIX [CONFIGURE OPTIONS]]      PREFIX is ~/.local where it is not given
# Parts whose library is missing are left out; what that costs is said.  Ends with a check on two ranks, and
# with the lines that a shell needs.  BUILD (build-user/) is read from the environment.
set -eu
cd "$(dirname "$0")/.."
prefix=${1:-$HOME/.local}
if test $# -gt 0; then shift; fi
BUILD=${BUILD:-build-user}

step() { printf '\n== %s\n' "$*"; }
die() {
  echo "jobs/user.sh: $1" >&2
  exit "${2:-1}"
}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
if ! mkdir -p "$prefix" 2>/dev/null || ! test -w "$prefix"; then die "cannot write to $prefix: name another folder, sh jobs/user.sh FOLDER" 73; fi

# Without the first group nothing can be built; on clusters all are modules, whose names vary.
for tool in make:make pkg-config:pkgconf "${CC:-mpicc}:an MPI library"; do
  command -v "${tool%%:*}" >/dev/null ||
    die "${tool%%:*} is missing: load a module with ${tool#*:} (module avail), or name the compiler, CC=..." 69
done
if ! test -x configure && ! command -v autoreconf >/dev/null; then
  die 'a clone needs autoconf, automake and libtool to make configure; a release (pfft3d-*.tar.gz) needs none of them' 69
fi

step "Building in $BUILD/, for $prefix (minutes; $BUILD/build.log)"
mkdir -p "$BUILD"
log=$BUILD/build.log
# By the summary of configure.
costs() {
  sed -n '/^pfft3d [0-9]/,/^$/p' "$log" | while read -r part answer more; do
    case $part:$answer:${more%% *} in
      FFTW:no:*) echo 'FFTW (single and double): its engine is left out, the own one, simd, does all transforms' ;;
      HDF5:no:*) echo 'parallel HDF5 of this MPI: no HDF5 and netCDF-4 files in the program, only those of numpy (.npy) and of numbers' \
        '(--raw), and no libpfft3d_hdf5 for programs' ;;
      OpenMP:no:*) echo 'OpenMP: one thread in each rank' ;;
      Fortran:no:*) echo 'a Fortran compiler of this MPI: no Fortran module' ;;
      program:yes,:without) echo 'jansson: the reports of the program are text and CSV; no --json, no compare' ;;
    esac
  done
}
set -- --prefix="$prefix" "$@"
# configure stops where FFTW or jansson is missing, and names the option that does without it.
until CC=${CC:-mpicc} BUILD=$BUILD sh jobs/build.sh "$@" >"$log" 2>&1; do
  option=$(grep '^configure: error:' "$log" | grep -oE -e '--(without-fftw|without-jansson)' | tail -n 1)
  case " $* " in *" ${option:-none} "*) option= ;; esac
  if test -z "${option:-}"; then
    tail -n 20 "$log" >&2
    die "the build failed, see $log"
  fi
  set -- "$@" "$option"
done
sed -n '/^pfft3d [0-9]/,/^$/p' "$log"
make --no-print-directory -s -C "$BUILD" install >>"$log" 2>&1 || die "installing failed, see $log"

step 'Missing, and what that costs'
missing=$(costs)
printf '%s\n' "${missing:-nothing}" | sed 's/^/  /'

step 'A check on two ranks'
PATH=$prefix/bin:$PATH
LD_LIBRARY_PATH=$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PATH LD_LIBRARY_PATH PKG_CONFIG_PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cat >"$work/check.c" <<'END'
#include <pfft3d_tune.h>
#include <stdio.h>
int main(int argc, char **argv) {
  pfft3d_plan *plan;
  pfft3d_error error;
  double *u, sum = 0;
  void *array;
  int rank;
  pfft3d_prepare_mpi();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (pfft3d_plan_create_text(MPI_COMM_WORLD, "c2c:d:32x32x32", &plan, &error) || pfft3d_alloc(plan, &array, &error))
    return fprintf(stderr, "%s\n", error.text), 1;
  u = array;
  for (size_t i = 0; i < pfft3d_plan_elements(plan, PFFT3D_SPACE); i++) u[2 * i] = 1, u[2 * i + 1] = 0;
  if (pfft3d_execute(plan, PFFT3D_FORWARD, u, u)) return 1;
  for (size_t i = 0; i < pfft3d_plan_elements(plan, PFFT3D_SPECTRUM); i++) sum += u[2 * i] * u[2 * i];
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  pfft3d_plan_destroy(&plan);
  MPI_Finalize();
  if (rank == 0) printf("a constant field of 32^3: %s\n", sum == 32768. * 32768 ? "right" : "WRONG");
  return sum != 32768. * 32768;
}
END
mpicc=$(sed -n 's/^CC = //p' "$BUILD/Makefile")
mpirun=$(sed -n 's/^MPIRUN = //p' "$BUILD/Makefile")
# shellcheck disable=SC2046,SC2086  # words
if ! $mpicc "$work/check.c" -o "$work/check" $(pkg-config --cflags --libs pfft3d) ||
  ! "$mpirun" $(sh jobs/launcher.sh options "$mpirun" many quiet) -n 2 "$work/check"; then
  die 'the check failed: on a login node MPI may not start programs, try it in a job'
fi

step 'Lines for your shell, its ~/.profile, and batch scripts'
python=$(sed -n 's/^pythondir = //p' "$BUILD/Makefile" | sed "s|\${prefix}|$prefix|; s|\$(prefix)|$prefix|")
cat <<END
export PATH="$prefix/bin:\$PATH"
export LD_LIBRARY_PATH="$prefix/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig\${PKG_CONFIG_PATH:+:\$PKG_CONFIG_PATH}"
END
if test -n "$python" && test -d "$python/pfft3d"; then echo "export PYTHONPATH=\"$python\${PYTHONPATH:+:\$PYTHONPATH}\""; fi
