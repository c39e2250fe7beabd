#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One analyser over all C files of src/:  sh tests/lib/analyze.sh gcc|clang-tidy|cppcheck [FILE...]
# Prints what it finds, and at the end "tried N wrong M", files and those with a finding.  Takes the
# folders and definitions of the build in $builddir; 77 where the tool is not there.
set -u
tool=${1:?usage: analyze.sh gcc|clang-tidy|cppcheck [FILE...]}
shift
: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${builddir:=$srcdir/build}"
cd "$builddir" || exit 99
out=$(mktemp) || exit 99
trap 'rm -f "$out"' EXIT
trap 'exit 130' HUP INT TERM
variable() { make --no-print-directory -s --eval="print-it:;@echo \$($1)" print-it; }
flags="$(variable DEFS) $(variable DEFAULT_INCLUDES) $(variable libpfft3d_app_a_CPPFLAGS | sed 's/-DPF_LIBDIR=[^ ]*//')"
flags="$flags -DPF_LIBDIR=__FILE__ $(variable OPENMP_CFLAGS) $(variable PC_MPI_CFLAGS) -std=gnu11"
folders=$(echo " $flags" | grep -o ' -I[^ ]*' | tr '\n' ' ')

# need COMMAND PACKAGE
need() {
  if ! command -v "$1" >/dev/null; then
    echo "no $1 (Debian: $2)"
    exit 77
  fi
}

# What one file gives; the words of the tool alone, no sums.
case $tool in
  gcc)
    need gcc gcc
    # Variable lengths on the stack are refused here, too.  gcc 12 does not see that loops over the
    # axes, or over letters, fill the arrays they are for: what is not set, valgrind tells.  It loses
    # sight of memory whose pointer is in an element of an array: what is lost, the sanitizer tells.
    # In the kernels of engine simd everything is inlined: it takes them many minutes and gigabytes.
    look() {
      case $1 in */simd_base.c | */simd_avx*.c) return ;; esac
      gcc $flags -O2 -fanalyzer -Wno-analyzer-use-of-uninitialized-value -Wno-analyzer-malloc-leak \
        -Wall -Wextra -Wvla -Walloca -S -o /dev/null "$1"
    }
    ;;
  clang-tidy)
    need clang-tidy-14 clang-tidy-14
    # One file ends clang-tidy 14 itself.
    # shellcheck disable=SC2086  # lists of options
    look() {
      case $1 in */exchange/puts.c) return ;; esac
      clang-tidy-14 --quiet "$1" -- $flags 2>/dev/null
    }
    ;;
  cppcheck)
    need cppcheck cppcheck
    # invalidPointerCast: bytes of buffers are numbers where a view says so.
    # missingIncludeSystem: headers of the system are not looked into.
    # Lists of parameters as arguments of macros are more than its preprocessor understands.
    # shellcheck disable=SC2086
    look() {
      case $1 in */fftw3_mpi/exports_*.c) return ;; esac
      cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
        --suppress=invalidPointerCast --suppress=missingIncludeSystem --suppress=unmatchedSuppression \
        --library="$srcdir/tests/lib/cppcheck.cfg" \
        --error-exitcode=1 -DHAVE_CONFIG_H $folders "$1"
    }
    ;;
  *)
    echo "analyze.sh: unknown tool '$tool'" >&2
    exit 64
    ;;
esac

tried=0 wrong=0
files=${*:-$(find "$srcdir/src" -name '*.c' | sort)}
for file in $files; do
  tried=$((tried + 1))
  look "$file" >"$out" 2>&1
  status=$?
  if test "$status" != 0 || test -s "$out"; then
    wrong=$((wrong + 1))
    echo "== ${file#"$srcdir"/}: status $status"
    cat "$out"
  fi
done
echo "tried $tried wrong $wrong"
test "$wrong" = 0
