#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The commands of the pages end well: those in blocks of commands are run in turn, each page in a folder
# of its own, on two ranks and with smaller sizes.  page_commands.txt says what is smaller, and which are
# not run and why.  Answers in TAP.
. "${srcdir:?run by make check}/tests/lib/program.sh"
: "${builddir:?}"
: "${PYTHON:=/usr/bin/python3}"
value() { sed -n "s/^$1 = //p" "$builddir/Makefile" | head -n 1; }
compiler=$(value CC)
# Pages are about a build with everything.
echo '#include <fftw3-mpi.h>' >peer.c
lacks=
"$PYTHON" -c 'import h5py, numpy' 2>/dev/null || lacks='h5py for Python'
if "$PFFT3D" info | grep -qE '^(hdf5|fftw) *no'; then lacks='HDF5 or FFTW in this build'; fi
$compiler -E peer.c >/dev/null 2>&1 || lacks='FFTW-MPI'
for tool in g++ gnuplot h5dump pkg-config; do command -v $tool >/dev/null || lacks=$tool; done
if test -n "$lacks"; then echo "1..0 # SKIP no $lacks"; exit 0; fi

# An installation: programs in bin/, two packages for pkg-config.
mkdir bin
# sanitized libraries need programs that are, too
sanitize=$(value CFLAGS | tr ' ' '\n' | grep '^-fsanitize' | tr '\n' ' ')
# tool NAME COMMAND BEFORE BEHIND: a command of this name, with words before and behind those of the page
tool() {
  printf '#!/bin/sh\nexec %s "$@" %s\n' "$(command -v "$2") ${3-}" "${4-}" >"bin/$1"
  chmod +x "bin/$1"
}
# shellcheck disable=SC2086  # a command and its words
tool mpirun ${MPIRUN%% *} "${MPIRUN#"${MPIRUN%% *}"}"
# A program that mpirun has not started looks for no helper process, which takes longer than it does.
# All such programs use one directory below TMPDIR, and remove it: side by side, each needs another.
tool pfft3d env "OMPI_MCA_ess_singleton_isolated=1 PMIX_MCA_gds=hash TMPDIR=\"\$alone\" '$PFFT3D'"
tool mpicc "${compiler%% *}" '' "$sanitize"
if test -n "$sanitize"; then
  # env: these may search the path for the next of their name
  tool cc env "PATH='$PATH' cc" "$sanitize"
  tool g++ env "PATH='$PATH' g++" "$sanitize"
fi
# By links: pkg-config masks letters beyond ASCII.
ln -s "$builddir/.libs" libraries && ln -s "$srcdir/include" headers
for package in pfft3d pfft3d_hdf5; do
  sed "s|^libdir=.*|libdir=$work/libraries|; s|^includedir=.*|includedir=$work/headers|" "$builddir/$package.pc" >bin/$package.pc
done
PATH=$work/bin:$PATH PKG_CONFIG_PATH=$work/bin
LIBRARY_PATH=$builddir/.libs LD_LIBRARY_PATH=$builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH PKG_CONFIG_PATH LIBRARY_PATH LD_LIBRARY_PATH builddir

# What readers have: fields, reports, programs.
mkdir have alone-0 alone-1 alone-2
alone=$work/alone-0
export alone
(
  cd have || exit 1
  ln -s "$builddir" build && ln -s "$srcdir/data" data && ln -s "$srcdir/doc" doc
  "$PYTHON" - <<END || exit 1
import h5py, numpy
random = numpy.random.default_rng(1)
for name in "f", "g", "in", "field", "template":
    with h5py.File(name + ".h5", "w") as f:
        f["field"] = random.random((12, 10, 8))
for name, shape in ("spoilt", (12, 10, 8)), ("kernel", (3, 3, 3)):
    with h5py.File(name + ".h5", "w") as f:
        f["field"] = random.random(shape)
with h5py.File("floor.h5", "w") as f, h5py.File("mesh.h5", "w") as mesh:
    f["temperature"] = random.random((12, 10))
    mesh["z"] = numpy.linspace(0, 1, 9) ** 1.5
with h5py.File("signal.h5", "w") as f:
    f["signal"] = random.random(1000)
with h5py.File("flow.h5", "w") as f:
    for name in "u", "v", "w":
        f[name] = random.random((12, 10, 8))
with h5py.File("run.h5", "w") as f, h5py.File("run.nc", "w") as nc:
    f["t"] = nc["t"] = random.random((121, 6, 5, 4))
    nc["t"][120, 1, 2, 3] = numpy.nan
    f["velocity"] = random.random((6, 5, 4, 3))
numpy.save("big.npy", random.random((3, 401, 4)))
with h5py.File("numpy.h5", "w") as f:
    f["spectrum"] = numpy.fft.rfftn(random.random((64, 64, 65)))
END
  pfft3d --grid 8 --quiet --reps 3 --json old.json && cp old.json new.json && cp old.json A.json && cp old.json B.json
  cat >simulation.c <<END
#include <fftw3-mpi.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  ptrdiff_t n0, start, size = fftw_mpi_local_size_3d(32, 32, 32, MPI_COMM_WORLD, &n0, &start);
  fftw_complex *a = fftw_alloc_complex(size);
  fftw_plan plan = fftw_mpi_plan_dft_3d(32, 32, 32, a, a, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  for (ptrdiff_t i = 0; i < size; i++) a[i][0] = a[i][1] = 1;
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  fftw_free(a);
  MPI_Finalize();
  return 0;
}
END
  mpicc simulation.c -o simulation -lfftw3_mpi -lfftw3 -lm && cp simulation program && touch input.txt
  printf '#include <pfft3d.h>\nint main(void) { return pfft3d_version() == 0; }\n' >app.c
  printf '#include <pfft3d.hpp>\nint main() { return pfft3d_version() == nullptr; }\n' >app.cpp
) >check.txt 2>&1 || { cat check.txt; exit 99; }

rules=$srcdir/tests/program/page_commands.txt
if test -n "${HYDRA-}"; then
  # the one command with a path of an installed library
  { grep -v '^instead /usr/local/lib/' "$rules" && echo 'not : mpirun .* -x  => an option of Open MPI'"'"'s'; } >rules.txt
  rules=$work/rules.txt
fi
pages=$(cd "$srcdir" && ls README.md CONTRIBUTING.md doc/*.md doc/*/*.md jobs/README.md tests/README.md tests/*/README.md)
# shellcheck disable=SC2086
check 'each rule fits a command' \
  "$PYTHON" "$srcdir/tests/program/page_commands.py" "$rules" "$srcdir" $pages
cp check.txt commands.txt
# C programs of a page are its first whole one, or that of the quick start.
first_program() { "$PYTHON" "$srcdir/tests/program/pages.py" "$srcdir/$1" found | sed -n 's/^program //p' | head -n 1; }
ends_well() { limited $limit sh -c "$1" </dev/null; }
tab=$(printf '\t')
# of_page PAGE: its commands in turn, in a folder of its own
of_page() (
  mkdir -p "$1/found" && cp -R have/. "$1" && cd "$1" || exit 99
  program=$(first_program "$1")
  test -n "$program" || program=$(first_program doc/quickstart.md)
  for source in wave poisson; do cp "$program" $source.c; done
  while IFS=$tab read -r kind name command smaller; do
    if test "$kind $name" = "run $1"; then check "$1: $command" ends_well "$smaller"; fi
  done <"$work/commands.txt"
)
# Pages take turns in three rows, side by side: most of a command's time is that of starting ranks.
with_commands=$(sed -n "s/^run$tab\([^$tab]*\)$tab.*/\1/p" commands.txt | uniq)
for row in 0 1 2; do
  alone=$work/alone-$row
  turn=0
  for page in $with_commands; do
    if test $((turn % 3)) = $row; then of_page "$page" >"$turn.tap" 2>&1; fi
    turn=$((turn + 1))
  done &
done
wait
turn=0
for page in $with_commands; do
  cat "$turn.tap"
  turn=$((turn + 1))
done >all.tap
awk -v number="$number" '/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++number) } { print }' all.tap
if grep -q '^not ok' all.tap; then bad=1; fi
number=$((number + $(grep -cE '^(not )?ok ' all.tap)))
check 'each command of the pages was run' \
  test "$(grep -c "^run$tab" commands.txt)" = "$(grep -cE '^(not )?ok ' all.tap)"
check 'there were commands' test "$number" -gt 60
echo "1..$number"
exit $bad
