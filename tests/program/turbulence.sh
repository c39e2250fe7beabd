#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# turbulence as a user types it: known energies, numpy with the same scheme, snapshots that go on bit
# for bit on other ranks, a run that is killed, what is refused.  TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}" "${builddir:?run by make check}"
if ! "$PYTHON" -c 'import h5py, numpy' 2>/dev/null; then PYTHON=/usr/bin/python3; fi

# ---- known energies ----
. "$srcdir/tests/program/flow.sh"
ends_with() { # ends_with FILE ENERGY ERROR: the last row
  "$PYTHON" - "$@" <<'END'
import csv, sys
row = list(csv.DictReader(open(sys.argv[1])))[-1]
assert abs(float(row["energy"]) - float(sys.argv[2])) <= float(sys.argv[3]), row
assert abs(float(row["dissipation"]) - 2 * 0.000625 * float(row["enstrophy"])) < 1e-15, row
END
}
ends_in() { # ends_in TIME FILE
  tail -n 1 "$2" | awk -F , -v time="$1" '{exit $1 < time - 1e-9 || $1 > time + 1e-9}'
}
check 'Taylor-Green to t = 0.1' flow 2 --grid 32 --nu 0.000625 --dt 0.01 --time 0.1 --csv a.csv --json a.json
# linear decay, 0.125 exp(-6 nu t) = 0.124953133788, has seven of these digits
check 'its energy, in all digits' ends_with a.csv 0.124953117517 1e-11
check 'the report' "$PYTHON" -c '
import json
j = json.load(open("a.json"))
r = j["runs"][0]
assert j["command"] == "turbulence" and j["problem"] == "r2c:d:32x32x32/21x21x21*3", j["problem"]
assert r["steps"] == 10 and r["t"] == 0.1 and r["case"] == "taylor-green" and r["dealias"] == "2/3", r
assert 0 < r["fft_share"] < 1 and len(r["time_s"]["reps"]) == 10 and r["check"]["pass"] is True, r
assert set(r["phases"]) == {"fft", "product", "update"} and abs(r["energy"] - 0.124953117517) < 1e-11'
# Ranks with one plane of modes, with none, and a grid of ranks that cuts rows: the same flow.
flow 1 --grid 8 --case decay --nu 0.01 --dt 0.02 --time 0.1 --csv one.csv --quiet
for cut in '6 --decomp slab --algo packed' '9 --decomp slab --algo packed' '6 --pgrid 1x6' '9 --pgrid 3x3 --algo slabs' '10 --deterministic'; do
  # shellcheck disable=SC2086
  check "ranks without modes: $cut" flow $cut --grid 8 --case decay --nu 0.01 --dt 0.02 --time 0.1 --csv many.csv
  check 'the same energies' "$PYTHON" -c '
import csv
for a, b in zip(csv.reader(open("one.csv")), csv.reader(open("many.csv")), strict=True):
    assert a == b or all(abs(float(x) - float(y)) < 1e-14 * abs(float(x)) + 1e-300 for x, y in zip(a, b)), (a, b)'
done
check 'a machine of a file' flow 2 --grid 8 --dt 0.1 --time 0.1 --machine "$srcdir/data/machines/ethernet.machine"
check 'which must exist' sh -c '! "$PFFT3D" turbulence --grid 8 --machine nowhere >out.txt 2>err.txt && grep -q "nowhere" err.txt'
check 'a single step' flow 1 --grid 8 --re 100 --dt 0.1 --time 0.1 --json one.json
check 'its share of transforms' "$PYTHON" -c '
import json
r = json.load(open("one.json"))["runs"][0]
want = r["phases"]["fft"]["max"] / r["time_s"]["median"]  # and not the transform after it
assert abs(r["fft_share"] - want) < 1e-9 * want, (r["fft_share"], want)'
check 'a table to stdout that is full' eval '! "$PFFT3D" turbulence --grid 8 --time 0.1 --csv - >/dev/full 2>err.txt &&
  grep -q "cannot write .stdout." err.txt'
check 'the table to stdout' flow 1 --grid 8 --re 100 --dt 0.1 --time 0.25 --csv -
check 'nothing else' sh -c "test \$(wc -l <out.txt) = 5 && head -1 out.txt | grep -qx t,energy,dissipation,enstrophy,cfl &&
  tail -1 out.txt | grep -q '^0.25,'"

if ! "$PYTHON" -c 'import h5py, numpy' 2>/dev/null || ! built_with HDF5; then
  echo "ok $((number + 1)) - numpy and files # SKIP no HDF5 in this build, or no python3 with h5py"
  echo "1..$((number + 1))"
  exit $bad
fi
. "$srcdir/tests/lib/served.sh"

# ---- numpy ----
like_numpy() { # like_numpy FILE ERROR ARGUMENTS of turbulence_numpy.py...
  file=$1 error=$2
  shift 2
  "$PYTHON" "$srcdir/tests/lib/turbulence_numpy.py" "$@" >numpy.txt &&
    "$PYTHON" - "$file" "$error" <<'END'
import csv, sys
row = list(csv.DictReader(open(sys.argv[1])))[-1]
for name, want in zip(("energy", "enstrophy"), map(float, open("numpy.txt").read().split())):
    assert abs(float(row[name]) - want) <= float(sys.argv[2]) * want, (name, row[name], want)
END
}
# t = 6: aliases change the third digit
for case in '2 2/3 16' '3 3/2 15' '1 none 16'; do
  # shellcheck disable=SC2086
  set -- $case
  check "dealiasing $2, $3^3, on $1 ranks" \
    flow "$1" --grid "$3" --nu 0.001 --dt 0.2 --time 6 --dealias "$2" --csv x.csv
  check 'as numpy' like_numpy x.csv 1e-12 "$3" 0.2 30 "$2" 0.001
done
check 'integrating factor, pencils, threads' \
  flow 4 --grid 16 --nu 0.02 --dt 0.2 --time 2 --integrating-factor --pgrid 2x2 --threads 2 --csv x.csv
check 'as numpy' like_numpy x.csv 1e-12 16 0.2 10 2/3 0.02 exact
check 'single precision' flow 1 --grid 16 --nu 0.02 --dt 0.2 --time 2 --precision single --csv x.csv
check 'as numpy' like_numpy x.csv 1e-6 16 0.2 10 2/3 0.02

# ---- snapshots ----
# The same run on 1, 3, and 4 ranks; its second half on one rank from what two have left.
to='--grid 12 --nu 0.01 --dt 0.05 --deterministic --case decay'
for ranks in 1 3 4; do
  # shellcheck disable=SC2086
  check "a decaying flow on $ranks ranks" flow $ranks $to --time 0.4 --csv r$ranks.csv --output r$ranks.h5
done
check 'all write the same' sh -c 'for k in 3 4; do cmp r1.h5 r$k.h5 && cmp r1.csv r$k.csv || exit 1; done'
# shellcheck disable=SC2086
check 'half of it' flow 2 $to --time 0.2 --csv h.csv --output 'h-##.h5' --every 0.1 --spectra k.csv
cp h.csv half.csv
head -n 1 h.csv | tr -d '\n' >head.csv
glued() { run 2 turbulence --restart h-02.h5 --dt 0.05 --time 0.25 --csv head.csv && head -n 1 head.csv | cmp - head2.csv; }
head -n 1 h.csv >head2.csv
check 'a table of half a line begins anew' glued
check 'and on' flow 3 --restart h-02.h5 --dt 0.05 --deterministic --time 0.4 --csv h.csv --output 'h-##.h5' \
  --every 0.1 --spectra k.csv
check 'as if never stopped' sh -c 'cmp r1.csv h.csv && test -f h-04.h5 && ! test -f h-05.h5'
# shellcheck disable=SC2086
check 'a series' flow 2 $to --time 0.5 --output 'i-##.h5' --every 0.05
series_again() {
  cp i-03.h5 j-03.h5
  # shellcheck disable=SC2086
  run 2 turbulence $to --time 0.5 --output 'j-##.h5' --every 0.05 --csv j.csv
  test $? = 73 && grep -q "cannot create 'j-03.h5': it exists" err.txt && ! test -f j.csv && ! test -f j-00.h5
}
check 'a series with a file of an old one is refused before work' series_again
list_again() {
  echo mine >mine.xdmf
  # shellcheck disable=SC2086
  run 1 turbulence $to --time 0.05 --output mine.h5
  test $? = 73 && grep -q "cannot create 'mine.xdmf': it exists" err.txt && grep -qx mine mine.xdmf
}
check 'a file in the place of its list is refused' list_again
check 'goes on from another spelling of its last name' flow 2 --restart ./i-10.h5 --dt 0.05 --deterministic --time 0.55 \
  --output 'i-##.h5' --every 0.05
check 'with the next one' sh -c 'test -f i-11.h5 && ! test -f i-12.h5'
check 'every number' "$PYTHON" -c '
import h5py
a, b = h5py.File("r1.h5"), h5py.File("h-04.h5")
for name in ("u", "v", "w", "spectrum/u", "spectrum/v", "spectrum/w"):
    assert a[name][...].tobytes() == b[name][...].tobytes(), name
assert a["u"].attrs["time"] in ("0.40000000000000002", b"0.40000000000000002"), a["u"].attrs["time"]'
check 'from a snapshot as numpy' like_numpy h.csv 1e-12 12 0.05 4 2/3 0.01 h-02.h5
check 'fields, modes, and spectra agree' "$PYTHON" -c '
import csv, h5py, numpy as np
f = h5py.File("h-00.h5")
u = np.array([f[c][...] for c in "uvw"])
s = np.fft.fftn(u, axes=(1, 2, 3)) / u[0].size
k = np.array(np.meshgrid(*[np.fft.fftfreq(12, 1 / 12)] * 3, indexing="ij"))
assert np.abs((k * s).sum(0)).max() < 1e-15 and abs((u * u).sum(0).mean() / 2 - 0.5) < 1e-14
kept = f["spectrum/v"][...]
assert kept.shape == (7, 7, 4)
assert np.abs(s[1][np.ix_([0, 1, 2, 3, 9, 10, 11], [0, 1, 2, 3, 9, 10, 11], range(4))] - kept).max() < 1e-15
shell = np.rint(np.sqrt((k * k).sum(0))).astype(int)
energy = np.bincount(shell.ravel(), ((abs(s) ** 2).sum(0) / 2).ravel())
want = np.arange(6.0) ** 4 * np.exp(-2 * np.arange(6.0) ** 2 / 16)
rows = [(float(r["t"]), int(r["k"]), float(r["energy"])) for r in csv.DictReader(open("k.csv"))]
mine = np.array([e for t, _, e in rows if t == 0])
assert np.abs(mine - energy[:6]).max() < 1e-15 and np.abs(mine - want / want.sum() / 2).max() < 1e-15
assert [(round(t, 12), k) for t, k, _ in rows] == [(t, k) for t in (0, 0.1, 0.2, 0.3, 0.4) for k in range(6)], rows'
check 'the list for ParaView' "$PYTHON" -c '
import h5py, xml.etree.ElementTree as tree
grids = tree.parse("h-.xdmf").findall("./Domain/Grid/Grid")
assert [round(float(g.find("Time").get("Value")), 12) for g in grids] == [0, 0.1, 0.2, 0.3, 0.4]
for n, g in enumerate(grids):
    for item in g.iter("DataItem"):
        if item.get("Format") == "HDF":
            file, path = item.text.strip().split(":")
            assert file == "h-%02d.h5" % n, file
            assert h5py.File(file)[path].shape == tuple(map(int, item.get("Dimensions").split()))
    assert len(g.findall("Attribute")) == 4'

check 'a box of other sizes' flow 2 --grid 8x10x12 --case decay --dt 0.1 --time 0.2 --output 'box-#.h5' --every 0.1
check 'as it is in the list' sh -c 'test "$(grep -c "Dimensions=.8 10 12 3." box-.xdmf)" = 3'
if "$PYTHON" -c 'import vtk; vtk.vtkXdmfReader' 2>/dev/null; then
  check "read by ParaView's reader" "$PYTHON" "$srcdir/tests/lib/turbulence_vtk.py" box-.xdmf box-0.h5 box-1.h5 box-2.h5
else
  skip "read by ParaView's reader" 'no Python with VTK and its XDMF reader'
fi

# A state without parts that are in no field, on even and odd grids; random, unlike a Taylor-Green vortex.
for case in '1 8 none' '3 8x10x9 none --decomp slab' '4 12x7x8 none --pgrid 2x2' '2 9 none' '2 8 3/2' '3 10x8x8 2/3'; do
  # shellcheck disable=SC2086
  set -- $case
  ranks=$1 grid=$2 rule=$3
  shift 3
  check "a decaying flow, $case" flow "$ranks" --grid "$grid" --dealias "$rule" --case decay --nu 0.01 --dt 0.05 \
    --time 1 --csv s.csv --spectra t.csv --output s.h5 --force "$@"
  check 'energy, spectra, enstrophy, fields, and modes agree' "$PYTHON" -c '
import csv, h5py, numpy as np
last = {k: float(x) for k, x in list(csv.DictReader(open("s.csv")))[-1].items()}
energy = sum(float(r["energy"]) for r in csv.DictReader(open("t.csv")) if float(r["t"]) == 1)
assert abs(energy / last["energy"] - 1) < 1e-12, (energy, last)
f = h5py.File("s.h5")
s = np.array([np.fft.fftn(f[c][...]) / f[c].size for c in "uvw"])
k = np.array(np.meshgrid(*[np.fft.fftfreq(n, 1 / n) for n in s[0].shape], indexing="ij"))
assert abs(((k * k).sum(0) * abs(s) ** 2).sum() / 2 / last["enstrophy"] - 1) < 1e-12, last
for c, component in zip("uvw", s):
    kept = f["spectrum"][c][...]
    waves = [np.rint(np.fft.fftfreq(m, 1 / m)).astype(int) for m in kept.shape[:2]] + [np.arange(kept.shape[2])]
    assert abs(component[np.ix_(*waves)] - kept).max() < 1e-15, abs(component[np.ix_(*waves)] - kept).max()'
done

# A flow that is known: u = sin x cos y, v = -cos x sin y decays as exp(-2 nu t), whatever the step.
"$PYTHON" - <<'END'
import h5py, shutil
shutil.copy("h-00.h5", "plane.h5")
with h5py.File("plane.h5", "r+") as f:
    for c, sign in zip("uvw", (1, -1, 0)):
        s = f["spectrum"][c]
        modes = s[...] * 0
        for i in (1, -1):
            for j in (1, -1):
                modes[i, j, 0] = -0.25j * (i if c == "u" else j) * sign
        s[...] = modes
END
check 'a plane vortex' flow 2 --restart plane.h5 --nu 0.1 --dt 0.01 --time 1 --csv plane.csv --integrating-factor
check 'decays as it must' "$PYTHON" -c '
import csv, math
for r in csv.DictReader(open("plane.csv")):
    assert abs(float(r["energy"]) / (0.25 * math.exp(-4 * 0.1 * float(r["t"]))) - 1) < 1e-13, r'

# ---- ends ----
"$PYTHON" - <<'END'
import h5py, shutil
shutil.copy("plane.h5", "rest.h5")
with h5py.File("rest.h5", "r+") as f:
    for c in "uvw":
        f["spectrum"][c][...] = 0
with h5py.File("other.h5", "w") as f:
    f["u"] = [1.0, 2.0]
shutil.copy("r1.h5", "nan.h5")
with h5py.File("nan.h5", "r+") as f:
    f["spectrum/v"][1, 1, 1] = float("nan")
END
check 'one file for spectra and snapshots' fails 64 'the file of --spectra' 1 --grid 8 --time 0.1 --spectra j.h5 --output j.h5
check 'a step that is too long' fails 76 'the flow blew up in step 3, at t = 1.2 with CFL [0-9]' 2 --grid 12 --nu 0.3 \
  --case decay --dt 0.4 --time 9 --every 0.4 --output b-#.h5 --csv b.csv
check 'the hint names the last snapshot' grep -q "hint: go on from the last good snapshot, 'b-2.h5'" err.txt
check 'which can be used' flow 2 --restart b-2.h5 --dt auto --time 0.9 --csv b.csv
check 'the table is continued' "$PYTHON" -c '
import csv
t = [float(r["t"]) for r in csv.DictReader(open("b.csv"))]
assert t[:3] == [0, 0.4, 0.8] and t[-1] == 0.9 and t == sorted(t), t'
mkdir c-1.h5
check 'a snapshot that cannot be written' fails 74 "c-1.h5" 2 --grid 8 --dt 0.1 --time 1 --every 0.1 --output c-#.h5 --force
check 'the one before is complete' flow 1 --restart c-0.h5 --dt 0.1 --time 0.1
check 'a full disk' fails 74 'No space left' 2 --grid 8 --dt 0.1 --csv /dev/full
# A small disk fills after some snapshots.
mkdir disk
if mount -t tmpfs -o size=512k tmpfs disk 2>/dev/null; then
  cleanup() { umount disk 2>/dev/null; cd / && rm -rf "$work"; }
  check 'a disk that fills' fails 74 "d-[0-9]*.h5.*No space left" 2 --grid 16 --dt 0.1 --time 9 --every 0.1 --output 'disk/d-##.h5'
  last=$(find disk -name 'd-*.h5' | sort | tail -n 1)
  check 'nothing half-written is left' sh -c 'test "$(ls disk | grep -v "^d-[0-9]*.h5$")" = d-.xdmf'
  check 'the last good snapshot goes on' flow 1 --restart "$last" --dt 0.1 --time 3
  umount disk
else
  skip 'a disk that fills' 'only root may mount one, and not everywhere'
fi
# Killed in the middle of a snapshot, when the table is further than the one before.
killed() {
  limited "$limit" strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=300 \
    "$PFFT3D" turbulence --grid 12 --nu 0.01 --dt 0.0005 --time 0.05 --every 0.002 --output killed.h5 --csv killed.csv \
    --deterministic --wisdom none >out.txt 2>err.txt </dev/null
  status=$?
  rm -f ./*pfft3d-*
  rows=$(wc -l <killed.csv)
  echo "status $status, $rows rows"
  test $status = 137 && test -f killed.h5 && test "$rows" -gt 20 && test "$rows" -lt 100
}
if test -z "${ASAN_OPTIONS-}" && strace -qq -o /dev/null -e inject=pwrite64:error=ENOSPC true 2>/dev/null; then
  check 'a run that is killed' killed
  check 'goes on' flow 2 --restart killed.h5 --dt 0.0005 --time 0.05 --output killed.h5 --csv killed.csv \
    --deterministic --every 0.02
  check 'and one that was not' flow 1 --grid 12 --nu 0.01 --dt 0.0005 --time 0.05 --output whole.h5 --csv whole.csv --deterministic
  check 'end alike' sh -c 'cmp killed.h5 whole.h5 && cmp killed.csv whole.csv'
else
  skip 'a run that is killed' 'no strace (Debian: strace), or under sanitizers'
fi
check 'a flow at rest' flow 2 --restart rest.h5 --nu 0.1 --dt 0.1 --time 0.3 --csv rest.csv
check 'stays so' "$PYTHON" -c '
import csv
rows = list(csv.DictReader(open("rest.csv")))
assert len(rows) == 4 and all(float(r["energy"]) == 0 for r in rows), rows'
check 'at rest with any step' flow 2 --restart rest.h5 --nu 0.1 --integrating-factor --time 0.3 --csv rest.csv --json rest.json
check 'it stays so, too' "$PYTHON" -c '
import csv, json
rows, run = list(csv.DictReader(open("rest.csv"))), json.load(open("rest.json"))["runs"][0]
assert len(rows) == 2 and all(float(r["energy"]) == 0 for r in rows), rows
assert float(rows[1]["t"]) == 0.3 and run["energy"] == 0 and run["steps"] == 1, (rows, run)'
check 'a snapshot with the name of its list' fails 64 "list of snapshots" 1 --grid 8 --time 0.1 --output tg.xdmf
check 'nor is that to go on from' sh -c 'cp plane.h5 tg.xdmf'
check 'overwritten by the list' fails 64 "list of snapshots" 1 --restart tg.xdmf --time 9 --output tg.h5
# The table is lost at the third row: the run ends then, and not hours later.
ended() {
  mkfifo table && { head -n 3 table >/dev/null & } && fails 74 'table' 2 --grid 8 --dt 0.001 --time 1000 --csv table
}
check 'a table that breaks off' ended
check 'no such snapshot' fails 66 'none.h5' 1 --restart none.h5
check 'another HDF5 file' fails 65 'spectrum' 1 --restart other.h5
check 'another grid' fails 65 '12x12x12 points, --grid asks for 8x8x8' 1 --restart r1.h5 --grid 8 --time 1
check 'another dealiasing' fails 65 'made with --dealias 2/3, not none' 1 --restart r1.h5 --dealias none --time 1
check 'a time that is over' fails 64 'the snapshot is of t = 0.4' 1 --restart r1.h5 --time 0.3
check 'a snapshot with NaN' fails 65 'not finite' 1 --restart nan.h5 --time 1
check 'an output that exists' fails 73 "r1.h5" 1 --grid 8 --output r1.h5
# What is refused leaves its files as they are.
check 'a run with two tables' flow 1 --grid 8 --dt 0.1 --time 0.2 --csv e.csv --spectra f.csv --output e.h5
cp e.csv e.old
cp f.csv f.old
check 'once more' fails 73 'it exists' 2 --grid 8 --dt 0.1 --time 0.2 --csv e.csv --spectra f.csv --output e.h5
check 'the tables stay' sh -c 'cmp e.csv e.old && cmp f.csv f.old'
cp e.old no.csv
check 'another table of spectra' fails 65 "cannot continue 'no.csv'" 2 --restart e.h5 --time 0.3 --csv e.csv --spectra no.csv
check 'the table stays' cmp e.csv e.old
check 'a table that is new' fails 65 "cannot continue 'no.csv'" 1 --restart e.h5 --time 0.3 --csv new.csv --spectra no.csv
check 'is not left' test ! -e new.csv
check 'a picture that fails' failing_gnuplot \
  fails 74 'gnuplot: no more' 2 --grid 8 --dt 0.1 --time 0.2 --png l.png --output l.h5 --json l.json
check 'comes after the last snapshot' "$PYTHON" -c 'import h5py; assert float(h5py.File("l.h5")["u"].attrs["time"]) == 0.2'
check 'and after the report' sh -c 'grep -q "^t = 0.2 after 2 steps" out.txt && grep -q "\"t\": 0.2" l.json'
printf '#!/bin/sh\nexec cat >%s/drawn.txt\n' "$work" >bin/gnuplot
check 'what a picture shows' sh -c "PATH=$work/bin:\$PATH; $MPIRUN -n 3 '$PFFT3D' turbulence --grid 12 --nu 0 --dt 1e-4 --time 1e-4 --png w.png"
check 'is the plane in the middle' "$PYTHON" -c '
import math
text = open("drawn.txt").read()
rows = [[float(v) for v in line.split()] for line in text.split("$map << END\n")[1].split("END\n")[0].splitlines()]
angle = [2 * math.pi * k / 12 for k in range(12)]
assert "x = pi" in text and len(rows) == 12
assert all(abs(rows[j][k] - abs(math.sin(angle[j]) * math.sin(angle[k]))) < 1e-3 for j in range(12) for k in range(12)), rows'
if command -v gnuplot >/dev/null && gnuplot -e 'set terminal pngcairo' 2>/dev/null; then
  check 'a picture' flow 2 --grid 8 --dt 0.1 --time 0.1 --png w.png
  check 'is one' sh -c "head -c 8 w.png | od -c | grep -q 'P   N   G'"
fi

# ---- the script of the vortex ----
vortex() { # vortex GRID TIME
  GRID=$1 DT=0.1 TIME=$2 GNUPLOT=none limited "$limit" sh "$srcdir/jobs/vortex.sh" >out.txt 2>err.txt </dev/null
}
mkdir vortex
cd vortex || exit 99
export PFFT3D
check 'jobs/vortex.sh' vortex 8 0.2
check 'its table ends there' ends_in 0.2 vortex.csv
check 'goes on' vortex 8 0.3
check 'and ends later' ends_in 0.3 vortex.csv
cp vortex.csv before.csv
check 'is through' vortex 8 0.3
check 'and does nothing' cmp vortex.csv before.csv
check 'another grid' sh -c "GRID=10 DT=0.1 TIME=0.3 sh '$srcdir/jobs/vortex.sh' 2>err.txt; test \$? = 64 && grep -q 'remove vortex' err.txt"
rm vortex.h5 vortex.xdmf vortex.csv
check 'once they are removed' vortex 10 0.2
check 'is that grid' grep -q '^10^3: largest' out.txt
several() { GRIDS='8 10' PRECISION=single vortex 0 0.2; }
check 'several grids' several
check 'in folders' sh -c 'tail -n 1 vortex-8/vortex.csv | grep -q "^0.2" && grep -q "^10 0.1 single" vortex-10/vortex.txt'
check 'each with its peak' sh -c 'grep -q "^8^3: largest dissipation .* %" out.txt && grep -q "^10^3: largest" out.txt'
cd ..
echo "1..$number"
exit $bad
