#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Times of all strategies on simulated machines with 16, 64 and 256 ranks, and predictions of the
# cost model:  sh jobs/simulate.sh [--long] [DIRECTORY [PAGE]]   (simulated/)
#
# Needs SimGrid (Debian: libsimgrid-dev); pictures need gnuplot.  Leaves scaling.csv, scaling.md and
# a picture for each machine in DIRECTORY, and puts the tables into PAGE, doc/scaling.md if that is
# named; also steps.csv, steps.md and steps.png, for steps of turbulence on 4 to 256 ranks.  An
# interrupted run continues; results of another program, or of a machine with another
# description, are moved to *.csv.old and simulated again.  Some 30 minutes, and 14 GiB for
# 512^3 on 64 ranks of a cluster of 2006; --long: with all exchanges there, and with overlap on 256
# ranks, for hours.  Simulations are reproducible to the bit.
#
#   sh jobs/simulate.sh --timeline FILE.json|FILE.svg [MACHINE RANKS [ARGUMENTS]]
#
# One run, and its timeline in the time of the simulated machine, which recording does not change.
# MACHINE: a name of data/machines, or a file.  Default: three exchanges on 16 ranks of fattree.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../tests/smpi
long=
if test "${1-}" = --long; then long=--long && shift; fi
timeline=
if test "${1-}" = --timeline; then
  timeline=${2:?--timeline needs the name of a file} && shift 2
fi

program=$(sh "$tools/build.sh") || {
  status=$?
  echo "simulate.sh: $program" >&2
  if test $status = 77; then exit 69; fi
  exit $status
}
if test -n "$timeline"; then
  machine=${1:-fattree} ranks=${2:-16}
  shift $(($# < 2 ? $# : 2))
  test -f "$machine" || machine=$here/../data/machines/$machine.machine
  test $# != 0 || set -- --grid 128 --decomp slab --exchange packed,slabs,pencils --direction forward --reps 1 --warmup 0 --no-verify
  exec sh "$tools/run.sh" "$machine" "$ranks" "$program" "$@" --machine "$machine" --watchdog 0 --timeline "$timeline"
fi
out=${1:-simulated}
mkdir -p "$out"
python3 "$tools/scaling.py" "$program" "$out" $long
python3 "$tools/tables.py" "$out" ${2+"$2"}
python3 "$tools/steps.py" "$program" "$out" ${2+"$2"}
