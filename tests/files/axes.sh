#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# transform of arrays of one to eight dimensions along any axes, as numpy and scipy have them; COUNT and SEED in
# the environment are other ones.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"
. "$srcdir/tests/lib/served.sh"
if ! "$PYTHON" -c 'import scipy.fft' 2>/dev/null; then echo '1..0 # SKIP no scipy'; exit 0; fi
drawn() { "$PYTHON" "$srcdir/tests/files/axes.py" "$@"; }

drawn make "${COUNT:=40}" "${SEED:-1}" >jobs.txt
number_of_job=0 wrong=0
while read -r ranks words; do
  case $words in *single*) precision=single ;; *) precision=double ;; esac
  # shellcheck disable=SC2086  # several words
  run "$ranks" $words --quiet </dev/null &&
    { ! test -e "out.$number_of_job.h5" ||
      run "$ranks" transform -i "out.$number_of_job.h5" -o "back.$number_of_job.npy" --direction backward --quiet \
        --precision "$precision"; } && drawn check $number_of_job >>err.txt 2>&1 || {
    wrong=$((wrong + 1))
    echo "# $ranks $words"
    sed 's/^/# /' err.txt
  }
  number_of_job=$((number_of_job + 1))
done <jobs.txt
check "$COUNT arrays of up to eight dimensions" test "$wrong" = 0

# Four dimensions, all axes.
four() {
  run "$1" transform -i four.npy -o "four.$1.npy" --quiet && "$PYTHON" - "$1" <<'END'
import sys
import numpy as np
want, got = np.load("want.npy"), np.load(f"four.{sys.argv[1]}.npy")
assert np.linalg.norm(got - want) < 1e-15 * 5 * np.linalg.norm(want)
END
}
"$PYTHON" -c 'import numpy as np
a = np.random.default_rng(2).random((48, 48, 48, 48)).astype("c8"); np.save("four.npy", a)
np.save("want.npy", np.fft.fftn(a.astype("c16")))'
for n in 1 2 3 4 6; do
  check "48^4 on $n ranks" four $n
  rm -f "four.$n.npy"
done

# What is said, and what is refused.
"$PYTHON" -c 'import h5py, numpy as np
f = h5py.File("t.h5", "w")
f["u"] = np.random.default_rng(3).random((5, 4, 6, 8))
for k, name in enumerate(("time", "z", "y", "x")):
    f[name] = np.arange(f["u"].shape[k]) * 0.5
    f[name].make_scale(name)
    f["u"].dims[k].attach_scale(f[name])
f["nan"] = f["u"][()]
f["nan"][1] = f["nan"][1] + 10
f["nan"][1, 1, 1, 1] = f["nan"][3, 0, 0, 0] = np.nan'
scales() {
  run 2 transform -i t.h5:/u -o k.h5 --axes 1,-1 -q && "$PYTHON" - <<'END'
import h5py
import numpy as np
with h5py.File("k.h5") as f:
    names = [[*d.values()][0].name for d in f["u"].dims]
    assert names == ["/time", "/k_z", "/y", "/k_x"], names
    assert np.array_equal(f["time"], np.arange(5) * 0.5) and np.array_equal(f["y"], np.arange(6) * 0.5)
    assert np.array_equal(f["k_z"], [0, 1, -2, -1]) or np.array_equal(f["k_z"], [0, 1, 2, -1]), f["k_z"][()]
    assert np.array_equal(f["k_x"], range(5)), f["k_x"][()]
    assert f["u"].shape == (5, 4, 6, 5)
END
}
check 'dimensions keep their names, or are wave numbers' scales
filled() { # RANKS PART
  run "$1" transform -i "t.h5:/nan[$2]" -o f.npy --axes 1,2,3 --fill mean -f -q &&
    test "$(grep -c warning err.txt)" = 1 && "$PYTHON" -c 'import h5py, numpy as np, sys
a = h5py.File("t.h5")["nan"][()][eval("np.s_[%s]" % sys.argv[1])]
want = np.fft.rfftn(np.where(np.isnan(a), np.nanmean(a), a), axes=(1, 2, 3))
have = np.load("f.npy")
assert have.shape == want.shape and abs(have - want).max() < 1e-13 * abs(want).max(), abs(have - want).max()' "$2"
}
check 'missing values in a batch, with one warning' filled 3 :
check 'the mean is that of the whole input on any number of ranks' filled 6 :2
one_by_one() { # RANKS: with fewer fields than half of the ranks, all ranks transform one field after the other
  run "$1" transform -i 't.h5:/u[:2]' -o one.npy --axes 1,2,3 -f --json one.json -q && grep -q '"transforms": 2' one.json &&
    "$PYTHON" -c 'import h5py, numpy as np
want, have = np.fft.rfftn(h5py.File("t.h5")["u"][:2], axes=(1, 2, 3)), np.load("one.npy")
assert abs(have - want).max() < 1e-13 * abs(want).max()'
}
check 'one field after the other' one_by_one 6
reported() {
  run 2 transform -i 't.h5:/u[:2]' -o one.h5 --axes 2,3 --json one.json -q &&
    run 2 transform -i 't.h5:/u[:2]' -o two.h5 --axes 1,2,3 --json two.json -q &&
    grep -q '"problem": "r2c:d:2x4x6x8:none,none,dft,dft axes=2,3"' one.json && grep -q '"axes": "1,2,3"' two.json
}
check 'the report says which axes' reported
on=2
check 'an axis twice' fails 64 'axis 1 is transformed once' transform -i t.h5:/u -o new.h5 --axes 1,1
check 'an axis twice, counted from the end' fails 64 'axis 3 is transformed once' transform -i t.h5:/u -o new.h5 --axes 3,-1
check 'an axis that is not there' fails 64 'has 4 dimensions, 0 to 3' transform -i t.h5:/u -o new.h5 --axes 4
check 'no number' fails 64 'expected numbers of axes' transform -i t.h5:/u -o new.h5 --axes 1,b
check 'too many kinds' fails 64 'one for all axes, or 2' transform -i t.h5:/u -o new.h5 --axes 1,2 --kind dft,dct2,dct2
check 'an unknown kind' fails 64 'unknown' transform -i t.h5:/u -o new.h5 --axes 1,2 --kind dfx
check 'a grid' fails 64 'not with --axes' transform -i t.h5:/u -o new.h5 --axes 1,2 --grid 64
check 'kept modes' fails 64 'more than three dimensions' transform -i t.h5:/u -o new.h5 --keep 2/3
check 'NaN' fails 65 'not finite' transform -i t.h5:/nan -o new.npy --axes 1,2 --strict
check 'a filter takes three' fails 65 "select some of it, for example" filter -i t.h5:/u -o new.h5 --gaussian 2
echo "1..$number"
exit $bad
