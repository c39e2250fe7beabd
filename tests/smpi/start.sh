# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What tests on simulated machines share; they source it.  It builds the program once more, for the
# simulator, in a folder of its own; $program is that.
. "${srcdir:?run by make check}/tests/lib/program.sh"
tools=$srcdir/tests/smpi machines=$srcdir/data/machines
"${PYTHON:=python3}" -c "" 2>/dev/null || { echo '1..0 # SKIP no python3' && exit 0; }
program=$(sh "$tools/build.sh" "${builddir:?}/smpi" 2>build.txt)
case $? in
  0) ;;
  77) echo "1..0 # SKIP $program" && exit 0 ;;
  *)
    sed 's/^/# /' build.txt
    echo 'Bail out! the program cannot be built for SimGrid'
    exit 1
    ;;
esac

# simulate MACHINE RANKS ARGUMENTS...: the program; MACHINE is a name of data/machines, or a file
simulate() {
  file=$1
  test -f "$file" || file=$machines/$1.machine
  ranks=$2
  shift 2
  sh "$tools/run.sh" "$file" "$ranks" "$program" "$@" --machine "$file" --quiet --watchdog 0
}

# simulate_program MACHINE RANKS PROGRAM ARGUMENTS...: another one
simulate_program() {
  file=$machines/$1.machine
  shift
  sh "$tools/run.sh" "$file" "$@"
}

# near MACHINE: the times of three exchanges on 64 ranks are those of the model
near() {
  set -- "$1" --grid 64x64x512 --decomp slab --algo packed,slabs,node --engine simd
  on=$1
  shift
  simulate "$on" 64 bench "$@" --direction forward --reps 1 --warmup 0 --no-verify \
    --json near.json && simulate "$on" 1 explain "$@" --ranks 64 --json said.json &&
    "$PYTHON" "$tools/check.py" near near.json said.json 20
}
