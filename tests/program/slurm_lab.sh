#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A real Slurm of one node, for as long as a test takes; tests source this file.  Everything that it
# is made of (key, configuration, state, sockets, logs) is in $lab, a temporary folder that the test
# makes: nothing of /etc or /var is used, and a Slurm of this machine is not disturbed.
#   lab_missing      says what keeps it from running here, nothing if all is there
#   lab_start CPUS   starts munged, slurmctld and slurmd; sbatch, squeue and the like then belong to it
#   lab_stop         ends what was started, jobs too; for every way out of a test, twice is harmless
#   lab_processes    processes of this Slurm, and of its jobs: none after lab_stop
# shellcheck shell=sh
: "${lab:?the folder of the lab}"
lab_pids=

lab_missing() {
  if test "$(id -u)" != 0; then
    echo 'not root: Slurm starts jobs for others'
    return
  fi
  PATH=$PATH:/usr/sbin:/sbin
  for command in munged slurmctld slurmd sbatch squeue scontrol scancel srun; do
    command -v $command >/dev/null && continue
    echo "no $command (Debian: slurmctld, slurmd, slurm-client, munge)"
    return
  done
  if ! test -d /proc/self; then echo 'no /proc'; fi
}

# Two neighbouring ports on which nobody listens, the first of them.
lab_port() {
  port=$((20000 + $$ % 8000))
  while grep -qiE "^ *[0-9]+: [0-9A-F]+:($(printf '%04X|%04X' $port $((port + 1)))) [0-9A-F]+:0000 0A" \
    /proc/net/tcp /proc/net/tcp6 2>/dev/null; do
    port=$((port + 2))
  done
  echo $port
}

# No limits of the machine count (linuxproc instead of cgroups, no affinity), and the node claims
# CPUs that it may not have: jobs are what is tested, not their speed.  Jobs share the node even if
# they ask for all of it (OverSubscribe=FORCE), so that they need not wait for each other.
lab_write_conf() {
  port=$(lab_port)
  host=$(uname -n | cut -d. -f1)
  cat >"$lab/slurm.conf" <<END
ClusterName=lab
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$lab/munge.socket
StateSaveLocation=$lab/state
SlurmdSpoolDir=$lab/spool
SlurmctldPidFile=$lab/slurmctld.pid
SlurmdPidFile=$lab/slurmd.pid
SlurmctldLogFile=$lab/slurmctld.log
SlurmdLogFile=$lab/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
TmpFS=$lab
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=1
MpiDefault=none
ReturnToService=2
KillWait=60
MinJobAge=3600
MailProg=/bin/true
SlurmdParameters=config_overrides
NodeName=node NodeHostname=$host NodeAddr=127.0.0.1 CPUs=$1 RealMemory=1000 State=UNKNOWN
PartitionName=lab Nodes=node Default=YES OverSubscribe=FORCE:4 MaxTime=INFINITE State=UP
END
}

# lab_until SECONDS COMMAND...: until the command succeeds; fails after SECONDS
lab_until() {
  left=$(($1 * 10))
  shift
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    if test $left -le 0; then return 1; fi
    sleep 0.1
  done
}
lab_idle() { test "$(sinfo -h -o %T)" = idle; }

# Daemons in the foreground of processes of their own, so that we know them by the ids we started.
lab_start() {
  mkdir -p "$lab/state" "$lab/spool" && chmod 700 "$lab/state" || return 1
  chmod 755 "$lab" # munged distrusts others
  (umask 077 && head -c 128 /dev/urandom >"$lab/munge.key")
  lab_write_conf "$1"
  SLURM_CONF=$lab/slurm.conf
  export SLURM_CONF
  munged --foreground --force --key-file="$lab/munge.key" --socket="$lab/munge.socket" \
    --pid-file="$lab/munge.pid" --log-file="$lab/munge.log" --seed-file="$lab/munge.seed" \
    >"$lab/munged.out" 2>&1 </dev/null &
  lab_pids=$!
  lab_until 20 test -S "$lab/munge.socket" || return 1
  slurmctld -D -i >"$lab/slurmctld.out" 2>&1 </dev/null &
  lab_pids="$! $lab_pids"
  slurmd -D -N node >"$lab/slurmd.out" 2>&1 </dev/null &
  lab_pids="$! $lab_pids"
  lab_until 30 lab_idle
}

# The daemons are children of the test, and not counted: it waits for them.  All others have
# $SLURM_CONF of this lab in their environment.
lab_processes() {
  for process in /proc/[0-9]*; do
    if tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -qxF "SLURM_CONF=$lab/slurm.conf" &&
      ! grep -q "^PPid:[[:space:]]*$$\$" "$process/status" 2>/dev/null; then
      echo "${process#/proc/}"
    fi
  done 2>/dev/null
}

lab_ended() { ! grep -q '^State:[[:space:]]*[^Z]' "/proc/$1/status"; }

# Quick, and without asking Slurm, whose daemons may have been ended by the signal that ends us.
lab_stop() {
  for pid in $lab_pids; do # slurmd first, munged last
    kill "$pid" 2>/dev/null
    lab_until 2 lab_ended "$pid" || kill -KILL "$pid"
    wait "$pid"
  done 2>/dev/null
  lab_pids=
  for _ in 1 2 3 4 5; do
    left=$(lab_processes)
    if test -z "$left"; then return; fi
    # shellcheck disable=SC2086  # a list
    kill -KILL $left 2>/dev/null
    sleep 0.2
  done
}
