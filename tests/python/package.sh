#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Python package: its declarations of C, docstrings, the page about it, arrays, errors, files, and objects that end in any order.
# Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/mpi4py.sh"
. "$srcdir/tests/lib/examples.sh"
files=
if test -e "$builddir/.libs/libpfft3d_hdf5.so"; then files=hdf5; fi
compiler=$(sed -n 's/^CC = //p' "$builddir/Makefile")
# shellcheck disable=SC2086  # lists of words
check 'structs, functions and constants are those of the headers' "$PYTHON" "$srcdir/tests/python/headers.py" $compiler $files
"$PYTHON" "$srcdir/tests/program/pages.py" "$srcdir/doc/howto/python.md" . >pages.txt
while read -r _ example; do
  check "doc/howto/python.md: $example" ranks 3 "$example"
done <pages.txt
mkdir -p tree/src/python tree/build
cp -R "$srcdir/src/python/pfft3d" tree/src/python/
ln -s "$builddir/.libs" tree/build/.libs
check 'in a source tree the package finds its build' \
  env -u PFFT3D_LIBRARY PYTHONPATH="$work/tree/src/python" "$PYTHON" -c \
  'import pfft3d; file = pfft3d.build()["file"]; print(file); assert "/tree/build/.libs/" in file'
"$PYTHON" "$srcdir/tests/program/pages.py" "$srcdir/doc/quickstart.md" . | sed -n 's/^python //p' >quick.txt
check 'doc/quickstart.md: the plane wave' ranks 2 "$(sed -n 1p quick.txt)"
check 'it prints what the page says' test "$(cat out.txt)" = 'F[0][0][5] = 262144'
check 'there were examples on the page' test "$(wc -l <pages.txt)" = 3
if "$PYTHON" -c 'import matplotlib' 2>/dev/null; then
  cp "$srcdir/doc/howto/python-tour.md" tour.md
  check 'the blocks of the tour run' ranks 1 "$srcdir/doc/site/execute.py" tour.md
  check 'and have pictures' grep -q '^!\[head\](head.png)' tour.md
fi
check 'step4_poisson' ranks 3 "$srcdir/doc/examples/step4_poisson.py"
check 'its error is of rounding' awk '{ n++; small = $NF < 1e-14 } END { exit !(n == 1 && small) }' out.txt
check 'step7_lines: the same as in C' like_c step7_lines 3 "$PYTHON" "$srcdir/doc/examples/step7_lines.py"
check 'step5_taylor_green: the same as in C' \
  like_c step5_taylor_green 3 "$PYTHON" "$srcdir/doc/examples/step5_taylor_green.py"
if test -n "$files"; then
  check 'the MRI volume' ranks 2 "$srcdir/doc/examples/mri.py" "$srcdir/data/colin27.h5" mri.png
  check 'has a picture' test -s mri.png
  check 'step6_picture: the same as in C' like_c step6_picture 2 "$PYTHON" "$srcdir/doc/examples/step6_picture.py"
fi
check 'the examples of docstrings' ranks 1 "$srcdir/tests/python/docstrings.py"
for n in 1 3 4; do check "arrays, errors, functions on $n ranks" ranks $n "$srcdir/tests/python/arrays.py"; done
for n in 1 2 3 4 6; do check "more dimensions on $n ranks" ranks $n "$srcdir/tests/python/dimensions.py" 40 $n; done
for n in 1 3; do check "arguments on $n ranks" ranks $n "$srcdir/tests/python/arguments.py"; done
for n in 1 2 3; do check "objects end in any order on $n ranks" ranks $n "$srcdir/tests/python/endings.py" 24; done
for n in 1 3; do
  if test -n "$files"; then check "files on $n ranks" ranks $n "$srcdir/tests/python/files.py"; fi
done
for n in 1 3; do check "the plugin of fluidfft on $n ranks" ranks $n "$srcdir/tests/python/plugin.py"; done
cat >prepared.py <<'END'
import ctypes

import pfft3d

get = ctypes.CDLL(None).getenv
get.restype = ctypes.c_char_p
if "Open MPI" in pfft3d.build()["mpi"]:
    node = [get(b"OMPI_MCA_btl_%s_eager_limit" % name) for name in (b"vader", b"sm")]  # of Open MPI 4 or 5
    assert sorted(str(limit) for limit in node) == ["None", "b'8320'"], node
    assert get(b"OMPI_MCA_btl_tcp_eager_limit") == b"70000", get(b"OMPI_MCA_btl_tcp_eager_limit")
from mpi4py import MPI
MPI.COMM_WORLD.Barrier()
END
prepared() (
  OMPI_MCA_btl_tcp_eager_limit=70000
  export OMPI_MCA_btl_tcp_eager_limit
  ranks 1 prepared.py
)
check 'the import sets what MPI reads, and leaves what is set' prepared
cat >raises.py <<'END'
import pfft3d
from mpi4py import MPI
with pfft3d.Plan((4, 4)) as plan:
    if MPI.COMM_WORLD.rank:
        raise ValueError("of one rank")
    MPI.COMM_WORLD.barrier()
END
raises() {
  # shellcheck disable=SC2086  # a command with options
  limited 60 $MPIRUN -n 2 "$PYTHON" -m mpi4py raises.py >out.txt 2>err.txt </dev/null
  grep 'ValueError: of one rank' err.txt
}
check 'an exception of one rank in a with is printed' raises
check 'after MPI_Finalize' ranks 2 "$srcdir/tests/python/endings.py" finalize
check 'info' ranks 1 -m pfft3d info
check 'info names the MPI of both' grep -q '^mpi4py' out.txt
check 'other words are refused' sh -c '"$PYTHON" -m pfft3d inform; test $? = 64'

# A library with an MPI of its own.
cat >other.c <<'END'
int MPI_Comm_rank(void *comm, int *rank) { return comm ? 0 : *rank; }
END
"$PYTHON" -c 'import pfft3d._library as l
for name in l._CORE:
    value = {"build": "\"MPI of another kind\"", "version": "\"0\""}.get(name, "0")
    print(f"const char *pfft3d_{name}(void) {{ return {value}; }}")' >>other.c
refused() {
  # shellcheck disable=SC2086
  $compiler -w -shared -fPIC other.c -o libother.so || return 1
  PFFT3D_LIBRARY=$work/libother.so "$PYTHON" -c "import pfft3d; pfft3d.Plan((4, 4))" >out.txt 2>err.txt
  grep -q 'another MPI.*MPI of another kind' err.txt
}
check 'another MPI than that of mpi4py is refused' refused
missing() {
  PFFT3D_LIBRARY=$work/none.so "$PYTHON" -c "import pfft3d; pfft3d.build()" >out.txt 2>err.txt
  grep -q 'libpfft3d: not found.*make install' err.txt
}
check 'a library that is missing is named' missing
echo "1..$number"
exit $bad
