#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files that releases have written: this version reads them, and refuses those of a later format by
# name.  Each folder of tests/releases has the files of one release.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:=/usr/bin/python3}"

# refused CODE WORDS ARGUMENTS...
refused() {
  code=$1 words=$2
  shift 2
  run 1 "$@"
  test $? = "$code" && grep -q -e "$words" err.txt
}
# later FORMAT FILE: a copy of which the format is the next one, later.FILE
later() { LC_ALL=C sed "s|$1|${1%?}7|g" "$2" >"later.$2" && ! cmp -s "$2" "later.$2"; }
no_files=
"$PFFT3D" info | grep -q '^hdf5 *no' && no_files='no HDF5 in this build'
"$PYTHON" -c 'import h5py, numpy' 2>/dev/null || no_files='no Python with h5py and numpy'

# keeps_wisdom: what tune adds stands beside what was there
keeps_wisdom() {
  grep '^problem=' wisdom >before.txt
  chmod go-w . wisdom && run 2 tune --grid 6x4x5 --wisdom ./wisdom --plan-budget 0.1 && ! grep -q notice err.txt &&
    grep -qFxf before.txt wisdom && test "$(grep -c '^problem=' wisdom)" -gt "$(grep -c . before.txt)"
}
# expands: into the field that numpy makes of the components
expands() {
  run 2 compress --expand --input compressed.h5 --output field.h5 && "$PYTHON" - <<'END'
import h5py, numpy
with h5py.File("compressed.h5") as c, h5py.File("field.h5") as f:
    found = []
    c.visititems(lambda _, d: found.append(d) if isinstance(d, h5py.Dataset) else None)
    values, = [d[:] for d in found if d.dtype.kind in "cV"]
    indices, = [d[:] for d in found if d.dtype.kind == "u"]
    field, = [d[:] for d in f.values()]
spectrum = numpy.zeros(field.size, complex)
spectrum[indices] = values
spectrum = spectrum.reshape(field.shape)
mirror = numpy.roll(spectrum[::-1, ::-1, ::-1], 1, (0, 1, 2)).conj()
spectrum = numpy.where(spectrum == 0, mirror, spectrum)
error = abs(numpy.fft.ifftn(spectrum) - field).max() / abs(field).max()
assert error < 1e-6 and field.shape == (6, 5, 4), error
END
}
# goes_on: from a snapshot, with the numbers of the release
goes_on() {
  run 2 turbulence --restart snapshot.h5 --time 0.3 --dt 0.1 --precision single --csv table.csv &&
    awk -F, 'NR == FNR {line[NR] = $0; next} FNR > 1 {split(line[FNR], a, ",")
      for (k = 1; k <= 5; k++) if (!(($k - a[k]) ^ 2 <= (1e-5 * a[k]) ^ 2)) exit 1
      rows++} END {if (rows != 2) exit 1}' snapshot.csv table.csv
}

for folder in "$srcdir"/tests/releases/*/; do
  release=$(basename "$folder")
  mkdir "$release" && cp "$folder"* "$release" && chmod -R u+w "$release" && cd "$release" || exit 99
  check "$release: wisdom stays" keeps_wisdom
  check "$release: a report is compared" run 1 compare report.json report.json
  check "$release: a machine is read" run 1 explain --grid 64 --ranks 16 --machine machine
  if test -z "$no_files"; then
    check "$release: a compressed field is expanded" expands
    check "$release: a snapshot goes on" goes_on
  else
    number=$((number + 1))
    echo "ok $number - $release: compressed fields and snapshots # SKIP $no_files"
  fi
  cd "$work" || exit 99
done
check 'there were releases' test "$number" -gt 0

# Of the last one, as a later program would write them.
cd "$(for folder in "$srcdir"/tests/releases/*/; do basename "$folder"; done | sort -V | tail -n 1)" || exit 99
check 'later: wisdom' later 'pfft3d-wisdom 2' wisdom
mv later.wisdom wisdom
check 'is left alone' refused 73 "its format is '7', this version knows 2" tune --grid 6x4x5 --wisdom ./wisdom --plan-budget 0.1
check 'later: a report' later pfft3d.report/1 report.json
check 'is refused' refused 65 "'pfft3d.report/7', expected 'pfft3d.report/1'" compare later.report.json report.json
check 'later: a machine' later pfft3d.machine/1 machine
check 'is refused' refused 65 "'pfft3d.machine/7', expected 'pfft3d.machine/1'" explain --grid 64 --machine later.machine
if test -z "$no_files"; then
  check 'later: a compressed field' later pfft3d.compressed/1 compressed.h5
  check 'is refused' refused 65 "'pfft3d.compressed/7', not pfft3d.compressed/1" \
    compress --expand --input later.compressed.h5 --output none.h5
  check 'later: a snapshot' later pfft3d.snapshot/1 snapshot.h5
  check 'is refused' refused 65 'its schema is not pfft3d.snapshot/1' turbulence --restart later.snapshot.h5 --time 1
fi
echo "1..$number"
exit $bad
