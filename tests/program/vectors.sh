#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# filter on vector fields: curl, divergence, gradient, Helmholtz's decomposition, and other filters component by
# component, beside numpy; how components are named; what is refused.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"
. "$srcdir/tests/lib/served.sh"
vectors() { "$PYTHON" "$srcdir/tests/program/vectors.py" "$@"; }
check 'fields' vectors make

# is FUNCTION FIELD DATASETS RANKS OPTIONS...: the result, in $out, is that of the function
axes=0,1,2 out=o.h5
is() {
  function=$1 field=$2 datasets=$3 count=$4
  shift 4
  rm -f "$out"
  # shellcheck disable=SC2086  # names without blanks
  run "$count" filter -o "$out" "$@" -q && vectors check "$function" "$field" "$axes" "$out" $datasets
}
sides='--length 1,2,3' all=/u,/v,/w
for count in 1 2 3 4 6; do
  # shellcheck disable=SC2086  # options
  for field in real complex; do
    three="$field/u $field/v $field/w" in="-i v.h5:/$field/u,v,w $sides"
    check "curl of a $field field on $count" is curl $field "$three" $count $in --curl
    check "its divergence on $count" is divergence $field divergence $count $in --divergence
    check "its solenoidal part on $count" is solenoidal $field "$three" $count $in --helmholtz solenoidal
    check "its potential part on $count" is potential $field "$three" $count $in --helmholtz potential
    check "a gradient on $count" is gradient $field "$field/u_0 $field/u_1 $field/u_2" $count -i v.h5:/$field/u $sides --gradient
  done
done
in='-i v.h5:/real/u,v,w' three='real/u real/v real/w'
# shellcheck disable=SC2086  # options
{
  check 'a Gaussian of each component' is gaussian real "$three" 3 $in $sides --gaussian 0.1
  check 'in single precision' is curl real "$three" 2 $in $sides --curl --precision single
  check 'by pencils' is curl real "$three" 4 $in $sides --curl --decomp pencil --pgrid 2x2
  axes=2,1,0
  check 'components along the axes in reverse' is curl real "$three" 3 $in --length 1,2,3 --curl --along 2,1,0
  check 'and their divergence' is divergence real divergence 3 $in $sides --divergence --along 2,1,0
  axes=0,1,2
  check 'an exact solution' is vorticity exact 'exact/u exact/v exact/w' 3 -i v.h5:/exact/u,v,w --length 6.283185307179586 --curl
  check 'of which the divergence is none' is nothing exact divergence 2 -i v.h5:/exact/u,v,w --length 6.283185307179586 --divergence
}

# Names of components.
check 'paths of their own' is curl real "$three" 2 -i v.h5:/real/u,/real/v,/real/w $sides --curl
check 'selections' is curl real 'real_last_0 real_last_1 real_last_2' 2 \
  -i 'v.h5:/real_last[...,0],/real_last[:,:,:,1],/real_last[...,2]' $sides --curl
check 'one dataset, components first' is curl real 'a_0 a_1 a_2' 3 -i v.h5:/real_first --components first $sides --curl -o o.h5:/a
check 'components last, which is plain' is curl real 'real_last_0 real_last_1 real_last_2' 3 -i v.h5:/real_last $sides --curl
check 'and said' grep -q "taken as a vector: its last axis has 3 components" err.txt
check 'a .npy file' is solenoidal real 'data_0 data_1 data_2' 2 -i vl.npy $sides --helmholtz solenoidal
out=o.npy
check 'a divergence in a .npy file' is divergence real x 3 -i zyx.npy $sides --divergence
axes=0,1
check 'two dimensions: curl' is curl plane x 3 -i v.h5:/plane/u,v --length 1,2 --curl
check 'divergence' is divergence plane x 2 -i v.h5:/plane_last --components last --length 1,2 --divergence
out=o.h5
check 'and parts' is potential plane 'plane/u plane/v' 2 -i v.h5:/plane/u,v --length 1,2 --helmholtz potential

# Projections: twice is once, and the divergence of the solenoidal part is rounding.
twice() {
  rm -f once.h5
  # shellcheck disable=SC2086  # options
  run 2 filter -o once.h5 $in $sides --helmholtz solenoidal -q &&
    is solenoidal real "$three" 3 -i once.h5:/real/u,v,w $sides --helmholtz solenoidal
}
axes=0,1,2
check 'a projection twice' twice
check 'no divergence is left' is nothing real divergence 3 -i once.h5:/real/u,v,w $sides --divergence
check 'a spectrum of components in one dataset' run 2 spectrum -i v.h5:/real_last --components last --json last.json -q
check 'and in several' run 2 spectrum -i v.h5:/real/u,v,w --json list.json -q
same() { "$PYTHON" -c 'import json; a, b = (json.load(open(f))["table"]["rows"] for f in ("last.json", "list.json")); assert a == b and a'; }
check 'is the same' same
check 'energy of the parts' run 3 spectrum -i v.h5:/real/u,v,w --along 2,1,0 --length 1,2,3 --parts --json parts.json -q
parts() { "$PYTHON" -c 'import json, sys
r = json.load(open("parts.json"))
t = r["table"]
assert t["columns"] == ["k_mean", "power", "modes", "energy", "solenoidal", "compressive"], t["columns"]
rows = t["rows"]
assert all(abs(e - s - c) < 1e-12 * e and c >= 0 and s > -1e-12 * e for _, _, _, e, s, c in rows)
sums = [sum(row[k] for row in rows) for k in (3, 5)]
assert abs(r["runs"][0]["compressive"] - sums[1] / sums[0]) < 1e-12
print(sums[1])'; }
# The energy of the potential part by filter is that of the column.
agree() {
  rm -f o.h5
  run 2 filter -i v.h5:/real/u,v,w --along 2,1,0 --length 1,2,3 --helmholtz potential -o o.h5 -q && parts >sum.txt &&
    "$PYTHON" -c 'import h5py
f = h5py.File("o.h5")["real"]
energy = sum((f[c][...] ** 2).mean() for c in "uvw") / 2
assert abs(float(open("sum.txt").read()) - energy) < 1e-12 * energy'
}
check 'is that of the parts' agree
parts_of_two() {
  run 2 spectrum -i v.h5:/real/u,v --parts -q
  test $? = 65 && grep -q -- '--parts: 2 components of a field of 3 dimensions' err.txt
}
check 'parts of two components' parts_of_two
no_units() {
  "$PYTHON" -c 'import h5py
f = h5py.File("units.h5", "w")
for name in "uvw":
    f[name] = h5py.File("v.h5")["real"][name][...]
    f[name].attrs["units"] = "m/s"'
  rm -f o.h5
  run 2 filter -i units.h5:$all -o o.h5 --curl -q && run 2 filter -i units.h5:$all -o g.h5 --gaussian 1 -q &&
    "$PYTHON" -c 'import h5py
for file, units in (("o.h5", None), ("g.h5", "m/s")):
    for name in "uvw":
        a = h5py.File(file)[name].attrs
        assert a.get("units") == units and a["source"].decode().endswith("units.h5:/" + name), dict(a)'
}
check 'units are not those of a derivative' no_units

refused() { # STATUS WORDS OPTIONS...
  status=$1 words=$2
  shift 2
  fails "$status" "$words" filter "$@" -q
}
check 'curl of one field' refused 65 '--curl: 1 component of a field of 3 dimensions' -i v.h5:/real/u -o new.h5 --curl
check 'of two' refused 65 '2 components of a field of 3' -i v.h5:/real/u,v -o new.h5 --curl
check 'gradient of a vector' refused 65 'it takes one field' -i v.h5:/real/u,v,w -o new.h5 --gradient
check 'components of other shapes' refused 65 'their shapes differ' -i v.h5:/real/u,v,/exact/w -o new.h5 --curl
check 'four' refused 64 'more than 3 datasets' -i v.h5:/real/u,v,w,u -o new.h5 --gaussian 1
# joined OPTIONS...: a vector in a .npy file is the vector in an HDF5 file, components first, or last
joined() {
  rm -f new.npy new.h5
  run 3 filter "$@" -o new.npy -q && run 2 filter "$@" -o new.h5 -q && "$PYTHON" -c 'import h5py, numpy as np, sys
found = []
with h5py.File("new.h5") as f: f.visititems(lambda name, x: found.append(x[...]) if isinstance(x, h5py.Dataset) else None)
want = np.stack(found, -1 if "last" in sys.argv else 0)
have = np.load("new.npy")
assert have.shape == want.shape and np.allclose(have, want, rtol=0, atol=1e-13), (have.shape, want.shape)' "$@" &&
    rm -f new.npy new.h5
}
check 'a vector in a .npy file' joined -i v.h5:/real/u,v,w --curl
check 'with the components last' joined -i vl.npy $sides --gaussian 1 --components last
check 'of a plane' joined -i 'v.h5:/real/u[0],/real/v[0]' --helmholtz potential
check 'another axis of components' refused 65 'has not 2 or 3' -i v.h5:/real_first --components last -o new.h5 --curl
check 'two filters' refused 64 'one filter at a time' -i v.h5:/real/u,v,w -o new.h5 --curl --gaussian 1
for text in 0,0,1 0,1 0,1,3 '0,1,2,' 2 x; do
  check "--along $text" refused 64 'expected each axis of the field once' -i v.h5:/real/u,v,w -o new.h5 --curl --along $text
done
check 'a part that is none' refused 64 'valid: solenoidal, potential' -i v.h5:/real/u,v,w -o new.h5 --helmholtz rotational
check 'a missing component' refused 65 "no dataset '/real/x'" -i v.h5:/real/u,v,x -o new.h5 --curl
echo "1..$number"
exit $bad
