#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The MRI volume of data/ through transform, forward and back, in both precisions, on several numbers of
# ranks; numpy computes it, too.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
. "$srcdir/tests/lib/h5py.sh"

head=$srcdir/data/colin27.h5
for ranks in 1 4; do
  check "transform forward on $ranks ranks" run $ranks transform --input "$head" --output "s$ranks.h5"
  check "transform backward on $ranks ranks" \
    run $ranks transform --direction backward --input "s$ranks.h5" --output "b$ranks.h5"
done
check 'transform in single precision' run 3 transform --precision single --input "$head" --output single.h5
check 'transform backward in single precision' \
  run 3 transform --precision single --direction backward --input single.h5 --output back.h5
check 'transform backward in double precision what single has written' \
  run 3 transform --direction backward --input single.h5 --output double.h5
check 'transform to a whole spectrum' run 3 transform --type c2c --input "$head" --output whole.h5
check 'transform backward from a whole spectrum' \
  run 4 transform --decomp pencil --direction backward --input whole.h5 --output complex.h5
check 'transform over an old file' run 2 transform --input "$head" --output s1.h5 --force
check 'no temporary left' test -z "$(find . -maxdepth 1 -name '*pfft3d-*')"
check 'numpy agrees' "$PYTHON" "$srcdir/tests/files/volume.py" "$head"
echo "1..$number"
exit $bad
