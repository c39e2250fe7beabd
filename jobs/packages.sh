#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing on Debian, and nothing else:  sh jobs/packages.sh build [test] [trust] [systems] [plot] [python] [peers] [docs]
# Looks for the things themselves, not for packages, so that software from elsewhere counts too and
# no package manager is called (no network is needed) when all is there.
set -u

missing='' wanted=''
# absent PACKAGE WHY COMMAND...: PACKAGE is missing when the command fails
absent() {
  package=$1 why=$2
  shift 2
  ! "$@" >/dev/null 2>&1 && echo "missing: $package ($why)"
}
need() { if absent "$@"; then missing="$missing $1"; fi; }
# What a test or two do without, and say so.
want() { if absent "$@"; then wanted="$wanted $1"; fi; }
have() { command -v "$1"; }
in_sbin() { PATH=$PATH:/usr/sbin:/sbin have "$1"; }
either() { command -v "$1" || command -v "$2"; }
has_library() { echo 'int main(void) { return 0; }' | cc -xc - -o /dev/null -l"$1"; }
compiles() { echo '#include <stdlib.h>' | cc -E -; }
python_has() {
  "${PYTHON:-/usr/bin/python3}" -c "import $1" || python3 -c "import $1"
}

# site need|want: what builds the pages
site() {
  "$1" python3-sphinx 'builds the site' python_has sphinx
  "$1" python3-myst-parser 'reads its pages' python_has myst_parser
  "$1" furo 'its theme' python_has furo
}

for group in "$@"; do
  case $group in
    build)
      need autoconf 'makes configure' have autoreconf
      need automake 'makes Makefile.in' have automake
      need libtool 'builds the shared library' have libtoolize
      need make 'builds' have make
      need gcc 'C compiler' have cc
      need libc6-dev 'C headers' compiles
      need pkg-config 'finds libraries' have pkg-config
      # CC=mpicc.mpich asks for the other MPI, and for HDF5 with that one.
      case ${CC:-} in
        *mpicc.mpich)
          mpi=mpich h5pcc=h5pcc.mpich
          need libmpich-dev 'MPI compiler' have mpicc.mpich
          need mpich 'starts MPI programs' have mpirun.mpich
          ;;
        *)
          mpi=openmpi h5pcc=h5pcc
          need libopenmpi-dev 'MPI compiler' either mpicc.openmpi mpicc
          need openmpi-bin 'starts MPI programs' either mpirun.openmpi mpirun
          ;;
      esac
      need libfftw3-dev 'FFTs of the tiles' pkg-config --exists fftw3 fftw3f
      if test "${HDF5_LIBS+set}" != set; then
        need libhdf5-$mpi-dev 'parallel files' \
          sh -c "pkg-config --exists hdf5-$mpi || command -v $h5pcc"
      fi
      need libjansson-dev 'JSON reports' pkg-config --exists jansson
      ;;
    test)
      need binutils 'nm, to check exported symbols' have nm
      need hdf5-tools 'h5dump, to check files' have h5dump
      need python3-numpy 'checks files independently' python_has numpy
      need python3-h5py 'checks files independently' python_has h5py
      want python3-netcdf4 'packed variables and results, as it reads them' python_has netCDF4
      want python3-xarray 'results, as it reads them' python_has xarray
      want netcdf-bin 'ncdump, as it reads them' have ncdump
      want python3-mpi4py 'the Python package' python_has mpi4py
      want python3-mpi4py-fft 'what it computes, the Python package does too' python_has mpi4py_fft
      site want
      want python3-scipy 'checks cosine and sine transforms in Python' python_has scipy
      want libfftw3-mpi-dev 'programs that call FFTW-MPI' has_library fftw3_mpi
      case ${CC:-} in
        *mpicc.mpich) ;; # Debian's hypre was built with Open MPI
        *) want libhypre-dev 'multigrid, to compare solvers' has_library HYPRE ;;
      esac
      want abigail-tools 'abidiff, to compare the binary interface' have abidiff
      want gnuplot-nox 'draws pictures of reports and pages' have gnuplot
      want perl "runs FFTW's own test" have perl
      want g++ 'programs in C++ use the library' have g++
      want gfortran 'the Fortran module' have gfortran
      want ocl-icd-opencl-dev 'OpenCL, for devices' has_library OpenCL
      want opencl-headers 'OpenCL, for devices' test -e /usr/include/CL/cl.h
      want pocl-opencl-icd 'makes the processor a device' sh -c 'ls /etc/OpenCL/vendors/*.icd'
      want libclfft-dev 'FFTs on devices, to compare with' test -e /usr/include/clFFT.h
      want libegl-dev 'OpenGL without a display, for compute shaders' test -e /usr/include/EGL/eglext.h
      want libgl-dev 'OpenGL, for compute shaders' test -e /usr/include/GL/glcorearb.h
      want libegl1 'opens OpenGL' sh -c 'ls /usr/lib/*/libEGL.so.1 /usr/lib/libEGL.so.1 2>/dev/null | grep .'
      want libgl1-mesa-dri 'makes the processor a device of OpenGL' sh -c 'ls /usr/lib/*/dri/swrast_dri.so'
      want libegl-mesa0 'finds it' sh -c 'ls /usr/lib/*/libEGL_mesa.so.0'
      want libvkfft-dev 'FFTs on devices' test -e /usr/include/vkFFT.h
      want cmake 'projects find the library' have cmake
      want mandoc 'checks the man pages' have mandoc
      want strace 'lets calls of the system fail' have strace
      want valgrind 'says who spoils memory' have valgrind
      want locales 'numbers with a comma' test -e /usr/share/i18n/locales/de_DE
      want libsimgrid-dev 'simulates machines with hundreds of ranks' \
        sh -c 'command -v smpicc && command -v smpirun'
      # Tests on a cluster of network namespaces, by root only.
      if test "$(id -u)" = 0; then
        want iproute2 'makes a network of hosts inside this machine' in_sbin tc
        want util-linux 'keeps these hosts apart' have nsenter
      fi
      # Slurm is tested by root only, and not installed where systemd would start its services.
      if test "$(id -u)" = 0 && ! test -d /run/systemd/system; then
        want slurmctld 'a Slurm of one node, to submit the batch scripts to' have slurmctld
        want slurmd 'runs their jobs' have slurmd
        want slurm-client 'submits them' have sbatch
        want munge 'lets the parts of Slurm trust each other' have munged
      fi
      ;;
    trust)
      # Analysers and checkers, for `make check-long` and `make coverage`.
      want afl++ 'damages files with method' have afl-fuzz
      want clang-tidy-14 'analyses the code, calls of MPI among it' have clang-tidy-14
      want cppcheck 'analyses the code' have cppcheck
      want shellcheck 'analyses the scripts' have shellcheck
      want gcovr 'sums up which lines are tested' have gcovr
      ;;
    systems)
      # Other compilers and machines, for tests/long/builds.sh and systems.sh.
      want clang-14 'another compiler' have clang-14
      want clang-16 'another compiler' have clang-16
      want clang-19 'another compiler' have clang-19
      want gcc-aarch64-linux-gnu 'builds for arm64' have aarch64-linux-gnu-gcc
      want gcc-s390x-linux-gnu 'builds for s390x' have s390x-linux-gnu-gcc
      want qemu-user-static 'runs what was built for these' have qemu-aarch64-static
      want debootstrap 'their libraries' in_sbin debootstrap
      want lmod 'modules, for the recipe of EasyBuild' test -f /usr/share/lmod/lmod/init/sh
      ;;
    plot)
      need hdf5-tools 'h5dump and h5import, to cut out a slice' have h5import
      need gnuplot-nox 'draws the picture' have gnuplot
      ;;
    peers)
      need libfftw3-mpi-dev 'FFTW-MPI, to compare with' has_library fftw3_mpi
      need libspfft-dev 'SpFFT, to compare with' has_library spfft
      need python3-mpi4py-fft 'mpi4py-fft, to compare with' python_has mpi4py_fft
      need gnuplot-nox 'draws the picture' have gnuplot
      ;;
    python)
      need python3-numpy 'arrays of the Python package' python_has numpy
      need python3-mpi4py 'communicators of the Python package' python_has mpi4py
      want python3-matplotlib 'draws the pictures of the tour in Python' python_has matplotlib
      want python3-h5py 'reads and writes HDF5 files in Python' python_has h5py
      ;;
    docs)
      site need
      want python3-matplotlib 'draws the pictures of a page' python_has matplotlib
      ;;
    *)
      echo "packages.sh: unknown group '$group'; known: build test trust systems plot python peers docs" >&2
      exit 64
      ;;
  esac
done
if test -z "$missing$wanted"; then exit 0; fi

names() { echo "$1" | tr ' ' '\n' | sort -u | tr '\n' ' '; }
by_hand() {
  if test -z "$missing"; then
    echo "packages.sh: $1; what takes these is left out: $(names "$wanted")" >&2
    exit 0
  fi
  echo "packages.sh: $1; please install by hand: $(names "$missing")" >&2
  exit 69
}
have apt-get >/dev/null || by_hand 'no apt-get here'
sudo=
if test "$(id -u)" != 0; then
  have sudo >/dev/null || by_hand 'not root, and no sudo'
  sudo=sudo
fi

install() {
  echo "installing with apt-get: $*"
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}
# The package lists may be absent or out of date (a fresh container): then fetch them, once.
install_all() {
  # shellcheck disable=SC2046  # lists of words
  install $(names "$1") && return
  $sudo apt-get update || by_hand 'apt-get update failed'
  # shellcheck disable=SC2046
  install $(names "$1") || by_hand 'apt-get install failed'
}
if test -n "$missing"; then install_all "$missing"; fi
missing=
if test -n "$wanted"; then install_all "$wanted"; fi
