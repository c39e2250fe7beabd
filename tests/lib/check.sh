# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests by command, in TAP, for shell tests in a directory of their own; they source it.  With TEST_FIRST
# in the environment the first that fails is the last.
. "${srcdir:?}/tests/lib/limited.sh"
number=0 bad=0
export bad # the scripts exit with it

# grace RANKS: the seconds that Open MPI's mpirun waits for others when a rank has failed; it waits
# also where there are none, two of them.  To be exported as OMPI_MCA_odls_base_sigkill_timeout.
grace() { if test "$1" = 1; then echo 0; else echo 1; fi; }

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
