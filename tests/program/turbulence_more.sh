#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# turbulence with forces, a scalar, in two dimensions, and its statistics: against numpy and exact
# solutions, on 1 to 6 ranks; budgets of energy and variance; restarts; what is refused.  TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}" "${builddir:?run by make check}"
if ! "$PYTHON" -c 'import h5py, numpy' 2>/dev/null; then PYTHON=/usr/bin/python3; fi
if ! "$PYTHON" -c 'import h5py, numpy' 2>/dev/null || ! built_with HDF5; then
  echo '1..0 # SKIP no HDF5 in this build, or no python3 with h5py'
  exit 0
fi
. "$srcdir/tests/lib/served.sh"

. "$srcdir/tests/program/flow.sh"
like_numpy() { # like_numpy ERROR ARGUMENTS of turbulence_numpy.py...: the last rows of c.csv and s.csv
  error=$1
  shift
  "$PYTHON" "$srcdir/tests/lib/turbulence_numpy.py" "$@" >numpy.txt &&
    "$PYTHON" - "$error" <<'END_OF_PYTHON'
import csv, sys
row = list(csv.DictReader(open("c.csv")))[-1] | list(csv.DictReader(open("s.csv")))[-1]
lines = [line.split() for line in open("numpy.txt")]
want = dict(zip(("energy", "enstrophy"), lines[0])) | dict(lines[1:])
assert set(want) >= {"integral_scale", "taylor_reynolds"} and ("scalar_flux" in want) == ("scalar_flux" in row), want
for name, value in want.items():
    assert abs(float(row[name]) - float(value)) <= float(sys.argv[1]) * max(abs(float(value)), 1e-3), (name, row[name], value)
END_OF_PYTHON
}

# ---- numpy ----
# From random fields, which have modes of all directions and a scalar.
check 'a random flow with a scalar' flow 2 --grid 10x12x14 --case decay --scalar random --seed 3 --nu 0.01 --dt 0.01 \
  --time 0.02 --output box.h5
check 'in two dimensions' flow 2 --grid 14x15 --case decay --scalar random --seed 3 --nu 0.01 --dt 0.01 --time 0.02 --output plane.h5
check 'with variance 1 and energy 1/2' "$PYTHON" -c '
import h5py
for name, count in (("box", 4), ("plane", 4)):
    f = h5py.File(name + ".h5")
    assert len([k for k in f if k != "spectrum"]) == count, list(f)
    assert abs((f["scalar"][...] ** 2).mean() - 1) < 2e-2 and abs(f["scalar"][...].mean()) < 1e-14
    u = sum((f[c][...] ** 2).mean() for c in "uvw" if c in f)
    assert abs(u / 2 - 0.5) < 1e-2, u'
number_of() { awk -v a="$1" 'BEGIN {print 0.02 + 0.02 * a}'; }
same() { # same RANKS SNAPSHOT GRID "OPTIONS" "ARGUMENTS OF NUMPY" OPTIONS...: 20 steps
  ranks=$1 from=$2 grid=$3 options=$4 arguments=$5
  shift 5
  # shellcheck disable=SC2086
  check "$from $options on $ranks ranks $*" flow "$ranks" --restart "$from" --nu 0.003 --dt 0.02 --time "$(number_of 20)" \
    --csv c.csv --statistics s.csv $options "$@"
  # shellcheck disable=SC2086
  check 'as numpy' like_numpy 1e-11 "$grid" 0.02 20 2/3 0.003 "$from" $arguments
  rm -f c.csv s.csv
}
linear='--forcing linear --forcing-rate 0.3 --schmidt 0.5 --scalar-gradient 1.5'
shells='--forcing shells --forcing-power 0.3 --forcing-shells 3 --schmidt 2'
for ranks in 1 2 3 4 6; do
  same $ranks box.h5 10x12x14 "$linear" 'linear=0.3 schmidt=0.5 gradient=1.5'
  same $ranks plane.h5 14x15 "$shells" 'shells=3 power=0.3 schmidt=2'
done
same 4 box.h5 10x12x14 "$shells" 'shells=3 power=0.3 schmidt=2' --pgrid 2x2
same 9 box.h5 10x12x14 "$linear" 'linear=0.3 schmidt=0.5 gradient=1.5' --pgrid 3x3 --exchange slabs
same 2 box.h5 10x12x14 "$linear" 'linear=0.3 schmidt=0.5 gradient=1.5 exact' --integrating-factor --threads 2
same 2 plane.h5 14x15 "$linear" 'linear=0.3 schmidt=0.5 gradient=1.5 exact' --integrating-factor --threads 2
same 10 plane.h5 14x15 "$linear" 'linear=0.3 schmidt=0.5 gradient=1.5'
same 4 plane.h5 14x15 "$shells" 'shells=3 power=0.3 schmidt=2' --pgrid 2x2
for case in '9x10x12 3/2' '9x10x12 none' '12x9 3/2' '12x9 none'; do
  # shellcheck disable=SC2086
  set -- $case
  check "$1, dealiasing $2" flow 3 --grid "$1" --dealias "$2" --nu 0.01 --dt 0.05 --time 1 --scalar wave --scalar-gradient 1 \
    --forcing shells --forcing-power 0.2 --csv c.csv --statistics s.csv
  # aliases of u.grad c and div(u c) differ
  if test "$2" = 3/2; then
    check 'as numpy' like_numpy 1e-11 "$1" 0.05 20 "$2" 0.01 scalar=cos gradient=1 shells=2 power=0.2
  else
    check 'of the flow as numpy' "$PYTHON" -c '
import csv, subprocess, sys
out = subprocess.run([sys.executable, *sys.argv[1:]], check=True, capture_output=True, text=True).stdout
energy = float(list(csv.DictReader(open("c.csv")))[-1]["energy"])
assert abs(energy / float(out.split()[0]) - 1) < 1e-11, (energy, out)' \
      "$srcdir/tests/lib/turbulence_numpy.py" "$1" 0.05 20 "$2" 0.01 shells=2 power=0.2
  fi
done
check 'single precision' flow 2 --restart box.h5 --nu 0.003 --dt 0.02 --time 0.42 --precision single --csv c.csv \
  --statistics s.csv --forcing shells --forcing-power 0.3
check 'as numpy' like_numpy 1e-5 10x12x14 0.02 20 2/3 0.003 box.h5 shells=2 power=0.3

# ---- exact solutions ----
check 'two dimensions, 6 ranks' flow 6 --grid 12x20 --nu 0.05 --dt 0.05 --time 1 --csv t.csv --integrating-factor
check 'Taylor-Green decays as exp(-2 nu t)' "$PYTHON" -c '
import csv, math
rows = list(csv.DictReader(open("t.csv")))
assert len(rows) == 21
for r in rows:
    want = 0.25 * math.exp(-4 * 0.05 * float(r["t"]))
    assert abs(float(r["energy"]) / want - 1) < 1e-13 and abs(float(r["enstrophy"]) / want / 2 - 1) < 1e-13, r'
"$PYTHON" - <<'END_OF_PYTHON'
import h5py, shutil
for name in ("rest", "wind", "shear"):
    shutil.copy("box.h5", name + ".h5")
    with h5py.File(name + ".h5", "r+") as f:
        for s in f["spectrum"].values():
            s[...] = 0
        if name == "wind":  # u = 1, c = cos x + sin z
            f["spectrum/u"][0, 0, 0] = 1
        if name != "shear":
            f["spectrum/scalar"][1, 0, 0] = f["spectrum/scalar"][-1, 0, 0] = 0.5
            f["spectrum/scalar"][0, 0, 1] = -0.5j
        else:  # u = sin y
            f["spectrum/u"][0, 1, 0], f["spectrum/u"][0, -1, 0] = -0.5j, 0.5j
END_OF_PYTHON
check 'diffusion' flow 3 --restart rest.h5 --nu 0.1 --schmidt 0.4 --dt 0.1 --time 1.02 --integrating-factor --statistics d.csv
check 'of two waves is exact' "$PYTHON" -c '
import csv, math
for r in csv.DictReader(open("d.csv")):
    want = math.exp(-2 * 0.25 * (float(r["t"]) - 0.02))
    assert abs(float(r["scalar_variance"]) / want - 1) < 1e-13, r
    assert abs(float(r["scalar_dissipation"]) / (2 * 0.25 * want) - 1) < 1e-13 and float(r["scalar_flux"]) == 0, r'
check 'a uniform wind' flow 2 --restart wind.h5 --nu 0.1 --schmidt 0.4 --dt 0.01 --time 1.02 --output w.h5
check 'carries a scalar' "$PYTHON" -c '
import cmath, h5py
c, end = h5py.File("w.h5")["spectrum/scalar"], cmath.exp(-0.25)
assert abs(c[1, 0, 0] - 0.5 * end * cmath.exp(-1j)) < 1e-10 and abs(c[0, 0, 1] + 0.5j * end) < 1e-10, (c[1, 0, 0], c[0, 0, 1])'
check 'a shear flow' flow 4 --restart shear.h5 --nu 0.1 --schmidt 0.4 --scalar-gradient 2 --dt 0.01 --time 1.02 --output y.h5
check 'makes a scalar of a mean gradient' "$PYTHON" -c '
import h5py, math
c = h5py.File("y.h5")["spectrum/scalar"]
want = -2 * (math.exp(-0.1) - math.exp(-0.25)) / (0.25 - 0.1)  # of sin y
assert abs(c[0, 1, 0] + 0.5j * want) < 1e-10, (c[0, 1, 0], want)'

# ---- budgets ----
# dE/dt = input - dissipation, and of the scalar d<cc>/dt = -2 G flux - dissipation; by Simpson.
balances() { # balances FILE GRADIENT ERROR
  "$PYTHON" - "$@" <<'END_OF_PYTHON'
import csv, sys
rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(sys.argv[1]))]
gradient, error = map(float, sys.argv[2:])
assert len(rows) % 2 == 1
def change(name, rate):
    h = rows[1]["t"] - rows[0]["t"]
    sums = sum(rate(a) + 4 * rate(b) + rate(c) for a, b, c in zip(rows[0:-1:2], rows[1::2], rows[2::2])) * h / 3
    gain = rows[-1][name] - rows[0][name]
    print(name, gain, sums - gain)
    assert abs(gain) > 1e-2 and abs(sums - gain) < error, (name, gain, sums)
change("energy", lambda r: r["input"] - r["dissipation"])
if "scalar_flux" in rows[0]:
    change("scalar_variance", lambda r: -2 * gradient * r["scalar_flux"] - r["scalar_dissipation"])
END_OF_PYTHON
}
for case in '16 linear rate' '16x16 linear rate' '16 shells power' '16x16 shells power'; do
  # shellcheck disable=SC2086
  set -- $case
  check "$1, force $2" flow 2 --grid "$1" --case decay --nu 0.005 --forcing "$2" --forcing-"$3" 0.4 --scalar random \
    --scalar-gradient 0.5 --dt 0.01 --time 1 --statistics b.csv
  check 'energy and variance balance' balances b.csv 0.5 3e-6
done
check 'without viscosity' flow 2 --grid 24x24 --case decay --nu 0 --dt 0.002 --time 0.4 --csv i.csv --scalar random --statistics j.csv
conserved='
import csv, sys
rows = [list(csv.DictReader(open(name))) for name in ("i.csv", "j.csv")]
a, b = [{**x, **y} for x, y in zip(*rows)][::200]
change = {k: abs(float(b[k]) / float(a[k]) - 1) for k in ("energy", "enstrophy", "scalar_variance")}
print(change)'
check 'two dimensions conserve energy, enstrophy and variance' "$PYTHON" -c "$conserved
assert max(change.values()) < 1e-9, change"
check 'with aliases' flow 2 --grid 24x24 --case decay --nu 0 --dt 0.002 --time 0.4 --csv i.csv --dealias none --scalar random \
  --statistics j.csv
check 'they do not' "$PYTHON" -c "$conserved
assert change['enstrophy'] > 1e-6, change"

# ---- restarts ----
with='--grid 12 --nu 0.01 --dt 0.05 --deterministic --case decay --scalar random --schmidt 0.7 --scalar-gradient 1
  --forcing shells --forcing-power 0.3 --forcing-shells 3'
for case in 'box 12' 'plane 12x12'; do
  # shellcheck disable=SC2086
  set -- $case
  for ranks in 1 3 4; do
    # shellcheck disable=SC2086
    check "$1 on $ranks ranks" flow $ranks $with --grid "$2" --time 0.4 --csv c$ranks.csv --statistics s$ranks.csv \
      --output "r$ranks.h5" --force
  done
  check 'all the same' sh -c 'for k in 3 4; do cmp r1.h5 r$k.h5 && cmp c1.csv c$k.csv && cmp s1.csv s$k.csv || exit 1; done'
  # shellcheck disable=SC2086
  check 'half of it' flow 2 $with --grid "$2" --time 0.2 --output h.h5 --csv h.csv --statistics k.csv --force
  check 'and on, with its force and scalar' flow 3 --restart h.h5 --dt 0.05 --deterministic --time 0.4 --output h.h5 --csv h.csv \
    --statistics k.csv
  check 'as if never stopped' sh -c 'cmp c1.csv h.csv && cmp s1.csv k.csv'
  check 'every number' "$PYTHON" -c '
import h5py
a, b = h5py.File("r1.h5"), h5py.File("h.h5")
names = [*(k for k in a if k != "spectrum"), *("spectrum/" + k for k in a["spectrum"])]
assert len(names) in (6, 8) and "scalar" in names
for name in names:
    assert a[name][...].tobytes() == b[name][...].tobytes(), name
for name in ("forcing", "forcing_strength", "forcing_shells", "schmidt", "scalar_gradient", "grid"):
    assert a["u"].attrs[name] == b["u"].attrs[name], name'
done
check 'without the force' flow 2 --restart h.h5 --dt 0.05 --time 0.5 --forcing none --json j.json
check 'there is none' "$PYTHON" -c '
import json
r = json.load(open("j.json"))["runs"][0]
assert "forcing" not in r and r["statistics"]["input"] == 0 and r["n"] == [12, 12], r
assert r["scalar"] == {"schmidt": 0.7, "gradient": 1}, r["scalar"]'
check 'a flow without a scalar' flow 2 --grid 8 --dt 0.05 --time 0.1 --output none.h5
check 'gets one' flow 3 --restart none.h5 --dt 0.05 --time 0.2 --scalar wave --statistics g.csv --output g.h5
check 'which begins there' "$PYTHON" -c '
import csv, h5py
first = next(csv.DictReader(open("g.csv")))
assert abs(float(first["scalar_variance"]) - 0.5) < 1e-15 and float(first["t"]) == 0.1, first
assert h5py.File("g.h5")["scalar"].shape == (8, 8, 8)'
check 'the grid and the modes in two dimensions' "$PYTHON" -c '
import h5py, numpy as np
f = h5py.File("plane.h5")
u, v, w, c = (np.fft.fft2(f[k][...]) / f[k].size for k in ("u", "v", "omega", "scalar"))
k = np.array(np.meshgrid(*[np.fft.fftfreq(n, 1 / n) for n in u.shape], indexing="ij"))
assert u.shape == (14, 15) and abs(k[0] * u + k[1] * v).max() < 1e-15 and abs(1j * (k[0] * v - k[1] * u) - w).max() < 1e-14
for name, s in (("omega", w), ("scalar", c)):
    kept = f["spectrum"][name][...]
    waves = [np.rint(np.fft.fftfreq(kept.shape[0], 1 / kept.shape[0])).astype(int), np.arange(kept.shape[1])]
    assert abs(s[np.ix_(*waves)] - kept).max() < 1e-15'
check 'a series in two dimensions' flow 2 --grid 8x10 --dt 0.1 --time 0.2 --output 'p-#.h5' --every 0.1 --spectra p.csv
check 'its list and spectra' "$PYTHON" -c '
import csv, xml.etree.ElementTree as tree
grids = tree.parse("p-.xdmf").findall("./Domain/Grid/Grid")
assert len(grids) == 3 and all(len(g.findall("Attribute")) == 3 for g in grids)
assert grids[0].find("Topology").get("Dimensions") == "8 10" and len(grids[0].find("Geometry")) == 2
rows = [r for r in csv.DictReader(open("p.csv")) if float(r["t"]) == 0]
assert abs(float(rows[1]["energy"]) - 0.25) < 1e-15 and sum(float(r["energy"]) for r in rows) - 0.25 < 1e-15, rows'

# ---- what is refused ----
check 'a force without a strength' fails 64 '--forcing linear: needs a positive --forcing-rate' 1 --grid 8 --forcing linear
check 'another one' fails 64 '--forcing shells: needs a positive --forcing-power' 1 --grid 8 --forcing shells --forcing-power 0
check 'a strength without a force' fails 64 '--forcing-rate is an option of --forcing linear' 1 --grid 8 --forcing-rate 1
check 'shells of none' fails 64 '--forcing-shells is an option of --forcing shells' 1 --grid 8 --forcing linear --forcing-rate 1 \
  --forcing-shells 2
check 'no energy to multiply' fails 64 'no energy in 0 < |k| <= 1' 2 --grid 8 --forcing shells --forcing-power 1 --forcing-shells 1 \
  --output never.h5 --csv never.csv
check 'nothing is left' sh -c '! test -e never.h5 && ! test -e never.csv'
check 'a scalar that stays zero' fails 64 '--scalar zero without --scalar-gradient' 1 --grid 8 --scalar zero
check 'no scalar' fails 64 '--schmidt without --scalar' 1 --grid 8 --schmidt 2
check 'a Schmidt number of 0' fails 64 '--schmidt 0: must be positive' 1 --grid 8 --scalar wave --schmidt 0
check 'a second scalar' fails 65 "'box.h5' has a scalar" 1 --restart box.h5 --scalar wave
check 'a gradient of none' fails 65 "'none.h5' has no scalar" 1 --restart none.h5 --scalar-gradient 1
check 'another grid' fails 65 'has 14x15 points, --grid asks for 8x8x8' 1 --restart plane.h5 --grid 8
check 'a small plane' fails 64 '--grid 3x8: needs 4 points' 1 --grid 3x8
check 'a table of other columns' fails 65 'other columns' 1 --restart none.h5 --statistics g.csv
check 'one file for two tables' fails 64 'the file of --statistics' 1 --grid 8 --csv one.csv --statistics one.csv
check 'a force that is too strong for the step' fails 76 'at first and by the force' 2 --grid 8 --forcing linear --forcing-rate 1 \
  --nu 0.1 --dt 2 --time 400
check 'diffusion that is too strong for the step' fails 76 'the scalar blew up before step' 2 --grid 16 --scalar wave --schmidt 0.001 \
  --nu 0.01 --dt 0.1 --time 4 --output z-#.h5 --every 1
check 'leaves what was good' sh -c 'test -f z-0.h5 && ! test -f z-4.h5'
if command -v gnuplot >/dev/null && gnuplot -e 'set terminal pngcairo' 2>/dev/null; then
  check 'a picture of two dimensions' flow 3 --grid 16x12 --dt 0.1 --time 0.1 --png w.png
  check 'is one' sh -c "head -c 8 w.png | od -c | grep -q 'P   N   G'"
fi
echo "1..$number"
exit $bad
