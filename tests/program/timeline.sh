#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --timeline as a user types it: JSON that Perfetto and Speedscope read, for all exchanges and numbers
# of ranks, whose messages are those of the report; SVG that is XML; the bound; wrong names.  TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${PYTHON:?}"
json() { "$PYTHON" "$srcdir/tests/program/timeline.py" "$@"; }
xml() { "$PYTHON" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1"; }

# ---- JSON ----
for ranks in 1 2 3 4; do
  check "all exchanges on $ranks ranks" run $ranks --grid 24x20x18 --exchange all --reps 2 --no-verify --quiet \
    --timeline t.json --json r.json
  check 'the timeline is what the report says' json t.json r.json
done
check 'pencils and threads' run 4 --grid 20 --decomp pencil --order natural --exchange slabs,pencils,node --threads 2 --node-ranks 2 \
  --reps 1 --no-verify --quiet --timeline t.json --json r.json
check 'their timeline' json t.json r.json
check 'lines' run 3 line --size 5040 --exchange packed,slabs --method all --reps 2 --no-verify --quiet --timeline t.json --json r.json
check 'their timeline' json t.json r.json
check 'turbulence' run 2 turbulence --grid 16 --time 0.1 --quiet --timeline t.json
check 'its timeline has parts of transforms' json t.json - 'backward, then forward' 'forward, then backward' 'end backward'
if built_with HDF5; then
  check 'a file' run 2 transform --input "$srcdir/data/colin27.h5" --output new.h5 --quiet --timeline t.json
  check 'its timeline' json t.json - forward
fi

# ---- drawings ----
check 'a drawing' run 3 --grid 24 --exchange packed,slabs,shared --reps 3 --no-verify --quiet --timeline t.svg
check 'it is XML' xml t.svg
for word in 'packed, forward' 'slabs, backward' 'shared, forward' 'rank 2' 'Messages are on their way' 'No messages' \
  'which is hidden' 'first stage' 'waits'; do
  check "it has '$word'" grep -q "$word" t.svg
done
check 'a panel for each plan and direction' test "$(grep -c 'class="title"' t.svg)" = 6

# ---- the bound ----
check 'few events' run 2 --grid 16 --exchange pencils --reps 2 --no-verify --quiet --timeline t.json --timeline-events 50
check 'a warning' grep -q 'warning: the timeline has 100 events; [1-9][0-9]* later ones are left out (--timeline-events)' err.txt
check 'the file says it, too' "$PYTHON" -c 'import json
t = json.load(open("t.json"))
assert t["otherData"]["left_out"] > 0 and t["otherData"]["events"] <= 100, t["otherData"]'
check 'no whole call fits' run 2 --grid 16 --exchange pencils --reps 2 --no-verify --quiet --timeline t.svg --timeline-events 50
check 'which the drawing says' grep -q 'No call was recorded as a whole' t.svg
check 'it is XML, too' xml t.svg

# ---- wrong use ----
on=2
check 'no events' fails 64 "timeline-events '0': expected a whole number from 1" --grid 8 --timeline t.json --timeline-events 0
check 'another ending' fails 64 "timeline 't.txt': a name ends in .json or .svg" --grid 8 --timeline t.txt
check 'no ending' fails 64 "timeline 'svg': a name ends in .json or .svg" --grid 8 --timeline svg
check 'a bound of nothing' fails 64 'timeline-events: there is no --timeline' --grid 8 --timeline-events 9
check 'a folder that does not exist' fails 73 "cannot write the timeline 'none/t.svg': No such file" --grid 8 --timeline none/t.svg
mkdir folder.json
check 'a folder' fails 73 "cannot write the timeline 'folder.json': Is a directory" --grid 8 --timeline folder.json
check 'another command' fails 64 'option --timeline does not apply to' info --timeline t.json
echo old >old.json
check 'a run that fails' fails 64 'expected' --grid 8x --timeline old.json
check 'leaves the old file' grep -qx old old.json
check 'nothing else is left' test "$(find . -name '*pfft3d-*')" = ''
echo "1..$number"
exit $bad
