#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# spectrum of particles, of several fields, with a line of sight, against numpy (spectrum.py); what is refused.  TAP.
# PFFT3D_TEST_ALL=1: all cases, on 1 to 6 ranks.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"
spectra() { "$PYTHON" "$srcdir/tests/program/spectrum.py" "$@"; }
check 'files' spectra make
all=${PFFT3D_TEST_ALL-}
ranks=1 folder=0
# each ORACLE: for lines of stdin "PATHS ARGUMENTS"; those that start with + only in the long run
each() {
  oracle=$1
  while read -r paths arguments; do
    case $paths in
      '+'*) test -n "$all" || continue; paths=${paths#+} ;;
    esac
    ranks=$((ranks == 4 ? 6 : ranks == 6 ? 1 : ranks + 1))
    for count in $ranks $(test -n "$all" && echo 1 2 3 4 6); do
      folder=$((folder + 1))
      mkdir $folder
      echo "$folder $oracle $paths $arguments" >>cases.txt
      case $paths in *.npy) input=$paths ;; *) input=in.h5:/$(echo "$paths" | sed 's|,|,/|g') ;; esac
      # shellcheck disable=SC2046,SC2086  # several words
      check "spectrum $paths $arguments on $count: $folder" run "$count" spectrum --errors --wisdom none --json $folder/out.json \
        --csv $folder/out.csv -i "$input" $(echo "$arguments" | sed "s|-o out|-o $folder/out|")
    done
  done
}
box='--grid 12x10x9 --length 2,3,4'
each measured <<END
x,w --deposit $box
x --deposit ngp $box --shot-noise subtract
x,w --deposit tsc $box --interlace --shot-noise subtract -o out.h5
x,w --deposit pcs $box --interlace --decomp pencil --shot-noise subtract --los 2
+x --deposit pcs $box --images flat --shot-noise subtract
x,w --deposit cic $box --interlace --images flat --shot-noise subtract --los 0 --wedges 3 --cylinder --correlation -o out.h5
+x --deposit ngp --interlace $box --shot-noise subtract
+x --deposit tsc --grid 7x5x6 --length 2,3,4 --los 1 --wedges 5 --bins log
x0,y0,z0,w --deposit tsc $box --outside drop
x,w,y,v --deposit tsc $box --shot-noise subtract --interlace --los 1 --correlation -o out.h5
+x.npy --deposit pcs $box --interlace
x,w --deposit pcs $box --fold 3 --interlace --shot-noise subtract
x --deposit $box --with in.h5:/a --los 0 --cylinder
flat --deposit tsc --grid 12x16 --interlace --shot-noise subtract --correlation
+flat --deposit pcs --grid 9x7 --length 0.5,1 --interlace --decomp pencil
+ints --deposit pcs --grid 4 --length 12
single --deposit tsc --grid 16x4x5 --interlace --precision single
edges --deposit pcs --grid 4 --interlace
+edges --deposit tsc --grid 8 --interlace --decomp pencil
one --deposit pcs --grid 4x5x6 --interlace --shot-noise subtract
a --with in.h5:/b
a,b --each --los 0 --wedges 2 --cylinder --correlation -o out.h5
+a,b,a --each --window tsc --correlation
a --correlation --length 2,2.5,3
+a --los 2 --correlation --bins log --cylinder
c --los 1 --wedges 4 --correlation
+c --with in.h5:/a
END
# What is known: random particles, fields and particles of given power, distortions along a line of sight.
each poisson <<'END'
random --deposit tsc --interlace --grid 24 --length 10 --shot-noise subtract
random --deposit cic --grid 20 --length 10 --shot-noise subtract
END
each lognormal <<'END'
lognormal --length 100
END
each drawn <<'END'
drawn --deposit pcs --interlace --grid 48 --length 100 --shot-noise subtract
drawn --deposit tsc --interlace --grid 64x56x60 --length 100 --shot-noise subtract
END
each kaiser <<'END'
kaiser --length 100 --los 2 --wedges 4
END
check 'all as numpy, and as is known' spectra cases cases.txt

# ---- what is refused, with nothing left ----
refuse() { # refuse STATUS WORDS ARGUMENTS...
  status=$1 words=$2
  shift 2
  check "refused: $*" fails "$status" "$words" spectrum --wisdom none -o new.h5 -i "$@"
}
refuse 65 'particles lie outside the box from 0 to its length' in.h5:/x --deposit --grid 8 --length 2,3,4 --outside error
on=3
refuse 65 'the weights of the particles sum to 0' in.h5:/x,/null --deposit tsc --grid 8 --interlace
on=1
refuse 65 'the weights of the particles sum to -' in.h5:/x,/minus --deposit --grid 8
refuse 65 'in.h5:/nan.*not finite' in.h5:/nan --deposit pcs --grid 8
refuse 65 'holds no positions on a grid of 3 dimensions: expected real numbers, N x 3' in.h5:/flat --deposit --grid 8
refuse 65 'holds no weights of 2500 particles' in.h5:/x,/v --deposit --grid 8
refuse 65 'holds no positions' in.h5:/x,/w,/v --deposit --grid 8
refuse 65 'holds no weights of 2500 particles' in.h5:/x --with in.h5:/x,/d --deposit --grid 7
refuse 65 'holds no positions' in.h5:/x --with in.h5:/d --deposit --grid 7
refuse 65 'holds no positions' in.h5:/x --with in.h5:/c --deposit --grid 12x10x9
refuse 65 'shapes differ' in.h5:/a --with in.h5:/d
refuse 64 'cross spectra are of single fields' in.h5:/a,/b --with in.h5:/a
refuse 64 'more than 8 fields' in.h5:/a,/b,/a,/b,/a,/b,/a,/b --each --with in.h5:/a
refuse 64 'a line of sight belongs to fields of three dimensions, not of 2' in.h5:/flat --los 1
refuse 64 'expected one value, or 3' in.h5:/x --deposit --grid 8 --length 1,2
check 'refused: a table in a file of numpy' fails 64 'an HDF5 file has room for them' spectrum -i in.h5:/a -o new.npy
check 'a file that exists' fails 73 'in.h5' spectrum -i x.npy --deposit --grid 8 -o in.h5
check 'is added to' run 2 spectrum -i in.h5:/x --deposit --grid 8 --length 2,3,4 -o in.h5:/of/x --into
check 'with all tables' "$PYTHON" -c 'import h5py; f = h5py.File("in.h5"); assert f["of/x/power/power"].shape == f["of/x/power/modes"].shape
assert list(f["of/x/length"]) == [2, 3, 4] and f["a"].shape == (12, 10, 9)'
for time in 1 2; do
  check 'particles' run 3 spectrum -i in.h5:/x,/w --deposit pcs --interlace --grid 16 --length 2,3,4 --los 2 --csv $time.csv -q
done
check 'have the same bits twice' cmp 1.csv 2.csv
check 'particles outside' run 2 spectrum -i in.h5:/x --deposit --grid 8
check 'are warned of' grep -q 'warning: .*of 2500 particles of .*lie outside the box (--length): they are wrapped around' err.txt
if command -v gnuplot >/dev/null && gnuplot -e 'set terminal pngcairo' 2>/dev/null; then
  check 'a picture' run 2 spectrum -i in.h5:/x,/w --deposit tsc --grid 24 --length 2,3,4 --los 2 --png p.png
  check 'is one' sh -c 'head -c 4 p.png | grep -q PNG'
fi
echo "1..$number"
exit $bad
