# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Common settings of the SLURM scripts, read by each of them.  Adapt this one file to a cluster.

# Software.  Either modules (names differ from site to site) and a pfft3d built with them, or the
# packages of a Debian system:
# module purge
# module load openmpi fftw hdf5-parallel jansson

# The program: $PFFT3D, else the one built in the folder the job was submitted from, else $PATH.
root=${SLURM_SUBMIT_DIR:-.}
if test -z "${PFFT3D:-}"; then
  PFFT3D=$root/build/pfft3d
  test -x "$PFFT3D" || PFFT3D=pfft3d
fi

# Results: one folder per job.
results=${RESULTS:-$root/out/job-${SLURM_JOB_ID:-local}}
mkdir -p "$results" || exit 73

# One rank per core, one thread per rank.
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
export OMP_PLACES=cores OMP_PROC_BIND=close

# Open MPI, whichever way it is started.  Containers may forbid the copies between processes
# (CMA) that it makes by default inside a node: then uncomment the second line.
export OMPI_MCA_btl_base_warn_component_unused=0
# export OMPI_MCA_btl_vader_single_copy_mechanism=none
# File locking fails on some parallel file systems ("unable to lock file"):
# export HDF5_USE_FILE_LOCKING=FALSE

# The launcher.  srun where SLURM speaks PMIx, which Open MPI needs, else mpirun, which finds the
# nodes of the job by itself.  LAUNCH overrides, for example LAUNCH="mpirun -n 4 --oversubscribe".
if test -z "${LAUNCH:-}"; then
  if test -n "${SLURM_JOB_ID:-}" && srun --mpi=list 2>&1 | grep -q pmix; then
    LAUNCH='srun --mpi=pmix --cpu-bind=cores'
  else
    LAUNCH='mpirun --bind-to core --map-by core'
  fi
fi

# run ARGUMENTS: pfft3d on all ranks of the job; returns its exit status.  Two minutes before the
# time limit SLURM sends SIGUSR2 to this script (#SBATCH --signal=B:USR2@120); it is passed on, and
# all ranks leave with status 75 and without half-written files.  SIGUSR1 would not get through
# mpirun.
launcher=
trap 'interrupted=yes; test -z "$launcher" || kill -USR2 "$launcher"' USR2
run() {
  local status
  echo "$(date '+%F %T') $LAUNCH $PFFT3D $*"
  $LAUNCH "$PFFT3D" "$@" &
  launcher=$!
  # A trapped signal ends wait before the launcher has ended: then wait again.
  interrupted=yes
  while test -n "$interrupted"; do
    interrupted=
    wait "$launcher"
    status=$?
  done
  launcher=
  test $status = 0 || echo "pfft3d ended with status $status (75: stopped by a signal)" >&2
  return $status
}
