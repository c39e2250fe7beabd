#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What transform writes is what numpy computes: real and complex fields of even and odd lengths, to
# half and whole spectra and back, in both precisions and decompositions, by every exchange and engine.
# Answers in TAP.
set -u
: "${srcdir:?run by make check}"
command=transform inputs=$srcdir/tests/lib/transform_numpy.py
# shellcheck source=tests/lib/transform_run.sh
. "$srcdir/tests/lib/transform_run.sh"

# forward_and_backward PRECISIONS RANKS FIELD EXTENTS OPTIONS...: with the type that the file suggests
forward_and_backward() {
  precisions=$1 ranks=$2 field=$3 extents=$4
  shift 4
  for p in $precisions; do
    to=$field-$number
    transform 0 '' "$ranks" "$field" "$to" --precision "$p" "$@"
    transform 0 '' "$ranks" "$to" "$to-back" --precision "$p" --direction backward "$@"
    letter=$(echo $p | cut -c 1)
    is "$to" "$field" rfftn "r2c:$letter:$extents"
    is "$to-back" "$field" same "r2c:$letter:$extents"
  done
}

first=double second=single
field=even extents=7x6x8
# Each place has one field in one precision, in turn; both precisions where all is to be tried.
if test -n "${PFFT3D_TEST_ALL-}"; then first='double single' second='single double'; fi
for place in '1' '3 --decomp slab' '4 --decomp slab' '3 --decomp pencil --pgrid 3x1' \
  '4 --decomp pencil --pgrid 2x2' '4 --decomp pencil --pgrid 1x3' '4 --decomp slab --cuts ceil' \
  '6 --decomp pencil --pgrid 1x4 --cuts ceil' '4 --bricks 1x2x2'; do
  # shellcheck disable=SC2086  # ranks and options, here and below
  set -- $place
  ranks=$1
  shift
  cell
  forward_and_backward "$first" "$ranks" "$field" $extents $how "$@"
  last=$first first=$second second=$last
  case $field in even) field=odd extents=5x7x9 ;; *) field=even extents=7x6x8 ;; esac

  cell
  transform 0 '' "$ranks" complex c$number $how "$@"
  is c$((number - 1)) complex fftn c2c:d:4x5x6
  transform 0 '' "$ranks" c$((number - 1)) c$number --direction backward $how "$@"
  is c$((number - 1)) complex same c2c:d:4x5x6
done

# Whole spectra of real fields; other numbers of axes; short ones; nothing but zeros.
transform 0 '' 3 odd whole --type c2c
is whole odd fftn c2c:d:5x7x9
forward_and_backward "$first" 3 plane 1x6x9
forward_and_backward "$second" 2 line 15
forward_and_backward "$second" 2 thin 3x4x1
forward_and_backward "$first" 2 zero 3x4x5

# Normalizations; the way back takes that of the spectrum, unless it is told another one.
for norm in ortho forward; do
  transform 0 '' 3 odd n-$norm --norm $norm
  is n-$norm odd rfftn/$norm r2c:d:5x7x9
  transform 0 '' 2 n-$norm n-$norm-back --direction backward
  is n-$norm-back odd same/$norm r2c:d:5x7x9
  transform 0 '' 3 complex m-$norm --norm $norm --precision single --decomp pencil
  is m-$norm complex fftn/$norm c2c:s:4x5x6
done
transform 0 "made with --norm ortho" 2 n-ortho n-other --direction backward --norm backward
is n-other n-ortho irfftn r2c:d:5x7x9

# Cosine and sine transforms, real and complex, with and without a dft; the way back knows them.
kinds() {
  field=$1 problem=$2 kinds=$3 to=k$number
  shift 3
  cell
  # shellcheck disable=SC2086  # options
  transform 0 '' 3 "$field" "$to" --kind "$kinds" $how "$@"
  is "$to" "$field" kinds "$problem:$kinds"
  transform 0 '' 2 "$to" "$to-back" --direction backward "$@"
  is "$to-back" "$field" same "$problem:$kinds"
}
kinds even r2c:d:7x6x8 dct2,dst1,dct4
kinds odd r2c:d:5x7x9 dst4,dct3,dst2 --decomp pencil
kinds even r2c:d:7x6x8 dct1,none,dft
kinds odd r2c:d:5x7x9 dst3,dft,dft --decomp pencil --pgrid 2x1
kinds complex c2c:d:4x5x6 dft,dct4,dst1
kinds complex c2c:d:4x5x6 hc2r,dht,r2hc
kinds odd r2c:d:5x7x9 dht,r2hc,hc2r --decomp pencil
kinds complex c2c:d:4x5x6 dct1,dct2,dct3 --decomp pencil
kinds plane r2c:d:1x6x9 dft,dst2,dct2
kinds even r2c:d:7x6x8 dft,dct2,dct2
kinds even r2c:d:7x6x8 dct4,dft,none --decomp pencil --pgrid 1x2
kinds odd r2c:d:5x7x9 dft,dft,dst1 --decomp pencil --pgrid 2x1
kinds odd r2c:d:5x7x9 dft,dst3,dct1 --decomp pencil --pgrid 1x2
transform 0 '' 3 even k-norm --kind dct2,dct2,dct2 --norm ortho
is k-norm even kinds/ortho r2c:d:7x6x8:dct2,dct2,dct2
transform 0 '' 3 plane k-two --kind dst2,dct2
is k-two plane kinds r2c:d:1x6x9:dft,dst2,dct2
transform 64 'unknown; valid are dft, none, dct1' 1 even k-bad --kind dct5
transform 64 "must be one for all axes, or 3" 1 even k-bad --kind dct2,dct2
transform 64 "a spectrum of 4 along axis 0" 1 half8 k-bad --direction backward --type r2c \
  --kind dft,dct2,dct2 --grid 5x5x5

# Kept modes: the spectrum is cut out of the whole one, the way back fills it up with zeros, and knows
# how far, or is told.  The other sign of the exponent.
keep() {
  field=$1 problem=$2 modes=$3 to=m$number
  shift 3
  cell
  # shellcheck disable=SC2086  # options
  transform 0 '' 3 "$field" "$to" --keep "$modes" $how "$@"
  is "$to" "$field" "$function" "$problem"
  transform 0 '' 2 "$to" "$to-back" --direction backward "$@"
  is "$to-back" "$to" pad "$problem"
}
function=rfftn
keep even r2c:d:7x6x8/5x4x6 5,4,6
keep odd r2c:d:5x7x9/3x4x6 2/3 --decomp pencil
keep plane r2c:d:1x6x9/1x5x7 5,7
keep plane r2c:d:1x6x9/1x4x6 1,4,6
keep line r2c:d:15/9 9
command=line
transform 65 'as a line: its spectrum lacks modes' 1 "$to" k-bad --direction backward
command=transform
transform 0 '' 3 odd m-kinds --keep 3,4,9 --kind dft,dft,none
is m-kinds odd kinds r2c:d:5x7x9/3x4x9:dft,dft,none
function=fftn
keep complex c2c:d:4x5x6/1x5x4 1,5,4
transform 0 '' 3 complex padded --direction backward --pad 7x6x9
is padded complex pad c2c:d:7x6x9/4x5x6
transform 0 '' 2 half8 wider --direction backward --type r2c --pad 6x5x11
is wider half8 pad r2c:d:6x5x11/4x5x9
transform 64 'smaller than the input, which has 5 modes along axis 1$' 1 complex k-bad --direction backward --pad 7x4x9
transform 64 'not with --direction forward' 1 complex k-bad --pad 7x6x9
transform 64 'not with --direction backward' 1 complex k-bad --keep 2/3 --direction backward
transform 64 '--keep 4,9,6: more than the 5 points along axis 1$' 1 complex k-bad --keep 4,9,6
transform 64 '--keep 9,7: more than the 6 points along axis 0$' 1 plane k-bad --keep 9,7
transform 64 '--keep 3,4,6: the input has 2 dimensions$' 1 plane k-bad --keep 3,4,6
for option in --keep=3,3 --kind=dct2,dft; do
  transform 64 'must be one for all axes, or 1$' 1 line k-bad "$option"
  transform 64 'must be one for all axes, or 1$' 1 line k-bad "$option" --decomp slab
done
transform 0 '' 3 complex plus --sign +1
is plus complex fftn c2c+:d:4x5x6
transform 0 '' 2 plus plus-back --direction backward
is plus-back complex same c2c+:d:4x5x6
# What a backward transform has left is a field, of which its attribute says nothing.
transform 0 '' 2 plus-back plus-again --direction backward
is plus-again plus-back ifftn c2c:d:4x5x6

# Spectra that do not say what they are of.
back='--direction backward'
# shellcheck disable=SC2086  # options
{
  transform 0 '' 3 half8 b1 $back --type r2c
  is b1 half8 irfftn r2c:d:4x5x8
  transform 0 '' 3 half9 b2 $back --type r2c --grid 4x5x9
  is b2 half9 irfftn r2c:d:4x5x9
  transform 0 '' 3 half8 b3 $back
  is b3 half8 ifftn c2c:d:4x5x5
  transform 64 'whose field is 4x5x8' 3 half8 b4 $back --type r2c --grid 4x5x10
  transform 64 'or 4x5x9' 1 half8 b4 $back --type r2c --grid 4x5x7
  for ranks in 1 4; do
    transform 0 'not half the spectrum of a real field' $ranks any b5-$ranks $back --type r2c
    is b5-$ranks any irfftn r2c:d:3x4x8
    transform 0 'not half the spectrum of a real field' $ranks any b6-$ranks $back --type r2c \
      --grid 3x4x9
    is b6-$ranks any irfftn r2c:d:3x4x9
  done

  # Fields of one and two dimensions with more modes.
  transform 0 '' 1 plane plane-half
  transform 0 '' 2 plane-half plane-wider $back --pad 8x11
  is plane-wider plane-half pad r2c:d:1x8x11/1x6x9
  transform 64 '--pad 4x4: smaller than the input, which has 6 modes along axis 0' 1 plane-half k-bad $back --pad 4
  transform 64 '--pad 4x8x8: the input has 2 dimensions' 1 plane-half k-bad $back --pad 4x8x8
  transform 64 'leave out --grid: --pad is the size' 1 plane-half k-bad $back --pad 12 --grid 10
  transform 64 '--grid 11x11: does not fit the input, whose field is 6x9' 1 plane-half k-bad $back --grid 11
  transform 0 '' 1 line line-half
  transform 0 '' 2 line-half line-wider $back --pad 20
  is line-wider line-half pad r2c:d:20/15
  transform 64 '--pad 9x9: the input has 1 dimension$' 1 line-half k-bad $back --pad 9x9

  # Attributes that are right, that contradict an option, and that are of another dataset.
  transform 0 '' 1 odd half
  transform 0 '' 3 half b7 $back --type c2c
  is b7 half ifftn c2c:d:5x7x5
  transform 64 "attribute 'problem'" 3 half b8 $back --grid 5x7x8
  transform 0 '' 3 half b8 $back --grid 5x7x9
  is b8 half irfftn r2c:d:5x7x9
  transform 0 'does not fit.*taken as 4x5x8' 3 stale b9 $back
  is b9 stale irfftn r2c:d:4x5x8
}
for ranks in 1 4; do
  transform 0 '' $ranks even v$ranks --verify-output --type c2c --precision single
  is v$ranks even fftn c2c:s:7x6x8
  transform 0 '' $ranks odd w$ranks --verify-output
  transform 0 '' $ranks w$ranks w$ranks-back --verify-output --direction backward
  is w$ranks-back odd same r2c:d:5x7x9
  lose=${builddir:?}/tests/faults/.libs/lose.so
  if test -f "$lose"; then
    under="env LD_PRELOAD=$lose${LD_PRELOAD:+:$LD_PRELOAD}"
    transform 0 '' $ranks even lost$ranks
    transform 74 "cannot write 'none.h5': what 1 rank wrote is not what is read" $ranks even none --verify-output
    under=
  fi
done
for ranks in 1 3; do
  transform 0 'warning: .*nan.h5:/data. has values that are not finite: 1 of them' $ranks nan n1
  transform 65 'error: .*nan.h5:/data. has values that are not finite: 1 of them' $ranks nan none --strict
done
# Where an axis is left alone, a line of one element is all that it spoils.
transform 0 'the result will have such values, too; --fill replaces them' 2 nan n4 --kind none,none,dct2
transform 0 'warning: .* not finite in single precision: 120 of them' 3 large n2 --precision single
transform 65 'error: .* not finite in single precision: 120 of them' 3 large none --precision single --strict
transform 0 '' 1 large n3 --strict
for how in --keep=2 --no-verify --strict; do
  transform 76 'the result has values that are not finite; the input has none' 2 huge none $how
done
# At both ends of the range: code|ranks|input|options|words
while IFS='|' read -r code ranks input options words; do
  out=none
  if test "$code" = 0; then out=$input-$ranks-end; fi
  # shellcheck disable=SC2086  # words
  transform "$code" "$words" "$ranks" "$input" "$out" $options
done <<END
76|1|huge||hint: sums are larger than the largest number
76|2|huge|--axes 0,1,2|hint: sums are larger than the largest number
76|1|narrow|--precision single|hint: --precision double
76|3|narrow|--precision single --norm forward|hint: --precision double
76|2|large|--wire single --exchange packed|hint: --wire double
0|2|narrow||
0|1|small||warning: values near or below 2.2e-308, the smallest normal number, have lost digits
0|3|small|--axes 0,2|warning: values near or below 2.2e-308
0|2|slight|--precision single|warning: values near or below 1.2e-38
0|1|slight||
76|2|least|--norm forward|warning: values near or below 2.2e-308
76|3|small|--wire single --exchange packed|warning: values near or below 1.2e-38
0|2|below||
END
76 huge : hint: sums are larger than the largest number
76 huge --direction backward --norm both : hint: sums are larger
76 huge --axes 0,1,2 : hint: sums are larger
76 narrow --precision single : hint: --precision double
76 narrow --precision single --norm forward : hint: --precision double
76 large --wire single --exchange packed : hint: --wire double
0 narrow : 
0 large :
0 small : warning: values near or below 2.2e-308, the smallest normal number, have lost digits
0 small --axes 0,2 : warning: values near or below 2.2e-308
0 slight --precision single : warning: values near or below 1.2e-38
0 slight :
76 least --norm forward : warning: values near or below 2.2e-308
76 small --wire single --exchange packed : warning: values near or below 1.2e-38
0 below :
END
transform 65 'type c2c' 3 complex none --type r2c
# A whole spectrum is half of one of other real numbers where that is asked for.
transform 0 '' 2 complex whole-c
transform 0 'not half the spectrum of a real field' 3 whole-c of-half --direction backward --type r2c
is of-half whole-c irfftn r2c:d:4x5x10
transform 0 'not half the spectrum of a real field' 2 whole-c of-odd --direction backward --type r2c --grid 4x5x11
is of-odd whole-c irfftn r2c:d:4x5x11
transform 64 'leave out --grid' 1 even none --grid 7x6x9

# Words of a file on a terminal, and attributes that are addresses in it.
plain() { ! tr -d '\n' <out.txt | LC_ALL=C grep -q '[^ -~]' && grep -q '?.31mdata??.* here' out.txt; }
has() { "$PYTHON" "$inputs" names "$1.h5" | tee said.txt | grep -q "$2"; }
for ranks in 1 3; do
  transform 0 '' $ranks named named-$ranks
  check "words of a file are printed as such on $ranks ranks" plain
  check 'its attributes come with it' has named-$ranks units
  check 'its axes are its own' has named-$ranks axes=t,u,v
  check 'but for addresses' eval "! has named-$ranks 'samples\|history'"
done
transform 0 '' 2 rich rich-out
check 'the first MiB of attributes' eval "has rich-out a16= && ! has rich-out a17="
finish
