# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Common settings of the SLURM scripts, read by each of them.  Adapt this one file to a cluster.

# Two minutes before the time limit SLURM sends SIGUSR2 to the script (#SBATCH
# --signal=B:USR2@120); scancel and preemption send SIGTERM.  Either is passed on as SIGUSR2 (mpirun
# keeps SIGUSR1 for itself), all ranks leave with status 75 and without half-written files, and
# nothing else is started.
stopped=
attended=
trap 'stopped=yes interrupted=yes; test -z "$attended" || kill -USR2 "$attended"' USR2 TERM

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

# One rank per core, or --cpus-per-task cores and threads for each rank.
threads=${SLURM_CPUS_PER_TASK:-1}
export OMP_NUM_THREADS=$threads
# srun asks again what sbatch was told.
if test "$threads" -gt 1; then export SRUN_CPUS_PER_TASK=$threads; fi

# Open MPI, whichever way it is started.  Containers may forbid the copies between processes
# (CMA) that it makes by default inside a node: then uncomment the second line.
export OMPI_MCA_btl_base_warn_component_unused=0
# export OMPI_MCA_btl_vader_single_copy_mechanism=none # of Open MPI 5: smsc=^cma
# Inside a node rows of up to 512 complex numbers go through shared buffers; over TCP large messages go directly to
# their buffers (other networks ignore this).  pfft3d sets the same itself; here they are for other programs.
# No btl_tcp_links: with a second connection messages are lost now and then.  See "Overlap, MPI and TCP" in the manual.
# What is vader in Open MPI 4 is sm in Open MPI 5; neither minds the name of the other's.
export OMPI_MCA_btl_vader_eager_limit="${OMPI_MCA_btl_vader_eager_limit:-8320}" \
  OMPI_MCA_btl_sm_eager_limit="${OMPI_MCA_btl_sm_eager_limit:-8320}" \
  OMPI_MCA_btl_tcp_eager_limit="${OMPI_MCA_btl_tcp_eager_limit:-32768}" \
  OMPI_MCA_btl_tcp_rndv_eager_limit="${OMPI_MCA_btl_tcp_rndv_eager_limit:-4096}" \
  OMPI_MCA_btl_tcp_min_rdma_pipeline_size="${OMPI_MCA_btl_tcp_min_rdma_pipeline_size:-16384}" \
  OMPI_MCA_btl_tcp_rdma_pipeline_send_length="${OMPI_MCA_btl_tcp_rdma_pipeline_send_length:-4096}"
# Paths of more than 250 characters end a program otherwise.
export OMPI_MCA_sharedfp="${OMPI_MCA_sharedfp:-^lockedfile}"
# export OMPI_MCA_osc=pt2pt,sm # for --exchange rma over TCP
# File locking fails on some parallel file systems ("unable to lock file"):
# export HDF5_USE_FILE_LOCKING=FALSE

# The launcher.  srun where SLURM speaks PMIx, which Open MPI needs, else mpirun, which finds the
# nodes of the job by itself.  LAUNCH=srun or LAUNCH=mpirun takes this one of them; any other LAUNCH
# is taken as it is, for example LAUNCH="mpirun -n 4 --oversubscribe".  Studies, whose runs have
# fewer ranks than the job, get theirs from fill.sh.
if test -z "${LAUNCH:-}" && test -n "${SLURM_JOB_ID:-}"; then
  LAUNCH=mpirun
  if srun --mpi=list 2>&1 | grep -q pmix; then LAUNCH=srun; fi
fi
study_launch=${LAUNCH:-}
bound=yes # the launcher gives each rank cores of its own
case ${LAUNCH:-mpirun} in
  srun)
    # Without this plugin, as by default, Slurm ignores --cpu-bind.
    scontrol show config 2>/dev/null | grep -q '^TaskPlugin.*task/affinity' || bound=
    LAUNCH='srun --mpi=pmix --cpu-bind=cores'
    study_launch="sh '$root/jobs/fill.sh' $LAUNCH"
    ;;
  mpirun)
    LAUNCH='mpirun --bind-to core'
    if test -n "${SLURM_JOB_ID:-}"; then study_launch="sh '$root/jobs/fill.sh' $LAUNCH"; fi
    if test "$threads" -gt 1; then
      LAUNCH="$LAUNCH --map-by slot:PE=$threads"
    else
      LAUNCH="$LAUNCH --map-by core"
    fi
    ;;
  *) bound= ;;
esac
# Threads stay on the cores of their rank.  Where ranks have none of their own this would put all of
# them on the first core of the node, even with one thread each.
if test -n "$bound"; then export OMP_PLACES=cores OMP_PROC_BIND=close; fi

# attend COMMAND...: runs it, passes signals on to it, and returns its exit status.
attend() {
  local status
  if test -n "$stopped"; then return 75; fi
  "$@" &
  attended=$!
  if test -n "$stopped"; then kill -USR2 "$attended"; fi # it came between these two lines
  # A trapped signal ends wait before the command has ended: then wait again.
  interrupted=yes
  while test -n "$interrupted"; do
    interrupted=
    wait "$attended"
    status=$?
  done
  attended=
  # A launcher that is just starting, or that SLURM has ended too, has a status of its own.
  if test -n "$stopped" && { test $status = 1 || test $status -gt 128; }; then status=75; fi
  return $status
}

# run COMMAND [OPTIONS]: this command of pfft3d on all ranks of the job; returns its exit status.
run() {
  local command=$1 status
  shift
  set -- "$command" --threads "$threads" "$@"
  echo "$(date '+%F %T') $LAUNCH $PFFT3D $*"
  # shellcheck disable=SC2086  # a command with options
  attend $LAUNCH "$PFFT3D" "$@"
  status=$?
  case $status in
    0) ;;
    75) echo 'stopped by a signal, status 75' >&2 ;;
    *) echo "pfft3d $command ended with status $status" >&2 ;;
  esac
  return $status
}

# study OPTIONS: jobs/study.sh on the nodes of the job, with its results in $results.
study() {
  set -- sh "$root/jobs/study.sh" --out "$results" "$@"
  echo "$(date '+%F %T') $*"
  # Each run says how many threads it has.
  PFFT3D=$PFFT3D LAUNCH=$study_launch attend env -u SRUN_CPUS_PER_TASK "$@"
}

# powers: the numbers of ranks of a scaling study, 1,2,4,... up to all of the job's.
powers() {
  local ranks=1 all=${SLURM_NTASKS:-1} list=
  while test $ranks -lt "$all"; do
    list=$list$ranks,
    ranks=$((2 * ranks))
  done
  echo "$list$all"
}

# cores_per_node: number of cores that the job's ranks have on its first node.
cores_per_node() {
  local tasks=${SLURM_TASKS_PER_NODE:-1} # "16(x4)"
  echo $((${tasks%%[!0-9]*} * threads))
}

# is_pair WORD: succeeds for AxB, two numbers.
is_pair() { [[ $1 =~ ^[1-9][0-9]*x[1-9][0-9]*$ ]]; }
