#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Thousands of random cases, and the commands of the program, under valgrind's memcheck, which sees
# uses of memory that nobody has set.  Answers in TAP.
# SEED (4) in the environment: other random cases than those of the last time.
. "${srcdir:?run by make check-long}/tests/lib/campaign.sh"
if ! command -v valgrind >/dev/null; then echo '1..0 # SKIP no valgrind (Debian: valgrind)'; exit 0; fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 99
XDG_CACHE_HOME=$work
export XDG_CACHE_HOME
under() { sh "$srcdir/tests/sanitize/valgrind.sh" "$@"; }

part 'planted faults' under 2 1 "$srcdir/tests/sanitize/plant.sh" "$builddir"
for ranks in 1 3; do
  part "bench on $ranks ranks" under $ranks 1 "$PFFT3D" bench --grid 8x6x10 --algo all --reps 1 --json bench.json
  part "verify on $ranks ranks" under $ranks 1 "$PFFT3D" verify --grid 6x5x8
  part "line on $ranks ranks" under $ranks 1 "$PFFT3D" line --size 360 --reps 1
  part "explain on $ranks ranks" under $ranks 1 "$PFFT3D" explain --grid 64 --ranks 8
  part "info on $ranks ranks" under $ranks 1 "$PFFT3D" info
  part "tune on $ranks ranks" under $ranks 1 "$PFFT3D" tune --grid 8 --reps 1 --wisdom "$work/wisdom$ranks"
  part "a wrong word on $ranks ranks" env STATUS=64 \
    sh "$srcdir/tests/sanitize/valgrind.sh" $ranks 1 "$PFFT3D" bench --grid 0x
done
# Not on one: before each read memcheck looks at all that may be read, a minute for a whole image.
part 'transform on 3 ranks' under 3 1 "$PFFT3D" transform \
  --input "$srcdir/data/colin27.h5" --output "$work/out.h5"
flow='turbulence --dt 0.1 --wisdom none --force'
# Not kernels: it compares with long double, which is double here.
while read -r command; do
  # shellcheck disable=SC2086  # words
  part "$(echo "$command" | tr , ' ') on 3 ranks" under 3 1 "$PFFT3D" $command
done <<END
$flow --grid 8x6x10 --time 0.2 --output a.h5 --csv a.csv --spectra s.csv
$flow --restart a.h5 --time 0.3 --output b.h5 --csv a.csv
poisson --input a.h5:/u --output p.h5 --json p.json
poisson --input a.h5:/u --output p.h5 --bc dirichlet,neumann,periodic --stencil second --force
poisson --manufactured --grid 8 --bc dirichlet
filter --input a.h5:/u --output f.h5 --gaussian 1
convolve --input a.h5:/u --with a.h5:/v --output c.h5
spectrum --input a.h5:/u --csv c.csv
spectrum --input a.h5:/u,/v --each --los 1 --wedges 3 --cylinder --correlation --output s.h5 --force
compress --input a.h5:/u --output k.h5 --share 20%
compress --expand --input k.h5 --output e.h5
nas --class S --reps 1
END
for first in 0 250 500 750; do
  for ranks in 1 2 3 4; do
    for test in transform/test_random line/test_line_random; do
      part "$test seed ${SEED:-4} from $first on $ranks ranks" \
        under $ranks 250 "$builddir/tests/$test" "${SEED:-4}" $first 250
    done
  done
done
campaign_end
