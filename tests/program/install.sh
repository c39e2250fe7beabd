#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The installed libraries as programs of others use them: C, C++17 with all warnings as errors, Fortran
# and CMake, each built from what is installed and run on two ranks.  Answers in TAP.
set -u
: "${srcdir:?run by make check}" "${builddir:?}" "${MPIRUN:?}"
work=$(mktemp -d) || exit 99
# Beside the build, as deep as that: sources may be named by relative paths.
copy=$(mktemp -d "$builddir-install-XXXXXX") || exit 99
trap 'rm -rf "$work" "$copy"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 99
. "$srcdir/tests/lib/check.sh"
. "$srcdir/tests/lib/examples.sh"
# value NAME: of a variable of configure
value() { sed -n "s/^$1 = //p" "$builddir/Makefile" | head -n 1; }

# Libraries that need others are linked again to be installed, and gone meanwhile: in a copy of the build,
# by links, since other tests use them.  What make depends on of the tests are only lists.
copy_build() (
  cd "$builddir" || exit
  for entry in .libs *; do
    test "$entry" = tests || cp -al "$entry" "$copy/" 2>/dev/null || cp -a "$entry" "$copy/" || exit
  done
  # shellcheck disable=SC2046  # names without blanks
  cp -a --parents $(find tests -name '*.P[lo]*') "$copy/" || exit
  cd "$copy" || exit
  for library in *.la; do
    touch -r "$library" time && sed -i "s|$builddir|$copy|g; s|(cd [^;]*;|(cd $copy;|" "$library" && touch -r time "$library" || exit
  done
)
check 'a copy of the build' copy_build
check 'make install' make -C "$copy" install DESTDIR="$work/root"
pc=$(find "$work/root" -name pfft3d.pc)
library=$(dirname "$(dirname "$pc")")
before=${LD_LIBRARY_PATH-}
PKG_CONFIG_PATH=$(dirname "$pc") LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
flags=$(pkg-config --define-prefix --cflags --libs pfft3d) || flags=
drop_in() { # the installed program takes the drop-in that was installed with it, wherever that is
  bin=$(find "$work/root" -path '*/bin/pfft3d')
  test "$(readlink -f "$(LD_PRELOAD='' "$bin" fftw printenv LD_PRELOAD)")" = \
    "$(readlink -f "$library/libpfft3d_fftw3_mpi.so.0")"
}
if test -e "$builddir/.libs/libpfft3d_fftw3_mpi.so"; then check 'the drop-in is found' drop_in; fi
# Sanitized libraries need programs that are, too.
extra=$(value CFLAGS | tr ' ' '\n' | grep '^-fsanitize' | tr '\n' ' ')
check 'a C program and a C++ program find all they need' test -n "$flags"

check 'descriptions of machines' test -f "$(dirname "$library")/share/pfft3d/machines/fattree.machine"
if built_with OPENMP; then
  check 'a static library names OpenMP' sh -c 'pkg-config --static --libs pfft3d | grep -q openmp'
fi

drop_in_flags() { pkg-config --define-prefix --libs pfft3d_fftw3_mpi | grep -q -e "-lpfft3d_fftw3_mpi"; }
check 'the drop-in has its line for the linker' drop_in_flags

version=$(pkg-config --modversion pfft3d)

# A program of the plainest kind, which is C and C++; 8 is the sum of its field.
cat >plain.c <<'END'
#include <pfft3d.h>
#include <pfft3d_redist.h>
#include <pfft3d_tune.h>
#include <stdio.h>

int main(int argc, char **argv) {
  pfft3d_plan *plan = NULL;
  void *array = NULL;
  double *u, sum;
  size_t i;
  int status;
  MPI_Init(&argc, &argv);
  status = pfft3d_plan_create_text(MPI_COMM_WORLD, "c2c:d:2x2x2 exchange=packed", &plan, NULL);
  if (!status) status = pfft3d_alloc(plan, &array, NULL);
  u = (double *)array;
  for (i = 0; !status && i < 2 * pfft3d_plan_elements(plan, PFFT3D_SPACE); i++)
    u[i] = i % 2 ? 0 : 1;
  if (!status) status = pfft3d_execute(plan, PFFT3D_FORWARD, u, u);
  sum = status ? 0 : u[0];
  MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  pfft3d_plan_destroy(&plan);
  MPI_Finalize();
  printf("%s %g\n", pfft3d_version(), sum);
  return sum != 8;
}
END
sed 's/<pfft3d.h>/<mpi.h>\n#include <vector>/' plain.c >plain.cpp # mpi.h first, as others may

# One that asks for a file which is not there; 66 is the error for it.
cat >filed.c <<'END'
#include <pfft3d_hdf5.h>

int main(int argc, char **argv) {
  pfft3d_dataset *dataset = NULL;
  int status;
  MPI_Init(&argc, &argv);
  status = pfft3d_dataset_probe(MPI_COMM_WORLD, "none.h5", &dataset, NULL);
  MPI_Finalize();
  return status != 66;
}
END
files=
if built_with HDF5; then files=hdf5; fi

# shellcheck disable=SC2086  # commands with options
run() { limited 120 $MPIRUN -n 2 "$@"; }
# shellcheck disable=SC2086
compile() { "$1" $2 -Wall -Wextra -pedantic -Werror $extra "$3" -o "$4" $flags; }
for standard in c99 c11; do
  check "C: $standard" compile cc -std=$standard plain.c plain
done
check 'C: runs' run ./plain
if test -n "$files"; then
  # shellcheck disable=SC2030,SC2031  # these flags for this program only
  with_files() (
    flags=$(pkg-config --define-prefix --cflags --libs pfft3d_hdf5) && compile cc -std=c99 filed.c filed
  )
  check 'C: links the library of files' with_files
  check 'C: that runs, too' run ./filed
else
  skip 'C: the library of files' 'not built'
fi
if command -v g++ >/dev/null; then
  for standard in c++11 c++17; do
    check "C++: $standard" compile g++ -std=$standard plain.cpp plain_cpp
  done
  check 'C++: runs' run ./plain_cpp
  objects=$srcdir/tests/program/objects.cpp
  check 'C++: objects' compile g++ '-std=c++17 -O1 -Wshadow -Wconversion' "$objects" objects
  for n in 1 2 3; do
    # shellcheck disable=SC2086
    check "C++: objects run on $n ranks" limited 120 $MPIRUN -n $n ./objects
  done
  for example in step4_poisson step5_taylor_green ${files:+step6_picture}; do
    # shellcheck disable=SC2030,SC2031  # these flags for these programs only
    in_cpp() (
      flags=$(pkg-config --define-prefix --cflags --libs ${files:+pfft3d_hdf5} pfft3d) &&
        compile g++ '-std=c++17 -O1 -Wshadow -Wconversion' "$srcdir/doc/examples/$example.cpp" "$example"
    )
    check "C++: $example" in_cpp
    check "C++: $example: the same as in C" like_c "$example" 2 "./$example"
  done
else
  skip 'C++' 'no g++'
fi

if test "$(value have_fortran)" = yes; then
  cat >plain.f90 <<'END'
program plain
  use mpi
  use pfft3d
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type(pfft3d_plan) :: plan
  complex(real64), pointer :: u(:, :, :)
  real(real64) :: total
  integer :: ierr
  call MPI_Init(ierr)
  call plan%create(MPI_COMM_WORLD, 'c2c:d:2x2x2')
  call plan%array(u, pfft3d_space)
  u = 1
  call plan%execute(pfft3d_forward, u)
  total = sum(abs(u))
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call plan%destroy()
  call MPI_Finalize(ierr)
  if (.not. abs(total - 8) <= 1e-9_real64) error stop 1
end program
END
  # shellcheck disable=SC2046,SC2086  # lists of words
  compile_fortran() {
    $(value FC) $(value FCFLAGS) plain.f90 -o plain_f90 $(pkg-config --define-prefix --cflags --libs pfft3d_fortran)
  }
  check 'Fortran: the module and its library' compile_fortran
  check 'Fortran: runs' run ./plain_f90
  # shellcheck disable=SC2046,SC2086
  compile_source() {
    $(value FC) $(value FCFLAGS) $(value PF_FCFLAGS) -c "$(pkg-config --define-prefix --variable=includedir pfft3d)/pfft3d.F90" -o module.o &&
      $(value FC) $(value FCFLAGS) -I. plain.f90 module.o -o plain_f90 $(pkg-config --define-prefix --libs pfft3d)
  }
  check 'Fortran: the installed source' compile_source
  check 'Fortran: that runs, too' run ./plain_f90
else
  skip 'Fortran' 'no compiler for it when this was configured'
fi

cmake=$(value CMAKE)
if test "${cmake:-no}" = no || ! command -v "$cmake" >/dev/null; then
  skip 'find_package(pfft3d)' 'no cmake'
else
  cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(user C CXX)
set(prefix mine)
find_package(pfft3d ${WANTED} REQUIRED COMPONENTS ${COMPONENTS})
if(NOT prefix STREQUAL mine)
  message(FATAL_ERROR "find_package(pfft3d) has changed a variable of the project")
endif()
add_executable(user_c plain.c)
add_executable(user_cpp plain.cpp)
target_compile_features(user_cpp PRIVATE cxx_std_17)
foreach(program user_c user_cpp)
  target_compile_options(${program} PRIVATE -Wall -Wextra -pedantic -Werror)
  target_link_libraries(${program} pfft3d::pfft3d)
endforeach()
if(TARGET pfft3d::hdf5)
  add_executable(user_files filed.c)
  target_link_libraries(user_files pfft3d::hdf5)
endif()
END
  make_project() {
    "$cmake" -S . -B "$1" -DCMAKE_PREFIX_PATH="$(dirname "$library")" -DWANTED="$2" \
      -DCOMPONENTS="${3-$files}" -DCMAKE_C_FLAGS="$extra" -DCMAKE_CXX_FLAGS="$extra"
  }
  refused() { ! make_project refused "$@"; }
  check 'CMake: find_package(pfft3d)' make_project any ''
  check 'CMake: this version' make_project this "$version"
  check 'CMake: no later version' refused 9999.0
  check 'CMake: no other first number' refused 77
  check 'CMake: no component of another name' refused '' other
  check 'CMake: builds' "$cmake" --build any
  check 'CMake: C runs' run any/user_c
  check 'CMake: C++ runs' run any/user_cpp
  if test -n "$files"; then check 'CMake: the library of files runs' run any/user_files; fi
fi

# Another version under a prefix of its own: the same files, but for the number.
home=$(dirname "$library") other=$work/other
second=$(echo "$version" | tr 0123456789 1234567890)
another() {
  cp -a "$home" "$other" && find "$other" -type f \( -name 'libpfft3d*' -o -name '*.pc' -o -name '*.cmake' \) \
    -exec sed -i "s/$(echo "$version" | sed 's/\./[.]/g')/$second/g" {} +
}
check 'another version, in a prefix of its own' another
# side_by_side PREFIX VERSION: programs are linked and run with that one
side_by_side() (
  folder=$1/$(basename "$library")
  export PKG_CONFIG_PATH="$folder/pkgconfig"
  flags="$(pkg-config --define-prefix --cflags --libs pfft3d) -Wl,-rpath,$folder"
  compile cc -std=c99 plain.c "plain$2" && LD_LIBRARY_PATH=$before run "./plain$2" >versions.txt && cat versions.txt &&
    test "$(sort -u versions.txt)" = "$2 8"
)
check 'side by side: programs of the first' side_by_side "$home" "$version"
check 'side by side: programs of the second' side_by_side "$other" "$second"
if test "${cmake:-no}" != no && command -v "$cmake" >/dev/null; then
  exact() {
    "$cmake" -S . -B "exact$2" -DCMAKE_PREFIX_PATH="$home;$other" -DWANTED="$2;EXACT" -DCOMPONENTS= &&
      grep "^pfft3d_DIR:PATH=$1/" "exact$2/CMakeCache.txt"
  }
  check 'side by side: CMake takes the first' exact "$home" "$version"
  check 'side by side: CMake takes the second' exact "$other" "$second"
fi

# Folders of the system stay, in which others install.
check 'make uninstall' make -C "$copy" uninstall DESTDIR="$work/root"
leaves_nothing() { test -d "$work/root" && test -z "$(find "$work/root" ! -type d -o -name '*pfft3d*' | tee left.txt)" || { cat left.txt && return 1; }; }
check 'it leaves nothing' leaves_nothing
echo "1..$number"
exit $bad
