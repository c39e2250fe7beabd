#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# poisson with points that are not equidistant along one axis: orders of convergence, files against
# flows between volumes as numpy has them, each axis, means, what is refused.  TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}" "${builddir:?run by make check}"

checks="$srcdir/tests/program/poisson_terms.py"
py() { "$PYTHON" "$checks" "$@"; }
if ! py packages 2>/dev/null; then
  PYTHON=/usr/bin/python3
fi
if ! py packages 2>/dev/null || ! built_with HDF5; then
  echo '1..0 # SKIP no HDF5 in this build, or no python3 with h5py'
  exit 0
fi
. "$srcdir/tests/lib/served.sh"
py make in.h5
py grids z.h5

# ---- orders: along each axis, all conditions, cells and nodes ----
for case in 2:64:periodic,periodic,dirichlet-neumann:2 1:64:neumann,periodic,periodic:0 3:64:periodic,dirichlet-cell,neumann:1 \
  4:64x63:periodic,dirichlet:2 2:1x1x65:neumann-node:0 3:64x64:neumann-dirichlet-node,periodic:0 \
  2:64x64x63:periodic,dirichlet-neumann,dirichlet:2; do
  ranks=${case%%:*} rest=${case#*:}
  grid=${rest%%:*} rest=${rest#*:}
  axis=${rest#*:}
  if test "$grid" = 64x63; then axis=1; fi
  check "order: $grid, ${rest%:*}, axis $axis on $ranks ranks" run "$ranks" poisson --manufactured --reps 1 --grid "$grid" \
    --bc "${rest%:*}" --coordinates z.h5:/tanh64 --stretched "$axis" --json p.json
  check 'it is 2' py order p.json
done
check 'with the stencil along the others, lambda and coefficients' run 2 poisson --manufactured --reps 1 --grid 64 --stencil second \
  --bc periodic,neumann,neumann-dirichlet --coordinates z.h5:/tanh64 --stretched 2 --lambda -3 --coefficients 1,2,0.5 --json p.json
check 'the order is 2, too' py order p.json
check 'the coordinates are in the report' py report p.json coordinates z.h5:/tanh64

# ---- files: residuals ----
# solved RANKS DATASET BC OPTIONS...: flows between volumes, and stencils along the other axes, give f
solved() {
  ranks=$1 path=$2 bc=$3
  shift 3
  check "$path, $bc $* on $ranks ranks" run "$ranks" poisson -i "in.h5:/$path" -o u.h5 --force --bc "$bc" --stencil second "$@"
  check 'solves the equation' py solved "$path" "$bc" "$@"
}
solved 1 line neumann-dirichlet --coordinates z.h5:/z31 --stretched 0
solved 3 line dirichlet-neumann --coordinates z.h5:/z31 --stretched 0 --lambda 3 --wall-values 0low=1,0high=2
solved 2 volume periodic,periodic,dirichlet-cell --coordinates z.h5:/z9 --stretched 2
solved 3 volume dirichlet-neumann,periodic,neumann --coordinates z.h5:/z7 --stretched 0
solved 4 volume dirichlet,dirichlet-cell,neumann --coordinates z.h5:/z10 --stretched 1 --wall-values 1high=3
solved 6 volume periodic,dirichlet,neumann --coordinates z.h5:/z9 --stretched 2 --wall-values 2low=2,1high=4 --coefficients 1,2,3
solved 3 plane dirichlet,neumann --coordinates z.h5:/z17 --stretched 1
solved 4 plane dirichlet,neumann --coordinates z.h5:/z13 --stretched 0
solved 3 complex periodic,neumann,neumann-node --coordinates z.h5:/z7 --stretched 2 --lambda -2i
solved 2 volume periodic,neumann,neumann --coordinates z.h5:/z9 --stretched 2 --lambda 50
# the singular case, by the mean
solved 2 volume periodic,neumann,neumann --coordinates z.h5:/z9 --stretched 2
check 'whose mean is named' grep -q 'the mean of the right-hand side is .*, not 0; it was dropped' err.txt
solved 3 volume neumann,neumann-node,periodic --coordinates z.h5:/z7 --stretched 0 --wall-values 0low=1
solved 4 complex neumann,neumann-node,neumann --coordinates z.h5:/z6 --stretched 0
check 'pencils' run 4 poisson -i in.h5:/volume -o u.h5 --force --stencil second --bc neumann,periodic,dirichlet --pgrid 2x2 \
  --coordinates z.h5:/z7
check 'leave axis 0 whole' py solved volume neumann,periodic,dirichlet --coordinates z.h5:/z7 --stretched 0
check 'threads and single precision' run 2 poisson -i in.h5:/volume -o u.h5 --force --stencil second --bc dirichlet,neumann,periodic \
  --coordinates z.h5:/z8 --threads 2 --precision single
check 'to its rounding' py solved volume dirichlet,neumann,periodic --coordinates z.h5:/z8 --stretched 0 --tolerance 1e-2
check 'the spectral stencil along the others' run 2 poisson -i in.h5:/volume -o u.h5 --force --bc periodic,periodic,dirichlet-neumann \
  --coordinates z.h5:/z9 --wall-values 2low=1
check 'the coordinates are with the output' py attribute u.h5 volume coordinates z.h5:/z9

on=2
refused() { # STATUS WORDS ARGUMENTS...
  status=$1 words=$2
  shift 2
  check "$words" fails "$status" "$words" poisson -i in.h5:/volume -o new.h5 "$@"
}
refused 65 'they do not ascend: number 3 is 1.5, after 2' --bc neumann --coordinates z.h5:/back
refused 65 "'z.h5:/z8' has 9 numbers in 1 dimension, axis 0 needs 8 in one: the faces of its cells" --bc neumann \
  --coordinates z.h5:/z8 --stretched 0
refused 65 'axis 2 needs 11 in one: its nodes from wall to wall' --bc dirichlet --coordinates z.h5:/z9 --stretched 2
refused 65 "'z.h5:/plane' has 8 numbers in 2 dimensions" --bc neumann --coordinates z.h5:/plane
refused 65 '--coordinates: 14 numbers are right for no axis with walls' --bc neumann --coordinates z.h5:/z13
refused 64 '--coordinates: axis 2 is periodic, not between walls' --coordinates z.h5:/z9 --stretched 2
refused 64 '--length and --coordinates: axis 0 is 7 long' --bc neumann --coordinates z.h5:/z7 --length 7,1,1
refused 64 'no rank has whole lines along axis 2' --bc neumann --coordinates z.h5:/z9 --decomp pencil --pgrid 1x2
refused 66 'none.h5' --bc neumann --coordinates none.h5:/z
on=1
check 'several axes' fails 64 '--coordinates: 65 numbers are right for several axes' poisson --manufactured --grid 64 --bc neumann \
  --coordinates z.h5:/tanh64
check 'an axis that is not there' fails 64 '--stretched 2: the field has 2 dimensions' poisson -i in.h5:/plane -o new.h5 --bc neumann \
  --coordinates z.h5:/z17 --stretched 2
echo "1..$number"
exit $bad
