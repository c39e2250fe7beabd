#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What poisson adds to the plain equation: conditions of each end, values at walls.  Files against the
# stencils as numpy has them from their definition; orders of convergence; what is refused.  TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}" "${builddir:?run by make check}"

checks="$srcdir/tests/program/poisson_terms.py"
alone() { limited $limit "$PFFT3D" "$@" >out.txt 2>err.txt </dev/null; }
py() { "$PYTHON" "$checks" "$@"; }

# ---- exact solutions ----
for case in 2:64:dirichlet-neumann,neumann-dirichlet,dirichlet-neumann-node \
  3:1x1x64:neumann-dirichlet-node 4:64x50:periodic,dirichlet-neumann; do
  ranks=${case%%:*} rest=${case#*:}
  check "second order: $rest on $ranks ranks" run "$ranks" poisson --manufactured --reps 1 --grid "${rest%:*}" \
    --bc "${rest#*:}" --stencil second --json p.json
  check 'it is 2' py order p.json
done
check 'spectral, with mixed ends' run 3 poisson --manufactured --reps 1 --grid 48x32x40 \
  --bc neumann-dirichlet,dirichlet-neumann-node,neumann-dirichlet-node --length 1,2,0.5 --json p.json
check 'only rounding is left' py rounding p.json

check 'with lambda and coefficients' run 2 poisson --manufactured --reps 1 --grid 32x40x48 --lambda -7 --coefficients 1,2,3 \
  --bc periodic,dirichlet,neumann --json p.json
check 'the same' py rounding p.json
check 'with complex lambda' run 3 poisson --manufactured --reps 1 --grid 40x32 --lambda 90-4i --bc periodic,dirichlet-neumann --json p.json
check 'too' py rounding p.json
check 'with a wave' run 4 poisson --manufactured --reps 1 --grid 64 --lambda 30 --bc dirichlet-cell,neumann,periodic --stencil second --json p.json
check 'the order is 2' py order p.json

for case in 2:64:periodic,periodic,open 3:64x64:open,periodic 1:1x1x64:open 4:48x32x64:neumann,dirichlet,open; do
  ranks=${case%%:*} rest=${case#*:}
  check "open, spectral: $rest on $ranks ranks" run "$ranks" poisson --manufactured --reps 1 --grid "${rest%:*}" --bc "${rest#*:}" --json p.json
  check 'only rounding is left there' py rounded p.json
done
for case in '2:64 --bc dirichlet-cell,open,periodic --stencil second --lambda -3' '3:96x96x64 --bc open,open,periodic' \
  '4:64 --bc open --lambda -100' '2:128x128 --bc open' '1:96 --bc open,neumann,open --coefficients 1,2,1 --lambda -3'; do
  ranks=${case%%:*}
  # shellcheck disable=SC2086  # options and their values
  check "open: ${case#*:} on $ranks ranks" run "$ranks" poisson --manufactured --reps 1 --json p.json --grid ${case#*:}
  check 'the order is 2 there' py order p.json
done

# ---- files ----
if ! py packages 2>/dev/null; then
  PYTHON=/usr/bin/python3
fi
if ! py packages 2>/dev/null || ! built_with HDF5; then
  echo "ok $((number + 1)) - files # SKIP no HDF5 in this build, or no python3 with h5py"
  echo "1..$((number + 1))"
  exit $bad
fi
. "$srcdir/tests/lib/served.sh"
py make in.h5
# solved RANKS DATASET BC OPTIONS...: the stencil of each axis, applied to u, gives f
solved() {
  ranks=$1 path=$2 bc=$3
  shift 3
  check "$path, $bc $* on $ranks ranks" run "$ranks" poisson -i "in.h5:/$path" -o u.h5 --force --bc "$bc" --stencil second \
    --json p.json "$@"
  check 'solves the equation' py solved "$path" "$bc" "$@"
}
solved 1 line dirichlet-neumann --length 2 --wall-values 0low=1.5,0high=-2
solved 2 line neumann-dirichlet-node --wall-values 0low=-1e1,0high=.5
solved 3 plane dirichlet-cell,neumann --wall-values 0low=walls.h5:/p17,1high=2 --length 1,3
solved 4 volume dirichlet,neumann-node,dirichlet-neumann --wall-values \
  0low=walls.h5:/v10x9,0high=walls.h5:/v10x9,1low=walls.h5:/v7x9,1high=3,2low=walls.h5:/v7x10,2high=walls.h5:/v7x10 --length 1,2,3
solved 2 volume dirichlet-neumann-node,periodic,neumann-dirichlet --wall-values 0high=1,2high=walls.h5:/v7x10
solved 3 complex dirichlet,periodic,neumann --wall-values '0low=1-2i,2high=walls.h5:/c6x5'
solved 2 volume neumann --wall-values 0low=1,2high=walls.h5:/v7x10
check 'fluxes have a part in the mean that is dropped' grep -q 'the mean of the right-hand side is' err.txt
check 'the wall values are in the report' py report p.json wall_values 0low=1,2high=walls.h5:/v7x10
check 'and with the output' py attribute u.h5 volume wall_values 0low=1,2high=walls.h5:/v7x10
check 'in single precision' run 2 poisson -i in.h5:/volume -o u.h5 --force --bc dirichlet --stencil second --wall-values \
  0low=1,2high=walls.h5:/v7x10 --precision single
check 'to its rounding' py solved volume dirichlet --wall-values 0low=1,2high=walls.h5:/v7x10 --tolerance 1e-3

solved 2 volume periodic,dirichlet,neumann --lambda -3.5 --wall-values 2low=walls.h5:/v7x10
solved 3 plane neumann --lambda 40 --coefficients 2,0.5
solved 4 volume neumann,dirichlet-neumann,periodic --coefficients 1e-2,3,1 --length 2,1,1 --wall-values 0low=1,1high=-2,1low=3
solved 2 volume dirichlet,periodic,neumann --lambda 2+30i --wall-values 0high=2
check 'the equation is in the report' py report p.json equation 'laplacian(u) + (2+30i) u = f'
check 'with lambda as numbers' py report p.json lambda '[2.0, 30.0]'
check 'and with the output' py attribute u.h5 volume equation 'laplacian(u) + (2+30i) u = f'
solved 3 complex dirichlet-neumann-node,neumann,periodic --lambda -2i --coefficients 1,2,3
solved 1 line neumann-node --lambda 1e-3
check 'a mean is part of the solution then' sh -c '! grep -q warning err.txt'

# ---- open axes ----
# summed RANKS DATASET BC OPTIONS...: u is the sum over all charges
summed() {
  ranks=$1 path=$2 bc=$3
  shift 3
  check "$path, $bc $* on $ranks ranks" run "$ranks" poisson -i "in.h5:/$path" -o u.h5 --force --bc "$bc" "$@"
  check 'is the sum over all charges' py free "$path" "$bc" "$@"
}
summed 1 line open --stencil second --length 3
summed 2 volume periodic,periodic,open --stencil second --length 1,2,1.5
summed 3 volume open,periodic,periodic --stencil second --lambda -9
summed 4 complex periodic,open,periodic --stencil second
if "$PYTHON" -c 'import scipy' 2>/dev/null; then
  summed 2 volume periodic,open,open --stencil second --length 1,2,1.5
  summed 3 volume open,open,periodic --stencil second --lambda -20
  summed 4 complex open,periodic,open --stencil second --length 0.5,1,0.5
  summed 2 plane open --length 2,3
fi
py sheet
check 'a charged sheet' run 2 poisson -i sheet.h5 -o u.h5 --force --bc periodic,periodic,open
check 'has the potential of one in free space' py sheet

on=2
refused() { # STATUS WORDS ARGUMENTS...
  status=$1 words=$2
  shift 2
  check "$words" fails "$status" "$words" poisson -i in.h5:/volume -o new.h5 --stencil second "$@"
}
refused 65 "--wall-values 0low: 'walls.h5:/p17' has 17 values, the side 10 x 9" --bc dirichlet --wall-values 0low=walls.h5:/p17
refused 65 "--wall-values 1high: 'walls.h5:/v10x9' has 10 x 9 values, the side 7 x 9" --bc dirichlet --wall-values 1high=walls.h5:/v10x9
refused 65 "--wall-values: complex, and the solution is real" --bc dirichlet --wall-values 0low=2i
refused 66 'none.h5' --bc dirichlet --wall-values 0low=none.h5:/x
refused 64 '--wall-values 0low: axis 0 is periodic: there is no wall' --wall-values 0low=1
refused 64 '--wall-values 0low: with --stencil second only' --bc dirichlet --wall-values 0low=1 --stencil spectral
refused 64 '--lambda 9.7050.* the operator is singular: it is minus the eigenvalue of mode 1,0,0' --lambda 9.705050945562926 --bc neumann
check 'no wall at an open side' fails 64 '--wall-values 2high: axis 2 is open: there is no wall' poisson -i in.h5:/volume -o new.h5 \
  --bc open --wall-values 2high=1
check 'an axis too many' fails 64 '--wall-values 2low: the field has 2 dimensions' poisson -i in.h5:/plane -o new.h5 \
  --stencil second --bc dirichlet --wall-values 2low=1
echo "1..$number"
exit $bad
