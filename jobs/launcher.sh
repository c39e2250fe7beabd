#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a launcher of MPI needs, asked of itself: options and components differ between versions, so no
# other script spells them.
#   sh jobs/launcher.sh name MPIRUN                          openmpi, mpich (Intel's too) or other
#   sh jobs/launcher.sh options MPIRUN [many] [quiet]        its options, in one line
#   sh jobs/launcher.sh components MPIRUN FRAMEWORK NAME...  those that this Open MPI has: "sm,rdma"
# Options let root start ranks, and let ranks do without copies from each other's memory where system
# calls are filtered, as containers do; many: more ranks than cores; quiet: the launcher adds no words
# to those of a program that ends with an error (Open MPI 4 only; 5 cannot be told to).
# Other launchers than Open MPI's need none of these.
set -u
usage='usage: launcher.sh name|options|components MPIRUN ...'
what=${1:?$usage}
command=${2:?$usage}
shift 2
# MPIRUN may be a command with options.
set -f
# shellcheck disable=SC2086
launcher() { $command "$@"; }
root=
if test "$(id -u)" = 0; then root=--allow-run-as-root; fi

# Either launcher refuses what the other one needs to tell its version.
name() {
  # shellcheck disable=SC2086  # nothing, or an option
  case "$(launcher --version 2>&1) $(launcher $root --version 2>&1)" in
    *'Open MPI'* | *OpenRTE*) echo openmpi ;;
    *HYDRA* | *'Intel(R) MPI'*) echo mpich ;;
    *) echo other ;;
  esac
}

# components FRAMEWORK NAME...
components() {
  framework=$1 found=
  shift
  folder=$(dirname "$(command -v "${command%% *}" || echo .)")
  info=$folder/ompi_info
  test -x "$info" || info=ompi_info
  there=$($info --parsable 2>/dev/null | sed -n "s/^mca:$framework:\([a-z0-9_]*\):version:.*component.*/\1/p")
  for component in "$@"; do
    if echo "$there" | grep -qx "$component"; then found=${found:+$found,}$component; fi
  done
  echo "$found"
}

# options WISH...
# shellcheck disable=SC2086  # options are words
options() {
  words=$root
  for wish in "$@"; do
    case $wish in
      many) words="$words --oversubscribe" ;;
      quiet) if launcher $root -q --version >/dev/null 2>&1; then words="$words -q"; fi ;;
      *) echo "launcher.sh: unknown wish '$wish'" >&2 && exit 64 ;;
    esac
  done
  if ! grep -q '^Seccomp:[[:space:]]*0' /proc/self/status 2>/dev/null; then
    case $(components btl vader) in
      vader) words="$words --mca btl_vader_single_copy_mechanism none" ;;
      *) words="$words --mca smsc ^cma" ;;
    esac
  fi
  echo $words
}

case $what in
  name) name ;;
  options) if test "$(name)" = openmpi; then options "$@"; fi ;;
  components) components "$@" ;;
  *) echo "launcher.sh: $usage" >&2 && exit 64 ;;
esac
