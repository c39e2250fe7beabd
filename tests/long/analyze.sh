#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Static analysis of src/: gcc -fanalyzer, clang-tidy with its checks of MPI calls (.clang-tidy says
# which), cppcheck.  No finding is allowed.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
for tool in gcc clang-tidy cppcheck; do
  if reason=$(sh "$srcdir/tests/lib/analyze.sh" $tool /dev/null) || test $? != 77; then
    part "$tool" sh "$srcdir/tests/lib/analyze.sh" $tool
  else
    number=$((number + 1))
    echo "ok $number - $tool # SKIP $reason"
  fi
done
campaign_end
