#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Datasets with the filters of hdf5plugin (PyPI), as h5py reads them, and random arrays of any dimensions, COUNT of
# them (200) from SEED (1) on.  Answers in TAP.
. "${srcdir:?run by make check-long}/tests/lib/mpi4py.sh"
: "${PFFT3D:?}"
. "$srcdir/tests/lib/environment.sh"
install_plugins() { pip install hdf5plugin; }
environment plugins install_plugins
. "$srcdir/tests/lib/campaign.sh"

"$PYTHON" - >folder <<'END' || exit 99
import h5py
import hdf5plugin
import numpy as np

a = np.random.default_rng(1).random((20, 21, 22)).astype("f4")
np.save("a.npy", a)
filters = {"blosc": hdf5plugin.Blosc(), "zstd": hdf5plugin.Zstd(), "bitshuffle": hdf5plugin.Bitshuffle(),
           "lz4": hdf5plugin.LZ4(), "zfp": hdf5plugin.Zfp(reversible=True), "bzip2": hdf5plugin.BZip2()}
with h5py.File("f.h5", "w") as f:
    for name, how in filters.items():
        f.create_dataset(name, data=a, chunks=(10, 21, 22), **how)
print(hdf5plugin.PLUGIN_PATH)
END
transformed() { # RANKS OPTIONS...
  n=$1
  shift
  # shellcheck disable=SC2086  # a command with options
  limited 60 $MPIRUN -n "$n" "$PFFT3D" transform -o o.npy -f -q "$@" 2>err.txt
}
filters() {
  tried=0 wrong=0
  for name in blosc zstd bitshuffle lz4 zfp bzip2; do
    tried=$((tried + 1))
    ! transformed "$1" -i "f.h5:/$name" && grep -q 'hint: --filters' err.txt &&
      transformed "$1" -i "f.h5:/$name" --filters "$(cat folder)" && "$PYTHON" -c 'import numpy as np
want, have = np.fft.rfftn(np.load("a.npy")), np.load("o.npy")
assert abs(have - want).max() < 1e-14 * abs(want).max()' || wrong=$((wrong + 1))
  done
  echo "tried $tried wrong $wrong"
}
for n in 1 2 3 4 6; do part "filters of hdf5plugin on $n ranks" filters $n; done

# arrays SEED: those of a seed, from file to file
arrays() {
  output=$(COUNT=20 SEED=$1 sh "$srcdir/tests/mpirun.sh" "$srcdir/tests/files/axes.sh")
  status=$?
  echo "$output"
  test $status = 0 && echo 'tried 20 wrong 0'
}
seed=${SEED:-1}
while test "$seed" -lt $((${SEED:-1} + ${COUNT:-200} / 20)); do
  part "arrays of up to eight dimensions, seed $seed" arrays "$seed"
  seed=$((seed + 1))
done
campaign_end
