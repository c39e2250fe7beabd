#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What line --input and transform write of datasets of one dimension is what numpy computes: real
# and complex ones of all kinds of lengths, to half and whole spectra and back.  Answers in TAP.
set -u
: "${srcdir:?run by make check}"
command=line inputs=$srcdir/tests/lib/line_numpy.py
# shellcheck source=tests/lib/transform_run.sh
. "$srcdir/tests/lib/transform_run.sh"

# forward_and_backward RANKS LINE KIND N OPTIONS...: KIND r2c or c2c, as the file suggests
forward_and_backward() {
  ranks=$1 line=$2 kind=$3 n=$4
  shift 4
  case $kind in r2c) function=rfftn ;; *) function=fftn ;; esac
  case " $* " in *' single '*) letter=s ;; *) letter=d ;; esac
  to=$line-$number
  transform 0 '' "$ranks" "$line" "$to" "$@"
  transform 0 '' "$ranks" "$to" "$to-back" --direction backward "$@"
  is "$to" "$line" $function "$kind:$letter:$n"
  is "$to-back" "$line" same "$kind:$letter:$n"
}

# Lengths: shorter than there are ranks, odd, prime, smooth.  Both commands in turn.
for case in 1:105 2:2 2:1000 3:1 3:7 4:101; do
  ranks=${case%:*} n=${case#*:}
  case $((n % 2)) in
    0) command=line && precision='--precision double' ;;
    *) command=transform && precision='--precision single' ;;
  esac
  # shellcheck disable=SC2086  # options
  forward_and_backward $ranks real$n r2c $n $precision
done
command=line
for case in 2:101 4:1000; do forward_and_backward ${case%:*} complex${case#*:} c2c ${case#*:}; done
forward_and_backward 4 prime r2c 100003
forward_and_backward 3 long c2c 180000
forward_and_backward 3 zero r2c 30
command=transform
forward_and_backward 2 complex105 c2c 105 --precision single
forward_and_backward 4 complex1024 c2c 1024

# Every exchange; the numbers in the file do not depend on the layout, nor on the method.
command=line
for _ in $exchanges; do
  cell
  # shellcheck disable=SC2086  # options
  forward_and_backward 3 real105 r2c 105 $how
done
forward_and_backward 4 complex1024 c2c 1024 --method butterfly
forward_and_backward 3 complex105 c2c 105 --layout cyclic

# Cosine and sine transforms, of real and complex numbers; backward the file says which.
kinds() {
  ranks=$1 line=$2 kind=$3 problem=$4
  shift 4
  transform 0 '' "$ranks" "$line" "k-$kind" --kind "$kind" "$@"
  transform 0 '' "$ranks" "k-$kind" "k-$kind-back" --direction backward "$@"
  is "k-$kind" "$line" kinds "$problem:$kind"
  is "k-$kind-back" "$line" same "$problem:$kind"
}
kinds 3 real101 dct1 r2c:d:101
kinds 4 complex105 dct3 c2c:d:105
kinds 3 real101 r2hc r2c:d:101
command=transform
kinds 3 real7 dst1 r2c:d:7
kinds 2 complex101 dct4 c2c:s:101 --precision single
command=line

# Types and byte orders.
forward_and_backward 3 i2 r2c 125
forward_and_backward 2 u1 r2c 77
forward_and_backward 2 c8 c2c 50

# Whole spectra of real lines; spectra that do not say what they are of.
back='--direction backward'
# shellcheck disable=SC2086  # options
{
  transform 0 '' 3 real101 whole --type c2c
  is whole real101 fftn c2c:d:101
  transform 0 '' 3 half20 b1 $back --type r2c
  is b1 half20 irfftn r2c:d:20
  transform 0 '' 3 half21 b2 $back --type r2c --size 21
  is b2 half21 irfftn r2c:d:21
  transform 0 '' 2 half20 b3 $back
  is b3 half20 ifftn c2c:d:11
  transform 0 'not half the spectrum of a real field' 3 any b4 $back --type r2c
  is b4 any irfftn r2c:d:20
  transform 64 'size 22: does not fit the input, whose field is 20' 1 half20 none $back --type r2c --size 22
  transform 64 'leave out --size' 1 real101 none --size 100
  command=transform
  transform 0 '' 2 half21 b5 $back --type r2c --grid 21
  is b5 half21 irfftn r2c:d:21
  transform 0 '' 2 half21 b6 $back --type r2c --grid 1x21
  is b6 half21 irfftn r2c:d:21
  # cut like a field: one rank holds all of it
  transform 0 '' 2 real101 b7 --decomp slab
  is b7 real101 rfftn r2c:d:101
}
command=line
transform 65 'as a line: it has 2 dimensions' 2 plane none
transform 65 'type c2c' 3 complex101 none --type r2c
transform 64 'only one' 1 real101 none --algo all
transform 64 'only one' 1 real101 none --method all
transform 64 'a file is transformed once' 1 real101 none --reps 3
transform 64 'one way' 1 real101 none --direction both
transform 64 'natural order' 1 real101 none --order scrambled
finish
