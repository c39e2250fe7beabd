#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A cluster of 2 to 4 hosts on one Linux machine, for tests of MPI programs on a network (root only):
# network namespaces h0, h1, ... joined by a switch, each with its own name, /etc/hosts, /dev/shm and
# System V memory, so that Open MPI takes them for different nodes.  Files, processes and cores are
# those of the machine.
#
#   cluster.sh able                    says why there can be no cluster here; else nothing, status 0
#   cluster.sh up [-n HOSTS] [-r RATE] [-s SLOTS] [-d DELAY] [-o PID]
#                                      2 hosts with 2 slots each; RATE as below; with -d frames are
#                                      DELAY microseconds on their way; with -o the cluster is taken
#                                      down when the process PID is no more, however that ended
#   cluster.sh run [MPIRUN OPTIONS] PROGRAM ...
#                                      mpirun on h0; ranks are shared out evenly among the hosts
#   cluster.sh on HOST COMMAND ...     as `ssh HOST COMMAND ...`
#   cluster.sh rate RATE               of each port in both directions: 100mbit to 40gbit, or none
#   cluster.sh bytes                   lines of HOST SENT RECEIVED, the bytes at its interface so far,
#                                      without the headers of Ethernet, IP and TCP
#   cluster.sh status                  hosts, rates, frames that were dropped, processes
#   cluster.sh down                    ends all processes of the cluster, and leaves nothing
#
# CLUSTER in the environment is the folder that stands for the cluster (/tmp/pfft3d-cluster): it must
# not exist before `up`, and nothing else on the machine has a name, so that clusters with different
# folders are independent.  Settings of Open MPI below are defaults: the environment (OMPI_MCA_*, PRTE_MCA_*) and
# options of mpirun come before them.
set -eu
PATH=$PATH:/usr/sbin:/sbin
CLUSTER=${CLUSTER:-/tmp/pfft3d-cluster}
export CLUSTER PATH
here=$(cd "$(dirname "$0")" && pwd)
self=$here/$(basename "$0")

# die WORDS [STATUS]
die() {
  echo "cluster: $1" >&2
  exit "${2:-69}"
}
usage() {
  sed -n '3,27s/^#\{1,\} \{0,1\}//p' "$self" >&2
  exit 64
}

# ---- names: $CLUSTER/NAME holds the process that keeps the namespaces of NAME, and their number ----
hosts() { cut -d' ' -f1 "$CLUSTER/hostfile" 2>/dev/null || :; }
names() { for name in $(hosts) switch; do if test -s "$CLUSTER/$name"; then echo "$name"; fi; done; }
keeper() { cut -d' ' -f1 "$CLUSTER/$1"; }
network() { stat -Lc %i "/proc/$1/ns/net" 2>/dev/null; }

# Whether the keeper is the one that was started, not a later process with its number.
kept() {
  read -r kept_pid kept_network 2>/dev/null <"$CLUSTER/$1" && test -n "$kept_network" &&
    test "$(network "$kept_pid")" = "$kept_network"
}
must_be_up() {
  test -e "$CLUSTER/up" || die "no cluster in $CLUSTER: sh $self up"
  for name in ${1:-$(hosts) switch}; do
    kept "$name" || die "no host '$name' in $CLUSTER, hosts are: $(hosts | tr '\n' ' ')"
  done
}
# Processes of a name, its keeper too.
processes() {
  find -L /proc/[0-9]*/ns/net -maxdepth 0 -inum "$(cut -d' ' -f2 "$CLUSTER/$1")" 2>/dev/null |
    cut -d/ -f3
}
# in_network NAME COMMAND...: with its interfaces, nothing else of it
in_network() {
  name=$1
  shift
  nsenter --net="/proc/$(keeper "$name")/ns/net" "$@"
}
# All namespaces of a host; the command keeps our process number, for signals.
enter() {
  host=$(keeper "$1")
  shift
  exec nsenter --target "$host" --net --uts --ipc --mount env -C "$PWD" "$@"
}

# ---- up and down ----
# The life of a keeper, inside namespaces that end with the last process in them.
keep() {
  echo "$$ $(network $$)" >"$CLUSTER/$1"
  ip link set lo up
  if test "$1" != switch; then
    echo "$1" >/proc/sys/kernel/hostname
    mount --bind "$CLUSTER/hosts" /etc/hosts
    mount -t tmpfs none /dev/shm
  fi
  mount -t sysfs none /sys
  : >"$CLUSTER/$1.ready"
  exec sleep infinity
}
# start NAME UNSHARE_OPTIONS...
start() {
  name=$1
  shift
  setsid unshare "$@" sh "$self" keep "$name" </dev/null >"$CLUSTER/$name.log" 2>&1 &
  until test -e "$CLUSTER/$name.ready"; do
    kill -0 $! 2>/dev/null || die "$name does not start: $(cat "$CLUSTER/$name.log")"
    sleep 0.02
  done
}
# attach HOST ADDRESS: its cable to the switch.  Without addresses that IPv6 makes up: nobody shall
# send a byte unless asked to.
attach() {
  in_network switch ip link add name "$1" type veth peer name eth0 netns "$(keeper "$1")"
  in_network switch ip link set "$1" addrgenmode none up
  in_network "$1" ip link set eth0 addrgenmode none up
  in_network "$1" ip address add "$2/24" dev eth0
}
# in_order NAME: one processor handles all frames that come to its devices.  Else those of a process that
# moves from one processor to another overtake each other, and TCP sends up to 3 % of them again.
in_order() {
  nsenter --target "$(keeper "$1")" --net --mount sh -c \
    'for queue in /sys/class/net/*/queues/rx-*/rps_cpus; do echo 1 >"$queue"; done'
}
# What joins the ports: the kernel's bridge, or for frames that are DELAY on their way our own.
join() {
  if test "$1" = 0; then
    in_network switch ip link add name bridge type bridge
    in_network switch ip link set bridge addrgenmode none up
    for host in $(hosts); do in_network switch ip link set "$host" master bridge; done
  else
    ${CC:-cc} -O2 -o "$CLUSTER/delay" "$here/delay.c" || die "no compiler for $here/delay.c"
    # shellcheck disable=SC2046  # a list
    in_network switch setsid "$CLUSTER/delay" "$1" $(hosts) \
      </dev/null >"$CLUSTER/delay.log" 2>&1 &
    sleep 0.1
    kill -0 $! 2>/dev/null || die "$(cat "$CLUSTER/delay.log")"
  fi
}
# The owner is watched for as long as this is still its cluster.
guard() {
  echo $$ >"$CLUSTER/guard"
  while test "$(cat "$CLUSTER/guard" 2>/dev/null)" = $$; do
    if ! kill -0 "$1" 2>/dev/null; then down; fi
    sleep 0.3
  done
}
up() {
  count=2 rate=none slots=2 delay=0 owner=
  while getopts n:r:s:d:o: option; do
    case $option in
      n) count=$OPTARG ;;
      r) rate=$OPTARG ;;
      s) slots=$OPTARG ;;
      d) delay=$OPTARG ;;
      o) owner=$OPTARG ;;
      *) usage ;;
    esac
  done
  case $count in [234]) ;; *) die "-n $count: 2 to 4 hosts" 64 ;; esac
  case $slots$delay in *[!0-9]*) die "-s $slots -d $delay: numbers" 64 ;; esac
  case $CLUSTER$self in *[[:space:]]*) die "Open MPI takes no blanks in paths: $CLUSTER, $self" ;; esac
  megabits "$rate" >/dev/null
  mkdir "$CLUSTER" 2>/dev/null || die "$CLUSTER is there already, or cannot be made: sh $self down"
  trap 'down' EXIT
  trap 'exit 130' HUP INT TERM

  if test -n "$owner"; then setsid sh "$self" guard "$owner" </dev/null >/dev/null 2>&1 & fi
  last=$((count - 1))
  echo '127.0.0.1 localhost' >"$CLUSTER/hosts"
  for i in $(seq 0 $last); do
    echo "10.0.0.$((i + 1)) h$i" >>"$CLUSTER/hosts"
    echo "h$i slots=$slots" >>"$CLUSTER/hostfile"
  done
  start switch --net --mount
  for i in $(seq 0 $last); do
    start "h$i" --net --uts --ipc --mount
    attach "h$i" "10.0.0.$((i + 1))"
  done
  join "$delay"
  for name in $(names); do in_order "$name"; done
  set_rate "$rate"
  : >"$CLUSTER/up"
  trap - EXIT
}

# Others first, and the keeper last: as long as it lives nobody else has the number of its namespace.
end() {
  kept "$1" || return 0
  last=$(keeper "$1")
  for _ in $(seq 100); do
    others=$(processes "$1" | grep -vx "$last") || break
    # shellcheck disable=SC2086  # a list
    kill -KILL $others 2>/dev/null || :
    sleep 0.02
  done
  kill -KILL "$last"
}
down() {
  test -d "$CLUSTER" || return 0
  test -e "$CLUSTER/hosts" || rmdir "$CLUSTER" 2>/dev/null || die "$CLUSTER is no cluster"
  for name in $(names); do end "$name"; done
  rm -rf "$CLUSTER"
}

# ---- rates ----
megabits() {
  case $1 in
    none) echo 0 && return ;;
    *[!0-9]*gbit | *[!0-9]*mbit) mega=0 ;;
    [1-9]*gbit) mega=$((${1%gbit} * 1000)) ;;
    [1-9]*mbit) mega=${1%mbit} ;;
    *) mega=0 ;;
  esac
  if test "$mega" -lt 100 || test "$mega" -gt 40000; then
    die "rate '$1': 100mbit to 40gbit, or none" 64
  fi
  echo "$mega"
}
# port NAME DEVICE MEGABITS: what leaves it.  The bucket holds 2 ms, and several of the 64 KiB that
# the kernel takes for one frame, else traffic in both directions gets half the rate.  The queue takes
# what all connections have on their way, so that none is ever dropped.
port() {
  if test "$3" = 0; then
    in_network "$1" tc qdisc delete dev "$2" root 2>/dev/null || :
    return 0
  fi
  burst=$(($3 * 270))
  if test $burst -lt 131072; then burst=131072; fi
  in_network "$1" tc qdisc replace dev "$2" root tbf rate "$3mbit" burst $burst limit 256mb
}
set_rate() {
  mega=$(megabits "$1")
  for host in $(hosts); do
    port "$host" eth0 "$mega"
    port switch "$host" "$mega"
  done
}

# ---- looking ----
# The headers are 14 + 20 + 32 bytes, with time stamps; how many frames there are depends on how busy the
# machine is.
bytes() {
  for host in $(hosts); do
    awk -v host="$host" '$1 == "eth0:" {print host, $10 - 66 * $11, $2 - 66 * $3}' \
      "/proc/$(keeper "$host")/net/dev"
  done
}
# queue NAME DEVICE: rate of what leaves it, and how much of it was dropped
queue() {
  in_network "$1" tc -s qdisc show dev "$2" | awk '
    $2 == "tbf" {for (i = 3; i < NF; i++) if ($i == "rate") rate = $(i + 1)}
    /dropped/ {sub(/.*dropped /, ""); dropped += $1}
    END {print (rate ? rate : "any rate") ", " dropped + 0 " dropped"}'
}
status() {
  for host in $(hosts); do
    echo "$host: sends at $(queue "$host" eth0); receives at $(queue switch "$host");" \
      "processes: $(processes "$host" | grep -vx "$(keeper "$host")" | tr '\n' ' ')"
  done
}

# ---- mpirun ----
preset() { if eval "test -z \"\${$1+set}\""; then export "$1=$2"; fi; }

# The ranks that mpirun is asked for; without a word of them it starts one on each slot.
asked() {
  slots=$(awk -F= '{n += $2} END {print n}' "$CLUSTER/hostfile")
  total=0
  while test $# -gt 1; do
    case $1 in
      -n | -np | -c | --n | --np) case $2 in *[!0-9]* | '') ;; *) total=$((total + $2)) ;; esac ;;
    esac
    shift
  done
  if test $total = 0; then total=$slots; fi
  echo "$total"
}
run() {
  launcher=${MPIRUN:-$(command -v mpirun.openmpi || echo mpirun)}
  # Open MPI 4
  preset OMPI_MCA_plm rsh
  preset OMPI_MCA_plm_rsh_agent "sh $self on"
  preset OMPI_MCA_orte_default_hostfile "$CLUSTER/hostfile"
  preset OMPI_MCA_orte_tmpdir_base "$CLUSTER" # what a killed mpirun leaves goes with the cluster
  preset OMPI_MCA_rmaps_base_mapping_policy node
  preset OMPI_MCA_rmaps_base_ranking_policy slot # neighbours in rank are on the same host
  preset OMPI_MCA_hwloc_base_binding_policy none
  preset OMPI_MCA_oob_tcp_if_include eth0
  # Open MPI 5
  preset PRTE_MCA_plm ssh
  preset PRTE_MCA_prte_ssh_agent "sh $self on"
  preset PRTE_MCA_prte_default_hostfile "$CLUSTER/hostfile"
  preset PRTE_MCA_prte_tmpdir_base "$CLUSTER"
  preset PRTE_MCA_rmaps_default_mapping_policy node
  preset PRTE_MCA_rmaps_default_ranking_policy slot
  preset PRTE_MCA_hwloc_default_binding_policy none
  preset PRTE_MCA_prte_if_include eth0
  preset OMPI_MCA_btl_tcp_if_include eth0
  preset OMPI_MCA_pml ob1
  # Memory inside a host, TCP between hosts; of Open MPI 4's windows only pt2pt's are over TCP.
  case $(sh "$here/../../jobs/launcher.sh" components "$launcher" btl vader) in
    vader) preset OMPI_MCA_btl tcp,vader,self && preset OMPI_MCA_osc pt2pt,sm ;;
    *) preset OMPI_MCA_btl tcp,sm,self && preset OMPI_MCA_osc rdma,sm ;;
  esac
  if test "$(asked "$@")" -gt "$(nproc)"; then preset OMPI_MCA_mpi_yield_when_idle 1; fi
  OMPI_ALLOW_RUN_AS_ROOT=1
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
  # shellcheck disable=SC2046,SC2086  # commands with options
  enter h0 $launcher $(sh "$here/../../jobs/launcher.sh" options "$launcher" quiet) "$@"
}

# What `up` does, for an instant, in namespaces of which nobody hears.
able() {
  test "$(id -u)" = 0 || die 'not root'
  for tool in ip tc unshare nsenter setsid; do
    command -v $tool >/dev/null || die "no $tool (Debian: iproute2, util-linux)"
  done
  refused=$(unshare --net --uts --ipc --mount sh -ec '
    echo probe >/proc/sys/kernel/hostname
    mount -t tmpfs none /dev/shm
    ip link add name veth0 type veth peer name veth1
    ip link add name bridge type bridge
    tc qdisc add dev veth0 root tbf rate 1gbit burst 256kb limit 1mb' 2>&1) ||
    die "namespaces, or what they need, are not permitted: $(echo "$refused" | tail -n 1)"
}

command=${1:-}
if test $# -gt 0; then shift; fi
case $command in
  able | up | down) "$command" "$@" ;;
  keep | guard) "$command" "$@" ;; # by ourselves only
  run)
    must_be_up
    run "$@"
    ;;
  on)
    test $# -gt 1 || usage
    must_be_up "$1"
    host=$1
    shift
    enter "$host" sh -c "$*"
    ;;
  rate)
    test $# = 1 || usage
    must_be_up
    set_rate "$1"
    ;;
  bytes | status)
    must_be_up
    "$command"
    ;;
  *) usage ;;
esac
