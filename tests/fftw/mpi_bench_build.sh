# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds FFTW's own test program for MPI from Debian's source package, in folder $1, with the FFTW
# that is installed; scripts source it.  mpi_bench_build FOLDER: 0 if $1/mpi-bench and $1/check.pl
# are there; else it says why not.  The source is under the GPL and is not kept in this tree.

mpi_bench_fetch() {
  command -v apt-get >/dev/null || { echo 'no apt-get'; return 1; }
  mkdir -p lists/partial &&
    echo 'deb-src [trusted=yes] http://deb.debian.org/debian bookworm main' >source.list || return 1
  set -- -o Dir::Etc::sourcelist="$PWD/source.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::lists="$PWD/lists" -o Acquire::Retries=1 -o Acquire::http::Timeout=20
  limited 120 apt-get "$@" update >fetch.log 2>&1 &&
    limited 120 apt-get "$@" source --download-only fftw3 >>fetch.log 2>&1 &&
    ls fftw3_*.orig.tar.gz >>fetch.log 2>&1 || { echo "no source package of FFTW"; return 1; }
}

mpi_bench_compile() {
  tar xzf fftw3_*.orig.tar.gz && source=$(echo "$PWD"/fftw-3*) && mkdir -p objects && cd objects &&
    "$source/configure" --enable-mpi --enable-threads --disable-fortran --disable-doc \
      MPICC="${CC:-mpicc}" CC=cc >../configure.log 2>&1 &&
    make -C libbench2 >../make.log 2>&1 &&
    "${CC:-mpicc}" -O2 -DHAVE_CONFIG_H -I. -I"$source" -I"$source/api" -I"$source/mpi" \
      -I"$source/tests" -pthread -o ../mpi-bench "$source/mpi/mpi-bench.c" \
      "$source/tests/fftw-bench.c" "$source/tests/hook.c" libbench2/libbench2.a \
      -lfftw3_mpi -lfftw3_threads -lfftw3 -lm >>../make.log 2>&1 &&
    cp "$source/tests/check.pl" .. || { echo 'the test of FFTW does not build'; return 1; }
}

# mpi_bench_compile_with CC: that program and FFTW-MPI itself with another MPI, from the same source, over
# the installed serial FFTW; in the current folder
mpi_bench_compile_with() {
  source=$(echo "$PWD"/../fftw-3*) && ours=$(find "$source/mpi" -name '*.c' | grep -vE '/(mpi-bench|f03[^/]*|testmpi)\.c$') &&
    set -- "$1" -O1 -w -DHAVE_CONFIG_H -I../objects -I"$source" -I"$source/api" -I"$source/kernel" -I"$source/mpi" \
      -I"$source/tests" &&
    "$@" -shared -fPIC -Wl,-soname,libfftw3_mpi.so.3 -o libfftw3_mpi.so.3 $ours -lfftw3 -lm &&
    "$@" -pthread -o mpi-bench "$source/mpi/mpi-bench.c" "$source/tests/fftw-bench.c" "$source/tests/hook.c" \
      ../objects/libbench2/libbench2.a "$PWD/libfftw3_mpi.so.3" -Wl,-rpath,"$PWD" -lfftw3_threads -lfftw3 -lm
}

mpi_bench_build() {
  mkdir -p "$1" || return 1
  if test -x "$1/mpi-bench" && test -f "$1/check.pl"; then return 0; fi
  command -v perl >/dev/null || { echo 'no perl'; return 1; }
  (cd "$1" && mpi_bench_fetch && mpi_bench_compile)
}

# mpi_bench_run FOLDER SEED ROUNDS COMMAND...: random problems, the same for the same seed, by the
# program that COMMAND starts; what it says is in bench.txt, what the drop-in says in plans.txt.  Sets $asked and $verified, problems; and
# $planned and $ours, plans of two and three dimensions, in all and of pfft3d.
# shellcheck disable=SC2034  # for those who source it
mpi_bench_run() {
  folder=$1 seed=$2 rounds=$3
  shift 3
  # check.pl draws with rand() and has no option for a seed.
  # shellcheck disable=SC2016  # Perl's variables
  limited 3000 perl -e 'srand(shift); my $file = shift; do $file; die $@ if $@' \
    "$seed" "$folder/check.pl" --verbose --random --maxsize=10000 -c="$rounds" \
    --mpi "$* $folder/mpi-bench" >bench.txt 2>plans.txt
  bench_status=$?
  asked=$(grep -o "\-\-verify '[^']*'" bench.txt | wc -l)
  # A launcher may put a piece of the error output before a result.
  verified=$(grep -oE '[oi][a-z][^ ]* [0-9.e+-]+ [0-9.e+-]+ [0-9.e+-]+' bench.txt | wc -l)
  kinds='^pfft3d: fftw_mpi_plan[a-z_0-9]* (c2c|r2c|c2r) [0-9]+(x[0-9]+){1,2}(\*[0-9]+)?[,:]'
  planned=$(grep -cE "$kinds" plans.txt)
  ours=$(grep -cE "$kinds.*: pfft3d, |$kinds pfft3d, " plans.txt)
  return $bench_status
}
