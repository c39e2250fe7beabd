# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Steps of pfft3d turbulence and of peer_turbulence.py in turns, sourced by jobs/bench.sh after it has
# chosen how to start ranks:  [TURNS [SIZE ...]]   (7 turns, 64 128)
#
# Of each rule of dealiasing there are the same flow and time step in both, and their energies must
# agree.  STEPS (3) are timed in each turn; RULES are none, 2/3 and 3/2, WAYS slab and pencil.
: "${here:?}" "${OUT:?}" "${MPIRUN:?}" "${RANKS:?}" "${options?}"
STEPS=${STEPS:-3}
RULES=${RULES:-none 2/3 3/2}
WAYS=${WAYS:-slab pencil}
turns=${1:-7}
if test $# -gt 0; then shift; fi
if test $# = 0; then set -- 64 128; fi
for python in "${PYTHON:-/usr/bin/python3}" python3; do
  if "$python" -c 'import mpi4py_fft' 2>/dev/null; then break; fi
done
"$python" -c 'import mpi4py_fft' 2>/dev/null || {
  echo 'bench.sh: no Python with mpi4py-fft (Debian: python3-mpi4py-fft; or PYTHON=...)' >&2
  exit 69
}
dt=0.005
table=$OUT/turbulence.csv.new # until all turns are there: those of the last time are kept so long
echo 'size,rule,turn,who,step_s,fft_share,energy,load' >"$table"

# row SIZE RULE TURN WHO COMMAND...: what COMMAND prints, as a row of the table
row() {
  key=$1,$2,$3,$4
  load=$(cut -d ' ' -f 1 /proc/loadavg)
  shift 4
  figures=$("$@") || exit
  echo "$key,$(echo "$figures" | tr ' ' ,),$load" >>"$table"
}
# shellcheck disable=SC2086  # options are words
ours() {
  "$MPIRUN" $options -n "$RANKS" ./pfft3d turbulence --grid "$1" --dealias "$2" --re 1600 --dt $dt \
    --time "$(awk -v steps="$STEPS" -v dt=$dt 'BEGIN {print (steps + 1) * dt}')" --quiet --json "$OUT/turbulence.json" &&
    "$python" -c 'import json, sys
run = json.load(open(sys.argv[1]))["runs"][0]
print(run["time_s"]["median"], round(run["fft_share"], 3), run["energy"])' "$OUT/turbulence.json"
}
# shellcheck disable=SC2086
theirs() { "$MPIRUN" $options -n "$RANKS" "$python" "$here/bench/peer_turbulence.py" "$1" "$2" "$3" "$STEPS" $dt; }

turn=1
while test "$turn" -le "$turns"; do
  for size in "$@"; do
    for rule in $RULES; do
      row "$size" "$rule" "$turn" pfft3d ours "$size" "$rule"
      for way in $WAYS; do
        row "$size" "$rule" "$turn" "mpi4py-fft $way" theirs "$size" "$rule" "$way"
        if test "$rule" = 2/3; then row "$size" "$rule" "$turn" "mpi4py-fft mask $way" theirs "$size" mask "$way"; fi
      done
    done
  done
  turn=$((turn + 1))
done
mv "$table" "$OUT/turbulence.csv"
kept turbulence.txt "$python" "$here/bench/turbulence_table.py" "$OUT/turbulence.csv"
