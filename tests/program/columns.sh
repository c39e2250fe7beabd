#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What commands print fits the columns of the window; what programs read stays as it is.
# Answers in TAP.
# shellcheck disable=SC2086,SC2317  # lists of options; functions that check calls
. "${srcdir:?run by make check}/tests/lib/program.sh"
COLUMNS=80
: "${PYTHON:?}"
cat >fits.py <<'END'
# fits.py COLUMNS FILE: no longer line, but by a single word
import sys

most, bad = int(sys.argv[1]), 0
for line in open(sys.argv[2], encoding="utf-8", errors="replace").read().splitlines():
    if len(line) > most and " " in line.strip():
        print(len(line), "columns:", line)
        bad = 1
sys.exit(bad)
END
# fits COLUMNS RANKS ARGUMENTS...
fits() {
  most=$1
  shift
  run "$@"
  status=$?
  cat err.txt
  test $status = 0 && test -s out.txt && "$PYTHON" fits.py "$most" out.txt
}

# ---- help ----
check 'pfft3d --help' fits 80 1 --help
names=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' out.txt)
check 'it lists commands' test "$(echo "$names" | wc -w)" -gt 15
for name in $names; do check "$name --help" fits 80 1 $name --help; done

# ---- reports ----
files=
if "$PYTHON" -c 'import h5py, numpy' 2>/dev/null && ! "$PFFT3D" info | grep -q '^hdf5 *no'; then files=yes; fi
if test -n "$files"; then
  "$PYTHON" - <<'END'
import h5py, numpy
r = numpy.random.default_rng(1)
for name in ("in", "with"):
    with h5py.File(name + ".h5", "w") as f: f["density"] = r.random((12, 10, 8))
END
fi
while read -r ranks words; do
  check "$words" fits 80 "$ranks" $words
done <<END
1 info
2 --grid 16
2 --grid 24x20x18 --exchange all --reps 2
2 --grid 16 --type r2c --keep 2/3 --verbose
3 --grid 8,12,16 --reps 2
2 --grid 16 --bricks 2x1x1
1 explain --grid 512 --ranks 64
1 explain --grid 512 --ranks 64 --exchange all
1 explain --grid 1024 --ranks 4096 --decomp pencil --order natural --type r2c
1 explain --grid 512,1024 --ranks 64
1 explain --grid 24 --ranks 6 --bricks 3x2x1
1 explain --size 2^24 --ranks 8
1 explain --map
1 explain --map --machine $srcdir/data/machines/dragonfly.machine
2 line --size 4096
2 line --size 2^10,2^11 --exchange all --reps 2
2 tune --grid 12 --plan-budget 1 --reps 2
2 tune --grid 8,10 --plan-budget 1 --reps 2
2 verify --grid 6x5x4 --engine simd
2 nas --class S
2 poisson --grid 16 --manufactured --bc dirichlet
2 turbulence --grid 12 --re 100 --time 0.1 --csv t.csv
1 kernels --sizes 2^8 --reps 2
END
if test -n "$files"; then
  while read -r ranks words; do
    check "$words" fits 80 "$ranks" $words
  done <<END
2 transform -i in.h5 -o out.h5
2 transform -i out.h5 -o back.h5 --direction backward
2 poisson -i in.h5 -o u.h5 --bc periodic
2 spectrum -i in.h5 --csv power.csv
2 filter -i in.h5 -o smooth.h5 --gaussian 2
2 convolve -i in.h5 --with with.h5 -o c.h5
2 compress -i in.h5 -o small.h5 --share 10%
2 compress --expand -i small.h5 -o large.h5
END
fi
check 'a report' run 2 --grid 16 --exchange packed --json a.json -q
check 'another one' run 2 --grid 16 --exchange slabs --json b.json -q
check 'compare' fits 80 1 compare a.json b.json

# ---- windows ----
COLUMNS=250
export COLUMNS
check 'a wide window' run 1 explain --grid 512 --ranks 64
long=$(cat out.txt)
check 'has long lines' test "$(awk 'length > 100' out.txt | wc -l)" -gt 0
COLUMNS=60
check 'a narrow window has short ones' run 1 explain --grid 512 --ranks 64
check 'but tables' test "$(awk 'length > 60' out.txt | grep -vc '^ *[0-9a-z]*  ')" = 0
check 'of the same words' test "$(tr -s ' \n' '  ' <out.txt)" = "$(echo "$long" | tr -s ' \n' '  ')"
unset COLUMNS
check 'a table for programs' run 1 explain --grid 512 --ranks 64 --csv -
check 'is not broken' "$PYTHON" -c 'import csv; rows = list(csv.reader(open("out.txt"))); assert len({len(r) for r in rows}) == 1 < len(rows)'
check 'a tree for programs' run 1 explain --grid 512 --ranks 64 --json -
check 'is neither' "$PYTHON" -c 'import json; json.load(open("out.txt"))'
cat >window.py <<'END'
# window.py COLUMNS COMMAND...: its output in a terminal of so many columns
import fcntl, os, pty, struct, sys, termios

process, end = pty.fork()
if not process:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
said = b""
try:
    while part := os.read(end, 4096): said += part
except OSError: pass # the other end is closed
os.waitpid(process, 0)
sys.stdout.write(said.decode().replace("\r\n", "\n"))
END
# in_window COLUMNS COMMAND...
in_window() {
  "$PYTHON" window.py "$@" >out.txt
}
check 'a terminal' in_window 120 "$PFFT3D" explain --grid 512 --ranks 64
check 'has its columns' "$PYTHON" fits.py 120 out.txt
check 'and uses them' test "$(awk 'length > 90' out.txt | wc -l)" -gt 0
mpirun=$(command -v "${MPIRUN%% *}") words=
case $MPIRUN in *' '*) words=${MPIRUN#* } ;; esac
check 'mpirun in a terminal' in_window 70 "$mpirun" $words -n 2 "$PFFT3D" --grid 16 --reps 2
check 'has its columns, too' "$PYTHON" fits.py 70 out.txt
check 'and the report' grep -q PASS out.txt
check 'a pipe' run 1 explain --grid 512 --ranks 64
check 'has the lines of a wide window' test "$(cat out.txt)" = "$long"

echo "1..$number"
exit $bad
