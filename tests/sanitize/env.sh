# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# The options of the sanitizers; scripts source it after they have set $srcdir, and $reports, a folder.
# Each process with something to report on addresses or leaks writes a file there: that counts even
# where the process was expected to fail, or was not looked after by anybody.  Undefined behaviour is
# reported on stderr, and ends the process.

: "${srcdir:?}" "${reports:?}"

# A failed process ends with 99, which neither pfft3d nor mpirun uses.  malloc answers NULL to absurd
# sizes, as without sanitizers.  A short quarantine of freed memory: tests look at how memory grows.
common="log_path=$reports/report:exitcode=99:print_stacktrace=1"
ASAN_OPTIONS="$common:detect_leaks=1:allocator_may_return_null=1:quarantine_size_mb=1"
# detect_stack_use_after_return=0: the frames that stand in for those of the stack are not aligned for
# vectors of 64 bytes (gcc 12), and the kernels of engine simd crash on them.
ASAN_OPTIONS="$ASAN_OPTIONS:detect_stack_use_after_return=0:strict_string_checks=1"
# use_tls=0: a look at the memory of threads makes the sanitizer crash once MPI has ended.
LSAN_OPTIONS="suppressions=$srcdir/tests/sanitize/lsan.supp:print_suppressions=0:use_tls=0"
UBSAN_OPTIONS="$common:halt_on_error=1:suppressions=$srcdir/tests/sanitize/ubsan.supp"
# keep.so, and $PRELOAD, come before the sanitizer's own library, which it does not mind.
if test -f "${builddir:?}/keep.so"; then
  LD_PRELOAD=$builddir/keep.so${PRELOAD:+:$PRELOAD}
  ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
  export LD_PRELOAD
fi
export ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS

# reports_shown: prints what is in $reports, long ones cut; fails when there is anything.
reports_shown() {
  found=$(find "$reports" -type f -size +0 | sort | head -n 4)
  for report in $found; do
    echo "$report"
    head -n 60 "$report"
  done
  test -z "$found"
}
