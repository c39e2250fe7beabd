#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# spectrum, filter and convolve as a user types them, against numpy (fields.py); what is refused.  TAP.
# PFFT3D_TEST_ALL=1: all cases, on 1 to 6 ranks.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"
fields() { "$PYTHON" "$srcdir/tests/program/fields.py" "$@"; }
check 'files' fields make
all=${PFFT3D_TEST_ALL-}
ranks=1
next_ranks() { # 1 2 3 4 6 and from the start
  ranks=$((ranks == 4 ? 6 : ranks == 6 ? 1 : ranks + 1))
}
# each COMMAND ORACLE: for lines of stdin "PATHS ARGUMENTS"; those that start with + only in the long run
each() {
  command=$1 oracle=$2
  while read -r paths arguments; do
    case $paths in
      '+'*) test -n "$all" || continue; paths=${paths#+} ;;
    esac
    next_ranks
    for count in $ranks $(test -n "$all" && echo 1 2 3 4 6); do
      # shellcheck disable=SC2086  # several words
      one "$paths" "$count" $arguments
    done
  done
}
# one PATHS RANKS ARGUMENTS...: runs $command in a folder of its own; fields.py looks at it at the end, by $oracle
folder=0
one() {
  paths=$1 count=$2
  shift 2
  folder=$((folder + 1))
  mkdir $folder
  case $command in convolve) words=$(echo "$paths" | tr , ' ') ;; *) words=$paths ;; esac
  echo "$folder $oracle $words $*" >>cases.txt
  title="$command $paths $* on $count: $folder"
  set -- --wisdom none --plan-budget 0 --json $folder/out.json --csv $folder/out.csv "$@"
  case $command in
    filter) set -- -i "in.h5:/$paths" -o $folder/out.h5 "$@" ;;
    convolve) set -- -i "in.h5:/${paths%,*}" --with "in.h5:/${paths#*,}" -o $folder/out.h5 "$@" ;;
    spectrum) set -- -i "in.h5:/$(echo "$paths" | sed 's|,|,/|g')" "$@" ;;
  esac
  check "$title" run "$count" $command "$@"
}

each filter filtered <<'END'
volume --gaussian 1.3 --length 9,16,5
complex --derivative 1,0,2
volume --lowpass 0.3 --decomp pencil
+line --gaussian 2
+line --derivative 1
+line --derivative 3 --length 2
+plane --derivative 1,1
+plane --lowpass 0.2
+even --derivative 1,0,0
even --derivative 0,0,3 --decomp pencil --precision single
+even --derivative 1,1,1 --length 2
+even --derivative 2,0,1 --decomp pencil
+even --derivative 0,0,0
+even --derivative 4,0,0
+volume --derivative 1,0,0 --precision single
+volume --gaussian 1 --precision single
+volume --gaussian 0
plane --bandpass 2:5 --length 2,2
+volume --bandpass 0.1:0.35
+volume --bandpass 0:0
+volume --highpass 2.5 --length 1,1,2 --threads 2
+volume --highpass 0
+volume --lowpass 0
+complex --lowpass 0.3
+complex --derivative 0,1,0
+complex --gaussian 0.7 --precision single
+ints --derivative 0,1,0
+ints --lowpass 0.25
END
each convolve convolved <<'END'
volume,volume_2 --mode circular
volume,volume_b --origin centre
+volume,volume_b --origin centre --correlate
+complex,complex_b
+complex,complex_b --correlate
+plane,plane_b --origin centre
line,line_b --origin centre --correlate
volume,template --deconvolve --regularize 1e-3 --origin centre
+volume,volume_b --deconvolve --regularize 1e-2
+complex,complex_b --deconvolve --regularize 0.1 --precision single
+volume,volume_2 --mode circular --correlate
field,template --mode full --correlate
complex,complex_b --mode same
+complex,complex_b --mode same --correlate
+complex,complex_b --mode full --correlate --decomp pencil
+complex,complex_b --mode full
+complex,volume_b --mode full
+volume,complex_b --mode same --correlate
plane,plane_b --mode same --correlate
+plane,plane_b --mode full
+line,line_b --mode full
+line,line_b --mode same
+line_b,line --mode full --correlate
+line,line --correlate
volume,volume_b --mode full --precision single
+volume,volume_b --mode same --correlate --precision single
+complex,complex_b --mode full --correlate --precision single
+volume,long_b --mode full --decomp pencil
+volume,long_b --mode same
+complex,complex --mode circular
+complex,complex --mode circular --correlate
END
each spectrum spectrum <<'END'
volume --length 2,3,5
+volume
+volume --length 1 --window ngp
plane --bins log --window tsc
+plane --length 3,1
+line --length 2
+complex --length 6.283185307179586 --window cic
+complex --precision single
+volume --precision single --decomp pencil
+volume --bins log --length 9,8,100
u,v,w --decomp pencil --length 6.283185307179586
sheet --length 4,2,3
bar
+pole --bins log
+u,v,w --precision single
+complex,complex
+zero
+ints
END
each spectrum scaled <<'END'
tiny --length 1e65
vast --length 1e-70
END
each spectrum deposited <<'END'
positions,weights --deposit --grid 12x10x9 --length 2,3,4
positions,light --deposit --grid 6
positions,heavy --deposit --grid 6
+positions --deposit --grid 8
+positions --deposit --grid 8 --window none --decomp pencil
+positions --deposit --grid 16x3x5 --length 0.3 --precision single
+edges --deposit --grid 4
+flat --deposit --grid 12x16
+flat --deposit --grid 9x7 --length 0.5,1 --decomp pencil
END
# What is known without numpy: a wave, white noise, a field of given power, random particles
known() { # known ORACLE RANKS PATH ARGUMENTS...
  paths=$3 count=$2 command=spectrum
  echo "$((folder + 1)) $1" >>known.txt
  shift 3
  oracle=spectrum
  if test "$paths" = points; then oracle=deposited; fi
  one "$paths" "$count" "$@"
}
if command -v gnuplot >/dev/null && gnuplot -e 'set terminal pngcairo' 2>/dev/null; then picture='--png p.png'; fi
# shellcheck disable=SC2086  # an option and its value
known flat 3 noise --length 3 ${picture-}
known given_is 2 given --length 8,10,12
known noise_is 4 points --deposit --grid 36 --length 10
if test -n "$all"; then known wave 2 wave; fi
cat known.txt >>cases.txt
check 'all as numpy, and as is known' fields cases cases.txt
if test -n "${picture-}"; then
  check 'a picture is a PNG file' sh -c "head -c 4 p.png | grep -q PNG && ! ls | grep -q 'p.png.'"
  for field in zero point; do
    check "a picture without a power, of $field" run 2 spectrum -i in.h5:/$field --png $field.png --csv $field.csv
    check 'is one' sh -c "head -c 4 $field.png | grep -q PNG && head -1 $field.csv | grep -q k_mean"
  done
fi
failing_gnuplot run 2 spectrum -i in.h5:/line --png none.png --csv line.csv --json line.json
check 'a picture that fails' test $? = 74
check 'says why, once' sh -c 'test "$(grep -c error: err.txt)" = 1 && grep -q "gnuplot: no more" err.txt'
check 'comes after the report' sh -c 'test $(wc -l <line.csv) = 16 && grep -q "Parseval.*PASS" out.txt && grep -q parseval line.json'
check 'is not there' test ! -e none.png
check 'a field without modes' run 2 spectrum -i in.h5:/point --json point.json
check 'has no shell that is complete' grep -q '"k_complete": 0.0' point.json
# ---- what is refused ----
# A vector is convolved component by component: each with the bits that it has alone.
components() {
  run 3 convolve -i in.h5:/u,v,w --with in.h5:/volume_b --origin centre -o vector.h5 --json vector.json -q || return 1
  for name in u v w; do
    run 3 convolve -i in.h5:/$name --with in.h5:/volume_b --origin centre -o one_$name.h5 -q || return 1
  done
  "$PYTHON" -c 'import h5py, json, numpy as np
f, peak = h5py.File("vector.h5"), json.load(open("vector.json"))["runs"][0]["peak"]
assert list(f) == ["u", "v", "w"], list(f)
each = [f[name][...] for name in f]
assert all(np.array_equal(a, h5py.File("one_%s.h5" % name)[name]) for name, a in zip(f, each))
assert peak["component"] == np.argmax([abs(a).max() for a in each]) and peak["absolute"] == max(abs(a).max() for a in each)'
}
check 'a vector with one kernel' components
check 'a larger second field' fails 65 'cannot convolve.*: 4x3x2 and 9x8x10' convolve -i in.h5:/volume_b --with in.h5:/volume -o new.h5
check 'modes that are 0' fails 65 'has modes that are 0' convolve -i in.h5:/plane --with in.h5:/zero -o new.h5 --deconvolve
check 'an origin with --mode full' fails 64 'origin: with --mode circular only' \
  convolve -i in.h5:/volume --with in.h5:/volume_b -o new.h5 --mode full --origin centre
check 'two operations' fails 64 'one at a time' convolve -i in.h5:/volume --with in.h5:/volume_b -o new.h5 --deconvolve --correlate
cp in.h5 second.h5
check 'onto the second' fails 64 'that is the second input' convolve -i in.h5:/volume --with second.h5:/volume -o ./second.h5 -f
check 'which stays' cmp in.h5 second.h5
on=2
check 'a result beyond all numbers' fails 76 'the result has values that are not finite: 24 of them' \
  convolve -i in.h5:/huge --with in.h5:/huge -o new.h5
check 'NaN' fails 65 'in.h5:/nan.*not finite: 1 of them' filter -i in.h5:/nan -o new.h5 --lowpass 1
on=1
check 'derivatives beyond all numbers' fails 76 'the result has values that are not finite' \
  filter -i in.h5:/volume -o new.h5 --derivative 9,9,9 --length 1e-30
check 'powers below all numbers' fails 76 'powers of up to .*e-36.: double precision has numbers from' spectrum -i in.h5:/tiny
check 'energies beyond all numbers' fails 76 'powers of up to .*: double precision has numbers from' \
  spectrum -i in.h5:/vast,/vast --length 1e-70
check 'powers beyond all numbers' fails 76 'powers of up to .*: double precision has numbers from' spectrum -i in.h5:/vast
check 'lengths beyond all ratios' fails 64 'the ratio of the lengths, squared, is beyond double precision' \
  spectrum -i in.h5:/volume --length 1e-100,1e100,1 --bins log
deep=$(printf '%0200d/%0100d' 1 2)
mkdir -p "$deep"
check 'a long path' run 1 filter -i in.h5:/line -o "$deep/new.h5" --lowpass 1
check 'is there' test -s "$deep/new.h5"
if test -n "$all"; then
  check 'infinite' fails 65 'in.h5:/inf.*not finite: 12 of them' spectrum -i in.h5:/inf
  check 'too few orders' fails 64 'three axes, as 1,0,0' filter -i in.h5:/volume -o new.h5 --derivative 1,0
  check 'dimensions that differ' fails 65 '9x8x10 and 12x17' convolve -i in.h5:/volume --with in.h5:/plane -o new.h5 --mode full
  check 'NaN in the second' fails 65 'nan.*not finite' convolve -i in.h5:/line --with in.h5:/nan -o new.h5 --mode full
  check 'components of different shapes' fails 65 'shapes differ' spectrum -i in.h5:/u,/volume
  check 'no positions' fails 65 'expected real numbers, N x 3' spectrum -i in.h5:/volume --deposit --grid 8
  check 'positions on a plane' fails 65 'expected real numbers, N x 2' spectrum -i in.h5:/positions --deposit --grid 8x8
  check 'weights of others' fails 65 'no weights of 500 particles' spectrum -i in.h5:/flat,/weights --deposit --grid 8x8
  check 'lengths' fails 64 'expected one value, or 3' spectrum -i in.h5:/volume --length 1,2
  check 'endless shells' fails 64 'shells of one fundamental mode' spectrum -i in.h5:/volume --length 1,1,1e9
  check 'no such dataset' fails 65 'none' filter -i in.h5:/none -o new.h5 --lowpass 1
  check 'an output that exists' fails 73 'out.h5' filter -i in.h5:/line -o 1/out.h5 --lowpass 1
  # shellcheck disable=SC2086  # MPIRUN is a command with options
  check 'no gnuplot' sh -c "$MPIRUN -n 2 env PATH=/nowhere '$PFFT3D' spectrum -i in.h5:/line --png p2.png >out.txt 2>err.txt; test \$? = 69"
  check 'a hint says so' grep -q 'cannot draw pictures: gnuplot' err.txt
  check 'a picture in no folder' fails 73 'none/p.png' spectrum -i in.h5:/line --png none/p.png
  check 'a report instead of a picture' fails 64 'that is the picture' spectrum -i in.h5:/line --png p.png --csv p.png
fi
echo "1..$number"
exit $bad
