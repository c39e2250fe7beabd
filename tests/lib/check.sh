# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests by command, in TAP, for shell tests in a directory of their own; they source it.  With TEST_FIRST
# in the environment the first that fails is the last.
. "${srcdir:?}/tests/lib/limited.sh"
number=0 bad=0
export bad # the scripts exit with it

# launcher RANKS: what starts a program on so many ranks; nothing for one, which takes a third of the time
# without mpirun and, when it fails, waits for no others.
launcher() { if test "$1" != 1; then echo "$MPIRUN -n $1"; fi; }

# own FILE: what was said on stderr, without the lines that the launcher of Open MPI 5 adds to any status
# but 0, which nothing keeps it from (tests/lib/launcher.py does the same in Python).
own() { sed -i '/^-\{70,\}$/{:a;N;/\n-\{70,\}$/!{$!ba};/prterun detected/d};/^\[.*\] PMIX ERROR: PMIX_ERR_UNREACH /d;/^\[warn\] Epoll /d;/ keyval parser: cannot read file /d' "$1"; }

# alone_in FOLDER: ranks that are started without mpirun start no daemon of Open MPI's, from now on.
# All such ranks use one directory below TMPDIR, and remove it: FOLDER becomes that.  Side by side, each
# needs another.
alone_in() {
  OMPI_MCA_ess_singleton_isolated=1 TMPDIR=$1
  mkdir -m 1777 "$TMPDIR" || exit 99
  export OMPI_MCA_ess_singleton_isolated TMPDIR
}

# built_with LIBRARY: nonzero if this build is without (HDF5, JANSSON, FFTW ...)
built_with() { grep -q "^#define PF_HAVE_$1 1" "${builddir:?}/config.h"; }

# skip NAME WHY: one test that cannot be tried here
skip() {
  number=$((number + 1))
  echo "ok $number - $1 # SKIP $2"
}

# check NAME COMMAND...: one test; the last output is shown when it fails
check() {
  name=$1
  shift
  number=$((number + 1))
  if "$@" >check.txt 2>&1; then
    echo "ok $number - $name"
  else
    bad=1
    echo "not ok $number - $name"
    cat -v check.txt out.txt err.txt 2>/dev/null | sed 's/^/# /'
    if test -n "${TEST_FIRST-}"; then exit 1; fi
  fi
}
