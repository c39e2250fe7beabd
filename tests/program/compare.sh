#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pfft3d compare: reports that the program has written, and such whose truth is known because a
# script has made them up; and files that are no reports at all.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}"
# shellcheck disable=SC2086  # MPIRUN is a command with options
bench() { limited 120 $MPIRUN -n "$@" </dev/null >/dev/null || exit 1; }
bench 2 "$PFFT3D" --grid 16 --algo packed,pencils --reps 9 -q --json bench.json
bench 2 "$PFFT3D" --grid 16 --algo packed --reps 2 -q --chunk 1K --local messages --norm ortho --deterministic \
  --node-ranks 1 --json given.json
bench 1 "$PFFT3D" poisson --manufactured --grid 1x1x16 --reps 5 -q --json poisson.json
bench 3 "$PFFT3D" line --size 720 --algo packed --reps 6 -q --json line.json
bench 1 "$PFFT3D" explain --grid 16 -q --json explain.json
bench 1 "$PFFT3D" verify --grid 4 --algo packed -q --json verify.json
bench 1 "$PFFT3D" info -q --json info.json
"$PYTHON" "$srcdir/tests/program/compare.py"
