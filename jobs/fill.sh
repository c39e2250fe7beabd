#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The launcher of studies under SLURM, chosen by env.sh:  sh jobs/fill.sh LAUNCHER... -n RANKS PROGRAM...
# Ranks fill node after node.  srun by itself spreads few of them over all nodes of the job, which
# measures the network where it should measure a node.  SRUN_CPUS_PER_TASK in the environment, as
# study.sh sets it, is the number of threads of each rank; RANKS_PER_NODE leaves cores idle.
set -u
launcher=
while test "$1" != -n; do
  launcher="$launcher $1"
  shift
done
ranks=$2
threads=${SRUN_CPUS_PER_TASK:-1}
cores=$((${SLURM_TASKS_PER_NODE%%[!0-9]*} * ${SLURM_CPUS_PER_TASK:-1})) # of the job's ranks on a node
per_node=${RANKS_PER_NODE:-$((cores / threads))}
if test "$per_node" -lt 1; then per_node=1; fi
nodes=$(((ranks + per_node - 1) / per_node))
if test $nodes -gt "$SLURM_NNODES"; then nodes=$SLURM_NNODES; fi

unset SLURM_NTASKS_PER_NODE # that of the job
case $launcher in
  *srun*) launcher="$launcher --nodes=$nodes" ;;
  *) launcher="$launcher --map-by ppr:$per_node:node:PE=$threads" ;;
esac
# shellcheck disable=SC2086  # a command with options
exec $launcher "$@"
