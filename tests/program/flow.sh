# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs of turbulence, for the scripts that test it; they source it after lib/program.sh.

flow() { # flow RANKS ARGUMENTS...
  ranks=$1
  shift
  run "$ranks" turbulence --wisdom none "$@"
}
fails() { # fails STATUS WORDS RANKS ARGUMENTS...: with this status and one message
  want=$1 words=$2
  shift 2
  flow "$@"
  status=$?
  test "$status" = "$want" && test "$(grep -c 'error:' err.txt)" = 1 && grep -q -e "$words" err.txt
}
