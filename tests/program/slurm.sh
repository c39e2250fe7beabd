#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The batch scripts of jobs/ under a real Slurm of one node, submitted unchanged from a copy of the
# folder: each must end well and leave what its header promises; jobs that are stopped, by their time
# limit or by somebody, must say so with their exit code and leave no part of a file.  Answers in TAP.
set -u
: "${srcdir:?run by make check}" "${PFFT3D:?}" "${PYTHON:?}" "${MPIRUN:?}"
if ! test -x "$PFFT3D"; then echo '1..0 # SKIP no program in this build'; exit 0; fi
if ! $MPIRUN --version 2>/dev/null | grep -qE 'Open MPI|OpenRTE'; then
  echo '1..0 # SKIP not Open MPI, for which jobs/env.sh is made'
  exit 0
fi
# Job scripts start programs by the mpirun of the PATH, and one of them reads an HDF5 file.
if test "$(readlink -f "$(command -v mpirun)")" != "$(readlink -f "$(command -v "${MPIRUN%% *}")")"; then
  echo '1..0 # SKIP the mpirun of the PATH is not that of this build'
  exit 0
fi
if ! grep -q 'define PF_HAVE_HDF5 1' "${builddir:?}/config.h"; then echo '1..0 # SKIP a build without HDF5'; exit 0; fi
lab=$(mktemp -d) || exit 99
trap 'rm -rf "$lab"' EXIT
trap 'exit 130' HUP INT TERM
. "$srcdir/tests/program/slurm_lab.sh"
why=$(lab_missing)
"$PYTHON" -c '' 2>/dev/null || PYTHON=$(command -v python3) || why='no python3'
if test -n "$why"; then echo "1..0 # SKIP $why"; exit 0; fi
trap 'lab_stop; rm -rf "$lab"' EXIT

# As a user has it: the jobs beside a build, in the folder where sbatch is typed.  Jobs shall find
# the program by themselves.
tree=$lab/tree
mkdir -p "$tree/build" && cp -R "$srcdir/jobs" "$tree/" && ln -s "$srcdir/data" "$tree/data" &&
  ln -s "$PFFT3D" "$tree/build/pfft3d" && cd "$tree" || exit 99
PYTHONDONTWRITEBYTECODE=1
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PYTHONDONTWRITEBYTECODE OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
unset PFFT3D RESULTS LAUNCH
mpirun=mpirun # with the binding of env.sh, which takes a core for each rank
if test "$(nproc)" -lt 2; then mpirun='mpirun --bind-to none'; fi
# What is tested are the scripts: where a Slurm cannot run (a container may forbid it) there are no
# words about them.
if ! lab_start 4; then
  echo '1..0 # SKIP Slurm does not start here'
  tail -n 20 "$lab"/*.out "$lab"/*.log | sed 's/^/# /'
  exit 0
fi

number=0 bad=0
# check WORDS COMMAND...: one test; $log is shown when it fails
check() {
  number=$((number + 1))
  words=$1
  shift
  if "$@" >"$lab/check.txt" 2>&1; then
    echo "ok $number - $words"
  else
    bad=1
    echo "not ok $number - $words"
    cat "$lab/check.txt" "$log" 2>/dev/null | sed 's/^/# /'
  fi
}

# submit SBATCH_OPTIONS SCRIPT ARGUMENTS...: a job on the small node; its number is in $job
submit() {
  options=$1 script=$2
  shift 2
  # shellcheck disable=SC2086  # a list of options
  job=$(sbatch --parsable --nodes=1 --time=20 $options "jobs/$script" "$@")
  test -n "$job" || give_up "sbatch refused $script"
}
give_up() {
  echo "Bail out! $1"
  tail -n 20 "$lab"/*.out "$lab"/*.log | sed 's/^/# /'
  exit 99
}
# wait_for COMMAND...: for so long that Slurm must be broken
wait_for() { lab_until 200 "$@" || give_up "this never came: $*"; }
of_job() { scontrol --oneliner show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p"; }
is_over() { still=$(squeue -h -j "$1") && test -z "$still"; }
log_of() { of_job "$1" StdOut; }

# ended JOB STATE CODE
ended() {
  echo "$(of_job "$1" JobState) $(of_job "$1" ExitCode), should be $2 $3"
  test "$(of_job "$1" JobState) $(of_job "$1" ExitCode)" = "$2 $3"
}
# promised SCRIPT VALUE...: the names in its header, words of capitals replaced by each value
promised() {
  header=$(sed -n 's/^# Leaves in out\/job-ID: //p' "jobs/$1")
  shift
  for name in $header; do
    for value in "${@:-}"; do
      echo "$name" | sed "s/[A-Z][A-Z0-9]*\(x[A-Z][A-Z0-9]*\)*/$value/"
    done
  done | sort -u
}
# leaves JOB NAME...: at least one name, and all as they should be
leaves() {
  folder=out/job-$1
  shift
  test $# -gt 0 && "$PYTHON" "$srcdir/tests/program/slurm_reports.py" "$folder" "$@"
}
says() { grep -q -e "$1" "$log"; }

# Jobs that end well: a list of JOB SCRIPT VALUES, looked at when all of them are over.
: >"$lab/jobs"
expect() { echo "$job $script $*" >>"$lab/jobs"; }

# This one is first because it waits for its time limit, of which Slurm thinks twice a minute.
submit '--ntasks=1 --ntasks-per-node=1 --time=1 --signal=B:USR2@50' pfft3d-node.sbatch \
  --grid 128 --reps 100000
limited=$job

two='--ntasks=2 --ntasks-per-node=2'
submit "$two" pfft3d-node.sbatch --grid 24 --reps 2
expect
submit "$two" pfft3d-bench.sbatch --grid 24 --reps 2 --algo all
expect
submit "$two" pfft3d.sbatch data/colin27.h5 head.h5
transformed=$job
expect
submit "$two" compare.sbatch 16 20x24x18
expect 16 20x24x18
submit "$two" hybrid.sbatch --grids 24 --reps 2
hybrid=$job
expect
submit "$two" strong.sbatch --grids 24 --reps 2
expect
submit "$two" weak.sbatch --grids 16 --reps 2
expect
submit "$two" tune.sbatch --grid 16 --reps 2 --engine simd
tuned=$job
expect
submit "$two" nas.sbatch S --algo all
expect S
# The same, started by mpirun; threads; and a launcher of one's own.
LAUNCH=$mpirun submit "$two" compare.sbatch 16
expect 16
LAUNCH=$mpirun submit "$two" strong.sbatch --grids 16 --reps 2
expect
LAUNCH=$mpirun submit '--ntasks=1 --ntasks-per-node=1 --cpus-per-task=2' pfft3d-bench.sbatch \
  --grid 16 --reps 2
expect
submit '--ntasks=2 --ntasks-per-node=2 --cpus-per-task=2' pfft3d-node.sbatch --grid 16 --reps 2
threaded=$job
expect
LAUNCH='mpirun --bind-to none -n 1' submit "$two" pfft3d-node.sbatch --grid 16 --reps 2
expect

while read -r job script values; do
  wait_for is_over "$job"
  log=$(log_of "$job")
  check "$script $values ends well" ended "$job" COMPLETED 0:0
  # shellcheck disable=SC2046,SC2086  # lists of names
  check "$script $values leaves what it promises" leaves "$job" $(promised "$script" $values)
done <"$lab/jobs"
log=$(log_of "$tuned")
check 'tune.sbatch says what won' says '^fastest both: --.* --exchange [a-z]* --engine simd$'
check 'tune.sbatch keeps what won' grep -q '^problem=c2c:d:16x16x16 ranks=2 ' "out/job-$tuned/wisdom"
log=$(log_of "$hybrid")
check 'hybrid.sbatch has ranks' grep -q '^| 2 | 1 |' "out/job-$hybrid/tables.md"
check 'hybrid.sbatch has threads' grep -q '^| 1 | 2 |' "out/job-$hybrid/tables.md"
log=$(log_of "$threaded")
check '--cpus-per-task are threads' grep -q '"threads": 2,' "out/job-$threaded/bench.json"
log=$(log_of "$transformed")
check 'the spectrum is there' test -s head.h5
check 'nothing is left beside the spectrum' test -z "$(find . -maxdepth 1 -name '.*pfft3d-*')"
if srun --mpi=list 2>&1 | grep -q pmix; then
  check 'srun starts the ranks' says ' srun --mpi=pmix'
else
  skip 'srun starts the ranks' 'this Slurm has no PMIx'
fi

# Stopped while they run: a transform that takes a while and has reserved its output, a bench, a
# study.  Their folders must hold no part of a file, and the transform none beside its output.
LAUNCH=$mpirun submit "$two" pfft3d.sbatch data/colin27.h5 slow.h5 --engine naive
slow=$job
LAUNCH=$mpirun submit "$two" pfft3d-bench.sbatch --grid 128 --reps 100000
cancelled=$job
submit "$two" pfft3d-bench.sbatch --grid 128 --reps 100000
cancelled_srun=$job
submit "$two" strong.sbatch --grids 128 --reps 100000 --algos packed
studied=$job
reserved() { test -n "$(find . -maxdepth 1 -name '.slow.h5.pfft3d-*')"; }
either() { "$1" || is_over "$2"; }
wait_for either reserved "$slow"
log=$(log_of "$slow")
check 'a transform reserves its output' reserved
scancel --signal=USR2 --batch "$slow"
for job in "$cancelled" "$cancelled_srun"; do
  begun() { test -n "$(find "out/job-$job" -name '.bench.json.pfft3d-*')"; }
  wait_for either begun "$job"
done
sleep 1 # the report is open, the ranks are at work
scancel "$cancelled" "$cancelled_srun"
at_work() { ls -d out/job-"$studied"/.run-*; }
wait_for either at_work "$studied"
scancel --signal=USR2 --batch "$studied"

# stopped JOB STATE WORDS CODE
left_nothing() { test -z "$(find "out/job-$1" -mindepth 1 ! -name .lock)"; }
stopped() {
  wait_for is_over "$1"
  log=$(log_of "$1")
  check "$3: $2, exit code $4" ended "$1" "$2" "$4"
  check "$3: no copies of the message" test "$(grep -c '^pfft3d: error: ' "$log")" -le 1
  check "$3: nothing is left in its folder" left_nothing "$1"
}
stopped "$slow" FAILED 'a transform that gets USR2' 75:0
check 'no spectrum, and no part of one' test -z "$(find . -maxdepth 1 -name '*slow*')"
stopped "$cancelled" CANCELLED 'a bench that is cancelled' 75:0
stopped "$cancelled_srun" CANCELLED 'a bench under srun that is cancelled' 75:0
stopped "$studied" FAILED 'a study that gets USR2' 75:0
stopped "$limited" FAILED 'a bench at its time limit' 75:0

lab_stop
left=$(lab_processes)
check 'no process is left' test -z "$left"
echo "1..$number"
exit $bad
