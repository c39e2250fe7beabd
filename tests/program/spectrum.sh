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
      check "spectrum $paths $arguments on $count: $folder" run "$count" spectrum --wisdom none --json $folder/out.json \
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
check 'all as numpy' spectra cases cases.txt
echo "1..$number"
exit $bad
