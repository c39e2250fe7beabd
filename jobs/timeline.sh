#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What overlap looks like: the timelines of exchanges packed, slabs and pencils, on two hosts that are
# network namespaces of this machine (tests/cluster), with a link of 4 Gb/s between them.
#
#   sh jobs/timeline.sh [FILE.svg]     timeline.svg; FILE.json for Perfetto
#
# PFFT3D is the program (build/pfft3d), RATE the link, GRID the size.  Root only, a minute; other work
# on the machine spoils the picture: a link is as fast as the core that serves it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
file=${1:-timeline.svg}
program=${PFFT3D:-$here/../build/pfft3d}
CLUSTER=$(mktemp -d)/cluster
export CLUSTER
cluster() { sh "$here/../tests/cluster/cluster.sh" "$@"; }
cleanup() {
  cluster down
  rm -rf "$(dirname "$CLUSTER")"
}
trap cleanup EXIT
trap 'exit 130' HUP INT TERM
cluster up -n 2 -s 1 -r "${RATE:-4gbit}" -o $$
cluster run -n 2 "$program" --grid "${GRID:-192}" --exchange packed,slabs,pencils --direction forward --reps 9 --warmup 2 \
  --wisdom none --no-verify --timeline "$file"
