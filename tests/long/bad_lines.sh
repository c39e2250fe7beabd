#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The bad command lines of tests/program/bad_lines.txt on several ranks, all of them: one message from all.
# Goes on where it was stopped.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
if ! test -x "${PFFT3D:?}"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
for ranks in 2 3; do
  # shellcheck disable=SC2086  # a command with options
  part "on $ranks ranks" env RANKS=$ranks \
    "${PYTHON:-/usr/bin/python3}" "$srcdir/tests/program/bad_lines.py" "$srcdir/tests/program/bad_lines.txt" "$PFFT3D" $MPIRUN
done
campaign_end
