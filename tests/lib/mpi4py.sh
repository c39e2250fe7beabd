# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# For tests of the Python package; they source it.  $PYTHON becomes one with mpi4py and numpy that finds
# the package of the source tree and the library of the build; without one, or where mpi4py uses another
# MPI than this build, the test is skipped.  Tests change into $work, which is removed.
set -u
: "${srcdir:?run by make check}" "${builddir:?}" "${MPIRUN:?}"
for candidate in "${PYTHON:-}" /usr/bin/python3 python3; do
  if test -n "$candidate" && "$candidate" -c 'import mpi4py, numpy' 2>/dev/null; then
    PYTHON=$candidate
    break
  fi
done
"$PYTHON" -c 'import mpi4py, numpy' 2>/dev/null || {
  echo '1..0 # SKIP no python3 with mpi4py and numpy (Debian: python3-mpi4py python3-numpy)'
  exit 0
}
PYTHONPATH=$srcdir/src/python PFFT3D_LIBRARY=$builddir/.libs/libpfft3d.so PYTHONDONTWRITEBYTECODE=1
export PYTHON PYTHONPATH PFFT3D_LIBRARY PYTHONDONTWRITEBYTECODE
if ! test -e "$PFFT3D_LIBRARY"; then echo '1..0 # SKIP no shared library in this build'; exit 0; fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 99
# Sanitizers of addresses must be loaded before Python, whose own memory is nobody's leak.
case $(sed -n 's/^CFLAGS = //p' "$builddir/Makefile") in
  *-fsanitize=address*)
    cat >python <<END
#!/bin/sh
LD_PRELOAD=$(${CC:-gcc} -print-file-name=libasan.so)\${LD_PRELOAD:+:\$LD_PRELOAD}
ASAN_OPTIONS=\${ASAN_OPTIONS:+\$ASAN_OPTIONS:}detect_leaks=0
export LD_PRELOAD ASAN_OPTIONS
exec "$PYTHON" "\$@"
END
    chmod +x python
    PYTHON=$work/python
    ;;
  *-fsanitize*) echo '1..0 # SKIP a library with sanitizers, which Python does not load'; exit 0 ;;
esac
if ! "$PYTHON" -c 'import pfft3d._library as l; l.mpi()' 2>why.txt && grep -q 'another MPI' why.txt; then
  echo "1..0 # SKIP mpi4py uses another MPI than this build"
  exit 0
fi
. "$srcdir/tests/lib/check.sh"

# ranks N COMMAND...: Python's on N ranks
ranks() {
  count=$1
  shift
  # shellcheck disable=SC2086  # a command with options
  limited 300 $MPIRUN -n "$count" "$PYTHON" "$@" >out.txt 2>err.txt </dev/null
}
