#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The bad command lines of tests/program/bad_lines.txt, each with its exit code and its one message.
. "${srcdir:?run by make check}/tests/lib/program.sh"
# shellcheck disable=SC2086  # a command with options
"${PYTHON:-/usr/bin/python3}" "$srcdir/tests/program/bad_lines.py" "$srcdir/tests/program/bad_lines.txt" "$PFFT3D" $MPIRUN &&
  echo '1..1'
