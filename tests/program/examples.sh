#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples of doc/examples/applications.md: a sea whose waves have the speeds of theory, materials
# with known conductivities, products that Python finds too.  TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"

# example RANKS NAME ARGUMENTS...
example() {
  ranks=$1 program=$2
  shift 2
  # shellcheck disable=SC2046  # a command with options, or nothing
  limited $limit $(launcher "$ranks") "$builddir/doc/examples/$program" "$@" >out.txt 2>err.txt </dev/null
}
fails() { # fails STATUS WORDS NAME ARGUMENTS...
  want=$1 words=$2
  shift 2
  example 1 "$@"
  test $? = "$want" && test "$(wc -l <err.txt)" = 1 && grep -q -e "$words" err.txt
}

# ---- the sea ----
check 'a sea on 3 ranks' example 3 ocean 40 3 heights.h5 jonswap 0.25
cp out.txt three.txt
check 'by another spectrum on 1' example 1 ocean 33 2 none phillips
check 'the same sea on 1' example 1 ocean 40 3 none jonswap 0.25
check 'has the same heights' sh -c 'test "$(head -n 1 out.txt)" = "$(head -n 1 three.txt)"'
check 'frames are counted' says '^3 frames of 40 x 40 on 1 ranks: .* frames/s'
cat >sea.py <<'END'
import h5py, numpy as np
h = h5py.File("heights.h5")["heights"][...]
assert h.shape == (3, 40, 40), h.shape
f = np.fft.fft2(h) / 1600
k = 2 * np.pi / 400 * np.fft.fftfreq(40, 1 / 40)
omega = np.sqrt(9.81 * np.hypot(k[:, None], k[None, :]))
with_wind = (k[None, :] > 0) & (np.abs(f[0]) > 1e-9)
assert with_wind.sum() > 300
turn = np.exp(-1j * omega * 0.25)  # times exp(ikx): with the wind
for t in range(2):
    assert np.abs(f[t + 1] - f[t] * turn)[with_wind].max() < 1e-13
variance = float(open("three.txt").read().split()[1])
assert abs(np.mean(h ** 2) - variance) < 1e-6 * 1.1, (np.mean(h ** 2), variance)
END
check 'every wave has the speed of its length' "$PYTHON" sea.py
check 'no such spectrum' fails 64 usage ocean 40 3 none storm

# ---- materials ----
check 'a laminate' example 2 homogenise laminate 16 1e4
check 'across' says 'across: 1.3332.*, error [0-9.]*e-1[0-9]'
check 'along' says 'along: 2500.75, exact 2500.75'
check 'a checkerboard' example 1 homogenise checkerboard 64 4
check 'nearly two' says '64^2, contrast 4: 2.00'
check 'by the basic scheme' example 1 homogenise checkerboard 32 4 basic
check 'of one material' example 1 homogenise checkerboard 32 1
check 'has that conductivity' says '32^2, contrast 1: 1, exact 1, error 0'
check 'too many steps' fails 76 'no solution in 20000 steps' homogenise checkerboard 32 1e7 basic
check 'no such material' fails 64 usage homogenise brick 32 4

# ---- products ----
cat >factors.py <<'END'
import h5py, numpy as np
rng = np.random.default_rng(1)
with h5py.File("f.h5", "w") as f:
    f["a"], f["b"] = rng.integers(0, 10000, 3001), rng.integers(0, 10000, 977)
    f["nines"], f["one"] = np.full(2000, 9999), np.array([1, 0, 7])
    f["p"], f["q"] = rng.integers(-999, 999, 301), rng.integers(-999, 999, 77)
    f["half"] = np.array([0.5, 1])
END
{ sed -n '/With Python:$/,/^[^ ]*[0-9]/s/^    //p' "$srcdir/doc/examples/applications.md"; cat; } >product.py <<'END'
import h5py, numpy as np
x, y, z = (h5py.File("f.h5")[sys.argv[1]][...], h5py.File("f.h5")[sys.argv[2]][...],
           h5py.File("z.h5")["product"][...])
if sys.argv[3:]:
    assert np.array_equal(np.convolve(x, y), z)
else:
    assert z.min() >= 0 and z.max() < 10000 and number(x) * number(y) == number(z)
    assert number(digits(number(z))) == number(z)
END
"$PYTHON" factors.py || exit 99
for case in 3:a:b 1:nines:nines 4:nines:one; do
  pair=${case#*:}
  check "the product $pair on ${case%%:*} ranks" example "${case%%:*}" multiply "f.h5:/${pair%:*}" "f.h5:/${pair#*:}" z.h5 10000
  check 'is that of Python' "$PYTHON" product.py "${pair%:*}" "${pair#*:}"
done
check 'polynomials' example 2 multiply f.h5:/p f.h5:/q z.h5
check 'as numpy' "$PYTHON" product.py p q polynomial
check 'no digit' fails 65 'a digit is not' multiply f.h5:/a f.h5:/b z.h5 100
check 'no whole coefficient' fails 65 'not whole' multiply f.h5:/p f.h5:/half z.h5

# ---- a filter ----
cat >lines.py <<'END'
import h5py, numpy as np
t = 2 * np.pi * np.arange(16) / 16
with h5py.File("l.h5", "w") as f:
    f["waves"] = 3 + np.sin(t) + 2 * np.cos(8 * t)
    f["peak"] = 1.0 * (np.arange(64) == 0)
END
"$PYTHON" lines.py || exit 99
check 'a mean and the highest frequency' example 2 filter l.h5:/waves o.h5 0.1
check 'have their amplitudes' sh -c 'test "$(sed -n 2,9p out.txt | tr -s " \n" " ")" = \
  " k = 0: amplitude 3.0000 k = 1: amplitude 1.0000 k = 8: amplitude 2.0000 "'
check 'more components than are listed' example 2 filter l.h5:/peak o.h5 0.1
check 'are counted' says '^  and 17 more$'
echo "1..$number"
exit $bad
