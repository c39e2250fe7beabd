#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The model compared with published times of other libraries on a machine known from its data sheet, on one
# process, as a table and a plot:
#   sh jobs/published.sh --out DIR [--page doc/predictions.md]
# What it does is in predict/published.py; in the environment as for scaling.sh.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/python.sh"
run_python predict/published.py 'predictions take' "$@"
